#!/bin/sh
# The assumptions that the design leans on, tried on this machine: scripts/assumptions.sh [tail|users|kills]
# `users` and `kills` run the program: $COUNTERSIGN, or what cargo has built.
set -eu
cd "$(dirname "$0")/.."

part=${1:-all}
seconds=${SECONDS_EACH:-60}
countersign=${COUNTERSIGN:-$PWD/target/debug/countersign}

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

# serve: starts the program on its data in $home, and returns when it says where it is.
serve() {
    "$countersign" serve --data-dir "$home/data" --listen 127.0.0.1:0 >"$home/output" 2>"$home/log" &
    server=$!
    until url=$(sed -n 's/^ready //p' "$home/output" | grep .); do
        kill -0 "$server" 2>/dev/null || { cat "$home/log" >&2 && fail "the server ended"; }
        sleep 0.02
    done
}

serve_down() {
    [ -z "${server:-}" ] || { kill "$server" 2>/dev/null && wait "$server" || :; }
    rm -rf "$home"
}

# What the files and sockets give to whom: the server's interfaces refuse, the data folder does not.
users_part() {
    say "what the service's own user can do, and what another user cannot"
    home=$(mktemp -d /tmp/countersign-users.XXXXXX)
    chmod 755 "$home"
    trap serve_down EXIT
    trap 'exit 130' INT TERM
    serve
    socket=$(find "$home/data/run" -type s | head -n 1)
    pg_socket=$(find "$home/data/pg-run" -type s | head -n 1)
    [ -S "$socket" ] && [ -S "$pg_socket" ] || fail "there is no socket to try"
    bin=$(scripts/pg-bin.sh)

    try_all '' "the service's own user"
    [ "$allowed" = "database keys socket" ] || fail "the service's own user could only use: $allowed"
    if [ "$(id -u)" = 0 ]; then
        try_all 'setpriv --reuid=nobody --regid=nogroup --clear-groups --' "another user"
        [ -z "$allowed" ] || fail "another user could use: $allowed"
    else
        echo "another user: not tried, that needs root"
    fi
    echo "holds: who runs as the service's user can edit the database, read the keys and reach the socket; another user can do none of it"
}

# try_all PREFIX WHO: sets $allowed to what worked.
try_all() {
    allowed=
    try database "$1" "$bin/psql" -XAtqc 'select 1' "postgres:///countersign?host=${pg_socket%/*}&user=countersign"
    try keys "$1" sh -c 'cat "$0"/*' "$home/data/keys"
    try socket "$1" curl -sS -o /dev/null --unix-socket "$socket" http://localhost/healthz
    allowed=${allowed# }
    echo "$2 can use: ${allowed:-nothing}"
}

try() {
    what=$1 prefix=$2
    shift 2
    # shellcheck disable=SC2086  # a list of words
    (cd / && $prefix "$@" >/dev/null 2>&1) && allowed="$allowed $what" || :
}

# Server and postmaster are killed by turns; each time the service is back by itself, or at the next start.
kills_part() {
    say "twenty kills: the server and its postmaster by turns"
    home=$(mktemp -d /tmp/countersign-kills.XXXXXX)
    chmod 755 "$home"
    trap serve_down EXIT
    trap 'exit 130' INT TERM
    serve
    "$countersign" pg exec --data-dir "$home/data" -- psql -XAtqc 'create table kept (n integer)'
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$countersign" pg exec --data-dir "$home/data" -- psql -XAtqc "insert into kept values ($n)"
        began=$(date +%s%N)
        if [ $((n % 2)) = 1 ]; then
            kill -9 "$server"
            wait "$server" || :
            serve
            victim=server
        else
            kill -9 "$(head -n 1 "$home/data/pg/postmaster.pid")"
            victim=postmaster
            # Not before it has noticed: the first answers may still come from before the kill.
            sleep 0.05
        fi
        until curl -fsS -o /dev/null "$url/readyz" 2>/dev/null; do sleep 0.02; done
        echo "$n: $victim killed, ready after $((($(date +%s%N) - began) / 1000000)) ms"
    done
    rows=$("$countersign" pg exec --data-dir "$home/data" -- psql -XAtqc 'select count(*) from kept')
    [ "$rows" = 20 ] || fail "only $rows of 20 committed rows are there"
    echo "holds: twenty kills, nothing that was committed is lost"
}

case $part in
all)
    for each in tail users kills; do scripts/assumptions.sh "$each"; done
    ;;
tail | users | kills) "${part}_part" ;;
*) echo "usage: scripts/assumptions.sh [tail|users|kills]" >&2 && exit 2 ;;
esac
