# The two commands of README: `make conform` runs the suite on the built-in implementation,
# `make test` passes the tests. Both set up .venv first; that is quick when nothing changed.
# `make check` runs the tests that `make test` leaves out, and the random ones with more examples.
# RETRY=1 runs the tests that failed once more, after the others.
PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -q --durations=15 --durations-min=3
TEST := tests features -m "not slow" --numprocesses=auto --dist=worksteal
CHECK := tests -m "slow or hypothesis" --hypothesis-profile=check --numprocesses=auto --dist=worksteal
AGAIN := --last-failed --last-failed-no-failures none
COMPILE := --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock"

# Empty means: write compiled modules. Without them, each process that a test starts compiles the package again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup conform test check faults lint deviations switches limits fields compare-attempts conformance results site language-server kube-allocator karpenter-allocator kube-control-plane misreadings mutants mutants-of-admission mutants-of-circumstances mutants-of-extended-resources mutants-of-footprint mutants-of-quota mutants-of-scheduling bench feature-interactions live-results wheel faulty-wrappers clean lock bench-search

setup: .venv/.ready

.venv/.ready: pyproject.toml locks/development.txt
	$(PYTHON) -c 'import sys; sys.exit("dra-conform needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement locks/development.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

conform: setup
	mkdir -p out
	$(BIN)/dra-conform run --html out/report.html --json out/report.json --junit out/junit.xml --markdown out/report.md --events out/events.ndjson

test: setup
	$(PYTEST) $(TEST) $(if $(RETRY),|| $(PYTEST) $(TEST) $(AGAIN))

check: setup
	$(PYTEST) $(CHECK) $(if $(RETRY),|| $(PYTEST) $(CHECK) $(AGAIN))

# All faulty DRA drivers, kubelets, arithmetic and first causes, of which `make check` tries some; and new random values.
faults: setup
	DRA_CONFORM_ALL_FAULTS=1 $(PYTEST) tests/quality/test_wrong_drivers.py tests/quality/test_other_drivers.py \
		tests/quality/test_wrong_kubelets.py tests/quality/test_other_kubelets.py tests/quality/test_first_cause.py \
		tests/sweep --numprocesses=auto --dist=worksteal
	$(PYTEST) tests -m hypothesis --hypothesis-profile=random --numprocesses=auto --dist=worksteal

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/lint/plain_words.py
	$(BIN)/dra-conform lint

deviations: setup
	$(BIN)/dra-conform requirements --deviations > docs/deviations.md

switches: setup
	$(BIN)/python tools/docs/switches.py > docs/switches.md

limits: setup
	$(BIN)/python tools/docs/limits.py cases > golden/api/limits.yaml
	$(BIN)/python tools/docs/limits.py page > docs/limits.md

# The search against the real allocator (make kube-allocator): its results must be equal in every row.
bench-search: setup
	$(BIN)/python tools/bench/run.py placing search

feature-interactions: setup
	$(BIN)/python tools/docs/device_choice_interactions.py > golden/dra/feature-interactions-of-three.yaml
	$(BIN)/python tools/docs/node_usage_interactions.py > golden/kep-5517/feature-interactions-of-three.yaml
	$(BIN)/python tools/docs/kubelet_sequences.py > golden/kubelet/sequences.yaml

fields: setup
	$(BIN)/python tools/docs/fields.py > docs/fields.md

conformance: setup
	$(BIN)/python tools/docs/conformance.py

# Run published results of an older suite again, and write them. DRIVERS is a folder of built drivers, as in examples/drivers.
results: setup
	$(BIN)/python tools/docs/published_results.py $(if $(DRIVERS),--drivers $(DRIVERS))

site: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "out/site/index.html"

language-server: setup
	npm install --silent --no-audit --no-fund --prefix out/language-server yaml-language-server@1
	PATH="$(CURDIR)/out/language-server/node_modules/.bin:$$PATH" $(BIN)/python -m pytest -q tests/language_server

kube-allocator:
	tools/kube-allocator/build.sh

# Somebody else's allocator: docs/real-allocators.md says what comes of it.
karpenter-allocator:
	tools/karpenter-allocator/build.sh

kube-control-plane:
	tools/kube-control-plane/build.sh

# Random attempts to schedule pods put to kube-scheduler's plugins and to the built-in: 5,000 on each release, ten minutes.
compare-attempts: setup kube-control-plane
	$(BIN)/python -m tests.support.kube_parts.compare schedule --release v1.36.3 --count 5000 --shrink --show 1
	$(BIN)/python -m tests.support.kube_parts.compare schedule --release v1.37.1 --count 5000 --shrink --show 1

# The whole suite on a control plane of each release, two hours on two cores.
live-results: setup kube-control-plane
	$(BIN)/python tools/docs/live_results.py

# Mutants and other faulty implementations are tried by as many processes as there are cores, by WORKERS=N, or on the scheduler CLUSTER=ADDRESS.
WHO := $(if $(CLUSTER),--cluster $(CLUSTER),$(if $(WORKERS),--workers $(WORKERS)))

mutants: setup
	$(BIN)/python -m tests.faulty.mutants.allocation $(WHO)

mutants-of-circumstances: setup
	$(BIN)/python -m tests.faulty.mutants.circumstances $(WHO)

mutants-of-admission: setup
	$(BIN)/python -m tests.faulty.mutants.admission $(WHO)

mutants-of-extended-resources: setup
	$(BIN)/python -m tests.faulty.mutants.extended_resources $(WHO)

mutants-of-footprint: setup
	$(BIN)/python -m tests.faulty.mutants.footprint $(WHO)

mutants-of-quota: setup
	$(BIN)/python -m tests.faulty.mutants.quota $(WHO)

mutants-of-scheduling: setup
	$(BIN)/python -m tests.faulty.mutants.scheduling $(WHO)
	$(BIN)/python -m tests.faulty.mutants.reported_bugs $(WHO)

misreadings: setup
	$(BIN)/python -m tests.faulty.changed_builtin.catalogue $(WHO)

faulty-wrappers: setup
	$(BIN)/python -m tests.faulty.implementations.wrappers $(WHO)

# Everything but the search, which bench-search holds against the real allocator.
bench: setup
	$(BIN)/python tools/bench/run.py scheduling schedule_command scenarios footprint quota admission runner allocator capacity selectors \
		kube_allocator

wheel: setup
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

# Newer versions of what is installed: the two locks, what the wheel says of them, and their licences.
lock: setup
	$(BIN)/uv pip compile $(COMPILE) pyproject.toml --output-file locks/runtime.txt
	$(BIN)/uv pip compile $(COMPILE) pyproject.toml --all-extras --group dev --output-file locks/development.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement locks/development.txt
	$(BIN)/python tools/supply/sbom.py > locks/sbom.cdx.json
	$(BIN)/python tools/supply/licences.py > docs/licences.md

clean:
	rm -rf .venv out dist
