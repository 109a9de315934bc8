//! The bridge itself: who gets in, by which name, from which page, and how long.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use countersign::cli::admin::Bridge;
use countersign::cli::socket::Socket;
use reqwest::Method;
use reqwest::header::{COOKIE, HOST};

use super::scene::{Scene, follow};
use crate::people::stage::Stage;
use crate::support::browser::Screen;
use crate::support::client::{Answer, Client};
use crate::support::server::countersign;

/// Sends a form the way a browser does on one of the bridge's own pages.
async fn enter(client: &Client, token: &str) -> Answer {
    let request = client.request(Method::POST, "/enter").header("sec-fetch-site", "same-origin");
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    client.send(request.body(format!("token={token}"))).await
}

fn token(printed: &str) -> &str {
    printed.rsplit_once('#').unwrap().1
}

#[tokio::test]
async fn the_printed_address_opens_once() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    page.wait_for_text("on this machine").await;
    assert_eq!(page.eval("location.href.includes('#')").await, false, "the token is not left in the address");
    page.assert_clean();
    // In another browser the same address says why it does not open.
    let other = crate::support::browser::Profile::new().await;
    let late = other.page(Screen::Desktop).await;
    follow(&late, &scene.printed).await;
    late.wait_for_text("it was used already").await;
    late.assert_only_refusals(403);
    let stranger = scene.stranger();
    assert_eq!(enter(&stranger, token(&scene.printed)).await.status, 403);
    // Who came in comes in again without it.
    scene.open("/").await;
    page.wait_for("location.pathname.startsWith('/admin/')").await;
}

#[tokio::test]
async fn a_process_without_the_cookie_gets_a_refusal_and_nothing_else() {
    let scene = Scene::inside(Screen::Desktop).await;
    let stranger = scene.stranger();
    let text = "Only the browser that opened the address which countersign admin printed gets in.";
    for path in ["/admin", "/admin/people", "/admin/nowhere", "/api/v1/users", "/metrics", "/nowhere"] {
        for method in [Method::GET, Method::POST, Method::PATCH, Method::DELETE] {
            let answer = stranger.send(stranger.request(method.clone(), path)).await;
            assert_eq!((answer.status, answer.text.as_str()), (403, text), "{method} {path}");
        }
    }
    for cookie in ["admin=1", "session=x", "admin-1=x"] {
        let request = stranger.request(Method::GET, "/admin/people").header(COOKIE, cookie);
        assert_eq!(stranger.send(request).await.status, 403);
    }
    // The door shows nothing but itself.
    let door = stranger.get("/").await;
    assert!(door.status == 200 && !door.text.contains("ada"), "{}", door.text);
    assert!(door.header("content-security-policy").contains("default-src 'none'"));
}

#[tokio::test]
async fn only_its_own_name_and_its_own_pages_count() {
    let stage = Stage::new().await;
    let printed = super::scene::open_bridge(&stage).await;
    let base = printed.split("/#").next().unwrap().to_owned();
    let port = base.rsplit(':').next().unwrap().to_owned();
    let client = Client::tcp(&base);
    let opened = enter(&client, token(&printed)).await;
    assert_eq!((opened.status, opened.header("location")), (303, "/admin"));
    let set = opened.header("set-cookie").to_owned();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    let cookie = set.split(';').next().unwrap().to_owned();
    let send = async |method: Method, path: &str, headers: &[(&str, &str)]| {
        let mut request = client.request(method, path).header(COOKIE, &cookie);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        client.send(request.header("content-type", "application/x-www-form-urlencoded")).await.status
    };
    assert_eq!(send(Method::GET, "/admin/people", &[]).await, 200);
    for host in ["evil.example", "127.0.0.1", &format!("evil.example:{port}"), "127.0.0.1:1", &format!("[::1]:{port}")]
    {
        let request = client.request(Method::GET, "/admin/people").header(COOKIE, &cookie).header(HOST, host);
        assert_eq!(client.send(request).await.status, 421, "{host}");
    }
    let named =
        client.request(Method::GET, "/admin/people").header(COOKIE, &cookie).header(HOST, format!("localhost:{port}"));
    assert_eq!(client.send(named).await.status, 200);
    let other = format!("http://127.0.0.1:{}", port.parse::<u16>().unwrap() ^ 1);
    let refused: &[&[(&str, &str)]] = &[
        &[],
        &[("origin", &other)],
        &[("origin", "null")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site"), ("origin", &base)],
        &[("sec-fetch-site", "none")],
    ];
    for headers in refused {
        assert_eq!(send(Method::POST, "/admin/projects/add", headers).await, 403, "{headers:?}");
        assert_eq!(send(Method::POST, "/enter", headers).await, 403, "{headers:?}");
    }
    // From its own page it goes through, to the refusal of a form that nobody signed.
    assert_eq!(send(Method::POST, "/admin/projects/add", &[("origin", &base)]).await, 401);
    assert_eq!(send(Method::GET, "/admin/people", &[("sec-fetch-site", "same-site")]).await, 403);
    // Nothing else of the socket is reached, whoever asks.
    assert_eq!(send(Method::GET, "/api/v1/users", &[]).await, 404);
    assert_eq!(send(Method::DELETE, "/admin/people", &[("sec-fetch-site", "same-origin")]).await, 405);
    // The browser's headers stay on this side: the socket would have refused them.
    assert_eq!(send(Method::GET, "/admin/people", &[("via", "1.1 x"), ("x-forwarded-for", "192.0.2.1")]).await, 200);
}

#[tokio::test]
async fn guesses_are_limited() {
    let stage = Stage::new().await;
    let printed = super::scene::open_bridge(&stage).await;
    let client = Client::tcp(printed.split("/#").next().unwrap());
    for _ in 0..5 {
        assert_eq!(enter(&client, "guess").await.status, 403);
    }
    assert_eq!(enter(&client, token(&printed)).await.status, 429, "even the right one waits");
}

#[tokio::test]
async fn an_unused_page_closes() {
    let stage = Stage::new().await;
    let bridge = Bridge::bind(Socket::in_dir(stage.app.folder.clone())).await.unwrap();
    tokio::time::timeout(Duration::from_secs(30), bridge.serve(Duration::from_millis(50))).await.unwrap().unwrap();
}

#[tokio::test]
async fn the_command_prints_the_address_and_ends_with_ctrl_c() {
    let stage = Stage::new().await;
    let mut command = countersign(&["admin", "--data-dir"]);
    let mut child = command.arg(&stage.app.folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    let (line, child) = tokio::task::spawn_blocking(move || {
        stdout.read_line(&mut line).unwrap();
        (line, child)
    })
    .await
    .unwrap();
    let mut child = child;
    let printed = line.trim().to_owned();
    assert!(printed.starts_with("http://127.0.0.1:") && token(&printed).len() == 43, "{printed}");
    let client = Client::tcp(printed.split("/#").next().unwrap());
    assert_eq!(enter(&client, token(&printed)).await.status, 303);
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let status = tokio::task::spawn_blocking(move || child.wait().unwrap()).await.unwrap();
    assert!(status.success());
}

#[test]
fn without_a_server_it_says_so() {
    let folder = crate::support::scratch::folder("nobody");
    let output = countersign(&["admin", "--data-dir"]).arg(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no server is running on"), "{said}");
}
