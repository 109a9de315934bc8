//! What `countersign serve` is told: flags, the environment (read here and nowhere else), and the public address.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use axum::http::Uri;
use ipnet::IpNet;

/// The local socket's name, in DIR/run.
pub const LOCAL_SOCKET: &str = "countersign.sock";

/// What a socket address holds at most, with room to spare; longer paths are reached through a descriptor.
pub const SOCKET_PATH_MAX: usize = 100;

/// The flags of `countersign serve`; their comments are its help text.
#[derive(Clone, Debug, clap::Args)]
pub struct ServeArgs {
    /// Where the database, keys and the local socket live [default: $COUNTERSIGN_DATA, then the platform's data folder].
    #[arg(long, value_name = "DIR", env = "COUNTERSIGN_DATA")]
    pub data_dir: Option<PathBuf>,
    /// The address to listen on.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7440")]
    pub listen: SocketAddr,
    /// The address people type, e.g. `https://review.example.org` [default: the listen address].
    #[arg(long, value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    /// A Postgres (15 or newer) to use instead of the private one.
    #[arg(long, value_name = "URL", env = "DATABASE_URL", hide_env_values = true, conflicts_with = "pg_bin")]
    pub database_url: Option<String>,
    /// The folder with initdb and postgres for the private cluster [default: the newest installed].
    #[arg(long, value_name = "DIR")]
    pub pg_bin: Option<PathBuf>,
    /// The certificate chain for https, PEM.
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with_all = ["trusted_proxy", "lan", "insecure_http"])]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// A proxy in front that speaks https to people; its X-Forwarded-For is believed. May be given more than once.
    #[arg(long, value_name = "CIDR", conflicts_with_all = ["lan", "insecure_http"])]
    pub trusted_proxy: Vec<IpNet>,
    /// Makes a certificate, listens on the local network, and prints the address as a QR code.
    #[arg(long, conflicts_with = "insecure_http")]
    pub lan: bool,
    /// Listens beyond this machine without TLS: anyone on the network can read and alter what people see.
    #[arg(long)]
    pub insecure_http: bool,
    /// Says on every page that nothing here is real.
    #[arg(long, hide = true)]
    pub demo: bool,
    /// How to write the log.
    #[arg(long, value_enum, default_value_t = LogFormat::Human, env = "COUNTERSIGN_LOG_FORMAT")]
    pub log_format: LogFormat,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For a terminal.
    Human,
    /// One JSON object a line.
    Json,
}

/// The one address people use: scheme and authority, nothing behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    https: bool,
    authority: String,
}

impl PublicUrl {
    /// The plain-http address of a listener.
    pub fn of_listener(listen: SocketAddr) -> Self {
        Self { https: false, authority: listen.to_string() }
    }

    /// An https address of a host and port.
    pub fn https(authority: impl Into<String>) -> Self {
        Self { https: true, authority: authority.into() }
    }

    /// Whether people reach it by https, which decides about `Secure` cookies and HSTS.
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// What the `Host` header must be.
    pub fn host(&self) -> &str {
        &self.authority
    }

    /// Where to connect: its host and its port, also where the scheme's own goes without saying.
    pub fn address(&self) -> String {
        match self.authority.rsplit_once(':') {
            Some((_, port)) if port.bytes().all(|c| c.is_ascii_digit()) => self.authority.clone(),
            _ => format!("{}{}", self.authority, self.default_port()),
        }
    }

    fn default_port(&self) -> &'static str {
        if self.https { ":443" } else { ":80" }
    }

    /// Whether a `Host` header names this server, with or without the scheme's own port.
    pub fn is_host(&self, host: &str) -> bool {
        let bare = |text: &str| text.strip_suffix(self.default_port()).unwrap_or(text).to_ascii_lowercase();
        bare(host) == bare(&self.authority)
    }

    /// What the `Origin` header must be, and the base of every address handed out: no trailing slash.
    pub fn origin(&self) -> String {
        let authority = self.authority.strip_suffix(self.default_port()).unwrap_or(&self.authority);
        format!("{}://{}", if self.https { "https" } else { "http" }, authority.to_ascii_lowercase())
    }
}

impl std::str::FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let uri: Uri = text.parse().map_err(|_| format!("`{text}` is no address"))?;
        let https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err("it starts with https:// or http://".into()),
        };
        let authority = uri.authority().ok_or("it names a host")?;
        if authority.as_str().contains('@') || !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err("it is scheme and host (and port) alone, without user, path or query".into());
        }
        Ok(Self { https, authority: authority.to_string() })
    }
}

impl std::fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.origin())
    }
}

impl ServeArgs {
    /// Refuses to listen wide open, and flags that do not make sense together (design, section 2).
    pub fn check_exposure(&self) -> Result<(), String> {
        if self.public_url.is_none() && !self.trusted_proxy.is_empty() {
            return Err("behind a proxy, give --public-url: the address people type".into());
        }
        let protected = self.tls_cert.is_some() || !self.trusted_proxy.is_empty() || self.lan || self.insecure_http;
        if protected || is_loopback(self.listen.ip()) {
            return Ok(());
        }
        Err(format!(
            "{} is reachable from other machines, and nothing would encrypt what people see and type.\n\
             Give --tls-cert and --tls-key, or --trusted-proxy CIDR for a proxy that does https, or --lan for a home network;\n\
             --insecure-http starts anyway and says so on every page.",
            self.listen
        ))
    }
}

fn is_loopback(ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback()
}

/// The platform's data folder for a service of this name.
#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
pub fn default_data_dir() -> PathBuf {
    if rustix::process::geteuid().is_root() {
        return PathBuf::from("/var/lib/countersign");
    }
    let home = || std::env::var_os("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let base = std::env::var_os("XDG_DATA_HOME").map_or_else(|| home().join(".local/share"), PathBuf::from);
    base.join("countersign")
}

/// The platform's folder for what a program of this user has to remember, and nobody backs up.
#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
pub fn default_state_dir() -> PathBuf {
    let home = || std::env::var_os("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let base = std::env::var_os("XDG_STATE_HOME").map_or_else(|| home().join(".local/state"), PathBuf::from);
    base.join("countersign")
}

/// The zone that this machine's clock shows, for pages that are read at it; UTC where nothing says.
pub fn machine_zone() -> chrono_tz::Tz {
    let link = std::fs::read_link("/etc/localtime").unwrap_or_default();
    let name = link.to_str().and_then(|path| path.split_once("zoneinfo/"));
    name.and_then(|(_, name)| name.parse().ok()).unwrap_or(chrono_tz::Tz::UTC)
}

/// The file with an admin's password for scripts (`COUNTERSIGN_PASSWORD_FILE`).
#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
pub fn password_file() -> Option<PathBuf> {
    std::env::var_os("COUNTERSIGN_PASSWORD_FILE").map(PathBuf::from)
}

/// The editor that somebody likes: `VISUAL`, `EDITOR`, or the one that is everywhere.
#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
pub fn editor() -> String {
    let named = |name| std::env::var(name).ok().filter(|editor: &String| !editor.trim().is_empty());
    named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| "vi".to_owned())
}

/// What cargo, npm and pip read of the environment.
pub fn package_environment() -> BTreeMap<String, String> {
    let theirs = |name: &str| {
        let upper = name.to_uppercase();
        ["CARGO_", "NPM_CONFIG_", "PIP_"].iter().any(|start| upper.starts_with(start))
            || matches!(name, "HOME" | "XDG_CONFIG_HOME")
    };
    let text =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    text.filter(|(name, value)| theirs(name) && !value.is_empty()).collect()
}

/// The character set's locale: the first that is set of `LC_ALL`, `LC_CTYPE` and `LANG`.
#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
pub fn locale() -> String {
    let set = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default()
}

/// The log filter (`COUNTERSIGN_LOG`, e.g. `debug` or `countersign=debug,sqlx=warn`).
#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
pub fn log_filter() -> Option<String> {
    std::env::var("COUNTERSIGN_LOG").ok()
}

#[cfg(test)]
mod tests {
    use super::PublicUrl;

    #[test]
    fn a_public_url_is_scheme_and_host() {
        let url: PublicUrl = "https://Review.example.org:443/".parse().unwrap();
        assert_eq!(url.origin(), "https://review.example.org");
        for host in ["review.example.org", "review.example.org:443", "REVIEW.example.org"] {
            assert!(url.is_host(host), "{host}");
        }
        for host in ["example.org", "review.example.org:80", "review.example.org.evil.test", ""] {
            assert!(!url.is_host(host), "{host}");
        }
        for bad in ["review.example.org", "ftp://a", "https://a/b", "https://u@a", "https://a/?q"] {
            assert!(bad.parse::<PublicUrl>().is_err(), "{bad}");
        }
    }
}
