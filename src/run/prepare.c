// What is worked out of a kernel once: what it takes, and for each set of values of its numbers the
// program and its commands. It stays with the Contra, so that a kernel which is run again takes no
// more memory than its outputs.
#include "run/run.h"

#include <assert.h>
#include <string.h>

// A kernel with values for its numbers.
struct Prepared {
    Prepared *next;   // of the same kernel
    int64_t settings; // that it was made with
    const Value *numbers;
    int64_t number_count;
    Program *program;
    DiagList said;   // what tracing said, which is said again each time
    Lowered lowered; // whoever changes something of it takes a copy
};

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
    for (int64_t i = 0; i < arguments->count; i++) {
        Argument *argument = &arguments->items[i];
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

// NULL: it is not there, or rules or machine are others now.
static Prepared *prepared_find(KernelRun *run, const Value *numbers, int64_t count)
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

// Remembers what was traced, with what was said from `first_diag` on. Requires: it is sound.
static Prepared *prepared_add(KernelRun *run, Program *program, const Value *numbers, int64_t count,
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
                           .said.arena = arena};
    for (int64_t i = first_diag; i < contra->diags.count; i++)
        *array_push(arena, &prepared->said, Diag *) = contra->diags.items[i];
    facts->prepared = prepared;
    return prepared;
}

// ---- the program of a run

// Tensors that are parameters stand in the program in the order of the arguments.
static void find_tensors(KernelRun *run, const Program *program)
{
    int64_t next = 0;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        if (tensor->origin != ORIGIN_PARAM)
            continue;
        while (next < run->arguments.result_start && !run->arguments.items[next].param.is_tensor)
            next++;
        if (next == run->arguments.result_start)
            return;
        run->tensors[next++] = tensor;
    }
}

static bool is_refused(const KernelRun *run, int64_t errors)
{
    return run->contra->diags.error_count > errors;
}

// Only once the program is known to be right: what is wrong with it says more.
static void check_counted(const KernelRun *run)
{
    for (int64_t i = 0; i < run->arguments.count; i++) {
        const Argument *argument = &run->arguments.items[i];
        if (!argument->param.is_tensor || argument->shape.live != SHAPE_UNCOUNTED)
            continue;
        diag_add(&run->contra->diags, DIAG_SIZE_OVERFLOW, argument->param.span,
                 "`{}` has {} positions, cut so that those that are no padding cannot be counted "
                 "in good time",
                 argument->param.name, argument->shape.positions);
    }
}

// What is sound is remembered.
static Program *prepare(KernelRun *run, const Kernel *kernel, const Value *numbers, int64_t count)
{
    Contra *contra = run->contra;
    int64_t errors = contra->diags.error_count, said = contra->diags.count;
    Program *program = kernel->program;
    if (!program && lang_assertions_hold(contra->lang, contra->builder, kernel->decl->scope->crate))
        program = trace_kernel(contra->lang, contra->builder, kernel->decl, kernel->generics,
                               numbers, count);
    if (program && kernel->generics)
        program->name = str_terminated(&contra->arena, kernel->name);
    if (program && !program->is_refused && !is_refused(run, errors) && !contra->cancel.seen)
        run->prepared = prepared_add(run, program, numbers, count, said);
    return program;
}

Program *run_program(KernelRun *run, const ContraInput *inputs, int64_t input_count,
                     const Kernel *kernel)
{
    Contra *contra = run->contra;
    int64_t errors = contra->diags.error_count, count = run->arguments.count;
    if (kernel->object) {
        request_report(contra, DIAG_KERNEL_CLOSED,
                       "`{}` was read from an object file, which holds no program", kernel->name);
        return NULL;
    }
    run->inputs = arena_new(run->arena, const ContraInput *, (size_t)count + 1);
    run->arrays = arena_new(run->arena, Array *, (size_t)count + 1);
    run->tensors = arena_new(run->arena, const Tensor *, (size_t)count + 1);
    inputs_match(run, inputs, input_count);
    Value *numbers = arena_new(run->arena, Value, (size_t)count + 1);
    int64_t number_count = inputs_numbers(run, numbers);
    if (is_refused(run, errors))
        return NULL;
    run->prepared = prepared_find(run, numbers, number_count);
    Program *program =
        run->prepared ? run->prepared->program : prepare(run, kernel, numbers, number_count);
    if (program && !program->is_refused && !is_refused(run, errors))
        check_counted(run);
    if (contra->lang)
        lang_sort_diags(contra->lang);
    if (!run->prepared || is_refused(run, errors))
        return NULL;
    assert(program); // what is prepared has one
    find_tensors(run, program);
    run->program = program;
    return program;
}

static bool refuse_choice(Contra *contra, const Kernel *kernel, Span span)
{
    Diag *diag =
        diag_add(&contra->diags, DIAG_KERNEL_CLOSED, span,
                 "`{}` has choices, and nobody says here which ways they take", kernel->name);
    diag_help(diag, "with choices a program is checked; to run or compile it, write the one with "
                    "the ways that are meant");
    return false;
}

static bool refuse_part(Contra *contra, const Kernel *kernel, const Pass *pass, const char *why)
{
    bool by_calls = kernel->program->notation == NOTATION_CALLS;
    Diag *diag = diag_add(&contra->diags, DIAG_RUN_OPEN_STREAM, pass->stages.items[0]->call_span,
                          "`{}` is a part of a kernel: this pass {}", kernel->name, why);
    diag_help(diag,
              "a part is checked; to run or compile it, begin its passes with a tensor ({}) and "
              "store what they compute ({})",
              by_calls ? "contra_begin" : "`begin`", by_calls ? "contra_commit" : "`commit`");
    return false;
}

bool program_is_whole(Contra *contra, const Kernel *kernel)
{
    const Program *program = kernel->program;
    for (int64_t i = 0; program && i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        if (op->choice)
            return refuse_choice(contra, kernel, op->span);
        if (op->pass && op->pass->stages.items[0]->kind == STAGE_INPUT)
            return refuse_part(contra, kernel, op->pass, "goes on from a stream of the caller");
    }
    if (program && program->open.count)
        return refuse_part(contra, kernel, program->open.items[0], "gives its stream back");
    return true;
}

// ---- its commands

const Lowered *run_lower(KernelRun *run)
{
    Prepared *prepared = run->prepared;
    bool ok = program_lower(run->contra, prepared->program, run, run->scratch, &prepared->lowered);
    return ok ? &prepared->lowered : NULL;
}
