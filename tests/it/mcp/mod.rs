//! The agents' side: what an MCP client can ask for, in both eras, and what it never gets.

mod backpressure;
mod calls;
mod clients;
mod doors;
mod eras;
mod lost;
mod misread;
mod quiet;
mod redelivery;
mod resources;
mod table;
mod tasks;
mod waiting;
