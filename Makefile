# One word per job. Everything installs itself into .venv and a cache; a fresh machine needs Python 3.11+, Node 20+, npm, make and git,
# and Chromium, which is installed with apt when it is missing.

PYTHON ?= python3
FUZZ ?= 200000
FAULTS ?= 1200
HOST_FAULTS ?= 200
PAGE_FAULTS ?= 500
UPSTREAM_MINUTES ?= 10
VIEW_MINUTES ?= 10
DEMO_PORT ?= 8100
SEED ?=
TESTS := not long
BIN := .venv/bin
SOURCES := $(shell find src -not -name '*.pyc' -not -name '__pycache__' 2>/dev/null)
SCRIPTS := src/cloche/web tests/web tests/interop/page tests/soak/page examples/host_fastapi/page src/cloche/cli/templates/host/page examples/demos/client
CHECKED := $(wildcard src tests examples tools benchmarks)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONDONTWRITEBYTECODE := 1
export DENO_DIR := $(CURDIR)/.venv/deno
export DENO_NO_UPDATE_CHECK := 1

.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help dev demo test check docs bench test-all test-engines test-pythons fuzz conformance security soak soak-host soak-page soak-upstream soak-view format npm browser web clean

help:
	@echo "make dev          set up, and open the playground with the examples"
	@echo "make demo         servers that are web pages, and a page that uses them (DEMO_PORT=$(DEMO_PORT))"
	@echo "make test         everything that must be green: checks, then all tests against the built wheel"
	@echo "make check        only ruff, mypy, the import contracts, and deno on the JavaScript"
	@echo "make web          bundle the JavaScript that pages get as one file, into src/cloche/web/dist"
	@echo "make docs         the pictures in docs/, and a run of the code in README.md and docs/"
	@echo "make bench        us and the other Python servers, in one run; writes benchmarks/RESULTS.md"
	@echo "make conformance  only the official conformance suite"
	@echo "make fuzz         $(FUZZ) fuzzed messages against stdio and HTTP"
	@echo "make security     every attack on the host, with and without the protection; writes the score to docs/security.md"
	@echo "make soak         $(FAULTS) faults put into client and server (SEED=… repeats a run), and a look at what came of it"
	@echo "make soak-host    $(HOST_FAULTS) faults between a page, a host and its servers, in a real browser (SEED=… repeats a run)"
	@echo "make soak-page    $(PAGE_FAULTS) faults between a page and servers in workers, frames, tabs and an extension (SEED=… repeats a run)"
	@echo "make soak-view    hostile views for $(VIEW_MINUTES) minutes beside a person who types and clicks (SEED=… repeats a run)"
	@echo "make soak-upstream  hostile servers beside an honest one for $(UPSTREAM_MINUTES) minutes (SEED=… repeats a run)"
	@echo "make test-engines the host and every attack in Firefox and WebKit, which are installed when they are missing"
	@echo "make test-pythons the tests that need no browser, on each of Python 3.11 to 3.14 that this machine has"
	@echo "make test-all     test in the whole browser, test-engines, test-pythons, fuzz, all soaks and bench"
	@echo "make format       let ruff and deno lay out the code"
	@echo "make clean        remove .venv and what tools left behind"

# The environment: development tools at exact versions.
.venv/.tools: pyproject.toml tools/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Cloche needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)")'
	@echo "installing the development tools into .venv (about a minute the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq pip==26.3
	@$(BIN)/python -m pip install -qq -c tools/constraints.txt --group dev
	@touch $@

# The package as users get it: tests run against this wheel, never against src/.
.venv/.wheel: .venv/.tools pyproject.toml README.md LICENSE $(SOURCES)
	@rm -rf .venv/wheel
	@$(BIN)/python -m build --wheel --no-isolation --outdir .venv/wheel . >.venv/build.log 2>&1 || { cat .venv/build.log; exit 1; }
	@$(BIN)/python -m pip install -qq --no-deps --force-reinstall .venv/wheel/*.whl
	@touch $@

npm:
	@$(PYTHON) tools/npm_tools.py tools/bundler tests/interop/node tests/conformance/node tests/browser/core/node tests/support/official_app/node tests/support/published_servers/node tests/dev/node tests/web/store/node tests/webmcp/node >/dev/null

# The browser, and the wheels that the tests need in its Python.
browser: .venv/.tools
	@$(PYTHON) -m tools.chromium --shell >/dev/null
	@$(BIN)/python -m tools.browser_wheels tests/browser/core/packages.txt >/dev/null

dev: .venv/.wheel
	@$(BIN)/cloche dev

demo: .venv/.wheel
	@$(BIN)/python -m tools.demos --port $(DEMO_PORT)

# Four files at a time: many tests wait for a process or a clock. The browser has no windows around its pages, except
# where it is under attack: those are three quarters of what a page costs. `make test-all` tests with the whole one.
test: check npm browser .venv/.wheel
	@CLOCHE_CHROMIUM="$${CLOCHE_CHROMIUM:-$$($(PYTHON) -m tools.chromium --shell)}" $(BIN)/python tools/run_tests.py -q -m "$(TESTS)" --numprocesses 4 --dist loadfile --no-loadscope-reorder

check: .venv/.tools
	@$(BIN)/ruff check -q --output-format=concise $(CHECKED)
	@$(BIN)/ruff format -q --check $(CHECKED) || { echo "the layout differs: make format"; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@PYTHONPATH=src $(BIN)/lint-imports --no-cache >.venv/imports.log || { cat .venv/imports.log; exit 1; }
	@$(BIN)/deno fmt -q --check $(SCRIPTS) || { echo "the layout differs: make format"; exit 1; }
	@$(BIN)/deno lint -q $(SCRIPTS)
	@$(BIN)/deno check -q --no-remote $(SCRIPTS)
	@$(BIN)/python -m tools.web_bundles --check

# The scripts that pages get as one file each. They are committed: only a change of JavaScript needs the bundler.
web: .venv/.tools
	@PYTHONPATH=src $(BIN)/python -m tools.protocol_facts
	@$(BIN)/python -m tools.web_bundles

format: .venv/.tools
	@$(BIN)/ruff check -q --fix $(CHECKED)
	@$(BIN)/ruff format -q $(CHECKED)
	@$(BIN)/deno fmt -q $(SCRIPTS)

docs: npm browser .venv/.wheel
	@$(BIN)/python -m tools.screenshots
	@$(BIN)/python -m tools.api_page
	@$(BIN)/pytest -q tests/docs

bench: npm browser .venv/.wheel
	@$(BIN)/python -m benchmarks

fuzz: .venv/.wheel
	@CLOCHE_FUZZ=$(FUZZ) $(BIN)/pytest -q tests/fuzz

conformance: npm .venv/.wheel
	@$(BIN)/pytest -q tests/conformance

security: browser .venv/.wheel
	@$(BIN)/python -m tests.attacks

test-engines: .venv/.wheel
	@$(BIN)/python -m tools.engines --install >/dev/null
	@$(BIN)/pytest -q tests/engines/in_engines.py
	@$(BIN)/python -m tests.attacks firefox webkit

test-pythons: npm browser .venv/.wheel
	@$(BIN)/python -m tools.pythons -m "$(TESTS)" --numprocesses 4 --dist loadfile --no-loadscope-reorder

soak: .venv/.wheel
	@$(BIN)/python -m tests.soak.transports --faults $(FAULTS) $(if $(SEED),--seed $(SEED))

soak-host: browser .venv/.wheel
	@$(BIN)/python -m tests.soak.host --faults $(HOST_FAULTS) $(if $(SEED),--seed $(SEED))

soak-page: browser .venv/.wheel
	@$(BIN)/python -m tests.soak.page --faults $(PAGE_FAULTS) $(if $(SEED),--seed $(SEED))

soak-view: browser .venv/.wheel
	@$(BIN)/python -m tests.soak.view --minutes $(VIEW_MINUTES) $(if $(SEED),--seed $(SEED))

soak-upstream: .venv/.wheel
	@$(BIN)/python -m tests.soak.upstream --minutes $(UPSTREAM_MINUTES) $(if $(SEED),--seed $(SEED))

test-all: TESTS :=
test-all: export CLOCHE_CHROMIUM = $(shell $(PYTHON) -m tools.chromium)
test-all: export CLOCHE_EVERY_SHUTDOWN = 1
test-all: test test-engines test-pythons fuzz soak soak-host soak-page soak-upstream soak-view bench

clean:
	@rm -rf .venv dist build .mypy_cache .ruff_cache .import_linter_cache .hypothesis .pytest_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
