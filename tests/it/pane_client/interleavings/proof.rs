//! What came of a plan: the agent's own notes against the orders and the journal.

use std::collections::HashMap;
use std::iter::Sum;

use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use super::plan::{Plan, Step};
use crate::pane_client::desk::Desk;
use crate::support::cluster;

/// How often what happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Keys of the client that an open dialog took.
    pub landed: usize,
    /// Keys of the client that came when their dialog had just gone, and no other was there.
    pub beside: usize,
    /// Dialogs that were answered or left without the client.
    pub without: usize,
    pub sent: usize,
    pub skipped: usize,
    pub failed: usize,
    /// Orders that a dead client had begun.
    pub interrupted: usize,
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |one, other| Self {
            landed: one.landed + other.landed,
            beside: one.beside + other.beside,
            without: one.without + other.without,
            sent: one.sent + other.sent,
            skipped: one.skipped + other.skipped,
            failed: one.failed + other.failed,
            interrupted: one.interrupted + other.interrupted,
        })
    }
}

/// An order, and the proposal that it is for.
#[derive(Debug, sqlx::FromRow)]
struct Order {
    id: Uuid,
    command: String,
    option: i32,
    state: String,
    outcome: Option<String>,
    reason: Option<String>,
    keys: Option<Json<Vec<String>>>,
}

impl Order {
    fn keys(&self) -> &[String] {
        self.keys.as_ref().map_or(&[], |keys| &keys.0)
    }

    /// A dead client had begun it: whether its key arrived only the agent knows.
    fn interrupted(&self) -> bool {
        self.reason.as_deref() == Some("interrupted")
    }
}

/// Where keys of the client arrived, by the line of the dialog that was open, or was the last.
#[derive(Debug, Default)]
struct Arrived {
    inside: Vec<String>,
    beside: Vec<String>,
}

/// Waits until all is quiet, and looks at everything.
pub async fn prove(desk: &Desk, plan: &Plan) -> Tally {
    let orders = desk
        .until("the last outcome", async || {
            let orders = orders(desk).await;
            let quiet = orders.iter().all(|order| order.state == "done") && desk.inbox().await.is_empty();
            quiet.then_some(orders)
        })
        .await;
    let arrived = arrived(desk);
    let notes: Vec<String> = desk.pane.notes().iter().map(Value::to_string).collect();
    let (notes, said) = (notes.join("\n"), desk.watch.said());
    let story = format!("seed {}\n{:?}\n{orders:#?}\n{notes}\n{said}", plan.seed, plan.steps);
    let mut tally = Tally::default();
    for step in &plan.steps {
        one_dialog(step, arrived.get(&step.line), &mut tally, &story);
    }
    for step in &plan.steps {
        decided(plan, step, &arrived, &orders, &story);
    }
    for order in &orders {
        accounted(order, &mut tally, &story);
    }
    journal(desk, &orders, &story).await;
    ends(desk, &story).await;
    assert!(desk.pane.chosen().iter().all(|row| row["n"] != 2), "a standing row was chosen\n{story}");
    tally
}

async fn orders(desk: &Desk) -> Vec<Order> {
    let mut conn = cluster::connect(&desk.app.database).await;
    let query = "select o.id, p.command, (o.option ->> 'n')::integer as option, o.state, o.outcome, o.reason, o.keys
        from orders o join proposals p on p.id = o.proposal_id order by o.created_at, o.id";
    sqlx::query_as(query).fetch_all(&mut conn).await.unwrap()
}

/// Only the client presses digits; people here use the arrows and Enter.
fn arrived(desk: &Desk) -> HashMap<u64, Arrived> {
    let mut all: HashMap<u64, Arrived> = HashMap::new();
    let (mut line, mut open) = (0, false);
    for note in desk.pane.notes() {
        if let Some(shown) = note["shown"].as_str() {
            open = shown == "dialog";
            line = if open { note["step"].as_u64().unwrap() } else { line };
        } else if let Some(key) = note["key"].as_str().filter(|key| key.bytes().all(|c| c.is_ascii_digit())) {
            let arrived = all.entry(line).or_default();
            if open { &mut arrived.inside } else { &mut arrived.beside }.push(key.to_owned());
        }
    }
    all
}

/// No dialog gets two keys, and a key that comes too late comes to no other dialog.
fn one_dialog(step: &Step, arrived: Option<&Arrived>, tally: &mut Tally, story: &str) {
    let none = Arrived::default();
    let Arrived { inside, beside } = arrived.unwrap_or(&none);
    assert!(inside.len() + beside.len() <= 1, "two keys for one dialog: {step:?}\n{story}");
    assert!(beside.is_empty() || step.races(), "a key that nothing raced with came to nothing: {step:?}\n{story}");
    tally.landed += inside.len();
    tally.beside += beside.len();
    tally.without += usize::from(inside.is_empty());
}

/// Every key that came for this command was ordered for it, with this row; every key that was reported has come.
fn decided(plan: &Plan, step: &Step, arrived: &HashMap<u64, Arrived>, orders: &[Order], story: &str) {
    for key in ["1", "2", "3"] {
        let twins = plan.steps.iter().filter(|other| other.command == step.command);
        let all = twins.filter_map(|twin| arrived.get(&twin.line));
        let came = all.flat_map(|found| found.inside.iter().chain(&found.beside)).filter(|came| *came == key).count();
        let ordered = orders.iter().filter(|order| order.command == step.command && order.option.to_string() == key);
        let (mut reported, mut unknown) = (0, 0);
        for order in ordered {
            reported += usize::from(order.keys() == [key]);
            unknown += usize::from(order.interrupted());
        }
        assert!(
            (reported..=reported + unknown).contains(&came),
            "{came} keys {key} came for {}, {reported} were reported and {unknown} may have been pressed\n{story}",
            step.command
        );
    }
    let contested = step.event == super::plan::Event::Contest;
    let inside = arrived.get(&step.line).map_or(&[][..], |found| &found.inside);
    // Of two dialogs with the same command one is approved and one refused: a key for the other one is the other key.
    assert!(
        contested || inside.iter().all(|key| key == step.key()),
        "the decision of another dialog: {step:?}\n{story}"
    );
}

/// Every order ended in one of the ways there are, with a reason.
fn accounted(order: &Order, tally: &mut Tally, story: &str) {
    let pressed = order.keys().len();
    match (order.outcome.as_deref(), order.reason.as_deref()) {
        (Some("sent"), None) if pressed == 1 => tally.sent += 1,
        (Some("skipped"), Some(_)) if pressed == 0 => tally.skipped += 1,
        (Some("failed"), Some(_)) if pressed <= 1 => tally.failed += 1,
        _ => panic!("no end that there is: {order:?}\n{story}"),
    }
    tally.interrupted += usize::from(order.interrupted());
}

/// Each order has one row in the journal, and that says the same.
async fn journal(desk: &Desk, orders: &[Order], story: &str) {
    let acted = desk.app.acted().await;
    let rows: Vec<&Value> = acted.iter().filter(|row| row["outcome"] != "held").collect();
    assert_eq!(rows.len(), orders.len(), "{rows:#?}\n{story}");
    for order in orders {
        let of: Vec<&&Value> = rows.iter().filter(|row| row["order_id"] == order.id.to_string()).collect();
        assert_eq!(of.len(), 1, "{order:?} {of:?}\n{story}");
        let row = of[0];
        assert_eq!(
            (row["outcome"].as_str(), row["reason"].as_str()),
            (order.outcome.as_deref(), order.reason.as_deref())
        );
        let keys: Vec<&str> = row["keys"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!(
            (keys, row["subject"].as_str()),
            (order.keys().iter().map(String::as_str).collect(), Some(&*order.command))
        );
    }
}

/// Whatever was decided has a receipt that says what became of it.
async fn ends(desk: &Desk, story: &str) {
    let mut conn = cluster::connect(&desk.app.database).await;
    let query = "select id from proposals where kind = 'dialog' and status in ('approved', 'modified', 'rejected')";
    let decided: Vec<(Uuid,)> = sqlx::query_as(query).fetch_all(&mut conn).await.unwrap();
    assert!(!decided.is_empty(), "{story}");
    for (id,) in decided {
        let review = desk.review(&id.to_string().into()).await;
        let executed = review["receipts"]["executed"].as_str().unwrap_or_default();
        assert!(matches!(executed, "sent" | "skipped" | "failed" | "void"), "{executed}: {review}\n{story}");
    }
}
