// Whether descriptors meet, against maps of all that they read and write.
#include "device/dma_plan.h"

#include "base/checked.h"
#include "sample.h"
#include "shrink.h"
#include "test.h"

#include <string.h>

enum { COUNT = 3, LOOPS = 3, HALVES = 1 << 14, SLICES = 4, DM_HALVES = 128, ROUNDS = 4000 };

#define SLICE_STRIDE (INT64_C(4) << 20)

typedef struct {
    HwDescriptor descriptors[COUNT];
    HwDmaLoopEntry loops[COUNT][LOOPS];
    HwDmaIndirect indirect[COUNT];
    HwDmaCommand command;
} Drawn;

// Bits by half byte: which descriptors read it, which write it. HBM of two chips, then DM.
typedef struct {
    uint8_t read[3][HALVES], written[3][HALVES];
} Marks;

static void mark(uint8_t map[3][HALVES], const HwPlace *place, int64_t half, int64_t unit,
                 int64_t count, int64_t number)
{
    int64_t slice = SLICE_STRIDE * 8 / unit, each = unit / 4;
    if (place->media == MEDIA_DM)
        half = half / slice * DM_HALVES / each + half % slice;
    for (int64_t i = half * each; i < (half + count) * each; i++) {
        assert_in_range(i, 0, HALVES - 1);
        map[place->media == MEDIA_DM ? 2 : place->chip][i] |= (uint8_t)(1 << number);
    }
}

static void walk(const HwDescriptor *from, int64_t number, Marks *map)
{
    const HwDmaIndirect *indirect = from->indirect;
    int64_t iterations = 1, rows = indirect ? indirect->limit : 1;
    for (int64_t i = 0; i < from->loops.count; i++)
        iterations *= from->loops.items[i].limit;
    for (int64_t k = 0; k < iterations * rows; k++) {
        int64_t source = from->source_base, dest = from->dest_base, rest = k / rows;
        int64_t entry = indirect ? indirect->base : 0;
        for (int64_t i = 0; i < from->loops.count; i++) {
            const HwDmaLoopEntry *loop = &from->loops.items[i];
            source += rest % loop->limit * loop->source_stride;
            dest += rest % loop->limit * loop->dest_stride;
            entry += rest % loop->limit * loop->index_stride;
            rest /= loop->limit;
        }
        if (indirect)
            *(indirect->is_source ? &source : &dest) += k % rows * indirect->scale;
        mark(map->read, &from->source, source, from->unit_bits, from->packet_bytes, number);
        mark(map->written, &from->dest, dest, from->unit_bits, from->packet_bytes, number);
        if (indirect)
            mark(map->read, &indirect->index, entry, 8, 4, number);
    }
}

static bool others(uint8_t bits, uint8_t than)
{
    return bits && (bits | than) != 1 && (bits | than) != 2 && (bits | than) != 4;
}

static bool maps_meet(const Marks *map)
{
    for (int64_t i = 0; i < 3 * HALVES; i++) {
        uint8_t read = map->read[i / HALVES][i % HALVES];
        uint8_t written = map->written[i / HALVES][i % HALVES];
        if (others(written, read))
            return true;
    }
    return false;
}

static HwPlace draw_place(Rng *rng)
{
    if (rng_chance(rng, 30))
        return (HwPlace){.media = MEDIA_DM, .chip = 0, .cluster = 0, .tensor = -1};
    return (HwPlace){.media = MEDIA_HBM, .chip = rng_below(rng, 2), .cluster = -1, .tensor = -1};
}

// A stride, and how far it leads back: DM has few places in a slice.
static int64_t draw_stride(Rng *rng, const HwPlace *place, int64_t limit, int64_t *back)
{
    static const int64_t strides[] = {0, 1, 2, 3, 4, 8, 16, 24, 40, 64, 96};
    bool is_dm = place->media == MEDIA_DM;
    int64_t stride = strides[rng_below(rng, is_dm ? 3 : COUNT_OF(strides))];
    if (rng_chance(rng, 20)) {
        *back += stride * (limit - 1);
        return -stride;
    }
    return stride;
}

static void draw_descriptor(Rng *rng, Drawn *out, int64_t number)
{
    HwDescriptor *from = &out->descriptors[number];
    int64_t back[2] = {0}, slices = 1;
    *from = (HwDescriptor){.source = draw_place(rng),
                           .dest = draw_place(rng),
                           .unit_bits = rng_chance(rng, 20) ? 4 : 8,
                           .packet_bytes = 1 + rng_below(rng, rng_chance(rng, 50) ? 2 : 8)};
    from->loops.count = rng_below(rng, LOOPS + 1);
    from->loops.items = out->loops[number];
    int64_t slice = SLICE_STRIDE * 8 / from->unit_bits;
    for (int64_t i = 0; i < from->loops.count; i++) {
        HwDmaLoopEntry *loop = &out->loops[number][i];
        *loop = (HwDmaLoopEntry){.limit = 1 + rng_below(rng, 4)};
        loop->source_stride = draw_stride(rng, &from->source, loop->limit, &back[0]);
        loop->dest_stride = draw_stride(rng, &from->dest, loop->limit, &back[1]);
        loop->index_stride = 4 * rng_below(rng, 4);
        if (from->dest.media == MEDIA_DM && slices * loop->limit <= SLICES) {
            loop->dest_stride += slices * slice;
            slices *= loop->limit;
        }
    }
    if (rng_chance(rng, 25)) {
        HwDmaIndirect *indirect = &out->indirect[number];
        *indirect = (HwDmaIndirect){.is_source = rng_chance(rng, 50),
                                    .index = {.media = MEDIA_HBM, .chip = rng_below(rng, 2)},
                                    .base = rng_below(rng, 400),
                                    .divisor = 1,
                                    .limit = 1 + rng_below(rng, 4),
                                    .scale = rng_below(rng, 5)};
        from->indirect = indirect;
    }
    int64_t room = rng_chance(rng, 50) ? 8 : 1500;
    from->source_base = back[0] + rng_below(rng, from->source.media == MEDIA_DM ? 8 : room);
    from->dest_base = back[1] + rng_below(rng, from->dest.media == MEDIA_DM ? 8 : room);
}

TEST(meetings_are_those_of_the_bytes)
{
    static Marks map;
    Machine machine = machine_rngd;
    machine.dm_bytes_per_slice = DM_HALVES / 2;
    Rng rng = {test_seed()};
    int64_t apart = 0;
    for (int64_t round = 0; round < ROUNDS; round++) {
        Drawn sample = {0};
        int64_t count = 2 + rng_below(&rng, COUNT - 1);
        memset(&map, 0, sizeof map);
        for (int64_t i = 0; i < count; i++) {
            draw_descriptor(&rng, &sample, i);
            walk(&sample.descriptors[i], i, &map);
        }
        sample.command.descriptors.items = sample.descriptors;
        sample.command.descriptors.count = count;
        DmaMeeting wanted = maps_meet(&map) ? DMA_MEETING : DMA_APART;
        apart += wanted == DMA_APART;
        if (dma_descriptors_meet(&machine, &sample.command) != wanted)
            fail_msg("round %lld: they do %smeet", (long long)round,
                     wanted == DMA_APART ? "not " : "");
    }
    assert_in_range(apart, ROUNDS / 10, ROUNDS / 10 * 9);
}

// As the engines of a cluster share a tensor: each has every so many rows of it.
TEST(interleaved_parts_are_apart)
{
    enum { ENGINES = 64, ROWS = 4096, BYTES = 128 };
    static HwDmaLoopEntry loops[] = {
        {ROWS / ENGINES, BYTES, ENGINES * BYTES, 0, {0}},
        {BYTES, 1, 1, 0, {0}},
    };
    static HwDescriptor descriptors[ENGINES];
    HwDmaCommand command = {.descriptors = {.items = descriptors, .count = ENGINES}};
    for (int64_t i = 0; i < ENGINES; i++)
        descriptors[i] = (HwDescriptor){.source = {.media = MEDIA_HBM, .chip = 1},
                                        .dest = {.media = MEDIA_HBM},
                                        .loops = {.items = loops, .count = COUNT_OF(loops)},
                                        .dest_base = i * BYTES,
                                        .packet_bytes = 1,
                                        .unit_bits = 8};
    assert_int_equal(dma_descriptors_meet(&machine_rngd, &command), DMA_APART);
    descriptors[5].dest_base++;
    assert_int_equal(dma_descriptors_meet(&machine_rngd, &command), DMA_MEETING);
}

// Of one table, each to a place of its own: more pairs of reads than pairs are looked at.
TEST(reads_do_not_count)
{
    enum { PARTS = 8192, BYTES = 32 };
    static HwDescriptor descriptors[PARTS];
    HwDmaCommand command = {.descriptors = {.items = descriptors, .count = PARTS}};
    for (int64_t i = 0; i < PARTS; i++)
        descriptors[i] = (HwDescriptor){.source = {.media = MEDIA_HBM, .chip = 1},
                                        .dest = {.media = MEDIA_HBM},
                                        .dest_base = i * BYTES,
                                        .packet_bytes = BYTES,
                                        .unit_bits = 8};
    assert_int_equal(dma_descriptors_meet(&machine_rngd, &command), DMA_APART);
    descriptors[PARTS - 1].dest = descriptors[0].source; // and there they read
    descriptors[PARTS - 1].dest_base = 0;
    assert_int_equal(dma_descriptors_meet(&machine_rngd, &command), DMA_MEETING);
}
