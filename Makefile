# Everything happens in .venv, built here from pyproject.toml's ranges and constraints.txt's pins, in
# stages: .venv/linked has the command and its few dependencies, .venv/audit what the audit needs as
# well, .venv/site what the site needs besides, .venv/ready everything. A target asks for the stage
# that it needs and no more.
# What it takes: git, make, and a Python of 3.11 or newer with venv. `make PYTHON=...` chooses one.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install run run-audit test engines slow shares costs broker browser plans long check style types imports \
	generated native generate fuzz executions mutants mutate sparks \
	explore matrix patches consequences noise forms printers rules pictures docs links bench page package \
	clean FORCE

VENV := .venv
BIN := $(VENV)/bin
PIP := PYTHONWARNINGS='ignore:Editable installation' $(BIN)/python -m pip --disable-pip-version-check
EDITABLE := --no-build-isolation --config-settings editable_mode=strict --editable
ROOMS := $(patsubst %/py.typed,%,$(wildcard */py.typed))
# One more than there are cores, as many a test waits for a process.
ON_ALL_CORES := --numprocesses $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist
CORE := $(wildcard codec/native/Cargo.toml codec/native/*.rs codec/native/src/*.rs)
SAY := @printf '\n== %s\n'

# Tests start hundreds of interpreters: without cached bytecode each of them compiles kproto again.
unexport PYTHONDONTWRITEBYTECODE

# $(call install,WHAT) runs pip, prints a line for each large download and for each phase, and fails
# where pip fails. A plain loop, since mawk reads a pipe in blocks and dash knows no pipefail.
define install
@{ $(PIP) install --constraint constraints.txt --progress-bar off $(1) || echo FAILED; } | \
	while read -r line; do case "$$line" in \
		FAILED) exit 1 ;; \
		Downloading*MB\) | 'Using cached'*MB\) | 'Building wheel for'*) \
			echo "   $$line" | sed 's/-[cp][py][0-9][^ ]*//; s/.tar.gz//' ;; \
		'Installing collected packages:'*,*) \
			echo "   Installing $$(echo "$$line" | tr , '\n' | wc -l) packages" ;; \
	esac; done
endef

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
	$(BIN)/kproto story --full --pager never tests/vectors/captures/three-clients.pcap
	$(SAY) 'That was the command with its own few dependencies. The audit of a fleet needs more.'
	@$(MAKE) --no-print-directory run-audit

run-audit: $(VENV)/audit
	$(SAY) 'The groups of a real broker, from its offsets topic; compiling comes first, the first time:'
	$(BIN)/kproto audit tests/vectors/captures/offsets-topic --out build/audit --replace \
		--fail-on never
	$(SAY) 'The page of this audit is build/audit/report.html. `make help` lists what else there is.'

install: $(VENV)/ready  ## bring .venv up to date, after a file was added or removed

# Tests that wait for other programs, or measure, may fail because the machine is busy. What failed
# runs once more, alone; both outcomes are shown.
TWICE = $(BIN)/pytest $(1) $(2) || { test $$? = 1 && \
	printf '\n== %s\n' 'Once more, alone, what failed.' && \
	$(BIN)/pytest $(1) --last-failed --last-failed-no-failures none; }

test: $(VENV)/ready  ## run the tests; codec/ has to be covered to the last branch
	$(SAY) 'Running the tests of codec/, with their coverage: a minute or two.'
	$(BIN)/pytest tests/codec --cov $(UNCOVERED) $(ON_ALL_CORES) loadfile
	$(SAY) 'Running all other tests: some minutes.'
	$(call TWICE,--ignore tests/codec,$(ON_ALL_CORES) loadfile)

# Without the core nothing covers the lines that call it.
UNCOVERED = $$($(BIN)/python -c 'import kproto.codec._core' 2>/dev/null || \
	{ echo '   No compiled core: coverage is not required.' >&2; echo --cov-fail-under=0; })

# Every run the same: examples (tests/conftest.py), and the order of sets. `make fuzz` varies both.
test: export PYTHONHASHSEED := 0
# Of the files that take longest, test and slow run an eighth of the tests, and shares the others.
test slow shares: export KPROTO_SHARE ?= 1/8

engines: export KPROTO_REQUIRE_CORE :=
engines: export KPROTO_ENGINE := python
engines: $(VENV)/ready  ## the tests of what the compiled core does, without it
	$(SAY) 'Running the tests of codec/, of columns and of logs on the Python engine.'
	$(call TWICE,$(ON_ENGINES),$(ON_ALL_CORES) worksteal)

ON_ENGINES := tests/codec tests/pipeline/test_columnar.py tests/capture/test_text_log.py \
	tests/fuzz/test_mutators.py

slow: $(VENV)/ready  ## tests of other people's clients, and those that measure time
	$(SAY) 'Running the slow tests. The first time, clients are fetched and built.'
	$(call TWICE,-m 'slow and not long and not other_share',$(ON_ALL_CORES) loadfile)
	$(SAY) 'Running the tests that measure time, one at a time.'
	$(call TWICE,-m timing)

shares: $(VENV)/ready  ## the seven eighths that `make test` and `make slow` leave out of the longest files
	$(SAY) 'Running the other shares of the tests of the files that take longest.'
	$(call TWICE,-m 'other_share and not (broker or browser)',$(ON_ALL_CORES) loadfile)

costs: $(VENV)/ready  ## what each of some ten thousand hostile inputs costs, in time and calls
	$(SAY) 'Running every row of tests/tools/hostile.py; make long runs some of each.'
	$(call TWICE,-m costs,$(ON_ALL_CORES) worksteal)

# SHORT=1 leaves out what waits for a minute and more, and with KPROTO_SHARE=1/8 more of the rest.
broker: BROKER := broker and not plans$(if $(SHORT), and not long and not other_share)
broker: $(VENV)/ready  ## real consumers on a real broker, against the simulation and the audit
	$(SAY) 'Starting six brokers, and consumers on them: most of the time is waiting.'
	$(call TWICE,-m '$(BROKER)',--numprocesses 6 --dist worksteal)

plans: $(VENV)/ready  ## carry out every plan that kproto prints, with real members: 30 minutes
	$(SAY) 'Carrying out the plans of clients/plans.json, and trying the cells of clients/abilities.json.'
	$(call TWICE,-m plans,--numprocesses 2 --dist worksteal)

# TESTS=FILE... runs those of some files alone.
long: $(VENV)/ready $(if $(TESTS),,page)  ## tests that take long: a real Spark cluster, whole timeouts, every planted fault
	$(SAY) 'Running the long tests.'
	$(call TWICE,-m 'long and not broker',$(TESTS))
ifeq ($(TESTS)$(shell command -v cargo >/dev/null || echo none),)
	@$(MAKE) --no-print-directory executions SHARE=0.01
endif

# SHORT=1 leaves out what is long, and with KPROTO_SHARE=1/8 all but an eighth.
browser: BROWSER := browser$(if $(SHORT), and not long and not other_share)
browser: $(VENV)/ready page  ## the page in a real Chromium, against the command: 4 minutes
	$(SAY) 'Running the tests of the page in a browser.'
	$(call TWICE,-m '$(BROWSER)',tests/browser --numprocesses 2 --dist loadfile)

# Each release of PySpark goes before that of .venv, whose other packages it uses. JAVA_HOME names a
# Java that all of them run on: 17.
SPARKS := 3.5 4.0 4.1 4.3
SPARK_TESTS := $(addprefix tests/pipeline/test_,dataframes.py functions.py audit_spark.py lakes.py)
SPARK_SOURCES := $(addprefix tests/pipeline/test_,offsets_source.py broker_source.py follow_spark.py)
sparks: $(VENV)/ready $(SPARKS:%=build/sparks/%/ready)  ## the audit on Spark 3.5 to 4.3, Delta and Iceberg tables too: 25 minutes
	@for release in $(SPARKS); do \
		printf '\n== %s\n' "Running the tests of the audit on Spark $$release."; \
		case $$release in 3.*) sources= ;; *) sources='$(SPARK_SOURCES)' ;; esac; \
		build/sparks/$$release/bin/python -m pytest -W default --disable-warnings \
			-m 'not (broker or timing)' $(SPARK_TESTS) $$sources || exit 1; \
	done

build/sparks/%/ready: | $(VENV)/ready
	$(SAY) 'Installing PySpark $* beside $(VENV): 0.4 GB.'
	@$(BIN)/python -m venv --without-pip build/sparks/$*
	@$(PIP) --python build/sparks/$* install --quiet 'pyspark==$*.*'
	@echo "import site; site.addsitedir('$$($(BIN)/python -c 'import site; print(*site.getsitepackages())')')" \
		> $$(build/sparks/$*/bin/python -c 'import site; print(*site.getsitepackages())')/beside.pth
	@touch $@

check: style types imports generated native docs  ## style, types, import rules, generated code, the site

style: $(VENV)/ready
	$(SAY) 'Checking style.'
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/ready
	$(SAY) 'Checking types.'
	$(BIN)/mypy
	MYPYPATH=docs/_ext $(BIN)/mypy docs/_ext docs/conf.py

imports: $(VENV)/ready
	$(SAY) 'Checking who imports whom.'
	$(BIN)/lint-imports --no-logo

generated: $(VENV)/ready
	$(SAY) 'Checking that codec/messages is what schemas/ says.'
	$(BIN)/python -m kproto.codec.generate codec/messages --check

# The crate is tested without `extension-module`: a test program links libpython itself.
native: export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
native: $(VENV)/linked
ifneq ($(shell command -v cargo),)
	$(SAY) 'Checking the compiled core: format, lints, its own tests.'
	cd codec/native && cargo fmt --check && \
		cargo clippy --quiet --release --features executions -- -D warnings && \
		cargo test --quiet --no-default-features --features executions
else
	$(SAY) 'No cargo here: the compiled core is not checked.'
	@test -z "$$KPROTO_REQUIRE_CORE"
endif

generate: $(VENV)/ready  ## write codec/messages anew from schemas/, and what pages have of the code
	$(BIN)/python -m kproto.codec.generate codec/messages
	$(BIN)/python docs/_ext/made.py

# SHORT=1 draws a third of the examples.
fuzz: export KPROTO_EXAMPLES := $(if $(SHORT),20)
fuzz: SEED := $(or $(SEED),$(shell date +%s))
fuzz: $(VENV)/ready  ## a campaign of a minute over every invariant, and property tests drawn anew
	$(SAY) 'Fuzzing from seed $(SEED). A finding is a folder of build/fuzz/findings:'
	@echo '   kproto fuzz replay FOLDER puts its input through the same check again.'
	$(BIN)/kproto fuzz run --time 1m --jobs 2 --seed $(SEED) --out build/fuzz
	$(SAY) 'Drawing the examples of all property tests anew, from the same seed.'
	@echo '   make fuzz SEED=$(SEED) draws them again. What fails is in build/fuzz/properties.xml,'
	@echo '   with a line @reproduce_failure that repeats it; keep the input as an @example.'
	HYPOTHESIS_PROFILE=fresh KPROTO_SEED=$(SEED) $(BIN)/pytest --hypothesis-seed=$(SEED) \
		-m '(hypothesis or rng) and not (broker or browser or long or slow or timing)' $(ON_ALL_CORES) loadfile \
		--junit-xml build/fuzz/properties.xml

# Three builds of the core, all with the loop of codec/native/src/executions.rs: as it is; with a
# counter at each branch; and with a check of every address, whose runtime comes first in the process.
# The latter takes nightly flags on the pinned toolchain: nothing of these is installed.
# RUNS=... names some of core, coverage, address, python and java; SHARE=0.01 does a hundredth.
SANCOV := sanitizer-coverage
SETTINGS_coverage := CARGO_PROFILE_RELEASE_LTO=off
SETTINGS_address := RUSTC_BOOTSTRAP=1
FLAGS_coverage := -Cpasses=sancov-module \
	$(addprefix -Cllvm-args=-$(SANCOV)-,level=3 inline-8bit-counters pc-table)
FLAGS_address := -Zsanitizer=address -Zexternal-clangrt
EXECUTIONS := build/executions
executions: $(VENV)/ready $(EXECUTIONS)/core.so $(EXECUTIONS)/coverage.so $(EXECUTIONS)/address.so  ## 1,210 million mutated messages through all readers and writers: 25 minutes on two cores
	$(SAY) 'Executing. What is ended goes on where it was; SEED=2 draws other messages.'
	nice $(BIN)/python -m tests.codec.executions --share $(or $(SHARE),1) --seed $(or $(SEED),1) \
		$(if $(RUNS),--runs $(RUNS))

$(EXECUTIONS)/%.so: export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
$(EXECUTIONS)/%.so: $(CORE) | $(VENV)/ready
	$(SAY) 'Building the compiled core for executions: $*.'
	cd codec/native && $(SETTINGS_$*) RUSTFLAGS='$(FLAGS_$*)' \
		cargo build --quiet --release --features executions --target x86_64-unknown-linux-gnu \
		--target-dir $(CURDIR)/$(EXECUTIONS)/$*
	cp $(EXECUTIONS)/$*/x86_64-unknown-linux-gnu/release/lib_core.so $@

# PARTS=... names some of codec, guarantees, identify, groups and audit.
mutate: $(VENV)/mutate  ## mutants of kproto itself, SAMPLE=300 of each part: which ones does no test notice?
	nice $(BIN)/python -m tests.mutate --sample $(or $(SAMPLE),300) --seed $(or $(SEED),1) \
		$(if $(PARTS),--parts $(PARTS)) --out docs/reference/mutants.md

mutants: $(VENV)/ready  ## faulty decoders and encoders: the kit has to find every one
	$(BIN)/python -m tests.fuzz.mutants.by_campaign
	$(BIN)/python -m tests.fuzz.mutants.by_conform
	$(BIN)/python -m tests.fuzz.mutants.by_difference
	$(if $(SHORT),,$(BIN)/python -m tests.fuzz.mutants.by_change)

explore: $(VENV)/ready  ## search groups for what goes wrong, from a fresh seed; findings: build/explore
	$(BIN)/python -m tests.rebalance.simulation.explore --out build/explore

# ONLY=NAME... tries those alone.
patches: $(VENV)/ready  ## fetch clients, and try the patches of docs/findings/patches: half an hour
	$(SAY) 'Trying patches of other people'"'"'s clients; what their tools print is in build/patches.'
	$(BIN)/python -m tests.clients.run_patches $(ONLY)

# ONLY=NAME... measures those alone, and prints how often they are predicted right.
matrix: $(VENV)/ready  ## measure all clients anew: docs/matrix, lint --readers and how often it is right
	$(BIN)/kproto conform --matrix $(ONLY:%=--adapter %) --out docs/matrix
	mv docs/matrix/readers.json clients/readers.json
	$(BIN)/python -m tests.clients.measure_readers \
		$(or $(ONLY),--out docs/reference/readers-measured.md)

consequences: $(VENV)/ready  ## measure anew what becomes of real consumers that read deviating bytes: 15 minutes
	$(BIN)/python -m tests.broker.measure_consequences --out clients/groups.json

noise: $(VENV)/ready  ## decode 2,000 logs and sources of this machine, which hold no messages, and no groups
	$(BIN)/python -m tests.benchmarks.find_messages
	$(BIN)/python -m tests.benchmarks.find_events

forms: $(VENV)/ready  ## measure anew which texts are read right: docs/explanation/text-forms.md
	$(BIN)/python -m tests.benchmarks.bench_text --rounds 25 --seed 18 --out docs/explanation/text-forms.md

printers: export KPROTO_SEED := $(or $(SEED),$(shell date +%s))
printers: export KPROTO_MESSAGES := 100
printers: $(VENV)/ready  ## read what xxd, gdb, tcpdump, kcat and others print of fresh messages
	$(SAY) 'A hundred messages of the seed $(KPROTO_SEED), through each program that is installed.'
	$(BIN)/pytest -m 'slow or broker' tests/tools/test_printers.py tests/broker/test_printers.py

rules: $(VENV)/ready  ## measure anew how often the audit's rules are right: docs/reference/rules-measured.md
	$(BIN)/python -m tests.benchmarks.bench_rules --check --out docs/reference/rules-measured.md

pictures: $(VENV)/ready  ## draw the pictures of the documents anew
	-$(BIN)/kproto decode 00010000000100066f7264657273ffffffff --svg docs/pictures/decode.svg
	$(BIN)/kproto story --full tests/vectors/captures/three-clients.pcap --svg docs/pictures/story.svg
	-$(BIN)/kproto migrate tests/vectors/captures/offsets-topic --with-members \
		--group=coop-java+ck --svg docs/pictures/migrate.svg
	$(BIN)/kproto simulate compare protocols --svg docs/pictures/protocols.svg
	$(BIN)/kproto simulate eager-against-cooperative \
		--svg docs/pictures/eager-against-cooperative.svg

SITE := $(BIN)/python -m sphinx --fail-on-warning --keep-going --fresh-env --quiet docs
docs: $(VENV)/site  ## build the documentation: build/docs/index.html
	$(SAY) 'Building the documentation: half a minute.'
	@rm -rf build/docs
	$(SITE) build/docs
	@echo '   Open build/docs/index.html.'

links: $(VENV)/site  ## ask the network whether the documentation's links to other sites lead somewhere
	$(SITE) build/links --builder linkcheck

bench: $(VENV)/ready  ## measure against the peers; the machine should be quiet
	$(BIN)/python tests/benchmarks
	$(BIN)/python -m tests.benchmarks.bench_assignors
	$(BIN)/python -m tests.benchmarks.bench_broker_assignors
	$(BIN)/python -m tests.benchmarks.bench_captures
	$(BIN)/python -m tests.benchmarks.bench_story --check
	$(BIN)/python -m tests.benchmarks.bench_fuzz
	$(BIN)/python -m tests.benchmarks.bench_fuzz_client --decoders 10
	$(BIN)/python -m tests.benchmarks.bench_fuzz_export
	$(BIN)/python -m tests.benchmarks.bench_columnar
	$(BIN)/python -m tests.benchmarks.bench_python_engine
	$(BIN)/python -m tests.benchmarks.bench_fleet
	$(BIN)/python -m tests.benchmarks.bench_driver
	$(BIN)/python -m tests.benchmarks.bench_group_list
	$(BIN)/python -m tests.benchmarks.bench_growth
	$(BIN)/python -m tests.benchmarks.bench_local
	$(BIN)/python -m tests.benchmarks.bench_spark
	$(BIN)/python -m tests.benchmarks.bench_text --log 100

package: $(VENV)/package  ## the source distribution, the wheel and that of the page, in build/dist, and checked
	$(SAY) 'Building the source distribution, and the wheel from it.'
	@rm -rf build/dist kproto.egg-info  # the latter remembers files that are gone
	$(BIN)/python -m build --no-isolation --outdir build/dist
ifneq ($(shell command -v npm),)
	@$(MAKE) --no-print-directory page
	$(SAY) 'Building the wheel of the page.'
	$(BIN)/python -m kproto.browser.wheel build/page/site build/dist
else
	@echo '   No npm here: the wheel of the page is not built.'
endif
	$(SAY) 'Checking what an index would show of them.'
	$(BIN)/twine check --strict build/dist/*

# The downloads have their own hashes: they are fetched again where the list changes.
page: $(VENV)/linked build/page/downloads/ready  ## build the page where one pastes: build/page/site/index.html
	$(SAY) 'Building the page: half a minute.'
	$(BIN)/python -m kproto.browser.build build/page/downloads build/page/site
	@echo '   Serve it:  python3 -m http.server --directory build/page/site'
	@echo '   or open build/page/site/kproto.html, which has everything inside.'

build/page/downloads/ready: browser/downloads.toml | $(VENV)/linked
	$(SAY) 'Fetching Pyodide and wheels for WebAssembly: 10 MB.'
	$(BIN)/python -m kproto.browser.downloads build/page/downloads
	@touch $@

clean:  ## remove what make has built
	rm -rf $(VENV) build dist *.egg-info .coverage .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache

# The environment. pip comes first: the one in a new environment is as old as its Python.
$(VENV)/started: pyproject.toml constraints.txt
	@test -n '$(PYTHON)' || { echo 'kproto needs Python 3.11 or newer with venv' \
		'(on Debian the package python3-venv); make PYTHON=... names one.' >&2; exit 1; }
	$(SAY) 'Building $(VENV) with $(PYTHON): pip and setuptools first.'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(call install,--upgrade pip setuptools setuptools-rust)
	@touch $@

# A strict editable install links the files one by one: a new or a removed file asks for it again,
# a changed one does not. $(VENV)/files changes only when the list does.
$(VENV)/linked: $(VENV)/started $(VENV)/files $(CORE)
	$(SAY) 'Linking kproto into $(VENV), with what the command needs (50 MB the first time).'
	@command -v cargo >/dev/null || echo '   No cargo here: messages are read and written by Python.'
	@rm -rf build/__editable__.*  # the name of the folder depends on whether there is a core
	$(call install,$(EDITABLE) .)
	@# setuptools-rust puts the compiled core beside its package's sources, and links nothing.
	@for core in codec/_core.*.*; do \
		test ! -e $$core || ln -sf $(CURDIR)/$$core build/__editable__.*/kproto/codec/; done
	@$(BIN)/python -m compileall -q build/__editable__.*  # even where Python may not write caches
	@touch $@

$(VENV)/files: FORCE | $(VENV)/started
	@find $(ROOMS) -type f ! -name '*.py[co]' ! -path '*/target/*' | LC_ALL=C sort > $@.now
	@if cmp -s $@.now $@; then rm $@.now; else mv $@.now $@; fi

# kproto is there by now, so these add what its extras need and do not link it anew.
$(VENV)/audit: pyproject.toml constraints.txt | $(VENV)/linked
	$(SAY) 'Installing what the audit needs: Arrow and NumPy, 240 MB.'
	$(call install,'kproto[audit]')
	@touch $@

$(VENV)/site: pyproject.toml constraints.txt | $(VENV)/audit
	$(SAY) 'Installing what the site needs: Sphinx, 100 MB.'
	$(call install,--group docs)
	@touch $@

# gssapi has no wheels for Linux: it is built where Debian's libkrb5-dev is.
KERBEROS := $(if $(shell command -v krb5-config),'kproto[kerberos]')

$(VENV)/ready: pyproject.toml constraints.txt | $(VENV)/linked
	$(SAY) 'Installing what tests and checks need: 95 packages, 1.6 GB in all. It takes minutes.'
	$(call install,--group dev 'kproto[all]' $(KERBEROS))
	@touch $@ $(VENV)/audit $(VENV)/site

$(VENV)/mutate: pyproject.toml constraints.txt | $(VENV)/ready
	$(call install,--group mutate)
	@touch $@

$(VENV)/package: pyproject.toml constraints.txt | $(VENV)/linked
	$(call install,--group package)
	@touch $@
