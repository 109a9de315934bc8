//! Real coding agents in real tmux, with a model that follows a script: what they draw is read right, and what was
//! decided is what happens.

mod agent;
mod connection;
mod corners;
mod keys;
mod mcp;
mod place;
mod stage;
mod story;
mod terminal;
