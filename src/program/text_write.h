// A program text that is read as it is written, line by line: how programs are built by calls.
//
// A line is put together of our own words and of arguments that somebody gave. An argument is one
// thing whatever is in it: a word is a word, a mapping has as many brackets as it closes, a name
// stands in quotes. So no argument can end a line, or go on as another part of it. One that could
// is reported, and the line is not read.
#ifndef CONTRA_PROGRAM_TEXT_WRITE_H
#define CONTRA_PROGRAM_TEXT_WRITE_H

#include "program/text_read.h"

// A pass under way: the reader has one at a time, who writes may have several.
typedef struct {
    Pass *pass; // NULL: it is over
    Span span;
    bool broken;     // a line of it had no effect
    int64_t stretch; // the last one of its lines, from 1 on; 0: it has none yet
} TextPass;

// Lines in a row that are of one pass, or of none.
typedef struct {
    int64_t start;  // of the first
    int64_t before; // the one before it of the same pass, from 1 on; 0: none
    bool in_pass;
} TextStretch;

typedef struct {
    Reader reader;
    ProgramList programs; // that ended
    StrBuf text;          // all lines as they were written; grows, and is never read again
    int64_t start;        // of the line at hand
    bool refused;         // something in it cannot stand there, which was reported
    struct {
        ARRAY(TextStretch);
    } stretches;
    bool interleaved; // lines of a pass stand apart
} TextWriter;

TextWriter text_writer(Builder *builder, int32_t source);

// ---- a line. Parts but line_text have a blank before them where one should stand.

void line_begin(TextWriter *writer);
void line_text(TextWriter *writer, const char *text); // as it is: our own
void line_word(TextWriter *writer, const char *word); // NULL: nothing
void line_name(TextWriter *writer, const char *name); // NULL: nothing
void line_int(TextWriter *writer, int64_t number);
void line_maybe(TextWriter *writer, MaybeInt number); // or "?"
void line_label(TextWriter *writer, int64_t label);
// level "[" mapping "]"; a mapping that is NULL: nothing. The level is our own; "": none.
void line_mapping(TextWriter *writer, const char *level, const char *mapping);
// A value by its bits.
void line_value(TextWriter *writer, const char *type, uint32_t bits);

// Reports something about the line so far that its text does not show. NULL: something else was
// reported before.
Diag *line_refuse(TextWriter *writer, DiagCode code, const char *format, ...) PRINTF_LIKE(3, 4);

// Reads the line, outside of any pass. False: it has no effect, which was reported.
bool line_end(TextWriter *writer);
// The same for a stage, or what starts a pass or leaves it open.
bool line_end_in(TextWriter *writer, TextPass *pass);

// Reports a pass that nothing has closed.
void writer_end_pass(TextWriter *writer, const TextPass *pass);
// A pass that cannot go on, for a reason that was reported.
void writer_break_pass(TextPass *pass);

// All lines, as a text that reads as the same program: a pass has its lines together there, at the
// place of its last one, where it takes effect. Made in the arena where that is not how they were
// written.
Str writer_lines(const TextWriter *writer, Arena *arena);

#endif
