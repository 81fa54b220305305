// The two executors on one program and the same inputs: wherever the oracle has a value, the device
// has the same one, bit for bit, after every operation, with any number of threads and with any
// instructions of the machine.
#ifndef CONTRA_TEST_AGREE_H
#define CONTRA_TEST_AGREE_H

#include "command/command.h"
#include "machine/machine.h"

typedef struct {
    const Machine *machine;
    const SourceList *sources; // of the program, for reports
    uint64_t seed;             // of the inputs
    int64_t unwritten;         // percent of the elements that come without a value
    bool specials;             // NaNs, infinities, zeros, denormals and extremes among the inputs
    bool wide;                 // floats of all magnitudes: any change of order changes a sum
    bool neutral;              // padding holds the neutral element of the reduction that follows
    bool all_ways;             // every count of threads with every set of instructions, not one
    bool sequential;           // the oracle in the other order, too, where no float is reduced
    bool exact;                // what has no value for the oracle has none on the device, either;
                               // garbage in the padding of inputs counts as unwritten
} AgreeOptions;

typedef enum {
    AGREE_SAME,
    AGREE_DIFFERENT, // `why` says where
    AGREE_REFUSED,   // there are no commands for it
    AGREE_ENDED,     // one of them, or both, could not finish it
    AGREE_LEFT_OUT,  // too large, or not a whole program
} Agreement;

// Uses the arena freely; `why` may be in another. Requires: sound.
Agreement agree_program(Arena *arena, Program *program, const AgreeOptions *options, StrBuf *why);

// The commands of a program, which the device admits. False: there are none, or it is too large.
// Requires: sound.
bool agree_lower(Arena *arena, Program *program, const AgreeOptions *options, HwObject *object);

#endif
