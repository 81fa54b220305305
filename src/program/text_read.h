// Reading program text: where we are, what was declared, and the pieces that lines are made of.
//
// A mistake is reported once. A syntax error ends its line; a mistake in a mapping or a name only
// keeps the line from having an effect, so that the rest of it is still read. What depends on a
// line without effect is silent.
#ifndef CONTRA_PROGRAM_TEXT_READ_H
#define CONTRA_PROGRAM_TEXT_READ_H

#include "base/map.h"
#include "program/build.h"
#include "program/text.h"
#include "program/text_axes.h"
#include "program/text_form.h"

// A tensor of the text.
typedef struct {
    const Tensor *tensor; // NULL: its declaration is wrong
    const View *view;     // of a view under a name; NULL: the label is that of the tensor
    Span span;            // of the declaration
    bool made;            // nothing may make it any more
} Label;

typedef struct {
    Builder *builder;
    Arena *arena;
    DiagList *diags;
    int32_t source;
    Str text;
    bool by_calls; // a line stands for a call of contra.h, whose names its messages have
    bool wrong;    // something in it is

    // the line
    int64_t at;
    int64_t line_end; // its end, or that of what stands before a comment
    bool failed;      // a syntax error was reported: the rest of it is skipped
    bool useless;     // something in it is wrong: it has no effect

    // the program
    Program *program; // NULL: none is open
    Span program_span;
    bool broken; // a line of it has no effect
    bool lost;   // lines outside of a program were reported
    Scope scope;
    TextAxes axes; // those that have another name outside of the text
    Interner words;
    Map labels;   // interned text to Label
    Map mappings; // interned text to the expression it was read as

    // the pass
    Pass *pass; // NULL: none is open
    Span pass_span;
    bool pass_broken; // a line of it has no effect: the rest is only read
    bool pass_lost;   // stages outside of a pass were reported
} Reader;

// ---- tokens. Each skips blanks before it.

// The next line that is not empty. False: the text has ended.
bool text_line(Reader *reader);
void text_skip_line(Reader *reader); // to the start of the next one
bool text_at_end(Reader *reader);    // of the line
int64_t text_start(Reader *reader);  // of the next word
char text_peek(Reader *reader);      // 0 at the end of the line
Span text_span(const Reader *reader, int64_t start);
Span text_here(const Reader *reader); // right behind what was read, where something is missing

// A sign such as "->", where it stands.
bool text_accept(Reader *reader, const char *sign);
bool text_expect(Reader *reader, const char *sign, const char *expected);

// word = letter (letter | digit | "_" | "'" | "::")*
bool text_is_word(Str text);
bool text_peek_word(Reader *reader, Str *word);
bool text_accept_word(Reader *reader, const char *word);
bool text_word(Reader *reader, Str *word, Span *span, const char *expected);
// A word, or anything in quotes. NULL: neither stands there, which is not reported.
const char *text_name(Reader *reader);

// These give back false where the line cannot be read on; what is reported besides makes it
// useless.

// number = "-"? digit (letter | digit | "." | "+" and "-" behind an e)*
bool text_number(Reader *reader, Str *number, Span *span, const char *expected);
bool text_int(Reader *reader, int64_t *value, const char *expected);
bool text_maybe(Reader *reader, MaybeInt *value, const char *expected); // or "?"

// ---- reports

// "found X where Y should stand"
void text_syntax_error(Reader *reader, const char *expected);
// At the end of a statement: reports what follows it. True: the line is to have its effect.
bool text_finish(Reader *reader);
// A mistake that lets the line be read on.
Diag *(text_report)(Reader *reader, DiagCode code, Span span, Message message);
#define text_report(reader, code, span, ...) text_report(reader, code, span, MESSAGE(__VA_ARGS__))

// The name that was meant, if one is near: in the place of what the diagnostic points at.
void text_help_near(Diag *diag, Str word, const char *const *names, int count);

// ---- pieces

// The index of the next word among `count` names (NULL: no name). -1: it is none of them, which is
// reported. `what`: what they name.
int text_choice(Reader *reader, const char *const *names, int count, const char *what);
bool text_type(Reader *reader, Scalar *type); // SCALAR_COUNT: no type has this name

// "[" mapping "]"; NULL where it is wrong, which is reported.
const Dim *text_dim(Reader *reader);

// Where the dimensions of a thing stand: which it can have, and which must be said.
typedef struct {
    uint32_t allowed, required;
    const char *what; // "a DM tensor"
} DimForm;

// (level "[" mapping "]")*
void text_dims(Reader *reader, const DimForm *form, const Dim *dims[LEVEL_COUNT]);

// value = type ":" number | number; a number is f32 with "." or "e" in it, i32 otherwise
bool text_value(Reader *reader, Scalar *type, uint32_t *bits);
// A number of this type.
bool text_bits(Reader *reader, Scalar type, uint32_t *bits);

// The axis of that name; NULL and a report where there is none.
const Atom *text_axis(Reader *reader);

// ---- tensors (text_tensor.c)

// %3 name? = param | from_addr | result | reshape | view ..
void text_tensor_line(Reader *reader);

// A label that was declared; NULL: it was not.
Label *text_label_find(Reader *reader, Str label);

// A label that was not declared, because the line that should have is wrong: its uses are silent.
void text_poison_label(Reader *reader, Str label, Span span);

// The tensor of a label; NULL: there is none, or its declaration is wrong.
const Tensor *text_labelled(Reader *reader, Str label);

// A tensor that is there, in one of these memories (bits); NULL where it is wrong, or was.
const Tensor *text_tensor(Reader *reader, uint32_t allowed);
const View *text_view(Reader *reader, uint32_t allowed, bool usually_mut);

// Behind "->": a tensor that the line declares, or one that was declared as a result.
const Tensor *text_result(Reader *reader, uint32_t allowed, const Inherited *from);
// Behind "->": a tensor that the line declares, or a view of one that is there.
const View *text_target(Reader *reader, uint32_t allowed, const Inherited *from);

// ---- statements (text_parse.c)

// The line at hand, from text_line or set up otherwise. Programs that end are added to the list.
void text_statement(Reader *reader, ProgramList *programs);

// ---- lines of a pass (text_stage.c)

void text_pass_line(Reader *reader);            // pass main
void text_open_line(Reader *reader, Span span); // open
void text_stage_line(Reader *reader, StageKind kind, Span span);
// The kind whose line starts with `word`, or STAGE_COUNT.
StageKind text_stage_find(Str word);
// Before a line that is no stage: reports a pass that was not closed.
void text_end_pass(Reader *reader);

#endif
