# What the suites in the folders beside this file share. Each sets SUITE (its folder), STAGES (folders of src that it compiles from) and
# SUITE_FLAGS, and includes this at its head; its objects are $(OUT)/NAME.o for its own files and $(OUT)/src/NAME.o for those of the stages.
# `make SANITIZE=address,undefined OUT=…` runs a suite under the sanitizers.
SRC := ../../src
OUT ?= ../../build/tests/$(SUITE)
CXX ?= g++
CXXFLAGS := -std=c++17 -O2 -Wall -Wextra $(SUITE_FLAGS) -MMD -MP -I$(SRC)
ifdef SANITIZE
CXXFLAGS += -g -fsanitize=$(SANITIZE) -fno-sanitize-recover=all
endif

test: $(OUT)/test_$(SUITE)
	$(OUT)/test_$(SUITE)

define compile_stage
$(OUT)/src/%.o: $(SRC)/$(1)/%.cc | $(OUT)/src
	$$(CXX) $$(CXXFLAGS) -c -o $$@ $$<
endef
$(foreach stage,$(STAGES),$(eval $(call compile_stage,$(stage))))

$(OUT)/%.o: %.cc | $(OUT)/src
	$(CXX) $(CXXFLAGS) -c -o $@ $<

$(OUT)/src:
	mkdir -p $@

-include $(wildcard $(OUT)/*.d $(OUT)/src/*.d)
.PHONY: test
