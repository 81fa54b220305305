// Random moves, each made from its number alone.
#ifndef CONTRA_TESTS_DMA_CASES_H
#define CONTRA_TESTS_DMA_CASES_H

#include "memory_support.h"

enum {
    AXES = 3, // A, B, C; X is the target's own
    PIECES_MOST = 16,
    TEXT_BYTES = 512,
};

// ---- chance

static uint64_t random_state;

static inline int64_t below(int64_t bound)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)bound);
}

static inline bool chance(int64_t percent)
{
    return below(100) < percent;
}

static inline int64_t random_divisor(int64_t n)
{
    int64_t divisor;
    do
        divisor = 1 + below(n);
    while (n % divisor);
    return divisor;
}

// ---- shapes

typedef struct {
    char text[TEXT_BYTES];
    int64_t size;
} Piece;

typedef struct {
    Piece items[PIECES_MOST];
    int64_t count;
} Pieces;

#define add_piece(pieces, size, ...) add_piece(pieces, size, MESSAGE(__VA_ARGS__))

static inline void(add_piece)(Pieces *pieces, int64_t size, Message message)
{
    assert_true(pieces->count < PIECES_MOST);
    Piece *piece = &pieces->items[pieces->count++];
    message_write(message, piece->text, sizeof piece->text);
    piece->size = size;
}

// `whole` in one to three pieces that together are all of it.
static inline void cut_whole(Pieces *pieces, const char *whole, int64_t size)
{
    int64_t low = chance(60) ? random_divisor(size) : 1;
    int64_t high = chance(40) ? random_divisor(size / low) * low : size;
    if (high < size)
        add_piece(pieces, size / high, "{} / {}", whole, (int)high);
    if (low > 1)
        add_piece(pieces, low, "{} % {}", whole, (int)low);
    if (high > low)
        add_piece(pieces, high / low, "{} / {} % {}", whole, (int)low, (int)(high / low));
}

// All of A, B and C: each by itself, or A and B as one, padded or not.
static inline void random_pieces(Pieces *pieces, const int64_t sizes[AXES])
{
    bool together = chance(20);
    char whole[TEXT_BYTES];
    for (int i = together ? 2 : 0; i < AXES; i++) {
        int64_t size = sizes[i] + (chance(30) ? below(5) : 0);
        snprintf(whole, sizeof whole, size > sizes[i] ? "%c # %d" : "%c", 'A' + i, (int)size);
        cut_whole(pieces, whole, size);
    }
    int64_t both = sizes[0] * sizes[1], padded = both + (chance(60) ? below(5) : 0);
    if (!together)
        return;
    snprintf(whole, sizeof whole, padded > both ? "[A, B] # %d" : "[A, B]", (int)padded);
    cut_whole(pieces, whole, padded);
}

static inline void shuffle(Pieces *pieces)
{
    for (int64_t i = pieces->count - 1; i > 0; i--) {
        int64_t k = below(i + 1);
        Piece swap = pieces->items[i];
        pieces->items[i] = pieces->items[k];
        pieces->items[k] = swap;
    }
}

// The pieces over the dimensions of a tier, some of them padded.
static inline void spread(Pieces *pieces, Tier tier, char *text, size_t room)
{
    int levels = 0, at = 0;
    size_t used = 0;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        levels += tiers[tier].levels[level];
    if (chance(80))
        shuffle(pieces);
    for (int i = 0; i < levels; i++) {
        bool last = i == levels - 1;
        int64_t here = last ? pieces->count - at : below(pieces->count - at + 1);
        bool pad = chance(15);
        used += (size_t)snprintf(text + used, room - used, "%s%s1", i ? " | " : "", pad ? "[" : "");
        int64_t size = 1;
        for (int64_t k = 0; k < here; k++, at++) {
            const Piece *piece = &pieces->items[at];
            int64_t extra = chance(15) ? 1 + below(3) : 0;
            used += (size_t)snprintf(text + used, room - used, extra ? ", %s # %d" : ", %s",
                                     piece->text, (int)(piece->size + extra));
            size *= piece->size + extra;
        }
        if (pad)
            used += (size_t)snprintf(text + used, room - used, "] # %d", (int)(size + below(3)));
    }
}

// ---- cases

typedef struct {
    char axes[TEXT_BYTES], source[TEXT_BYTES * 4], target[TEXT_BYTES * 4];
    Tier from, to;
} Case;

static inline Case random_case(int64_t number)
{
    Case c = {0};
    random_state = (uint64_t)number * 0x2545F4914F6CDD1Du;
    int64_t sizes[AXES], x = chance(30) ? 1 + below(4) : 1;
    static const int64_t usual[] = {1, 2, 3, 4, 5, 6, 8, 12};
    for (int i = 0; i < AXES; i++)
        sizes[i] = usual[below(COUNT_OF(usual))];
    snprintf(c.axes, sizeof c.axes, "A=%d,B=%d,C=%d,X=%d", (int)sizes[0], (int)sizes[1],
             (int)sizes[2], (int)x);
    Pieces source = {0}, target = {0};
    random_pieces(&source, sizes);
    random_pieces(&target, sizes);
    add_piece(&target, x, "X");
    c.from = chance(50) ? TIER_HBM : TIER_DM;
    c.to = chance(50) ? TIER_HBM : TIER_DM;
    spread(&source, c.from, c.source, sizeof c.source);
    spread(&target, c.to, c.target, sizeof c.target);
    return c;
}

#endif
