//! A cell: one thing measured once a repetition, and what its readings come to.

/// The readings of one thing, one a repetition, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell(Vec<f64>);

impl Cell {
    pub(crate) fn push(&mut self, reading: f64) {
        self.0.push(reading);
    }

    /// The middle reading.
    pub(crate) fn median(&self) -> f64 {
        percentile(&self.0, 0.5)
    }

    /// How far the readings lie apart, as a share of the middle one. The best and the worst are left out when there
    /// are enough others: one hiccup of the machine is not its weather.
    pub(crate) fn spread(&self) -> f64 {
        let sorted = self.sorted();
        let within = if sorted.len() >= 5 { &sorted[1..sorted.len() - 1] } else { &sorted[..] };
        match (within.first(), within.last()) {
            (Some(low), Some(high)) if self.median() > 0.0 => (high - low) / self.median(),
            _ => 0.0,
        }
    }

    /// The lowest and the highest reading.
    pub(crate) fn range(&self) -> (f64, f64) {
        let sorted = self.sorted();
        (sorted.first().copied().unwrap_or(0.0), sorted.last().copied().unwrap_or(0.0))
    }

    /// This by that, repetition by repetition: neighbours in time share the disk's mood.
    pub(crate) fn over(&self, that: &Self) -> Self {
        Self(self.0.iter().zip(&that.0).map(|(this, that)| this / that).collect())
    }

    fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }
}

impl FromIterator<f64> for Cell {
    fn from_iter<I: IntoIterator<Item = f64>>(readings: I) -> Self {
        Self(readings.into_iter().collect())
    }
}

/// The reading below which `share` of them lie.
pub(crate) fn percentile(readings: &[f64], share: f64) -> f64 {
    let mut sorted = readings.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() {
        return 0.0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index"
    )]
    let at = ((sorted.len() - 1) as f64 * share).round() as usize;
    sorted[at]
}
