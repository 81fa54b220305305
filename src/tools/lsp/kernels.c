#include "kernels.h"

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
