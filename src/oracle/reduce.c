#include "oracle/reduce.h"

#include "base/checked.h"
#include "oracle/plan.h"

#include <string.h>

enum { SOURCE, OUT, SLOT };
enum { KIND_KEPT, KIND_SUM };
enum { MOST_LEVELS = 64, MOST_LANES = 8 };

// What is combined into one element: places in the source, in order.
typedef struct {
    int64_t count;
    int64_t *places; // of trees: -1 is a lane of padding
    uint8_t *closes; // levels that end behind each, in the order of the index
    int64_t out;     // what they add to the place of the output
} Sums;

typedef struct {
    Arena *arena;
    const Reduction *reduction;
    Array *out;
    Mapping shape; // of the output, in normal form
    Plan plan, kept, sums;
    int64_t lanes, slots;
    int64_t level_slots[MOST_LEVELS], level_count;
    Sums list;
} Reducer;

// ---- loops

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

static DigitList digits_of_source(Reducer *reducer)
{
    const Reduction *reduction = reducer->reduction;
    DigitList digits = digits_of_levels(reducer->arena, reduction->levels, reduction->level_count);
    digits = digits_cut(reducer->arena, &digits, reduction->source, NULL);
    return digits_cut(reducer->arena, &digits, reducer->out, &reducer->shape);
}

static void add_new_digits(Reducer *reducer, DigitList *digits)
{
    const Reduction *reduction = reducer->reduction;
    DigitList wanted =
        digits_of_levels(reducer->arena, reduction->targets, reduction->target_count);
    wanted = digits_cut(reducer->arena, &wanted, reduction->source, NULL);
    for (int64_t i = 0; i < wanted.count; i++) {
        Digit digit = wanted.items[i];
        if (array_has_digit(reducer->arena, reduction->source, &digit))
            continue;
        digit.unseen = 1 << SOURCE;
        digit.tag = KIND_KEPT;
        *array_push(reducer->arena, digits, Digit) = digit;
    }
}

// The tag becomes the kind; `step` is the lane, if the packet is combined as a tree.
static void tell_kinds(Reducer *reducer, DigitList *digits)
{
    bool tree = reducer->reduction->is_tree && reducer->reduction->order == NUMERICS_TREE;
    int64_t lanes = reducer->reduction->levels[reducer->reduction->level_count - 1].size;
    reducer->lanes = 1;
    for (int64_t i = 0; i < digits->count; i++) {
        Digit *digit = &digits->items[i];
        bool kept = shape_has_digit(reducer->arena, &reducer->shape, reducer->out, digit);
        bool is_lane = tree && digit->tag && !kept && lanes <= MOST_LANES;
        digit->step = is_lane ? digit->step : 0;
        reducer->lanes = is_lane ? lanes : reducer->lanes;
        digit->unseen = kept ? 0 : 1 << OUT;
        digit->tag = kept ? KIND_KEPT : KIND_SUM;
    }
}

// ---- order

static void number_slots_of_time(Reducer *reducer)
{
    int64_t step = reducer->lanes;
    for (int64_t i = reducer->sums.loops.count - 1; i >= 0; i--) {
        PlanLoop *loop = &reducer->sums.loops.items[i];
        loop->steps[SLOT] = loop->step;
        if (loop->step)
            continue;
        loop->steps[SLOT] = step;
        step *= loop->count;
    }
    reducer->slots = step;
}

static bool is_outside(const PlanLoop *a, const PlanLoop *b)
{
    int order = atom_compare(a->atom, b->atom);
    return order ? order < 0 : a->weight > b->weight;
}

static void number_slots_of_index(Reducer *reducer)
{
    PlanLoop *loops = reducer->sums.loops.items;
    int64_t count = reducer->sums.loops.count, step = 1;
    for (int64_t i = 1; i < count; i++)
        for (int64_t k = i; k > 0 && is_outside(&loops[k], &loops[k - 1]); k--) {
            PlanLoop swapped = loops[k];
            loops[k] = loops[k - 1];
            loops[k - 1] = swapped;
        }
    plan_close_groups(&reducer->sums);
    for (int64_t i = count - 1; i >= 0; i--) {
        loops[i].steps[SLOT] = step;
        step *= loops[i].count;
        bool same = i && atom_equal(loops[i].atom, loops[i - 1].atom);
        if (!same && reducer->level_count < MOST_LEVELS)
            reducer->level_slots[reducer->level_count++] = step;
    }
    reducer->slots = step;
}

// ---- what is combined

static void add_slot(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                     int64_t first)
{
    Reducer *reducer = own;
    (void)steps, (void)count, (void)first;
    reducer->list.places[at[SLOT]] = at[SOURCE];
    reducer->list.out = at[OUT];
    reducer->list.count++;
}

static uint8_t levels_between(const Reducer *reducer, int64_t slot, int64_t next)
{
    uint8_t level = 0;
    while (level + 1 < reducer->level_count &&
           slot / reducer->level_slots[level] != next / reducer->level_slots[level])
        level++;
    return level;
}

static bool has_places(const Sums *list, int64_t at, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (list->places[at + i] >= 0)
            return true;
    return false;
}

static void close_up(Reducer *reducer)
{
    Sums *list = &reducer->list;
    int64_t kept = 0, last = -1, lanes = reducer->lanes;
    for (int64_t at = 0; at < reducer->slots; at += lanes) {
        if (!has_places(list, at, lanes))
            continue;
        if (kept && lanes == 1)
            list->closes[kept - 1] = levels_between(reducer, last, at);
        memmove(list->places + kept, list->places + at, sizeof(int64_t) * (size_t)lanes);
        kept += lanes;
        last = at;
    }
    if (kept && lanes == 1)
        list->closes[kept - 1] = (uint8_t)max_i64(reducer->level_count - 1, 0);
    list->count = kept;
}

static void list_sums(Reducer *reducer, int64_t *group_sums)
{
    Sums *list = &reducer->list;
    for (int64_t i = 0; i < reducer->slots; i++)
        list->places[i] = -1;
    list->count = list->out = 0;
    plan_run(&reducer->sums, group_sums, add_slot, reducer);
    if (list->count)
        close_up(reducer);
}

// ---- combining

static Value value_at(const Array *array, int64_t at)
{
    return (Value){array->bits[at], array->live[at]};
}

static Value combine(const Reducer *reducer, Value sum, Value next)
{
    return reducer->reduction->combine(reducer->reduction->own, sum, next);
}

// Axis by axis from the innermost, each sum from the start.
static Value fold_index(const Reducer *reducer, int64_t base)
{
    const Sums *list = &reducer->list;
    Value levels[MOST_LEVELS];
    int64_t top = reducer->level_count - 1;
    if (top < 0) // nothing is combined
        return value_at(reducer->reduction->source, base + list->places[0]);
    for (int64_t i = 0; i <= top; i++)
        levels[i] = reducer->reduction->start;
    for (int64_t i = 0; i < list->count; i++) {
        levels[0] = combine(reducer, levels[0],
                            value_at(reducer->reduction->source, base + list->places[i]));
        for (int64_t k = 0; k < list->closes[i]; k++) {
            levels[k + 1] = combine(reducer, levels[k + 1], levels[k]);
            levels[k] = reducer->reduction->start;
        }
    }
    return levels[top];
}

// The lanes of one packet: neighbours pairwise; a lane of padding is passed over.
static Value fold_packet(const Reducer *reducer, int64_t base, const int64_t *places)
{
    Value lanes[MOST_LANES] = {{0}};
    bool present[MOST_LANES] = {false};
    for (int64_t i = 0; i < reducer->lanes; i++) {
        present[i] = places[i] >= 0;
        if (present[i])
            lanes[i] = value_at(reducer->reduction->source, base + places[i]);
    }
    for (int64_t left = reducer->lanes / 2; left >= 1; left /= 2)
        for (int64_t i = 0; i < left; i++) {
            bool both = present[2 * i] && present[2 * i + 1];
            Value one = present[2 * i] ? lanes[2 * i] : lanes[2 * i + 1];
            lanes[i] = both ? combine(reducer, lanes[2 * i], lanes[2 * i + 1]) : one;
            present[i] = present[2 * i] || present[2 * i + 1];
        }
    return lanes[0];
}

static Value fold_time(const Reducer *reducer, int64_t base)
{
    const Sums *list = &reducer->list;
    Value sum = {0};
    for (int64_t i = 0; i < list->count; i += reducer->lanes) {
        Value next = fold_packet(reducer, base, list->places + i);
        sum = i ? combine(reducer, sum, next) : next;
    }
    return sum;
}

static void reduce_one(const Reducer *reducer, int64_t source, int64_t out)
{
    bool tree = reducer->reduction->order == NUMERICS_TREE;
    if (source < 0 || !reducer->list.count)
        return;
    Value sum = tree ? fold_time(reducer, source) : fold_index(reducer, source);
    out += reducer->list.out;
    reducer->out->bits[out] = sum.live ? sum.bits : 0;
    reducer->out->live[out] = sum.live;
}

static void reduce_run_of(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                          int64_t first)
{
    (void)first;
    for (int64_t i = 0; i < count; i++)
        reduce_one(own, at[SOURCE] < 0 ? -1 : at[SOURCE] + i * steps[SOURCE],
                   at[OUT] + i * steps[OUT]);
}

// ---- all of it

typedef struct {
    Reducer *reducer;
    int64_t *group_sums;
} VaryingVisit;

static void reduce_varying(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                           int64_t first)
{
    VaryingVisit *visit = own;
    (void)steps, (void)count, (void)first;
    list_sums(visit->reducer, visit->group_sums);
    reduce_one(visit->reducer, at[SOURCE], at[OUT]);
}

// Whether what there is to combine depends on the element. Tables are then looked up with it.
static bool sums_vary(Reducer *reducer)
{
    bool vary = false;
    for (int64_t i = 0; i < reducer->kept.loops.count; i++) {
        PlanLoop *loop = &reducer->kept.loops.items[i];
        for (int64_t k = 0; loop->group >= 0 && k < reducer->sums.loops.count; k++) {
            if (reducer->sums.loops.items[k].group != loop->group)
                continue;
            vary = true;
            if (reducer->plan.groups.items[loop->group].is_table)
                loop->closes = false;
        }
    }
    return vary;
}

static void plan_reduction(Reducer *reducer)
{
    Place places[] = {{.array = reducer->reduction->source, .use = PLACE_READ},
                      {.array = reducer->out, .use = PLACE_WRITE}};
    DigitList digits = digits_of_source(reducer);
    tell_kinds(reducer, &digits);
    add_new_digits(reducer, &digits);
    reducer->plan = plan_new(reducer->arena, &digits, places, 2);
    reducer->kept = plan_part(reducer->arena, &reducer->plan, KIND_KEPT);
    reducer->sums = plan_part(reducer->arena, &reducer->plan, KIND_SUM);
    reducer->sums.one_by_one = true;
    reducer->sums.place_count = SLOT + 1;
    memset(reducer->sums.start, 0, sizeof reducer->sums.start);
    if (reducer->reduction->order == NUMERICS_TREE)
        number_slots_of_time(reducer);
    else
        number_slots_of_index(reducer);
    reducer->list.places = arena_new(reducer->arena, int64_t, (size_t)reducer->slots);
    reducer->list.closes = arena_new(reducer->arena, uint8_t, (size_t)reducer->slots);
}

void reduce_run(Arena *arena, const Reduction *reduction, Array *out)
{
    Reducer reducer = {.arena = arena, .reduction = reduction, .out = out};
    reducer.shape = mapping_identity();
    for (int64_t i = 0; i < reduction->target_count; i++)
        reducer.shape = mapping_pair(arena, &reducer.shape, &reduction->targets[i]);
    reducer.shape = mapping_normalise(arena, &reducer.shape);
    plan_reduction(&reducer);
    int64_t *group_sums = arena_new(arena, int64_t, (size_t)reducer.plan.groups.count + 1);
    if (sums_vary(&reducer)) {
        VaryingVisit visit = {&reducer, group_sums};
        reducer.kept.one_by_one = true;
        plan_run(&reducer.kept, group_sums, reduce_varying, &visit);
        return;
    }
    list_sums(&reducer, group_sums);
    plan_merge(&reducer.kept);
    plan_sort(&reducer.kept, OUT);
    plan_merge(&reducer.kept);
    plan_run_parallel(&reducer.kept, reduce_run_of, &reducer, NULL);
}

// ---- sums of host tensors

static Value add_values(const void *own, Value sum, Value next)
{
    const Array *array = own;
    Value result = {.live = sum.live && next.live};
    if (result.live)
        scalar_arith(SCALAR_OP_ADD, array->type, sum.bits, next.bits, &result.bits);
    return result;
}

Array *array_reduce_add(const Array *source, const Mapping *mapping, const Mapping *target)
{
    jmp_buf no_memory;
    Arena arena = {.on_oom = &no_memory};
    Array *out = array_new(source->type, target);
    if (!out)
        return NULL;
    if (setjmp(no_memory)) {
        arena_release(&arena);
        array_free(out);
        return NULL;
    }
    Reduction reduction = {.source = source,
                           .levels = mapping,
                           .level_count = 1,
                           .targets = target,
                           .target_count = 1,
                           .order = NUMERICS_SEQUENTIAL,
                           .start = {0, true},
                           .combine = add_values,
                           .own = source};
    reduce_run(&arena, &reduction, out);
    arena_release(&arena);
    return out;
}
