//! The short-lived token of a pane client: a JWT, EdDSA, fifteen minutes, with everything about it pinned.

use chrono::{DateTime, TimeDelta, Utc};
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::PaneSecret;
use crate::app::App;
use crate::error::{Error, Result};

/// How long a token counts.
const LIFE: TimeDelta = TimeDelta::minutes(15);
/// How far two clocks may differ, in seconds.
const LEEWAY: u64 = 5;
/// What only this kind of token says in its header.
const TYP: &str = "countersign-pane+jwt";
/// Whom the token is for.
const AUDIENCE: &str = "countersign/pane";

/// What a token says. Every member is required.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Claims {
    /// The service's address.
    iss: String,
    /// [`AUDIENCE`].
    aud: String,
    /// The pane client.
    pub(super) sub: Uuid,
    /// The client's epoch when the token was made.
    pub(super) token_epoch: i32,
    /// The token's own id.
    jti: Uuid,
    iat: i64,
    exp: i64,
}

/// Makes a token; the answer is its text and when it ends.
pub(super) fn mint(app: &App, secret: &PaneSecret) -> Result<(String, DateTime<Utc>)> {
    let now = app.clock.now();
    let ends = now + LIFE;
    let claims = Claims {
        iss: app.public_url.origin(),
        aud: AUDIENCE.to_owned(),
        sub: secret.id,
        token_epoch: secret.token_epoch,
        jti: app.ids.new_id(now),
        iat: now.timestamp(),
        exp: ends.timestamp(),
    };
    let mut header = Header::new(Algorithm::EdDSA);
    header.typ = Some(TYP.to_owned());
    header.kid = Some(app.notary.pane_kid());
    let failed = |error: String| Error::Internal(format!("a pane token could not be signed: {error}"));
    let key = app.notary.pane_key().to_pkcs8_der().map_err(|error| failed(error.to_string()))?;
    let text = encode(&header, &claims, &EncodingKey::from_ed_der(key.as_bytes()));
    Ok((text.map_err(|error| failed(error.to_string()))?, ends))
}

/// The name of the key that a token claims to be signed with, if it could be one of ours at all.
pub(super) fn kid(text: &str) -> Option<String> {
    let header = decode_header(text).ok()?;
    let ours = header.alg == Algorithm::EdDSA && header.typ.as_deref() == Some(TYP);
    // It is looked up in the database, so it has to look like one of ours first.
    header.kid.filter(|kid| ours && kid.len() <= 64 && kid.bytes().all(|c| c.is_ascii_graphic()))
}

/// What a token says, if the key has signed it, for this service, and it has not ended.
pub(super) fn verify(app: &App, text: &str, public_key: &[u8]) -> Option<Claims> {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.leeway = LEEWAY;
    validation.set_audience(&[AUDIENCE]);
    validation.set_issuer(&[app.public_url.origin()]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    // A list of audiences or issuers, or a missing jti, is none of ours either: the claims are of fixed types.
    let claims = decode::<Claims>(text, &DecodingKey::from_ed_der(public_key), &validation).ok()?.claims;
    // The library asks the machine's clock; this service's may have been moved.
    let leeway = i64::try_from(LEEWAY).unwrap_or(0);
    (app.clock.now().timestamp() <= claims.exp + leeway).then_some(claims)
}
