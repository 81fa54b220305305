// Messages about commit. Its rules are tested by tests/rules/commit.case.
#include "stream_support.h"

TEST(padding_is_offered)
{
    Chain c;
    chain_open(&c, "A=3", RULES_CONTRA, CONTEXT_MAIN);
    const Stage *input =
        chain_input(&c, POSITION_COLLECT, (Shape){.type = "bf16", .packet = "1 # 16"});
    Tensor tensor = *chain_tensor(&c, TIER_DM, ORIGIN_RESULT, (Shape){.type = "bf16"});
    for (Level level = LEVEL_CHIP; level <= LEVEL_SLICE; level++)
        tensor.dims[level] = input->dims[level];
    chain_add(&c, (Stage){.kind = STAGE_COMMIT, .result = builder_tensor(c.builder, &tensor)},
              (Shape){0});
    assert_non_null(strstr(chain_text(&c), "commit writes 2 bytes per packet; the Commit Engine "
                                           "writes 8, 16, 24 or 32"));
    assert_non_null(strstr(chain_text(&c), "pad the Element: `m![1 # 4]`"));
    chain_close(&c);
}
