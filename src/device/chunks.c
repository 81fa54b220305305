#include "device/chunks.h"

#include "base/checked.h"
#include "base/heap.h"
#include "command/nest.h"
#include "device/memory.h"
#include "scalar/bits.h"

enum { MOST_MAP = 1 << 24 }; // bytes; no memory of a slice is that large

// ---- the cut between packets and what is in them

// Elements of a packet that are a chunk; the loop `*cut` is cut behind `*part` of its iterations,
// those further inside belong to the chunk whole.
static int64_t find_cut(const HwNest *nest, int64_t elements, int64_t *cut, int64_t *part)
{
    int64_t inside = 1;
    *part = 1;
    for (*cut = nest->loops.count - 1; *cut >= 0; (*cut)--) {
        const HwLoop *loop = &nest->loops.items[*cut];
        int64_t rest = elements / inside;
        if (rest % loop->size) {
            *part = loop->offsets.count ? 1 : gcd_i64(rest, loop->size);
            break;
        }
        inside *= loop->size;
    }
    return inside * *part;
}

static void split_stream(const HwNest *nest, int64_t cut, int64_t part, Nest *outer, Nest *inner)
{
    Nest all = {.count = 0};
    nest_add(&all, &nest->loops, LOOPS_ALL);
    for (int64_t i = 0; i < all.count; i++) {
        NestLoop loop = all.loops[i];
        if (i == cut && part > 1)
            inner->loops[inner->count++] = (NestLoop){part, {loop.strides[0]}, NULL};
        if (i == cut)
            loop = (NestLoop){loop.size / part, {loop.strides[0] * part}, loop.offsets};
        Nest *to = i <= cut ? outer : inner;
        to->loops[to->count++] = loop;
    }
}

// ---- chunks

// The longest runs of which all of a chunk is made; offsets of its elements are in `places`.
static int64_t find_run(const int64_t *places, int64_t count)
{
    int64_t run = 0, length = 1;
    for (int64_t i = 1; i < count; i++, length++) {
        if (places[i] == places[i - 1] + 1)
            continue;
        run = gcd_i64(run, length);
        length = 0;
    }
    return gcd_i64(run, length);
}

static bool make_runs(Chunks *chunks, NestWalk *inner)
{
    int64_t *places = heap_new(sizeof *places * chunks->elements);
    if (!places)
        return false;
    for (int64_t i = 0; i < chunks->elements; i++, nest_skip(inner, 1))
        places[i] = inner->at[0];
    chunks->run = find_run(places, chunks->elements);
    chunks->runs = chunks->elements / chunks->run;
    int64_t first = places[0];
    for (int64_t i = 0; i < chunks->runs; i++)
        places[i] = (places[i * chunks->run] - first) * chunks->element_bits;
    chunks->run_step = chunks->runs > 1 ? places[1] : chunks->run * chunks->element_bits;
    for (int64_t i = 1; i < chunks->runs; i++)
        if (places[i] != i * chunks->run_step)
            chunks->run_step = 0;
    chunks->run_bits = places;
    return true;
}

// A row goes on in another.
static bool join(ChunkRow *row, const ChunkRow *next)
{
    int64_t step = row->count == 1 ? next->bit - row->bit : row->step;
    if ((next->count > 1 && next->step != step) || next->bit != row->bit + row->count * step)
        return false;
    row->step = step;
    row->count += next->count;
    return true;
}

// The chunks that the innermost loop leads to from where it is on, which is where it begins.
static ChunkRow take_loop(NestWalk *walk, int64_t most)
{
    const NestLoop *last = walk->count ? &walk->loops[walk->count - 1] : NULL;
    ChunkRow row = {.count = 1, .bit = walk->at[0]};
    bool is_even = last && !last->offsets;
    if (is_even) {
        row.step = last->strides[0];
        row.count = min_i64(last->size, most);
    }
    nest_skip(walk, is_even ? last->size : 1);
    return row;
}

// Rows do not run from packet to packet if those are of several chunks.
static bool make_rows(Chunks *chunks, NestWalk *outer, int64_t base_bit)
{
    int64_t width = chunks->element_bits;
    ChunkRow next;
    for (int64_t i = 0; i < chunks->count; i += next.count) {
        if (chunks->per_packet > 1) {
            next = (ChunkRow){.count = 1, .bit = outer->at[0]};
            nest_skip(outer, 1);
        } else {
            next = take_loop(outer, chunks->count - i);
        }
        next = (ChunkRow){i, next.count, base_bit + next.bit * width, next.step * width};
        bool goes_on = chunks->rows.count && (chunks->per_packet == 1 || i % chunks->per_packet);
        if (goes_on && join(&chunks->rows.items[chunks->rows.count - 1], &next))
            continue;
        ChunkRow *row = heap_append(&chunks->rows, ChunkRow);
        if (!row)
            return false;
        *row = next;
    }
    return true;
}

static void find_reach(Chunks *chunks)
{
    chunks->least = INT64_MAX;
    chunks->end = INT64_MIN;
    for (int64_t i = 0; i < chunks->runs; i++) {
        chunks->low = min_i64(chunks->low, chunks->run_bits[i]);
        chunks->high = max_i64(chunks->high, chunks->run_bits[i]);
    }
    chunks->high += chunks->run * chunks->element_bits;
    for (int64_t i = 0; i < chunks->rows.count; i++) {
        const ChunkRow *row = &chunks->rows.items[i];
        int64_t last = row->bit + (row->count - 1) * row->step;
        chunks->least = min_i64(chunks->least, min_i64(row->bit, last) + chunks->low);
        chunks->end = max_i64(chunks->end, max_i64(row->bit, last) + chunks->high);
    }
}

// A bit for each element between the first and the last.
static void mark_places(const Chunks *chunks, uint8_t *map)
{
    int64_t width = chunks->element_bits;
    for (int64_t i = 0; i < chunks->rows.count; i++) {
        const ChunkRow *row = &chunks->rows.items[i];
        for (int64_t k = 0; k < chunks->runs; k++) {
            int64_t first = (row->bit + chunks->run_bits[k] - chunks->least) / width;
            marks_set_runs(map, (MarkRuns){first, chunks->run, row->count, row->step / width},
                           MARKS_OWN);
        }
    }
}

ChunkPlaces chunks_places(const Chunks *chunks)
{
    int64_t extent = (chunks->end - chunks->least) / chunks->element_bits;
    int64_t elements = chunks->count * chunks->elements, places = 0;
    int64_t bytes = ceil_div(extent, BYTE_BITS);
    if (elements > extent || bytes > MOST_MAP)
        return PLACES_TWICE;
    uint8_t *map = heap_zeroed(bytes, 1);
    if (!map)
        return PLACES_TWICE;
    mark_places(chunks, map);
    for (int64_t i = 0; i < bytes; i++)
        places += __builtin_popcount(map[i]);
    heap_free(map);
    return places < elements ? PLACES_TWICE : places < extent ? PLACES_APART : PLACES_DENSE;
}

ByteRange chunks_reach(const Chunks *chunks, const ChunkRow *row)
{
    int64_t last = row->bit + (row->count - 1) * row->step;
    int64_t least = min_i64(row->bit, last) + chunks->low;
    int64_t most = max_i64(row->bit, last) + chunks->high - 1;
    return (ByteRange){floor_byte(least), floor_byte(most) + 1};
}

ByteRange chunks_reach_all(const Chunks *chunks)
{
    return (ByteRange){floor_byte(chunks->least), floor_byte(chunks->end - 1) + 1};
}

bool chunks_new(Chunks *chunks, const HwNest *nest, ChunksKind kind, int64_t packets,
                int64_t elements)
{
    int64_t cut, part;
    Nest outer, inner;
    NestWalk outer_walk, inner_walk;
    outer.count = inner.count = 0;
    *chunks = (Chunks){.element_bits = nest->element_bits, .elements = elements, .per_packet = 1};
    if (kind == CHUNKS_STREAM) {
        chunks->elements = find_cut(nest, elements, &cut, &part);
        chunks->per_packet = elements / chunks->elements;
        split_stream(nest, cut, part, &outer, &inner);
    } else {
        nest_add(&outer, &nest->loops, LOOPS_BETWEEN);
        nest_add(&inner, &nest->loops, LOOPS_PACKET);
    }
    chunks->count = packets * chunks->per_packet;
    nest_seek(&outer_walk, outer.loops, outer.count, 0);
    nest_seek(&inner_walk, inner.loops, inner.count, 0);
    int64_t base_bit = nest->base * BYTE_BITS + inner_walk.at[0] * nest->element_bits;
    if (make_runs(chunks, &inner_walk) && make_rows(chunks, &outer_walk, base_bit)) {
        find_reach(chunks);
        return true;
    }
    chunks_free(chunks);
    return false;
}

bool chunks_list(Chunks *chunks)
{
    chunks->bits = heap_new(sizeof *chunks->bits * chunks->count);
    for (int64_t i = 0; chunks->bits && i < chunks->rows.count; i++) {
        const ChunkRow *row = &chunks->rows.items[i];
        for (int64_t k = 0; k < row->count; k++)
            chunks->bits[row->first + k] = row->bit + k * row->step;
    }
    return chunks->bits != NULL;
}

void chunks_free(Chunks *chunks)
{
    heap_free(chunks->run_bits);
    heap_free(chunks->rows.items);
    heap_free(chunks->bits);
    *chunks = (Chunks){0};
}
