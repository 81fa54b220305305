// The inner loops of the Contraction Engine.
//
// Factors are cells of 32 bits: of floats an f32; of integers two neighbours of 16 bits each, or
// one where nothing is added within a packet. Eight results are worked on side by side, a vector:
// one factor has cells of eight (`v`, eight rows of TRF or eight places), the other one single
// cells that go to all of them (`b`), of up to CONTRACT_MOST_SINGLES results more at a time.
#ifndef CONTRA_DEVICE_LOOPS_CONTRACT_H
#define CONTRA_DEVICE_LOOPS_CONTRACT_H

#include "device/loops/loops.h"

#include <stdbool.h>
#include <stdint.h>

enum { CONTRACT_WIDTH = 8, CONTRACT_MOST_SINGLES = 4, CONTRACT_VECTORS = 2, CONTRACT_DEPTHS = 9 };

// How many results a loop works on: 1, 2 or 4 singles with one vector, or 2 with each of two, which
// are in the order of the vectors.
enum { CONTRACT_1, CONTRACT_2, CONTRACT_4, CONTRACT_TWICE, CONTRACT_KINDS };

// Steps that are added to sums: step t multiplies the cells from v_at[t] and b_at[t] on.
typedef struct {
    const uint32_t *v[CONTRACT_VECTORS];      // CONTRACT_WIDTH a cell
    const uint32_t *b[CONTRACT_MOST_SINGLES]; // of each of `singles`
    const int64_t *v_at, *b_at;
    int64_t steps;
    int64_t cells;                         // of a step
    uint32_t *sums[CONTRACT_MOST_SINGLES]; // CONTRACT_WIDTH of each
} ContractBlock;

typedef void ContractLoop(const ContractBlock *block);

// What cells there are that are f32, without their signs, doubled: the least but zeros, less one;
// and the most. Of none: CONTRACT_NO_RANGE.
typedef struct {
    uint32_t least, most;
} ContractRange;
#define CONTRACT_NO_RANGE ((ContractRange){UINT32_MAX, 0})

typedef struct {
    // By the depth of the tree (`cells` is 2^depth); integers have no CONTRACT_TWICE.
    // floats[true]: only where no product is rounded, so that it need not be: it is quicker so, if
    // `has_fused`.
    ContractLoop *floats[2][CONTRACT_DEPTHS][CONTRACT_KINDS];
    bool has_fused;
    ContractLoop *integers[CONTRACT_KINDS];
    // `count` canonical values to cells, in place, too.
    void (*shift)(const uint32_t *values, int64_t count, uint32_t *cells); // bf16
    void (*look_up)(const uint32_t *table, const uint32_t *values, int64_t count,
                    uint32_t *cells);                                      // of a byte
    void (*halve)(const uint32_t *values, int64_t count, uint32_t *cells); // the low 16 bits
    void (*pair)(const uint32_t *values, int64_t count, uint32_t *cells);  // of two each
    // The same of elements as they lie in a row of TRF.
    void (*shift_bytes)(const uint8_t *bytes, int64_t count, uint32_t *cells);
    void (*look_up_bytes)(const uint32_t *table, const uint8_t *bytes, int64_t count,
                          uint32_t *cells);
    void (*pair_bytes)(const uint8_t *bytes, int64_t count, uint32_t *cells);   // i8
    void (*pair_nibbles)(const uint8_t *bytes, int64_t count, uint32_t *cells); // i4
    // rows[r][i] to cells[i * CONTRACT_WIDTH + r]
    void (*interleave)(const uint32_t *const rows[CONTRACT_WIDTH], int64_t count, uint32_t *cells);
    // Whether all of `bits` are set in every byte.
    bool (*all_have)(const uint8_t *bytes, int64_t count, uint8_t bits);
    // Widens the range to that of the cells.
    void (*find_range)(const uint32_t *cells, int64_t count, ContractRange *range);
    // A NaN becomes F32_NAN.
    void (*clean)(uint32_t *sums, int64_t count);
} ContractLoops;

LOOPS_TABLE(ContractLoops, contract_loops);

#endif
