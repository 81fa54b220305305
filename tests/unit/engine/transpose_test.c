#include "stream_support.h"

typedef struct {
    const char *type, *time, *packet, *out_time, *out_packet, *codes;
} Row;

static const char axes[] = "A=4,B=2,C=8,D=4,E=8,F=8,G=16,H=3,P=8,W=16,X=64";

static void check(Position position, RuleSet rules, const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Chain c;
        chain_open(&c, axes, rules, CONTEXT_MAIN);
        chain_input(&c, position,
                    (Shape){.type = rows[i].type, .time = rows[i].time, .packet = rows[i].packet});
        chain_add(&c, (Stage){.kind = STAGE_TRANSPOSE},
                  (Shape){.time = rows[i].out_time, .packet = rows[i].out_packet});
        chain_expect(&c, i, rows[i].codes);
        chain_close(&c);
    }
}

// Manual: Transpose Engine; api 4.12.
static const Row matrices[] = {
    {"i8", "C, F", "E # 32", "C, E", "F # 32", ""},
    {"i8", "A", "B # 32", "B", "A # 32", ""},
    {"i8", "A", "B # 32", "B # 8", "A # 32", ""},
    {"i8", "B, C, D", "E # 32", "B, D, E", "C # 32", ""},
    {"bf16", "C, D", "E # 16", "C, E", "D # 16", ""},
    {"bf16", "C, D", "E # 16", "C, E # 8", "D # 16", ""},
    {"i4", "G", "W # 64", "W", "G # 64", ""},
    {"i4", "G, B", "W # 64", "B, W", "G # 64", ""},
    {"f32", "C, B", "E", "C, E", "B # 8", ""},
    {"i8", "C", "H # 32", "H # 4", "C # 32", ""},
    // flits
    {"i8", "C, F", "E # 16", "C, E", "F # 32", "1 E0604"},
    {"i8", "C, F", "E # 32", "C, E", "F # 16", "2 E0681"},
    // the matrix
    {"bf16", "C, D", "G", "C, G", "D # 16", "2 E0682"},
    {"bf16", "C, F", "E # 16", "C, E", "F # 16", "2 E0683"},
    {"f32", "C, D", "E", "C, E", "D # 8", "2 E0683"},
    {"i8", "C, F", "E # 32", "C, E", "D # 32", "2 E0684"},
    {"i8", "F, C", "E # 32", "C, E", "F # 32", "2 E0685"},
    {"i8", "C, H", "E # 32", "H, E", "C # 32", "2 E0685"},
    {"i8", "C, F", "E # 32", "E, C", "F # 32", "2 E0686"},
    {"i8", "B, C, D", "E # 32", "B, E, D", "C # 32", "2 E0686"},
    {"i8", "A", "B # 32", "B # 16", "A # 32", "2 E0686"},
    {"i8", "A", "E # 32", "E = 4", "A # 32", "2 E0686"},
};

TEST(from_collect)
{
    check(POSITION_COLLECT, RULES_CONTRA, matrices, COUNT_OF(matrices));
    check(POSITION_COLLECT, RULES_REFERENCE, matrices, 10);
}

// The same rules hold behind the Vector Engine; the reference library asks there only that nothing
// is lost.
TEST(from_vector_engine)
{
    static const Row rows[] = {
        {"f32", "C, B", "E", "C, E", "B # 8", ""},
        {"f32", "C, D", "E", "C, E", "D # 8", "2 E0683"},
    };
    static const Row reference[] = {
        {"f32", "C, D", "E", "C, E", "D # 8", ""},
        {"f32", "C, D", "E", "C, E", "1 # 8", "2 E0686"},
        {"f32", "C", "E", "C, E", "D # 8", "2 E0686"},
    };
    check(POSITION_VECTOR_FINAL, RULES_CONTRA, rows, COUNT_OF(rows));
    check(POSITION_VECTOR_FINAL, RULES_REFERENCE, reference, COUNT_OF(reference));
}

// Rows of several axes, rows of padding and a single row are the manual's, not the reference's.
TEST(rows_of_any_shape)
{
    static const Row rows[] = {
        {"i8", "C, D, B", "E # 32", "C, E", "[D, B] # 32", ""},
        {"i8", "C, B, D", "E # 32", "C, E", "[D, B] # 32", "2 E0684"},
        {"i8", "C, H # 4", "E # 32", "C, E", "H # 32", ""},
        {"i8", "C", "E # 32", "C, E", "1 # 32", ""},
    };
    static const Row reference[] = {
        {"i8", "C", "E # 32", "C, E", "1 # 32", "2 E0684"},
    };
    check(POSITION_COLLECT, RULES_CONTRA, rows, COUNT_OF(rows));
    check(POSITION_COLLECT, RULES_REFERENCE, reference, COUNT_OF(reference));
}
