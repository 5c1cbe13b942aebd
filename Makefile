# Everything happens in .venv, built here from pyproject.toml's ranges and constraints.txt's pins.
# What it takes: git, make, and a Python of 3.11 or newer with venv. `make PYTHON=...` chooses one.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install run test broker long check style types imports generated generate fuzz mutants \
	explore matrix pictures bench clean FORCE

VENV := .venv
BIN := $(VENV)/bin
PIP := PYTHONWARNINGS='ignore:Editable installation' $(BIN)/python -m pip --disable-pip-version-check --quiet
EDITABLE := --no-build-isolation --config-settings editable_mode=strict --editable
ROOMS := $(patsubst %/py.typed,%,$(wildcard */py.typed))
ON_ALL_CORES := --numprocesses auto --dist
CORE := $(wildcard codec/native/Cargo.toml codec/native/*.rs codec/native/src/*.rs)
SAY := @printf '\n== %s\n'

# Debian has venv without ensurepip until python3-venv is installed; pyenv has names on the path
# that run nothing. So each candidate is asked, not looked up.
FITS := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach python,python3.11 python3.12 python3.13 python3.14 python3,\
	$(shell $(python) -c '$(FITS)' 2>/dev/null && echo $(python))))

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/make \1\t\2/p' Makefile | expand -t 16

run: $(VENV)/linked  ## show what kproto does, on what real clients have sent
	$(SAY) 'What a Java consumer sent when it joined its group:'
	$(BIN)/kproto decode tests/vectors/captures/java-sticky.hex
	$(SAY) 'What KafkaJS 2.1.0 sent; it cannot be read to its end, so the exit status is 1:'
	$(BIN)/kproto decode --as ConsumerProtocolSubscription tests/vectors/captures/kafkajs.hex; \
		test $$? -eq 1
	$(SAY) 'From a packet capture to the story of a group:'
	$(BIN)/kproto decode --no-pager tests/vectors/captures/three-clients.pcap
	$(SAY) "The groups of a real broker, from its offsets topic; the page is build/audit/report.html:"
	$(BIN)/kproto audit tests/vectors/captures/offsets-topic --out build/audit --replace \
		--fail-on never

install: $(VENV)/linked  ## bring .venv up to date, after a file was added or removed

test: $(VENV)/linked  ## run the tests; codec/ has to be covered to the last branch
	$(SAY) 'Running the tests.'
	$(BIN)/pytest tests/codec --cov $(ON_ALL_CORES) worksteal
	$(BIN)/pytest --ignore tests/codec $(ON_ALL_CORES) loadfile

broker: $(VENV)/linked  ## real consumers on a real broker, against the simulation and the audit
	$(SAY) 'Starting a broker, and consumers on it.'
	$(BIN)/pytest -m broker

long: $(VENV)/linked  ## tests that take long: a real Spark cluster, whole timeouts
	$(SAY) 'Running the long tests.'
	$(BIN)/pytest -m long

check: style types imports generated  ## style, types, import rules, generated code

style: $(VENV)/linked
	$(SAY) 'Checking style.'
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/linked
	$(SAY) 'Checking types.'
	$(BIN)/mypy

imports: $(VENV)/linked
	$(SAY) 'Checking who imports whom.'
	$(BIN)/lint-imports --no-logo

generated: $(VENV)/linked
	$(SAY) 'Checking that codec/messages is what schemas/ says.'
	$(BIN)/python -m kproto.codec.generate codec/messages --check

generate: $(VENV)/linked  ## write codec/messages anew from schemas/
	$(BIN)/python -m kproto.codec.generate codec/messages

# The generator formats with the ruff of the constraints, not with one that happens to be around.
generated generate: export PATH := $(CURDIR)/$(BIN):$(PATH)

fuzz: $(VENV)/linked  ## a campaign of a minute over every invariant
	$(BIN)/kproto fuzz run --time 1m --jobs 2 --out build/fuzz

mutants: $(VENV)/linked  ## faulty decoders and encoders: the kit has to find every one
	$(BIN)/python -m tests.fuzz.mutants.by_campaign
	$(BIN)/python -m tests.fuzz.mutants.by_conform

explore: $(VENV)/linked  ## every order in which things can happen to a small group: half an hour
	HYPOTHESIS_PROFILE=deep $(BIN)/pytest tests/rebalance/simulation -k explor

matrix: $(VENV)/linked  ## measure all clients anew: docs/matrix, and the table of lint --readers
	$(BIN)/kproto conform --matrix --out docs/matrix
	mv docs/matrix/readers.json inspector/readers.json

pictures: $(VENV)/linked  ## draw the pictures of the documents anew
	$(BIN)/kproto decode tests/vectors/captures/three-clients.pcap --svg docs/pictures/story.svg

bench: $(VENV)/linked  ## measure against the peers; the machine should be quiet
	$(BIN)/python tests/benchmarks
	$(BIN)/python -m tests.benchmarks.bench_assignors
	$(BIN)/python -m tests.benchmarks.bench_captures
	$(BIN)/python -m tests.benchmarks.bench_fuzz
	$(BIN)/python -m tests.benchmarks.bench_columnar
	$(BIN)/python -m tests.benchmarks.bench_fleet
	$(BIN)/python -m tests.benchmarks.bench_growth
	$(BIN)/python -m tests.benchmarks.bench_spark

clean:  ## remove what make has built
	rm -rf $(VENV) build dist *.egg-info .coverage .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache

# The environment. pip comes first: the one in a new environment is as old as its Python.
$(VENV)/ready: pyproject.toml constraints.txt
	@test -n '$(PYTHON)' || { echo 'kproto needs Python 3.11 or newer with venv' \
		'(on Debian the package python3-venv); make PYTHON=... names one.' >&2; exit 1; }
	$(SAY) 'Building $(VENV) with $(PYTHON): a few minutes the first time.'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --upgrade pip setuptools setuptools-rust
	$(PIP) install --constraint constraints.txt --group dev $(EDITABLE) '.[all]'
	@touch $@

# A strict editable install links the files one by one: a new or a removed file asks for it again,
# a changed one does not. $(VENV)/files changes only when the list does.
$(VENV)/linked: $(VENV)/ready $(VENV)/files $(CORE)
	@rm -rf build/__editable__.*  # the name of the folder depends on whether there is a core
	@$(PIP) install --no-deps $(EDITABLE) .
	@# setuptools-rust puts the compiled core beside its package's sources, and links nothing.
	@for core in codec/_core.*.*; do \
		test ! -e $$core || ln -sf $(CURDIR)/$$core build/__editable__.*/kproto/codec/; done
	@$(BIN)/python -m compileall -q build/__editable__.*  # even where Python may not write caches
	@touch $@

$(VENV)/files: FORCE | $(VENV)/ready
	@find $(ROOMS) -type f ! -name '*.py[co]' ! -path '*/target/*' | LC_ALL=C sort > $@.now
	@if cmp -s $@.now $@; then rm $@.now; else mv $@.now $@; fi
