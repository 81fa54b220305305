#include "command/cycles.h"

#include "base/checked.h"

// Listings show files that nobody verified, so that any number may be in them.
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return checked_mul(a, b, &product) ? product : INT64_MAX;
}

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    return checked_add(a, b, &sum) ? sum : INT64_MAX;
}

int64_t fetch_cycles(const HwFetch *fetch)
{
    return times(fetch->time, fetch->fetches_per_packet);
}

int64_t switch_cycles(const HwSwitchRoute *route)
{
    return times(times(route->ring_size, route->in_time), route->packet_flits);
}

int64_t transpose_cycles(const HwTranspose *transpose)
{
    int64_t in = transpose->in_flits, out = transpose->out_flits, count = transpose->iterations;
    if (!transpose->double_buffering)
        return times(count, plus(in, out));
    return plus(plus(in, times(max_i64(count, 1) - 1, max_i64(in, out))), out);
}
