// The adapter of fetch, and where its sizes come from. Its rules are tested by
// tests/rules/fetch.case.
#include "stream_support.h"

static const char axes[] = "A=8,K=16";

// Cluster and Slice are asked about where the stream starts; in the reference library in fetch.
TEST(sizes_of_levels)
{
    for (RuleSet rules = RULES_CONTRA; rules <= RULES_REFERENCE; rules++) {
        Chain c;
        chain_open(&c, axes, rules, CONTEXT_MAIN);
        memset(c.treatments, 0, sizeof c.treatments);
        chain_input(&c, POSITION_BEGIN, (Shape){.slice = "1 # 256", .packet = "A"});
        chain_add(&c, (Stage){.kind = STAGE_FETCH}, (Shape){.type = "i8", .packet = "A"});
        chain_expect(&c, rules, rules == RULES_CONTRA ? "1 E0502" : "2 E0502");
        assert_non_null(strstr(chain_text(&c), "`cluster-size,slice-size` relaxed"));
        chain_close(&c);
    }
}

// Manual: Fetch Engine, Table Indexing.
TEST(tables)
{
    static const struct {
        Context context;
        const char *from, *to;
        FetchAdapter adapter;
        const char *codes;
    } rows[] = {
        {CONTEXT_MAIN,
         "i8",
         "i8",
         {.has_table = true, .table_type = SCALAR_I8, .table_count = 256},
         ""},
        {CONTEXT_MAIN,
         "i4",
         "f32",
         {.has_table = true, .table_type = SCALAR_BF16, .table_count = 16},
         ""},
        {CONTEXT_SUB,
         "i8",
         "i8",
         {.has_table = true, .table_type = SCALAR_I8, .table_count = 256},
         "2 E0603"},
        {CONTEXT_MAIN,
         "bf16",
         "bf16",
         {.has_table = true, .table_type = SCALAR_BF16, .table_count = 256},
         "2 E0611"},
        {CONTEXT_MAIN,
         "i8",
         "i8",
         {.has_table = true, .table_type = SCALAR_I8, .table_count = 16},
         "2 E0612"},
        {CONTEXT_MAIN,
         "i8",
         "f32",
         {.has_table = true, .table_type = SCALAR_I8, .table_count = 256},
         "2 E0212"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, rows[i].context);
        chain_begin(&c, chain_tensor(&c, TIER_DM, ORIGIN_ADDRESS,
                                     (Shape){.type = rows[i].from, .element = "A, K"}));
        chain_add(&c, (Stage){.kind = STAGE_FETCH, .adapter = rows[i].adapter},
                  (Shape){.type = rows[i].to, .time = "A", .packet = "K"});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}
