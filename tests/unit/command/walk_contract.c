#include "walk_contract.h"

#include "base/checked.h"
#include "machine/machine.h"
#include "mapping/cell.h"
#include "mapping/divide.h"
#include "walk_padding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- saying what is wrong

#define wrong(walker, ...) wrong(walker, MESSAGE(__VA_ARGS__))

static bool(wrong)(Walker *walker, Message message)
{
    message_write(message, walker->problem, sizeof walker->problem);
    return false;
}

// ---- shapes

typedef struct {
    Mapping mapping;
    TermList axes;
} Side;

static Side side_of(Walker *walker, const Dim *const dims[LEVEL_COUNT])
{
    Side side = {.mapping = shape_of(walker->arena, dims)};
    side.axes = mapping_canonical_axes(walker->arena, &side.mapping);
    return side;
}

static int64_t size_of(const Dim *dim)
{
    return dim ? dim->mapping.size : 1;
}

// Both have the same of what `axes` name.
static bool agrees(const TermList *axes, const Index *a, const Index *b)
{
    for (int64_t i = 0; i < axes->count; i++) {
        const Term *axis = &axes->items[i];
        int64_t mine = index_value(a, axis->atom) / axis->stride % axis->modulo;
        int64_t its = index_value(b, axis->atom) / axis->stride % axis->modulo;
        if (mine != its)
            return false;
    }
    return true;
}

// Some position of the shape holds what agrees with `index`: looked for one by one.
static bool holds(Walker *walker, const Side *side, const Index *index)
{
    for (int64_t at = 0; at < side->mapping.size && at < 1 << 18; at++) {
        Cell cell = mapping_cell(walker->arena, &side->mapping, at);
        if (cell.count && agrees(&side->axes, index, &cell.items[0]))
            return true;
    }
    return false;
}

// Position `at` of a side holds its part of `index`, or no position does: then there is no value.
static bool is_at(Walker *walker, const Side *side, int64_t at, const Index *index)
{
    Cell cell = mapping_cell(walker->arena, &side->mapping, at);
    for (int64_t i = 0; i < cell.count; i++)
        if (agrees(&side->axes, index, &cell.items[i]))
            return true;
    return !holds(walker, side, index);
}

// ---- positions: all of them, or some

typedef struct {
    int64_t count, next, total;
    bool all;
    uint64_t state;
} Positions;

static Positions positions_of(const Walker *walker, int64_t total)
{
    bool all = total <= walker->most;
    return (Positions){.count = all ? total : walker->most,
                       .total = total,
                       .all = all,
                       .state = walker->seed * 2 + 1};
}

static bool next_position(Positions *positions, int64_t *at)
{
    int64_t index = positions->next++;
    if (index >= positions->count)
        return false;
    positions->state =
        positions->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    *at = positions->all ? index
          : index == 0   ? 0
          : index == 1   ? positions->total - 1
                         : (int64_t)((positions->state >> 1) % (uint64_t)positions->total);
    return true;
}

// ---- loops

// Iteration `number` of the loops that are (or are not) of the packet; -1: beyond the last.
static int64_t loop_offset(const HwLoop *loops, int64_t count, bool packet, int64_t number)
{
    int64_t offset = 0;
    for (int64_t i = count - 1; i >= 0; i--) {
        const HwLoop *loop = &loops[i];
        if (loop->packet != packet)
            continue;
        int64_t index = number % loop->size;
        number /= loop->size;
        offset += loop->offsets.count ? loop->offsets.items[index] : index * loop->stride;
    }
    return number ? -1 : offset;
}

// Together they make up `number`; only the outermost may end early.
static bool makes_up(const HwLoop *loops, int64_t count, bool packet, int64_t number)
{
    int64_t total = 1, inside = 1;
    for (int64_t i = count - 1; i >= 0; i--)
        if (loops[i].packet == packet) {
            inside = total;
            total *= loops[i].size;
        }
    return total >= number && total - number < inside;
}

// ---- the TRF

static bool check_layout(Walker *walker, const HwTrfLayout *layout, int64_t row_bytes)
{
    const Machine *machine = &machine_rngd;
    int64_t words = ceil_div(row_bytes, layout->bank_row_bytes);
    int64_t most = machine->trf_bank_rows * machine->trf_rows_per_bank * machine->trf_bank_columns;
    uint8_t *used = calloc((size_t)most, 1);
    if (!used)
        return false;
    bool ok = true;
    for (int64_t row = 0; row < layout->rows; row++)
        for (int64_t word = 0; word < words; word++) {
            int64_t column = word % layout->bank_columns, n = word / layout->bank_columns;
            int64_t bank = row * layout->bank_rows_per_row + n / layout->rows_in_bank;
            int64_t line = layout->first_row + n % layout->rows_in_bank;
            bool inside = bank < machine->trf_bank_rows && line < machine->trf_rows_per_bank;
            bool half = layout->address == TRF_FULL || (line >= machine->trf_rows_per_bank / 2) ==
                                                           (layout->address == TRF_SECOND_HALF);
            // as in the manual's bit field
            int64_t at = inside ? (bank * machine->trf_rows_per_bank + line) * 2 + column : 0;
            ok &= inside && half && !used[at];
            used[at] = 1;
        }
    free(used);
    return ok || wrong(walker, "rows of {} bytes do not lie apart in the banks", row_bytes);
}

bool walk_trf_store(Walker *walker, const Stage *stage, const HwTrfStore *store)
{
    const Dim *const *from = stage->before->dims, *const *to = stage->result->dims;
    int64_t bits = scalar_traits[store->type].packet_bits;
    int64_t time = size_of(from[LEVEL_TIME]), packet = size_of(from[LEVEL_PACKET]);
    int64_t rows = size_of(to[LEVEL_ROW]), elements = size_of(to[LEVEL_ELEMENT]), at;
    Side stream = side_of(walker, from), trf = side_of(walker, to);
    if (store->flits != time || store->layout.rows != rows ||
        store->row_bytes * 8 != elements * bits || store->flit_bytes * 8 != packet * bits)
        return wrong(walker, "sizes of the store are not those of the tensor");
    if (!check_layout(walker, &store->layout, store->row_bytes))
        return false;
    for (Positions all = positions_of(walker, stream.mapping.size); next_position(&all, &at);) {
        Arena own = {0};
        int64_t place = at / packet / time, flit = at / packet % time, lane = at % packet;
        int64_t row = 0, byte = 0, left = flit;
        for (int64_t i = store->loops.count - 1; i >= 0; i--) {
            const HwRowLoop *loop = &store->loops.items[i];
            row += left % loop->size * loop->row_stride;
            byte += left % loop->size * loop->byte_stride;
            left /= loop->size;
        }
        int64_t element = byte * 8 / bits + lane;
        bool inside = left == 0 && row < rows && element < elements;
        walker->looked++;
        Cell wanted = mapping_cell(&own, &stream.mapping, at);
        Cell found = mapping_cell(&own, &trf.mapping, (place * rows + row) * elements + element);
        bool same = inside && cell_equal(&wanted, &found);
        arena_release(&own);
        if (!same)
            return wrong(walker, "flit {} lane {} goes to row {} element {}", flit, lane, row,
                         element);
    }
    return true;
}

// ---- the VRF

bool walk_vrf_store(Walker *walker, const Stage *stage, const HwVrfStore *store)
{
    const Dim *const *from = stage->before->dims, *const *to = stage->result->dims;
    int64_t bits = scalar_traits[store->type].packet_bits, at;
    int64_t time = size_of(from[LEVEL_TIME]), packet = size_of(from[LEVEL_PACKET]);
    int64_t elements = size_of(to[LEVEL_ELEMENT]);
    const HwNest *nest = &store->nest;
    Side stream = side_of(walker, from), vrf = side_of(walker, to);
    if (!makes_up(nest->loops.items, nest->loops.count, false, time) ||
        !makes_up(nest->loops.items, nest->loops.count, true, packet) || store->time != time ||
        store->packet_elements != packet || nest->element_bits != bits)
        return wrong(walker, "sizes of the store are not those of the stream");
    Positions all = positions_of(walker, stream.mapping.size);
    uint8_t *written = all.all ? calloc((size_t)vrf.mapping.size, 1) : NULL;
    bool ok = true;
    while (ok && next_position(&all, &at)) {
        Arena own = {0};
        int64_t inner = at % (time * packet), place = at / (time * packet);
        int64_t offset = loop_offset(nest->loops.items, nest->loops.count, false, inner / packet) +
                         loop_offset(nest->loops.items, nest->loops.count, true, inner % packet);
        int64_t element = (nest->base - stage->result->address.value) * 8 / bits + offset;
        Cell wanted = mapping_cell(&own, &stream.mapping, at);
        bool data = walk_is_data(store->data.items, store->data.count, at);
        walker->looked++;
        if (!data)
            ok = wanted.count == 0 || wrong(walker, "element {} is left out", at);
        else {
            bool inside = element >= 0 && element < elements;
            int64_t target = inside ? place * elements + element : 0;
            Cell found = mapping_cell(&own, &vrf.mapping, target);
            ok = (inside && wanted.count && cell_equal(&wanted, &found) &&
                  (!written || !written[target])) ||
                 wrong(walker, "element {} goes to {}", at, element);
            if (written)
                written[target] = 1;
        }
        arena_release(&own);
    }
    for (int64_t i = 0; ok && written && i < vrf.mapping.size; i++) {
        Arena own = {0};
        if (!written[i] && mapping_cell(&own, &vrf.mapping, i).count)
            ok = wrong(walker, "element {} of VRF is never written", i);
        arena_release(&own);
    }
    free(written);
    return ok;
}

// ---- the contraction

typedef struct {
    Walker *walker;
    const HwStreamAdapt *adapt;
    const HwTrfRead *read;
    const HwReduce *reduce;
    Side pair, stream, trf, out;
    int64_t rows, time, lanes;    // of the pair
    int64_t flit_lanes, elements; // of a flit, of a row of TRF
    Scalar type;
    uint8_t *summed;   // out positions that got a product; NULL: not all are looked at
    int64_t trf_start; // byte of a row at which the tensor begins
} Contraction;

// Which place of the output step `step` belongs to.
static int64_t place_of(const HwReduce *reduce, int64_t step)
{
    int64_t place = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        place += step % loop->size * loop->stride;
        step /= loop->size;
    }
    return place;
}

static bool check_stream(Contraction *c, int64_t place, int64_t step, int64_t lane,
                         const Index *index)
{
    const HwStreamAdapt *adapt = c->adapt;
    int64_t slot = lane / c->flit_lanes;
    int64_t flit = loop_offset(adapt->loops.items, adapt->loops.count, false, step) +
                   loop_offset(adapt->loops.items, adapt->loops.count, true, slot);
    int64_t at = (place * adapt->in_time + flit) * c->flit_lanes + lane % c->flit_lanes;
    if (slot >= adapt->collect_flits)
        return wrong(c->walker, "lane {} is data, but beyond collect_flits", lane);
    bool inside = flit >= 0 && flit < adapt->in_time;
    if (inside ? is_at(c->walker, &c->stream, at, index) : !holds(c->walker, &c->stream, index))
        return true;
    return wrong(c->walker, "step {} lane {} takes flit {}", step, lane, flit);
}

static bool check_read(Contraction *c, int64_t place, int64_t row, int64_t step, int64_t lane,
                       const Index *index)
{
    const HwNest *nest = &c->read->nest;
    int64_t bits = scalar_traits[c->type].packet_bits;
    int64_t offset = loop_offset(nest->loops.items, nest->loops.count, false, step);
    int64_t bit = (nest->base - c->trf_start) * 8 + offset * nest->element_bits +
                  lane * bits % (nest->access_bytes * 8);
    int64_t element = bit / bits;
    bool inside = bit % bits == 0 && element >= 0 && element < c->elements;
    int64_t at = (place * c->rows + row) * c->elements + element;
    if (inside ? is_at(c->walker, &c->trf, at, index) : !holds(c->walker, &c->trf, index))
        return true;
    return wrong(c->walker, "step {} lane {} reads element {} of row {}", step, lane, element, row);
}

static bool check_sum(Contraction *c, int64_t place, int64_t row, int64_t step, int64_t lane,
                      const Index *index)
{
    const HwReduce *reduce = c->reduce;
    int64_t column = lane >> reduce->tree_depth, p = place_of(reduce, step), packet, out_lane;
    if (column >= reduce->columns)
        return wrong(c->walker, "lane {} is data, but beyond the columns", lane);
    if (reduce->resize == ACCUMULATE_INTERLEAVED) {
        packet = p * reduce->columns + column;
        out_lane = row;
    } else {
        packet = (p * reduce->rows + row) * ceil_div(reduce->columns, 8) + column / 8;
        out_lane = column % 8;
    }
    int64_t at = (place * reduce->out_time + packet) * reduce->out_elements + out_lane;
    bool inside = packet < reduce->out_time && out_lane < reduce->out_elements;
    Cell cell = {0};
    if (inside)
        cell = mapping_cell(c->walker->arena, &c->out.mapping, at);
    if (!cell.count || !agrees(&c->out.axes, index, &cell.items[0]))
        return wrong(c->walker, "step {} row {} lane {} goes to packet {} lane {}", step, row, lane,
                     packet, out_lane);
    if (c->summed)
        c->summed[at] = 1;
    return true;
}

static bool check_product(Contraction *c, int64_t at)
{
    int64_t lane = at % c->lanes, step = at / c->lanes % c->time;
    int64_t row = at / c->lanes / c->time % c->rows, place = at / c->lanes / c->time / c->rows;
    Cell cell = mapping_cell(c->walker->arena, &c->pair.mapping, at);
    bool data = !c->reduce || walk_is_data(c->reduce->data.items, c->reduce->data.count, at);
    c->walker->looked++;
    if (!data && cell.count)
        return wrong(c->walker, "step {} lane {} is left out", step, lane);
    if (!cell.count)
        return !data || !c->reduce ||
               wrong(c->walker, "step {} lane {} is padding, but counts", step, lane);
    const Index *index = &cell.items[0];
    return check_stream(c, place, step, lane, index) &&
           check_read(c, place, row, step, lane, index) &&
           (!c->reduce || check_sum(c, place, row, step, lane, index));
}

static bool check_sizes(Contraction *c)
{
    const HwStreamAdapt *adapt = c->adapt;
    const HwNest *nest = &c->read->nest;
    int64_t mac = machine_rngd.mac_bytes;
    bool ok = makes_up(adapt->loops.items, adapt->loops.count, false, c->time);
    ok &= makes_up(adapt->loops.items, adapt->loops.count, true, adapt->packet_flits);
    ok &= makes_up(nest->loops.items, nest->loops.count, false, c->time);
    ok &= adapt->out_time == c->time && c->read->out_time == c->time && adapt->rows == c->rows;
    ok &= adapt->packet_flits * adapt->flit_bytes == mac;
    ok &= adapt->data_bytes + adapt->pad_bytes == mac;
    ok &= adapt->collect_flits <= adapt->packet_flits;
    ok &= c->read->broadcast * nest->access_bytes == mac;
    ok &= nest->loops.count <= machine_rngd.trf_sequencer_entries;
    for (int64_t i = 0; i < nest->loops.count; i++) {
        int64_t stride = nest->loops.items[i].stride;
        ok &= nest->loops.items[i].size <= machine_rngd.sequencer_iterations;
        ok &= nest->access_bytes < mac || stride * nest->element_bits % (mac * 8) == 0;
    }
    return (ok && check_layout(c->walker, &c->read->layout, 1)) ||
           wrong(c->walker, "sizes do not fit together");
}

// Plays the buffer: a place takes a slot with its first step and frees it with its last.
static bool check_buffer(Contraction *c)
{
    const HwReduce *reduce = c->reduce;
    bool interleaved = reduce->resize == ACCUMULATE_INTERLEAVED, ok = true;
    int64_t limit =
        interleaved ? machine_rngd.reduce_interleaved_inner : machine_rngd.reduce_sequential_inner;
    if (reduce->inner_size > limit || reduce->slots > machine_rngd.accumulator_slots)
        return wrong(c->walker, "{} slots are too many", reduce->slots);
    if (reduce->in_time > 1 << 20)
        return true;
    int64_t *last = calloc((size_t)reduce->places, sizeof *last);
    int64_t *held = calloc((size_t)reduce->buffered, sizeof *held);
    for (int64_t step = 0; ok && step < reduce->in_time; step++) {
        int64_t place = place_of(reduce, step);
        ok = place >= 0 && place < reduce->places;
        if (ok)
            last[place] = step;
    }
    for (int64_t step = 0; ok && step < reduce->in_time; step++) {
        int64_t place = place_of(reduce, step), *slot = &held[place % reduce->buffered];
        ok = *slot == 0 || *slot == place + 1;
        *slot = last[place] == step ? 0 : place + 1;
    }
    free(last);
    free(held);
    return ok || wrong(c->walker, "a slot of the accumulator is needed twice");
}

// There is a product that belongs to what `index` says of the output.
static bool has_product(const Contraction *c, const Index *index)
{
    bool found = false;
    for (int64_t at = 0; !found && at < c->pair.mapping.size; at++) {
        Arena own = {0};
        Cell cell = mapping_cell(&own, &c->pair.mapping, at);
        found = cell.count && agrees(&c->out.axes, index, &cell.items[0]);
        arena_release(&own);
    }
    return found;
}

static bool check_outputs(Contraction *c)
{
    bool ok = true;
    for (int64_t i = 0; ok && c->summed && i < c->out.mapping.size; i++) {
        Arena own = {0};
        Cell cell = mapping_cell(&own, &c->out.mapping, i);
        ok = c->summed[i] ? cell.count > 0 : !cell.count || !has_product(c, &cell.items[0]);
        arena_release(&own);
        if (!ok)
            wrong(c->walker, "output {} gets no product", i);
    }
    return ok;
}

bool walk_contraction(Walker *walker, const Stage *align, const Stage *accumulate,
                      const HwStreamAdapt *adapt, const HwTrfRead *read, const HwReduce *reduce)
{
    Arena *outer = walker->arena;
    Contraction c = {
        .walker = walker,
        .adapt = adapt,
        .read = read,
        .reduce = reduce,
        .pair = side_of(walker, align->dims),
        .stream = side_of(walker, align->before->dims),
        .trf = side_of(walker, align->trf->dims),
        .trf_start = align->trf->address.value,
        .rows = size_of(align->dims[LEVEL_ROW]),
        .time = size_of(align->dims[LEVEL_TIME]),
        .lanes = size_of(align->dims[LEVEL_PACKET]),
        .flit_lanes = size_of(align->before->dims[LEVEL_PACKET]),
        .elements = size_of(align->trf->dims[LEVEL_ELEMENT]),
        .type = align->type,
    };
    if (reduce)
        c.out = side_of(walker, accumulate->dims);
    if (!check_sizes(&c) || (reduce && !check_buffer(&c)))
        return false;
    Positions all = positions_of(walker, c.pair.mapping.size);
    if (reduce && all.all)
        c.summed = calloc((size_t)c.out.mapping.size, 1);
    bool ok = true;
    int64_t at;
    while (ok && next_position(&all, &at)) {
        Arena own = {0};
        walker->arena = &own;
        ok = check_product(&c, at);
        arena_release(&own);
    }
    walker->arena = outer;
    ok = ok && check_outputs(&c);
    free(c.summed);
    return ok;
}
