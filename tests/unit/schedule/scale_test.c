// Schedules of 50,000 operations: a loop unrolled, two buffers in DM that take turns, tiles of HBM
// one behind the other. That it ends in time is what is tested; it tells how long it took.
#include "api/object.h"
#include "base/checked.h"
#include "schedule/export.h"
#include "schedule/schedule.h"
#include "shrink.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

enum { OPERATIONS = 50000 };
enum { HBM_STEP = 1 << 18, DM_STEP = 0x28000, DM_BUFFERS = 2 };

static const char path[] = "examples/hello/gemm_in_two_loads.rs";

// ---- one more round of the loop

typedef struct {
    Arena *arena;
    int64_t hbm, dm; // that addresses move by
} Move;

static void move_place(const Move *move, const HwPlace *place, int64_t *base)
{
    *base += place->media == MEDIA_HBM ? move->hbm : place->media == MEDIA_DM ? move->dm : 0;
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

static HwObject unrolled(Arena *arena, const HwObject *body, int64_t operations)
{
    HwObject out = *body;
    out.operations.items = arena_new(arena, HwOperation, (size_t)operations);
    out.operations.count = out.operations.capacity = operations;
    for (int64_t i = 0; i < operations; i++) {
        int64_t round = i / body->operations.count;
        Move move = {arena, round * HBM_STEP, round % DM_BUFFERS * DM_STEP};
        out.operations.items[i] =
            move_operation(&move, &body->operations.items[i % body->operations.count]);
    }
    return out;
}

// ---- how long it takes

// Of this process: others may be at work.
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void check_scale(const HwObject *object, const ScheduleOptions *options)
{
    Arena arena = {0}, scratch = {0};
    DiagList diags = {.arena = &arena};
    StrBuf json = {.arena = &arena};
    double from = seconds();
    const Schedule *schedule =
        schedule_new(&arena, &scratch, &diags, &machine_rngd, object, options);
    double placed = seconds();
    assert_non_null(schedule);
    schedule_print_json(&json, schedule);
    print_message("%s%s: %" PRId64 " operations, %" PRId64
                  " cycles: %.2f s, its document of %" PRId64 " bytes %.2f s\n",
                  cost_model_names[options->model], options->order ? ", pinned" : "",
                  schedule->operation_count, schedule->cycles, placed - from, json.len,
                  seconds() - placed);
    arena_release(&arena);
    arena_release(&scratch);
}

// Only what moves: loads and stores of HBM that never meet, which is what takes longest to find
// out.
static HwObject moves_of(Arena *arena, const HwObject *body)
{
    HwObject out = *body;
    out.operations.items = NULL;
    out.operations.count = out.operations.capacity = 0;
    for (int64_t i = 0; i < body->operations.count; i++)
        if (body->operations.items[i].commands.items[0].dma)
            *array_push(arena, &out.operations, HwOperation) = body->operations.items[i];
    return out;
}

static void many_operations(void **state)
{
    (void)state;
    Contra *contra = contra_new();
    ContraText text = contra_text(path);
    ContraCheckOptions checks = {0};
    ContraObject *body;
    Arena arena = {0};
    int64_t count = (int64_t)(OPERATIONS * test_scale());
    assert_int_equal(contra_load(contra, &text, 1, &checks), CONTRA_OK);
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &body), CONTRA_OK);
    HwObject object = unrolled(&arena, &body->object, count);
    int64_t *order = arena_new(&arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (CostModel model = 0; model < COST_MODELS; model++)
        check_scale(&object, &(ScheduleOptions){.model = model});
    check_scale(&object, &(ScheduleOptions){COST_MANUAL, order, count});
    HwObject moves = moves_of(&arena, &body->object);
    moves = unrolled(&arena, &moves, count);
    check_scale(&moves, &(ScheduleOptions){COST_MANUAL, NULL, 0});
    check_scale(&moves, &(ScheduleOptions){COST_MANUAL, order, count});
    arena_release(&arena);
    contra_free(contra);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
