#include "device/route.h"

#include "base/checked.h"

// ---- one packet

static bool add_terms(const HwSwitchRoute *route, bool of_time, int64_t number, int64_t *from_slice,
                      int64_t *from_time)
{
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        if (term->of_time != of_time)
            continue;
        int64_t digit = number / term->place % term->extent;
        if (digit >= term->size)
            return false;
        *from_slice += digit * term->slice_stride;
        *from_time += digit * term->time_stride;
    }
    return true;
}

bool route_slice(const Route *route, int64_t slice, int64_t *from_slice, int64_t *from_time)
{
    *from_slice = *from_time = 0;
    return add_terms(route->route, false, slice, from_slice, from_time);
}

bool route_packet(const Route *route, int64_t slice, int64_t time, int64_t *from_slice,
                  int64_t *from_time)
{
    return route_slice(route, slice, from_slice, from_time) &&
           add_terms(route->route, true, time, from_slice, from_time);
}

// ---- all of them

// The next term of time, from the inside.
static const HwRouteTerm *next_term(const HwSwitchRoute *route, const HwRouteTerm *behind)
{
    const HwRouteTerm *found = NULL;
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        bool is_next = term->of_time && (!behind || term->place > behind->place);
        if (is_next && (!found || term->place < found->place))
            found = term;
    }
    return found;
}

static int64_t count_terms(const HwSwitchRoute *route)
{
    int64_t count = 0;
    for (int64_t i = 0; i < route->terms.count; i++)
        count += route->terms.items[i].of_time;
    return count;
}

static void push_loop(Route *route, RouteLoop loop)
{
    if (loop.size != 1)
        route->loops[route->count++] = loop;
}

// Loops from the inside. False: the digits do not nest, or the outermost one ends early.
static bool make_loops(Route *route)
{
    const HwSwitchRoute *from = route->route;
    const HwRouteTerm *term = NULL;
    int64_t place = 1, left = count_terms(from);
    while ((term = next_term(from, term))) {
        int64_t extent = min_i64(term->extent, max_i64(1, from->out_time / term->place));
        int64_t size = min_i64(term->size, extent), outside = term->place * extent;
        if (size < 1 || term->place % place || from->out_time % outside)
            return false;
        push_loop(route, (RouteLoop){term->place / place, place, 0, 0});
        push_loop(route, (RouteLoop){size, term->place, term->slice_stride, term->time_stride});
        route->has_zeros |= size < extent;
        place = outside;
        left--;
    }
    push_loop(route, (RouteLoop){from->out_time / place, place, 0, 0});
    return left == 0; // otherwise two are at one place
}

// How far inside a loop belongs: those that stay with a source, and there the next packets.
static int rank(const RouteLoop *loop)
{
    return loop->slice_stride ? 0 : loop->time_stride == 1 ? 2 : 1;
}

// From the outside then; loops of one rank stay in their order.
static void sort_loops(Route *route)
{
    for (int64_t i = 1; i < route->count; i++) {
        RouteLoop loop = route->loops[i];
        int64_t k = i;
        for (; k > 0 && rank(&route->loops[k - 1]) >= rank(&loop); k--)
            route->loops[k] = route->loops[k - 1];
        route->loops[k] = loop;
    }
}

static bool goes_on(const RouteLoop *outer, const RouteLoop *inner)
{
    return outer->place == inner->size * inner->place &&
           outer->slice_stride == inner->size * inner->slice_stride &&
           outer->time_stride == inner->size * inner->time_stride;
}

static void merge_loops(Route *route)
{
    int64_t kept = 0;
    for (int64_t i = 1; i < route->count; i++) {
        RouteLoop *outer = &route->loops[kept];
        if (goes_on(outer, &route->loops[i])) {
            int64_t size = outer->size * route->loops[i].size;
            *outer = route->loops[i];
            outer->size = size;
        } else {
            route->loops[++kept] = route->loops[i];
        }
    }
    route->count = min_i64(route->count, kept + 1);
}

void route_plan(Route *route, const HwSwitchRoute *from)
{
    *route = (Route){.route = from};
    if (!make_loops(route))
        route->count = 0;
    sort_loops(route);
    merge_loops(route);
}
