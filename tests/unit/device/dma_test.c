// Random descriptors against a walk byte by byte, as dma.def has it: loops of all kinds, holes that
// nobody wrote, gathers and scatters; with each number of threads and each set of instructions.
#include "dma_support.h"

#include "base/checked.h"
#include "sample.h"
#include "sets.h"
#include "shrink.h"

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
    MOST_PACKET = 4096,
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

typedef enum { END_SOURCE, END_DEST } Side;

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
    if (side == END_SOURCE)
        return (Room){0, half};
    return (Room){half + number * part, half + (number + 1) * part};
}

// The same few places for both sides of all descriptors, or those of the index.
static Room crowded_room(Rng *rng, const HwPlace *place, const HwDmaIndirect *indirect, Side side)
{
    int64_t few = place->media == MEDIA_DM ? DM_BYTES : HBM_BYTES / 16;
    if (indirect && side == END_DEST && place->media == MEDIA_HBM && rng_chance(rng, 50))
        return (Room){INDEX_FROM, HBM_BYTES};
    return (Room){0, few};
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
        } else if (side == END_SOURCE && rng_chance(rng, 15)) {
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
    Room read = room_of(&from->source, END_SOURCE, number);
    Room written = room_of(&from->dest, END_DEST, is_scatter ? 0 : number);
    if (out->is_crowded) {
        read = crowded_room(rng, &from->source, indirect, END_SOURCE);
        written = crowded_room(rng, &from->dest, indirect, END_DEST);
    }
    Walk source, dest;
    while (
        !draw_walk(rng, &from->source, read, END_SOURCE, packet, limits, count + first, &source) ||
        !draw_walk(rng, &from->dest, written, END_DEST, packet, limits, count + last, &dest))
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
    out->is_crowded = rng_chance(rng, 35);
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

// `after` NULL: an index has no value, and it ends early.
static void run_case(Device *device, const Case *from, const Cells *before, const Cells *after)
{
    for (Isa isa = 0; isa <= ISA_COUNT; isa++) {
        if (isa < ISA_COUNT && !isa_is_here(isa))
            continue;
        device_use_threads(device, isa == ISA_COUNT ? 3 : 1);
        sets_use(device, isa == ISA_COUNT ? isa_best() : isa);
        visit_all(device, before, put_cells);
        assert_int_equal(execute(device, from), after != NULL);
        if (after)
            visit_all(device, after, compare_cells);
    }
}

// False: it ends early, as only one that is crowded may.
static bool walk_case(Cells *cells, const Case *from)
{
    for (int64_t i = 0; i < from->command.descriptors.count; i++) {
        const HwDescriptor *one = &from->descriptors[i];
        if (!walk_loops(cells, one, 0, one->source_base, one->dest_base,
                        one->indirect ? one->indirect->base : 0)) {
            assert_true(from->is_crowded);
            return false;
        }
    }
    return true;
}

TEST(random_descriptors)
{
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
        run_case(device, sample, &before, walk_case(&after, sample) ? &after : NULL);
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

TEST_END(sets_report)
