//! The local admin page in a real browser, through the bridge that `countersign admin` is.

mod bridge;
mod lanes;
mod people;
mod places;
mod plain;
mod policy;
mod quality;
mod rules;
mod scene;
