#include "command/cycles.h"

#include "base/checked.h"

int64_t fetch_cycles(const HwFetch *fetch)
{
    return fetch->time * fetch->fetches_per_packet;
}

int64_t switch_cycles(const HwSwitchRoute *route)
{
    return route->ring_size * route->in_time * route->packet_flits;
}

int64_t transpose_cycles(const HwTranspose *transpose)
{
    int64_t in = transpose->in_flits, out = transpose->out_flits, count = transpose->iterations;
    if (!transpose->double_buffering)
        return count * (in + out);
    return in + (count - 1) * max_i64(in, out) + out;
}
