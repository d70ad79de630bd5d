# reidle: build, demo, tests.  `make demo` and `make check` are all a newcomer needs.
# Every .c file of the four rooms is compiled; tests/unit/test_*.c become one program each.

VERSION := 0.1.0
PREFIX ?= /usr/local
CC ?= gcc
BUILD ?= build
CFLAGS ?= -O2 -g
SANITIZE ?=
WERROR ?= -Werror
# where a program that is not installed finds its tables
SRCDIR ?= $(CURDIR)
# parallel unless make was told otherwise
JOBS := $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))
# make V=1 shows the commands
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $@)

PKGS := ncursesw libtraceevent libtracefs libarchive jansson inih libzstd zlib nettle
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat-security $(WERROR)
# the models repeat kernel arithmetic, which wraps
REIDLE_CFLAGS := -std=gnu11 $(WARN) -fwrapv -fno-strict-aliasing -pthread -I. -D_GNU_SOURCE \
	-DREIDLE_VERSION='"$(VERSION)"' -DREIDLE_DATADIR='"$(PREFIX)/share/reidle"' \
	-DREIDLE_SRCDIR='"$(SRCDIR)"' $(shell pkg-config --cflags $(PKGS) 2>/dev/null) $(SANITIZE)
REIDLE_LIBS := $(SANITIZE) $(shell pkg-config --libs $(PKGS) 2>/dev/null) -ldl -lm -pthread

ROOMS := src parsers replay views
SRCS := $(sort $(wildcard $(addsuffix /*.c,$(ROOMS))))
OBJS := $(SRCS:%.c=$(BUILD)/%.o)
LIBOBJS := $(filter-out $(BUILD)/src/main.o,$(OBJS))
UNITS := $(sort $(wildcard tests/unit/test_*.c))
UNITBINS := $(UNITS:tests/unit/%.c=$(BUILD)/tests/%)
TOOLS := $(sort $(wildcard tests/tools/*.c))
TOOLBINS := $(TOOLS:tests/tools/%.c=$(BUILD)/tools/%)

.PHONY: all deps demo check test units asan bench clean

all: $(BUILD)/reidle

# installs what is missing of doc/packages; silent when all is there
deps:
	@sh .ci/deps

$(BUILD)/%.o: %.c
	@mkdir -p $(dir $@)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(REIDLE_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libreidle.a: $(LIBOBJS)
	@rm -f $@
	$(call say,AR)
	$(Q)ar rcs $@ $^

$(BUILD)/reidle: $(BUILD)/src/main.o $(BUILD)/libreidle.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic -o $@ $^ $(REIDLE_LIBS)

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libreidle.a
	@mkdir -p $(dir $@)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $(REIDLE_CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libreidle.a -lcmocka $(REIDLE_LIBS)

$(BUILD)/tools/%: tests/tools/%.c $(BUILD)/libreidle.a
	@mkdir -p $(dir $@)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $(REIDLE_CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libreidle.a $(REIDLE_LIBS)

units: $(UNITBINS) $(TOOLBINS)

# all suites; assumes the packages are there
test: all units
	@BUILD=$(BUILD) sh tests/run

check: deps
	@$(MAKE) --no-print-directory $(JOBS) all units
	@$(MAKE) --no-print-directory test

demo: deps
	@$(MAKE) --no-print-directory $(JOBS) all
	@BUILD=$(BUILD) sh samples/demo

asan:
	@$(MAKE) --no-print-directory $(JOBS) test BUILD=build-asan CFLAGS="-O1 -g" \
		SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined"

bench: all units
	@BUILD=$(BUILD) sh tests/bench/run

clean:
	rm -rf build build-*

-include $(wildcard tests/*.mk doc/*.mk)
-include $(OBJS:.o=.d) $(UNITBINS:=.d) $(TOOLBINS:=.d)
