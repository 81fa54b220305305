// A kernel from its source and from its object file: the same arrays in, the same bytes out. Every
// kernel of tests/kernels and of the examples. SIM_ONLY=NAME in the environment takes only those
// with that in their name.
#include "contra.h"

#include "shrink.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARAMS = 16, MOST_ELEMENTS = 1 << 22, LAUNCHED_EACH = 16 };

static const struct {
    const char *name;
    ContraElement type;
    int64_t bytes;
} types[] = {
    {"i4", CONTRA_I8, 1},         {"i8", CONTRA_I8, 1},         {"u8", CONTRA_U8, 1},
    {"i16", CONTRA_I16, 2},       {"i32", CONTRA_I32, 4},       {"f8", CONTRA_U8, 1},
    {"f8e4m3", CONTRA_F8E4M3, 1}, {"f8e5m2", CONTRA_F8E5M2, 1}, {"bf16", CONTRA_BF16, 2},
    {"f16", CONTRA_F16, 2},       {"f32", CONTRA_F32, 4},
};

// One kernel with its inputs.
typedef struct {
    ContraInput inputs[MOST_PARAMS], numbers[MOST_PARAMS], tensors[MOST_PARAMS];
    int64_t shapes[MOST_PARAMS];
    int64_t count, number_count, tensor_count;
} Given;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

// Any bytes, but such as i4 can be, and integers small enough to be indices now and then.
static void *random_bytes(const char *type, int64_t count, int64_t bytes, uint32_t *state)
{
    uint8_t *data = malloc((size_t)(count * bytes) + 1);
    bool nibbles = strcmp(type, "i4") == 0, words = strcmp(type, "i32") == 0;
    assert_non_null(data);
    for (int64_t i = 0; i < count * bytes; i++)
        data[i] = nibbles ? (uint8_t)(next_random(state) % 16 - 8) : (uint8_t)next_random(state);
    for (int64_t i = 0; words && i < count; i += 2)
        memset(data + i * bytes + 1, 0, 3);
    return data;
}

static bool add_tensor(Given *given, const ContraParam *param, uint32_t *state)
{
    int64_t count = 1;
    size_t row = 0;
    for (int64_t i = 0; i < param->axis_count && count <= MOST_ELEMENTS; i++)
        count *= param->axes[i].size;
    while (row < sizeof types / sizeof types[0] && strcmp(types[row].name, param->type.data))
        row++;
    if (count > MOST_ELEMENTS || row == sizeof types / sizeof types[0])
        return false;
    int64_t *shape = &given->shapes[given->count];
    *shape = count;
    ContraInput input = {.name = param->name, .array = {types[row].type, 1, shape, NULL}};
    input.array.data = random_bytes(types[row].name, count, types[row].bytes, state);
    given->tensors[given->tensor_count++] = given->inputs[given->count++] = input;
    return true;
}

static bool give(Given *given, const ContraKernel *kernel, uint32_t *state)
{
    for (int64_t i = 0; i < kernel->param_count && given->count < MOST_PARAMS; i++) {
        const ContraParam *param = &kernel->params[i];
        bool is_bool = strcmp(param->type.data, "bool") == 0;
        if (!param->is_input || (param->is_tensor && param->is_output))
            continue;
        if (param->is_tensor) {
            if (!add_tensor(given, param, state))
                return false;
            continue;
        }
        ContraInput number = {
            .name = param->name, .is_number = true, .number = contra_text(is_bool ? "true" : "1")};
        given->numbers[given->number_count++] = given->inputs[given->count++] = number;
    }
    return true;
}

static void release(Given *given)
{
    for (int64_t i = 0; i < given->tensor_count; i++)
        free((void *)(uintptr_t)given->tensors[i].array.data);
}

static bool same_outputs(const ContraOutput *a, const ContraOutput *b, int64_t count)
{
    bool same = true;
    for (int64_t i = 0; i < count && same; i++) {
        size_t bytes = 0, elements = (size_t)contra_array_count(&a[i].array);
        for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
            bytes = types[k].type == a[i].array.type ? (size_t)types[k].bytes : bytes;
        same = a[i].array.type == b[i].array.type && a[i].uninitialised == b[i].uninitialised &&
               elements == (size_t)contra_array_count(&b[i].array) && bytes &&
               !memcmp(a[i].array.data, b[i].array.data, elements * bytes);
    }
    return same;
}

// By way of a file. Negative: it is not to be had.
static int64_t object_kernel(Contra *contra, int64_t kernel, const Given *given)
{
    char path[] = "/tmp/contra-sim-XXXXXX";
    int file = mkstemp(path);
    ContraObject *object = NULL, *read = NULL;
    int64_t index = -1;
    assert_true(file >= 0);
    close(file);
    if (contra_compile(contra, kernel, given->numbers, given->number_count, &object) == CONTRA_OK &&
        contra_object_write(contra, object, contra_text(path)) == CONTRA_OK &&
        contra_object_read(contra, contra_text(path), &read) == CONTRA_OK &&
        contra_object_kernel(contra, read, &index) != CONTRA_OK)
        index = -1;
    unlink(path);
    return index;
}

// Launched twice on one device: the second time nothing of the first shows.
static bool launches_give(Contra *contra, int64_t object, const Given *given,
                          const ContraRunOptions *options, const ContraOutput *wanted,
                          int64_t wanted_count)
{
    ContraLaunch *launch = NULL;
    const ContraOutput *outputs;
    int64_t count;
    bool same = contra_launch_open(contra, object, given->tensors, given->tensor_count, options,
                                   &launch) == CONTRA_OK;
    for (int i = 0; i < 2 && same; i++)
        same = contra_launch_run(launch) == CONTRA_OK &&
               contra_launch_outputs(launch, &outputs, &count) == CONTRA_OK &&
               count == wanted_count && same_outputs(wanted, outputs, count);
    same = same && contra_launch_tensor_bytes(launch) > 0;
    contra_launch_close(launch);
    return same;
}

static int64_t bytes_of(ContraElement type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == type)
            return types[i].bytes;
    return 0;
}

// Memory for every tensor: as it was given, and full of something else for what comes out.
typedef struct {
    ContraBuffer items[MOST_PARAMS];
    ContraOutput outputs[MOST_PARAMS];
    int64_t output_count;
} Buffers;

static void add_output(Buffers *buffers, int64_t param, const ContraOutput *wanted)
{
    ContraBuffer *buffer = &buffers->items[param];
    size_t bytes = (size_t)(contra_array_count(&wanted->array) * bytes_of(wanted->array.type));
    *buffer = contra_buffer();
    buffer->type = wanted->array.type;
    buffer->rank = wanted->array.rank;
    buffer->shape = wanted->array.shape;
    buffer->out = malloc(bytes + 1);
    assert_non_null(buffer->out);
    memset(buffer->out, 0x5a, bytes);
    ContraOutput *output = &buffers->outputs[buffers->output_count++];
    *output = *wanted;
    output->array.data = buffer->out;
}

static void add_input(Buffers *buffers, int64_t param, const ContraInput *given)
{
    ContraBuffer *buffer = &buffers->items[param];
    *buffer = contra_buffer();
    buffer->type = given->array.type;
    buffer->rank = given->array.rank;
    buffer->shape = given->array.shape;
    buffer->in = given->array.data;
}

// On memory of the caller, twice in the same and once in another: the same bytes come there.
static bool buffers_give(Contra *contra, int64_t object, const Given *given,
                         const ContraRunOptions *options, const ContraOutput *wanted,
                         int64_t wanted_count)
{
    ContraLaunch *launch = NULL;
    ContraKernel kernel = contra_kernel_info();
    Buffers buffers[2] = {0};
    bool same = contra_kernel(contra, object, &kernel) == CONTRA_OK &&
                contra_launch_open(contra, object, NULL, 0, options, &launch) == CONTRA_OK;
    for (int k = 0; k < 2 && same; k++) {
        int64_t next = 0;
        for (int64_t i = 0; i < kernel.param_count && same; i++) {
            if (kernel.params[i].is_output)
                add_output(&buffers[k], i, &wanted[buffers[k].output_count]);
            else
                add_input(&buffers[k], i, &given->tensors[next++]);
            same = contra_launch_bind(launch, i, &buffers[k].items[i]) == CONTRA_OK;
        }
        for (int i = 0; i < 2 - k && same; i++)
            same = contra_launch_run(launch) == CONTRA_OK &&
                   same_outputs(wanted, buffers[k].outputs, wanted_count);
    }
    contra_launch_close(launch);
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < MOST_PARAMS; i++)
            free(buffers[k].items[i].out);
    return same;
}

typedef struct {
    int64_t same, kernels, left_out;
} Tally;

static void compare_kernel(Contra *contra, int64_t index, Tally *tally)
{
    ContraKernel kernel = contra_kernel_info();
    Given given = {0};
    uint32_t state = (uint32_t)index + 1;
    const ContraOutput *from_source, *from_object;
    int64_t count, object_count, object = -1;
    ContraRunOptions options = contra_run_options();
    options.threads = 1;
    bool ok = contra_kernel(contra, index, &kernel) == CONTRA_OK && give(&given, &kernel, &state);
    if (ok)
        object = object_kernel(contra, index, &given);
    if (object < 0) {
        tally->left_out++;
    } else {
        tally->kernels++;
        ContraStatus first = contra_run_kernel(contra, index, given.inputs, given.count, &options,
                                               &from_source, &count);
        ContraStatus second = contra_run_kernel(contra, object, given.tensors, given.tensor_count,
                                                &options, &from_object, &object_count);
        bool same = first == second && count == object_count &&
                    same_outputs(from_source, from_object, count);
        if (!same)
            print_message("%s: source and object differ\n", kernel.name.data);
        if (same && first == CONTRA_OK && index % LAUNCHED_EACH == 0 &&
            (!launches_give(contra, object, &given, &options, from_source, count) ||
             !buffers_give(contra, object, &given, &options, from_source, count))) {
            print_message("%s: launches of the object differ\n", kernel.name.data);
            same = false;
        }
        tally->same += same;
    }
    release(&given);
}

static void compare_path(const char *path)
{
    Contra *contra = contra_new();
    ContraCheckOptions options = contra_check_options();
    ContraText text = contra_text(path);
    Tally tally = {0};
    const char *only = getenv("SIM_ONLY");
    int64_t step = (int64_t)(1 / test_scale());
    contra_load(contra, &text, 1, &options);
    int64_t count = contra_kernel_count(contra);
    for (int64_t i = 0; i < count; i++) {
        ContraKernel kernel = contra_kernel_info();
        bool wanted =
            only ? contra_kernel(contra, i, &kernel) == CONTRA_OK && strstr(kernel.name.data, only)
                 : step < 2 || i % step == step / 2;
        if (wanted)
            compare_kernel(contra, i, &tally);
    }
    print_message("%s: %" PRId64 " of %" PRId64 " kernels give the same bytes, %" PRId64
                  " left out\n",
                  path, tally.same, tally.kernels, tally.left_out);
    contra_free(contra);
    assert_int_equal(tally.same, tally.kernels);
    assert_true(only || tally.kernels > 0);
}

TEST(kernels_give_the_same)
{
    compare_path("tests/kernels");
}

TEST(examples_give_the_same)
{
    compare_path("examples");
}

// Nothing of a launch stays in DM, TRF and VRF; arguments there are given each time.
TEST(arguments_of_slices_are_given_again)
{
    Contra *contra = contra_new();
    ContraCheckOptions check = contra_check_options();
    ContraText path = contra_text("tests/positive/run/slice_arguments.tcp");
    ContraRunOptions options = contra_run_options();
    options.threads = 1;
    options.random = true;
    options.seed = 1;
    options.sanitize = true;
    ContraLaunch *launch = NULL;
    const ContraOutput *wanted, *outputs;
    int64_t wanted_count, count;
    assert_int_equal(contra_load(contra, &path, 1, &check), CONTRA_OK);
    assert_int_equal(contra_run_kernel(contra, 0, NULL, 0, &options, &wanted, &wanted_count),
                     CONTRA_OK);
    assert_int_equal(wanted[0].uninitialised, 0);
    assert_int_equal(contra_launch_open(contra, 0, NULL, 0, &options, &launch), CONTRA_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(contra_launch_run(launch), CONTRA_OK);
        assert_int_equal(contra_launch_outputs(launch, &outputs, &count), CONTRA_OK);
        assert_int_equal(count, wanted_count);
        assert_true(same_outputs(wanted, outputs, count));
    }
    contra_launch_close(launch);
    contra_free(contra);
}
