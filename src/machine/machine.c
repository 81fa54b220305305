#include "machine/machine.h"

#include "base/checked.h"

#define KIB INT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define PIB (1024 * TIB)

#define LIST_OF(...)                                        \
    {                                                       \
        sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), \
        {                                                   \
            __VA_ARGS__                                     \
        }                                                   \
    }

const Machine machine_rngd = {
    .name = "rngd",
#define FIELD(name, unit, rngd, min, max, kind, manual, doc)          .name = (rngd),
#define VARIES(name, unit, rngd, rngd_s, min, max, kind, manual, doc) .name = (rngd),
#define LIST(name, unit, min, max, kind, manual, doc, ...)            .name = LIST_OF(__VA_ARGS__),
#include "machine/machine.def"
#undef FIELD
#undef VARIES
#undef LIST
};

const Machine machine_rngd_s = {
    .name = "rngd-s",
#define FIELD(name, unit, rngd, min, max, kind, manual, doc)          .name = (rngd),
#define VARIES(name, unit, rngd, rngd_s, min, max, kind, manual, doc) .name = (rngd_s),
#define LIST(name, unit, min, max, kind, manual, doc, ...)            .name = LIST_OF(__VA_ARGS__),
#include "machine/machine.def"
#undef FIELD
#undef VARIES
#undef LIST
};

#define ROW(name, unit, min, max, kind, manual, doc) \
    {#name, unit, manual, doc, offsetof(Machine, name), MACHINE_##kind, min, max},

const MachineField machine_fields[MACHINE_FIELD_COUNT] = {
#define FIELD(name, unit, rngd, min, max, kind, manual, doc) \
    ROW(name, unit, min, max, kind, manual, doc)
#define VARIES(name, unit, rngd, rngd_s, min, max, kind, manual, doc) \
    ROW(name, unit, min, max, kind, manual, doc)
#define LIST(name, unit, min, max, kind, manual, doc, ...) \
    ROW(name, unit, min, max, kind, manual, doc)
#include "machine/machine.def"
#undef FIELD
#undef VARIES
#undef LIST
};

// Published by people who run kernels on RNGD (toolchain 0.5 and 0.6). The static model charges
// replication per reader and a read-modify-write per unaligned piece; a chip shows the former too.
const MachineDmaSample machine_dma_samples[MACHINE_DMA_SAMPLE_COUNT] = {
    {"load 4 KB to one slice", "static", false, 4 * KIB, 1, 4 * KIB, 499},
    {"load 16 B to each of 256 slices", "static", false, 16, 256, 4 * KIB, 792},
    {"load 64 B to each of 256 slices", "static", false, 64, 256, 16 * KIB, 707},
    {"load 512 KB in all", "static", false, 0, 0, 512 * KIB, 1673},
    {"load 1 MB in all", "static", false, 0, 0, MIB, 2277},
    {"load 2 KB replicated to 256 slices", "static", false, 2 * KIB, 256, 2 * KIB, 5308},
    {"load 4 KB replicated to 256 slices", "static", false, 4 * KIB, 256, 4 * KIB, 10069},
    {"store 8 B", "static", true, 8, 1, 8, 506},
    {"store 512 KB in aligned rows", "static", true, 0, 0, 512 * KIB, 1563},
    {"store 256 pieces of 16 B", "static", true, 16, 256, 4 * KIB, 9132},
    {"load 7.7 KB to each of 512 readers, about", "silicon", false, 7885, 512, 7885, 45000},
};

const Machine *machine_find(Str name)
{
    static const Machine *const built_in[] = {&machine_rngd, &machine_rngd_s};
    for (size_t i = 0; i < COUNT_OF(built_in); i++) {
        if (str_equal(name, str_from(built_in[i]->name)))
            return built_in[i];
    }
    return NULL;
}

bool machine_field_is_list(const MachineField *field)
{
    return field->kind >= MACHINE_SET;
}

static const void *place_of(const Machine *machine, const MachineField *field)
{
    return (const char *)machine + field->offset;
}

int64_t machine_value(const Machine *machine, const MachineField *field)
{
    return *(const int64_t *)place_of(machine, field);
}

const MachineList *machine_list(const Machine *machine, const MachineField *field)
{
    return place_of(machine, field);
}

bool machine_list_has(const MachineList *list, int64_t value)
{
    for (int64_t i = 0; i < list->count; i++) {
        if (list->values[i] == value)
            return true;
    }
    return false;
}

int64_t machine_list_divisor(const MachineList *list, int64_t number)
{
    int64_t largest = 0;
    for (int64_t i = 0; i < list->count; i++) {
        if (number % list->values[i] == 0)
            largest = max_i64(largest, list->values[i]);
    }
    return largest;
}

// 0 for 4 bits, 1 for 8, and so on; -1 for a width no table has.
static int64_t row_of_width(int64_t element_bits)
{
    static const int64_t widths[] = {4, 8, 16, 32};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        if (widths[i] == element_bits)
            return (int64_t)i;
    }
    return -1;
}

int64_t machine_by_width(const MachineList *table, int64_t element_bits)
{
    int64_t row = row_of_width(element_bits);
    return row >= 0 && row < table->count ? table->values[row] : 0;
}

const MachineList *machine_transpose_in_cols(const Machine *machine, int64_t element_bits)
{
    const MachineList *lists[] = {
        &machine->transpose_in_cols_4_bit,
        &machine->transpose_in_cols_8_bit,
        &machine->transpose_in_cols_16_bit,
        &machine->transpose_in_cols_32_bit,
    };
    int64_t row = row_of_width(element_bits);
    return row < 0 ? NULL : lists[row];
}

int64_t machine_address_part(const MachineList *bits, int64_t address)
{
    int64_t part = 0;
    for (int64_t i = 0; i < bits->count; i++)
        part |= (address >> bits->values[i] & 1) << i;
    return part;
}

int64_t machine_hbm_channel(const Machine *machine, int64_t address)
{
    const MachineList *own = &machine->hbm_channel_bits;
    const MachineList *mixed = &machine->hbm_channel_xor_bits;
    int64_t channel = machine_address_part(own, address);
    for (int64_t i = 0; i < mixed->count; i++)
        channel ^= (address >> mixed->values[i] & 1) << i % own->count;
    return channel;
}
