// What every function of contra.h is called with: a session in which there is one of everything, or
// a program that is being built.
#ifndef CONTRA_TESTS_EVERY_FUNCTION_H
#define CONTRA_TESTS_EVERY_FUNCTION_H

#include "api/build.h"

#include "base/checked.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory that can run out

typedef struct {
    int64_t calls, live, fail_at;
    bool is_empty; // every call fails
} Meter;

static bool fails(Meter *meter)
{
    return ++meter->calls == meter->fail_at || meter->is_empty;
}

static void *allocate(void *own, size_t bytes)
{
    Meter *meter = own;
    void *block = fails(meter) ? NULL : malloc(bytes);
    meter->live += block != NULL;
    return block;
}

static void *resize(void *own, void *block, size_t bytes)
{
    return fails(own) ? NULL : realloc(block, bytes);
}

static void release(void *own, void *block)
{
    ((Meter *)own)->live--;
    free(block);
}

// ---- what the functions are called with

static const char source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 16];\n"
    "#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], "
    "m![S, A]> {\n"
    "    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
    "    dm.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n"
    "#[test]\n"
    "fn passes() {}\n"
    "fn main() {}\n";

static const ContraText path = {"every.rs", 8};

typedef struct {
    Meter meter;
    ContraNewOptions options;
    Contra *contra;
    ContraMapping *mapping;
    ContraObject *object;
    ContraSchedule *schedule;
    ContraLaunch *launch, *second;
    const ContraOutput *outputs;
    int64_t output_count;
    ContraText documents[2]; // of the schedule
    // of a program that is built
    ContraProgram *program;
    ContraTensor *hbm, *dm, *other, *rows, *index, *table, *trf, *vrf;
    ContraStream *stream;
    ContraMapping *one;
    struct Room *seen; // results of the last call; NULL: nobody looks
} Session;

// For what comes back, and options as they are.
typedef struct Room {
    ContraText text;
    const char *name;
    int64_t number;
    bool yes;
    ContraDiagnostic diagnostic;
    ContraCheckOptions check;
    ContraCheckResult checked;
    ContraArray array;
    ContraInput input;
    ContraKernel kernel;
    ContraRunOptions run;
    const ContraOutput *outputs;
    ContraLaunch *launch;
    ContraBuffer buffer;
    ContraComparison comparison;
    ContraObject *object;
    ContraObjectSummary object_summary;
    ContraMemoryUse memory;
    ContraListingOptions listing;
    ContraScheduleOptions schedule_options;
    ContraSchedule *schedule;
    ContraScheduleTextOptions form;
    ContraCompareOptions compare;
    ContraScheduleSummary summary;
    ContraLane lane;
    ContraScheduledOperation operation;
    ContraScheduledTensor scheduled_tensor;
    ContraMainResult main;
    ContraTest test;
    ContraTestResult tested;
    ContraMapping *mapping, *other;
    ContraFactor factor;
    ContraCell cell;
    const ContraTerm *terms;
    ContraDivision division;
    ContraSequenceRequest request;
    ContraSequence sequence;
    ContraProgram *program;
    ContraChoice choice;
    ContraTensor *tensor;
    ContraStream *stream;
    ContraFetchOptions fetch;
    ContraStreamType stream_type;
    ContraTensorInfo tensor_info;
    ContraOperand operand, real, both;
    const ContraMapping *of;
} Room;

static ContraStreamType stream_type(const char *kind, const char *type, const char *time,
                                    const char *packet)
{
    ContraStreamType all = contra_stream_type();
    all.kind = kind;
    all.type = type;
    all.chip = "Z";
    all.cluster = "L";
    all.slice = "S";
    all.time = time;
    all.packet = packet;
    return all;
}

// ---- results

// Where something is given back. Before a call there is a mark in each, so that it can be seen
// which of them it wrote.
static const struct {
    size_t offset, bytes;
    enum {
        RESULT_PLAIN,  // NULL, 0, false or a struct of these: nothing
        RESULT_TEXT,   // of no length
        RESULT_NUMBER, // -1, or a count of 0
        RESULT_SIZED,  // plain behind its size
        RESULT_FOUND,  // .. and it may say what was found though something was refused
        RESULT_BUILT,  // what is built: there even if it was refused
    } kind;
} results[] = {
#define RESULT(member, kind)                                      \
    {                                                             \
        offsetof(Room, member), sizeof(((Room *)0)->member), kind \
    }
    RESULT(text, RESULT_TEXT),      RESULT(name, RESULT_PLAIN),       RESULT(number, RESULT_NUMBER),
    RESULT(yes, RESULT_PLAIN),      RESULT(diagnostic, RESULT_SIZED), RESULT(checked, RESULT_FOUND),
    RESULT(array, RESULT_PLAIN),    RESULT(kernel, RESULT_FOUND),     RESULT(outputs, RESULT_PLAIN),
    RESULT(launch, RESULT_PLAIN),   RESULT(comparison, RESULT_FOUND), RESULT(object, RESULT_PLAIN),
    RESULT(schedule, RESULT_PLAIN), RESULT(main, RESULT_FOUND),       RESULT(test, RESULT_SIZED),
    RESULT(tested, RESULT_FOUND),   RESULT(mapping, RESULT_PLAIN),    RESULT(other, RESULT_PLAIN),
    RESULT(factor, RESULT_PLAIN),   RESULT(cell, RESULT_PLAIN),       RESULT(terms, RESULT_PLAIN),
    RESULT(division, RESULT_SIZED), RESULT(sequence, RESULT_SIZED),   RESULT(program, RESULT_BUILT),
    RESULT(tensor, RESULT_BUILT),   RESULT(stream, RESULT_BUILT),
#undef RESULT
};

enum { MARK = 0x5a };

static size_t front_of(size_t result)
{
    bool is_sized = results[result].kind == RESULT_SIZED || results[result].kind == RESULT_FOUND;
    return is_sized ? sizeof(int64_t) : 0;
}

static void mark_results(Room *room)
{
    for (size_t i = 0; i < COUNT_OF(results); i++)
        memset((char *)room + results[i].offset + front_of(i), MARK,
               results[i].bytes - front_of(i));
}

static bool is_all(const Room *room, size_t result, char byte)
{
    const char *bytes = (const char *)room + results[result].offset;
    bool all = true;
    for (size_t i = front_of(result); i < results[result].bytes; i++)
        all &= bytes[i] == byte;
    return all;
}

static bool is_nothing(const Room *room, size_t result)
{
    bool is = is_all(room, result, 0);
    if (results[result].kind == RESULT_TEXT)
        is |= room->text.length == 0;
    if (results[result].kind == RESULT_NUMBER)
        is |= room->number == -1;
    return is || results[result].kind == RESULT_BUILT;
}

static Room room(const Session *s)
{
    Room r = {.diagnostic = contra_diagnostic_info(),
              .check = contra_check_options(),
              .checked = contra_check_result(),
              .kernel = contra_kernel_info(),
              .run = contra_run_options(),
              .buffer = contra_buffer(),
              .comparison = contra_comparison(),
              .object_summary = contra_object_summary_info(),
              .memory = contra_memory_use(),
              .listing = contra_listing_options(),
              .schedule_options = contra_schedule_options(),
              .form = contra_schedule_text_options(),
              .compare = contra_compare_options(),
              .summary = contra_schedule_summary_info(),
              .lane = contra_lane(),
              .operation = contra_scheduled_operation(),
              .scheduled_tensor = contra_scheduled_tensor(),
              .main = contra_main_result(),
              .test = contra_test_info(),
              .tested = contra_test_result(),
              .division = contra_division(),
              .request = contra_sequence_request(),
              .sequence = contra_sequence_info(),
              .choice = {0, 2},
              .fetch = contra_fetch_options(),
              .stream_type = stream_type("CollectTensor", "i32", "B", "A"),
              .tensor_info = contra_tensor_info(),
              .operand = contra_operand_i32(3),
              .real = contra_operand_f32(3),
              .both = contra_operand_with(contra_operand_f32(3), 2),
              .of = s->mapping};
    static const int32_t elements[256 * 16];
    static const int64_t shape[] = {256, 16};
    r.buffer.type = CONTRA_I32;
    r.buffer.rank = 2;
    r.buffer.shape = shape;
    r.buffer.in = elements;
    r.run.random = true;
    r.request.buffer = s->mapping;
    mark_results(&r);
    return r;
}

static ContraText text(const char *terminated)
{
    return contra_text(terminated);
}

static bool give_file(void *own, ContraText wanted, ContraText *found)
{
    (void)own;
    *found = contra_text(source);
    return wanted.length == path.length && memcmp(wanted.data, path.data, 8) == 0;
}

static bool never(void *own)
{
    (void)own;
    return false;
}

static void take_line(void *own, ContraLogLevel level, ContraText line)
{
    (void)own;
    (void)level;
    (void)line;
}

static int64_t keep_launch(Session *s, ContraStatus status, ContraLaunch **launch)
{
    contra_launch_close(s->second);
    s->second = status == CONTRA_OK ? *launch : NULL;
    return status;
}

static ContraStatus open_contra(Session *s)
{
    *s = (Session){.options = contra_new_options()};
    s->options.allocate = allocate;
    s->options.resize = resize;
    s->options.release = release;
    s->options.own = &s->meter;
    s->options.threads = 1; // calls are counted by one thread
    s->contra = contra_new_with(&s->options);
    ContraStatus status = contra_declare_axes(s->contra, text("X=8,Y=4"));
    return status | contra_mapping_parse(s->contra, text("m"), text("X, Y # 8"), &s->mapping);
}

static void open_session(Session *s)
{
    ContraStatus status = open_contra(s);
    Room r = room(s);
    r.form.form = CONTRA_SCHEDULE_JSON;
    status |= contra_check_text(s->contra, path, text(source), NULL, NULL);
    status |= contra_compile(s->contra, 0, NULL, 0, &s->object);
    status |= contra_schedule(s->contra, s->object, NULL, &s->schedule);
    status |= contra_schedule_text(s->contra, s->schedule, &r.form, &s->documents[0]);
    status |= contra_launch_open(s->contra, 0, NULL, 0, &r.run, &s->launch);
    status |= contra_run_kernel(s->contra, 0, NULL, 0, &r.run, &s->outputs, &s->output_count);
    assert_int_equal(status, CONTRA_OK);
    s->documents[1] = s->documents[0];
    contra_use_machine(s->contra, text("unheard-of")); // there is a diagnostic
}

static void close_session(Session *s)
{
    contra_launch_close(s->second);
    contra_launch_close(s->launch);
    contra_free(s->contra);
}

// ---- a program that is built

static const char *const two_axes[] = {"A", "B"};
static const int64_t turn[] = {1, 0, 3, 2}, thirty_two_by_two[] = {32, 2};

static void open_program(Session *s)
{
    static const struct {
        const char *name;
        int64_t size;
    } axes[] = {{"Z", 4}, {"L", 2}, {"S", 256},  {"A", 8}, {"B", 4},
                {"I", 2}, {"N", 8}, {"V", 1024}, {"K", 64}};
    ContraStatus status = open_contra(s);
    status |= contra_mapping_one(s->contra, &s->one);
    status |= contra_program_new(s->contra, "built", 4, NULL, &s->program);
    for (size_t i = 0; i < COUNT_OF(axes); i++)
        status |= contra_axis(s->program, axes[i].name, axes[i].size);
    const struct {
        ContraTensor **tensor;
        ContraLayout layout;
    } params[] = {
        {&s->hbm, contra_hbm("i32", "Z", "L, S, B, A", 0)},
        {&s->index, contra_hbm("i32", "Z", "S", 0x100000)},
        {&s->table, contra_hbm("i32", "Z", "V, A", 0x200000)},
        {&s->dm, contra_dm("i32", "Z", "L", "S", "B, A", 0x1000)},
        {&s->other, contra_dm("i32", "Z", "L", "S", "B, A", 0x2000)},
        {&s->rows, contra_dm("i32", "Z", "1 # 2", "S", "A", 0x3000)},
        {&s->trf, contra_trf("i8", "Z", "L", "S", "N", "K", "FirstHalf")},
        {&s->vrf, contra_vrf("i32", "Z", "L", "S", "A", 0)},
    };
    for (size_t i = 0; i < COUNT_OF(params); i++)
        status |= contra_param(s->program, NULL, params[i].layout, params[i].tensor);
    assert_int_equal(status, CONTRA_OK);
}

// Streams that have come to a stage.

static ContraStatus at(Session *s, const char *kind, const char *type, const char *time,
                       const char *packet)
{
    ContraStreamType all = stream_type(kind, type, time, packet);
    return contra_input(s->program, "main", &all, &s->stream);
}

static ContraStatus aligned(Session *s)
{
    ContraStatus status = at(s, "CollectTensor", "i8", "K / 32", "K % 32");
    return status | contra_align(s->stream, s->trf, "1", "K");
}

static ContraStatus begun(Session *s, const char *type)
{
    ContraStatus status = at(s, "CollectTensor", type, "B", "A");
    return status | contra_vector_init(s->stream);
}

static ContraStatus branch(Session *s)
{
    return contra_vector_intra_slice_branch(s->stream, contra_branch("Unconditional"));
}

static ContraStatus branched(Session *s)
{
    ContraStatus status = begun(s, "i32");
    return status | branch(s);
}

static ContraStatus narrow(Session *s)
{
    ContraStatus status = begun(s, "f32");
    status |= branch(s);
    return status | contra_vector_split(s->stream, "B, A / 4", "A % 4");
}

// Of f32 in half a packet.
static ContraStatus half(Session *s)
{
    ContraStatus status = at(s, "CollectTensor", "f32", "1", "B # 8");
    status |= contra_vector_init(s->stream);
    return status | branch(s);
}

static ContraStatus interleaved(Session *s)
{
    ContraStatus status = at(s, "CollectTensor", "i32", "B, I", "A");
    return status | contra_vector_init(s->stream);
}

static ContraStatus pair(Session *s)
{
    ContraStatus status = interleaved(s);
    return status | contra_vector_intra_slice_unzip(s->stream, "I", "B, 1 # 2", "B");
}

static ContraStatus narrow_pair(Session *s)
{
    ContraStatus status = pair(s);
    status |= contra_vector_fxp_to_fp(s->stream, 31);
    return status | contra_vector_split(s->stream, "B, A / 4", "A % 4");
}

static ContraBranch four(ContraInputCompare compare)
{
    return contra_branch_comparison(compare, compare, compare, compare);
}

#endif
