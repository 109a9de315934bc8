//! The pane client: what it reads beside the repository, and what it makes of the programs in its panes.

mod facts;
mod facts_git;
mod facts_links;
mod facts_process;
mod facts_world;
mod send;
