// The way between DM and streams against the plainest walk there is: one element at a time, as the
// records say it. Nests, types, masks and routes are drawn.
#include "command/nest.h"
#include "device/data.h"
#include "device/internal.h"

#include "base/checked.h"
#include "machine/machine.h"
#include "scalar/bits.h"
#include "sets.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { SLICES = 8, MOST_LOOPS = 5, MOST_TERMS = 6, MOST_ENTRIES = 300 };

// A pass with all it points to.
typedef struct {
    HwPipeline pass;
    HwLoop fetch_loops[MOST_LOOPS], commit_loops[MOST_LOOPS + 1];
    int64_t offsets[MOST_LOOPS][8];
    int64_t bases[2], points[2], entries[MOST_ENTRIES];
    HwTable table;
    HwSwitchRoute route;
    HwRouteTerm terms[MOST_TERMS];
    HwCollect collect;
    HwCommit commit;
    HwVrfStore vrf;
    HwMask masks[1];
    HwCommitMask commit_masks[1];
    int64_t counts[64];
    HwCheck checks[4];
    HwCheckTerm check_terms[12];
    HwClusterBits bitmap, mask_bitmap;
    uint64_t slices[4], mask_slices[4];
    bool has_pairs;
} Case;

static int64_t draw(Rng *rng, int64_t least, int64_t most)
{
    return least + rng_below(rng, most - least + 1);
}

static int64_t cases_at_scale(int64_t count)
{
    return max_i64(1, (int64_t)((double)count * test_scale()));
}

static Scalar draw_type(Rng *rng)
{
    static const Scalar types[] = {SCALAR_I4,     SCALAR_I8,     SCALAR_I16, SCALAR_I32,
                                   SCALAR_U8,     SCALAR_F8,     SCALAR_F16, SCALAR_BF16,
                                   SCALAR_F8E4M3, SCALAR_F8E5M2, SCALAR_F32};
    return types[rng_below(rng, COUNT_OF(types))];
}

// ---- positions that are data

static bool is_data(const HwCheck *checks, int64_t count, int64_t position)
{
    int64_t values[DATA_MOST_CHECKS];
    for (int64_t i = 0; i < count; i++) {
        values[i] = checks[i].offset;
        for (int64_t k = 0; k < checks[i].terms.count; k++) {
            const HwCheckTerm *term = &checks[i].terms.items[k];
            int64_t number = term->of < 0 ? position : values[term->of];
            int64_t digit = number % term->modulo / term->place;
            values[i] += (term->table.count ? term->table.items[digit] : digit) * term->weight;
        }
        if (checks[i].modulo)
            values[i] %= checks[i].modulo;
        if (values[i] < 0 || values[i] >= checks[i].limit)
            return false;
    }
    return true;
}

static HwCheckTerm draw_term(Rng *rng, int64_t check)
{
    static int64_t table[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
    HwCheckTerm term = {.of = check && rng_chance(rng, 30) ? draw(rng, 0, check - 1) : -1,
                        .modulo = draw(rng, 1, 60),
                        .place = draw(rng, 1, rng_chance(rng, 50) ? 2 : 9),
                        .weight = draw(rng, -3, 5)};
    if (rng_chance(rng, 10))
        term.modulo = draw(rng, 1, 5000);
    else if (rng_chance(rng, 15))
        term.table = (IntList){table, COUNT_OF(table), 0};
    return term;
}

static int64_t draw_checks(Case *c, Rng *rng)
{
    int64_t count = draw(rng, 1, COUNT_OF(c->checks));
    for (int64_t i = 0; i < count; i++) {
        HwCheckTerm *terms = &c->check_terms[i * 3];
        int64_t terms_count = draw(rng, 1, 3);
        for (int64_t k = 0; k < terms_count; k++)
            terms[k] = draw_term(rng, i);
        c->checks[i] = (HwCheck){.offset = draw(rng, -4, 8),
                                 .terms = {terms, terms_count, 0},
                                 .limit = draw(rng, 1, 30)};
        bool is_positive = c->checks[i].offset >= 0;
        for (int64_t k = 0; k < terms_count; k++)
            is_positive &= terms[k].weight >= 0;
        if (is_positive && rng_chance(rng, 40))
            c->checks[i].modulo = draw(rng, 1, 40);
    }
    return count;
}

TEST(runs_of_data)
{
    Rng rng = {test_seed()};
    for (int64_t n = 0; n < cases_at_scale(3000); n++) {
        Case c = {0};
        const HwCheckList test = {.items = c.checks, .count = draw_checks(&c, &rng)};
        int64_t end = draw(&rng, 1, 600), first = draw(&rng, 0, 4000);
        bool answer, before = false;
        for (int64_t i = 0, run; i < end; i += run) {
            run = data_run(&test, first + i, end - i, &answer);
            assert_in_range(run, 1, end - i);
            assert_true(i == 0 || answer != before);
            for (int64_t k = 0; k < run; k++)
                assert_int_equal(answer, is_data(c.checks, test.count, first + i + k));
            before = answer;
        }
        uint8_t lanes[600];
        data_lanes(&test, first, end, lanes);
        for (int64_t i = 0; i < end; i++)
            assert_int_equal(lanes[i], is_data(c.checks, test.count, first + i));
    }
}

// ---- nests

// Where element `number` of a nest lies, in elements.
static int64_t place_of(const HwLoop *loops, int64_t count, int64_t number)
{
    int64_t place = 0;
    for (int64_t i = count - 1; i >= 0; i--) {
        int64_t index = number % loops[i].size;
        place += loops[i].offsets.count ? loops[i].offsets.items[index] : index * loops[i].stride;
        number /= loops[i].size;
    }
    return place;
}

static int64_t size_of_nest(const HwNest *nest)
{
    int64_t size = 1;
    for (int64_t i = 0; i < nest->loops.count; i++)
        size *= nest->loops.items[i].size;
    return size;
}

// Some loops go on where the one inside ends, some broadcast, some go anywhere.
static void draw_nest(Case *c, Rng *rng, HwNest *nest)
{
    int64_t count = draw(rng, 0, MOST_LOOPS - 1), reach = 1;
    for (int64_t i = count - 1; i >= 0; i--) {
        HwLoop *loop = &c->fetch_loops[i];
        *loop = (HwLoop){.size = draw(rng, 1, rng_chance(rng, 50) ? 8 : 4), .stride = reach};
        if (rng_chance(rng, 40))
            loop->stride = draw(rng, -12, 40);
        if (rng_chance(rng, 15)) {
            for (int64_t k = 0; k < loop->size; k++)
                c->offsets[i][k] = draw(rng, -20, 60);
            loop->offsets = (IntList){c->offsets[i], loop->size, 0};
        }
        reach = loop->stride * loop->size;
    }
    nest->loops.items = c->fetch_loops;
    nest->loops.count = count;
}

// ---- memories

static void draw_memory(Rng *rng, Memory *memory, int64_t from, int64_t to)
{
    memory_forget(memory);
    for (int64_t i = from; i < to; i++)
        memory->bytes[i] = (uint8_t)rng_next(rng);
    int64_t kind = draw(rng, 0, 2); // all, nearly all, some
    if (kind < 2)
        memory_mark(memory, from, to);
    for (int64_t i = 0; i < (kind ? 6 : 0); i++) {
        int64_t first = draw(rng, from, to - 1), end = draw(rng, first, min_i64(to, first + 50));
        if (kind == 1)
            memory_forget_part(memory, first, end);
        else
            memory_mark(memory, first, end);
    }
}

static bool byte_is_written(const Memory *memory, int64_t byte)
{
    return memory->written[byte / BYTE_BITS] >> byte % BYTE_BITS & 1;
}

// One element: its value, and whether it has one.
static bool load(const Memory *memory, Scalar type, int64_t bit, uint32_t *bits)
{
    int64_t width = scalar_traits[type].storage_bits;
    bool live = true;
    *bits = 0;
    for (int64_t i = bit; i < bit + width; i++) {
        bool inside = i >= 0 && i < memory->size * BYTE_BITS;
        live &= inside && byte_is_written(memory, i / BYTE_BITS);
        if (inside)
            *bits |= (uint32_t)(memory->bytes[i / BYTE_BITS] >> i % BYTE_BITS & 1) << (i - bit);
    }
    *bits = scalar_wrap(type, *bits);
    return live;
}

// ---- fetch

// A value of memory on its way through the adapter. False: it has none.
static bool adapt(const HwFetch *fetch, int64_t packet, uint32_t *bits)
{
    Scalar type = fetch->type;
    if (fetch->table) {
        int64_t index = *bits & low_bits(scalar_traits[type].bits);
        if (index >= fetch->table->entries.count)
            return false;
        *bits = (uint32_t)fetch->table->entries.items[index];
        type = fetch->table->type;
    }
    if (type != fetch->cast)
        assert_true(scalar_convert(type, fetch->cast, *bits, bits));
    int64_t points = fetch->zero_points.count;
    if (points)
        *bits = scalar_wrap(
            fetch->cast,
            *bits - (uint32_t)fetch->zero_points.items[packet % fetch->bases.count % points]);
    return true;
}

static bool has_slice(const HwClusterBits *bits, int64_t slice)
{
    return bits->slices.items[slice / 64] >> slice % 64 & 1;
}

// Whether the registers mask element `number` of the nest.
static bool is_masked(const HwFetch *fetch, int64_t number)
{
    const HwMask *mask = fetch->masks.items;
    int64_t at[MOST_LOOPS] = {0}, innermost = 0;
    for (int64_t i = fetch->nest.loops.count - 1; i >= 0; i--) {
        int64_t size = fetch->nest.loops.items[i].size;
        at[i] = number % size;
        number /= size;
        innermost = size > 1 ? max_i64(innermost, i) : innermost;
    }
    bool always = mask->last_dim == innermost;
    bool last = at[mask->last_dim] == fetch->nest.loops.items[mask->last_dim].size - 1;
    int64_t count =
        mask->valid_counts.items[mask->valid_count_dim < 0 ? 0 : at[mask->valid_count_dim]];
    return ((always || at[mask->last_dim] == 0) && at[innermost] < mask->left_pad) ||
           ((always || last) && at[innermost] >= count);
}

// Element `lane` of a packet that a slice fetches.
static bool fetched(const ClusterRun *run, const Case *c, int64_t slice, int64_t packet,
                    int64_t lane, uint32_t *bits)
{
    const HwFetch *fetch = &c->pass.fetch;
    int64_t bases = fetch->bases.count;
    int64_t number = packet / bases * fetch->packet_elements + lane;
    *bits = (uint32_t)fetch->pad_value;
    if (!has_slice(&c->bitmap, slice))
        return true;
    if (fetch->masks.count && has_slice(&c->mask_bitmap, slice) && is_masked(fetch, number))
        return true;
    int64_t place = place_of(fetch->nest.loops.items, fetch->nest.loops.count, number);
    int64_t bit = fetch->bases.items[packet % bases] * BYTE_BITS +
                  place * scalar_traits[fetch->type].storage_bits;
    bool live = load(&device_slice(run->device, run->chip, run->cluster, slice)->dm, fetch->type,
                     bit, bits);
    return adapt(fetch, packet, bits) && live;
}

static bool find_route(const HwSwitchRoute *route, int64_t slice, int64_t time, int64_t *from,
                       int64_t *packet)
{
    *from = *packet = 0;
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        int64_t digit = (term->of_time ? time : slice) / term->place % term->extent;
        if (digit >= term->size)
            return false;
        *from += digit * term->slice_stride;
        *packet += digit * term->time_stride;
    }
    return true;
}

// Element `lane` of packet `time` behind the Switch and the Collect Engine.
static bool arrived(const ClusterRun *run, const Case *c, int64_t slice, int64_t time, int64_t lane,
                    uint32_t *bits)
{
    int64_t from = slice, packet = time;
    *bits = 0;
    if (lane >= c->pass.fetch.packet_elements ||
        (c->pass.route && !find_route(c->pass.route, slice, time, &from, &packet)))
        return true;
    return fetched(run, c, from + c->pass.first_slice, packet, lane, bits);
}

static void check_stream(const ClusterRun *run, const Case *c, int64_t slice, const Stream *stream)
{
    const HwPipeline *pass = &c->pass;
    int64_t pitch = stream->lanes * (pass->collect ? c->collect.flits_per_packet : 1);
    int64_t time = pass->route ? pass->route->out_time : pass->fetch.time;
    assert_int_equal(stream->time * stream->lanes, time * pitch);
    bool any_dead = false;
    for (int64_t i = 0; i < time * pitch; i++) {
        uint32_t bits;
        bool live = arrived(run, c, slice, i / pitch, i % pitch, &bits);
        assert_int_equal(stream->tags ? stream->tags[i] : TAG_LIVE, live ? TAG_LIVE : 0);
        if (live)
            assert_int_equal(stream->bits[i], bits);
        any_dead |= !live;
    }
    assert_int_equal(stream->tags != NULL, any_dead);
}

static void draw_adapter(Case *c, Rng *rng)
{
    HwFetch *fetch = &c->pass.fetch;
    Scalar from = fetch->type;
    if (rng_chance(rng, 20)) {
        int64_t whole = INT64_C(1) << min_i64(8, scalar_traits[from].bits);
        c->table = (HwTable){.type = draw_type(rng)};
        c->table.entries =
            (IntList){c->entries, rng_chance(rng, 50) ? whole : draw(rng, 1, 200), 0};
        for (int64_t i = 0; i < MOST_ENTRIES; i++)
            c->entries[i] = scalar_wrap(c->table.type, (uint32_t)rng_next(rng));
        fetch->table = &c->table;
        from = c->table.type;
    }
    fetch->cast = from;
    for (int tries = 0; tries < 4; tries++) {
        Scalar to = (Scalar)rng_below(rng, SCALAR_COUNT);
        if (scalar_fetch_cast(from, to, true))
            fetch->cast = to;
    }
    if (scalar_is_integer(fetch->cast) && rng_chance(rng, 40)) {
        c->points[0] = draw(rng, -9, 9);
        c->points[1] = draw(rng, -200, 200);
        fetch->zero_points = (IntList){c->points, draw(rng, 1, fetch->bases.count), 0};
    }
    fetch->pad_value = scalar_wrap(fetch->cast, (uint32_t)rng_next(rng));
}

static void draw_registers(Case *c, Rng *rng)
{
    const HwNest *nest = &c->pass.fetch.nest;
    int64_t chosen = rng_chance(rng, 50) ? -1 : draw(rng, 0, nest->loops.count - 1);
    int64_t innermost = 0, counts = 1;
    for (int64_t i = 0; i < nest->loops.count; i++)
        innermost = nest->loops.items[i].size > 1 ? i : innermost;
    int64_t inner = nest->loops.items[innermost].size;
    if (chosen == innermost) // it is what is counted
        chosen = -1;
    if (chosen >= 0)
        counts = nest->loops.items[chosen].size;
    for (int64_t i = 0; i < counts; i++)
        c->counts[i] = draw(rng, 0, inner);
    c->masks[0] = (HwMask){.bitmaps = {&c->mask_bitmap, 1, 0},
                           .last_dim = draw(rng, 0, nest->loops.count - 1),
                           .left_pad = rng_chance(rng, 70) ? 0 : draw(rng, 0, inner),
                           .valid_count_dim = chosen,
                           .valid_counts = {c->counts, counts, 0}};
}

static void draw_fetch(Case *c, Rng *rng)
{
    HwFetch *fetch = &c->pass.fetch;
    fetch->type = draw_type(rng);
    fetch->nest.element_bits = scalar_traits[fetch->type].storage_bits;
    draw_nest(c, rng, &fetch->nest);
    fetch->packet_elements = draw(rng, 1, 24);
    int64_t inner = 1;
    for (int64_t i = fetch->nest.loops.count - 1; i >= 0 && rng_chance(rng, 60); i--)
        if (inner * c->fetch_loops[i].size <= 24)
            inner *= c->fetch_loops[i].size;
    if (inner > 1)
        fetch->packet_elements = inner; // most nests end where packets do
    int64_t packets = ceil_div(size_of_nest(&fetch->nest), fetch->packet_elements);
    fetch->bases = (IntList){c->bases, draw(rng, 1, 2), 0};
    fetch->time = min_i64(300, max_i64(1, packets + draw(rng, -1, 1))) * fetch->bases.count;
    fetch->time -= fetch->time > 1 && rng_chance(rng, 10);
    for (int i = 0; i < 2; i++)
        c->bases[i] = rng_chance(rng, 15)   ? draw(rng, -60, 60)
                      : rng_chance(rng, 10) ? machine_rngd.dm_bytes_per_slice - draw(rng, 0, 300)
                                            : draw(rng, 500, 1500);
    fetch->nest.base = c->bases[0];
    draw_adapter(c, rng);
    fetch->bitmaps.items = &c->bitmap;
    fetch->bitmaps.count = 1;
    if (fetch->nest.loops.count && rng_chance(rng, 40)) {
        draw_registers(c, rng);
        fetch->masks.items = c->masks;
        fetch->masks.count = 1;
    }
}

// Digits of time that nest, most of them; sources stay among slices and packets there are.
static void draw_route(Case *c, Rng *rng)
{
    int64_t time = c->pass.fetch.time, left_slices = c->pass.slices, count = 0, place = 1;
    int64_t time_step = 1, slice_step = 1;
    for (int64_t slice_place = 1; slice_place < c->pass.slices && count < 2; count++) {
        int64_t extent = draw(rng, 1, 4), strided = rng_chance(rng, 50);
        int64_t size = min_i64(extent, max_i64(1, left_slices));
        c->terms[count] = (HwRouteTerm){.place = slice_place, .extent = extent, .size = size};
        if (strided) {
            c->terms[count].slice_stride = slice_step;
            slice_step *= size;
            left_slices /= size;
        }
        slice_place *= extent;
    }
    for (; count < MOST_TERMS && rng_chance(rng, 85); count++) {
        int64_t extent = draw(rng, 1, 5),
                size = rng_chance(rng, 80) ? extent : draw(rng, 1, extent);
        if (rng_chance(rng, 10))
            place *= draw(rng, 2, 3);
        HwRouteTerm *term = &c->terms[count];
        *term = (HwRouteTerm){.of_time = true, .place = place, .extent = extent};
        if (rng_chance(rng, 50) && left_slices > 1) {
            term->size = min_i64(size, left_slices);
            term->slice_stride = slice_step;
            slice_step *= term->size;
            left_slices /= term->size;
        } else if (time / time_step > 0) {
            term->size = max_i64(1, min_i64(size, time / time_step));
            term->time_stride = time_step;
            time_step *= term->size;
        } else {
            term->size = size;
        }
        place *= extent;
    }
    c->route = (HwSwitchRoute){.out_time = rng_chance(rng, 85) ? place : draw(rng, 1, place),
                               .terms = {c->terms, count, 0}};
    c->pass.route = &c->route;
}

static void draw_units(Case *c, Rng *rng)
{
    c->pass.chips = c->pass.clusters = 1;
    c->pass.slices = draw(rng, 1, SLICES);
    c->pass.first_slice = rng_chance(rng, 30) ? draw(rng, 0, 100) : 0;
    for (int i = 0; i < 4; i++) {
        c->slices[i] = rng_chance(rng, 70) ? UINT64_MAX : rng_next(rng);
        c->mask_slices[i] = rng_chance(rng, 70) ? UINT64_MAX : rng_next(rng);
    }
    c->bitmap = (HwClusterBits){.chip = -1, .cluster = rng_chance(rng, 50) ? 0 : -1};
    c->bitmap.slices = (BitList){c->slices, 4, 0};
    c->mask_bitmap = (HwClusterBits){.chip = 0, .cluster = -1};
    c->mask_bitmap.slices = (BitList){c->mask_slices, 4, 0};
}

TEST(fetches)
{
    Rng rng = {test_seed() + 1};
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(device);
    for (int64_t n = 0; n < cases_at_scale(4000); n++) {
        Case c = {0};
        draw_units(&c, &rng);
        draw_fetch(&c, &rng);
        if (rng_chance(&rng, 40))
            draw_route(&c, &rng);
        int64_t lanes = 256 / scalar_traits[c.pass.fetch.cast].packet_bits;
        c.collect.flits_per_packet = ceil_div(c.pass.fetch.packet_elements, lanes);
        if (rng_chance(&rng, 70))
            c.pass.collect = &c.collect;
        for (int64_t i = 0; i < c.pass.slices; i++) {
            Memory *dm = &device_slice(device, 0, 0, c.pass.first_slice + i)->dm;
            draw_memory(&rng, dm, 0, 3000);
            if (rng_chance(&rng, 30))
                draw_memory(&rng, dm, dm->size - 2000, dm->size);
        }
        sets_use(device, (Isa)(n % ISA_COUNT));
        PassPlan *plan = pass_plan_new(device, &c.pass);
        assert_non_null(plan);
        ClusterRun run = {
            .device = device, .pass = &c.pass, .plan = plan, .first_slice = c.pass.first_slice};
        for (int64_t slice = 0; slice < c.pass.slices; slice++) {
            Stream stream;
            assert_true(fetch_run(&run, slice, &stream));
            check_stream(&run, &c, slice, &stream);
            stream_free(device_scratch(device), &stream);
        }
        pass_plan_free(plan);
    }
    device_free(device);
}

// ---- commit

// As many elements as all loops lead to; perhaps with holes, and, as no compiler has it, some of
// them twice.
static void draw_places(Case *c, Rng *rng, HwNest *nest, int64_t elements)
{
    int64_t count = 0, order[MOST_LOOPS], sizes[MOST_LOOPS], stride = draw(rng, 1, 1);
    while (count < MOST_LOOPS - 1 && rng_chance(rng, 80)) {
        int64_t size = draw(rng, 1, 8);
        sizes[count++] = elements % size ? 1 : size;
        elements /= sizes[count - 1];
    }
    sizes[count++] = elements;
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (int64_t i = 0; i < count && rng_chance(rng, 60); i++) {
        int64_t k = draw(rng, 0, count - 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int64_t i = count - 1; i >= 0; i--) { // strides in any order of the loops
        int64_t size = sizes[order[i]];
        c->commit_loops[order[i]] = (HwLoop){.size = size, .stride = stride};
        stride = stride * size + (rng_chance(rng, 30) ? draw(rng, 0, 5) : 0);
    }
    if (nest->element_bits >= BYTE_BITS && rng_chance(rng, 15))
        c->commit_loops[rng_below(rng, count)].stride = draw(rng, 0, 12);
    nest->loops.items = c->commit_loops;
    nest->loops.count = count;
}

// Halves of a byte one behind the other: the loops that were drawn lead to bytes.
static void pair_halves(Case *c, HwNest *nest)
{
    for (int64_t i = 0; i < nest->loops.count; i++)
        c->commit_loops[i].stride *= 2;
    c->commit_loops[nest->loops.count++] = (HwLoop){.size = 2, .stride = 1};
}

static Stream draw_stream(Rng *rng, Scratch *scratch, Scalar type, int64_t time, int64_t lanes,
                          bool may_be_dead)
{
    Stream stream;
    assert_true(stream_new(scratch, &stream, type, time, lanes));
    int64_t dead = !may_be_dead || rng_chance(rng, 50) ? 0 : draw(rng, 0, 100);
    for (int64_t i = 0; i < time * lanes; i++) {
        stream.bits[i] = scalar_wrap(type, (uint32_t)rng_next(rng));
        stream.tags[i] = rng_chance(rng, dead) ? TAG_PADDING : TAG_LIVE | TAG_ID;
    }
    if (!dead && rng_chance(rng, 70)) {
        scratch_give(scratch, stream.tags);
        stream.tags = NULL;
    }
    return stream;
}

// What a memory holds, to be changed as it should be.
typedef struct {
    uint8_t *bytes, *written;
    int64_t count;
} Copy;

static Copy copy_of(const Memory *memory, int64_t count)
{
    Copy copy = {malloc((size_t)count), malloc((size_t)count), count};
    assert_non_null(copy.bytes);
    assert_non_null(copy.written);
    memcpy(copy.bytes, memory->bytes, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        copy.written[i] = byte_is_written(memory, i);
    return copy;
}

// What is written one behind the other: of a byte whose halves both are, neither counts alone.
typedef struct {
    int64_t next; // the bit behind the last element
    bool live;    // the last one has a value
} Run;

// A byte of two halves has a value if one of them has; what is written alone leaves the other.
static void store(Copy *copy, Scalar type, int64_t bit, uint32_t bits, bool live, Run *run)
{
    int64_t width = scalar_traits[type].storage_bits, byte = bit / BYTE_BITS;
    if (width < BYTE_BITS) {
        bool goes_on = bit % BYTE_BITS && run->next == bit;
        scalar_store(type, copy->bytes, bit / width, bits);
        copy->written[byte] = (uint8_t)(live || (goes_on ? run->live : copy->written[byte]));
    } else {
        scalar_store(type, copy->bytes + byte, 0, bits);
        memset(copy->written + byte, live, (size_t)(width / BYTE_BITS));
    }
    *run = (Run){bit + width, live};
}

static void compare(const Copy *copy, const Memory *memory)
{
    for (int64_t i = 0; i < copy->count; i++) {
        assert_int_equal(memory->bytes[i], copy->bytes[i]);
        assert_int_equal(byte_is_written(memory, i), copy->written[i]);
        assert_true(!copy->written[i] || memory->used >> (i >> memory->part_shift) & 1);
    }
    free(copy->bytes);
    free(copy->written);
}

static void expect_commit(const Case *c, const Stream *stream, int64_t slice, Copy *copy)
{
    const HwCommit *commit = &c->commit;
    int64_t width = commit->nest.element_bits, kept = commit->commit_in_size * BYTE_BITS / width;
    bool masked = commit->masks.count && has_slice(&c->mask_bitmap, slice);
    if (!has_slice(&c->bitmap, slice))
        return;
    for (int64_t t = 0; t < commit->time; t++) {
        Run run = {-1, false};
        for (int64_t i = 0, to = 0; i < kept; i++) {
            int64_t at = t * stream->lanes + i;
            bool live = !stream->tags || stream->tags[at] & TAG_LIVE;
            if (masked &&
                !is_data(commit->masks.items->checks.items, commit->masks.items->checks.count, at))
                continue;
            if (commit->valid_count_packing && !live)
                continue;
            int64_t number = t * kept + (commit->valid_count_packing ? to++ : i);
            int64_t place = place_of(commit->nest.loops.items, commit->nest.loops.count, number);
            store(copy, commit->type, commit->nest.base * BYTE_BITS + place * width,
                  stream->bits[at], live, &run);
        }
    }
}

static void draw_commit(Case *c, Rng *rng)
{
    HwCommit *commit = &c->commit;
    commit->type = draw_type(rng);
    int64_t width = commit->nest.element_bits = scalar_traits[commit->type].storage_bits;
    commit->commit_in_size = rng_chance(rng, 50) ? 32 : draw(rng, 1, 4) * 8;
    commit->time = draw(rng, 1, 40);
    int64_t elements = commit->time * commit->commit_in_size * BYTE_BITS / width;
    // halves that are written apart say different things of a byte in different orders
    c->has_pairs = width < BYTE_BITS && rng_chance(rng, 70);
    draw_places(c, rng, &commit->nest, c->has_pairs ? elements / 2 : elements);
    if (c->has_pairs)
        pair_halves(c, &commit->nest);
    commit->nest.base = draw(rng, 0, 300);
    commit->bitmaps.items = &c->bitmap;
    commit->bitmaps.count = 1;
    commit->valid_count_packing = rng_chance(rng, 10);
    if (rng_chance(rng, 40)) {
        c->commit_masks[0] = (HwCommitMask){.checks = {c->checks, draw_checks(c, rng), 0},
                                            .bitmaps = {&c->mask_bitmap, 1, 0}};
        commit->masks.items = c->commit_masks;
        commit->masks.count = 1;
    }
    c->pass.commit = commit;
}

static void draw_vrf(Case *c, Rng *rng)
{
    HwVrfStore *vrf = &c->vrf;
    vrf->type = rng_chance(rng, 50) ? SCALAR_I32 : SCALAR_F32;
    vrf->packet_elements = draw(rng, 1, 8);
    vrf->time = draw(rng, 1, 20);
    vrf->nest.element_bits = 32;
    vrf->nest.base = draw(rng, 0, 10) * 4;
    int64_t stride = rng_chance(rng, 70) ? 1 : 3, inner = rng_chance(rng, 50) ? 1 : 2;
    c->commit_loops[2] = (HwLoop){.size = 4, .stride = stride, .packet = true};
    c->commit_loops[1] = (HwLoop){.size = 3, .stride = stride * 4 * inner, .packet = true};
    c->commit_loops[0] = (HwLoop){.size = 25, .stride = stride * 24};
    vrf->nest.loops.items = c->commit_loops;
    vrf->nest.loops.count = 3;
    if (rng_chance(rng, 60)) {
        vrf->data.items = c->checks;
        vrf->data.count = draw_checks(c, rng);
    }
    c->pass.vrf_store = vrf;
}

static void expect_vrf(const Case *c, const Stream *stream, int64_t slice, Copy *copy)
{
    const HwVrfStore *vrf = &c->vrf;
    Run run = {-1, false};
    for (int64_t t = 0; t < vrf->time; t++)
        for (int64_t i = 0; i < vrf->packet_elements; i++) {
            int64_t at = t * stream->lanes + i;
            int64_t position = (slice * vrf->time + t) * vrf->packet_elements + i;
            int64_t place = loops_offset(&vrf->nest.loops, LOOPS_BETWEEN, t) +
                            loops_offset(&vrf->nest.loops, LOOPS_PACKET, i);
            if (is_data(vrf->data.items, vrf->data.count, position))
                store(copy, vrf->type, vrf->nest.base * BYTE_BITS + place * 32, stream->bits[at],
                      !stream->tags || stream->tags[at] & TAG_LIVE, &run);
        }
}

// One pass, one slice, into DM and VRF.
static void check_writes(Device *device, Rng *rng)
{
    Case c = {.bases = {0}};
    draw_units(&c, rng);
    c.pass.fetch = (HwFetch){.time = 1, .packet_elements = 1, .nest = {.element_bits = 32}};
    c.pass.fetch.bases = (IntList){c.bases, 1, 0};
    draw_commit(&c, rng);
    Scratch *scratch = device_scratch(device);
    int64_t slice = c.pass.slices - 1, lanes = 256 / scalar_traits[c.commit.type].packet_bits;
    Slice *at = device_slice(device, 0, 0, slice + c.pass.first_slice);
    draw_memory(rng, &at->dm, 0, 30000);
    PassPlan *plan = pass_plan_new(device, &c.pass);
    assert_non_null(plan);
    ClusterRun run = {
        .device = device, .pass = &c.pass, .plan = plan, .first_slice = c.pass.first_slice};
    Copy copy = copy_of(&at->dm, 60000);
    bool may_be_dead = c.has_pairs || c.commit.type != SCALAR_I4;
    Stream stream = draw_stream(rng, scratch, c.commit.type, c.commit.time, lanes, may_be_dead);
    assert_true(commit_run(&run, slice, &stream));
    expect_commit(&c, &stream, slice + c.pass.first_slice, &copy);
    compare(&copy, &at->dm);
    stream_free(scratch, &stream);
    pass_plan_free(plan);

    c.pass.commit = NULL;
    draw_vrf(&c, rng);
    draw_memory(rng, &at->vrf, 0, at->vrf.size);
    run.plan = plan = pass_plan_new(device, &c.pass);
    assert_non_null(plan);
    copy = copy_of(&at->vrf, at->vrf.size);
    stream = draw_stream(rng, scratch, c.vrf.type, c.vrf.time, 8, true);
    vrf_store_run(&run, slice, &stream);
    expect_vrf(&c, &stream, slice, &copy);
    compare(&copy, &at->vrf);
    stream_free(scratch, &stream);
    pass_plan_free(plan);
}

TEST(writes)
{
    Rng rng = {test_seed() + 2};
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(device);
    for (int64_t n = 0; n < cases_at_scale(2000); n++) {
        sets_use(device, (Isa)(n % ISA_COUNT));
        check_writes(device, &rng);
    }
    device_free(device);
}

// ---- whole passes

enum { CHIPS = 2, CLUSTERS = 2, MOST_UNITS = CHIPS * CLUSTERS * SLICES, BYTES = 70000 };

// What is fetched is committed, over what is fetched or elsewhere; types are of whole bytes.
static void draw_pass(Case *c, Rng *rng)
{
    HwFetch *fetch = &c->pass.fetch;
    draw_units(c, rng);
    c->bitmap.cluster = c->mask_bitmap.chip = -1;
    c->pass.chips = draw(rng, 1, CHIPS);
    c->pass.clusters = draw(rng, 1, CLUSTERS);
    do {
        *fetch = (HwFetch){0};
        draw_fetch(c, rng);
    } while (scalar_traits[fetch->cast].packet_bits != scalar_traits[fetch->cast].bits ||
             fetch->cast == SCALAR_I4);
    int64_t lanes = 256 / scalar_traits[fetch->cast].packet_bits;
    c->collect.flits_per_packet = ceil_div(fetch->packet_elements, lanes);
    c->pass.collect = &c->collect;
    if (rng_chance(rng, 60))
        draw_route(c, rng);
    if (c->route.out_time * c->collect.flits_per_packet * 32 > BYTES - 3000)
        c->pass.route = NULL;
    int64_t packets = c->pass.route ? c->route.out_time : fetch->time;
    c->commit = (HwCommit){.type = fetch->cast,
                           .commit_in_size = 32,
                           .time = packets * c->collect.flits_per_packet,
                           .bitmaps = {&c->bitmap, 1, 0}};
    c->commit_loops[0] = (HwLoop){.size = c->commit.time * lanes, .stride = 1};
    c->commit.nest = (HwNest){.loops = {c->commit_loops, 1, 0},
                              .element_bits = scalar_traits[fetch->cast].storage_bits,
                              .base = rng_chance(rng, 50) ? 3000 : draw(rng, 0, 2000)};
    c->pass.commit = &c->commit;
}

static ClusterRun cluster_of(const Device *device, const Case *c, int64_t unit)
{
    return (ClusterRun){.device = device,
                        .pass = &c->pass,
                        .chip = unit / c->pass.slices / c->pass.clusters,
                        .cluster = unit / c->pass.slices % c->pass.clusters,
                        .first_slice = c->pass.first_slice};
}

// DM of a unit as the pass should leave it. Nothing has been written yet.
static Copy expect_pass(const ClusterRun *run, const Case *c, int64_t slice)
{
    Scratch *scratch = device_scratch(run->device);
    int64_t lanes = 256 / scalar_traits[c->commit.type].packet_bits;
    int64_t pitch = lanes * c->collect.flits_per_packet;
    Copy copy = copy_of(&run_slice(run, slice)->dm, BYTES);
    Stream stream;
    assert_true(stream_new(scratch, &stream, c->commit.type, c->commit.time, lanes));
    for (int64_t i = 0; i < c->commit.time * lanes; i++)
        stream.tags[i] =
            arrived(run, c, slice, i / pitch, i % pitch, &stream.bits[i]) ? TAG_LIVE : 0;
    expect_commit(c, &stream, c->pass.first_slice + slice, &copy);
    stream_free(scratch, &stream);
    return copy;
}

static void check_pass(Device *device, Rng *rng)
{
    Case c = {.bases = {0}};
    Copy copies[MOST_UNITS];
    draw_pass(&c, rng);
    int64_t slices = c.pass.slices, units = c.pass.chips * c.pass.clusters * slices;
    for (int64_t i = 0; i < units; i++) {
        ClusterRun run = cluster_of(device, &c, i);
        draw_memory(rng, &run_slice(&run, i % slices)->dm, 0, 3000);
    }
    for (int64_t i = 0; i < units; i++) {
        ClusterRun run = cluster_of(device, &c, i);
        copies[i] = expect_pass(&run, &c, i % slices);
    }
    PassPlan *plan = pass_plan_new(device, &c.pass);
    assert_non_null(plan);
    assert_true(passes_execute(device, &(PassStep){&c.pass, plan}, 1));
    pass_plan_free(plan);
    for (int64_t i = 0; i < units; i++) {
        ClusterRun run = cluster_of(device, &c, i);
        const Memory *dm = &run_slice(&run, i % slices)->dm;
        for (int64_t k = 0; k < BYTES; k++) {
            assert_int_equal(byte_is_written(dm, k), copies[i].written[k]);
            if (copies[i].written[k]) // otherwise it may hold anything
                assert_int_equal(dm->bytes[k], copies[i].bytes[k]);
        }
        free(copies[i].bytes);
        free(copies[i].written);
    }
}

TEST(passes)
{
    Rng rng = {test_seed() + 4};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    for (int64_t n = 0; n < cases_at_scale(300); n++) {
        device_use_threads(device, draw(&rng, 1, 2));
        sets_use(device, (Isa)(n % ISA_COUNT));
        check_pass(device, &rng);
    }
    device_free(device);
}

TEST_END(sets_report)
