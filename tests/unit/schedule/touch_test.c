// Touches of random DMA descriptors and nests against the bytes, one by one.
#include "command/touch.h"

#include "base/checked.h"
#include "choices.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { SPACE = 1 << 14, CASES = 20000, MOST_LOOPS = 3 };

typedef struct {
    HwDmaLoopEntry loops[MOST_LOOPS];
    HwDescriptor descriptors[2];
    HwDmaCommand dma;
    HwCommand command;
    HwOperation operation;
} Case;

static void draw_descriptor(Choices *choices, HwDmaLoopEntry *loops, HwDescriptor *out)
{
    int64_t count = choose(choices, MOST_LOOPS + 1);
    *out = (HwDescriptor){.source = {.media = MEDIA_HBM, .cluster = -1, .tensor = -1},
                          .dest = {.media = MEDIA_HBM, .cluster = -1, .tensor = -1, .chip = 1},
                          .unit_bits = 8,
                          .packet_bytes = 1 + choose(choices, 24)};
    out->source_base = SPACE / 2 + choose(choices, 200);
    for (int64_t i = 0; i < count; i++)
        loops[i] = (HwDmaLoopEntry){.limit = 2 + choose(choices, 6),
                                    .source_stride = choose(choices, 200) - 60};
    out->loops.items = loops;
    out->loops.count = count;
}

// One or two descriptors that are alike but for their bases.
static void draw_case(Choices *choices, Case *one)
{
    int64_t count = 1 + choose(choices, 2);
    draw_descriptor(choices, one->loops, &one->descriptors[0]);
    one->descriptors[1] = one->descriptors[0];
    one->descriptors[1].source_base += choose(choices, 100);
    one->dma = (HwDmaCommand){.descriptors = {one->descriptors, count, count}};
    one->command = (HwCommand){.dma = &one->dma};
    one->operation = (HwOperation){.commands = {&one->command, 1, 1}};
}

static void walk(const HwDescriptor *descriptor, int64_t loop, int64_t at, uint8_t *bytes)
{
    if (loop == descriptor->loops.count) {
        assert_true(at >= 0 && at + descriptor->packet_bytes <= SPACE);
        memset(bytes + at, 1, (size_t)descriptor->packet_bytes);
        return;
    }
    for (int64_t i = 0; i < descriptor->loops.items[loop].limit; i++)
        walk(descriptor, loop + 1, at + i * descriptor->loops.items[loop].source_stride, bytes);
}

static void walk_case(const Case *one, uint8_t *bytes)
{
    memset(bytes, 0, SPACE);
    for (int64_t i = 0; i < one->dma.descriptors.count; i++)
        walk(&one->descriptors[i], 0, one->descriptors[i].source_base, bytes);
}

static bool reads_meet(const TouchList *a, const TouchList *b, MeetPiece *piece)
{
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t k = 0; k < b->count; k++)
            if (!a->items[i].is_write && !b->items[k].is_write &&
                touches_meet(&a->items[i], &b->items[k], piece))
                return true;
    return false;
}

// Where none of the reads of others is; a write of theirs lies elsewhere.
static bool reads_meet_outside(const TouchList *a, const TouchList *b, const TouchList *others,
                               MeetPiece *piece)
{
    const Touch *touches[MEET_MOST_OTHERS];
    int64_t count = 0;
    for (int64_t i = 0; i < others->count; i++)
        if (!others->items[i].is_write)
            touches[count++] = &others->items[i];
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t k = 0; k < b->count; k++)
            if (!a->items[i].is_write && !b->items[k].is_write &&
                touches_meet_outside(&a->items[i], &b->items[k], touches, count, piece))
                return true;
    return false;
}

// Bytes of a piece that both have, and not the third.
static bool is_shared(MeetPiece piece, const uint8_t *a, const uint8_t *b, const uint8_t *third)
{
    bool is_there = piece.from < piece.to;
    for (int64_t i = piece.from / 8; i * 8 < piece.to; i++)
        is_there &= a[i] && b[i] && !(third && third[i]);
    return is_there;
}

static bool reads_cover(const TouchList *a, const TouchList *b)
{
    for (int64_t k = 0; k < b->count; k++) {
        bool is_covered = b->items[k].is_write;
        for (int64_t i = 0; i < a->count && !is_covered; i++)
            is_covered = !a->items[i].is_write && touch_covers(&a->items[i], &b->items[k]);
        if (!is_covered)
            return false;
    }
    return true;
}

TEST(touches_are_bytes)
{
    static uint8_t first[SPACE], second[SPACE];
    int64_t met = 0, covered = 0, cases = (int64_t)(CASES * test_scale());
    Arena arena = {0};
    for (int64_t n = 0; n < cases; n++) {
        Choices choices = choices_of_seed(test_seed() + (uint64_t)n);
        Case one = {0}, two = {0};
        TouchList mine = {0}, other = {0};
        bool meet = false, cover = true;
        draw_case(&choices, &one);
        draw_case(&choices, &two);
        if (choose(&choices, 8) == 0)
            two = one, two.operation.commands.items = &two.command, two.command.dma = &two.dma,
            two.dma.descriptors.items = two.descriptors;
        walk_case(&one, first);
        walk_case(&two, second);
        for (int64_t i = 0; i < SPACE; i++) {
            meet |= first[i] && second[i];
            cover &= first[i] || !second[i];
        }
        touches_of_operation(&arena, &machine_rngd, &one.operation, &mine);
        touches_of_operation(&arena, &machine_rngd, &two.operation, &other);
        MeetPiece piece = {0};
        bool found = reads_meet(&mine, &other, &piece);
        if (found != meet)
            fail_msg("seed %llu, case %lld: they %s", (unsigned long long)test_seed(), (long long)n,
                     meet ? "meet" : "do not meet");
        if (found && !is_shared(piece, first, second, NULL))
            fail_msg("case %lld: they do not meet at %lld", (long long)n,
                     (long long)piece.from / 8);
        if (reads_cover(&mine, &other)) {
            if (!cover)
                fail_msg("case %lld: it is not covered", (long long)n);
            covered++;
        }
        met += meet;
        arena_clear(&arena);
    }
    arena_release(&arena);
    print_message("%lld pairs, %lld meet, %lld covered\n", (long long)cases, (long long)met,
                  (long long)covered);
    assert_true(cases < CASES || (met > cases / 10 && met < cases - cases / 10 && covered > 100));
}

// What two have in common and a third has not: mostly of walks with much in common, since others
// would leave nothing or all.
TEST(what_others_leave_is_bytes)
{
    static uint8_t bytes[3][SPACE];
    int64_t left_over = 0, met = 0, cases = (int64_t)(CASES * test_scale());
    Arena arena = {0};
    for (int64_t n = 0; n < cases; n++) {
        Choices choices = choices_of_seed(test_seed() + (uint64_t)n);
        Case drawn[3] = {0};
        TouchList touches[3] = {0};
        for (int i = 0; i < 3; i++) {
            draw_case(&choices, &drawn[i]);
            if (i && choose(&choices, 2))
                for (int k = 0; k < 2; k++)
                    drawn[i].descriptors[k] = drawn[0].descriptors[k];
            if (i == 2 && choose(&choices, 2))
                drawn[i].descriptors[0].source_base += choose(&choices, 3);
            walk_case(&drawn[i], bytes[i]);
            touches_of_operation(&arena, &machine_rngd, &drawn[i].operation, &touches[i]);
        }
        bool meet = false, left = false;
        for (int64_t i = 0; i < SPACE; i++) {
            meet |= bytes[0][i] && bytes[1][i];
            left |= bytes[0][i] && bytes[1][i] && !bytes[2][i];
        }
        MeetPiece piece = {0};
        bool found = reads_meet_outside(&touches[0], &touches[1], &touches[2], &piece);
        if (found != left)
            fail_msg("seed %llu, case %lld: %s is left", (unsigned long long)test_seed(),
                     (long long)n, left ? "something" : "nothing");
        if (found && !is_shared(piece, bytes[0], bytes[1], bytes[2]))
            fail_msg("case %lld: %lld .. %lld is not what is left", (long long)n,
                     (long long)piece.from / 8, (long long)piece.to / 8);
        met += meet;
        left_over += left;
        arena_clear(&arena);
    }
    arena_release(&arena);
    print_message("%lld triples, %lld meet, of %lld something is left\n", (long long)cases,
                  (long long)met, (long long)left_over);
    assert_true(cases < CASES || (met - left_over > cases / 20 && left_over > cases / 20));
}

// ---- which memory

static bool places_meet(HwPlace a, HwPlace b)
{
    HwDescriptor descriptors[2] = {{.source = a, .unit_bits = 8, .packet_bytes = 64},
                                   {.source = b, .unit_bits = 8, .packet_bytes = 64}};
    Arena arena = {0};
    TouchList lists[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        descriptors[i].dest = (HwPlace){.media = MEDIA_DM, .chip = 7 + i, .tensor = -1};
        HwDmaCommand dma = {.descriptors = {&descriptors[i], 1, 1}};
        HwCommand command = {.dma = &dma};
        HwOperation operation = {.commands = {&command, 1, 1}};
        touches_of_operation(&arena, &machine_rngd, &operation, &lists[i]);
    }
    bool meet = false;
    MeetPiece piece;
    for (int64_t i = 0; i < lists[0].count; i++)
        for (int64_t k = 0; k < lists[1].count; k++)
            meet |= touches_meet(&lists[0].items[i], &lists[1].items[k], &piece);
    arena_release(&arena);
    return meet;
}

TEST(memories_are_told_apart)
{
    static const HwPlace places[] = {
        {.media = MEDIA_HOST, .cluster = -1, .dmn = -1, .tensor = 3},
        {.media = MEDIA_HOST, .cluster = -1, .dmn = -1, .tensor = -1},
        {.media = MEDIA_HBM, .cluster = -1, .dmn = -1, .tensor = -1},
        {.media = MEDIA_HBM, .chip = 1, .cluster = -1, .dmn = -1, .tensor = -1},
        {.media = MEDIA_DM, .dmn = 0, .tensor = -1},
        {.media = MEDIA_SPM, .dmn = 0, .tensor = -1},
        {.media = MEDIA_SPM, .dmn = 1, .tensor = -1},
        {.media = MEDIA_SPM, .cluster = 1, .dmn = 0, .tensor = -1},
    };
    for (size_t i = 0; i < COUNT_OF(places); i++)
        for (size_t k = 0; k < COUNT_OF(places); k++)
            assert_int_equal(places_meet(places[i], places[k]), i == k);
    assert_string_equal(touch_tier_name((Tier)TOUCH_SPM), "SPM");
    assert_string_equal(touch_tier_name(TIER_DM), "DM");
}
