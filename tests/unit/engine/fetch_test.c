#include "stream_support.h"

typedef struct {
    const char *type, *element, *cast, *time, *packet, *codes;
} Row;

static const char axes[] = "A=8,B=512,C=2,D=63,E=5,H=4,I=2,J=3,K=16,M=4,N=4,T=2,U=32,W=8,X=300";

static void fetch(Chain *c, const Row *row)
{
    chain_begin(c, chain_tensor(c, TIER_DM, ORIGIN_ADDRESS,
                                (Shape){.type = row->type, .element = row->element}));
    chain_add(c, (Stage){.kind = STAGE_FETCH},
              (Shape){.type = row->cast, .time = row->time, .packet = row->packet});
}

static void check(RuleSet rules, Context context, const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Chain c;
        chain_open(&c, axes, rules, context);
        fetch(&c, &rows[i]);
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// Manual: Fetch Engine, Fetch Sequencer, Type Casting, Masking; Sequencer.
TEST(moves)
{
    static const Row rows[] = {
        {"i8", "A, B", "i8", "A, B / 32", "B % 32", ""},
        {"i8", "B, U", "i32", "B", "U", ""},
        {"i8", "N, J, H, W", "i8", "1", "N, H, J, W", ""},
        {"f8e4m3", "J, E, C", "f8e4m3", "J", "[E, C] # 16", ""},
        {"i8", "D", "i8", "1", "D # 64", ""},
        {"i8", "D", "i8", "D # 64 / 8", "D # 64 % 8", ""},
        {"i8", "A", "i8", "T, A", "W", ""},
        {"i4", "N, J, H, W", "i4", "N, J, H / 2", "H % 2, W", ""},
        // slices, written as such
        {"i8", "K, A, W", "i8", "K / 4, K % 4 = 3, A / 4, A % 4 = 2", "W", ""},
        {"i8", "A, W", "i8", "A = 1", "W", ""},
        {"i8", "A, W", "i8", "A / 4, A % 4 = 1", "W", ""},
        {"i8", "A, 1 # 4, W", "i8", "A", "W", ""},
        // refused
        {"i8", "A, W", "i8", "1", "W", "2 E0609"},
        {"i8", "A, W", "i8", "A / 4", "W", "2 E0609"},
        {"f8e4m3", "J, E, C", "f8e4m3", "J, E", "C", "2 E0211"},
        {"i4", "N, J, H, W", "i4", "N, J, H", "W", "2 E0211"},
        {"i8", "A, W", "f32", "A", "W", "2 E0212"},
        {"i8", "A % 4", "i8", "A / 4", "A % 4, C", "2 E0201"},
        {"i8", "X", "i8", "1", "X # 304", "2 E0610"},
        {"i8", "X", "i8", "X # 304 / 16", "X # 304 % 16", ""},
        {"i8", "A, B", "i8", "B % 256", "A, B / 256", ""},
        {"i8", "A, W", "i8", "A, A % 2", "W", "2 E0111"},
        {"i4", "A", "i4", "1", "A = 5", "2 E0208"},
    };
    check(RULES_CONTRA, CONTEXT_MAIN, rows, COUNT_OF(rows));
}

TEST(sub_context)
{
    static const Row rows[] = {
        {"bf16", "B", "bf16", "1", "B", ""},       {"i8", "D", "i8", "1", "D # 64", ""},
        {"i8", "X", "i8", "1", "X # 304", ""}, // nothing is masked
        {"i8", "A, B", "i8", "B", "A", "2 E0205"}, {"i4", "W", "i32", "1", "W", ""},
    };
    check(RULES_CONTRA, CONTEXT_SUB, rows, COUNT_OF(rows));
}

// The casts of the reference library, and its move.
TEST(reference)
{
    static const Row rows[] = {
        {"i8", "A, W", "i32", "A", "W", ""},
        {"i16", "A, W", "i32", "A", "W", "2 E0212"},
        {"f32", "A, W", "bf16", "A", "W", "2 E0212"},
        {"i8", "A, W", "i8", "A", "C", "2 E0211, 2 E0609"},
        {"i8", "A, W", "i8", "A = 1", "W", "2 E0609"},
        {"i8", "X", "i8", "1", "X # 304", ""},
    };
    check(RULES_REFERENCE, CONTEXT_MAIN, rows, COUNT_OF(rows));
}

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

// ---- two tensors

// Manual: Fetch Engine, Interleaving Tensors.
TEST(interleaving)
{
    static const struct {
        const char *axis, *left, *right, *time, *packet, *codes;
    } rows[] = {
        {"I", "A, W", "A, W", "A, I", "W", ""},
        {"I", "A, W", "A, W", "I", "A, W", ""},
        {"I", "A, W", "A, W", "A / 4, [A % 4, I]", "W", ""},
        {"I", "A, W", "A, W", "I, A", "W", "2 E0608"},
        {"I", "A, W", "A, W", "A", "W", "2 E0608"},
        {"I", "A, W", "A, W", "I", "W", "2 E0609"},
        {"J", "A, W", "A, W", "A, J", "W", "1 E0606"},
        {"I", "A, W", "W, A", "A, I", "W", "1 E0607"},
        {"I", "A, I, W", "A, I, W", "A, I", "W", "1 E0501"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        const Tensor *left =
            chain_tensor(&c, TIER_DM, ORIGIN_ADDRESS, (Shape){.element = rows[i].left});
        const Tensor *right =
            chain_tensor(&c, TIER_DM, ORIGIN_ADDRESS, (Shape){.element = rows[i].right});
        Stage begin = {.kind = STAGE_BEGIN_INTERLEAVED,
                       .axis = scope_find(&c.scope, str_from(rows[i].axis))->atom};
        begin.sources[0] = builder_view(c.builder, left, false, SPAN_NOWHERE);
        begin.sources[1] = builder_view(c.builder, right, false, SPAN_NOWHERE);
        begin.span = begin.call_span = chain_span(&c);
        builder_stage(c.builder, c.pass, &begin);
        chain_add(&c, (Stage){.kind = STAGE_FETCH},
                  (Shape){.type = "i8", .time = rows[i].time, .packet = rows[i].packet});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// ---- the adapter

// Manual: Fetch Engine, Table Indexing, Zero-Point Subtraction.
TEST(adapter)
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
        {CONTEXT_MAIN, "i8", "i32", {.zero_point_count = 1, .zero_points = {10}}, ""},
        {CONTEXT_SUB, "i8", "i32", {.zero_point_count = 1, .zero_points = {10}}, ""},
        {CONTEXT_MAIN, "i4", "i5", {.zero_point_count = 1, .zero_points = {-16}}, ""},
        {CONTEXT_MAIN, "i4", "i5", {.zero_point_count = 1, .zero_points = {16}}, "2 E0614"},
        {CONTEXT_MAIN, "bf16", "f32", {.zero_point_count = 1, .zero_points = {1}}, "2 E0613"},
        {CONTEXT_MAIN, "i8", "i32", {.zero_point_count = 2, .zero_points = {1, 2}}, "2 E0615"},
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

// A stream that came in as a parameter has Element as Time and Packet.
TEST(from_a_parameter)
{
    static const struct {
        const char *in_time, *in_packet, *time, *packet, *codes;
    } rows[] = {
        {"1", "A, B", "A", "B", ""},
        {"I", "A", "I", "A", ""},
        {"I", "A", "A, I", "W", ""}, // W is repeated
        {"I", "A, W", "A, I", "W", ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        chain_input(&c, POSITION_BEGIN,
                    (Shape){.time = rows[i].in_time, .packet = rows[i].in_packet});
        chain_add(&c, (Stage){.kind = STAGE_FETCH},
                  (Shape){.type = "i8", .time = rows[i].time, .packet = rows[i].packet});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}
