// Topologies of the Switch Engine, with what each makes of Slice and Time.
#include "draft.h"

#include "base/checked.h"

enum { MOST_STEPS = 512 };

typedef struct {
    Draft *draft;
    Stream *stream;
    int64_t slice1, slice0, time0;
    Parts high, one, zero; // of Slice: outside of both, slice1 and slice0 of it
    Parts slice, time;     // what comes out
} Topology;

// Slices that hold the same: of a new axis, or some empty.
static void add_new(Topology *topology, int64_t size)
{
    Draft *draft = topology->draft;
    if (size > 1)
        parts_add(&topology->slice, chance(draft->choices, 30)
                                        ? part_padding(size)
                                        : draft_part(draft, draft_axis(draft, size, size)));
}

static bool cut_slices(Topology *topology)
{
    Parts low;
    return parts_split(&topology->stream->slice, topology->slice1 * topology->slice0,
                       &topology->high, &low) &&
           parts_split(&low, topology->slice0, &topology->one, &topology->zero);
}

static bool broadcast01(Topology *topology)
{
    Parts outer, inner, *time = &topology->time;
    if (!parts_split(&topology->stream->time, topology->time0, &outer, &inner))
        return false;
    topology->slice = topology->high;
    add_new(topology, topology->slice1 * topology->slice0);
    *time = outer;
    parts_add_all(time, &topology->one);
    parts_add_all(time, &inner);
    parts_add_all(time, &topology->zero);
    return true;
}

static bool broadcast1(Topology *topology)
{
    topology->slice = topology->high;
    add_new(topology, topology->slice1);
    parts_add_all(&topology->slice, &topology->zero);
    topology->time = topology->stream->time;
    parts_add_all(&topology->time, &topology->one);
    return true;
}

static bool transpose(Topology *topology)
{
    topology->slice = topology->high;
    parts_add_all(&topology->slice, &topology->zero);
    parts_add_all(&topology->slice, &topology->one);
    topology->time = topology->stream->time;
    return true;
}

static bool inter_transpose(Topology *topology)
{
    Parts outer, inner, middle, low;
    if (!parts_split(&topology->stream->time, topology->slice1 * topology->time0, &outer, &inner) ||
        !parts_split(&inner, topology->time0, &middle, &low))
        return false;
    topology->slice = topology->high;
    parts_add_all(&topology->slice, &middle);
    parts_add_all(&topology->slice, &topology->zero);
    topology->time = outer;
    parts_add_all(&topology->time, &low);
    parts_add_all(&topology->time, &topology->one);
    return true;
}

static bool transposed_broadcast1(Topology *topology)
{
    topology->slice = topology->high;
    add_new(topology, topology->slice0);
    parts_add_all(&topology->slice, &topology->one);
    topology->time = topology->stream->time;
    parts_add_all(&topology->time, &topology->zero);
    return true;
}

// The outermost part of the ring moves, so that it is the whole ring that data moves in: into Time,
// with a new axis in its place, or to another place in Slice.
static bool custom(Topology *topology)
{
    bool moves = !topology->zero.count || chance(topology->draft->choices, 50);
    topology->slice = topology->high;
    topology->time = topology->stream->time;
    if (moves) {
        add_new(topology, topology->slice1);
        parts_add_all(&topology->slice, &topology->zero);
        parts_add_all(&topology->time, &topology->one);
        return true;
    }
    if (chance(topology->draft->choices, 50))
        draft_shuffle(topology->draft, &topology->zero, 0, topology->zero.count);
    parts_add_all(&topology->slice, &topology->zero);
    parts_add_all(&topology->slice, &topology->one);
    return true;
}

static bool (*const makers[SWITCH_COUNT])(Topology *) = {
    [SWITCH_BROADCAST01] = broadcast01,
    [SWITCH_BROADCAST1] = broadcast1,
    [SWITCH_TRANSPOSE] = transpose,
    [SWITCH_INTER_TRANSPOSE] = inter_transpose,
    [SWITCH_TRANSPOSED_BROADCAST1] = transposed_broadcast1,
    [SWITCH_CUSTOM_BROADCAST] = custom,
};

static int64_t field_of(const Topology *topology, int64_t field)
{
    return field == 0 ? topology->slice1 : field == 1 ? topology->slice0 : topology->time0;
}

static void print_switch(const Topology *topology, SwitchKind kind, StrBuf *out)
{
    const SwitchInfo *info = &switches[kind];
    buf_format(out, "{}", info->name);
    for (int64_t i = 0; i < SWITCH_FIELDS && info->fields[i]; i++)
        buf_format(out, " {}={}", info->fields[i],
                   kind == SWITCH_CUSTOM_BROADCAST ? topology->slice1 * topology->slice0
                                                   : field_of(topology, i));
}

void stream_switch(Draft *draft, Stream *stream)
{
    Choices *choices = draft->choices;
    SwitchKind kind = (SwitchKind)choose(choices, SWITCH_COUNT);
    int64_t bits = choose(choices, choose(choices, 4) ? 5 : draft->slice_bits + 1);
    int64_t low = choose(choices, bits + 1);
    Topology topology = {.draft = draft,
                         .stream = stream,
                         .slice1 = (int64_t)1 << (bits - low),
                         .slice0 = (int64_t)1 << low,
                         .time0 = 1 + choose(choices, 4)};
    StrBuf out = {.arena = draft->arena};
    if (!cut_slices(&topology) || !makers[kind](&topology) ||
        parts_size(&topology.time) * parts_size(&stream->packet) > MOST_STEPS * 8)
        return;
    print_switch(&topology, kind, &out);
    stream->slice = topology.slice;
    stream->time = topology.time;
    stage_add(stream, "switch {} slice {} time {}", buf_str(&out),
              draft_print(draft, &stream->slice), draft_print(draft, &stream->time));
}
