#include "device/trf.h"

#include "base/checked.h"
#include "base/heap.h"
#include "device/internal.h"
#include "device/loops/copy.h"
#include "device/loops/move.h"
#include "device/memory.h"
#include "scalar/bits.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_BITS = 4, SLOT_MASK = 15, SLOT_BYTE = 8, MOST_BYTES = 1024 };

int64_t trf_space(int64_t count)
{
    return 2 * count + ceil_div(count, TRF_BLOCK);
}

Trf trf_new(uint8_t *space, int64_t count, int64_t rows_per_bank)
{
    return (Trf){.bytes = space,
                 .marks = space + count,
                 .blocks = space + 2 * count,
                 .count = count,
                 .rows_per_bank = rows_per_bank};
}

// ---- marks

// The marks of a part inside one block, as they are.
static void marks_out(const Trf *trf, int64_t at, int64_t count, uint8_t *marks)
{
    uint8_t state = trf->blocks[at / TRF_BLOCK];
    if (state == TRF_MARKED)
        memcpy(marks, trf->marks + at, count);
    else
        memset(marks, state == TRF_ALL ? TRF_WRITTEN : 0, count);
}

// From here on the marks of a block count.
static void spell_out(Trf *trf, int64_t block)
{
    int64_t at = block * TRF_BLOCK, count = min_i64(TRF_BLOCK, trf->count - at);
    marks_out(trf, at, count, trf->marks + at);
    trf->blocks[block] = TRF_MARKED;
}

// How many bytes from `at` on are in one block.
static int64_t in_block(int64_t at, int64_t count)
{
    return min_i64(count, TRF_BLOCK - at % TRF_BLOCK);
}

static void marks_in(Trf *trf, int64_t at, int64_t count, const uint8_t *marks)
{
    if (trf->blocks[at / TRF_BLOCK] != TRF_MARKED)
        spell_out(trf, at / TRF_BLOCK);
    memcpy(trf->marks + at, marks, count);
}

// `count` bytes from place `at` on, which the caller stores, all have a value, and no bit besides.
static void trf_mark(Trf *trf, int64_t at, int64_t count)
{
    trf->is_used = true;
    for (int64_t some; count; at += some, count -= some) {
        uint8_t *state = &trf->blocks[at / TRF_BLOCK];
        some = in_block(at, count);
        if (some == TRF_BLOCK || *state == TRF_ALL) {
            *state = TRF_ALL;
            continue;
        }
        if (*state != TRF_MARKED)
            spell_out(trf, at / TRF_BLOCK);
        memset(trf->marks + at, TRF_WRITTEN, some);
    }
}

bool trf_has_all(const Trf *trf, int64_t at, int64_t count)
{
    for (int64_t some; count; at += some, count -= some) {
        uint8_t state = trf->blocks[at / TRF_BLOCK];
        some = in_block(at, count);
        if (state == TRF_NONE)
            return false;
        for (int64_t i = 0; state == TRF_MARKED && i < some; i++)
            if ((trf->marks[at + i] & TRF_WRITTEN) != TRF_WRITTEN)
                return false;
    }
    return true;
}

int64_t trf_written_bytes(const Trf *trf)
{
    uint8_t marks[TRF_BLOCK];
    int64_t written = 0;
    for (int64_t at = 0; trf->is_used && at < trf->count; at += TRF_BLOCK) {
        int64_t count = min_i64(TRF_BLOCK, trf->count - at);
        marks_out(trf, at, count, marks);
        for (int64_t i = 0; i < count; i++)
            written += (marks[i] & TRF_WRITTEN) != 0;
    }
    return written;
}

// ---- places

int64_t trf_find(const Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t byte, int64_t *run)
{
    int64_t word = layout->bank_columns * layout->bank_row_bytes;
    int64_t part = layout->rows_in_bank * word;
    if (byte < 0 || byte / part >= layout->bank_rows_per_row)
        return -1;
    int64_t bank_row = row * layout->bank_rows_per_row + byte / part;
    int64_t at = (bank_row * trf->rows_per_bank + layout->first_row) * word + byte % part;
    *run = min_i64(part - byte % part, trf->count - at);
    return *run > 0 ? at : -1;
}

static int32_t slots_of(Scalar type)
{
    return scalar_traits[type].packet_bits / SLOT_BITS;
}

static bool has_extra_bit(Scalar type)
{
    return scalar_traits[type].bits > scalar_traits[type].packet_bits;
}

// ---- elements and bytes

// Payload and marks of a part of a row.
typedef struct {
    uint8_t bytes[MOST_BYTES], marks[MOST_BYTES];
} Part;

// Of the extra bit in the mark of a half byte, or of the last one of an element.
static uint32_t extra_mark(Scalar type, uint32_t bits, uint32_t mark)
{
    return has_extra_bit(type) && bits >> scalar_traits[type].packet_bits & 1 ? mark : 0;
}

static void put_half(Scalar type, Part *part, int64_t slot, uint32_t bits, bool live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, high = slot % TRF_SLOTS_PER_BYTE;
    uint32_t mark = (live ? TRF_LOW_WRITTEN : 0) | extra_mark(type, bits, TRF_LOW_EXTRA);
    uint32_t marks = TRF_LOW_WRITTEN | TRF_LOW_EXTRA;
    part->bytes[at] = (uint8_t)((part->bytes[at] & ~(SLOT_MASK << high * SLOT_BITS)) |
                                (bits & SLOT_MASK) << high * SLOT_BITS);
    part->marks[at] = (uint8_t)((part->marks[at] & ~(marks << high)) | mark << high);
}

static void put_element(Scalar type, Part *part, int64_t slot, uint32_t bits, bool live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, count = slots_of(type) / TRF_SLOTS_PER_BYTE;
    for (int64_t i = 0; i < count; i++) {
        part->bytes[at + i] = (uint8_t)(bits >> i * SLOT_BYTE);
        part->marks[at + i] = live ? TRF_WRITTEN : 0;
    }
    part->marks[at + count - 1] |= (uint8_t)extra_mark(type, bits, TRF_HIGH_EXTRA);
}

static uint32_t get_half(Scalar type, const Part *part, int64_t slot, bool *live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, high = slot % TRF_SLOTS_PER_BYTE;
    uint32_t mark = (uint32_t)part->marks[at] >> high;
    uint32_t extra = has_extra_bit(type) && mark & TRF_LOW_EXTRA ? 1 << SLOT_BITS : 0;
    *live = mark & TRF_LOW_WRITTEN;
    return ((uint32_t)part->bytes[at] >> high * SLOT_BITS & SLOT_MASK) | extra;
}

static uint32_t get_element(Scalar type, const Part *part, int64_t slot, bool *live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, count = slots_of(type) / TRF_SLOTS_PER_BYTE;
    uint32_t bits = 0, marks = UINT32_MAX;
    for (int64_t i = 0; i < count; i++) {
        bits |= (uint32_t)part->bytes[at + i] << i * SLOT_BYTE;
        marks &= part->marks[at + i] | ~(uint32_t)TRF_WRITTEN;
    }
    *live = (marks & TRF_WRITTEN) == TRF_WRITTEN;
    if (has_extra_bit(type) && part->marks[at + count - 1] & TRF_HIGH_EXTRA)
        bits |= UINT32_C(1) << scalar_traits[type].packet_bits;
    return bits;
}

static bool all_live(const uint8_t *live, int64_t count)
{
    uint32_t all = 1;
    for (int64_t i = 0; live && i < count; i++)
        all &= live[i];
    return all;
}

// ---- rows

static void copy_out(const Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t byte,
                     int64_t count, Part *part)
{
    memset(part->bytes, 0, count);
    memset(part->marks, 0, count);
    for (int64_t done = 0, some; done < count; done += some) {
        int64_t run = 0, at = trf_find(trf, layout, row, byte + done, &run);
        some = at < 0 ? 1 : min_i64(run, count - done);
        if (at >= 0) {
            some = in_block(at, some);
            memcpy(part->bytes + done, trf->bytes + at, some);
            marks_out(trf, at, some, part->marks + done);
        }
    }
}

static void copy_in(Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t byte, int64_t count,
                    const Part *part)
{
    for (int64_t done = 0, some; done < count; done += some) {
        int64_t run = 0, at = trf_find(trf, layout, row, byte + done, &run);
        some = at < 0 ? 1 : min_i64(run, count - done);
        if (at >= 0) {
            some = in_block(at, some);
            memcpy(trf->bytes + at, part->bytes + done, some);
            marks_in(trf, at, some, part->marks + done);
        }
    }
}

// Elements at a time, such that a part holds them wherever they begin.
static int64_t most_elements(Scalar type)
{
    return (MOST_BYTES - 1) * TRF_SLOTS_PER_BYTE / slots_of(type);
}

void trf_load(const Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
              int64_t count, uint32_t *bits, uint8_t *live)
{
    Part part;
    int32_t slots = slots_of(type);
    for (int64_t done = 0, some; done < count; done += some, slot += some * slots) {
        int64_t first = slot / TRF_SLOTS_PER_BYTE, offset = slot % TRF_SLOTS_PER_BYTE;
        some = min_i64(count - done, most_elements(type));
        copy_out(trf, layout, row, first, ceil_div(offset + some * slots, TRF_SLOTS_PER_BYTE),
                 &part);
        for (int64_t i = 0; i < some; i++) {
            bool has_value = false;
            uint32_t value = slots == 1 ? get_half(type, &part, offset + i, &has_value)
                                        : get_element(type, &part, i * slots, &has_value);
            bits[done + i] = scalar_wrap(type, value);
            if (live)
                live[done + i] = has_value;
        }
    }
}

// Where elements go that are whole bytes of payload and all have a value, which is noted: the
// caller stores them. NULL: they are not, or not in one place; nothing was done.
static uint8_t *trf_take(Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row,
                         int64_t slot, int64_t count)
{
    int32_t slots = slots_of(type);
    int64_t run = 0, bytes = count * slots / TRF_SLOTS_PER_BYTE;
    if (has_extra_bit(type) || slots < TRF_SLOTS_PER_BYTE)
        return NULL;
    int64_t at = trf_find(trf, layout, row, slot / TRF_SLOTS_PER_BYTE, &run);
    if (at < 0 || run < bytes)
        return NULL;
    trf_mark(trf, at, bytes);
    return trf->bytes + at;
}

void trf_store(Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
               int64_t count, const uint32_t *bits, const uint8_t *live)
{
    Part part;
    int32_t slots = slots_of(type);
    trf->is_used = true;
    uint8_t *plain = all_live(live, count) ? trf_take(trf, layout, type, row, slot, count) : NULL;
    if (plain) {
        scalar_pack(type, bits, count, plain, 0);
        return;
    }
    for (int64_t done = 0, some; done < count; done += some, slot += some * slots) {
        int64_t first = slot / TRF_SLOTS_PER_BYTE, offset = slot % TRF_SLOTS_PER_BYTE;
        some = min_i64(count - done, most_elements(type));
        int64_t bytes = ceil_div(offset + some * slots, TRF_SLOTS_PER_BYTE);
        if (slots == 1)
            copy_out(trf, layout, row, first, bytes, &part); // the halves that stay
        for (int64_t i = 0; i < some; i++) {
            bool has_value = !live || live[done + i] & 1;
            if (slots == 1)
                put_half(type, &part, offset + i, bits[done + i], has_value);
            else
                put_element(type, &part, i * slots, bits[done + i], has_value);
        }
        copy_in(trf, layout, row, first, bytes, &part);
    }
}

void trf_forget(Trf *trf)
{
    if (trf->is_used) // bytes and marks of such blocks are of no account
        memset(trf->blocks, TRF_NONE, ceil_div(trf->count, TRF_BLOCK));
    trf->is_used = false;
}

// ---- where flits go

// Flits that lie one behind the other in a row of TRF.
static int64_t flits_in_run(const HwTrfStore *store, int64_t flit_bytes)
{
    int64_t run = 1;
    for (int64_t i = store->loops.count - 1; i >= 0; i--) {
        const HwRowLoop *loop = &store->loops.items[i];
        if (loop->row_stride || loop->byte_stride != run * flit_bytes)
            break;
        run *= loop->size;
    }
    return run;
}

// ---- a stream

// Elements that all have a value, in one sweep. False: they cannot be stored so.
static bool store_plain(const ClusterRun *run, Trf *trf, int64_t row, int64_t byte, int64_t count,
                        const uint32_t *bits)
{
    const HwTrfStore *store = run->pass->trf_store;
    const MoveLoops *loops = LOOPS_CHOICE(MoveLoops, move_loops)[run->device->isa];
    const MoveShape shape = {.run = count, .count = 1};
    int32_t width = scalar_traits[store->type].packet_bits;
    uint8_t *to = trf_take(trf, &store->layout, store->type, row, byte * TRF_SLOTS_PER_BYTE, count);
    if (to)
        loops->pack[width == 8 ? PACK_8 : width == 16 ? PACK_16 : PACK_32](bits, to, &shape);
    return to != NULL;
}

void trf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream)
{
    const HwTrfStore *store = run->pass->trf_store;
    Slice *at = run_slice(run, slice);
    int64_t flit_bits = stream->lanes * scalar_traits[store->type].packet_bits;
    int64_t most = flit_bits % BYTE_BITS ? 1 : flits_in_run(store, flit_bits / BYTE_BITS);
    for (int64_t t = 0, count, row, byte; at && t < store->flits; t += count) {
        trf_flit_place(store, t, &row, &byte);
        count = min_i64(most, store->flits - t);
        if (!stream->tags && store_plain(run, &at->trf, row, byte, count * stream->lanes,
                                         stream->bits + t * stream->lanes))
            continue;
        trf_store(&at->trf, &store->layout, store->type, row, byte * TRF_SLOTS_PER_BYTE,
                  count * stream->lanes, stream->bits + t * stream->lanes,
                  stream->tags ? stream->tags + t * stream->lanes : NULL);
    }
}

// ---- bytes of DM

// Copies that are evenly spaced on both sides: rows x cols runs of bytes.
typedef struct {
    int64_t from, to; // the first, in DM and in TRF
    CopyTile shape;   // without its pointers
} TrfTile;

typedef struct {
    int64_t at, bytes;
} TrfSpan;

struct TrfCopy {
    const CopyLoops *loops;
    struct {
        ARRAY(TrfTile);
    } tiles;        // one after the other: a later one may overwrite
    TrfSpan *spans; // all that is written, each byte once
    int64_t span_count;
};

void trf_copy_run(const TrfCopy *copy, Trf *trf, const Memory *dm)
{
    for (int64_t i = 0; i < copy->tiles.count; i++) {
        CopyTile tile = copy->tiles.items[i].shape;
        tile.dest = trf->bytes + copy->tiles.items[i].to;
        tile.source = dm->bytes + copy->tiles.items[i].from;
        copy->loops->tile(&tile);
    }
    for (int64_t i = 0; i < copy->span_count; i++)
        trf_mark(trf, copy->spans[i].at, copy->spans[i].bytes);
}

void trf_copy_free(TrfCopy *copy)
{
    if (!copy)
        return;
    heap_free(copy->tiles.items);
    heap_free(copy->spans);
    heap_free(copy);
}

// ---- what can be copied together

// Whether `index` of a series is where the first and the step say; the step is found by the second.
static bool goes_on(int64_t first, int64_t *step, int64_t index, int64_t at)
{
    if (index == 1)
        *step = at - first;
    return at == first + index * *step;
}

// A run that goes on where `tile`, a run, ends.
static bool join_bytes(TrfTile *tile, const TrfTile *next)
{
    int64_t bytes = tile->shape.bytes;
    if (next->from != tile->from + bytes || next->to != tile->to + bytes)
        return false;
    bytes += next->shape.bytes;
    tile->shape.bytes = tile->shape.source_col = tile->shape.dest_col = bytes;
    return true;
}

// One run more of a row.
static bool join_cols(TrfTile *tile, const TrfTile *next)
{
    CopyTile shape = tile->shape;
    if (next->shape.bytes != shape.bytes ||
        !goes_on(tile->from, &shape.source_col, shape.cols, next->from) ||
        !goes_on(tile->to, &shape.dest_col, shape.cols, next->to) ||
        llabs(shape.dest_col) < shape.bytes)
        return false;
    shape.cols++;
    tile->shape = shape;
    return true;
}

// No byte is written twice: rows lie apart, or columns do.
static bool is_apart(const CopyTile *shape)
{
    int64_t row = llabs(shape->dest_row), col = llabs(shape->dest_col), bytes = shape->bytes;
    return row >= (shape->cols - 1) * col + bytes ||
           (row >= bytes && col >= (shape->rows - 1) * row + bytes);
}

// One row more, which looks the same.
static bool join_rows(TrfTile *tile, const TrfTile *next)
{
    CopyTile shape = tile->shape;
    if (next->shape.bytes != shape.bytes || next->shape.cols != shape.cols ||
        next->shape.source_col != shape.source_col || next->shape.dest_col != shape.dest_col ||
        !goes_on(tile->from, &shape.source_row, shape.rows, next->from) ||
        !goes_on(tile->to, &shape.dest_row, shape.rows, next->to))
        return false;
    shape.rows++;
    if (!is_apart(&shape))
        return false;
    tile->shape = shape;
    return true;
}

static void join_all(TrfCopy *copy, bool (*join)(TrfTile *, const TrfTile *))
{
    int64_t last = 0;
    for (int64_t i = 1; i < copy->tiles.count; i++)
        if (!join(&copy->tiles.items[last], &copy->tiles.items[i]))
            copy->tiles.items[++last] = copy->tiles.items[i];
    copy->tiles.count = last + 1;
}

// ---- the plan

// Where the bytes of the stream go, one after the other.
typedef struct {
    int64_t shift;  // bytes of DM from where the chunks lie
    const Trf *trf; // of any slice
    const HwTrfStore *store;
    int64_t flit_bytes, most; // flits in a run
    int64_t flit;             // the next one
    int64_t row, byte, left;  // what there is still of the run before it
    uint8_t *marks;           // of all bytes of TRF: those that are written
} Places;

// The place of the next bytes, and how many of `bytes` are there together. -1: TRF has none such.
static int64_t next_place(Places *places, int64_t bytes, int64_t *count)
{
    const HwTrfStore *store = places->store;
    if (!places->left) {
        int64_t flits = min_i64(places->most, store->flits - places->flit);
        trf_flit_place(store, places->flit, &places->row, &places->byte);
        places->flit += flits;
        places->left = flits * places->flit_bytes;
    }
    int64_t at = trf_find(places->trf, &store->layout, places->row, places->byte, count);
    *count = min_i64(min_i64(*count, bytes), places->left);
    places->byte += *count;
    places->left -= *count;
    return at;
}

static bool push_run(TrfCopy *copy, int64_t from, int64_t to, int64_t bytes)
{
    CopyTile shape = {.bytes = bytes, .rows = 1, .cols = 1, .source_col = bytes, .dest_col = bytes};
    TrfTile tile = {from, to, shape};
    if (copy->tiles.count && join_bytes(&copy->tiles.items[copy->tiles.count - 1], &tile))
        return true;
    TrfTile *added = heap_append(&copy->tiles, TrfTile);
    if (added)
        *added = tile;
    return added;
}

typedef enum { COPY_MADE, COPY_IMPOSSIBLE, COPY_NO_MEMORY } CopyResult;

// A run of DM, which may go to several places.
static CopyResult copy_run(TrfCopy *copy, Places *places, int64_t from, int64_t bytes)
{
    for (int64_t count = 0; bytes; from += count, bytes -= count) {
        int64_t at = next_place(places, bytes, &count);
        if (at < 0)
            return COPY_IMPOSSIBLE;
        if (!push_run(copy, from, at, count))
            return COPY_NO_MEMORY;
        marks_set(places->marks, at, at + count, MARKS_OWN);
    }
    return COPY_MADE;
}

static CopyResult copy_chunks(TrfCopy *copy, Places *places, const Chunks *chunks)
{
    CopyResult result = COPY_MADE;
    for (int64_t i = 0; i < chunks->rows.count; i++) {
        const ChunkRow *row = &chunks->rows.items[i];
        for (int64_t k = 0; k < row->count * chunks->runs && !result; k++) {
            int64_t bit = row->bit + k / chunks->runs * row->step;
            int64_t from = (bit + chunks->run_bits[k % chunks->runs]) / BYTE_BITS + places->shift;
            result = copy_run(copy, places, from, chunks->run * chunks->element_bits / BYTE_BITS);
        }
    }
    return result;
}

// Requires: tiles are runs still. A span is of one or more of them.
static bool list_spans(TrfCopy *copy, const Places *places)
{
    const Memory map = {.written = places->marks, .size = places->trf->count};
    bool is_written;
    copy->spans = heap_new(sizeof *copy->spans * copy->tiles.count);
    for (int64_t at = 0, bytes; copy->spans && at < map.size; at += bytes) {
        bytes = memory_span(&map, at, map.size, &is_written);
        if (is_written)
            copy->spans[copy->span_count++] = (TrfSpan){at, bytes};
    }
    return copy->spans != NULL;
}

static CopyResult make_copy(TrfCopy *copy, Places *places, const Chunks *chunks)
{
    CopyResult result = copy_chunks(copy, places, chunks);
    if (result)
        return result;
    if (!list_spans(copy, places))
        return COPY_NO_MEMORY;
    join_all(copy, join_cols);
    join_all(copy, join_rows);
    return COPY_MADE;
}

bool trf_copy_new(const Device *device, const HwPipeline *pass, const Chunks *chunks, int64_t lanes,
                  TrfCopy **out)
{
    const HwTrfStore *store = pass->trf_store;
    Places places = {.shift = pass->fetch.bases.items[0] - pass->fetch.nest.base,
                     .trf = &device->chips->slices->trf,
                     .store = store};
    places.flit_bytes = lanes * chunks->element_bits / BYTE_BITS;
    places.most = flits_in_run(store, places.flit_bytes);
    int64_t elements = chunks->count * chunks->elements;
    if (elements != store->flits * lanes || store->flits > places.trf->count / places.flit_bytes)
        return true; // the second: it is overwritten again and again
    TrfCopy *copy = heap_zeroed(1, sizeof *copy);
    places.marks = heap_zeroed(ceil_div(places.trf->count, BYTE_BITS), 1);
    CopyResult result = COPY_NO_MEMORY;
    if (copy && places.marks) {
        copy->loops = LOOPS_CHOICE(CopyLoops, copy_loops)[device->isa];
        result = make_copy(copy, &places, chunks);
    }
    heap_free(places.marks);
    if (result == COPY_MADE)
        *out = copy;
    else
        trf_copy_free(copy);
    return result != COPY_NO_MEMORY;
}
