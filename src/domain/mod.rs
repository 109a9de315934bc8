//! Pure rules: values in, values out; no I/O, no clock (time is an argument).

pub mod diff;
pub mod text;
