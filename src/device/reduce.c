// Reductions of the Vector Engine: inside a slice, and between slices. What has no value, or is
// padding, is passed over; the first is taken as it is.
#include "device/internal.h"
#include "device/lanes.h"

#include "base/checked.h"

#include <stdlib.h>

static void combine(VectorOp op, uint32_t *bits, uint8_t *tag, uint32_t next, uint8_t next_tag)
{
    if (next_tag & TAG_PADDING)
        return;
    uint8_t id = (uint8_t)(next_tag & ~TAG_LIVE); // that of the last one stays
    if (next_tag & TAG_LIVE && *tag & TAG_LIVE)
        lanes_apply(op, bits, &next, bits, 1, bits);
    else if (next_tag & TAG_LIVE)
        *bits = next;
    *tag = (uint8_t)(((*tag | next_tag) & TAG_LIVE) | id);
}

// ---- inside a slice

// Neighbours pairwise, level by level, into lane 0.
static void combine_lanes(VectorOp op, int64_t lanes, uint32_t *bits, uint8_t *tags)
{
    for (int64_t step = 1; step < lanes; step *= 2)
        for (int64_t i = 0; i + step < lanes; i += 2 * step) {
            if (tags[i] & TAG_PADDING) {
                bits[i] = bits[i + step];
                tags[i] = tags[i + step];
            } else {
                combine(op, &bits[i], &tags[i], bits[i + step], tags[i + step]);
            }
        }
}

// The packet that goes out to which packet `time` belongs.
static int64_t out_packet(const HwLaneReduce *reduce, int64_t time)
{
    int64_t packet = 0, stride = 1;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwReduceLoop *loop = &reduce->loops.items[i];
        if (!loop->reduced) {
            packet += time % loop->size * stride;
            stride *= loop->size;
        }
        time /= loop->size;
    }
    return packet;
}

bool lane_reduce_run(Scratch *scratch, const HwVectorStep *step, Stream *stream)
{
    const HwLaneReduce *reduce = step->lanes;
    VectorOp op = (VectorOp)step->op_code;
    int64_t lanes = stream->lanes;
    Stream out;
    if (!stream_new(scratch, &out, step->out_type, reduce->out_time, step->packet_elements))
        return false;
    for (int64_t i = 0; i < out.time * out.lanes; i++)
        out.tags[i] = TAG_PADDING;
    for (int64_t t = 0; t < stream->time; t++) {
        int64_t packet = out_packet(reduce, t);
        uint32_t *bits = stream->bits + t * lanes;
        uint8_t *tags = stream->tags + t * lanes;
        if (reduce->lanes)
            combine_lanes(op, lanes, bits, tags);
        int64_t count = reduce->lanes ? 1 : lanes;
        for (int64_t i = 0; i < count; i++) {
            int64_t at = packet * out.lanes + i;
            out.tags[at] &= (uint8_t)(tags[i] & TAG_PADDING ? UINT8_MAX : ~TAG_PADDING);
            combine(op, &out.bits[at], &out.tags[at], bits[i], tags[i]);
        }
    }
    stream_replace(scratch, stream, &out);
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

// The packet before that becomes packet `time` of `slice`.
static int64_t packet_before(const HwSliceReduce *reduce, int64_t slice, int64_t time)
{
    int64_t packet = 0;
    for (int64_t i = reduce->time.count - 1; i >= 0; i--) {
        const HwTimeDigit *digit = &reduce->time.items[i];
        int64_t value;
        if (digit->slice_place) {
            value = slice / digit->slice_place % digit->size;
        } else {
            value = time % digit->size;
            time /= digit->size;
        }
        packet += value * digit->place;
    }
    return packet;
}

static void reduce_slice(const ClusterRun *run, const HwVectorStep *step, int64_t slice,
                         Stream *out)
{
    const HwSliceReduce *reduce = step->slices;
    for (int64_t which = 0, from; (from = member(reduce, slice, which)) >= 0; which++) {
        if (from >= run->pass->slices)
            continue;
        const Stream *in = &run->slices[from].groups[0];
        for (int64_t t = 0; t < out->time; t++) {
            int64_t packet = packet_before(reduce, slice, t);
            for (int64_t i = 0; i < out->lanes; i++) {
                int64_t at = t * out->lanes + i;
                uint8_t tag = in->tags[packet * in->lanes + i] & (TAG_LIVE | TAG_PADDING);
                combine((VectorOp)step->op_code, &out->bits[at], &out->tags[at],
                        in->bits[packet * in->lanes + i], tag);
            }
        }
    }
}

bool slice_reduce_run(const ClusterRun *run, const HwVectorStep *step)
{
    int64_t slices = run->pass->slices;
    Scratch *scratch = device_scratch(run->device);
    Stream *out = calloc((size_t)slices, sizeof *out);
    bool ok = out != NULL;
    for (int64_t i = 0; ok && i < slices; i++)
        ok = stream_new(scratch, &out[i], step->out_type, step->slices->out_time,
                        step->packet_elements);
    for (int64_t i = 0; ok && i < slices; i++)
        reduce_slice(run, step, i, &out[i]);
    for (int64_t i = 0; out && i < slices; i++)
        stream_replace(scratch, &run->slices[i].groups[0], &out[i]);
    free(out);
    return ok;
}
