#include "command/meet.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4096 }; // that a pair of walks is worth

// ---- walks

static int compare_loops(const void *a, const void *b)
{
    const MeetLoop *x = a, *y = b;
    return (x->stride < y->stride) - (x->stride > y->stride);
}

// One loop for two neighbours; false: there is none.
static bool join_two(const MeetLoop *outer, const MeetLoop *inner, MeetLoop *joined)
{
    if (outer->stride == inner->stride)
        *joined = (MeetLoop){outer->size + inner->size - 1, inner->stride};
    else if (outer->stride == inner->stride * inner->size)
        *joined = (MeetLoop){outer->size * inner->size, inner->stride};
    else
        return false;
    return true;
}

void meet_join(MeetLoop *loops, int64_t *count, int64_t *run)
{
    if (*count)
        qsort(loops, (size_t)*count, sizeof *loops, compare_loops);
    while (*count && loops[*count - 1].stride <= *run) {
        const MeetLoop *loop = &loops[--*count];
        *run += (loop->size - 1) * loop->stride;
    }
    for (int64_t i = *count - 1; i > 0; i--) {
        MeetLoop *outer = &loops[i - 1], *inner = &loops[i];
        if (!join_two(outer, inner, outer))
            continue;
        memmove(inner, inner + 1, sizeof *inner * (size_t)(*count - 1 - i));
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
    int64_t at;
} Search;

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

// The iterations of a's outer loop that reach what `b` lies in.
static bool iterations_meet(Search *search, const Rest *a, const Rest *b)
{
    const MeetLoop *loop = outer_loop(a);
    Rest one = inside(a, 0);
    int64_t first = floor_div(b->base - one.base - one.extent, loop->stride) + 1;
    int64_t last = floor_div(b->base + b->extent - one.base - 1, loop->stride);
    first = max_i64(first, 0);
    last = min_i64(last, loop->size - 1);
    for (int64_t i = first; i <= last; i++) {
        one = inside(a, i);
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
        search->at = max_i64(a->base, b->base);
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

bool walks_meet(const MeetWalk *a, const MeetWalk *b, int64_t *at)
{
    int64_t mine[MEET_MOST_LOOPS + 1], other[MEET_MOST_LOOPS + 1];
    Search search = {.steps = MOST_STEPS};
    find_common(a, mine);
    find_common(b, other);
    Rest one = rest_of(a, mine), two = rest_of(b, other);
    bool meet = rests_meet(&search, &one, &two);
    *at = search.at;
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
