//! Mail to lanes and stalls of agents, through the doors that people, agents and pane clients use.

mod deliver;
mod full_body;
mod inbox;
mod orders;
mod send;
mod stage;
mod stalls;
mod stalls_told;
mod typed;
pub mod vectors;
