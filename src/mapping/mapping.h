// Mappings in factor form: what every position of a buffer means.
//
// A mapping of size n gives each position 0..n a cell: an index into the logical tensor (a value
// per axis), or padding. It is a list of factors, innermost first. A term factor
//
//     atom / stride % modulo = resize
//
// makes `resize` positions of everything inside it, and digit d adds d * stride to its atom. A
// padding factor raises the size of everything inside it to `size`. A position is padding when a
// digit falls into padding, or when the sum of an atom's contributions is not a position of the
// atom; only the sum decides, so `A # 64 / 8` beside `A # 64 % 8` with A = 63 has one padding cell.
//
// An atom is an axis, or something that must not be taken apart because its positions are not the
// sum of its parts' positions: a composite `[A, B]` cut where no factor ends, a shifted mapping,
// a list of positions, a linear combination, a skewed axis. Contributions to such an atom add up
// to a position inside it, which is then looked up in what it is made of.
#ifndef CONTRA_MAPPING_MAPPING_H
#define CONTRA_MAPPING_MAPPING_H

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Mapping Mapping;
typedef struct Atom Atom;

typedef enum {
    ATOM_AXIS,   // a declared axis
    ATOM_BLOCK,  // position p is position p of `inner`
    ATOM_SHIFT,  // position p is position p + shift of `inner`, padding outside it
    ATOM_LIST,   // position p is position offsets[p] of `inner`
    ATOM_LINEAR, // position p is every choice of part positions q_k with sum(weight_k * q_k) = p
    ATOM_SKEW,   // an axis measured along a diagonal: base = (position + sum of others) mod size
} AtomKind;

struct Atom {
    AtomKind kind;
    int64_t size;                // positions
    const char *name;            // axis, skew: interned
    Span declared;               // axis: its name and size where it is declared
    const Mapping *inner;        // block, shift, list
    int64_t shift;               // shift
    const int64_t *offsets;      // list: `size` of them
    const Mapping *const *parts; // linear
    const int64_t *weights;      // linear: one a part
    const Atom *base;            // skew: the axis it runs along
    const Atom *const *others;   // skew: the axes that shift it
    int64_t part_count;          // linear, skew
};

typedef struct {
    ARRAY(const Atom *);
} AtomList;

bool atoms_have(const AtomList *atoms, const Atom *atom);

// atom / stride % modulo
typedef struct {
    const Atom *atom;
    int64_t stride;
    int64_t modulo;
} Term;

typedef enum {
    PADDING_TOP,    // ordinary padding
    PADDING_BOTTOM, // the hole a strict division leaves
} PaddingKind;

typedef struct {
    bool is_padding;
    Term term;           // of a term
    int64_t resize;      // of a term: its positions, at most term.modulo
    int64_t size;        // of a padding: positions of everything inside, itself included
    PaddingKind padding; // of a padding
} Factor;

typedef struct {
    ARRAY(Factor);
} FactorList;

// Invariant ("tidy"): no term of one position (unless its atom has an origin), no padding without
// effect, no two paddings of one kind in a row, neighbouring contiguous terms merged, no term
// longer than its atom.
struct Mapping {
    const Factor *factors; // innermost first
    int64_t count;
    int64_t size;
};

// ---- construction (factor.c). Sizes must have been checked: see expr.h.

Mapping mapping_identity(void);
Mapping mapping_of_atom(Arena *arena, const Atom *atom);
Mapping mapping_of_term(Arena *arena, Term term, int64_t resize);
Mapping mapping_pair(Arena *arena, const Mapping *outer, const Mapping *inner);
Mapping mapping_pad(Arena *arena, const Mapping *mapping, int64_t size, PaddingKind kind);
Mapping mapping_resize(Arena *arena, const Mapping *mapping, int64_t size);

// The factors of the first `size` positions (at most the size of the mapping). False: these end
// inside a factor at no multiple of what it holds; the result is somewhat longer then.
bool mapping_prefix(Arena *arena, const Mapping *mapping, int64_t size, Mapping *result);
// Many at once: a list under construction, from the inside out.
typedef struct {
    Arena *arena;
    FactorList list;
    int64_t size; // of what it holds so far
} MappingBuilder;

MappingBuilder mapping_build(Arena *arena);
void mapping_build_add(MappingBuilder *builder, const Mapping *outer);
// The next factor of a list; a padding counts all positions so far.
void mapping_build_factor(MappingBuilder *builder, const Factor *factor);
// Requires: size is at least the size so far.
void mapping_build_pad(MappingBuilder *builder, int64_t size, PaddingKind kind);
Mapping mapping_build_done(const MappingBuilder *builder);

Mapping mapping_from_factors(Arena *arena, const Factor *factors, int64_t count);

// outer = mapping / at, inner = mapping % at. Requires at >= 1 and at divides the size. A split
// of more than one factor keeps the mapping whole as a block, so that outer and inner meet again
// in any order and place; mapping_normalise takes it apart where that changes nothing.
void mapping_split(Arena *arena, const Mapping *mapping, int64_t at, Mapping *outer,
                   Mapping *inner);

// The mapping without its outermost padding.
Mapping mapping_strip(const Mapping *mapping);

// The size of a list of factors, for one that was shortened.
int64_t mapping_recount(const Mapping *mapping);

// Positions inside factor `index`: those that one step of it takes.
int64_t mapping_block(const Mapping *mapping, int64_t index);

// Positions that are no padding at their place in the factor list; sums may still overflow.
bool mapping_has_terms(const Mapping *mapping);

// ---- atoms (factor.c)

const Atom *atom_axis(Arena *arena, const char *name, int64_t size);
const Atom *atom_axis_declared(Arena *arena, const char *name, int64_t size, Span declared);
const Atom *atom_block(Arena *arena, const Mapping *inner);
bool atom_equal(const Atom *a, const Atom *b);

// Whether position 0 of an atom holds something else than index 0 of every axis: what is shifted,
// listed or skewed does. Such an atom counts even where it contributes 0.
bool atom_has_origin(const Atom *atom);
bool mapping_has_origin(const Mapping *mapping);
// By (kind, name, size): axes first, in byte order of their names.
int atom_compare(const Atom *a, const Atom *b);

// ---- normal form and equality (normal.c, equal.c)

// The same cells with every block taken apart that can be: canonical where nothing but axes is
// left (mapping_is_plain).
Mapping mapping_normalise(Arena *arena, const Mapping *mapping);
// The same for part `which` of several that are added up: a block stays whole if the others may
// carry into its digits. `[C, D] % 4` with D = 4 is D by itself, but not beside
// `[C, D] / 3 % 2`.
Mapping mapping_normalise_part(Arena *arena, const Mapping *parts, int64_t count, int64_t which);

// mapping / at and mapping % at as factor lists of their own (the outer part padded to whole
// blocks). False: no factors end there, so that a digit would carry from one to the other.
bool mapping_cut(Arena *arena, const Mapping *mapping, int64_t at, Mapping *outer, Mapping *inner);

// The largest place not above `at` that divides it and where the mapping can be cut.
int64_t mapping_place_below(Arena *arena, const Mapping *mapping, int64_t at);

// Widens positions *low .. *high to the nearest places where the mapping can be cut.
void mapping_hull(Arena *arena, const Mapping *mapping, int64_t *low, int64_t *high);

// The same factors in the same order; decides nothing about different ones.
bool mapping_same(const Mapping *a, const Mapping *b);

typedef enum { MAPPINGS_EQUAL, MAPPINGS_DIFFER, MAPPINGS_UNDECIDED } MappingEquality;

// Size and all cells agree. Exact; UNDECIDED only where the steps of the slow way run out.
MappingEquality mapping_equal(Arena *arena, const Mapping *a, const Mapping *b);

// For every i < |prefix|: prefix and whole have the same cell at i.
MappingEquality mapping_is_prefix(Arena *arena, const Mapping *prefix, const Mapping *whole);

// Decides equality by comparing the two relations as integer sets. Slower than the
// normal form, and right for everything that can be written. Where they differ and `position` is
// not NULL, it becomes the first position whose cells differ, or -1 where that was not found.
MappingEquality mapping_equal_exact(Arena *arena, const Mapping *a, const Mapping *b,
                                    int64_t *position);

// The first position whose cells differ; the smaller size where only the sizes do.
bool mapping_find_difference(Arena *arena, const Mapping *a, const Mapping *b, int64_t *position);

// Whether the mapping gives a part of one axis twice (overlap.c). Such a mapping is refused by
// expr_check_overlap; what its cells are is still well defined.
bool mapping_has_overlap(Arena *arena, const Mapping *mapping);

// ---- text (print.c)

// An expression that parses back to the same factors, without brackets around it.
void mapping_print(StrBuf *out, const Mapping *mapping);
void term_print(StrBuf *out, const Term *term, int64_t resize);
Str mapping_text(Arena *arena, const Mapping *mapping);

#endif
