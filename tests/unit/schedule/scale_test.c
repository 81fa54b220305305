// Schedules of 50,000 operations: loops unrolled, with tiles of HBM one behind the other, or
// between each other, and buffers in DM that take turns, or all in one place. How much is looked at
// to find who waits for whom is counted; how long it took is told.
#include "base/checked.h"
#include "run/object.h"
#include "schedule/export.h"
#include "schedule/schedule.h"
#include "shrink.h"
#include "test.h"

#include <assert.h>
#include <inttypes.h>
#include <time.h>

enum { OPERATIONS = 50000 };
enum { MOST_LOOKS = 200, MOST_BYTES = 779 }; // for each operation: at touches; of the document
enum { FIXED_BYTES = 1 << 20 };              // of the document, however few there are

static const char path[] = "examples/hello/gemm_in_two_loads.rs";

// ---- one more round of the loop

typedef struct {
    Arena *arena;
    int64_t hbm, dm;         // that addresses move by
    int64_t column, columns; // of a tensor in HBM, where tiles are that; 0 of 0: they are not
} Move;

static void move_place(const Move *move, const HwPlace *place, int64_t *base)
{
    *base += place->media == MEDIA_HBM ? move->hbm : place->media == MEDIA_DM ? move->dm : 0;
}

// Rows of packets that are far apart: between them there is room for other columns.
static void spread_loops(const Move *move, HwDescriptor *descriptor)
{
    int64_t count = descriptor->loops.count, row = descriptor->packet_bytes * move->columns;
    bool from_hbm = descriptor->source.media == MEDIA_HBM;
    *(from_hbm ? &descriptor->source_base : &descriptor->dest_base) =
        move->column * descriptor->packet_bytes;
    descriptor->loops.items = arena_copy(move->arena, descriptor->loops.items,
                                         sizeof *descriptor->loops.items * (size_t)count);
    for (int64_t i = count - 1; i >= 0; i--) {
        HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        *(from_hbm ? &loop->source_stride : &loop->dest_stride) = row;
        row *= loop->limit;
    }
}

static const HwDmaCommand *move_dma(const Move *move, const HwDmaCommand *from)
{
    HwDmaCommand *out = arena_copy(move->arena, from, sizeof *from);
    int64_t count = from->descriptors.count;
    out->descriptors.items = arena_copy(move->arena, from->descriptors.items,
                                        sizeof *from->descriptors.items * (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        HwDescriptor *descriptor = &out->descriptors.items[i];
        move_place(move, &descriptor->source, &descriptor->source_base);
        move_place(move, &descriptor->dest, &descriptor->dest_base);
        if (move->columns)
            spread_loops(move, descriptor);
    }
    return out;
}

static const HwPipeline *move_pass(const Move *move, const HwPipeline *from)
{
    HwPipeline *out = arena_copy(move->arena, from, sizeof *from);
    HwFetch *fetch = &out->fetch;
    fetch->bases.items =
        arena_copy(move->arena, from->fetch.bases.items,
                   sizeof *from->fetch.bases.items * (size_t)from->fetch.bases.count);
    fetch->nest.base += move->dm;
    for (int64_t i = 0; i < fetch->bases.count; i++)
        fetch->bases.items[i] += move->dm;
    if (from->commit) {
        HwCommit *commit = arena_copy(move->arena, from->commit, sizeof *from->commit);
        commit->nest.base += move->dm;
        out->commit = commit;
    }
    return out;
}

static HwOperation move_operation(const Move *move, const HwOperation *from)
{
    HwOperation out = *from;
    int64_t count = from->commands.count;
    out.commands.items =
        arena_copy(move->arena, from->commands.items, sizeof *from->commands.items * (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        HwCommand *command = &out.commands.items[i];
        if (command->dma)
            command->dma = move_dma(move, command->dma);
        if (command->pass)
            command->pass = move_pass(move, command->pass);
    }
    return out;
}

typedef struct {
    const char *name;
    bool only_moves; // loads and stores
    int64_t hbm_step, dm_step, dm_buffers;
    bool is_columns; // of one tensor in HBM, which lie between each other
    bool in_phases;  // all stores, then all loads of one place, then all of the other
    bool scattered;  // tiles in no order
} Loop;

// Tiles that lie over each other in part are never covered by what comes later.
static const Loop loops[] = {
    {"tiles", false, 1 << 18, 0x28000, 2, false, false, false},
    {"tiles, moved only", true, 1 << 18, 0x28000, 2, false, false, false},
    {"tiles, scattered", false, 1 << 18, 0x28000, 2, false, false, true},
    {"tiles that overlap", true, 1 << 12, 0x400, 64, false, false, false},
    {"one place", false, 0, 0, 1, false, false, false},
    {"columns", true, 0, 0x28000, 2, true, false, false},
    {"columns, scattered", true, 0, 0x28000, 2, true, false, true},
    {"columns, in phases", true, 0, 0x28000, 2, true, true, false},
    {"columns, in scattered phases", true, 0, 0x28000, 2, true, true, true},
};

enum { SCATTER = 7919 }; // a prime

static Move move_of(Arena *arena, const Loop *loop, int64_t round, int64_t rounds)
{
    int64_t tile = loop->scattered ? round * SCATTER % rounds : round;
    return (Move){.arena = arena,
                  .hbm = tile * loop->hbm_step,
                  .dm = round % loop->dm_buffers * loop->dm_step,
                  .column = loop->is_columns ? tile : 0,
                  .columns = loop->is_columns ? rounds : 0};
}

static HwObject loop_body(Arena *arena, const HwObject *kernel, bool only_moves)
{
    HwObject out = *kernel;
    out.operations.items = NULL;
    out.operations.count = out.operations.capacity = 0;
    for (int64_t i = 0; i < kernel->operations.count; i++)
        if (!only_moves || kernel->operations.items[i].commands.items[0].dma)
            *array_push(arena, &out.operations, HwOperation) = kernel->operations.items[i];
    return out;
}

static HwObject unrolled(Arena *arena, const HwObject *kernel, const Loop *loop, int64_t operations)
{
    HwObject body = loop_body(arena, kernel, loop->only_moves), out = body;
    out.operations.items = arena_new(arena, HwOperation, (size_t)operations);
    out.operations.count = out.operations.capacity = operations;
    int64_t count = body.operations.count;
    assert(count > 0);
    int64_t rounds = ceil_div(operations, count);
    for (int64_t i = 0; i < operations; i++) {
        Move move = move_of(arena, loop, loop->in_phases ? i % rounds : i / count, rounds);
        int64_t of_body = loop->in_phases ? count - 1 - i / rounds : i % count;
        out.operations.items[i] = move_operation(&move, &body.operations.items[of_body]);
    }
    return out;
}

// ---- orders

typedef struct {
    const char *name;
    bool is_refused;
    int64_t (*number)(int64_t at, int64_t count, int64_t rounds_of);
} Order;

static int64_t as_it_is(int64_t at, int64_t count, int64_t rounds_of)
{
    (void)count, (void)rounds_of;
    return at;
}

// The two loads at the begin of each round.
static int64_t loads_swapped(int64_t at, int64_t count, int64_t rounds_of)
{
    int64_t step = at % rounds_of, first = at - step;
    return step < 2 && first + 1 < count ? first + 1 - step : at;
}

static int64_t backwards(int64_t at, int64_t count, int64_t rounds_of)
{
    (void)rounds_of;
    return count - 1 - at;
}

static const Order orders[] = {
    {"pinned", false, as_it_is},
    {"loads swapped", false, loads_swapped},
    {"backwards", true, backwards},
};

// ---- how much it takes

// Of this process: others may be at work.
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int64_t check_scale(const char *name, const HwObject *object, const ScheduleOptions *options)
{
    Arena arena = {0}, scratch = {0};
    DiagList diags = {.arena = &arena};
    StrBuf json = {.arena = &arena};
    double from = seconds();
    const Schedule *schedule =
        schedule_new(&arena, &scratch, &diags, &machine_rngd, object, options);
    double placed = seconds();
    assert_non_null(schedule);
    print_message("%s, %s: %" PRId64 " operations, %" PRId64 " cycles: %.1f looks each, %.2f s\n",
                  name, cost_model_names[options->model], schedule->operation_count,
                  schedule->cycles, (double)schedule->looks / (double)schedule->operation_count,
                  placed - from);
    if (!options->order) {
        schedule_print_json(&json, &scratch, schedule);
        print_message("  its document: %" PRId64 " bytes each, %.2f s\n",
                      json.len / schedule->operation_count, seconds() - placed);
        assert_true(json.len < MOST_BYTES * schedule->operation_count + FIXED_BYTES);
    }
    assert_true(schedule->looks < MOST_LOOKS * schedule->operation_count);
    int64_t cycles = schedule->cycles;
    arena_release(&arena);
    arena_release(&scratch);
    return cycles;
}

static void check_refused(const HwObject *object, const ScheduleOptions *options)
{
    Arena arena = {0}, scratch = {0};
    DiagList diags = {.arena = &arena};
    assert_null(schedule_new(&arena, &scratch, &diags, &machine_rngd, object, options));
    assert_int_equal(diags.items[0]->code, DIAG_SCHEDULE_ORDER);
    arena_release(&arena);
    arena_release(&scratch);
}

static void check_orders(Arena *arena, const HwObject *object, int64_t rounds_of, int64_t cycles)
{
    int64_t count = object->operations.count;
    int64_t *numbers = arena_new(arena, int64_t, (size_t)count + 1);
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        ScheduleOptions options = {COST_MANUAL, numbers, count};
        for (int64_t k = 0; k < count; k++)
            numbers[k] = orders[i].number(k, count, rounds_of);
        if (orders[i].is_refused)
            check_refused(object, &options);
        else if (orders[i].number == as_it_is)
            assert_int_equal(check_scale(orders[i].name, object, &options), cycles);
        else
            check_scale(orders[i].name, object, &options);
    }
}

TEST(many_operations)
{
    Contra *contra = contra_new();
    ContraText text = contra_text(path);
    ContraCheckOptions checks = contra_check_options();
    ContraObject *kernel;
    // a tenth of the cases needs much less than a tenth of the length
    int64_t count = max_i64(1000, (int64_t)(OPERATIONS * test_scale() * test_scale()));
    assert_int_equal(contra_load(contra, &text, 1, &checks), CONTRA_OK);
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &kernel), CONTRA_OK);
    for (size_t i = 0; i < COUNT_OF(loops); i++) {
        Arena arena = {0};
        const Loop *loop = &loops[i];
        HwObject object = unrolled(&arena, &kernel->object, loop, count);
        int64_t rounds_of = loop_body(&arena, &kernel->object, loop->only_moves).operations.count;
        int64_t cycles = check_scale(loop->name, &object, &(ScheduleOptions){COST_MANUAL, NULL, 0});
        check_orders(&arena, &object, rounds_of, cycles);
        bool in_all = i == 0 || i + 1 == COUNT_OF(loops); // the plainest, and the worst of them
        for (CostModel model = COST_MANUAL + 1; in_all && model < COST_MODELS; model++)
            check_scale(loop->name, &object, &(ScheduleOptions){.model = model});
        arena_release(&arena);
    }
    contra_free(contra);
}
