-- Rendezvous: what leads send to the sessions of their projects, the turns that begin with it, and members' questions.

-- One message and its turn. The message ends with an outcome; its turn in the pane may end before or after that.
create table tickets (
    id              uuid primary key,
    -- The order in which a pane takes its messages. It is drawn while the pane's row is locked, so that no later one is
    -- committed first.
    seq             bigint not null generated always as identity,
    project_id      uuid not null references projects,
    from_agent_id   uuid not null references agents,
    lane_id         uuid not null references lanes,
    pane_client_id  uuid not null references pane_clients,
    pane_key        text not null,
    session_id      text not null,
    content         text not null,
    created_at      timestamptz not null,
    -- After a try that came to nothing: not before then.
    not_before      timestamptz not null,
    skips           integer not null default 0,
    order_id        uuid unique references orders,
    -- When it was typed, or may have been.
    sent_at         timestamptz,
    picked_up_at    timestamptz,
    -- Idle reports after it was typed, while nobody has seen the member begin.
    idles           integer not null default 0,
    turn_ended_at   timestamptz,
    outcome         text check (outcome in ('reply', 'turn_done', 'exhausted', 'failed')),
    result          text,
    partial         boolean not null default false,
    reason          text,
    -- Names the outcome; an answer that takes the place of a guess has a new one.
    msg_id          uuid unique,
    finished_at     timestamptz,
    acked_at        timestamptz,
    -- When the lead last had news of it.
    polled_at       timestamptz,
    nudges          integer not null default 0,
    nudged_at       timestamptz,
    foreign key (pane_client_id, pane_key) references panes (pane_client_id, key),
    check ((outcome is null) = (finished_at is null)),
    check ((msg_id is null) = (finished_at is null)),
    check (sent_at is null or order_id is not null),
    check (turn_ended_at is null or order_id is not null)
);
-- Everything that a pane still has to do with.
create index tickets_live on tickets (pane_client_id, pane_key, seq)
    where finished_at is null or (order_id is not null and turn_ended_at is null);
-- At most one message a turn, whatever happens.
create unique index tickets_one_turn on tickets (pane_client_id, pane_key)
    where order_id is not null and turn_ended_at is null;
create index tickets_newest on tickets (pane_client_id, pane_key, session_id, seq) where sent_at is not null;
create index tickets_of_agent on tickets (from_agent_id, finished_at) where acked_at is null;
create index tickets_in_lane on tickets (lane_id) where finished_at is null;
create index tickets_finished on tickets (finished_at);

-- A member's question, answered by its own id within its window.
create table asks (
    id           uuid primary key,
    ticket_id    uuid not null references tickets on delete cascade,
    question     text not null,
    asked_at     timestamptz not null,
    closes_at    timestamptz not null,
    answer       text,
    answered_at  timestamptz,
    -- Nobody answered in time, or the turn was over first.
    closed_at    timestamptz,
    check ((answer is null) = (answered_at is null)),
    check (answered_at is null or closed_at is null)
);
create unique index asks_one_open on asks (ticket_id) where answered_at is null and closed_at is null;
create index asks_of_ticket on asks (ticket_id, asked_at);
create index asks_due on asks (closes_at) where answered_at is null and closed_at is null;

-- What was last typed into a pane.
create index orders_texts on orders (pane_client_id, pane_key, done_at) where kind <> 'answer';
-- What was typed is not kept longer than its ticket.
create index orders_of_messages on orders (done_at) where kind = 'message' and text is not null;
