#include "api/launch_ready.h"

#include "api/faults.h"
#include "engine/memory/access.h"

static bool is_param(const Tensor *tensor)
{
    return tensor_root(tensor)->origin == ORIGIN_PARAM;
}

static void find_writes(Arena *arena, ReadyKernel *kernel)
{
    const Program *program = kernel->program;
    bool *is_seen = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    kernel->is_result = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->results.count; i++)
        kernel->is_result[tensor_root(program->results.items[i])->id] = true;
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = op_target(program->ops.items[i]);
        const Tensor *root = target ? tensor_root(target) : NULL;
        if (!root || is_seen[root->id] || (root->tier != TIER_HBM && !is_param(root)))
            continue;
        is_seen[root->id] = true;
        *array_push(arena, &kernel->written, const Tensor *) = root;
    }
}

// Whether any parameter in HBM lies in these bytes.
static bool meets_param(const ReadyKernel *kernel, const HwArgument *place)
{
    for (int64_t i = 0; i < kernel->program->tensors.count; i++) {
        const Tensor *tensor = kernel->program->tensors.items[i];
        if (tensor->origin == ORIGIN_PARAM &&
            argument_meets(&kernel->lowered.places[tensor->id], place))
            return true;
    }
    return false;
}

static void find_own(Arena *arena, ReadyKernel *kernel)
{
    for (int64_t i = 0; i < kernel->program->tensors.count; i++) {
        const Tensor *tensor = kernel->program->tensors.items[i];
        const HwArgument *place = &kernel->lowered.places[tensor->id];
        if ((tensor->tier == TIER_HBM || tensor->tier == TIER_HOST) && !is_param(tensor))
            *array_push(arena, &kernel->own, OwnPlace) =
                (OwnPlace){place, meets_param(kernel, place), tensor->origin == ORIGIN_ADDRESS};
    }
}

static bool lower_launch(Contra *contra, const ContraRunOptions *options, Arena *scratch,
                         Program *program, ReadyKernel *kernel)
{
    DiagList why = {.arena = &contra->arena};
    bool ok = program_lower(contra, program, scratch, &why, &kernel->lowered) &&
              program_admit(contra, program, &kernel->lowered.object, &why);
    if (!ok)
        warn_not_lowered(contra, options, program, &why);
    return ok;
}

// It keeps all tensors: who executes or compares with it looks at them behind their last use.
static void make_oracle(Contra *contra, const ContraRunOptions *run, ReadyKernel *kernel)
{
    OracleOptions options = oracle_options(run);
    if (kernel->is_lowered)
        options.progress = NULL;
    kernel->oracle = oracle_new(kernel->program, &options, &contra->diags);
    if (!kernel->oracle)
        arena_exhausted(&contra->arena);
}

ReadyKernel *kernel_ready(Contra *contra, const ContraRunOptions *options, Arena *scratch,
                          Program *program)
{
    Arena *arena = &contra->arena;
    ReadyKernel *kernel = arena_new(arena, ReadyKernel, 1);
    kernel->program = program;
    kernel->is_lowered = lower_launch(contra, options, scratch, program, kernel);
    find_writes(arena, kernel);
    kernel->reduced = faults_find_reduced(program, &contra->diags);
    if (kernel->is_lowered)
        find_own(arena, kernel);
    if (!kernel->is_lowered || options->check_oracle)
        make_oracle(contra, options, kernel);
    return kernel;
}
