# make demo   the main job on real input: a recorded session with real tools
# make check  while you work: what needs no server, network or long search; a program that is missing is no failure
# make test   everything a change must pass; .ci/run calls exactly this
# make deep   the properties with many random examples, for MINUTES=30 or so; TESTS=tests/core for some of them
# make mutants  small faults in the cores of edits, and which the tests miss; MUTANTS='mmtools.core.edits*' for some
# make bench  every speed claim against the raw limit of the same run

PYTHON ?= python3
BIN := .venv/bin
PYTHONS := pythons-3.12 pythons-3.13

MINUTES ?= 30
TESTS ?= tests
# Many tests wait for a server or a clock of another program: two at once keep a processor busy.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')

# Every worker, and every Python that a test starts, would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo check test install needs lint types tests pythons $(PYTHONS) frameworks deep mutants bench dist clean

demo: .venv/demo
	@$(BIN)/python examples/demo.py

check: lint types
	$(BIN)/pytest -q -n $(WORKERS) --quick $(TESTS)

# Side by side: the tests wait for servers now and then, and the others have environments of their own.
test: needs lint types
	@$(MAKE) --no-print-directory --output-sync=target -j3 tests frameworks $(PYTHONS)

install: .venv/dev

# Programs that the tests drive for real; asked for only where they are missing.
needs: .venv/lsp/done .venv/mcp/done .venv/acp/done
	@missing=""; for program in bash git patch go gopls; do command -v $$program >/dev/null || missing="$$missing $$program"; done; \
	missing=$$(echo "$$missing" | sed 's/\bgo\b/golang-go/'); \
	if [ -n "$$missing" ]; then \
		if command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq --no-install-recommends $$missing; \
		else echo "please install:$$missing" >&2; exit 1; fi; \
	fi

.venv/lsp/done: .venv/dev
	@command -v npm >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs npm; }
	npm install --loglevel=error --no-fund --no-audit --prefix .venv/lsp typescript-language-server@5 typescript@5
	@touch $@

.venv/mcp/done: .venv/lsp/done
	npm install --loglevel=error --no-fund --no-audit --prefix .venv/mcp \
		@modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem
	@touch $@

.venv/acp/done: .venv/lsp/done
	npm install --loglevel=error --no-fund --no-audit --prefix .venv/acp acpx@0.1.15 @agentclientprotocol/sdk@2.4.0
	@touch $@

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

tests: .venv/dev
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal $(TESTS)

# Other Pythons, where they are here; the shims of pyenv hide those that are not its global ones.
pythons: $(PYTHONS)

$(PYTHONS): .venv/dev
	PYENV_VERSION=$$(pyenv versions --bare 2>/dev/null | paste -sd: -) \
		$(BIN)/nox -s $@ --no-error-on-missing-interpreters

# Frameworks that pin against each other, each in an environment of its own.
frameworks: .venv/dev
	$(BIN)/nox --no-stop-on-first-error --error-on-missing-interpreters

# Again and again, each time with other examples. One test may take long here, and none for ever.
deep: .venv/dev
	@end=$$(( $$(date +%s) + 60 * $(MINUTES) )); \
	while $(BIN)/pytest -q -n $(WORKERS) -m hypothesis --hypothesis-profile=deep --timeout=3600 -o faulthandler_timeout=3700 $(TESTS); do \
		[ $$(date +%s) -lt $$end ] || exit 0; \
	done; exit 1

# `mutmut show NAME` shows one, and a second run tries only what has changed.
mutants: .venv/mutants
	$(BIN)/mutmut run $(if $(MUTANTS),'$(MUTANTS)')
	@$(BIN)/mutmut results | grep -v 'not checked' || true

bench: .venv/dev
	@for file in benchmarks/bench_*.py benchmarks/hosting/bench_acp.py benchmarks/hosting/bench_mcp_server.py; do \
		name=$$(echo $${file%.py} | tr / .); echo "== $$name"; $(BIN)/python -m $$name || exit 1; done
	@$(BIN)/nox -s bench

dist: .venv/dev
	$(BIN)/python -m build

clean:
	rm -rf .venv build dist mutants .hypothesis .mypy_cache .ruff_cache .pytest_cache

.venv/demo: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/demo

.venv/mutants: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check 'mutmut>=3.8,<4'
	@touch $@
