#include "api/prepare.h"

#include "api/execute.h"

#include <string.h>

// What is known of a kernel.
typedef struct {
    bool has_arguments;
    Arguments arguments;
    Prepared *prepared;
} Facts;

// What a kernel is, wherever it stands among the others.
static const void *identity(const Kernel *kernel)
{
    return kernel->generics  ? (const void *)kernel->generics
           : kernel->decl    ? (const void *)kernel->decl
           : kernel->program ? (const void *)kernel->program
                             : (const void *)kernel->object;
}

static Facts *facts_of(Contra *contra, const Kernel *kernel)
{
    Facts *facts = map_get(&contra->facts, identity(kernel));
    if (facts)
        return facts;
    facts = arena_new(&contra->arena, Facts, 1);
    map_put(&contra->facts, identity(kernel), facts);
    return facts;
}

// ---- what it takes

static void remember_outputs(Contra *contra, const Arguments *arguments)
{
    for (int64_t i = 0; i < arguments->items.count; i++) {
        Argument *argument = &arguments->items.items[i];
        if (argument->is_output && argument->param.is_tensor)
            map_put(&contra->outputs, argument->shown.axes, argument);
    }
}

bool kernel_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments)
{
    Facts *facts = facts_of(contra, kernel);
    if (!facts->has_arguments) {
        if (!kernel_read_arguments(contra, kernel, &facts->arguments))
            return false;
        remember_outputs(contra, &facts->arguments);
        facts->has_arguments = true;
    }
    *arguments = facts->arguments;
    arguments->kernel = kernel;
    return true;
}

const Argument *argument_of_output(const Contra *contra, const ContraOutput *output)
{
    return output->param.axes ? map_get(&contra->outputs, output->param.axes) : NULL;
}

// ---- with values for its numbers

static uint64_t bits_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

// Floats by their bits: a kernel may tell -0.0 from 0.0, and one NaN is as good as the next.
static bool same_number(const Value *a, const Value *b)
{
    return a->kind == b->kind && (a->kind == VALUE_BOOL    ? a->boolean == b->boolean
                                  : a->kind == VALUE_FLOAT ? bits_of(a->real) == bits_of(b->real)
                                                           : a->integer == b->integer);
}

static bool same_numbers(const Prepared *prepared, const Value *numbers, int64_t count)
{
    bool same = prepared->number_count == count;
    for (int64_t i = 0; same && i < count; i++)
        same = same_number(&prepared->numbers[i], &numbers[i]);
    return same;
}

Prepared *prepared_find(Run *run, const Value *numbers, int64_t count)
{
    Contra *contra = run->contra;
    for (Prepared *prepared = facts_of(contra, run->arguments.kernel)->prepared; prepared;
         prepared = prepared->next) {
        if (prepared->settings != contra->settings || !same_numbers(prepared, numbers, count))
            continue;
        for (int64_t i = 0; i < prepared->said.count; i++)
            prepared->said.items[i]->is_repeated = false; // of a run whose faults said the same
        diag_move(&contra->diags, &prepared->said);
        return prepared;
    }
    return NULL;
}

Prepared *prepared_add(Run *run, Program *program, const Value *numbers, int64_t count,
                       int64_t first_diag)
{
    Contra *contra = run->contra;
    Arena *arena = &contra->arena;
    Facts *facts = facts_of(contra, run->arguments.kernel);
    Prepared *prepared = arena_new(arena, Prepared, 1);
    *prepared = (Prepared){.next = facts->prepared,
                           .settings = contra->settings,
                           .numbers = arena_copy(arena, numbers, sizeof *numbers * (size_t)count),
                           .number_count = count,
                           .program = program,
                           .said.arena = arena,
                           .why = {.arena = arena, .cancel = &contra->cancel}};
    for (int64_t i = first_diag; i < contra->diags.count; i++)
        *array_push(arena, &prepared->said, Diag *) = contra->diags.items[i];
    facts->prepared = prepared;
    return prepared;
}

bool prepared_lower(Run *run)
{
    Contra *contra = run->contra;
    Prepared *prepared = run->prepared;
    Program *program = prepared->program;
    if (prepared->lowering != NOT_LOWERED)
        return true;
    prepared->why.count = prepared->why.error_count = 0; // of a time when it was cancelled
    Lowering lowering = !run_lower(run, program, &prepared->why, &prepared->lowered) ? NOT_LOWERABLE
                        : !program_admit(contra, program, &prepared->lowered.object, &prepared->why)
                            ? LOWERED_BEYOND
                            : LOWERED;
    if (diag_cancelled(&contra->diags))
        return false;
    prepared->lowering = lowering;
    return true;
}

const Lowered *prepared_commands(Run *run)
{
    const Prepared *prepared = run->prepared;
    if (!prepared_lower(run))
        return NULL;
    if (prepared->lowering == LOWERED)
        return &prepared->lowered;
    warn_not_lowered(run->contra, run->options, prepared->program, &prepared->why);
    return NULL;
}
