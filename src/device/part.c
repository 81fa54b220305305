// Arguments part by part, for callers that have no room for all of one in another form.
#include "device/internal.h"

#include "base/checked.h"

#include <sys/mman.h>

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
