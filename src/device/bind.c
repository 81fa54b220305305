// Memory of others in the place of parts of HBM.
//
// A part that is bound is a memory of its own, in which addresses count from its beginning: its
// bytes are somebody else's, its marks are those of HBM. Whoever looks for an address finds either
// such a part or HBM (chip_hbm), once for all that a descriptor moves: that is why no descriptor
// may go over the ends of a part.
#include "device/dma_reach.h"
#include "device/internal.h"
#include "device/sanitize.h"

#include "base/checked.h"
#include "base/heap.h"

#include <stdlib.h>

enum { BYTE_BITS = 8 };

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

static void note_side(const HwDescriptor *descriptor, const HwPlace *place, DmaSide side,
                      ByteRange range, const HwArgument *argument, DeviceBinding *binding)
{
    int64_t end = argument->address + argument->bytes;
    if (place->chip >= argument->chips || range.to <= argument->address || range.from >= end)
        return;
    binding->is_written |= side == DMA_SIDE_DEST;
    if (range.from < argument->address || range.to > end || descriptor->unit_bits != BYTE_BITS)
        binding->is_apart = false;
}

static void note_descriptor(const Machine *machine, const HwDescriptor *descriptor,
                            const HwArgument *const *arguments, int64_t count,
                            DeviceBinding *bindings)
{
    const HwPlace *places[DMA_SIDES] = {&descriptor->source, &descriptor->dest,
                                        descriptor->indirect ? &descriptor->indirect->index : NULL};
    for (DmaSide side = 0; side < DMA_SIDES; side++) {
        if (!places[side] || places[side]->media != MEDIA_HBM)
            continue;
        ByteRange range = dma_side_range(machine, descriptor, side);
        for (int64_t i = 0; i < count; i++)
            if (arguments[i] && arguments[i]->tier == TIER_HBM)
                note_side(descriptor, places[side], side, range, arguments[i], &bindings[i]);
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
    for (int64_t i = 0; i < chip->bound_count; i++)
        if (chip->bound[i].from == argument->address)
            return &chip->bound[i];
    return NULL;
}

// NULL: no memory.
static BoundMemory *add_bound(Chip *chip, const HwArgument *argument)
{
    if (chip->bound_count == chip->bound_capacity) {
        int64_t capacity = chip->bound_capacity * 2 + 8;
        BoundMemory *bound = heap_resize(chip->bound, sizeof *bound * (size_t)capacity);
        if (!bound)
            return NULL;
        chip->bound = bound;
        chip->bound_capacity = capacity;
    }
    BoundMemory *added = &chip->bound[chip->bound_count++];
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
        *bound = chip->bound[--chip->bound_count];
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
