//! A pane that stays while what runs in it does not.

use rustix::process::Signal;
use serde_json::json;

use super::desk::{Desk, Watch, ask, repository};
use crate::support::cluster;
use crate::support::server::signal;

/// Nothing proves that this stays inside.
const OUTSIDE: &str = "curl https://example.org/x";

async fn count(desk: &Desk, sql: &'static str) -> i64 {
    let mut conn = cluster::connect(&desk.app.database).await;
    sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut conn).await.unwrap()
}

#[tokio::test]
async fn an_agent_that_starts_again_in_another_lane_belongs_to_that_lane() {
    let mut desk = Desk::unwatched(&ask(OUTSIDE)).await;
    let (first, second) = (repository(), repository());
    for (name, folder) in [("first", &first), ("second", &second)] {
        let folder = folder.to_str().unwrap();
        desk.app.machine().post("/api/v1/projects", &json!({ "name": name, "repo": folder })).await.assert_status(201);
        let lane = json!({ "name": name, "project": name, "worktree": folder });
        desk.app.machine().post("/api/v1/lanes", &lane).await.assert_status(201);
    }
    let secret = desk.app.pane_secret("both", &["first", "second"]).await;
    std::fs::write(desk.pane.folder.join("token"), secret).unwrap();
    let folder = desk.pane.folder.display().to_string();
    let agent = format!("{folder}/claude demo agent --script {folder}/script.jsonl");
    let line = format!("cd {}; {agent}; cd {}; {agent}", first.display(), second.display());
    desk.pane.tmux(["new-window", "-d", "sh", "-c", &line]);
    desk.watch = Watch::start(&desk.pane, &desk.app.url);
    let lane =
        "select count(*) from panes p join lanes l on l.id = p.lane_id where p.key = 'agents.1' and l.name = 'first'";
    desk.until("the first lane", async || (count(&desk, lane).await == 1).then_some(())).await;
    let shell = desk.pane.tmux(["display-message", "-p", "-t", "%1", "#{pane_pid}"]);
    let children = format!("/proc/{0}/task/{0}/children", shell.trim());
    let agent: u32 = std::fs::read_to_string(children).unwrap().trim().parse().unwrap();
    signal(agent, Signal::KILL);
    let lane =
        "select count(*) from panes p join lanes l on l.id = p.lane_id where p.key = 'agents.1' and l.name = 'second'";
    desk.until("the second lane", async || (count(&desk, lane).await == 1).then_some(())).await;
}
