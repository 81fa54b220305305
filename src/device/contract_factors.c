// Factors of the Contraction Engine as cells (loops/contract.h), and the packets that are put
// together of them.
#include "device/contract.h"
#include "device/nest.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <string.h>

enum { SLOT_BITS = 4, DECODED_LANES = 512 }; // of a row, at a time

static void decode(const Contraction *c, Scalar type, const uint32_t *table, const uint32_t *values,
                   int64_t count, uint32_t *cells)
{
    if (type == SCALAR_F32 && values != cells)
        memcpy(cells, values, sizeof *cells * (size_t)count);
    else if (type == SCALAR_F32)
        return; // fetched so
    else if (type == SCALAR_BF16)
        c->loops->shift(values, count, cells);
    else if (c->plan->is_float)
        c->loops->look_up(table, values, count, cells);
    else if (c->plan->lanes_per_cell == 2)
        c->loops->pair(values, count, cells);
    else
        c->loops->halve(values, count, cells);
}

const uint8_t *contract_mask(const Contraction *c, const ContractPacket *packet)
{
    return packet->mask < 0 ? NULL : c->schedule->masks + packet->mask * c->plan->lanes;
}

int64_t contract_flit(const Contraction *c, const ContractPacket *packet, int64_t number)
{
    const HwStreamAdapt *adapt = c->plan->adapt;
    int64_t flit = packet->at + loops_offset(adapt->loops.items, adapt->loops.count, true, number);
    return flit < 0 || flit >= adapt->in_time ? -1 : flit;
}

static void gather_x(const Contraction *c, const ContractPacket *packet, uint32_t *values)
{
    const ContractPlan *plan = c->plan;
    const uint8_t *mask = contract_mask(c, packet);
    memset(values, 0, sizeof *values * (size_t)plan->lanes);
    for (int64_t i = 0; i < plan->adapt->collect_flits; i++) {
        int64_t flit = contract_flit(c, packet, i), to = i * plan->flit_lanes;
        if (flit >= 0 && to < plan->lanes)
            memcpy(values + to, c->stream->bits + flit * plan->flit_lanes,
                   sizeof *values * (size_t)min_i64(plan->flit_lanes, plan->lanes - to));
    }
    for (int64_t i = 0; mask && i < plan->lanes; i++)
        values[i] = mask[i] ? values[i] : 0;
}

// Lanes that are no data become zeros.
static void mask_x(const Contraction *c, const ContractPacket *packet)
{
    int64_t per_cell = c->plan->lanes_per_cell;
    const uint8_t *mask = contract_mask(c, packet);
    uint32_t *cells = c->x + packet->at * c->plan->flit_lanes / per_cell;
    for (int64_t i = 0; i < c->plan->lanes; i++)
        if (!mask[i])
            cells[i / per_cell] &= per_cell == 1 ? 0 : UINT32_C(0xffff0000) >> i % 2 * 16;
}

void contract_make_x(const Contraction *c)
{
    uint32_t values[CONTRACT_MOST_LANES];
    const ContractPackets *packets = &c->schedule->x_packets;
    for (int64_t i = 0; i < packets->count; i++) {
        gather_x(c, &packets->items[i], values);
        decode(c, c->stream->type, c->plan->x_table, values, c->plan->lanes,
               c->x + c->x_cells + i * c->packet_cells);
    }
    decode(c, c->stream->type, c->plan->x_table, c->stream->bits, c->plan->stream_lanes, c->x);
    for (int64_t i = 0; i < c->schedule->x_masked.count; i++)
        mask_x(c, &c->schedule->x_masked.items[i]);
}

void contract_make_part(const Contraction *c, const ContractPart *part)
{
    fetch_part(c->run, c->slice, part->from, part->to, c->x);
    decode(c, c->stream->type, c->plan->x_table, c->x, part->to - part->from, c->x);
}

// Elements as they lie in TRF. False: of that type it is to be asked for each.
static bool decode_bytes(const Contraction *c, Scalar type, const uint8_t *bytes, int64_t count,
                         uint32_t *cells)
{
    bool in_pairs = c->plan->lanes_per_cell == 2;
    if (type == SCALAR_BF16)
        c->loops->shift_bytes(bytes, count, cells);
    else if (c->plan->is_float)
        c->loops->look_up_bytes(c->plan->w_table, bytes, count, cells);
    else if (type == SCALAR_I8 && in_pairs)
        c->loops->pair_bytes(bytes, count, cells);
    else if (type == SCALAR_I4 && in_pairs)
        c->loops->pair_nibbles(bytes, count, cells);
    else
        return false;
    return true;
}

// Some elements of a row; zeros where there is no such row.
static void decode_row(const Contraction *c, const Slice *slice, int64_t row, int64_t element,
                       int64_t count, uint32_t *cells)
{
    const HwTrfRead *read = c->plan->read;
    int64_t bits = scalar_traits[read->type].packet_bits, run = 0;
    if (!slice || row >= c->plan->reduce->rows) {
        memset(cells, 0, sizeof *cells * (size_t)ceil_div(count, c->plan->lanes_per_cell));
        return;
    }
    int64_t at = trf_find(&slice->trf, &read->layout, row, element * bits / BYTE_BITS, &run);
    bool in_one =
        at >= 0 && run >= ceil_div(count * bits, BYTE_BITS) && element * bits % BYTE_BITS == 0;
    if (in_one && decode_bytes(c, read->type, slice->trf.bytes + at, count, cells))
        return;
    uint32_t values[DECODED_LANES];
    trf_load(&slice->trf, &read->layout, read->type, row, element * bits / SLOT_BITS, count, values,
             NULL);
    decode(c, read->type, c->plan->w_table, values, count, cells);
}

// Eight rows from `row` on.
static void make_rows(const Contraction *c, int64_t row, uint32_t *w)
{
    const ContractPlan *plan = c->plan;
    const Slice *slice = run_slice(c->run, c->slice);
    uint32_t cells[CONTRACT_WIDTH][DECODED_LANES];
    const uint32_t *rows[CONTRACT_WIDTH];
    for (int64_t from = 0; from < plan->row_lanes; from += DECODED_LANES) {
        int64_t count = min_i64(plan->row_lanes - from, DECODED_LANES);
        for (int64_t i = 0; i < CONTRACT_WIDTH; i++) {
            rows[i] = cells[i];
            decode_row(c, slice, row + i, plan->first_element + from, count, cells[i]);
        }
        c->loops->interleave(rows, ceil_div(count, plan->lanes_per_cell),
                             w + from / plan->lanes_per_cell * CONTRACT_WIDTH);
    }
}

// One lane of a packet, of eight rows, of what the rows have.
static void copy_lane(const Contraction *c, const uint32_t *w, int64_t element, uint32_t *to,
                      int64_t lane)
{
    int64_t per_cell = c->plan->lanes_per_cell;
    const uint32_t *from = w + element / per_cell * CONTRACT_WIDTH;
    uint32_t *cell = to + lane / per_cell * CONTRACT_WIDTH;
    for (int64_t i = 0; i < CONTRACT_WIDTH; i++)
        if (per_cell == 1)
            cell[i] = from[i];
        else
            cell[i] |= (from[i] >> element % 2 * 16 & 0xffff) << lane % 2 * 16;
}

// The products of lanes that are no data are +0; those of columns without any data -0, which
// changes no sum.
static void hide_columns(const Contraction *c, const uint8_t *mask, uint32_t *to)
{
    int64_t width = INT64_C(1) << c->plan->reduce->tree_depth;
    for (int64_t i = 0; i < c->plan->lanes; i += width)
        if (!memchr(mask + i, 1, (size_t)width))
            for (int64_t k = i * CONTRACT_WIDTH; k < (i + width) * CONTRACT_WIDTH; k++)
                to[k] = CONTRACT_MINUS_ZERO;
}

static void make_w_packets(const Contraction *c, uint32_t *w)
{
    const ContractPlan *plan = c->plan;
    const ContractPackets *packets = &c->schedule->w_packets;
    for (int64_t i = 0; i < packets->count; i++) {
        const uint8_t *mask = contract_mask(c, &packets->items[i]);
        uint32_t *to = w + (c->row_cells + i * c->packet_cells) * CONTRACT_WIDTH;
        memset(to, 0, sizeof *to * (size_t)(c->packet_cells * CONTRACT_WIDTH));
        for (int64_t lane = 0; lane < plan->lanes; lane++) {
            int64_t element =
                packets->items[i].at + lane % plan->read_elements - plan->first_element;
            if (element >= 0 && element < plan->row_lanes && (!mask || mask[lane]))
                copy_lane(c, w, element, to, lane);
        }
        if (mask && plan->is_float)
            hide_columns(c, mask, to);
    }
}

void contract_make_w(Contraction *c)
{
    for (int64_t row = 0; row < c->wide_rows; row += CONTRACT_WIDTH) {
        make_rows(c, row, c->w + row * c->w_cells);
        make_w_packets(c, c->w + row * c->w_cells);
    }
    c->w_range = CONTRACT_NO_RANGE;
    if (c->asks_exact)
        c->loops->find_range(c->w, c->w_cells * c->wide_rows, &c->w_range);
    for (int64_t row = 0; c->w_rows && row < c->plan->reduce->rows; row++)
        for (int64_t i = 0; i < c->w_cells; i++)
            c->w_rows[row * c->w_cells + i] = c->w[i * CONTRACT_WIDTH + row];
}
