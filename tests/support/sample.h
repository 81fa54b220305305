// Random axes and mapping expressions, and expressions that are nearly the same as a given one.
#ifndef CONTRA_TEST_SAMPLE_H
#define CONTRA_TEST_SAMPLE_H

#include "brute.h"
#include "tree.h"

typedef struct {
    uint64_t state;
} Rng;

uint64_t rng_next(Rng *rng);
int64_t rng_below(Rng *rng, int64_t n);
bool rng_chance(Rng *rng, int64_t percent);

enum { SAMPLE_MOST_ATOMS = 6, SAMPLE_MOST_EXPRS = 2 };

// What a law is tried on.
typedef struct {
    Arena *arena;    // of the trees
    Arena *scratch;  // of one try of a law; emptied after it
    DiagList *diags; // what the constructors refused on the way
    const Atom *atoms[SAMPLE_MOST_ATOMS];
    int64_t atom_count;
    const Expr *exprs[SAMPLE_MOST_EXPRS];
    int64_t expr_count;
    int64_t number; // where a law needs one: a place to split, a length
} Sample;

typedef enum {
    SAMPLE_DISJOINT = 1, // no part of an axis occurs twice
    SAMPLE_RESIZE = 2,   // with `=`
    SAMPLE_SHIFT = 4,    // with `@` and `# n + X`
    SAMPLE_LINEAR = 8,   // with `$( )`
    SAMPLE_SKEW = 16,    // with a skewed axis
    SAMPLE_PLAIN = 32,   // parts of axes only, no composite cut
} SampleKind;

void sample_axes(Sample *sample, Rng *rng, int kinds);
// At most `most` positions.
const Expr *sample_expr(Sample *sample, Rng *rng, int kinds, int64_t most);
// Mostly equal cells: split, regrouped, padded by nothing.
const Expr *sample_rewritten(Sample *sample, Rng *rng, const Expr *expr);
// Mostly different cells: a number changed, elements exchanged.
const Expr *sample_mutated(Sample *sample, Rng *rng, const Expr *expr);

// A size of at most `most`, small ones more often.
int64_t sample_limit(Rng *rng, int64_t most);
int64_t sample_divisor(Rng *rng, int64_t n);

Scope sample_scope(const Sample *sample, Arena *arena);
BruteAxes sample_brute_axes(const Sample *sample);
// "A=4,B=3"
Str sample_axes_text(Arena *arena, const Sample *sample);

#endif
