//! What breaks under the real program: its process, its Postgres, its disk; what it has acknowledged holds all the same.

mod disk;
mod drain;
mod frozen;
mod gone;
mod kills;
mod load;
mod promises;
mod read_only;
mod refusals;
mod stage;
