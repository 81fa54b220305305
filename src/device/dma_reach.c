#include "device/dma_reach.h"
#include "device/internal.h"

#include "base/checked.h"
#include "device/nest.h"
#include "device/slices.h"

#include <stdlib.h>

enum {
    BYTE_BITS = 8,
    HALF_BYTE = 4,
    INDEX_BYTES = 4,
    MOST_TRIES = 1 << 12, // that a pair of sides is worth
    MOST_PAIRS = 1 << 22, // of sides of a command
};

// ---- flat addresses

DmaLayout dma_layout(const Machine *machine, const HwPlace *place, int64_t unit_bits)
{
    if (place->media != MEDIA_DM)
        return (DmaLayout){0};
    return (DmaLayout){machine->dm_virtual_slice_stride_bytes * BYTE_BITS / unit_bits,
                       slice_pitch(machine->dm_bytes_per_slice) * BYTE_BITS / unit_bits,
                       place->cluster * machine->slices_per_cluster};
}

int64_t dma_flat_base(const DmaLayout *layout, int64_t base)
{
    if (!layout->whole)
        return base;
    return (layout->first + base / layout->whole) * layout->held + base % layout->whole;
}

int64_t dma_flat_stride(const DmaLayout *layout, int64_t stride)
{
    if (!layout->whole)
        return stride;
    return stride + nearest_slices(stride, layout->whole) * (layout->held - layout->whole);
}

// ---- the walk of one side

typedef struct {
    int64_t limit, stride; // half bytes; the stride is positive
} Step;

// Runs of half bytes: from `base` on, `run` of them in each iteration.
typedef struct {
    const HwPlace *place;
    int64_t base, run;
    Step steps[NEST_MOST_LOOPS + 1];
    int64_t count;
} Walk;

static void walk_step(Walk *walk, int64_t limit, int64_t stride)
{
    if (limit < 2 || !stride)
        return;
    if (stride < 0)
        walk->base += (limit - 1) * stride;
    walk->steps[walk->count++] = (Step){limit, llabs(stride)};
}

static const HwPlace *place_of(const HwDescriptor *from, DmaSide side)
{
    return side == DMA_SIDE_SOURCE ? &from->source
           : side == DMA_SIDE_DEST ? &from->dest
                                   : &from->indirect->index;
}

static int64_t stride_of(const HwDmaLoopEntry *loop, DmaSide side)
{
    return side == DMA_SIDE_SOURCE ? loop->source_stride
           : side == DMA_SIDE_DEST ? loop->dest_stride
                                   : loop->index_stride;
}

static void walk_side(const Machine *machine, const HwDescriptor *from, DmaSide side, Walk *walk)
{
    const HwDmaIndirect *indirect = from->indirect;
    const int64_t bases[] = {from->source_base, from->dest_base, indirect ? indirect->base : 0};
    int64_t unit = side == DMA_SIDE_INDEX ? BYTE_BITS : from->unit_bits, halves = unit / HALF_BYTE;
    walk->place = place_of(from, side);
    DmaLayout layout = dma_layout(machine, walk->place, unit);
    walk->base = dma_flat_base(&layout, bases[side]) * halves;
    walk->run = (side == DMA_SIDE_INDEX ? INDEX_BYTES : from->packet_bytes) * halves;
    walk->count = 0;
    for (int64_t i = 0; i < from->loops.count; i++) {
        const HwDmaLoopEntry *loop = &from->loops.items[i];
        walk_step(walk, loop->limit, dma_flat_stride(&layout, stride_of(loop, side)) * halves);
    }
    if (indirect && side == (indirect->is_source ? DMA_SIDE_SOURCE : DMA_SIDE_DEST))
        walk_step(walk, indirect->limit, dma_flat_stride(&layout, indirect->scale) * halves);
}

static int64_t walk_end(const Walk *walk)
{
    int64_t end = walk->base + walk->run;
    for (int64_t i = 0; i < walk->count; i++)
        end += (walk->steps[i].limit - 1) * walk->steps[i].stride;
    return end;
}

// ---- whether two walks meet

// From a place of the one to a place of the other: `base` and steps of both, outermost the largest.
// They meet where that is in [low, high].
typedef struct {
    Step steps[2 * (NEST_MOST_LOOPS + 1)];
    int64_t count;
    int64_t rest[2 * (NEST_MOST_LOOPS + 1) + 1];   // as far as the steps from here on lead
    int64_t common[2 * (NEST_MOST_LOOPS + 1) + 1]; // divisor of all their strides; 0: none is left
    int64_t low, high;
    int64_t tries;
} Search;

// Insertion, by stride; of steps that are equally long there is one.
static void search_step(Search *search, Step step)
{
    int64_t at = 0;
    while (at < search->count && search->steps[at].stride > step.stride)
        at++;
    if (at < search->count && search->steps[at].stride == step.stride) {
        search->steps[at].limit += step.limit - 1;
        return;
    }
    for (int64_t i = search->count++; i > at; i--)
        search->steps[i] = search->steps[i - 1];
    search->steps[at] = step;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -ceil_div(-a, b);
}

// Whether steps from `at` on lead from `base` into the range.
static bool search_from(Search *search, int64_t at, int64_t base)
{
    if (--search->tries < 0)
        return true;
    if (base > search->high || base + search->rest[at] < search->low)
        return false;
    if (at == search->count)
        return true;
    int64_t common = search->common[at];
    if (base + floor_div(search->high - base, common) * common < search->low)
        return false;
    const Step *step = &search->steps[at];
    int64_t least = search->low - search->rest[at + 1] - base;
    int64_t first = least <= 0 ? 0 : ceil_div(least, step->stride);
    for (int64_t i = first; i < step->limit && base + i * step->stride <= search->high; i++)
        if (search_from(search, at + 1, base + i * step->stride))
            return true;
    return false;
}

static bool walks_meet(const Walk *a, const Walk *b)
{
    Search search = {.low = 1 - a->run, .high = b->run - 1, .tries = MOST_TRIES};
    int64_t base = a->base - b->base;
    for (int64_t i = 0; i < a->count; i++)
        search_step(&search, a->steps[i]);
    for (int64_t i = 0; i < b->count; i++) {
        base -= (b->steps[i].limit - 1) * b->steps[i].stride;
        search_step(&search, b->steps[i]);
    }
    for (int64_t i = search.count - 1; i >= 0; i--) {
        const Step *step = &search.steps[i];
        search.rest[i] = search.rest[i + 1] + (step->limit - 1) * step->stride;
        search.common[i] = gcd_i64(search.common[i + 1], step->stride);
    }
    return search_from(&search, 0, base);
}

// An order of memories; 0: the same one.
static int compare_memories(const HwPlace *a, const HwPlace *b)
{
    int64_t first = a->media == MEDIA_HOST ? a->tensor : a->chip;
    int64_t second = b->media == MEDIA_HOST ? b->tensor : b->chip;
    if (a->media != b->media)
        return a->media < b->media ? -1 : 1;
    return first < second ? -1 : first > second;
}

bool dma_sides_meet(const Machine *machine, const HwDescriptor *descriptor, DmaSide a, DmaSide b)
{
    Walk first, second;
    if (compare_memories(place_of(descriptor, a), place_of(descriptor, b)))
        return false;
    walk_side(machine, descriptor, a, &first);
    walk_side(machine, descriptor, b, &second);
    return walks_meet(&first, &second);
}

// ---- the descriptors of a command

// A side, and between which half bytes all of it lies.
typedef struct {
    const HwDescriptor *descriptor;
    DmaSide side;
    int64_t low, high;
    int64_t next_write; // in order: the first that is written, from this one on
} Reach;

static Reach reach_of(const Machine *machine, const HwDescriptor *descriptor, DmaSide side)
{
    Walk walk;
    walk_side(machine, descriptor, side, &walk);
    return (Reach){descriptor, side, walk.base, walk_end(&walk), 0};
}

static int compare_reaches(const void *a, const void *b)
{
    const Reach *first = a, *second = b;
    int order = compare_memories(place_of(first->descriptor, first->side),
                                 place_of(second->descriptor, second->side));
    if (order)
        return order;
    return first->low < second->low ? -1 : first->low > second->low;
}

static bool reaches_meet(const Machine *machine, const Reach *a, const Reach *b)
{
    Walk first, second;
    if (a->descriptor == b->descriptor)
        return false;
    walk_side(machine, a->descriptor, a->side, &first);
    walk_side(machine, b->descriptor, b->side, &second);
    return walks_meet(&first, &second);
}

static void find_writes(Reach *reaches, int64_t count)
{
    for (int64_t i = count - 1, next = count; i >= 0; i--) {
        if (reaches[i].side == DMA_SIDE_DEST)
            next = i;
        reaches[i].next_write = next;
    }
}

// The next that matters to `one` behind number `at`: reads do not mind each other.
static int64_t next_reach(const Reach *reaches, int64_t count, const Reach *one, int64_t at)
{
    bool all = one->side == DMA_SIDE_DEST || at + 1 == count;
    return all ? at + 1 : reaches[at + 1].next_write;
}

// Requires: in order.
static bool any_meet(const Machine *machine, const Reach *reaches, int64_t count)
{
    int64_t pairs = 0;
    for (int64_t i = 0; i < count; i++) {
        const Reach *one = &reaches[i];
        const HwPlace *place = place_of(one->descriptor, one->side);
        for (int64_t k = next_reach(reaches, count, one, i);
             k < count && reaches[k].low < one->high; k = next_reach(reaches, count, one, k)) {
            if (compare_memories(place, place_of(reaches[k].descriptor, reaches[k].side)))
                break;
            if (++pairs > MOST_PAIRS || reaches_meet(machine, one, &reaches[k]))
                return true;
        }
    }
    return false;
}

DmaMeeting dma_descriptors_meet(const Machine *machine, const HwDmaCommand *command)
{
    int64_t count = 0, descriptors = command->descriptors.count;
    if (descriptors < 2)
        return DMA_APART;
    Reach *reaches = malloc(sizeof *reaches * (size_t)(descriptors * DMA_SIDES));
    if (!reaches)
        return DMA_NO_MEMORY;
    for (int64_t i = 0; i < descriptors; i++) {
        const HwDescriptor *descriptor = &command->descriptors.items[i];
        int64_t sides = descriptor->indirect ? DMA_SIDES : DMA_SIDE_INDEX;
        for (DmaSide side = 0; side < sides; side++)
            reaches[count++] = reach_of(machine, descriptor, side);
    }
    qsort(reaches, (size_t)count, sizeof *reaches, compare_reaches);
    find_writes(reaches, count);
    bool meet = any_meet(machine, reaches, count);
    free(reaches);
    return meet ? DMA_MEETING : DMA_APART;
}
