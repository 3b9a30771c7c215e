# Two commands from a bare checkout: `make demo` and `make test`. Both make their own .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint types unit bench judges pictures clean

demo: .venv/demo
	$(BIN)/homing demo

test: lint types unit

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

unit: .venv/dev
	$(BIN)/pytest -n 2 --dist worksteal

bench: .venv/dev
	$(BIN)/python -m benchmarks

# Needs the recorded webs; see experiments/judges.py.
judges: .venv/dev
	$(BIN)/python -m experiments.judges --split test --every 2 --others 300

# A stamp file a set of packages: installed again only when pyproject.toml changes.
.venv/bin/pip:
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip

.venv/demo: .venv/bin/pip pyproject.toml
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/dev: .venv/bin/pip pyproject.toml
	$(BIN)/pip install --quiet --editable . --group dev
	touch $@ .venv/demo

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache

pictures: .venv/dev
	$(BIN)/python docs/pictures.py
