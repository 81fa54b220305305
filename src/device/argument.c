// Arguments: tensors that come with the call, in and out of the memories.
//
// An argument is so many elements in each of its places; large places are cut into blocks, which
// threads share. Blocks are an even number of elements, so that half bytes stay together.
#include "base/heap.h"
#include "base/workers.h"
#include "device/internal.h"
#include "device/sanitize.h"

#include "base/checked.h"
#include "device/loops/copy.h"
#include "device/marks.h"

#include <stdatomic.h>
#include <string.h>

enum { BYTE_BITS = 8, BLOCK = 1 << 16, SMALL = 1 << 16 };

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
    const uint8_t *other = memchr(live, !live[0], (size_t)count);
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

static void put_block(const HwArgument *argument, const ArgumentPlace *place, int64_t element,
                      int64_t count, const uint32_t *bits, const uint8_t *live, MarksUse use)
{
    if (place->trf)
        trf_store(place->trf, argument->trf, argument->type, place->row,
                  element * argument->element_bits / 4, count, bits, live);
    if (!place->memory)
        return;
    scalar_pack(argument->type, bits, count,
                place->memory->bytes + byte_at(argument, place, element), 0);
    mark_elements(argument, place, element, count, live, use);
}

static void get_block(const HwArgument *argument, const ArgumentPlace *place, int64_t element,
                      int64_t count, uint32_t *bits, uint8_t *live)
{
    if (place->trf)
        trf_load(place->trf, argument->trf, argument->type, place->row,
                 element * argument->element_bits / 4, count, bits, live);
    if (!place->memory)
        return;
    const uint8_t *marks = place->memory->written;
    int64_t from = byte_at(argument, place, element);
    int64_t width = max_i64(1, argument->element_bits / BYTE_BITS);
    scalar_unpack(argument->type, place->memory->bytes + from, 0, count, bits);
    if (marks_are_set(marks, from, byte_at(argument, place, element + count - 1) + width)) {
        memset(live, 1, (size_t)count);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at = byte_at(argument, place, element + i);
        live[i] = marks_are_set(marks, at, at + width);
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
    put_block(transfer->argument, place, element, count, transfer->put_bits + first,
              transfer->put_live + first, transfer->use);
    return true;
}

static bool get_values(const Transfer *transfer, const ArgumentPlace *place, int64_t first,
                       int64_t element, int64_t count)
{
    get_block(transfer->argument, place, element, count, transfer->get_bits + first,
              transfer->get_live + first);
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

bool argument_put(Device *device, const HwArgument *argument, int64_t first_chip,
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

void argument_get(const Device *device, const HwArgument *argument, int64_t first_chip,
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
