// Cells: what one position of a mapping holds.
#ifndef CONTRA_MAPPING_CELL_H
#define CONTRA_MAPPING_CELL_H

#include "mapping/mapping.h"

// The value of an axis.
typedef struct {
    const Atom *axis;
    int64_t value;
} Coordinate;

// Axes that are not listed are 0.
typedef struct {
    ARRAY(Coordinate);
} Index;

// Indices that share one position of a linear combination are listed up to this many, and looked
// for this long.
enum { CELL_MOST_INDICES = 4096, CELL_MOST_TRIES = 1 << 16 };

// No index: padding. Several: a linear combination.
typedef struct {
    ARRAY(Index);
    bool truncated; // not all indices are here: one of the limits was reached
} Cell;

// What position `at` holds. Beyond the size is padding.
Cell mapping_cell(Arena *arena, const Mapping *mapping, int64_t at);

// Whether position `at` lies in padding of the mapping itself, whatever its atoms hold there.
bool mapping_is_hole(const Mapping *mapping, int64_t at);

int64_t index_value(const Index *index, const Atom *axis);
bool index_equal(const Index *a, const Index *b);
bool cell_equal(const Cell *a, const Cell *b);

// Adds the axes a mapping can name to `axes`, sorted, each once.
void mapping_axes(Arena *arena, const Mapping *mapping, AtomList *axes);

// The same for one atom.
void atom_axes(Arena *arena, const Atom *atom, AtomList *axes);

// Whether an atom runs along one of the axes.
bool atom_has_axis_of(Arena *arena, const Atom *atom, const AtomList *axes);

// Position `at` with all factors at 0 that have nothing to do with the axes. They are never padding
// there. Padding inside the innermost factor is that factor's: position 4 of `A, 1 # 3` is no
// element of A.
int64_t mapping_share(Arena *arena, const Mapping *mapping, const AtomList *axes, int64_t at);

// Which of several atoms is complete and can be looked up: the one nested deepest, a skewed axis
// only when no other one left runs along an axis it adds. -1: only axes are left.
int64_t next_atom(const AtomList *atoms);

// How deeply atoms are nested: 0 for an axis, one more than what it is made of otherwise.
int64_t atom_depth(const Atom *atom);

#endif
