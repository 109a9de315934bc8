#!/bin/sh
# Installs coding agents for the tests that run them, each at the version that its lock file pins; says what is missing.
#   scripts/agents.sh [codex] [gemini] [opencode]    all three by default
# They go into tests/agents/NAME/node_modules, which is not committed. Packages' own install scripts do not run.
set -eu
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- codex gemini opencode
for name in "$@"; do
    [ -f "tests/agents/$name/package-lock.json" ] || { echo "there is no agent $name; use codex, gemini or opencode" >&2 && exit 2; }
done
for program in node npm; do
    command -v "$program" >/dev/null || { echo "$program is missing; install it with: sudo apt-get install -y npm" >&2 && exit 3; }
done

# at_least MAJOR: whether node is so new.
at_least() { [ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -ge "$1" ]; }

for name in "$@"; do
    folder=tests/agents/$name
    if [ "$name" = gemini ] && ! at_least 20; then
        echo "Gemini CLI needs node 20 or newer, here is $(node --version); install a newer one and run this again." >&2
        exit 3
    fi
    # The lock file that is there belongs to what is there: the same one installs the same again.
    if cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed-lock.json"; then
        continue
    fi
    if [ "$name" = opencode ]; then
        # Not every registry has its programs for other machines, and `ci` wants all of them in the lock file.
        rm -rf "$folder/node_modules"
        npm install --no-save --prefix "$folder" --ignore-scripts --no-audit --no-fund
        # What its own install script does: the program for this machine takes its place.
        (cd "$folder/node_modules/opencode-ai" && node postinstall.mjs)
    else
        npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund
    fi
    cp "$folder/package-lock.json" "$folder/node_modules/.installed-lock.json"
done
