//! Rendezvous over MCP: a lead and its members as real clients, their panes played, the clock moved.

mod caps;
mod doors;
mod fallback;
mod flows;
mod gate;
mod hostile;
mod model;
mod nudges;
mod orders;
mod races;
mod servers;
mod stage;
mod stale;
mod waiters;
