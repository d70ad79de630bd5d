# Recording for real: Debian kernels in emulated machines, tests/vm/check on what they brought out.
.PHONY: check-vm check-vm-x86 check-vm-ppc64
check-vm: check-vm-x86 check-vm-ppc64

check-vm-x86:
	@REIDLE_MORE_PACKAGES=tests/vm/packages sh .ci/deps
	@$(MAKE) --no-print-directory all $(BUILD)/tools/wakeload
	@BUILD=$(BUILD) prove --exec '' tests/vm/check :: x86

PPCROOT := $(CURDIR)/$(BUILD)/vm-ppc64/root
check-vm-ppc64:
	@REIDLE_MORE_PACKAGES="tests/vm/packages tests/vm/packages-ppc64" sh .ci/deps
	@sh tests/vm/sysroot $(PPCROOT)
	@$(MAKE) --no-print-directory all
	@PKG_CONFIG_LIBDIR=$(PPCROOT)/usr/lib/powerpc64le-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(PPCROOT) \
		$(MAKE) --no-print-directory BUILD=$(BUILD)/ppc64el CC="powerpc64le-linux-gnu-gcc --sysroot=$(PPCROOT)" \
		all $(BUILD)/ppc64el/tools/wakeload
	@BUILD=$(BUILD) prove --exec '' tests/vm/check :: ppc64

# a newcomer's first hour in a bare Debian 12: from a fresh clone, and from the package
.PHONY: check-chroot check-deb
check-chroot:
	@REIDLE_MORE_PACKAGES=tests/vm/packages-chroot sh .ci/deps
	@sh tests/chroot source
check-deb: deb
	@REIDLE_MORE_PACKAGES=tests/vm/packages-chroot sh .ci/deps
	@BUILD=$(BUILD) sh tests/chroot deb
