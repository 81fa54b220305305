// Random moves against brute force: the loop nest is walked step by step, and each step must meet
// the same element on both sides. Together the steps write every element of the target once, and
// nothing else. What is said to have no place must have none.
//
// A case is made from its number alone; a failure names it and shows it.
#include "dma_cases.h"

#include "mapping/cell.h"

enum {
    CASES = 6000,
    TARGET_MOST = 3000, // positions; larger cases are left out
};

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

TEST(every_step_moves_an_element)
{
    Tally tally = {0};
    for (int64_t number = 1; number <= CASES; number++)
        run_case(number, &tally);
    print_message("%d derived (%d bounded), %d without place, %d without loops\n",
                  (int)tally.derived, (int)tally.bounded, (int)tally.no_place, (int)tally.no_loops);
    assert_true(tally.derived > CASES / 3);
    assert_true(tally.bounded > CASES / 50);
}
