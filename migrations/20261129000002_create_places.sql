-- Projects and lanes: where agents work and what every scoped row names.
-- Names are never reused, so a removed row stays, with removed_at set.

create domain slug as text check (value ~ '^[a-z0-9][a-z0-9._-]{0,62}$');

create table projects (
    id          uuid primary key,
    name        slug not null unique,
    repo_path   text not null,
    created_at  timestamptz not null default clock_timestamp(),
    removed_at  timestamptz
);

create table lanes (
    id          uuid primary key,
    name        slug not null unique,
    project_id  uuid not null references projects,
    worktree    text not null,
    profile     text,
    created_at  timestamptz not null default clock_timestamp(),
    removed_at  timestamptz
);
create index lanes_by_project on lanes (project_id);
