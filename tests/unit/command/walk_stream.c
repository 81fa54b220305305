#include "walk_stream.h"

#include "walk_padding.h"

int64_t walk_nest_count(const HwNest *nest)
{
    int64_t count = 1;
    for (int64_t i = 0; i < nest->loops.count; i++)
        count *= nest->loops.items[i].size;
    return count;
}

int64_t walk_nest_bit(const HwNest *nest, int64_t at)
{
    int64_t element = 0;
    for (int64_t i = nest->loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        int64_t index = at % loop->size;
        element += loop->offsets.count ? loop->offsets.items[index] : index * loop->stride;
        at /= loop->size;
    }
    return nest->base * 8 + element * nest->element_bits;
}

bool walk_has_unit(const HwClusterBits *rows, int64_t count, WalkUnit unit)
{
    for (int64_t i = 0; i < count; i++) {
        const HwClusterBits *row = &rows[i];
        bool here = (row->chip < 0 || row->chip == unit.chip) &&
                    (row->cluster < 0 || row->cluster == unit.cluster);
        if (here && unit.slice < row->slices.count * 64 &&
            row->slices.items[unit.slice / 64] >> unit.slice % 64 & 1)
            return true;
    }
    return false;
}

// Is the element masked where the loops are at `at`?
static bool is_masked_at(const HwMask *mask, const HwNest *nest, const int64_t *at)
{
    int64_t innermost = nest->loops.count - 1;
    while (innermost > 0 && nest->loops.items[innermost].size == 1)
        innermost--;
    bool always = mask->last_dim == innermost;
    int64_t last = nest->loops.items[mask->last_dim].size - 1;
    int64_t chosen = mask->valid_count_dim < 0 ? 0 : at[mask->valid_count_dim];
    if ((always || at[mask->last_dim] == 0) && at[innermost] < mask->left_pad)
        return true;
    bool counts = always || at[mask->last_dim] == last;
    return counts && at[innermost] >= mask->valid_counts.items[chosen];
}

static bool is_masked(const HwFetch *fetch, WalkUnit unit, int64_t element)
{
    enum { MOST_LOOPS = 16 };
    int64_t at[MOST_LOOPS] = {0};
    for (int64_t i = fetch->nest.loops.count - 1; i >= 0; i--) {
        at[i] = element % fetch->nest.loops.items[i].size;
        element /= fetch->nest.loops.items[i].size;
    }
    for (int64_t i = 0; i < fetch->masks.count; i++) {
        const HwMask *mask = &fetch->masks.items[i];
        bool here =
            !mask->bitmaps.count || walk_has_unit(mask->bitmaps.items, mask->bitmaps.count, unit);
        if (here && is_masked_at(mask, &fetch->nest, at))
            return true;
    }
    return false;
}

WalkRead walk_fetch(const HwFetch *fetch, WalkUnit unit, int64_t packet, int64_t element)
{
    int64_t bases = fetch->bases.count;
    WalkRead read = {.base = packet % bases};
    int64_t at = packet / bases * fetch->packet_elements + element;
    read.bit = walk_nest_bit(&fetch->nest, at) +
               (fetch->bases.items[read.base] - fetch->bases.items[0]) * 8;
    read.is_masked = !walk_has_unit(fetch->bitmaps.items, fetch->bitmaps.count, unit) ||
                     is_masked(fetch, unit, at);
    return read;
}

bool walk_route(const HwSwitchRoute *route, int64_t slice, int64_t packet, int64_t *from_slice,
                int64_t *from_packet)
{
    *from_slice = *from_packet = 0;
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        int64_t digit = (term->of_time ? packet : slice) / term->place % term->extent;
        if (digit >= term->size)
            return false;
        *from_slice += digit * term->slice_stride;
        *from_packet += digit * term->time_stride;
    }
    return true;
}

bool walk_snoops(const HwSwitchRoute *route, int64_t slice, int64_t source)
{
    const HwSnoopRow *row = &route->snoop.items[slice];
    return row->sources.items[source / 64] >> source % 64 & 1;
}

static bool is_left_out(const HwCommit *commit, WalkUnit unit, int64_t place)
{
    for (int64_t i = 0; i < commit->masks.count; i++) {
        const HwCommitMask *mask = &commit->masks.items[i];
        bool here =
            !mask->bitmaps.count || walk_has_unit(mask->bitmaps.items, mask->bitmaps.count, unit);
        if (here && !walk_is_data(mask->checks.items, mask->checks.count, place))
            return true;
    }
    return false;
}

bool walk_commit(const HwCommit *commit, WalkUnit unit, int64_t flit, int64_t element,
                 int64_t flit_elements, int64_t *bit)
{
    int64_t kept = commit->commit_in_size * 8 / commit->nest.element_bits;
    if (element >= kept || !walk_has_unit(commit->bitmaps.items, commit->bitmaps.count, unit) ||
        is_left_out(commit, unit, flit * flit_elements + element))
        return false;
    *bit = walk_nest_bit(&commit->nest, flit * kept + element);
    return true;
}
