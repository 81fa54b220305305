// Programs that are built by calls. A call is a line of the program text, put together of parts
// (build_line.c) and read at once, so that there is one way into programs.
#ifndef CONTRA_API_BUILD_H
#define CONTRA_API_BUILD_H

#include "api/state.h"

#include "program/text_write.h"

struct ContraStream {
    ContraProgram *program;
    TextPass pass;
    bool refused; // a stage of it was
};

struct ContraTensor {
    ContraProgram *program;
    int64_t label;
    bool refused; // the call that made it was
};

struct ContraProgram {
    Contra *contra;
    ContraProgram *next;    // of those that are open, or finished
    Arena own;              // all of it but for the handles, which may be asked when it is gone
    Builder *builder;       // NULL: it is finished, or abandoned
    const Machine *machine; // that was in use when it was opened
    BuilderOptions options;
    DiagTreatment *treatments; // one a code
    TextWriter writer;
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

    // the line at hand
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

// What a line consists of.
typedef enum {
    PART_END,
    PART_TEXT,     // our own
    PART_WORD,     // these are the caller's, and left out where they are NULL; `text`: what it is,
                   // where it must be there
    PART_NAME,     // in quotes where it must be
    PART_DIM,      // `text`, a level, and the mapping
    PART_INT,      // these are always there
    PART_MAYBE,    // a number, or "?"
    PART_OP,       // AddFxp, MulF(Mul0); `text`: what it is
    PART_MODE,     // Mode10
    PART_TENSOR,   // %3
    PART_NEW,      // %4 name; `number`: of a parameter
    PART_CONTEXT,  // tdma; `text`: the method behind it, `data`: what it moves
    PART_LAYOUT,   // dm i32 chip [..] .. at 0x0; `number`: nothing gives it a type
    PART_SHAPE,    // chip [..] .., of the tensor `of`
    PART_PATTERN,  // pattern (1, 0) count 2
    PART_FETCH,    // table i8 (..) zero_points (..)
    PART_SWITCH,   // Broadcast01 slice1=4 ..
    PART_GROUP,    // group Zero; of -1 nothing
    PART_OPERANDS, // 5 group Zero, %3; `text`: of which method
    PART_BRANCH,   // AxisToggle A
    PART_SKEW,     // - A - B
    PART_CHOICES,  // 0 0x2, 2 0x5
} PartKind;

typedef struct {
    PartKind kind;
    const char *text, *given;
    int64_t number;
    const void *data;
    const ContraTensor *of;
} Part;

#define TEXT(own)                        \
    {                                    \
        .kind = PART_TEXT, .text = (own) \
    }
#define WORD(word)                         \
    {                                      \
        .kind = PART_WORD, .given = (word) \
    }
#define NEEDED(what, word)                                 \
    {                                                      \
        .kind = PART_WORD, .text = (what), .given = (word) \
    }
#define NAME(name)                         \
    {                                      \
        .kind = PART_NAME, .given = (name) \
    }
#define DIM(level, mapping)                                   \
    {                                                         \
        .kind = PART_DIM, .text = (level), .given = (mapping) \
    }
#define NEEDED_DIM(what, mapping)                                        \
    {                                                                    \
        .kind = PART_DIM, .text = "", .given = (mapping), .data = (what) \
    }
#define INT(value)                          \
    {                                       \
        .kind = PART_INT, .number = (value) \
    }
#define MAYBE(value)                          \
    {                                         \
        .kind = PART_MAYBE, .number = (value) \
    }
#define OP(what, name)                                   \
    {                                                    \
        .kind = PART_OP, .text = (what), .given = (name) \
    }
#define TENSOR(handle)                        \
    {                                         \
        .kind = PART_TENSOR, .data = (handle) \
    }
#define NEW(name)                         \
    {                                     \
        .kind = PART_NEW, .given = (name) \
    }
#define LAYOUT(layout)                        \
    {                                         \
        .kind = PART_LAYOUT, .data = (layout) \
    }
#define PATTERN(pattern)                        \
    {                                           \
        .kind = PART_PATTERN, .data = (pattern) \
    }
#define OPERANDS(method, items, n)                                              \
    {                                                                           \
        .kind = PART_OPERANDS, .text = (method), .data = (items), .number = (n) \
    }
#define END_OF_LINE      \
    {                    \
        .kind = PART_END \
    }

// Writes a line and reads it. `stream`: it is a line of this pass; NULL: of none. `made`: where the
// tensor goes that the line makes (PART_NEW); NULL: it makes none, or nobody wants it.
ContraStatus build_line(ContraProgram *program, ContraStream *stream, const Part *parts,
                        ContraTensor **made);

// The same for a stage; a NULL stream is refused.
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

// Writes one part into the line (build_part.c).
void build_part(ContraProgram *program, const Part *part);
// Writes a word of the caller, of which `what` says what it is. NULL: it may be missing.
void build_word(TextWriter *writer, const char *word, const char *what);
// Writes the label of a tensor, if it is one of this program.
void build_tensor(ContraProgram *program, const ContraTensor *tensor);

// Whether as many items are given as the call says; otherwise that is reported, and none of them is
// looked at. `most`: of those that can be given at all.
bool build_list_is_given(TextWriter *writer, const void *items, int64_t count, int64_t most,
                         const char *what);
// Parts of stages of the Vector Engine (build_operand.c).
void build_group(TextWriter *writer, int64_t group);
void build_operands(ContraProgram *program, const Part *part);
void build_branch(ContraProgram *program, const ContraBranch *branch);

// Frees what the programs of a Contra hold, open ones and finished ones.
void build_release(Contra *contra);

#endif
