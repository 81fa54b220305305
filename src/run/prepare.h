// What is worked out of a kernel once: what it takes, and for each set of values of its numbers the
// program and its commands. It stays with the Contra, so that a kernel which is run again takes no
// more memory than its outputs.
#ifndef CONTRA_RUN_PREPARE_H
#define CONTRA_RUN_PREPARE_H

#include "run/run.h"

typedef enum {
    NOT_LOWERED,
    LOWERED,
    LOWERED_BEYOND, // .. to commands that chips cannot execute
    NOT_LOWERABLE,
} Lowering;

// A kernel with values for its numbers.
struct Prepared {
    Prepared *next;   // of the same kernel
    int64_t settings; // that it was made with
    const Value *numbers;
    int64_t number_count;
    Program *program;
    DiagList said; // what tracing said, which is said again each time
    Lowering lowering;
    Lowered lowered; // whoever changes something of it takes a copy
    DiagList why;    // there are no commands, or none that chips can execute
};

// NULL: it is not there, or rules or machine are others now.
Prepared *prepared_find(Run *run, const Value *numbers, int64_t count);

// Remembers what was traced, with what was said from `first_diag` on. Requires: it is sound.
Prepared *prepared_add(Run *run, Program *program, const Value *numbers, int64_t count,
                       int64_t first_diag);

// Makes commands of it, once. False: it was cancelled.
bool prepared_lower(Run *run);
// Its commands for a run. NULL: it has none that chips can execute, which was said: the oracle runs
// it. Or it was cancelled.
const Lowered *prepared_commands(Run *run);

#endif
