# SPDX-License-Identifier: BSD-3-Clause
# A thin front to CMake's presets (CMakePresets.json). `make demo` shows a coupled run, `make check` runs all the tests; these two and
# `make demo-ml`, `make demo-ensemble`, `make demo-nicam` install missing packages if they may. All others, `make install` among them,
# install no package.
BUILD  := build/release
PREFIX ?= /usr/local
OUT    ?= out/atmos_ocean
OUT_ML ?= out/ml_ocean
OUT_ENSEMBLE ?= out/ensemble
OUT_NICAM ?= out/nicam_like
JOBS   ?= $(shell nproc)
# Tests mostly wait for processes that share the cores, so three times as many run at once; those of many processes that compute say so (PROCESSORS).
CTEST  := ctest --output-on-failure --no-tests=error --timeout 600 --parallel $(shell expr 3 \* $(JOBS))
# What to run when CMake does not find what a build needs.
BARE   := || { .ci/packages --say build; false; }

.NOTPARALLEL:
.PHONY: help build demo-build demo demo-ml demo-ensemble demo-nicam check check-build check-release check-asan check-tsan check-valgrind bench install uninstall deb site clean format packages

help:
	@echo "make demo      couple an atmosphere and an ocean, two MPI jobs; a picture and a report"
	@echo "make demo-ml   a network learns the ocean of a coupled run online, then takes its place; and a picture"
	@echo "make demo-ensemble   members that a Kalman filter corrects, and members over one ocean; and pictures"
	@echo "make demo-nicam   a model that is built as NICAM is: two members over one ocean; and a picture"
	@echo "make check     all tests, then those that can under the sanitizers and valgrind"
	@echo "make build     configure and build in $(BUILD)"
	@echo "make install   install under PREFIX=$(PREFIX)"
	@echo "make uninstall remove what was installed under PREFIX=$(PREFIX)"
	@echo "make deb       Debian packages in build/deb"
	@echo "make site      the documents as a site in build/site/html"
	@echo "make bench     measure the transport and the exchange beside their raw cost, and weights beside CDO; docs/measured names the other programs"
	@echo "make format    clang-format over the C sources"
	@echo "make clean     remove build/ and out/"

packages:
	@.ci/packages

build:
	cmake --preset release $(BARE)
	cmake --build --preset release --parallel $(JOBS)

demo-build:
	@.ci/packages build demo
	cmake --preset release -DH3OU_TESTS=OFF -DH3OU_SAMPLES=ON
	cmake --build --preset release --parallel $(JOBS)

demo: demo-build
	samples/atmos_ocean/run --build $(BUILD) --out $(OUT)
	@ls $(OUT)/*.png | sed 's|^|The picture: $(CURDIR)/|'
	@ls $(OUT)/run/report.html | sed 's|^|The report: $(CURDIR)/|'

demo-ml: demo-build
	samples/ml_ocean/run --build $(BUILD) --out $(OUT_ML)
	@echo "The picture: $(CURDIR)/$(OUT_ML)/ml_ocean.png"

demo-ensemble: demo-build
	samples/ensemble/run --build $(BUILD) --out $(OUT_ENSEMBLE)
	@ls $(OUT_ENSEMBLE)/*.png | sed 's|^|The picture: $(CURDIR)/|'

demo-nicam: demo-build
	samples/nicam_like/run --build $(BUILD) --out $(OUT_NICAM)
	@echo "The picture: $(CURDIR)/$(OUT_NICAM)/nicam_like.png"

# Threads that wait for their next loop do not spin meanwhile on a core that another test could use.
check-valgrind check-tsan check-asan check-release: export OMP_WAIT_POLICY := passive

# The whole suite comes last: its summary is what one sees in the end.
check: check-valgrind check-tsan check-asan check-release

check-build: packages
	cmake --preset check
	cmake --build --preset check --parallel $(JOBS)

check-release: check-build
	$(CTEST) --test-dir $(BUILD)

# Not again under the sanitizers: label `slow` (long, without code of its own), `house` and `install` (no code at all). Most
# tests with an MPI run with one (H3OU_PROGRAM_MPIS in cmake/mpi.cmake). Freed memory is used again after 16 MB of others: the first use of
# fresh memory takes long on some machines.
check-asan: export ASAN_OPTIONS := detect_leaks=1:quarantine_size_mb=16
# Of many like inputs every third: some of them reach the same code as all.
check-asan: export H3OU_TEST_STRIDE := 3
check-asan: packages
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS)
	$(CTEST) --test-dir build/asan --label-exclude 'slow|house|install'

# The thread sanitizer reports the MPIs' own threads, so only programs without one (unit, and runs of several processes) are
# tested; not those of one thread (`serial`).
check-tsan: packages
	cmake --preset tsan -DH3OU_SAMPLES=OFF
	cmake --build --preset tsan --parallel $(JOBS)
	$(CTEST) --test-dir build/tsan --label-regex 'unit|runs' --label-exclude serial

check-valgrind: check-build
	@.ci/valgrind $(BUILD)

bench: check-build
	/usr/bin/python3 -B bench/transport.py --build $(BUILD)
	/usr/bin/python3 bench/exchange.py --build $(BUILD)
	/usr/bin/python3 -B bench/ensemble.py --build $(BUILD)
	/usr/bin/python3 -B bench/pheat3d.py --build $(BUILD)
	/usr/bin/python3 -B bench/remap/remap_quality.py $(BUILD)/bin/h3ou
	/usr/bin/python3 -B bench/remap/remap_speed.py $(BUILD)/bin/h3ou --rounds 5
	/usr/bin/python3 -B bench/remap/products.py $(BUILD)

install:
	cmake --preset release -DH3OU_TESTS=OFF -DH3OU_SAMPLES=OFF $(BARE)
	cmake --build --preset release --parallel $(JOBS)
	cmake --install $(BUILD) --prefix $(PREFIX)

uninstall:
	cmake -DPREFIX=$(PREFIX) -P cmake/uninstall.cmake

site:
	/usr/bin/python3 -B docs/site/make_site.py . build/site

deb:
	packaging/debian/build build/deb

clean:
	rm -rf build out

format:
	clang-format -i $$(git ls-files '*.c' '*.h')
