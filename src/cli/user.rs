//! `countersign user`: who signs in, and what they may.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::{Failure, Outcome};
use super::reach::Reach;
use super::socket::Call;
use super::table::{rows, segment, table, text, time};

/// The noun.
#[derive(Debug, Args)]
pub struct UserArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Adds a person. The very first one is an admin and needs no other admin's password.
    Add(Add),
    /// Lists people and what they may.
    List,
    /// Shows one person with grants and sessions.
    Show {
        /// The person's name.
        name: String,
    },
    /// Removes a person: no sign-in, no sessions, no grants. The name stays taken.
    Remove {
        /// The person's name.
        name: String,
    },
    /// Gives a person a new password and ends their sessions.
    Password {
        /// The person's name.
        name: String,
        /// Reads the new password from a line of standard input, after the admin's.
        #[arg(long)]
        new_password_stdin: bool,
    },
    /// Gives a person another role somewhere.
    Grant {
        /// The person's name.
        name: String,
        #[command(flatten)]
        grant: Powers,
    },
    /// Takes a grant back.
    Revoke {
        /// The person's name.
        name: String,
        /// The grant: the start of its id, or its role [default: the only one].
        grant: Option<String>,
    },
    /// Lists or ends somebody's sessions.
    #[command(subcommand)]
    Sessions(Sessions),
}

#[derive(Debug, Args)]
struct Add {
    /// The name to sign in with: a-z, 0-9, '.', '_', '-'.
    name: String,
    #[command(flatten)]
    grant: Powers,
    /// Reads the new person's password from a line of standard input, after the admin's.
    #[arg(long)]
    new_password_stdin: bool,
}

#[derive(Debug, Args)]
struct Powers {
    /// viewer reads; auditor also sees the journal; approver decides; admin does all of these.
    #[arg(long, value_parser = ["viewer", "auditor", "approver", "admin"])]
    role: String,
    /// Where: global, project:P or lane:L.
    #[arg(long, default_value = "global")]
    scope: String,
    /// Only these, e.g. change,question,command_exec [default: all].
    #[arg(long, value_delimiter = ',')]
    classes: Option<Vec<String>>,
    /// Decides nothing riskier than this [default: everything].
    #[arg(long, value_parser = ["low", "medium", "high"])]
    max_risk: Option<String>,
    /// Ends after so many days [default: never].
    #[arg(long, value_name = "DAYS")]
    expires: Option<u32>,
}

#[derive(Debug, Subcommand)]
enum Sessions {
    /// Lists a person's sessions.
    List {
        /// The person's name.
        name: String,
    },
    /// Ends a session at once; its pages sign out within a second.
    Revoke {
        /// The session's id.
        id: String,
    },
}

impl Powers {
    fn spec(&self) -> Value {
        json!({
            "role": self.role,
            "scope": self.scope,
            "classes": self.classes,
            "max_risk": self.max_risk,
            "expires_days": self.expires,
        })
    }
}

/// Runs it.
pub async fn run(args: UserArgs) -> Outcome {
    let UserArgs { mut reach, what } = args;
    match what {
        What::Add(new) => add(&mut reach, new).await,
        What::List => list(&reach).await,
        What::Show { name } => show(&reach, &name).await,
        What::Remove { name } => {
            let done = reach.change(Call::delete(&format!("/api/v1/users/{}", segment(&name)))).await?;
            reach.say(&done, |_| format!("Removed {name}. The name cannot be used again."));
            Ok(())
        }
        What::Password { name, new_password_stdin } => password(&mut reach, &name, new_password_stdin).await,
        What::Grant { name, grant } => {
            let call = Call::post(&format!("/api/v1/users/{}/grants", segment(&name)), &grant.spec())?;
            let made = reach.change(call).await?;
            reach.say(&made, |_| format!("{name} is now {} of {}.", grant.role, grant.scope));
            Ok(())
        }
        What::Revoke { name, grant } => revoke(&mut reach, &name, grant.as_deref()).await,
        What::Sessions(Sessions::List { name }) => sessions(&reach, &name).await,
        What::Sessions(Sessions::Revoke { id }) => {
            let done = reach.change(Call::delete(&format!("/api/v1/sessions/{}", segment(&id)))).await?;
            reach.say(&done, |_| "Ended.".into());
            Ok(())
        }
    }
}

async fn add(reach: &mut Reach, new: Add) -> Outcome {
    let nobody = reach.get("/api/v1/users").await?["items"].as_array().is_none_or(Vec::is_empty);
    if nobody && (new.grant.role != "admin" || new.grant.scope != "global") {
        return Err(Failure::usage(format!(
            "{} would be the first person, and that one is an admin: user add {} --role admin",
            new.name, new.name
        )));
    }
    let made = if nobody {
        let password = reach.new_password(&new.name, new.new_password_stdin)?;
        reach.socket().ask(call(&new, &password)?).await?
    } else {
        add_as_admin(reach, &new).await?
    };
    reach.say(&made, |_| format!("Added {}, {} of {}.", new.name, new.grant.role, new.grant.scope));
    Ok(())
}

/// The admin's password comes first, as `--password-stdin` reads it.
async fn add_as_admin(reach: &mut Reach, new: &Add) -> Outcome<Value> {
    let admin = reach.admin()?;
    let password = reach.new_password(&new.name, new.new_password_stdin)?;
    reach.socket().ask(call(new, &password)?.signed(&admin.0, &admin.1)).await
}

fn call(new: &Add, password: &str) -> Outcome<Call> {
    let body = json!({"name": new.name, "password": password, "grant": new.grant.spec()});
    Call::post("/api/v1/users", &body)
}

async fn password(reach: &mut Reach, name: &str, from_stdin: bool) -> Outcome {
    let admin = reach.admin()?;
    let password = reach.new_password(name, from_stdin)?;
    let path = format!("/api/v1/users/{}/password", segment(name));
    let call = Call::post(&path, &json!({"password": password}))?;
    let done = reach.socket().ask(call.signed(&admin.0, &admin.1)).await?;
    reach.say(&done, |_| format!("{name} has a new password and was signed out everywhere."));
    Ok(())
}

fn grants(user: &Value) -> String {
    let all = user["grants"].as_array().map(Vec::as_slice).unwrap_or_default();
    let words = all.iter().map(|grant| format!("{} {}", text(&grant["role"]), text(&grant["scope"])));
    let joined = words.collect::<Vec<_>>().join(", ");
    if joined.is_empty() { "-".into() } else { joined }
}

async fn list(reach: &Reach) -> Outcome {
    let answer = reach.get("/api/v1/users").await?;
    reach.say(&answer, |answer| {
        let row = |user: &Value| {
            let state = if user["disabled_at"].is_null() { grants(user) } else { "removed".into() };
            vec![text(&user["name"]), state, time(&user["seen_at"])]
        };
        table(&["NAME", "MAY", "LAST SEEN"], &rows(answer, row), "Nobody yet: countersign user add NAME --role admin")
    });
    Ok(())
}

async fn show(reach: &Reach, name: &str) -> Outcome {
    let answer = reach.get(&format!("/api/v1/users/{}", segment(name))).await?;
    reach.say(&answer, |user| {
        let row = |grant: &Value| {
            let id = text(&grant["id"]);
            let limits = format!("{} / {}", text(&grant["classes"]), text(&grant["max_risk"]));
            vec![
                id,
                text(&grant["role"]),
                text(&grant["scope"]),
                limits,
                time(&grant["expires_at"]),
                text(&grant["granted_by"]),
            ]
        };
        let items = json!({"items": user["grants"]});
        let heads = ["GRANT", "ROLE", "SCOPE", "CLASSES / MAX RISK", "ENDS", "GIVEN BY"];
        let state = if user["disabled_at"].is_null() {
            String::new()
        } else {
            format!(", removed {}", time(&user["disabled_at"]))
        };
        format!(
            "{name}: added {}, last seen {}{state}\n{}",
            time(&user["created_at"]),
            time(&user["seen_at"]),
            table(&heads, &rows(&items, row), "Holds no grant.")
        )
    });
    Ok(())
}

async fn revoke(reach: &mut Reach, name: &str, which: Option<&str>) -> Outcome {
    let user = reach.get(&format!("/api/v1/users/{}", segment(name))).await?;
    let all = user["grants"].as_array().cloned().unwrap_or_default();
    let fits =
        |grant: &&Value| which.is_none_or(|word| text(&grant["id"]).starts_with(word) || text(&grant["role"]) == word);
    let fitting: Vec<&Value> = all.iter().filter(fits).collect();
    let [grant] = fitting.as_slice() else {
        return Err(Failure::usage(format!(
            "{} grants of {name} fit; name one by the start of its id: countersign user show {name}",
            fitting.len()
        )));
    };
    let done = reach.change(Call::delete(&format!("/api/v1/grants/{}", text(&grant["id"])))).await?;
    reach.say(&done, |_| format!("{name} is no longer {} of {}.", text(&grant["role"]), text(&grant["scope"])));
    Ok(())
}

async fn sessions(reach: &Reach, name: &str) -> Outcome {
    let answer = reach.get(&format!("/api/v1/users/{}/sessions", segment(name))).await?;
    reach.say(&answer, |answer| {
        let row = |session: &Value| {
            let device: String = text(&session["device"]).chars().take(40).collect();
            vec![
                text(&session["id"]),
                device,
                text(&session["source"]),
                time(&session["created_at"]),
                time(&session["seen_at"]),
            ]
        };
        table(&["SESSION", "DEVICE", "FROM", "SIGNED IN", "LAST SEEN"], &rows(answer, row), "No open session.")
    });
    Ok(())
}
