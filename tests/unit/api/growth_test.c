// A Contra that lives long: what a thousand calls of a function leave behind, in bytes. What is
// given back stays until contra_free; nothing else may.
#include "base/checked.h"
#include "run/state.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// ---- memory that is counted

typedef struct {
    int64_t bytes; // that are not given back
} Meter;

// Stands before each block.
typedef union {
    size_t bytes;
    max_align_t aligned;
} Front;

static void *allocate(void *own, size_t bytes)
{
    Front *front = malloc(sizeof *front + bytes);
    if (!front)
        return NULL;
    front->bytes = bytes;
    __atomic_fetch_add(&((Meter *)own)->bytes, (int64_t)bytes, __ATOMIC_RELAXED);
    return front + 1;
}

static void release(void *own, void *block)
{
    Front *front = (Front *)block - 1;
    __atomic_fetch_sub(&((Meter *)own)->bytes, (int64_t)front->bytes, __ATOMIC_RELAXED);
    free(front);
}

static void *resize(void *own, void *block, size_t bytes)
{
    void *moved = allocate(own, bytes);
    if (!moved)
        return NULL;
    size_t before = ((Front *)block - 1)->bytes;
    memcpy(moved, block, before < bytes ? before : bytes);
    release(own, block);
    return moved;
}

// Bytes in use: memory comes in blocks, and the rest of an arena's newest block is free.
static int64_t bytes_in_use(const Meter *meter, const Contra *contra)
{
    const Arena *arenas[] = {&contra->arena, &contra->scratch, &contra->request, &contra->said};
    int64_t bytes = meter->bytes;
    for (size_t i = 0; i < COUNT_OF(arenas); i++)
        bytes -= arenas[i]->end - arenas[i]->next;
    return bytes;
}

// ---- what is called

static const char source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 16];\n"
    "#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], "
    "m![S, A]> {\n"
    "    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
    "    let sum: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = ctx.main.begin(dm.view())\n"
    "        .fetch::<i32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>()\n"
    "        .vector_init().vector_intra_slice_branch(BranchMode::Unconditional)\n"
    "        .vector_fxp(FxpBinaryOp::AddFxp, 1).vector_final().commit(4096);\n"
    "    sum.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n"
    "#[test]\n"
    "fn passes() { assert_eq!(1 + 1, 2); }\n";

enum { S = 256, A = 16 };
static const int64_t shape[] = {S, A};
static const int32_t elements[S * A];

typedef struct {
    Meter meter;
    Contra *contra;
    ContraLaunch *launch;
    ContraObject *object;
    int64_t object_kernel;
    ContraSchedule *schedule;
    ContraMapping *mapping;
} Session;

static ContraInput input(void)
{
    return (ContraInput){.name = contra_text("a"), .array = {CONTRA_I32, 2, shape, elements}};
}

static ContraStatus run_kernel(Session *s, int64_t kernel, ContraBackend backend)
{
    ContraRunOptions options = contra_run_options();
    ContraInput a = input();
    const ContraOutput *outputs;
    int64_t count;
    options.backend = backend;
    return contra_run_kernel(s->contra, kernel, &a, 1, &options, &outputs, &count);
}

static ContraStatus run_on_device(Session *s)
{
    return run_kernel(s, 0, CONTRA_BACKEND_DEVICE);
}

static ContraStatus run_by_oracle(Session *s)
{
    return run_kernel(s, 0, CONTRA_BACKEND_ORACLE);
}

static ContraStatus run_object(Session *s)
{
    return run_kernel(s, s->object_kernel, CONTRA_BACKEND_DEVICE);
}

static ContraStatus run_a_test(Session *s)
{
    return contra_test_run(s->contra, 0, NULL, NULL);
}

static ContraStatus launch_run(Session *s)
{
    const ContraOutput *outputs;
    int64_t count;
    ContraStatus status = contra_launch_run(s->launch);
    return status ? status : contra_launch_outputs(s->launch, &outputs, &count);
}

static ContraStatus launch_open(Session *s)
{
    ContraLaunch *launch = NULL;
    ContraBuffer buffer = contra_buffer();
    buffer.type = CONTRA_I32;
    buffer.rank = 2;
    buffer.shape = shape;
    buffer.in = elements;
    ContraStatus status = contra_launch_open(s->contra, 0, NULL, 0, NULL, &launch);
    status = status ? status : contra_launch_bind(launch, 0, &buffer);
    status = status ? status : contra_launch_run(launch);
    contra_launch_close(launch);
    return status;
}

static ContraStatus compile(Session *s)
{
    ContraObject *object;
    return contra_compile(s->contra, 0, NULL, 0, &object);
}

static ContraStatus schedule(Session *s)
{
    ContraSchedule *made;
    return contra_schedule(s->contra, s->object, NULL, &made);
}

static ContraStatus schedule_text(Session *s)
{
    ContraText text;
    return contra_schedule_text(s->contra, s->schedule, NULL, &text);
}

static ContraStatus describe(Session *s)
{
    ContraKernel kernel = contra_kernel_info();
    return contra_kernel(s->contra, 0, &kernel);
}

static ContraStatus check(Session *s)
{
    return contra_check_text(s->contra, contra_text("x.rs"), contra_text(source), NULL, NULL);
}

static ContraStatus parse(Session *s)
{
    ContraMapping *mapping;
    return contra_mapping_parse(s->contra, contra_text("m"), contra_text("[X, Y] # 256 / 8"),
                                &mapping);
}

static ContraStatus pad(Session *s)
{
    ContraMapping *mapping;
    return contra_mapping_pad(s->contra, s->mapping, 512, &mapping);
}

static ContraStatus divide(Session *s)
{
    ContraDivision division = contra_division();
    return contra_mapping_divide(s->contra, s->mapping, s->mapping, CONTRA_DIVIDE_RELAXED, 1,
                                 &division);
}

static ContraStatus equal(Session *s)
{
    bool yes;
    int64_t difference;
    return contra_mapping_equal(s->contra, s->mapping, s->mapping, &yes, &difference);
}

static ContraStatus abandon(Session *s)
{
    ContraProgram *program;
    ContraTensor *x, *rows;
    contra_program_new(s->contra, "built", 1, NULL, &program);
    contra_axis(program, "A", 4096);
    contra_param(program, "x", contra_hbm("i32", "1", "A", 0), &x);
    ContraStatus status = contra_to_dm(
        x, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0), &rows);
    contra_program_abandon(program);
    return status;
}

static ContraStatus render(Session *s)
{
    return contra_diagnostics(s->contra, CONTRA_PLAIN).length ? CONTRA_OK : CONTRA_INVALID;
}

// How many bytes a call may keep on average: its results (an output here has 16 KB) and what the
// library remembers of the call.
static const struct {
    const char *name;
    ContraStatus (*call)(Session *s);
    int64_t bytes;
} functions[] = {
    {"contra_run_kernel, device", run_on_device, 17000},
    {"contra_run_kernel, oracle", run_by_oracle, 17000},
    {"contra_run_kernel, object", run_object, 17000},
    {"contra_test_run", run_a_test, 1400},
    {"contra_launch_run, _outputs", launch_run, 0},
    {"contra_launch_open .. _close", launch_open, 100},
    {"contra_compile", compile, 400},
    {"contra_schedule", schedule, 63000},
    {"contra_schedule_text", schedule_text, 4000},
    {"contra_kernel", describe, 300},
    {"contra_mapping_parse", parse, 5000},
    {"contra_mapping_pad", pad, 3000},
    {"contra_mapping_divide", divide, 8200},
    {"contra_mapping_equal", equal, 0},
    {"contra_program_new .. _abandon", abandon, 2400},
    {"contra_diagnostics", render, 0},
    {"contra_check_text", check, 75000},
};

static void open_session(Session *s)
{
    *s = (Session){0};
    ContraNewOptions options = contra_new_options();
    ContraInput a = input();
    options.allocate = allocate;
    options.resize = resize;
    options.release = release;
    options.own = &s->meter;
    options.threads = 1;
    s->contra = contra_new_with(&options);
    ContraStatus status = check(s);
    status |= contra_compile(s->contra, 0, NULL, 0, &s->object);
    status |= contra_object_kernel(s->contra, s->object, &s->object_kernel);
    status |= contra_schedule(s->contra, s->object, NULL, &s->schedule);
    status |= contra_launch_open(s->contra, 0, &a, 1, NULL, &s->launch);
    status |= contra_declare_axes(s->contra, contra_text("X=63,Y=4"));
    status |=
        contra_mapping_parse(s->contra, contra_text("m"), contra_text("[X, Y] # 256"), &s->mapping);
    assert_int_equal(status, CONTRA_OK);
    contra_use_machine(s->contra, contra_text("unheard-of")); // there is a diagnostic
}

TEST(a_call_leaves_little_behind)
{
    enum { CALLS = 1000, FEW = 100 };
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        Session s;
        open_session(&s);
        int calls = functions[i].call == check ? FEW : (int)test_share(CALLS);
        functions[i].call(&s);
        int64_t before = bytes_in_use(&s.meter, s.contra);
        for (int k = 0; k < calls; k++)
            if (functions[i].call(&s) != CONTRA_OK)
                fail_msg("%s: %s", functions[i].name, contra_diagnostics(s.contra, 0).data);
        int64_t bytes = (bytes_in_use(&s.meter, s.contra) - before) / calls;
        print_message("%-32s %7lld bytes a call\n", functions[i].name, (long long)bytes);
        if (bytes > functions[i].bytes)
            fail_msg("%s leaves %lld bytes behind a call", functions[i].name, (long long)bytes);
        contra_launch_close(s.launch);
        contra_free(s.contra);
        assert_int_equal(s.meter.bytes, 0);
    }
}
