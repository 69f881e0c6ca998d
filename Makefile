# make demo    set everything up and run the arena on this machine
# make manage run a command of the arena's beside the demo: make manage ARGS="open_ladder perevodnoy 3"
# make test    install what the tests need and run all of them on the real parts
# make check   the quick part of the tests, for while you work
# make bench   benchmarks, as ratios against a baseline of the same run
# make lock    pin the dependencies anew, with hashes

SHELL := /bin/bash
PORT ?= 8000
ARENA_DATA ?= data
BASE_PYTHON := $(shell for p in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
UV := UV_PYTHON_DOWNLOADS=never $(BIN)/uv
PYTEST := $(BIN)/python -m pytest
JOBS ?= 2

.PHONY: demo manage test check lint bench lock clean

demo: $(VENV)/.demo
	@ARENA_DATA="$(ARENA_DATA)" exec $(BIN)/python -m arena.demo --port $(PORT)

manage: $(VENV)/.demo
	@ARENA_DATA="$(ARENA_DATA)" $(BIN)/python manage.py $(ARGS)

test: system-packages $(VENV)/.test lint
	$(PYTEST) -n $(JOBS) --dist loadgroup -q -m "not alone and not browser"
	$(PYTEST) -q -m "alone or browser"

check: $(VENV)/.test lint
	$(PYTEST) -n $(JOBS) --dist loadgroup -q -m "not slow and not docker and not alone and not browser"

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/python -m bench

.PHONY: system-packages
system-packages:
	@tests/system-packages.sh

$(VENV)/.base: requirements/bootstrap.txt
	@test -n "$(BASE_PYTHON)" || { echo "Python 3.11 or newer is needed. On Debian or Ubuntu: apt-get install python3 python3-venv"; exit 1; }
	@$(BASE_PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Making the virtual environment with $(BASE_PYTHON)"
	@$(BASE_PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bootstrap.txt
	@touch $@

$(VENV)/.demo: $(VENV)/.base requirements/demo.txt pyproject.toml
	@echo "Installing the locked dependencies"
	@$(UV) pip install --python $(BIN)/python --require-hashes -r requirements/demo.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.test: $(VENV)/.demo requirements/test.txt
	@echo "Installing what the tests need"
	@$(UV) pip install --python $(BIN)/python --require-hashes -r requirements/test.txt
	@touch $@

lock:
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes requirements/bootstrap.in -o requirements/bootstrap.txt
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes requirements/build.in -o requirements/build.txt
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --extra server pyproject.toml -o requirements/server.txt
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --extra server --extra embedded pyproject.toml -o requirements/demo.txt
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --all-extras pyproject.toml -o requirements/test.txt

clean:
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
