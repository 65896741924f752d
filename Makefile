# Everything a person or a machine needs; CONTRIBUTING.md says when.
PREFIX ?= /usr/local

# CI promises that there is no warning and no undeclared import.
ifeq ($(CI),true)
export VIGIL_WARNINGS_AS_ERRORS = 1
endif

# The detection loops use the vector instructions of the processor they are built for, here this
# machine's; CPU=x86-64 builds for any. The results are the same.
CPU ?= native
ifeq ($(shell uname -m),x86_64)
RELEASE = -c release -Xcc -march=$(CPU)
BENCHMARK_FLAGS = -Xcc -march=$(CPU)
else
RELEASE = -c release
endif

.PHONY: build demo check test test-nightly docs lint check-docs check-install check-monitoring check-budget bench \
  bench-regress quality install uninstall setup setup-tests build-tests library wheel package image test-library build-time

build: setup
	swift build $(RELEASE) --product vigil
	@echo 'built .build/release/vigil'

demo: build
	@scripts/demo

# Between two thoughts: the lint, and the tests of the pure core in a build of their own, which a change of the core
# does not have to wait for.
check: export VIGIL_ONLY_CORE = 1
check: lint setup
	scripts/tests build
	scripts/tests run

# Everything, with repetitions by the handful; test-nightly has many more.
test: build-tests
	scripts/run-tests

# What is too long for each change: all parts, or the one that PART names.
test-nightly: build-tests
	scripts/test-nightly $(or $(PART),all)

build-tests: setup-tests
	scripts/tests build

# The reference of the public API, from the modules that the tests have built; a warning is an error.
docs: build-tests
	scripts/make-docs

lint:
	scripts/lint

# Runs the commands of the tutorials; those for a server too where PGHOST is set.
check-docs: build
	scripts/check-docs "$$(swift build $(RELEASE) --show-bin-path)/vigil"

# Beside what Vigil is compared with; writes benchmarks/RESULTS.md.
bench: export VIGIL = $(CURDIR)/.build/release/vigil
bench: export BENCHMARK_FLAGS := $(BENCHMARK_FLAGS)
bench: build
	benchmarks/bench

# Valgrind counts the instructions, and does not know those of the newest processors.
bench-regress: CPU = x86-64

# Fails where a night, a release, an import or a backfill takes more instructions than benchmarks/regress.tsv says.
bench-regress: build
	benchmarks/regress .build/release/vigil

# How well the profiles detect, on simulated people: writes the tables and figures of docs/quality.md.
quality: setup
	swift build $(RELEASE) --product vigil-quality
	"$$(swift build $(RELEASE) --show-bin-path)/vigil-quality" measure --output docs

# Fails where the default of new databases raises more false alarms, or finds less, than docs/quality.md promises.
check-budget: build-tests
	scripts/check-budget --self-test "$$(scripts/tests folder)/vigil-quality"
	scripts/check-budget "$$(scripts/tests folder)/vigil-quality"

# The detection for other languages: a C library in .build-library/vigil, and a Python package with it.
library:
	scripts/make-library

wheel:
	scripts/make-wheel

# Both are for any processor of their kind: they run elsewhere than they are built.
package image: CPU = x86-64

# A package for Debian, with the units of systemd.
package: build
	scripts/make-package .build/release/vigil

# An OCI image with that package, by podman, buildah or docker.
image: build
	scripts/make-image "$$(scripts/make-package .build/release/vigil)"

# Compares both with the command line that the tests have built.
test-library: build-tests
	scripts/test-library

install: build
	scripts/install .build/release/vigil "$(DESTDIR)$(PREFIX)"

uninstall:
	scripts/install --remove "$(DESTDIR)$(PREFIX)"

# Installs the executable that the tests have built, into a folder of its own.
check-install: build-tests
	scripts/check-install "$$(scripts/tests folder)/vigil"

# What the dashboards and alerts of packaging/ read, in metrics files and a database that the vigil of the tests writes.
check-monitoring: build-tests
	scripts/check-monitoring "$$(scripts/tests folder)/vigil"

# How long the build and the tests take, by module and by suite: the table of CONTRIBUTING.md.
build-time: setup-tests
	scripts/build-time

setup:
	@scripts/setup

setup-tests:
	@scripts/setup --tests
