// The axes of a program, each under a name of its own: two of one name and different sizes can
// meet in a program, but not in a text.
#ifndef CONTRA_PROGRAM_TEXT_AXES_H
#define CONTRA_PROGRAM_TEXT_AXES_H

#include "base/map.h"
#include "program/program.h"

typedef struct TextAxis TextAxis;

struct TextAxis {
    const Atom *atom;
    const Atom *shown; // the atom itself, or one that differs in its name
    TextAxis *next;    // another one of the same name
    int64_t order;     // in which they were met
};

typedef struct {
    ARRAY(TextAxis *); // axes before skewed ones, by name and size
    Arena *arena;
    Map known;      // atoms that were looked at, to the axis
    Map looked_at;  // expressions
    Interner words; // names
    Map named;      // to the axes that have one
    Map given;      // to those that are shown under one
    bool renamed;   // some are shown under another name than their own
} TextAxes;

TextAxes text_axes(Arena *arena, const Program *program);

// One whose name in the text somebody chose: that of `shown`, which differs in nothing else.
// {.arena = a, .known = {.arena = a}} has none.
void text_axes_show(TextAxes *axes, const Atom *atom, const Atom *shown);

// The name of an axis of the program in the text.
const char *text_axis_name(const TextAxes *axes, const Atom *atom);

// An expression with every axis under its name in the text.
const Expr *text_axes_rename(const TextAxes *axes, const Expr *expr);

#endif
