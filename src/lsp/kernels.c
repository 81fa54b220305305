#include "lsp/kernels.h"

#include "lsp/calls.h"
#include "lsp/symbols.h"

#include <string.h>

static int64_t kernel_index(Contra *contra, const Decl *decl)
{
    const Kernel *kernel;
    for (int64_t i = 0; (kernel = kernel_at(contra, i)); i++)
        if (kernel->decl == decl)
            return i;
    return -1;
}

// What is wrong with it is said by the check.
static void lower(Contra *contra, KernelTime *time)
{
    static const ScheduleOptions options = {.model = COST_MANUAL};
    const KernelNumbers *numbers = &time->numbers;
    ContraInput *inputs = arena_new(&contra->arena, ContraInput, (size_t)numbers->count + 1);
    ContraObject *object;
    for (int64_t i = 0; i < numbers->count; i++)
        inputs[i] = (ContraInput){.name = text_of(numbers->items[i].name),
                                  .is_number = true,
                                  .number = text_of(numbers->items[i].value)};
    if (contra_compile(contra, time->index, inputs, numbers->count, &object) != CONTRA_OK)
        return;
    if (setjmp(contra->on_oom))
        return;
    time->schedule = schedule_new(&contra->arena, &contra->scratch, &contra->diags,
                                  &contra->machine, &object->object, &options);
    time->object = time->schedule ? object : NULL;
}

static void copy_numbers(Arena *arena, KernelNumbers *copy, const KernelNumbers *numbers)
{
    for (int64_t i = 0; i < numbers->count; i++)
        *array_push(arena, copy, KernelNumber) = (KernelNumber){
            str_copy(arena, numbers->items[i].name), str_copy(arena, numbers->items[i].value)};
}

static KernelTime *new_time(Analysis *analysis, const Decl *kernel, const KernelNumbers *numbers)
{
    Contra *contra = analysis->contra;
    KernelTime *time = arena_new(&contra->arena, KernelTime, 1);
    analysis->times.arena = &contra->arena;
    time->next = map_get(&analysis->times, kernel);
    map_put(&analysis->times, kernel, time);
    copy_numbers(&contra->arena, &time->numbers, numbers);
    time->decl = kernel;
    time->index = kernel_index(contra, kernel);
    return time;
}

// The check says what is wrong with bodies once, and lowering sorts what it says among the rest:
// for this both begin anew, and are as they were afterwards.
static void lower_apart(Analysis *analysis, KernelTime *time)
{
    Contra *contra = analysis->contra;
    Lang *lang = analysis->lang;
    DiagList said = contra->diags;
    Map bodies = lang->bodies;
    int64_t sorted = lang->checked_diags;
    jmp_buf way_out; // functions of contra.h end in their own
    memcpy(&way_out, &contra->on_oom, sizeof way_out);
    contra->diags = (DiagList){.arena = said.arena, .treatments = said.treatments};
    lang->bodies = (Map){.arena = bodies.arena};
    lang->checked_diags = 0;
    lower(contra, time);
    lang->checked_diags = sorted;
    lang->bodies = bodies;
    contra->diags = said;
    memcpy(&contra->on_oom, &way_out, sizeof way_out);
}

// Something wrong with its signature is said once, too; and what its parameters are may be too
// large to be counted then.
static bool is_refused(const Analysis *analysis, const Decl *kernel)
{
    const DiagList *diags = &analysis->contra->diags;
    Span whole = kernel->item->span;
    for (int64_t i = 0; i < diags->count; i++) {
        Span span = diags->items[i]->span;
        if (diags->items[i]->severity == SEVERITY_ERROR && span.source == whole.source &&
            span.start >= whole.start && span.end <= whole.end)
            return true;
    }
    return false;
}

KernelTime *kernel_time(Analysis *analysis, const Decl *kernel, const KernelNumbers *numbers)
{
    for (KernelTime *known = map_get(&analysis->times, kernel); known; known = known->next)
        if (numbers_equal(&known->numbers, numbers))
            return known;
    return new_time(analysis, kernel, numbers);
}

void kernel_lower(Analysis *analysis, KernelTime *time)
{
    if (time->index >= 0 && !is_refused(analysis, time->decl))
        lower_apart(analysis, time);
}

static KernelTime *first_time(Analysis *analysis, const Decl *kernel)
{
    static const KernelNumbers none;
    const Launches *launches = launches_of(analysis, kernel);
    return kernel_time(analysis, kernel, launches->count ? &launches->items[0] : &none);
}

// ---- functions that kernels call

enum { MOST_KERNELS = 8, MOST_CALLERS = 64 };

static bool is_among(const Functions *functions, const AstItem *item)
{
    for (int64_t i = 0; i < functions->count; i++)
        if (functions->items[i] == item)
            return true;
    return false;
}

static void add_new(Query *query, Functions *reached, const AstItem *item)
{
    if (reached->count < MOST_CALLERS && !is_among(reached, item))
        *array_push(query->arena, reached, const AstItem *) = item;
}

// Whoever calls the function, calls one that does, and so on.
static Functions all_callers(Query *query, const Decl *function)
{
    Functions reached = {0};
    add_new(query, &reached, function->item);
    for (int64_t i = 0; i < reached.count; i++) {
        const Decl *decl = analysis_function(query->analysis, reached.items[i]);
        Functions callers = {0};
        if (decl && !item_is_kernel(reached.items[i])) // launching is no call of what it does
            find_callers(query, decl, &callers);
        for (int64_t k = 0; k < callers.count; k++)
            add_new(query, &reached, callers.items[k]);
    }
    return reached;
}

const KernelTimes *times_of_function(Query *query, const Decl *function)
{
    Analysis *analysis = query->analysis;
    KernelTimes *times = map_get(&analysis->function_times, function);
    if (times)
        return times;
    Arena *arena = &analysis->contra->arena;
    analysis->function_times.arena = arena;
    times = arena_new(arena, KernelTimes, 1);
    map_put(&analysis->function_times, function, times);
    Functions callers = all_callers(query, function);
    for (int64_t i = 0; i < callers.count && times->count < MOST_KERNELS; i++) {
        const Decl *decl = analysis_function(analysis, callers.items[i]);
        if (decl && item_is_kernel(callers.items[i]))
            *array_push(arena, times, KernelTime *) = first_time(analysis, decl);
    }
    return times;
}

// ---- where operations stand

int64_t operation_write_line(const OperationCost *operation)
{
    return operation->write_line ? operation->write_line : operation->line;
}

static bool is_in(const Query *query, Str file, int64_t line, Span span)
{
    const LinedText *text = query_text(query, span.source);
    return line > offset_line(text, span.start) && line <= offset_line(text, span.end) + 1 &&
           str_equal(file, query->analysis->contra->sources.items[span.source].name);
}

bool operation_begins_at(const Query *query, const OperationCost *operation, Span name)
{
    return is_in(query, operation->file, operation->line, name);
}

bool operation_begins_in(const Query *query, const OperationCost *operation, Span lines)
{
    return is_in(query, operation->file, operation->line, lines);
}

bool operation_is_called_at(const Query *query, const OperationCost *operation, Span name)
{
    return operation->caller_line &&
           is_in(query, operation->caller_file, operation->caller_line, name);
}

bool operation_writes_at(const Query *query, const OperationCost *operation, Span name)
{
    return is_in(query, operation->file, operation_write_line(operation), name);
}
