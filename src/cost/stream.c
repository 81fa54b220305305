// Descriptors as streams of requests.
#include "base/checked.h"
#include "cost/internal.h"

// ---- descriptors

// Addresses that differ by this much choose the same channel and stack, but for the exclusive or.
static int64_t channel_round(const Machine *machine)
{
    int64_t highest = 0;
    for (int64_t i = 0; i < machine->hbm_channel_bits.count; i++)
        highest = max_i64(highest, machine->hbm_channel_bits.values[i]);
    for (int64_t i = 0; i < machine->hbm_stack_bits.count; i++)
        highest = max_i64(highest, machine->hbm_stack_bits.values[i]);
    return INT64_C(2) << highest;
}

// Of a slice of DM only its number counts, and whether requests are aligned.
static int64_t dm_base(const Machine *machine, int64_t address)
{
    int64_t stride = machine->dm_virtual_slice_stride_bytes;
    return address / stride * stride + address % machine->dma_request_bytes;
}

static void add_loops(const HwDescriptor *descriptor, DmaStream *stream)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    int64_t entry = (int64_t)sizeof(int32_t);
    stream->packets = 1;
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *from = &descriptor->loops.items[i];
        stream->packets *= from->limit;
        if (stream->loop_count == STREAM_MOST_LOOPS)
            continue;
        StreamLoop *loop = &stream->loops[stream->loop_count++];
        *loop = (StreamLoop){from->limit, from->source_stride, from->dest_stride};
        // where rows go is data: taken to be one after the other
        int64_t rows = indirect ? from->index_stride / entry * indirect->scale : 0;
        *(indirect && indirect->is_source ? &loop->source_stride : &loop->dest_stride) += rows;
    }
}

static DmaStream stream_of(const HwDescriptor *descriptor)
{
    int64_t bits = descriptor->unit_bits ? descriptor->unit_bits : 8;
    DmaStream stream = {
        .chip = descriptor->chip,
        .cluster = descriptor->cluster,
        .engine = descriptor->engine,
        .source_media = descriptor->source.media,
        .source_chip = descriptor->source.chip,
        .source_cluster = descriptor->source.cluster,
        .dest_media = descriptor->dest.media,
        .dest_chip = descriptor->dest.chip,
        .dest_cluster = descriptor->dest.cluster,
        .source_base = descriptor->source_base,
        .dest_base = descriptor->dest_base,
        .packet_bytes = max_i64(1, ceil_div(descriptor->packet_bytes * bits, 8)),
        .inter_chip = descriptor->inter_chip,
        .indirect = descriptor->indirect != NULL,
    };
    add_loops(descriptor, &stream);
    return stream;
}

static void lower_base(const Machine *machine, int64_t media, int64_t least, int64_t *base)
{
    if (media == MEDIA_HBM)
        *base -= least / channel_round(machine) * channel_round(machine);
    else if (media == MEDIA_DM)
        *base = dm_base(machine, *base);
    else
        *base = 0;
}

DmaStreams cost_streams(Arena *arena, const Machine *machine, const HwDmaCommand *dma)
{
    DmaStreams streams = {arena_new(arena, DmaStream, (size_t)max_i64(1, dma->descriptors.count)),
                          dma->descriptors.count, dma->bytes};
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < streams.count; i++) {
        DmaStream *stream = &streams.items[i];
        *stream = stream_of(&dma->descriptors.items[i]);
        if (stream->source_media == MEDIA_HBM)
            least = min_i64(least, stream->source_base);
        if (stream->dest_media == MEDIA_HBM)
            least = min_i64(least, stream->dest_base);
    }
    for (int64_t i = 0; i < streams.count; i++) {
        DmaStream *stream = &streams.items[i];
        lower_base(machine, stream->source_media, least, &stream->source_base);
        lower_base(machine, stream->dest_media, least, &stream->dest_base);
    }
    return streams;
}

static int64_t packet_requests(const Machine *machine, const DmaStream *stream)
{
    return ceil_div(stream->packet_bytes, machine->dma_request_bytes);
}

int64_t cost_stream_requests(const Machine *machine, const DmaStream *stream)
{
    return stream->packets * packet_requests(machine, stream);
}

// ---- requests, one after the other

StreamWalk cost_walk(const DmaStream *stream)
{
    return (StreamWalk){.stream = stream, .address = {stream->source_base, stream->dest_base}};
}

static void next_packet(StreamWalk *walk)
{
    walk->offset = 0;
    for (int64_t i = walk->stream->loop_count - 1; i >= 0; i--) {
        const StreamLoop *loop = &walk->stream->loops[i];
        bool is_over = ++walk->index[i] == loop->limit;
        int64_t steps = is_over ? 1 - loop->limit : 1;
        walk->address[0] += steps * loop->source_stride;
        walk->address[1] += steps * loop->dest_stride;
        if (!is_over)
            return;
        walk->index[i] = 0;
    }
}

StreamRequest cost_next_request(StreamWalk *walk, int64_t most)
{
    int64_t left = walk->stream->packet_bytes - walk->offset;
    StreamRequest request = {{walk->address[0] + walk->offset, walk->address[1] + walk->offset},
                             min_i64(left, most)};
    walk->offset += request.bytes;
    if (walk->offset == walk->stream->packet_bytes)
        next_packet(walk);
    return request;
}
