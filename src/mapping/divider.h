// The inside of a Divider, shared by the files that make up division: divider.c matches digit by
// digit, lift.c sees atoms through what they are made of, divide.c says what is left.
#ifndef CONTRA_MAPPING_DIVIDER_H
#define CONTRA_MAPPING_DIVIDER_H

#include "mapping/divide.h"

// A digit of the dividend, or a padding of it. Items are kept innermost first.
typedef struct {
    bool is_padding;
    Term term;
    int64_t resize;
    int64_t place;       // positions of the dividend that one step takes
    int64_t size;        // of a padding, as in Factor
    PaddingKind padding; // of a padding
    int64_t taken;       // matched, a hole: by which generation of the divider; 0 is free
    bool gone;           // absorbed into a digit of a larger atom
    int64_t shift;       // positions by which the atom starts later in the dividend
    bool lifted;         // found through what its atom is made of
    bool placed;         // where its atom starts is in the offset already
    int64_t origin;      // what its first position has added to the offset, where only that is read
} Item;

typedef struct {
    ARRAY(Item);
} ItemList;

// Atoms that are being looked for through what they are made of; none is taken for its own parts.
typedef struct Search Search;

struct Search {
    const Atom *atom;
    const Search *up;
};

struct Divider {
    Arena *arena;
    ItemList items;
    int64_t size;
    int64_t offset;
    int64_t generation; // rises with every trial, so that what a trial took can be told
    bool shares;
    bool truncates; // a shorter digit of the dividend is found, too
    const Search *search;
    bool even;     // digits are cut only where that leaves whole ones
    bool whole;    // what is lifted takes all of the digits it is found in
    bool straight; // nothing shifted or listed is looked for: it leaves no residue
    bool leads;    // something found starts with padding before the data
    bool bounded;  // pieces may count further than the divisor
    bool uneven;   // some pieces do
};

// A term of the divisor that is looked for, or what is left of it.
typedef struct {
    Term term;
    int64_t resize;
    int64_t stride; // in the divisor
} Wanted;

// Neither padding, nor taken, nor absorbed.
bool item_is_free(const Item *item);
// Where the positions of a digit end; a last partial digit may end beyond everything.
int64_t item_end(const Item *item);
// Positions from an item up to where the next thing outside it starts.
int64_t divider_limit_above(const Divider *divider, int64_t index);
// Looks for one term, and takes what it finds.
void divider_take_term(Divider *divider, Wanted wanted, MatchList *matches);

#endif
