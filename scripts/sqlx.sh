#!/bin/sh
# Checks every query against a database that has just been made from the migrations, and writes .sqlx;
# with --check it writes nothing and fails when .sqlx is not what it would write.
set -eu
cd "$(dirname "$0")/.."

case ${1:-} in
'') check= ;;
--check) check=yes ;;
*) echo "usage: scripts/sqlx.sh [--check]" >&2 && exit 2 ;;
esac

bin=$(scripts/pg-bin.sh) || { echo "no Postgres 15 or newer found" >&2 && exit 3; }
work=$(mktemp -d /tmp/countersign-sqlx.XXXXXX)
mkdir "$work/pg" "$work/queries" "$work/times"

# Postgres refuses root.
if [ "$(id -u)" = 0 ]; then
    chmod 711 "$work" && chown postgres "$work/pg"
    as_pg() { (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"); }
else
    as_pg() { "$@"; }
fi

# The macros expand again only in files that look newer. The old times come back at the end, else every other build were stale too.
touched="src/lib.rs src/main.rs $(ls tests/*/main.rs benches/*.rs 2>/dev/null || true)"
slot() { echo "$work/times/$(echo "$1" | tr / _)"; }

clean_up() {
    for file in $touched; do
        [ ! -f "$(slot "$file")" ] || touch -r "$(slot "$file")" "$file"
    done
    [ ! -f "$work/pg/postmaster.pid" ] || as_pg "$bin/pg_ctl" -D "$work/pg" -m immediate stop >/dev/null
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

as_pg "$bin/initdb" -D "$work/pg" -U postgres -A trust -N --no-locale -E UTF8 >/dev/null
as_pg "$bin/pg_ctl" -D "$work/pg" -w -l "$work/pg/log" \
    -o "-c listen_addresses='' -c unix_socket_directories='$work/pg' -c fsync=off" start >/dev/null
for migration in migrations/*.sql; do
    PGOPTIONS='-c client_min_messages=warning' \
        "$bin/psql" -XqAt -v ON_ERROR_STOP=1 -h "$work/pg" -U postgres -f "$migration" postgres >/dev/null
done

for file in $touched; do
    touch -r "$file" "$(slot "$file")"
    touch "$file"
done
DATABASE_URL="postgres:///postgres?host=$work/pg&user=postgres" SQLX_OFFLINE=false SQLX_OFFLINE_DIR="$work/queries" \
    cargo check --locked --all-targets

if [ -n "$check" ]; then
    if ! diff -rq .sqlx "$work/queries"; then
        echo ".sqlx is not what the queries and migrations say; run: make sqlx" >&2
        exit 1
    fi
    echo ".sqlx agrees with the queries: $(ls "$work/queries" | wc -l) files"
else
    mkdir -p .sqlx
    rm -f .sqlx/query-*.json
    [ -z "$(ls "$work/queries")" ] || cp "$work/queries"/*.json .sqlx/
    echo "wrote .sqlx: $(ls .sqlx | wc -l) files"
fi
