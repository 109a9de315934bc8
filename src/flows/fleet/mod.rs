//! Rendezvous: a lead sends to its members and hears from them; what is typed into a pane waits for its moment.
//!
//! Everything that moves a ticket holds its pane's row. That lock comes after an order's; whoever holds a pane waits for no
//! order. What a transaction has moved is told after it is committed (`tell`).

mod ack;
mod answer;
mod ask;
mod close;
mod look;
mod news;
mod nudge;
mod order;
mod reply;
mod report;
mod seat;
mod send;
mod settle;
mod shape;
mod tell;
mod tick;
mod void;

pub use ack::ack;
pub use answer::answer;
pub use ask::ask;
pub use look::{Member, Profile, Whoami, list, profiles, whoami};
pub use news::poll;
pub use reply::reply;
pub use send::{Message, send};
pub use shape::{Answer, Word};
pub use tick::tick;

pub(in crate::flows) use order::{after, at_lease, late};
pub(in crate::flows) use report::on_report;
pub(in crate::flows) use void::void;
