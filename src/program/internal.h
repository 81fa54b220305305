// What the files of this folder share.
#ifndef CONTRA_PROGRAM_INTERNAL_H
#define CONTRA_PROGRAM_INTERNAL_H

#include "program/build.h"

// ---- build.c

Arena *builder_arena(const Builder *builder); // of programs
DiagList *builder_diags(const Builder *builder);
const Machine *builder_machine(const Builder *builder); // NULL: none in particular

// ---- memo.c

typedef struct DimSlot DimSlot;

// Dimensions by what is written and where, so that a mapping met again is the same one.
typedef struct {
    Arena *arena; // of the dimensions
    Arena *table; // of the slots
    DimSlot *slots;
    int64_t count, capacity;
} DimTable;

// The one dimension of an expression that is written like `expr` at `span`.
const Dim *dim_intern(DimTable *table, const Expr *expr, Span span);

// The same tree, whatever the spans.
bool expr_same(const Expr *a, const Expr *b);

// The last stage of a chain, and what else the rules about it may depend on.
typedef struct {
    const Pass *pass;
    const Stage *stage;
    MaybeInt chips; // of the program
} ChainLink;

// The hash of a chain with one more stage, never 0; 0 is a chain of none.
uint64_t chain_add(uint64_t chain, const Stage *stage);

typedef enum {
    ANSWER_NONE,
    ANSWER_SOUND,
    ANSWER_REFUSED, // but what follows can be asked about
    ANSWER_UNSOUND
} ChainAnswer;

typedef struct ChainSlot ChainSlot;

// What the rules said about chains.
typedef struct {
    Arena *arena;
    ChainSlot *slots;
    int64_t count, capacity;
} ChainTable;

// What was said about this chain, wherever it is; if something was reported, at this place only, so
// that the next place gets a report of its own. *facts are those of the last stage, if there is an
// answer.
ChainAnswer chain_known(const ChainTable *table, uint64_t chain, const ChainLink *link,
                        StageFacts **facts);
void chain_remember(ChainTable *table, uint64_t chain, const ChainLink *link, ChainAnswer answer,
                    bool reported);

#endif
