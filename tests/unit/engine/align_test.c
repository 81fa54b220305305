#include "stream_support.h"

typedef struct {
    const char *type, *time, *packet, *row, *element, *out_time, *out_packet, *codes;
} Row;

static const char axes[] = "A=2048,B=32,C=32,D=4,H=64,I=32,K=16,L=2,M=32,N=8,O=2,P=2,Q=2,R=2,S=2,"
                           "T=5,U=2,V=2,W=2,X=2,Y=2,Z=2,E=24,F=3";

static void check(RuleSet rules, const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Row *row = &rows[i];
        Chain c;
        chain_open(&c, axes, rules, CONTEXT_MAIN);
        chain_input(&c, POSITION_COLLECT,
                    (Shape){.type = row->type, .time = row->time, .packet = row->packet});
        const Tensor *trf =
            chain_tensor(&c, TIER_TRF, ORIGIN_PARAM,
                         (Shape){.type = row->type, .row = row->row, .element = row->element});
        chain_add(&c, (Stage){.kind = STAGE_ALIGN, .trf = trf},
                  (Shape){.time = row->out_time, .packet = row->out_packet});
        chain_expect(&c, i, row->codes);
        chain_close(&c);
    }
}

// Manual: Aligner; Stream Adapter; TRF Sequencer; Reducer; Hello, TCP!; api 4.8.
TEST(examples)
{
    static const Row rows[] = {
        {"bf16", "M, O, L", "K", "N", "O, M, K", "M, O", "L, K", ""},
        {"bf16", "M, O, L", "K", "N", "O, K", "M, O", "L, K", ""},
        {"bf16", "M", "K", "N", "K", "M", "K # 32", ""},
        {"bf16", "M", "K", "N", "T, K", "M, T", "K # 32", ""},
        {"bf16", "M, C / 16", "C % 16", "N", "C", "M", "C", ""},
        {"bf16", "O, M, L", "K", "N", "O, K", "O, M", "L, K", ""},
        {"bf16", "A / 16", "A % 16", "1", "A", "A / 32", "A % 32", ""},
        {"bf16", "H / 16, D", "H % 16", "N", "H", "H / 16, D", "H % 16 # 32", ""},
        {"bf16", "I, L, A / 16", "A % 16", "N", "L, A", "I, L, A / 32", "A % 32", ""},
        {"i8", "M", "C", "N", "T # 8, C", "M, T # 8", "C # 64", ""},
    };
    check(RULES_CONTRA, rows, COUNT_OF(rows));
    check(RULES_REFERENCE, rows, COUNT_OF(rows));
}

TEST(refused)
{
    static const Row rows[] = {
        {"bf16", "M", "K", "N", "K", "M", "K", "2 E0650"},
        {"bf16", "M, L", "K", "N", "K", "M", "K, L", "2 E0651"},
        {"bf16", "M, O, L", "K", "N", "K", "M", "L, K", "2 E0652"},
        {"bf16", "M, O, L", "K", "N", "O, M, K", "O, M", "L, K", "2 E0653"},
        {"bf16", "M", "K", "N", "T, K", "T, M", "K # 32", "2 E0654"},
        {"bf16", "M", "K", "N", "K", "M, T", "K # 32", "2 E0655"},
        {"bf16", "M", "K", "N", "T, K", "M", "K # 32", "2 E0656"},
    };
    check(RULES_CONTRA, rows, COUNT_OF(rows));
    check(RULES_REFERENCE, rows, COUNT_OF(rows));
}

// Collected flits leave Time, so the axis that repeats the packet follows the rest of Time. The
// reference library wants it inside the flits as well. Manual: Stream Adapter, Conceptual
// Operation.
TEST(collected_and_repeated)
{
    static const Row rows[] = {
        {"bf16", "M, L", "K", "N", "T, K", "M, T", "L, K", ""},
        {"bf16", "M, L", "K", "N", "T, L, K", "M, T", "L, K", ""},
        {"bf16", "M, L", "K", "N", "T, P, K", "M, T, P", "L, K", ""},
        {"bf16", "M, L", "K", "N", "P, T, K", "M, T, P", "L, K", ""},
        {"bf16", "M, C / 16", "C % 16", "N", "T # 8, C", "M, T # 8", "C", ""},
        {"bf16", "A / 16", "A % 16", "1", "T, A", "A / 32, T", "A % 32", ""},
        {"i8", "M, L", "C", "N", "T, C", "M, T", "L, C", ""},
        {"bf16", "M, L", "K", "N", "T, K", "T, M", "L, K", "2 E0654"},
        {"bf16", "M, O, L", "K", "N", "T, K", "M, T, O", "L, K", "2 E0654"},
        {"bf16", "M, L", "K", "N", "T, K", "L, T", "M % 2, K", "2 E0652"},
        {"bf16", "L, M", "K", "N", "T, K", "M, T", "L, K", "2 E0653"},
        {"bf16", "M, L", "K", "N", "K", "M, T", "L, K", "2 E0655"},
        {"bf16", "M, L", "K", "N", "T, K", "M", "L, K", "2 E0656"},
    };
    check(RULES_CONTRA, rows, COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Row reference = rows[i];
        reference.codes = "2 E0654";
        if (!*rows[i].codes)
            check(RULES_REFERENCE, &reference, 1);
    }
}

// What the hardware cannot read; the reference library does not ask. Manual: TRF Sequencer.
TEST(trf_sequencer)
{
    static const Row rows[] = {
        {"bf16", "M, L", "K", "N", "L, O, K", "M", "L, K", "2 E0656"},
        {"bf16", "M, L", "K", "N", "L, M, K", "M", "L, K", "2 E0657"},
        {"bf16", "M, L", "K", "N", "K, L", "M", "L, K", "2 E0657"},
        {"bf16", "M, E # 32 / 16", "E # 32 % 16", "N", "M, E", "M", "E # 32", "2 E0659"},
        {"bf16", "M, E # 32 / 16", "E # 32 % 16", "N", "M, E # 32", "M", "E # 32", ""},
        // nine loops that do not merge, which several commands share, and the same in order
        {"i8", "O, P, Q, R, S, U, V, W, X", "C", "1", "X, W, V, U, S, R, Q, P, O, C",
         "O, P, Q, R, S, U, V, W, X", "C # 64", ""},
        {"i8", "O, P, Q, R, S, U, V, W, X", "C", "1", "O, P, Q, R, S, U, V, W, X, C",
         "O, P, Q, R, S, U, V, W, X", "C # 64", ""},
        {"i8", "A, M, O", "C", "1", "C", "A, M, O", "C # 64", ""},
    };
    check(RULES_CONTRA, rows, COUNT_OF(rows));
    for (size_t i = 1; i < COUNT_OF(rows); i++) {
        Row free = rows[i];
        free.codes = "";
        check(RULES_REFERENCE, &free, 1);
    }
}

// Type and place of stream and tensor agree, and so does the number of rows.
TEST(places_agree)
{
    static const struct {
        Shape trf;
        const char *codes;
    } rows[] = {
        {{.type = "i8", .slice = "M", .row = "N", .element = "C"}, ""},
        {{.type = "i4", .slice = "M", .row = "N", .element = "C"}, "2 E0649"},
        {{.type = "i8", .slice = "I", .row = "N", .element = "C"}, "2 E0649"},
        {{.type = "i8", .chip = "L", .slice = "M", .row = "N", .element = "C"}, "2 E0649"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        chain_input(&c, POSITION_COLLECT, (Shape){.slice = "M", .time = "D", .packet = "C"});
        const Tensor *trf = chain_tensor(&c, TIER_TRF, ORIGIN_PARAM, rows[i].trf);
        chain_add(&c, (Stage){.kind = STAGE_ALIGN, .trf = trf},
                  (Shape){.time = "D", .packet = "C # 64"});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}
