//! What a check-up finds: one line a thing, how bad it is, and what to do.

use serde::Serialize;

/// How bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// As it should be.
    Ok,
    /// Somebody should look at it.
    Warn,
    /// A promise does not hold.
    Fail,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Check {
    /// What.
    pub name: &'static str,
    /// How bad.
    pub level: Level,
    /// What was found.
    pub found: String,
    /// What to do, where something is to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Check {
    /// As it should be.
    pub fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, level: Level::Ok, found: found.into(), hint: None }
    }

    /// Something is to be done.
    pub fn bad(name: &'static str, level: Level, found: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { name, level, found: found.into(), hint: Some(hint.into()) }
    }
}

/// How bad an amount is, with the limits where a warning and where a failure begins.
pub fn above(amount: f64, (warn, fail): (f64, f64)) -> Level {
    if amount >= fail {
        Level::Fail
    } else if amount >= warn {
        Level::Warn
    } else {
        Level::Ok
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_belong_to_the_worse_side() {
        let limits = (2.0, 10.0);
        assert_eq!([0.0, 2.0, 9.9, 10.0].map(|n| above(n, limits)), [Level::Ok, Level::Warn, Level::Warn, Level::Fail]);
    }
}
