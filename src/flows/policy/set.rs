//! An admin at the machine changes fields of the policy, for all lanes or for one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::View;
use super::change::{Basis, Change, no_lane, refused};
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::policy::patch::{Fields, apply};
use crate::error::{Error, Result};
use crate::store::places;

/// The body of `PATCH /api/v1/supervision`: `version` it was made on, `reason` for the history, `lane` whose part it is,
/// and the fields to change; `null` brings back what is inherited, what is left out stays.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Patch(pub Fields);

/// Changes the policy; the answer is what holds now.
pub async fn set(app: &AppState, admin: &LocalAdmin, patch: Patch) -> Result<View> {
    let mut fields = patch.0;
    let version = fields.remove("version").and_then(|version| version.as_i64());
    let version =
        version.ok_or_else(|| Error::invalid("version", "version takes the number of the version that was read."))?;
    let (lane, reason) = (text(&mut fields, "lane")?, text(&mut fields, "reason")?);
    let basis = Basis { version, reason: reason.as_deref() };
    let mut change = Change::begin(app, admin, basis).await?;
    if let Some(name) = &lane
        && places::lane(&mut change.tx, name).await?.is_none()
    {
        return Err(no_lane(name));
    }
    let after = apply(&change.head.document, lane.as_deref(), &fields).map_err(refused)?;
    change.finish(after, "set", lane.as_deref()).await
}

/// A member that is text, null or not there.
pub(super) fn text(fields: &mut Fields, name: &'static str) -> Result<Option<String>> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::invalid(name, format!("{name} takes text."))),
    }
}
