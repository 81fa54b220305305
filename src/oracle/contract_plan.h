// The space of products as loops, and what there is to sum.
#ifndef CONTRA_ORACLE_CONTRACT_PLAN_H
#define CONTRA_ORACLE_CONTRACT_PLAN_H

#include "oracle/contract.h"
#include "oracle/kernel.h"
#include "oracle/plan.h"

#include <string.h>

enum { STREAM, TRF, OUT, SLOT, PLACES = OUT + 1 };
enum { KIND_BATCH, KIND_STREAM, KIND_TRF, KIND_SUM };

// What a slot of a sum holds besides places.
enum { SLOT_PADDING = -1, SLOT_NO_VALUE = -2 };

typedef struct {
    int64_t count;
    int64_t *from; // of each: in the stream or the TRF
    int64_t *out;
} Line;

// The slots of a sum, `lanes` of them a step of the tree; sequential sums have no steps.
typedef struct {
    int64_t count;
    int64_t *places[2]; // in the stream and the TRF; SLOT_*: none
    uint8_t *closes;    // sequential: levels that end behind each
    int64_t out;        // what the sum adds to the place of the output
    bool is_empty;      // there is nothing to sum: no output
} Sums;

typedef struct {
    Arena *arena;
    const Contraction *contraction;
    Array *out;
    const Array *factors[2]; // the stream and the TRF
    int64_t lanes;
    Mapping trf_shape, out_shape; // those of the contraction, in the composites of the pair
    Plan plan, batches, sums;
    Line lines[2];     // outputs along which only the stream differs, and only the TRF
    int rows, columns; // which of the two are worked on one by one, and which side by side
    int64_t width;     // columns of a task
    int64_t slots;     // of all steps of a sum
    int64_t level_slots[KERNEL_MOST_LEVELS]; // sequential: slots of a level, innermost first
    int64_t level_count;
    bool sums_vary; // with the batch
} Product;

// Finds the loops and the rows and columns.
void product_plan(Product *product);

Sums product_new_sums(Product *product);
// What there is to sum in the batch whose digits gave `group_sums`.
void product_list_sums(Product *product, int64_t *group_sums, Sums *sums);

// The value of an element of a float type.
static inline float product_float(Scalar type, uint32_t bits)
{
    uint32_t f32 = type == SCALAR_BF16 ? bits << 16 : scalar_to_f32(type, bits);
    float value;
    memcpy(&value, &f32, sizeof value);
    return value;
}

// ---- outputs that share no factor (contract_each.c)

#endif
