// Shuffles and slices. Manual: Chip/Cluster Reduce, Implementation Methods.
#include "memory_support.h"

typedef struct {
    OpKind kind;
    Tier tier;
    const char *source, *target; // NULL: the same
    const char *key, *sliced;
    int64_t pattern[4];
    int64_t count, declared;
    RuleSet rules;
    Context context;
    const char *codes, *text;
} Row;

static void check_row(const Row *row)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=4,B=64,C=2,D=16", .rules = row->rules});
    TensorRow source = {.name = "x", .tier = row->tier, .shape = row->source};
    TensorRow target = {.name = "y",
                        .tier = row->tier,
                        .shape = row->target ? row->target : row->source,
                        .origin = ORIGIN_RESULT};
    Op op = {.kind = row->kind,
             .method = "shuffle",
             .span = next_span(&bench),
             .context = row->context,
             .source = view(&bench, add_tensor(&bench, source)),
             .target = view_mut(&bench, add_tensor(&bench, target)),
             .key = row->key ? dim(&bench, row->key) : NULL,
             .sliced = row->sliced ? dim(&bench, row->sliced) : NULL,
             .pattern = row->pattern,
             .pattern_count = row->count,
             .declared_count = row->declared};
    expect(&bench, row->source, "", NULL);
    builder_op(bench.builder, &op);
    expect(&bench, row->source, row->codes, row->text);
    bench_close(&bench);
}

#define CHIPS(...)    .kind = OP_CHIP_SHUFFLE, .context = CONTEXT_TDMA, .pattern = {__VA_ARGS__}
#define CLUSTERS(...) .kind = OP_CLUSTER_SHUFFLE, .context = CONTEXT_TDMA, .pattern = {__VA_ARGS__}
#define DM(dims)      .tier = TIER_DM, .source = (dims)
#define HBM(dims)     .tier = TIER_HBM, .source = (dims)
#define OF(n)         .count = (n), .declared = (n)
#define REFERENCE     .rules = RULES_REFERENCE

TEST(shuffles_name_a_source_for_each_target)
{
#define ON_CHIPS "A | 1 # 2 | 1 # 256 | B"
    static const Row rows[] = {
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 0), OF(4), .codes = ""},
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 0), .count = 4, .codes = ""}, // count not declared
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 0), .count = 4, .declared = 8, .codes = "E0551",
         .text = "declared count of shuffle is 8"},
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 0), .count = 4, .declared = 8, REFERENCE, .codes = "E0551"},
        {DM(ON_CHIPS), CHIPS(1, 2, 0), OF(3), .codes = "E0551 E0551"},
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 4), OF(4), .codes = "E0552",
         .text = "entry 3 of the pattern of shuffle is 4; `A` has the positions 0 to 3"},
        {DM(ON_CHIPS), CHIPS(1, 2, 3, -1), OF(4), .codes = "E0552"},
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 4), OF(4), REFERENCE, .codes = ""},
        {DM(ON_CHIPS), CHIPS(0, 0, 2, 3), OF(4), .codes = "E0554",
         .text = "Chip 0 has to 2 places, and what 1 has to none"},
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 0), OF(4), .target = "A | 1 # 2 | 1 # 256 | B / 8, B % 8",
         .codes = ""},
        {DM(ON_CHIPS), CHIPS(1, 2, 3, 0), OF(4), .target = "A | 1 # 2 | B / 8 # 256 | B % 8",
         .codes = "E0553 E0553"},
        {DM(ON_CHIPS), .kind = OP_CHIP_SHUFFLE, .context = CONTEXT_PDMA, .pattern = {1, 2, 3, 0},
         OF(4), .codes = "E0532"},
        {DM("1 | C | 1 # 256 | B"), CLUSTERS(1, 0), OF(2), .codes = ""},
        {DM("1 | C | 1 # 256 | B"), CLUSTERS(1, 2), OF(2), .codes = "E0552"},
        {DM("1 | C | 1 # 256 | A"), CLUSTERS(1, 0), OF(2), .codes = "E0537",
         .text = "runs of 4 bytes"},
        {HBM("A | B"), CHIPS(1, 2, 3, 0), OF(4), .codes = ""},
        {HBM("A | B"), CHIPS(1, 2, 3, 0), OF(4), REFERENCE, .codes = "E0556"},
        {HBM("A | B"), CLUSTERS(1, 0), OF(2), .codes = "E0555", .text = "Cluster"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_row(&rows[i]);
}

#define SLICE_CHIPS(...)  .kind = OP_CHIP_SLICE, .context = CONTEXT_SUB, .pattern = {__VA_ARGS__}
#define ALONG(axis, left) .key = (axis), .sliced = (left)

TEST(slices_are_tiles)
{
#define TO_WORDS .target = "A | 1 # 2 | 1 # 256 | D"
    static const Row rows[] = {
        {DM("A | 1 # 2 | 1 # 256 | B, D"), ALONG("B", "1 # 64, D"), TO_WORDS,
         SLICE_CHIPS(3, 0, 63, 2), OF(4), .codes = ""},
        {DM("A | 1 # 2 | 1 # 256 | B, D"), ALONG("B", "1 # 64, D"), TO_WORDS,
         SLICE_CHIPS(3, 0, 64, 2), OF(4), .codes = "E0552", .text = "`B`"},
        {DM("A | 1 # 2 | 1 # 256 | B, D"), ALONG("B", "D"), TO_WORDS, SLICE_CHIPS(3, 0, 1, 2),
         OF(4), .codes = "E0521", .text = "`m![1 # 64, D]`"},
        {DM("A | 1 # 2 | 1 # 256 | B, D"), ALONG("C", "B, D"), TO_WORDS, SLICE_CHIPS(3, 0, 1, 2),
         OF(4), .codes = "E0122"},
        {DM("A | 1 # 2 | 1 # 256 | B, D"), ALONG("B", "1 # 64, D"), TO_WORDS, SLICE_CHIPS(3, 0, 1),
         OF(3), .codes = "E0551 E0551"},
        {DM("A | 1 # 2 | 1 # 256 | B, D"), ALONG("B", "1 # 64, D"),
         .target = "A | 1 # 2 | 1 # 256 | 1 # 8", SLICE_CHIPS(3, 0, 1, 2), OF(4), .codes = "E0535",
         .text = "`D`"},
        {DM("A | 1 # 2 | 1 # 256 | B"), ALONG("B", "1 # 64"),
         .target = "A | 1 # 2 | 1 # 256 | 1 # 8", SLICE_CHIPS(3, 0, 1, 2), OF(4), .codes = ""},
        {DM("A | 1 # 2 | 1 # 256 | B"), ALONG("B", "1 # 64"), .target = "A | 1 # 2 | 1 # 256 | 1",
         SLICE_CHIPS(3, 0, 1, 2), OF(4), .codes = "E0537", .text = "`m![1 # 8]`"},
        {DM("A | 1 # 2 | 1 # 256 | B"), ALONG("B", "1 # 64"), .target = "A | 1 # 2 | 1 # 256 | 1",
         SLICE_CHIPS(3, 0, 1, 2), OF(4), REFERENCE, .codes = ""},
        {DM("A | 1 # 2 | 1 # 256 | B"), ALONG("B", "1 # 64"),
         .target = "1 # 4 | 1 # 2 | 1 # 256 | A, 1 # 8", SLICE_CHIPS(3, 0, 1, 2), OF(4),
         .codes = "E0553"},
        {DM("1 | C | 1 # 256 | B, D"), ALONG("B", "1 # 64, D"), .target = "1 | C | 1 # 256 | D",
         .kind = OP_CLUSTER_SLICE, .context = CONTEXT_SUB, .pattern = {1, 0}, OF(2), .codes = ""},
        {DM("1 | C | 1 # 256 | B, D"), ALONG("B", "1 # 64, D"), .target = "1 | C | 1 # 256 | D",
         .kind = OP_CLUSTER_SLICE, .context = CONTEXT_TDMA, .pattern = {1, 0}, OF(2),
         .codes = "E0532"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_row(&rows[i]);
}
