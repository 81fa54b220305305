// Mappings taken apart and put together, as the rules about streams are stated: `X / n`, `X % n`,
// X without its padding, the terms of X with their places.
#ifndef CONTRA_ENGINE_SHAPE_H
#define CONTRA_ENGINE_SHAPE_H

#include "mapping/divide.h"
#include "program/program.h"

// Whether what rules make of the shape (padded, paired) still fits in 63 bits.
bool shape_is_small(const Dim *const dims[LEVEL_COUNT]);

// The normal form without its outermost padding.
Mapping shape_strip(Arena *arena, const Mapping *mapping);

// Outermost padding replaced by padding to `size`. False: what it pads is larger than that.
bool shape_pad(Arena *arena, const Mapping *mapping, int64_t size, Mapping *padded);

// mapping / at, mapping % at. Require: at divides the size.
Mapping shape_outer(Arena *arena, const Mapping *mapping, int64_t at);
Mapping shape_inner(Arena *arena, const Mapping *mapping, int64_t at);

// mapping / at % size. Requires: at * size divides the size.
Mapping shape_part(Arena *arena, const Mapping *mapping, int64_t at, int64_t size);

// Proven to have the same cells.
bool shape_equal(Arena *arena, const Mapping *a, const Mapping *b);
// The same for two packets, each beside the other levels of its own stage: `X % 36 # 96 % 32` is
// the first flit of `X % 72 # 96`, but not the third. *wanted and *found are what was compared.
bool shape_equal_packet(Arena *arena, const Dim *const dims[LEVEL_COUNT], const Mapping *time,
                        const Mapping *packet, const Mapping *time2, const Mapping *packet2,
                        Mapping *wanted, Mapping *found);
bool shape_equal_stripped(Arena *arena, const Mapping *a, const Mapping *b);

// Some position holds padding: as written, or beyond the end of an axis cut into blocks.
bool shape_is_padded(Arena *arena, const Mapping *mapping);

// A term at its place.
typedef struct {
    Term term;
    int64_t resize;
    int64_t stride; // positions inside one step, padding included
    int64_t extent; // steps up to what stands outside it: its own, and those of padding round it
} PlacedTerm;

typedef struct {
    ARRAY(PlacedTerm);
} PlacedTerms;

// The terms of the normal form, innermost first.
PlacedTerms shape_terms(Arena *arena, const Mapping *mapping);

// Steps that a piece of `size` steps at `stride` has in `terms`: where it reaches the end of its
// term, those of the padding round that, too.
int64_t shape_extent(const PlacedTerms *terms, int64_t stride, int64_t size);

// The first found piece that stands in the divisor outside the one it stands inside in the
// dividend; -1: all keep their order.
int64_t shape_disorder(const Division *division);

// The axes a mapping names, each once.
AtomList shape_axes(Arena *arena, const Mapping *mapping);

// "A / 4 % 8"
Str shape_term_text(Arena *arena, const Term *term, int64_t resize);

// The terms of a mapping that are of none of the axes, with their padding.
Mapping shape_without(Arena *arena, const Mapping *mapping, const AtomList *axes);

// An axis of that name, whatever its size.
bool shape_names(const AtomList *axes, const char *name);
// Both name an axis of one name.
bool shape_shares_axis(Arena *arena, const Mapping *a, const Mapping *b);

#endif
