//! Lists and exports have every row once, in bytes that other programs read.

use countersign::flows::audit::{self, Format, Reader};
use countersign::store::audit::AuditFilter;
use futures_util::TryStreamExt;

use super::{Site, number, peer, sql, write};

async fn exported(app: &countersign::app::AppState, filter: AuditFilter, format: Format) -> String {
    let stream = audit::export(app.clone(), Reader::Local(peer()), filter, format).unwrap();
    let bytes: Vec<u8> = stream.try_concat().await.unwrap();
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn an_export_has_every_row_once() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 2_345).await;
    sql(
        &app.db,
        "insert into events (kind, actor, payload, at) values
            ('access.refused', '=cmd()', '{\"a\":\n1.50}', now()), ('token.issued', 'admin:bob', null, now())",
    )
    .await;
    let rows = number(&app.db, "select count(*) from events").await;
    let lines = exported(&app, AuditFilter::default(), Format::JsonLines).await;
    assert_eq!(lines.lines().count(), usize::try_from(rows).unwrap());
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((first["kind"].as_str(), &first["payload"]), (Some("token.issued"), &serde_json::Value::Null));
    assert!(
        lines.lines().nth(1).unwrap().contains("\"payload\":{\"a\": 1.50}"),
        "not 1.5: the bytes are what is proven"
    );

    let text = exported(&app, AuditFilter::default(), Format::Csv).await;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), usize::try_from(rows).unwrap());
    assert_eq!(&records[1][3], "'=cmd()", "no spreadsheet runs it");
    let ids: Vec<i64> = records.iter().map(|record| record[0].parse().unwrap()).collect();
    assert!(ids.is_sorted_by(|newer, older| newer > older));
}

#[tokio::test]
async fn filters_narrow_and_pages_continue() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 5).await;
    sql(
        &app.db,
        "insert into projects (id, name, repo_path) values ('00000000-0000-7000-8000-000000000001', 'shop', '/srv/shop');
        insert into lanes (id, name, project_id, worktree)
            values ('00000000-0000-7000-8000-000000000002', 'api', '00000000-0000-7000-8000-000000000001', '/srv/shop/api');
        insert into events (project_id, lane_id, proposal_id, kind, actor, payload, at) values
            ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002',
                '00000000-0000-7000-8000-000000000003', 'proposal.created', 'agent:coder', '{}', '2026-01-01'),
            ('00000000-0000-7000-8000-000000000001', null, null, 'project.added', 'admin:ann', '{}', '2026-02-01')",
    )
    .await;
    let count = async |filter: AuditFilter| {
        audit::list(&app, Reader::Local(peer()), &filter, (None, 50)).await.unwrap().items.len()
    };
    let some = |text: &str| Some(text.to_owned());
    let day = |text: &str| Some(text.parse().unwrap());
    let none = AuditFilter::default;
    assert_eq!(count(none()).await, 7);
    assert_eq!(count(AuditFilter { lane: some("api"), ..none() }).await, 1);
    assert_eq!(count(AuditFilter { lane: some("web"), ..none() }).await, 0);
    assert_eq!(count(AuditFilter { kind: some("proposal"), ..none() }).await, 1);
    assert_eq!(count(AuditFilter { kind: some("pro"), ..none() }).await, 0);
    assert_eq!(count(AuditFilter { kind: some("profile.changed"), ..none() }).await, 5);
    assert_eq!(count(AuditFilter { actor: some("ann"), ..none() }).await, 6);
    assert_eq!(count(AuditFilter { actor: some("person:ann"), ..none() }).await, 5);
    assert_eq!(count(AuditFilter { until: day("2026-02-01T00:00:00Z"), ..none() }).await, 1);
    assert_eq!(
        count(AuditFilter { since: day("2026-02-01T00:00:00Z"), until: day("2026-02-02T00:00:00Z"), ..none() }).await,
        1
    );
    let proposal = "00000000-0000-7000-8000-000000000003".parse().ok();
    assert_eq!(count(AuditFilter { proposal, ..none() }).await, 1);

    let page = audit::list(&app, Reader::Local(peer()), &none(), (None, 4)).await.unwrap();
    assert_eq!(page.items.len(), 4);
    let rest = audit::list(&app, Reader::Local(peer()), &none(), (page.next, 4)).await.unwrap();
    assert_eq!((rest.items.len(), rest.next), (3, None));
    assert!(page.items[3].id > rest.items[0].id);
}
