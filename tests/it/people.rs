//! Who gets in, what they may, and how that ends: the set-up, sign-in, sessions, tokens, grants and the local socket.

mod changes;
mod check_up;
mod delays;
mod edges;
mod routers;
mod sessions;
mod setup;
mod sockets;
pub mod stage;
mod tokens;
