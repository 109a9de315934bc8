#!/bin/sh
# Checks every query against a database that has just been made from the migrations, and writes .sqlx;
# with --check it writes nothing and fails when .sqlx is not what it would write.
#   scripts/sqlx.sh [--check] [CARGO COMMAND]    the command that reads the code; clippy can do both at once
set -eu
cd "$(dirname "$0")/.."

check=
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
[ $# -gt 0 ] || set -- cargo check --locked --all-targets

. scripts/throwaway-pg.sh
mkdir "$work/queries" "$work/times"

# The macros expand again only in files that look newer. The old times come back at the end, else every other build were stale too.
touched="src/lib.rs src/main.rs $(ls tests/*/main.rs benches/*.rs 2>/dev/null || true)"
slot() { echo "$work/times/$(echo "$1" | tr / _)"; }

clean_up() {
    for file in $touched; do
        [ ! -f "$(slot "$file")" ] || touch -r "$(slot "$file")" "$file"
    done
    pg_down
}
trap clean_up EXIT
trap 'exit 130' INT TERM

pg_up fsync=off
for migration in migrations/*.sql; do
    sql postgres -f "$migration" >/dev/null
done

for file in $touched; do
    touch -r "$file" "$(slot "$file")"
    touch "$file"
done
DATABASE_URL="postgres:///postgres?host=$work/pg&user=postgres" SQLX_OFFLINE=false SQLX_OFFLINE_DIR="$work/queries" "$@"

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
