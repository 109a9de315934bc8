//! An admin at the machine changes settings.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::domain::settings::Settings;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::record::act;
use crate::store::{self, events, instance};

/// The settings to change; `null` brings the shipped value back, what is left out stays.
#[derive(Debug, Default, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(transparent)]
pub struct SettingsPatch(pub serde_json::Map<String, serde_json::Value>);

/// Changes the settings; returns what holds now.
pub async fn set(app: &AppState, admin: &LocalAdmin, patch: SettingsPatch) -> Result<Settings> {
    let mut tx = app.db.begin().await?;
    instance::lock(&mut tx).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    let before = instance::settings(&mut tx).await?;
    let after = apply(&before, &patch)?;
    instance::set_settings(&mut tx, &after).await?;
    let payload = json!({"changed": patch, "before": before, "after": after});
    let row = act(EventKind::SettingsChanged, admin.actor(), payload, now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.forget_settings();
    app.hub.poke();
    Ok(after)
}

fn apply(before: &Settings, patch: &SettingsPatch) -> Result<Settings> {
    let broken = |error: serde_json::Error| Error::Internal(format!("settings: {error}"));
    let mut merged = serde_json::to_value(before).map_err(broken)?;
    let shipped = serde_json::to_value(Settings::default()).map_err(broken)?;
    for (name, value) in &patch.0 {
        let Some(default) = shipped.get(name) else { return Err(no_such(name)) };
        merged[name.as_str()] = if value.is_null() { default } else { value }.clone();
    }
    let after: Settings = serde_path_to_error::deserialize(merged)
        .map_err(|error| Error::invalid(error.path().to_string(), error.inner().to_string()))?;
    after.check().map_err(|(field, takes)| Error::invalid(field, format!("{field} {takes}.")))?;
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
        let with = |name: &str, value| apply(&before, &SettingsPatch([(name.to_owned(), value)].into_iter().collect()));
        assert_eq!(with("retention_days", json!(3)).unwrap(), Settings { retention_days: 3, ..before.clone() });
        assert!(with("high_actions", json!([])).unwrap_err().to_string().contains("policy set"));
        assert_eq!(with("agent_cap", json!(null)).unwrap(), Settings::default());
        assert_eq!(with("agent_cup", json!(1)).unwrap_err().code(), Code::UnknownField);
        assert_eq!(with("agent_cap", json!("many")).unwrap_err().code(), Code::Invalid);
        assert_eq!(with("agent_cap", json!(0)).unwrap_err().code(), Code::Invalid);
    }
}
