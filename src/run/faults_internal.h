// What the parts of the report of a fault share.
#ifndef CONTRA_RUN_FAULTS_INTERNAL_H
#define CONTRA_RUN_FAULTS_INTERNAL_H

#include "run/faults.h"

// One operation in the words of the program, or of its record.
typedef struct {
    const Op *op;              // NULL: it comes from a file, or is no operation
    const HwOperation *record; // NULL: it is no operation
    int64_t number;
} FaultActor;

// What a byte is to whoever reads it.
typedef struct {
    const Tensor *tensor;   // NULL: not known
    const HwTensor *record; // whose bytes they are; NULL: not known
    int64_t position;       // of the tensor
} FaultElement;

FaultActor fault_actor(const KernelRun *run, int64_t number);
Str fault_actor_text(Arena *arena, const FaultActor *actor);
// Where in the program it touches a memory.
Span fault_actor_span(const FaultActor *actor, Tier tier, bool writes);
// Where the functions around it are called.
void fault_note_calls(Diag *diag, const FaultActor *actor, const char *words);
// Both of an operation from a file, by its source map.
void fault_note_line(Diag *diag, const FaultActor *actor, Tier tier, bool writes,
                     const char *words);

// What the reader takes the byte for.
FaultElement fault_element(const KernelRun *run, const DeviceFault *fault,
                           const FaultActor *reader);
// "byte 0x1000 of DM, chip 0, cluster 0, slice 0"; "element [A 3, B 0] of `x`"
Str fault_place_text(Arena *arena, const DeviceFault *fault);
Str fault_element_text(Arena *arena, const DeviceFault *fault, const FaultElement *element);

// A tensor of the program that has bytes of its own, by its number. NULL: there is none.
const HwTensor *fault_record(const KernelRun *run, int64_t number);
// Whether the byte is one of the tensor's, and of which position.
bool fault_holds(const HwArgument *place, const DeviceFault *fault, int64_t *position);
bool fault_record_holds(const HwTensor *record, const DeviceFault *fault);

#endif
