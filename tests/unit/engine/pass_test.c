// Whole passes: which stage may follow which, what one mistake does to the stages behind it, and
// the programs of the tutorial.
#include "stream_support.h"

static const char axes[] = "A=2048,B=32,C=8,I=512,J=512,K=2048,M=4,N=8,S=256";

// ---- order

// Manual: Computing Tensors; Collect Engine, Pipeline Position.
TEST(order_of_stages)
{
    static const struct {
        RuleSet rules;
        Position from;
        StageKind kind;
        const char *text; // NULL: accepted as far as order goes
    } rows[] = {
        {RULES_CONTRA, POSITION_BEGIN, STAGE_FETCH, NULL},
        {RULES_CONTRA, POSITION_BEGIN, STAGE_COLLECT, "call `fetch` first"},
        {RULES_CONTRA, POSITION_FETCH, STAGE_ALIGN, "call `collect` first"},
        {RULES_CONTRA, POSITION_BEGIN, STAGE_TO_TRF, "call `fetch` and then `collect` first"},
        {RULES_CONTRA, POSITION_SWITCH, STAGE_SWITCH, "does not go back"},
        {RULES_CONTRA, POSITION_COLLECT, STAGE_CONTRACT, "call `align` first"},
        {RULES_CONTRA, POSITION_ALIGN, STAGE_COMMIT, "call `contract` and then `accumulate` first"},
        {RULES_CONTRA, POSITION_ACCUMULATE, STAGE_COLLECT, "does not go back"},
        {RULES_CONTRA, POSITION_ACCUMULATE, STAGE_CONTRACT,
         "works on an AlignedPair, but this stream is an AccumulationTensor"},
        {RULES_CONTRA, POSITION_SWITCH, STAGE_TRANSPOSE, "call `collect` first"},
        {RULES_CONTRA, POSITION_CAST, STAGE_CAST, "does not go back"},
        {RULES_CONTRA, POSITION_TRANSPOSE, STAGE_CAST, "does not go back"},
        {RULES_CONTRA, POSITION_TRANSPOSE, STAGE_TRANSPOSE, "does not go back"},
        {RULES_REFERENCE, POSITION_ACCUMULATE, STAGE_TRANSPOSE, "`vector_init`"},
        {RULES_REFERENCE, POSITION_CAST, STAGE_TRANSPOSE, "does not go back"},
        {RULES_CONTRA, POSITION_COLLECT, STAGE_VECTOR_FXP,
         "call `vector_init` and then `vector_intra_slice_branch` first"},
        {RULES_CONTRA, POSITION_BEGIN, STAGE_COMMIT, "call `fetch` first"},
        {RULES_REFERENCE, POSITION_BEGIN, STAGE_COMMIT, NULL},
        {RULES_CONTRA, POSITION_COLLECT, STAGE_BEGIN, "ctx.main.begin"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, rows[i].rules, CONTEXT_MAIN);
        chain_input(&c, rows[i].from,
                    (Shape){.type = "i8", .row = "1", .time = "C", .packet = "B"});
        const Tensor *dm = chain_tensor(&c, TIER_DM, ORIGIN_ADDRESS, (Shape){.element = "C, B"});
        const Tensor *trf =
            chain_tensor(&c, TIER_TRF, ORIGIN_ADDRESS, (Shape){.row = "C", .element = "B"});
        const View *view = builder_view(c.builder, dm, false, SPAN_NOWHERE);
        chain_add(&c,
                  (Stage){.kind = rows[i].kind,
                          .sources = {view},
                          .trf = trf,
                          .result = rows[i].kind == STAGE_TO_TRF ? trf : dm},
                  (Shape){.type = "i8", .time = "C", .packet = "B"});
        chain_expect(&c, i, rows[i].text ? "2 E0601" : "");
        if (rows[i].text && !strstr(chain_text(&c), rows[i].text))
            fail_msg("row %zu: no \"%s\" in\n%s", i, rows[i].text, chain_text(&c));
        chain_close(&c);
    }
}

// Streams that come in as parameters are what their type says.
TEST(inputs)
{
    static const struct {
        Position position;
        const char *type, *packet, *codes;
    } rows[] = {
        {POSITION_BEGIN, "i8", "M", ""},
        {POSITION_FETCH, "i8", "C", ""},
        {POSITION_FETCH, "i8", "M", "1 E0211"},
        {POSITION_COLLECT, "i8", "B", ""},
        {POSITION_ACCUMULATE, "f32", "S", "1 E0604"},
        {POSITION_CAST, "bf16", "N", "1 E0604"},
        {POSITION_COLLECT, "i8", "B, B % 2", "1 E0501"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        if (i == COUNT_OF(rows) - 1)
            chain_input(&c, rows[i].position, (Shape){.time = "B % 2", .packet = "B"});
        else
            chain_input(&c, rows[i].position,
                        (Shape){.type = rows[i].type, .packet = rows[i].packet});
        const char *codes = chain_codes(&c);
        assert_string_equal(strchr(codes, 'E') ? strchr(codes, 'E') : codes,
                            *rows[i].codes ? rows[i].codes + 2 : "");
        chain_close(&c);
    }
}

// Manual: Commit Engine, Constraints.
TEST(sub_context_commits_what_it_fetched)
{
    static const struct {
        RuleSet rules;
        Context context;
        bool casts;
        const char *codes;
    } rows[] = {
        {RULES_CONTRA, CONTEXT_SUB, false, ""},
        {RULES_CONTRA, CONTEXT_SUB, true, "5 E0602"},
        {RULES_CONTRA, CONTEXT_MAIN, true, ""},
        {RULES_REFERENCE, CONTEXT_SUB, true, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        bool casts = rows[i].casts;
        chain_open(&c, axes, rows[i].rules, rows[i].context);
        chain_begin(&c, chain_tensor(&c, TIER_DM, ORIGIN_ADDRESS,
                                     (Shape){.type = "f32", .element = "M, N"}));
        chain_add(&c, (Stage){.kind = STAGE_FETCH},
                  (Shape){.type = "f32", .time = "M", .packet = "N"});
        chain_add(&c, (Stage){.kind = STAGE_COLLECT}, (Shape){.time = "M", .packet = "N"});
        if (casts)
            chain_add(&c, (Stage){.kind = STAGE_CAST}, (Shape){.type = "bf16", .packet = "N # 16"});
        const Tensor *result = chain_tensor(
            &c, TIER_DM, ORIGIN_RESULT, (Shape){.type = casts ? "bf16" : "f32", .element = "M, N"});
        chain_add(&c, (Stage){.kind = STAGE_COMMIT, .result = result}, (Shape){0});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// ---- the tutorial

static void begin(Chain *c, const char *slice, const char *element)
{
    chain_begin(
        c, chain_tensor(
               c, TIER_DM, ORIGIN_ADDRESS,
               (Shape){.type = "bf16", .cluster = "1 # 2", .slice = slice, .element = element}));
}

static void fetch_and_collect(Chain *c, Shape fetched, Shape collected)
{
    fetched.type = "bf16";
    chain_add(c, (Stage){.kind = STAGE_FETCH}, fetched);
    chain_add(c, (Stage){.kind = STAGE_COLLECT}, collected);
}

static const Tensor *weights(Chain *c, const char *slice, const char *row, const char *element)
{
    return chain_tensor(
        c, TIER_TRF, ORIGIN_RESULT,
        (Shape){
            .type = "bf16", .cluster = "1 # 2", .slice = slice, .row = row, .element = element});
}

static void finish(Chain *c, const char *slice, const char *cast, const char *element)
{
    chain_add(c, (Stage){.kind = STAGE_CAST}, (Shape){.type = "bf16", .packet = cast});
    const Tensor *result = chain_tensor(
        c, TIER_DM, ORIGIN_RESULT,
        (Shape){.type = "bf16", .cluster = "1 # 2", .slice = slice, .element = element});
    chain_add(c, (Stage){.kind = STAGE_COMMIT, .result = result}, (Shape){0});
}

// Manual: Hello, TCP!, Dot Product.
TEST(dot_product)
{
    Chain c;
    chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
    memset(c.treatments, 0, sizeof c.treatments);
    begin(&c, "1 # 256", "A");
    fetch_and_collect(&c, (Shape){.packet = "A"}, (Shape){.time = "A / 16", .packet = "A % 16"});
    chain_add(&c, (Stage){.kind = STAGE_ALIGN, .trf = weights(&c, "1 # 256", "1", "A")},
              (Shape){.time = "A / 32", .packet = "A % 32"});
    chain_add(&c, (Stage){.kind = STAGE_CONTRACT}, (Shape){.packet = "1"});
    chain_add(&c, (Stage){.kind = STAGE_ACCUMULATE}, (Shape){.time = "1", .packet = "1 # 8"});
    finish(&c, "1 # 256", "1 # 16", "1 # 8");
    chain_expect(&c, 0, "");
    chain_close(&c);
}

// Manual: Hello, TCP!, GEMV as printed: a flit of 64 bytes, a commit of 2. Nothing between them has
// anything to say.
TEST(gemv)
{
    Chain c;
    chain_open(&c, "I=256,J=2048", RULES_CONTRA, CONTEXT_MAIN);
    memset(c.treatments, 0, sizeof c.treatments);
    begin(&c, "I", "J");
    fetch_and_collect(&c, (Shape){.time = "J / 32", .packet = "J % 32"},
                      (Shape){.time = "J / 32", .packet = "J % 32"});
    chain_add(&c, (Stage){.kind = STAGE_ALIGN, .trf = weights(&c, "I", "1", "J")},
              (Shape){.time = "J / 32", .packet = "J % 32"});
    chain_add(&c, (Stage){.kind = STAGE_CONTRACT}, (Shape){.packet = "1"});
    chain_add(&c, (Stage){.kind = STAGE_ACCUMULATE}, (Shape){.time = "1", .packet = "1 # 8"});
    finish(&c, "I", "1 # 16", "1");
    chain_expect(&c, 0, "3 E0631, 8 E0210");
    chain_close(&c);
}

// Manual: Hello, TCP!, GEMM as printed, but for the TRF that does not fit.
TEST(gemm)
{
    Chain c;
    chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
    memset(c.treatments, 0, sizeof c.treatments);
    const char *slice = "I / 32, J / 32";
    begin(&c, slice, "I % 32, K");
    fetch_and_collect(&c, (Shape){.time = "I % 32, J / 8 % 4", .packet = "K"},
                      (Shape){.time = "I % 32, J / 8 % 4, K / 16", .packet = "K % 16"});
    chain_add(&c, (Stage){.kind = STAGE_ALIGN, .trf = weights(&c, slice, "J % 8", "J / 8 % 4, K")},
              (Shape){.time = "I % 32, J / 8 % 4, K / 32", .packet = "K % 32"});
    chain_add(&c, (Stage){.kind = STAGE_CONTRACT}, (Shape){.packet = "1"});
    chain_add(&c, (Stage){.kind = STAGE_ACCUMULATE},
              (Shape){.time = "I % 32, J / 8 % 4", .packet = "J % 8"});
    finish(&c, slice, "J % 8 # 16", "I % 32, J % 32");
    chain_expect(&c, 0, "");
    chain_close(&c);
}

// What is repeated in a loop is asked about once.
TEST(a_chain_is_judged_once)
{
    Chain c;
    chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
    for (int i = 0; i < 3; i++) {
        c.calls = 0;
        c.pass = builder_pass(c.builder, CONTEXT_MAIN, true, SPAN_NOWHERE);
        chain_input(&c, POSITION_FETCH, (Shape){.time = "M", .packet = "C"});
        chain_add(&c, (Stage){.kind = STAGE_COLLECT}, (Shape){.time = "M", .packet = "C"});
    }
    chain_expect(&c, 0, "2 E0631");
    chain_close(&c);
}
