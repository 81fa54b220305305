#include "device/dma_reach.h"
#include "base/heap.h"
#include "device/internal.h"

#include "base/checked.h"
#include "command/meet.h"
#include "device/nest.h"
#include "device/slices.h"

#include <stdlib.h>

enum {
    BYTE_BITS = 8,
    HALF_BYTE = 4,
    INDEX_BYTES = 4,
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

// In half bytes (meet.h).
typedef struct {
    const HwPlace *place;
    int64_t base, run;
    MeetLoop loops[NEST_MOST_LOOPS + 1];
    int64_t count;
} Walk;

_Static_assert((int)NEST_MOST_LOOPS < (int)MEET_MOST_LOOPS,
               "a walk has room for the loops of a side");

static void walk_step(Walk *walk, int64_t limit, int64_t stride)
{
    if (limit < 2 || !stride)
        return;
    if (stride < 0)
        walk->base += (limit - 1) * stride;
    walk->loops[walk->count++] = (MeetLoop){limit, llabs(stride)};
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
    meet_join(walk->loops, &walk->count, &walk->run);
}

static MeetWalk plain(const Walk *walk)
{
    return (MeetWalk){walk->base, walk->run, walk->loops, walk->count};
}

// ---- whether two sides meet

static bool sides_meet(const Walk *a, const Walk *b)
{
    MeetWalk first = plain(a), second = plain(b);
    MeetPiece piece;
    return walks_meet(&first, &second, &piece);
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
    return sides_meet(&first, &second);
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
    MeetWalk all = plain(&walk);
    return (Reach){descriptor, side, walk.base, walk.base + meet_extent(&all), 0};
}

ByteRange dma_side_range(const Machine *machine, const HwDescriptor *descriptor, DmaSide side)
{
    Reach reach = reach_of(machine, descriptor, side);
    return (ByteRange){reach.low / 2, ceil_div(reach.high, 2)};
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
    return sides_meet(&first, &second);
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
    Reach *reaches = heap_new(sizeof *reaches * (size_t)(descriptors * DMA_SIDES));
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
    heap_free(reaches);
    return meet ? DMA_MEETING : DMA_APART;
}
