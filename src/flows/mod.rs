//! One verb a file: load, decide (domain), save, tell. REST, pages, MCP and ticks share them.

pub mod audit;
pub mod checkpoint;
pub mod proposals;
pub mod restore;
pub mod retain;
pub mod seal;
pub mod verify;
