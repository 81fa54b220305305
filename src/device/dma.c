// DMA descriptors: packets from address to address. dma.def says what they mean.
#include "device/internal.h"
#include "device/nest.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum { BYTE_BITS = 8, MOST_PACKET = 4096, INDEX_BYTES = 4, WATCH_EVERY = 1 << 16 };

// One side of a descriptor, or its index.
static Memory *memory_at(Device *device, const HwPlace *place, int64_t *address)
{
    int64_t stride = device->machine->dm_virtual_slice_stride_bytes;
    Slice *slice;
    switch (place->media) {
    case MEDIA_HOST:
        return device_host(device, place->tensor);
    case MEDIA_HBM:
        return place->chip < device->chip_count ? &device->chips[place->chip].hbm : NULL;
    case MEDIA_DM:
        slice = device_slice(device, place->chip, place->cluster, *address / stride);
        *address %= stride;
        return slice ? &slice->dm : NULL;
    default:
        return NULL;
    }
}

// Units of half bytes are elements of 4 bits: only from and to the host.
static void move_halves(Device *device, const HwDescriptor *descriptor, int64_t source,
                        int64_t dest)
{
    uint32_t bits[ELEMENT_BLOCK];
    uint8_t live[ELEMENT_BLOCK];
    int64_t from = source / 2, to = dest / 2;
    const Memory *in = memory_at(device, &descriptor->source, &from);
    Memory *out = memory_at(device, &descriptor->dest, &to);
    if (!in || !out)
        return; // no memory, which device_is_whole says
    int64_t data = descriptor->packet_bytes - descriptor->padding_bits / 4;
    for (int64_t i = 0; i < data; i += ELEMENT_BLOCK) {
        int64_t count = min_i64(data - i, ELEMENT_BLOCK);
        memory_load(in, SCALAR_I4, from * BYTE_BITS + (source % 2 + i) * 4, count, bits, live);
        memory_store(out, SCALAR_I4, to * BYTE_BITS + (dest % 2 + i) * 4, count, bits, live);
    }
}

static void move_bytes(Device *device, const HwDescriptor *descriptor, int64_t source, int64_t dest)
{
    uint8_t bytes[MOST_PACKET], written[MOST_PACKET];
    const Memory *in = memory_at(device, &descriptor->source, &source);
    Memory *out = memory_at(device, &descriptor->dest, &dest);
    if (!in || !out)
        return; // no memory, which device_is_whole says
    int64_t padding = descriptor->padding_bits / BYTE_BITS;
    for (int64_t i = 0; i < descriptor->packet_bytes; i += MOST_PACKET) {
        int64_t count = min_i64(descriptor->packet_bytes - i, MOST_PACKET);
        memory_read(in, source + i, count, bytes, written);
        for (int64_t k = max_i64(0, descriptor->packet_bytes - padding - i); k < count; k++)
            written[k] = 0;
        memory_write(out, dest + i, count, bytes, written);
    }
}

typedef enum { ROW_MOVES, ROW_BEYOND, ROW_UNKNOWN } RowEnd;

// What an entry of the index adds to the side whose places are data.
static RowEnd find_row(Device *device, const HwDmaIndirect *indirect, int64_t at, int64_t *offset)
{
    uint32_t value = 0;
    uint8_t live = 0;
    const Memory *memory = memory_at(device, &indirect->index, &at);
    if (memory)
        memory_load(memory, SCALAR_I32, at * BYTE_BITS, 1, &value, &live);
    if (!live)
        return ROW_UNKNOWN;
    uint64_t row = (uint64_t)(int64_t)(int32_t)value / (uint64_t)indirect->divisor;
    if (row >= (uint64_t)indirect->limit)
        return ROW_BEYOND;
    *offset = (int64_t)row * indirect->scale;
    return ROW_MOVES;
}

// The sums of one iteration.
typedef struct {
    int64_t index[NEST_MOST_LOOPS];
    int64_t source, dest, entry;
} DmaWalk;

static bool next_iteration(const HwDescriptor *descriptor, DmaWalk *walk)
{
    for (int64_t i = descriptor->loops.count - 1; i >= 0; i--) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        bool wraps = walk->index[i] + 1 == loop->limit;
        int64_t steps = wraps ? -walk->index[i] : 1;
        walk->index[i] += steps;
        walk->source += steps * loop->source_stride;
        walk->dest += steps * loop->dest_stride;
        walk->entry += steps * loop->index_stride;
        if (!wraps)
            return true;
    }
    return false;
}

static bool execute_descriptor(Device *device, const HwDescriptor *descriptor)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    DmaWalk walk = {.source = descriptor->source_base,
                    .dest = descriptor->dest_base,
                    .entry = indirect ? indirect->base : 0};
    int64_t number = 0;
    do {
        int64_t offset = 0;
        if (number++ % WATCH_EVERY == 0 && device_is_cancelled(device))
            return false;
        RowEnd end = indirect ? find_row(device, indirect, walk.entry, &offset) : ROW_MOVES;
        if (end == ROW_UNKNOWN)
            return false;
        int64_t source = walk.source + (indirect && indirect->is_source ? offset : 0);
        int64_t dest = walk.dest + (indirect && !indirect->is_source ? offset : 0);
        if (end == ROW_MOVES && descriptor->unit_bits == BYTE_BITS)
            move_bytes(device, descriptor, source, dest);
        else if (end == ROW_MOVES)
            move_halves(device, descriptor, source, dest);
    } while (next_iteration(descriptor, &walk));
    return true;
}

struct DmaPlan {
    int64_t descriptors;
};

DmaPlan *dma_plan_new(const Device *device, const HwDmaCommand *command)
{
    DmaPlan *plan = calloc(1, sizeof *plan);
    (void)device;
    if (plan)
        plan->descriptors = command->descriptors.count;
    return plan;
}

void dma_plan_free(DmaPlan *plan)
{
    free(plan);
}

bool dma_execute(Device *device, const HwDmaCommand *command, const DmaPlan *plan,
                 const HwOperation *operation, DiagList *diags)
{
    for (int64_t i = 0; i < plan->descriptors; i++) {
        if (execute_descriptor(device, &command->descriptors.items[i]))
            continue;
        if (device_is_cancelled(device))
            return false;
        Diag *diag =
            diag_add(diags, DIAG_RUN_NO_INDEX, SPAN_NOWHERE,
                     "`%.*s` reads an index that nobody wrote", STR_ARG(operation->method));
        if (operation->line)
            diag_note(diag, SPAN_NOWHERE, "it is written in %.*s:%lld", STR_ARG(operation->file),
                      (long long)operation->line);
        return false;
    }
    return true;
}

void immediate_execute(Device *device, const HwImmediateWrite *write)
{
    const Machine *machine = device->machine;
    const uint32_t bits = (uint32_t)write->value;
    const uint8_t live = 1;
    for (int64_t chip = 0; chip < device->chip_count; chip++)
        for (int64_t cluster = 0; cluster < machine->clusters_per_chip; cluster++)
            for (int64_t slice = 0; slice < machine->slices_per_cluster; slice++)
                if (bits_have(write->bitmaps.items, write->bitmaps.count, chip, cluster, slice))
                    memory_store(&device_slice(device, chip, cluster, slice)->dm, SCALAR_I32,
                                 write->address * BYTE_BITS, 1, &bits, &live);
}
