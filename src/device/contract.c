// The Contraction Engine of one slice: the Stream Adapter, the TRF Sequencer and the Reducer.
// contract.def says what they do. Factors become cells (loops/contract.h) once; then the lists of
// contract.h are gone through, up to four places at a time.
#include "device/contract.h"
#include "device/data_part.h"
#include "device/loops/contract.h"
#include "device/nest.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <string.h>

enum {
    MOST_LANES = 256,
    MOST_ROWS = 256,
    SLOT_BITS = 4,
    FEW_ROWS = 4,        // for which places are side by side
    DECODED_LANES = 512, // of a row, at a time
    CHUNK_CELLS = 512,   // of a row, that stay in the nearest cache while places go by
};

static const uint32_t minus_zero = UINT32_C(0x80000000);

typedef struct {
    const ClusterRun *run;
    const ContractPlan *plan;
    const ContractSchedule *schedule;
    const ContractLoops *loops;
    Scratch *scratch;
    int64_t slice;
    const Stream *stream;
    uint32_t *x;      // cells of the stream, then of packets that are put together
    uint32_t *w;      // of eight rows each: cells of eight, then those of packets
    uint32_t *w_rows; // where places are side by side: the cells of one row after the other
    uint32_t *sums;   // by place, column and row, rows in eights
    uint8_t *dead;    // likewise: 1 has no value; NULL: all have one
    int64_t packet_cells, column_cells;
    int64_t x_cells, row_cells, w_cells; // of the stream; of a row without and with packets
    int64_t wide_rows;                   // rows in eights
    uint8_t takes_row[MOST_ROWS];        // whether the schedule is that of a row
} Contraction;

// ---- factors

static void decode(const Contraction *c, Scalar type, const uint32_t *table, const uint32_t *values,
                   int64_t count, uint32_t *cells)
{
    if (type == SCALAR_BF16)
        c->loops->shift(values, count, cells);
    else if (c->plan->is_float)
        c->loops->look_up(table, values, count, cells);
    else if (c->plan->lanes_per_cell == 2)
        c->loops->pair(values, count, cells);
    else
        c->loops->halve(values, count, cells);
}

static const uint8_t *mask_of(const Contraction *c, const ContractPacket *packet)
{
    return packet->mask < 0 ? NULL : c->schedule->masks + packet->mask * c->plan->lanes;
}

// Flit `number` of a packet of the stream; -1: there is none, it is zeros.
static int64_t flit_of(const ContractPlan *plan, const ContractPacket *packet, int64_t number)
{
    const HwStreamAdapt *adapt = plan->adapt;
    int64_t flit = packet->at + loops_offset(adapt->loops.items, adapt->loops.count, true, number);
    return flit < 0 || flit >= adapt->in_time ? -1 : flit;
}

static void gather_x(const Contraction *c, const ContractPacket *packet, uint32_t *values)
{
    const ContractPlan *plan = c->plan;
    const uint8_t *mask = mask_of(c, packet);
    memset(values, 0, sizeof *values * (size_t)plan->lanes);
    for (int64_t i = 0; i < plan->adapt->collect_flits; i++) {
        int64_t flit = flit_of(plan, packet, i), to = i * plan->flit_lanes;
        if (flit >= 0 && to < plan->lanes)
            memcpy(values + to, c->stream->bits + flit * plan->flit_lanes,
                   sizeof *values * (size_t)min_i64(plan->flit_lanes, plan->lanes - to));
    }
    for (int64_t i = 0; mask && i < plan->lanes; i++)
        values[i] = mask[i] ? values[i] : 0;
}

static void make_x(const Contraction *c)
{
    uint32_t values[MOST_LANES];
    const ContractPackets *packets = &c->schedule->x_packets;
    for (int64_t i = 0; i < packets->count; i++) {
        gather_x(c, &packets->items[i], values);
        decode(c, c->stream->type, c->plan->x_table, values, c->plan->lanes,
               c->x + c->x_cells + i * c->packet_cells);
    }
    decode(c, c->stream->type, c->plan->x_table, c->stream->bits, c->plan->stream_lanes, c->x);
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
                to[k] = minus_zero;
}

static void make_w_packets(const Contraction *c, uint32_t *w)
{
    const ContractPlan *plan = c->plan;
    const ContractPackets *packets = &c->schedule->w_packets;
    for (int64_t i = 0; i < packets->count; i++) {
        const uint8_t *mask = mask_of(c, &packets->items[i]);
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

static void make_w(const Contraction *c)
{
    for (int64_t row = 0; row < c->wide_rows; row += CONTRACT_WIDTH) {
        make_rows(c, row, c->w + row * c->w_cells);
        make_w_packets(c, c->w + row * c->w_cells);
    }
    for (int64_t row = 0; c->w_rows && row < c->plan->reduce->rows; row++)
        for (int64_t i = 0; i < c->w_cells; i++)
            c->w_rows[row * c->w_cells + i] = c->w[i * CONTRACT_WIDTH + row];
}

// ---- sums

// What changes nothing that is added to it.
static void fill_sums(const Contraction *c, uint32_t *sums, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sums[i] = c->plan->is_float ? minus_zero : 0;
}

// Steps [from, from + steps) of `count` places that have the same list and weights: 1, 2 or 4.
static void run_places(const Contraction *c, const ContractPlace *places, int count, int64_t from,
                       int64_t steps, int64_t row)
{
    const HwReduce *reduce = c->plan->reduce;
    const ContractList *list = &c->schedule->lists[places->list];
    ContractLoop *const *loops =
        c->plan->is_float ? c->loops->floats[reduce->tree_depth] : c->loops->integers;
    ContractBlock block = {.v_at = list->w_at + from,
                           .b_at = list->x_at + from,
                           .steps = steps,
                           .cells = c->column_cells};
    for (int64_t column = 0; column < reduce->columns; column++) {
        int64_t cell = column * c->column_cells;
        block.v = c->w + row * c->w_cells + (places->w + cell) * CONTRACT_WIDTH;
        for (int i = 0; i < count; i++) {
            block.b[i] = c->x + places[i].x + cell;
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

// Where rows are few, eight places with the same list and weights are side by side instead of
// eight rows; those of the stream are interleaved, a chunk of steps at a time.
typedef struct {
    uint32_t x[CHUNK_CELLS * CONTRACT_WIDTH];
    uint32_t sums[MOST_LANES][FEW_ROWS][CONTRACT_WIDTH]; // by column, row and place
    int64_t x_at[CHUNK_CELLS];
} Across;

static void gather_places(const Contraction *c, const ContractPlace *const places[CONTRACT_WIDTH],
                          int64_t from, int64_t steps, Across *across)
{
    const ContractList *list = &c->schedule->lists[places[0]->list];
    for (int64_t t = 0; t < steps; t++) {
        const uint32_t *rows[CONTRACT_WIDTH];
        for (int64_t i = 0; i < CONTRACT_WIDTH; i++)
            rows[i] = c->x + places[i]->x + list->x_at[from + t];
        across->x_at[t] = t * c->packet_cells;
        c->loops->interleave(rows, c->packet_cells, across->x + across->x_at[t] * CONTRACT_WIDTH);
    }
}

static void multiply_across(const Contraction *c, const ContractPlace *place, int64_t from,
                            int64_t steps, Across *across)
{
    const HwReduce *reduce = c->plan->reduce;
    ContractLoop *const *loops =
        c->plan->is_float ? c->loops->floats[reduce->tree_depth] : c->loops->integers;
    ContractBlock block = {.v_at = across->x_at,
                           .b_at = c->schedule->lists[place->list].w_at + from,
                           .steps = steps,
                           .cells = c->column_cells};
    for (int64_t column = 0; column < reduce->columns; column++) {
        int64_t cell = column * c->column_cells;
        block.v = across->x + cell * CONTRACT_WIDTH;
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

static void run_rows(const Contraction *c, int64_t row)
{
    const ContractPlace *places = c->schedule->places;
    for (int64_t i = 0, count; i < c->schedule->place_count; i += count) {
        for (count = 1; i + count < c->schedule->place_count; count++)
            if (places[i + count].list != places[i].list || places[i + count].w != places[i].w)
                break;
        int64_t done = 0;
        for (; pays_across(c, count - done); done += CONTRACT_WIDTH)
            run_across(c, places + i + done, min_i64(count - done, CONTRACT_WIDTH));
        if (done < count)
            run_group(c, places + i + done, count - done, row);
    }
}

static void add_up(const Contraction *c)
{
    int64_t count = c->plan->reduce->places * c->plan->reduce->columns * c->wide_rows;
    fill_sums(c, c->sums, count);
    for (int64_t row = 0; row < c->wide_rows; row += CONTRACT_WIDTH)
        run_rows(c, row);
    if (c->plan->is_float)
        c->loops->clean(c->sums, count);
}

// ---- what has no value

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
        const uint8_t *mask = mask_of(c, packet);
        for (int64_t i = 0; i < plan->lanes; i++) {
            int64_t number = i / plan->flit_lanes;
            int64_t flit = number < plan->adapt->collect_flits ? flit_of(plan, packet, number) : -1;
            dead[behind + k * plan->lanes + i] =
                flit >= 0 && (!mask || mask[i]) &&
                dead[flit * plan->flit_lanes + i % plan->flit_lanes];
        }
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
        const uint8_t *mask = mask_of(c, packet);
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
        if (at < 0 || !c->loops->all_have(slice->trf.marks + at, run, TRF_WRITTEN))
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

// False: no memory.
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
    return ok;
}

// ---- the way out

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
    c->x = in_place ? c->stream->bits
                    : scratch_take(c->scratch, (c->x_cells + packets * c->packet_cells + 1) * cell);
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

// Rows that take part go through the schedule. `is_only`: all do, and no other schedule comes.
static bool run_schedule(Contraction *c, const ContractSchedule *schedule, bool is_only,
                         Stream *out)
{
    const HwReduce *reduce = c->plan->reduce;
    c->schedule = schedule;
    bool ok = take_memory(c, is_only && !schedule->x_packets.count) && find_dead(c);
    if (ok && !out->bits) {
        bool whole = is_only && !c->dead && schedule->all_exist && fills_lanes(reduce);
        ok = (whole ? stream_new_live : stream_new)(c->scratch, out, reduce->out_type,
                                                    reduce->out_time, reduce->out_elements);
    }
    if (ok) {
        make_x(c);
        make_w(c);
        add_up(c);
        put_out(c, out);
    }
    give_memory(c);
    return ok;
}

// Which lanes are data depends on the slice, or on the row: a schedule for each row that is
// neither all nor nothing, unless all rows are alike.
static bool run_varying(Contraction *c, Stream *out)
{
    const ContractPlan *plan = c->plan;
    const HwReduce *reduce = plan->reduce;
    DataTest test = {reduce->data.items, reduce->data.count};
    int64_t unit = run_unit(c->run, c->slice), size = reduce->in_time * plan->lanes;
    int64_t alike = plan->varies_by_row ? 1 : reduce->rows;
    uint8_t is_all[MOST_ROWS] = {0};
    bool ok = stream_new(c->scratch, out, reduce->out_type, reduce->out_time, reduce->out_elements);
    for (int64_t row = 0; row < reduce->rows && ok; row += alike) {
        int64_t first = contract_position(plan, unit, row);
        DataPart data = data_part(&test, first, size);
        memset(is_all + row, data == DATA_ALL, (size_t)alike);
        if (data != DATA_SOME)
            continue;
        ContractSchedule schedule;
        memset(c->takes_row, 0, sizeof c->takes_row);
        memset(c->takes_row + row, 1, (size_t)alike);
        ok = contract_schedule_new(plan, &test, first, &schedule) &&
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
    DataTest test = {reduce->data.items, reduce->data.count};
    int64_t size = reduce->in_time * c->plan->lanes;
    int64_t first = contract_position(c->plan, run_unit(c->run, c->slice), 0);
    bool all = true;
    for (int64_t row = 0; row < reduce->rows && all; row++)
        all = data_part(&test, first + row * size, size) == DATA_ALL;
    return all;
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
