# Needs only make and Python >= 3.11; everything else goes into .venv. PYTHON=python3.12 chooses among several Pythons.
VENV := .venv
BIN := $(VENV)/bin
INSTALL := @PYTHON="$(PYTHON)" sh scripts/install.sh
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup setup-dev setup-bench demo test lint bench clean

setup:
	$(INSTALL)

setup-dev:
	$(INSTALL) dev

setup-bench:
	$(INSTALL) bench

# An agent of our own from nothing, one that imitates it from its hands, then a round-robin with the built-in ones. In
# Leduc, where that takes seconds, a portfolio adapts to two opponents that it was prepared for and to one that it was not.
DEMO := results/demo
RIVALS := tight-aggressive loose-aggressive example-player
PREPARED := always-call tight-passive loose-aggressive always-raise
MET := always-call loose-aggressive tight-aggressive

demo: setup
	rm -rf $(DEMO)
	$(BIN)/kibitz train blueprint quick --only nolimit --out $(DEMO)
	for rival in $(RIVALS); do \
	  $(BIN)/kibitz match $(DEMO)/quick-nolimit $$rival --hands 5000 --log $(DEMO)/logs/$$rival.log || exit 1; done
	$(BIN)/kibitz imitate build $(DEMO)/logs --expert quick-nolimit --workers 2 --out $(DEMO)/imitator.parquet
	$(BIN)/kibitz adapt build $(PREPARED) --game leduc --out $(DEMO)/portfolio
	for opponent in $(MET); do \
	  $(BIN)/kibitz adapt trace $(DEMO)/portfolio $$opponent --out $(DEMO)/against-$$opponent.jsonl || exit 1; done
	$(BIN)/kibitz tournament --with $(DEMO)/quick-nolimit --with $(DEMO)/imitator.parquet \
	  $(MET:%=--trace $(DEMO)/against-%.jsonl) --out $(DEMO)
	@echo "Play these agents, browse their strategies and this tournament: $(BIN)/kibitz web $(DEMO)"

# An empty compilation cache: a stale one would test yesterday's kernels. A sixth of the time goes into compiling, of
# which -O1 takes a fifth less than numba's -O3; what one worker has compiled, the other loads. Two workers with more than
# one BLAS thread each wait for one another.
test: setup-dev
	rm -rf .cache/numba-test
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
	  echo "No chromium and chromedriver here: tests of the page in a browser are skipped."
	OPENBLAS_NUM_THREADS=1 NUMBA_OPT=1 NUMBA_CACHE_DIR=$(CURDIR)/.cache/numba-test $(BIN)/python -m pytest --numprocesses 2 --dist worksteal --durations 10

lint: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup-bench
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) .cache results build dist
