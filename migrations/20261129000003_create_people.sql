-- People, their sessions and grants, and the delays that slow down guessing.

create table users (
    id            uuid primary key,
    name          slug not null unique,
    password_phc  text not null,
    time_zone     text not null default 'UTC',
    created_at    timestamptz not null default clock_timestamp(),
    disabled_at   timestamptz
);

create table sessions (
    id          uuid primary key,
    -- SHA-256 of the 256-bit cookie value: a dump of this table signs nobody in.
    id_hash     bytea not null unique check (length(id_hash) = 32),
    user_id     uuid not null references users,
    device      text not null,
    source      text not null,
    created_at  timestamptz not null,
    seen_at     timestamptz not null,
    reauth_at   timestamptz not null,
    idle_until  timestamptz not null,
    expires_at  timestamptz not null,
    revoked_at  timestamptz
);
create index sessions_live on sessions (user_id) where revoked_at is null;

create table grants (
    id              uuid primary key,
    user_id         uuid not null references users,
    role            text not null check (role in ('viewer', 'auditor', 'approver', 'admin')),
    scope           text not null check (scope in ('global', 'project', 'lane')),
    scope_id        uuid,
    -- null: every class; else dialog classes and the words change, question.
    classes         text[] check (cardinality(classes) > 0),
    max_risk        text check (max_risk in ('low', 'medium', 'high')),
    granted_by      text not null,
    delegated_from  uuid references users,
    created_at      timestamptz not null default clock_timestamp(),
    expires_at      timestamptz,
    revoked_at      timestamptz,
    check ((scope = 'global') = (scope_id is null))
);
create index grants_live on grants (user_id) where revoked_at is null;

create table throttle (
    -- A user name as typed (hashed, it may be a password typed into the wrong field).
    account        bytea not null,
    source         text not null,
    failures       integer not null check (failures > 0),
    last_failure   timestamptz not null,
    blocked_until  timestamptz not null,
    primary key (account, source)
);
create index throttle_by_age on throttle (last_failure);
