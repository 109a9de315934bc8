#!/bin/sh
# Tries the Dockerfile where no container engine runs: carries out its last stage in a folder and starts that with chroot.
#   scripts/container-rootfs.sh PROGRAM    PROGRAM is the built countersign, in place of the first stage
# Needs root and debootstrap. KEEP=DIR keeps the folder there and uses it again.
set -eu
cd "$(dirname "$0")/.."

program=${1:?"usage: scripts/container-rootfs.sh PROGRAM"}
[ "$(id -u)" = 0 ] || { echo "needs root" >&2 && exit 2; }
command -v debootstrap >/dev/null || { echo "needs debootstrap: apt-get install debootstrap" >&2 && exit 3; }

root=${KEEP:-$(mktemp -d /tmp/countersign-root.XXXXXX)}
mkdir -p "$root"
server=

clean_up() {
    [ -z "$server" ] || kill -9 "$(main_pid)" 2>/dev/null || :
    [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
    echo "NOT SO: $*" >&2
    exit 1
}

# The instructions of the last stage, one a line.
instructions() {
    sed -e '/^[[:space:]]*#/d' -e ':join' -e '/\\$/{N' -e 's/\\\n//' -e 'b join' -e '}' Dockerfile |
        awk '/^FROM/ { stage = "" } { stage = stage $0 "\n" } END { printf "%s", stage }' | grep .
}

# ["a", "b"] as words.
words() { echo "$1" | sed -e 's/^\[//' -e 's/\]$//' -e 's/", *"/ /g' -e 's/"//g'; }

# Namespaces of its own, as in a container: the program is process 1 there, and what it leaves behind ends with it.
inside() {
    user=$1
    shift
    unshare --mount --pid --fork sh -c '
        root=$1 user=$2; shift 2
        mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev/shm" &&
            exec chroot --userspec="$user" "$root" env -i "$@"' \
        inside "$root" "$user" PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$@"
}

user=root environment= entrypoint= arguments= health=
build() {
    instructions >"$root.instructions"
    while read -r instruction rest; do
        case $instruction in
        FROM)
            suite=$(echo "$rest" | sed 's/^debian:\([a-z]*\).*/\1/')
            [ -x "$root/bin/sh" ] || debootstrap --variant=minbase "$suite" "$root" >/dev/null
            mkdir -p "$root/dev/shm"
            ;;
        RUN) [ -e "$root/usr/local/bin/countersign" ] || inside "$user" DEBIAN_FRONTEND=noninteractive sh -c "$rest" >/dev/null ;;
        COPY) install -m 0755 "$program" "$root${rest##* }" ;;
        USER) user=$rest ;;
        ENV) environment="$environment $rest" ;;
        VOLUME) [ -d "$root$rest" ] || fail "the volume $rest is no folder" ;;
        ENTRYPOINT) entrypoint=$(words "$rest") ;;
        CMD) arguments=$(words "$rest") ;;
        HEALTHCHECK) health=$(words "${rest#*CMD }") ;;
        EXPOSE | STOPSIGNAL) ;;
        *) fail "this script does not know $instruction" ;;
        esac
    done <"$root.instructions"
    rm "$root.instructions"
}

# start: returns when it prints its ready line.
start() {
    rm -f "$root/output"
    # shellcheck disable=SC2086  # lists of words
    inside "$user" $environment $entrypoint $arguments >"$root/output" 2>&1 &
    server=$!
    until grep -q '^ready ' "$root/output"; do
        kill -0 "$server" 2>/dev/null || { cat "$root/output" >&2 && fail "it ended"; }
        sleep 0.1
    done
}

# The program itself, below a subshell and unshare. Its end is the end of all that it started.
main_pid() { pgrep -P "$(pgrep -P "$server")"; }

check_health() {
    # As `docker exec` does: in the namespaces of the running program.
    # shellcheck disable=SC2086
    nsenter --target "$(main_pid)" --mount --pid chroot --userspec="$user" "$root" \
        env -i PATH=/usr/local/bin:/usr/bin:/bin $environment $health >/dev/null || fail "the health check failed"
}

build
start
check_health
[ "$(stat -c %u "$root/data/pg")" != 0 ] || fail "the cluster belongs to root"
echo "started: $(grep '^ready ' "$root/output")"

kill -9 "$(main_pid)"
wait "$server" || :
start
check_health
echo "killed and started again: $(grep '^ready ' "$root/output")"

kill -TERM "$(main_pid)"
wait "$server" && code=0 || code=$?
server=
[ "$code" = 0 ] || { cat "$root/output" >&2 && fail "SIGTERM ended it with $code"; }
[ ! -e "$root/data/pg/postmaster.pid" ] || fail "Postgres was not stopped"
echo "holds: the image's file tree builds, starts, survives a kill, and stops cleanly"
