// The builder: the one way into a program. Each call adds a tensor, a view, a stage or an operation
// and hands it to the rules of the engines, which come as a table because they stand above this
// room. What breaks a rule is added all the same, not `sound`, so that what follows can be checked,
// too; a rule that relates a stage to the one before it is silent when that one is not sound.
#ifndef CONTRA_PROGRAM_BUILD_H
#define CONTRA_PROGRAM_BUILD_H

#include "machine/machine.h"
#include "program/program.h"

typedef enum {
    RULES_CONTRA,    // all of the manual
    RULES_REFERENCE, // what the reference library checks, and no more
} RuleSet;

typedef enum {
    MEMORY_REAL,     // tensors share the memories by their addresses
    MEMORY_DETACHED, // each has storage of its own; overlap is a warning
} MemoryMode;

// What a rule looks at, and where it reports.
typedef struct {
    Arena *arena; // for what a rule computes; given back after each call
    Arena *kept;  // of the program, for what a rule leaves with a stage
    DiagList *diags;
    const Machine *machine;
    const Program *program;
    RuleSet rules;
    MemoryMode memory;
} Verify;

// A buffer walked by a bare sequencer, as the chapter on sequencers shows it without any engine.
typedef struct {
    const Dim *buffer, *time, *packet;
    Scalar type;
    bool writes;
    Span span;
} Walk;

// The rules, by what they are about. Each reports all it finds, and changes nothing but the facts
// of a stage.
typedef struct {
    void (*tensor)(const Verify *verify, const Tensor *tensor);
    // a view and the one it was tiled from; the last tile of `view` is the new one
    void (*tile)(const Verify *verify, const View *from, const View *view);
    void (*reshape)(const Verify *verify, const Tensor *from, const Tensor *to);
    // Depends on mappings, types and configuration only: called once for equal ones.
    void (*stage)(const Verify *verify, const Pass *pass, const Stage *stage);
    // Depends on addresses and offsets, too: called every time.
    void (*place)(const Verify *verify, const Pass *pass, const Stage *stage);
    // Not called for passes: their stages have been asked about one by one.
    void (*op)(const Verify *verify, const Op *op);
    void (*walk)(const Verify *verify, const Walk *walk);
    // The whole program: what lives where, and when.
    void (*program)(const Verify *verify, const Program *program);
} Rules;

typedef struct Builder Builder;

typedef struct {
    const Machine *machine;
    const Rules *rules; // NULL: nothing is checked
    RuleSet rule_set;
    MemoryMode memory;
} BuilderOptions;

// `arena` holds the program; `diags` gets what the rules report.
Builder *builder_new(Arena *arena, DiagList *diags, const BuilderOptions *options);
void builder_free(Builder *builder); // its scratch memory; the program stays

Program *builder_open(Builder *builder, const char *name, Span span, MaybeInt chips);
// It rests on something that is wrong, which was said: the program is refused.
void builder_refuse(Builder *builder);
// Runs the rules about the whole and gives the program back.
Program *builder_close(Builder *builder);

// What it takes to come to the operations that are added from here on; NULL: nothing.
void builder_choice(Builder *builder, const Choice *choice);

// A call of a function, and the one around it.
typedef struct CallSite {
    const struct CallSite *outer; // NULL: none
    Span span;
} CallSite;

// Where operations are added from here on; NULL: in the kernel itself. It lives until it is
// replaced.
void builder_call(Builder *builder, const CallSite *site);

// A dimension for an expression, whose mapping is made here. What is written alike at one place
// is one dimension, however often it is asked for. Requires: not poisoned.
const Dim *builder_dim(Builder *builder, const Expr *expr, Span span);

// The fields of `tensor` but for id and sound are given; the result is a copy in the program.
const Tensor *builder_tensor(Builder *builder, const Tensor *tensor);
// Names a tensor of the program, unless it has a name.
void builder_name(Builder *builder, const Tensor *tensor, const char *name);
// Another name for the bytes of `from`: of `to`, the dims, name and span are given.
const Tensor *builder_reshape(Builder *builder, const Tensor *from, const Tensor *to);
const View *builder_view(Builder *builder, const Tensor *tensor, bool is_mut, Span span);
// The same view where it is used by a name.
const View *builder_view_again(Builder *builder, const View *view, bool is_mut, Span span);
// `dim` replaces the level of the tile.
const View *builder_tile(Builder *builder, const View *from, const Tile *tile, const Dim *dim);

// Starts a pass. Its first stage (begin, begin_interleaved, or an input) is added as any other.
Pass *builder_pass(Builder *builder, Context context, bool context_known, Span span);

// Adds a stage. Given are: kind, spans, the dims in the `sets` of its row, `type` where the stage
// can change it (fetch, cast), and its own parameters; what follows from the stage before (other
// dims, type, position, vector state, `alu`) is filled in here. A sink closes the pass and adds it
// to the operations. Of a STAGE_INPUT everything about the stream is given.
const Stage *builder_stage(Builder *builder, Pass *pass, const Stage *stage);

// Gives back a stream: the pass stays open. So do passes without a sink when the program closes.
void builder_leave_open(Builder *builder, Pass *pass);

// A pass that nobody goes on with, for a reason that was said: its context is free.
void builder_give_up(Pass *pass);

// Asks the rules about a walk; it becomes no part of the program.
void builder_walk(Builder *builder, const Walk *walk);

const Op *builder_op(Builder *builder, const Op *op);

void builder_result(Builder *builder, const Tensor *tensor);

#endif
