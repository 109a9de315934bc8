//! Name and password: counted, compared, and renewed where the hash has grown old.

use crate::app::AppState;
use crate::auth::password::{self, Match};
use crate::auth::throttle::Attempt;
use crate::domain::secret::Secret;
use crate::error::{Code, Error, Problem, Result};
use crate::store::people::{self, Account};

/// The account whose name and password these are. Unknown, removed and wrong look the same and take the same time.
pub async fn check(app: &AppState, name: &str, password: Secret, source: &str) -> Result<Account> {
    let attempt = Attempt::begin(app, name, source).await?;
    let account = {
        let mut conn = app.db.acquire().await?;
        people::account(&mut conn, name).await?
    };
    let account = account.filter(|account| account.disabled_at.is_none());
    let phc = account.as_ref().map(|account| account.password_phc.clone());
    let matched = password::verify(password.clone(), phc).await?;
    let Some(mut account) = account.filter(|_| matched != Match::Wrong) else {
        return Err(wrong());
    };
    if matched == Match::Outdated {
        let renewed = password::hash(password).await?;
        let mut conn = app.db.acquire().await?;
        if people::renew_hash(&mut conn, account.id, account.password_phc.reveal(), renewed.reveal()).await? {
            account.password_phc = renewed;
        }
    }
    attempt.succeeded(app).await?;
    Ok(account)
}

/// The one answer to a wrong name, a wrong password and a removed account.
pub fn wrong() -> Error {
    Problem::new(Code::WrongCredentials, "Name or password is wrong, or the account was removed.").into()
}
