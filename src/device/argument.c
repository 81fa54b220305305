// Arguments: tensors that come with the call, in and out of the memories.
//
// An argument is so many elements in each of its places; large places are cut into blocks, which
// threads share. Blocks are an even number of elements, so that half bytes stay together.
#include "device/internal.h"

#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "device/dma_plan.h"
#include "device/loops/copy.h"
#include "device/memory.h"
#include "device/sanitize.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK = 1 << 16, SMALL = 1 << 16 };

int64_t device_positions(const HwArgument *argument)
{
    return argument->chips * argument->clusters * argument->slices * argument->rows *
           argument->elements;
}

// One row of an argument in one place.
typedef struct {
    Memory *memory; // NULL: in TRF, or nowhere
    Trf *trf;
    int64_t row;
    int64_t bit; // of position 0
} ArgumentPlace;

// In HBM, or in what is bound there, if that has all of it.
static void find_hbm(Device *device, const HwArgument *argument, int64_t chip, ArgumentPlace *place)
{
    int64_t end = argument->address + ceil_div(argument->elements * argument->element_bits, 8);
    if (chip >= device->chip_count)
        return;
    HbmPart part = chip_hbm(&device->chips[chip], argument->address);
    bool is_whole = memory_holds(part.memory, argument->address - part.from, end - part.from);
    place->memory = is_whole ? part.memory : &device->chips[chip].hbm;
    place->bit -= is_whole ? part.from * BYTE_BITS : 0;
}

// The tensor of the host is there, if there is memory for it.
static ArgumentPlace place_of(Device *device, const HwArgument *argument, int64_t first_chip,
                              int64_t number)
{
    int64_t row = number % argument->rows, unit = number / argument->rows;
    int64_t slice = unit % argument->slices, cluster = unit / argument->slices % argument->clusters;
    int64_t chip = first_chip + unit / argument->slices / argument->clusters;
    ArgumentPlace place = {.row = row, .bit = argument->address * BYTE_BITS};
    Slice *in = device_slice(device, chip, cluster, slice);
    switch (argument->tier) {
    case TIER_HOST:
        place.memory = device_host(device, argument->tensor);
        place.bit = 0;
        break;
    case TIER_HBM:
        find_hbm(device, argument, chip, &place);
        break;
    case TIER_DM:
        place.memory = in ? &in->dm : NULL;
        break;
    case TIER_VRF:
        place.memory = in ? &in->vrf : NULL;
        break;
    case TIER_TRF:
        place.trf = in && argument->trf ? &in->trf : NULL;
        place.bit = 0;
        break;
    case TIER_COUNT:
        break;
    }
    return place;
}

// ---- elements

static int64_t byte_at(const HwArgument *argument, const ArgumentPlace *place, int64_t element)
{
    return (place->bit + element * argument->element_bits) / BYTE_BITS;
}

// How many from `from` on are as the first one is.
static int64_t run_of(const uint8_t *live, int64_t count)
{
    const uint8_t *other = memchr(live, !live[0], count);
    return other ? other - live : count;
}

// Of half bytes that share a byte, the one that has a value decides; what lies behind the last
// element is nobody's.
static void mark_elements(const HwArgument *argument, const ArgumentPlace *place, int64_t element,
                          int64_t count, const uint8_t *live, MarksUse use)
{
    bool halves = argument->element_bits < BYTE_BITS;
    for (int64_t i = 0, run; i < count; i += run) {
        run = run_of(live + i, count - i);
        int64_t from = element + i, to = from + run;
        int64_t end = byte_at(argument, place, to + (halves && to % 2));
        if (live[i])
            marks_set(place->memory->written, byte_at(argument, place, from), end, use);
        else
            marks_clear(place->memory->written,
                        byte_at(argument, place, from + (halves && from % 2)), end, use);
    }
}

// ---- all of it

// What is done with one block of one place.
typedef struct {
    Device *device;
    const HwArgument *argument;
    int64_t first_chip; // on which its chip 0 is
    const CopyLoops *loops;
    const uint32_t *put_bits;
    const uint8_t *put_live, *put_bytes;
    uint32_t *get_bits;
    uint8_t *get_live, *get_bytes;
    MarksUse use;
    Watched *watched; // NULL: it goes on to its end
} Transfer;

// False: a byte that was asked for has no value.
typedef bool BlockWork(const Transfer *transfer, const ArgumentPlace *place, int64_t first,
                       int64_t element, int64_t count);

static bool put_values(const Transfer *transfer, const ArgumentPlace *place, int64_t first,
                       int64_t element, int64_t count)
{
    const HwArgument *argument = transfer->argument;
    const uint32_t *bits = transfer->put_bits + first;
    const uint8_t *live = transfer->put_live + first;
    if (place->trf)
        trf_store(place->trf, argument->trf, argument->type, place->row,
                  element * argument->element_bits / 4, count, bits, live);
    if (!place->memory)
        return true;
    scalar_pack(argument->type, bits, count,
                place->memory->bytes + byte_at(argument, place, element), 0);
    mark_elements(argument, place, element, count, live, transfer->use);
    return true;
}

static bool get_values(const Transfer *transfer, const ArgumentPlace *place, int64_t first,
                       int64_t element, int64_t count)
{
    const HwArgument *argument = transfer->argument;
    uint32_t *bits = transfer->get_bits + first;
    uint8_t *live = transfer->get_live + first;
    if (place->trf)
        trf_load(place->trf, argument->trf, argument->type, place->row,
                 element * argument->element_bits / 4, count, bits, live);
    if (!place->memory)
        return true;
    const uint8_t *marks = place->memory->written;
    int64_t from = byte_at(argument, place, element);
    int64_t width = max_i64(1, argument->element_bits / BYTE_BITS);
    scalar_unpack(argument->type, place->memory->bytes + from, 0, count, bits);
    if (marks_are_set(marks, from, byte_at(argument, place, element + count - 1) + width)) {
        memset(live, 1, count);
        return true;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at = byte_at(argument, place, element + i);
        live[i] = marks_are_set(marks, at, at + width);
    }
    return true;
}

static bool put_bytes(const Transfer *transfer, const ArgumentPlace *place, int64_t first,
                      int64_t element, int64_t count)
{
    int64_t from = byte_at(transfer->argument, place, element);
    int64_t to = byte_at(transfer->argument, place, element + count);
    if (!place->memory)
        return true;
    transfer->loops->run(place->memory->bytes + from,
                         transfer->put_bytes + first * transfer->argument->element_bits / BYTE_BITS,
                         to - from);
    marks_set(place->memory->written, from, to, transfer->use);
    return true;
}

static bool get_bytes(const Transfer *transfer, const ArgumentPlace *place, int64_t first,
                      int64_t element, int64_t count)
{
    int64_t from = byte_at(transfer->argument, place, element);
    int64_t to = byte_at(transfer->argument, place, element + count);
    if (!place->memory)
        return false;
    transfer->loops->run(transfer->get_bytes + first * transfer->argument->element_bits / BYTE_BITS,
                         place->memory->bytes + from, to - from);
    return marks_are_set(place->memory->written, from, to);
}

typedef struct {
    Transfer *transfer;
    BlockWork *work;
    atomic_bool failed;
} TransferBlocks;

static int64_t blocks_per_place(const HwArgument *argument)
{
    return ceil_div(argument->elements, BLOCK);
}

static void transfer_blocks(void *own, int64_t from, int64_t to)
{
    TransferBlocks *all = own;
    Transfer *transfer = all->transfer;
    const HwArgument *argument = transfer->argument;
    int64_t elements = argument->elements, blocks = blocks_per_place(argument);
    for (int64_t i = from; i < to; i++) {
        ArgumentPlace place =
            place_of(transfer->device, argument, transfer->first_chip, i / blocks);
        int64_t element = i % blocks * BLOCK, first = i / blocks * elements + element;
        if (transfer->watched && !watched_goes_on(transfer->watched, BLOCK))
            return;
        if (!all->work(transfer, &place, first, element, min_i64(BLOCK, elements - element)))
            all->failed = true;
    }
}

static bool transfer_all(Transfer *transfer, BlockWork *work)
{
    const HwArgument *argument = transfer->argument;
    int64_t positions = device_positions(argument);
    int64_t count = positions / argument->elements * blocks_per_place(argument);
    bool alone = positions < SMALL || argument->tier == TIER_TRF; // rows of a slice share its TRF
    int64_t threads = alone ? 1 : min_i64(transfer->device->threads, count);
    TransferBlocks all = {.transfer = transfer, .work = work};
    transfer->use = threads > 1 ? MARKS_SHARED : MARKS_OWN;
    transfer->loops = LOOPS_CHOICE(CopyLoops, copy_loops)[transfer->device->isa];
    workers_run(count, count / (16 * max_i64(threads, 1)) + 1, threads, transfer_blocks, &all);
    return !all.failed;
}

// A tensor of the host gets its memory before threads ask for it. False: there is none.
static bool host_is_there(Device *device, const HwArgument *argument)
{
    return argument->tier != TIER_HOST || device_host(device, argument->tensor);
}

static void use_places(Device *device, const HwArgument *argument, int64_t first_chip)
{
    int64_t places = device_positions(argument) / argument->elements;
    int64_t last = argument->elements * argument->element_bits - 1;
    for (int64_t i = 0; i < places; i++) {
        ArgumentPlace place = place_of(device, argument, first_chip, i);
        if (place.memory)
            memory_use(place.memory, place.bit / BYTE_BITS, (place.bit + last) / BYTE_BITS + 1);
    }
}

// device_put and device_get of an argument whose chip 0 is chip `first_chip` of the device.
static bool argument_put(Device *device, const HwArgument *argument, int64_t first_chip,
                         const uint32_t *bits, const uint8_t *live)
{
    Transfer transfer = {.device = device,
                         .argument = argument,
                         .first_chip = first_chip,
                         .put_bits = bits,
                         .put_live = live};
    if (!host_is_there(device, argument))
        return false;
    use_places(device, argument, first_chip);
    transfer_all(&transfer, put_values);
    return !device->sanitizer || sanitize_put(device, argument, first_chip, live);
}

bool device_put(Device *device, const HwArgument *argument, const uint32_t *bits,
                const uint8_t *live)
{
    return argument_put(device, argument, 0, bits, live);
}

// device_put and device_get of an argument whose chip 0 is chip `first_chip` of the device.
static void argument_get(const Device *device, const HwArgument *argument, int64_t first_chip,
                         uint32_t *bits, uint8_t *live)
{
    Transfer transfer = {.device = (Device *)(uintptr_t)device,
                         .argument = argument,
                         .first_chip = first_chip,
                         .get_bits = bits,
                         .get_live = live};
    if (host_is_there(transfer.device, argument))
        transfer_all(&transfer, get_values);
}

void device_get(const Device *device, const HwArgument *argument, uint32_t *bits, uint8_t *live)
{
    argument_get(device, argument, 0, bits, live);
}

static bool has_bytes(const HwArgument *argument, int64_t count)
{
    return argument->tier != TIER_TRF && argument->elements * argument->element_bits % 8 == 0 &&
           count == device_positions(argument) * argument->element_bits / BYTE_BITS;
}

bool device_put_bytes(Device *device, const HwArgument *argument, const void *bytes, int64_t count)
{
    Watched watched = watched_new(device);
    Transfer transfer = {
        .device = device, .argument = argument, .put_bytes = bytes, .watched = &watched};
    if (!has_bytes(argument, count) || !host_is_there(device, argument))
        return false;
    use_places(device, argument, 0);
    transfer_all(&transfer, put_bytes);
    if (watched.stop)
        return false;
    return !device->sanitizer || sanitize_put(device, argument, 0, NULL);
}

bool device_get_bytes(const Device *device, const HwArgument *argument, void *bytes, int64_t count)
{
    Transfer transfer = {
        .device = (Device *)(uintptr_t)device, .argument = argument, .get_bytes = bytes};
    return has_bytes(argument, count) && host_is_there(transfer.device, argument) &&
           transfer_all(&transfer, get_bytes);
}

static void forget_trf(const HwArgument *argument, const ArgumentPlace *place)
{
    static const uint32_t bits[ELEMENT_BLOCK];
    static const uint8_t live[ELEMENT_BLOCK];
    for (int64_t k = 0; k < argument->elements; k += ELEMENT_BLOCK)
        trf_store(place->trf, argument->trf, argument->type, place->row,
                  k * argument->element_bits / 4, min_i64(ELEMENT_BLOCK, argument->elements - k),
                  bits, live);
}

void device_forget_argument(Device *device, const HwArgument *argument)
{
    int64_t places = device_positions(argument) / argument->elements;
    int64_t last = argument->elements * argument->element_bits - 1;
    for (int64_t i = 0; i < places; i++) {
        ArgumentPlace place = place_of(device, argument, 0, i);
        if (place.memory)
            memory_forget_part(place.memory, place.bit / BYTE_BITS,
                               (place.bit + last) / BYTE_BITS + 1);
        if (place.trf && place.trf->is_used)
            forget_trf(argument, &place);
    }
}

// Arguments part by part, for callers that have no room for all of one in another form.

int64_t device_part(const HwArgument *argument, int64_t first, int64_t most)
{
    if (argument->tier != TIER_HBM)
        return device_positions(argument);
    return min_i64(most, argument->elements - first % argument->elements);
}

// The part as an argument of the chip it is on.
static HwArgument part_of(const HwArgument *argument, int64_t first, int64_t count,
                          int64_t *first_chip)
{
    HwArgument part = *argument;
    *first_chip = 0;
    if (argument->tier != TIER_HBM)
        return part;
    *first_chip = first / argument->elements;
    part.chips = 1;
    part.elements = count;
    part.address += first % argument->elements * argument->element_bits / 8;
    part.bytes = ceil_div(count * argument->element_bits, 8);
    return part;
}

bool device_put_part(Device *device, const HwArgument *argument, int64_t first, int64_t count,
                     const uint32_t *bits, const uint8_t *live)
{
    int64_t first_chip;
    HwArgument part = part_of(argument, first, count, &first_chip);
    return argument_put(device, &part, first_chip, bits, live);
}

void device_get_part(const Device *device, const HwArgument *argument, int64_t first, int64_t count,
                     uint32_t *bits, uint8_t *live)
{
    int64_t first_chip;
    HwArgument part = part_of(argument, first, count, &first_chip);
    argument_get(device, &part, first_chip, bits, live);
}

// ---- pages

// Whole pages inside a range; what else lies there is left alone.
static void release_pages(uint8_t *bytes, int64_t from, int64_t to)
{
    enum { PAGE = 1 << 16 }; // a multiple of any
    uintptr_t first = ((uintptr_t)bytes + (uintptr_t)from + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = ((uintptr_t)bytes + (uintptr_t)to) / PAGE * PAGE;
    if (first < end && madvise((void *)first, end - first, MADV_REMOVE) != 0) // of shared ones
        madvise((void *)first, end - first, MADV_DONTNEED);
}

void device_release(Device *device, const HwArgument *argument)
{
    int64_t end = argument->address + argument->bytes;
    for (int64_t i = 0; i < argument->chips && i < device->chip_count; i++) {
        Memory *memory = &device->chips[i].hbm;
        if (argument->tier != TIER_HBM || !memory_holds(memory, argument->address, end))
            continue;
        memory_forget_part(memory, argument->address, end);
        release_pages(memory->bytes, argument->address, end);
    }
}

void device_release_slices(Device *device)
{
    device_begin(device);
    for (int64_t i = 0; i < device->chip_count; i++) {
        const Chip *chip = &device->chips[i];
        release_pages(chip->dm_space.bytes.bytes, 0, chip->dm_space.bytes.size);
        release_pages(chip->vrf_space.bytes.bytes, 0, chip->vrf_space.bytes.size);
        release_pages(chip->trf_space.bytes, 0, chip->trf_space.size);
    }
}

// Memory of others in the place of parts of HBM.
//
// A part that is bound is a memory of its own, in which addresses count from its beginning: its
// bytes are somebody else's, its marks are those of HBM. Whoever looks for an address finds either
// such a part or HBM (chip_hbm), once for all that a descriptor moves: that is why no descriptor
// may go over the ends of a part.

// ---- what can be bound

static bool has_whole_bytes(const Machine *machine, const HwArgument *argument)
{
    return argument->tier == TIER_HBM && argument->address >= 0 &&
           argument->address % BYTE_BITS == 0 && argument->element_bits % BYTE_BITS == 0 &&
           argument->bytes > 0 && argument->bytes <= machine->hbm_bytes_per_chip &&
           argument->address <= machine->hbm_bytes_per_chip - argument->bytes &&
           argument->bytes == argument->elements * argument->element_bits / BYTE_BITS;
}

// Two of the arguments in the same bytes: nobody could say whose memory that is.
static bool meets_another(const HwArgument *const *arguments, int64_t count, int64_t number)
{
    const HwArgument *one = arguments[number];
    for (int64_t i = 0; i < count; i++) {
        const HwArgument *other = arguments[i];
        if (i != number && other && other->tier == TIER_HBM &&
            one->address < other->address + other->bytes &&
            other->address < one->address + one->bytes)
            return true;
    }
    return false;
}

static void note_side(const HwDescriptor *descriptor, HwSide side, ByteRange range,
                      const HwArgument *argument, DeviceBinding *binding)
{
    int64_t end = argument->address + argument->bytes;
    if (side_place(descriptor, side)->chip >= argument->chips || range.to <= argument->address ||
        range.from >= end)
        return;
    binding->is_written |= side == SIDE_DEST;
    if (range.from < argument->address || range.to > end || descriptor->unit_bits != BYTE_BITS)
        binding->is_apart = false;
}

static void note_descriptor(const Machine *machine, const HwDescriptor *descriptor,
                            const HwArgument *const *arguments, int64_t count,
                            DeviceBinding *bindings)
{
    for (HwSide side = 0; side < SIDE_COUNT; side++) {
        const HwPlace *place = side_place(descriptor, side);
        if (!place || place->media != MEDIA_HBM)
            continue;
        ByteRange range = dma_side_range(machine, descriptor, side);
        for (int64_t i = 0; i < count; i++)
            if (arguments[i] && arguments[i]->tier == TIER_HBM)
                note_side(descriptor, side, range, arguments[i], &bindings[i]);
    }
}

void device_bindings(const Machine *machine, const HwObject *object,
                     const HwArgument *const *arguments, int64_t count, DeviceBinding *bindings)
{
    for (int64_t i = 0; i < count; i++)
        bindings[i] =
            (DeviceBinding){.is_apart = arguments[i] && has_whole_bytes(machine, arguments[i]) &&
                                        !meets_another(arguments, count, i)};
    for (int64_t i = 0; i < object->operations.count; i++) {
        const HwOperation *operation = &object->operations.items[i];
        for (int64_t k = 0; k < operation->commands.count; k++) {
            const HwDmaCommand *dma = operation->commands.items[k].dma;
            for (int64_t d = 0; dma && d < dma->descriptors.count; d++)
                note_descriptor(machine, &dma->descriptors.items[d], arguments, count, bindings);
        }
    }
}

// ---- binding

static BoundMemory *find_bound(const Chip *chip, const HwArgument *argument)
{
    for (int64_t i = 0; i < chip->bound.count; i++)
        if (chip->bound.items[i].from == argument->address)
            return &chip->bound.items[i];
    return NULL;
}

// NULL: no memory.
static BoundMemory *add_bound(Chip *chip, const HwArgument *argument)
{
    BoundMemory *added = heap_append(&chip->bound, BoundMemory);
    if (!added)
        return NULL;
    added->from = argument->address;
    added->memory =
        memory_of(NULL, chip->hbm.written + argument->address / BYTE_BITS, argument->bytes);
    added->memory.used = UINT64_MAX;
    memory_use(&chip->hbm, argument->address, argument->address + argument->bytes);
    return added;
}

bool device_bind(Device *device, const HwArgument *argument, const void *bytes)
{
    for (int64_t i = 0; i < argument->chips && i < device->chip_count; i++) {
        Chip *chip = &device->chips[i];
        BoundMemory *bound = find_bound(chip, argument);
        if (!bound && !(bound = add_bound(chip, argument)))
            return false;
        bound->memory.bytes = (uint8_t *)(uintptr_t)bytes + i * argument->bytes;
    }
    return true;
}

void device_unbind(Device *device, const HwArgument *argument)
{
    for (int64_t i = 0; i < argument->chips && i < device->chip_count; i++) {
        Chip *chip = &device->chips[i];
        BoundMemory *bound = find_bound(chip, argument);
        if (!bound)
            continue;
        memory_forget(&bound->memory);
        *bound = chip->bound.items[--chip->bound.count];
    }
}

bool device_give(Device *device, const HwArgument *argument)
{
    for (int64_t i = 0; i < argument->chips && i < device->chip_count; i++)
        memory_mark(&device->chips[i].hbm, argument->address, argument->address + argument->bytes);
    return !device->sanitizer || sanitize_put(device, argument, 0, NULL);
}

bool device_has_values(const Device *device, const HwArgument *argument)
{
    int64_t end = argument->address + argument->bytes;
    bool all = argument->chips <= device->chip_count;
    for (int64_t i = 0; i < argument->chips && all; i++)
        all = memory_is_written(&device->chips[i].hbm, argument->address, end);
    return all;
}
