# Sourced by other scripts, from the top of the repository: a Postgres for a few seconds, in a folder that goes with it.
# shellcheck shell=sh
# Gives $work (the folder) and $bin (the programs), and pg_up, as_pg, sql, pg_down.

bin=$(scripts/pg-bin.sh) || { echo "no Postgres 15 or newer found" >&2 && exit 3; }
work=$(mktemp -d /tmp/countersign-pg.XXXXXX)
mkdir "$work/pg"

# Postgres refuses root.
if [ "$(id -u)" = 0 ]; then
    chmod 711 "$work" && chown postgres "$work/pg"
    as_pg() { (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"); }
else
    as_pg() { "$@"; }
fi

# pg_up [SETTING...]: each setting reads name=value.
pg_up() {
    options="-c listen_addresses='' -c unix_socket_directories='$work/pg'"
    for setting in "$@"; do options="$options -c $setting"; done
    as_pg "$bin/initdb" -D "$work/pg" -U postgres -A trust -N --no-locale -E UTF8 >/dev/null
    as_pg "$bin/pg_ctl" -D "$work/pg" -w -l "$work/pg/log" -o "$options" start >/dev/null
}

# sql DATABASE [psql arguments...]
sql() {
    database=$1
    shift
    PGOPTIONS='-c client_min_messages=warning' \
        "$bin/psql" -XqAt -v ON_ERROR_STOP=1 -h "$work/pg" -U postgres "$@" "$database"
}

pg_down() {
    [ ! -f "$work/pg/postmaster.pid" ] || as_pg "$bin/pg_ctl" -D "$work/pg" -m immediate stop >/dev/null
    rm -rf "$work"
}
