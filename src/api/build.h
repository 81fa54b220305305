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
    ContraProgram *next; // of those that are not freed yet
    Builder *builder;    // NULL: it is finished, or abandoned
    Machine machine;     // that was in use when it was opened
    BuilderOptions options;
    DiagTreatment treatments[DIAG_CODE_COUNT];
    TextWriter writer;
    int32_t source;
    int64_t label_count;
    struct {
        ARRAY(ContraStream *);
    } streams;
    Interner names;    // of parameters
    Map params;        // those that are taken
    Map mapping_texts; // of expressions that somebody asked about
    bool refused;      // something of it was
    bool unopened;     // its first line was
    bool exhausted;    // memory ran out in a call for it, and every other one says so, too

    // the line at hand
    int64_t errors_before;
    bool depends_on_refused;
    bool declares; // a tensor
};

// Opens a function for a program, as CONTRA_ENTER does. Who builds a program need not look at the
// status of each call, so those after memory ran out find that again.
#define PROGRAM_ENTER(program)                                                                \
    if (!(program))                                                                           \
        return CONTRA_INVALID;                                                                \
    if ((program)->exhausted)                                                                 \
        return CONTRA_NO_MEMORY;                                                              \
    Outside outside __attribute__((cleanup(leave_contra))) = enter_contra((program)->contra); \
    if (setjmp((program)->contra->on_oom))                                                    \
        return (program)->exhausted = true, CONTRA_NO_MEMORY;                                 \
    if (!(program)->builder)                                                                  \
    return build_refuse_closed(program)

// What a line consists of.
typedef enum {
    PART_END,
    PART_TEXT,     // our own
    PART_WORD,     // these are the caller's, and left out where they are NULL; `text`: why not
    PART_NAME,     // in quotes where it must be
    PART_DIM,      // `text`, a level, and the mapping
    PART_INT,      // these are always there
    PART_MAYBE,    // a number, or "?"
    PART_OP,       // AddFxp, MulF(Mul0)
    PART_TENSOR,   // %3
    PART_NEW,      // %4 name; `number`: of a parameter
    PART_LAYOUT,   // dm i32 chip [..] .. at 0x0
    PART_PATTERN,  // pattern (1, 0) count 2
    PART_FETCH,    // table i8 (..) zero_points (..)
    PART_SWITCH,   // Broadcast01 slice1=4 ..
    PART_OPERANDS, // 5 group Zero, %3
    PART_BRANCH,   // AxisToggle A
    PART_SKEW,     // - A - B
    PART_CHOICES,  // 0 0x2, 2 0x5
} PartKind;

typedef struct {
    PartKind kind;
    const char *text, *given;
    int64_t number;
    const void *data;
} Part;

#define TEXT(own)                        \
    {                                    \
        .kind = PART_TEXT, .text = (own) \
    }
#define WORD(word)                         \
    {                                      \
        .kind = PART_WORD, .given = (word) \
    }
#define NAME(name)                         \
    {                                      \
        .kind = PART_NAME, .given = (name) \
    }
#define DIM(level, mapping)                                   \
    {                                                         \
        .kind = PART_DIM, .text = (level), .given = (mapping) \
    }
#define INT(value)                          \
    {                                       \
        .kind = PART_INT, .number = (value) \
    }
#define MAYBE(value)                          \
    {                                         \
        .kind = PART_MAYBE, .number = (value) \
    }
#define OP(name)                         \
    {                                    \
        .kind = PART_OP, .given = (name) \
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
#define OPERANDS(items, n)                                    \
    {                                                         \
        .kind = PART_OPERANDS, .data = (items), .number = (n) \
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
// Writes the label of a tensor, if it is one of this program.
void build_tensor(ContraProgram *program, const ContraTensor *tensor);

// Frees what the open programs of a Contra hold outside of arenas.
void build_release(Contra *contra);

#endif
