# golden: write the golden screens anew; review the difference before committing it
.PHONY: golden screens-full

golden: all units
	@REIDLE_GOLDEN=write $(BUILD)/tests/test_golden
	@git diff --stat -- tests/golden

# every view at every size of 1..220 x 1..70 under the sanitizers, of two recordings; some two minutes
screens-full:
	@$(MAKE) --no-print-directory all units BUILD=build-asan CFLAGS="-O1 -g" \
		SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
	@REIDLE_FULL_GRID=1 BUILD=build-asan build-asan/tests/test_screens
