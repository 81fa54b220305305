// From operations that the rules have found right to what the chip is told. Each engine lowers its
// own stages; this is what they have in common, and lower.c puts their parts together.
#ifndef CONTRA_ENGINE_LOWER_LOWER_H
#define CONTRA_ENGINE_LOWER_LOWER_H

#include "command/command.h"
#include "engine/lower/split.h"
#include "machine/machine.h"

typedef struct {
    Arena *arena;    // holds the commands
    Arena *scratch;  // for what is only needed on the way
    DiagList *diags; // what cannot be done. Of a program the rules accepted, that is a bug
    const Machine *machine;
    const Program *program;
} Lower;

// Commands in the order in which they are executed.
typedef struct {
    ARRAY(HwCommand);
} HwCommands;

// All commands of an operation. False: a diagnostic says why there are none. Requires: sound.
bool lower_op(const Lower *lower, const Op *op, HwCommands *commands);

// A pass as passes that are one command each, in their order.
typedef struct {
    ARRAY(const Pass *);
    const Pass *whole; // which they make up together
    SplitPlan plan;    // how
} PassParts;

// False: a diagnostic says why it is beyond the commands.
bool lower_split(const Lower *lower, const Pass *pass, PassParts *parts);

// Gives a free address to every tensor that comes with the call without one, and to what shuffles
// make: commands hold addresses. They stay with the program, marked as chosen. False: there is no
// room, or a tensor is somewhere unknown.
bool lower_place(const Lower *lower, Program *program);

// Whether there is room for those tensors, with a diagnostic where there is none.
bool lower_has_room(const Lower *lower, Program *program);

// All operations of the program with their commands, and where they are written; what they cost
// empties the scratch arena. False: a diagnostic says what cannot be lowered. Requires: sound and
// placed.
bool lower_program(const Lower *lower, const SourceList *sources, HwObject *object);

// What of a load of TRF command `number` does; `store` is what its engine made of its pass.
const HwTrfStore *trf_part(const Lower *lower, const PassParts *parts, int64_t number,
                           const HwTrfStore *store);

// Everything that is not a pass: moves, shuffles, slices, gather and scatter.
bool dma_lower(const Lower *lower, const Op *op, HwCommands *commands);

#endif
