# Two commands for a fresh machine with Python 3.11 or newer: `make demo` and `make test`.
# PIP_ARGS goes to pip, for instance to name an index of CPU builds of PyTorch.

PYTHON ?= python3
VENV ?= .venv
PIP_ARGS ?=
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# what the demo needs; everything, where everything is installed
DEMO_INSTALLED := $(or $(wildcard $(INSTALLED)),$(VENV)/.installed-demo)
# of `make test`, for two processors: tests wait for processes of their own
WORKERS ?= 3
# of `make nightly`, and minutes of `make fuzz` for each target of tests/fuzz
PAIRS ?= 200000
FUZZ_MINUTES ?= 10
export OMP_NUM_THREADS = 1
# else each of many processes, a thousand in the tests, would compile the modules that it imports
export PYTHONDONTWRITEBYTECODE =
export PAIRS FUZZ_MINUTES

.PHONY: demo install test test-browser test-long test-slow test-spark test-shared test-cuda test-lowest bench-quick audit nightly fuzz nightly-all docs pictures check

demo: $(DEMO_INSTALLED)
	@echo "A first result: what a filter finds in 2,000 generated sentences, and what it just misses (a few seconds)."
	@$(BIN)/fictc sample --sentences 2000 --pairs 0 --output runs/sample --force
	@$(BIN)/fictc show experiments/demo/npi-only.fict --corpus runs/sample/train.conllu --near-miss
	@echo
	@echo "The experiment: 30 small models learn from English with and without two constructions (4 to 5 minutes on two cores)."
	@begin=$$(date +%s); \
	$(BIN)/fictc run experiments/demo/manifest.toml && \
	echo "run: $$(($$(date +%s) - begin)) s"

install: $(INSTALLED)

# files of packages are compiled when they are first imported, which most are not
$(VENV)/.installed-demo: EXTRA = train
$(VENV)/.installed-demo: WHAT = what the demo needs, PyTorch above all (about a minute after the downloads)
$(INSTALLED): EXTRA = dev
$(INSTALLED): WHAT = everything for development and tests (about two minutes after the downloads)
$(INSTALLED) $(VENV)/.installed-demo: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "fictc needs Python 3.11 or newer; $(PYTHON) is: $$($(PYTHON) --version 2>&1)" >&2; \
	echo "Name a newer one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Installing into $(VENV) $(WHAT)."
	@begin=$$(date +%s); \
	$(PYTHON) -m venv $(VENV) && \
	$(BIN)/python -m pip install --quiet --no-compile $(PIP_ARGS) -c constraints.txt -e ".[$(EXTRA)]" && \
	touch $@ && \
	echo "install: $$(($$(date +%s) - begin)) s"

test: $(INSTALLED)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not slow and not spark and not browser and not long" -o faulthandler_timeout=300

# needs Chromium
test-browser: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "browser and not slow" -o faulthandler_timeout=300 tests/end_to_end

# tests that take five seconds or more
test-long: $(INSTALLED)
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "long and not slow" -o faulthandler_timeout=900

test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m slow

# needs Java 17 or newer
test-spark: $(INSTALLED)
	$(BIN)/python -m pip install --quiet $(PIP_ARGS) -c constraints.txt -e ".[spark]"
	$(BIN)/python -m pytest -m spark

# needs FICTC_DATA, the folder of the real treebanks and benchmarks
test-shared: $(INSTALLED)
	$(BIN)/python -m pytest -m shared

# needs a GPU, and the packages of PYTHON's own environment: installs nothing, skips what cannot be imported
test-cuda:
	$(PYTHON) -m tests.cuda

# the unit tests with every direct dependency at the lower bound of pyproject.toml, but PyTorch as in constraints.txt
LOWEST := $(VENV)-lowest
test-lowest:
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet $(PIP_ARGS) -c constraints.txt torch
	$(LOWEST)/bin/python -m pip install --quiet uv
	echo "torch; sys_platform == 'none'" > $(LOWEST)/without-torch.txt
	$(LOWEST)/bin/uv pip compile --quiet pyproject.toml --extra dev --resolution lowest-direct \
		--python $(LOWEST)/bin/python --override $(LOWEST)/without-torch.txt --output-file $(LOWEST)/lowest.txt
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --no-deps -r $(LOWEST)/lowest.txt -e .
	$(LOWEST)/bin/python -m pytest -n 2 -m "not slow and not spark" tests/unit tests/cases

# needs FICTC_DATA; 200,000 words and one run, to see that the benchmarks still run
bench-quick: $(INSTALLED)
	$(BIN)/python -m benchmarks lint
	for command in "count --runs 1" "explore --runs 1 --sets fict15" "filters --runs 1 --sets fict15 --peers" size \
			"write --runs 1" "rewrite --runs 1" "import --runs 1 --jobs 1"; do \
		$(BIN)/python -m benchmarks $$command --data .cache/bench --treebanks $(FICTC_DATA)/ud-ewt/*.conllu \
			--words 0.2 || exit 1; \
	done

# asks PyPI for the known vulnerabilities of every version in constraints.txt
audit: $(INSTALLED)
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/pip-audit --requirement constraints.txt --no-deps --disable-pip --strict

docs: $(INSTALLED)
	$(BIN)/mkdocs build --strict

# the pictures of the README; needs Chromium
pictures: $(INSTALLED)
	$(BIN)/fictc run experiments/demo/manifest.toml
	$(BIN)/python scripts/draw_readme.py runs/demo/report.html

nightly: $(INSTALLED)
	$(BIN)/python -m tests.properties.many --pairs $(PAIRS) --jobs 2
	$(BIN)/python -m tests.properties.many_rewrites --pairs $(PAIRS) --jobs 2

fuzz: $(INSTALLED)
	$(BIN)/python -m tests.fuzz --minutes $(FUZZ_MINUTES) --memory 4GB

# all that CI leaves out; `$(BIN)/python scripts/nightly_all.py PART...` runs some of it
nightly-all: $(INSTALLED)
	$(BIN)/python scripts/nightly_all.py

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/fictc lint filters
	$(BIN)/fictc fmt --check filters
	$(BIN)/fictc test filters --min 3
