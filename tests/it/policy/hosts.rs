//! Hosts of this machine's package managers, read from their own files, shown and confirmed.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::scratch;

async fn hosts(app: &TestApp) -> Value {
    app.policy().await["defaults"]["network_hosts"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_are_added_listed_and_removed_by_hand() {
    let app = TestApp::peopled().await;
    app.as_admin("policy network-hosts add https://docs.example 192.0.2.7").await.good();
    let listed = app.type_in("policy network-hosts list", "", &[]).await;
    assert_eq!(listed.good(), "localhost\n127.0.0.1\nhttps://github.com\nhttps://docs.example\n192.0.2.7\n");
    app.as_admin("policy network-hosts remove localhost 192.0.2.7").await.good();
    assert_eq!(hosts(&app).await, json!(["127.0.0.1", "https://github.com", "https://docs.example"]));
    for (line, says) in [
        ("policy network-hosts remove localhost", "is not listed"),
        ("policy network-hosts add https://docs.example", "listed twice"),
        ("policy network-hosts add docs.example:8443", "leave out user, port and path"),
    ] {
        let said = app.as_admin(line).await;
        assert!(said.code == 1 && said.err.contains(says), "{line}: {}", said.err);
    }
}

/// A home folder in which all three are configured.
fn lay_out(home: &Path) {
    let put = |path: &str, text: &str| {
        let path = home.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put(
        ".cargo/config.toml",
        "[source.mirror]\nregistry = \"sparse+https://crates.example/index/\"\n[registries]\nown = { index = \"http://own.example:8080/x\" }\n",
    );
    put(
        ".cargo/registry/index/idx.example-0123456789abcdef/config.json",
        r#"{"dl":"https://dl.example/crates","api":"https://api.example"}"#,
    );
    put(
        ".npmrc",
        "; mine\nregistry=https://npm.example/\n@shop:registry = https://shop.example/npm\n//npm.example/:_authToken=secret\n",
    );
    put(
        ".config/pip/pip.conf",
        "[global]\nindex-url = https://pypi.example/simple\nextra-index-url =\n    https://wheels.example/a\n",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_package_managers_own_files_say_what_they_use() {
    let app = TestApp::peopled().await;
    let home = scratch::folder("home");
    lay_out(&home);
    // What lies in a repository is an agent's to write, and not read.
    let here = scratch::folder("repo");
    std::fs::write(here.join(".npmrc"), "registry=https://evil.example\n").unwrap();
    let env = [
        ("HOME", home.as_os_str()),
        ("CARGO_HOME", OsStr::new("")),
        ("XDG_CONFIG_HOME", OsStr::new("")),
        ("PIP_EXTRA_INDEX_URL", OsStr::new("https://more.example/simple https://pypi.example/simple")),
        ("NPM_CONFIG_REGISTRY", OsStr::new("https://env.example")),
        ("PWD", here.as_os_str()),
    ];
    let dry = app.type_in("policy network-hosts --from-package-managers --dry-run", "", &env).await;
    dry.good();
    assert_eq!(hosts(&app).await, json!(["localhost", "127.0.0.1", "https://github.com"]));
    assert!(
        dry.err.contains("npm: https://npm.example (from ") && dry.err.contains("NPM_CONFIG_REGISTRY"),
        "{}",
        dry.err
    );
    assert!(!dry.err.contains("evil") && !dry.err.contains("secret"), "{}", dry.err);
    let said = app.as_admin_with("policy network-hosts --from-package-managers", &env).await;
    said.good();
    let now = hosts(&app).await;
    let now: Vec<&str> = now.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for host in [
        "https://crates.example",
        "own.example",
        "https://idx.example",
        "https://dl.example",
        "https://api.example",
        "https://npm.example",
        "https://shop.example",
        "https://env.example",
        "https://pypi.example",
        "https://wheels.example",
        "https://more.example",
        "https://github.com",
    ] {
        assert!(now.contains(&host), "{host} in {now:?}: {}", said.err);
    }
    let again = app.as_admin_with("policy network-hosts --from-package-managers", &env).await;
    assert!(again.code == 0 && again.err.contains("Nothing new."), "{}", again.err);
}
