//! What `countersign pane` needs on its machine, leg by leg: tmux, the token, and each step of the way to the server.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::terminal;
use crate::cli::pane::token::{NoToken, Token};
use crate::clock::Clock;
use crate::config::{PublicUrl, locale};
use crate::domain::health::{Check, Level};
use crate::domain::secret::Secret;
use crate::pane::discover::Lane;
use crate::pane::remote::{Remote, RemoteError};
use crate::pane::server::{Server, Trouble};

/// One step of the way takes no longer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Times in the journal are the server's; more than this and the pane's own times mislead.
const SKEW: TimeDelta = TimeDelta::seconds(30);

/// The flags of the pane client's side.
#[derive(Debug, Args)]
pub(super) struct PaneArgs {
    /// Looks at what a pane client needs here to watch panes for this server.
    #[arg(long, value_name = "URL", requires = "token_file")]
    server: Option<PublicUrl>,
    /// The file with the pane client's token.
    #[arg(long, value_name = "FILE", requires = "server")]
    token_file: Option<PathBuf>,
    /// The tmux server's socket, as in `tmux -L NAME` [default: tmux' own].
    #[arg(long, value_name = "NAME", requires = "server")]
    tmux_socket: Option<String>,
    /// The certificates to trust for https, PEM [default: the system's].
    #[arg(long, value_name = "FILE", requires = "server")]
    ca: Option<PathBuf>,
}

/// The side of the panes, once it was asked for.
pub(super) struct Panes {
    server: PublicUrl,
    token_file: PathBuf,
    tmux_socket: Option<String>,
    ca: Option<PathBuf>,
}

impl PaneArgs {
    /// What to look at; nothing when the server on this machine is meant.
    pub(super) fn given(self) -> Option<Panes> {
        let (server, token_file) = self.server.zip(self.token_file)?;
        Some(Panes { server, token_file, tmux_socket: self.tmux_socket, ca: self.ca })
    }
}

impl Panes {
    /// Every leg; one that rests on a broken one is left out.
    pub(super) async fn look(&self) -> Vec<Check> {
        let mut found = terminal::tmux(self.tmux_socket.clone()).await;
        found.push(terminal::letters(&locale()));
        let token = token(&self.token_file);
        let secret = token.as_ref().ok().map(|(secret, _)| secret.clone());
        found.push(token.map_or_else(|bad| bad, |(_, check)| check));
        if let Err(broken) = self.way(&mut found).await {
            found.push(broken);
            return found;
        }
        match Remote::new(self.server.clone(), self.ca.clone()) {
            Ok(remote) => found.extend(self.answers(remote, secret).await),
            Err(error) => found.push(certificates(&error)),
        }
        found
    }

    /// Name and network, up to a connection that takes bytes.
    async fn way(&self, found: &mut Vec<Check>) -> Result<(), Check> {
        let authority = self.server.host();
        let looked =
            timeout(PATIENCE, lookup_host(self.server.address())).await.map(|all| all.map(Iterator::collect::<Vec<_>>));
        let addresses: Vec<SocketAddr> = match looked {
            Ok(Ok(all)) if !all.is_empty() => all,
            Ok(Err(error)) => return Err(nameless(authority, &error.to_string())),
            Ok(Ok(_)) => return Err(nameless(authority, "it has no address")),
            Err(_) => return Err(nameless(authority, "the name service does not answer")),
        };
        let shown = addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        found.push(Check::ok("name", format!("{authority} is {shown}")));
        let silent = |why: String| {
            let hint = "is the server running, does --server name its port, and does a firewall let it through?";
            Err(Check::bad("network", Level::Fail, format!("nothing answers at {shown}: {why}"), hint))
        };
        match timeout(PATIENCE, TcpStream::connect(addresses.as_slice())).await {
            Ok(Ok(_)) => found.push(Check::ok("network", format!("{shown} takes connections"))),
            Ok(Err(error)) => return silent(error.to_string()),
            Err(_) => return silent("no reply within 5 s".to_owned()),
        }
        Ok(())
    }

    /// Encryption, the service itself, its clock, and what it says to the token.
    async fn answers(&self, remote: Remote, secret: Option<Secret>) -> Vec<Check> {
        let mut found = Vec::new();
        if self.server.is_https() {
            match timeout(PATIENCE, remote.connect()).await {
                Ok(Ok(_)) => found.push(Check::ok("encryption", "the certificate is trusted")),
                Ok(Err(error)) => return vec![certificates(&error)],
                Err(_) => return vec![certificates(&RemoteError::Usage("it does not finish the handshake".into()))],
            }
        }
        match health(&remote).await {
            Ok(date) => {
                found.push(Check::ok("server", format!("{} answers", self.server)));
                found.extend(date.map(|date| skew(date, Clock::default().now())));
            }
            Err(broken) => {
                found.push(broken);
                return found;
            }
        }
        if let Some(secret) = secret {
            found.extend(accepted(Server::new(remote, secret).sign_in().await));
        }
        found
    }
}

/// The token out of its file; a file that others can read is as good as no secret.
fn token(file: &Path) -> Result<(Secret, Check), Check> {
    let shown = file.display();
    let bad = |found: String, hint: String| Check::bad("token file", Level::Fail, found, hint);
    let token = Token::read(file).map_err(|why| match why {
        NoToken::Unreadable(error) if error.kind() == ErrorKind::NotFound => bad(
            format!("{shown}: {error}"),
            "write the token that `countersign pane-client add` printed into it".into(),
        ),
        NoToken::Unreadable(error) => bad(format!("{shown}: {error}"), "let this user read it, and nobody else".into()),
        NoToken::Other => bad(
            format!("{shown} holds no pane client's token"),
            "it holds one line, the csp_… token of a pane client; an agent's (csa_…) does not do".into(),
        ),
    })?;
    let mode = token.mode;
    if token.is_open() {
        let hint = format!("chmod 600 {shown}; if others may have read it: countersign pane-client rotate NAME");
        return Err(bad(format!("{shown} has mode {mode:o}: others can read it"), hint));
    }
    Ok((token.secret, Check::ok("token file", format!("{shown} has mode {mode:o}"))))
}

fn nameless(name: &str, why: &str) -> Check {
    let hint = "is --server spelled right, and does this machine have a name service that knows it?";
    Check::bad("name", Level::Fail, format!("{name} cannot be resolved: {why}"), hint)
}

fn certificates(error: &RemoteError) -> Check {
    let hint = "give the certificate that signed the server's with --ca (for `serve --lan` it is in DIR/keys), and see that --server names what it was made for; a server without a certificate is http://";
    Check::bad("encryption", Level::Fail, error.to_string(), hint)
}

/// Whether it is one of ours and alive; the answer is the time it says.
async fn health(remote: &Remote) -> Result<Option<DateTime<Utc>>, Check> {
    let broken = |found: String, hint: &str| Check::bad("server", Level::Fail, found, hint);
    let request = Request::get("/healthz").header(header::HOST, remote.url().host()).body(Body::empty());
    let request = request.map_err(|error| broken(error.to_string(), "see how --server is written"))?;
    let hung = "if it speaks https, write https:// in --server; else see its log";
    let answer = timeout(PATIENCE, remote.send(request)).await;
    let answer = answer.map_err(|_| broken("no answer within 5 s".to_owned(), hung))?;
    let answer = answer.map_err(|error| broken(error.to_string(), hung))?;
    if !answer.status().is_success() {
        let found = format!("{} answers {} to a health check", remote.url(), answer.status());
        return Err(broken(found, "something else may listen there: compare with the `ready` line of the server"));
    }
    let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
    Ok(date.and_then(|date| DateTime::parse_from_rfc2822(date).ok()).map(|date| date.to_utc()))
}

fn skew(server: DateTime<Utc>, here: DateTime<Utc>) -> Check {
    let apart = (here - server).abs();
    let found = format!("this machine's is {} s away from the server's", apart.num_seconds());
    if apart <= SKEW {
        return Check::ok("clock", found);
    }
    Check::bad("clock", Level::Warn, found, "have both set by a time service, e.g. systemd-timesyncd")
}

/// What the token opens.
fn accepted(answer: Result<Vec<Lane>, Trouble>) -> Vec<Check> {
    let lanes = match answer {
        Ok(lanes) => lanes,
        Err(trouble) => {
            let hint = if trouble.is_token() {
                "it was revoked, rotated or is another server's: countersign pane-client rotate NAME, on the server"
            } else {
                "see the server's log"
            };
            return vec![Check::bad("token", Level::Fail, trouble.to_string(), hint)];
        }
    };
    let names = lanes.iter().map(|lane| lane.name.as_str()).collect::<Vec<_>>().join(", ");
    let mut found = vec![Check::ok("token", format!("the server takes it, for {names}"))];
    for lane in lanes.iter().filter(|lane| !lane.worktree.is_dir()) {
        let missing = format!("{} of lane {} is not on this machine", lane.worktree.display(), lane.name);
        let hint = "watch it where its agents run; here nothing of it could be proven, and all of it would hold";
        found.push(Check::bad("worktree", Level::Warn, missing, hint));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_may_differ_a_little() {
        let at = DateTime::UNIX_EPOCH;
        assert_eq!(skew(at, at - TimeDelta::seconds(30)).level, Level::Ok);
        let late = skew(at, at + TimeDelta::seconds(31));
        assert!(late.level == Level::Warn && late.found.contains("31 s"), "{late:?}");
    }
}
