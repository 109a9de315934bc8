//! Hosts that a request may name and still be scoped: whole hosts, spelled in the one way they are compared.

use url::{Host, Url};

use super::takes::{Bad, Fault};

/// For https alone.
const HTTPS: &str = "https://";

/// Checks each entry: a host, or `https://` and a host.
pub fn check(hosts: &[String]) -> Result<(), Bad> {
    for (n, entry) in hosts.iter().enumerate() {
        let twice = hosts[..n].contains(entry);
        let why = if twice { Some(format!("{entry} is listed twice")) } else { fault(entry) };
        if let Some(why) = why {
            let field = format!("network_hosts[{n}]");
            return Err(Bad { detail: format!("{field}: {why}."), field, fault: Fault::Value });
        }
    }
    Ok(())
}

/// Why an entry cannot be used.
fn fault(entry: &str) -> Option<String> {
    let host = entry.strip_prefix(HTTPS).unwrap_or(entry);
    if host.contains("://") {
        let host = host.split("://").nth(1).unwrap_or_default();
        return Some(format!("write the bare host {host} for any scheme, or {HTTPS}{host} for https alone"));
    }
    if host.contains('*') {
        return Some(format!("`{entry}` has a wildcard, and only whole hosts are compared: name each host"));
    }
    let bracketed = host.starts_with('[');
    if host.contains(['/', '@', '?', '#', ' ']) || (!bracketed && host.contains(':')) {
        return Some(format!("`{entry}` is more than a host: leave out user, port and path"));
    }
    let Ok(read) = Host::parse(host) else { return Some(format!("`{entry}` is no host")) };
    let spelled = read.to_string();
    if spelled.trim_end_matches('.') != host || spelled.ends_with('.') {
        let spelled = spelled.trim_end_matches('.');
        return Some(format!("`{entry}` is another spelling of {spelled}: write that"));
    }
    None
}

/// The entry for an address that some configuration names: `https://host` for https, the bare host for any other scheme.
pub fn of_address(address: &str) -> Option<String> {
    // Cargo writes what an index is made of before its address.
    let address = address.trim().trim_matches(['"', '\'']);
    let address = ["sparse+", "git+"].iter().find_map(|kind| address.strip_prefix(kind)).unwrap_or(address);
    let url = Url::parse(address).ok()?;
    let host = url.host_str()?.trim_end_matches('.');
    let entry = if url.scheme() == "https" { format!("{HTTPS}{host}") } else { host.to_owned() };
    fault(&entry).is_none().then_some(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_hosts_in_their_own_spelling_pass() {
        for good in ["localhost", "127.0.0.1", "[::1]", "https://github.com", "a-b.example", "xn--bcher-kva.example"] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in [
            "",
            "https://",
            "http://a.example",
            "*.a.example",
            "a.example:443",
            "a.example/x",
            "u@a.example",
            "A.example",
            "a.example.",
            "0x7f.1",
            "127.1",
            "bücher.example",
            "a b",
            "https://a.example/",
            "[::1",
            "ftp://a.example",
            "a.example?x",
            "https://https://a.example",
        ] {
            assert!(fault(bad).is_some(), "{bad}");
        }
        assert!(fault("127.1").unwrap().contains("127.0.0.1"));
        let twice = check(&["a.example".into(), "a.example".into()]).unwrap_err();
        assert_eq!((twice.field.as_str(), twice.fault), ("network_hosts[1]", Fault::Value));
    }

    #[test]
    fn an_address_gives_its_host() {
        for (address, entry) in [
            ("https://Registry.Example/simple/", Some("https://registry.example")),
            ("sparse+https://index.example/", Some("https://index.example")),
            ("http://user:pass@mirror.example:8080/x", Some("mirror.example")),
            ("/srv/wheels", None),
            ("file:///srv/wheels", None),
            ("", None),
        ] {
            assert_eq!(of_address(address).as_deref(), entry, "{address}");
        }
    }
}
