// For every rule of the sequencer, the Fetch Engine and the Commit Engine: a program that breaks
// it, with its code and place, beside one that keeps it.
#include "sequencer_support.h"

// An accepted program has no diagnostics.
TEST(rules_have_a_code_and_a_place)
{
    static const char nine[] = "A=2,B=2,C=2,D=2,E=2,F=2,G=2,H=2,I=2";
    static const struct {
        Row row;
        const char *diags;
    } cases[] = {
        // Sequencer, Configuration Failures: insufficient input
        {{"N=2048", NULL, "N % 512", "N / 512", "N % 512", READ}, "time 0-7 E0201\n"},
        {{"N=2048", NULL, "N", "N / 512", "N % 512", READ}, ""},
        {{"A=8", NULL, "A = 4", NULL, "A", READ}, "packet 0-1 E0201\n"},
        {{"A=8", NULL, "A = 4", NULL, "A = 4", READ}, ""},
        // incompatible shapes
        {{"A=15", NULL, "A % 5, A / 5", NULL, "A % 3", READ}, "packet 0-5 E0202\n"},
        {{"A=15", NULL, "A % 5, A / 5", NULL, "A % 5", READ}, ""},
        {{"A=3", NULL, "A # 6 % 2, A # 6 / 2 % 3", "A # 6 / 3, A # 6 % 3", NULL, READ},
         "time 11-20 E0202\n"},
        // entry limit
        {{nine, NULL, "A, B, C, D, E, F, G, H, I", "I, H, G, F, E, D, C, B, A", READ},
         "time 0-25 E0203\n"},
        {{nine, NULL, "A, B, C, D, E, F, G, H, I", "I, H, G, F, E, D, C, B", READ}, ""},
        {{nine, NULL, "A, B, C, D, E, F, G, H, I", "A, B, C, D, E, F, G, H, I", READ}, ""},
        // iteration limit (erratum E059: 65,536 is allowed)
        {{"A=65537", NULL, "A", "A", READ}, "time 0-1 E0204\n"},
        {{"A=65536", NULL, "A", "A", READ}, ""},
        {{"A=131072", NULL, "A", "A", READ}, ""},
        {{"A=65537,B=65537", NULL, "A, B", "A, B", READ}, "time 0-4 E0204\ntime 0-4 E0204\n"},
        {{"A=65537", NULL, "A", "1", "A", READ}, "packet 0-1 E0204\n"},
        {{"A=8", NULL, "A", NULL, "A = 4", SUB}, "packet 0-5 E0205\n"},
        {{"A=8", NULL, "A", NULL, "A", SUB}, ""},
        {{"A=8,B=2", NULL, "A, B", "B", "A", SUB}, "packet 0-1 E0205\n"},
        // Fetch and Commit Engine, Example 2, key constraint; broadcasting_write (erratum E058)
        {{"A=16,T=4,P=4", NULL, "A", "T, A", "P", WRITE}, "time 0-1 E0206\npacket 0-1 E0206\n"},
        {{"A=16,T=4,P=4", NULL, "T, A, P", "T, A", "P", WRITE}, ""},
        // Example 3, why 23 dummies cannot use 32-byte commits
        {{"A=65,B=2", NULL, "B, A # 88", "B, A # 96 / 32", "A # 96 % 32", "f8", COMMIT},
         "time 3-14 E0207\n"},
        {{"A=65,B=2", NULL, "B, A # 96", "B, A # 96 / 32", "A # 96 % 32", "f8", COMMIT}, ""},
        // nor may a write start before the buffer, nor write its padding over elements
        {{"A=3", NULL, "A", NULL, "# 2 + A", WRITE}, "packet 0-7 E0207\n"},
        {{"A=3", NULL, "# 2 + A", NULL, "# 2 + A", WRITE}, ""},
        {{"A=8", NULL, "A", "A = 4 # 8", NULL, WRITE}, "time 0-9 E0207\n"},
        {{"A=8", NULL, "A = 4 # 8", "A = 4 # 8", NULL, WRITE}, ""},
        // whole bytes of i4
        {{"A=8", NULL, "A", NULL, "A = 3", "i4", READ}, "packet 0-5 E0208\n"},
        {{"A=8", NULL, "A", NULL, "A = 4", "i4", READ}, ""},
        {{"A=4,B=3", NULL, "B, A", "1 # 1", "A = 2", "i4", READ}, ""},
        // Commit Engine, Constraints: strides and base are multiples of 8 bytes
        {{"M=4,W=32", NULL, "M, W # 36", "M", "W", COMMIT}, "buffer 0-9 E0209\n"},
        {{"M=4,W=32", NULL, "M, W # 40", "M", "W", COMMIT}, ""},
        {{"M=4,W=32", NULL, "M, W", "M", "W", COMMIT, .base_bytes = 4}, "buffer 0-4 E0209\n"},
        // Truncating: 8, 16, 24 or 32 bytes; an Element of 2 bytes is refused (erratum E083)
        {{"M=4,W=8", NULL, "M, W = 3", "M", "W", "f32", COMMIT}, "buffer 0-8 E0210\n"},
        {{"M=4,W=8", NULL, "M, W = 4", "M", "W", "f32", COMMIT}, ""},
        {{"M=4,W=2", NULL, "M, W", "M", "W # 32", COMMIT}, "buffer 0-4 E0210\n"},
        // Fetch Engine, Constraints: packets are multiples of 8 bytes (errata E061, E067, E072)
        {{"A=3,B=5,C=2", NULL, "A, B, C", "A, B", "C", "f8e4m3", FETCH}, "packet 0-1 E0211\n"},
        {{"A=3,B=5,C=2", NULL, "A, B, C", "A, B", "C # 8", "f8e4m3", FETCH}, ""},
        {{"N=4,C=3,H=4,W=8", NULL, "N, C, H, W", "N, C, H", "W", "i4", FETCH},
         "packet 0-1 E0211\n"},
        {{"A=20", NULL, "A", NULL, "A", FETCH}, "packet 0-1 E0211\n"},
        {{"A=4", NULL, "A", NULL, "A", "i8", "i32", FETCH}, ""}, // counted after the cast
        // Type Casting
        {{"A=8", NULL, "A", NULL, "A", "i8", "f32", FETCH}, "- E0212\n"},
        {{"A=8", NULL, "A", NULL, "A", "i8", "i32", FETCH}, ""},
        {{"A=8", NULL, "A", NULL, "A", "i16", "i9", FETCH}, "- E0212\n"},
        {{"A=8", NULL, "A", NULL, "A", "i16", "i9", FETCH, .machine = &machine_rngd_s}, ""},
        // Mapping Expressions, Skewed Axis
        {{"A=4,B=8,B'=B-A", NULL, "A, B", "A", "B'", READ}, "packet 0-2 E0213\n"},
        {{"A=4,B=8,B'=B-A", NULL, "A, B'", "A", "B'", READ}, ""},
        // Sliding: positions that several elements share are read, not written
        {{"N=5,F=3", NULL, "$(N:1, F:2)", "N, F", NULL, WRITE}, "buffer 0-11 E0214\n"},
        {{"N=5,F=3", NULL, "$(N:1, F:2)", "N, F", READ}, ""},
        // Commit Engine, Constraints: flits of 32 bytes
        {{"M=4,W=16", NULL, "M, W", "M", "W", COMMIT}, "packet 0-1 E0215\n"},
        {{"M=4,W=16", NULL, "M, W", "M", "W # 32", COMMIT}, ""},
    };
    int wrong = 0;
    bool seen[DIAG_CODE_COUNT] = {false};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Case c;
        case_run(&c, &cases[i].row);
        assert_true(c.parsed);
        if (strcmp(case_summary(&c), cases[i].diags) != 0 && ++wrong)
            print_error("case %zu (buffer %s, packet %s):\n%s, not\n%s\n", i, cases[i].row.buffer,
                        cases[i].row.packet ? cases[i].row.packet : "1", case_summary(&c),
                        cases[i].diags);
        assert_int_equal(c.ok, !c.diags.count);
        for (int64_t k = 0; k < c.diags.count; k++)
            seen[c.diags.items[k]->code] = true;
        arena_release(&c.arena);
    }
    for (DiagCode code = DIAG_SEQUENCE_INSUFFICIENT; code <= DIAG_SEQUENCE_COMMIT_PACKET; code++)
        assert_true(seen[code]);
    assert_int_equal(wrong, 0);
}

// Every problem of a stream is reported, not the first only.
TEST(all_problems_are_reported)
{
    Case c;
    case_run(&c, &(Row){"N=64,A=15,T=4", NULL, "N % 8, A % 5, A / 5", "N / 8, A % 3", "T", WRITE});
    assert_false(c.ok);
    assert_string_equal(case_summary(&c), "time 0-5 E0201\ntime 7-12 E0202\npacket 0-1 E0206\n");
    arena_release(&c.arena);
}
