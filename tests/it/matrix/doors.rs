//! The doors: other hosts, other sites, and sockets that somebody else's page opens.

use reqwest::Method;
use reqwest::header::{COOKIE, HOST};
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::change;
use crate::support::socket::Socket;

#[tokio::test]
async fn another_host_finds_nobody_home() {
    let app = TestApp::peopled().await;
    let own = app.url.trim_start_matches("http://").to_owned();
    let port = own.rsplit(':').next().unwrap().to_owned();
    let hosts = ["evil.example".to_owned(), format!("evil.example:{port}"), "127.0.0.1".into(), "127.0.0.1:1".into()];
    for host in &hosts {
        for caller in [app.anonymous(), app.who("ben"), app.who("coder")] {
            for path in ["/api/v1/proposals", "/api/v1/reviews", "/api/v1/events", "/login", "/nowhere"] {
                let answer = caller.send(caller.request(Method::GET, path).header(HOST, host)).await;
                assert_eq!(answer.status, 421, "{host} {path}");
            }
            for path in ["/healthz", "/readyz"] {
                caller.send(caller.request(Method::GET, path).header(HOST, host)).await.assert_status(200);
            }
        }
    }
    // A bearer may call the listener by this machine's other names; a browser may not.
    let local = format!("localhost:{port}");
    let called = async |name: &str, path: &str| {
        let caller = app.who(name);
        caller.send(caller.request(Method::GET, path).header(HOST, &local)).await.status
    };
    assert_eq!(called("coder", "/api/v1/proposals").await, 200);
    assert_eq!(called("ben", "/api/v1/reviews").await, 421);
}

#[tokio::test]
async fn another_site_changes_nothing_with_somebodys_cookie() {
    let app = TestApp::peopled().await;
    let own = app.url.as_str();
    let table: &[(&[(&str, &str)], bool)] = &[
        (&[("sec-fetch-site", "same-origin")], true),
        (&[("sec-fetch-site", "same-origin"), ("origin", own)], true),
        (&[("origin", own)], true),
        (&[], false),
        (&[("sec-fetch-site", "same-site")], false),
        (&[("sec-fetch-site", "cross-site")], false),
        (&[("sec-fetch-site", "none")], false),
        (&[("sec-fetch-site", "cross-site"), ("origin", own)], false),
        (&[("origin", "https://evil.example")], false),
        (&[("origin", "null")], false),
        (&[("origin", "http://127.0.0.1")], false),
        (&[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")], false),
        (&[("origin", own), ("origin", "https://evil.example")], false),
    ];
    let nobody = app.anonymous();
    for (headers, passes) in table {
        for path in ["/api/v1/session/reauth", "/api/v1/account/password"] {
            let mut request = nobody.request(Method::POST, path).header(COOKIE, app.who("ben").cookie().unwrap());
            for (name, value) in *headers {
                request = request.header(*name, *value);
            }
            let answer = nobody.send(request.json(&json!({}))).await;
            let expected = if *passes { (422, "invalid") } else { (403, "cross_site") };
            assert_eq!((answer.status, answer.code()), expected, "{headers:?}");
        }
    }
    // Reading is not changing: the browser keeps the answer from the other site.
    let ben = app.who("ben");
    let read = ben.request(Method::GET, "/api/v1/reviews").header("origin", "https://evil.example");
    ben.send(read).await.assert_status(200);
}

#[tokio::test]
async fn a_socket_opens_for_its_own_page_and_for_agents_only() {
    let app = TestApp::peopled().await;
    let (ben, coder) = (app.who("ben"), app.who("coder"));
    let cookie = ben.cookie().unwrap();
    let open = async |headers: &[(&'static str, &str)]| {
        Socket::open(&app.url, "/api/v1/events", headers).await.map_or_else(|status| status, |_| 101)
    };
    assert_eq!(open(&[("cookie", cookie), ("origin", &app.url)]).await, 101);
    assert_eq!(open(&[("cookie", cookie)]).await, 403);
    let other_scheme = app.url.replace("http:", "https:");
    let longer = format!("{}.evil.example", app.url);
    for origin in ["https://evil.example", "null", "", &other_scheme, &longer, "http://127.0.0.1:1"] {
        assert_eq!(open(&[("cookie", cookie), ("origin", origin)]).await, 403, "{origin}");
    }
    assert_eq!(open(&[("origin", &app.url)]).await, 401);
    assert_eq!(open(&[("cookie", "session=stolen"), ("origin", &app.url)]).await, 401);
    let bearer = coder.bearer().unwrap();
    assert_eq!(open(&[("authorization", &bearer)]).await, 101);
    assert_eq!(open(&[("authorization", &bearer), ("origin", "https://evil.example")]).await, 403);
    assert_eq!(open(&[("authorization", "Bearer csa_nonsense")]).await, 401);
}

#[tokio::test]
async fn frames_go_to_those_who_may_read_them() {
    let app = TestApp::peopled().await;
    let mut lin = app.phone_of(&app.who("lin")).await;
    let bearer = app.who("painter").bearer().unwrap();
    let mut painter = Socket::open(&app.url, "/api/v1/events", &[("authorization", &bearer)]).await.unwrap();
    let mut vic = app.phone_of(&app.who("vic")).await;
    let api = app.who("coder").propose(&change("In api")).await;
    let web = app.who("painter").propose(&change("In web")).await;
    assert_eq!(vic.next_of("proposal.created").await["proposal_id"], api["id"]);
    for socket in [&mut lin, &mut painter, &mut vic] {
        let heard = socket.next_of("proposal.created").await;
        assert_eq!((&heard["proposal_id"], &heard["lane"]), (&web["id"], &json!("web")));
    }
}
