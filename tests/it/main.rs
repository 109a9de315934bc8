//! One test binary against the real thing: Postgres, sockets, a browser; libtest's threads share one cluster.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![expect(unreachable_pub, reason = "one binary: `pub` marks what the tests share")]

mod admin;
mod app_driver;
mod browser_driver;
mod cluster_driver;
mod command_line;
mod demo;
mod dialogs;
mod faults;
mod fleet;
mod gallery;
mod house_rules;
mod journal;
mod life_of_a_proposal;
mod mail;
mod manual;
mod matrix;
mod mcp;
mod model;
mod needs;
mod pages;
mod pane_check_up;
mod pane_client;
mod panes;
mod people;
mod pg;
mod policy;
mod problems;
mod proposals;
mod races;
mod real_agents;
mod replicas;
mod screens;
mod shell_words;
mod simulated_agent;
mod socket_driver;
mod support;
mod tls;
mod vectors;
