// What a schedule lets happen in another order than the program's computes the same bytes: random
// commands and all kernels of tests/kernels and examples, on the device, from the same random bytes
// on.
#include "mix.h"

#include "base/checked.h"
#include "run/object.h"
#include "schedule/schedule.h"
#include "shrink.h"
#include "test.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CASES = 150,
    OPERATIONS = 14,
    MOST_POSITIONS = 1 << 23,
    RANDOM_ORDERS = 2,
    LEAST_KERNELS = 100
};

typedef struct {
    Arena arena, scratch;
    Choices choices;
    const Machine *machine;
    const HwObject *object;
    const char *name; // for reports
    DeviceProgram *program;
    MixMemory before, wanted;
    int64_t orders, executed; // those that are not the program's
    int64_t shown;            // objects that backwards give other bytes
} Bench;

// ---- orders

typedef struct {
    int64_t cycle, number;
} Event;

static int compare_events(const void *a, const void *b)
{
    const Event *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int64_t *order_of_ends(Arena *arena, const Schedule *schedule)
{
    int64_t count = schedule->operation_count;
    Event *ends = arena_new(arena, Event, (size_t)count + 1);
    int64_t *order = arena_new(arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        ends[i] = (Event){schedule->operations[i].end, i};
    qsort(ends, (size_t)count, sizeof *ends, compare_events);
    for (int64_t i = 0; i < count; i++)
        order[i] = ends[i].number;
    return order;
}

// Any order that keeps what is over before another begins: whatever runs beside each other may come
// first.
static int64_t *order_of_intervals(Bench *bench, const Schedule *schedule)
{
    int64_t count = schedule->operation_count;
    Meetings over = {.count = count};
    over.meets = arena_new(&bench->arena, bool, (size_t)(count * count) + 1);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < count; k++) {
            const ScheduledOperation *a = &schedule->operations[i], *b = &schedule->operations[k];
            bool both = b->end <= a->begin && k < i;
            over.meets[i * count + k] = i != k && a->end <= b->begin && !both;
        }
    return mix_order(&bench->arena, &over, &bench->choices);
}

// ---- executing

static bool is_program_order(const Bench *bench, const int64_t *order)
{
    for (int64_t i = 0; i < bench->object->operations.count; i++)
        if (order[i] != i)
            return false;
    return true;
}

// Empty: the same bytes come out.
static Str difference_of(Bench *bench, const int64_t *order)
{
    MixMemory after;
    MixEnd end = mix_execute(&bench->scratch, bench->machine, bench->program, bench->object, order,
                             &bench->before, &after);
    return end == MIX_DONE ? mix_difference(&bench->scratch, &bench->wanted, &after)
                           : STR("it does not end");
}

static void check_order(Bench *bench, const int64_t *order, const char *what)
{
    bench->orders++;
    if (is_program_order(bench, order))
        return;
    Str difference = difference_of(bench, order);
    if (difference.len)
        fail_msg("%s, %s: %.*s", bench->name, what, STR_ARG(difference));
    bench->executed++;
    arena_clear(&bench->scratch);
}

// The last first: what must not be shows, or else all of this would say little.
static void check_backwards(Bench *bench)
{
    int64_t count = bench->object->operations.count;
    int64_t *order = arena_new(&bench->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        order[i] = count - 1 - i;
    bench->shown += difference_of(bench, order).len > 0;
    arena_clear(&bench->scratch);
}

static Schedule *scheduled(Bench *bench, CostModel model, const int64_t *order)
{
    DiagList diags = {.arena = &bench->arena};
    ScheduleOptions options = {model, order, order ? bench->object->operations.count : 0};
    Schedule *schedule = schedule_new(&bench->arena, &bench->scratch, &diags, bench->machine,
                                      bench->object, &options);
    if (!schedule)
        fail_msg("%s: the order is refused", bench->name);
    return schedule;
}

static void check_schedule(Bench *bench, const Schedule *schedule)
{
    check_order(bench, schedule->order, "in the order of begins");
    check_order(bench, order_of_ends(&bench->arena, schedule), "in the order of ends");
    for (int i = 0; i < RANDOM_ORDERS; i++)
        check_order(bench, order_of_intervals(bench, schedule), "beside each other");
}

// False: it cannot be executed on random bytes, not in program order either.
static bool check_object(Bench *bench)
{
    bench->program = device_program_new(bench->object);
    assert_non_null(bench->program);
    bool runs = mix_execute(&bench->arena, bench->machine, bench->program, bench->object, NULL,
                            &bench->before, &bench->wanted) == MIX_DONE;
    if (runs) {
        Meetings meetings = mix_meetings(&bench->arena, bench->machine, bench->object);
        for (CostModel model = 0; model < COST_SILICON; model++)
            check_schedule(bench, scheduled(bench, model, NULL));
        const int64_t *order = mix_order(&bench->arena, &meetings, &bench->choices);
        check_order(bench, order, "in an order that keeps what meets");
        check_schedule(bench, scheduled(bench, COST_MANUAL, order));
        check_backwards(bench);
    }
    device_program_free(bench->program);
    return runs;
}

static void release(Bench *bench)
{
    arena_release(&bench->arena);
    arena_release(&bench->scratch);
}

// ---- random commands

TEST(random_commands)
{
    Trials trials = {0};
    Bench bench = {0};
    int64_t cases = max_i64(1, (int64_t)(CASES * test_scale())), operations = 0, left_out = 0;
    trials_open(&trials);
    bench.machine = &trials.few;
    for (int64_t i = 0; i < cases; i++) {
        char name[64];
        uint64_t seed = test_seed() + (uint64_t)i;
        snprintf(name, sizeof name, "CONTRA_TEST_SEED=%" PRIu64, seed);
        bench.name = name;
        bench.choices = choices_of_seed(seed);
        arena_clear(&bench.arena);
        bench.object = mix_object(&trials, bench.machine, &bench.choices, OPERATIONS);
        if (!bench.object)
            continue;
        bench.before = mix_memory(&bench.arena, bench.object, seed);
        if (bench.before.positions > MOST_POSITIONS || !check_object(&bench))
            left_out++;
        else
            operations += bench.object->operations.count;
    }
    print_message("%" PRId64 " operations in %" PRId64 " orders, %" PRId64
                  " not the program's; %" PRId64 " of %" PRId64 " left out; backwards %" PRId64
                  " differ\n",
                  operations, bench.orders, bench.executed, left_out, cases, bench.shown);
    assert_true(cases < CASES || (4 * left_out < cases && 2 * bench.executed > bench.orders &&
                                  2 * bench.shown > cases));
    release(&bench);
    trials_close(&trials);
}

// ---- kernels

static int64_t positions_of(const HwObject *object)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < object->tensors.count; i++) {
        const HwTensor *tensor = &object->tensors.items[i];
        sum += tensor->bytes * tensor->chips * tensor->clusters * tensor->slices;
    }
    return sum;
}

// Kernels that take numbers are left out.
static void check_kernels(Bench *bench, const char *path, int64_t *count)
{
    Contra *contra = contra_new();
    ContraText text = contra_text(path);
    ContraCheckOptions options = contra_check_options();
    assert_int_equal(contra_load(contra, &text, 1, &options), CONTRA_OK);
    for (int64_t i = 0; i < contra_kernel_count(contra); i++) {
        ContraObject *object;
        if (contra_compile(contra, i, NULL, 0, &object) != CONTRA_OK ||
            positions_of(&object->object) > MOST_POSITIONS)
            continue;
        arena_clear(&bench->arena);
        bench->machine = &contra->machine;
        bench->object = &object->object;
        bench->name = path;
        bench->choices = choices_of_seed(test_seed());
        bench->before = mix_memory(&bench->arena, bench->object, test_seed());
        *count += check_object(bench);
    }
    contra_free(contra);
}

TEST(kernels)
{
    static const char *const folders[] = {"tests/kernels", "examples/hello", "examples/kernels"};
    Bench bench = {0};
    int64_t count = 0, file = 0, every = max_i64(1, (int64_t)(1 / test_scale()));
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        DIR *folder = opendir(folders[i]);
        assert_non_null(folder);
        for (const struct dirent *entry; (entry = readdir(folder));) {
            char path[512];
            const char *end = strrchr(entry->d_name, '.');
            if (!end || (strcmp(end, ".rs") != 0 && strcmp(end, ".tcp") != 0) || file++ % every)
                continue;
            snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            check_kernels(&bench, path, &count);
        }
        closedir(folder);
    }
    print_message("%" PRId64 " kernels in %" PRId64 " orders, %" PRId64
                  " not the program's; backwards %" PRId64 " differ\n",
                  count, bench.orders, bench.executed, bench.shown);
    assert_true(count >= LEAST_KERNELS || every > 1);
    release(&bench);
}
