#include "stream_support.h"

typedef struct {
    SwitchConfig config;
    const char *in_slice, *in_time, *out_slice, *out_time;
    const char *codes; // of the call of switch
} Row;

#define B01(s1, s0, t0)                   \
    {                                     \
        SWITCH_BROADCAST01, s1, s0, t0, 0 \
    }
#define B1(s1, s0)                      \
    {                                   \
        SWITCH_BROADCAST1, s1, s0, 0, 0 \
    }
#define TR(s1, s0)                     \
    {                                  \
        SWITCH_TRANSPOSE, s1, s0, 0, 0 \
    }
#define IT(s1, s0, t0)                        \
    {                                         \
        SWITCH_INTER_TRANSPOSE, s1, s0, t0, 0 \
    }
#define TB(s1, s0)                                 \
    {                                              \
        SWITCH_TRANSPOSED_BROADCAST1, s1, s0, 0, 0 \
    }
#define RING(n)                             \
    {                                       \
        SWITCH_CUSTOM_BROADCAST, 0, 0, 0, n \
    }

static const char regular_axes[] = "A=8,B=64,C=256,D=64,E=1024,F=1024,I=256,K=1024,M=64,N=128,X=4";

static void run(Chain *c, const char *axes, RuleSet rules, const Row *row)
{
    chain_open(c, axes, rules, CONTEXT_MAIN);
    chain_input(c, POSITION_FETCH,
                (Shape){.slice = row->in_slice, .time = row->in_time, .packet = "1 # 8"});
    chain_add(c, (Stage){.kind = STAGE_SWITCH, .config = row->config},
              (Shape){.slice = row->out_slice, .time = row->out_time});
}

static void check(const char *axes, RuleSet rules, const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Chain c;
        run(&c, axes, rules, &rows[i]);
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// Manual: Switch Engine, Architecture; api 4.5.
TEST(regular_topologies)
{
    static const Row rows[] = {
        {B01(256, 1, 1), "E / 4", "1", "F / 4", "E / 4", ""},
        {B01(256, 1, 1), "1 # 256", "1", "I", "1 # 256", ""},
        {B01(2, 2, 2), "C", "A", "C / 4, D % 4", "A / 2, C / 2 % 2, A % 2, C % 2", ""},
        {B01(2, 2, 1), "C", "A", "C / 4, 1 # 4", "A, C / 2 % 2, C % 2", ""},
        {B01(2, 2, 4), "C", "B", "C / 4, X", "B / 4, C / 2 % 2, B % 4, C % 2", ""},
        {B1(4, 4), "C", "A", "C / 16, 1 # 4, C % 4", "A, C / 4 % 4", ""},
        {B1(4, 64), "C", "A", "1 # 4, C % 64", "A, C / 64", ""},
        {B1(4, 8), "C", "B", "C / 32, X, C % 8", "B, C / 8 % 4", ""},
        {TR(32, 2), "C", "A", "C / 64, C % 2, C / 2 % 32", "A", ""},
        {IT(2, 16, 2), "C", "A", "C / 32, A / 2 % 2, C % 16", "A / 4, A % 2, C / 16 % 2", ""},
        {IT(8, 32, 1), "C", "A", "A, C % 32", "C / 32 % 8", ""},
        {TB(8, 8), "1 # 4, K % 128 / 16, K % 128 / 2 % 8", "N / 32, K % 128 % 2",
         "1 # 4, M / 8, K % 128 / 16", "N / 32, K % 128 % 2, K % 128 / 2 % 8", ""},
        // sizes
        {B1(4, 4), "C", "A", "C / 16, C % 4", "A, C / 4 % 4", "2 E0617"},
        // errors that depend only on the input are reported as well
        {B1(4, 4), "C", "A", "C / 16, C % 4", "A", "2 E0617, 2 E0621"},
        {B01(0, 2, 0), "C", "A", "C / 16, C % 4", "A", "2 E0617, 2 E0618"},
        {B1(0, 4), "C", "A", "C / 16, 1 # 4, C % 4", "A, C / 4 % 4", "2 E0618"},
        {B1(3, 4), "C", "A", "C / 16, 1 # 4, C % 4", "A, C / 4 % 4", "2 E0618"},
        {B01(2, 2, 3), "C", "A", "C / 4, D % 4", "A, C % 4", "2 E0618"},
        {IT(2, 16, 8), "C", "A", "C / 32, A / 2 % 2, C % 16", "A / 4, A % 2, C / 16 % 2",
         "2 E0618"},
        {{SWITCH_BROADCAST1, INT64_MAX, 4, 0, 0}, "C", "A", "C", "A", "2 E0618"},
        {{SWITCH_BROADCAST1, -4, -4, 0, 0}, "C", "A", "C", "A", "2 E0618"},
        // Slice
        {B1(4, 4), "C", "A", "C / 16 % 4, C / 64, 1 # 4, C % 4", "A, C / 4 % 4", "2 E0619"},
        {B1(4, 4), "C", "A", "C / 64, 1 # 4, C % 16", "A, C / 4 % 4", "2 E0619, 2 E0620"},
        {TR(32, 2), "C", "A", "C", "A", "2 E0619"},
        {B1(4, 4), "C", "A", "C / 16, A / 2, C % 4", "A, C / 4 % 4", "2 E0620"},
        // Time
        {B01(2, 2, 2), "C", "A", "C / 4, D % 4", "A, C % 4", "2 E0621"},
        {B1(4, 4), "C", "A", "C / 16, 1 # 4, C % 4", "C / 4 % 4, A", "2 E0621"},
        {TR(32, 2), "C", "A", "C / 64, C % 2, C / 2 % 32", "A % 2, A / 2", "2 E0621"},
        {IT(8, 32, 1), "C", "A", "A, C % 32", "C / 32 % 4", "2 E0621"},
        // both
        {B1(4, 4), "C", "A", "C / 16, A / 2, C % 4", "A", "2 E0620, 2 E0621"},
    };
    check(regular_axes, RULES_CONTRA, rows, COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!*rows[i].codes)
            check(regular_axes, RULES_REFERENCE, &rows[i], 1);
}

// Illustrative sizes may leave rings that are no powers of two.
TEST(rings_are_powers_of_two)
{
    static const Row rows[] = {
        {B1(3, 1), "G", "A", "G / 3, 1 # 3", "A, G % 3", "2 E0622"},
        {B1(2, 1), "G", "A", "G / 2, 1 # 2", "A, G % 2", ""},
    };
    check("A=8,G=6", RULES_CONTRA, rows, COUNT_OF(rows));
}

// Manual: Switch Engine, Custom Topologies; api 4.5.
TEST(custom_topologies)
{
    static const char axes[] = "A=16,B=16,C=8,P=4,Q=8,R=8,S=256,X=4,Y=2,Z=2,W=3";
    static const Row rows[] = {
        {RING(1), "S", "C", "S", "C", ""},
        {RING(256), "A, B", "C", "B % 4, B / 4, A % 4, A / 4", "C", ""},
        {RING(16), "A, B", "C", "A, B % 4, B / 4", "C", ""},
        {RING(32), "R, Q, P", "C", "R, P, Q", "C", ""},
        {RING(4), "A, B", "C", "A, B / 4, X", "C, B % 4", ""},
        {RING(32), "A, B", "C", "A / 2, Y, B / 2, Z", "C, A % 2, B % 2", ""},
        {RING(256), "A, B", "C", "A % 4, A / 4, B / 4, X", "C, B % 4", ""},
        {RING(64), "R, Q, P", "C", "R / 2, Y, Q, P / 2, Z", "C, R % 2, P % 2", ""},
        {RING(256), "A, B", "C", "S", "C, A, B", ""},
        {RING(4), "A, B", "C", "A, B / 4, X", "C, B % 4 = 3", ""},
        {RING(32), "A, B", "C", "A / 2, Y, B / 2, Z", "C, B % 2", ""},
        {RING(4), "P # 8, Q # 32", "C # 16", "P # 8, Q # 32 / 4, X", "C # 16, Q # 32 % 4", ""},
        {RING(256), "R # 16, Q # 16", "C", "Q # 32, R # 8", "C", ""},
        // rings
        {RING(3), "A, B", "C", "A, B / 4, X", "C, B % 4", "2 E0622"},
        {RING(0), "A, B", "C", "A, B / 4, X", "C, B % 4", "2 E0622"},
        {RING(8), "A, B", "C", "A, B / 4, X", "C, B % 4", "2 E0623"},
        {RING(2), "A, B", "C", "A, B / 4, X", "C, B % 4", "2 E0623"},
        {RING(128), "A, B", "C", "B % 4, B / 4, A % 4, A / 4", "C", "2 E0623"},
        // Manual: Constraint 1, Constraint 2
        {RING(4), "A, B", "C", "A, B / 4, X", "C, B % 2, B / 2 % 2", "2 E0624"},
        {RING(32), "A, B", "C", "A / 2, Y, B / 2, Z", "A % 2, C, B % 2", "2 E0625"},
        {RING(4), "A, B", "C", "A, B / 4, X", "B % 4", "2 E0625"},
        {RING(1), "S", "C", "S", "C, A", "2 E0626"},
        {RING(4), "A, B", "C", "A, B / 4, X", "C, B / 4 % 2", "2 E0626"},
        // what is broadcast
        {RING(4), "A, B", "C", "A, B / 4, C % 4", "C, B % 4", "2 E0620"},
        {RING(32), "A, B", "C", "A / 2, X / 2, B / 2, X % 2", "C, A % 2, B % 2", "2 E0627"},
        {RING(4), "A, B", "C", "A, B / 4, W # 4", "C, B % 4", "2 E0628"},
        {RING(4), "A, B", "C", "A, B / 4", "C, B % 4", "2 E0617"},
    };
    check(axes, RULES_CONTRA, rows, COUNT_OF(rows));
}

// The reference library cannot run what drops data.
TEST(reference_drops_nothing)
{
    static const Row rows[] = {
        {RING(4), "A, B", "C", "A, B / 4, X", "C, B % 4", ""},
        {RING(4), "A, B", "C", "A, B / 4, X", "C, B % 4 = 3", "2 E0629"},
        {RING(32), "A, B", "C", "A / 2, Y, B / 2, Z", "C, B % 2", "2 E0629"},
        {IT(2, 2, 2), "A", "C", "A / 4, C / 2 % 2, A % 2", "C / 4, C % 2, A / 2 % 2", "2 E0617"},
    };
    check("A=16,B=16,C=8,X=4,Y=2,Z=2", RULES_REFERENCE, rows, COUNT_OF(rows));
}

// A help gives the text that fits.
TEST(helps)
{
    static const struct {
        Row row;
        const char *help;
    } cases[] = {
        {{B01(2, 2, 2), "C", "A", "C / 4, D % 4", "A, C % 4", ""},
         "write Time as `m![A / 2, C / 2 % 2, A % 2, C % 2]`"},
        {{B01(2, 2, 2), "C", "A", "C / 4, D % 4", "A, C % 4", ""},
         "configure `Broadcast01 { slice1: 1, slice0: 4, time0: 1 }`"},
        {{B1(4, 8), "C", "A", "C / 16, 1 # 4, C % 4", "A, C / 4 % 4", ""},
         "configure `Broadcast1 { slice1: 4, slice0: 4 }`"},
        {{TR(32, 2), "C", "A", "C", "A", ""}, "makes Slice `m![C / 64, C % 2, C / 2 % 32]`"},
        {{B1(4, 4), "C", "A", "C / 64, 1 # 4, C % 16", "A, C / 4 % 4", ""},
         "makes Slice `m![C / 16, 1 # 4, C % 4]`; a new axis"},
        {{RING(8), "C", "A", "C / 4, D % 4", "A, C % 4", ""}, "ring_size: 4"},
        {{RING(4), "C", "A", "C / 4, D % 4", "C % 4, A", ""}, "write Time as `m![A, C % 4]`"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Chain c;
        run(&c, regular_axes, RULES_CONTRA, &cases[i].row);
        if (!strstr(chain_text(&c), cases[i].help))
            fail_msg("row %zu: no \"%s\" in\n%s", i, cases[i].help, chain_text(&c));
        chain_close(&c);
    }
}
