-- Proposals: a small hot row, its redactable content, votes, the one decision, and receipts.

create table proposals (
    id                   uuid primary key,
    -- No foreign keys on the hot row: projects, lanes and agents are never deleted, and every key would be a lock per create.
    project_id           uuid not null,
    lane_id              uuid not null,
    agent_id             uuid,
    kind                 text not null check (kind in ('change', 'question', 'dialog')),
    action               text not null,
    class                text,
    risk                 text not null check (risk in ('low', 'medium', 'high')),
    title                text not null,
    command              text,
    digest               bytea not null check (length(digest) = 32),
    status               text not null default 'pending'
        check (status in ('pending', 'approved', 'modified', 'rejected', 'expired', 'withdrawn')),
    -- 1 at creation, up by one with every transaction that changes votes or state; the ETag.
    version              integer not null default 1 check (version > 0),
    created_at           timestamptz not null,
    expires_at           timestamptz,
    closed_at            timestamptz,
    -- Why it was withdrawn, in the withdrawer's words.
    close_reason         text,
    -- Frozen at creation: {votes, roles, exclude, reauth, reason}.
    requirement          jsonb not null,
    policy_version       bigint,
    previously_rejected  boolean not null default false,
    replaces             uuid references proposals,
    claimed_by           uuid references users,
    claimed_until        timestamptz,
    archived_at          timestamptz,
    redacted_at          timestamptz,
    check ((status = 'pending') = (closed_at is null)),
    check (status <> 'pending' or archived_at is null)
);
create unique index proposals_pending_content on proposals (agent_id, digest) where status = 'pending';
-- The inbox, newest first: without it a list of few would be sought through all that were ever closed.
create index proposals_pending on proposals (id) where status = 'pending';
create index proposals_pending_due on proposals (expires_at) where status = 'pending' and expires_at is not null;
create index proposals_by_lane on proposals (lane_id, id desc);
create index proposals_by_content on proposals (agent_id, digest, id desc);
-- What retention may look at: closed and not yet redacted.
create index proposals_unredacted on proposals (closed_at) where closed_at is not null and redacted_at is null;

create table proposal_content (
    proposal_id    uuid primary key references proposals,
    justification  text,
    body           text,
    base           text,
    questions      json,
    options        json,
    context        json,
    redacted_at    timestamptz
);

create table idempotency_keys (
    agent_id      uuid not null references agents,
    key           text not null check (length(key) between 1 and 200),
    request_hash  bytea not null check (length(request_hash) = 32),
    proposal_id   uuid not null references proposals,
    created_at    timestamptz not null,
    primary key (agent_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table votes (
    proposal_id  uuid not null references proposals,
    user_id      uuid not null references users,
    round        integer not null default 1,
    outcome      text not null check (outcome in ('approved', 'modified', 'rejected')),
    digest       bytea not null,
    note         text,
    body         text,
    answers      json,
    evidence     json,
    at           timestamptz not null,
    primary key (proposal_id, user_id, round)
);

create table decisions (
    proposal_id  uuid primary key references proposals,
    outcome      text not null check (outcome in ('approved', 'modified', 'rejected')),
    source       text not null check (source in ('person', 'policy', 'terminal')),
    decided_by   uuid references users,
    note         text,
    body         text,
    body_digest  bytea,
    option       json,
    answers      json,
    decided_at   timestamptz not null,
    check ((outcome = 'modified') = (body_digest is not null))
);

create table receipts (
    proposal_id   uuid primary key references proposals,
    notified_at   timestamptz,
    seen_at       timestamptz,
    collected_at  timestamptz,
    executed      text check (executed in ('sent', 'skipped', 'failed', 'void')),
    executed_at   timestamptz
);

-- What every reader of a proposal needs, in one place.
create view proposal_rows as
select p.id, p.project_id, p.lane_id, l.name::text as lane, p.agent_id, a.name::text as agent, p.kind, p.action, p.class,
    p.risk, p.title, p.command, p.digest, p.status, p.version, p.created_at, p.expires_at, p.closed_at, p.close_reason,
    p.requirement, p.previously_rejected, p.replaces, p.archived_at,
    d.outcome, d.source, u.name::text as decided_by, d.note, d.body as decided_body, d.body_digest, d.answers, d.decided_at,
    r.notified_at, r.seen_at, r.collected_at, r.executed, r.executed_at,
    (select json_agg(json_build_object('by', vu.name, 'outcome', v.outcome, 'at', v.at) order by v.at)
        from votes v join users vu on vu.id = v.user_id where v.proposal_id = p.id) as votes
from proposals p
join lanes l on l.id = p.lane_id
left join agents a on a.id = p.agent_id
left join decisions d on d.proposal_id = p.id
left join users u on u.id = d.decided_by
left join receipts r on r.proposal_id = p.id;
