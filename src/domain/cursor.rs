//! A position in the journal. An id alone skips rows that commit out of order; epoch, transaction and id do not.

/// A position in the journal: where a socket resumes and a block ends. Opaque to clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cursor {
    /// The installation's epoch.
    pub epoch: i32,
    /// The writing transaction.
    pub xid: u64,
    /// The row.
    pub id: i64,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.epoch, self.xid, self.id)
    }
}

impl std::str::FromStr for Cursor {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split('.');
        let mut next = || parts.next().ok_or(());
        let epoch = next()?.parse().map_err(drop)?;
        let xid = next()?.parse().map_err(drop)?;
        let id = next()?.parse().map_err(drop)?;
        if parts.next().is_some() { Err(()) } else { Ok(Self { epoch, xid, id }) }
    }
}
