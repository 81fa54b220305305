// Pictures of mappings: where each element sits in the buffer.
#ifndef CONTRA_MAPPING_PICTURE_H
#define CONTRA_MAPPING_PICTURE_H

#include "mapping/cell.h"

// More positions than this are no picture any more.
enum { PICTURE_MOST = 1 << 16 };

typedef struct {
    const Mapping *mapping;
    const Mapping *normal;
    const AtomList *axes; // those shown, in this order
    Str title;
    int64_t most;   // positions to show at most; 0: as many as a screen holds
    Arena *scratch; // for one cell at a time; not the arena of the output
} Picture;

// Rows of positions, one innermost run a row where that fits a line.
void picture_text(StrBuf *out, const Picture *picture);

// A page of its own: a square a position, coloured by its outermost axis, padding hatched, with
// the index of each in a tooltip.
void picture_svg(StrBuf *out, const Picture *picture);

#endif
