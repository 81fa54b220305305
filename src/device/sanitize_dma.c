// What DMA copies, shadow by shadow. What nobody wrote is copied like any value: a tensor may be
// moved before all of it is filled in.
#include "device/sanitize.h"

#include "device/slices.h"

#include "base/checked.h"

enum { BYTE_BITS = 8, INDEX_BYTES = 4 };

// ---- alignment

typedef struct {
    int64_t source, dest, packet;
} Alignment;

// Manual: DMA Engine, Alignment Constraints.
static Alignment alignment_of(const Machine *machine, const HwDescriptor *descriptor)
{
    int64_t word = machine->dma_dm_write_align_bytes, both = machine->dma_hbm_to_dm_align_bytes;
    int64_t read = descriptor->source.media == MEDIA_DM ? machine->dma_dm_read_align_bytes
                                                        : machine->dma_hbm_align_bytes;
    if (descriptor->dest.media != MEDIA_DM)
        return (Alignment){read, machine->dma_hbm_align_bytes, machine->dma_hbm_align_bytes};
    if (descriptor->source.media == MEDIA_HBM)
        return (Alignment){both, both, both};
    return (Alignment){read, word, word};
}

static void add_misaligned(Device *device, const HwDescriptor *descriptor, bool is_source,
                           int64_t address, int64_t align)
{
    const HwPlace *place = is_source ? &descriptor->source : &descriptor->dest;
    bool in_dm = place->media == MEDIA_DM;
    int64_t stride = device->machine->dm_virtual_slice_stride_bytes;
    DeviceFault fault = {.kind = FAULT_MISALIGNED,
                         .operation = device->sanitizer->number,
                         .other = -1,
                         .tier = in_dm ? TIER_DM : TIER_HBM,
                         .chip = place->chip,
                         .cluster = in_dm ? place->cluster : -1,
                         .slice = in_dm ? address / stride : -1,
                         .address = in_dm ? address % stride : address,
                         .writes = !is_source,
                         .bytes = align};
    fault_add(device->sanitizer, &fault);
}

// The first packet of one side that does not begin where it must.
static void check_side(Device *device, const HwDescriptor *descriptor, bool is_source,
                       int64_t align)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    int64_t base = is_source ? descriptor->source_base : descriptor->dest_base;
    int64_t wrong = base % align ? base : -1;
    for (int64_t i = descriptor->loops.count - 1; i >= 0 && wrong < 0; i--) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        int64_t stride = is_source ? loop->source_stride : loop->dest_stride;
        if (loop->limit > 1 && stride % align)
            wrong = base + stride;
    }
    if (wrong < 0 && indirect && indirect->is_source == is_source && indirect->limit > 1 &&
        indirect->scale % align)
        wrong = base + indirect->scale;
    if (wrong >= 0)
        add_misaligned(device, descriptor, is_source, wrong, align);
}

static void check_alignment(Device *device, const HwDescriptor *descriptor)
{
    if (descriptor->source.media == MEDIA_HOST || descriptor->dest.media == MEDIA_HOST ||
        descriptor->engine < 0 || descriptor->unit_bits != BYTE_BITS)
        return;
    Alignment align = alignment_of(device->machine, descriptor);
    check_side(device, descriptor, true, align.source);
    check_side(device, descriptor, false, align.dest);
    if (descriptor->packet_bytes % align.packet)
        add_misaligned(device, descriptor, false, descriptor->dest_base + descriptor->packet_bytes,
                       align.packet);
}

// ---- sides

// A side as a walk over one stretch of shadows: slices lie one behind the other there, too, only
// closer than their addresses.
typedef struct {
    uint16_t *shadow;
    int64_t base;
    int64_t slice, closer; // addresses of a slice; by how much shadows of slices are closer
    ShadowPlace place;     // of the memory as a whole
} Side;

// Where an address, or a way between two addresses, leads in the shadows: the nearest number of
// slices, and a rest.
static int64_t in_shadow(const Side *side, int64_t address)
{
    if (!side->slice)
        return address;
    return address - nearest_slices(address, side->slice) * side->closer;
}

static bool open_side(Device *device, const HwPlace *place, int64_t base, int64_t unit, Side *side)
{
    const Machine *machine = device->machine;
    *side = (Side){.place = {.chip = place->chip, .cluster = -1, .slice = -1}};
    if (place->media == MEDIA_HOST) {
        side->place.tier = TIER_HOST;
        side->shadow = shadow_of_host(device, place->tensor);
    } else if (place->media == MEDIA_HBM) {
        side->place.tier = TIER_HBM;
        side->shadow = shadow_of_chip(device, place->chip);
    } else if (place->media == MEDIA_DM) {
        side->place = shadow_of_slice(device, TIER_DM, place->chip, place->cluster, 0);
        side->shadow = side->place.shadow;
        side->slice = machine->dm_virtual_slice_stride_bytes * BYTE_BITS / unit;
        side->closer = side->slice - machine->dm_bytes_per_slice * BYTE_BITS / unit;
    }
    side->place.shadow = side->shadow;
    side->base = side->slice ? base - base / side->slice * side->closer : base;
    return side->shadow != NULL;
}

// A stretch of shadows as a place with its address.
static void check_stretch(const Device *device, const Side *side, int64_t at, int64_t count,
                          bool is_copy)
{
    ShadowPlace place = side->place;
    if (side->slice) {
        int64_t size = device->machine->dm_bytes_per_slice;
        place.slice = at / size;
        place.shadow += place.slice * size;
        at %= size;
    }
    check_reads(device, &place, at, count, is_copy);
}

// ---- packets

typedef struct {
    Device *device;
    const HwDescriptor *descriptor;
    Side source, dest, index;
    int64_t source_steps[NEST_MOST_LOOPS], dest_steps[NEST_MOST_LOOPS];
    int64_t index_steps[NEST_MOST_LOOPS];
    int64_t scale;         // of the side whose places are data
    int64_t data, padding; // bytes of a packet
    ShadowCopy copy;
} Move;

static void ask_source(Move *move, int64_t from, int64_t count)
{
    FaultKind kind;
    int64_t other;
    uint16_t value = move->source.shadow[from];
    check_stretch(move->device, &move->source, from, count, true);
    if (value >= move->copy.launch &&
        !shadow_is_wrong(move->device->sanitizer, value, &kind, &other))
        move->copy.known = value;
}

static void move_packet(Move *move, int64_t from, int64_t to)
{
    uint16_t *dest = move->dest.shadow + to;
    const uint16_t *source = move->source.shadow + from;
    if (!shadow_copy(&move->copy, dest, source, move->data)) {
        ask_source(move, from, move->data);
        shadow_copy_any(&move->copy, dest, source, move->data);
    }
    if (move->padding)
        shadow_fill(dest + move->data, move->padding, SHADOW_PADDING);
}

// Half bytes, one by one.
static void move_halves(Move *move, int64_t from, int64_t to)
{
    int64_t count = move->descriptor->packet_bytes - move->descriptor->padding_bits / 4;
    for (int64_t i = 0; i < count; i++)
        shadow_copy_any(&move->copy, move->dest.shadow + (to + i) / 2,
                        move->source.shadow + (from + i) / 2, 1);
}

static bool open_move(Device *device, const HwDescriptor *descriptor, Move *move)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    int64_t unit = descriptor->unit_bits;
    *move = (Move){
        .device = device,
        .descriptor = descriptor,
        .copy = {device->sanitizer->launch, device->sanitizer->writer, device->sanitizer->writer}};
    if (!open_side(device, &descriptor->source, descriptor->source_base, unit, &move->source) ||
        !open_side(device, &descriptor->dest, descriptor->dest_base, unit, &move->dest) ||
        (indirect && !open_side(device, &indirect->index, indirect->base, BYTE_BITS, &move->index)))
        return false;
    move->padding = descriptor->padding_bits / BYTE_BITS;
    move->data = descriptor->packet_bytes - move->padding;
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        move->source_steps[i] = in_shadow(&move->source, loop->source_stride);
        move->dest_steps[i] = in_shadow(&move->dest, loop->dest_stride);
        move->index_steps[i] = in_shadow(&move->index, loop->index_stride);
    }
    if (indirect)
        move->scale = in_shadow(indirect->is_source ? &move->source : &move->dest, indirect->scale);
    return true;
}

// ---- gather and scatter

static const Memory *index_memory(Device *device, const HwPlace *place, int64_t *at)
{
    int64_t stride = device->machine->dm_virtual_slice_stride_bytes;
    if (place->media == MEDIA_HOST)
        return device_host(device, place->tensor);
    if (place->media == MEDIA_HBM)
        return place->chip < device->chip_count ? &device->chips[place->chip].hbm : NULL;
    const Slice *slice = device_slice(device, place->chip, place->cluster, *at / stride);
    *at %= stride;
    return slice ? &slice->dm : NULL;
}

// False: it moves nothing. One without a value is the executor's to report.
static bool find_row(Device *device, const HwDmaIndirect *indirect, int64_t at, int64_t *row)
{
    uint32_t value = 0;
    uint8_t live = 0;
    const Memory *memory = index_memory(device, &indirect->index, &at);
    if (memory)
        memory_load(memory, SCALAR_I32, at * BYTE_BITS, 1, &value, &live);
    uint64_t number = (uint64_t)(int64_t)(int32_t)value / (uint64_t)indirect->divisor;
    *row = (int64_t)number;
    return live && number < (uint64_t)indirect->limit;
}

typedef struct {
    int64_t index[NEST_MOST_LOOPS];
    int64_t source, dest, entry; // in the shadows
    int64_t entry_address;
} Walk;

static bool walk_next(const Move *move, Walk *walk, int64_t outermost)
{
    const HwDescriptor *descriptor = move->descriptor;
    for (int64_t i = descriptor->loops.count - 1; i >= outermost; i--) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        bool wraps = walk->index[i] + 1 == loop->limit;
        int64_t steps = wraps ? -walk->index[i] : 1;
        walk->index[i] += steps;
        walk->source += steps * move->source_steps[i];
        walk->dest += steps * move->dest_steps[i];
        walk->entry += steps * move->index_steps[i];
        walk->entry_address += steps * loop->index_stride;
        if (!wraps)
            return true;
    }
    return false;
}

static void move_row(Move *move, const Walk *walk)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    int64_t from = walk->source, to = walk->dest, row = 0;
    if (indirect) {
        check_stretch(move->device, &move->index, walk->entry, INDEX_BYTES, true);
        if (!find_row(move->device, indirect, walk->entry_address, &row))
            return;
        *(indirect->is_source ? &from : &to) += row * move->scale;
    }
    if (move->descriptor->unit_bits == BYTE_BITS)
        move_packet(move, from, to);
    else
        move_halves(move, from, to);
}

// Iteration `number` of the outermost loop, or all of them.
static void move_part(Move move, int64_t number)
{
    const HwDmaIndirect *indirect = move.descriptor->indirect;
    bool is_part = number >= 0;
    Walk walk = {.source = move.source.base,
                 .dest = move.dest.base,
                 .entry = indirect ? move.index.base : 0,
                 .entry_address = indirect ? indirect->base : 0};
    if (is_part) {
        walk.source += number * move.source_steps[0];
        walk.dest += number * move.dest_steps[0];
    }
    do
        move_row(&move, &walk);
    while (walk_next(&move, &walk, is_part));
}

// Whether the iterations of the outermost loop write different places, so that their order does not
// matter.
static bool can_share(const HwDescriptor *descriptor)
{
    return descriptor->loops.count && !descriptor->indirect && descriptor->unit_bits == BYTE_BITS &&
           descriptor->loops.items[0].dest_stride && descriptor->loops.items[0].limit > 1;
}

static void move_all(const Move *move)
{
    const HwDescriptor *descriptor = move->descriptor;
    if (!can_share(descriptor)) {
        move_part(*move, -1);
        return;
    }
#pragma omp parallel for schedule(static) num_threads((int)move->device->threads)
    for (int64_t i = 0; i < descriptor->loops.items[0].limit; i++)
        move_part(*move, i);
}

bool dma_check(Device *device, const HwDmaCommand *command)
{
    for (int64_t i = 0; i < command->descriptors.count; i++) {
        const HwDescriptor *descriptor = &command->descriptors.items[i];
        Move move;
        check_alignment(device, descriptor);
        if (!open_move(device, descriptor, &move))
            return !device->failed;
        move_all(&move);
    }
    return true;
}
