# Recording for real: a Debian kernel in an emulated PC, tests/vm/check on what it brought out.
.PHONY: check-vm
check-vm:
	@REIDLE_MORE_PACKAGES=tests/vm/packages sh .ci/deps
	@$(MAKE) --no-print-directory all $(BUILD)/tools/wakeload
	@BUILD=$(BUILD) prove --exec '' tests/vm/check

# `make demo` and `make check` of a fresh clone in a bare Debian 12
.PHONY: check-chroot
check-chroot:
	@sh tests/chroot
