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

// What is wrong with it is said by the check.
static void lower(Contra *contra, KernelTime *time)
{
    static const ScheduleOptions options = {.model = COST_MANUAL};
    ContraObject *object;
    if (contra_compile(contra, time->index, NULL, 0, &object) != CONTRA_OK)
        return;
    if (setjmp(contra->on_oom))
        return;
    time->schedule = schedule_new(&contra->arena, &contra->scratch, &contra->diags,
                                  &contra->machine, &object->object, &options);
    time->object = time->schedule ? object : NULL;
}

const KernelTime *kernel_time(Analysis *analysis, const Decl *kernel)
{
    Contra *contra = analysis->contra;
    const KernelTime *known = map_get(&analysis->times, kernel);
    if (known)
        return known;
    analysis->times.arena = &contra->arena;
    KernelTime *time = arena_new(&contra->arena, KernelTime, 1);
    map_put(&analysis->times, kernel, time);
    time->decl = kernel;
    time->index = kernel_index(contra, kernel);
    if (time->index < 0)
        return time;
    int64_t said = contra->diags.count;
    jmp_buf way_out; // functions of contra.h end in their own
    memcpy(&way_out, &contra->on_oom, sizeof way_out);
    lower(contra, time);
    memcpy(&contra->on_oom, &way_out, sizeof way_out);
    diag_forget(&contra->diags, said);
    return time;
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
