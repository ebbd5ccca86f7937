# `make help` lists what can be made. The packages that are needed stand in Scripts/packages.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

SWIFT ?= swift
SWIFT_FLAGS ?= --explicit-target-dependency-import-check error
# Calls between modules are inlined, and the Swift runtime is a part of the program; docs/PERFORMANCE.md has the gain.
# Exclusive access is checked while tests run: those builds trap, this one saves what asking costs.
RELEASE_FLAGS ?= $(SWIFT_FLAGS) -c release --static-swift-stdlib -Xswiftc -cross-module-optimization \
	-Xswiftc -enforce-exclusivity=unchecked
SOURCES := Package.swift Sources Tests Benchmarks

# How long the long-running targets run, in seconds.
FUZZ_SECONDS ?= 600
PINHOLE_SOAK_SECONDS ?= 60

.PHONY: help demo test build release lint format sanitize sanitize-thread sanitize-address \
	fuzz soak soak-http2 bench engines audit-clients clean setup-build setup-demo setup-bench setup-test test-python

help: ## List the targets.
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | column -t -s '|' 2>/dev/null \
		|| sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1  \2/p' $(firstword $(MAKEFILE_LIST))

demo: setup-demo ## Show the proxy at work: real requests decrypted, recorded, exported.
	$(SWIFT) build $(RELEASE_FLAGS) --product pinhole
	.build/release/pinhole demo

test: setup-test lint test-python ## Check the format, build, and run every test.
	$(SWIFT) build $(SWIFT_FLAGS) --product pinhole
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" Scripts/run-tests $(SWIFT_FLAGS)
	Scripts/test-example

build: setup-build ## Build everything for debugging.
	$(SWIFT) build $(SWIFT_FLAGS)

release: setup-build ## Build .build/release/pinhole.
	$(SWIFT) build $(RELEASE_FLAGS) --product pinhole

lint: ## Check the format of the sources.
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format: ## Format the sources in place.
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

sanitize: sanitize-thread sanitize-address ## Run every test under both sanitizers.

# A scratch path of its own keeps each of these builds apart from the ordinary one. What other people's code is
# forgiven stands in Scripts/sanitizers.
sanitize-thread: export TSAN_OPTIONS = print_suppressions=0:suppressions=$(CURDIR)/Scripts/sanitizers/thread.txt
sanitize-address: export LSAN_OPTIONS = print_suppressions=0:suppressions=$(CURDIR)/Scripts/sanitizers/leak.txt
sanitize-thread sanitize-address: sanitize-%: setup-test test-python
	$(SWIFT) build $(SWIFT_FLAGS) --sanitize $* --scratch-path .build/$* --product pinhole
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" PINHOLE_TEST_LOG=.build/$*.log \
		Scripts/run-tests $(SWIFT_FLAGS) --sanitize $* --scratch-path .build/$*

fuzz: setup-build ## Run the fuzzers for FUZZ_SECONDS (600).
	PINHOLE_FUZZ_SECONDS=$(FUZZ_SECONDS) PINHOLE_TEST_LOG=.build/fuzz.log Scripts/run-tests $(SWIFT_FLAGS) --filter Fuzz

soak: release ## Load the proxy for PINHOLE_SOAK_SECONDS (60) and look for leaks.
	PINHOLE_SOAK_SECONDS=$(PINHOLE_SOAK_SECONDS) Benchmarks/soak .build/release/pinhole

soak-http2: release ## The same with HTTP/2 alone, streams reset by clients and servers.
	PINHOLE_SOAK_KINDS=http2 PINHOLE_SOAK_SECONDS=$(PINHOLE_SOAK_SECONDS) Benchmarks/soak .build/release/pinhole

bench: release setup-bench ## Measure the release build beside its peers: speed, latency, memory.
	$(SWIFT) build $(RELEASE_FLAGS) --product EngineCost
	MITMDUMP="$$(Scripts/bench-mitmdump)" Benchmarks/run .build/release/pinhole $(BENCH_FLAGS)
	Benchmarks/latency .build/release/pinhole .build/release/EngineCost
	Benchmarks/idle .build/release/pinhole
	Benchmarks/body .build/release/pinhole
	Benchmarks/console .build/release/pinhole

engines: setup-build ## Count instructions and allocations of the engines (needs valgrind).
	$(SWIFT) build $(RELEASE_FLAGS) --product EngineCost
	Benchmarks/engines .build/release/EngineCost

audit-clients: release test-python ## Audit well-known clients in every scenario, and write docs/CLIENTS.md.
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" PINHOLE_BINARY=.build/release/pinhole Scripts/audit-clients

clean: ## Remove everything that was built.
	rm -rf .build

setup-build:
	@Scripts/setup build

setup-demo:
	@Scripts/setup build demo

setup-bench:
	@Scripts/setup build bench

setup-test:
	@Scripts/setup build test

test-python: setup-test
	@Scripts/test-python >/dev/null
