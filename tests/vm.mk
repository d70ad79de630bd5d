# Recording for real: a Debian kernel in an emulated PC, tests/vm/check on what it brought out.
.PHONY: check-vm
check-vm:
	@REIDLE_MORE_PACKAGES=tests/vm/packages sh .ci/deps
	@$(MAKE) --no-print-directory all $(BUILD)/tools/wakeload
	@BUILD=$(BUILD) prove --exec '' tests/vm/check

# a newcomer's first hour in a bare Debian 12: from a fresh clone, and from the package
.PHONY: check-chroot check-deb
check-chroot:
	@REIDLE_MORE_PACKAGES=tests/vm/packages-chroot sh .ci/deps
	@sh tests/chroot source
check-deb: deb
	@REIDLE_MORE_PACKAGES=tests/vm/packages-chroot sh .ci/deps
	@BUILD=$(BUILD) sh tests/chroot deb
