//! Passwords: argon2id off the async threads, at most two at a time, with work done for unknown names too.

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordVerifier, Version};
use tokio::sync::Semaphore;

use crate::domain::name::Name;
use crate::domain::password::weakness;
use crate::domain::secret::Secret;
use crate::error::{Code, Error, Problem, Result};

/// 64 MiB, three passes, one lane: about 0.3 s of one core.
const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
const LANES: u32 = 1;

/// Each hash takes 64 MiB and a core: more at once would let strangers starve the service.
static TURNS: Semaphore = Semaphore::const_new(2);

/// A hash of nobody's password, so that an unknown name takes as long as a wrong password.
const NOBODY: &str =
    "$argon2id$v=19$m=65536,t=3,p=1$Y291bnRlcnNpZ24tbm9ib2R5$uX0pS9zZ0v4cN0l0mA7e0hT9rQ2bYw3kJ5dL8fG1iHs";

/// How a password compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// It is another one.
    Wrong,
    /// It is right.
    Right,
    /// It is right, and its hash was made with parameters that are no longer ours.
    Outdated,
}

fn hasher() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)
        .map_err(|error| Error::Internal(format!("argon2 parameters: {error}")))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Refuses a password that guessers would find, and hashes it.
pub async fn hash_new(password: Secret, user: &Name) -> Result<Secret> {
    if let Some(why) = weakness(password.reveal(), user) {
        return Err(Problem::new(Code::WeakPassword, why).field("password").into());
    }
    hash(password).await
}

/// Hashes a password that was good enough before.
pub async fn hash(password: Secret) -> Result<Secret> {
    apart(move || {
        hasher()?
            .hash_password(password.reveal().as_bytes())
            .map(|phc: PasswordHash| Secret::from(phc.to_string()))
            .map_err(|error| Error::Internal(format!("hashing: {error}")))
    })
    .await
}

/// Compares a password with a stored hash, or with nobody's.
pub async fn verify(password: Secret, phc: Option<Secret>) -> Result<Match> {
    apart(move || {
        let known = phc.is_some();
        let phc = phc.as_ref().map_or(NOBODY, Secret::reveal);
        let stored =
            PasswordHash::new(phc).map_err(|error| Error::Internal(format!("a stored password hash: {error}")))?;
        let hasher = hasher()?;
        let right = hasher.verify_password(password.reveal().as_bytes(), &stored).is_ok();
        let current = Params::try_from(&stored).is_ok_and(|params| params == *hasher.params());
        Ok(match (known && right, current) {
            (false, _) => Match::Wrong,
            (true, true) => Match::Right,
            (true, false) => Match::Outdated,
        })
    })
    .await
}

async fn apart<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let turn = TURNS.acquire().await.map_err(|_| Error::Internal("hashing is closed".into()))?;
    // The turn moves along: a caller that hangs up does not make room for a third hash.
    tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    })
    .await
    .map_err(|error| Error::Internal(format!("hashing: {error}")))?
}
