// From results back to memory: the Commit Engine, and what fills registers.
#include "device/data.h"
#include "device/internal.h"
#include "device/nest.h"

#include "base/checked.h"
#include "scalar/bits.h"

// ---- commit

static const HwMask *mask_of(const HwCommit *commit, int64_t chip, int64_t cluster, int64_t slice)
{
    for (int64_t i = 0; i < commit->masks.count; i++) {
        const HwMask *mask = &commit->masks.items[i];
        if (!mask->bitmaps.count ||
            bits_have(mask->bitmaps.items, mask->bitmaps.count, chip, cluster, slice))
            return mask;
    }
    return NULL;
}

// What is written of a flit: runs of the nest, cut where something is masked.
static void write_run(Memory *dm, Scalar type, int64_t bit, int64_t count, const uint32_t *bits,
                      const uint8_t *tags, const uint8_t *data)
{
    uint8_t live[ELEMENT_BLOCK];
    for (int64_t from = 0; from < count;) {
        int64_t to = from;
        while (to < count && !data[to])
            to++;
        from = to;
        for (; to < count && data[to]; to++)
            live[to - from] = tags[to] & TAG_LIVE;
        if (to > from)
            memory_store(dm, type, bit + from * scalar_traits[type].storage_bits, to - from,
                         bits + from, live);
        from = to;
    }
}

void commit_run(const ClusterRun *run, int64_t slice, const Stream *stream)
{
    const HwCommit *commit = run->pass->commit;
    int64_t chip = run->first_chip + run->chip, cluster = run->first_cluster + run->cluster;
    Slice *at = run_slice(run, slice);
    slice += run->first_slice;
    if (!at || !bits_have(commit->bitmaps.items, commit->bitmaps.count, chip, cluster, slice))
        return;
    const HwMask *mask = mask_of(commit, chip, cluster, slice);
    DataTest test = {0};
    if (mask)
        test = (DataTest){mask->checks.items, mask->checks.count};
    int64_t kept = commit->commit_in_size * BYTE_BITS / commit->nest.element_bits;
    uint8_t data[ELEMENT_BLOCK];
    NestWalk walk;
    nest_seek(&walk, &commit->nest, 0);
    for (int64_t t = 0; t < commit->time; t++) {
        int64_t first = t * stream->lanes;
        data_lanes(&test, first, stream->lanes, data);
        for (int64_t done = 0, count, bit; done < kept; done += count) {
            count = nest_take(&walk, kept - done, &bit);
            write_run(&at->dm, commit->type, bit, count, stream->bits + first + done,
                      stream->tags + first + done, data + done);
        }
    }
}

// ---- registers

void trf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream)
{
    const HwTrfStore *store = run->pass->trf_store;
    Slice *at = run_slice(run, slice);
    for (int64_t t = 0; at && t < store->flits; t++) {
        int64_t row = store->start_row, byte = store->start_byte, number = t;
        for (int64_t i = store->loops.count - 1; i >= 0; i--) {
            const HwRowLoop *loop = &store->loops.items[i];
            row += number % loop->size * loop->row_stride;
            byte += number % loop->size * loop->byte_stride;
            number /= loop->size;
        }
        trf_store(&at->trf, &store->layout, store->type, row, byte * TRF_SLOTS_PER_BYTE,
                  stream->lanes, stream->bits + t * stream->lanes,
                  stream->tags + t * stream->lanes);
    }
}

void vrf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream)
{
    const HwVrfStore *store = run->pass->vrf_store;
    const HwNest *nest = &store->nest;
    DataTest test = {store->data.items, store->data.count};
    Slice *at = run_slice(run, slice);
    uint8_t data[ELEMENT_BLOCK];
    int64_t lanes = store->packet_elements;
    for (int64_t t = 0; at && t < store->time; t++) {
        int64_t first = (run_unit(run, slice) * store->time + t) * store->packet_elements;
        int64_t place = loops_offset(nest->loops.items, nest->loops.count, false, t);
        data_lanes(&test, first, lanes, data);
        for (int64_t i = 0; i < lanes; i++) {
            int64_t element = place + loops_offset(nest->loops.items, nest->loops.count, true, i);
            uint8_t live = stream->tags[t * stream->lanes + i] & TAG_LIVE;
            if (data[i])
                memory_store(&at->vrf, store->type,
                             nest->base * BYTE_BITS + element * nest->element_bits, 1,
                             &stream->bits[t * stream->lanes + i], &live);
        }
    }
}

// ---- the plan

bool commit_plan_new(const Device *device, const HwPipeline *pass, CommitPlan **plan)
{
    (void)device;
    (void)pass;
    (void)plan;
    return true;
}

void commit_plan_free(CommitPlan *plan)
{
    (void)plan;
}
