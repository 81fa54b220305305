// What the fetch adapter makes of elements: canonical values of memory become those of the stream.
#ifndef CONTRA_DEVICE_CONVERT_H
#define CONTRA_DEVICE_CONVERT_H

#include "command/command.h"
#include "device/loops/move.h"

typedef enum {
    CONVERT_NONE,
    CONVERT_LOOK_UP, // table indexing, and casts of types that have few values
    CONVERT_WRAP,
    CONVERT_F16_TO_F32,
    CONVERT_F32_TO_BF16,
    CONVERT_OTHER,
} ConvertKind;

typedef struct {
    const MoveLoops *loops;
    Scalar type, cast;
    bool is_halves;    // elements of 4 bits
    UnpackKind unpack; // of others
    ConvertKind kind;
    uint32_t *table; // of a look-up: values of the type `cast`
    int64_t entries;
    uint32_t index_mask;
    bool is_whole; // every index has an entry
    IntList zero_points;
} Convert;

// False: no memory.
bool convert_new(Convert *convert, const MoveLoops *loops, const HwFetch *fetch);
// Makes f32 of bf16 that were left as they are. False: they are something else.
bool convert_widen(Convert *convert);
void convert_free(Convert *convert);

// In place; `base`: which of the interleaved tensors they are of.
void convert_run(const Convert *convert, int64_t base, int64_t count, uint32_t *bits);
// Of canonical values of memory: those that the table has no entry for. -1: none from `from` on.
int64_t convert_missing(const Convert *convert, const uint32_t *bits, int64_t from, int64_t count);
// Values stay as they are.
static inline bool convert_is_idle(const Convert *convert)
{
    return convert->kind == CONVERT_NONE && !convert->zero_points.count;
}

#endif
