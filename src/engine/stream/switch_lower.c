#include "engine/lower/lower.h"
#include "engine/stream/switch.h"

#include "base/checked.h"

enum { BITMAP_WORD_BITS = 64, REGISTER_BITS = 32 };

static const RouterMode modes[SWITCH_COUNT] = {
    [SWITCH_BROADCAST01] = ROUTER_BROADCAST01,
    [SWITCH_BROADCAST1] = ROUTER_BROADCAST1,
    [SWITCH_TRANSPOSE] = ROUTER_TRANSPOSE,
    [SWITCH_INTER_TRANSPOSE] = ROUTER_INTER_TRANSPOSE,
    [SWITCH_TRANSPOSED_BROADCAST1] = ROUTER_TRANSPOSED_BROADCAST1,
    [SWITCH_CUSTOM_BROADCAST] = ROUTER_CUSTOM,
};

// ---- snoop bitmaps

// The slice that gives the packets of `slice`, but for what Time adds to it; -1: it gets none.
static int64_t first_source(const HwSwitchRoute *route, int64_t slice)
{
    int64_t source = 0;
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        int64_t digit = slice / term->place % term->extent;
        if (term->of_time)
            continue;
        if (digit >= term->size)
            return -1;
        source += digit * term->slice_stride;
    }
    return source;
}

// Marks `source` and whatever the digits of Time from `index` on add to it.
static void mark_sources(const HwSwitchRoute *route, int64_t index, int64_t source, HwSnoopRow *row)
{
    while (index < route->terms.count &&
           !(route->terms.items[index].of_time && route->terms.items[index].slice_stride))
        index++;
    if (index == route->terms.count) {
        row->sources.items[source / BITMAP_WORD_BITS] |= UINT64_C(1) << source % BITMAP_WORD_BITS;
        return;
    }
    const HwRouteTerm *term = &route->terms.items[index];
    for (int64_t i = 0; i < term->size; i++)
        mark_sources(route, index + 1, source + i * term->slice_stride, row);
}

static void snoop_lower(const Lower *lower, int64_t slices, HwSwitchRoute *route)
{
    for (int64_t slice = 0; slice < slices; slice++) {
        HwSnoopRow *row = array_push(lower->arena, &route->snoop, HwSnoopRow);
        for (int64_t i = 0; i < ceil_div(slices, BITMAP_WORD_BITS); i++)
            *array_push(lower->arena, &row->sources, uint64_t) = 0;
        int64_t source = first_source(route, slice);
        if (source >= 0)
            mark_sources(route, 0, source, row);
    }
}

// ---- switch

static void topology_lower(const Switching *switching, HwSwitchRoute *out)
{
    const SwitchConfig *config = &switching->config;
    bool custom = config->kind == SWITCH_CUSTOM_BROADCAST;
    bool swaps = config->kind == SWITCH_INTER_TRANSPOSE;
    bool has_time0 = swaps || config->kind == SWITCH_BROADCAST01;
    out->mode = modes[config->kind];
    out->slice1 = custom ? 1 : config->slice1;
    out->slice0 = custom ? 1 : config->slice0;
    out->ring_size = custom ? config->ring_size : out->slice1 * out->slice0;
    out->slice2 = switching->in_slice->size / out->ring_size;
    out->time0 = has_time0 ? config->time0 : 1;
    out->time1 = swaps ? out->slice1 : switching->in_time->size / out->time0;
    out->time2 = switching->in_time->size / (out->time1 * out->time0);
}

bool switch_lower(const Lower *lower, const Stage *stage, HwSwitchRoute *out)
{
    Verify verify = {.arena = lower->scratch,
                     .diags = lower->diags,
                     .machine = lower->machine,
                     .program = lower->program};
    Switching switching = switching_of(&verify, stage);
    int64_t slices = switching.in_slice->size;
    *out =
        (HwSwitchRoute){.in_time = switching.in_time->size, .out_time = switching.out_time->size};
    topology_lower(&switching, out);
    scalar_bytes(stage->type, stage->dims[LEVEL_PACKET]->mapping.size, &out->packet_bytes);
    out->packet_flits = ceil_div(out->packet_bytes, lower->machine->flit_bytes);
    RouteTerms terms = switch_terms(&switching);
    for (int64_t i = 0; i < terms.count; i++)
        *array_push(lower->arena, &out->terms, HwRouteTerm) = terms.items[i];
    snoop_lower(lower, slices, out);
    out->writes_registers = out->mode == ROUTER_CUSTOM;
    out->register_writes = out->writes_registers ? slices * ceil_div(slices, REGISTER_BITS) : 0;
    return true;
}

// ---- collect

bool collect_lower(const Lower *lower, const Stage *stage, HwCollect *out)
{
    int64_t flit = lower->machine->flit_bytes, packet = 0;
    scalar_bytes(stage->type, stage->before->dims[LEVEL_PACKET]->mapping.size, &packet);
    out->in_packet_bytes = packet;
    out->flits_per_packet = ceil_div(packet, flit);
    out->pad_bytes = out->flits_per_packet * flit - packet;
    out->flits = stage->dims[LEVEL_TIME]->mapping.size;
    return true;
}
