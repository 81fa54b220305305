// Launches by the oracle: tensors are arrays of its own, which stay from one to the next. Buffers
// are copied in and out.
#include "api/launch_again.h"

#include <string.h>

// Arrays that were made are the launch's.
static void take_arrays(ContraLaunch *launch)
{
    Contra *contra = launch->run.contra;
    for (int64_t i = 0; i < contra->run.arrays.count; i++)
        *array_push(&launch->own, &launch->arrays, Array *) = contra->run.arrays.items[i];
    contra->run.arrays.count = 0;
}

bool launch_open_arrays(ContraLaunch *launch)
{
    Contra *contra = launch->run.contra;
    if (!inputs_arrays(&launch->run)) {
        run_release(contra);
        return false;
    }
    take_arrays(launch);
    launch->input_arrays = launch->arrays.count;
    return true;
}

void launch_forget_array(ContraLaunch *launch, int64_t index)
{
    const Array *array = launch->run.arrays[index];
    if (array)
        memset(array->live, 0, (size_t)array->count);
}

static void free_arrays(ContraLaunch *launch, int64_t from)
{
    for (int64_t i = from; i < launch->arrays.count; i++)
        array_free(launch->arrays.items[i]);
    launch->arrays.count = from < launch->arrays.count ? from : launch->arrays.count;
}

void launch_free_arrays(ContraLaunch *launch)
{
    free_arrays(launch, 0);
}

// False: a value does not fit, which was said, or it was cancelled.
static bool put_buffers(ContraLaunch *launch)
{
    Run *run = &launch->run;
    int64_t errors = run->contra->diags.error_count;
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const LaunchBuffer *buffer = &launch->buffers[i];
        if (buffer->is_bound && !buffer->input.array.data)
            launch_forget_array(launch, i);
        if (!buffer->is_bound || !buffer->input.array.data)
            continue;
        run->inputs[i] = &buffer->input;
        input_fill(run, i);
        run->inputs[i] = NULL;
        launch->copied += buffer->bytes;
    }
    return run->contra->diags.error_count == errors && !run->contra->cancel.seen;
}

static void get_buffers(ContraLaunch *launch)
{
    for (int64_t i = 0; i < launch->run.arguments.items.count; i++) {
        const LaunchBuffer *buffer = &launch->buffers[i];
        if (!buffer->out)
            continue;
        OutputWriter writer = buffer_open_output(launch, i);
        output_add_array(&writer, launch->run.arrays[i]);
        output_close(&writer);
        launch->copied += buffer->bytes;
        arena_clear(&launch->run.contra->scratch);
    }
}

ContraStatus launch_run_arrays(ContraLaunch *launch)
{
    Run *run = &launch->run;
    run_release(run->contra);
    for (int64_t i = run->arguments.result_start; i < run->arguments.items.count; i++)
        run->arrays[i] = NULL;
    free_arrays(launch, launch->input_arrays);
    if (!put_buffers(launch))
        return status_of(run->contra, CONTRA_INVALID);
    ContraStatus status = run_by_oracle(run);
    take_arrays(launch);
    run_release(run->contra);
    if (status == CONTRA_OK)
        get_buffers(launch);
    return status;
}
