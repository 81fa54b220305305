// The axes of a program, each under a name of its own: two of one name and different sizes can
// meet in a program, but not in a text.
#ifndef CONTRA_PROGRAM_TEXT_AXES_H
#define CONTRA_PROGRAM_TEXT_AXES_H

#include "base/map.h"
#include "program/program.h"

typedef struct {
    const Atom *atom;
    const Atom *shown; // the atom itself, or one that differs in its name
} TextAxis;

typedef struct {
    ARRAY(TextAxis); // axes before skewed ones, by name and size
    Arena *arena;
    Map known;    // atoms and dimensions that were looked at
    bool renamed; // some are shown under another name
} TextAxes;

TextAxes text_axes(Arena *arena, const Program *program);

// The name of an axis of the program in the text.
const char *text_axis_name(const TextAxes *axes, const Atom *atom);

// An expression with every axis under its name in the text.
const Expr *text_axes_rename(const TextAxes *axes, const Expr *expr);

#endif
