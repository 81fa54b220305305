// A run by the oracle: tensors are arrays of its own, which stay from one run to the next.
#include "run/run.h"

OracleOptions oracle_options(const ContraRunOptions *options)
{
    return (OracleOptions){
        .numerics =
            options->numerics == CONTRA_NUMERICS_SEQUENTIAL ? NUMERICS_SEQUENTIAL : NUMERICS_TREE,
        .threads = (int32_t)options->threads,
        .is_cancelled = options->is_cancelled,
        .progress = options->progress,
        .own = options->own,
    };
}

void run_open_oracle(KernelRun *run, bool is_beside)
{
    OracleOptions options = oracle_options(run->options);
    options.results_only = !is_beside && !run->host;
    if (is_beside)
        options.progress = NULL; // the device tells
    run->oracle = oracle_new(run->program, &options, &run->contra->diags);
    if (!run->oracle)
        arena_exhausted(&run->contra->arena);
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (run->tensors[i] && run->arrays[i])
            oracle_bind(run->oracle, run->tensors[i], run->arrays[i]);
}

// What is given back may be a parameter, or be given back more than once: result `number`, if it is
// there already. NULL: it is not.
static Array *known_array(const KernelRun *run, int64_t number)
{
    const Program *program = run->program;
    const Tensor *result = program->results.items[number];
    int64_t start = run->arguments.result_start;
    for (int64_t i = 0; i < start; i++)
        if (run->tensors[i] == result)
            return run->arrays[i];
    for (int64_t i = 0; i < number; i++)
        if (program->results.items[i] == result)
            return run->arrays[start + i];
    return NULL;
}

static void take_results(KernelRun *run)
{
    const Program *program = run->program;
    int64_t start = run->arguments.result_start, count = run->arguments.count - start;
    for (int64_t i = 0; i < count && i < program->results.count; i++) {
        Array *array = known_array(run, i);
        if (!array) {
            array = oracle_take(run->oracle, program->results.items[i]);
            *array_push(run->arena, &run->own, Array *) = array;
        }
        run->arrays[start + i] = array;
    }
}

// ---- the backend

void run_drop_results(KernelRun *run)
{
    for (int64_t i = run->arguments.result_start; i < run->arguments.count; i++)
        run->arrays[i] = NULL;
    while (run->own.count > run->own_inputs)
        array_free(run->own.items[--run->own.count]);
}

static bool run_program_on_arrays(KernelRun *run)
{
    run_open_oracle(run, false);
    bool ok = oracle_run(run->oracle);
    if (ok)
        take_results(run);
    oracle_free(run->oracle);
    run->oracle = NULL;
    return ok;
}

static void get_array(KernelRun *run, int64_t index, OutputWriter *writer)
{
    const Array *array = run->arrays[index];
    const Shape *shape = &writer->argument->shape;
    Arena *scratch = run->scratch;
    Values values = values_new(scratch, shape->live);
    if (array && !array_read(array, &shape->mapping, values.bits, values.live, NULL))
        arena_exhausted(scratch);
    output_add(writer, shape->live, values.bits, values.live);
    output_close(writer);
    arena_clear(scratch);
}

const Backend backend_oracle = {
    .name = "oracle", .put = input_array, .run = run_program_on_arrays, .get = get_array};
