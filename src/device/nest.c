#include "device/nest.h"

#include "base/checked.h"

static int64_t loop_offset(const HwLoop *loop, int64_t index)
{
    return loop->offsets.count ? loop->offsets.items[index] : index * loop->stride;
}

void nest_seek(NestWalk *walk, const HwNest *nest, int64_t at)
{
    walk->nest = nest;
    walk->element = 0;
    for (int64_t i = nest->loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        walk->index[i] = at % loop->size;
        walk->element += loop_offset(loop, walk->index[i]);
        at /= loop->size;
    }
}

// `count` iterations of the innermost loop further; not beyond its end.
static void advance(NestWalk *walk, int64_t count)
{
    for (int64_t i = walk->nest->loops.count - 1; i >= 0; i--, count = 1) {
        const HwLoop *loop = &walk->nest->loops.items[i];
        walk->element -= loop_offset(loop, walk->index[i]);
        walk->index[i] += count;
        if (walk->index[i] < loop->size) {
            walk->element += loop_offset(loop, walk->index[i]);
            return;
        }
        walk->index[i] = 0;
        walk->element += loop_offset(loop, 0);
    }
}

int64_t nest_take(NestWalk *walk, int64_t most, int64_t *bit)
{
    const HwNest *nest = walk->nest;
    int64_t count = 1, last = nest->loops.count - 1;
    *bit = nest->base * 8 + walk->element * nest->element_bits;
    if (last >= 0 && nest->loops.items[last].stride == 1 && !nest->loops.items[last].offsets.count)
        count = min_i64(most, nest->loops.items[last].size - walk->index[last]);
    advance(walk, count);
    return count;
}

int64_t loops_offset(const HwLoop *loops, int64_t count, bool packet, int64_t number)
{
    int64_t offset = 0;
    for (int64_t i = count - 1; i >= 0; i--) {
        if (loops[i].packet != packet)
            continue;
        offset += loop_offset(&loops[i], number % loops[i].size);
        number /= loops[i].size;
    }
    return offset;
}

bool bits_have(const HwClusterBits *rows, int64_t count, int64_t chip, int64_t cluster,
               int64_t slice)
{
    enum { WORD = 64 };
    for (int64_t i = 0; i < count; i++) {
        const HwClusterBits *row = &rows[i];
        bool here =
            (row->chip < 0 || row->chip == chip) && (row->cluster < 0 || row->cluster == cluster);
        if (here && slice < row->slices.count * WORD &&
            row->slices.items[slice / WORD] >> slice % WORD & 1)
            return true;
    }
    return false;
}
