#include "oracle/kernel.h"

#include <string.h>

// A product of two 16-bit numbers fits 32 bits; the sum may wrap.
void kernel_dots_i16(const int16_t *row, const int16_t *columns, int64_t count,
                     uint32_t sums[KERNEL_DOTS])
{
    const int16_t *column1 = columns + count, *column2 = column1 + count,
                  *column3 = column2 + count;
    uint32_t sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    for (int64_t k = 0; k < count; k++) {
        sum0 += (uint32_t)((int32_t)row[k] * (int32_t)columns[k]);
        sum1 += (uint32_t)((int32_t)row[k] * (int32_t)column1[k]);
        sum2 += (uint32_t)((int32_t)row[k] * (int32_t)column2[k]);
        sum3 += (uint32_t)((int32_t)row[k] * (int32_t)column3[k]);
    }
    sums[0] = sum0;
    sums[1] = sum1;
    sums[2] = sum2;
    sums[3] = sum3;
}

static void tree_of_packet(const float *row, const float *columns, int64_t lanes, float *sums)
{
    float products[KERNEL_MOST_LANES][KERNEL_WIDTH];
    for (int64_t lane = 0; lane < lanes; lane++)
        for (int c = 0; c < KERNEL_WIDTH; c++)
            products[lane][c] = row[lane] * columns[lane * KERNEL_WIDTH + c];
    for (int64_t left = lanes / 2; left >= 1; left /= 2)
        for (int64_t lane = 0; lane < left; lane++)
            for (int c = 0; c < KERNEL_WIDTH; c++)
                products[lane][c] = products[2 * lane][c] + products[2 * lane + 1][c];
    memcpy(sums, products[0], sizeof products[0]);
}

void kernel_tree_f32(const float *row, const float *columns, int64_t steps, int64_t lanes,
                     float *sums)
{
    float packet[KERNEL_WIDTH];
    for (int64_t step = 0; step < steps; step++) {
        int64_t at = step * lanes;
        tree_of_packet(row + at, columns + at * KERNEL_WIDTH, lanes, packet);
        for (int c = 0; c < KERNEL_WIDTH; c++)
            sums[c] = step ? sums[c] + packet[c] : packet[c];
    }
}

static void add_row(float *sums, const float *terms)
{
    for (int c = 0; c < KERNEL_WIDTH; c++)
        sums[c] += terms[c];
}

void kernel_sequence_f32(const float *row, const float *columns, int64_t count,
                         const uint8_t *closes, float *sums)
{
    float levels[KERNEL_MOST_LEVELS][KERNEL_WIDTH] = {{0}};
    for (int64_t k = 0; k < count; k++) {
        for (int c = 0; c < KERNEL_WIDTH; c++)
            levels[0][c] += row[k] * columns[k * KERNEL_WIDTH + c];
        for (int64_t level = 0; closes && level < closes[k]; level++) {
            add_row(levels[level + 1], levels[level]);
            memset(levels[level], 0, sizeof levels[level]);
        }
    }
    int64_t last = closes && count ? closes[count - 1] : 0;
    memcpy(sums, levels[last], sizeof levels[0]);
}
