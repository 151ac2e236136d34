# On a fresh machine with Python >= 3.11 and make: `make demo`, `make test`.
# Every verb sets up what it needs; .venv is made anew only when the lock has changed.

.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench lock lock-jars clean

# The first Python that is new enough; name another with `make PYTHON=/path/to/python`.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
LOCK := requirements/lock.txt
# Folder of the data of a benchmark, and which one; see benchmarks/README.md.
DATA ?=
SCENARIO ?= locomo

help:
	@echo "make demo    set up, start Neo4j, and watch a conversation being remembered"
	@echo "make test    set up, then lint, types, contracts and every test"
	@echo "make setup   only make .venv from the lock"
	@echo "make check   only lint, types and import contracts"
	@echo "make bench   measure recall: make bench [SCENARIO=locomo] DATA=folder [ARGS='--out result.json']"
	@echo "make lock    write requirements/lock.txt anew from pyproject.toml"
	@echo "make lock-jars  write graphmem/server/jars.lock anew with Maven"
	@echo "make clean   remove .venv and everything built; memories stay"

# The lock names hashes, so that what is installed is what was tested.
.venv/.locked: $(LOCK)
	@test -n "$(PYTHON)" || { echo "graphmem needs Python 3.11 or newer: install one, or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "making .venv ..."
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)
	@touch $@

.venv/.installed: .venv/.locked pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

setup: .venv/.installed

demo: setup
	@$(BIN)/graphmem demo

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/typing
	$(BIN)/lint-imports --no-logo

# A file to a worker, so that a server that a file shares is started once; in order, since the
# long ones come first.
test: check
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

bench: setup
	$(BIN)/python -m benchmarks.run $(SCENARIO) $(if $(DATA),--data "$(DATA)") $(ARGS)

# Reads the public index only, so that the lock depends on nothing of the machine that made it.
lock:
	@test -x $(BIN)/uv || { echo "run 'make setup' first" >&2; exit 2; }
	env -u UV_FIND_LINKS -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL $(BIN)/uv pip compile pyproject.toml \
		--quiet --no-config --universal --python-version 3.11 --all-extras --group dev \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links -o $(LOCK)

# Only for a new version of Neo4j or Graph Data Science; needs Maven.
lock-jars: setup
	$(BIN)/python scripts/lock_jars.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
