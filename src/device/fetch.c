// From DM to flits: the Fetch, Switch and Collect Engine. A packet is fetched where it is needed,
// so that a slice alone makes its whole stream.
#include "device/data.h"
#include "device/internal.h"
#include "device/nest.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <stdlib.h>
#include <string.h>

// One slice whose packets are fetched.
typedef struct {
    const HwFetch *fetch;
    const Memory *dm;
    bool has_data;
    const HwMask *mask; // NULL: none
    uint8_t *data;      // room for a packet: what is no padding
} SliceSource;

static bool find_source(const ClusterRun *run, int64_t slice, SliceSource *source)
{
    const HwFetch *fetch = &run->pass->fetch;
    int64_t chip = run->first_chip + run->chip, cluster = run->first_cluster + run->cluster;
    const Slice *at = run_slice(run, slice);
    slice += run->first_slice;
    source->fetch = fetch;
    source->has_data =
        at && bits_have(fetch->bitmaps.items, fetch->bitmaps.count, chip, cluster, slice);
    source->dm = at ? &at->dm : NULL;
    source->mask = NULL;
    for (int64_t i = 0; i < fetch->masks.count; i++) {
        const HwMask *mask = &fetch->masks.items[i];
        if (!mask->bitmaps.count ||
            bits_have(mask->bitmaps.items, mask->bitmaps.count, chip, cluster, slice))
            source->mask = mask;
    }
    return source->has_data;
}

// ---- the sequencer

static void read_packet(const SliceSource *source, int64_t packet, uint32_t *bits, uint8_t *tags)
{
    const HwFetch *fetch = source->fetch;
    int64_t bases = fetch->bases.count, count = fetch->packet_elements;
    int64_t shift = (fetch->bases.items[packet % bases] - fetch->nest.base) * BYTE_BITS;
    NestWalk walk;
    nest_seek(&walk, &fetch->nest, packet / bases * count);
    for (int64_t done = 0, run, bit; done < count; done += run) {
        run = nest_take(&walk, min_i64(count - done, ELEMENT_BLOCK), &bit);
        memory_load(source->dm, fetch->type, bit + shift, run, bits + done, tags + done);
    }
}

// ---- the adapter

// An index beyond the table has no value.
static Scalar look_up(const HwTable *table, Scalar type, int64_t count, uint32_t *bits,
                      uint8_t *tags)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t index = bits[i] & low_bits(scalar_traits[type].bits);
        bool found = index < table->entries.count;
        bits[i] = found ? (uint32_t)table->entries.items[index] : 0;
        tags[i] = found ? tags[i] : 0;
    }
    return table->type;
}

static void adapt_packet(const HwFetch *fetch, int64_t packet, uint32_t *bits, uint8_t *tags)
{
    int64_t count = fetch->packet_elements, points = fetch->zero_points.count;
    Scalar type = fetch->type;
    if (fetch->table)
        type = look_up(fetch->table, type, count, bits, tags);
    if (type != fetch->cast)
        scalar_convert_all(type, fetch->cast, bits, count);
    if (!points)
        return;
    uint32_t point = (uint32_t)fetch->zero_points.items[packet % fetch->bases.count % points];
    for (int64_t i = 0; i < count; i++)
        bits[i] = scalar_wrap(fetch->cast, bits[i] - point);
}

static void pad_lane(const HwFetch *fetch, uint32_t *bits, uint8_t *tag)
{
    *bits = (uint32_t)fetch->pad_value;
    *tag = TAG_LIVE;
}

static void fetch_packet(const SliceSource *source, int64_t packet, uint32_t *bits, uint8_t *tags)
{
    const HwFetch *fetch = source->fetch;
    int64_t count = fetch->packet_elements;
    if (source->has_data) {
        read_packet(source, packet, bits, tags);
        adapt_packet(fetch, packet, bits, tags);
    }
    if (source->has_data && !source->mask)
        return;
    if (source->has_data) {
        DataTest test = {source->mask->checks.items, source->mask->checks.count};
        data_lanes(&test, packet * count, count, source->data);
    } else {
        memset(source->data, 0, (size_t)count);
    }
    for (int64_t i = 0; i < count; i++)
        if (!source->data[i])
            pad_lane(fetch, &bits[i], &tags[i]);
}

// ---- switch and collect

// Where packet `time` of a slice comes from. False: nowhere.
static bool find_route(const HwSwitchRoute *route, int64_t slice, int64_t time, int64_t *from_slice,
                       int64_t *from_time)
{
    *from_slice = *from_time = 0;
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        int64_t digit = (term->of_time ? time : slice) / term->place % term->extent;
        if (digit >= term->size)
            return false;
        *from_slice += digit * term->slice_stride;
        *from_time += digit * term->time_stride;
    }
    return true;
}

static void fill_packet(const ClusterRun *run, int64_t slice, int64_t time, SliceSource *source,
                        int64_t *held, uint32_t *bits, uint8_t *tags)
{
    const HwSwitchRoute *route = run->pass->route;
    int64_t from = slice, packet = time;
    if (route && !find_route(route, slice, time, &from, &packet)) {
        memset(tags, TAG_LIVE, (size_t)run->pass->fetch.packet_elements);
        return;
    }
    if (from != *held)
        find_source(run, from, source);
    *held = from;
    fetch_packet(source, packet, bits, tags);
}

bool fetch_run(const ClusterRun *run, int64_t slice, Stream *out)
{
    const HwFetch *fetch = &run->pass->fetch;
    const HwCollect *collect = run->pass->collect;
    int64_t flit = run->device->machine->flit_bytes * BYTE_BITS;
    int64_t lanes = fetch->packet_elements, flits = 1;
    int64_t time = run->pass->route ? run->pass->route->out_time : fetch->time;
    if (collect) {
        lanes = flit / scalar_traits[fetch->cast].packet_bits;
        flits = collect->flits_per_packet;
    }
    SliceSource source = {.data = malloc((size_t)fetch->packet_elements + 1)};
    int64_t held = -1;
    if (!source.data ||
        !stream_new(device_scratch(run->device), out, fetch->cast, time * flits, lanes)) {
        free(source.data);
        return false;
    }
    for (int64_t t = 0; t < time; t++) {
        int64_t at = t * flits * lanes;
        fill_packet(run, slice, t, &source, &held, out->bits + at, out->tags + at);
        for (int64_t i = fetch->packet_elements; i < flits * lanes; i++)
            out->tags[at + i] = TAG_LIVE; // zeros behind the packet
    }
    free(source.data);
    return true;
}

// ---- the plan

bool fetch_plan_new(const Device *device, const HwPipeline *pass, FetchPlan **plan)
{
    (void)device;
    (void)pass;
    (void)plan;
    return true;
}

void fetch_plan_free(FetchPlan *plan)
{
    (void)plan;
}
