-- The one row that says which installation this is, and the functions every later table leans on.

create table instance (
    id                boolean primary key default true check (id),
    -- Postgres' own cluster identity, as text: a different one means a restore (design, "Epoch").
    system_identifier text,
    epoch             integer not null default 1 check (epoch > 0),
    setup_hash        bytea,
    setup_expires_at  timestamptz,
    paused_at         timestamptz,
    paused_by         text,
    pause_reason      text,
    settings          jsonb not null default '{}',
    -- The oldest program schema number that may still write here (expand first, contract a release later).
    schema_floor      integer not null default 1,
    created_at        timestamptz not null default clock_timestamp()
);
insert into instance default values;

-- The one clock that decides: Postgres' own, moved by an offset that is zero outside tests.
create function clock_at(offset_us bigint) returns timestamptz
    language sql volatile parallel unsafe
    as $$ select clock_timestamp() + offset_us * interval '1 microsecond' $$;

create function current_epoch() returns integer
    language sql stable
    as $$ select epoch from instance $$;

-- Aborts the statement it stands in, so that one statement can be all or nothing.
create function abort_unless(ok boolean, reason text) returns boolean
    language plpgsql
    as $$ begin
        if not coalesce(ok, false) then
            raise exception '%', reason using errcode = 'CS001';
        end if;
        return true;
    end $$;

create table signing_keys (
    kid         text primary key,
    purpose     text not null check (purpose in ('checkpoint', 'pane_token')),
    public_key  bytea not null check (length(public_key) = 32),
    created_at  timestamptz not null default clock_timestamp(),
    retired_at  timestamptz
);
