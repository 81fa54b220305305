// What a pass touches of TRF. The padding of TRF is of account, too: the Reducer multiplies it by
// the zeros of the stream and adds that to data, and 0 times what is no number is none.
#include "device/sanitize_sets.h"

#include "base/checked.h"
#include "base/heap.h"

#include <string.h>

enum { HALF_BYTE = 4, BYTE_BITS = 8, EXPONENT = 0x7f800000, CHUNK = 256 };

// Half bytes from `from` to `to` - 1 of a row.
typedef void PaintSlots(Paint *paint, const HwTrfLayout *layout, int64_t row, int64_t from,
                        int64_t to);

static int64_t row_bytes(const HwTrfLayout *layout)
{
    return layout->bank_rows_per_row * layout->rows_in_bank * layout->bank_columns *
           layout->bank_row_bytes;
}

int64_t trf_row_slots(const HwTrfLayout *layout)
{
    return row_bytes(layout) * TRF_SLOTS_PER_BYTE;
}

DataTest reduce_data(const HwReduce *reduce)
{
    return (DataTest){reduce->data.items, reduce->data.count};
}

int64_t reduce_span(const HwReduce *reduce)
{
    return reduce->rows * reduce->in_time * reduce->packet_elements;
}

// ---- what is stored and read

// Where they are in TRF: each word of a bank lies in one piece.
static void paint_slots(Paint *paint, const HwTrfLayout *layout, int64_t row, int64_t from,
                        int64_t to)
{
    const Machine *machine = paint->device->machine;
    int64_t word = layout->bank_row_bytes * TRF_SLOTS_PER_BYTE;
    for (int64_t next; from < to; from = next) {
        next = min_i64(to, (from / word + 1) * word);
        int64_t first = trf_place_of(machine, layout, row, from);
        int64_t last = trf_place_of(machine, layout, row, next - 1);
        if (first >= 0 && last >= first)
            painter_paint(paint->painter, first, last + 1, paint->mark);
        else // the row does not go on: behind all slots
            painter_paint(paint->painter, paint->painter->size, paint->painter->size + 1,
                          paint->mark);
    }
}

void paint_trf_store(Paint *paint, bool all)
{
    const HwTrfStore *store = paint->pass->trf_store;
    (void)all;
    for (int64_t t = 0; t < store->flits; t++) {
        int64_t row = store->start_row, byte = store->start_byte, number = t;
        for (int64_t i = store->loops.count - 1; i >= 0; i--) {
            const HwRowLoop *loop = &store->loops.items[i];
            row += number % loop->size * loop->row_stride;
            byte += number % loop->size * loop->byte_stride;
            number /= loop->size;
        }
        paint_slots(paint, &store->layout, row, byte * TRF_SLOTS_PER_BYTE,
                    (byte + store->flit_bytes) * TRF_SLOTS_PER_BYTE);
    }
}

static void walk_steps(Paint *paint)
{
    const HwNest *nest = &paint->pass->trf_read->nest;
    paint->nest = (WalkNest){0};
    walk_add(&paint->nest, nest->loops.items, nest->loops.count, WALK_BETWEEN);
}

// Lanes of one step in one row; a read that is shorter than the packet is repeated.
static void paint_lanes(Paint *paint, PaintSlots *slots, int64_t row, int64_t offset, int64_t from,
                        int64_t to)
{
    const HwTrfRead *read = paint->pass->trf_read;
    int64_t bits = scalar_traits[read->type].packet_bits;
    int64_t elements = read->nest.access_bytes * BYTE_BITS / bits;
    int64_t first = (read->nest.base * BYTE_BITS + offset * read->nest.element_bits) / bits;
    for (int64_t next; from < to; from = next) {
        int64_t start = from / elements * elements;
        next = min_i64(to, start + elements);
        slots(paint, &read->layout, row, (first + from - start) * bits / HALF_BYTE,
              (first + next - start) * bits / HALF_BYTE);
        if (next - from == elements)
            return; // the rest is the same again
    }
}

static void paint_products(void *own, int64_t from, int64_t to)
{
    Paint *paint = own;
    const HwReduce *reduce = paint->pass->reduce;
    int64_t lanes = reduce->packet_elements;
    for (int64_t next; from < to; from = next) {
        int64_t step = from / lanes;
        next = min_i64(to, (step + 1) * lanes);
        paint_lanes(paint, paint_slots, step / reduce->in_time,
                    walk_offset(&paint->nest, step % reduce->in_time), from - step * lanes,
                    next - step * lanes);
    }
}

static void paint_step(void *own, int64_t element, int64_t count)
{
    Paint *paint = own;
    const HwReduce *reduce = paint->pass->reduce;
    for (int64_t i = 0; i < count; i++)
        for (int64_t row = 0; row < reduce->rows; row++)
            paint_lanes(paint, paint_slots, row, element + i, 0, reduce->packet_elements);
}

void paint_trf_read(Paint *paint, bool all)
{
    const HwReduce *reduce = paint->pass->reduce;
    DataTest test = reduce_data(reduce);
    int64_t span = reduce_span(reduce);
    walk_steps(paint);
    if (!all) {
        data_runs(&test, paint->unit * span, span, paint_products, paint);
        return;
    }
    if (walk_size(&paint->nest) <= reduce->in_time)
        walk_once(&paint->nest);
    walk_run(&paint->nest, 0, min_i64(reduce->in_time, walk_size(&paint->nest)), paint_step, paint);
}

// ---- padding that is multiplied

typedef struct {
    Paint *paint;
    uint8_t *has_data; // by row, place of the output and sum of the tree
    int64_t done;      // positions that were looked at
} Padding;

// That the lanes of a packet come to.
static int64_t sums_of_packet(const HwReduce *reduce)
{
    return reduce->packet_elements >> reduce->tree_depth;
}

static int64_t place_of_step(const HwReduce *reduce, int64_t step)
{
    int64_t place = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        place += step % loop->size * loop->stride;
        step /= loop->size;
    }
    return place;
}

// Lanes of one step in one row.
typedef struct {
    int64_t row, step, from, to;
    uint8_t *sums; // of that row and place
} Lanes;

// The first of the positions that are of one step.
static Lanes first_lanes(const Padding *padding, int64_t from, int64_t to)
{
    const HwReduce *reduce = padding->paint->pass->reduce;
    int64_t lanes = reduce->packet_elements, number = from / lanes;
    int64_t row = number / reduce->in_time, step = number % reduce->in_time;
    int64_t place = place_of_step(reduce, step);
    return (Lanes){row, step, from - number * lanes, min_i64(to - number * lanes, lanes),
                   padding->has_data + (row * reduce->places + place) * sums_of_packet(reduce)};
}

static void note_data(void *own, int64_t from, int64_t to)
{
    const Padding *padding = own;
    int64_t depth = padding->paint->pass->reduce->tree_depth;
    while (from < to) {
        Lanes at = first_lanes(padding, from, to);
        int64_t first = at.from >> depth, last = (at.to - 1) >> depth;
        memset(at.sums + first, 1, (size_t)(last - first + 1));
        from += at.to - at.from;
    }
}

static void paint_row(Paint *paint, const HwTrfLayout *layout, int64_t row, int64_t from,
                      int64_t to)
{
    int64_t slots = trf_row_slots(layout), low = max_i64(from, 0), high = min_i64(to, slots);
    if (low < high)
        painter_paint(paint->painter, row * slots + low, row * slots + high, paint->mark);
}

// Those of them that come into sums with data.
static void paint_padded(const Padding *padding, const Lanes *at)
{
    Paint *paint = padding->paint;
    int64_t depth = paint->pass->reduce->tree_depth, offset = walk_offset(&paint->nest, at->step);
    for (int64_t from = at->from, next; from < at->to; from = next) {
        bool has_data = at->sums[from >> depth];
        for (next = from; next < at->to && at->sums[next >> depth] == has_data;)
            next = ((next >> depth) + 1) << depth;
        next = min_i64(next, at->to);
        if (has_data)
            paint_lanes(paint, paint_row, at->row, offset, from, next);
    }
}

// Data begins: what was before is padding.
static void paint_before(void *own, int64_t from, int64_t to)
{
    Padding *padding = own;
    for (int64_t at = padding->done; at < from;) {
        Lanes lanes = first_lanes(padding, at, from);
        paint_padded(padding, &lanes);
        at += lanes.to - lanes.from;
    }
    padding->done = to;
}

void paint_trf_padding(Paint *paint, bool all)
{
    const HwReduce *reduce = paint->pass->reduce;
    DataTest test = reduce_data(reduce);
    int64_t span = reduce_span(reduce);
    size_t sums = (size_t)(reduce->rows * reduce->places * sums_of_packet(reduce));
    if (all)
        return;
    Padding padding = {.paint = paint, .has_data = heap_zeroed(sums, 1)};
    paint->failed = !padding.has_data;
    if (paint->failed)
        return;
    walk_steps(paint);
    data_runs(&test, paint->unit * span, span, note_data, &padding);
    data_runs(&test, paint->unit * span, span, paint_before, &padding);
    paint_before(&padding, span, span);
    heap_free(padding.has_data);
}

// ---- values

// What is wrong with multiplying it by 0; FAULT_KINDS: nothing. What nobody wrote may be anything:
// what was in DM or TRF before the launch.
static FaultKind product_fault(Scalar type, uint32_t bits, bool is_known)
{
    if (!is_known)
        return FAULT_NO_ZERO;
    return (scalar_to_f32(type, bits) & EXPONENT) == EXPONENT ? FAULT_NO_NUMBER : FAULT_KINDS;
}

// Elements of a row, from half byte `slot` on.
static void check_values(Device *device, const HwTrfRead *read, const Slice *slice,
                         DeviceFault fault, int64_t slot, int64_t count)
{
    uint32_t bits[CHUNK];
    uint8_t live[CHUNK];
    int64_t slots = scalar_traits[read->type].packet_bits / HALF_BYTE;
    trf_load(&slice->trf, &read->layout, read->type, fault.row, slot, count, bits, live);
    for (int64_t i = 0, next; i < count; i = next) {
        fault.kind = product_fault(read->type, bits[i], live[i]);
        for (next = i + 1;
             next < count && product_fault(read->type, bits[next], live[next]) == fault.kind;)
            next++;
        fault.address = (slot + i * slots) / TRF_SLOTS_PER_BYTE;
        fault.bytes = (next - i) * slots / TRF_SLOTS_PER_BYTE;
        if (fault.kind != FAULT_KINDS)
            fault_add(device->sanitizer, &fault);
    }
}

void trf_padding_check(Device *device, const HwPipeline *pass, const ShadowPlace *place,
                       const RunList *runs)
{
    const HwTrfRead *read = pass->trf_read;
    const Slice *slice = device_slice(device, place->chip, place->cluster, place->slice);
    int64_t row_slots = trf_row_slots(&read->layout);
    int64_t slots = scalar_traits[read->type].packet_bits / HALF_BYTE;
    DeviceFault fault = {.operation = device->sanitizer->number,
                         .other = -1,
                         .tier = TIER_TRF,
                         .chip = place->chip,
                         .cluster = place->cluster,
                         .slice = place->slice};
    for (int64_t i = 0; slice && i < runs->count; i++)
        for (int64_t at = runs->items[i].low, end = runs->items[i].high, next; at < end;
             at = next) {
            fault.row = at / row_slots;
            next = min_i64(min_i64(end, (fault.row + 1) * row_slots), at + CHUNK * slots);
            check_values(device, read, slice, fault, at % row_slots, (next - at) / slots);
        }
}
