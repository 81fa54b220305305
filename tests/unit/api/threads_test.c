// Several threads, a Contra each: nothing is shared between them. And processes that fork.
#include "contra.h"

#include "test.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 3 };

#define SOURCE(elements)                                                                          \
    "use furiosa_visa_std::prelude::*;\n"                                                         \
    "axes![S = 256, A = " #elements "];\n"                                                        \
    "#[device(chip = 1)]\n"                                                                       \
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], " \
    "m![S, A]> {\n"                                                                               \
    "    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"                        \
    "    let sum: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = ctx.main.begin(dm.view())\n"    \
    "        .fetch::<i32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>()\n"           \
    "        .vector_init().vector_intra_slice_branch(BranchMode::Unconditional)\n"               \
    "        .vector_fxp(FxpBinaryOp::AddFxp, 1).vector_final().commit(65536);\n"                 \
    "    sum.to_hbm(&mut ctx.tdma, 1 << 28)\n"                                                    \
    "}\n"                                                                                         \
    "#[test]\n"                                                                                   \
    "fn passes() { assert_eq!(1 + 1, 2); }\n"

static const char source[] = SOURCE(16);

typedef struct {
    uint64_t seed;
    int64_t threads, sum, cycles;
    ContraStatus status;
    int64_t lines;            // that were logged
    int64_t asked, cancelled; // whether to go on; calls that did not
} Work;

static void take_line(void *own, ContraLogLevel level, ContraText text)
{
    (void)level;
    ((Work *)own)->lines += text.length > 0;
}

static bool goes_on(void *own)
{
    ((Work *)own)->asked++;
    return false;
}

static bool ends_soon(void *own)
{
    enum { SOON = 3 };
    return ++((Work *)own)->cancelled >= SOON;
}

// What the kernel gives for a seed, by one executor.
static ContraStatus add_outputs(Contra *contra, Work *work, ContraBackend backend)
{
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    options.random = true;
    options.seed = work->seed;
    options.threads = work->threads;
    options.backend = backend;
    ContraStatus status = contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count);
    for (int64_t i = 0; !status && i < contra_array_count(&outputs->array); i++)
        work->sum += (int64_t)contra_array_value(&outputs->array, i) % 1000;
    return status;
}

// The same on memory of the caller, by threads of its own.
static ContraStatus launch(Contra *contra, Work *work)
{
    enum { S = 256, A = 16 };
    const int64_t shape[] = {S, A};
    int32_t in[S * A], out[S * A];
    ContraLaunch *launch = NULL;
    ContraRunOptions options = contra_run_options();
    ContraBuffer from = contra_buffer(), to;
    options.threads = 2;
    from.type = CONTRA_I32;
    from.rank = 2;
    from.shape = shape;
    to = from;
    from.in = in;
    to.out = out;
    for (int i = 0; i < S * A; i++)
        in[i] = (int32_t)work->seed + i;
    ContraStatus status = contra_launch_open(contra, 0, NULL, 0, &options, &launch);
    status = status ? status : contra_launch_bind(launch, 0, &from);
    status = status ? status : contra_launch_bind(launch, 1, &to);
    status = status ? status : contra_launch_run(launch);
    contra_launch_close(launch);
    for (int i = 0; !status && i < S * A; i++)
        work->sum += out[i];
    return status;
}

static ContraStatus build(Contra *contra)
{
    ContraProgram *program;
    ContraTensor *x, *rows;
    int64_t kernel;
    contra_program_new(contra, "built", 1, NULL, &program);
    contra_axis(program, "A", 4096);
    contra_param(program, "x", contra_hbm("i32", "1", "A", 0), &x);
    contra_to_dm(x, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0), &rows);
    contra_return(program, rows);
    return contra_program_finish(program, &kernel);
}

static ContraStatus do_all(Contra *contra, Work *work)
{
    ContraObject *object;
    ContraSchedule *schedule;
    ContraMapping *mapping, *other;
    ContraText text;
    bool equal;
    ContraStatus status =
        contra_check_text(contra, contra_text("x.rs"), contra_text(source), NULL, NULL);
    status = status ? status : add_outputs(contra, work, CONTRA_BACKEND_DEVICE);
    status = status ? status : add_outputs(contra, work, CONTRA_BACKEND_ORACLE);
    status = status ? status : launch(contra, work);
    status = status ? status : build(contra);
    status = status ? status : contra_compile(contra, 0, NULL, 0, &object);
    status = status ? status : contra_schedule(contra, object, NULL, &schedule);
    status = status ? status : contra_object_text(contra, object, NULL, &text);
    status = status ? status : contra_test_run(contra, 0, NULL, NULL);
    status = status ? status : contra_declare_axes(contra, contra_text("X=63,Y=4"));
    status =
        status ? status
               : contra_mapping_parse(contra, contra_text("a"),
                                      contra_text("[X, Y] # 256 / 8, [X, Y] # 256 % 8"), &mapping);
    status = status ? status
                    : contra_mapping_parse(contra, contra_text("b"), contra_text("[X, Y] # 256"),
                                           &other);
    status = status ? status : contra_mapping_equal(contra, mapping, other, &equal, NULL);
    work->cycles = status ? 0 : contra_schedule_cycles(schedule);
    return status;
}

// Calls that are given up, by threads that go on.
static ContraStatus give_up(Contra *contra, Work *work)
{
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    options.random = true;
    options.threads = 2;
    options.is_cancelled = ends_soon;
    options.own = work;
    work->cancelled = 0;
    ContraStatus status = contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count);
    return status == CONTRA_CANCELLED ? CONTRA_OK : CONTRA_INVALID;
}

static void *work_on(void *own)
{
    Work *work = own;
    for (int round = 0; round < ROUNDS && !work->status; round++) {
        Contra *contra = contra_new();
        work->sum = work->lines = work->asked = 0;
        contra_set_log(contra, take_line, work);
        contra_set_cancel(contra, goes_on, work);
        work->status = do_all(contra, work);
        work->status = work->status ? work->status : give_up(contra, work);
        contra_free(contra);
    }
    return NULL;
}

TEST(threads_do_not_disturb_each_other)
{
    pthread_t threads[THREADS];
    Work works[THREADS], alone[THREADS];
    for (int i = 0; i < THREADS; i++) {
        works[i] = alone[i] = (Work){.seed = (uint64_t)i, .threads = 1};
        work_on(&alone[i]);
        assert_int_equal(alone[i].status, CONTRA_OK);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work_on, &works[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_memory_equal(&works[i], &alone[i], sizeof works[i]);
    assert_true(works[0].sum != works[1].sum);
    assert_true(works[0].lines >= 5 && works[0].asked > 10 && works[0].cancelled > 0);
}

static ContraStatus run_with_threads(Work *work)
{
    Contra *contra = contra_new();
    work->status =
        contra_check_text(contra, contra_text("x.rs"), contra_text(SOURCE(4096)), NULL, NULL);
    work->status = work->status ? work->status : add_outputs(contra, work, CONTRA_BACKEND_DEVICE);
    contra_free(contra);
    return work->status;
}

// A child does not have the workers of its parent; it starts its own.
TEST(a_child_has_its_own_workers)
{
    Work before = {.seed = 5, .threads = 4}, after = before, again = before;
    int end = -1;
    assert_int_equal(run_with_threads(&before), CONTRA_OK);
    pid_t child = fork();
    if (!child) {
        alarm(30); // instead of waiting forever
        _exit(run_with_threads(&after) == CONTRA_OK && after.sum == before.sum ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_int_equal(end, 0);
    assert_int_equal(run_with_threads(&again), CONTRA_OK);
    assert_int_equal(again.sum, before.sum);
}
