// Random moves against brute force: the loop nest is walked step by step, and each step must meet
// the same element on both sides. Together the steps write every element of the target once, and
// nothing else. What is said to have no place must have none.
//
// A case is made from its number alone; a failure names it and shows it.
#include "memory_support.h"

#include "mapping/cell.h"

enum {
    AXES = 3, // A, B, C; X is the target's own
    CASES = 6000,
    TARGET_MOST = 3000, // positions; larger cases are left out
    PIECES_MOST = 16,
    TEXT_BYTES = 512,
};

// ---- chance

static uint64_t random_state;

static int64_t below(int64_t bound)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)bound);
}

static bool chance(int64_t percent)
{
    return below(100) < percent;
}

static int64_t random_divisor(int64_t n)
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

static void add_piece(Pieces *pieces, int64_t size, const char *format, ...) PRINTF_LIKE(3, 4);

static void add_piece(Pieces *pieces, int64_t size, const char *format, ...)
{
    assert_true(pieces->count < PIECES_MOST);
    Piece *piece = &pieces->items[pieces->count++];
    va_list args;
    va_start(args, format);
    vsnprintf(piece->text, sizeof piece->text, format, args);
    va_end(args);
    piece->size = size;
}

// `whole` in one to three pieces that together are all of it.
static void cut_whole(Pieces *pieces, const char *whole, int64_t size)
{
    int64_t low = chance(60) ? random_divisor(size) : 1;
    int64_t high = chance(40) ? random_divisor(size / low) * low : size;
    if (high < size)
        add_piece(pieces, size / high, "%s / %d", whole, (int)high);
    if (low > 1)
        add_piece(pieces, low, "%s %% %d", whole, (int)low);
    if (high > low)
        add_piece(pieces, high / low, "%s / %d %% %d", whole, (int)low, (int)(high / low));
}

// All of A, B and C: each by itself, or A and B as one, padded or not.
static void random_pieces(Pieces *pieces, const int64_t sizes[AXES])
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

static void shuffle(Pieces *pieces)
{
    for (int64_t i = pieces->count - 1; i > 0; i--) {
        int64_t k = below(i + 1);
        Piece swap = pieces->items[i];
        pieces->items[i] = pieces->items[k];
        pieces->items[k] = swap;
    }
}

// The pieces over the dimensions of a tier, some of them padded.
static void spread(Pieces *pieces, Tier tier, char *text, size_t room)
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

// ---- cells

static int64_t place_of(const Dim *const dims[LEVEL_COUNT], Level level)
{
    int64_t place = 1;
    for (int inner = LEVEL_COUNT - 1; inner > (int)level; inner--)
        place *= dims[inner] ? dims[inner]->mapping.size : 1;
    return place;
}

typedef struct {
    Arena *arena;
    DmaNest nest;
    const Dim *source[LEVEL_COUNT], *target[LEVEL_COUNT];
    Mapping from, to;
    int8_t *written;     // how often each position of the target
    int64_t sums[64];    // of each bound
    const char *problem; // the first one
} NestWalk;

// The target holds the element of the source, whatever values its own axes have.
static bool is_same_element(NestWalk *walk, int64_t source, int64_t target)
{
    ArenaMark mark = arena_mark(walk->arena);
    Cell have = mapping_cell(walk->arena, &walk->from, source);
    Cell want = mapping_cell(walk->arena, &walk->to, target);
    bool same = have.count == want.count; // both padding, or both one element
    AtomList axes = {0};
    mapping_axes(walk->arena, &walk->from, &axes);
    for (int64_t i = 0; same && have.count && i < axes.count; i++)
        same = index_value(&have.items[0], axes.items[i]) ==
               index_value(&want.items[0], axes.items[i]);
    arena_reset(walk->arena, mark);
    return same;
}

static void walk_loops(NestWalk *walk, int64_t depth, int64_t source, int64_t target)
{
    const DmaNest *nest = &walk->nest;
    if (depth > nest->loops.count) {
        for (int64_t i = 0; i < nest->bounds.count; i++)
            if (walk->sums[i] >= nest->bounds.items[i])
                return;
        if (source >= walk->from.size || target >= walk->to.size)
            walk->problem = "a step leaves the tensors";
        else if (!is_same_element(walk, source, target))
            walk->problem = "a step meets different elements";
        else
            walk->written[target]++;
        return;
    }
    const DmaLoop *loop = depth < nest->loops.count ? &nest->loops.items[depth] : &nest->run;
    int64_t from = loop->source.stride * place_of(walk->source, loop->source.level);
    int64_t to = loop->target.stride * place_of(walk->target, loop->target.level);
    for (int64_t i = 0; i < loop->size && !walk->problem; i++) {
        if (loop->bound >= 0)
            walk->sums[loop->bound] += i * loop->weight;
        walk_loops(walk, depth + 1, source + i * from, target + i * to);
        if (loop->bound >= 0)
            walk->sums[loop->bound] -= i * loop->weight;
    }
}

// Each loop stays in one dimension.
static bool stays(const DmaLoop *loop, const DmaStep *step, const Dim *const dims[LEVEL_COUNT])
{
    (void)loop;
    return dims[step->level] && step->stride < max_i64(2, dims[step->level]->mapping.size);
}

static void check_written(NestWalk *walk)
{
    for (int64_t i = 0; i < walk->to.size && !walk->problem; i++) {
        ArenaMark mark = arena_mark(walk->arena);
        bool live = mapping_cell(walk->arena, &walk->to, i).count;
        arena_reset(walk->arena, mark);
        if (live && !walk->written[i])
            walk->problem = "an element of the target is not written";
        if (walk->written[i] > 1)
            walk->problem = "an element of the target is written twice";
    }
    for (int64_t i = 0; i < walk->nest.loops.count; i++) {
        const DmaLoop *loop = &walk->nest.loops.items[i];
        if (!stays(loop, &loop->source, walk->source) || !stays(loop, &loop->target, walk->target))
            walk->problem = "a loop leaves its dimension";
    }
}

// ---- cases

typedef struct {
    char axes[TEXT_BYTES], source[TEXT_BYTES * 4], target[TEXT_BYTES * 4];
    Tier from, to;
} Case;

static Case random_case(int64_t number)
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

typedef struct {
    int64_t derived, no_place, no_loops, bounded;
} Tally;

static void run_case(int64_t number, Tally *tally)
{
    Case c = random_case(number);
    Bench bench;
    bench_open(&bench, &(Setting){.axes = c.axes});
    NestWalk walk = {.arena = &bench.arena};
    shape(&bench, c.from, c.source, walk.source);
    shape(&bench, c.to, c.target, walk.target);
    walk.from = shape_of(&bench.arena, walk.source);
    walk.to = shape_of(&bench.arena, walk.target);
    if (walk.to.size <= TARGET_MOST && walk.from.size <= TARGET_MOST) {
        DmaOutcome outcome = dma_derive(&bench.arena, walk.source, walk.target, &walk.nest);
        tally->derived += outcome == DMA_DERIVED;
        tally->no_place += outcome == DMA_NO_PLACE;
        // both sides have all of A, B and C: at most they cut them at places that do not fit
        for (int64_t i = walk.nest.division.found; i < walk.nest.division.matches.count; i++) {
            const Match *match = &walk.nest.division.matches.items[i];
            if (match->kind != MATCH_INCOMPATIBLE && match->term.atom->kind == ATOM_AXIS)
                walk.problem = "something is missed that is there";
        }
        tally->no_loops += outcome == DMA_NO_LOOPS;
        tally->bounded += outcome == DMA_DERIVED && walk.nest.bounds.count;
        if (outcome == DMA_DERIVED) {
            walk.written = arena_new(&bench.arena, int8_t, (size_t)walk.to.size);
            walk_loops(&walk, 0, 0, 0);
            check_written(&walk);
        }
        StrBuf nest = {.arena = &bench.arena};
        if (walk.problem) {
            dma_print(&nest, &walk.nest);
            fail_msg("case %d: %s\n  axes %s\n  %s %s\n  %s %s\n  %.*s", (int)number, walk.problem,
                     c.axes, tiers[c.from].name, c.source, tiers[c.to].name, c.target,
                     STR_ARG(buf_str(&nest)));
        }
    }
    bench_close(&bench);
}

static void every_step_moves_an_element(void **state)
{
    (void)state;
    Tally tally = {0};
    for (int64_t number = 1; number <= CASES; number++)
        run_case(number, &tally);
    print_message("%d derived (%d bounded), %d without place, %d without loops\n",
                  (int)tally.derived, (int)tally.bounded, (int)tally.no_place, (int)tally.no_loops);
    assert_true(tally.derived > CASES / 3);
    assert_true(tally.bounded > CASES / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_moves_an_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
