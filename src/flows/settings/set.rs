//! An admin at the machine changes settings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use crate::app::{App, AppState};
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::domain::settings::Settings;
use crate::error::json::in_plain_words;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::notices::{self, TOKEN, masked};
use crate::flows::record::act;
use crate::outbound::address::origin_of;
use crate::store::{self, events, instance};

/// The settings to change; `null` brings the shipped value back, what is left out stays.
#[derive(Debug, Default, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(transparent)]
pub struct SettingsPatch(pub serde_json::Map<String, serde_json::Value>);

/// How a secret is shown.
const SET: &str = "set";

/// The settings as an admin sees them.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Shown {
    /// What is shown.
    #[serde(flatten)]
    pub settings: Settings,
    /// `set`, or null; the secret itself is never shown.
    pub notify_token: Option<&'static str>,
}

/// The settings as they are.
pub async fn show(app: &App) -> Result<Shown> {
    let mut conn = app.db.acquire().await?;
    shown(&mut conn).await
}

async fn shown(conn: &mut PgConnection) -> Result<Shown> {
    let settings = instance::settings(conn).await?;
    let notify_token = store::notices::standing(conn).await?.has_token.then_some(SET);
    Ok(Shown { settings, notify_token })
}

/// Changes the settings; returns what holds now.
pub async fn set(app: &AppState, admin: &LocalAdmin, patch: SettingsPatch) -> Result<Shown> {
    let mut tx = app.db.begin().await?;
    instance::lock(&mut tx).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    let before = instance::settings(&mut tx).await?;
    let SettingsPatch(mut changes) = patch;
    let token = changes.remove(TOKEN).map(|value| notices::token(&value)).transpose()?;
    let after = apply(&before, &changes)?;
    let token = token.or_else(|| is_elsewhere(&before, &after).then_some(None));
    instance::set_settings(&mut tx, &after).await?;
    if after.notify_url.is_some() && before.notify_url.is_none() {
        store::notices::open(&mut tx).await?;
    }
    let mut told = masked(changes.into());
    if let Some(token) = token {
        store::notices::set_token(&mut tx, token.as_deref()).await?;
        told[TOKEN] = token.map(|_| SET).into();
    }
    let payload = json!({"changed": told, "before": masked(json!(before)), "after": masked(json!(after))});
    let row = act(EventKind::SettingsChanged, admin.actor(), payload, now);
    events::append(&mut tx, row).await?;
    let shown = shown(&mut tx).await?;
    tx.commit().await?;
    app.forget_settings();
    app.hub.poke();
    Ok(shown)
}

/// Whether notices that went somewhere go somewhere else now, or nowhere: a secret is not carried over to another receiver.
fn is_elsewhere(before: &Settings, after: &Settings) -> bool {
    let origin = |settings: &Settings| Some(origin_of(&url::Url::parse(settings.notify_url.as_deref()?).ok()?));
    before.notify_url.is_some() && origin(before) != origin(after)
}

fn apply(before: &Settings, changes: &Map<String, Value>) -> Result<Settings> {
    let broken = |error: serde_json::Error| Error::Internal(format!("settings: {error}"));
    let mut merged = serde_json::to_value(before).map_err(broken)?;
    let shipped = serde_json::to_value(Settings::default()).map_err(broken)?;
    for (name, value) in changes {
        let Some(default) = shipped.get(name) else { return Err(no_such(name)) };
        merged[name.as_str()] = if value.is_null() { default } else { value }.clone();
    }
    let after: Settings = serde_path_to_error::deserialize(merged)
        .map_err(|error| Error::invalid(error.path().to_string(), in_plain_words(&error.inner().to_string())))?;
    after.check().map_err(|(field, takes)| Error::invalid(field, format!("{field} {takes}.")))?;
    notices::check(&after)?;
    Ok(after)
}

fn no_such(name: &str) -> Error {
    if name == "high_actions" {
        let detail = "high_actions is part of the policy: countersign policy set supervision.high_actions=…";
        return Problem::new(Code::UnknownField, detail).field("high_actions").into();
    }
    Problem::new(Code::UnknownField, format!("There is no setting `{name}`.")).field(name.to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_strictly() {
        let before = Settings { agent_cap: 7, ..Settings::default() };
        let with = |name: &str, value| apply(&before, &[(name.to_owned(), value)].into_iter().collect());
        assert_eq!(with("retention_days", json!(3)).unwrap(), Settings { retention_days: 3, ..before.clone() });
        assert!(with("high_actions", json!([])).unwrap_err().to_string().contains("policy set"));
        assert_eq!(with("agent_cap", json!(null)).unwrap(), Settings::default());
        assert_eq!(with("agent_cup", json!(1)).unwrap_err().code(), Code::UnknownField);
        assert_eq!(with("agent_cap", json!("many")).unwrap_err().code(), Code::Invalid);
        assert_eq!(with("notify_url", json!("http://ntfy.sh/a")).unwrap_err().code(), Code::Invalid);
        assert_eq!(with("notify_format", json!("fax")).unwrap_err().code(), Code::Invalid);
        assert_eq!(with("agent_cap", json!(0)).unwrap_err().code(), Code::Invalid);
    }
}
