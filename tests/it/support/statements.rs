//! What a service asks its database: every statement, heard on the thread that runs it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::layer::{Context, SubscriberExt};

/// The statements that this thread's service sends while it listens.
#[derive(Clone, Default)]
pub struct Statements(Arc<Mutex<Vec<String>>>);

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Statements {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "sqlx::query" {
            event.record(&mut self.clone());
        }
    }
}

impl Visit for Statements {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" {
            self.0.lock().unwrap().push(value.to_owned());
        }
    }
    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

impl Statements {
    /// Listens for as long as the guard lives.
    pub fn listen() -> (Self, DefaultGuard) {
        let statements = Self::default();
        let listening = tracing::subscriber::set_default(tracing_subscriber::registry().with(statements.clone()));
        (statements, listening)
    }

    /// What is sent within so many seconds. Tests beside this one come and go with listeners of their own, and while one
    /// does, tracing may take it that nobody listens: silence, which the tail never keeps, is listened to again.
    pub async fn heard(&self, secs: u64) -> Vec<String> {
        for _ in 0..5 {
            tracing::callsite::rebuild_interest_cache();
            self.0.lock().unwrap().clear();
            tokio::time::sleep(Duration::from_secs(secs)).await;
            let heard = self.0.lock().unwrap().clone();
            if !heard.is_empty() {
                return heard;
            }
        }
        Vec::new()
    }
}
