# the models against the governor files of Debian's kernel sources (downloads them; not part of check)
.PHONY: check-kernel
check-kernel: all units
	@BUILD=$(BUILD) prove --exec '' tests/kernel/check tests/kernel/switches $(if $(V),-v)
