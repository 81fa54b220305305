// Division: where the terms of one mapping sit in another. The sequencer, DMA, commit, switch,
// align and tile are all made of it.
//
// The dividend is taken apart into digits, each with the number of positions it steps over. A term
// of the divisor is looked for digit by digit; digits of either side are cut where the other ends.
// Order does not matter, and padding neither matches nor hinders.
#ifndef CONTRA_MAPPING_DIVIDE_H
#define CONTRA_MAPPING_DIVIDE_H

#include "mapping/mapping.h"

typedef enum {
    MATCH_FOUND,
    MATCH_ABSENT,       // the dividend has nothing of the atom: a broadcast
    MATCH_MISSING,      // it has other parts of the atom, not this one
    MATCH_INCOMPATIBLE, // both cut the atom at places that do not divide each other
} MatchKind;

// A piece of a divisor term, found or not.
typedef struct {
    MatchKind kind;
    Term term;               // the piece
    int64_t resize;          // its positions in the divisor
    int64_t extent;          // its positions in the dividend, where found
    int64_t dividend_stride; // positions of the dividend one step of it takes, where found
    int64_t divisor_stride;  // positions of the divisor one step of it takes
    int64_t room;            // positions in the dividend that the piece and padding round it have
    int64_t span;            // the same in single positions, with those of no whole step; 0: room
    const Atom *list;        // the piece is this list of positions, not evenly spaced
} Match;

typedef struct {
    ARRAY(Match);
} MatchList;

// The dividend while terms are being taken out of it.
typedef struct Divider Divider;

Divider *divider_new(Arena *arena, const Mapping *dividend);

// The normal form of `part`, with each block of the dividend in place of the factors that the block
// is made of.
Mapping divider_group(Divider *divider, const Mapping *part);

// Looks for the terms of `part`, innermost first, and takes what it finds out of the dividend.
// `stride`: positions of the divisor inside `part`.
void divider_take(Divider *divider, const Mapping *part, int64_t stride, MatchList *matches);

// From now on a digit of the dividend that keeps only the first of the wanted positions is found,
// with `extent` less than `resize`.
void divider_allow_truncation(Divider *divider);

// Positions by which everything found so far is shifted in the dividend, from shifted atoms.
int64_t divider_offset(Divider *divider);

// Whether something found starts with padding, which lies before its data in the dividend.
bool divider_leads(const Divider *divider);

// Positions of padding (and one) at the very inside of the dividend.
int64_t divider_inner_padding(const Divider *divider);

// Whether something was found that shares positions with something else (a linear combination).
bool divider_shares(const Divider *divider);

// The dividend with a hole of padding for whatever was found.
Mapping divider_residue(const Divider *divider, PaddingKind hole);

typedef enum {
    DIVIDE_RELAXED, // holes are ordinary padding
    DIVIDE_STRICT,  // holes are told apart from padding
    DIVIDE_SPAN,    // the divisor's one term stays, cut down to `span` positions
    DIVIDE_BOUNDED, // relaxed, and pieces may count further than the divisor: 15 positions are
                    // found as 4 x 4, and the caller leaves out the last one
} DivideKind;

typedef struct {
    bool exact;        // every term of the divisor was found
    MatchList matches; // the found ones first, by dividend_stride descending
    int64_t found;     // how many of them
    bool uneven;       // bounded: some pieces do count further than the divisor
    Mapping dividend_residue, divisor_residue;
    Mapping dividend_remainder, divisor_remainder; // with found blocks taken out altogether
} Division;

Division mapping_divide(Arena *arena, const Mapping *dividend, const Mapping *divisor,
                        DivideKind kind, int64_t span);

// The mapping of a tile: `length` positions of `index` in `mapping`, everything else in place.
// False: `index` is not to be found there as one piece.
bool mapping_tile(Arena *arena, const Mapping *mapping, const Mapping *index, int64_t length,
                  Mapping *tile);

// The position of `mapping` at which position `start` of `index` lies. Requires: mapping_tile found
// it.
int64_t mapping_tile_offset(Arena *arena, const Mapping *mapping, const Mapping *index,
                            int64_t start);

// The axes of the array behind a tensor: the digits of each atom, joined where they meet, sorted.
typedef struct {
    ARRAY(Term);
} TermList;
TermList mapping_canonical_axes(Arena *arena, const Mapping *mapping);

#endif
