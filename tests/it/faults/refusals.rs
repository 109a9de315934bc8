//! Servers that must not start: a second one on the same data, and one that is older than the data.

use sqlx::Executor;

use super::stage::Stage;
use crate::support::server::{Server, countersign};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_data_folder_has_one_server() {
    let stage = Stage::new().await;
    let first = stage.serve();
    let refusal = Server::refused(&stage.folder, &[]);
    assert_eq!(refusal.code, Some(1));
    assert!(refusal.said.contains(&format!("is in use by process {}", first.pid())), "{}", refusal.said);
    // One with a database elsewhere would still share the socket and the keys.
    let refusal = Server::refused(&stage.folder, &["--database-url", &first.database_url()]);
    assert!(refusal.said.contains("is in use by process"), "{}", refusal.said);
    first.anonymous().get("/readyz").await.assert_status(200);
    first.local().get("/readyz").await.assert_status(200);
    assert!(first.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_program_leaves_newer_data_alone() {
    const STEP: &str = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
        values (29990101000000, 'from a newer version', true, '', 0)";
    let stage = Stage::new().await;
    let server = stage.serve();
    server.database().await.execute(STEP).await.unwrap();
    assert!(server.stop().success());

    let refusal = Server::refused(&stage.folder, &[]);
    assert_eq!(refusal.code, Some(1));
    for part in ["newer Countersign", "29990101000000"] {
        assert!(refusal.said.contains(part), "{part} in {}", refusal.said);
    }
    assert!(!stage.folder.join("pg/postmaster.pid").exists(), "Postgres was stopped again");

    let back = "delete from _sqlx_migrations where version = 29990101000000";
    let mut psql = countersign(&["pg", "exec", "--data-dir"]);
    psql.arg(&stage.folder).args(["--", "psql", "-Xqc", back]);
    assert!(psql.status().unwrap().success());
    let server = stage.serve();
    stage.agent(0, &server.url).get("/api/v1/proposals").await.assert_status(200);
    assert!(server.stop().success());
}
