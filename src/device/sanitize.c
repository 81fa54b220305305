#include "device/sanitize.h"

#include "base/checked.h"
#include "base/heap.h"
#include "command/nest.h"

#include <string.h>

enum { AT_ONCE = sizeof(uint64_t) / sizeof(uint16_t) };

// A little apart: the same address of many slices is not in the same place of a cache.
int64_t shadow_stride(int64_t size)
{
    enum { APART = 65 };
    return (ceil_div(size, SHADOW_BLOCK) + APART) * SHADOW_BLOCK;
}

bool shadow_new(ShadowSpace *space, int64_t count, int64_t size)
{
    int64_t bytes = count * shadow_stride(size) * (int64_t)sizeof(uint16_t);
    return reserve(&space->bytes, bytes) && reserve(&space->blocks, bytes / SHADOW_BLOCK);
}

void shadow_free(ShadowSpace *space)
{
    reservation_free(&space->bytes);
    reservation_free(&space->blocks);
}

Shadow shadow_of(const ShadowSpace *space, int64_t number, int64_t size)
{
    int64_t first = number * shadow_stride(size);
    return (Shadow){(uint16_t *)(void *)space->bytes.bytes + first,
                    (uint16_t *)(void *)space->blocks.bytes + first / SHADOW_BLOCK};
}

static uint16_t value_at(const Shadow *shadow, int64_t at)
{
    uint16_t block = shadow->blocks[at / SHADOW_BLOCK];
    return block == SHADOW_MIXED ? shadow->bytes[at] : block;
}

static uint64_t repeated(uint16_t value)
{
    return value * (UINT64_MAX / UINT16_MAX);
}

// The first of bytes [at, end) that has another; `end`: none.
static int64_t other_than(const uint16_t *bytes, int64_t at, int64_t end, uint16_t value)
{
    const uint64_t same = repeated(value);
    for (uint64_t some = same; at + AT_ONCE <= end; at += AT_ONCE) {
        memcpy(&some, bytes + at, sizeof some);
        if (some != same)
            break;
    }
    while (at < end && bytes[at] == value)
        at++;
    return at;
}

static void set_bytes(uint16_t *bytes, int64_t count, uint16_t value)
{
    const uint64_t some = repeated(value);
    for (; count >= AT_ONCE; count -= AT_ONCE, bytes += AT_ONCE)
        memcpy(bytes, &some, sizeof some);
    for (int64_t i = 0; i < count; i++)
        bytes[i] = value;
}

int64_t shadow_alike(const Shadow *shadow, int64_t at, int64_t end, uint16_t *value)
{
    const uint16_t first = value_at(shadow, at);
    int64_t i = at;
    *value = first;
    while (i < end) {
        int64_t next = min_i64(end, (i / SHADOW_BLOCK + 1) * SHADOW_BLOCK);
        uint16_t block = shadow->blocks[i / SHADOW_BLOCK];
        if (block == first) {
            i = next;
            continue;
        }
        if (block == SHADOW_MIXED)
            i = other_than(shadow->bytes, i, next, first);
        if (i < next)
            break;
    }
    return i - at;
}

// A part of a block. One whose bytes are all the same behind it is whole again.
static void fill_part(const Shadow *shadow, int64_t at, int64_t end, uint16_t value)
{
    enum { LAST = SHADOW_BLOCK - 1 };
    int64_t first = at / SHADOW_BLOCK * SHADOW_BLOCK;
    uint16_t *block = &shadow->blocks[at / SHADOW_BLOCK], was = *block;
    uint16_t *bytes = shadow->bytes + first;
    if (was == value)
        return;
    if (was != SHADOW_MIXED) {
        set_bytes(bytes, SHADOW_BLOCK, was);
        *block = SHADOW_MIXED;
    }
    set_bytes(shadow->bytes + at, end - at, value);
    if (bytes[0] == value && bytes[LAST] == value && // mostly enough to tell
        other_than(bytes, 0, SHADOW_BLOCK, value) == SHADOW_BLOCK)
        *block = value;
}

void shadow_fill(const Shadow *shadow, int64_t at, int64_t end, uint16_t value)
{
    if (at % SHADOW_BLOCK && at < end) {
        int64_t next = min_i64(end, (at / SHADOW_BLOCK + 1) * SHADOW_BLOCK);
        fill_part(shadow, at, next, value);
        at = next;
    }
    for (; at + SHADOW_BLOCK <= end; at += SHADOW_BLOCK)
        shadow->blocks[at / SHADOW_BLOCK] = value;
    if (at < end)
        fill_part(shadow, at, end, value);
}

static void renew_block(const Shadow *shadow, int64_t block, uint16_t value)
{
    uint16_t *bytes = shadow->bytes + block * SHADOW_BLOCK, least = UINT16_MAX;
    uint16_t was = shadow->blocks[block];
    if (was != SHADOW_MIXED) {
        shadow->blocks[block] = was > SHADOW_LEFT ? value : was;
        return;
    }
    for (int64_t i = 0; i < SHADOW_BLOCK; i++)
        least = bytes[i] < least ? bytes[i] : least;
    if (least > SHADOW_LEFT) {
        shadow->blocks[block] = value;
        return;
    }
    for (int64_t i = 0; i < SHADOW_BLOCK; i++)
        bytes[i] = bytes[i] > SHADOW_LEFT ? value : bytes[i];
}

void shadow_renew(const Shadow *shadow, int64_t at, int64_t end, uint16_t value)
{
    uint16_t was;
    for (int64_t next; at < end; at = next) {
        int64_t block = at / SHADOW_BLOCK;
        next = min_i64(end, (block + 1) * SHADOW_BLOCK);
        if (next - at == SHADOW_BLOCK) {
            renew_block(shadow, block, value);
            continue;
        }
        next = at + shadow_alike(shadow, at, next, &was);
        if (was > SHADOW_LEFT)
            shadow_fill(shadow, at, next, value);
    }
}

void shadow_age(void *shadow, int64_t from, int64_t to)
{
    const Shadow *of = shadow;
    for (int64_t at = from / SHADOW_BLOCK * SHADOW_BLOCK; at < to; at += SHADOW_BLOCK) {
        uint16_t *block = &of->blocks[at / SHADOW_BLOCK];
        if (*block >= SHADOW_FIRST)
            *block = SHADOW_OLD;
        for (int64_t i = at; *block == SHADOW_MIXED && i < at + SHADOW_BLOCK; i++)
            if (of->bytes[i] >= SHADOW_FIRST)
                of->bytes[i] = SHADOW_OLD;
    }
}

enum { HALF_BYTE = 4 };

// ---- runs

bool painter_new(Painter *painter, int64_t size)
{
    *painter = (Painter){.map = heap_zeroed(size + 1, 1), .size = size, .low = size};
    return painter->map != NULL;
}

void painter_free(Painter *painter)
{
    heap_free(painter->map);
}

static void note_outside(Painter *painter, int64_t from, int64_t to)
{
    if (from >= to)
        return;
    if (!painter->outside_count)
        painter->outside = from;
    painter->outside_count += to - from;
}

void painter_paint(Painter *painter, int64_t from, int64_t to, uint8_t mark)
{
    int64_t low = max_i64(from, 0), high = min_i64(to, painter->size);
    note_outside(painter, from, min_i64(to, 0));
    note_outside(painter, max_i64(from, painter->size), to);
    if (low >= high)
        return;
    memset(painter->map + low, mark, high - low);
    painter->low = min_i64(painter->low, low);
    painter->high = max_i64(painter->high, high);
}

static int64_t same_until(const uint8_t *map, int64_t at, int64_t end)
{
    enum { WORD = 8 };
    uint64_t word, all = map[at] * UINT64_C(0x0101010101010101);
    int64_t i = at;
    for (; i + WORD <= end; i += WORD) {
        memcpy(&word, map + i, WORD);
        if (word != all)
            break;
    }
    while (i < end && map[i] == map[at])
        i++;
    return i;
}

static int64_t collect_runs(const Painter *painter, Run *items)
{
    int64_t count = 0;
    for (int64_t at = painter->low, end; at < painter->high; at = end) {
        end = same_until(painter->map, at, painter->high);
        if (!painter->map[at])
            continue;
        if (items)
            items[count] = (Run){at, end, painter->map[at]};
        count++;
    }
    return count;
}

bool painter_take(Painter *painter, RunList *runs)
{
    int64_t count = collect_runs(painter, NULL);
    *runs = (RunList){.items = heap_new(sizeof *runs->items * (count + 1)),
                      .count = count,
                      .outside = painter->outside,
                      .outside_count = painter->outside_count};
    if (runs->items)
        collect_runs(painter, runs->items);
    if (painter->low < painter->high)
        memset(painter->map + painter->low, 0, painter->high - painter->low);
    *painter = (Painter){.map = painter->map, .size = painter->size, .low = painter->size};
    return runs->items != NULL;
}

// ---- memory

static int64_t slices_per_chip(const Machine *machine)
{
    return machine->clusters_per_chip * machine->slices_per_cluster;
}

static int64_t trf_slots(const Machine *machine)
{
    return machine->trf_bank_rows * machine->trf_bank_columns * machine->trf_rows_per_bank *
           machine->trf_slots_per_row;
}

static bool make_chip(const Machine *machine, ChipShadow *chip)
{
    int64_t slices = slices_per_chip(machine);
    return shadow_new(&chip->hbm, 1, machine->hbm_bytes_per_chip) &&
           shadow_new(&chip->dm, slices, machine->dm_bytes_per_slice) &&
           shadow_new(&chip->vrf, slices, machine->vrf_bytes_per_slice) &&
           shadow_new(&chip->trf, slices, trf_slots(machine));
}

static void free_chip(ChipShadow *chip)
{
    shadow_free(&chip->hbm);
    shadow_free(&chip->dm);
    shadow_free(&chip->vrf);
    shadow_free(&chip->trf);
}

static Sanitizer *sanitizer_new(const Device *device)
{
    Sanitizer *made = heap_zeroed(1, sizeof *made);
    if (!made)
        return NULL;
    pthread_mutex_init(&made->adding, NULL);
    made->of = device->chips;
    made->chip_count = device->chip_count;
    made->launch = SHADOW_FIRST;
    made->writer = SHADOW_FIRST - 1;
    made->launches = 1;
    made->chips = heap_zeroed(device->chip_count, sizeof *made->chips);
    made->writers = heap_zeroed(SHADOW_LAST + 1, sizeof *made->writers);
    bool ok = made->chips && made->writers;
    for (int64_t i = 0; ok && i < device->chip_count; i++)
        ok = make_chip(device->machine, &made->chips[i]);
    if (ok)
        return made;
    sanitizer_free(made);
    return NULL;
}

void sanitizer_free(Sanitizer *sanitizer)
{
    if (!sanitizer)
        return;
    for (int64_t i = 0; sanitizer->chips && i < sanitizer->chip_count; i++)
        free_chip(&sanitizer->chips[i]);
    for (int64_t i = 0; i < sanitizer->host_count; i++)
        shadow_free(&sanitizer->hosts[i]);
    heap_free(sanitizer->chips);
    heap_free(sanitizer->hosts);
    heap_free(sanitizer->writers);
    heap_free(sanitizer->written);
    pthread_mutex_destroy(&sanitizer->adding);
    heap_free(sanitizer);
}

bool device_sanitize(Device *device, bool on)
{
    if (on == (device->sanitizer != NULL))
        return true;
    sanitizer_free(device->sanitizer);
    device->sanitizer = on ? sanitizer_new(device) : NULL;
    return !on || device->sanitizer;
}

bool sanitize_grow(Device *device)
{
    Sanitizer *sanitizer = device->sanitizer;
    ChipShadow *chips =
        heap_resize(sanitizer->chips, sizeof *chips * max_i64(1, device->chip_count));
    if (!chips)
        return false;
    sanitizer->chips = chips;
    sanitizer->of = device->chips;
    for (; sanitizer->chip_count < device->chip_count; sanitizer->chip_count++) {
        ChipShadow *chip = &chips[sanitizer->chip_count];
        *chip = (ChipShadow){0};
        if (!make_chip(device->machine, chip)) {
            free_chip(chip);
            return false;
        }
    }
    return true;
}

void device_name_launch(Device *device, const void *launch)
{
    if (device->sanitizer)
        device->sanitizer->name = launch;
}

void device_tell(Device *device, DeviceTraffic traffic)
{
    if (device->sanitizer)
        device->sanitizer->traffic = traffic;
}

// NULL: there is no such chip. A device may be a part of the one that is watched (part.c).
static const ChipShadow *chip_shadow(const Device *device, int64_t chip)
{
    const Sanitizer *sanitizer = device->sanitizer;
    chip += device->chips - sanitizer->of;
    return chip >= 0 && chip < sanitizer->chip_count ? &sanitizer->chips[chip] : NULL;
}

Shadow shadow_of_chip(const Device *device, int64_t chip)
{
    const ChipShadow *shadow = chip_shadow(device, chip);
    return shadow ? shadow_of(&shadow->hbm, 0, device->machine->hbm_bytes_per_chip) : (Shadow){0};
}

// Shadows for as many tensors as the device has memories for. False: no memory.
static bool have_hosts(Sanitizer *sanitizer, int64_t count)
{
    if (count <= sanitizer->host_count)
        return true;
    ShadowSpace *hosts = heap_resize(sanitizer->hosts, sizeof *hosts * count);
    if (!hosts)
        return false;
    memset(hosts + sanitizer->host_count, 0, sizeof *hosts * (count - sanitizer->host_count));
    sanitizer->hosts = hosts;
    sanitizer->host_count = count;
    return true;
}

Shadow shadow_of_host(Device *device, int64_t tensor)
{
    Sanitizer *sanitizer = device->sanitizer;
    int64_t number = 0, size = device->machine->hbm_bytes_per_chip;
    if (!device_host(device, tensor))
        return (Shadow){0};
    while (device->hosts.items[number].tensor != tensor)
        number++;
    if (!have_hosts(sanitizer, device->hosts.count))
        return (Shadow){0};
    ShadowSpace *host = &sanitizer->hosts[number];
    return host->blocks.bytes || shadow_new(host, 1, size) ? shadow_of(host, 0, size) : (Shadow){0};
}

ShadowPlace shadow_of_slice(const Device *device, Tier tier, int64_t chip, int64_t cluster,
                            int64_t slice)
{
    const Machine *machine = device->machine;
    ShadowPlace place = {.tier = tier, .chip = chip, .cluster = cluster, .slice = slice};
    const ChipShadow *shadow = chip_shadow(device, chip);
    if (!shadow || !device_slice(device, chip, cluster, slice))
        return place;
    int64_t number = cluster * machine->slices_per_cluster + slice;
    if (tier == TIER_DM)
        place.shadow = shadow_of(&shadow->dm, number, machine->dm_bytes_per_slice);
    else if (tier == TIER_VRF)
        place.shadow = shadow_of(&shadow->vrf, number, machine->vrf_bytes_per_slice);
    else if (tier == TIER_TRF)
        place.shadow = shadow_of(&shadow->trf, number, trf_slots(machine));
    return place;
}

// ---- TRF

int64_t trf_place_of(const Machine *machine, const HwTrfLayout *layout, int64_t row, int64_t slot)
{
    int64_t word_slots = layout->bank_row_bytes * TRF_SLOTS_PER_BYTE;
    int64_t word = slot / word_slots;
    int64_t column = word % layout->bank_columns, number = word / layout->bank_columns;
    if (slot < 0 || row < 0 || number / layout->rows_in_bank >= layout->bank_rows_per_row)
        return -1;
    int64_t bank_row = row * layout->bank_rows_per_row + number / layout->rows_in_bank;
    int64_t in_bank = layout->first_row + number % layout->rows_in_bank;
    int64_t place =
        ((bank_row * layout->bank_columns + column) * machine->trf_rows_per_bank + in_bank) *
            layout->slots_per_bank_row +
        slot % word_slots * layout->slots_per_bank_row / word_slots;
    return place < trf_slots(machine) ? place : -1;
}

static void trf_row_of(const Machine *machine, const HwTrfLayout *layout, int64_t place,
                       int64_t *row, int64_t *byte)
{
    int64_t in_word = place % layout->slots_per_bank_row, bank = place / layout->slots_per_bank_row;
    int64_t in_bank = bank % machine->trf_rows_per_bank - layout->first_row;
    bank /= machine->trf_rows_per_bank;
    int64_t column = bank % layout->bank_columns, bank_row = bank / layout->bank_columns;
    int64_t number = bank_row % layout->bank_rows_per_row * layout->rows_in_bank + in_bank;
    *row = bank_row / layout->bank_rows_per_row;
    *byte = (number * layout->bank_columns + column) * layout->bank_row_bytes +
            in_word * layout->bank_row_bytes / layout->slots_per_bank_row;
}

// ---- faults

static int order(const DeviceFault *a, const DeviceFault *b)
{
    const int64_t x[] = {a->kind, a->chip, a->cluster, a->slice, a->row, a->address};
    const int64_t y[] = {b->kind, b->chip, b->cluster, b->slice, b->row, b->address};
    for (size_t i = 0; i < COUNT_OF(x); i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

DeviceFault fault_in(const Sanitizer *sanitizer, FaultKind kind, const ShadowPlace *place)
{
    return (DeviceFault){.kind = kind,
                         .operation = sanitizer->number,
                         .other = -1,
                         .tier = place->tier,
                         .chip = place->chip,
                         .cluster = place->cluster,
                         .slice = place->slice};
}

// The first ones in order are kept.
void fault_add(Sanitizer *sanitizer, const DeviceFault *fault)
{
    DeviceFaults *faults = &sanitizer->faults;
    pthread_mutex_lock(&sanitizer->adding);
    int64_t at = faults->count;
    faults->places[fault->kind] += fault->bytes;
    while (at > 0 && order(fault, &faults->items[at - 1]) < 0)
        at--;
    bool is_known = at > 0 && order(fault, &faults->items[at - 1]) == 0;
    if (at < DEVICE_MOST_FAULTS && !is_known) {
        int64_t kept = min_i64(faults->count, DEVICE_MOST_FAULTS - 1);
        memmove(&faults->items[at + 1], &faults->items[at], sizeof *fault * max_i64(0, kept - at));
        faults->items[at] = *fault;
        faults->count = kept + 1;
    }
    pthread_mutex_unlock(&sanitizer->adding);
}

const DeviceFaults *device_faults(const Device *device)
{
    const Sanitizer *sanitizer = device->sanitizer;
    return sanitizer && sanitizer->faults.count ? &sanitizer->faults : NULL;
}

// ---- who wrote what

static bool was_written(const Sanitizer *sanitizer, int64_t tensor)
{
    return tensor < sanitizer->written_count && sanitizer->written[tensor] == sanitizer->launches;
}

static bool note_written(Sanitizer *sanitizer, int64_t tensor)
{
    if (tensor < 0)
        return true;
    if (tensor >= sanitizer->written_count) {
        int64_t count = tensor + tensor / 2 + 16;
        int64_t *written = heap_resize(sanitizer->written, sizeof *written * count);
        if (!written)
            return false;
        memset(written + sanitizer->written_count, 0,
               sizeof *written * (count - sanitizer->written_count));
        sanitizer->written = written;
        sanitizer->written_count = count;
    }
    sanitizer->written[tensor] = sanitizer->launches;
    return true;
}

// The next number. Of the last one nothing is known but that it is of this launch.
static bool new_writer(Sanitizer *sanitizer, int64_t operation, int64_t tensor)
{
    Writer writer = {.who = {sanitizer->name, operation, tensor}};
    if (sanitizer->writer < SHADOW_LAST)
        sanitizer->writer++;
    if (sanitizer->writer == SHADOW_LAST)
        writer = (Writer){.who = {NULL, -1, -1}};
    sanitizer->writers[sanitizer->writer] = writer;
    return note_written(sanitizer, tensor);
}

bool shadow_is_wrong(const Sanitizer *sanitizer, uint16_t value, FaultKind *kind, int64_t *other)
{
    *other = -1;
    if (value < sanitizer->launch) {
        *kind = value == SHADOW_NONE      ? FAULT_UNWRITTEN
                : value == SHADOW_PADDING ? FAULT_PADDING
                                          : FAULT_LEFT;
        return true;
    }
    const DeviceWriter *writer = &sanitizer->writers[value].who;
    if (writer->tensor < 0 || !sanitizer->is_known)
        return false;
    for (int64_t i = 0; i < sanitizer->operation->reads.count; i++)
        if (sanitizer->operation->reads.items[i] == writer->tensor)
            return false;
    *kind = FAULT_OVERWRITTEN;
    *other = writer->operation;
    return true;
}

static DeviceWriter former_writer(const Sanitizer *sanitizer, uint16_t value)
{
    return value >= SHADOW_FIRST && value < sanitizer->launch ? sanitizer->writers[value].who
                                                              : (DeviceWriter){NULL, -1, -1};
}

bool device_left(const Device *device, int64_t operation, DeviceWriter *writer)
{
    const Sanitizer *sanitizer = device->sanitizer;
    for (int64_t i = sanitizer->launch; i <= sanitizer->writer; i++)
        if (sanitizer->writers[i].who.operation == operation && sanitizer->writers[i].left) {
            *writer = former_writer(sanitizer, sanitizer->writers[i].left);
            return writer->launch != NULL;
        }
    return false;
}

static void add_read(const Device *device, const ShadowPlace *place, int64_t at, int64_t count,
                     FaultKind kind, int64_t other, uint16_t value)
{
    Sanitizer *sanitizer = device->sanitizer;
    DeviceFault fault = fault_in(sanitizer, kind, place);
    fault.other = other;
    fault.address = at;
    fault.bytes = count;
    fault.former = former_writer(sanitizer, value);
    if (place->layout) {
        trf_row_of(device->machine, place->layout, at, &fault.row, &fault.address);
        fault.bytes = ceil_div(count, TRF_SLOTS_PER_BYTE);
    }
    fault_add(sanitizer, &fault);
}

void check_reads(const Device *device, const ShadowPlace *place, int64_t at, int64_t count,
                 bool is_copy)
{
    const Sanitizer *sanitizer = device->sanitizer;
    int64_t end = at + count, other, fine[2] = {-1, -1}; // the last that were: mostly there are two
    FaultKind kind;
    for (int64_t alike; at < end; at += alike) {
        uint16_t value;
        alike = shadow_alike(&place->shadow, at, end, &value);
        if (value == fine[0] || value == fine[1])
            continue;
        if (shadow_is_wrong(sanitizer, value, &kind, &other) &&
            (!is_copy || kind == FAULT_OVERWRITTEN)) {
            add_read(device, place, at, alike, kind, other, value);
            continue;
        }
        fine[1] = fine[0];
        fine[0] = value;
    }
}

// ---- launches

static void renew(ShadowSpace *space, int64_t count, int64_t size)
{
    ShadowSpace fresh = {0};
    bool ok = shadow_new(&fresh, count, size);
    shadow_free(ok ? space : &fresh);
    if (ok)
        *space = fresh;
}

// Numbers are given again from the first on once half of them are gone. What lies in HBM stays
// there, and only loses its number; what is left of others is forgotten. (Without memory for that
// it stays, and what is read there may pass for this launch's.)
static void forget_all(Device *device)
{
    Sanitizer *sanitizer = device->sanitizer;
    const Machine *machine = device->machine;
    int64_t slices = slices_per_chip(machine);
    for (int64_t i = 0; i < sanitizer->chip_count; i++) {
        ChipShadow *chip = &sanitizer->chips[i];
        Shadow hbm = shadow_of_chip(device, i);
        memory_each_used(&device->chips[i].hbm, shadow_age, &hbm);
        renew(&chip->dm, slices, machine->dm_bytes_per_slice);
        renew(&chip->vrf, slices, machine->vrf_bytes_per_slice);
        renew(&chip->trf, slices, trf_slots(machine));
    }
    for (int64_t i = 0; i < sanitizer->host_count; i++)
        shadow_free(&sanitizer->hosts[i]);
    sanitizer->writer = SHADOW_FIRST - 1;
}

void sanitize_begin(Device *device)
{
    Sanitizer *sanitizer = device->sanitizer;
    if (sanitizer->writer > SHADOW_LAST / 2)
        forget_all(device);
    sanitizer->launch = (uint16_t)(sanitizer->writer + 1);
    sanitizer->launches++;
    sanitizer->faults = (DeviceFaults){0};
}

void sanitize_operation(Device *device, const HwObject *object, int64_t number)
{
    Sanitizer *sanitizer = device->sanitizer;
    const HwOperation *operation = &object->operations.items[number];
    sanitizer->object = object;
    sanitizer->operation = operation;
    sanitizer->number = number;
    sanitizer->faults = (DeviceFaults){0};
    sanitizer->is_known = operation->reads.count > 0;
    for (int64_t i = 0; i < operation->reads.count; i++)
        sanitizer->is_known &= was_written(sanitizer, operation->reads.items[i]);
    if (!new_writer(sanitizer, number, operation->writes))
        device->failed = true;
}

// ---- arguments

// One row of an argument in one place, as far as it has a shadow.
static ShadowPlace argument_place(Device *device, const HwArgument *argument, int64_t first_chip,
                                  int64_t number)
{
    int64_t unit = number / argument->rows;
    int64_t slice = unit % argument->slices, cluster = unit / argument->slices % argument->clusters;
    int64_t chip = first_chip + unit / argument->slices / argument->clusters;
    if (argument->tier != TIER_HOST && argument->tier != TIER_HBM) {
        ShadowPlace place = shadow_of_slice(device, argument->tier, chip, cluster, slice);
        place.layout = argument->tier == TIER_TRF ? argument->trf : NULL;
        return place;
    }
    ShadowPlace place = {.tier = argument->tier, .chip = chip, .cluster = -1, .slice = -1};
    place.shadow = argument->tier == TIER_HOST ? shadow_of_host(device, argument->tensor)
                                               : shadow_of_chip(device, chip);
    return place;
}

// Bytes of elements `from` .. `to` - 1 of a row; of TRF half bytes.
static ByteRange bytes_of(const HwArgument *argument, int64_t from, int64_t to)
{
    int64_t bits = argument->element_bits;
    int64_t base =
        argument->tier == TIER_HOST || argument->tier == TIER_TRF ? 0 : argument->address;
    if (argument->tier == TIER_TRF)
        return (ByteRange){from * bits / HALF_BYTE, to * bits / HALF_BYTE};
    return (ByteRange){base + from * bits / BYTE_BITS, base + ceil_div(to * bits, BYTE_BITS)};
}

static void mark_elements(const Device *device, const HwArgument *argument,
                          const ShadowPlace *place, int64_t row, ByteRange range, uint16_t value)
{
    if (!place->shadow.blocks || range.from < 0)
        return;
    if (!place->layout) {
        shadow_fill(&place->shadow, range.from, range.to, value);
        return;
    }
    for (int64_t slot = range.from; slot < range.to; slot++) {
        int64_t at = trf_place_of(device->machine, argument->trf, row, slot);
        if (at >= 0)
            shadow_fill(&place->shadow, at, at + 1, value);
    }
}

// The number of an argument, which may come part by part. False: no memory.
static bool argument_writer(Sanitizer *sanitizer, const HwArgument *argument)
{
    const DeviceWriter *last = &sanitizer->writers[sanitizer->writer].who;
    bool goes_on = sanitizer->writer >= sanitizer->launch && last->operation < 0 &&
                   last->tensor == argument->storage;
    return goes_on || new_writer(sanitizer, -1, argument->storage);
}

// The host sends whole tensors: elements without a value are zeros, but for a tensor that has none
// at all. Nobody wrote that one, whatever lay there before.
bool sanitize_put(Device *device, const HwArgument *argument, int64_t first_chip,
                  const uint8_t *live)
{
    Sanitizer *sanitizer = device->sanitizer;
    int64_t positions = device_positions(argument), rows = positions / argument->elements;
    bool is_written = !live || memchr(live, 1, positions);
    if (is_written && !argument_writer(sanitizer, argument))
        return false;
    for (int64_t i = 0; i < rows; i++) {
        ShadowPlace place = argument_place(device, argument, first_chip, i);
        mark_elements(device, argument, &place, i % argument->rows,
                      bytes_of(argument, 0, argument->elements),
                      is_written ? sanitizer->writer : SHADOW_NONE);
    }
    return true;
}

// Of elements that share a byte with data the byte is data.
static void pad_row(const Device *device, const HwArgument *argument, const ShadowPlace *place,
                    int64_t row, const uint8_t *data)
{
    int64_t count = argument->elements, share = max_i64(1, BYTE_BITS / argument->element_bits);
    for (int64_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && data[to] == data[from];)
            to++;
        if (data[from])
            continue;
        ByteRange range = bytes_of(argument, ceil_div(from, share) * share,
                                   to == count ? to : to / share * share);
        if (range.from < range.to)
            mark_elements(device, argument, place, row, range, SHADOW_PADDING);
    }
}

void device_pad(Device *device, const HwArgument *argument, const uint8_t *data)
{
    int64_t rows = device_positions(argument) / argument->elements;
    for (int64_t i = 0; device->sanitizer && i < rows; i++) {
        ShadowPlace place = argument_place(device, argument, 0, i);
        pad_row(device, argument, &place, i % argument->rows, data + i * argument->elements);
    }
}

bool device_keep(Device *device, const HwArgument *argument, int64_t chip, int64_t from, int64_t to)
{
    Sanitizer *sanitizer = device->sanitizer;
    if (!sanitizer || argument->tier != TIER_HBM || chip >= device->chip_count)
        return true;
    if (!argument_writer(sanitizer, argument))
        return false;
    Shadow shadow = shadow_of_chip(device, chip);
    shadow_renew(&shadow, from, to, sanitizer->writer);
    return true;
}

// ---- commands

bool sanitize_command(Device *device, const HwCommand *command, CheckPlan **plan)
{
    if (command->pass) {
        if (!*plan && !(*plan = pass_check_new(device, command->pass)))
            return false;
        pass_check(device, command->pass, *plan);
        return true;
    }
    if (command->dma)
        return dma_check(device, command->dma);
    const HwImmediateWrite *write = command->immediate;
    const Machine *machine = device->machine;
    for (int64_t chip = 0; chip < device->chip_count; chip++)
        for (int64_t i = 0; i < slices_per_chip(machine); i++) {
            int64_t cluster = i / machine->slices_per_cluster;
            int64_t slice = i % machine->slices_per_cluster;
            ShadowPlace place = shadow_of_slice(device, TIER_DM, chip, cluster, slice);
            if (bits_have(&write->bitmaps, chip, cluster, slice))
                shadow_fill(&place.shadow, write->address,
                            write->address + (int64_t)sizeof(uint32_t), device->sanitizer->writer);
        }
    return true;
}

void sanitize_executed(Device *device, const HwCommand *command, CheckPlan *plan)
{
    if (command->pass)
        pass_check_filtered(device, command->pass, plan);
}

// ---- results

// Others may have written over it since.
void sanitize_result(Device *device, int64_t operations, const HwArgument *result)
{
    Sanitizer *sanitizer = device->sanitizer;
    int64_t storage = result->storage;
    int64_t rows = result->tier == TIER_TRF ? 0 : device_positions(result) / result->elements;
    ByteRange range = bytes_of(result, 0, result->elements);
    HwOperation reader = {.reads = {.items = &storage, .count = 1}};
    if (storage < 0 || !was_written(sanitizer, storage) || range.from < 0)
        return;
    sanitizer->operation = &reader;
    sanitizer->number = operations;
    sanitizer->is_known = true;
    for (int64_t i = 0; i < rows; i++) {
        ShadowPlace place = argument_place(device, result, 0, i);
        if (place.shadow.blocks)
            check_reads(device, &place, range.from, range.to - range.from, true);
    }
    sanitizer->operation = NULL;
}
