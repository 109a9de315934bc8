-- Agents and the bearer tokens of all machine principals.

create table agents (
    id          uuid primary key,
    name        slug not null unique,
    lane_id     uuid not null references lanes,
    lead        boolean not null default false,
    pane_key    text check (pane_key ~ '^[A-Za-z0-9._-]{1,64}$'),
    -- Proposals in flight: raised by a create, lowered in the transaction of every final state, checked by a job.
    pending     integer not null default 0 check (pending >= 0),
    cap         integer not null default 20 check (cap > 0),
    created_at  timestamptz not null default clock_timestamp(),
    removed_at  timestamptz
);
create index agents_by_lane on agents (lane_id);

create table tokens (
    id              uuid primary key,
    principal_kind  text not null check (principal_kind in ('agent', 'pane_client')),
    principal_id    uuid not null,
    token_hash      bytea not null unique check (length(token_hash) = 32),
    -- The last four characters, to tell tokens apart in a list.
    hint            text not null,
    created_at      timestamptz not null default clock_timestamp(),
    expires_at      timestamptz,
    last_used_at    timestamptz,
    revoked_at      timestamptz
);
create index tokens_live on tokens (principal_id) where revoked_at is null;
