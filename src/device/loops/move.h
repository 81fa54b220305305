// Elements between the bytes of a memory and a stream, and what the fetch adapter does to them.
#ifndef CONTRA_DEVICE_LOOPS_MOVE_H
#define CONTRA_DEVICE_LOOPS_MOVE_H

#include "device/loops/loops.h"

#include <stdint.h>

// `count` runs of `run` elements that lie one behind the other on both sides.
typedef struct {
    int64_t run, count;
    int64_t near_step; // elements of the stream from one run to the next
    int64_t far_step;  // bytes of the memory
} MoveShape;

// How an element of memory becomes a canonical value.
typedef enum {
    UNPACK_S8,
    UNPACK_U8,
    UNPACK_S16,
    UNPACK_U16,
    UNPACK_HIGH16, // the high half of 32 bits: bf16 as f32
    UNPACK_32,
    UNPACK_COUNT
} UnpackKind;

typedef enum { PACK_8, PACK_16, PACK_32, PACK_COUNT } PackKind;

typedef struct {
    void (*unpack[UNPACK_COUNT])(const uint8_t *far, uint32_t *near, const MoveShape *shape);
    void (*pack[PACK_COUNT])(const uint32_t *near, uint8_t *far, const MoveShape *shape);
    void (*fill)(uint32_t value, uint32_t *near, const MoveShape *shape); // no far side
    // Elements of 4 bits from number `index` on; a store leaves the other half of a byte alone.
    void (*unpack_halves)(const uint8_t *far, int64_t index, int64_t count, uint32_t *near);
    void (*pack_halves)(const uint32_t *near, int64_t count, uint8_t *far, int64_t index);
    // bits[i] = table[bits[i] & mask]; 0 beyond the `entries` of the table.
    void (*look_up)(uint32_t *bits, int64_t count, const uint32_t *table, uint32_t entries,
                    uint32_t mask);
    // bits[i] - point, in the low 32 - `drop` bits of it: sign-extended, or zeros above.
    void (*subtract_signed)(uint32_t *bits, int64_t count, uint32_t point, int32_t drop);
    void (*subtract_unsigned)(uint32_t *bits, int64_t count, uint32_t point, int32_t drop);
    void (*f16_to_f32)(uint32_t *bits, int64_t count);
    void (*f32_to_bf16)(uint32_t *bits, int64_t count);
} MoveLoops;

LOOPS_TABLE(MoveLoops, move_loops);

#endif
