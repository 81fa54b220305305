// What DMA copies, shadow by shadow. What nobody wrote is copied like any value: a tensor may be
// moved before all of it is filled in.
#include "device/sanitize.h"

#include "base/heap.h"
#include "device/dma_plan.h"

#include "base/checked.h"

#include <stdlib.h>

enum { INDEX_BYTES = 4 };

// A fault at an address of a side.
static DeviceFault fault_at(const Device *device, FaultKind kind, const HwPlace *place,
                            int64_t address)
{
    static const Tier tier_of[] = {
        [MEDIA_HOST] = TIER_HOST, [MEDIA_HBM] = TIER_HBM, [MEDIA_DM] = TIER_DM};
    bool in_dm = place->media == MEDIA_DM;
    int64_t stride = device->machine->dm_virtual_slice_stride_bytes;
    DeviceFault fault = fault_in(device->sanitizer, kind,
                                 &(ShadowPlace){.tier = tier_of[place->media],
                                                .chip = place->chip,
                                                .cluster = in_dm ? place->cluster : -1,
                                                .slice = in_dm ? address / stride : -1});
    fault.address = in_dm ? address % stride : address;
    return fault;
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

static void add_misaligned(Device *device, const HwDescriptor *descriptor, HwSide side,
                           int64_t address, int64_t align)
{
    DeviceFault fault = fault_at(device, FAULT_MISALIGNED, side_place(descriptor, side), address);
    fault.writes = side == SIDE_DEST;
    fault.bytes = align;
    fault_add(device->sanitizer, &fault);
}

// The first packet of one side that does not begin where it must.
static void check_side(Device *device, const HwDescriptor *descriptor, HwSide side, int64_t align)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    int64_t base = side_base(descriptor, side), wrong = base % align ? base : -1;
    for (int64_t i = descriptor->loops.count - 1; i >= 0 && wrong < 0; i--) {
        int64_t stride = side_stride(&descriptor->loops.items[i], side);
        if (descriptor->loops.items[i].limit > 1 && stride % align)
            wrong = base + stride;
    }
    if (wrong < 0 && side_is_indirect(descriptor, side) && indirect->limit > 1 &&
        indirect->scale % align)
        wrong = base + indirect->scale;
    if (wrong >= 0)
        add_misaligned(device, descriptor, side, wrong, align);
}

static void check_alignment(Device *device, const HwDescriptor *descriptor)
{
    if (descriptor->source.media == MEDIA_HOST || descriptor->dest.media == MEDIA_HOST ||
        descriptor->engine < 0 || descriptor->unit_bits != BYTE_BITS)
        return;
    Alignment align = alignment_of(device->machine, descriptor);
    check_side(device, descriptor, SIDE_SOURCE, align.source);
    check_side(device, descriptor, SIDE_DEST, align.dest);
    if (descriptor->packet_bytes % align.packet)
        add_misaligned(device, descriptor, SIDE_DEST,
                       descriptor->dest_base + descriptor->packet_bytes, align.packet);
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

static bool open_side(Device *device, const HwDescriptor *descriptor, HwSide which, Side *side)
{
    const HwPlace *place = side_place(descriptor, which);
    int64_t base = side_base(descriptor, which), unit = side_unit(descriptor, which);
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
    for (int64_t i = 0; i < descriptor->loops.count; i++)
        side->steps[i] = in_shadow(side, side_stride(&descriptor->loops.items[i], which));
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
    Nest nest;
    int64_t first;
} Places;

typedef struct {
    Device *device;
    const HwDescriptor *descriptor;
    Side sides[SIDE_COUNT];
    Places places[SIDE_INDEX][NEST_MOST_LOOPS + 1]; // of source and destination, by outer loops
    int64_t scale;                                  // of the side whose places are data
    int64_t data, padding;                          // bytes of a packet
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
    check_stretch(move->device, &move->sides[SIDE_SOURCE], from, move->data);
    tell(move->device, &move->sides[SIDE_DEST], to, move->data + move->padding, true);
    for (int64_t alike; from < end; from += alike, to += alike) {
        alike = shadow_alike(&move->sides[SIDE_SOURCE].shadow, from, end, &value);
        shadow_fill(&move->sides[SIDE_DEST].shadow, to, to + alike, copied(sanitizer, value));
    }
    shadow_fill(&move->sides[SIDE_DEST].shadow, to, to + move->padding, SHADOW_PADDING);
}

// Half bytes, one by one.
static void move_halves(const Move *move, int64_t from, int64_t to)
{
    int64_t count = move->descriptor->packet_bytes - move->descriptor->padding_bits / 4;
    uint16_t value;
    tell(move->device, &move->sides[SIDE_SOURCE], from / 2, ceil_div(from + count, 2) - from / 2,
         false);
    tell(move->device, &move->sides[SIDE_DEST], to / 2, ceil_div(to + count, 2) - to / 2, true);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = (from + i) / 2;
        shadow_alike(&move->sides[SIDE_SOURCE].shadow, at, at + 1, &value);
        shadow_fill(&move->sides[SIDE_DEST].shadow, (to + i) / 2, (to + i) / 2 + 1,
                    copied(move->device->sanitizer, value));
    }
}

// ---- many packets at once

static int by_stride(const void *a, const void *b)
{
    const NestLoop *x = a, *y = b;
    return compare_i64(y->strides[0], x->strides[0]);
}

static Places find_places(const Move *move, const Side *side, int64_t outer)
{
    Places places = {0};
    Nest *nest = &places.nest;
    for (int64_t i = outer; i < move->descriptor->loops.count; i++) {
        int64_t size = move->descriptor->loops.items[i].limit, step = side->steps[i];
        if (step < 0)
            places.first += (size - 1) * step;
        nest->loops[nest->count++] = (NestLoop){size, {step < 0 ? -step : step}, NULL};
    }
    nest_once(nest);
    qsort(nest->loops, nest->count, sizeof *nest->loops, by_stride);
    if (nest->count < NEST_MOST_LOOPS)
        nest->loops[nest->count++] = (NestLoop){move->data, {1}, NULL};
    nest->count = loops_join(nest->loops, nest->count);
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

static void walk_places(const Places *places, NestRun *run, void *own)
{
    nest_runs(&places->nest, 0, nest_size(&places->nest), run, own);
}

// All packets of the loops from `outer` on, if what they read has one shadow, and nothing is wrong
// with it.
static bool move_uniform(const Move *move, int64_t outer, int64_t from, int64_t to)
{
    const Sanitizer *sanitizer = move->device->sanitizer;
    const Places *source = &move->places[SIDE_SOURCE][outer],
                 *dest = &move->places[SIDE_DEST][outer];
    Uniform uniform = {move->device, &move->sides[SIDE_SOURCE], from + source->first, 0, true,
                       false};
    FaultKind kind;
    int64_t other;
    walk_places(source, compare_run, &uniform);
    if (uniform.differs ||
        (shadow_is_wrong(sanitizer, uniform.value, &kind, &other) && kind == FAULT_OVERWRITTEN))
        return false;
    if (move->sides[SIDE_SOURCE].is_told)
        walk_places(source, tell_run, &uniform);
    uniform.side = &move->sides[SIDE_DEST];
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
        move_loops(move, outer + 1, from + i * move->sides[SIDE_SOURCE].steps[outer],
                   to + i * move->sides[SIDE_DEST].steps[outer]);
}

// Padding of packets is not moved, so that packets with any are moved one by one.
static bool open_move(Device *device, const HwDescriptor *descriptor, Move *move)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    move->device = device; // the rest is large, and filled in as far as it is used
    move->descriptor = descriptor;
    for (HwSide side = 0; side < SIDE_COUNT && side_place(descriptor, side); side++)
        if (!open_side(device, descriptor, side, &move->sides[side]))
            return false;
    move->padding = descriptor->padding_bits / BYTE_BITS;
    move->data = descriptor->packet_bytes - move->padding;
    for (HwSide side = 0; side < SIDE_COUNT && side_place(descriptor, side); side++)
        move->sides[side].is_told = is_told(move, &move->sides[side], side == SIDE_DEST);
    if (indirect)
        move->scale =
            in_shadow(&move->sides[indirect->is_source ? SIDE_SOURCE : SIDE_DEST], indirect->scale);
    for (HwSide side = SIDE_SOURCE; side <= SIDE_DEST; side++)
        for (int64_t i = 0; i <= descriptor->loops.count; i++)
            move->places[side][i] = find_places(move, &move->sides[side], i);
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

// The address of a place in the shadows.
static int64_t address_of(const Side *side, int64_t at)
{
    int64_t held = side->slice - side->closer;
    return side->slice ? at / held * side->slice + at % held : at;
}

static void move_row(const Move *move, const NestWalk *walk)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    const Side *index = &move->sides[SIDE_INDEX];
    int64_t from = move->sides[SIDE_SOURCE].base + walk->at[SIDE_SOURCE];
    int64_t to = move->sides[SIDE_DEST].base + walk->at[SIDE_DEST], row = 0;
    if (indirect) {
        int64_t entry = index->base + walk->at[SIDE_INDEX];
        check_stretch(move->device, index, entry, INDEX_BYTES);
        if (!find_row(move->device, indirect, address_of(index, entry), &row))
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
    const HwDescriptor *descriptor = move->descriptor;
    if (!descriptor->indirect && !move->padding && descriptor->unit_bits == BYTE_BITS) {
        move_loops(move, 0, move->sides[SIDE_SOURCE].base, move->sides[SIDE_DEST].base);
        return;
    }
    Nest nest = {.count = descriptor->loops.count};
    for (int64_t i = 0; i < nest.count; i++) {
        nest.loops[i].size = descriptor->loops.items[i].limit;
        for (HwSide side = 0; side < SIDE_COUNT && side_place(descriptor, side); side++)
            nest.loops[i].strides[side] = move->sides[side].steps[i];
    }
    NestWalk walk;
    nest_seek(&walk, nest.loops, nest.count, 0);
    do
        move_row(move, &walk);
    while (nest_skip(&walk, 1));
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

// Whether a DMA waits while a pass goes to one bank of DM again and again.
// Manual: Memory Performance, Bank Starvation. docs/running.md says what counts.

enum { NEIGHBOURS = 64 };

// ---- beside which DMA

static bool reads_tensor(const HwOperation *operation, int64_t tensor)
{
    for (int64_t i = 0; i < operation->reads.count; i++)
        if (operation->reads.items[i] == tensor)
            return true;
    return false;
}

// `later` cannot begin before `earlier` ends: one writes what the other reads or writes.
static bool waits_for(const HwOperation *later, const HwOperation *earlier)
{
    return reads_tensor(later, earlier->writes) || reads_tensor(earlier, later->writes) ||
           (later->writes >= 0 && later->writes == earlier->writes);
}

static bool touches_dm(const HwPlace *place, const HwPipeline *pass)
{
    return place->media == MEDIA_DM && place->chip >= pass->first_chip &&
           place->chip < pass->first_chip + pass->chips && place->cluster >= pass->first_cluster &&
           place->cluster < pass->first_cluster + pass->clusters;
}

// A DMA from or to DM of a cluster that executes the pass.
static bool is_dma_beside(const HwOperation *operation, const HwPipeline *pass)
{
    if (operation->context != CONTEXT_TDMA && operation->context != CONTEXT_PDMA)
        return false;
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwDmaCommand *dma = operation->commands.items[i].dma;
        for (int64_t k = 0; dma && k < dma->descriptors.count; k++)
            if (touches_dm(&dma->descriptors.items[k].source, pass) ||
                touches_dm(&dma->descriptors.items[k].dest, pass))
                return true;
    }
    return false;
}

// Of two operations in program order, the later one begins behind the end of the earlier one.
static bool is_behind(const HwOperation *later, const HwOperation *earlier)
{
    return later->context == earlier->context || waits_for(later, earlier);
}

// The nearest DMA in one direction, unless the order of the operations keeps it apart from the
// pass: one waits for the other, or for an operation between them that does.
static int64_t find_dma(const HwObject *object, const HwPipeline *pass, int64_t number,
                        int64_t step)
{
    const HwOperation *items = object->operations.items;
    bool apart[NEIGHBOURS + 1] = {true}; // by distance: kept apart from the pass
    for (int64_t i = 1; i <= NEIGHBOURS; i++) {
        int64_t at = number + i * step;
        if (at < 0 || at >= object->operations.count)
            return -1;
        for (int64_t k = 0; k < i && !apart[i]; k++) {
            const HwOperation *near = &items[number + k * step];
            apart[i] =
                apart[k] && (step < 0 ? is_behind(near, &items[at]) : is_behind(&items[at], near));
        }
        if (is_dma_beside(&items[at], pass))
            return apart[i] ? -1 : at;
    }
    return -1;
}

void bank_check(Device *device, const HwPipeline *pass, int64_t streak, int64_t address)
{
    Sanitizer *sanitizer = device->sanitizer;
    int64_t dma = find_dma(sanitizer->object, pass, sanitizer->number, -1);
    if (dma < 0)
        dma = find_dma(sanitizer->object, pass, sanitizer->number, 1);
    if (dma < 0)
        return;
    DeviceFault fault = fault_in(sanitizer, FAULT_BANK,
                                 &(ShadowPlace){.tier = TIER_DM,
                                                .chip = pass->first_chip,
                                                .cluster = pass->first_cluster,
                                                .slice = pass->first_slice});
    fault.other = dma;
    fault.address = address;
    fault.bytes = streak;
    fault_add(sanitizer, &fault);
}
