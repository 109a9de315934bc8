//! Who gets in, what they may, and how that ends: the set-up, sign-in, sessions, tokens, grants and the local socket.

mod changes;
mod delays;
mod edges;
mod sessions;
mod setup;
mod stage;
mod tokens;
