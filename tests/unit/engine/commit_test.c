#include "stream_support.h"

typedef struct {
    const char *type, *time, *packet, *element, *codes;
} Row;

static const char axes[] = "A=3,B=4,C=5,F=2,J=64,K=2,M=4,N=8,P=16,R=24,T=26,U=13,V=512,W=8,Z=16";

static const Stage *commit(Chain *c, const char *type, const char *element, int64_t address)
{
    Tensor tensor = {.tier = TIER_DM,
                     .origin = ORIGIN_RESULT,
                     .type = chain_scalar(type),
                     .address = {true, address},
                     .span = SPAN_NOWHERE};
    const Stage *before = c->pass->stages.items[c->pass->stages.count - 1];
    for (Level level = LEVEL_CHIP; level <= LEVEL_SLICE; level++)
        tensor.dims[level] = before->dims[level];
    tensor.dims[LEVEL_ELEMENT] = chain_dim(c, element);
    return chain_add(c,
                     (Stage){.kind = STAGE_COMMIT, .result = builder_tensor(c->builder, &tensor)},
                     (Shape){0});
}

static void run(Chain *c, RuleSet rules, Context context, const Row *row)
{
    chain_open(c, axes, rules, context);
    chain_input(c, POSITION_COLLECT,
                (Shape){.type = row->type, .time = row->time, .packet = row->packet});
    commit(c, row->type, row->element, 0);
}

static void check(RuleSet rules, Context context, const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Chain c;
        run(&c, rules, context, &rows[i]);
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// Manual: Commit Engine, Truncating, Commit Sequencer; api 4.13.
TEST(accepted_by_both)
{
    static const Row rows[] = {
        {"i8", "A, B, C", "N # 32", "A, B, C, N", ""},
        {"i8", "A, B, C", "N # 32", "A, B, C, N # 16", ""},
        {"i8", "A, B, C", "N # 32", "A, B, C, N # 32", ""},
        {"bf16", "M", "N # 16", "M, N", ""},
        {"bf16", "1", "N # 16", "N", ""},
        {"i8", "M, K", "W # 32", "M, K, W", ""},
        {"f32", "M, K", "W", "K, M, W", ""},
        {"i4", "M, K", "J", "K, M, J", ""},
        {"bf16", "P, M", "N # 16", "P, M, N # 16", ""},
    };
    check(RULES_CONTRA, CONTEXT_MAIN, rows, COUNT_OF(rows));
    check(RULES_REFERENCE, CONTEXT_MAIN, rows, COUNT_OF(rows));
}

// Manual: Commit Engine, Truncating (real elements, too), Commit Sequencer (a packet in pieces).
TEST(beyond_the_reference)
{
    static const Row contra[] = {
        {"f32", "M, K", "W", "M, K, W = 4", ""},
        {"bf16", "M, K", "Z", "K, M, Z = 8", ""},
        {"i16", "A # 32, B", "N # 16", "B, A # 32, N = 4", ""},
        {"i8", "K", "M, W", "K, M, W # 16", ""},
        {"i8", "K", "M, W", "M, K, W", ""},
    };
    static const Row reference[] = {
        {"f32", "M, K", "W", "M, K, W = 4", "2 E0692"},
        {"bf16", "M, K", "Z", "K, M, Z = 8", "2 E0692"},
        {"i16", "A # 32, B", "N # 16", "B, A # 32, N = 4", "2 E0692"},
        {"i8", "K", "M, W", "K, M, W # 16", "2 E0210, 2 E0691"},
    };
    check(RULES_CONTRA, CONTEXT_MAIN, contra, COUNT_OF(contra));
    check(RULES_REFERENCE, CONTEXT_MAIN, reference, COUNT_OF(reference));
}

TEST(refused)
{
    static const Row rows[] = {
        {"i8", "M", "U # 32", "M, U", "2 E0210"},     {"i8", "M", "N # 48", "M, N", "1 E0604"},
        {"i8", "M", "N # 32", "M, F, N", "2 E0690"},  {"i8", "M", "N # 32", "M, N, F", "2 E0205"},
        {"i8", "M, F", "N # 32", "M, N", "2 E0206"},  {"i8", "M", "N # 32", "F, N", "2 E0206"},
        {"i8", "M # 8", "N # 32", "M, N", "2 E0207"}, {"i8", "M", "N # 32", "M = 2, N", "2 E0207"},
        {"i8", "M = 2", "N # 32", "M, N", "2 E0689"}, {"bf16", "1", "1 # 16", "1", "2 E0210"},
    };
    check(RULES_CONTRA, CONTEXT_MAIN, rows, COUNT_OF(rows));
}

// Manual: Commit Engine, Constraints: 8 bytes a write in the sub context.
TEST(sub_context)
{
    static const Row rows[] = {
        {"i8", "M", "N # 32", "M, N", ""},
        {"i8", "M", "R # 32", "M, R", ""},
    };
    check(RULES_CONTRA, CONTEXT_SUB, rows, COUNT_OF(rows));
}

TEST(reference_refuses)
{
    static const Row rows[] = {
        {"i8", "M", "U # 32", "M, U", "2 E0210"},
        {"i8", "M", "N # 48", "M, N", "2 E0215"},
        {"i8", "M", "N # 32", "M, F, N", "2 E0691"},
        {"i8", "M # 8", "N # 32", "M, N", "2 E0689, 2 E0210"},
        {"i8", "A, B", "N # 32", "A, B # 8, N", "2 E0689, 2 E0691"},
    };
    check(RULES_REFERENCE, CONTEXT_MAIN, rows, COUNT_OF(rows));
}

// Type, chip, cluster and slice of the tensor are those of the stream.
TEST(places_agree)
{
    static const struct {
        Shape tensor;
        const char *codes;
    } rows[] = {
        {{.type = "i8", .slice = "P", .element = "M, N"}, ""},
        {{.type = "u8", .slice = "P", .element = "M, N"}, "2 E0688"},
        {{.type = "i8", .slice = "Z", .element = "M, N"}, "2 E0688"},
        {{.type = "i8", .cluster = "K", .slice = "P", .element = "M, N"}, "2 E0688"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        chain_input(&c, POSITION_COLLECT, (Shape){.slice = "P", .time = "M", .packet = "N # 32"});
        const Tensor *tensor = chain_tensor(&c, TIER_DM, ORIGIN_ADDRESS, rows[i].tensor);
        const View *view = builder_view(c.builder, tensor, true, SPAN_NOWHERE);
        chain_add(&c, (Stage){.kind = STAGE_COMMIT_VIEW, .target = view}, (Shape){0});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// Commits `time`, `packet` to positions start..start + length of V in [M, V].
static void commit_tile(Chain *c, const char *time, const char *packet, int64_t start,
                        int64_t length, const char *tiled)
{
    chain_open(c, axes, RULES_CONTRA, CONTEXT_MAIN);
    chain_input(c, POSITION_COLLECT, (Shape){.time = time, .packet = packet});
    const Tensor *tensor = chain_tensor(c, TIER_DM, ORIGIN_ADDRESS, (Shape){.element = "M, V"});
    const View *view = builder_view(c->builder, tensor, true, SPAN_NOWHERE);
    Tile tile = {.level = LEVEL_ELEMENT,
                 .index = chain_dim(c, "V"),
                 .length = length,
                 .start = {true, start},
                 .span = SPAN_NOWHERE};
    view = builder_tile(c->builder, view, &tile, chain_dim(c, tiled));
    chain_add(c, (Stage){.kind = STAGE_COMMIT_VIEW, .target = view}, (Shape){0});
}

// A tile that starts in the middle of a word cannot be written.
TEST(tiles_start_on_words)
{
    static const struct {
        int64_t start;
        const char *codes;
    } rows[] = {{0, ""}, {8, ""}, {4, "2 E0209"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        commit_tile(&c, "M", "V = 8 # 32", rows[i].start, 8, "M, V = 8 # 512");
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// Time steps over what it writes, not over the rest of the tensor.
TEST(time_of_a_tile)
{
    static const struct {
        const char *time, *codes;
    } rows[] = {
        {"M, V / 32 = 2", ""},
        {"M, V / 32 = 2 # 16", ""},
        {"M, V / 32 = 4", "2 E0207"},
        {"M, V / 32 = 1", "2 E0690"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        commit_tile(&c, rows[i].time, "V % 32", 64, 64, "M, V = 64 # 512");
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

TEST(padding_is_offered)
{
    Chain c;
    run(&c, RULES_CONTRA, CONTEXT_MAIN, &(Row){"bf16", "1", "1 # 16", "1", ""});
    assert_non_null(strstr(chain_text(&c), "commit writes 2 bytes per packet; the Commit Engine "
                                           "writes 8, 16, 24 or 32"));
    assert_non_null(strstr(chain_text(&c), "pad the Element: `m![1 # 4]`"));
    chain_close(&c);
}
