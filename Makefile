# The README's two commands. Both make .venv if it is missing and need only python3 and make.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
# A browser and the server wait for each other half of the time.
BROWSERS ?= 4

.PHONY: demo test lint style types tests lock messages

demo: .venv/.runtime
	$(BIN)/python manage.py demo --port $(PORT)

# The types are checked beside the tests: that would keep one core busy and leave the others idle.
test: style
	$(MAKE) --no-print-directory --jobs=2 types tests
	$(BIN)/python -m pytest -n $(BROWSERS) --dist worksteal tests/browser

tests: .venv/.development
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore=tests/browser

lint: style types

style: .venv/.development
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	git ls-files -z 'templates/*.html' | xargs -0 $(BIN)/djade --check --target-version 5.2
	$(BIN)/lint-imports

types: .venv/.development
	$(BIN)/mypy

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.runtime: requirements.lock | .venv/bin/python
	@echo "Installing what it needs into .venv: a minute or two."
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	@touch $@

.venv/.development: tests/requirements.lock .venv/.runtime
	$(BIN)/python -m pip install --quiet --require-hashes -r tests/requirements.lock
	@touch $@

# Collect the texts of the pages and compile their translations; needs GNU gettext. Translate between
# two runs: tests fail where a text is missing, fuzzy or not compiled.
messages: .venv/.runtime
	$(BIN)/python manage.py makemessages --locale es --locale pt --no-wrap --no-obsolete \
		--add-location file --ignore var --ignore tests
	$(BIN)/python manage.py compilemessages --locale es --locale pt --ignore .venv --ignore var

# Resolve the dependencies of pyproject.toml again; needs uv.
RESOLVE := uv pip compile --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	--no-header --python-version 3.11 pyproject.toml
lock:
	$(RESOLVE) -o requirements.lock
	$(RESOLVE) --group dev -c requirements.lock -o tests/requirements.lock
