//! Pure rules: values in, values out; no I/O, no clock (time is an argument).

pub mod access;
pub mod answer;
pub mod ask;
pub mod class;
pub mod cursor;
pub mod dialog;
pub mod diff;
pub mod digest;
pub mod event;
pub mod facts;
pub mod health;
pub mod journal;
pub mod name;
pub mod password;
pub mod policy;
pub mod proposal;
pub mod risk;
pub mod rule;
pub mod ruling;
pub mod secret;
pub mod settings;
pub mod spreadsheet;
pub mod text;
pub mod throttle;
pub mod verdict;
