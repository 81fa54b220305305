#include "command/meet.h"

#include "command/nest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4096 };            // that a pair of walks is worth
enum { MOST_STEPS_OUTSIDE = 1 << 18 }; // where others are left out: seldom, and much of it alike

// ---- walks

static int compare_loops(const void *a, const void *b)
{
    const MeetLoop *x = a, *y = b;
    return compare_i64(y->stride, x->stride);
}

// One loop for two neighbours; false: there is none.
static bool join_two(const MeetLoop *outer, const MeetLoop *inner, MeetLoop *joined)
{
    if (outer->stride == inner->stride)
        *joined = (MeetLoop){outer->size + inner->size - 1, inner->stride};
    else if (stride_continues(outer->stride, inner->size, inner->stride))
        *joined = (MeetLoop){outer->size * inner->size, inner->stride};
    else
        return false;
    return true;
}

void meet_join(MeetLoop *loops, int64_t *count, int64_t *run)
{
    if (*count)
        qsort(loops, *count, sizeof *loops, compare_loops);
    while (*count && loops[*count - 1].stride <= *run) {
        const MeetLoop *loop = &loops[--*count];
        *run += (loop->size - 1) * loop->stride;
    }
    for (int64_t i = *count - 1; i > 0; i--) {
        MeetLoop *outer = &loops[i - 1], *inner = &loops[i];
        if (!join_two(outer, inner, outer))
            continue;
        memmove(inner, inner + 1, sizeof *inner * (*count - 1 - i));
        --*count;
    }
}

int64_t meet_extent(const MeetWalk *walk)
{
    int64_t extent = walk->run;
    for (int64_t i = 0; i < walk->count; i++)
        extent += (walk->loops[i].size - 1) * walk->loops[i].stride;
    return extent;
}

// ---- what is left of them

// A walk from `base` on, with its loops from `next` on.
typedef struct {
    const MeetWalk *walk;
    const int64_t *common; // by loop: divides its stride and all strides behind it
    int64_t next;
    int64_t base, extent;
} Rest;

static Rest rest_of(const MeetWalk *walk, const int64_t *common)
{
    return (Rest){walk, common, 0, walk->base, meet_extent(walk)};
}

static const MeetLoop *outer_loop(const Rest *rest)
{
    return rest->next < rest->walk->count ? &rest->walk->loops[rest->next] : NULL;
}

// Iteration `number` of the outer loop.
static Rest inside(const Rest *rest, int64_t number)
{
    const MeetLoop *loop = outer_loop(rest);
    return (Rest){rest->walk, rest->common, rest->next + 1, rest->base + number * loop->stride,
                  rest->extent - (loop->size - 1) * loop->stride};
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

// ---- whether they meet

typedef struct {
    int64_t steps; // that are left
    MeetPiece piece;
} Search;

static void find_piece(Search *search, const Rest *a, const Rest *b)
{
    int64_t from = max_i64(a->base, b->base);
    int64_t end = min_i64(a->base + a->walk->run, b->base + b->walk->run);
    search->piece =
        (MeetPiece){from, max_i64(end, from + 1)}; // at least one, of a search that gave up
}

static bool rests_meet(Search *search, const Rest *a, const Rest *b);

// Both have a loop of the same stride: only how many steps one is ahead of the other counts.
static bool same_strides_meet(Search *search, const Rest *a, const Rest *b)
{
    const MeetLoop *mine = outer_loop(a), *other = outer_loop(b);
    int64_t stride = mine->stride;
    Rest one = inside(a, 0), two = inside(b, 0);
    // one.base + ahead x stride < two.base + two.extent, and the other way round
    int64_t first = floor_div(two.base - one.base - one.extent, stride) + 1;
    int64_t last = floor_div(two.base + two.extent - one.base - 1, stride);
    first = max_i64(first, 1 - other->size);
    last = min_i64(last, mine->size - 1);
    for (int64_t ahead = first; ahead <= last; ahead++) {
        Rest ours = inside(a, max_i64(ahead, 0)), theirs = inside(b, max_i64(-ahead, 0));
        if (rests_meet(search, &ours, &theirs))
            return true;
    }
    return false;
}

// Iterations of an outer loop of `a` that may reach [from, to): those from *first to *last.
static void iterations_reaching(const Rest *a, int64_t from, int64_t to, int64_t *first,
                                int64_t *last)
{
    const MeetLoop *loop = outer_loop(a);
    Rest one = inside(a, 0);
    *first = max_i64(0, floor_div(from - one.base - one.extent, loop->stride) + 1);
    *last = min_i64(loop->size - 1, floor_div(to - one.base - 1, loop->stride));
}

// The iterations of a's outer loop that reach what `b` lies in.
static bool iterations_meet(Search *search, const Rest *a, const Rest *b)
{
    int64_t first, last;
    iterations_reaching(a, b->base, b->base + b->extent, &first, &last);
    for (int64_t i = first; i <= last; i++) {
        Rest one = inside(a, i);
        if (rests_meet(search, &one, b))
            return true;
    }
    return false;
}

// From a run of the one to a run of the other it is their bases and some of all strides: that
// common divisor of those may never lead into both.
static bool strides_pass(const Rest *a, const Rest *b)
{
    int64_t mine = a->common[a->next], other = b->common[b->next];
    if (!mine && !other)
        return false;
    int64_t common = gcd_i64(mine, other), from = a->base - b->base, high = b->walk->run - 1;
    return from + floor_div(high - from, common) * common <= -a->walk->run;
}

static bool rests_meet(Search *search, const Rest *a, const Rest *b)
{
    if (a->base + a->extent <= b->base || b->base + b->extent <= a->base)
        return false;
    const MeetLoop *mine = outer_loop(a), *other = outer_loop(b);
    if ((!mine && !other) || --search->steps < 0) {
        find_piece(search, a, b);
        return true;
    }
    if (strides_pass(a, b))
        return false;
    if (mine && other && mine->stride == other->stride)
        return same_strides_meet(search, a, b);
    if (!other || (mine && mine->stride > other->stride))
        return iterations_meet(search, a, b);
    return iterations_meet(search, b, a);
}

static void find_common(const MeetWalk *walk, int64_t common[MEET_MOST_LOOPS + 1])
{
    common[walk->count] = 0;
    for (int64_t i = walk->count - 1; i >= 0; i--)
        common[i] = gcd_i64(walk->loops[i].stride, common[i + 1]);
}

bool walks_meet(const MeetWalk *a, const MeetWalk *b, MeetPiece *piece)
{
    int64_t mine[MEET_MOST_LOOPS + 1], other[MEET_MOST_LOOPS + 1];
    Search search = {.steps = MOST_STEPS};
    find_common(a, mine);
    find_common(b, other);
    Rest one = rest_of(a, mine), two = rest_of(b, other);
    bool meet = rests_meet(&search, &one, &two);
    *piece = search.piece;
    return meet;
}

// ---- whether they meet where others are not

typedef struct {
    Rest *others;
    int64_t count;
    Search search;
} Outside;

// Where the run that has the address ends; the address itself: it is in none.
static int64_t end_of_run(Outside *outside, const Rest *rest, int64_t at)
{
    int64_t first, last;
    if (at < rest->base || at >= rest->base + rest->extent || --outside->search.steps < 0)
        return at;
    if (!outer_loop(rest))
        return rest->base + rest->extent;
    iterations_reaching(rest, at, at + 1, &first, &last);
    for (int64_t i = last; i >= first; i--) {
        Rest one = inside(rest, i);
        int64_t end = end_of_run(outside, &one, at);
        if (end > at)
            return end;
    }
    return at;
}

// Where the first run of others behind an address begins, or `to`.
static int64_t next_run(Outside *outside, int64_t at, int64_t to)
{
    for (int64_t i = 0; i < outside->count; i++) {
        MeetWalk piece = {at, to - at, NULL, 0};
        int64_t none = 0;
        Rest one = rest_of(&piece, &none);
        Search search = {.steps = outside->search.steps};
        while (one.extent > 0 && search.steps > 0 &&
               rests_meet(&search, &one, &outside->others[i])) {
            to = search.piece.from;
            piece.run = one.extent = to - at;
        }
        outside->search.steps = search.steps;
    }
    return to;
}

// Whether there is something of [from, to) that others leave.
static bool is_left(Outside *outside, int64_t from, int64_t to)
{
    int64_t at = from, before;
    do {
        before = at;
        for (int64_t i = 0; i < outside->count && at < to; i++)
            at = end_of_run(outside, &outside->others[i], at);
    } while (at > before && at < to);
    if (at < to)
        outside->search.piece = (MeetPiece){at, max_i64(at + 1, next_run(outside, at, to))};
    return at < to;
}

// All iterations of both, one by one: what is in others differs between them.
static bool rests_meet_outside(Outside *outside, const Rest *a, const Rest *b)
{
    int64_t first, last;
    if (a->base + a->extent <= b->base || b->base + b->extent <= a->base)
        return false;
    const MeetLoop *mine = outer_loop(a), *other = outer_loop(b);
    if (--outside->search.steps < 0) {
        find_piece(&outside->search, a, b);
        return true;
    }
    if (!mine && !other)
        return is_left(outside, max_i64(a->base, b->base),
                       min_i64(a->base + a->extent, b->base + b->extent));
    if (strides_pass(a, b))
        return false;
    if (!mine || (other && other->stride > mine->stride))
        return rests_meet_outside(outside, b, a);
    iterations_reaching(a, b->base, b->base + b->extent, &first, &last);
    for (int64_t i = first; i <= last; i++) {
        Rest one = inside(a, i);
        if (rests_meet_outside(outside, &one, b))
            return true;
    }
    return false;
}

// A loop that all have and of which each iteration lies apart from the next one of any: what is
// true of one iteration is true of all.
static bool have_loop_alike(const Rest *rests, int64_t count)
{
    const MeetLoop *loop = outer_loop(&rests[0]);
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int64_t i = 0; i < count; i++) {
        const MeetLoop *own = outer_loop(&rests[i]);
        if (!loop || !own || own->size != loop->size || own->stride != loop->stride)
            return false;
        Rest one = inside(&rests[i], 0);
        low = min_i64(low, one.base);
        high = max_i64(high, one.base + one.extent);
    }
    return high - low <= loop->stride;
}

bool walks_meet_outside(const MeetWalk *a, const MeetWalk *b, const MeetWalk *others, int64_t count,
                        MeetPiece *piece)
{
    assert(count >= 0);
    int64_t commons[MEET_MOST_OTHERS + 2][MEET_MOST_LOOPS + 1];
    Rest rests[MEET_MOST_OTHERS + 2];
    int64_t all = min_i64(count, MEET_MOST_OTHERS) + 2;
    for (int64_t i = 0; i < all; i++) {
        const MeetWalk *walk = i == 0 ? a : i == 1 ? b : &others[i - 2];
        find_common(walk, commons[i]);
        rests[i] = rest_of(walk, commons[i]);
    }
    while (have_loop_alike(rests, all))
        for (int64_t i = 0; i < all; i++)
            rests[i] = inside(&rests[i], 0);
    Outside outside = {rests + 2, all - 2, {.steps = MOST_STEPS_OUTSIDE}};
    bool meet = rests_meet_outside(&outside, &rests[0], &rests[1]);
    *piece = outside.search.piece;
    return meet;
}

// ---- whether one has all of the other

static bool rest_covers(const Rest *a, const Rest *b)
{
    if (b->base < a->base || b->base + b->extent > a->base + a->extent)
        return false;
    const MeetLoop *mine = outer_loop(a), *other = outer_loop(b);
    if (!mine)
        return true;
    int64_t first = min_i64((b->base - a->base) / mine->stride, mine->size - 1);
    Rest one = inside(a, first);
    if (!other || other->stride != mine->stride)
        return rest_covers(&one, b);
    Rest two = inside(b, 0);
    return first + other->size <= mine->size && rest_covers(&one, &two);
}

bool walk_covers(const MeetWalk *a, const MeetWalk *b)
{
    Rest one = rest_of(a, NULL), two = rest_of(b, NULL);
    return rest_covers(&one, &two);
}
