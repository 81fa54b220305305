#include "device/along.h"

#include "base/checked.h"
#include "base/heap.h"
#include "command/nest.h"
#include "scalar/bits.h"

#include <string.h>

// Streams have fewer elements than one step of a loop that takes as many.
#define MOST_INSIDE (INT64_C(1) << 40)
enum { MOST_SPAN = 1 << 16 };

// ---- the plan

static int64_t offset_at(const AlongLoop *loop, int64_t index)
{
    return loop->offsets ? loop->offsets[index] : index * loop->stride;
}

// From the inside out: how many elements of the stream a step takes, and the offset it leads to.
static void set_loops(AlongPlan *plan, const Nest *nest)
{
    plan->count = nest->count;
    for (int64_t i = nest->count - 1, inside = 1; i >= 0; i--) {
        const NestLoop *from = &nest->loops[i];
        AlongLoop *loop = &plan->loops[i];
        int64_t size = min_i64(from->size, ceil_div(MOST_INSIDE, inside)), least, most;
        *loop = (AlongLoop){inside, from->strides[0], from->offsets};
        least = most = offset_at(loop, 0);
        for (int64_t k = from->offsets ? 0 : size - 1; k < size; k++) {
            least = min_i64(least, offset_at(loop, k));
            most = max_i64(most, offset_at(loop, k));
        }
        plan->least += least;
        plan->most += most;
        inside = min_i64(saturating_mul(inside, size), MOST_INSIDE);
    }
}

// Whether the loops inside a packet walk its lanes exactly.
static bool fills_packet(const HwNest *nest, int64_t lanes)
{
    int64_t all = 1;
    for (int64_t i = 0; i < nest->loops.count && all <= lanes; i++)
        if (nest->loops.items[i].packet)
            all *= nest->loops.items[i].size;
    return all == lanes;
}

bool along_plan_new(AlongPlan *plan, const HwNest *nest, int64_t lanes)
{
    int64_t room = nest->loops.count + 2;
    if (lanes < 1)
        return true;
    *plan = (AlongPlan){.lanes = lanes,
                        .loops = heap_zeroed(room, sizeof *plan->loops),
                        .table = heap_zeroed(lanes, sizeof *plan->table)};
    if (!plan->loops || !plan->table)
        return false;
    Nest all = {.loops = {{.size = MOST_INSIDE}}, .count = 1}; // repeats
    nest_add(&all, &nest->loops, LOOPS_BETWEEN);
    if (fills_packet(nest, lanes)) {
        nest_add(&all, &nest->loops, LOOPS_PACKET);
    } else {
        for (int64_t i = 0; i < lanes; i++)
            plan->table[i] = loops_offset(&nest->loops, LOOPS_PACKET, i);
        all.loops[all.count++] = (NestLoop){lanes, {0}, plan->table};
    }
    all.count = loops_join(all.loops, all.count);
    set_loops(plan, &all);
    return true;
}

void along_plan_free(AlongPlan *plan)
{
    heap_free(plan->loops);
    heap_free(plan->table);
    *plan = (AlongPlan){0};
}

// ---- one slice

static bool take_room(Scratch *scratch, int64_t count, Along *along)
{
    along->own_bits = scratch_take(scratch, (count + 1) * (int64_t)sizeof *along->bits);
    along->own_live = scratch_take(scratch, count + 1);
    along->bits = along->own_bits;
    along->live = along->own_live;
    return along->own_bits && along->own_live;
}

// Whatever the nest says, element by element.
static bool read_plainly(Scratch *scratch, const AlongSource *source, const Stream *stream,
                         Along *along)
{
    const HwNest *nest = source->nest;
    int64_t lanes = stream->lanes, all = stream->time * lanes;
    if (!take_room(scratch, all, along))
        return false;
    uint32_t *bits = along->own_bits;
    uint8_t *live = along->own_live;
    for (int64_t i = 0; i < all; i++) {
        int64_t at = loops_offset(&nest->loops, LOOPS_BETWEEN, i / lanes) +
                     loops_offset(&nest->loops, LOOPS_PACKET, i % lanes);
        if (source->vrf) {
            memory_load(source->vrf, source->type, nest->base * BYTE_BITS + at * nest->element_bits,
                        1, &bits[i], &live[i]);
            continue;
        }
        const Stream *stash = source->stash;
        bool held = at >= 0 && at < stash->time * stash->lanes;
        bits[i] = held ? stash->bits[at] : 0;
        live[i] = held && (!stash->tags || stash->tags[at] & TAG_LIVE);
    }
    return true;
}

// Words of VRF that all have a value are read where they lie. False: they do not.
static bool open_in_place(const AlongSource *source, Along *along)
{
    enum { WORD = 4 };
    const AlongPlan *plan = source->plan;
    int64_t from = source->nest->base + plan->least * WORD;
    int64_t to = source->nest->base + (plan->most + 1) * WORD;
    if (scalar_traits[source->type].storage_bits != WORD * BYTE_BITS || source->nest->base % WORD ||
        !memory_holds(source->vrf, from, to) || !memory_is_written(source->vrf, from, to))
        return false;
    along->bits = (const uint32_t *)(const void *)(source->vrf->bytes + from);
    along->zero = -plan->least;
    return true;
}

static bool copy_vrf(Scratch *scratch, const AlongSource *source, Along *along)
{
    const AlongPlan *plan = source->plan;
    const HwNest *nest = source->nest;
    int64_t span = plan->most - plan->least + 1;
    if (!take_room(scratch, span, along))
        return false;
    for (int64_t i = 0; i < span; i += ELEMENT_BLOCK) {
        int64_t bit = nest->base * BYTE_BITS + (plan->least + i) * nest->element_bits;
        memory_load(source->vrf, source->type, bit, min_i64(span - i, ELEMENT_BLOCK),
                    (uint32_t *)along->own_bits + i, (uint8_t *)along->own_live + i);
    }
    along->zero = -plan->least;
    return true;
}

bool along_open(Scratch *scratch, const AlongSource *source, const Stream *stream, Along *along)
{
    const AlongPlan *plan = source->plan;
    *along = (Along){.plan = plan};
    if (plan->lanes == stream->lanes && source->vrf && open_in_place(source, along))
        return true;
    if (plan->lanes == stream->lanes && source->vrf && plan->most - plan->least < MOST_SPAN)
        return copy_vrf(scratch, source, along);
    if (plan->lanes == stream->lanes && !source->vrf && plan->least >= 0 &&
        plan->most < source->stash->time * source->stash->lanes) {
        along->bits = source->stash->bits;
        along->live = source->stash->tags;
        return true;
    }
    along->plan = NULL;
    return read_plainly(scratch, source, stream, along);
}

void along_close(Scratch *scratch, Along *along)
{
    scratch_give(scratch, along->own_bits);
    scratch_give(scratch, along->own_live);
    *along = (Along){0};
}

// ---- reading

// Elements [from, to) of the loops; `at` is the offset of those outside.
#define READER(name, type)                                                                       \
    static void name##_last(const AlongLoop *loop, const type *source, int64_t at, int64_t from, \
                            int64_t to, type *out)                                               \
    {                                                                                            \
        if (loop->offsets)                                                                       \
            for (int64_t i = from; i < to; i++)                                                  \
                out[i - from] = source[at + loop->offsets[i]];                                   \
        else if (loop->stride == 1)                                                              \
            memcpy(out, source + at + from, (to - from) * sizeof *out);                          \
        else if (loop->stride == 0)                                                              \
            for (type value = source[at], *end = out + to - from; out < end; out++)              \
                *out = value;                                                                    \
        else                                                                                     \
            for (int64_t i = from; i < to; i++)                                                  \
                out[i - from] = source[at + i * loop->stride];                                   \
    }                                                                                            \
    static void name(const AlongLoop *loop, int64_t count, const type *source, int64_t at,       \
                     int64_t from, int64_t to, type *out)                                        \
    {                                                                                            \
        if (count == 1) {                                                                        \
            name##_last(loop, source, at, from, to, out);                                        \
            return;                                                                              \
        }                                                                                        \
        int64_t inside = loop->inside, index = from / inside, start = from % inside;             \
        int64_t all = to - from,                                                                 \
                once = loop->stride || loop->offsets ? all : min_i64(all, inside);               \
        for (int64_t done = 0, part; done < once; done += part, start = 0, index++) {            \
            part = min_i64(inside - start, once - done);                                         \
            name(loop + 1, count - 1, source, at + offset_at(loop, index), start, start + part,  \
                 out + done);                                                                    \
        }                                                                                        \
        for (int64_t done = once; done < all; done *= 2) /* the same again */                    \
            memcpy(out + done, out, min_i64(done, all - done) * sizeof *out);                    \
    }

READER(read_words, uint32_t)
READER(read_bytes, uint8_t)

// One element behind the other, and that again and again.
static bool is_straight(const AlongPlan *plan)
{
    return plan->count == 2 && !plan->loops[0].stride && !plan->loops[0].offsets &&
           plan->loops[1].stride == 1 && !plan->loops[1].offsets;
}

const uint32_t *along_bits(const Along *along, int64_t from, int64_t count, uint32_t *room,
                           bool *is_one)
{
    const AlongPlan *plan = along->plan;
    *is_one = plan &&
              (!plan->count || (plan->count == 1 && !plan->loops->stride && !plan->loops->offsets));
    if (!plan)
        return along->bits + from;
    if (*is_one)
        return along->bits + along->zero;
    if (is_straight(plan) && from % plan->loops->inside + count <= plan->loops->inside)
        return along->bits + along->zero + from % plan->loops->inside;
    read_words(plan->loops, plan->count, along->bits, along->zero, from, from + count, room);
    return room;
}

const uint8_t *along_live(const Along *along, int64_t from, int64_t count, uint8_t *room)
{
    const AlongPlan *plan = along->plan;
    if (!along->live)
        return NULL;
    if (!plan)
        return along->live + from;
    if (plan->count)
        read_bytes(plan->loops, plan->count, along->live, along->zero, from, from + count, room);
    else
        memset(room, along->live[along->zero], count);
    return room;
}
