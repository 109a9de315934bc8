#!/bin/sh
# The assumptions that the design leans on, tried on this machine: scripts/assumptions.sh [tail]
set -eu
cd "$(dirname "$0")/.."

part=${1:-all}
seconds=${SECONDS_EACH:-20}

say() { printf '\n== %s\n' "$*"; }

# What holds the journal's tail back: an open transaction that has written, in any database of the cluster.
tail_part() {
    say "32 writers for $seconds s, and one transaction that sits idle in another database"
    . scripts/throwaway-pg.sh
    trap pg_down EXIT
    trap 'exit 130' INT TERM
    pg_up max_connections=64 idle_in_transaction_session_timeout=0
    sql postgres -c 'create database elsewhere'
    sql postgres -c "create table events (id bigint generated always as identity primary key,
        xid xid8 not null default pg_current_xact_id(), payload json)"
    echo "insert into events (payload) values ('{}');" >"$work/write.sql"

    # Its transaction has an id, as one that wrote a row; the pipe keeps it open.
    mkfifo "$work/hold"
    sql elsewhere <"$work/hold" >/dev/null 2>&1 &
    exec 9>"$work/hold"
    echo 'begin; select pg_current_xact_id();' >&9
    until blocker=$(sql postgres -c "select pid from pg_stat_activity where datname = 'elsewhere' and backend_xid is not null" |
        grep .); do :; done

    as_writers "$seconds" &
    writers=$!
    half=$((seconds / 2))
    sleep "$half"
    report "after $half s"
    [ "$(hidden)" -gt 0 ] || fail "the idle transaction did not hold the tail back"
    [ "$(named)" = "$blocker" ] || fail "the query for the blocker named $(named), not $blocker"
    echo "the blocker is named: pid $(named) in database elsewhere"

    sql postgres -c "select pg_terminate_backend($blocker)" >/dev/null
    until [ -z "$(sql postgres -c "select pid from pg_stat_activity where pid = $blocker")" ]; do :; done
    report "as soon as it is gone"
    exec 9>&-
    wait "$writers" || fail "the writers failed"
    [ "$(hidden)" = 0 ] || fail "rows stay hidden with nobody writing"
    echo "holds: rows of later writers are invisible to a tail by xmin for as long as any database has an older open writer"
}

as_writers() {
    "$bin/pgbench" -h "$work/pg" -U postgres -n -c 32 -j 2 -T "$1" -f "$work/write.sql" postgres 2>/dev/null |
        grep '^tps'
}

hidden() { sql postgres -c 'select count(*) from events where xid >= pg_snapshot_xmin(pg_current_snapshot())'; }

named() {
    sql postgres -c "select pid from pg_stat_activity where backend_xid is not null
        and backend_xid = (pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296)::text::xid"
}

report() {
    sql postgres -F ' ' -c "select '$1: ' || count(*) || ' rows, of which the tail may not show '
        || count(*) filter (where xid >= pg_snapshot_xmin(pg_current_snapshot())) from events"
}

fail() {
    echo "NOT SO: $*" >&2
    exit 1
}

case $part in
all | tail) tail_part ;;
*) echo "usage: scripts/assumptions.sh [tail]" >&2 && exit 2 ;;
esac
