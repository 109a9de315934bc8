//! Which lanes a reader may see: an agent its own alone, a person those of their grants, the machine all.

use sqlx::PgConnection;

use crate::auth::Person;
use crate::auth::reader::Reader;
use crate::domain::access::{self, Scope, Verb};
use crate::error::{Error, Result};
use crate::store::audit::AuditScope;
use crate::store::places::{self, LaneRow};

/// The one lane that somebody asks about, if it is theirs to see; an agent always asks about its own.
pub async fn one_lane(conn: &mut PgConnection, reader: &Reader, lane: Option<&str>) -> Result<Option<String>> {
    let Some(lane) = lane else {
        return match reader {
            Reader::Agent(agent) => Ok(Some(agent.lane().name.clone())),
            Reader::Local(_) => Ok(None),
            Reader::Person(person) => reads_somewhere(person).map(|()| None),
        };
    };
    if let Reader::Agent(agent) = reader {
        return if agent.lane().name == lane { Ok(Some(lane.to_owned())) } else { Err(Error::not_found()) };
    }
    let found = places::lanes(conn, Some(lane)).await?.into_iter().find(|row| sees(reader, row));
    found.map(|row| Some(row.name)).ok_or_else(Error::not_found)
}

/// All lanes that somebody may see.
pub async fn lanes(conn: &mut PgConnection, reader: &Reader) -> Result<Vec<LaneRow>> {
    if let Reader::Person(person) = reader {
        reads_somewhere(person)?;
    }
    let all = places::lanes(conn, None).await?;
    Ok(all.into_iter().filter(|row| sees(reader, row)).collect())
}

/// The same as a limit for lists.
pub fn scope(reader: &Reader) -> Result<AuditScope> {
    let mut scope = AuditScope::default();
    match reader {
        Reader::Local(_) => scope.everywhere = true,
        Reader::Agent(agent) => scope.lanes.push(agent.lane().id),
        Reader::Person(person) => {
            reads_somewhere(person)?;
            for grant in person.grants().iter().filter(|grant| grant.live(person.now())) {
                match grant.scope {
                    Scope::Global => scope.everywhere = true,
                    Scope::Project(id) => scope.projects.push(id),
                    Scope::Lane(id) => scope.lanes.push(id),
                }
            }
        }
    }
    Ok(scope)
}

fn sees(reader: &Reader, row: &LaneRow) -> bool {
    match reader {
        Reader::Local(_) => true,
        Reader::Agent(agent) => agent.lane().id == row.id,
        Reader::Person(person) => access::at_place(person.grants(), Verb::Read, (row.project_id, row.id), person.now()),
    }
}

fn reads_somewhere(person: &Person) -> Result<()> {
    if access::anywhere(person.grants(), Verb::Read, person.now()) {
        return Ok(());
    }
    Err(Error::forbidden("You hold no grant any more; an admin gives one at the machine."))
}
