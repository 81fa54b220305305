// The branch unit: every element gets an execution id. Where all of a stream have the same, they
// need no tags for it.
#include "device/vector.h"

#include "base/checked.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = ELEMENT_BLOCK, ID_MASK = 15, MOST_COUNTERS = 64 };

void branch_condition(BranchCondition condition, uint8_t *mask, uint8_t *wanted)
{
    *mask = condition == CONDITION_ALWAYS ? TAG_ID : TAG_ID | TAG_GROUP;
    *wanted = condition == CONDITION_GROUP_1 ? TAG_ID | TAG_GROUP : TAG_ID;
}

// ---- the Valid Count Generator

enum { VCG_DIMS = 4 };

// Counts packets, the index of each dim along with it.
typedef struct {
    const HwVcg *vcg;
    int64_t slice;
    int64_t index[VCG_DIMS];
    int64_t digits[MOST_COUNTERS];
} ValidWalk;

static bool counts(const HwVcgCounter *counter)
{
    return counter->dim >= 0 && counter->dim < VCG_DIMS;
}

static void next_packet(ValidWalk *walk)
{
    for (int64_t i = 0; i < walk->vcg->counters.count; i++) {
        const HwVcgCounter *counter = &walk->vcg->counters.items[i];
        bool ends = ++walk->digits[i] == counter->limit;
        if (counts(counter))
            walk->index[counter->dim] +=
                ends ? (1 - counter->limit) * counter->stride : counter->stride;
        if (!ends)
            return;
        walk->digits[i] = 0;
    }
}

// Whether gate `number` is open where the index of its dim is `index`.
static bool is_open(const ValidWalk *walk, int64_t number, int64_t index)
{
    const HwVcgGate *gate = &walk->vcg->gates.items[number];
    int64_t bits = walk->slice & gate->mask;
    if (bits == gate->match || (bits > gate->match && gate->transposed))
        return index < gate->valid;
    return bits < gate->match;
}

// Lanes of the packet that are data.
static int64_t valid_count(const ValidWalk *walk)
{
    for (int64_t i = 0; i < walk->vcg->gates.count; i++)
        if (!is_open(walk, i, walk->index[1 + i]))
            return 0;
    return min_i64(walk->vcg->packet_stride, max_i64(0, walk->vcg->packet_valid - walk->index[0]));
}

// Whether all lanes of all packets are data, for all that the counters can say.
static bool is_all_valid(const ValidWalk *walk, int64_t lanes)
{
    int64_t most[VCG_DIMS] = {0};
    for (int64_t i = 0; i < walk->vcg->counters.count; i++) {
        const HwVcgCounter *counter = &walk->vcg->counters.items[i];
        if (counts(counter))
            most[counter->dim] += max_i64(0, (counter->limit - 1) * counter->stride);
    }
    for (int64_t i = 0; i < walk->vcg->gates.count; i++)
        if (!is_open(walk, i, most[1 + i]))
            return false;
    return min_i64(walk->vcg->packet_stride, walk->vcg->packet_valid - most[0]) >= lanes;
}

static bool leave_padding_out(const Work *work, const HwVcg *vcg)
{
    Stream *stream = work->stream;
    ValidWalk walk = {.vcg = vcg, .slice = work->slice};
    if (is_all_valid(&walk, stream->lanes))
        return true;
    for (int64_t t = 0; t < stream->time; t++, next_packet(&walk)) {
        int64_t valid = valid_count(&walk);
        if (valid >= stream->lanes)
            continue;
        if (!work_need_tags(work))
            return false;
        assert(stream->tags);
        for (int64_t i = valid; i < stream->lanes; i++) {
            uint8_t *tag = &stream->tags[t * stream->lanes + i];
            *tag = (uint8_t)((*tag & TAG_LIVE) | TAG_PADDING);
        }
    }
    return true;
}

bool branch_enter(const Work *work)
{
    const HwVcg *vcg = work->run->pass->vector->vcg;
    Stream *stream = work->stream;
    work->state->ids[work->group] = TAG_ID;
    for (int64_t i = 0; stream->tags && i < stream->time * stream->lanes; i++)
        stream->tags[i] = (uint8_t)((stream->tags[i] & TAG_LIVE) | TAG_ID);
    return !vcg || leave_padding_out(work, vcg);
}

// ---- ids by the place

static bool toggles(const HwToggleDigit *digit)
{
    return digit->weight % 2 && digit->size > 1;
}

// What the digits of a level add to the index, modulo 2.
static bool parity_of(const HwBranch *branch, Level level, int64_t position)
{
    bool odd = false;
    for (int64_t i = 0; i < branch->toggles.count; i++) {
        const HwToggleDigit *digit = &branch->toggles.items[i];
        if (digit->level == level && toggles(digit))
            odd ^= position / digit->place % digit->size & 1;
    }
    return odd;
}

static bool is_outside(Level level)
{
    return level == LEVEL_CHIP || level == LEVEL_CLUSTER || level == LEVEL_SLICE;
}

// Of all elements of a slice alike.
static bool is_one_group(const HwBranch *branch)
{
    for (int64_t i = 0; i < branch->toggles.count; i++)
        if (toggles(&branch->toggles.items[i]) && !is_outside(branch->toggles.items[i].level))
            return false;
    return true;
}

static void add_group(uint8_t *tags, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        tags[i] |= tags[i] & TAG_ID ? TAG_GROUP : 0;
}

static bool run_toggle(const Work *work)
{
    const HwBranch *branch = work->step->branch;
    Stream *stream = work->stream;
    int64_t lanes = stream->lanes;
    bool odd = parity_of(branch, LEVEL_CHIP, work->run->chip) ^
               parity_of(branch, LEVEL_CLUSTER, work->run->cluster) ^
               parity_of(branch, LEVEL_SLICE, work->slice);
    if (is_one_group(branch)) {
        if (odd)
            work->state->ids[work->group] |= TAG_GROUP;
        if (odd && stream->tags)
            add_group(stream->tags, stream->time * lanes);
        return true;
    }
    uint8_t groups[2][BLOCK]; // of the lanes of an even and an odd packet
    for (int64_t i = 0; i < lanes; i++) {
        bool lane = odd;
        for (int64_t k = 0; k < branch->toggles.count; k++) {
            const HwToggleDigit *digit = &branch->toggles.items[k];
            if (!is_outside(digit->level) && digit->level != LEVEL_TIME && toggles(digit))
                lane ^= i / digit->place % digit->size & 1;
        }
        groups[0][i] = lane ? TAG_GROUP : 0;
        groups[1][i] = lane ? 0 : TAG_GROUP;
    }
    if (!work_need_tags(work))
        return false;
    for (int64_t t = 0; t < stream->time; t++) {
        const uint8_t *group = groups[parity_of(branch, LEVEL_TIME, t)];
        uint8_t *tags = stream->tags + t * lanes;
        for (int64_t i = 0; i < lanes; i++)
            tags[i] |= tags[i] & TAG_ID ? group[i] : 0;
    }
    return true;
}

// ---- ids by values

// `known`: bit 0 of each says that there is an id.
static void set_ids(const uint8_t *ids, const uint8_t *known, int64_t count, uint8_t *tags)
{
    for (int64_t i = 0; i < count; i++) {
        uint8_t tag = tags[i] & (TAG_LIVE | TAG_PADDING);
        bool has_id = known[i] & !(tag & TAG_PADDING);
        tags[i] = (uint8_t)(tag | (has_id ? TAG_ID | (ids[i] & ID_MASK) << TAG_ID_SHIFT : 0));
    }
}

static bool run_comparison(const Work *work)
{
    const HwBranch *branch = work->step->branch;
    Stream *stream = work->stream;
    uint8_t ids[BLOCK];
    int64_t all = stream->time * stream->lanes;
    if (!work_need_tags(work))
        return false;
    for (int64_t at = 0; at < all; at += BLOCK) {
        int64_t count = min_i64(BLOCK, all - at);
        memset(ids, 0, sizeof ids);
        for (int64_t i = 0; i < branch->compares.count; i++)
            work->loops->compare(&branch->compares.items[i], stream->bits + at, count, (int)i, ids);
        set_ids(ids, stream->tags + at, count, stream->tags + at);
    }
    return true;
}

static bool run_vrf_ids(const Work *work)
{
    Stream *stream = work->stream;
    Scratch *scratch = work_scratch(work);
    AlongSource source = {.nest = work->step->branch->nest,
                          .plan = &work->plan->ids,
                          .vrf = work_vrf(work),
                          .type = SCALAR_I32};
    Along along;
    if (!source.vrf)
        return true;
    if (!work_need_tags(work) || !along_open(scratch, &source, stream, &along))
        return false;
    uint32_t words[BLOCK];
    uint8_t ids[BLOCK], room[BLOCK], all_known[BLOCK];
    memset(all_known, 1, sizeof all_known);
    int64_t all = stream->time * stream->lanes;
    for (int64_t at = 0; at < all; at += BLOCK) {
        bool is_one;
        int64_t count = min_i64(BLOCK, all - at);
        const uint32_t *values = along_bits(&along, at, count, words, &is_one);
        const uint8_t *known = along_live(&along, at, count, room);
        for (int64_t i = 0; i < count; i++)
            ids[i] = (uint8_t)values[is_one ? 0 : i];
        set_ids(ids, known ? known : all_known, count, stream->tags + at);
    }
    along_close(scratch, &along);
    return true;
}

bool branch_run(const Work *work)
{
    if (!branch_enter(work))
        return false;
    switch (work->step->branch->kind) {
    case BRANCH_AXIS_TOGGLE:
        return run_toggle(work);
    case BRANCH_COMPARISON:
        return run_comparison(work);
    case BRANCH_VRF:
        return run_vrf_ids(work);
    case BRANCH_UNCONDITIONAL:
    case BRANCH_VALID_COUNT:
    case BRANCH_COUNT:
        return true;
    }
    return true;
}
