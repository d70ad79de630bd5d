# make fuzz: libFuzzer with ASan and UBSan on every parser, FUZZ_SECONDS each, in build-fuzz. Crashers stay in
# build-fuzz/crash-*. Needs clang and its runtime (doc/packages.fuzz), which nothing else does.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= dat text dump archive expr
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_LIMITS := -timeout=2 -rss_limit_mb=1024 -malloc_limit_mb=300 -max_len=200000

.PHONY: fuzz fuzz-deps fuzz-build
fuzz-deps:
	@REIDLE_MORE_PACKAGES=doc/packages.fuzz sh .ci/deps

fuzz-build: fuzz-deps all units
	@$(MAKE) --no-print-directory $(JOBS) BUILD=build-fuzz CC=clang CFLAGS="-O1 -g -w" \
		SANITIZE="-fsanitize=fuzzer-no-link $(FUZZ_SANITIZE)" build-fuzz/libreidle.a
	@for t in $(FUZZ_TARGETS); do \
		clang -O1 -g -w $(filter-out -Werror,$(REIDLE_CFLAGS)) -fsanitize=fuzzer $(FUZZ_SANITIZE) \
			-o build-fuzz/fuzz_$$t tests/fuzz/fuzz_$$t.c build-fuzz/libreidle.a $(REIDLE_LIBS) || exit 1; \
	done
	@BUILD=$(BUILD) sh tests/fuzz/corpus build-fuzz/corpus

fuzz: fuzz-build
	@cd build-fuzz && for t in $(FUZZ_TARGETS); do \
		mkdir -p found/$$t corpus/$$t && ./fuzz_$$t $(FUZZ_LIMITS) -max_total_time=$(FUZZ_SECONDS) \
			-print_final_stats=1 -artifact_prefix=crash-$$t- found/$$t corpus/$$t >fuzz_$$t.log 2>&1; \
		status=$$?; echo "$$t: $$(sed -n 's/^stat::number_of_executed_units: *//p' fuzz_$$t.log) inputs," \
			"peak $$(sed -n 's/^stat::peak_rss_mb: *//p' fuzz_$$t.log) MB, exit $$status"; \
		[ $$status = 0 ] || { tail -40 fuzz_$$t.log; exit 1; }; \
	done
