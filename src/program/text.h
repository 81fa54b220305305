// The text form of programs: one line a statement, made for people and for compilers to write.
// docs/program-text.md describes it.
#ifndef CONTRA_PROGRAM_TEXT_H
#define CONTRA_PROGRAM_TEXT_H

#include "program/build.h"

// Where a program of a text stands, whether it is right or not.
typedef struct {
    const char *name; // NULL: that is missing
    Span heading;     // `program` and the name
    Span whole;       // to its `end`, or to where that is missing
} ProgramFrame;

typedef struct {
    ARRAY(ProgramFrame);
} ProgramFrames;

typedef struct {
    ARRAY(Program *);
    ProgramFrames frames;
} ProgramList;

// Everything about the program but its spans. Reading it gives a program that prints the same.
void program_print(StrBuf *out, const Program *program);

// A page of its own: each operation of the source once, however often a loop repeats it, by
// function; what it reads and writes; of a pass the streams of the stages, as far as they map anew,
// and once for passes that look alike. A box for each element of a mapping, coloured by its axis.
void program_print_svg(StrBuf *out, const Program *program, const SourceList *sources);

// Reads all programs of a text, which is number `source` among the sources, through the builder,
// so that its rules are asked about them. A program with a mistake in its text is left out; one
// that breaks rules is not. False: something is wrong with the text, or a rule was broken.
bool program_parse(Builder *builder, int32_t source, Str text, ProgramList *programs);

#endif
