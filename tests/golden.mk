# golden: write the golden screens anew; review the difference before committing it
.PHONY: golden screens-full

golden: all units
	@REIDLE_GOLDEN=write $(BUILD)/tests/test_golden
	@git diff --stat -- tests/golden

# every view at every size of 1..220 x 1..70; minutes
screens-full: all units
	@REIDLE_FULL_GRID=1 BUILD=$(BUILD) $(BUILD)/tests/test_screens
