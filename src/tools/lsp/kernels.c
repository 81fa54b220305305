#include "kernels.h"

#include "calls.h"
#include "symbols.h"

#include <string.h>

static int64_t kernel_index(Contra *contra, const Decl *decl)
{
    const Kernel *kernel;
    for (int64_t i = 0; (kernel = kernel_at(contra, i)); i++)
        if (kernel->decl == decl)
            return i;
    return -1;
}

// Whether the check found something wrong in it. What its parameters are may be too large to be
// counted then, so nobody asks.
static bool is_refused(const Contra *contra, const Decl *kernel)
{
    Span whole = kernel->item->span;
    for (int64_t i = 0; i < contra->diags.count; i++) {
        const Diag *diag = contra->diags.items[i];
        if (diag->severity == SEVERITY_ERROR && diag->span.source == whole.source &&
            diag->span.start >= whole.start && diag->span.end <= whole.end)
            return true;
    }
    return false;
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

const KernelTime *kernel_time_with(Analysis *analysis, const Decl *kernel,
                                   const KernelNumbers *numbers)
{
    Contra *contra = analysis->contra;
    for (const KernelTime *known = map_get(&analysis->times, kernel); known; known = known->next)
        if (numbers_equal(&known->numbers, numbers))
            return known;
    KernelTime *time = new_time(analysis, kernel, numbers);
    if (time->index < 0 || is_refused(contra, kernel))
        return time;
    int64_t said = contra->diags.count;
    jmp_buf way_out; // functions of contra.h end in their own
    memcpy(&way_out, &contra->on_oom, sizeof way_out);
    lower(contra, time);
    memcpy(&contra->on_oom, &way_out, sizeof way_out);
    lang_forget_diags(contra->lang, said);
    return time;
}

const KernelTime *kernel_time(Analysis *analysis, const Decl *kernel)
{
    static const KernelNumbers none;
    const Launches *launches = launches_of(analysis, kernel);
    return kernel_time_with(analysis, kernel, launches->count ? &launches->items[0] : &none);
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
            *array_push(arena, times, const KernelTime *) = kernel_time(analysis, decl);
    }
    return times;
}
