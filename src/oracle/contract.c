// The space of products [Chip, Cluster, Slice, Row, Time, Packet] is a set of loops, of four kinds:
//
//   rows and columns   outputs along which only the stream differs, or only the TRF
//   sums               what is summed, in the order of summation
//   batches            outputs along which both differ, or on which it depends what is summed
//
// For each batch the places of rows, columns and summands are lists, and the work is a product of
// two matrices whose elements are looked up through them. A padding lane is a product of +0.
#include "oracle/contract_plan.h"

#include "base/checked.h"

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { COLUMNS_AT_ONCE = 64, MOST_PACKED = 1 << 22, MOST_ROWS = 1 << 26 };

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
        *mine = product_new_sums(product);
        product_list_sums(product, visit->group_sums, mine);
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
        shared = product_new_sums(product);
        product_list_sums(product, visit.group_sums, &shared);
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
    product_plan(&product);
    choose_columns(&product);
    TaskList tasks = list_tasks(&product);
    return run_tasks(&product, &tasks);
}
