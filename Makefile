# Needs Python 3.11 to 3.13 and make; everything else goes into .venv.

PYTHON ?= python3
PYTEST_ARGS ?=
BENCH ?= throughput

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# One thread per test process: torch would otherwise start one per core in each of them.
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup demo test lint format wheel-test check bench clean distclean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: $(READY) ## Create .venv with all that development needs

demo: $(READY) ## Train an opponent, let it play the other agents: about 4 minutes
	$(BIN)/mages demo

test: $(READY) ## Run the tests; PYTEST_ARGS="-k name" for some of them
	$(BIN)/pytest -n 2 $(PYTEST_ARGS)

lint: $(READY) ## Check style, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" sh tools/typecheck.sh

format: $(READY) ## Format the code and mend what ruff can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

wheel-test: $(READY) ## Build the wheel, install it, test it from another folder
	PATH="$(CURDIR)/$(BIN):$$PATH" sh tools/wheel_test.sh

check: lint test wheel-test ## All checks, exactly what CI runs

bench: $(READY) ## Run a benchmark: BENCH=throughput, peers, strength, ...
	$(BIN)/python -m benchmarks.$(BENCH)

clean: ## Remove what was built; .venv stays
	rm -rf build dist demo_out *.egg-info .coverage htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -not -path './$(VENV)*' -prune -exec rm -rf {} +

distclean: clean ## Remove .venv as well
	rm -rf $(VENV) $(VENV)-wheel

$(READY): pyproject.toml setup.py constraints.txt mages_env/_version.py
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
		echo "$(PYTHON) is not a Python 3.11, 3.12 or 3.13. Name one: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV); the first time this downloads PyTorch and takes some minutes."
	"$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[train,test]"
	@touch $@
