-- Supervision: who watches panes, the dialogs they report, the orders they carry out, and the policy with its history.

create table pane_clients (
    id           uuid primary key,
    name         slug not null unique,
    -- Up by one whenever its tokens are taken back: a short-lived token of an older epoch is void at once.
    token_epoch  integer not null default 1 check (token_epoch > 0),
    created_at   timestamptz not null default clock_timestamp(),
    removed_at   timestamptz
);

create table pane_client_lanes (
    pane_client_id  uuid not null references pane_clients,
    lane_id         uuid not null references lanes,
    primary key (pane_client_id, lane_id)
);

-- A pane as its client last reported it.
create table panes (
    pane_client_id    uuid not null references pane_clients,
    key               text not null check (key ~ '^[A-Za-z0-9._-]{1,64}$'),
    project_id        uuid not null references projects,
    lane_id           uuid not null references lanes,
    agent_kind        text not null,
    session_id        text,
    status            text not null check (status in ('idle', 'working', 'blocked', 'unknown')),
    safe_to_type      boolean not null,
    awaiting_input    boolean not null default false,
    ended_turn        boolean not null default false,
    usage_limit       boolean not null default false,
    external          boolean not null default false,
    quiet_since       timestamptz,
    last_activity_at  timestamptz,
    turn_tail         json,
    client            json,
    status_since      timestamptz not null,
    reported_at       timestamptz not null,
    primary key (pane_client_id, key)
);
create index panes_by_lane on panes (lane_id);

-- A pane whose shell a person let change: held until the pane has another first process.
create table shell_taints (
    pane_client_id  uuid not null references pane_clients,
    pane_key        text not null,
    server          text not null,
    pid             bigint not null,
    proposal_id     uuid not null references proposals,
    since           timestamptz not null,
    primary key (pane_client_id, pane_key)
);

-- A lane in which a file that runners execute was written, until a person has approved a run.
create table runner_taints (
    lane_id      uuid primary key references lanes,
    proposal_id  uuid not null references proposals,
    since        timestamptz not null
);

alter table proposals add column pane_client_id uuid;
-- The row of a dialog that the voter chose, if they chose one.
alter table votes add column option integer;
alter table proposals add check (agent_id is null or pane_client_id is null);
alter table proposals add check ((kind = 'dialog') = (pane_client_id is not null));

-- The policy: numbered versions, of which the head is in force. The lock on the head comes before all others.
create table policies (
    version     bigint primary key check (version > 0),
    author      text not null,
    reason      text,
    origin      text not null check (origin in ('shipped', 'set', 'import', 'rollback', 'suggestion')),
    -- The complete document; json, as it was written.
    document    json not null,
    -- What differs from the parent: [{path, from, to}].
    diff        json not null default '[]',
    parent      bigint references policies,
    created_at  timestamptz not null
);
-- What was a local setting before there was a policy goes on in it.
insert into policies (version, author, origin, document, created_at)
    select 1, 'shipped', 'shipped',
        case when settings ? 'high_actions'
            then json_build_object('supervision', json_build_object('high_actions', settings -> 'high_actions'))
            else '{}' end,
        clock_timestamp()
    from instance;
update instance set settings = settings - 'high_actions';

create table policy_head (
    id       boolean primary key default true check (id),
    version  bigint not null references policies
);
insert into policy_head (version) values (1);

create function refuse_policy_change() returns trigger
    language plpgsql
    as $$ begin
        raise exception 'a policy version is never changed' using errcode = 'CS003';
    end $$;
create trigger policies_append_only before update or delete or truncate on policies
    for each statement execute function refuse_policy_change();

alter table proposals add foreign key (policy_version) references policies not valid;

create table rules (
    id            uuid primary key,
    project_id    uuid not null references projects,
    argv          json not null,
    matching      text not null check (matching in ('exact', 'prefix')),
    owner         text not null,
    reason        text,
    created_at    timestamptz not null,
    expires_at    timestamptz,
    hits          bigint not null default 0,
    last_used_at  timestamptz,
    removed_at    timestamptz,
    removed_by    text
);
create index rules_live on rules (project_id) where removed_at is null;

-- Approvals in a row of the same command of a project, by the words' digest.
create table rule_streaks (
    project_id  uuid not null references projects,
    argv_hash   bytea not null check (length(argv_hash) = 32),
    argv        json not null,
    approvals   integer not null check (approvals >= 0),
    updated_at  timestamptz not null,
    primary key (project_id, argv_hash)
);

create table suggestions (
    id           uuid primary key,
    kind         text not null check (kind in ('rule', 'policy')),
    text         text not null,
    proposal_id  uuid references proposals,
    project_id   uuid references projects,
    lane_id      uuid references lanes,
    -- The words that a rule would be made of; null for a policy.
    argv         json,
    argv_hash    bytea,
    -- person:NAME, or system after three approvals in a row.
    author       text not null,
    created_at   timestamptz not null,
    state        text not null default 'open' check (state in ('open', 'accepted', 'dismissed')),
    settled_by   text,
    settled_at   timestamptz,
    -- What accepting it led to.
    rule_id         uuid references rules,
    policy_version  bigint references policies
);
create index suggestions_open on suggestions (id) where state = 'open';
create unique index suggestions_by_system on suggestions (project_id, argv_hash) where state = 'open' and author = 'system';

-- What a pane client reported of a dialog, and how it was judged. The proposal has its life.
create table dialogs (
    proposal_id     uuid primary key references proposals,
    pane_client_id  uuid not null references pane_clients,
    instance        uuid not null,
    pane_key        text not null,
    session_id      text,
    agent_kind      text not null,
    source          text not null check (source in ('pane', 'hook')),
    dialog_kind     text not null
        check (dialog_kind in ('permission', 'decision', 'plan', 'trust', 'usage_limit', 'login')),
    truncated       boolean not null,
    cwd             text not null,
    repo_root       text not null,
    worktree        text not null,
    repo_scoped     boolean not null,
    veto            boolean not null,
    verdict         text not null check (verdict in ('auto_approve', 'auto_deny', 'hold')),
    policy_source   text not null,
    would_verdict   text not null check (would_verdict in ('auto_approve', 'auto_deny', 'hold')),
    would_source    text not null,
    rule_id         uuid references rules,
    -- The judgement as it was made, for the page and for learning: {reasons, approve, deny, argv, taints_runner, runs, taints_shell}.
    judgement       json not null,
    -- The whole report as it came, minus what is in columns; redactable with the proposal's content.
    report          json,
    -- When the client said, or the server found, that this instance is no longer on the screen.
    ended_at        timestamptz,
    end_reason      text,
    -- Another proposal stands for the same instance now.
    superseded      boolean not null default false,
    redacted_at     timestamptz
);
create unique index dialogs_by_instance on dialogs (pane_client_id, instance) where not superseded;
create index dialogs_open_panes on dialogs (pane_client_id, pane_key) where ended_at is null;

-- What a pane client must do, once.
create table orders (
    id              uuid primary key,
    kind            text not null check (kind in ('answer', 'nudge', 'mail', 'message')),
    -- dialog, mail, stall, manual_nudge, legacy_rule, message
    trigger         text not null
        check (trigger in ('dialog', 'mail', 'stall', 'manual_nudge', 'legacy_rule', 'message')),
    project_id      uuid not null,
    lane_id         uuid not null references lanes,
    pane_client_id  uuid not null references pane_clients,
    pane_key        text not null,
    -- Answers only.
    proposal_id     uuid references proposals,
    attempt         integer not null default 1 check (attempt > 0),
    instance        uuid,
    digest          bytea check (length(digest) = 32),
    option          json,
    deny            boolean not null default false,
    -- Everything but answers.
    text            text,
    msg_ids         json,
    -- approve, deny, nudge, full_body: what the audit says.
    decision        text not null,
    -- Made by the policy: judged again when it is leased.
    by_policy       boolean not null,
    policy_source   text,
    policy_version  bigint references policies,
    ordered_by      text not null,
    state           text not null default 'queued' check (state in ('queued', 'taken', 'done')),
    created_at      timestamptz not null,
    not_before      timestamptz not null,
    taken_at        timestamptz,
    leased_until    timestamptz,
    done_at         timestamptz,
    outcome         text check (outcome in ('sent', 'skipped', 'failed')),
    reason          text,
    keys            json,
    -- What a report after the lease ran out said; the journal row stands.
    late            json,
    check ((kind = 'answer') = (proposal_id is not null)),
    check ((state = 'done') = (outcome is not null)),
    unique (proposal_id, attempt)
);
create index orders_open on orders (pane_client_id, id) where state <> 'done';
create index orders_leased on orders (leased_until) where state = 'taken';
-- One live order for a dialog at a time, whatever happens.
create unique index orders_one_live on orders (proposal_id) where state <> 'done';

-- Exactly one journal row per order and per hold.
create unique index events_one_per_order on events ((payload ->> 'order_id'))
    where kind = 'supervision.acted' and payload ->> 'order_id' is not null;
create unique index events_one_per_hold on events ((payload ->> 'hold_of'))
    where kind = 'supervision.acted' and payload ->> 'hold_of' is not null;
create index events_acted on events (lane_id, id) where kind = 'supervision.acted';
create index events_acted_newest on events (id) where kind = 'supervision.acted';

-- One episode in which a person is needed.
create table attentions (
    id           uuid primary key,
    project_id   uuid not null,
    lane_id      uuid not null references lanes,
    cause        text not null,
    -- What tells one episode of a cause from the next, e.g. the order's id.
    episode      text not null,
    proposal_id  uuid references proposals,
    detail       text not null,
    raised_at    timestamptz not null,
    cleared_at   timestamptz,
    unique (lane_id, cause, episode)
);
create index attentions_open on attentions (lane_id) where cleared_at is null;

drop view proposal_rows;
create view proposal_rows as
select p.id, p.project_id, p.lane_id, l.name::text as lane, p.agent_id, coalesce(a.name, pc.name)::text as agent, p.kind, p.action,
    p.class, p.risk, p.title, p.command, p.digest, p.status, p.version, p.created_at, p.expires_at, p.closed_at, p.close_reason,
    p.requirement, p.previously_rejected, p.replaces, p.archived_at,
    d.outcome, d.source, u.name::text as decided_by, d.note, d.body as decided_body, d.body_digest, d.option, d.answers, d.decided_at,
    r.notified_at, r.seen_at, r.collected_at, r.executed, r.executed_at,
    (select json_agg(json_build_object('by', vu.name, 'outcome', v.outcome, 'at', v.at) order by v.at)
        from votes v join users vu on vu.id = v.user_id where v.proposal_id = p.id) as votes
from proposals p
join lanes l on l.id = p.lane_id
left join agents a on a.id = p.agent_id
left join pane_clients pc on pc.id = p.pane_client_id
left join decisions d on d.proposal_id = p.id
left join users u on u.id = d.decided_by
left join receipts r on r.proposal_id = p.id;
