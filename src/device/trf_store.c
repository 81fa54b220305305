#include "device/trf_store.h"

#include "base/heap.h"
#include "device/loops/copy.h"
#include "device/loops/move.h"
#include "device/marks.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <stdlib.h>

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

static void find_flit(const HwTrfStore *store, int64_t flit, int64_t *row, int64_t *byte)
{
    *row = store->start_row;
    *byte = store->start_byte;
    for (int64_t i = store->loops.count - 1; i >= 0; i--) {
        const HwRowLoop *loop = &store->loops.items[i];
        *row += flit % loop->size * loop->row_stride;
        *byte += flit % loop->size * loop->byte_stride;
        flit /= loop->size;
    }
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
        find_flit(store, t, &row, &byte);
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
    TrfTile *tiles; // one after the other: a later one may overwrite
    int64_t tile_count, tile_capacity;
    TrfSpan *spans; // all that is written, each byte once
    int64_t span_count;
};

void trf_copy_run(const TrfCopy *copy, Trf *trf, const Memory *dm)
{
    for (int64_t i = 0; i < copy->tile_count; i++) {
        CopyTile tile = copy->tiles[i].shape;
        tile.dest = trf->bytes + copy->tiles[i].to;
        tile.source = dm->bytes + copy->tiles[i].from;
        copy->loops->tile(&tile);
    }
    for (int64_t i = 0; i < copy->span_count; i++)
        trf_mark(trf, copy->spans[i].at, copy->spans[i].bytes);
}

void trf_copy_free(TrfCopy *copy)
{
    if (!copy)
        return;
    heap_free(copy->tiles);
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
    for (int64_t i = 1; i < copy->tile_count; i++)
        if (!join(&copy->tiles[last], &copy->tiles[i]))
            copy->tiles[++last] = copy->tiles[i];
    copy->tile_count = last + 1;
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
        find_flit(store, places->flit, &places->row, &places->byte);
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
    if (copy->tile_count && join_bytes(&copy->tiles[copy->tile_count - 1], &tile))
        return true;
    if (copy->tile_count == copy->tile_capacity) {
        int64_t capacity = copy->tile_capacity * 2 + 4;
        TrfTile *tiles = heap_resize(copy->tiles, sizeof *tiles * (size_t)capacity);
        if (!tiles)
            return false;
        copy->tiles = tiles;
        copy->tile_capacity = capacity;
    }
    copy->tiles[copy->tile_count++] = tile;
    return true;
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
    for (int64_t i = 0; i < chunks->row_count; i++) {
        const ChunkRow *row = &chunks->rows[i];
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
    copy->spans = heap_new(sizeof *copy->spans * (size_t)copy->tile_count);
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
    places.marks = heap_zeroed((size_t)ceil_div(places.trf->count, BYTE_BITS), 1);
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
