# make            build the release: build/contra, libcontra.so, libcontra.a
# make demo       build and run the demonstration
# make test       all tests; the last line is `N passed, N failed`
# make test-long  the same with more and longer random cases, and a minute for each fuzz target
# make mutants    change single operators of src/engine and list the suite that notices each: scripts/mutants
# make manual-check   the manual's code blocks and figures (SPEC=dir: where the manual is)
# make bench      the benchmarks
# make fuzz       the fuzz targets, FUZZ_SECONDS each (default 300)
# make fmt, lint  format the sources; build with clang; check format, includes, clang-tidy and JavaScript
# make vscode     the extension for VS Code, with npm: editors/vscode/dist/contra.vsix
# make install    into $(DESTDIR)$(PREFIX); make uninstall removes what it put there
# make wheel      the package for Python: build/python/*.whl; make install-python installs it under $(PREFIX)
# make dist       the sources as an archive: build/contra-VERSION.tar.xz
# make deb        packages for Debian, looked at by lintian: build/deb/*.deb
# make clean      remove build/

PREFIX ?= /usr/local
SPEC ?= ../shared/spec
FUZZ_SECONDS ?= 300
JOBS := $(shell nproc 2>/dev/null || echo 2)

sources = $(shell find . \( -path ./build -o -path ./.git -o -name node_modules \) -prune -o -name '*.[ch]' -print | sort)
tidy_sources = $(filter ./src/%.c ./bench/%.c ./tests/unit/%.c ./tests/support/%.c ./tests/harness/%.c,$(sources))

.PHONY: all demo test test-long mutants manual-check bench fuzz fmt lint vscode install uninstall wheel install-python uninstall-python dist deb clean

all: build/release/build.ninja
	cmake --build --preset release -j $(JOBS)
	ln -sfn release/contra build/contra

demo: all
	scripts/demo

test: build/.bootstrap
	scripts/test

test-long: build/.bootstrap
	UNIT_SCALE=1 ASAN_SCALE=0.3 FUZZ_SECONDS=60 scripts/test
	scripts/random 20000

mutants: build/.bootstrap
	scripts/mutants

# With what `make test` has built, where it has.
manual-check: build/.bootstrap
	@if [ ! -d "$(SPEC)" ]; then echo "manual-check: skipped, there is no manual in $(SPEC) (set SPEC=dir)"; \
	elif [ -d build/dev ]; then cmake --build --preset dev -j $(JOBS) --target contra && \
	    tests/manual/check --contra build/dev/contra "$(SPEC)" && \
	    tests/manual/blocks.py --contra build/dev/contra --spec "$(SPEC)"; \
	else $(MAKE) all && tests/manual/check "$(SPEC)" && tests/manual/blocks.py --spec "$(SPEC)"; fi

bench: all
	build/contra bench
	bindings/python/bench.py build/release

fuzz: build/.bootstrap
	FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/test fuzz

fmt: build/.bootstrap
	clang-format -i $(sources)

lint: build/clang/build.ninja
	cmake --build --preset clang -j $(JOBS)
	clang-format --dry-run --Werror $(sources)
	scripts/check-includes
	viewer/lint/run
	printf '%s\n' $(tidy_sources) | xargs -P $(JOBS) -n 4 clang-tidy -p build/clang --quiet

vscode:
	npm ci --prefix editors/vscode --no-audit --no-fund
	npm run build --prefix editors/vscode

install: all
	DESTDIR="$(DESTDIR)" scripts/install build/release "$(PREFIX)"

uninstall:
	DESTDIR="$(DESTDIR)" scripts/uninstall "$(PREFIX)"

wheel: all
	scripts/wheel build/release build/python

# Where the Python of the system looks under a prefix.
python_folder = $(DESTDIR)$(PREFIX)/lib/$(shell /usr/bin/python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')/dist-packages

install-python: all uninstall-python
	/usr/bin/python3 -m pip install --quiet --root-user-action=ignore --no-deps --no-index --target "$(python_folder)" \
	    "$$(scripts/wheel build/release build/python | tail -n 1)"

uninstall-python:
	rm -rf "$(python_folder)/contra" "$(python_folder)"/contra-*.dist-info

dist:
	scripts/dist

deb:
	scripts/deb

clean:
	rm -rf build

build/%/build.ninja: CMakePresets.json | build/.bootstrap
	cmake --preset $*
	@touch $@

build/.bootstrap: scripts/bootstrap
	scripts/bootstrap
	@mkdir -p build
	@touch $@
