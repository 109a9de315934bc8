//! The rows there are, and how thoroughly they are measured.

mod classify;
mod create;
mod decide;
mod fleet;
mod growth;
mod keys;
mod mail;
mod mcp;
mod panes;
mod read;
mod sockets;
mod telling;
mod waiters;

use std::pin::Pin;

use crate::Res;
use crate::stage::Stage;
use crate::table::Table;

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// How often each cell is measured.
    pub(crate) reps: usize,
    /// How long a cell takes.
    pub(crate) seconds: f64,
    /// Fewer sockets, waiters and rows: to see whether it works.
    pub(crate) quick: bool,
}

impl Setting {
    /// Reads the arguments; what is left are the names of rows.
    pub(crate) fn read(args: &[String]) -> Res<(Self, Vec<String>)> {
        let quick = args.iter().any(|arg| arg == "--quick");
        let mut setting =
            if quick { Self { reps: 2, seconds: 1.0, quick } } else { Self { reps: 5, seconds: 2.0, quick } };
        let mut names = Vec::new();
        let mut rest = args.iter().filter(|arg| *arg != "--quick");
        while let Some(arg) = rest.next() {
            if arg == "--reps" {
                setting.reps = rest.next().ok_or("--reps N")?.parse()?;
            } else {
                names.push(arg.clone());
            }
        }
        Ok((setting, names))
    }
}

/// A row at work.
type Running<'a> = Pin<Box<dyn Future<Output = Res<()>> + 'a>>;

/// A row, or a few that are measured together.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Runs when no row is named.
    pub(crate) usual: bool,
    pub(crate) run: for<'a> fn(&'a Stage, &'a Setting, &'a mut Table) -> Running<'a>,
}

/// Every row, in the order in which they are printed.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "create",
        about: "creates over HTTP against pgbench writing the same rows",
        usual: true,
        run: |stage, setting, table| Box::pin(create::run(stage, setting, table)),
    },
    Row {
        name: "telling",
        about: "creates with tail, bell and sockets against creates without",
        usual: true,
        run: |stage, setting, table| Box::pin(telling::run(stage, setting, table)),
    },
    Row {
        name: "read",
        about: "status from the database and from memory",
        usual: true,
        run: |stage, setting, table| Box::pin(read::run(stage, setting, table)),
    },
    Row {
        name: "mcp",
        about: "a look over MCP against the same over REST",
        usual: true,
        run: |stage, setting, table| Box::pin(mcp::run(stage, setting, table)),
    },
    Row {
        name: "decide",
        about: "from an approver's decision to the waiting agent's answer",
        usual: true,
        run: |stage, setting, table| Box::pin(decide::run(stage, setting, table)),
    },
    Row {
        name: "classify",
        about: "judging dialogs against reading the same lines",
        usual: true,
        run: |_, setting, table| Box::pin(async move { classify::run(setting, table) }),
    },
    Row {
        name: "sockets",
        about: "memory of an idle WebSocket",
        usual: true,
        run: |stage, setting, table| Box::pin(sockets::run(stage, setting, table)),
    },
    Row {
        name: "waiters",
        about: "what ten thousand sleeping long polls cost",
        usual: true,
        run: |stage, setting, table| Box::pin(waiters::run(stage, setting, table)),
    },
    Row {
        name: "fleet",
        about: "what two thousand leads that wait for their members cost",
        usual: true,
        run: |stage, setting, table| Box::pin(fleet::run(stage, setting, table)),
    },
    Row {
        name: "keys",
        about: "from a dialog on the screen, or a person's decision, to the pressed key",
        usual: true,
        run: |stage, setting, table| Box::pin(keys::run(stage, setting, table)),
    },
    Row {
        name: "mail",
        about: "from a queued mail to the line in a resting agent's pane",
        usual: true,
        run: |stage, setting, table| Box::pin(mail::run(stage, setting, table)),
    },
    Row {
        name: "panes",
        about: "what watching idle panes costs",
        usual: true,
        run: |stage, setting, table| Box::pin(panes::run(stage, setting, table)),
    },
    Row {
        name: "growth",
        about: "two million closed proposals against none (takes minutes; only when named)",
        usual: false,
        run: |stage, setting, table| Box::pin(growth::run(stage, setting, table)),
    },
];
