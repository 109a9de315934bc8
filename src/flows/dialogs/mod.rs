//! The verbs of a permission dialog: reported and judged, looked at, decided by a person, gone from the screen.

mod again;
pub mod close;
pub mod cross;
pub mod decided;
pub mod effects;
pub mod end;
pub mod judge;
pub mod look;
pub mod report;
pub mod shape;
pub mod write;
