//! Typing into a pane in real tmux: the one key that was decided, or none; every test counts the bytes that arrived.

mod answers;
mod changed;
mod guarded;
mod interleavings;
mod kinds;
mod looking;
mod screens;
mod stage;
mod texts;
mod unanswered;
mod waking;
