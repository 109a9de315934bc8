-- The journal: audit log, outbox and history at once, and the sealed chain over it.

create table events (
    id           bigint generated always as identity primary key,
    epoch        integer not null default current_epoch(),
    -- With id the tail's cursor: an id alone skips rows that commit out of order.
    xid          xid8 not null default pg_current_xact_id(),
    project_id   uuid,
    lane_id      uuid,
    proposal_id  uuid,
    version      integer,
    kind         text not null,
    actor        text not null,
    -- json, never jsonb: the exact bytes are what is hashed.
    payload      json,
    at           timestamptz not null default clock_timestamp(),
    redacted_at  timestamptz
);
create unique index events_tail on events (epoch, xid, id);
create index events_by_proposal on events (proposal_id, id) where proposal_id is not null;
create index events_by_lane on events (lane_id, id) where lane_id is not null;

-- What retention finds by age alone; all other rows go with their proposal. Hot rows (of proposals) are not in it.
create index events_redactable on events (at)
    where redacted_at is null
        and (proposal_id is null or kind in ('decision.refused', 'access.refused'))
        and kind not in ('journal.redacted', 'instance.restored');

create function refuse_journal_change() returns trigger
    language plpgsql
    as $$ begin
        if tg_op = 'UPDATE' and old.redacted_at is null and new.redacted_at is not null
            and new.payload is null
            and (new.id, new.epoch, new.xid, new.project_id, new.lane_id, new.proposal_id, new.version, new.kind, new.actor, new.at)
                is not distinct from
                (old.id, old.epoch, old.xid, old.project_id, old.lane_id, old.proposal_id, old.version, old.kind, old.actor, old.at)
        then
            return new;
        end if;
        raise exception 'the journal is append-only' using errcode = 'CS002';
    end $$;
create trigger events_append_only before update or delete on events
    for each row execute function refuse_journal_change();
create trigger events_no_truncate before truncate on events
    for each statement execute function refuse_journal_change();

create table journal_blocks (
    height      bigint primary key check (height > 0),
    -- The cursor of the block's last row; the block starts behind the one before it.
    upto_epoch  integer not null,
    upto_xid    xid8 not null,
    upto_id     bigint not null,
    row_count   integer not null check (row_count > 0),
    -- Per row 64 bytes: the hash of what retention keeps, then the hash of the payload it takes away.
    row_hashes  bytea not null,
    prev_hash   bytea not null check (length(prev_hash) = 32),
    hash        bytea not null check (length(hash) = 32),
    sealed_at   timestamptz not null,
    check (length(row_hashes) = 64 * row_count)
);

create table checkpoints (
    id          uuid primary key,
    height      bigint not null,
    hash        bytea not null,
    epoch       integer not null,
    reason      text not null check (reason in ('first', 'start', 'stop', 'interval', 'restored')),
    kid         text not null references signing_keys,
    signature   bytea not null check (length(signature) = 64),
    -- The exact text that was signed.
    statement   text not null,
    at          timestamptz not null
);
create index checkpoints_by_height on checkpoints (height);
