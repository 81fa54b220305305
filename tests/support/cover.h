// What occurs in programs: how often each kind of operation, stage, operator, type and the like
// does.
#ifndef CONTRA_TEST_COVER_H
#define CONTRA_TEST_COVER_H

#include "program/program.h"

enum { COVER_CHIPS = 9, COVER_ROWS = 9, COVER_ADAPTERS = 4, COVER_PLACES = 8 };

typedef struct {
    int64_t ops[OP_KIND_COUNT];
    int64_t moves[TIER_COUNT][TIER_COUNT];
    int64_t stages[STAGE_COUNT];
    int64_t contexts[CONTEXT_COUNT];
    int64_t vector_ops[VECTOR_OP_COUNT];
    int64_t alus[ALU_COUNT];
    int64_t modes[MODE_COUNT];
    int64_t operands[OPERAND_COUNT], conditions[CONDITION_COUNT];
    int64_t branches[BRANCH_COUNT], compares[COMPARE_COUNT];
    int64_t switches[SWITCH_COUNT];
    int64_t accumulates[ACCUMULATE_COUNT], trf[TRF_COUNT], rows[COVER_ROWS];
    int64_t memory_types[SCALAR_COUNT], stream_types[SCALAR_COUNT];
    int64_t fetch_casts[SCALAR_COUNT][SCALAR_COUNT], casts[SCALAR_COUNT][SCALAR_COUNT];
    int64_t adapters[COVER_ADAPTERS]; // none, table, one zero point, two
    int64_t tiles[2];                 // of views that are read, and that are written
    int64_t chips[COVER_CHIPS];
    int64_t both_clusters, stashes, scaled, several_operands;
} Cover;

void cover_program(Cover *cover, const Program *program);

// What programs can have and none had, a line each; nothing: all was there.
void cover_missing(const Cover *cover, StrBuf *out);

#endif
