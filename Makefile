# What a person or CI types: `make demo` to look around, `make run` to use it, `make test` before a push.

# The queries were checked against a database once, into .sqlx: building needs none.
export SQLX_OFFLINE = true

# More arguments for the server: make run ARGS="--lan"
ARGS =

# The tests that run coding agents need tmux and npm's network; `make test` runs Codex's story, this one all of them.
AGENT_TESTS = real_agents::

.PHONY: run demo test test-agents check sqlx bench fuzz fmt

run:
	@scripts/setup.sh run
	cargo run --locked -- serve $(ARGS)

# A throw-away server with simulated agents; Ctrl-C removes it.
demo:
	@scripts/setup.sh demo
	cargo build --locked --bin countersign
	@exec "$${CARGO_TARGET_DIR:-target}/debug/countersign" demo

# Clippy reads every query against a fresh database on the way. The tests come last, so that the run ends with their own summary.
test:
	@scripts/setup.sh test
	cargo fmt --check
	scripts/sqlx.sh --check cargo clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps
	cargo deny --locked check --hide-inclusion-graph bans licenses sources
	cargo test --locked --lib --bins --test it

# One after the other: each agent wants the whole machine. A part: make test-agents AGENT_TESTS=real_agents::story::gemini
test-agents:
	@scripts/setup.sh test
	@scripts/agents.sh
	cargo test --locked --test it -- $(AGENT_TESTS) --include-ignored --test-threads=1

check:
	cargo check --locked --all-targets

# After a query or a migration changed.
sqlx:
	@scripts/setup.sh run
	scripts/sqlx.sh

# Rows by name: make bench ARGS="create read"; fewer and shorter: ARGS=--quick.
bench:
	@scripts/setup.sh run
	cargo bench --locked --bench ratios -- $(ARGS)

# Needs a nightly toolchain and `cargo install cargo-fuzz`. Minutes for each target: make fuzz MINUTES=5
MINUTES = 2
fuzz:
	@cargo fuzz --version >/dev/null 2>&1 || { echo "fuzz: cargo-fuzz is missing; run: cargo install cargo-fuzz" >&2; exit 3; }
	for target in lexer classifier; do \
		cargo +nightly fuzz run $$target -- -max_total_time=$$(( $(MINUTES) * 60 )) -dict=fuzz/shell.dict -max_len=8192 || exit 1; \
	done

fmt:
	cargo fmt
