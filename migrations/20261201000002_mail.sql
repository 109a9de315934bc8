-- Mail to lanes, how far its delivery is, and stalls.

create table messages (
    id            uuid primary key,
    -- Where it goes.
    project_id    uuid not null references projects,
    lane_id       uuid not null references lanes,
    -- agent:NAME, person:NAME, admin:NAME.
    sender        text not null,
    -- The lane of an agent that sent it.
    from_lane_id  uuid references lanes,
    -- The message that it answers.
    reply_to      uuid references messages,
    -- Null once it is older than mail is kept and nobody waits for it.
    body          text,
    state         text not null default 'queued' check (state in ('queued', 'delivered', 'failed')),
    created_at    timestamptz not null,
    -- The order that carries it, or the nudge that speaks of it; live or done with.
    order_id      uuid references orders,
    -- How often a delivery was tried.
    attempts      integer not null default 0 check (attempts >= 0),
    -- It may stand in a terminal in full: it is never typed there again.
    maybe_typed   boolean not null default false,
    -- A line that there is mail was typed.
    nudged_at     timestamptz,
    read_at       timestamptz,
    delivered_at  timestamptz,
    delivered_by  text check (delivered_by in ('inbox', 'pane')),
    failed_at     timestamptz,
    -- Those that were given up together: the oldest of them.
    failed_with   uuid,
    -- What became of the last try.
    reason        text,
    redacted_at   timestamptz,
    check ((state = 'delivered') = (delivered_at is not null)),
    check ((delivered_at is null) = (delivered_by is null)),
    check (state <> 'failed' or failed_at is not null),
    check (body is not null or redacted_at is not null)
);
create index messages_of_lane on messages (lane_id, id);
create index messages_waiting on messages (lane_id, id) where state = 'queued';
create index messages_by_sender on messages (sender, created_at);
create index messages_of_order on messages (order_id) where order_id is not null;
create index messages_kept on messages (created_at) where redacted_at is null;

-- How the delivery to a lane stands: whoever changes that, or what is queued, holds this row.
create table mail_rounds (
    lane_id         uuid primary key references lanes,
    attempts        integer not null default 0 check (attempts >= 0),
    next_at         timestamptz,
    -- The pane that got the last try.
    pane_client_id  uuid references pane_clients,
    pane_key        text,
    -- That try may have typed something: the next one goes nowhere else while the pane is watched.
    bound           boolean not null default false
);

-- A stall of an agent, from the first nudge to the first sign of life.
create table stall_episodes (
    id              uuid primary key,
    project_id      uuid not null references projects,
    lane_id         uuid not null references lanes,
    pane_client_id  uuid not null references pane_clients,
    pane_key        text not null,
    started_at      timestamptz not null,
    -- Since when nothing has moved: the nudges' own echo does not count.
    still_since     timestamptz not null,
    -- The agent's session when it began.
    session_id      text,
    -- The nudge that is out, or was last.
    order_id        uuid references orders,
    nudges          integer not null default 0 check (nudges >= 0),
    typed           integer not null default 0 check (typed >= 0),
    -- When the pane client took the last nudge, and when it was done with.
    taken_at        timestamptz,
    last_nudge_at   timestamptz,
    escalated_at    timestamptz,
    ended_at        timestamptz,
    -- activity, no_work, off, gone
    end_reason      text
);
create unique index stall_episodes_open on stall_episodes (pane_client_id, pane_key) where ended_at is null;
create index stall_episodes_of_order on stall_episodes (order_id) where order_id is not null;
create index stall_episodes_of_lane on stall_episodes (lane_id, id);

-- When a pane was last seen at work or in a dialog, and when its screen was last seen to change, by the server's clock.
alter table panes add column worked_at timestamptz, add column moved_at timestamptz;

-- Live texts of a pane or lane are looked for at every tick.
create index orders_live_texts on orders (lane_id) where kind <> 'answer' and state <> 'done';
create index orders_typed on orders (pane_client_id, pane_key, done_at) where kind <> 'answer' and outcome = 'sent';
