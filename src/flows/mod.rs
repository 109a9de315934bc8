//! One verb a file: load, decide (domain), save, tell. REST, pages, MCP and ticks share them.

pub mod proposals;
