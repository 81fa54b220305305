// Messages about collect and to_trf. Their rules are tested by tests/rules/collect.case.
#include "stream_support.h"

static const char axes[] = "J=512,K=2048,N=8";

TEST(the_call_is_offered)
{
    Chain c;
    chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
    chain_input(&c, POSITION_FETCH, (Shape){.type = "bf16", .time = "K / 32", .packet = "K % 32"});
    chain_add(&c, (Stage){.kind = STAGE_COLLECT}, (Shape){.time = "K / 32", .packet = "K % 32"});
    assert_string_equal(chain_text(&c),
                        "collect yields flits of 32 bytes; `K % 32` of bf16 has 64\n"
                        "  help: write `collect::<m![K / 16], m![K % 16]>()`\n");
    chain_close(&c);
}

// The GEMM of the tutorial.
TEST(capacity_counts_rows)
{
    Chain c;
    chain_open(&c, axes, RULES_CONTRA, CONTEXT_SUB);
    chain_input(&c, POSITION_COLLECT,
                (Shape){.type = "bf16", .time = "J % 8, J / 8 % 4, K / 16", .packet = "K % 16"});
    const Tensor *trf =
        chain_tensor(&c, TIER_TRF, ORIGIN_RESULT,
                     (Shape){.type = "bf16", .row = "J % 8", .element = "J / 8 % 4, K"});
    chain_add(&c, (Stage){.kind = STAGE_TO_TRF, .result = trf}, (Shape){0});
    assert_string_equal(chain_text(&c), "`J / 8 % 4, K` of bf16 is 16384 bytes per row; Full has "
                                        "8192 for each of 8 rows\n"
                                        "  note: all rows together are 131072 bytes of 65536\n"
                                        "  help: split the tensor and load it in several passes\n");
    chain_close(&c);
}
