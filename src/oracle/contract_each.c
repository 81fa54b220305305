// Products of which every output has factors of its own, as in an elementwise multiplication: there
// are no rows and columns to share work between, so each sum is made by itself.
#include "oracle/contract_plan.h"

#include <string.h>

typedef struct {
    const Product *product;
    const Sums *sums;
} Each;

static float float_at(const Array *array, int64_t at)
{
    return product_float(array->type, array->bits[at]);
}

// The product in one slot. A lane of padding is +0.
static float product_at(const Each *each, const int64_t start[2], int64_t slot)
{
    if (each->sums->places[STREAM][slot] < 0)
        return 0.0f;
    return float_at(each->product->factors[STREAM],
                    start[STREAM] + each->sums->places[STREAM][slot]) *
           float_at(each->product->factors[TRF], start[TRF] + each->sums->places[TRF][slot]);
}

static float sum_as_tree(const Each *each, const int64_t start[2])
{
    float lanes[KERNEL_MOST_LANES], sum = 0.0f;
    memset(lanes, 0, sizeof *lanes * (size_t)each->product->lanes);
    for (int64_t at = 0; at < each->sums->count; at += each->product->lanes) {
        for (int64_t i = 0; i < each->product->lanes; i++)
            lanes[i] = product_at(each, start, at + i);
        for (int64_t left = each->product->lanes / 2; left >= 1; left /= 2)
            for (int64_t i = 0; i < left; i++)
                lanes[i] = lanes[2 * i] + lanes[2 * i + 1];
        sum = at ? sum + lanes[0] : lanes[0];
    }
    return sum;
}

static float sum_in_sequence(const Each *each, const int64_t start[2])
{
    int64_t top = each->product->level_count - 1;
    if (top < 0)
        return product_at(each, start, 0); // nothing is summed: the product as it is
    float levels[KERNEL_MOST_LEVELS];
    memset(levels, 0, sizeof *levels * (size_t)(top + 1));
    for (int64_t at = 0; at < each->sums->count; at++) {
        levels[0] += product_at(each, start, at);
        for (int level = 0; level < each->sums->closes[at]; level++) {
            levels[level + 1] += levels[level];
            levels[level] = 0.0f;
        }
    }
    return levels[top];
}

static uint32_t sum_of_integers(const Each *each, const int64_t start[2])
{
    uint32_t sum = 0;
    for (int64_t at = 0; at < each->sums->count; at++) {
        int64_t x = each->sums->places[STREAM][at], w = each->sums->places[TRF][at];
        if (x >= 0)
            sum += each->product->factors[STREAM]->bits[start[STREAM] + x] *
                   each->product->factors[TRF]->bits[start[TRF] + w];
    }
    return sum;
}

static bool is_live(const Each *each, const int64_t start[2])
{
    for (int side = STREAM; side <= TRF; side++)
        for (int64_t at = 0; at < each->sums->count; at++) {
            int64_t place = each->sums->places[side][at];
            if (start[side] < 0 || place == SLOT_NO_VALUE)
                return false;
            if (place >= 0 && !each->product->factors[side]->live[start[side] + place])
                return false;
        }
    return true;
}

static uint32_t sum_of(const Each *each, const int64_t start[2])
{
    const Product *product = each->product;
    if (scalar_is_integer(product->factors[STREAM]->type))
        return sum_of_integers(each, start);
    bool tree = product->contraction->numerics == NUMERICS_TREE;
    return product_f32_bits(tree ? sum_as_tree(each, start) : sum_in_sequence(each, start));
}

static void sum_run(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                    int64_t first)
{
    const Each *each = own;
    Array *out = each->product->out;
    (void)first;
    for (int64_t i = 0; i < count; i++) {
        int64_t start[2];
        for (int side = STREAM; side <= TRF; side++)
            start[side] = at[side] < 0 ? -1 : at[side] + i * steps[side];
        int64_t place = at[OUT] + i * steps[OUT] + each->sums->out;
        bool live = is_live(each, start);
        out->live[place] = live;
        out->bits[place] = live ? sum_of(each, start) : 0;
    }
}

bool product_is_each(const Product *product)
{
    return !product->sums_vary && product->lines[STREAM].count == 1 &&
           product->lines[TRF].count == 1;
}

void product_run_each(Product *product)
{
    Sums sums = product_new_sums(product);
    Plan plan = product->batches;
    Each each = {product, &sums};
    product_list_sums(product, NULL, &sums);
    if (sums.is_empty)
        return;
    plan.one_by_one = false;
    plan_merge(&plan);
    plan_sort(&plan, OUT);
    plan_merge(&plan);
    plan_run_parallel(&plan, sum_run, &each, NULL);
}
