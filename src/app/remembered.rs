//! A value of the database that is read often and changes rarely, remembered for a moment.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long a reading serves where nothing says that it has changed.
const LASTS: Duration = Duration::from_secs(5);

/// The last reading. Whoever changes the value clears it here; the tail clears it on every other replica.
#[derive(Debug)]
pub struct Remembered<T>(Mutex<State<T>>);

#[derive(Debug)]
struct State<T> {
    /// Rises with every clearing, so that a reading from before it cannot be kept after it.
    clearings: u64,
    value: Option<(Arc<T>, Instant)>,
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self(Mutex::new(State { clearings: 0, value: None }))
    }
}

impl<T> Remembered<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // The state is whole between statements, so a panic elsewhere while it was held left nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reading that still serves; else how many clearings there were, to give to [`Remembered::keep`].
    pub fn get(&self) -> Result<Arc<T>, u64> {
        let state = self.lock();
        match &state.value {
            Some((value, read)) if read.elapsed() < LASTS => Ok(value.clone()),
            _ => Err(state.clearings),
        }
    }

    /// Keeps a reading, unless the value was changed since `clearings` was read.
    pub fn keep(&self, clearings: u64, value: T) -> Arc<T> {
        let value = Arc::new(value);
        let mut state = self.lock();
        if state.clearings == clearings {
            state.value = Some((value.clone(), Instant::now()));
        }
        value
    }

    /// Forgets: the value has changed.
    pub fn clear(&self) {
        let mut state = self.lock();
        state.clearings += 1;
        state.value = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_before_a_change_is_not_kept_after_it() {
        let remembered = Remembered::default();
        let clearings = remembered.get().unwrap_err();
        remembered.keep(clearings, 1);
        assert_eq!(remembered.get().as_deref(), Ok(&1));
        remembered.clear();
        assert_eq!(*remembered.keep(clearings, 1), 1, "whoever read it may use it");
        let clearings = remembered.get().unwrap_err();
        remembered.keep(clearings, 2);
        assert_eq!(remembered.get().as_deref(), Ok(&2));
    }
}
