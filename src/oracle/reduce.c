// Sums over the loops of a plan, of three kinds:
//
//   sums      what is combined; the step of each in the list of slots makes the order
//   batches   outputs on which it depends what is combined: they share a limit or a table with sums
//   outputs   all others
//
// For each batch the places of the combined elements are listed once, relative to the start of an
// output. Every output then goes through the list. Reductions combine the elements of one array,
// contractions the products of two. Nothing is kept but the list: time is linear in the elements
// that are combined.
#include "oracle/reduce.h"

#include "base/checked.h"
#include "base/workers.h"
#include "oracle/plan.h"
#include "scalar/bits.h"

#include <string.h>

enum { FIRST, SECOND, OUT, SLOT, PLACES = OUT + 1 };
enum { KIND_OUTPUT, KIND_BATCH, KIND_SUM };
enum { MOST_LEVELS = 64 };

// Slots without a place: padding, or an element that its array has no room for.
enum { SLOT_PADDING = -1, SLOT_NO_VALUE = -2 };

// Outputs that are computed side by side.
enum { WIDTH = 16 };

typedef struct {
    uint32_t bits[WIDTH];
    uint8_t live[WIDTH];
} Row;

typedef struct {
    Row row;
    bool is_missing; // passed over
} Lane;

// Where the elements of each output start in both factors; -1: outside.
typedef struct {
    int64_t at[2][WIDTH];
    int64_t count; // outputs; beyond them the last one is repeated
} Bases;

typedef void CombineRows(Row *row, const Row *next);

typedef struct {
    Arena *arena;
    const Array *factors[2];     // both the same where there is nothing to multiply
    CombineRows *multiply, *add; // of products; NULL: the first alone
    Array *out;
    Numerics order;
    Value start;      // in the order of the index
    Combine *combine; // of values
    const void *own;
    Canceller who;
    Plan plan, batches, outputs, sums;
    int64_t *group_sums; // where the batch at hand is in the groups of the plan
    int64_t lanes;       // slots of a packet; 1: there are none
    int64_t slots;
    int64_t
        level_slots[MOST_LEVELS]; // in the order of the index: slots of a level, innermost first
    int64_t level_count;
    Lane *packets; // room for one packet for each thread
    bool cancelled;
    // of the batch at hand
    int64_t count;      // slots listed
    int64_t *places[2]; // of each slot: in both factors
    uint8_t *closes;    // in the order of the index: levels that end after each
    int64_t out_offset; // what the summands add to the place of the output
} Sum;

// ---- order

// Steps in the order of time, each with all lanes of the packet.
static void number_slots_of_time(Sum *sum)
{
    sum->slots = sum->lanes;
    for (int64_t i = sum->sums.loops.count - 1; i >= 0; i--) {
        PlanLoop *loop = &sum->sums.loops.items[i];
        loop->steps[SLOT] = loop->step; // of a lane: its place in the packet
        if (loop->step)
            continue;
        loop->steps[SLOT] = sum->slots;
        sum->slots *= loop->count;
    }
}

static bool is_summed_in_packet(const Sum *sum, const Atom *atom)
{
    for (int64_t i = 0; i < sum->sums.loops.count; i++) {
        const PlanLoop *loop = &sum->sums.loops.items[i];
        if (loop->step && atom_equal(loop->atom, atom))
            return true;
    }
    return false;
}

// Axes that the packet has a part of are summed first; of several the last in order first.
static bool is_outside(const Sum *sum, const PlanLoop *a, const PlanLoop *b)
{
    bool first = is_summed_in_packet(sum, a->atom), second = is_summed_in_packet(sum, b->atom);
    if (first != second)
        return second;
    int order = atom_compare(a->atom, b->atom);
    return order ? order < 0 : a->weight > b->weight;
}

// Axis by axis; the loops of each axis are a level.
static void number_slots_of_index(Sum *sum)
{
    PlanLoop *loops = sum->sums.loops.items;
    int64_t count = sum->sums.loops.count;
    for (int64_t i = 1; i < count; i++)
        for (int64_t k = i; k > 0 && is_outside(sum, &loops[k], &loops[k - 1]); k--) {
            PlanLoop swapped = loops[k];
            loops[k] = loops[k - 1];
            loops[k - 1] = swapped;
        }
    plan_close_groups(&sum->sums);
    sum->slots = sum->lanes = 1;
    for (int64_t i = count - 1; i >= 0; i--) {
        loops[i].steps[SLOT] = sum->slots;
        sum->slots *= loops[i].count;
        bool same = i && atom_equal(loops[i].atom, loops[i - 1].atom);
        if (!same && sum->level_count < MOST_LEVELS)
            sum->level_slots[sum->level_count++] = sum->slots;
    }
}

// ---- what is combined

static void add_slot(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                     int64_t first)
{
    Sum *sum = own;
    (void)steps, (void)count, (void)first;
    for (int side = FIRST; side <= SECOND; side++)
        sum->places[side][at[SLOT]] = at[side] < 0 ? SLOT_NO_VALUE : at[side];
    sum->out_offset = at[OUT];
}

static bool is_step_of_padding(const Sum *sum, int64_t at)
{
    for (int64_t i = 0; i < sum->lanes; i++)
        if (sum->places[FIRST][at + i] != SLOT_PADDING)
            return false;
    return true;
}

// How many levels end between two slots.
static uint8_t levels_between(const Sum *sum, int64_t slot, int64_t next)
{
    uint8_t level = 0;
    while (level + 1 < sum->level_count &&
           slot / sum->level_slots[level] != next / sum->level_slots[level])
        level++;
    return level;
}

// Lists the slots of the current batch. Steps that hold only padding are left out, since they take
// no time.
static void list_slots(Sum *sum)
{
    for (int64_t i = 0; i < sum->slots; i++)
        sum->places[FIRST][i] = sum->places[SECOND][i] = SLOT_PADDING;
    plan_run(&sum->sums, sum->group_sums, add_slot, sum);
    int64_t kept = 0, last = -1;
    for (int64_t at = 0; at < sum->slots; at += sum->lanes) {
        if (is_step_of_padding(sum, at))
            continue;
        if (kept)
            sum->closes[kept - 1] = levels_between(sum, last, at);
        for (int side = FIRST; side <= SECOND; side++)
            memmove(sum->places[side] + kept, sum->places[side] + at,
                    sizeof(int64_t) * (size_t)sum->lanes);
        kept += sum->lanes;
        last = at;
    }
    if (kept)
        sum->closes[kept - 1] = (uint8_t)max_i64(sum->level_count - 1, 0);
    sum->count = kept;
}

// ---- combining

// The elements of a slot for outputs side by side; the compiler vectorizes loops over them.
static void load_row(const Array *array, const int64_t *base, int64_t place, Row *row)
{
    if (place < 0 || base[0] < 0) {
        *row = (Row){{0}, {0}};
        return;
    }
    for (int i = 0; i < WIDTH; i++) {
        row->bits[i] = array->bits[base[i] + place];
        row->live[i] = array->live[base[i] + place];
    }
}

static void load_slot(const Sum *sum, const Bases *bases, int64_t at, Row *row)
{
    Row second;
    load_row(sum->factors[FIRST], bases->at[FIRST], sum->places[FIRST][at], row);
    if (!sum->multiply)
        return;
    load_row(sum->factors[SECOND], bases->at[SECOND], sum->places[SECOND][at], &second);
    sum->multiply(row, &second);
}

static void fill_row(Row *row, Value value)
{
    for (int i = 0; i < WIDTH; i++) {
        row->bits[i] = value.bits;
        row->live[i] = value.live;
    }
}

static void combine_rows(const Sum *sum, const Bases *bases, Row *row, const Row *next)
{
    if (sum->multiply) {
        sum->add(row, next);
        return;
    }
    for (int i = 0; i < bases->count; i++) {
        Value value = sum->combine(sum->own, (Value){row->bits[i], row->live[i]},
                                   (Value){next->bits[i], next->live[i]});
        row->bits[i] = value.bits;
        row->live[i] = value.live;
    }
}

// Axis by axis from the innermost, each sum from the start.
static void fold_index(const Sum *sum, const Bases *bases, Row *row)
{
    Row levels[MOST_LEVELS], next;
    int64_t top = sum->level_count - 1;
    if (top < 0) { // nothing is combined
        load_slot(sum, bases, 0, row);
        return;
    }
    for (int64_t i = 0; i <= top; i++)
        fill_row(&levels[i], sum->start);
    for (int64_t at = 0; at < sum->count; at++) {
        load_slot(sum, bases, at, &next);
        combine_rows(sum, bases, &levels[0], &next);
        for (int64_t k = 0; k < sum->closes[at]; k++) {
            combine_rows(sum, bases, &levels[k + 1], &levels[k]);
            fill_row(&levels[k], sum->start);
        }
    }
    *row = levels[top];
}

// Combines the lanes of one packet, neighbors pairwise. A product of padding is +0; other padding
// is skipped.
static Row *fold_packet(const Sum *sum, const Bases *bases, int64_t at)
{
    Lane *lanes = sum->packets + workers_thread() * sum->lanes;
    for (int64_t i = 0; i < sum->lanes; i++) {
        bool is_padding = sum->places[FIRST][at + i] == SLOT_PADDING;
        lanes[i].is_missing = is_padding && !sum->multiply;
        if (is_padding)
            fill_row(&lanes[i].row, (Value){0, true});
        else
            load_slot(sum, bases, at + i, &lanes[i].row);
    }
    for (int64_t left = sum->lanes / 2; left >= 1; left /= 2)
        for (int64_t i = 0; i < left; i++) {
            const Lane *a = &lanes[2 * i], *b = &lanes[2 * i + 1];
            bool both = !a->is_missing && !b->is_missing;
            lanes[i] = a->is_missing ? *b : *a;
            if (both)
                combine_rows(sum, bases, &lanes[i].row, &b->row);
        }
    return &lanes[0].row;
}

// Packet after packet.
static void fold_time(const Sum *sum, const Bases *bases, Row *row)
{
    *row = *fold_packet(sum, bases, 0);
    for (int64_t at = sum->lanes; at < sum->count; at += sum->lanes)
        combine_rows(sum, bases, row, fold_packet(sum, bases, at));
}

// WIDTH outputs at a time.
static void combine_outputs(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                            int64_t first)
{
    const Sum *sum = own;
    Row row;
    (void)first;
    for (int64_t done = 0; done < count; done += WIDTH) {
        Bases bases = {.count = min_i64(WIDTH, count - done)};
        for (int64_t i = 0; i < WIDTH; i++)
            for (int side = FIRST; side <= SECOND; side++)
                bases.at[side][i] =
                    at[side] < 0 ? -1 : at[side] + min_i64(done + i, count - 1) * steps[side];
        if (sum->order == NUMERICS_TREE)
            fold_time(sum, &bases, &row);
        else
            fold_index(sum, &bases, &row);
        for (int64_t i = 0; i < bases.count; i++) {
            int64_t out = at[OUT] + (done + i) * steps[OUT];
            sum->out->bits[out] = row.live[i] ? row.bits[i] : 0;
            sum->out->live[out] = row.live[i];
        }
    }
}

static void run_batch(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                      int64_t first)
{
    Sum *sum = own;
    (void)steps, (void)count, (void)first;
    if (sum->cancelled)
        return;
    list_slots(sum);
    if (!sum->count)
        return;
    ArenaMark mark = arena_mark(sum->arena);
    Plan outputs = sum->outputs;
    memcpy(outputs.start, at, sizeof outputs.start);
    outputs.start[OUT] += sum->out_offset;
    sum->cancelled = !plan_run_parallel(&outputs, combine_outputs, sum, &sum->who);
    arena_reset(sum->arena, mark);
}

// ---- all of it

// Outputs that are checked together with sums become batches.
static void tell_batches(Plan *plan)
{
    for (int64_t i = 0; i < plan->loops.count; i++) {
        PlanLoop *loop = &plan->loops.items[i];
        for (int64_t k = 0; loop->group >= 0 && k < plan->loops.count; k++)
            if (loop->tag == KIND_OUTPUT && plan->loops.items[k].tag == KIND_SUM &&
                plan->loops.items[k].group == loop->group)
                loop->tag = KIND_BATCH;
    }
}

static void plan_sums(Sum *sum, const DigitList *digits)
{
    Place places[PLACES] = {{.array = sum->factors[FIRST], .use = PLACE_READ},
                            {.array = sum->factors[SECOND], .use = PLACE_READ},
                            {.array = sum->out, .use = PLACE_WRITE}};
    sum->plan = plan_new(sum->arena, digits, places, PLACES);
    tell_batches(&sum->plan);
    sum->batches = plan_part(sum->arena, &sum->plan, KIND_BATCH);
    sum->outputs = plan_part(sum->arena, &sum->plan, KIND_OUTPUT);
    sum->sums = plan_part(sum->arena, &sum->plan, KIND_SUM);
    sum->batches.one_by_one = sum->sums.one_by_one = true;
    sum->sums.place_count = SLOT + 1;
    memset(sum->sums.start, 0, sizeof sum->sums.start);
    // a table is looked up when the digits of the sums are known, too
    for (int64_t i = 0; i < sum->batches.loops.count; i++) {
        PlanLoop *loop = &sum->batches.loops.items[i];
        loop->closes &= !sum->plan.groups.items[loop->group].is_table;
    }
    plan_merge(&sum->outputs);
    plan_sort(&sum->outputs, OUT);
    plan_merge(&sum->outputs);
}

// The tag of a digit is KIND_OUTPUT or KIND_SUM; `step` is the place of a lane in the packet, or 0.
// False: it was cancelled.
static bool sum_run(Sum *sum, const DigitList *digits)
{
    Arena *arena = sum->arena;
    plan_sums(sum, digits);
    if (sum->order == NUMERICS_TREE)
        number_slots_of_time(sum);
    else
        number_slots_of_index(sum);
    sum->outputs.cost = sum->slots;
    sum->places[FIRST] = arena_new(arena, int64_t, (size_t)sum->slots);
    sum->places[SECOND] = arena_new(arena, int64_t, (size_t)sum->slots);
    sum->closes = arena_new(arena, uint8_t, (size_t)sum->slots);
    sum->packets = arena_new(arena, Lane, (size_t)(sum->lanes * workers_most()));
    sum->group_sums = arena_new(arena, int64_t, (size_t)sum->plan.groups.count + 1);
    plan_run(&sum->batches, sum->group_sums, run_batch, sum);
    return !sum->cancelled;
}

// ---- reductions of values

// Packets of more lanes than the Vector Engine has are not combined as trees.
enum { MOST_LANES = 8 };

// Each level by itself, tagged with whether it is the last one.
static DigitList digits_of_levels(Arena *arena, const Mapping *levels, int64_t count)
{
    DigitList digits = {0};
    for (int64_t i = 0; i < count; i++) {
        Mapping normal = mapping_normalise_part(arena, levels, count, i);
        digits_of_mapping(arena, &normal, i == count - 1, &digits);
    }
    return digits;
}

// Axes that only the output has: the source is the same all along.
static void add_new_digits(Arena *arena, const Reduction *reduction, DigitList *digits)
{
    DigitList wanted = digits_of_levels(arena, reduction->targets, reduction->target_count);
    wanted = digits_cut(arena, &wanted, reduction->source, NULL);
    for (int64_t i = 0; i < wanted.count; i++) {
        Digit digit = wanted.items[i];
        if (array_has_digit(arena, reduction->source, &digit))
            continue;
        digit.unseen = 1 << FIRST | 1 << SECOND;
        digit.tag = KIND_OUTPUT;
        *array_push(arena, digits, Digit) = digit;
    }
}

// `shape`: of the output, in normal form. The tag of a digit is whether it is in the last level.
static void tell_reduced(Sum *sum, const Reduction *reduction, const Mapping *shape,
                         DigitList *digits)
{
    int64_t lanes = reduction->levels[reduction->level_count - 1].size;
    bool tree = reduction->is_tree && sum->order == NUMERICS_TREE && lanes <= MOST_LANES;
    for (int64_t i = 0; i < digits->count; i++) {
        Digit *digit = &digits->items[i];
        bool kept = shape_has_digit(sum->arena, shape, sum->out, digit);
        bool is_lane = tree && digit->tag && !kept;
        digit->step = is_lane ? digit->step : 0;
        sum->lanes = is_lane ? lanes : sum->lanes;
        digit->unseen = kept ? 0 : 1 << OUT;
        digit->tag = kept ? KIND_OUTPUT : KIND_SUM;
    }
}

void reduce_run(Arena *arena, const Reduction *reduction, Array *out)
{
    const Array *source = reduction->source;
    Sum sum = {.arena = arena,
               .factors = {source, source},
               .out = out,
               .order = reduction->order,
               .start = reduction->start,
               .combine = reduction->combine,
               .own = reduction->own,
               .lanes = 1};
    Mapping shape = mapping_identity();
    for (int64_t i = 0; i < reduction->target_count; i++)
        shape = mapping_pair(arena, &shape, &reduction->targets[i]);
    shape = mapping_normalise(arena, &shape);
    DigitList digits = digits_of_levels(arena, reduction->levels, reduction->level_count);
    digits = digits_cut(arena, &digits, source, NULL);
    digits = digits_cut(arena, &digits, out, &shape);
    tell_reduced(&sum, reduction, &shape, &digits);
    add_new_digits(arena, reduction, &digits);
    sum_run(&sum, &digits);
}

// ---- contractions

// An aligned pair: the space of products [Chip, Cluster, Slice, Row, Time, Packet].
typedef struct {
    Arena *arena;
    const Contraction *contraction;
    Array *out;
    int64_t lanes;                // neighbors in the packet, which the tree sums
    Mapping trf_shape, out_shape; // those of the contraction, in the composites of the pair
} Pair;

// Neighbours in a packet that a tree sums so that `columns` is left but for padding; 0: none do.
static int64_t lanes_of_tree(Arena *arena, const Mapping *packet, const Mapping *columns)
{
    Mapping wanted = mapping_normalise(arena, columns);
    wanted = mapping_strip(&wanted);
    for (int64_t lanes = 1; lanes <= packet->size && packet->size % lanes == 0; lanes *= 2) {
        Mapping outer, inner;
        mapping_split(arena, packet, lanes, &outer, &inner);
        outer = mapping_normalise(arena, &outer);
        outer = mapping_strip(&outer);
        if (mapping_equal(arena, &outer, &wanted) == MAPPINGS_EQUAL)
            return lanes;
    }
    return 0;
}

static bool is_composite(const Factor *factor)
{
    return !factor->is_padding && factor->term.atom->kind != ATOM_AXIS;
}

static bool shares_composite(const Mapping *mapping, const Mapping *shape)
{
    for (int64_t i = 0; i < mapping->count; i++)
        for (int64_t k = 0; k < shape->count; k++) {
            const Factor *a = &mapping->factors[i], *b = &shape->factors[k];
            if (is_composite(a) && is_composite(b) && atom_equal(a->term.atom, b->term.atom))
                return true;
        }
    return false;
}

static bool same_factor(const Factor *a, const Factor *b)
{
    if (a->is_padding || b->is_padding)
        return a->is_padding && b->is_padding && a->size == b->size;
    return atom_equal(a->term.atom, b->term.atom) && a->term.stride == b->term.stride &&
           a->term.modulo == b->term.modulo && a->resize == b->resize;
}

// Where all factors that a composite is made of lie in a mapping, side by side. -1: nowhere.
static int64_t find_inside(const Mapping *mapping, const Atom *composite)
{
    const Mapping *inner = composite->inner;
    for (int64_t at = 0; at + inner->count <= mapping->count; at++) {
        int64_t same = 0;
        while (same < inner->count &&
               same_factor(&mapping->factors[at + same], &inner->factors[same]))
            same++;
        if (same == inner->count)
            return at;
    }
    return -1;
}

// The mapping with composites of the shape in place of what they are made of: both parts of a group
// in Time together are whole axes, but weights that have one of them have no digits of these.
static Mapping gather_composites(Arena *arena, const Mapping *mapping, const Mapping *shape)
{
    Mapping result = *mapping;
    for (int64_t i = 0; i < shape->count; i++) {
        const Atom *atom = shape->factors[i].term.atom;
        if (shape->factors[i].is_padding || atom->kind != ATOM_BLOCK)
            continue;
        int64_t at = find_inside(&result, atom), inside = atom->inner->count;
        if (at < 0)
            continue;
        FactorList list = {0};
        for (int64_t k = 0; k < at; k++)
            *array_push(arena, &list, Factor) = result.factors[k];
        *array_push(arena, &list, Factor) =
            (Factor){.term = {atom, 1, atom->size}, .resize = atom->size};
        for (int64_t k = at + inside; k < result.count; k++)
            *array_push(arena, &list, Factor) = result.factors[k];
        result = (Mapping){list.items, list.count, result.size};
    }
    return result;
}

// Levels of the pair, Packet in two: what the tree leaves, and the neighbours that it sums.
enum { PART_OUTER = 5, PART_LANES, PART_COUNT };

// A mapping in normal form beside the pair: composites that meet those of the pair stay whole.
static Mapping normalise_beside(Arena *arena, const Mapping *parts, const Mapping *mapping)
{
    Mapping all[PART_COUNT + 1];
    memcpy(all, parts, sizeof *parts * PART_COUNT);
    all[PART_COUNT] = *mapping;
    return mapping_normalise_part(arena, all, PART_COUNT + 1, PART_COUNT);
}

// The digits of a part. A composite of which the weights or the result have a part is not taken
// apart: in `[A, B] / 8, [A, B] / 2 % 4` the parts may be A and B / 2, of which nobody has
// `[A, B] / 8`.
static void add_digits(const Pair *pair, const Mapping *parts, int64_t which, DigitList *digits)
{
    const Mapping *part = &parts[which];
    Arena *arena = pair->arena;
    bool is_whole =
        shares_composite(part, &pair->trf_shape) || shares_composite(part, &pair->out_shape);
    Mapping normal = is_whole ? *part : mapping_normalise_part(arena, parts, PART_COUNT, which);
    normal = gather_composites(arena, &normal, &pair->trf_shape);
    normal = gather_composites(arena, &normal, &pair->out_shape);
    digits_of_mapping(arena, &normal, which == PART_LANES, digits);
}

// The composite of `mapping` with the same digits as factor `index` of `other`, or NULL.
static const Factor *factor_like(const Mapping *mapping, const Mapping *other, int64_t index)
{
    const Factor *wanted = &other->factors[index];
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (is_composite(factor) && is_composite(wanted) && factor->resize == wanted->resize &&
            factor->term.stride == wanted->term.stride &&
            mapping_block(mapping, i) == mapping_block(other, index))
            return factor;
    }
    return NULL;
}

// The shape of the result, with the columns written as the aligned packet writes them. `[A, B] # 64
// / 16` and `[A, B] % 24 # 32 / 16` can be the same two positions, but only the first names
// everything that is summed.
static Mapping follow_packet(const Pair *pair, const Mapping *parts)
{
    Arena *arena = pair->arena;
    Mapping shape = normalise_beside(arena, parts, pair->contraction->out_shape);
    Mapping columns = normalise_beside(arena, parts, pair->contraction->columns);
    Mapping outer = mapping_normalise_part(arena, parts, PART_COUNT, PART_OUTER);
    Factor *factors = arena_copy(arena, shape.factors, sizeof(Factor) * (size_t)shape.count);
    for (int64_t i = 0; i < columns.count; i++) {
        const Factor *same = factor_like(&outer, &columns, i);
        for (int64_t k = 0; same && k < shape.count; k++)
            if (same_factor(&factors[k], &columns.factors[i])) {
                factors[k].term = same->term;
                break;
            }
    }
    return (Mapping){factors, shape.count, shape.size};
}

static DigitList digits_of_pair(Pair *pair)
{
    static const Level levels[PART_OUTER] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ROW,
                                             LEVEL_TIME};
    const Contraction *contraction = pair->contraction;
    Arena *arena = pair->arena;
    DigitList digits = {0};
    Mapping parts[PART_COUNT];
    for (int i = 0; i < PART_OUTER; i++)
        parts[i] = contraction->dims[levels[i]] ? contraction->dims[levels[i]]->mapping
                                                : mapping_identity();
    mapping_split(arena, &contraction->dims[LEVEL_PACKET]->mapping, pair->lanes, &parts[PART_OUTER],
                  &parts[PART_LANES]);
    pair->trf_shape = normalise_beside(arena, parts, contraction->trf_shape);
    pair->out_shape = follow_packet(pair, parts);
    for (int i = 0; i < PART_COUNT; i++)
        add_digits(pair, parts, i, &digits);
    digits = digits_cut(arena, &digits, NULL, &pair->trf_shape);
    digits = digits_cut(arena, &digits, NULL, &pair->out_shape);
    digits = digits_cut(arena, &digits, contraction->stream, NULL);
    digits = digits_cut(arena, &digits, contraction->trf, &pair->trf_shape);
    return digits_cut(arena, &digits, pair->out, &pair->out_shape);
}

// A lane is summed; another digit is, if the result does not have it.
static void tell_summed(const Pair *pair, DigitList *digits)
{
    const Contraction *all = pair->contraction;
    for (int64_t i = 0; i < digits->count; i++) {
        Digit *digit = &digits->items[i];
        bool is_lane = digit->tag;
        bool stream = array_has_digit(pair->arena, all->stream, digit);
        bool trf = shape_has_digit(pair->arena, &pair->trf_shape, all->trf, digit);
        bool out = !is_lane && shape_has_digit(pair->arena, &pair->out_shape, pair->out, digit);
        digit->unseen = (uint32_t)(!stream << FIRST | !trf << SECOND | !out << OUT);
        digit->step = is_lane ? digit->step : 0;
        digit->tag = out ? KIND_OUTPUT : KIND_SUM;
    }
}

static uint32_t bits_of_result(float value)
{
    return value == value ? bits_of_float(value) : F32_NAN; // every NaN is the same
}

static void multiply_floats(Row *row, const Row *next)
{
    for (int i = 0; i < WIDTH; i++) {
        row->bits[i] = bits_of_result(float_of_bits(row->bits[i]) * float_of_bits(next->bits[i]));
        row->live[i] &= next->live[i];
    }
}

static void add_floats(Row *row, const Row *next)
{
    for (int i = 0; i < WIDTH; i++) {
        row->bits[i] = bits_of_result(float_of_bits(row->bits[i]) + float_of_bits(next->bits[i]));
        row->live[i] &= next->live[i];
    }
}

// Products of two integers of a stream fit 32 bits; their sum may wrap.
static void multiply_integers(Row *row, const Row *next)
{
    for (int i = 0; i < WIDTH; i++) {
        row->bits[i] *= next->bits[i];
        row->live[i] &= next->live[i];
    }
}

static void add_integers(Row *row, const Row *next)
{
    for (int i = 0; i < WIDTH; i++) {
        row->bits[i] += next->bits[i];
        row->live[i] &= next->live[i];
    }
}

// The array with values of a float type as f32.
static const Array *widened(Arena *arena, const Array *array)
{
    Array *wide = arena_copy(arena, array, sizeof *array);
    wide->bits = arena_new(arena, uint32_t, (size_t)array->count);
    for (int64_t i = 0; i < array->count; i++)
        wide->bits[i] = scalar_to_f32(array->type, array->bits[i]);
    return wide;
}

bool contract_run(Arena *arena, const Contraction *contraction, Array *out)
{
    const Mapping *packet = &contraction->dims[LEVEL_PACKET]->mapping;
    bool integers = scalar_is_integer(contraction->stream->type);
    Pair pair = {.arena = arena,
                 .contraction = contraction,
                 .out = out,
                 .lanes = lanes_of_tree(arena, packet, contraction->columns)};
    Sum sum = {.arena = arena,
               .factors = {contraction->stream, contraction->trf},
               .multiply = integers ? multiply_integers : multiply_floats,
               .add = integers ? add_integers : add_floats,
               .out = out,
               .order = contraction->numerics,
               .start = {0, true},
               .who = contraction->who,
               .lanes = pair.lanes};
    if (!pair.lanes)
        return true; // the checker refuses it
    for (int side = FIRST; side <= SECOND && !integers; side++)
        sum.factors[side] = widened(arena, sum.factors[side]);
    DigitList digits = digits_of_pair(&pair);
    tell_summed(&pair, &digits);
    return sum_run(&sum, &digits);
}
