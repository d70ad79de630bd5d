# Documentation made from the program's tables, installing, and the Debian package.
DESTDIR ?=
INSTALL_DATA = install -m 644
SHARE = $(DESTDIR)$(PREFIX)/share

.PHONY: docs install uninstall deb

$(BUILD)/doc/docgen: doc/docgen.c $(BUILD)/libreidle.a
	@mkdir -p $(dir $@)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) $(REIDLE_CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libreidle.a $(REIDLE_LIBS)

$(BUILD)/doc/reidle.1: doc/reidle.1.in $(BUILD)/doc/docgen
	$(call say,GEN)
	$(Q)$(BUILD)/doc/docgen man $< >$@.tmp && mv $@.tmp $@

$(BUILD)/doc/reidle.%: $(BUILD)/doc/docgen
	$(call say,GEN)
	$(Q)$(BUILD)/doc/docgen $* >$@.tmp && mv $@.tmp $@

docs: $(BUILD)/doc/reidle.1 $(BUILD)/doc/reidle.bash $(BUILD)/doc/reidle.zsh $(BUILD)/doc/reidle.fish

# the kernel headers' stand-ins and the glue are what `reidle governor build` compiles against
install: all docs
	install -D $(BUILD)/reidle $(DESTDIR)$(PREFIX)/bin/reidle
	install -d $(SHARE)/man/man1 $(SHARE)/reidle/machines $(SHARE)/reidle/samples $(SHARE)/doc/reidle
	$(INSTALL_DATA) $(BUILD)/doc/reidle.1 $(SHARE)/man/man1/reidle.1
	$(INSTALL_DATA) src/machines/*.tsv $(SHARE)/reidle/machines/
	$(INSTALL_DATA) $(filter-out samples/demo,$(wildcard samples/*)) $(SHARE)/reidle/samples/
	install -D -m 644 $(BUILD)/doc/reidle.bash $(SHARE)/bash-completion/completions/reidle
	install -D -m 644 $(BUILD)/doc/reidle.zsh $(SHARE)/zsh/vendor-completions/_reidle
	install -D -m 644 $(BUILD)/doc/reidle.fish $(SHARE)/fish/vendor_completions.d/reidle.fish
	cd replay && for d in $$(find kernel -type d); do \
		install -d $(SHARE)/reidle/$$d && \
		$(INSTALL_DATA) $$(find $$d -maxdepth 1 -type f) $(SHARE)/reidle/$$d/; \
	done
	$(INSTALL_DATA) replay/reidle-governor.h $(SHARE)/reidle/
	install -D -m 644 replay/reidle-governor.h $(DESTDIR)$(PREFIX)/include/reidle-governor.h
	$(INSTALL_DATA) $(wildcard README.md doc/*.md) $(SHARE)/doc/reidle/
	install -D -m 644 doc/governor-example.c $(SHARE)/doc/reidle/examples/governor-example.c

uninstall:
	rm -rf $(DESTDIR)$(PREFIX)/bin/reidle $(SHARE)/reidle $(SHARE)/doc/reidle
	rm -f $(SHARE)/man/man1/reidle.1 $(DESTDIR)$(PREFIX)/include/reidle-governor.h \
		$(SHARE)/bash-completion/completions/reidle \
		$(SHARE)/zsh/vendor-completions/_reidle $(SHARE)/fish/vendor_completions.d/reidle.fish

# the package of what is committed; its files are in doc/debian, and debhelper wants them in debian
deb:
	@REIDLE_MORE_PACKAGES=doc/packages-deb sh .ci/deps
	@rm -rf $(BUILD)/deb
	@mkdir -p $(BUILD)/deb/reidle-$(VERSION)
	git archive HEAD | tar x -C $(BUILD)/deb/reidle-$(VERSION)
	mv $(BUILD)/deb/reidle-$(VERSION)/doc/debian $(BUILD)/deb/reidle-$(VERSION)/debian
	cd $(BUILD)/deb/reidle-$(VERSION) && dpkg-buildpackage -us -uc -b
	lintian --fail-on error $(BUILD)/deb/*.changes

# where the installed program looks is compiled into it
$(BUILD)/prefix: FORCE
	@mkdir -p $(dir $@)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' >$@
$(BUILD)/src/machine_find.o $(BUILD)/src/govbuild.o: $(BUILD)/prefix
FORCE:
