// Reductions of the Vector Engine: inside a slice, and between slices. What has no value, or is
// padding, is passed over; the first is taken as it is.
#include "device/vector.h"

#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "device/data.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST_LOOPS = 64 };

// ---- inside a slice

// Digits of time, innermost first; neighbours that are both kept, or both reduced, are one.
typedef struct {
    int64_t size[MOST_LOOPS];
    bool reduced[MOST_LOOPS];
    int64_t count;
} TimeLoops;

typedef struct {
    const LaneLoops *loops;
    VectorOp op;
    bool is_tree;   // the lanes of a packet are combined
    bool has_loops; // for packets that are alike
    int64_t lanes;  // that a packet then has
    uint8_t tag;    // of all elements, if there are no tags
    Stream *in;
    Stream out;
} Reducer;

static void find_loops(const HwLaneReduce *reduce, TimeLoops *loops)
{
    loops->count = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwReduceLoop *loop = &reduce->loops.items[i];
        int64_t last = loops->count - 1;
        bool joins = last >= 0 && loops->reduced[last] == loop->reduced;
        int64_t size = joins ? loops->size[last] : 1;
        if (!joins)
            last = loops->count++;
        loops->reduced[last] = loop->reduced;
        loops->size[last] = loop->size > INT64_MAX / size ? INT64_MAX : size * loop->size;
    }
    if (!loops->count)
        *loops = (TimeLoops){.size = {1}, .count = 1};
}

static void combine_one(const Reducer *reducer, uint32_t *bits, uint8_t *tag, uint32_t next,
                        uint8_t next_tag)
{
    uint32_t result = 0;
    LaneArguments both = {{bits, &next, bits}, 0};
    reducer->loops->apply[reducer->op](&both, 1, &result);
    reducer->loops->combine(&result, &next, &next_tag, 1, bits, tag);
}

// Neighbours pairwise, level by level, into lane 0.
static void combine_lanes(const Reducer *reducer, uint32_t *bits, uint8_t *tags)
{
    int64_t lanes = reducer->in->lanes;
    for (int64_t step = 1; step < lanes; step *= 2)
        for (int64_t i = 0; i + step < lanes; i += 2 * step) {
            if (tags[i] & TAG_PADDING) {
                bits[i] = bits[i + step];
                tags[i] = tags[i + step];
            } else {
                combine_one(reducer, &bits[i], &tags[i], bits[i + step], tags[i + step]);
            }
        }
}

// Packet `time`, whatever its elements are, to packet `to`.
static void take_packet(Reducer *reducer, int64_t time, int64_t to)
{
    Stream *in = reducer->in, *out = &reducer->out;
    uint32_t *bits = in->bits + time * in->lanes, result[ELEMENT_BLOCK];
    uint8_t *tags = in->tags + time * in->lanes;
    uint32_t *held = out->bits + to * out->lanes;
    if (reducer->is_tree)
        combine_lanes(reducer, bits, tags);
    LaneArguments both = {{held, bits, held}, 0};
    reducer->loops->apply[reducer->op](&both, reducer->lanes, result);
    reducer->loops->combine(result, bits, tags, reducer->lanes, held, out->tags + to * out->lanes);
}

// How many packets from `time` on, `most` at most, have only elements with values and one tag.
static int64_t count_alike(const Reducer *reducer, int64_t time, int64_t most)
{
    const Stream *in = reducer->in;
    if (!reducer->has_loops || !in->tags)
        return reducer->has_loops ? most : 0;
    const uint8_t *tags = in->tags + time * in->lanes;
    if ((*tags & (TAG_LIVE | TAG_PADDING)) != TAG_LIVE)
        return 0;
    int64_t count = 0, lanes = in->lanes;
    while (count < most && tags[count * lanes] == *tags &&
           !memcmp(tags + count * lanes, tags + count * lanes + 1, lanes - 1))
        count++;
    return count;
}

// What a packet that goes out holds so far.
typedef enum { HOLDS_NOTHING, HOLDS_ALL, HOLDS_PART } Holding;

static Holding holding_of(const Reducer *reducer, int64_t packet)
{
    const uint8_t *tags = reducer->out.tags + packet * reducer->out.lanes;
    int64_t live = 0;
    for (int64_t i = 0; i < reducer->lanes; i++)
        live += tags[i] & TAG_LIVE;
    return live == 0 ? HOLDS_NOTHING : live == reducer->lanes ? HOLDS_ALL : HOLDS_PART;
}

// All into one packet.
static void fold_packets(Reducer *reducer, const uint32_t *bits, int64_t packets, int64_t to)
{
    int64_t lanes = reducer->lanes, first = 0;
    uint32_t *held = reducer->out.bits + to * reducer->out.lanes;
    if (holding_of(reducer, to) == HOLDS_NOTHING) {
        memcpy(held, bits, lanes * sizeof *held);
        first = 1;
    }
    if (first < packets)
        reducer->loops->fold[reducer->op](bits + first * lanes, packets - first, lanes, held);
}

// Each into its own, from packet `to` on, all of which hold the same so far.
static void add_packets(Reducer *reducer, const uint32_t *bits, int64_t packets, int64_t to)
{
    int64_t count = packets * reducer->lanes;
    uint32_t *held = reducer->out.bits + to * reducer->out.lanes;
    LaneArguments both = {{held, bits, held}, 0};
    if (holding_of(reducer, to) == HOLDS_NOTHING)
        memcpy(held, bits, count * sizeof *held);
    else
        reducer->loops->apply[reducer->op](&both, count, held);
}

// How many packets from `to` on lie one behind the other and hold the same so far.
static int64_t count_held_alike(const Reducer *reducer, int64_t to, int64_t most)
{
    int64_t count = 1;
    if (reducer->out.lanes != reducer->lanes)
        return 1;
    while (count < most && holding_of(reducer, to + count) == holding_of(reducer, to))
        count++;
    return count;
}

// Packets from `time` on that are alike, of one kind of loop; the results of trees, too, take their
// first places.
static void take_alike(Reducer *reducer, int64_t time, int64_t packets, bool reduced, int64_t to)
{
    Stream *in = reducer->in, *out = &reducer->out;
    uint32_t *bits = in->bits + time * in->lanes;
    uint8_t tag = in->tags ? in->tags[time * in->lanes] : reducer->tag;
    for (int64_t lanes = in->lanes; reducer->is_tree && lanes > 1; lanes /= 2)
        reducer->loops->pairs[reducer->op](bits, packets * lanes / 2, bits);
    for (int64_t done = 0, count; done < packets; done += count) {
        count = reduced ? packets : count_held_alike(reducer, to + done, packets - done);
        int64_t kept = reduced ? 1 : count, at = reduced ? to : to + done;
        if (reduced)
            fold_packets(reducer, bits, count, at);
        else
            add_packets(reducer, bits + done * reducer->lanes, count, at);
        if (out->lanes == reducer->lanes)
            memset(out->tags + at * out->lanes, tag, kept * out->lanes);
        else
            memset(out->tags + at * out->lanes, tag, reducer->lanes);
    }
}

// How many packets from `time` on can be taken together; 0: not even the first.
static int64_t count_together(const Reducer *reducer, int64_t time, int64_t most, bool reduced,
                              int64_t to)
{
    int64_t count = count_alike(reducer, time, most);
    for (int64_t i = 0; i < (reduced ? min_i64(count, 1) : count); i++)
        if (holding_of(reducer, to + i) == HOLDS_PART)
            return i;
    return count;
}

// Packets [time, end) of the innermost loop.
static void take_run(Reducer *reducer, int64_t time, int64_t end, bool reduced, int64_t to)
{
    while (time < end) {
        int64_t count = count_together(reducer, time, end - time, reduced, to);
        if (count)
            take_alike(reducer, time, count, reduced, to);
        else
            take_packet(reducer, time, to);
        time += max_i64(count, 1);
        to += reduced ? 0 : max_i64(count, 1);
    }
}

bool lane_reduce_run(const Work *work)
{
    const HwLaneReduce *reduce = work->step->lanes;
    Scratch *scratch = work_scratch(work);
    Reducer reducer = {.loops = work->loops,
                       .op = (VectorOp)work->step->op_code,
                       .is_tree = reduce->lanes,
                       .lanes = reduce->lanes ? 1 : work->stream->lanes,
                       .tag = TAG_LIVE | work->state->ids[work->group],
                       .in = work->stream};
    TimeLoops loops;
    bool halves = !(work->stream->lanes & (work->stream->lanes - 1));
    reducer.has_loops = reducer.loops->fold[reducer.op] && (halves || !reducer.is_tree);
    int64_t index[MOST_LOOPS] = {0}, to = 0;
    find_loops(reduce, &loops);
    if (!stream_new(scratch, &reducer.out, work->step->out_type, reduce->out_time,
                    work->step->packet_elements))
        return false;
    memset(reducer.out.tags, TAG_PADDING, reducer.out.time * reducer.out.lanes);
    if (!reducer.has_loops && !work_need_tags(work)) {
        stream_free(scratch, &reducer.out);
        return false;
    }
    for (int64_t t = 0, end; t < work->stream->time; t = end) {
        end = min_i64(work->stream->time, t + min_i64(loops.size[0], work->stream->time));
        take_run(&reducer, t, end, loops.reduced[0], to);
        int64_t stride = loops.reduced[0] ? 1 : loops.size[0];
        for (int64_t i = 1; i < loops.count; i++) {
            bool ends = ++index[i] == loops.size[i];
            if (!loops.reduced[i])
                to += ends ? (1 - loops.size[i]) * stride : stride;
            if (!ends)
                break;
            index[i] = 0;
            stride *= loops.reduced[i] ? 1 : loops.size[i];
        }
    }
    stream_replace(scratch, work->stream, &reducer.out);
    work_drop_tags(work);
    return true;
}

// ---- between slices

// The slices that are combined into what `slice` gets, in ascending order: number `which` of them.
// -1: there are no more.
static int64_t member(const HwSliceReduce *reduce, int64_t slice, int64_t which)
{
    int64_t at = 0, rest = which;
    for (int64_t i = reduce->slices.count - 1; i >= 0; i--) {
        const HwSliceDigit *digit = &reduce->slices.items[i];
        int64_t value = slice / digit->place % digit->size;
        if (digit->reduced) {
            value = rest % digit->data;
            rest /= digit->data;
        }
        at += value * digit->place;
    }
    return rest ? -1 : at;
}

// The packet before from which on `slice` keeps its part. A slice of padding may keep any.
static int64_t first_packet(const HwSliceReduce *reduce, int64_t slice)
{
    int64_t packet = 0;
    for (int64_t i = 0; i < reduce->time.count; i++) {
        const HwTimeDigit *digit = &reduce->time.items[i];
        if (!digit->slice_place)
            continue;
        int64_t step = slice / digit->slice_place % digit->slice_size;
        packet += min_i64(step, digit->size - 1) * digit->place;
    }
    return packet;
}

// The packet before that becomes packet `time`, counted from there on.
static int64_t packet_before(const HwSliceReduce *reduce, int64_t time)
{
    int64_t packet = 0;
    for (int64_t i = reduce->time.count - 1; i >= 0; i--) {
        const HwTimeDigit *digit = &reduce->time.items[i];
        if (digit->slice_place)
            continue;
        packet += time % digit->size * digit->place;
        time /= digit->size;
    }
    return packet;
}

static void find_leaders(const HwPipeline *pass, const HwSliceReduce *reduce, SliceReducePlan *plan)
{
    for (int64_t i = 0; i < pass->slices; i++) {
        int64_t leader = 0;
        plan->shifts[i] = first_packet(reduce, i);
        plan->firsts[i] = member(reduce, i, 0);
        while (plan->shifts[leader] != plan->shifts[i] || plan->firsts[leader] != plan->firsts[i])
            leader++;
        plan->leaders[i] = leader;
    }
}

static void find_runs(const HwSliceReduce *reduce, SliceReducePlan *plan)
{
    assert(plan->runs);
    for (int64_t t = 0; t < reduce->out_time; t++) {
        int64_t from = packet_before(reduce, t);
        PacketRun *last = plan->run_count ? &plan->runs[plan->run_count - 1] : NULL;
        if (last && from == last->from + last->count)
            last->count++;
        else
            plan->runs[plan->run_count++] = (PacketRun){t, from, 1};
    }
}

bool slice_reduce_plan_new(const HwPipeline *pass, const HwSliceReduce *reduce,
                           SliceReducePlan *plan)
{
    plan->leaders = heap_zeroed(pass->slices, sizeof *plan->leaders);
    plan->firsts = heap_zeroed(pass->slices, sizeof *plan->firsts);
    plan->shifts = heap_zeroed(pass->slices, sizeof *plan->shifts);
    plan->runs = heap_zeroed(reduce->out_time, sizeof *plan->runs);
    if (!plan->leaders || !plan->firsts || !plan->shifts || !plan->runs)
        return false;
    find_leaders(pass, reduce, plan);
    find_runs(reduce, plan);
    return true;
}

void slice_reduce_plan_free(SliceReducePlan *plan)
{
    heap_free(plan->leaders);
    heap_free(plan->firsts);
    heap_free(plan->shifts);
    heap_free(plan->runs);
    *plan = (SliceReducePlan){0};
}

// Elements that are combined at a time.
enum { PART = 4096 };

// One reduction between the slices of a cluster.
typedef struct {
    const ClusterRun *run;
    const HwVectorStep *step;
    const SliceReducePlan *plan;
    const LaneLoops *loops;
    const HwCheckList *data; // what takes part
    Stream *out;             // of each slice that needs one
    uint8_t *parts;          // DataShare of each slice
    uint8_t *needed;         // those: the ones that store it, and their leaders
    atomic_bool failed;
} Meeting;

// The position that the stream of a slice begins at.
static int64_t first_position(const Meeting *meeting, int64_t slice)
{
    const Stream *in = &meeting->run->slices[slice].groups[0];
    return run_unit(meeting->run, slice) * in->time * in->lanes;
}

static void find_parts(const Meeting *meeting)
{
    for (int64_t i = 0; i < meeting->run->pass->slices; i++) {
        const Stream *in = &meeting->run->slices[i].groups[0];
        meeting->parts[i] = (uint8_t)data_share(meeting->data, first_position(meeting, i),
                                                max_i64(1, in->time * in->lanes));
    }
}

// Whether member `which` of what `slice` gets takes part; `*from`: the slice it is.
static bool takes_part(const Meeting *meeting, int64_t slice, int64_t which, int64_t *from)
{
    *from = member(meeting->step->slices, slice, which);
    return *from < meeting->run->pass->slices && meeting->parts[*from] != DATA_NONE;
}

// All elements have values behind it: there is something to combine, and all of that has.
static bool is_live(const Meeting *meeting, int64_t slice)
{
    bool live = false;
    for (int64_t i = 0, from; member(meeting->step->slices, slice, i) >= 0; i++) {
        if (!takes_part(meeting, slice, i, &from))
            continue;
        if (meeting->run->slices[from].groups[0].tags || meeting->parts[from] == DATA_SOME)
            return false;
        live = true;
    }
    return live;
}

static bool new_result(const Meeting *meeting, int64_t slice)
{
    Scratch *scratch = device_scratch(meeting->run->device);
    Stream *out = &meeting->out[slice];
    int64_t time = meeting->step->slices->out_time, lanes = meeting->step->packet_elements;
    if (is_live(meeting, meeting->plan->leaders[slice]))
        return stream_new_live(scratch, out, meeting->step->out_type, time, lanes);
    return stream_new(scratch, out, meeting->step->out_type, time, lanes);
}

// Elements `first` to `first + count - 1` of one more slice.
static void meet_with_tags(const Meeting *meeting, int64_t slice, int64_t first, int64_t count,
                           uint32_t *held, uint8_t *held_tags)
{
    const Stream *in = &meeting->run->slices[slice].groups[0];
    const uint32_t *bits = in->bits + first;
    uint32_t result[PART];
    uint8_t next[PART];
    memset(next, TAG_LIVE, count);
    if (meeting->parts[slice] == DATA_SOME)
        data_lanes(meeting->data, first_position(meeting, slice) + first, count, next);
    for (int64_t i = 0; i < count; i++)
        next[i] = !next[i] ? TAG_PADDING
                           : (in->tags ? in->tags[first + i] : TAG_LIVE) & (TAG_LIVE | TAG_PADDING);
    LaneArguments both = {{held, bits, held}, 0};
    meeting->loops->apply[meeting->step->op_code](&both, count, result);
    meeting->loops->combine(result, bits, next, count, held, held_tags);
}

// `packets` of `slice`, from `from` on, into those of `out`, from `to` on.
static void meet(const Meeting *meeting, int64_t slice, int64_t from, Stream *out, int64_t to,
                 int64_t packets, bool is_first)
{
    int64_t lanes = out->lanes, count = packets * lanes;
    const uint32_t *bits = meeting->run->slices[slice].groups[0].bits + from * lanes;
    uint32_t *held = out->bits + to * lanes;
    LaneArguments both = {{held, bits, held}, 0};
    if (out->tags)
        meet_with_tags(meeting, slice, from * lanes, count, held, out->tags + to * lanes);
    else if (is_first)
        memcpy(held, bits, count * sizeof *held);
    else
        meeting->loops->apply[meeting->step->op_code](&both, count, held);
}

// The first run that reaches beyond packet `time`.
static const PacketRun *find_run(const SliceReducePlan *plan, int64_t time)
{
    int64_t low = 0, high = plan->run_count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (plan->runs[middle].to + plan->runs[middle].count > time)
            high = middle;
        else
            low = middle + 1;
    }
    return &plan->runs[low];
}

// Packets [first, end) of what a slice gets.
static void meet_packets(const Meeting *meeting, int64_t slice, int64_t first, int64_t end)
{
    const SliceReducePlan *plan = meeting->plan;
    bool is_first = true;
    for (int64_t which = 0, from; member(meeting->step->slices, slice, which) >= 0; which++) {
        if (!takes_part(meeting, slice, which, &from))
            continue;
        const PacketRun *run = find_run(plan, first);
        for (int64_t t = first, count; t < end; t += count, run++) {
            count = min_i64(end, run->to + run->count) - t;
            meet(meeting, from, plan->shifts[slice] + run->from + t - run->to, &meeting->out[slice],
                 t, count, is_first);
        }
        is_first = false;
    }
}

static void make_results(void *own, int64_t from, int64_t to)
{
    Meeting *meeting = own;
    for (int64_t i = from; i < to; i++)
        if (meeting->needed[i] && !new_result(meeting, i))
            atomic_store_explicit(&meeting->failed, true, memory_order_relaxed);
}

static int64_t packets_of_part(const Meeting *meeting)
{
    return max_i64(1, PART / meeting->step->packet_elements);
}

// Parts are numbered slice by slice.
static void meet_parts(void *own, int64_t from, int64_t to)
{
    const Meeting *meeting = own;
    int64_t time = meeting->step->slices->out_time, packets = packets_of_part(meeting);
    int64_t parts = ceil_div(time, packets);
    for (int64_t i = from; i < to; i++) {
        int64_t slice = i / parts, first = i % parts * packets;
        if (meeting->plan->leaders[slice] == slice && meeting->needed[slice] &&
            watched_goes_on(meeting->run->watched, meeting->run->work / parts))
            meet_packets(meeting, slice, first, min_i64(time, first + packets));
    }
}

static void copy_results(void *own, int64_t from, int64_t to)
{
    const Meeting *meeting = own;
    for (int64_t i = from; i < to; i++)
        if (meeting->plan->leaders[i] != i && meeting->needed[i])
            stream_copy(&meeting->out[meeting->plan->leaders[i]], &meeting->out[i], 0);
}

static bool meet_slices(Meeting *meeting)
{
    int64_t slices = meeting->run->pass->slices, time = meeting->step->slices->out_time;
    int64_t parts = ceil_div(time, packets_of_part(meeting));
    int64_t threads = pass_threads(meeting->run->device, meeting->run->pass, slices);
    int64_t some = ceil_div(slices, 4 * threads);
    find_parts(meeting);
    for (int64_t i = 0; i < slices; i++)
        if (run_stores(meeting->run, i))
            meeting->needed[i] = meeting->needed[meeting->plan->leaders[i]] = true;
    workers_run(slices, some, threads, make_results, meeting);
    if (meeting->failed)
        return false;
    workers_run(slices * parts, 1, threads, meet_parts, meeting);
    workers_run(slices, some, threads, copy_results, meeting);
    return true;
}

bool slice_reduce_run(const ClusterRun *run, const HwVectorStep *step)
{
    int64_t slices = run->pass->slices, number = step - run->pass->vector->steps.items;
    Scratch *scratch = device_scratch(run->device);
    Meeting meeting = {.run = run,
                       .step = step,
                       .plan = &run->plan->vector->steps[number].slices,
                       .loops = vector_loops(run->device),
                       .data = &step->slices->data,
                       .out = heap_zeroed(slices, sizeof *meeting.out),
                       .parts = heap_zeroed(slices, 1),
                       .needed = heap_zeroed(slices, 1)};
    bool ok = meeting.out && meeting.parts && meeting.needed && meet_slices(&meeting);
    for (int64_t i = 0; meeting.out && i < slices; i++) {
        stream_replace(scratch, &run->slices[i].groups[0], &meeting.out[i]);
        run->slices[i].ids[0] = 0;
    }
    heap_free(meeting.needed);
    heap_free(meeting.parts);
    heap_free(meeting.out);
    return ok;
}
