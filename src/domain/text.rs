//! Hostile text made visible.
