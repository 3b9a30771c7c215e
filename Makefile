# Two commands from a bare checkout: `make demo` and `make test`. Both make their own .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint types unit soak fuzz audit bench endurance judges results pages pictures clean

demo: .venv/demo
	$(BIN)/homing demo

test: lint types unit

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

# More processes than a small machine has cores: a third of the time is spent waiting for delays.
# Bytecode is kept even where the environment says not to: the tests start Python hundreds of times.
unit: .venv/dev
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 4 --dist worksteal

# The long versions of tests/hazards/machine: fifty kills, full disks, a locked database. A quarter of an hour.
soak: .venv/dev
	$(BIN)/python -m tests.hazards.soak

# Breeds hostile pages and archives, half of the time each; what breaks lies in .fuzz.
FUZZ_SECONDS ?= 600
fuzz: .venv/dev
	$(BIN)/pip install --quiet --group fuzz
	for target in pages archives; do \
		$(BIN)/python -m tests.fuzz.guided $$target --seconds $$(($(FUZZ_SECONDS) / 2)) || exit 1; \
	done

# Known vulnerabilities of all that is installed. Asks PyPI, so it is no part of the tests.
audit: .venv/dev
	$(BIN)/pip install --quiet --group audit
	$(BIN)/pip freeze --exclude-editable > .venv/audited.txt
	$(BIN)/pip-audit --strict --no-deps --disable-pip --requirement .venv/audited.txt

bench: .venv/dev
	$(BIN)/python -m benchmarks

# A crawl of 100,000 pages; make bench has one of 20,000.
endurance: .venv/dev
	$(BIN)/python -m benchmarks.crawls.endurance --pages 100000

# Needs the recorded webs; see experiments/judges/comparison.py.
judges: .venv/dev
	$(BIN)/python -m experiments.judges --split test --every 2 --others 300

# docs/results.md. Needs the recorded webs, and hours; see experiments/README.md.
RUNS := experiments/lab/runs
results: .venv/dev
	for name in wikispeedia webkb wikispeedia-curves wikispeedia-variants wikispeedia-on-topic wikispeedia-index \
		wikispeedia-adaptive webkb-adaptive; do \
		$(BIN)/homing lab run experiments/lab/$$name.toml --out $(RUNS)/$$name || exit 1; \
	done
	$(BIN)/python -m experiments.adaptive.trials ../shared/data/webs $(RUNS)/adaptive-trials.json
	$(BIN)/python -m experiments.adaptive.limits $(RUNS)/adaptive-limits.json
	$(BIN)/python -m experiments.results_page $(RUNS)
	$(BIN)/python -m experiments.adaptive.page $(RUNS)

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

# docs/strategies.md from the docstrings, the keys in docs/configuration.md and the options of the commands
# (src/homing/cli/settings.json) from the sections of the configuration,
# docs/reliability.md from the suites (which it needs); tests tell when they are out of date.
pages: .venv/dev
	$(BIN)/python docs/strategies.py
	$(BIN)/python docs/configuration.py
	test ! -d ../shared/data/suites || $(BIN)/python -m tests.suites

pictures: .venv/dev
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/screenshots.py
	test -d examples/little-web || $(BIN)/homing lab import --little-web 1 --out examples/little-web
	$(BIN)/homing lab run examples/experiment.toml --out examples/run
	cp examples/run/pictures/recall.svg docs/lab.svg
