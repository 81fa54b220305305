#include "oracle/contract_plan.h"

#include "base/checked.h"

#include <string.h>

// ---- loops

int64_t contract_lanes(Arena *arena, const Mapping *packet, const Mapping *columns)
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
static void add_digits(const Product *product, const Mapping *parts, int64_t which,
                       DigitList *digits)
{
    const Mapping *part = &parts[which];
    Arena *arena = product->arena;
    bool is_whole =
        shares_composite(part, &product->trf_shape) || shares_composite(part, &product->out_shape);
    Mapping normal = is_whole ? *part : mapping_normalise_part(arena, parts, PART_COUNT, which);
    normal = gather_composites(arena, &normal, &product->trf_shape);
    normal = gather_composites(arena, &normal, &product->out_shape);
    digits_of_mapping(arena, &normal, which == PART_LANES, digits);
}

// The composite of `mapping` with the same digits as factor `index` of `other`, or NULL.
static const Factor *factor_like(const Mapping *mapping, const Mapping *other, int64_t index)
{
    const Factor *wanted = &other->factors[index];
    Mapping below = {other->factors, index, 0};
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        Mapping inside = {mapping->factors, i, 0};
        if (is_composite(factor) && is_composite(wanted) && factor->resize == wanted->resize &&
            factor->term.stride == wanted->term.stride &&
            mapping_recount(&inside) == mapping_recount(&below))
            return factor;
    }
    return NULL;
}

// The shape of the result, with the columns written as the aligned packet writes them. `[A, B] # 64
// / 16` and `[A, B] % 24 # 32 / 16` can be the same two positions, but only the first names
// everything that is summed.
static Mapping follow_packet(const Product *product, const Mapping *parts)
{
    Arena *arena = product->arena;
    Mapping shape = normalise_beside(arena, parts, product->contraction->out_shape);
    Mapping columns = normalise_beside(arena, parts, product->contraction->columns);
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

static DigitList digits_of_pair(Product *product)
{
    static const Level levels[PART_OUTER] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ROW,
                                             LEVEL_TIME};
    const Contraction *contraction = product->contraction;
    Arena *arena = product->arena;
    DigitList digits = {0};
    Mapping parts[PART_COUNT];
    for (int i = 0; i < PART_OUTER; i++)
        parts[i] = contraction->dims[levels[i]] ? contraction->dims[levels[i]]->mapping
                                                : mapping_identity();
    mapping_split(arena, &contraction->dims[LEVEL_PACKET]->mapping, product->lanes,
                  &parts[PART_OUTER], &parts[PART_LANES]);
    product->trf_shape = normalise_beside(arena, parts, contraction->trf_shape);
    product->out_shape = follow_packet(product, parts);
    for (int i = 0; i < PART_COUNT; i++)
        add_digits(product, parts, i, &digits);
    digits = digits_cut_composites(arena, &digits, &product->trf_shape);
    digits = digits_cut_composites(arena, &digits, &product->out_shape);
    digits = digits_cut(arena, &digits, contraction->stream, NULL);
    digits = digits_cut(arena, &digits, contraction->trf, &product->trf_shape);
    return digits_cut(arena, &digits, product->out, &product->out_shape);
}

// The tag becomes the kind; whether it is a lane stays in `step`, its place in the packet.
static void tell_kinds(Product *product, DigitList *digits)
{
    for (int64_t i = 0; i < digits->count; i++) {
        Digit *digit = &digits->items[i];
        bool is_lane = digit->tag;
        const Contraction *all = product->contraction;
        bool stream = array_has_digit(product->arena, all->stream, digit);
        bool trf = shape_has_digit(product->arena, &product->trf_shape, all->trf, digit);
        bool out =
            !is_lane && shape_has_digit(product->arena, &product->out_shape, product->out, digit);
        digit->unseen = (uint32_t)(!stream << STREAM | !trf << TRF | !out << OUT);
        digit->step = is_lane ? digit->step : 0;
        digit->tag = !out ? KIND_SUM : stream && trf ? KIND_BATCH : trf ? KIND_TRF : KIND_STREAM;
    }
}

// Loops that are checked together are of one kind, or of batches and sums.
static void settle_groups(Product *product)
{
    Plan *plan = &product->plan;
    for (int64_t i = 0; i < plan->loops.count; i++) {
        const PlanLoop *loop = &plan->loops.items[i];
        bool mixed = false;
        for (int64_t k = 0; loop->group >= 0 && k < plan->loops.count; k++)
            mixed |=
                plan->loops.items[k].group == loop->group && plan->loops.items[k].tag != loop->tag;
        for (int64_t k = 0; mixed && k < plan->loops.count; k++)
            if (plan->loops.items[k].group == loop->group && plan->loops.items[k].tag != KIND_SUM)
                plan->loops.items[k].tag = KIND_BATCH;
    }
}

static bool sums_vary(const Product *product)
{
    for (int64_t i = 0; i < product->batches.loops.count; i++)
        for (int64_t k = 0; k < product->sums.loops.count; k++) {
            int64_t group = product->batches.loops.items[i].group;
            if (group >= 0 && group == product->sums.loops.items[k].group)
                return true;
        }
    return false;
}

// ---- the order of a sum

// In trees: steps in the order of time, each with all lanes of the packet.
static void number_slots_of_tree(Product *product)
{
    Plan *sums = &product->sums;
    int64_t step = product->lanes;
    for (int64_t i = sums->loops.count - 1; i >= 0; i--) {
        PlanLoop *loop = &sums->loops.items[i];
        loop->steps[SLOT] = loop->step;
        if (loop->step)
            continue;
        loop->steps[SLOT] = step;
        step *= loop->count;
    }
    product->slots = step;
}

static bool is_summed_in_packet(const Product *product, const Atom *atom)
{
    for (int64_t i = 0; i < product->sums.loops.count; i++) {
        const PlanLoop *loop = &product->sums.loops.items[i];
        if (loop->step && atom_equal(loop->atom, atom))
            return true;
    }
    return false;
}

// Axes that the packet has a part of are summed first; of several the last in order first.
static bool is_outside(const Product *product, const PlanLoop *a, const PlanLoop *b)
{
    bool first = is_summed_in_packet(product, a->atom);
    bool second = is_summed_in_packet(product, b->atom);
    if (first != second)
        return second;
    int order = atom_compare(a->atom, b->atom);
    return order ? order < 0 : a->weight > b->weight;
}

static void number_slots_of_sequence(Product *product)
{
    PlanLoop *loops = product->sums.loops.items;
    int64_t count = product->sums.loops.count, step = 1;
    for (int64_t i = 1; i < count; i++)
        for (int64_t k = i; k > 0 && is_outside(product, &loops[k], &loops[k - 1]); k--) {
            PlanLoop swapped = loops[k];
            loops[k] = loops[k - 1];
            loops[k - 1] = swapped;
        }
    plan_close_groups(&product->sums);
    for (int64_t i = count - 1; i >= 0; i--) {
        loops[i].steps[SLOT] = step;
        step *= loops[i].count;
        bool same = i && atom_equal(loops[i].atom, loops[i - 1].atom);
        if (!same && product->level_count < KERNEL_MOST_LEVELS)
            product->level_slots[product->level_count++] = step;
    }
    product->slots = step;
}

// ---- lists of places

typedef struct {
    Product *product;
    Sums *sums;
} SumVisit;

static int64_t place_or_none(int64_t at)
{
    return at < 0 ? SLOT_NO_VALUE : at;
}

static void add_slot(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                     int64_t first)
{
    SumVisit *visit = own;
    (void)steps, (void)count, (void)first;
    for (int side = STREAM; side <= TRF; side++)
        visit->sums->places[side][at[SLOT]] = place_or_none(at[side]);
    visit->sums->out = at[OUT];
    visit->sums->is_empty = false;
}

static bool step_is_padding(const Sums *sums, int64_t at, int64_t lanes)
{
    for (int64_t i = 0; i < lanes; i++)
        if (sums->places[STREAM][at + i] != SLOT_PADDING)
            return false;
    return true;
}

// Slots from one to the next: how many levels end in between.
static uint8_t levels_between(const Product *product, int64_t slot, int64_t next)
{
    uint8_t level = 0;
    while (level + 1 < product->level_count &&
           slot / product->level_slots[level] != next / product->level_slots[level])
        level++;
    return level;
}

// Leaves out steps of nothing but padding: they take no time.
static void close_up(const Product *product, Sums *sums)
{
    bool tree = product->contraction->numerics == NUMERICS_TREE;
    int64_t lanes = tree ? product->lanes : 1, kept = 0, last = -1;
    for (int64_t at = 0; at < product->slots; at += lanes) {
        if (step_is_padding(sums, at, lanes))
            continue;
        if (!tree && kept)
            sums->closes[kept - 1] = levels_between(product, last, at);
        for (int side = STREAM; side <= TRF; side++)
            memmove(sums->places[side] + kept, sums->places[side] + at,
                    sizeof(int64_t) * (size_t)lanes);
        kept += lanes;
        last = at;
    }
    if (!tree && kept)
        sums->closes[kept - 1] = (uint8_t)max_i64(product->level_count - 1, 0);
    sums->count = kept;
}

Sums product_new_sums(Product *product)
{
    size_t slots = (size_t)product->slots;
    Sums sums = {.places = {arena_new(product->arena, int64_t, slots),
                            arena_new(product->arena, int64_t, slots)}};
    if (product->contraction->numerics == NUMERICS_SEQUENTIAL)
        sums.closes = arena_new(product->arena, uint8_t, slots);
    return sums;
}

void product_list_sums(Product *product, int64_t *group_sums, Sums *sums)
{
    for (int64_t i = 0; i < product->slots; i++)
        sums->places[STREAM][i] = sums->places[TRF][i] = SLOT_PADDING;
    sums->is_empty = true;
    SumVisit visit = {product, sums};
    plan_run(&product->sums, group_sums, add_slot, &visit);
    close_up(product, sums);
}

typedef struct {
    Line *line;
    int64_t place;
} LineVisit;

static void add_place(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                      int64_t first)
{
    LineVisit *visit = own;
    (void)steps, (void)count;
    visit->line->from[first] = at[visit->place];
    visit->line->out[first] = at[OUT];
    visit->line->count = first + 1;
}

static Line list_line(Product *product, int64_t kind, int64_t place)
{
    Plan part = plan_part(product->arena, &product->plan, kind);
    int64_t most = 1;
    for (int64_t i = 0; i < part.loops.count; i++)
        most *= part.loops.items[i].count;
    memset(part.start, 0, sizeof part.start);
    part.one_by_one = true;
    Line line = {.from = arena_new(product->arena, int64_t, (size_t)most),
                 .out = arena_new(product->arena, int64_t, (size_t)most)};
    LineVisit visit = {&line, place};
    plan_run(&part, NULL, add_place, &visit);
    return line;
}

// A table that sums decide about, too, is looked up there.
static void leave_tables_open(Product *product)
{
    for (int64_t i = 0; i < product->batches.loops.count; i++) {
        PlanLoop *loop = &product->batches.loops.items[i];
        for (int64_t k = 0; loop->group >= 0 && k < product->sums.loops.count; k++)
            if (product->sums.loops.items[k].group == loop->group &&
                product->plan.groups.items[loop->group].is_table)
                loop->closes = false;
    }
}

void product_plan(Product *product)
{
    const Contraction *contraction = product->contraction;
    Place places[PLACES] = {{.array = contraction->stream, .use = PLACE_READ},
                            {.array = contraction->trf, .use = PLACE_READ},
                            {.array = product->out, .use = PLACE_WRITE}};
    DigitList digits = digits_of_pair(product);
    tell_kinds(product, &digits);
    product->plan = plan_new(product->arena, &digits, places, PLACES);
    settle_groups(product);
    product->lines[STREAM] = list_line(product, KIND_STREAM, STREAM);
    product->lines[TRF] = list_line(product, KIND_TRF, TRF);
    product->batches = plan_part(product->arena, &product->plan, KIND_BATCH);
    product->batches.one_by_one = true;
    product->sums = plan_part(product->arena, &product->plan, KIND_SUM);
    product->sums.one_by_one = true;
    product->sums.place_count = SLOT + 1;
    memset(product->sums.start, 0, sizeof product->sums.start);
    if (contraction->numerics == NUMERICS_TREE)
        number_slots_of_tree(product);
    else
        number_slots_of_sequence(product);
    product->sums_vary = sums_vary(product);
    leave_tables_open(product);
}
