# Needs only make and Python >= 3.11; everything else goes into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test lint bench clean

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	touch $@

# An agent of our own, from nothing, then a round-robin in which it meets the built-in ones.
demo: setup
	rm -rf results/demo
	$(BIN)/kibitz train quick --only nolimit --out results/demo
	$(BIN)/kibitz tournament --with results/demo/quick-nolimit --out results/demo

# An empty compilation cache: a stale one would test yesterday's kernels.
test: setup
	rm -rf .cache/numba-test
	NUMBA_CACHE_DIR=$(CURDIR)/.cache/numba-test $(BIN)/python -m pytest --numprocesses 2 --durations 10

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) .cache results build dist
