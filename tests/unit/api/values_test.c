// Schedules and objects as values say what their documents say.
#include "contra.h"

#include "test.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef struct {
    Contra *contra;
    ContraObject *object;
    ContraSchedule *schedule;
    json_t *document; // of the schedule
} Scheduled;

static json_t *document_of(Contra *contra, const ContraSchedule *schedule)
{
    ContraScheduleTextOptions options = contra_schedule_text_options();
    ContraText text;
    options.form = CONTRA_SCHEDULE_JSON;
    assert_int_equal(contra_schedule_text(contra, schedule, &options, &text), CONTRA_OK);
    json_t *document = json_loads(text.data, 0, NULL);
    assert_non_null(document);
    return document;
}

static Scheduled open_kernel(const char *file, const char *kernel, ContraCost cost)
{
    Scheduled all = {.contra = contra_new()};
    ContraScheduleOptions options = contra_schedule_options();
    ContraText path = contra_text(file);
    int64_t number = -1;
    options.cost = cost;
    ContraStatus status = contra_load(all.contra, &path, 1, NULL);
    status |= contra_kernel_find(all.contra, contra_text(kernel), &number);
    status |= contra_compile(all.contra, number, NULL, 0, &all.object);
    status |= contra_schedule(all.contra, all.object, &options, &all.schedule);
    if (status)
        fail_msg("%s", contra_diagnostics(all.contra, CONTRA_PLAIN).data);
    all.document = document_of(all.contra, all.schedule);
    return all;
}

static void close_kernel(Scheduled *all)
{
    json_decref(all->document);
    contra_free(all->contra);
}

// ---- what a document says

static int64_t number_in(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    return value ? json_integer_value(value) : otherwise;
}

static void assert_number(const json_t *object, const char *key, int64_t found)
{
    assert_non_null(json_object_get(object, key));
    if (number_in(object, key, 0) != found)
        fail_msg("%s: %lld, not %lld", key, (long long)found, (long long)number_in(object, key, 0));
}

static void assert_word(const json_t *object, const char *key, const char *found)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), found);
}

static void assert_numbers(const json_t *array, const int64_t *items, int64_t count)
{
    assert_int_equal(json_array_size(array), count);
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(json_integer_value(json_array_get(array, (size_t)i)), items[i]);
}

static const json_t *item(const json_t *document, const char *key, int64_t index)
{
    return json_array_get(json_object_get(document, key), (size_t)index);
}

// ---- schedules

static void compare_summary(const Scheduled *all, const ContraScheduleSummary *summary)
{
    const json_t *document = all->document, *said = json_object_get(document, "summary");
    assert_word(document, "kernel", summary->kernel.data);
    assert_word(document, "machine", summary->machine.data);
    assert_number(document, "clock_mhz", summary->clock_mhz);
    assert_number(document, "chips", summary->chips);
    assert_number(document, "cycles", summary->cycles);
    assert_number(document, "least", summary->least);
    assert_number(document, "most", summary->most);
    assert_numbers(json_object_get(document, "critical"), summary->critical,
                   summary->critical_count);
    assert_number(said, "macs", summary->macs);
    assert_number(said, "peak_macs", summary->peak_macs);
    assert_number(said, "hbm_bytes", summary->hbm_bytes);
    assert_number(said, "hbm_peak_bytes", summary->hbm_peak_bytes);
    assert_true(json_real_value(json_object_get(said, "intensity")) == summary->intensity);
    assert_true(json_real_value(json_object_get(said, "ridge")) == summary->ridge);
    assert_word(said, "bound", summary->bound);
    assert_int_equal(summary->cycles, contra_schedule_cycles(all->schedule));
}

static void compare_lane(const Scheduled *all, int64_t index)
{
    ContraLane lane = contra_lane();
    const json_t *said = item(all->document, "lanes", index);
    assert_int_equal(contra_schedule_lane(all->contra, all->schedule, index, &lane), CONTRA_OK);
    assert_word(said, "kind", lane.kind);
    assert_word(said, "name", lane.name.data);
    assert_number(said, "cluster", lane.cluster);
    assert_number(said, "engine", lane.engine);
    assert_number(said, "busy", lane.busy);
}

static void compare_tensor(const Scheduled *all, int64_t index)
{
    ContraScheduledTensor tensor = contra_scheduled_tensor();
    const json_t *said = item(all->document, "tensors", index);
    assert_int_equal(contra_schedule_tensor(all->contra, all->schedule, index, &tensor), CONTRA_OK);
    assert_number(said, "id", tensor.number);
    assert_word(said, "name", tensor.name.data);
    assert_number(said, "line", tensor.line);
    assert_word(said, "memory", tensor.memory);
    assert_word(said, "type", tensor.type);
    assert_string_equal(
        json_string_value(item(all->document, "texts", number_in(said, "mapping", -1))),
        tensor.mapping.data);
    assert_number(said, "address", tensor.address);
    assert_number(said, "bytes", tensor.bytes);
    assert_number(said, "chips", tensor.chips);
    assert_number(said, "clusters", tensor.clusters);
    assert_number(said, "slices", tensor.slices);
    assert_number(said, "from", tensor.from);
    assert_number(said, "to", tensor.to);
    assert_number(said, "writer", tensor.writer);
    assert_numbers(json_object_get(said, "readers"), tensor.readers, tensor.reader_count);
}

// Lanes that follow each other are one use there.
static void compare_uses(const json_t *said, const ContraScheduledOperation *operation)
{
    int64_t next = 0;
    for (size_t i = 0; i < json_array_size(said); i++) {
        const json_t *use = json_array_get(said, i);
        const json_t *lanes = json_array_get(use, 3);
        int64_t count = lanes ? json_integer_value(lanes) : 1;
        for (int64_t k = 0; k < count; k++, next++) {
            assert_true(next < operation->use_count);
            const ContraLaneUse *found = &operation->uses[next];
            assert_int_equal(json_integer_value(json_array_get(use, 0)) + k, found->lane);
            assert_int_equal(json_integer_value(json_array_get(use, 1)), found->from);
            assert_int_equal(json_integer_value(json_array_get(use, 2)), found->to);
        }
    }
    assert_int_equal(next, operation->use_count);
}

static void compare_wait(const json_t *said, const ContraWait *wait)
{
    const json_t *memory = json_object_get(said, "memory");
    assert_word(said, "kind", wait->kind);
    assert_number(said, "until", wait->until);
    assert_int_equal(number_in(said, "operation", -1), wait->operation);
    assert_int_equal(number_in(said, "other", -1), wait->other);
    assert_true((memory != NULL) == (wait->memory != NULL));
    if (!memory) {
        assert_int_equal(number_in(said, "lane", -1), wait->lane);
        return;
    }
    assert_word(said, "memory", wait->memory);
    assert_number(said, "from", wait->from);
    assert_number(said, "to", wait->to);
    assert_int_equal(number_in(said, "low", wait->from), wait->low);
    assert_int_equal(number_in(said, "high", wait->to), wait->high);
}

static void compare_part(const json_t *said, const ContraCostPart *part)
{
    const json_t *note = json_object_get(said, "note");
    assert_word(said, "part", part->part);
    assert_number(said, "busy", part->busy);
    assert_number(said, "latency", part->latency);
    assert_word(said, "origin", part->origin);
    assert_word(said, "rule", part->rule);
    assert_string_equal(note ? json_string_value(note) : "", part->note.data);
}

static void compare_parts(const Scheduled *all, const json_t *commands,
                          const ContraScheduledOperation *operation)
{
    int64_t next = 0;
    assert_int_equal(json_array_size(commands), operation->commands);
    for (int64_t i = 0; i < operation->commands; i++) {
        int64_t cost = json_integer_value(json_array_get(commands, (size_t)i));
        const json_t *parts = json_object_get(item(all->document, "costs", cost), "parts");
        for (size_t k = 0; k < json_array_size(parts); k++, next++) {
            assert_true(next < operation->part_count);
            assert_int_equal(operation->parts[next].command, i);
            compare_part(json_array_get(parts, k), &operation->parts[next]);
        }
    }
    assert_int_equal(next, operation->part_count);
}

static const char *text_in(const Scheduled *all, const char *list, const json_t *object,
                           const char *key)
{
    return json_string_value(item(all->document, list, number_in(object, key, -1)));
}

static void compare_kind(const Scheduled *all, const json_t *kind,
                         const ContraScheduledOperation *operation)
{
    const json_t *hints = json_object_get(kind, "hints");
    assert_word(kind, "method", operation->method.data);
    assert_word(kind, "context", operation->context);
    assert_string_equal(text_in(all, "files", kind, "file"), operation->file.data);
    assert_number(kind, "line", operation->line);
    assert_string_equal(text_in(all, "texts", kind, "source"), operation->source.data);
    assert_word(kind, "bound", operation->bound);
    assert_number(kind, "bytes", operation->bytes);
    assert_number(kind, "macs", operation->macs);
    compare_parts(all, json_object_get(kind, "commands"), operation);
    assert_int_equal(json_array_size(hints), operation->hint_count);
    for (int64_t i = 0; i < operation->hint_count; i++)
        assert_string_equal(
            json_string_value(
                item(all->document, "texts", json_integer_value(json_array_get(hints, (size_t)i)))),
            operation->hints[i].data);
}

static void compare_operation(const Scheduled *all, int64_t index)
{
    ContraScheduledOperation operation = contra_scheduled_operation();
    const json_t *said = item(all->document, "operations", index);
    const json_t *waits = json_object_get(said, "waits");
    assert_int_equal(contra_schedule_operation(all->contra, all->schedule, index, &operation),
                     CONTRA_OK);
    assert_number(said, "begin", operation.begin);
    assert_number(said, "end", operation.end);
    assert_number(said, "slack", operation.slack);
    assert_true((json_object_get(said, "critical") != NULL) == operation.is_critical);
    compare_uses(json_object_get(said, "uses"), &operation);
    assert_int_equal(json_array_size(waits), operation.wait_count);
    for (int64_t i = 0; i < operation.wait_count; i++)
        compare_wait(json_array_get(waits, (size_t)i), &operation.waits[i]);
    assert_numbers(json_object_get(said, "reads"), operation.reads, operation.read_count);
    assert_number(said, "writes", operation.writes);
    compare_kind(all, item(all->document, "kinds", number_in(said, "kind", -1)), &operation);
    assert_true(operation.chips >= 1 && operation.first_chip >= 0);
    ContraScheduledOperation again = contra_scheduled_operation();
    contra_schedule_operation(all->contra, all->schedule, index, &again);
    assert_ptr_equal(again.parts, operation.parts); // made once
}

static const struct {
    const char *file, *kernel;
    ContraCost cost;
} kernels[] = {
    {"examples/hello/gemm.rs", "gemm", CONTRA_COST_MANUAL},
    {"examples/hello/gemm.rs", "gemm", CONTRA_COST_SILICON},
    {"examples/kernels/double_buffered_gemm.rs", "gemm", CONTRA_COST_STATIC},
    {"examples/kernels/collectives.rs", "all_reduce", CONTRA_COST_MANUAL},
};

TEST(values_are_those_of_the_document)
{
    for (size_t i = 0; i < COUNT_OF(kernels); i++) {
        Scheduled all = open_kernel(kernels[i].file, kernels[i].kernel, kernels[i].cost);
        ContraScheduleSummary summary = contra_schedule_summary_info();
        assert_int_equal(contra_schedule_summary(all.contra, all.schedule, &summary), CONTRA_OK);
        compare_summary(&all, &summary);
        assert_int_equal(json_array_size(json_object_get(all.document, "lanes")),
                         summary.lane_count);
        assert_int_equal(json_array_size(json_object_get(all.document, "operations")),
                         summary.operation_count);
        assert_int_equal(json_array_size(json_object_get(all.document, "tensors")),
                         summary.tensor_count);
        for (int64_t k = 0; k < summary.lane_count; k++)
            compare_lane(&all, k);
        for (int64_t k = 0; k < summary.operation_count; k++)
            compare_operation(&all, k);
        for (int64_t k = 0; k < summary.tensor_count; k++)
            compare_tensor(&all, k);
        close_kernel(&all);
    }
}

TEST(operations_know_their_chips_and_shares)
{
    Scheduled all = open_kernel("examples/hello/gemm.rs", "gemm", CONTRA_COST_MANUAL);
    ContraScheduledOperation operation = contra_scheduled_operation();
    bool multiplies = false;
    for (int64_t i = 0; contra_schedule_operation(all.contra, all.schedule, i, &operation) == 0;
         i++) {
        assert_int_equal(operation.first_chip, 0);
        assert_int_equal(operation.chips, 1);
        multiplies |= operation.macs > 0 && operation.mac_permille > 0;
    }
    assert_true(multiplies);
    close_kernel(&all);
    all = open_kernel("examples/kernels/collectives.rs", "all_reduce", CONTRA_COST_MANUAL);
    ContraScheduleSummary summary = contra_schedule_summary_info();
    contra_schedule_summary(all.contra, all.schedule, &summary);
    assert_int_equal(contra_schedule_operation(all.contra, all.schedule, 0, &operation), CONTRA_OK);
    assert_true(summary.chips > 1);
    assert_int_equal(operation.chips, summary.chips);
    close_kernel(&all);
}

// A schedule is of the machine that was in use when it was made.
TEST(a_schedule_keeps_its_machine)
{
    static const char slow[] = "{\"base\": \"rngd\", \"clock_mhz\": 500}";
    char path[] = P_tmpdir "/contra-XXXXXX.json";
    int file = mkstemps(path, (int)strlen(".json"));
    assert_true(file >= 0);
    assert_int_equal(write(file, slow, strlen(slow)), strlen(slow));
    close(file);
    Scheduled all = open_kernel("examples/hello/gemm.rs", "gemm", CONTRA_COST_MANUAL);
    assert_int_equal(contra_use_machine(all.contra, contra_text(path)), CONTRA_OK);
    json_t *later = document_of(all.contra, all.schedule);
    assert_true(json_equal(all.document, later));
    json_decref(later);
    close_kernel(&all);
    unlink(path);
}

TEST(what_is_not_there_is_refused)
{
    Scheduled all = open_kernel("examples/hello/gemm.rs", "gemm", CONTRA_COST_MANUAL);
    ContraScheduleSummary summary = contra_schedule_summary_info();
    ContraObjectSummary object = contra_object_summary_info();
    ContraScheduledOperation small = contra_scheduled_operation();
    contra_schedule_summary(all.contra, all.schedule, &summary);
    contra_object_summary(all.contra, all.object, &object);
    const int64_t beyond[] = {-1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT_OF(beyond); i++) {
        assert_int_equal(contra_schedule_lane(all.contra, all.schedule, beyond[i], NULL),
                         CONTRA_INVALID);
        assert_int_equal(contra_schedule_operation(all.contra, all.schedule, beyond[i], NULL),
                         CONTRA_INVALID);
        assert_int_equal(contra_schedule_tensor(all.contra, all.schedule, beyond[i], NULL),
                         CONTRA_INVALID);
        assert_int_equal(contra_object_memory(all.contra, all.object, beyond[i], NULL),
                         CONTRA_INVALID);
    }
    assert_int_equal(
        contra_schedule_operation(all.contra, all.schedule, summary.operation_count, NULL),
        CONTRA_INVALID);
    assert_int_equal(contra_object_memory(all.contra, all.object, object.memory_count, NULL),
                     CONTRA_INVALID);
    assert_non_null(strstr(contra_diagnostics(all.contra, CONTRA_PLAIN).data, "E0008"));
    small.size = 16;
    assert_int_equal(contra_schedule_operation(all.contra, all.schedule, 0, &small),
                     CONTRA_INVALID);
    close_kernel(&all);
}

// ---- objects

static void count_commands(const json_t *object, ContraObjectSummary *counts)
{
    const json_t *operations = json_object_get(object, "operations");
    for (size_t i = 0; i < json_array_size(operations); i++) {
        const json_t *commands = json_object_get(json_array_get(operations, i), "commands");
        for (size_t k = 0; k < json_array_size(commands); k++) {
            const json_t *command = json_array_get(commands, k);
            const json_t *dma = json_object_get(command, "dma");
            counts->pass_count += json_object_get(command, "pass") != NULL;
            counts->write_count += json_object_get(command, "immediate") != NULL;
            counts->dma_count += dma != NULL;
            counts->descriptor_count +=
                (int64_t)json_array_size(json_object_get(dma, "descriptors"));
        }
    }
}

TEST(an_object_says_what_it_comes_to)
{
    Scheduled all = open_kernel("examples/hello/gemm.rs", "gemm", CONTRA_COST_MANUAL);
    ContraListingOptions options = contra_listing_options();
    ContraObjectSummary summary = contra_object_summary_info(), counts = summary;
    ContraText text;
    options.json = true;
    assert_int_equal(contra_object_text(all.contra, all.object, &options, &text), CONTRA_OK);
    json_t *object = json_loads(text.data, 0, NULL);
    assert_int_equal(contra_object_summary(all.contra, all.object, &summary), CONTRA_OK);
    count_commands(object, &counts);
    assert_word(object, "kernel", summary.kernel.data);
    assert_word(object, "machine", summary.machine.data);
    assert_string_equal(summary.version.data, contra_version());
    assert_number(object, "chips", summary.chips);
    assert_int_equal(json_array_size(json_object_get(object, "operations")),
                     summary.operation_count);
    assert_int_equal(json_array_size(json_object_get(object, "tensors")), summary.tensor_count);
    assert_true(counts.pass_count && counts.dma_count && counts.descriptor_count);
    assert_int_equal(summary.pass_count, counts.pass_count);
    assert_int_equal(summary.dma_count, counts.dma_count);
    assert_int_equal(summary.write_count, counts.write_count);
    assert_int_equal(summary.descriptor_count, counts.descriptor_count);
    json_decref(object);
    close_kernel(&all);
}

// Two tensors in HBM far apart, two in DM that share half of their bytes.
TEST(memories_are_filled)
{
    static const struct {
        const char *memory;
        int64_t clusters, slices, used, end, tensors;
    } expected[] = {
        {"HBM", 1, 1, 2 * 4096 * 4, 0x100000 + 4096 * 4, 2},
        {"DM", 2, 256, 64 + 32, 0x60, 2},
        {"TRF", 2, 256, 0, 0, 0},
        {"VRF", 2, 256, 0, 0, 0},
    };
    Contra *contra = contra_new();
    ContraProgram *program;
    ContraTensor *x, *rows, *again, *out;
    ContraObject *object = NULL;
    int64_t kernel;
    contra_program_new(contra, "moves", 1, NULL, &program);
    contra_axis(program, "A", 4096);
    contra_param(program, "x", contra_hbm("i32", "1", "A", 0), &x);
    contra_to_dm(x, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0), &rows);
    contra_to_dm(x, "tdma", "again", contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0x20),
                 &again);
    contra_to_hbm(again, "tdma", "out", contra_hbm_result("A", 0x100000), &out);
    contra_return(program, out);
    contra_program_finish(program, &kernel);
    if (contra_compile(contra, kernel, NULL, 0, &object))
        fail_msg("%s", contra_diagnostics(contra, CONTRA_PLAIN).data);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        ContraMemoryUse memory = contra_memory_use();
        assert_int_equal(contra_object_memory(contra, object, (int64_t)i, &memory), CONTRA_OK);
        assert_string_equal(memory.memory, expected[i].memory);
        assert_true(memory.bytes > 0);
        assert_int_equal(memory.clusters, expected[i].clusters);
        assert_int_equal(memory.slices, expected[i].slices);
        assert_int_equal(memory.used, expected[i].used);
        assert_int_equal(memory.end, expected[i].end);
        assert_int_equal(memory.tensor_count, expected[i].tensors);
    }
    contra_free(contra);
}
