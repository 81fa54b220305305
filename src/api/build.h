// Programs built by calls. Each call writes a line of program text from parts (build_part.c), which
// is read at once. So there is only one way to make a program.
//
// An argument cannot end the line or run into another part of it: a word has no blanks, the
// brackets of a mapping match, and a name is quoted where it must be. An argument that breaks this
// is reported, and the line is not read.
#ifndef CONTRA_API_BUILD_H
#define CONTRA_API_BUILD_H

#include "api/state.h"

#include "program/text_read.h"

// An open pass. The reader of the lines has one at a time; the caller may have several.
struct ContraStream {
    ContraProgram *program;
    Pass *pass; // NULL: it is over
    Span span;
    bool is_broken;  // a line of it had no effect
    bool refused;    // .. or broke a rule
    int64_t stretch; // the last one of its lines, from 1 on; 0: it has none yet
};

struct ContraTensor {
    ContraProgram *program;
    int64_t label;
    bool refused; // the call that made it was
};

// Lines in a row that are of one pass, or of none.
typedef struct {
    int64_t start;  // of the first
    int64_t before; // the one before it of the same pass, from 1 on; 0: none
    bool in_pass;
} BuildStretch;

struct ContraProgram {
    Contra *contra;
    ContraProgram *next;    // of those that are open, or finished
    Arena own;              // all of it but for the handles, which may be asked when it is gone
    Builder *builder;       // NULL: it is finished, or abandoned
    const Machine *machine; // that was in use when it was opened
    BuilderOptions options;
    DiagTreatment *treatments; // one a code
    Reader reader;
    ProgramList programs; // the one that ended
    int32_t source;
    int64_t label_count;
    struct {
        ARRAY(ContraStream *);
    } streams;
    Interner names;  // of parameters
    Map params;      // those that are taken
    Map given_texts; // of names and expressions that somebody asked about
    bool is_lent;    // mappings with its axes were given back: its memory stays
    bool refused;    // something of it was
    bool unopened;   // its first line was
    bool is_shown;   // a diagnostic was found in its lines

    StrBuf text; // all lines as they were written; grows, and is never read again
    struct {
        ARRAY(BuildStretch);
    } stretches;
    bool is_interleaved; // lines of a pass stand apart

    // the line at hand
    int64_t start;
    bool line_refused; // something in it cannot stand there, which was reported
    int64_t errors_before, diags_before;
    bool depends_on_refused;
    bool declares; // a tensor
};

// Opens a function for a program, as CONTRA_ENTER does.
#define PROGRAM_ENTER(program)       \
    if (!(program))                  \
        return CONTRA_INVALID;       \
    CONTRA_ENTER((program)->contra); \
    if (!(program)->builder)         \
    return build_refuse_closed(program)

// The parts of a line, and how each is written (build_part.c).
typedef struct Part Part;
typedef void PartWriter(ContraProgram *program, const Part *part);

struct Part {
    PartWriter *write; // NULL: the line ends
    const char *text, *given;
    int64_t number;
    const void *data;
    const ContraTensor *of;
};

PartWriter line_parts; // several: `data`; NULL: none
PartWriter line_text;  // our own
PartWriter line_word;  // these are the caller's, and left out where they are NULL; `text`: what it
                       // is, where it must be there
PartWriter line_name;  // in quotes where it must be
PartWriter line_dim; // `text`, a level, and the mapping; `data`: what it is, where it must be there
PartWriter line_int; // these are always there
PartWriter line_maybe;    // a number, or "?"
PartWriter line_op;       // AddFxp, MulF(Mul0); `text`: what it is
PartWriter line_mode;     // Mode10
PartWriter line_tensor;   // %3
PartWriter line_new;      // %4 name; `number`: of a parameter
PartWriter line_move;     // tdma to_dm %3; `text`: the method, `data`: what it moves
PartWriter line_layout;   // dm i32 chip [..] .. at 0x0; `number`: nothing gives it a type
PartWriter line_shape;    // chip [..] .., of the tensor `of`
PartWriter line_pattern;  // pattern (1, 0) count 2
PartWriter line_fetch;    // table i8 (..) zero_points (..)
PartWriter line_switch;   // Broadcast01 slice1=4 ..
PartWriter line_group;    // group Zero; of -1 nothing
PartWriter line_operands; // 5 group Zero, %3; `text`: of which method
PartWriter line_branch;   // AxisToggle A
PartWriter line_skew;     // - A - B
PartWriter line_choices;  // 0 0x2, 2 0x5

// The parts of a line.
#define PARTS(...) ((const Part[]){__VA_ARGS__, {.write = NULL}})

// clang-format off
#define TEXT(own) {.write = line_text, .text = (own)}
#define WORD(word) {.write = line_word, .given = (word)}
#define NEEDED(what, word) {.write = line_word, .text = (what), .given = (word)}
#define NAME(name) {.write = line_name, .given = (name)}
#define DIM(level, mapping) {.write = line_dim, .text = (level), .given = (mapping)}
#define NEEDED_DIM(what, mapping) {.write = line_dim, .text = "", .given = (mapping), .data = (what)}
#define INT(value) {.write = line_int, .number = (value)}
#define OP(what, name) {.write = line_op, .text = (what), .given = (name)}
#define MODE(mode) {.write = line_mode, .given = (mode)}
#define TENSOR(handle) {.write = line_tensor, .data = (handle)}
#define NEW(name) {.write = line_new, .given = (name)}
#define LAYOUT(layout) {.write = line_layout, .data = (layout)}
// clang-format on

// Writes a line and reads it. `made` gets the tensor that the line makes (line_new); NULL: it makes
// none, or the caller does not want it.
ContraStatus build_line(ContraProgram *program, const Part *parts, ContraTensor **made);

// The same for a line of a pass; a NULL stream is refused.
ContraStatus build_stage(ContraStream *stream, const Part *parts, ContraTensor **made);

// A stage that cannot be written, for a reason that was reported: the rest of the pass is refused.
ContraStatus build_refuse(ContraStream *stream);

// A call for a program that is finished or abandoned. Requires: PROGRAM_ENTER.
ContraStatus build_refuse_closed(const ContraProgram *program);

// A new stream and the two lines that begin it.
ContraStatus build_begin(ContraProgram *program, const char *context, const Part *parts,
                         ContraStream **stream);

// The program of a tensor; NULL: there is none.
ContraProgram *build_program_of(const ContraTensor *tensor);

// Frees what the programs of a Contra hold, open ones and finished ones.
void build_release(Contra *contra);

#endif
