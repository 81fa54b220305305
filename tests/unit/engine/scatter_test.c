// Scatter (api.md 3.9) and gather (api.md 3.2, by its intention).
#include "memory_support.h"

typedef struct {
    OpKind kind;
    const char *type; // of the data
    const char *data, *index, *output, *key;
    const char *index_type; // NULL: i32
    Tier index_tier;        // 0: HBM
    RuleSet rules;
    const char *codes, *text;
} Row;

static void check_row(const Row *row)
{
    Bench bench;
    bool gathers = row->kind == OP_GATHER;
    bench_open(&bench, &(Setting){.axes = "T=64,D=32,V=1000,W=256,K=8", .rules = row->rules});
    TensorRow data = {.name = "data",
                      .tier = gathers ? TIER_HBM : TIER_DM,
                      .type = row->type,
                      .shape = row->data};
    TensorRow index = {.name = "index",
                       .tier = row->index_tier ? row->index_tier : TIER_HBM,
                       .type = row->index_type ? row->index_type : "i32",
                       .shape = row->index};
    TensorRow output = {.name = "output",
                        .tier = gathers ? TIER_DM : TIER_HBM,
                        .type = row->type,
                        .shape = row->output};
    Op op = {.kind = row->kind,
             .method = gathers ? "dma_gather" : "dma_scatter",
             .span = next_span(&bench),
             .context = CONTEXT_TDMA,
             .source = view(&bench, add_tensor(&bench, data)),
             .index = view(&bench, add_tensor(&bench, index)),
             .target = view_mut(&bench, add_tensor(&bench, output)),
             .key = row->key ? dim(&bench, row->key) : NULL};
    bench.diags.count = 0;
    builder_op(bench.builder, &op);
    expect(&bench, row->data, row->codes, row->text);
    bench_close(&bench);
}

#define SCATTER(of, by, to) \
    .kind = OP_SCATTER, .type = "bf16", .data = (of), .key = (by), .output = (to)
#define GATHER(of, to) .kind = OP_GATHER, .type = "bf16", .data = (of), .output = (to)
#define INDEX(dims)    .index = (dims)
#define REFERENCE      .rules = RULES_REFERENCE

TEST(scatter_sends_the_payload_by_key)
{
#define DATA "1 | 1 # 2 | T # 256 | D"
    static const Row rows[] = {
        {SCATTER(DATA, "T", "1 | V, D"), INDEX("1 | T"), .codes = ""},
        {SCATTER(DATA, "T", "1 | V, D"), INDEX("1 | T"), REFERENCE, .codes = ""},
        {SCATTER("1 | 1 # 2 | T / 8 # 256 | T % 8, D", "T", "1 | V, D"), INDEX("1 | T"),
         .codes = ""},
        {SCATTER("T | 1 # 2 | 1 # 256 | D", "T", "T | V, D"), INDEX("T | K"), .codes = "E0561",
         .text = "Slice and Element of the data"},
        {SCATTER(DATA, "V", "1 | V, D"), INDEX("1 | T"), .codes = "E0561", .text = "`V`"},
        {SCATTER(DATA, "T", "1 | V"), INDEX("1 | T"), .codes = "E0562",
         .text = "the output does not hold `D`"},
        {SCATTER(DATA, "T", "1 | V"), INDEX("1 | T"), REFERENCE, .codes = "E0562"},
        {SCATTER(DATA, "T", "1 | D"), INDEX("1 | T"), .codes = "E0563"},
        {SCATTER(DATA, "T", "1 | V, D"), INDEX("1 | K"), .codes = "E0564", .text = "64 positions"},
        {SCATTER(DATA, "T", "1 | V, D"), INDEX("1 | K"), REFERENCE, .codes = ""},
        {SCATTER(DATA, "T", "1 | V, D"), INDEX("1 | T"), .index_type = "i8", .codes = "E0564",
         .text = "i32"},
        {SCATTER(DATA, "T", "1 | V, D"), INDEX("1 # 4 | T"), .codes = "E0564",
         .text = "Chip of the index"},
        {SCATTER(DATA, "T", "1 | V, D"), INDEX("1 | 1 # 2 | 1 # 256 | T"), .index_tier = TIER_DM,
         .codes = "E0564"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_row(&rows[i]);
}

TEST(gather_brings_rows_of_a_table)
{
#define OUT "1 | 1 # 2 | T # 256 | D"
    static const Row rows[] = {
        {GATHER("1 | V, D", OUT), INDEX("1 | T"), .codes = ""},
        {GATHER("1 | V, D", OUT), INDEX("1 | T"), REFERENCE, .codes = "E0556"},
        {GATHER("1 | V, D", "1 | 1 # 2 | W | T, D"), INDEX("1 | T"), .codes = ""}, // for all slices
        {GATHER("1 | V, D", "1 | 1 # 2 | T # 256 | D % 8"), INDEX("1 | T"), .codes = "E0562",
         .text = "`D / 8"},
        {GATHER("1 | V, D", "1 | 1 # 2 | 1 # 256 | D"), INDEX("1 | T"), .codes = "E0564",
         .text = "`T`"},
        {GATHER("1 | 1 # 8", OUT), INDEX("1 | T"), .codes = "E0563", .text = "the table"},
        {GATHER("1 | V, K = 3", "1 | 1 # 2 | T # 256 | K = 3 # 4"), INDEX("1 | T"),
         .codes = "E0538", .text = "3 elements of bf16 apart"},
        {GATHER("1 | V, K = 3 # 4", "1 | 1 # 2 | T # 256 | K = 3 # 4"), INDEX("1 | T"),
         .codes = ""},
        {GATHER("1 | V, D", "1 | 1 # 2 | D # 256 | T"), INDEX("1 | T"), .codes = "E0537"},
        {GATHER("1 | V, D", OUT), INDEX("1 | T"), .index_type = "f32", .codes = "E0564"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_row(&rows[i]);
}
