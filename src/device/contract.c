// The Contraction Engine of one slice: the Stream Adapter, the TRF Sequencer and the Reducer.
// contract.def says what they do. Factors become cells (loops/contract.h) once; then the lists of
// contract.h are gone through, up to four places at a time.
#include "device/contract.h"

#include "base/checked.h"
#include "command/nest.h"
#include "device/data.h"
#include "scalar/bits.h"

#include <string.h>

// Factors of the Contraction Engine as cells (loops/contract.h), and the packets that are put
// together of them.

enum { SLOT_BITS = 4, DECODED_LANES = 512 }; // of a row, at a time

static void decode(const Contraction *c, Scalar type, const uint32_t *table, const uint32_t *values,
                   int64_t count, uint32_t *cells)
{
    if (type == SCALAR_F32 && values != cells)
        memcpy(cells, values, sizeof *cells * count);
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

// The lanes of a packet that are data; NULL: all.
static const uint8_t *contract_mask(const Contraction *c, const ContractPacket *packet)
{
    return packet->mask < 0 ? NULL : c->schedule->masks + packet->mask * c->plan->lanes;
}

// Flit `number` of a packet of the stream; -1: there is none, it is zeros.
static int64_t contract_flit(const Contraction *c, const ContractPacket *packet, int64_t number)
{
    const HwStreamAdapt *adapt = c->plan->adapt;
    int64_t flit = packet->at + loops_offset(&adapt->loops, LOOPS_PACKET, number);
    return flit < 0 || flit >= adapt->in_time ? -1 : flit;
}

static void gather_x(const Contraction *c, const ContractPacket *packet, uint32_t *values)
{
    const ContractPlan *plan = c->plan;
    const uint8_t *mask = contract_mask(c, packet);
    memset(values, 0, sizeof *values * plan->lanes);
    for (int64_t i = 0; i < plan->adapt->collect_flits; i++) {
        int64_t flit = contract_flit(c, packet, i), to = i * plan->flit_lanes;
        if (flit >= 0 && to < plan->lanes)
            memcpy(values + to, c->stream->bits + flit * plan->flit_lanes,
                   sizeof *values * min_i64(plan->flit_lanes, plan->lanes - to));
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

// Cells of the stream, which may be in its place, or of a part of it; of TRF.
static void contract_make_x(const Contraction *c)
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

static void contract_make_part(const Contraction *c, const ContractPart *part)
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
        memset(cells, 0, sizeof *cells * ceil_div(count, c->plan->lanes_per_cell));
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
        if (!memchr(mask + i, 1, width))
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
        memset(to, 0, sizeof *to * (c->packet_cells * CONTRACT_WIDTH));
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

// and w_range
static void contract_make_w(Contraction *c)
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

enum {
    FEW_ROWS = 4,      // for which places are side by side
    CHUNK_CELLS = 512, // of a row, that stay in the nearest cache while places go by
};

// ---- sums

// What changes nothing that is added to it.
static void fill_sums(const Contraction *c, uint32_t *sums, int64_t count)
{
    uint32_t nothing = c->plan->is_float ? CONTRACT_MINUS_ZERO : 0;
    for (int64_t i = 0; i < count; i++)
        sums[i] = nothing;
}

static ContractLoop *const *loops_of(const Contraction *c)
{
    return c->plan->is_float ? c->loops->floats[c->is_exact][c->plan->reduce->tree_depth]
                             : c->loops->integers;
}

// What is to be multiplied comes after: few of its parts are used, and there are many blocks.
static void begin_block(const Contraction *c, const int64_t *v_at, const int64_t *b_at,
                        int64_t steps, ContractBlock *block)
{
    enum { LINE = 64, LINES = 8 };
    for (int i = 0; i < LINES && c->ahead->at < c->ahead->end; i++, c->ahead->at += LINE)
        __builtin_prefetch(c->ahead->at, 0, 1);
    block->v_at = v_at;
    block->b_at = b_at;
    block->steps = steps;
    block->cells = c->column_cells;
}

// Steps [from, from + steps) of `count` places that have the same list and weights: 1, 2 or 4.
static void run_places(const Contraction *c, const ContractPlace *places, int count, int64_t from,
                       int64_t steps, int64_t row)
{
    const HwReduce *reduce = c->plan->reduce;
    const ContractList *list = &c->schedule->lists[places->list];
    ContractLoop *const *loops = loops_of(c);
    ContractBlock block;
    begin_block(c, list->w_at + from, list->x_at + from, steps, &block);
    for (int64_t column = 0; column < reduce->columns; column++) {
        int64_t cell = column * c->column_cells;
        block.v[0] = c->w + row * c->w_cells + (places->w + cell) * CONTRACT_WIDTH;
        for (int i = 0; i < count; i++) {
            block.b[i] = c->x + places[i].x - c->x_from + cell;
            block.sums[i] =
                c->sums + (places[i].place * reduce->columns + column) * c->wide_rows + row;
        }
        loops[count / 2](&block);
    }
}

// All steps of `count` places that have the same list and weights. The weights of a chunk of steps
// stay near while all places go through them.
static void run_group(const Contraction *c, const ContractPlace *places, int64_t count, int64_t row)
{
    int64_t total = c->schedule->lists[places->list].count;
    int64_t chunk = max_i64(1, CHUNK_CELLS / c->packet_cells);
    for (int64_t from = 0; from < total; from += chunk)
        for (int64_t i = 0, some; i < count; i += some) {
            some = count - i >= 4 ? 4 : count - i >= 2 ? 2 : 1;
            run_places(c, places + i, (int)some, from, min_i64(chunk, total - from), row);
        }
}

// Two places of each of two groups, which have the same list and stream, and other weights: what is
// loaded of either is used twice.
static void run_pairs(const Contraction *c, const ContractPlace *one, const ContractPlace *two,
                      int64_t from, int64_t steps, int64_t row)
{
    const HwReduce *reduce = c->plan->reduce;
    const ContractList *list = &c->schedule->lists[one->list];
    const ContractPlace *groups[CONTRACT_VECTORS] = {one, two};
    ContractBlock block;
    begin_block(c, list->w_at + from, list->x_at + from, steps, &block);
    for (int64_t column = 0; column < reduce->columns; column++) {
        int64_t cell = column * c->column_cells;
        for (int k = 0; k < CONTRACT_VECTORS; k++) {
            block.v[k] = c->w + row * c->w_cells + (groups[k]->w + cell) * CONTRACT_WIDTH;
            for (int i = 0; i < 2; i++)
                block.sums[k * 2 + i] =
                    c->sums + (groups[k][i].place * reduce->columns + column) * c->wide_rows + row;
        }
        for (int i = 0; i < 2; i++)
            block.b[i] = c->x + one[i].x - c->x_from + cell;
        loops_of(c)[CONTRACT_TWICE](&block);
    }
}

static void run_two_groups(const Contraction *c, const ContractPlace *one, const ContractPlace *two,
                           int64_t count, int64_t row)
{
    int64_t total = c->schedule->lists[one->list].count;
    int64_t chunk = max_i64(1, CHUNK_CELLS / 2 / c->packet_cells);
    for (int64_t from = 0; from < total; from += chunk)
        for (int64_t i = 0; i < count; i += 2)
            run_pairs(c, one + i, two + i, from, min_i64(chunk, total - from), row);
}

static bool is_same_stream(const ContractPlace *one, const ContractPlace *two, int64_t count)
{
    bool same = one->list == two->list;
    for (int64_t i = 0; i < count && same; i++)
        same = one[i].x == two[i].x;
    return same;
}

// Where rows are few, eight places with the same list and weights are side by side instead of
// eight rows; those of the stream are interleaved, a chunk of steps at a time.
typedef struct {
    uint32_t x[CHUNK_CELLS * CONTRACT_WIDTH];
    uint32_t sums[CONTRACT_MOST_LANES][FEW_ROWS][CONTRACT_WIDTH]; // by column, row and place
    int64_t x_at[CHUNK_CELLS];
} Across;

static void gather_places(const Contraction *c, const ContractPlace *const places[CONTRACT_WIDTH],
                          int64_t from, int64_t steps, Across *across)
{
    const ContractList *list = &c->schedule->lists[places[0]->list];
    for (int64_t t = 0; t < steps; t++) {
        const uint32_t *rows[CONTRACT_WIDTH];
        for (int64_t i = 0; i < CONTRACT_WIDTH; i++)
            rows[i] = c->x + places[i]->x - c->x_from + list->x_at[from + t];
        across->x_at[t] = t * c->packet_cells;
        c->loops->interleave(rows, c->packet_cells, across->x + across->x_at[t] * CONTRACT_WIDTH);
    }
}

static void multiply_across(const Contraction *c, const ContractPlace *place, int64_t from,
                            int64_t steps, Across *across)
{
    const HwReduce *reduce = c->plan->reduce;
    ContractLoop *const *loops = loops_of(c);
    ContractBlock block;
    begin_block(c, across->x_at, c->schedule->lists[place->list].w_at + from, steps, &block);
    for (int64_t column = 0; column < reduce->columns; column++) {
        int64_t cell = column * c->column_cells;
        block.v[0] = across->x + cell * CONTRACT_WIDTH;
        for (int64_t row = 0; row < reduce->rows; row++) {
            block.b[row] = c->w_rows + row * c->w_cells + place->w + cell;
            block.sums[row] = across->sums[column][row];
        }
        loops[reduce->rows / 2](&block);
    }
}

static void run_across(const Contraction *c, const ContractPlace *places, int64_t count)
{
    Across across;
    const ContractPlace *side_by_side[CONTRACT_WIDTH];
    const HwReduce *reduce = c->plan->reduce;
    int64_t total = c->schedule->lists[places->list].count;
    int64_t chunk = max_i64(1, CHUNK_CELLS / c->packet_cells);
    for (int64_t i = 0; i < CONTRACT_WIDTH; i++)
        side_by_side[i] = &places[min_i64(i, count - 1)];
    fill_sums(c, across.sums[0][0], reduce->columns * FEW_ROWS * CONTRACT_WIDTH);
    for (int64_t from = 0; from < total; from += chunk) {
        int64_t steps = min_i64(chunk, total - from);
        gather_places(c, side_by_side, from, steps, &across);
        multiply_across(c, places, from, steps, &across);
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t column = 0; column < reduce->columns; column++)
            for (int64_t row = 0; row < reduce->rows; row++)
                c->sums[(places[i].place * reduce->columns + column) * c->wide_rows + row] =
                    across.sums[column][row][i];
}

// To interleave eight places costs about as much as to multiply two.
static bool pays_across(const Contraction *c, int64_t count)
{
    return c->w_rows && count > c->plan->reduce->rows + 2;
}

// Places from `at` on, before `end`, that have the same list and weights.
static int64_t group_size(const Contraction *c, int64_t at, int64_t end)
{
    const ContractPlace *places = c->schedule->places;
    int64_t count = at < end;
    while (count && at + count < end && places[at + count].list == places[at].list &&
           places[at + count].w == places[at].w)
        count++;
    return count;
}

static void run_rows(const Contraction *c, const ContractPart *part, int64_t row)
{
    const ContractPlace *places = c->schedule->places;
    int64_t end = part->first + part->count;
    for (int64_t i = part->first, count; i < end; i += count) {
        count = group_size(c, i, end);
        if (c->plan->is_float && !pays_across(c, count) && count % 2 == 0 &&
            group_size(c, i + count, end) == count &&
            is_same_stream(places + i, places + i + count, count)) {
            run_two_groups(c, places + i, places + i + count, count, row);
            i += count;
            continue;
        }
        int64_t done = 0;
        for (; pays_across(c, count - done); done += CONTRACT_WIDTH)
            run_across(c, places + i + done, min_i64(count - done, CONTRACT_WIDTH));
        if (done < count)
            run_group(c, places + i + done, count - done, row);
    }
}

// ---- exact products

// An exponent of f32, at most that of any cell, or at least.
static int64_t exponent_of(uint32_t size)
{
    return size >> 24;
}

// Of two factors of at most 8 digits: 1 at the last place of one times that of the other is a
// number of f32, and so is the largest product.
static bool are_exact(ContractRange x, ContractRange w)
{
    enum { LEAST = 2 * (127 + 7) - 149, MOST = 2 * 127 + 127 - 2 };
    return exponent_of(x.least) + exponent_of(w.least) >= LEAST &&
           exponent_of(x.most) + exponent_of(w.most) <= MOST;
}

// Cells are looked at once more for it: they should be multiplied several times.
static bool pays_to_ask(const Contraction *c)
{
    enum { TIMES = 3 };
    int64_t eights = c->wide_rows / CONTRACT_WIDTH;
    int64_t products = c->schedule->step_count * c->packet_cells * eights;
    return c->plan->is_short && c->loops->has_fused && c->plan->reduce->tree_depth &&
           products >= TIMES * (c->x_cells + c->w_cells * eights);
}

static void find_exact(Contraction *c, int64_t cells)
{
    ContractRange range = CONTRACT_NO_RANGE;
    if (!c->asks_exact)
        return;
    c->loops->find_range(c->x, cells, &range);
    c->is_exact = are_exact(range, c->w_range);
}

// ---- all of it

// Part `number`, and what comes behind it.
static void make_part(Contraction *c, int64_t number)
{
    const ContractPart *part = &c->schedule->parts[number];
    contract_make_part(c, part);
    c->x_from = part->from / c->plan->lanes_per_cell;
    find_exact(c, part->to - part->from);
    *c->ahead = (ContractAhead){0};
    if (number + 1 < c->schedule->part_count)
        c->ahead->at = fetch_part_bytes(c->run, c->slice, part[1].from, part[1].to, &c->ahead->end);
}

static void add_up(Contraction *c)
{
    int64_t count = c->plan->reduce->places * c->plan->reduce->columns * c->wide_rows;
    fill_sums(c, c->sums, count);
    for (int64_t i = 0; i < c->schedule->part_count; i++) {
        const ContractPart *part = &c->schedule->parts[i];
        if (!c->stream->bits)
            make_part(c, i);
        for (int64_t row = 0; row < c->wide_rows; row += CONTRACT_WIDTH)
            run_rows(c, part, row);
    }
    if (c->plan->is_float)
        c->loops->clean(c->sums, count);
}

// ---- the way out

// All sums are there, and all rows of a place are neighbours.
static void put_all_out(const Contraction *c, Stream *out)
{
    const HwReduce *reduce = c->plan->reduce;
    for (int64_t i = 0; i < reduce->places * reduce->columns; i++)
        memcpy(out->bits + i * reduce->out_elements, c->sums + i * c->wide_rows,
               sizeof *out->bits * reduce->rows);
}

// Lanes and tags of the rows that the schedule is for.
static void put_out(const Contraction *c, Stream *out)
{
    const HwReduce *reduce = c->plan->reduce;
    int64_t lanes = reduce->out_elements, rows = reduce->rows, columns = reduce->columns;
    int64_t eights = ceil_div(columns, lanes);
    bool interleaved = reduce->resize == ACCUMULATE_INTERLEAVED;
    for (int64_t i = 0; i < reduce->places * columns; i++) {
        int64_t place = i / columns, column = i % columns;
        const uint8_t *dead = c->dead ? c->dead + i * c->wide_rows : NULL;
        int64_t at = interleaved ? i * lanes : place * rows * eights * lanes + column;
        int64_t step = interleaved ? 1 : eights * lanes;
        for (int64_t row = 0; row < rows && c->schedule->exists[i]; row++, at += step) {
            if (!c->takes_row[row])
                continue;
            out->bits[at] = c->sums[i * c->wide_rows + row];
            if (out->tags)
                out->tags[at] = dead && dead[row] ? 0 : TAG_LIVE;
        }
    }
}

static bool take_memory(Contraction *c, bool in_place)
{
    const ContractPlan *plan = c->plan;
    int64_t cell = sizeof *c->x, packets = c->schedule->x_packets.count;
    int64_t sums = plan->reduce->places * plan->reduce->columns * c->wide_rows;
    c->w_cells = c->row_cells + c->schedule->w_packets.count * c->packet_cells;
    int64_t cells =
        c->stream->bits ? c->x_cells + packets * c->packet_cells + 1 : c->schedule->part_lanes;
    c->x = in_place && c->stream->bits ? c->stream->bits : scratch_take(c->scratch, cells * cell);
    c->w = scratch_take(c->scratch, (c->w_cells * c->wide_rows + 1) * cell);
    c->sums = scratch_take(c->scratch, sums * cell);
    bool few = plan->reduce->rows <= FEW_ROWS && plan->reduce->rows != 3;
    if (few)
        c->w_rows = scratch_take(c->scratch, (c->w_cells * plan->reduce->rows + 1) * cell);
    return c->x && c->w && c->sums && (!few || c->w_rows);
}

static void give_memory(Contraction *c)
{
    if (c->x != c->stream->bits)
        scratch_give(c->scratch, c->x);
    scratch_give(c->scratch, c->w);
    scratch_give(c->scratch, c->w_rows);
    scratch_give(c->scratch, c->sums);
    scratch_give(c->scratch, c->dead);
    c->dead = NULL;
}

// Whether every lane that goes out has a row and a column.
static bool fills_lanes(const HwReduce *reduce)
{
    return reduce->resize == ACCUMULATE_INTERLEAVED ? reduce->rows == reduce->out_elements
                                                    : reduce->columns % reduce->out_elements == 0;
}

// Which sums of the Contraction Engine have no value, because one of their factors has none. Looked
// at only where there may be such a one.

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
    if (!memchr(dead, 1, c->plan->lanes))
        return;
    for (int64_t i = 0; i < reduce->columns; i++)
        if (memchr(dead + i * width, 1, width))
            memset(c->dead + (place * reduce->columns + i) * c->wide_rows + row, 1, rows);
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

// Makes c->dead, if there is anything without a value. False: no memory.
static bool find_dead(Contraction *c)
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
    if (ok && !memchr(c->dead, 1, sums)) {
        scratch_give(c->scratch, c->dead);
        c->dead = NULL;
    }
    return ok;
}

// Rows that take part go through the schedule. `is_only`: all do, and no other schedule comes.
static bool run_schedule(Contraction *c, const ContractSchedule *schedule, bool is_only,
                         Stream *out)
{
    const HwReduce *reduce = c->plan->reduce;
    ContractAhead ahead = {0};
    c->schedule = schedule;
    c->is_exact = false;
    c->ahead = &ahead;
    bool ok = take_memory(c, is_only && !schedule->x_packets.count) && find_dead(c);
    if (ok && !out->bits) {
        bool whole = is_only && !c->dead && schedule->all_exist && fills_lanes(reduce);
        ok = (whole ? stream_new_live : stream_new)(c->scratch, out, reduce->out_type,
                                                    reduce->out_time, reduce->out_elements);
    }
    if (ok) {
        c->asks_exact = pays_to_ask(c);
        contract_make_w(c);
        if (c->stream->bits) {
            contract_make_x(c);
            find_exact(c, c->x_cells + schedule->x_packets.count * c->packet_cells);
        }
        add_up(c);
        (out->tags || reduce->resize != ACCUMULATE_INTERLEAVED ? put_out : put_all_out)(c, out);
    }
    give_memory(c);
    c->ahead = NULL;
    c->schedule = NULL;
    return ok;
}

// Which lanes are data depends on the slice, or on the row: a schedule for each row that is
// neither all nor nothing, unless all rows are alike.
static bool run_varying(Contraction *c, Stream *out)
{
    const ContractPlan *plan = c->plan;
    const HwReduce *reduce = plan->reduce;
    const HwCheckList *test = &reduce->data;
    int64_t unit = run_unit(c->run, c->slice), size = reduce->in_time * plan->lanes;
    int64_t alike = plan->varies_by_row ? 1 : reduce->rows;
    uint8_t is_all[CONTRACT_MOST_ROWS] = {0};
    bool ok = stream_new(c->scratch, out, reduce->out_type, reduce->out_time, reduce->out_elements);
    for (int64_t row = 0; row < reduce->rows && ok; row += alike) {
        int64_t first = contract_position(plan, unit, row);
        DataShare data = data_share(test, first, size);
        memset(is_all + row, data == DATA_ALL, alike);
        if (data != DATA_SOME)
            continue;
        ContractSchedule schedule;
        memset(c->takes_row, 0, sizeof c->takes_row);
        memset(c->takes_row + row, 1, alike);
        ok = contract_schedule_new(plan, test, first, &schedule) &&
             run_schedule(c, &schedule, false, out);
        contract_schedule_free(&schedule);
    }
    memcpy(c->takes_row, is_all, sizeof is_all);
    return ok &&
           (!memchr(is_all, 1, sizeof is_all) || run_schedule(c, &plan->schedule, false, out));
}

// Whether all lanes of all rows of the slice are data.
static bool is_all_data(const Contraction *c)
{
    const HwReduce *reduce = c->plan->reduce;
    const HwCheckList *test = &reduce->data;
    int64_t size = reduce->in_time * c->plan->lanes;
    int64_t first = contract_position(c->plan, run_unit(c->run, c->slice), 0);
    bool all = true;
    for (int64_t row = 0; row < reduce->rows && all; row++)
        all = data_share(test, first + row * size, size) == DATA_ALL;
    return all;
}

bool contraction_takes_parts(const ContractPlan *plan)
{
    return !plan->varies && plan->schedule.part_lanes;
}

bool contraction_run(const ClusterRun *run, int64_t slice, Stream *stream)
{
    const ContractPlan *plan = run->plan->contract;
    const HwReduce *reduce = plan->reduce;
    int64_t per_cell = plan->lanes_per_cell;
    Stream out = {0};
    Contraction c = {.run = run,
                     .plan = plan,
                     .loops = LOOPS_CHOICE(ContractLoops, contract_loops)[run->device->isa],
                     .scratch = device_scratch(run->device),
                     .slice = slice,
                     .stream = stream,
                     .packet_cells = plan->lanes / per_cell,
                     .column_cells = max_i64(1, (INT64_C(1) << reduce->tree_depth) / per_cell),
                     .x_cells = ceil_div(plan->stream_lanes, per_cell),
                     .row_cells = ceil_div(plan->row_lanes, per_cell),
                     .wide_rows = ceil_div(reduce->rows, CONTRACT_WIDTH) * CONTRACT_WIDTH};
    memset(c.takes_row, 1, sizeof c.takes_row);
    bool ok = !plan->varies || is_all_data(&c) ? run_schedule(&c, &plan->schedule, true, &out)
                                               : run_varying(&c, &out);
    if (ok)
        stream_replace(c.scratch, stream, &out);
    else
        stream_free(c.scratch, &out);
    return ok;
}
