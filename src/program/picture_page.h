// A page of cards: a title and rows of mappings each, laid out so that people can look at all of
// it.
#ifndef CONTRA_PROGRAM_PICTURE_PAGE_H
#define CONTRA_PROGRAM_PICTURE_PAGE_H

#include "program/text_axes.h"

// Some levels of a shape, and whose they are.
typedef struct {
    Str name, note;
    const Dim *dims[LEVEL_COUNT]; // NULL: nothing to say about that level
    uint32_t kept; // levels that are as where it comes from: small rows leave them out
} Row;

typedef struct {
    ARRAY(Row);
} RowList;

typedef struct {
    Str group; // the function it is of; cards of one stand together, under its name
    Str title; // empty: none
    RowList rows;
} Card;

typedef struct {
    ARRAY(Card);
} CardList;

// What stands in the boxes of a level, as it is drawn.
Str page_text(Arena *arena, const TextAxes *axes, const Expr *expr);

// One column of large boxes, where that is a page to look at; else columns of small ones.
void page_draw(StrBuf *out, Str title, const CardList *cards, const TextAxes *axes);

#endif
