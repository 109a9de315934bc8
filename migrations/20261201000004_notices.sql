-- One episode in which a person is needed has a beginning: an unknown menu that comes back is another one.

alter table panes add column drift_since timestamptz;
-- What was seen before began before there were episodes: the next report begins one.
update panes set drift = null;

-- Notices to the outside. One desk: how far the journal was read for it, who works at it until when, and how it went.
create table notice_desk (
    only_one       boolean primary key default true check (only_one),
    epoch          integer not null default 0,
    xid            xid8 not null default '0',
    event_id       bigint not null default 0,
    -- Nobody sends before: a lease while somebody does, else the pause after a notice or a failure.
    next_at        timestamptz not null default '-infinity',
    -- A secret of whom the notices go to. Nothing reads it but the sender.
    token          text,
    sent_at        timestamptz,
    failed_at      timestamptz,
    failure        text
);
insert into notice_desk default values;

-- What waits for a person and was not told of yet.
create table notices (
    event_id      bigint primary key,
    need          text not null,
    lane_id       uuid not null references lanes,
    proposal_id   uuid references proposals,
    attention_id  uuid references attentions,
    tries         integer not null default 0,
    at            timestamptz not null
);
