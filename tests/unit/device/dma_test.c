// Random descriptors against a walk byte by byte, as dma.def has it: loops of all kinds, holes that
// nobody wrote, gathers and scatters; with each number of threads and each set of instructions.
#include "device/internal.h"

#include "base/checked.h"
#include "sample.h"
#include "shrink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    CHIPS = 2,
    CLUSTERS = 2,
    SLICES = 256,
    HBM_BYTES = 1 << 18, // of each memory the test uses so many bytes, at the start
    DM_BYTES = 1 << 10,
    HOST_BYTES = 1 << 17,
    DM_CHIP_BYTES = CLUSTERS * SLICES * DM_BYTES,
    HOST_AT = CHIPS * (HBM_BYTES + DM_CHIP_BYTES),
    CELLS = HOST_AT + HOST_BYTES,
    HOST_TENSOR = 7,
    MOST_LOOPS = 8,
    MOST_PACKET = 4096,
    MOST_DESCRIPTORS = 4,
    INDEX_FROM = HBM_BYTES / 8 * 7,
};

#define SLICE_STRIDE (INT64_C(4) << 20)

// All the memories, one behind the other.
typedef struct {
    uint8_t *bytes, *written;
} Cells;

static Cells cells_new(void)
{
    Cells cells = {calloc(CELLS, 1), calloc(CELLS, 1)};
    assert_non_null(cells.bytes);
    assert_non_null(cells.written);
    return cells;
}

static void cells_free(Cells *cells)
{
    free(cells->bytes);
    free(cells->written);
}

static void cells_copy(Cells *to, const Cells *from)
{
    memcpy(to->bytes, from->bytes, CELLS);
    memcpy(to->written, from->written, CELLS);
}

static int64_t cell_of(const HwPlace *place, int64_t address)
{
    switch (place->media) {
    case MEDIA_HBM:
        assert_in_range(address, 0, HBM_BYTES - 1);
        return place->chip * HBM_BYTES + address;
    case MEDIA_DM:
        assert_in_range(address % SLICE_STRIDE, 0, DM_BYTES - 1);
        assert_in_range(address / SLICE_STRIDE, 0, SLICES - 1);
        return CHIPS * HBM_BYTES + place->chip * DM_CHIP_BYTES +
               (place->cluster * SLICES + address / SLICE_STRIDE) * DM_BYTES +
               address % SLICE_STRIDE;
    default:
        assert_in_range(address, 0, HOST_BYTES - 1);
        return HOST_AT + address;
    }
}

// ---- the device

typedef void Visit(Memory *memory, int64_t at, int64_t count, const Cells *cells);

static void visit_all(Device *device, const Cells *cells, Visit *visit)
{
    for (int64_t i = 0; i < CHIPS; i++)
        visit(&device->chips[i].hbm, i * HBM_BYTES, HBM_BYTES, cells);
    for (int64_t i = 0; i < CHIPS * CLUSTERS * SLICES; i++)
        visit(&device->chips[i / (CLUSTERS * SLICES)].slices[i % (CLUSTERS * SLICES)].dm,
              CHIPS * HBM_BYTES + i * DM_BYTES, DM_BYTES, cells);
    visit(device_host(device, HOST_TENSOR), HOST_AT, HOST_BYTES, cells);
}

static void put_cells(Memory *memory, int64_t at, int64_t count, const Cells *cells)
{
    memory_write(memory, 0, count, cells->bytes + at, cells->written + at);
    memory_forget_part(memory, count, count + 64);
}

// What has a value is the same, and nobody wrote where the memory ends.
static void compare_cells(Memory *memory, int64_t at, int64_t count, const Cells *cells)
{
    static uint8_t bytes[HBM_BYTES + 64], written[HBM_BYTES + 64];
    memory_read(memory, 0, count + 64, bytes, written);
    assert_memory_equal(written, cells->written + at, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        if (written[i] && bytes[i] != cells->bytes[at + i])
            fail_msg("byte %lld is %d instead of %d", (long long)(at + i), bytes[i],
                     cells->bytes[at + i]);
    for (int64_t i = 0; i < 64; i++)
        assert_int_equal(written[count + i], 0);
}

static void expect_nothing(Memory *memory, int64_t at, int64_t count, const Cells *cells)
{
    (void)at;
    (void)cells;
    assert_int_equal(memory->used, 0);
    for (int64_t i = 0; i < count / 8; i++)
        assert_int_equal(memory->written[i], 0);
}

// ---- the definition

static void walk_packet(Cells *cells, const HwDescriptor *from, int64_t source, int64_t dest)
{
    uint8_t bytes[MOST_PACKET], written[MOST_PACKET];
    int64_t data = from->packet_bytes - from->padding_bits / 8;
    for (int64_t i = 0; i < from->packet_bytes; i++) {
        int64_t cell = cell_of(&from->source, source + i);
        bytes[i] = cells->bytes[cell];
        written[i] = i < data && cells->written[cell];
    }
    for (int64_t i = 0; i < from->packet_bytes; i++) {
        int64_t cell = cell_of(&from->dest, dest + i);
        cells->bytes[cell] = bytes[i];
        cells->written[cell] = written[i];
    }
}

// False: an index has no value.
static bool walk_iteration(Cells *cells, const HwDescriptor *from, int64_t source, int64_t dest,
                           int64_t entry)
{
    const HwDmaIndirect *indirect = from->indirect;
    uint32_t value = 0;
    if (!indirect) {
        walk_packet(cells, from, source, dest);
        return true;
    }
    for (int64_t i = 0; i < 4; i++) {
        int64_t cell = cell_of(&indirect->index, entry + i);
        if (!cells->written[cell])
            return false;
        value |= (uint32_t)cells->bytes[cell] << 8 * i;
    }
    uint64_t row = (uint64_t)(int64_t)(int32_t)value / (uint64_t)indirect->divisor;
    if (row >= (uint64_t)indirect->limit)
        return true;
    int64_t offset = (int64_t)row * indirect->scale;
    walk_packet(cells, from, source + (indirect->is_source ? offset : 0),
                dest + (indirect->is_source ? 0 : offset));
    return true;
}

static bool walk_loops(Cells *cells, const HwDescriptor *from, int64_t depth, int64_t source,
                       int64_t dest, int64_t entry)
{
    if (depth == from->loops.count)
        return walk_iteration(cells, from, source, dest, entry);
    const HwDmaLoopEntry *loop = &from->loops.items[depth];
    for (int64_t i = 0; i < loop->limit; i++)
        if (!walk_loops(cells, from, depth + 1, source + i * loop->source_stride,
                        dest + i * loop->dest_stride, entry + i * loop->index_stride))
            return false;
    return true;
}

// ---- samples

typedef struct {
    HwDescriptor descriptors[MOST_DESCRIPTORS];
    HwDmaLoopEntry loops[MOST_DESCRIPTORS][MOST_LOOPS];
    HwDmaIndirect indirect[MOST_DESCRIPTORS];
    HwDmaCommand command;
} Case;

typedef enum { SIDE_SOURCE, SIDE_DEST } Side;

// Where the bytes of one side may lie, in each memory or slice.
typedef struct {
    int64_t from, to;
} Room;

static Room room_of(const HwPlace *place, Side side, int64_t number)
{
    int64_t size = place->media == MEDIA_HBM  ? INDEX_FROM
                   : place->media == MEDIA_DM ? DM_BYTES
                                              : HOST_BYTES;
    int64_t half = size / 2, part = half / MOST_DESCRIPTORS;
    if (side == SIDE_SOURCE)
        return (Room){0, half};
    return (Room){half + number * part, half + (number + 1) * part};
}

static HwPlace draw_place(Rng *rng)
{
    static const Media media[] = {MEDIA_HBM, MEDIA_DM, MEDIA_DM, MEDIA_HOST};
    HwPlace place = {.media = media[rng_below(rng, COUNT_OF(media))], .cluster = -1, .tensor = -1};
    place.chip = place.media == MEDIA_HOST ? 0 : rng_below(rng, CHIPS);
    if (place.media == MEDIA_DM)
        place.cluster = rng_below(rng, CLUSTERS);
    if (place.media == MEDIA_HOST)
        place.tensor = HOST_TENSOR;
    return place;
}

// How one side walks.
typedef struct {
    int64_t base, strides[MOST_LOOPS + 1];
} Walk;

// Packets mostly go to places of their own; of a source, some are read again and again. False: it
// does not fit.
static bool draw_walk(Rng *rng, const HwPlace *place, Room room, Side side, int64_t packet,
                      const int64_t *limits, int64_t count, Walk *walk)
{
    int64_t order[MOST_LOOPS + 1], extent = packet, slices = 1, back = 0;
    bool is_dm = place->media == MEDIA_DM, overlaps = rng_chance(rng, 10);
    for (int64_t i = 0; i < count; i++) {
        int64_t k = rng_below(rng, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    if (rng_chance(rng, 40)) // as they stand: much is contiguous
        for (int64_t i = 0; i < count; i++)
            order[i] = count - 1 - i;
    for (int64_t i = 0; i < count; i++) {
        int64_t limit = limits[order[i]], stride;
        if (is_dm && slices * limit <= SLICES && rng_chance(rng, 40)) {
            int64_t rest = rng_chance(rng, 20) ? rng_below(rng, 9) : 0;
            stride = slices * SLICE_STRIDE + rest;
            slices *= limit;
            extent += rest * (limit - 1);
        } else if (side == SIDE_SOURCE && rng_chance(rng, 15)) {
            stride = 0;
        } else {
            stride = overlaps ? rng_below(rng, extent + 1)
                              : extent + (rng_chance(rng, 30) ? rng_below(rng, 40) : 0);
            extent += stride * (limit - 1);
        }
        if (rng_chance(rng, 8)) {
            back += stride * (limit - 1);
            stride = -stride;
        }
        walk->strides[order[i]] = stride;
    }
    if (extent > room.to - room.from || slices > SLICES)
        return false;
    int64_t at = room.from + rng_below(rng, room.to - room.from - extent + 1);
    if (rng_chance(rng, 50) && at - at % 8 >= room.from)
        at -= at % 8;
    walk->base = at + back + (is_dm ? rng_below(rng, SLICES - slices + 1) * SLICE_STRIDE : 0);
    return true;
}

static int64_t draw_packet(Rng *rng)
{
    static const int64_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 16, 32, 64, 128, 256, 512, 4096};
    return rng_chance(rng, 75) ? sizes[rng_below(rng, COUNT_OF(sizes))]
                               : 1 + rng_below(rng, rng_chance(rng, 80) ? 300 : MOST_PACKET);
}

static void shrink_largest(int64_t *limits, int64_t count, int64_t *packet)
{
    int64_t largest = 0;
    for (int64_t i = 1; i < count; i++)
        if (limits[i] > limits[largest])
            largest = i;
    if (count && limits[largest] > 1)
        limits[largest] = (limits[largest] + 1) / 2;
    else
        *packet = (*packet + 1) / 2;
}

static void fill_index(Rng *rng, Cells *cells, const HwDmaIndirect *indirect)
{
    for (int64_t at = INDEX_FROM; at < HBM_BYTES; at += 4) {
        int64_t value = (rng_below(rng, indirect->limit + 5) - 2) * indirect->divisor +
                        rng_below(rng, indirect->divisor);
        for (int64_t i = 0; i < 4; i++) {
            int64_t cell = cell_of(&indirect->index, at + i);
            cells->bytes[cell] = (uint8_t)(value >> 8 * i);
            cells->written[cell] = 1;
        }
    }
}

static void draw_index(Rng *rng, const int64_t *limits, int64_t count, HwDmaLoopEntry *loops)
{
    int64_t stride = 4;
    for (int64_t i = count - 1; i >= 0; i--)
        if (stride * limits[i] <= HBM_BYTES - INDEX_FROM && rng_chance(rng, 80)) {
            loops[i].index_stride = stride;
            stride *= limits[i];
        }
}

static void draw_descriptor(Rng *rng, Case *out, int64_t number, HwDmaIndirect *indirect)
{
    HwDescriptor *from = &out->descriptors[number];
    int64_t limits[MOST_LOOPS + 1], count = rng_below(rng, MOST_LOOPS + 1);
    int64_t packet = draw_packet(rng), large = rng_below(rng, 3);
    bool is_scatter = indirect && !indirect->is_source;
    *from = (HwDescriptor){.unit_bits = 8, .indirect = indirect};
    from->source = draw_place(rng);
    from->dest = is_scatter && number ? out->descriptors[0].dest : draw_place(rng);
    for (int64_t i = 0; i < count; i++)
        limits[i] = large-- > 0 ? 2 + rng_below(rng, 300) : 2 + rng_below(rng, 5);
    limits[count] = indirect ? indirect->limit : 1; // of the rows
    int64_t first = indirect && indirect->is_source, last = is_scatter;
    Walk source, dest;
    while (!draw_walk(rng, &from->source, room_of(&from->source, SIDE_SOURCE, number), SIDE_SOURCE,
                      packet, limits, count + first, &source) ||
           !draw_walk(rng, &from->dest, room_of(&from->dest, SIDE_DEST, is_scatter ? 0 : number),
                      SIDE_DEST, packet, limits, count + last, &dest))
        shrink_largest(limits, count, &packet);
    HwDmaLoopEntry *loops = out->loops[number];
    for (int64_t i = 0; i < count; i++)
        loops[i] = (HwDmaLoopEntry){limits[i], source.strides[i], dest.strides[i], 0, {0}};
    if (indirect) {
        indirect->scale = indirect->is_source ? source.strides[count] : dest.strides[count];
        draw_index(rng, limits, count, loops);
    }
    from->loops.items = loops;
    from->loops.count = count;
    from->source_base = source.base;
    from->dest_base = dest.base;
    from->packet_bytes = packet;
    from->padding_bits = rng_chance(rng, 20) ? rng_below(rng, min_i64(packet, 7) * 8 + 1) : 0;
}

static void draw_case(Rng *rng, Cells *cells, Case *out)
{
    int64_t count = 1 + rng_below(rng, MOST_DESCRIPTORS);
    HwDmaIndirect rows = {.is_source = rng_chance(rng, 50),
                          .index = {.media = MEDIA_HBM, .chip = rng_below(rng, CHIPS)},
                          .base = INDEX_FROM,
                          .divisor = rng_chance(rng, 50) ? 1 : 1 + rng_below(rng, 9),
                          .limit = 1 + rng_below(rng, 20)};
    bool is_indirect = rng_chance(rng, 25);
    if (is_indirect)
        fill_index(rng, cells, &rows);
    for (int64_t i = 0; i < count; i++) {
        out->indirect[i] = rows;
        draw_descriptor(rng, out, i, is_indirect ? &out->indirect[i] : NULL);
    }
    out->command.descriptors.items = out->descriptors;
    out->command.descriptors.count = count;
}

// Everything, nothing, runs, or any bytes have a value.
static void draw_cells(Rng *rng, Cells *cells)
{
    int64_t kind = rng_below(rng, 6), run = rng_chance(rng, 50) ? 8 : 5000;
    for (int64_t i = 0; i < CELLS; i += 8) {
        uint64_t bytes = rng_next(rng);
        memcpy(cells->bytes + i, &bytes, sizeof bytes);
    }
    memset(cells->written, kind != 0, CELLS);
    if (kind > 2)
        return;
    for (int64_t i = 0; i < CELLS; i += 1 + rng_below(rng, run)) {
        int64_t length = min_i64(CELLS - i, 1 + rng_below(rng, run));
        memset(cells->written + i, rng_chance(rng, 50), (size_t)length);
    }
}

// ---- laws

static bool execute(Device *device, const Case *from)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    HwOperation operation = {0};
    DmaPlan *plan = dma_plan_new(device, &from->command);
    assert_non_null(plan);
    bool ok = dma_execute(device, &from->command, plan, &operation, &diags);
    assert_int_equal(diags.count, !ok);
    dma_plan_free(plan);
    arena_release(&arena);
    return ok;
}

static void run_case(Device *device, const Case *from, const Cells *before, const Cells *after)
{
    for (Isa isa = 0; isa <= ISA_COUNT; isa++) {
        if (isa < ISA_COUNT && !isa_is_here(isa))
            continue;
        device_use_threads(device, isa == ISA_COUNT ? 3 : 1);
        device_use_isa(device, isa == ISA_COUNT ? isa_best() : isa);
        visit_all(device, before, put_cells);
        assert_true(execute(device, from));
        visit_all(device, after, compare_cells);
    }
}

static void random_descriptors(void **state)
{
    (void)state;
    Device *device = device_new(&machine_rngd, CHIPS);
    assert_non_null(device);
    Cells before = cells_new(), after = cells_new();
    Rng rng = {test_seed()};
    int64_t cases = max_i64(3, (int64_t)(200 * test_scale()));
    for (int64_t i = 0; i < cases; i++) {
        Case *sample = calloc(1, sizeof *sample);
        assert_non_null(sample);
        draw_cells(&rng, &before);
        draw_case(&rng, &before, sample);
        cells_copy(&after, &before);
        for (int64_t k = 0; k < sample->command.descriptors.count; k++) {
            const HwDescriptor *one = &sample->descriptors[k];
            assert_true(walk_loops(&after, one, 0, one->source_base, one->dest_base,
                                   one->indirect ? one->indirect->base : 0));
        }
        run_case(device, sample, &before, &after);
        free(sample);
    }
    device_begin(device);
    for (int64_t i = 0; i < CHIPS * CLUSTERS * SLICES; i++)
        expect_nothing(&device->chips[i / (CLUSTERS * SLICES)].slices[i % (CLUSTERS * SLICES)].dm,
                       0, DM_BYTES, &before);
    cells_free(&before);
    cells_free(&after);
    device_free(device);
}

// ---- cases of their own

static const HwPlace hbm_0 = {.media = MEDIA_HBM, .chip = 0, .cluster = -1, .tensor = -1};
static const HwPlace hbm_1 = {.media = MEDIA_HBM, .chip = 1, .cluster = -1, .tensor = -1};

static Case *case_of(const HwDescriptor *descriptor, const HwDmaLoopEntry *loops, int64_t count)
{
    Case *out = calloc(1, sizeof *out);
    assert_non_null(out);
    out->descriptors[0] = *descriptor;
    memcpy(out->loops[0], loops, sizeof *loops * (size_t)count);
    out->descriptors[0].loops.items = out->loops[0];
    out->descriptors[0].loops.count = count;
    out->command.descriptors.items = out->descriptors;
    out->command.descriptors.count = 1;
    return out;
}

static void forget_some(Rng *rng, Memory *memory, int64_t bytes)
{
    memory_mark(memory, 0, bytes);
    for (int64_t i = rng_below(rng, 4); i > 0; i--) {
        int64_t from = rng_below(rng, bytes);
        memory_forget_part(memory, from, min_i64(bytes, from + 1 + rng_below(rng, 70)));
    }
}

static bool is_written(const Memory *memory, int64_t at)
{
    return memory->written[at / 8] >> at % 8 & 1;
}

// A transpose of elements of any size, in which a hole stays a hole.
static void transpose_of(Device *device, Rng *rng, int64_t bytes, int64_t rows, int64_t cols)
{
    const Memory *from = &device->chips[0].hbm, *to = &device->chips[1].hbm;
    int64_t all = rows * cols * bytes, base = rng_below(rng, 9);
    const HwDmaLoopEntry loops[] = {{rows, cols * bytes, bytes, 0, {0}},
                                    {cols, bytes, rows * bytes, 0, {0}}};
    HwDescriptor descriptor = {
        .source = hbm_0, .dest = hbm_1, .dest_base = base, .packet_bytes = bytes, .unit_bits = 8};
    Case *sample = case_of(&descriptor, loops, COUNT_OF(loops));
    for (int64_t i = 0; i < all; i++)
        from->bytes[i] = (uint8_t)rng_next(rng);
    memset(to->bytes, 0, (size_t)(all + base + 64));
    memory_mark(&device->chips[1].hbm, 0, all + base + 64);
    forget_some(rng, &device->chips[0].hbm, all);
    assert_true(execute(device, sample));
    for (int64_t i = 0; i < rows * cols * bytes; i++) {
        int64_t row = i / (cols * bytes), col = i / bytes % cols, byte = i % bytes;
        int64_t at = base + (col * rows + row) * bytes + byte;
        assert_int_equal(is_written(to, at), is_written(from, i));
        if (to->bytes[at] != from->bytes[i])
            fail_msg("byte %lld of %lld x %lld of %lld", (long long)i, (long long)rows,
                     (long long)cols, (long long)bytes);
    }
    for (int64_t i = 0; i < 64; i++)
        assert_int_equal(to->bytes[base + all + i], 0);
    free(sample);
}

static void transposes(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 64, 65, 100, 200, 300};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    Rng rng = {test_seed()};
    int64_t cases = max_i64(1, (int64_t)(4 * test_scale()));
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (Isa isa = 0; isa < ISA_COUNT; isa++)
            for (int64_t k = 0; k < cases && isa_is_here(isa); k++) {
                device_use_isa(device, isa);
                device_use_threads(device, 1 + k % 2);
                int64_t most = max_i64(3, 700 / sizes[i]);
                transpose_of(device, &rng, sizes[i], 1 + rng_below(&rng, most),
                             1 + rng_below(&rng, most));
            }
    device_free(device);
}

// Longer than what is moved, or looked at, at once.
static void long_runs(void **state)
{
    (void)state;
    enum { ROWS = 1280, BYTES = 4096, ALL = ROWS * BYTES, HOLE = 3 << 20 };
    static const HwDmaLoopEntry loops[] = {{ROWS, BYTES, BYTES, 0, {0}}};
    HwDescriptor descriptor = {
        .source = hbm_0, .dest = hbm_1, .dest_base = 3, .packet_bytes = BYTES, .unit_bits = 8};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    Memory *from = &device->chips[0].hbm, *to = &device->chips[1].hbm;
    Case *sample = case_of(&descriptor, loops, 1);
    for (int64_t i = 0; i < ALL; i++)
        from->bytes[i] = (uint8_t)(i * 7 + i / 1000);
    memory_mark(from, 0, ALL);
    for (int64_t hole = 0; hole < 2; hole++)
        for (int64_t threads = 1; threads <= 2; threads++) {
            device_use_threads(device, threads);
            memset(to->bytes, 0, ALL + 16);
            memory_forget_part(to, 0, ALL + 16);
            if (hole)
                memory_forget_part(from, HOLE, HOLE + 1);
            assert_true(execute(device, sample));
            assert_memory_equal(to->bytes + 3, from->bytes, ALL);
            assert_true(memory_is_written(to, 3, 3 + HOLE));
            assert_true(memory_is_written(to, 3 + HOLE + 1, 3 + ALL));
            assert_int_equal(is_written(to, 3 + HOLE), !hole);
            assert_false(is_written(to, 2) || is_written(to, 3 + ALL));
        }
    free(sample);
    device_free(device);
}

static void expect_word(const Memory *memory, int64_t at, uint32_t wanted)
{
    uint32_t bits;
    uint8_t live;
    memory_load(memory, SCALAR_I32, at * 8, 1, &bits, &live);
    assert_true(live);
    assert_int_equal(bits, wanted);
}

// Half bytes from and to the host, where they begin and end inside a byte.
static void half_bytes(void **state)
{
    (void)state;
    static const HwPlace host = {.media = MEDIA_HOST, .cluster = -1, .tensor = HOST_TENSOR};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    Memory *from = device_host(device, HOST_TENSOR), *to = &device->chips[0].hbm;
    const uint8_t source[4] = {0x21, 0x43, 0x65, 0x87}, ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const struct {
        int64_t source, dest, packet, padding, stride;
        uint32_t wanted;
    } cases[] = {
        {0, 0, 2, 0, 2, 0x87654321}, // whole bytes
        {1, 0, 1, 0, 1, 0xffff5432}, // four of them, one half byte on
        {0, 1, 1, 0, 1, 0xfff4321f},
        {0, 0, 2, 4, 2, 0xf7f5f3f1}, // the second half of each packet is padding
        {2, 0, 1, 0, 0, 0xffff3333},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const HwDmaLoopEntry loops[] = {{4, cases[i].stride, cases[i].packet, 0, {0}}};
        const uint8_t before[8] = {255, 255, 255, 255, 255, 255, 255, 255};
        HwDescriptor descriptor = {.source = host,
                                   .dest = hbm_0,
                                   .source_base = cases[i].source,
                                   .dest_base = cases[i].dest,
                                   .packet_bytes = cases[i].packet,
                                   .padding_bits = cases[i].padding,
                                   .unit_bits = 4};
        Case *sample = case_of(&descriptor, loops, 1);
        memory_write(from, 0, sizeof source, source, ones);
        memory_write(to, 0, sizeof before, before, ones);
        assert_true(execute(device, sample));
        expect_word(to, 0, cases[i].wanted);
        expect_word(to, 4, UINT32_MAX);
        free(sample);
    }
    device_free(device);
}

// An index that nobody wrote ends the command, with a diagnostic; what stays where it is, stays.
static void no_index_and_no_way(void **state)
{
    (void)state;
    static const HwDmaLoopEntry loops[] = {{8, 0, 16, 4, {0}}}, still[] = {{8, 16, 16, 0, {0}}};
    HwDmaIndirect rows = {.is_source = true, .index = hbm_1, .divisor = 1, .limit = 8, .scale = 16};
    HwDescriptor descriptor = {.source = hbm_0,
                               .dest = hbm_0,
                               .dest_base = 4096,
                               .packet_bytes = 16,
                               .unit_bits = 8,
                               .indirect = &rows};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    memset(device->chips[0].hbm.bytes, 5, 256);
    memory_mark(&device->chips[0].hbm, 0, 256);
    memory_mark(&device->chips[1].hbm, 0, 32);
    Case *sample = case_of(&descriptor, loops, 1);
    assert_true(execute(device, sample));
    memory_forget_part(&device->chips[1].hbm, 30, 31);
    assert_false(execute(device, sample));
    free(sample);
    descriptor.indirect = NULL;
    descriptor.dest_base = 0;
    sample = case_of(&descriptor, still, 1);
    assert_true(execute(device, sample));
    assert_true(memory_is_written(&device->chips[0].hbm, 0, 256));
    expect_word(&device->chips[0].hbm, 64, 0x05050505);
    free(sample);
    device_free(device);
}

// Asked again and again while it lasts, on the thread that executes.
static bool count_down(void *own)
{
    int64_t *left = own;
    return --*left < 0;
}

static void is_cancelled(void **state)
{
    (void)state;
    enum { MOVED = 64 << 20 };
    static const HwDmaLoopEntry loops[] = {{MOVED / 4096, 4096, 4096, 0, {0}}};
    HwDescriptor descriptor = {
        .source = hbm_0, .dest = hbm_1, .packet_bytes = 4096, .unit_bits = 8};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    int64_t left = 3;
    device_watch(device, (DeviceWatch){count_down, &left});
    Case *sample = case_of(&descriptor, loops, 1);
    DmaPlan *plan = dma_plan_new(device, &sample->command);
    assert_non_null(plan);
    HwOperation operation = {0};
    DiagList diags = {0};
    assert_false(dma_execute(device, &sample->command, plan, &operation, &diags));
    assert_int_equal(diags.count, 0);
    left = INT64_MAX;
    assert_true(dma_execute(device, &sample->command, plan, &operation, &diags));
    assert_true(INT64_MAX - left >= MOVED / (4 << 20)); // every few MiB
    dma_plan_free(plan);
    free(sample);
    device_free(device);
}

static void immediates(void **state)
{
    (void)state;
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    uint64_t words[] = {UINT64_C(1) << 63, 3};
    HwClusterBits row = {.chip = -1, .cluster = 1};
    row.slices.items = words;
    row.slices.count = COUNT_OF(words);
    HwImmediateWrite write = {.address = 12, .value = 77};
    write.bitmaps.items = &row;
    write.bitmaps.count = 1;
    immediate_execute(device, &write);
    for (int64_t chip = 0; chip < 2; chip++)
        for (int64_t slice = 0; slice < SLICES; slice++) {
            bool is_here = slice >= 63 && slice <= 65;
            const Memory *dm = &device_slice(device, chip, 1, slice)->dm;
            assert_int_equal(memory_is_written(dm, 12, 16), is_here);
            assert_false(memory_is_written(&device_slice(device, chip, 0, slice)->dm, 12, 16));
            if (is_here)
                expect_word(dm, 12, 77);
        }
    device_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_descriptors),  cmocka_unit_test(transposes),
        cmocka_unit_test(long_runs),           cmocka_unit_test(half_bytes),
        cmocka_unit_test(no_index_and_no_way), cmocka_unit_test(is_cancelled),
        cmocka_unit_test(immediates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
