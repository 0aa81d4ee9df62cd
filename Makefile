# Everything a newcomer needs: `make play` and `make test`. Each target does its own set-up.
# PYTHON is the first that suits; given on the command line, .venv is made by it.
SUITS := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell for name in python3 python3.13 python3.12 python3.11; do $$name -c '$(SUITS)' 2> /dev/null && echo $$name && break; done)
PYTHON := $(or $(PYTHON),python3)
endif
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest --dist worksteal
BROWSER := .venv/browser.stamp
DOCS := .venv-docs
SETUP := ready-setup
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --quiet --no-header
# A Node of our own, where the machine has none.
export PATH := $(CURDIR)/.node/bin:$(PATH)

.PHONY: help setup client play site test quick check bench docs studies schema wheel lock clean

help:  ## show what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-7s %s\n", $$1, $$2}'

# Make what a target needs, unless it is there.
ready-%:
	@$(PYTHON) -c '$(SUITS)' 2> /dev/null || { echo "Tavolino needs Python 3.11, 3.12 or 3.13; $(PYTHON) is $$($(PYTHON) --version 2> /dev/null || echo not there)." \
		"Install one of them, or name it: make PYTHON=/path/to/python3.12 …"; exit 1; }
	@$(PYTHON) tools/setup.py $* $(if $(filter command environment,$(firstword $(origin PYTHON))),--this-python)

client: ready-client  ## build the page

setup: $(SETUP)  ## make .venv with everything locked, for those who work on it

play: ready-play  ## play now, in the browser (in the terminal: tavolino play)
	@TAVOLINO_BY_MAKE=1 $(BIN)/tavolino serve --open $(ARGS)

site: ready-client  ## write the page without a server into build/site, for any web host
	@$(BIN)/tavolino site --out build/site $(ARGS)

$(BROWSER): tools/browser.py tools/nginx.py | ready-test
	@$(BIN)/python tools/browser.py
	@$(BIN)/python tools/nginx.py
	@touch $@

# Many tests start Python anew: what it makes of the sources is kept, wherever the environment says otherwise.
test quick: export PYTHONDONTWRITEBYTECODE :=

# A third of the tests' time is waiting, for servers and browsers: with a process more than there are cores it is used.
test: ready-test $(BROWSER)  ## run all tests (compiles the rules first)
	@(cd web && npm test --silent) > .venv/vitest.log 2>&1 & page=$$!; \
	$(BIN)/tavolino warm --all && $(PYTEST) -n 3 $(ARGS); failed=$$?; \
	wait $$page || failed=1; cat .venv/vitest.log; exit $$failed

quick: ready-test  ## run what is quick, while you work: under a minute once compiled
	@$(PYTEST) -n 2 -m "not cluster and not wheel and not learners and not slow" $(ARGS)

check: ready-check  ## style, types, layers, the table of clauses, the client's types
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

bench: ready-bench  ## measure beside the peers: all of it, even if a mark is missed on the way
	@missed=0; \
	$(BIN)/tavolino bench $(ARGS) || missed=$$?; \
	echo "The tables server: 50 tables without thinking time, boardgame.io in the same way; 1,000 open tables"; \
	$(BIN)/python bench/load.py --peer || missed=$$?; \
	$(BIN)/python bench/load.py --open 1000 --every 5 || missed=$$?; \
	echo "The page in a browser, and the time each level takes for a move"; \
	$(BIN)/python -m pytest -q bench/page.py bench/levels.py || missed=$$?; \
	echo "Rules and bots as WebAssembly, beside native code"; \
	$(BIN)/python -m pytest -q -s bench/wasm.py || missed=$$?; \
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

wheel: ready-wheel  ## build a wheel that compiles nothing where it is installed, and try it in a clean environment
	@$(BIN)/python -m tools.wheel
	@$(BIN)/python -m pytest -n 0 -m wheel tests/wheel $(ARGS)

lock:  ## write the locks anew from pyproject.toml (needs uv)
	$(LOCK) pyproject.toml --group dev -o requirements.lock
	$(LOCK) pyproject.toml --group dev --group bench -c requirements.lock -o requirements-bench.lock
	$(LOCK) pyproject.toml --group play -c requirements.lock -o requirements-play.lock
	$(LOCK) --group node -o requirements-node.lock
	$(LOCK) --group docs -o requirements-docs.lock

clean:  ## remove what make made
	rm -rf .venv .node $(DOCS) site build dist web/node_modules src/tavolino/server/static
