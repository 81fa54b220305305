// The inner loops of sums of products: one row of factors against many columns. The order within
// one sum is fixed; only columns go side by side.
#ifndef CONTRA_ORACLE_KERNEL_H
#define CONTRA_ORACLE_KERNEL_H

#include <stdint.h>

// Columns of floats that are worked on together: column c of position k stands at [k * WIDTH + c].
enum { KERNEL_WIDTH = 16, KERNEL_MOST_LANES = 128 };

enum { KERNEL_DOTS = 4 };

// sums[i] = row . column i, wrapping, of `count` integers that fit 16 bits; columns stand one
// behind the other.
void kernel_dots_i16(const int16_t *row, const int16_t *columns, int64_t count,
                     uint32_t sums[KERNEL_DOTS]);

// `steps` packets of `lanes` (a power of two, at most KERNEL_MOST_LANES) products: neighbours
// pairwise, level by level, then packet after packet.
void kernel_tree_f32(const float *row, const float *columns, int64_t steps, int64_t lanes,
                     float *sums);

enum { KERNEL_MOST_LEVELS = 64 };

// One product after the other. Behind product k the `closes[k]` innermost sums are complete: each
// is added to the one around it and starts again from 0. NULL: there is one sum.
void kernel_sequence_f32(const float *row, const float *columns, int64_t count,
                         const uint8_t *closes, float *sums);

#endif
