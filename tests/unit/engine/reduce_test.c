#include "stream_support.h"

// ---- contract

// Manual: Reducer, Spatial Reduction; api 4.9.
TEST(spatial_reduction)
{
    static const char axes[] = "A=4,B=2,C=4,D=32,E=48,K=64,L=128,N=8";
    static const struct {
        const char *type, *packet, *out, *codes;
    } rows[] = {
        {"i8", "K", "1", ""},
        {"i8", "K", "K / 4", ""},
        {"i8", "A, D / 2", "A, D / 8", ""},
        {"i8", "A # 16, C", "A", ""},
        {"i8", "A # 16, C", "A # 16", ""},
        {"i8", "B # 8, N", "B", ""},
        {"bf16", "D", "D", ""},
        {"f8e4m3", "K", "K / 2", ""},
        {"i4", "L", "1", ""},
        {"i4", "L", "L / 4", ""},
        {"i8", "A # 64", "A", ""},
        {"i8", "K", "K", "2 E0663"},
        {"i8", "K", "K % 4", "2 E0665"},
        {"i8", "K", "K = 3", "2 E0664"},
        {"i8", "K", "K / 4 = 8", "2 E0665"},
        {"i8", "A, D / 2", "D / 2", "2 E0665"},
        {"f32", "D / 2", "1", "2 E0661"},
        {"f8", "K", "1", "2 E0661"},
        {"bf16", "D / 2", "1", "2 E0662"},
        {"f32", "D", "1", "2 E0661, 2 E0662"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        chain_input(&c, POSITION_ALIGN,
                    (Shape){.type = rows[i].type, .row = "1", .packet = rows[i].packet});
        chain_add(&c, (Stage){.kind = STAGE_CONTRACT}, (Shape){.packet = rows[i].out});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// ---- accumulate

typedef struct {
    AccumulateKind kind;
    const char *row, *time, *packet, *out_time, *out_packet, *codes;
} Row;

#define I ACCUMULATE_INTERLEAVED
#define S ACCUMULATE_SEQUENTIAL

static void run(Chain *c, RuleSet rules, const Row *row)
{
    chain_open(c, "A=4,B=2,C=4,D=32,H=64,K=64,M=4,N=8,P=8,R=16", rules, CONTEXT_MAIN);
    chain_input(c, POSITION_CONTRACT,
                (Shape){.type = "i32", .row = row->row, .time = row->time, .packet = row->packet});
    chain_add(c, (Stage){.kind = STAGE_ACCUMULATE, .accumulate = row->kind},
              (Shape){.time = row->out_time, .packet = row->out_packet});
}

// Manual: Reducer, Temporal Reduction; api 4.10.
TEST(temporal_reduction)
{
    static const Row rows[] = {
        {I, "1", "A, B", "1", "B", "1 # 8", ""},
        {I, "1", "A # 8, B # 4", "1", "B # 4", "1 # 8", ""},
        {I, "1", "A # 8, B", "D", "A # 8, B, D", "1 # 8", ""},
        {I, "N", "C, A, B", "1", "C, B", "N", ""},
        {I, "M", "C, A, B", "1", "C, B", "M # 8", ""},
        {I, "N", "A", "1", "1", "N", ""},
        {I, "N", "K / 16, M", "K % 16 / 4", "M, K % 16 / 4", "N", ""},
        {I, "N", "K / 16, M", "K % 16 / 4 # 32", "M, K % 16 / 4", "N", ""},
        {I, "1", "1 # 256, K", "1", "1 # 256", "1 # 8", ""},
        {S, "N", "A, B", "1", "B, N", "1 # 8", ""},
        {S, "N", "M", "B", "M, N", "B # 8", ""},
        {S, "N", "M", "D", "N, D / 8", "D % 8", ""},
        {S, "N", "A, B, C", "1", "B, N", "1 # 8", ""},
        {S, "N", "K / 16, M", "K % 16 / 4", "M, N", "K % 16 / 4 # 8", ""},
        // the packet
        {I, "1", "A", "H", "A, H", "1 # 8", "2 E0668"},
        {I, "M", "A", "1", "1", "M", "2 E0669"},
        {I, "M", "A", "1", "1", "P", "2 E0670"},
        {S, "N", "M", "B", "M, N", "1 # 8", "2 E0670"},
        // Time
        {I, "N", "M", "D", "M, D = 16", "N", "2 E0671"},
        {S, "N", "M", "D", "N", "D % 8", "2 E0671"},
        {I, "N", "A, B", "1", "C", "N", "2 E0672"},
        {I, "N", "A, B", "1", "B, A", "N", "2 E0673"},
        {I, "1", "A, B # 4", "1", "B # 2", "1 # 8", "2 E0674"},
        {I, "N", "A, B # 32", "1", "A, B", "N", "2 E0674"},
        {I, "N", "A", "1", "A = 2", "N", "2 E0674"},
        {S, "M", "A, B", "1", "B, M # 8", "1 # 8", "2 E0674"},
        // the buffer
        {I, "N", "A, D # 64, C", "1", "D # 64, C", "N", "2 E0675"},
        {I, "N", "A, D, C", "1", "D, C", "N", ""},
        {S, "N", "A, P", "1", "P, N", "1 # 8", "2 E0675"},
        {S, "1", "A, N, B", "D", "N, B, D / 8", "D % 8", "2 E0675"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (RuleSet rules = RULES_CONTRA; rules <= RULES_REFERENCE; rules++) {
            Chain c;
            run(&c, rules, &rows[i]);
            chain_expect(&c, i, rows[i].codes);
            chain_close(&c);
        }
}
