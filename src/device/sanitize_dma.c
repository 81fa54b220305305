// What DMA copies, shadow by shadow. What nobody wrote is copied like any value: a tensor may be
// moved before all of it is filled in.
#include "device/sanitize.h"

#include "base/heap.h"
#include "device/slices.h"

#include "base/checked.h"

#include <stdlib.h>

enum { BYTE_BITS = 8, INDEX_BYTES = 4 };

// A fault at an address of a side.
static DeviceFault fault_at(const Device *device, FaultKind kind, const HwPlace *place,
                            int64_t address)
{
    static const Tier tier_of[] = {
        [MEDIA_HOST] = TIER_HOST, [MEDIA_HBM] = TIER_HBM, [MEDIA_DM] = TIER_DM};
    bool in_dm = place->media == MEDIA_DM;
    int64_t stride = device->machine->dm_virtual_slice_stride_bytes;
    return (DeviceFault){.kind = kind,
                         .operation = device->sanitizer->number,
                         .other = -1,
                         .tier = tier_of[place->media],
                         .chip = place->chip,
                         .cluster = in_dm ? place->cluster : -1,
                         .slice = in_dm ? address / stride : -1,
                         .address = in_dm ? address % stride : address};
}

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
    DeviceFault fault = fault_at(device, FAULT_MISALIGNED, place, address);
    fault.writes = !is_source;
    fault.bytes = align;
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
    Shadow shadow;
    int64_t base;
    int64_t slice, closer; // addresses of a slice; by how much shadows of slices are closer
    ShadowPlace place;     // of the memory as a whole
    int64_t steps[NEST_MOST_LOOPS]; // of the loops
    bool is_told;                   // somebody wants to know which bytes of HBM it touches
} Side;

// Where a way between two addresses leads in the shadows: the nearest number of slices, and a rest.
static int64_t in_shadow(const Side *side, int64_t way)
{
    return side->slice ? way - nearest_slices(way, side->slice) * side->closer : way;
}

static bool open_side(Device *device, const HwPlace *place, int64_t base, int64_t unit, Side *side)
{
    const Machine *machine = device->machine;
    *side = (Side){.place = {.chip = place->chip, .cluster = -1, .slice = -1}};
    if (place->media == MEDIA_HOST) {
        side->place.tier = TIER_HOST;
        side->place.shadow = shadow_of_host(device, place->tensor);
    } else if (place->media == MEDIA_HBM) {
        side->place.tier = TIER_HBM;
        side->place.shadow = shadow_of_chip(device, place->chip);
    } else if (place->media == MEDIA_DM) {
        side->place = shadow_of_slice(device, TIER_DM, place->chip, place->cluster, 0);
        side->slice = machine->dm_virtual_slice_stride_bytes * BYTE_BITS / unit;
        side->closer = side->slice - shadow_stride(machine->dm_bytes_per_slice) * BYTE_BITS / unit;
    }
    side->shadow = side->place.shadow;
    side->base = side->slice ? base - base / side->slice * side->closer : base;
    return side->shadow.blocks != NULL;
}

static void tell(const Device *device, const Side *side, int64_t at, int64_t count, bool writes)
{
    const DeviceTraffic *traffic = &device->sanitizer->traffic;
    if (side->is_told && count > 0)
        traffic->touch(traffic->own, side->place.chip, at, at + count, writes);
}

// A stretch of shadows as a place with its address.
static void check_stretch(const Device *device, const Side *side, int64_t at, int64_t count)
{
    ShadowPlace place = side->place;
    tell(device, side, at, count, false);
    if (side->slice) {
        int64_t size = shadow_stride(device->machine->dm_bytes_per_slice);
        place.slice = at / size;
        place.shadow.bytes += place.slice * size;
        place.shadow.blocks += place.slice * size / SHADOW_BLOCK;
        at %= size;
    }
    check_reads(device, &place, at, count, true);
}

// ---- packets

// The places of all packets of some of the inner loops, whatever their order: from the first on.
typedef struct {
    WalkNest nest;
    int64_t first;
} Places;

typedef struct {
    Device *device;
    const HwDescriptor *descriptor;
    Side source, dest, index;
    Places source_places[NEST_MOST_LOOPS + 1], dest_places[NEST_MOST_LOOPS + 1]; // by outer loops
    int64_t scale;         // of the side whose places are data
    int64_t data, padding; // bytes of a packet
} Move;

// Mostly nobody does: a tensor is written that was the writer's before.
static bool is_told(const Move *move, const Side *side, bool writes)
{
    const HwDescriptor *descriptor = move->descriptor;
    const Sanitizer *sanitizer = move->device->sanitizer;
    int64_t low = side->base, high = side->base + descriptor->packet_bytes;
    if (!sanitizer->traffic.touch || side->place.tier != TIER_HBM)
        return false;
    if (descriptor->indirect || descriptor->unit_bits != BYTE_BITS)
        return true;
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        int64_t way = (descriptor->loops.items[i].limit - 1) * side->steps[i];
        *(way < 0 ? &low : &high) += way;
    }
    return sanitizer->traffic.matters(sanitizer->traffic.own, sanitizer->number, side->place.chip,
                                      low, high, writes);
}

// What a copy makes of a shadow.
static uint16_t copied(const Sanitizer *sanitizer, uint16_t value)
{
    Writer *copier = &sanitizer->writers[sanitizer->writer];
    if (value >= sanitizer->launch)
        return sanitizer->writer;
    if (value > SHADOW_LEFT && !copier->left)
        copier->left = value;
    return value > SHADOW_LEFT ? SHADOW_LEFT : value;
}

static void move_packet(const Move *move, int64_t from, int64_t to)
{
    const Sanitizer *sanitizer = move->device->sanitizer;
    int64_t end = from + move->data;
    uint16_t value;
    check_stretch(move->device, &move->source, from, move->data);
    tell(move->device, &move->dest, to, move->data + move->padding, true);
    for (int64_t alike; from < end; from += alike, to += alike) {
        alike = shadow_alike(&move->source.shadow, from, end, &value);
        shadow_fill(&move->dest.shadow, to, to + alike, copied(sanitizer, value));
    }
    shadow_fill(&move->dest.shadow, to, to + move->padding, SHADOW_PADDING);
}

// Half bytes, one by one.
static void move_halves(const Move *move, int64_t from, int64_t to)
{
    int64_t count = move->descriptor->packet_bytes - move->descriptor->padding_bits / 4;
    uint16_t value;
    tell(move->device, &move->source, from / 2, ceil_div(from + count, 2) - from / 2, false);
    tell(move->device, &move->dest, to / 2, ceil_div(to + count, 2) - to / 2, true);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = (from + i) / 2;
        shadow_alike(&move->source.shadow, at, at + 1, &value);
        shadow_fill(&move->dest.shadow, (to + i) / 2, (to + i) / 2 + 1,
                    copied(move->device->sanitizer, value));
    }
}

// ---- many packets at once

static int by_stride(const void *a, const void *b)
{
    const WalkLoop *x = a, *y = b;
    return (x->stride < y->stride) - (x->stride > y->stride);
}

static Places find_places(const Move *move, const Side *side, int64_t outer)
{
    Places places = {0};
    WalkNest *nest = &places.nest;
    for (int64_t i = outer; i < move->descriptor->loops.count; i++) {
        int64_t size = move->descriptor->loops.items[i].limit, step = side->steps[i];
        if (step < 0)
            places.first += (size - 1) * step;
        nest->loops[nest->count++] = (WalkLoop){size, step < 0 ? -step : step, NULL};
    }
    walk_once(nest);
    qsort(nest->loops, (size_t)nest->count, sizeof *nest->loops, by_stride);
    if (nest->count < NEST_MOST_LOOPS)
        nest->loops[nest->count++] = (WalkLoop){move->data, 1, NULL};
    walk_join(nest);
    return places;
}

typedef struct {
    const Device *device;
    const Side *side;
    int64_t first;
    uint16_t value;
    bool is_first, differs;
} Uniform;

static void compare_run(void *own, int64_t element, int64_t count)
{
    Uniform *uniform = own;
    uint16_t value;
    int64_t at = uniform->first + element;
    if (uniform->differs)
        return;
    uniform->differs = shadow_alike(&uniform->side->shadow, at, at + count, &value) < count ||
                       (!uniform->is_first && value != uniform->value);
    uniform->value = value;
    uniform->is_first = false;
}

static void fill_run(void *own, int64_t element, int64_t count)
{
    const Uniform *uniform = own;
    int64_t at = uniform->first + element;
    tell(uniform->device, uniform->side, at, count, true);
    shadow_fill(&uniform->side->shadow, at, at + count, uniform->value);
}

static void tell_run(void *own, int64_t element, int64_t count)
{
    const Uniform *uniform = own;
    tell(uniform->device, uniform->side, uniform->first + element, count, false);
}

static void walk_places(const Places *places, WalkRun *run, void *own)
{
    walk_run(&places->nest, 0, walk_size(&places->nest), run, own);
}

// All packets of the loops from `outer` on, if what they read has one shadow, and nothing is wrong
// with it.
static bool move_uniform(const Move *move, int64_t outer, int64_t from, int64_t to)
{
    const Sanitizer *sanitizer = move->device->sanitizer;
    const Places *source = &move->source_places[outer], *dest = &move->dest_places[outer];
    Uniform uniform = {move->device, &move->source, from + source->first, 0, true, false};
    FaultKind kind;
    int64_t other;
    walk_places(source, compare_run, &uniform);
    if (uniform.differs ||
        (shadow_is_wrong(sanitizer, uniform.value, &kind, &other) && kind == FAULT_OVERWRITTEN))
        return false;
    if (move->source.is_told)
        walk_places(source, tell_run, &uniform);
    uniform.side = &move->dest;
    uniform.first = to + dest->first;
    uniform.value = copied(sanitizer, uniform.value);
    walk_places(dest, fill_run, &uniform);
    return true;
}

static void move_loops(const Move *move, int64_t outer, int64_t from, int64_t to)
{
    if (outer == move->descriptor->loops.count) {
        move_packet(move, from, to);
        return;
    }
    if (move_uniform(move, outer, from, to))
        return;
    for (int64_t i = 0; i < move->descriptor->loops.items[outer].limit; i++)
        move_loops(move, outer + 1, from + i * move->source.steps[outer],
                   to + i * move->dest.steps[outer]);
}

// Padding of packets is not moved, so that packets with any are moved one by one.
static bool open_move(Device *device, const HwDescriptor *descriptor, Move *move)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    int64_t unit = descriptor->unit_bits;
    move->device = device; // the rest is large, and filled in as far as it is used
    move->descriptor = descriptor;
    if (!open_side(device, &descriptor->source, descriptor->source_base, unit, &move->source) ||
        !open_side(device, &descriptor->dest, descriptor->dest_base, unit, &move->dest) ||
        (indirect && !open_side(device, &indirect->index, indirect->base, BYTE_BITS, &move->index)))
        return false;
    move->padding = descriptor->padding_bits / BYTE_BITS;
    move->data = descriptor->packet_bytes - move->padding;
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        move->source.steps[i] = in_shadow(&move->source, loop->source_stride);
        move->dest.steps[i] = in_shadow(&move->dest, loop->dest_stride);
        move->index.steps[i] = indirect ? in_shadow(&move->index, loop->index_stride) : 0;
    }
    move->source.is_told = is_told(move, &move->source, false);
    move->dest.is_told = is_told(move, &move->dest, true);
    move->index.is_told = indirect && is_told(move, &move->index, false);
    if (indirect)
        move->scale = in_shadow(indirect->is_source ? &move->source : &move->dest, indirect->scale);
    for (int64_t i = 0; i <= descriptor->loops.count; i++) {
        move->source_places[i] = find_places(move, &move->source, i);
        move->dest_places[i] = find_places(move, &move->dest, i);
    }
    return true;
}

// ---- gather and scatter

static const Memory *index_memory(Device *device, const HwPlace *place, int64_t *at)
{
    int64_t stride = device->machine->dm_virtual_slice_stride_bytes;
    if (place->media == MEDIA_HOST)
        return device_host(device, place->tensor);
    if (place->media == MEDIA_HBM) {
        if (place->chip >= device->chip_count)
            return NULL;
        HbmPart part = chip_hbm(&device->chips[place->chip], *at);
        *at -= part.from;
        return part.memory;
    }
    const Slice *slice = device_slice(device, place->chip, place->cluster, *at / stride);
    *at %= stride;
    return slice ? &slice->dm : NULL;
}

static void add_beyond(const Device *device, const HwDmaIndirect *indirect, int64_t address,
                       int64_t entry)
{
    DeviceFault fault = fault_at(device, FAULT_INDEX, &indirect->index, address);
    fault.writes = !indirect->is_source;
    fault.entry = entry;
    fault.unit = indirect->divisor;
    fault.rows = indirect->limit;
    fault_add(device->sanitizer, &fault);
}

// False: it moves nothing. One without a value is the executor's to report.
static bool find_row(Device *device, const HwDmaIndirect *indirect, int64_t address, int64_t *row)
{
    uint32_t value = 0;
    uint8_t live = 0;
    int64_t at = address;
    const Memory *memory = index_memory(device, &indirect->index, &at);
    if (memory)
        memory_load(memory, SCALAR_I32, at * BYTE_BITS, 1, &value, &live);
    int64_t entry = (int32_t)value;
    bool is_inside = entry >= 0 && entry / indirect->divisor < indirect->limit;
    *row = is_inside ? entry / indirect->divisor : 0;
    if (live && !is_inside)
        add_beyond(device, indirect, address, entry);
    return live && is_inside;
}

typedef struct {
    int64_t index[NEST_MOST_LOOPS];
    int64_t source, dest, entry; // in the shadows
    int64_t entry_address;
} Walk;

static bool walk_next(const Move *move, Walk *walk)
{
    const HwDescriptor *descriptor = move->descriptor;
    for (int64_t i = descriptor->loops.count - 1; i >= 0; i--) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        bool wraps = walk->index[i] + 1 == loop->limit;
        int64_t steps = wraps ? -walk->index[i] : 1;
        walk->index[i] += steps;
        walk->source += steps * move->source.steps[i];
        walk->dest += steps * move->dest.steps[i];
        walk->entry += steps * move->index.steps[i];
        walk->entry_address += steps * loop->index_stride;
        if (!wraps)
            return true;
    }
    return false;
}

static void move_row(const Move *move, const Walk *walk)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    int64_t from = walk->source, to = walk->dest, row = 0;
    if (indirect) {
        check_stretch(move->device, &move->index, walk->entry, INDEX_BYTES);
        if (!find_row(move->device, indirect, walk->entry_address, &row))
            return;
        *(indirect->is_source ? &from : &to) += row * move->scale;
    }
    if (move->descriptor->unit_bits == BYTE_BITS)
        move_packet(move, from, to);
    else
        move_halves(move, from, to);
}

static void move_all(const Move *move)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    if (!indirect && !move->padding && move->descriptor->unit_bits == BYTE_BITS) {
        move_loops(move, 0, move->source.base, move->dest.base);
        return;
    }
    Walk walk = {.source = move->source.base,
                 .dest = move->dest.base,
                 .entry = indirect ? move->index.base : 0,
                 .entry_address = indirect ? indirect->base : 0};
    do
        move_row(move, &walk);
    while (walk_next(move, &walk));
}

bool dma_check(Device *device, const HwDmaCommand *command)
{
    Move *move = heap_new(sizeof *move);
    if (!move)
        return false;
    for (int64_t i = 0; i < command->descriptors.count; i++) {
        const HwDescriptor *descriptor = &command->descriptors.items[i];
        check_alignment(device, descriptor);
        if (open_move(device, descriptor, move))
            move_all(move);
    }
    heap_free(move);
    return true;
}
