// The space of products [Chip, Cluster, Slice, Row, Time, Packet] is a set of loops, of four kinds:
//
//   rows and columns   outputs along which only the stream differs, or only the TRF
//   sums               what is summed, in the order of summation
//   batches            outputs along which both differ, or on which it depends what is summed
//
// For each batch the places of rows, columns and summands are lists, and the work is a product of
// two matrices whose elements are looked up through them. A padding lane is a product of +0.
#include "oracle/contract.h"

#include "base/checked.h"
#include "oracle/kernel.h"
#include "oracle/plan.h"

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { STREAM, TRF, OUT, SLOT, PLACES = OUT + 1 };
enum { KIND_BATCH, KIND_STREAM, KIND_TRF, KIND_SUM };
enum { COLUMNS_AT_ONCE = 64, MOST_PACKED = 1 << 22, MOST_ROWS = 1 << 26 };

// What a slot of a sum holds besides places.
enum { SLOT_PADDING = -1, SLOT_NO_VALUE = -2 };

typedef struct {
    int64_t count;
    int64_t *from; // of each: in the stream or the TRF
    int64_t *out;
} Line;

// The slots of a sum, `lanes` of them a step of the tree; sequential sums have no steps.
typedef struct {
    int64_t count;
    int64_t *places[2]; // in the stream and the TRF; SLOT_*: none
    uint8_t *closes;    // sequential: levels that end behind each
    int64_t out;        // what the sum adds to the place of the output
    bool is_empty;      // there is nothing to sum: no output
} Sums;

typedef struct {
    Arena *arena;
    const Contraction *contraction;
    Array *out;
    const Array *factors[2]; // the stream and the TRF
    int64_t lanes;
    Plan plan, batches, sums;
    Line lines[2];     // outputs along which only the stream differs, and only the TRF
    int rows, columns; // which of the two are worked on one by one, and which side by side
    int64_t width;     // columns of a task
    int64_t slots;     // of all steps of a sum
    int64_t level_slots[KERNEL_MOST_LEVELS]; // sequential: slots of a level, innermost first
    int64_t level_count;
    bool sums_vary; // with the batch
} Product;

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

static void add_digits(Arena *arena, const Mapping *mapping, bool is_lane, DigitList *digits)
{
    Mapping normal = mapping_normalise(arena, mapping);
    digits_of_mapping(arena, &normal, is_lane, digits);
}

static DigitList digits_of_pair(Product *product)
{
    static const Level levels[] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ROW, LEVEL_TIME};
    const Contraction *contraction = product->contraction;
    Arena *arena = product->arena;
    DigitList digits = {0};
    for (size_t i = 0; i < COUNT_OF(levels); i++)
        if (contraction->dims[levels[i]])
            add_digits(arena, &contraction->dims[levels[i]]->mapping, false, &digits);
    Mapping outer, inner;
    mapping_split(arena, &contraction->dims[LEVEL_PACKET]->mapping, product->lanes, &outer, &inner);
    add_digits(arena, &outer, false, &digits);
    add_digits(arena, &inner, true, &digits);
    digits = digits_cut(arena, &digits, contraction->stream);
    digits = digits_cut(arena, &digits, contraction->trf);
    return digits_cut(arena, &digits, product->out);
}

// The tag becomes the kind; whether it is a lane stays in `step`, its place in the packet.
static void tell_kinds(Product *product, DigitList *digits)
{
    for (int64_t i = 0; i < digits->count; i++) {
        Digit *digit = &digits->items[i];
        bool is_lane = digit->tag;
        bool stream = array_has_digit(product->arena, product->contraction->stream, digit);
        bool trf = array_has_digit(product->arena, product->contraction->trf, digit);
        bool out = !is_lane && array_has_digit(product->arena, product->out, digit);
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

static Sums new_sums(Product *product)
{
    size_t slots = (size_t)product->slots;
    Sums sums = {.places = {arena_new(product->arena, int64_t, slots),
                            arena_new(product->arena, int64_t, slots)}};
    if (product->contraction->numerics == NUMERICS_SEQUENTIAL)
        sums.closes = arena_new(product->arena, uint8_t, slots);
    return sums;
}

// What there is to sum in the batch whose digits gave `group_sums`.
static void list_sums(Product *product, int64_t *group_sums, Sums *sums)
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

// Those there are more of go side by side.
static void choose_columns(Product *product)
{
    int64_t stream = product->lines[STREAM].count, trf = product->lines[TRF].count;
    product->columns = trf < KERNEL_WIDTH && stream > trf ? STREAM : TRF;
    product->rows = STREAM + TRF - product->columns;
    int64_t fit = MOST_PACKED / max_i64(product->slots, 1);
    fit = min_i64(fit, product->lines[product->columns].count + KERNEL_WIDTH - 1);
    product->width = max_i64(min_i64(fit, COLUMNS_AT_ONCE) / KERNEL_WIDTH, 1) * KERNEL_WIDTH;
}

static void plan_product(Product *product)
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
    choose_columns(product);
}

// ---- values

static float float_of(Scalar type, uint32_t bits)
{
    uint32_t f32 = type == SCALAR_BF16 ? bits << 16 : scalar_to_f32(type, bits);
    float value;
    memcpy(&value, &f32, sizeof value);
    return value;
}

// The values of one row or column, a slot each. True: all of them are initialised.
static bool pack_i16(const Array *array, int64_t base, const int64_t *places, int64_t count,
                     int16_t *packed)
{
    bool live = true;
    for (int64_t i = 0; i < count; i++) {
        bool none = places[i] < 0;
        int64_t at = none ? 0 : base + places[i];
        packed[i] = none ? 0 : (int16_t)array->bits[at];
        live &= none ? places[i] == SLOT_PADDING : array->live[at];
    }
    return live;
}

static bool pack_f32(const Array *array, int64_t base, const int64_t *places, int64_t count,
                     float *packed, int64_t stride)
{
    bool live = true;
    Scalar type = array->type;
    for (int64_t i = 0; i < count; i++) {
        bool none = places[i] < 0;
        int64_t at = none ? 0 : base + places[i];
        packed[i * stride] = none ? 0.0f : float_of(type, array->bits[at]);
        live &= none ? places[i] == SLOT_PADDING : array->live[at];
    }
    return live;
}

static uint32_t f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value == value ? bits : UINT32_C(0x7fc00000);
}

// ---- one batch, some columns of it

typedef struct {
    Product *product;
    const Sums *sums;
    int64_t start[2], out; // where the batch starts in both factors and the output
    int64_t first, count;  // columns
} Task;

// Memory of a thread.
typedef struct {
    void *columns, *row; // packed
    uint8_t live[COLUMNS_AT_ONCE];
} Scratch;

// All rows of a batch that has columns for several tasks.
typedef struct {
    void *values; // packed, one row behind the other; NULL: each task packs its own
    uint8_t *live;
} Rows;

static void store(const Task *task, int64_t row, int64_t column, uint32_t bits, bool live)
{
    const Product *product = task->product;
    int64_t at = task->out + product->lines[product->rows].out[row] +
                 product->lines[product->columns].out[column];
    product->out->bits[at] = live ? bits : 0;
    product->out->live[at] = live;
}

// Where a row or column starts. -1: outside its array, which leaves nothing of all of it.
static int64_t start_of_line(const Task *task, int side, int64_t which)
{
    int64_t offset = task->product->lines[side].from[which];
    return task->start[side] < 0 || offset < 0 ? -1 : task->start[side] + offset;
}

static bool pack_integers(const Task *task, int side, int64_t which, int16_t *packed)
{
    int64_t start = start_of_line(task, side, which), count = task->sums->count;
    if (start >= 0)
        return pack_i16(task->product->factors[side], start, task->sums->places[side], count,
                        packed);
    memset(packed, 0, sizeof *packed * (size_t)count);
    return false;
}

static bool pack_floats(const Task *task, int side, int64_t which, float *packed, int64_t stride)
{
    int64_t start = start_of_line(task, side, which), count = task->sums->count;
    if (start >= 0)
        return pack_f32(task->product->factors[side], start, task->sums->places[side], count,
                        packed, stride);
    for (int64_t i = 0; i < count; i++)
        packed[i * stride] = 0.0f;
    return false;
}

static void run_integers(const Task *task, const Rows *rows, Scratch *scratch)
{
    const Product *product = task->product;
    int64_t count = task->sums->count;
    int16_t *columns = scratch->columns, *row = scratch->row;
    uint32_t sums[KERNEL_DOTS] = {0};
    for (int64_t c = 0; c < task->count; c++)
        scratch->live[c] =
            pack_integers(task, product->columns, task->first + c, columns + c * count);
    for (int64_t r = 0; r < product->lines[product->rows].count; r++) {
        const int16_t *packed = rows->values ? (int16_t *)rows->values + r * count : row;
        bool live = rows->values ? rows->live[r] : pack_integers(task, product->rows, r, row);
        for (int64_t c = 0; c < task->count; c++) {
            if (c % KERNEL_DOTS == 0) // there is room for whole ones
                kernel_dots_i16(packed, columns + c * count, count, sums);
            store(task, r, task->first + c, sums[c % KERNEL_DOTS], live && scratch->live[c]);
        }
    }
}

static void sum_floats(const Task *task, const float *row, const float *columns, float *sums)
{
    const Product *product = task->product;
    int64_t count = task->sums->count;
    if (product->contraction->numerics == NUMERICS_TREE)
        kernel_tree_f32(row, columns, count / product->lanes, product->lanes, sums);
    else
        kernel_sequence_f32(row, columns, count,
                            product->level_count > 1 ? task->sums->closes : NULL, sums);
}

static void run_floats(const Task *task, const Rows *rows, Scratch *scratch)
{
    const Product *product = task->product;
    int64_t count = task->sums->count, block = count * KERNEL_WIDTH;
    float *columns = scratch->columns, *row = scratch->row, sums[KERNEL_WIDTH];
    for (int64_t c = 0; c < task->count; c++) {
        float *column = columns + c / KERNEL_WIDTH * block + c % KERNEL_WIDTH;
        scratch->live[c] =
            pack_floats(task, product->columns, task->first + c, column, KERNEL_WIDTH);
    }
    for (int64_t r = 0; r < product->lines[product->rows].count; r++) {
        const float *packed = rows->values ? (float *)rows->values + r * count : row;
        bool live = rows->values ? rows->live[r] : pack_floats(task, product->rows, r, row, 1);
        for (int64_t c = 0; c < task->count; c++) {
            if (c % KERNEL_WIDTH == 0)
                sum_floats(task, packed, columns + c / KERNEL_WIDTH * block, sums);
            store(task, r, task->first + c, f32_bits(sums[c % KERNEL_WIDTH]),
                  live && scratch->live[c]);
        }
    }
}

static bool is_integer(const Product *product)
{
    return scalar_is_integer(product->factors[STREAM]->type);
}

static void run_task(const Task *task, const Rows *rows, Scratch *scratch)
{
    if (task->sums->is_empty)
        return;
    if (is_integer(task->product))
        run_integers(task, rows, scratch);
    else
        run_floats(task, rows, scratch);
}

static void pack_rows(const Task *task, const Rows *rows)
{
    const Product *product = task->product;
    int64_t count = task->sums->count, lines = product->lines[product->rows].count;
#pragma omp parallel for schedule(static)
    for (int64_t r = 0; r < lines; r++) {
        if (is_integer(product))
            rows->live[r] =
                pack_integers(task, product->rows, r, (int16_t *)rows->values + r * count);
        else
            rows->live[r] =
                pack_floats(task, product->rows, r, (float *)rows->values + r * count, 1);
    }
}

// ---- all batches

typedef struct {
    ARRAY(Task);
} TaskList;

typedef struct {
    Product *product;
    int64_t *group_sums;
    const Sums *shared; // NULL: they vary
    TaskList tasks;
} BatchVisit;

static void add_tasks(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                      int64_t first)
{
    BatchVisit *visit = own;
    Product *product = visit->product;
    const Sums *sums = visit->shared;
    (void)steps, (void)count, (void)first;
    if (!sums) {
        Sums *mine = arena_new(product->arena, Sums, 1);
        *mine = new_sums(product);
        list_sums(product, visit->group_sums, mine);
        sums = mine;
    }
    int64_t columns = product->lines[product->columns].count;
    for (int64_t c = 0; c < columns; c += product->width)
        *array_push(product->arena, &visit->tasks, Task) =
            (Task){.product = product,
                   .sums = sums,
                   .start = {at[STREAM], at[TRF]},
                   .out = at[OUT] + sums->out,
                   .first = c,
                   .count = min_i64(product->width, columns - c)};
}

static TaskList list_tasks(Product *product)
{
    BatchVisit visit = {.product = product};
    visit.group_sums = arena_new(product->arena, int64_t, (size_t)product->plan.groups.count + 1);
    Sums shared = {0};
    if (!product->sums_vary) {
        shared = new_sums(product);
        list_sums(product, visit.group_sums, &shared);
        visit.shared = arena_copy(product->arena, &shared, sizeof shared);
    }
    plan_run(&product->batches, visit.group_sums, add_tasks, &visit);
    return visit.tasks;
}

static int thread_count(const Product *product, int64_t tasks)
{
#ifdef _OPENMP
    double work = (double)tasks * (double)product->lines[product->rows].count *
                  (double)product->width * (double)product->slots;
    return work > 100000 ? omp_get_max_threads() : 1;
#else
    (void)tasks, (void)product;
    return 1;
#endif
}

static int this_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static Scratch *new_scratch(Product *product, int threads)
{
    size_t slots = (size_t)max_i64(product->slots, 1);
    Scratch *scratch = arena_new(product->arena, Scratch, (size_t)threads);
    for (int i = 0; i < threads; i++) {
        scratch[i].columns = arena_new(product->arena, float, slots *(size_t)product->width);
        scratch[i].row = arena_new(product->arena, float, slots);
    }
    return scratch;
}

// Worth it, and not too much to keep.
static Rows new_rows(Product *product)
{
    int64_t lines = product->lines[product->rows].count, elements;
    Rows rows = {0};
    bool several = product->lines[product->columns].count > product->width;
    if (!several || !checked_mul(lines, product->slots, &elements) || elements > MOST_ROWS)
        return rows;
    rows.values = arena_new(product->arena, float, (size_t)elements);
    rows.live = arena_new(product->arena, uint8_t, (size_t)lines);
    return rows;
}

// Tasks that may run side by side. False: cancelled.
static bool run_some(const Contraction *contraction, const Task *tasks, int64_t count,
                     const Rows *rows, Scratch *scratch, int threads)
{
    bool cancelled = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t i = 0; i < count; i++) {
        bool stop;
#pragma omp atomic read
        stop = cancelled;
        if (stop)
            continue;
        run_task(&tasks[i], rows, &scratch[this_thread()]);
        if (this_thread() == 0 && contraction->is_cancelled &&
            contraction->is_cancelled(contraction->own)) {
#pragma omp atomic write
            cancelled = true;
        }
    }
    return !cancelled;
}

static bool run_tasks(Product *product, const TaskList *tasks)
{
    int threads = thread_count(product, tasks->count);
    Scratch *scratch = new_scratch(product, threads);
    Rows rows = new_rows(product);
    int64_t of_batch = ceil_div(product->lines[product->columns].count, product->width);
    int64_t together = rows.values ? of_batch : tasks->count;
    for (int64_t i = 0; i < tasks->count; i += together) {
        if (rows.values)
            pack_rows(&tasks->items[i], &rows);
        if (!run_some(product->contraction, tasks->items + i, together, &rows, scratch, threads))
            return false;
    }
    return true;
}

bool contract_run(Arena *arena, const Contraction *contraction, Array *out)
{
    Product product = {.arena = arena,
                       .contraction = contraction,
                       .out = out,
                       .factors = {contraction->stream, contraction->trf}};
    product.lanes =
        contract_lanes(arena, &contraction->dims[LEVEL_PACKET]->mapping, contraction->columns);
    if (!product.lanes)
        return true; // the checker refuses it
    plan_product(&product);
    TaskList tasks = list_tasks(&product);
    return run_tasks(&product, &tasks);
}
