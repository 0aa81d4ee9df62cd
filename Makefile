# Everything a newcomer needs: `make play` and `make test`. Each target does its own set-up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/setup.stamp
BENCH := $(VENV)/bench.stamp
BROWSER := $(VENV)/browser.stamp
DOCS := .venv-docs
NODE := web/node_modules/.package-lock.json
CLIENT := src/tavolino/server/static/index.html
WEB := $(shell find web/src web/public -type f ! -name '*.test.ts') web/index.html web/vite.config.ts web/svelte.config.js

.PHONY: help setup client play test check bench docs studies schema lock clean

help:  ## show what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-7s %s\n", $$1, $$2}'

$(SETUP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
		{ echo "Tavolino needs Python 3.11, 3.12 or 3.13; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 …"; exit 1; }
	@echo "Setting up $(VENV) (once, about a minute) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(BENCH): $(SETUP) requirements-bench.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	@touch $@

$(NODE): web/package.json web/package-lock.json
	@command -v npm > /dev/null || { echo "Building the browser client needs Node.js 20 or newer (nodejs.org); the wheel brings it built."; exit 1; }
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

$(CLIENT): $(NODE) $(WEB)
	@echo "Building the browser client …"
	@cd web && npm run --silent build -- --logLevel warn

client: $(CLIENT)  ## build the browser client

setup: $(SETUP)  ## make .venv with everything locked

play: $(SETUP) $(CLIENT)  ## play now, in the browser (in the terminal: tavolino play)
	@$(BIN)/tavolino serve --open $(ARGS)

$(BROWSER): $(SETUP) tools/browser.py tools/nginx.py
	@$(BIN)/python tools/browser.py
	@$(BIN)/python tools/nginx.py
	@touch $@

test: $(SETUP) $(CLIENT) $(BROWSER)  ## run all tests (compiles the rules first)
	@(cd web && npm test --silent) & page=$$!; $(BIN)/tavolino warm && wait $$page
	@$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

check: $(SETUP) $(NODE)  ## style, types, layers, the table of clauses, the client's types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python tools/clauses.py --check
	@$(BIN)/python tools/schema.py --check
	@$(BIN)/python tools/lessons.py --check
	@$(BIN)/python -m tools.observations --check
	@$(BIN)/python -m tools.protocol --check
	@cd web && npm run --silent check -- --output human

bench: $(BENCH)  ## measure beside the peers: all of it, even if a mark is missed on the way
	@missed=0; \
	$(BIN)/tavolino bench $(ARGS) || missed=$$?; \
	echo "The tables server: 50 tables without thinking time, boardgame.io in the same way; 1,000 open tables"; \
	$(BIN)/python bench/load.py --peer || missed=$$?; \
	$(BIN)/python bench/load.py --open 1000 --every 5 || missed=$$?; \
	exit $$missed

$(DOCS)/docs.stamp: requirements-docs.lock
	@echo "Setting up $(DOCS) for the documentation site (once) …"
	@$(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

docs: $(DOCS)/docs.stamp  ## build the documentation site into site/; a broken link fails
	@NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict $(ARGS)
	@echo "Built site/. To read it: $(PYTHON) -m http.server --directory site 8018"

studies: $(SETUP)  ## answer the questions of docs/studies anew (some minutes)
	@$(BIN)/python -m tools.studies $(ARGS)

schema: $(SETUP)  ## write the client's message types and lessons anew from the server's
	@$(BIN)/python tools/schema.py
	@$(BIN)/python tools/lessons.py

lock: $(SETUP)  ## write the locks anew from pyproject.toml (needs uv)
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --quiet --no-header -o requirements.lock
	uv pip compile pyproject.toml --group dev --group bench --universal --python-version 3.11 --generate-hashes --quiet --no-header -o requirements-bench.lock
	uv pip compile --group docs --universal --python-version 3.11 --generate-hashes --quiet --no-header -o requirements-docs.lock

clean:  ## remove what make made
	rm -rf $(VENV) $(DOCS) site build dist web/node_modules src/tavolino/server/static
