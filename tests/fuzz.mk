# Any bytes into every reader. make mutate: COUNT seeded changes of good inputs, each limited in time and memory.
# make fuzz: libFuzzer on every feed, FUZZ_SECONDS each; crashers stay in build-fuzz/crash-*; needs clang and
# its runtime (doc/packages.fuzz), which nothing else does. Both with ASan and UBSan.
COUNT ?= 1000000
SEED ?= 1
FUZZ_SECONDS ?= 60
FEEDS := dat mapped replay raw text html dump archive file table machine config expr power topology governor source \
	options steps
FUZZ_TARGETS ?= $(FEEDS)
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_LIMITS := -timeout=2 -rss_limit_mb=1024 -malloc_limit_mb=300 -max_len=200000
FEED_SRCS := $(sort $(wildcard tests/fuzz/feed*.c))
MUTATE_SRCS := tests/fuzz/mutate.c tests/fuzz/change.c tests/fuzz/memory.c tests/fuzz/fault.c $(FEED_SRCS)

.PHONY: mutate fuzz fuzz-deps fuzz-build
units: $(BUILD)/tools/mutate

$(BUILD)/tools/mutate: $(MUTATE_SRCS) $(wildcard tests/fuzz/*.h) $(BUILD)/libreidle.a
	@mkdir -p $(dir $@)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $(REIDLE_CFLAGS) -rdynamic -o $@ $(MUTATE_SRCS) $(BUILD)/libreidle.a $(REIDLE_LIBS)

mutate:
	@$(MAKE) --no-print-directory $(JOBS) BUILD=build-asan CFLAGS="-O1 -g" SANITIZE="$(FUZZ_SANITIZE)" \
		build-asan/tools/mutate build-asan/tools/gen_dat
	@BUILD=build-asan sh tests/fuzz/mutate $(COUNT) $(SEED)

fuzz-deps:
	@REIDLE_MORE_PACKAGES=doc/packages.fuzz sh .ci/deps

fuzz-build: fuzz-deps all units
	@$(MAKE) --no-print-directory $(JOBS) BUILD=build-fuzz CC=clang CFLAGS="-O1 -g -w" \
		SANITIZE="-fsanitize=fuzzer-no-link $(FUZZ_SANITIZE)" build-fuzz/libreidle.a
	@for f in $(FEED_SRCS); do \
		clang -c -O1 -g -w $(filter-out -Werror,$(REIDLE_CFLAGS)) -fsanitize=fuzzer-no-link $(FUZZ_SANITIZE) \
			-o build-fuzz/$$(basename $$f .c).o $$f || exit 1; \
	done
	@for t in $(FUZZ_TARGETS); do \
		clang -O1 -g -w -DFEED=$$t $(filter-out -Werror,$(REIDLE_CFLAGS)) -fsanitize=fuzzer $(FUZZ_SANITIZE) \
			-rdynamic -o build-fuzz/fuzz_$$t tests/fuzz/fuzz.c build-fuzz/feed*.o build-fuzz/libreidle.a \
			$(REIDLE_LIBS) || exit 1; \
	done
	@BUILD=$(BUILD) sh tests/fuzz/corpus build-fuzz/corpus

fuzz: fuzz-build
	@cd build-fuzz && mkdir -p cwd && cd cwd && cp ../corpus/dat/11.dat ../steps.dat && for t in $(FUZZ_TARGETS); do \
		mkdir -p ../found/$$t && FEED_RECORDING=$$PWD/../steps.dat ../fuzz_$$t $(FUZZ_LIMITS) \
			-max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -artifact_prefix=../crash-$$t- \
			../found/$$t ../corpus/$$t >../fuzz_$$t.log 2>&1; \
		status=$$?; echo "$$t: $$(sed -n 's/^stat::number_of_executed_units: *//p' ../fuzz_$$t.log) inputs," \
			"peak $$(sed -n 's/^stat::peak_rss_mb: *//p' ../fuzz_$$t.log) MB, exit $$status"; \
		[ $$status = 0 ] || { tail -40 ../fuzz_$$t.log; exit 1; }; \
	done
