//! Real coding agents in real tmux, with a model that follows a script: what they draw is read right, and what the keys do.

mod agent;
mod keys;
mod terminal;
