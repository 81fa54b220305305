// From DM to flits: the Fetch, Switch and Collect Engine. A packet is fetched where it is needed,
// so that a slice alone makes its whole stream. Elements go straight to their place in it; only
// where a byte has no value do tags come into being.
#include "device/internal.h"
#include "device/loops/move.h"

#include "base/checked.h"
#include "base/heap.h"
#include "command/nest.h"
#include "device/chunks.h"
#include "device/data.h"
#include "scalar/bits.h"

#include <stdalign.h>
#include <string.h>

// Loops over digits of a packet's number, with those that change the source outermost. These are
// the sides of a loop.
enum {
    ROUTE_OUT,   // packets that go out from one iteration to the next
    ROUTE_SLICE, // of the source
    ROUTE_TIME,
    ROUTE_MOST_LOOPS = 2 * NEST_MOST_LOOPS + 1,
};

typedef struct {
    const HwSwitchRoute *route;
    NestLoop loops[ROUTE_MOST_LOOPS];
    int64_t count;  // 0: the digits do not nest; each packet is asked for
    bool has_zeros; // packets that come from nowhere
} Route;

// Adds the terms that depend on the slice, or those that depend on the number of the packet. False:
// the packet comes from nowhere.
static bool add_terms(const HwSwitchRoute *route, bool of_time, int64_t number, int64_t *from_slice,
                      int64_t *from_time)
{
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        if (term->of_time != of_time)
            continue;
        int64_t digit = number / term->place % term->extent;
        if (digit >= term->size)
            return false;
        *from_slice += digit * term->slice_stride;
        *from_time += digit * term->time_stride;
    }
    return true;
}

// The next term of time, from the inside.
static const HwRouteTerm *next_term(const HwSwitchRoute *route, const HwRouteTerm *behind)
{
    const HwRouteTerm *found = NULL;
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        bool is_next = term->of_time && (!behind || term->place > behind->place);
        if (is_next && (!found || term->place < found->place))
            found = term;
    }
    return found;
}

// Loops from the inside. False: the digits do not nest, or the outermost one ends early.
static bool make_loops(Route *route)
{
    const HwSwitchRoute *from = route->route;
    const HwRouteTerm *term = NULL;
    int64_t place = 1, left = 0;
    for (int64_t i = 0; i < from->terms.count; i++)
        left += from->terms.items[i].of_time;
    for (; (term = next_term(from, term)); left--) {
        int64_t extent = min_i64(term->extent, max_i64(1, from->out_time / term->place));
        int64_t size = min_i64(term->size, extent), outside = term->place * extent;
        if (size < 1 || term->place % place || from->out_time % outside)
            return false;
        route->loops[route->count++] = (NestLoop){term->place / place, {place}, NULL};
        route->loops[route->count++] =
            (NestLoop){size, {term->place, term->slice_stride, term->time_stride}, NULL};
        route->has_zeros |= size < extent;
        place = outside;
    }
    route->loops[route->count++] = (NestLoop){from->out_time / place, {place}, NULL};
    return left == 0; // otherwise two are at one place
}

// How far inside a loop belongs: those that stay with a source, and there the next packets.
static int rank(const NestLoop *loop)
{
    return loop->strides[ROUTE_SLICE] ? 0 : loop->strides[ROUTE_TIME] == 1 ? 2 : 1;
}

// From the outside then; loops of one rank stay in their order.
static void sort_loops(Route *route)
{
    for (int64_t i = 1; i < route->count; i++) {
        NestLoop loop = route->loops[i];
        int64_t k = i;
        for (; k > 0 && rank(&route->loops[k - 1]) >= rank(&loop); k--)
            route->loops[k] = route->loops[k - 1];
        route->loops[k] = loop;
    }
}

// Loops of one step have no place in the order: they are dropped before the others are sorted.
static void route_plan(Route *route, const HwSwitchRoute *from)
{
    *route = (Route){.route = from};
    if (!make_loops(route))
        route->count = 0;
    int64_t kept = 0;
    for (int64_t i = 0; i < route->count; i++)
        if (route->loops[i].size != 1)
            route->loops[kept++] = route->loops[i];
    route->count = kept;
    sort_loops(route);
    route->count = loops_join(route->loops, route->count);
}

typedef enum {
    CONVERT_NONE,
    CONVERT_LOOK_UP, // table indexing, and casts of types that have few values
    CONVERT_WRAP,
    CONVERT_F16_TO_F32,
    CONVERT_F32_TO_BF16,
    CONVERT_OTHER,
} ConvertKind;

typedef struct {
    const MoveLoops *loops;
    Scalar type, cast;
    bool is_halves;    // elements of 4 bits
    UnpackKind unpack; // of others
    ConvertKind kind;
    uint32_t *table; // of a look-up: values of the type `cast`
    int64_t entries;
    uint32_t index_mask;
    bool is_whole; // every index has an entry
    IntList zero_points;
} Convert;

// Values stay as they are.
static bool convert_is_idle(const Convert *convert)
{
    return convert->kind == CONVERT_NONE && !convert->zero_points.count;
}

static UnpackKind unpack_of(Scalar type)
{
    const ScalarTraits *traits = &scalar_traits[type];
    bool is_signed = traits->kind == SCALAR_KIND_SIGNED;
    if (traits->storage_bits == 8)
        return is_signed ? UNPACK_S8 : UNPACK_U8;
    if (traits->storage_bits == 16)
        return is_signed ? UNPACK_S16 : UNPACK_U16;
    return UNPACK_32;
}

// Whether `to` has every value of `from`.
static bool is_wider(Scalar from, Scalar to)
{
    const ScalarTraits *a = &scalar_traits[from], *b = &scalar_traits[to];
    if (a->kind == b->kind)
        return a->bits <= b->bits;
    return a->kind == SCALAR_KIND_UNSIGNED && a->bits < b->bits;
}

static ConvertKind cast_kind(Scalar from, Scalar to)
{
    bool integers = scalar_is_integer(from) && scalar_is_integer(to);
    if (from == to || (integers && is_wider(from, to)))
        return scalar_traits[from].bits == scalar_traits[from].storage_bits ? CONVERT_NONE
                                                                            : CONVERT_OTHER;
    if (integers)
        return CONVERT_WRAP;
    if (from == SCALAR_F16 && to == SCALAR_F32)
        return CONVERT_F16_TO_F32;
    if (from == SCALAR_F32 && to == SCALAR_BF16)
        return CONVERT_F32_TO_BF16;
    bool is_small = scalar_traits[from].bits <= BYTE_BITS && !scalar_is_integer(from);
    return is_small && !scalar_is_integer(to) ? CONVERT_LOOK_UP : CONVERT_OTHER;
}

// Entry i: what pattern i of the index becomes.
static bool make_table(Convert *convert, const HwTable *table)
{
    Scalar from = table ? table->type : convert->type;
    convert->entries = table ? table->entries.count : INT64_C(1) << scalar_traits[from].bits;
    convert->index_mask = low_bits(scalar_traits[convert->type].bits);
    convert->is_whole = convert->entries > convert->index_mask;
    convert->table = heap_new(sizeof *convert->table * (convert->entries + 1));
    for (int64_t i = 0; convert->table && i < convert->entries; i++) {
        convert->table[i] = table ? (uint32_t)table->entries.items[i] : (uint32_t)i;
        if (from != convert->cast)
            scalar_convert_all(from, convert->cast, &convert->table[i], 1);
    }
    return convert->table != NULL;
}

// False: no memory.
static bool convert_new(Convert *convert, const MoveLoops *loops, const HwFetch *fetch)
{
    *convert = (Convert){.loops = loops,
                         .type = fetch->type,
                         .cast = fetch->cast,
                         .is_halves = scalar_traits[fetch->type].storage_bits < BYTE_BITS,
                         .unpack = unpack_of(fetch->type),
                         .is_whole = true,
                         .zero_points = fetch->zero_points};
    convert->kind = fetch->table ? CONVERT_LOOK_UP : cast_kind(fetch->type, fetch->cast);
    if (convert->kind == CONVERT_LOOK_UP)
        return make_table(convert, fetch->table);
    if (fetch->type == SCALAR_BF16 && fetch->cast == SCALAR_F32) {
        convert->unpack = UNPACK_HIGH16;
        convert->kind = CONVERT_NONE;
    }
    return true;
}

// Makes f32 of bf16 that were left as they are. False: they are something else.
static bool convert_widen(Convert *convert)
{
    if (convert->type != SCALAR_BF16 || convert->cast != SCALAR_BF16 ||
        convert->kind != CONVERT_NONE || convert->zero_points.count)
        return false;
    convert->unpack = UNPACK_HIGH16;
    convert->cast = SCALAR_F32;
    return true;
}

static void convert_free(Convert *convert)
{
    heap_free(convert->table);
    *convert = (Convert){0};
}

static void subtract(const Convert *convert, uint32_t point, int64_t count, uint32_t *bits)
{
    const ScalarTraits *traits = &scalar_traits[convert->cast];
    int32_t drop = 32 - traits->bits;
    if (traits->kind == SCALAR_KIND_SIGNED)
        convert->loops->subtract_signed(bits, count, point, drop);
    else
        convert->loops->subtract_unsigned(bits, count, point, drop);
}

// In place; `base`: which of the interleaved tensors they are of.
static void convert_run(const Convert *convert, int64_t base, int64_t count, uint32_t *bits)
{
    switch (convert->kind) {
    case CONVERT_NONE:
        break;
    case CONVERT_LOOK_UP:
        convert->loops->look_up(bits, count, convert->table, (uint32_t)convert->entries,
                                convert->index_mask);
        break;
    case CONVERT_WRAP:
        subtract(convert, 0, count, bits);
        break;
    case CONVERT_F16_TO_F32:
        convert->loops->f16_to_f32(bits, count);
        break;
    case CONVERT_F32_TO_BF16:
        convert->loops->f32_to_bf16(bits, count);
        break;
    case CONVERT_OTHER:
        for (int64_t i = 0; i < count; i++)
            bits[i] = scalar_wrap(convert->type, bits[i]);
        if (convert->type != convert->cast)
            scalar_convert_all(convert->type, convert->cast, bits, count);
        break;
    }
    int64_t points = convert->zero_points.count;
    if (points)
        subtract(convert, (uint32_t)convert->zero_points.items[base % points], count, bits);
}

// Of canonical values of memory: those that the table has no entry for. -1: none from `from` on.
static int64_t convert_missing(const Convert *convert, const uint32_t *bits, int64_t from,
                               int64_t count)
{
    for (int64_t i = from; i < count; i++)
        if ((bits[i] & convert->index_mask) >= convert->entries)
            return i;
    return -1;
}

enum { BLOCK_ELEMENTS = 4096 }; // that stay in the cache until they are converted

struct FetchPlan {
    const HwFetch *fetch;
    Chunks chunks; // of the first base
    Convert convert;
    Masks masks;
    Route route;
    bool is_routed;
    bool is_lent; // DM has the stream as it goes out
    int64_t bases;
    int64_t packet;      // elements of one
    int64_t pitch;       // of what the Collect Engine makes of it
    int64_t time, lanes; // that go out
    Scalar type;         // of what goes out
    uint32_t pad_value;  // in that type
    ByteRange reach;     // what is read of DM
    TrfCopy *copy;       // how it gets to TRF without a stream. NULL: not at all
};

// A slice whose packets are fetched.
typedef struct {
    const Memory *dm;
    bool has_data;
    bool is_inside, is_clean; // all that is read lies in DM; and has a value
    const MaskPlan *mask;     // NULL: none
} SliceSource;

typedef struct {
    const ClusterRun *run;
    const FetchPlan *plan;
    Stream *out;
    SliceSource source;
    LaneRun *room; // for the runs of a packet, where they are not listed
    bool failed;   // no memory
} Fetching;

// ---- sources

static SliceSource find_source(const ClusterRun *run, const FetchPlan *plan, int64_t slice)
{
    const HwFetch *fetch = plan->fetch;
    int64_t chip = run->first_chip + run->chip, cluster = run->first_cluster + run->cluster;
    const Slice *at = run_slice(run, slice);
    slice += run->first_slice;
    SliceSource source = {.dm = at ? &at->dm : NULL};
    source.has_data = at && bits_have(&fetch->bitmaps, chip, cluster, slice);
    if (source.has_data)
        source.mask = masks_find(&plan->masks, chip, cluster, slice);
    return source;
}

static int64_t base_shift(const FetchPlan *plan, int64_t base)
{
    return (plan->fetch->bases.items[base] - plan->fetch->nest.base) * BYTE_BITS;
}

static ByteRange find_reach(const FetchPlan *plan)
{
    ByteRange reach = {INT64_MAX, INT64_MIN}, first = chunks_reach_all(&plan->chunks);
    for (int64_t base = 0; base < plan->bases; base++) {
        int64_t shift = base_shift(plan, base) / BYTE_BITS;
        reach.from = min_i64(reach.from, first.from + shift);
        reach.to = max_i64(reach.to, first.to + shift);
    }
    return reach;
}

// ---- tags

static uint8_t *need_tags(Fetching *f)
{
    f->failed |= !stream_need_tags(device_scratch(f->run->device), f->out);
    return f->out->tags;
}

// Elements of a run without a value, of 2^shift bits. Where a byte of an element has none, neither
// has the element.
static void tag_run(const Memory *dm, int shift, int64_t bit, int64_t count, uint8_t *tags)
{
    int64_t end = (bit + (count << shift) + BYTE_BITS - 1) / BYTE_BITS;
    int64_t round = (INT64_C(1) << shift) - 1;
    bool written;
    for (int64_t i = 0, part; i < count; i += part) {
        int64_t at = bit + (i << shift), byte = at / BYTE_BITS;
        int64_t bits = (byte + memory_span(dm, byte, end, &written)) * BYTE_BITS - at;
        part = min_i64(count - i, (written ? bits : bits + round) >> shift);
        if (written && part > 0)
            continue;
        part = max_i64(part, 1);
        memset(tags + i, 0, part);
    }
}

static void tag_row(Fetching *f, const ChunkRow *row, int64_t near, int64_t near_step)
{
    const Chunks *chunks = &f->plan->chunks;
    uint8_t *tags = need_tags(f);
    int64_t width = chunks->element_bits, count = row->count, run = chunks->run;
    int shift = __builtin_ctzll((uint64_t)width);
    if (!tags)
        return;
    if (chunks->runs == 1 && near_step == run && row->step == run * width) {
        run *= count;
        count = 1;
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < chunks->runs; k++)
            tag_run(f->source.dm, shift, row->bit + i * row->step + chunks->run_bits[k], run,
                    tags + near + i * near_step + k * run);
}

// An index beyond the table has no value.
static void tag_missing(Fetching *f, int64_t near, int64_t count)
{
    const Convert *convert = &f->plan->convert;
    int64_t i = convert_missing(convert, f->out->bits + near, 0, count);
    uint8_t *tags = i < 0 ? NULL : need_tags(f);
    for (; tags && i >= 0; i = convert_missing(convert, f->out->bits + near, i + 1, count))
        tags[near + i] = 0;
}

// ---- rows of chunks

// Runs that may lie outside of DM.
static void load_row(Fetching *f, const ChunkRow *row, int64_t near, int64_t near_step)
{
    const Chunks *chunks = &f->plan->chunks;
    uint8_t live[ELEMENT_BLOCK], *tags = need_tags(f);
    for (int64_t i = 0; tags && i < row->count * chunks->runs; i++) {
        int64_t chunk = i / chunks->runs, run = i % chunks->runs;
        int64_t bit = row->bit + chunk * row->step + chunks->run_bits[run];
        int64_t to = near + chunk * near_step + run * chunks->run;
        for (int64_t k = 0, part; k < chunks->run; k += part) {
            part = min_i64(chunks->run - k, ELEMENT_BLOCK);
            memory_load(f->source.dm, f->plan->fetch->type, bit + k * chunks->element_bits, part,
                        f->out->bits + to + k, live);
            memcpy(tags + to + k, live, part);
        }
        if (f->plan->convert.unpack == UNPACK_HIGH16)
            for (int64_t k = 0; k < chunks->run; k++)
                f->out->bits[to + k] <<= 16;
    }
}

static void unpack_halves(const Fetching *f, const ChunkRow *row, int64_t near, int64_t near_step)
{
    const Chunks *chunks = &f->plan->chunks;
    const MoveLoops *loops = f->plan->convert.loops;
    int64_t width = chunks->element_bits, count = row->count, run = chunks->run;
    if (chunks->runs == 1 && near_step == run && row->step == run * width) {
        run *= count;
        count = 1;
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < chunks->runs; k++)
            loops->unpack_halves(f->source.dm->bytes,
                                 (row->bit + i * row->step + chunks->run_bits[k]) / width, run,
                                 f->out->bits + near + i * near_step + k * run);
}

// The longer way is the inner loop: runs of a chunk, or chunks of the row.
static void unpack_row(const Fetching *f, const ChunkRow *row, int64_t near, int64_t near_step)
{
    const Chunks *chunks = &f->plan->chunks;
    const Convert *convert = &f->plan->convert;
    const uint8_t *far = f->source.dm->bytes + row->bit / BYTE_BITS;
    uint32_t *bits = f->out->bits + near;
    int64_t step = row->step / BYTE_BITS;
    if (chunks->run_step && chunks->runs > row->count) {
        MoveShape shape = {chunks->run, chunks->runs, chunks->run, chunks->run_step / BYTE_BITS};
        for (int64_t i = 0; i < row->count; i++)
            convert->loops->unpack[convert->unpack](far + i * step, bits + i * near_step, &shape);
        return;
    }
    MoveShape shape = {chunks->run, row->count, near_step, step};
    for (int64_t i = 0; i < chunks->runs; i++)
        convert->loops->unpack[convert->unpack](far + chunks->run_bits[i] / BYTE_BITS,
                                                bits + i * chunks->run, &shape);
}

static void convert_row(Fetching *f, const ChunkRow *row, int64_t base, int64_t near,
                        int64_t near_step)
{
    const Convert *convert = &f->plan->convert;
    int64_t elements = f->plan->chunks.elements, count = row->count;
    if (near_step == elements) {
        elements *= count;
        count = 1;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!convert->is_whole)
            tag_missing(f, near + i * near_step, elements);
        convert_run(convert, base, elements, f->out->bits + near + i * near_step);
    }
}

static void fetch_block(Fetching *f, const ChunkRow *row, int64_t base, int64_t near,
                        int64_t near_step)
{
    const SliceSource *source = &f->source;
    bool is_inside = source->is_inside, is_clean = source->is_clean;
    if (!is_clean) {
        ByteRange reach = chunks_reach(&f->plan->chunks, row);
        is_inside = is_inside || memory_holds(source->dm, reach.from, reach.to);
        is_clean = is_inside && memory_is_written(source->dm, reach.from, reach.to);
    }
    if (!is_inside)
        load_row(f, row, near, near_step);
    else if (f->plan->convert.is_halves)
        unpack_halves(f, row, near, near_step);
    else
        unpack_row(f, row, near, near_step);
    if (is_inside && !is_clean)
        tag_row(f, row, near, near_step);
    if (!convert_is_idle(&f->plan->convert))
        convert_row(f, row, base, near, near_step);
}

// Chunks of one base that are evenly spaced, in memory and in the stream.
static void fetch_row(Fetching *f, const ChunkRow *row, int64_t base, int64_t near,
                      int64_t near_step)
{
    const Chunks *chunks = &f->plan->chunks;
    bool is_plain = chunks->runs == 1 && f->source.is_clean && convert_is_idle(&f->plan->convert);
    int64_t most = is_plain ? row->count : max_i64(1, BLOCK_ELEMENTS / chunks->elements);
    for (int64_t i = 0; i < row->count && !f->failed; i += most) {
        ChunkRow block = {0, min_i64(most, row->count - i), row->bit + i * row->step, row->step};
        fetch_block(f, &block, base, near + i * near_step, near_step);
    }
}

// ---- padding

// `count` runs of `run` elements, each `step` behind the one before.
static void fill(const Fetching *f, int64_t from, int64_t run, int64_t count, int64_t step,
                 uint32_t value)
{
    MoveShape shape = {run, count, step, 0};
    f->plan->convert.loops->fill(value, f->out->bits + from, &shape);
    for (int64_t i = 0; f->out->tags && i < count; i++)
        memset(f->out->tags + from + i * step, TAG_LIVE, run);
}

static bool same_runs(const LaneRun *a, const LaneRun *b, int64_t count)
{
    return !memcmp(a, b, sizeof *a * count);
}

// Packets that are masked alike, from `packet` on, every `stride`th.
static int64_t alike_packets(const Fetching *f, int64_t packet, int64_t stride, int64_t most)
{
    const MaskPlan *mask = f->source.mask;
    int64_t alike = 1;
    if (!mask->runs)
        return 1;
    const int32_t *first = mask->first + packet;
    int64_t count = first[1] - first[0];
    for (; alike < most; alike++) {
        const int32_t *next = first + alike * stride;
        if (next[1] - next[0] != count ||
            !same_runs(mask->runs + *first, mask->runs + *next, count))
            break;
    }
    return alike;
}

// Packets of the source, which stand in the stream from `near` on.
static void mask_packets(const Fetching *f, int64_t packet, int64_t stride, int64_t count,
                         int64_t near, int64_t near_step)
{
    int64_t run_count;
    for (int64_t i = 0, alike; i < count; i += alike) {
        alike = alike_packets(f, packet + i * stride, stride, count - i);
        const LaneRun *runs =
            masks_packet(&f->plan->masks, f->source.mask, packet + i * stride, f->room, &run_count);
        for (int64_t k = 0; k < run_count; k++)
            fill(f, near + i * near_step + runs[k].from, runs[k].to - runs[k].from, alike,
                 near_step, f->plan->pad_value);
    }
}

// Zeros behind each packet.
static void pad_flits(const Fetching *f)
{
    const FetchPlan *plan = f->plan;
    if (plan->pitch > plan->packet)
        fill(f, plan->packet, plan->pitch - plan->packet, plan->time, plan->pitch, 0);
}

// ---- the stream of a slice

// A slice that its own packets come from.
static SliceSource own_source(const ClusterRun *run, const FetchPlan *plan, int64_t slice)
{
    SliceSource source = find_source(run, plan, slice);
    ByteRange reach = plan->reach;
    source.is_inside = source.has_data && memory_holds(source.dm, reach.from, reach.to);
    source.is_clean = source.is_inside && memory_is_written(source.dm, reach.from, reach.to);
    return source;
}

static void fetch_own(Fetching *f, int64_t slice)
{
    const FetchPlan *plan = f->plan;
    const Chunks *chunks = &plan->chunks;
    f->source = own_source(f->run, plan, slice);
    if (!f->source.has_data) {
        fill(f, 0, plan->packet, plan->time, plan->pitch, plan->pad_value);
        return;
    }
    for (int64_t base = 0; base < plan->bases; base++) {
        int64_t packets = ceil_div(plan->time - base, plan->bases);
        int64_t near_step = chunks->per_packet > 1 ? chunks->elements : plan->bases * plan->pitch;
        for (int64_t i = 0; i < chunks->rows.count && !f->failed; i++) {
            ChunkRow row = chunks->rows.items[i];
            int64_t packet = row.first / chunks->per_packet * plan->bases + base;
            int64_t near = packet * plan->pitch + row.first % chunks->per_packet * chunks->elements;
            row.count = min_i64(row.count, packets * chunks->per_packet - row.first);
            row.bit += base_shift(plan, base);
            fetch_row(f, &row, base, near, near_step);
        }
    }
    if (f->source.mask)
        mask_packets(f, 0, 1, plan->time, 0, plan->pitch);
}

// Packets as they are in the slice's own DM.
static bool is_own(const FetchPlan *plan)
{
    return !plan->is_routed && plan->bases == 1 && plan->pitch == plan->packet &&
           plan->convert.is_whole;
}

// Whether the stream is in memory what it is in a register, from the first element to the last.
static bool is_as_stored(const FetchPlan *plan)
{
    const Chunks *chunks = &plan->chunks;
    int64_t chunk = chunks->elements * chunks->element_bits;
    bool is_dense = chunks->runs == 1 && chunks->rows.count > 0;
    for (int64_t i = 0; i < chunks->rows.count && is_dense; i++)
        is_dense = chunks->rows.items[i].bit ==
                       chunks->rows.items[0].bit + chunks->rows.items[i].first * chunk &&
                   (chunks->rows.items[i].count == 1 || chunks->rows.items[i].step == chunk);
    return is_dense && chunks->element_bits == 32 && convert_is_idle(&plan->convert);
}

bool fetch_lent(const ClusterRun *run, int64_t slice, Stream *out)
{
    const FetchPlan *plan = run->plan->fetch;
    if (!plan->is_lent)
        return false;
    SliceSource source = own_source(run, plan, slice);
    if (!source.is_clean || source.mask)
        return false;
    int64_t first = plan->chunks.rows.items[0].bit + plan->chunks.run_bits[0] + base_shift(plan, 0);
    void *bits = source.dm->bytes + first / BYTE_BITS;
    if ((uintptr_t)bits % alignof(uint32_t) != 0)
        return false;
    *out = (Stream){plan->type, plan->time * (plan->pitch / plan->lanes), plan->lanes, bits, NULL,
                    true};
    return true;
}

// ---- parts of it

bool fetch_in_parts(const ClusterRun *run, int64_t slice, Stream *out)
{
    const FetchPlan *plan = run->plan->fetch;
    if (!is_own(plan) || plan->chunks.per_packet > 1)
        return false;
    SliceSource source = own_source(run, plan, slice);
    if (!source.is_clean || source.mask)
        return false;
    *out = (Stream){
        .type = plan->type, .time = plan->time * (plan->pitch / plan->lanes), .lanes = plan->lanes};
    return true;
}

void fetch_part(const ClusterRun *run, int64_t slice, int64_t from, int64_t to, uint32_t *bits)
{
    const FetchPlan *plan = run->plan->fetch;
    const Chunks *chunks = &plan->chunks;
    Stream out = {.bits = bits};
    Fetching f = {.run = run, .plan = plan, .out = &out, .source = find_source(run, plan, slice)};
    f.source.is_inside = f.source.is_clean = true; // fetch_in_parts said so
    from /= plan->packet;
    to /= plan->packet;
    for (int64_t i = 0; i < chunks->rows.count; i++) {
        const ChunkRow *row = &chunks->rows.items[i];
        int64_t first = max_i64(row->first, from), end = min_i64(row->first + row->count, to);
        ChunkRow part = {first, end - first, row->bit + (first - row->first) * row->step,
                         row->step};
        part.bit += base_shift(plan, 0);
        if (first < end)
            fetch_row(&f, &part, 0, (first - from) * plan->pitch, plan->pitch);
    }
}

const uint8_t *fetch_part_bytes(const ClusterRun *run, int64_t slice, int64_t from, int64_t to,
                                const uint8_t **end)
{
    const FetchPlan *plan = run->plan->fetch;
    const Chunks *chunks = &plan->chunks;
    const uint8_t *bytes = run_slice(run, slice)->dm.bytes;
    ByteRange all = {INT64_MAX, 0};
    int64_t size = (to - from) * chunks->element_bits / BYTE_BITS;
    from /= plan->packet;
    to /= plan->packet;
    for (int64_t i = 0; i < chunks->rows.count; i++) {
        ChunkRow row = chunks->rows.items[i];
        int64_t first = max_i64(row.first, from), last = min_i64(row.first + row.count, to) - 1;
        for (int64_t at = first; at <= last; at += max_i64(1, last - first)) {
            ChunkRow one = {at, 1, row.bit + (at - row.first) * row.step + base_shift(plan, 0), 0};
            ByteRange reach = chunks_reach(chunks, &one);
            all.from = min_i64(all.from, reach.from);
            all.to = max_i64(all.to, reach.to);
        }
    }
    if (all.from >= all.to || all.to - all.from > 2 * size)
        return NULL;
    *end = bytes + all.to;
    return bytes + all.from;
}

// ---- packets of other slices

// One packet of the source, which may be of several chunks.
static void fetch_packet(Fetching *f, int64_t packet, int64_t near)
{
    const Chunks *chunks = &f->plan->chunks;
    int64_t base = packet % f->plan->bases, first = packet / f->plan->bases * chunks->per_packet;
    for (int64_t i = 0; i < chunks->per_packet; i++) {
        ChunkRow row = {0, 1, chunks->bits[first + i] + base_shift(f->plan, base), 0};
        fetch_row(f, &row, base, near + i * chunks->elements, chunks->elements);
    }
}

// How many of the packets from `packet` on, `stride` apart, are evenly spaced in memory.
static int64_t even_packets(const FetchPlan *plan, int64_t packet, int64_t stride, int64_t most)
{
    const int64_t *bits = plan->chunks.bits + packet;
    int64_t count = min_i64(most, 2);
    if (plan->bases > 1 || plan->chunks.per_packet > 1)
        return 1;
    while (count < most &&
           bits[count * stride] - bits[(count - 1) * stride] == bits[stride] - *bits)
        count++;
    return count;
}

// `count` packets of the source: from `packet` on, `stride` apart; they go out as packets `time`
// and every `place`th behind it.
static void fetch_packets(Fetching *f, int64_t packet, int64_t stride, int64_t count, int64_t time,
                          int64_t place)
{
    const FetchPlan *plan = f->plan;
    int64_t pitch = plan->pitch;
    for (int64_t i = 0, part; i < count && f->source.has_data && !f->failed; i += part) {
        int64_t from = packet + i * stride, near = (time + i * place) * pitch;
        part = even_packets(plan, from, stride, count - i);
        if (part == 1) {
            fetch_packet(f, from, near);
            continue;
        }
        const int64_t *bits = plan->chunks.bits;
        ChunkRow row = {0, part, bits[from], bits[from + stride] - bits[from]};
        fetch_row(f, &row, 0, near, place * pitch);
    }
    if (!f->source.has_data)
        fill(f, time * pitch, plan->packet, count, place * pitch, plan->pad_value);
    else if (f->source.mask)
        mask_packets(f, packet, stride, count, time * pitch, place * pitch);
}

// `*held`: the slice that is the source.
static void turn_to(Fetching *f, int64_t slice, int64_t *held)
{
    if (slice != *held)
        f->source = find_source(f->run, f->plan, slice);
    *held = slice;
}

// Loops of the route from number `depth` on.
static void fetch_loops(Fetching *f, int64_t depth, int64_t slice, int64_t packet, int64_t time,
                        int64_t *held)
{
    const NestLoop *loop = &f->plan->route.loops[depth];
    if (depth == f->plan->route.count - 1 && !loop->strides[ROUTE_SLICE]) {
        turn_to(f, slice, held);
        fetch_packets(f, packet, loop->strides[ROUTE_TIME], loop->size, time,
                      loop->strides[ROUTE_OUT]);
        return;
    }
    for (int64_t i = 0; i < loop->size && !f->failed; i++) {
        int64_t from = slice + i * loop->strides[ROUTE_SLICE];
        int64_t at = packet + i * loop->strides[ROUTE_TIME];
        int64_t out = time + i * loop->strides[ROUTE_OUT];
        if (depth < f->plan->route.count - 1) {
            fetch_loops(f, depth + 1, from, at, out, held);
            continue;
        }
        turn_to(f, from, held);
        fetch_packets(f, at, 0, 1, out, 1);
    }
}

static void fetch_routed(Fetching *f, int64_t slice)
{
    const FetchPlan *plan = f->plan;
    const HwSwitchRoute *route = plan->route.route;
    int64_t first = 0, first_packet = 0, held = -1;
    bool is_nested = plan->route.count > 0;
    bool comes = add_terms(route, false, slice, &first, &first_packet);
    if (!is_nested || !comes || plan->route.has_zeros)
        fill(f, 0, plan->time * plan->pitch, 1, 0, 0);
    if (is_nested && comes)
        fetch_loops(f, 0, first, first_packet, 0, &held);
    for (int64_t t = 0; !is_nested && comes && t < plan->time && !f->failed; t++) {
        int64_t from = first, packet = first_packet;
        if (!add_terms(route, true, t, &from, &packet))
            continue;
        turn_to(f, from, &held);
        fetch_packets(f, packet, 0, 1, t, 1);
    }
}

// ---- all of it

bool fetch_run(const ClusterRun *run, int64_t slice, Stream *out)
{
    const FetchPlan *plan = run->plan->fetch;
    Scratch *scratch = device_scratch(run->device);
    Fetching f = {.run = run, .plan = plan, .out = out};
    int64_t flits = plan->pitch / plan->lanes;
    if (plan->masks.count && !plan->masks.are_listed)
        f.room = scratch_take(scratch, (plan->packet / 2 + 1) * (int64_t)sizeof *f.room);
    f.failed = (plan->masks.count && !plan->masks.are_listed && !f.room) ||
               !stream_new_live(scratch, out, plan->type, plan->time * flits, plan->lanes);
    if (!f.failed && plan->is_routed)
        fetch_routed(&f, slice);
    else if (!f.failed)
        fetch_own(&f, slice);
    scratch_give(scratch, f.room);
    if (f.failed)
        return false;
    pad_flits(&f);
    stream_drop_tags(scratch, out, TAG_LIVE);
    return true;
}

bool fetch_to_trf(const ClusterRun *run, int64_t slice)
{
    const FetchPlan *plan = run->plan->fetch;
    if (!plan->copy)
        return false;
    SliceSource source = own_source(run, plan, slice);
    if (!source.is_clean || source.mask)
        return false;
    trf_copy_run(plan->copy, &run_slice(run, slice)->trf, source.dm);
    return true;
}

// ---- the plan

static void set_sizes(FetchPlan *plan, const Device *device, const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    plan->fetch = fetch;
    plan->bases = fetch->bases.count;
    plan->packet = plan->pitch = plan->lanes = fetch->packet_elements;
    plan->is_routed = pass->route != NULL;
    plan->time = pass->route ? pass->route->out_time : fetch->time;
    if (pass->collect) {
        plan->lanes =
            device->machine->flit_bytes * BYTE_BITS / scalar_traits[fetch->cast].packet_bits;
        plan->pitch = plan->lanes * pass->collect->flits_per_packet;
    }
}

// What goes to be multiplied goes as f32, in which every bf16 has its value: that is how it is
// multiplied, and it costs nothing here.
static void widen_factors(FetchPlan *plan, const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    plan->type = fetch->cast;
    plan->pad_value = (uint32_t)fetch->pad_value;
    if (pass->reduce && convert_widen(&plan->convert)) {
        plan->type = SCALAR_F32;
        plan->pad_value = scalar_to_f32(fetch->cast, plan->pad_value);
    }
}

// Whether TRF gets the bytes of DM as they are, and nobody else gets anything.
static bool is_load(const FetchPlan *plan, const HwPipeline *pass)
{
    const Convert *convert = &plan->convert;
    if (!pass->trf_store || pass->vrf_store || pass->commit || pass->route || pass->reduce ||
        pass->vector || pass->cast || pass->transpose)
        return false;
    const ScalarTraits *stored = &scalar_traits[pass->trf_store->type];
    return plan->bases == 1 && plan->pitch == plan->packet && convert_is_idle(convert) &&
           convert->unpack != UNPACK_HIGH16 && !convert->is_halves &&
           stored->packet_bits == plan->chunks.element_bits && stored->bits == stored->packet_bits;
}

bool fetch_plan_new(const Device *device, const HwPipeline *pass, FetchPlan **out)
{
    const HwFetch *fetch = &pass->fetch;
    FetchPlan *plan = *out = heap_zeroed(1, sizeof *plan);
    if (!plan)
        return false;
    set_sizes(plan, device, pass);
    if (pass->route)
        route_plan(&plan->route, pass->route);
    if (!chunks_new(&plan->chunks, &fetch->nest, CHUNKS_STREAM, ceil_div(fetch->time, plan->bases),
                    plan->packet))
        return false;
    plan->reach = find_reach(plan);
    if (!convert_new(&plan->convert, LOOPS_CHOICE(MoveLoops, move_loops)[device->isa], fetch))
        return false;
    widen_factors(plan, pass);
    plan->is_lent = is_own(plan) && is_as_stored(plan);
    return (!pass->route || chunks_list(&plan->chunks)) &&
           masks_new_fetch(&plan->masks, fetch, fetch->time, plan->packet) &&
           (!is_load(plan, pass) ||
            trf_copy_new(device, pass, &plan->chunks, plan->lanes, &plan->copy));
}

ByteRange fetch_reach(const FetchPlan *plan)
{
    return plan->reach;
}

void fetch_plan_free(FetchPlan *plan)
{
    if (!plan)
        return;
    chunks_free(&plan->chunks);
    convert_free(&plan->convert);
    masks_free(&plan->masks);
    trf_copy_free(plan->copy);
    heap_free(plan);
}
