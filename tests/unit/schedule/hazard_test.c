// Hazards of many operations on few places, with lanes, against the bytes: whatever touches what
// another wrote comes behind it, by hazards, by lanes, or by both.
#include "schedule/hazard.h"

#include "base/checked.h"
#include "choices.h"
#include "shrink.h"
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Enough operations for trees (hazard.c). All addresses are multiples of STEP: a bit each.
enum { CASES = 2, OPERATIONS = 3000, LINE = 64, LINES = 2048, SPACE = LINE * LINES, STEP = 8 };
enum { WORDS = SPACE / STEP / 64, SETS = 4, LANES = 2 };

typedef struct {
    HwDmaLoopEntry loop;
    HwDescriptor descriptor;
    HwDmaCommand dma;
    HwCommand command;
    HwOperation operation;
    uint64_t lanes;
    uint64_t read[WORDS], written[WORDS];
} Move;

// Rows, columns and blocks of a matrix, at few places: they come again, and cover each other.
static int64_t draw_side(Choices *choices, int64_t limit, int64_t stride, int64_t packet)
{
    int64_t most = SPACE - (limit - 1) * stride - packet;
    return choose(choices, most / STEP + 1) * STEP;
}

static void mark(const Move *move, bool is_write, uint64_t *bits)
{
    const HwDescriptor *of = &move->descriptor;
    int64_t base = is_write ? of->dest_base : of->source_base;
    int64_t stride = is_write ? move->loop.dest_stride : move->loop.source_stride;
    for (int64_t i = 0; i < move->loop.limit; i++)
        for (int64_t k = 0; k < of->packet_bytes; k += STEP) {
            int64_t at = (base + i * stride + k) / STEP;
            bits[at / 64] |= UINT64_C(1) << at % 64;
        }
}

static void draw_move(Choices *choices, bool has_lanes, Move *move)
{
    static const int64_t strides[] = {LINE, LINE, LINE, LINE, 2 * LINE, LINE + 8};
    static const uint64_t sets[SETS] = {0, 1, 2, 3};
    memset(move, 0, sizeof *move);
    move->loop = (HwDmaLoopEntry){.limit = 1 + choose(choices, 8),
                                  .source_stride = strides[choose(choices, COUNT_OF(strides))],
                                  .dest_stride = strides[choose(choices, COUNT_OF(strides))]};
    HwDescriptor *to = &move->descriptor;
    *to = (HwDescriptor){.source = {.media = MEDIA_HBM, .cluster = -1, .tensor = -1},
                         .dest = {.media = MEDIA_HBM, .cluster = -1, .tensor = -1},
                         .unit_bits = 8,
                         .packet_bytes = 8 << choose(choices, 4)};
    to->source_base =
        draw_side(choices, move->loop.limit, move->loop.source_stride, to->packet_bytes);
    to->dest_base = draw_side(choices, move->loop.limit, move->loop.dest_stride, to->packet_bytes);
    to->loops.items = &move->loop;
    to->loops.count = 1;
    move->dma = (HwDmaCommand){.descriptors = {to, 1, 1}};
    move->command = (HwCommand){.dma = &move->dma};
    move->operation = (HwOperation){.commands = {&move->command, 1, 1}};
    move->lanes = has_lanes ? sets[choose(choices, SETS)] : 0;
    mark(move, false, move->read);
    mark(move, true, move->written);
}

// What one of both writes and the other touches, 64 steps of it.
static uint64_t shared(const Move *a, const Move *b, int64_t word)
{
    return (a->written[word] & (b->read[word] | b->written[word])) |
           (a->read[word] & b->written[word]);
}

static bool conflict(const Move *a, const Move *b)
{
    uint64_t all = 0;
    for (int64_t i = 0; i < WORDS; i++)
        all |= shared(a, b, i);
    return all;
}

static void take_all(bool *into, const bool *from)
{
    for (int64_t i = 0; i < OPERATIONS; i++)
        into[i] |= from[i];
}

static void check_hazard(const Hazard *hazard, const Move *a, const Move *b, uint64_t seed)
{
    bool is_there = hazard->from < hazard->to && hazard->to <= SPACE;
    for (int64_t i = hazard->from / STEP; i * STEP < hazard->to && is_there; i++)
        is_there = shared(a, b, i / 64) >> i % 64 & 1;
    if (!is_there)
        fail_msg("CONTRA_TEST_SEED=%llu: bytes %lld..%lld are not what both touch",
                 (unsigned long long)seed, (long long)hazard->from, (long long)hazard->to);
}

// What each operation comes behind: by its hazards, and by its lanes.
static int64_t check_case(Arena *arena, Move *moves, uint64_t seed)
{
    HazardTable *table = hazard_table_new(arena, &machine_rngd);
    bool(*behind)[OPERATIONS] = calloc(OPERATIONS, sizeof *behind);
    int64_t listed = 0, last[LANES] = {-1, -1};
    for (int64_t i = 0; i < OPERATIONS; i++) {
        HazardList hazards = {0};
        hazards_of(table, i, &moves[i].operation, moves[i].lanes, &hazards);
        listed += hazards.count;
        for (int64_t k = 0; k < hazards.count; k++) {
            int64_t other = hazards.items[k].operation;
            check_hazard(&hazards.items[k], &moves[other], &moves[i], seed);
            take_all(behind[i], behind[other]);
            behind[i][other] = true;
        }
        for (int64_t lane = 0; lane < LANES; lane++) {
            if (!(moves[i].lanes >> lane & 1))
                continue;
            if (last[lane] >= 0) {
                take_all(behind[i], behind[last[lane]]);
                behind[i][last[lane]] = true;
            }
            last[lane] = i;
        }
        for (int64_t k = 0; k < i; k++)
            if (!behind[i][k] && conflict(&moves[k], &moves[i]))
                fail_msg("CONTRA_TEST_SEED=%llu: operation %lld may come before %lld",
                         (unsigned long long)seed, (long long)i, (long long)k);
    }
    free(behind);
    return listed;
}

TEST(what_meets_is_ordered)
{
    Arena arena = {0};
    Move *moves = calloc(OPERATIONS, sizeof *moves);
    int64_t cases = max_i64(1, (int64_t)(CASES * test_scale())), listed = 0;
    for (int64_t n = 0; n < cases; n++) {
        uint64_t seed = test_seed() + (uint64_t)n;
        Choices choices = choices_of_seed(seed);
        for (int64_t i = 0; i < OPERATIONS; i++)
            draw_move(&choices, seed % 2, &moves[i]); // without lanes nothing else keeps order
        listed += check_case(&arena, moves, seed);
        arena_clear(&arena);
    }
    print_message("%" PRId64 " operations, %" PRId64 " hazards\n", cases * OPERATIONS, listed);
    free(moves);
    arena_release(&arena);
}
