#include "device/dma_plan.h"

#include "base/checked.h"

void dma_walk_seek(DmaWalk *walk, const DmaSteps *steps, int64_t number)
{
    walk->steps = steps;
    walk->source = walk->dest = walk->entry = 0;
    for (int64_t i = steps->count - 1; i >= 0; i--) {
        const DmaStep *step = &steps->items[i];
        int64_t index = walk->index[i] = number % step->limit;
        number /= step->limit;
        walk->source += index * step->source;
        walk->dest += index * step->dest;
        walk->entry += index * step->index;
    }
}

void dma_walk_next(DmaWalk *walk)
{
    for (int64_t i = walk->steps->count - 1; i >= 0; i--) {
        const DmaStep *step = &walk->steps->items[i];
        bool wraps = walk->index[i] + 1 == step->limit;
        int64_t by = wraps ? -walk->index[i] : 1;
        walk->index[i] += by;
        walk->source += by * step->source;
        walk->dest += by * step->dest;
        walk->entry += by * step->index;
        if (!wraps)
            return;
    }
}

int64_t dma_walk_left(const DmaWalk *walk, int64_t most)
{
    int64_t last = walk->steps->count - 1;
    return last < 0 ? 1 : min_i64(most, walk->steps->items[last].limit - walk->index[last]);
}

void dma_walk_skip(DmaWalk *walk, int64_t count)
{
    int64_t last = walk->steps->count - 1, by = count - 1;
    if (last >= 0) {
        const DmaStep *step = &walk->steps->items[last];
        walk->index[last] += by;
        walk->source += by * step->source;
        walk->dest += by * step->dest;
        walk->entry += by * step->index;
    }
    dma_walk_next(walk);
}
