#!/bin/sh
# Prints the folder of the newest Postgres >= 15 on this machine; fails without a word when there is none.
set -eu

for dir in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/libexec/postgresql* /opt/homebrew/opt/postgresql*/bin \
    /usr/local/opt/postgresql*/bin "$(pg_config --bindir 2>/dev/null || true)"; do
    [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] || continue
    # "postgres (PostgreSQL) 15.18 (Debian ...)": the digits before the first dot, or before "beta1".
    major=$("$dir/postgres" --version | sed -n 's/^postgres ([^)]*) \([0-9]*\).*/\1/p')
    [ "${major:-0}" -ge 15 ] && echo "$major $dir"
done | sort -n | tail -n 1 | cut -d ' ' -f 2- | grep .
