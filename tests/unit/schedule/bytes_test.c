// Hazards of random commands against the bytes that they read and write, walked one by one as the
// .def files of src/command say.
#include "mix.h"

#include "base/checked.h"
#include "command/touch.h"
#include "schedule/hazard.h"
#include "shrink.h"
#include "test.h"
#include "walk_dma.h"
#include "walk_stream.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CASES = 60, OPERATIONS = 12, BYTE_BITS = 8, MOST_BYTES = 1 << 24 };

// ---- sets of bytes

typedef struct {
    ARRAY(uint64_t);
} Bytes;

typedef struct {
    Arena *arena;
    const Machine *machine;
    Choices *choices; // rows that indices name
    const HwDescriptor *descriptor;
    Bytes reads, writes;
} Walk;

static void add_bytes(Walk *walk, bool is_write, Tier tier, WalkUnit unit, int64_t from, int64_t to)
{
    Bytes *bytes = is_write ? &walk->writes : &walk->reads;
    uint64_t room = (uint64_t)tier << 60 | (uint64_t)unit.chip << 54 |
                    (uint64_t)max_i64(unit.cluster, 0) << 50 | (uint64_t)unit.slice << 40;
    for (int64_t at = from; at < to && bytes->count < MOST_BYTES; at++)
        *array_push(walk->arena, bytes, uint64_t) = room | (uint64_t)at;
}

static void add_bits(Walk *walk, bool is_write, Tier tier, WalkUnit unit, int64_t bit, int64_t bits)
{
    if (bit >= 0)
        add_bytes(walk, is_write, tier, unit, bit / BYTE_BITS, (bit + bits - 1) / BYTE_BITS + 1);
}

static int compare_bytes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_bytes(Bytes *bytes)
{
    if (bytes->count)
        qsort(bytes->items, (size_t)bytes->count, sizeof *bytes->items, compare_bytes);
}

static bool bytes_meet(const Bytes *a, const Bytes *b)
{
    for (int64_t i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->items[i] == b->items[k])
            return true;
        if (a->items[i] < b->items[k])
            i++;
        else
            k++;
    }
    return false;
}

// ---- passes

static void walk_reads(Walk *walk, const HwFetch *fetch, WalkUnit unit)
{
    for (int64_t packet = 0; packet < fetch->time; packet++)
        for (int64_t i = 0; i < fetch->packet_elements; i++) {
            WalkRead read = walk_fetch(fetch, unit, packet, i);
            if (!read.is_masked)
                add_bits(walk, false, TIER_DM, unit, read.bit, fetch->nest.element_bits);
        }
}

static void walk_writes(Walk *walk, const HwCommit *commit, WalkUnit unit)
{
    int64_t elements = walk->machine->flit_bytes * BYTE_BITS / commit->nest.element_bits, bit;
    for (int64_t flit = 0; flit < commit->time; flit++)
        for (int64_t i = 0; i < elements; i++)
            if (walk_commit(commit, unit, flit, i, elements, &bit))
                add_bits(walk, true, TIER_DM, unit, bit, commit->nest.element_bits);
}

static void walk_vrf(Walk *walk, bool is_write, const HwNest *nest, WalkUnit unit)
{
    for (int64_t i = 0; i < walk_nest_count(nest); i++)
        add_bits(walk, is_write, TIER_VRF, unit, walk_nest_bit(nest, i), nest->element_bits);
}

static void walk_vector(Walk *walk, const HwVector *vector, WalkUnit unit)
{
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        for (int64_t k = 0; k < step->operands.count; k++)
            if (step->operands.items[k].source == OPERAND_VRF)
                walk_vrf(walk, false, step->operands.items[k].nest, unit);
        if (step->branch && step->branch->nest)
            walk_vrf(walk, false, step->branch->nest, unit);
    }
}

// Bytes of a row of TRF, where the banks have them.
static void walk_row(Walk *walk, bool is_write, const HwTrfLayout *layout, WalkUnit unit,
                     int64_t row, int64_t from, int64_t count)
{
    for (int64_t b = from; b < from + count; b++) {
        int64_t word = b / layout->bank_row_bytes, column = word % layout->bank_columns;
        int64_t n = word / layout->bank_columns;
        int64_t bank = row * layout->bank_rows_per_row + n / layout->rows_in_bank;
        int64_t in_bank = layout->first_row + n % layout->rows_in_bank;
        if (n / layout->rows_in_bank >= layout->bank_rows_per_row)
            continue; // the row does not have it
        int64_t at = bank << 20 | in_bank << 8 | column << 7 | b % layout->bank_row_bytes;
        add_bytes(walk, is_write, TIER_TRF, unit, at, at + 1);
    }
}

static void walk_trf_writes(Walk *walk, const HwTrfStore *store, WalkUnit unit)
{
    for (int64_t flit = 0; flit < store->flits; flit++) {
        int64_t row = store->start_row, byte = store->start_byte, rest = flit;
        for (int64_t i = store->loops.count - 1; i >= 0; i--) {
            const HwRowLoop *loop = &store->loops.items[i];
            row += rest % loop->size * loop->row_stride;
            byte += rest % loop->size * loop->byte_stride;
            rest /= loop->size;
        }
        walk_row(walk, true, &store->layout, unit, row, byte, store->flit_bytes);
    }
}

static void walk_trf_reads(Walk *walk, const HwTrfRead *read, WalkUnit unit)
{
    int64_t steps = min_i64(read->out_time, walk_nest_count(&read->nest));
    for (int64_t i = 0; i < steps; i++)
        for (int64_t row = 0; row < read->layout.rows; row++)
            walk_row(walk, false, &read->layout, unit, row,
                     walk_nest_bit(&read->nest, i) / BYTE_BITS, read->nest.access_bytes);
}

static void walk_unit(Walk *walk, const HwPipeline *pass, WalkUnit unit)
{
    walk_reads(walk, &pass->fetch, unit);
    if (pass->trf_read)
        walk_trf_reads(walk, pass->trf_read, unit);
    if (pass->vector)
        walk_vector(walk, pass->vector, unit);
    if (pass->trf_store)
        walk_trf_writes(walk, pass->trf_store, unit);
    if (pass->vrf_store)
        walk_vrf(walk, true, &pass->vrf_store->nest, unit);
    if (pass->commit)
        walk_writes(walk, pass->commit, unit);
}

static void walk_pass(Walk *walk, const HwPipeline *pass)
{
    for (int64_t chip = 0; chip < pass->chips; chip++)
        for (int64_t cluster = 0; cluster < pass->clusters; cluster++)
            for (int64_t slice = 0; slice < pass->slices; slice++)
                walk_unit(walk, pass,
                          (WalkUnit){pass->first_chip + chip, pass->first_cluster + cluster,
                                     pass->first_slice + slice});
}

// ---- DMA

static void walk_place(Walk *walk, bool is_write, const HwPlace *place, int64_t at, int64_t bits)
{
    static const Tier tier_of[MEDIA_COUNT] = {
        [MEDIA_HOST] = TIER_HOST, [MEDIA_HBM] = TIER_HBM, [MEDIA_DM] = TIER_DM};
    int64_t slice = walk->machine->dm_virtual_slice_stride_bytes * BYTE_BITS;
    bool is_dm = place->media == MEDIA_DM;
    WalkUnit unit = {place->chip, is_dm ? place->cluster : 0, is_dm ? at / slice : 0};
    if (place->media == MEDIA_HOST)
        unit = (WalkUnit){0, 0, place->tensor}; // each has a memory of its own, for all chips
    add_bits(walk, is_write, tier_of[place->media], unit, is_dm ? at % slice : at, bits);
}

// A row that is there.
static int32_t draw_index(void *own, int64_t chip, int64_t address)
{
    (void)chip;
    Walk *walk = own;
    const HwDmaIndirect *indirect = walk->descriptor->indirect;
    walk_place(walk, false, &indirect->index, address * BYTE_BITS, 32);
    return (int32_t)(choose(walk->choices, indirect->limit) * indirect->divisor);
}

static void walk_packet(void *own, const HwDescriptor *descriptor, int64_t source, int64_t dest)
{
    Walk *walk = own;
    int64_t unit = descriptor->unit_bits, bits = descriptor->packet_bytes * unit;
    walk_place(walk, false, &descriptor->source, source * unit, bits);
    walk_place(walk, true, &descriptor->dest, dest * unit, bits);
}

static void walk_operation(Walk *walk, const HwOperation *operation)
{
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        if (command->pass)
            walk_pass(walk, command->pass);
        for (int64_t k = 0; command->dma && k < command->dma->descriptors.count; k++) {
            walk->descriptor = &command->dma->descriptors.items[k];
            walk_descriptor(walk->descriptor, draw_index, walk_packet, walk);
        }
    }
    sort_bytes(&walk->reads);
    sort_bytes(&walk->writes);
}

static bool conflict(const Walk *a, const Walk *b)
{
    return bytes_meet(&a->writes, &b->reads) || bytes_meet(&a->reads, &b->writes) ||
           bytes_meet(&a->writes, &b->writes);
}

// ---- hazards

typedef struct {
    int64_t pairs, listed, conflicts; // of operations: all, with a hazard, with a common byte
    int64_t unneeded, unneeded_trf;   // listed without a common byte, and those of TRF alone
} Tally;

// What the table lists where nothing is known of lanes.
static Meetings listed_hazards(Arena *arena, const Machine *machine, const HwObject *object)
{
    int64_t count = object->operations.count;
    size_t pairs = (size_t)(count * count) + 1;
    Meetings out = {object, count, arena_new(arena, bool, pairs), arena_new(arena, bool, pairs)};
    HazardTable *table = hazard_table_new(arena, machine);
    for (int64_t i = 0; i < count; i++) {
        HazardList hazards = {0};
        hazards_of(table, i, &object->operations.items[i], 0, &hazards);
        for (int64_t k = 0; k < hazards.count; k++) {
            assert_true(hazards.items[k].operation < i);
            out.meets[hazards.items[k].operation * count + i] = true;
        }
    }
    mix_close(&out);
    return out;
}

static bool meets_in_trf_alone(Arena *arena, const Machine *machine, const HwOperation *a,
                               const HwOperation *b)
{
    TouchList mine = {0}, other = {0};
    MeetPiece piece;
    touches_of_operation(arena, machine, a, &mine);
    touches_of_operation(arena, machine, b, &other);
    for (int64_t i = 0; i < mine.count; i++)
        for (int64_t k = 0; k < other.count; k++)
            if (mine.items[i].tier != TIER_TRF &&
                (mine.items[i].is_write || other.items[k].is_write) &&
                touches_meet(&mine.items[i], &other.items[k], &piece))
                return false;
    return true;
}

static void check_pairs(Arena *arena, const Machine *machine, const HwObject *object,
                        Choices *choices, uint64_t seed, Tally *tally)
{
    int64_t count = object->operations.count;
    const HwOperation *operations = object->operations.items;
    Meetings listed = listed_hazards(arena, machine, object);
    Meetings meetings = mix_meetings(arena, machine, object);
    Walk *walks = arena_new(arena, Walk, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        walks[i] = (Walk){.arena = arena, .machine = machine, .choices = choices};
        walk_operation(&walks[i], &operations[i]);
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = i + 1; k < count; k++) {
            bool is_true = conflict(&walks[i], &walks[k]), meets = meetings.meets[i * count + k];
            if (is_true && (!listed.follows[i * count + k] || !meets))
                fail_msg("CONTRA_TEST_SEED=%" PRIu64 ": operations %" PRId64 " and %" PRId64
                         " (%.*s, %.*s) have a byte in common, and no hazard",
                         seed, i, k, STR_ARG(operations[i].method), STR_ARG(operations[k].method));
            if (meets && !listed.follows[i * count + k])
                fail_msg("CONTRA_TEST_SEED=%" PRIu64 ": %" PRId64 " and %" PRId64
                         " meet, and nothing that is listed says so",
                         seed, i, k);
            tally->pairs++;
            tally->listed += meets;
            tally->conflicts += is_true;
            tally->unneeded += meets && !is_true;
            tally->unneeded_trf +=
                meets && !is_true &&
                meets_in_trf_alone(arena, machine, &operations[i], &operations[k]);
        }
}

TEST(hazards_are_bytes)
{
    Trials trials = {0};
    Arena arena = {0};
    Tally tally = {0};
    int64_t cases = max_i64(1, (int64_t)(CASES * test_scale()));
    trials_open(&trials);
    for (int64_t i = 0; i < cases; i++) {
        uint64_t seed = test_seed() + (uint64_t)i;
        Choices choices = choices_of_seed(seed);
        const HwObject *object = mix_object(&trials, &trials.few, &choices, OPERATIONS);
        if (object)
            check_pairs(&arena, &trials.few, object, &choices, seed, &tally);
        arena_clear(&arena);
    }
    print_message("%" PRId64 " pairs, %" PRId64 " with a hazard, %" PRId64
                  " with a byte in common; without: %" PRId64 ", of TRF alone %" PRId64 "\n",
                  tally.pairs, tally.listed, tally.conflicts, tally.unneeded, tally.unneeded_trf);
    assert_true(cases < CASES || 4 * tally.unneeded < tally.listed);
    arena_release(&arena);
    trials_close(&trials);
}
