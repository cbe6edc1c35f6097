# SPDX-License-Identifier: BSD-3-Clause
# A thin front to CMake's presets (CMakePresets.json). `make demo` shows a coupled run, `make check` runs all the tests.
BUILD  := build/release
PREFIX ?= /usr/local
OUT    ?= out/atmos_ocean
JOBS   ?= $(shell nproc)
# Tests mostly wait for processes that share the cores, so twice as many run at once; those of many processes say so (PROCESSORS).
CTEST  := ctest --output-on-failure --timeout 300 --parallel $(shell expr 2 \* $(JOBS))

.NOTPARALLEL:
.PHONY: help build demo check check-release check-asan check-tsan check-valgrind bench install clean format packages

help:
	@echo "make demo      couple an atmosphere and an ocean, two MPI jobs, and draw the result"
	@echo "make check     all tests, then those that can under the sanitizers and valgrind"
	@echo "make build     configure and build in $(BUILD)"
	@echo "make install   install under PREFIX=$(PREFIX)"
	@echo "make bench     measure the transport and the exchange beside their raw cost, weights and their product beside CDO and a copy"
	@echo "make format    clang-format over the C sources"
	@echo "make clean     remove build/ and out/"

packages:
	@.ci/packages

build: packages
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

demo: build
	samples/atmos_ocean/run --build $(BUILD) --out $(OUT)
	@ls $(OUT)/*.png | sed 's|^|The picture: $(CURDIR)/|'

# The whole suite comes last: its summary is what one sees in the end.
check: check-valgrind check-tsan check-asan check-release

check-release: build
	$(CTEST) --test-dir $(BUILD)

# Not again under the sanitizers: label `slow` (long, without code of its own), `house` and `install` (no code at all).
check-asan: packages
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS)
	$(CTEST) --test-dir build/asan --label-exclude 'slow|house|install'

# The thread sanitizer drowns in reports about the MPIs, so only programs without one (unit, and runs of several processes).
check-tsan: packages
	cmake --preset tsan -DH3OU_SAMPLES=OFF
	cmake --build --preset tsan --parallel $(JOBS)
	$(CTEST) --test-dir build/tsan --label-regex 'unit|runs'

check-valgrind: build
	@.ci/valgrind $(BUILD)

bench: build
	/usr/bin/python3 -B bench/transport.py --build $(BUILD)
	/usr/bin/python3 bench/exchange.py --build $(BUILD)
	/usr/bin/python3 -B bench/remap_quality.py $(BUILD)/bin/h3ou
	/usr/bin/python3 -B bench/remap_speed.py $(BUILD)/bin/h3ou --rounds 5

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build out

format:
	clang-format -i $$(git ls-files '*.c' '*.h')
