# Two commands for a fresh machine with Python 3.11 or newer: `make demo` and `make test`.
# PIP_ARGS goes to pip, for instance to name an index of CPU builds of PyTorch.

PYTHON ?= python3
VENV ?= .venv
PIP_ARGS ?=
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
export OMP_NUM_THREADS = 1

.PHONY: demo install test test-slow test-spark nightly fuzz docs check

demo: $(INSTALLED)
	@begin=$$(date +%s); \
	$(BIN)/fictc run experiments/demo/manifest.toml && \
	echo "run: $$(($$(date +%s) - begin)) s"

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "fictc needs Python 3.11 or newer; $(PYTHON) is: $$($(PYTHON) --version 2>&1)" >&2; \
	echo "Name a newer one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@begin=$$(date +%s); \
	$(PYTHON) -m venv $(VENV) && \
	$(BIN)/python -m pip install --quiet $(PIP_ARGS) -c constraints.txt -e ".[dev]" && \
	touch $@ && \
	echo "install: $$(($$(date +%s) - begin)) s"

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 -m "not slow and not spark" -o faulthandler_timeout=300

test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -m slow

# needs Java 17 or newer
test-spark: $(INSTALLED)
	$(BIN)/python -m pip install --quiet $(PIP_ARGS) -c constraints.txt -e ".[spark]"
	$(BIN)/python -m pytest -m spark

docs: $(INSTALLED)
	$(BIN)/mkdocs build --strict

nightly: $(INSTALLED)
	$(BIN)/python -m tests.properties.many --pairs 200000 --jobs 2

# ten minutes for each target of tests/fuzz
fuzz: $(INSTALLED)
	$(BIN)/python -m tests.fuzz --minutes 10 --memory 4GB

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/fictc lint filters
	$(BIN)/fictc fmt --check filters
	$(BIN)/fictc test filters --min 3
