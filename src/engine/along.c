#include "engine/along.h"

#include "base/checked.h"
#include "mapping/divide.h"

typedef struct {
    const Lower *lower;
    HwNest *out;
    int64_t packet; // lanes
} Along;

static void add_loop(const Along *along, int64_t size, int64_t stride, bool packet, Str term)
{
    if (size <= 1)
        return;
    HwLoop *loop = array_push(along->lower->arena, &along->out->loops, HwLoop);
    *loop = (HwLoop){.size = size, .stride = stride, .packet = packet, .term = term};
}

// A digit of the stream from position `low` on up to `high`, cut where packets end: a loop lies in
// Time or in Packet.
static void add_digit(const Along *along, int64_t low, int64_t high, int64_t stride, Str term)
{
    int64_t lanes = along->packet;
    if (low < lanes && high > lanes) {
        add_loop(along, ceil_div(high, lanes), stride * (lanes / low), false, term);
        add_loop(along, lanes / low, stride, true, term);
    } else {
        add_loop(along, ceil_div(high, low), stride, low < lanes, term);
    }
}

static Str match_text(const Along *along, const Match *match)
{
    StrBuf text = {.arena = along->lower->arena};
    term_print(&text, &match->term, match->resize);
    return buf_str(&text);
}

// Steps between this digit and the next one outside it belong to neither: a broadcast, or padding
// round the digit where they are no whole number of it.
static void add_digits(const Along *along, const Division *division, int64_t size)
{
    int64_t outside = size;
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        int64_t low = match->dividend_stride, end = low * max_i64(match->extent, match->room);
        if (outside % end == 0 && outside > end) {
            add_digit(along, end, outside, 0, (Str){0});
            outside = end;
        }
        add_digit(along, low, outside, match->divisor_stride, match_text(along, match));
        outside = low;
    }
    if (outside > 1)
        add_digit(along, 1, outside, 0, (Str){0});
}

bool along_lower(const Lower *lower, const Mapping *time, const Mapping *packet,
                 const Mapping *buffer, Scalar type, HwNest *out)
{
    Mapping stream = mapping_pair(lower->scratch, time, packet);
    Division division = mapping_divide(lower->scratch, &stream, buffer, DIVIDE_RELAXED, 1);
    Along along = {.lower = lower, .out = out, .packet = packet->size};
    *out = (HwNest){.element_bits = scalar_traits[type].storage_bits,
                    .access_bytes = scalar_traits[type].storage_bits / 8};
    if (!division.exact)
        return false;
    add_digits(&along, &division, stream.size);
    return true;
}
