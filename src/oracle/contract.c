// The space of products [Chip, Cluster, Slice, Row, Time, Packet] is a set of loops, of four kinds:
//
//   rows and columns   outputs along which only the stream differs, or only the TRF
//   sums               what is summed, in the order of summation
//   batches            outputs along which both differ, or on which it depends what is summed
//
// For each batch the places of rows, columns and summands are lists, and the work is a product of
// two matrices whose elements are looked up through them. A padding lane is a product of +0.
#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "oracle/contract_plan.h"

#include <string.h>

enum { COLUMNS_AT_ONCE = 64, MOST_PACKED = 1 << 22, MOST_ROWS = 1 << 26, MOST_TASKS = 1 << 14 };

// ---- values

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
        packed[i * stride] = none ? 0.0f : product_float(type, array->bits[at]);
        live &= none ? places[i] == SLOT_PADDING : array->live[at];
    }
    return live;
}

// The bits of a sum: every NaN is the same.
static uint32_t product_f32_bits(float value)
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
    else if (!product->level_count)
        kernel_tree_f32(row, columns, count, 1, sums); // nothing is summed: the product as it is
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
            store(task, r, task->first + c, product_f32_bits(sums[c % KERNEL_WIDTH]),
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

typedef struct {
    const Task *task;
    const Rows *rows;
} Packing;

static void pack_some_rows(void *own, int64_t from, int64_t to)
{
    const Packing *packing = own;
    const Task *task = packing->task;
    const Rows *rows = packing->rows;
    const Product *product = task->product;
    int64_t count = task->sums->count;
    for (int64_t r = from; r < to; r++) {
        if (is_integer(product))
            rows->live[r] =
                pack_integers(task, product->rows, r, (int16_t *)rows->values + r * count);
        else
            rows->live[r] =
                pack_floats(task, product->rows, r, (float *)rows->values + r * count, 1);
    }
}

static void pack_rows(const Task *task, const Rows *rows)
{
    const Product *product = task->product;
    int64_t lines = product->lines[product->rows].count, threads = workers_most();
    workers_run(lines, ceil_div(max_i64(lines, 1), 4 * threads), threads, pack_some_rows,
                &(Packing){task, rows});
}

// ---- all batches

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

// Batches as they come are collected, and worked on when there are enough for all threads.
typedef struct {
    Product *product;
    int64_t *group_sums;
    const Sums *shared; // NULL: they vary
    int64_t of_batch;   // tasks of one batch
    Task *tasks;
    int64_t task_count, capacity;
    ArenaMark mark; // sums behind it belong to the tasks
    int threads;
    Scratch *scratch;
    Rows rows;
    bool cancelled;
} Work;

static void ask_if_cancelled(Work *work)
{
    const Contraction *contraction = work->product->contraction;
    if (workers_thread() != 0 || !contraction->is_cancelled ||
        !contraction->is_cancelled(contraction->own))
        return;
    __atomic_store_n(&work->cancelled, true, __ATOMIC_RELAXED);
}

static bool is_worth_threads(const Product *product, int64_t tasks)
{
    return (double)tasks * (double)product->lines[product->rows].count * (double)product->width *
               (double)product->slots >
           100000;
}

typedef struct {
    Work *work;
    const Task *tasks;
} SomeTasks;

static void run_part(void *own, int64_t from, int64_t to)
{
    const SomeTasks *some = own;
    Work *work = some->work;
    for (int64_t i = from; i < to && !__atomic_load_n(&work->cancelled, __ATOMIC_RELAXED); i++) {
        run_task(&some->tasks[i], &work->rows, &work->scratch[workers_thread()]);
        ask_if_cancelled(work);
    }
}

// Tasks that may run side by side.
static void run_some(Work *work, const Task *tasks, int64_t count)
{
    int64_t threads = is_worth_threads(work->product, count) ? work->threads : 1;
    workers_run(count, max_i64(1, count / (8 * threads)), threads, run_part,
                &(SomeTasks){work, tasks});
}

static void run_collected(Work *work)
{
    int64_t together = work->rows.values ? work->of_batch : max_i64(work->task_count, 1);
    for (int64_t i = 0; i < work->task_count && !work->cancelled; i += together) {
        if (work->rows.values)
            pack_rows(&work->tasks[i], &work->rows);
        run_some(work, work->tasks + i, together);
    }
    work->task_count = 0;
    arena_reset(work->product->arena, work->mark);
}

static void add_batch(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                      int64_t first)
{
    Work *work = own;
    Product *product = work->product;
    (void)steps, (void)count, (void)first;
    if (work->task_count + work->of_batch > work->capacity)
        run_collected(work);
    if (work->cancelled)
        return;
    const Sums *sums = work->shared;
    if (!sums) {
        Sums *mine = arena_new(product->arena, Sums, 1);
        *mine = product_new_sums(product);
        product_list_sums(product, work->group_sums, mine);
        sums = mine;
    }
    int64_t columns = product->lines[product->columns].count;
    for (int64_t c = 0; c < columns; c += product->width)
        work->tasks[work->task_count++] = (Task){.product = product,
                                                 .sums = sums,
                                                 .start = {at[STREAM], at[TRF]},
                                                 .out = at[OUT] + sums->out,
                                                 .first = c,
                                                 .count = min_i64(product->width, columns - c)};
}

static Scratch *new_scratch(Product *product, int threads)
{
    size_t slots = (size_t)max_i64(product->slots, 1), width = (size_t)product->width;
    Scratch *scratch = arena_new(product->arena, Scratch, (size_t)threads);
    for (int i = 0; i < threads; i++) {
        scratch[i].columns = arena_new(product->arena, float, slots *width);
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

static Work new_work(Product *product)
{
    Arena *arena = product->arena;
    Work work = {.product = product, .threads = workers_most(), .rows = new_rows(product)};
    work.group_sums = arena_new(arena, int64_t, (size_t)product->plan.groups.count + 1);
    work.of_batch = ceil_div(product->lines[product->columns].count, product->width);
    work.capacity = max_i64(work.of_batch, MOST_TASKS);
    work.tasks = arena_new(arena, Task, (size_t)work.capacity);
    work.scratch = new_scratch(product, work.threads);
    if (!product->sums_vary) {
        Sums shared = product_new_sums(product);
        product_list_sums(product, work.group_sums, &shared);
        work.shared = arena_copy(arena, &shared, sizeof shared);
    }
    return work;
}

// Products of which every output has factors of its own, as in an elementwise multiplication: there
// are no rows and columns to share work between, so each sum is made by itself.

typedef struct {
    const Product *product;
    const Sums *sums;
} Each;

static float float_at(const Array *array, int64_t at)
{
    return product_float(array->type, array->bits[at]);
}

// The product in one slot. A lane of padding is +0.
static float product_at(const Each *each, const int64_t start[2], int64_t slot)
{
    if (each->sums->places[STREAM][slot] < 0)
        return 0.0f;
    return float_at(each->product->factors[STREAM],
                    start[STREAM] + each->sums->places[STREAM][slot]) *
           float_at(each->product->factors[TRF], start[TRF] + each->sums->places[TRF][slot]);
}

static float sum_as_tree(const Each *each, const int64_t start[2])
{
    float lanes[KERNEL_MOST_LANES], sum = 0.0f;
    memset(lanes, 0, sizeof *lanes * (size_t)each->product->lanes);
    for (int64_t at = 0; at < each->sums->count; at += each->product->lanes) {
        for (int64_t i = 0; i < each->product->lanes; i++)
            lanes[i] = product_at(each, start, at + i);
        for (int64_t left = each->product->lanes / 2; left >= 1; left /= 2)
            for (int64_t i = 0; i < left; i++)
                lanes[i] = lanes[2 * i] + lanes[2 * i + 1];
        sum = at ? sum + lanes[0] : lanes[0];
    }
    return sum;
}

static float sum_in_sequence(const Each *each, const int64_t start[2])
{
    int64_t top = each->product->level_count - 1;
    if (top < 0)
        return product_at(each, start, 0); // nothing is summed: the product as it is
    float levels[KERNEL_MOST_LEVELS];
    memset(levels, 0, sizeof *levels * (size_t)(top + 1));
    for (int64_t at = 0; at < each->sums->count; at++) {
        levels[0] += product_at(each, start, at);
        for (int level = 0; level < each->sums->closes[at]; level++) {
            levels[level + 1] += levels[level];
            levels[level] = 0.0f;
        }
    }
    return levels[top];
}

static uint32_t sum_of_integers(const Each *each, const int64_t start[2])
{
    uint32_t sum = 0;
    for (int64_t at = 0; at < each->sums->count; at++) {
        int64_t x = each->sums->places[STREAM][at], w = each->sums->places[TRF][at];
        if (x >= 0)
            sum += each->product->factors[STREAM]->bits[start[STREAM] + x] *
                   each->product->factors[TRF]->bits[start[TRF] + w];
    }
    return sum;
}

static bool is_live(const Each *each, const int64_t start[2])
{
    for (int side = STREAM; side <= TRF; side++)
        for (int64_t at = 0; at < each->sums->count; at++) {
            int64_t place = each->sums->places[side][at];
            if (start[side] < 0 || place == SLOT_NO_VALUE)
                return false;
            if (place >= 0 && !each->product->factors[side]->live[start[side] + place])
                return false;
        }
    return true;
}

static uint32_t sum_of(const Each *each, const int64_t start[2])
{
    const Product *product = each->product;
    if (scalar_is_integer(product->factors[STREAM]->type))
        return sum_of_integers(each, start);
    bool tree = product->contraction->numerics == NUMERICS_TREE;
    return product_f32_bits(tree ? sum_as_tree(each, start) : sum_in_sequence(each, start));
}

static void sum_run(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                    int64_t first)
{
    const Each *each = own;
    Array *out = each->product->out;
    (void)first;
    for (int64_t i = 0; i < count; i++) {
        int64_t start[2];
        for (int side = STREAM; side <= TRF; side++)
            start[side] = at[side] < 0 ? -1 : at[side] + i * steps[side];
        int64_t place = at[OUT] + i * steps[OUT] + each->sums->out;
        bool live = is_live(each, start);
        out->live[place] = live;
        out->bits[place] = live ? sum_of(each, start) : 0;
    }
}

static bool product_is_each(const Product *product)
{
    return !product->sums_vary && product->lines[STREAM].count == 1 &&
           product->lines[TRF].count == 1;
}

static void product_run_each(Product *product)
{
    Sums sums = product_new_sums(product);
    Plan plan = product->batches;
    Each each = {product, &sums};
    product_list_sums(product, NULL, &sums);
    if (sums.is_empty)
        return;
    plan.one_by_one = false;
    plan_merge(&plan);
    plan_sort(&plan, OUT);
    plan_merge(&plan);
    plan_run_parallel(&plan, sum_run, &each, NULL);
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
    product_plan(&product);
    if (product_is_each(&product)) {
        product_run_each(&product);
        return true;
    }
    choose_columns(&product);
    Work work = new_work(&product);
    work.mark = arena_mark(arena);
    plan_run(&product.batches, work.group_sums, add_batch, &work);
    run_collected(&work);
    return !work.cancelled;
}
