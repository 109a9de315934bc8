#!/bin/sh
# Installs what `make run`, `make demo` or `make test` needs and this machine lacks; says what to install where it cannot.
set -eu
cd "$(dirname "$0")/.."

goal=${1:?"usage: scripts/setup.sh run|demo|test"}
packages=

# want PACKAGE PROBE...: the package is missing when the probe fails.
want() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || packages="$packages $package"
}

program() { command -v "$1"; }
browser() { program chromium || program chromium-browser || program google-chrome; }

# Installing Debian's package makes a cluster of its own and starts it, which nobody asked for.
apt_install() {
    keep_quiet=/etc/postgresql-common/createcluster.d/countersign-setup.conf
    sudo_n mkdir -p "${keep_quiet%/*}"
    echo 'create_main_cluster = false' | sudo_n tee "$keep_quiet" >/dev/null
    sudo_n apt-get update -qq
    sudo_n env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" || failed=$?
    sudo_n rm -f "$keep_quiet"
    return "${failed:-0}"
}

sudo_n() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
    program apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
}

if ! command -v cargo >/dev/null; then
    echo "Rust is missing; install it from https://rustup.rs and run make again." >&2
    exit 3
fi
want build-essential program cc
want postgresql scripts/pg-bin.sh
if [ "$goal" != run ]; then
    want tmux program tmux
    want git program git
fi
if [ "$goal" = test ]; then
    want chromium browser
    want npm program npm
fi

if [ -n "$packages" ]; then
    # shellcheck disable=SC2086  # a list of words
    if may_install; then
        echo "Installing what is missing:$packages"
        apt_install $packages
    else
        echo "Missing on this machine:$packages" >&2
        if command -v apt-get >/dev/null; then
            echo "Install it with: sudo apt-get install -y$packages" >&2
        else
            echo "Those are Debian's package names; install what provides the same here" >&2
            echo "(a C compiler; Postgres 15 or newer with its server; for tests tmux, Chromium and npm), then run make again." >&2
        fi
        exit 3
    fi
fi

if [ "$goal" = test ]; then
    # The lock file that is there belongs to what is there: the same one installs the same again.
    folder=tests/browser
    if ! cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed-lock.json"; then
        npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund
        cp "$folder/package-lock.json" "$folder/node_modules/.installed-lock.json"
    fi
    scripts/agents.sh codex
    command -v cargo-deny >/dev/null || cargo install cargo-deny --locked
fi
