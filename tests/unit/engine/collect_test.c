// collect, and where its flits go: to_trf, to_vrf, cast.
#include "stream_support.h"

static const char axes[] =
    "A=8,B=64,C=32,D=5,E=16,F=40,I=512,J=512,K=2048,L=2,M=32,N=8,O=2,S=256,U=24,W=3";

// Manual: Collect Engine, Packet Normalization; api 4.6.
TEST(flits)
{
    static const struct {
        const char *type, *time, *packet, *out_time, *out_packet, *codes;
    } rows[] = {
        {"i8", "A", "C", "A", "C", ""},
        {"i8", "A", "C # 32", "A", "C # 32", ""},
        {"i8", "A", "E", "A", "E # 32", ""},
        {"bf16", "A", "C", "A, C / 16", "C % 16", ""},
        {"i8", "A", "B", "A, B / 32", "B % 32", ""},
        {"bf16", "1", "K", "K / 16", "K % 16", ""},
        {"i4", "A", "B", "A", "B", ""},
        {"i8", "A", "F", "A, F # 64 / 32", "F # 64 % 32", ""},
        {"i8", "A", "L, D # 8", "A", "[L, D # 8] # 32", ""},
        {"i8", "1 # 4", "B", "1 # 4, B / 32", "B % 32", ""},
        {"bf16", "K / 32", "K % 32", "K / 32", "K % 32", "2 E0631"},
        {"f32", "B", "C", "B", "C", "2 E0631"},
        {"i8", "A", "E", "A", "E", "2 E0631"},
        {"i8", "A", "B", "A, B % 2", "B / 2", "2 E0632, 2 E0633"},
        {"i8", "A", "E", "A", "E, L", "2 E0632"},
        {"i8", "A", "B", "B / 32, A", "B % 32", "2 E0633"},
        {"i8", "A", "B", "A", "B % 32", "2 E0633"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (RuleSet rules = RULES_CONTRA; rules <= RULES_REFERENCE; rules++) {
            Chain c;
            chain_open(&c, axes, rules, CONTEXT_MAIN);
            chain_input(
                &c, POSITION_FETCH,
                (Shape){.type = rows[i].type, .time = rows[i].time, .packet = rows[i].packet});
            chain_add(&c, (Stage){.kind = STAGE_COLLECT},
                      (Shape){.time = rows[i].out_time, .packet = rows[i].out_packet});
            chain_expect(&c, i, rows[i].codes);
            chain_close(&c);
        }
}

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

// ---- TRF

typedef struct {
    TrfAddress address;
    const char *type, *time, *packet, *row, *element, *codes;
} Load;

static void load(Chain *c, RuleSet rules, const Load *row)
{
    chain_open(c, axes, rules, CONTEXT_SUB);
    chain_input(c, POSITION_COLLECT,
                (Shape){.type = row->type, .time = row->time, .packet = row->packet});
    Tensor trf =
        *chain_tensor(c, TIER_TRF, ORIGIN_RESULT,
                      (Shape){.type = row->type, .row = row->row, .element = row->element});
    trf.trf = row->address;
    chain_add(c, (Stage){.kind = STAGE_TO_TRF, .result = builder_tensor(c->builder, &trf)},
              (Shape){0});
}

// Manual: TRF Sequencer; Memory and Stream, Size Constraint; api 4.7.
TEST(weights)
{
    static const Load rows[] = {
        {TRF_FULL, "bf16", "N, C / 16", "C % 16", "N", "C", ""},
        {TRF_FIRST_HALF, "bf16", "N, O, M", "E", "N", "O, M, E", ""},
        {TRF_FULL, "bf16", "K / 16", "K % 16", "1", "K", ""},
        {TRF_FULL, "i8", "1 # 8, A", "C", "1 # 8", "A, C", ""},
        {TRF_SECOND_HALF, "i8", "N, K / 32, L", "K % 32", "N", "K / 32, L, K % 32", ""},
        {TRF_FULL, "i8", "W, A", "C", "W", "A, C", "2 E0635"},
        {TRF_FULL, "bf16", "J % 8, J / 8 % 4, K / 16", "K % 16", "J % 8", "J / 8 % 4, K",
         "2 E0636"},
        {TRF_FIRST_HALF, "bf16", "N, J / 8 % 2, K / 16", "K % 16", "N", "J / 8 % 2, K", "2 E0636"},
        {TRF_FULL, "i8", "L", "C", "N", "C", "2 E0637"},
        {TRF_FULL, "i8", "D", "C", "L", "C", "2 E0638"},
        {TRF_FULL, "i8", "A, N", "C", "N", "A, C", "2 E0639, 2 E0640"},
        {TRF_FULL, "i8", "N, A", "C", "N", "C, A", "2 E0640"},
        {TRF_FULL, "i8", "N, A", "E # 32", "N", "A, E", "2 E0640"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (RuleSet rules = RULES_CONTRA; rules <= RULES_REFERENCE; rules++) {
            Chain c;
            load(&c, rules, &rows[i]);
            chain_expect(&c, i, rows[i].codes);
            chain_close(&c);
        }
}

// The GEMM of the tutorial.
TEST(capacity_counts_rows)
{
    Chain c;
    load(&c, RULES_CONTRA,
         &(Load){TRF_FULL, "bf16", "J % 8, J / 8 % 4, K / 16", "K % 16", "J % 8", "J / 8 % 4, K",
                 ""});
    assert_string_equal(chain_text(&c), "`J / 8 % 4, K` of bf16 is 16384 bytes per row; Full has "
                                        "8192 for each of 8 rows\n"
                                        "  note: all rows together are 131072 bytes of 65536\n"
                                        "  help: split the tensor and load it in several passes\n");
    chain_close(&c);
}

// ---- VRF

// Manual: Memory and Stream, Size Constraint, Alignment Constraint; api 4.7.
TEST(operands)
{
    static const struct {
        const char *type, *time, *packet, *element;
        int64_t address;
        const char *codes;
    } rows[] = {
        {"i32", "1", "A", "A", 0, ""},
        {"f32", "M", "A", "A, M", 0, ""},
        {"f32", "M", "D # 8", "M, D", 0, ""},
        {"i32", "S", "A", "S, A", 0, ""},
        {"bf16", "1", "E", "E", 0, "2 E0643"},
        {"i32", "S", "A", "S, A", 4, "2 E0644"},
        {"i32", "S, L", "A", "S, L, A", 0, "2 E0644"},
        {"i32", "1", "A", "A", 2, "2 E0645"},
        {"i32", "M", "A", "A", 0, "2 E0646"},
        {"i32", "1", "A", "M, A", 0, "2 E0646"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_SUB);
        chain_input(&c, POSITION_COLLECT,
                    (Shape){.type = rows[i].type, .time = rows[i].time, .packet = rows[i].packet});
        Tensor vrf = *chain_tensor(&c, TIER_VRF, ORIGIN_RESULT,
                                   (Shape){.type = rows[i].type, .element = rows[i].element});
        vrf.address.value = rows[i].address;
        chain_add(&c, (Stage){.kind = STAGE_TO_VRF, .result = builder_tensor(c.builder, &vrf)},
                  (Shape){0});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// ---- Cast Engine

// Manual: Cast Engine; api 4.11.
TEST(casts)
{
    static const struct {
        RuleSet rules;
        const char *from, *packet, *to, *out, *codes;
    } rows[] = {
        {RULES_CONTRA, "i32", "A", "i8", "A # 32", ""},
        {RULES_CONTRA, "i32", "D # 8", "i8", "D # 32", ""},
        {RULES_CONTRA, "f32", "A", "bf16", "A # 16", ""},
        {RULES_CONTRA, "f32", "1 # 8", "bf16", "1 # 16", ""},
        {RULES_CONTRA, "i32", "A", "i4", "A # 64", ""},
        {RULES_CONTRA, "i32", "A", "i32", "A", ""},
        {RULES_CONTRA, "f32", "A", "f8e5m2", "A # 32", ""},
        {RULES_CONTRA, "i32", "A", "i16", "A # 16", ""},
        {RULES_CONTRA, "i32", "A", "bf16", "A # 16", "2 E0677"},
        {RULES_CONTRA, "bf16", "E", "bf16", "E", "2 E0677"},
        {RULES_CONTRA, "f32", "A", "bf16", "A", "2 E0678"},
        {RULES_CONTRA, "f32", "A", "bf16", "L, A", "2 E0679"},
        {RULES_CONTRA, "f32", "A", "bf16", "A % 4 # 16", "2 E0679"},
        {RULES_REFERENCE, "f32", "A", "bf16", "A # 16", ""},
        {RULES_REFERENCE, "f32", "A", "f16", "A # 16", "2 E0677"},
        {RULES_REFERENCE, "i32", "A", "i16", "A # 16", "2 E0677"},
        {RULES_REFERENCE, "i32", "D", "i8", "D # 32", "2 E0678"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, rows[i].rules, CONTEXT_MAIN);
        chain_input(&c, POSITION_COLLECT,
                    (Shape){.type = rows[i].from, .time = "M", .packet = rows[i].packet});
        chain_add(&c, (Stage){.kind = STAGE_CAST},
                  (Shape){.type = rows[i].to, .packet = rows[i].out});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}
