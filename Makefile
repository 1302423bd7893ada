# Each target sets up its own .venv; nothing else is needed but Python 3.11 or newer, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.dev
PLAIN := $(VENV)/.plain
DOCS := $(VENV)/.docs
CASADI := .venv-casadi
PEERS := .venv-peers

.PHONY: demo test test-all test-peers fuzz lint bench casadi docs docs-check stubs forms clean

demo: $(PLAIN)
	$(BIN)/python -m soadyn demo

test: $(READY)
	$(BIN)/python -m pytest -m "not slow" -n auto

test-all: $(READY)
	$(BIN)/python -m pytest -n auto

# Beside Drake, TRAC-IK, toppra and Crocoddyl, in an environment of their own (Linux, Python 3.11 to 3.13).
test-peers: $(PEERS)/.ready
	$(PEERS)/bin/python -m pytest -m peers --no-skips

$(PEERS)/.ready: pyproject.toml
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -e ".[peers]" hypothesis mpmath pytest
	touch $@

# Random trials: make fuzz SECONDS=60 SEED=7. The base seed is printed; a failure is printed with how to repeat it.
SECONDS ?= 600
SEED ?=
fuzz: $(READY)
	$(BIN)/python tests/fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python benchmarks/peers.py

# What the benchmarks need for CasADi's generated C; it brings Eigen for Pinocchio's C++ loop as well. The package wants
# another Pinocchio than the dev extra, so it has an environment of its own; there are wheels of it for Python 3.11 and older (make casadi PYTHON=python3.11).
casadi: $(CASADI)/.ready

$(CASADI)/.ready:
	$(PYTHON) -m venv $(CASADI)
	$(CASADI)/bin/python -m pip install --quiet --disable-pip-version-check cmeel-casadi-kin-dyn
	touch $@

# The site: build/docs/index.html. It is read from files; neither the build nor its pages ask the network for anything.
docs: $(DOCS)
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --jobs auto -b html docs build/docs
	@touch build/docs/index.html
	@echo "open build/docs/index.html"

# Links, search and pages of the site in a headless Chromium.
docs-check: docs $(READY)
	$(BIN)/python -m pytest tests/site

forms: $(READY)
	SOADYN_CACHE=off PYTHONPATH=tests/support $(BIN)/python tests/support/forms.py

stubs: $(READY)
	$(BIN)/python docs/make_stubs.py
	$(BIN)/ruff format --quiet src/soadyn/robot/typed.pyi

clean:
	rm -rf $(VENV) $(CASADI) $(PEERS) build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip

# The plain install is what a user has; the extras let the demo draw and make a page.
$(PLAIN): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[plot,view]"
	touch $@

$(DOCS): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@ $(PLAIN)

$(READY): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@ $(PLAIN)
