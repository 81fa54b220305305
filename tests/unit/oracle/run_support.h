// Programs from text, run on values of the test, for the tests of this folder.
#ifndef CONTRA_TESTS_RUN_SUPPORT_H
#define CONTRA_TESTS_RUN_SUPPORT_H

#include "../program/program_support.h"
#include "oracle/oracle.h"

// Values at the positions of a tensor that are no padding.
typedef struct {
    uint32_t *bits;
    uint8_t *live;
    int64_t count;
} Values;

typedef struct {
    Desk *desk;
    const Program *program;
    OracleOptions options;
    Oracle *oracle;
    Array **bound; // by tensor
} Run;

static inline Run run_open(const char *text, Numerics numerics)
{
    Run run = {.desk = desk_new(NULL), .options = {.numerics = numerics}};
    run.program = desk_program(run.desk, str_from(text));
    run.oracle = oracle_new(run.program, &run.options, &run.desk->diags);
    run.bound = arena_new(&run.desk->arena, Array *, (size_t)run.program->tensors.count);
    assert_non_null(run.oracle);
    return run;
}

static inline const Tensor *run_tensor(const Run *run, const char *name)
{
    for (int64_t i = 0; i < run->program->tensors.count; i++) {
        const Tensor *tensor = run->program->tensors.items[i];
        if (tensor->name && strcmp(tensor->name, name) == 0)
            return tensor;
    }
    fail_msg("no tensor %s", name);
    return NULL;
}

static inline Mapping run_mapping(Run *run, const Tensor *tensor)
{
    return shape_of(&run->desk->arena, tensor->dims);
}

static inline Values run_values(Run *run, const Tensor *tensor)
{
    Mapping mapping = run_mapping(run, tensor);
    int64_t count = mapping_live_positions(&run->desk->arena, &mapping);
    return (Values){arena_new(&run->desk->arena, uint32_t, (size_t)count + 1),
                    arena_new(&run->desk->arena, uint8_t, (size_t)count + 1), count};
}

// A parameter with these values.
static inline void run_bind(Run *run, const char *name, const Values *values)
{
    const Tensor *tensor = run_tensor(run, name);
    Mapping mapping = run_mapping(run, tensor);
    Array *array = array_new(tensor->type, &mapping);
    assert_true(array_write(array, &mapping, values->bits, values->live, NULL));
    oracle_bind(run->oracle, tensor, array);
    run->bound[tensor->id] = array;
}

// A parameter that holds first, first + 1, .. at its positions, wrapped to its type.
static inline Values run_count(Run *run, const char *name, int32_t first)
{
    const Tensor *tensor = run_tensor(run, name);
    Values values = run_values(run, tensor);
    for (int64_t i = 0; i < values.count; i++) {
        values.bits[i] = scalar_wrap(tensor->type, (uint32_t)(first + (int32_t)i));
        values.live[i] = 1;
    }
    run_bind(run, name, &values);
    return values;
}

static inline void run_go(Run *run)
{
    if (!oracle_run(run->oracle))
        fail_msg("%s", desk_reports(run->desk));
}

// What a tensor holds at its positions.
static inline Values run_result(Run *run, const char *name)
{
    const Tensor *tensor = run_tensor(run, name);
    Mapping mapping = run_mapping(run, tensor);
    Values values = run_values(run, tensor);
    Array *bound = run->bound[tensor->id];
    Array *array = bound ? bound : oracle_take(run->oracle, tensor);
    assert_non_null(array);
    assert_true(array_read(array, &mapping, values.bits, values.live, NULL));
    if (!bound)
        array_free(array);
    return values;
}

static inline void run_close(Run *run)
{
    oracle_free(run->oracle);
    for (int64_t i = 0; i < run->program->tensors.count; i++)
        array_free(run->bound[i]);
    desk_free(run->desk);
}

static inline uint32_t f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float f32_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
