// Which sums of the Contraction Engine have no value, because one of their factors has none. Looked
// at only where there may be such a one.
#include "device/contract.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <string.h>

enum { SLOT_BITS = 4 };

// Of each lane of the stream and the packets, or of a row and its packets: 1 is data without a
// value.
static void find_dead_x(const Contraction *c, uint8_t *dead)
{
    const ContractPlan *plan = c->plan;
    int64_t behind = c->x_cells * plan->lanes_per_cell;
    for (int64_t i = 0; i < plan->stream_lanes; i++)
        dead[i] = c->stream->tags && !(c->stream->tags[i] & TAG_LIVE);
    for (int64_t k = 0; k < c->schedule->x_packets.count; k++) {
        const ContractPacket *packet = &c->schedule->x_packets.items[k];
        const uint8_t *mask = contract_mask(c, packet);
        for (int64_t i = 0; i < plan->lanes; i++) {
            int64_t number = i / plan->flit_lanes;
            int64_t flit =
                number < plan->adapt->collect_flits ? contract_flit(c, packet, number) : -1;
            dead[behind + k * plan->lanes + i] =
                flit >= 0 && (!mask || mask[i]) &&
                dead[flit * plan->flit_lanes + i % plan->flit_lanes];
        }
    }
    for (int64_t k = 0; k < c->schedule->x_masked.count; k++) {
        const ContractPacket *packet = &c->schedule->x_masked.items[k];
        const uint8_t *mask = contract_mask(c, packet);
        for (int64_t i = 0; i < plan->lanes; i++)
            dead[packet->at * plan->flit_lanes + i] &= mask[i];
    }
}

static void find_dead_w(const Contraction *c, const Slice *slice, int64_t row, uint32_t *values,
                        uint8_t *dead)
{
    const ContractPlan *plan = c->plan;
    const HwTrfRead *read = plan->read;
    int64_t slots = scalar_traits[read->type].packet_bits / SLOT_BITS;
    int64_t behind = c->row_cells * plan->lanes_per_cell;
    if (slice)
        trf_load(&slice->trf, &read->layout, read->type, row, plan->first_element * slots,
                 plan->row_lanes, values, dead);
    for (int64_t i = 0; i < plan->row_lanes; i++)
        dead[i] = !slice || !dead[i];
    for (int64_t k = 0; k < c->schedule->w_packets.count; k++) {
        const ContractPacket *packet = &c->schedule->w_packets.items[k];
        const uint8_t *mask = contract_mask(c, packet);
        for (int64_t i = 0; i < plan->lanes; i++) {
            int64_t element = packet->at + i % plan->read_elements - plan->first_element;
            bool is_inside = element >= 0 && element < plan->row_lanes;
            dead[behind + k * plan->lanes + i] =
                (!mask || mask[i]) && (!is_inside || dead[element]);
        }
    }
}

// Marks the columns of a place, in rows [row, row + rows), that have a dead lane among those at
// `dead`.
static void mark_columns(const Contraction *c, const uint8_t *dead, int64_t place, int64_t row,
                         int64_t rows)
{
    const HwReduce *reduce = c->plan->reduce;
    size_t width = (size_t)1 << reduce->tree_depth;
    if (!memchr(dead, 1, (size_t)c->plan->lanes))
        return;
    for (int64_t i = 0; i < reduce->columns; i++)
        if (memchr(dead + (size_t)i * width, 1, width))
            memset(c->dead + (place * reduce->columns + i) * c->wide_rows + row, 1, (size_t)rows);
}

// `rows` rows from `row` on meet lanes that are dead, of the stream or, if !is_x, of the row.
static void mark_dead(const Contraction *c, const uint8_t *dead, bool is_x, int64_t row,
                      int64_t rows)
{
    int64_t per_cell = c->plan->lanes_per_cell;
    for (int64_t i = 0; i < c->schedule->place_count; i++) {
        const ContractPlace *place = &c->schedule->places[i];
        const ContractList *list = &c->schedule->lists[place->list];
        for (int64_t t = 0; t < list->count; t++) {
            int64_t cell = is_x ? place->x + list->x_at[t] : place->w + list->w_at[t];
            mark_columns(c, dead + cell * per_cell, place->place, row, rows);
        }
    }
}

// Whether all that a row may be asked for was written.
static bool row_is_written(const Contraction *c, const Slice *slice, int64_t row)
{
    const HwTrfRead *read = c->plan->read;
    int64_t bits = scalar_traits[read->type].packet_bits;
    int64_t byte = c->plan->first_element * bits / BYTE_BITS;
    int64_t end = ceil_div((c->plan->first_element + c->plan->row_lanes) * bits, BYTE_BITS);
    while (byte < end) {
        int64_t run = 0, at = trf_find(&slice->trf, &read->layout, row, byte, &run);
        run = min_i64(run, end - byte);
        if (at < 0 || !trf_has_all(&slice->trf, at, run))
            return false;
        byte += run;
    }
    return true;
}

// Whether a packet has elements that no row has.
static bool reads_beyond(const Contraction *c)
{
    const ContractPackets *packets = &c->schedule->w_packets;
    int64_t first = c->plan->first_element;
    int64_t count = min_i64(c->plan->read_elements, c->plan->lanes);
    bool beyond = false;
    for (int64_t i = 0; i < packets->count && !beyond; i++)
        beyond = packets->items[i].at < first ||
                 packets->items[i].at + count > first + c->plan->row_lanes;
    return beyond;
}

static bool all_live(const Contraction *c)
{
    const Slice *slice = run_slice(c->run, c->slice);
    const uint8_t *tags = c->stream->tags;
    bool ok = slice && (!tags || c->loops->all_have(tags, c->plan->stream_lanes, TAG_LIVE));
    for (int64_t row = 0; row < c->plan->reduce->rows && ok; row++)
        ok = row_is_written(c, slice, row);
    return ok;
}

bool contract_find_dead(Contraction *c)
{
    const ContractPlan *plan = c->plan;
    int64_t rows = plan->reduce->rows, packets = c->schedule->x_packets.count;
    int64_t sums = plan->reduce->places * plan->reduce->columns * c->wide_rows;
    int64_t x_lanes = c->x_cells * plan->lanes_per_cell + packets * plan->lanes;
    int64_t w_lanes = c->w_cells * plan->lanes_per_cell;
    if (all_live(c) && !reads_beyond(c))
        return true;
    uint8_t *dead = scratch_take_zeroed(c->scratch, max_i64(x_lanes, w_lanes) + 1);
    uint32_t *values = scratch_take(c->scratch, (w_lanes + 1) * (int64_t)sizeof *values);
    c->dead = scratch_take_zeroed(c->scratch, sums);
    bool ok = dead && values && c->dead;
    if (ok) {
        find_dead_x(c, dead);
        mark_dead(c, dead, true, 0, rows);
    }
    for (int64_t row = 0; row < rows && ok; row++) {
        find_dead_w(c, run_slice(c->run, c->slice), row, values, dead);
        mark_dead(c, dead, false, row, 1);
    }
    scratch_give(c->scratch, dead);
    scratch_give(c->scratch, values);
    if (ok && !memchr(c->dead, 1, (size_t)sums)) {
        scratch_give(c->scratch, c->dead);
        c->dead = NULL;
    }
    return ok;
}
