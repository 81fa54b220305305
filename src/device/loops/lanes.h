// What the ALUs of the Vector Engine compute, over many elements. docs/numerics.md, Operations.
#ifndef CONTRA_DEVICE_LOOPS_LANES_H
#define CONTRA_DEVICE_LOOPS_LANES_H

#include "command/command.h"
#include "device/loops/loops.h"

enum { LANE_ARGUMENTS = 3 };

typedef struct {
    const uint32_t *bits[LANE_ARGUMENTS];
    uint32_t fixed; // bit i: argument i is one value for all elements
} LaneArguments;

// out[i] = op(a[i], b[i], c[i]); arguments that the operation does not have are not looked at.
// `out` may be one of them.
typedef void LaneFunction(const LaneArguments *from, int64_t count, uint32_t *out);

// Packet after packet: to[i] = op(to[i], in[packet][i]). Requires: one packet at least.
typedef void LaneFold(const uint32_t *in, int64_t packets, int64_t lanes, uint32_t *to);
// Neighbours: out[i] = op(in[2 * i], in[2 * i + 1]); `out` may be `in`.
typedef void LanePairs(const uint32_t *in, int64_t count, uint32_t *out);

// Which elements an operation reaches, and what they need to have a value behind it.
typedef struct {
    uint8_t mask, wanted; // those with tag & mask == wanted
    bool of_stream;       // the value that is there counts as an argument
    const uint8_t *other; // bit 0 of each: another argument has a value. NULL: all
} LaneChoice;

typedef struct {
    LaneFunction *apply[VECTOR_OP_COUNT];
    LaneFold *fold[VECTOR_OP_COUNT];   // NULL: no reduction inside a slice
    LanePairs *pairs[VECTOR_OP_COUNT]; // likewise
    // `result` takes the place of what was there, where the choice says so.
    void (*merge)(const LaneChoice *choice, const uint32_t *result, int64_t count, uint32_t *bits,
                  uint8_t *tags);
    // One more of a reduction, where it is no padding: `result` where both have a value.
    void (*combine)(const uint32_t *result, const uint32_t *next, const uint8_t *next_tags,
                    int64_t count, uint32_t *bits, uint8_t *tags);
    // Runs of elements in turn: one to the first, one to the second, `runs` to each.
    void (*deal)(const uint32_t *in, int64_t run, int64_t runs, uint32_t *first, uint32_t *second);
    // Sets bit `bit` of ids where the comparison holds.
    void (*compare)(const HwCompare *compare, const uint32_t *in, int64_t count, int bit,
                    uint8_t *ids);
    // Fixed point with `width` bits before the point, and back, in place.
    void (*fxp_to_fp)(uint32_t *bits, int64_t count, int64_t width);
    void (*fp_to_fxp)(uint32_t *bits, int64_t count, int64_t width);
} LaneLoops;

LOOPS_TABLE(LaneLoops, lane_loops);

#endif
