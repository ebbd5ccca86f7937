# `make help` lists what can be made. The packages that are needed stand in Scripts/packages.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

SWIFT ?= swift
SWIFT_FLAGS ?= --explicit-target-dependency-import-check error
# Calls between modules are inlined, and the Swift runtime is a part of the program; docs/PERFORMANCE.md has the gain.
# Exclusive access is checked while tests run: those builds trap, this one saves what asking costs.
# Two machines make the same bytes from one commit, in clones of any folder: no path of the machine gets into
# the program, and neither does the length of a path (the compiler writes it where a closure must not escape). The
# overlay shows the clone to the compiler under the same name everywhere. The hashes of modules and the build id depend
# on paths as well, through the symbols for debuggers, which installed programs do not have.
# The linker leaves out functions that nothing calls: each has a section of its own, and no function is exported for
# libraries that are loaded later (the toolchain exports all, and the program loads none). The addresses to adjust at
# the start are packed (glibc 2.36 or newer, as in Debian 12). The linker of the toolchain, lld, knows that packing.
PATHS := .build/release-paths.yaml
RELEASE_FLAGS ?= $(SWIFT_FLAGS) -c release --static-swift-stdlib -Xswiftc -cross-module-optimization \
	-Xswiftc -enforce-exclusivity=unchecked \
	-Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
	-Xswiftc -file-prefix-map -Xswiftc /proc/self/cwd=. -Xswiftc -vfsoverlay -Xswiftc $(CURDIR)/$(PATHS) \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker --build-id=none \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld \
	-Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
# Package.swift reads this: code that no traffic passes through is compiled for size. Packages that depend on this one
# (`make test` builds two) do without.
program release bench engines: export PINHOLE_SMALL := 1
SOURCES := Package.swift Sources Tests Benchmarks

# The version of the program, and the commit that release builds name.
VERSION = $(shell sed -n 's/.*static let number = "\(.*\)".*/\1/p' Sources/PinholeSession/Common/ProgramVersion.swift)
COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)
COMMIT_DATE = $(shell git log -1 --format=%cs 2>/dev/null)

# Where `make install` puts things; DESTDIR stands before all of them.
PREFIX ?= /usr/local
SHARE ?= $(PREFIX)/share
USER_UNITS ?= $(PREFIX)/lib/systemd/user
SYSTEM_UNITS ?= $(PREFIX)/lib/systemd/system
PACKAGES := .build/packages
ARCHITECTURE = $(shell dpkg --print-architecture 2>/dev/null || uname -m)
RELEASE_NAME = pinhole-$(VERSION)-linux-$(ARCHITECTURE)

# How long the long-running targets run, in seconds.
FUZZ_SECONDS ?= 600
PINHOLE_SOAK_SECONDS ?= 60

.PHONY: help demo test check coverage bare test-bare build release lint format \
	sanitize sanitize-thread sanitize-address \
	fuzz soak soak-http2 bench bench-http3 engines audit-clients parity clean setup-build setup-demo setup-bench \
	setup-docs setup-http3 setup-package setup-pictures setup-root setup-test test-python release-paths \
	docs pictures reference program install uninstall deb tarball sbom test-package \
	release-base release-files container

help: ## List the targets.
	@sed -nE 's/^([a-z0-9-]+):[^#]*## (.*)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | column -t -s '|' 2>/dev/null \
		|| sed -nE 's/^([a-z0-9-]+):[^#]*## (.*)/  make \1  \2/p' $(firstword $(MAKEFILE_LIST))

demo: setup-demo program ## Show the proxy at work: real requests decrypted, recorded, exported.
	.build/release/pinhole demo

test: setup-test lint test-python ## Check the format, build, and run every test.
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" Scripts/run-tests $(SWIFT_FLAGS)
	Scripts/test-example

# Package.swift names the test targets that `make check` leaves out.
check: export PINHOLE_TEST_TARGETS ?= quick
check: setup-test lint test-python ## Check the format, build, and run the tests that take less than three minutes.
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" Scripts/run-tests $(SWIFT_FLAGS)

coverage: setup-test test-python ## Run every test in a build of its own, and show which lines of each target ran.
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" PINHOLE_TEST_LOG=.build/coverage.log PINHOLE_TEST_COVERAGE=1 \
		Scripts/run-tests $(SWIFT_FLAGS)

# A root keeps what was installed and built in it; PINHOLE_BARE_FRESH=1 begins anew. Scripts/bare has the other variables.
ROOT ?= bookworm
bare: export RUN ?=
bare: setup-root ## Run RUN, or a shell, in a clone in a Debian root; ROOT is bookworm or trixie (needs root).
	Scripts/bare $(ROOT) "$$RUN"

test-bare: setup-root ## Run `make demo` and `make test` in such a root, made anew.
	PINHOLE_BARE_FRESH=$${PINHOLE_BARE_FRESH-1} Scripts/bare $(ROOT) 'make demo && make test'

build: setup-build ## Build everything for debugging.
	$(SWIFT) build $(SWIFT_FLAGS)

release: program ## Build .build/release/pinhole, its man pages and shell completions.
	$(SWIFT) build $(RELEASE_FLAGS) --product generate-manual
	Scripts/manual .build/release/pinhole .build/release/generate-manual "$(COMMIT_DATE)" .build/share
	Scripts/licenses .build/share/doc/pinhole/licenses

program: export PINHOLE_COMMIT = $(COMMIT)
program: export PINHOLE_COMMIT_DATE = $(COMMIT_DATE)
program: setup-build
	$(SWIFT) build $(RELEASE_FLAGS) --product pinhole

install: ## Install what `make release` built below PREFIX (/usr/local).
	@test -d .build/share || { echo 'install: run `make release` first' >&2; exit 1; }
	install -D --strip .build/release/pinhole $(DESTDIR)$(PREFIX)/bin/pinhole
	mkdir -p $(DESTDIR)$(SHARE)/doc/pinhole
	cp -R .build/share/. $(DESTDIR)$(SHARE)/
	cp -R README.md CHANGELOG.md docs $(DESTDIR)$(SHARE)/doc/pinhole/
	# The console serves the site at /docs; `make docs` builds it. Small systems leave share/doc out.
	rm -rf $(DESTDIR)$(SHARE)/pinhole/html
	if [ -d .build/site ]; then \
		mkdir -p $(DESTDIR)$(SHARE)/pinhole && cp -R .build/site $(DESTDIR)$(SHARE)/pinhole/html; \
	fi
	for kind in user system; do \
		units=$(DESTDIR)$$([ $$kind = user ] && echo $(USER_UNITS) || echo $(SYSTEM_UNITS)); \
		mkdir -p "$$units"; \
		sed 's|@BINDIR@|$(PREFIX)/bin|' packaging/systemd/$$kind/pinhole.service >"$$units/pinhole.service"; \
	done

uninstall: ## Remove what `make install` installed; CAs and captures stay.
	rm -f $(DESTDIR)$(PREFIX)/bin/pinhole $(DESTDIR)$(SHARE)/man/man1/pinhole.1.gz \
		$(DESTDIR)$(SHARE)/man/man1/pinhole-*.1.gz $(DESTDIR)$(SHARE)/bash-completion/completions/pinhole \
		$(DESTDIR)$(SHARE)/zsh/site-functions/_pinhole \
		$(DESTDIR)$(SHARE)/fish/vendor_completions.d/pinhole.fish \
		$(DESTDIR)$(USER_UNITS)/pinhole.service $(DESTDIR)$(SYSTEM_UNITS)/pinhole.service
	rm -rf $(DESTDIR)$(SHARE)/doc/pinhole $(DESTDIR)$(SHARE)/pinhole

deb: setup-package release docs sbom ## Make the Debian package, in .build/packages.
	DEB_RULES_REQUIRES_ROOT=no SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) debian/rules binary
	lintian --fail-on error,warning $(PACKAGES)/pinhole_$(VERSION)_$(ARCHITECTURE).deb

tarball: release docs sbom ## Make an archive of the installed tree and its checksum, in .build/packages.
	rm -rf .build/stage
	$(MAKE) install DESTDIR=.build/stage/$(RELEASE_NAME) PREFIX=
	# The units name the place of the program, which an archive does not know.
	rm -r .build/stage/$(RELEASE_NAME)/lib
	tar --create --directory .build/stage --sort=name --owner=0 --group=0 --numeric-owner \
		--mtime="@$$(git log -1 --format=%ct)" --mode=go=rX,u+rw,a-s $(RELEASE_NAME) \
		| gzip -9n >$(PACKAGES)/$(RELEASE_NAME).tar.gz
	cd $(PACKAGES) && sha256sum -- *.tar.gz *.spdx.json $$(ls -- *.deb 2>/dev/null) >SHA256SUMS

sbom: program ## Write the list of what the program is made of (SPDX), in .build/packages.
	mkdir -p $(PACKAGES)
	Scripts/sbom .build/release/pinhole $(VERSION) >$(PACKAGES)/pinhole-$(VERSION).spdx.json

# The package is built without root, which may not know the toolchain.
AS_ROOT = $(if $(filter-out 0,$(shell id -u)),sudo --preserve-env)
container: deb setup-root ## Make a container image of the package, in .build/packages (asks sudo for root).
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(AS_ROOT) Scripts/container \
		$(PACKAGES)/pinhole_$(VERSION)_$(ARCHITECTURE).deb $(PACKAGES)/$(RELEASE_NAME)-container.tar.gz
	cd $(PACKAGES) && sha256sum -- $(RELEASE_NAME)-container.tar.gz >$(RELEASE_NAME)-container.tar.gz.sha256

# A program that is built on a newer Debian needs libraries that Debian 12 does not have.
release-base:
	@grep -q '^VERSION_CODENAME=bookworm' /etc/os-release || { echo 'release-files: expected Debian 12' >&2; exit 3; }

release-files: release-base deb tarball ## Make everything that the page of a release needs, in .build/packages.
	tar --create --directory .build/share --sort=name --owner=0 --group=0 --numeric-owner \
		--mtime="@$$(git log -1 --format=%ct)" --mode=go=rX,u+rw,a-s \
		man bash-completion zsh fish | gzip -9n >$(PACKAGES)/pinhole-$(VERSION)-man-completions.tar.gz
	Scripts/release-notes $(VERSION) >$(PACKAGES)/pinhole-$(VERSION)-notes.md
	# The folder may hold files of other versions, and an image.
	cd $(PACKAGES) && sha256sum -- pinhole_$(VERSION)_$(ARCHITECTURE).deb $(RELEASE_NAME).tar.gz \
		pinhole-$(VERSION).spdx.json pinhole-$(VERSION)-man-completions.tar.gz pinhole-$(VERSION)-notes.md >SHA256SUMS

# The package is built on Debian 12, and for both.
PACKAGE_ROOTS ?= bookworm trixie
test-package: deb setup-root ## Install, use, upgrade and purge the package in fresh PACKAGE_ROOTS (needs root).
	Scripts/test-package $(PACKAGES)/pinhole_$(VERSION)_$(ARCHITECTURE).deb $(PACKAGE_ROOTS)

lint: ## Check the format of the sources.
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format: ## Format the sources in place.
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

sanitize: sanitize-thread sanitize-address ## Run every test under both sanitizers.

# A scratch path of its own keeps each of these builds apart from the ordinary one. What other people's code is
# forgiven stands in Scripts/sanitizers.
# A race that is seen once is a fault, and so is an input that a fuzzer found: no test gets a second run (the limit 0).
sanitize-thread: export TSAN_OPTIONS = print_suppressions=0:suppressions=$(CURDIR)/Scripts/sanitizers/thread.txt
sanitize-address: export LSAN_OPTIONS = print_suppressions=0:suppressions=$(CURDIR)/Scripts/sanitizers/leak.txt
# Leaks are forgiven by the names of functions. Some tests set PATH, so the program must find the reader of names itself.
sanitize-address: export ASAN_SYMBOLIZER_PATH = $(shell command -v llvm-symbolizer)
sanitize-thread sanitize-address: sanitize-%: setup-test test-python
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" PINHOLE_TEST_LOG=.build/$*.log PINHOLE_UNSTEADY_LIMIT=0 \
		Scripts/run-tests $(SWIFT_FLAGS) --sanitize $* --scratch-path .build/$*

fuzz: setup-build ## Run the fuzzers for FUZZ_SECONDS (600).
	PINHOLE_FUZZ_SECONDS=$(FUZZ_SECONDS) PINHOLE_TEST_LOG=.build/fuzz.log PINHOLE_UNSTEADY_LIMIT=0 \
		Scripts/run-tests $(SWIFT_FLAGS) --filter Fuzz

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

bench-http3: setup-http3 ## Measure the prototype of HTTP/3 beside nginx (Debian 13).
	Benchmarks/http3/measure

engines: setup-build ## Count instructions and allocations of the engines (needs valgrind).
	$(SWIFT) build $(RELEASE_FLAGS) --product EngineCost
	Benchmarks/engines .build/release/EngineCost

audit-clients: release test-python ## Audit well-known clients in every scenario, and write docs/AUDITED-CLIENTS.md.
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" PINHOLE_BINARY=.build/release/pinhole Scripts/audit-clients

parity: release setup-test test-python ## Compare the verifiers with real ones, and write the tables of docs/JUDGE.md.
	PINHOLE_TEST_PYTHON="$$(Scripts/test-python)" Scripts/parity

reference: setup-build ## Write the tables of docs that list what the program declares; a test compares them.
	PINHOLE_TEST_TARGETS=PinholeCommandTests PINHOLE_WRITE_REFERENCE=1 \
		$(SWIFT) test $(SWIFT_FLAGS) --disable-xctest --filter ReferencePageTests

pictures: setup-pictures program ## Take the pictures of README.md and docs from the real program.
	/usr/bin/python3 Scripts/pictures .build/release/pinhole

docs: setup-docs ## Build the documentation site in .build/site.
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) Scripts/site/build

clean: ## Remove everything that was built.
	rm -rf .build

setup-build: release-paths
	@Scripts/setup build

# The overlay for RELEASE_FLAGS.
release-paths:
	@mkdir -p .build
	@printf '{"version": 0, "case-sensitive": "true", "use-external-names": true, "roots": [{"type": "%s", "name": "%s", "external-contents": "%s"}]}\n' \
		directory-remap '$(CURDIR)' /proc/self/cwd >$(PATHS)

setup-demo:
	@Scripts/setup build demo

setup-bench:
	@Scripts/setup build bench

setup-http3:
	@Scripts/setup http3

setup-pictures:
	@Scripts/setup build pictures

setup-package:
	@Scripts/setup build package

setup-docs:
	@Scripts/setup docs

setup-root:
	@Scripts/setup root

setup-test:
	@Scripts/setup build test

test-python: setup-test
	@Scripts/test-python >/dev/null
