// What operations of kernels cost, as hints and lenses show it. To lower a large kernel takes long:
// it is done in a process of its own, which sends back the few numbers that are shown; the request
// waits for them, and others are answered meanwhile. An edit makes both stale.
#include "kernels.h"

#include "schedule/export.h"

#include <stdlib.h>
#include <string.h>

// Kernels that one process lowers.
typedef struct CostJob {
    struct CostJob *next;
    int64_t number;
    Analysis *analysis;
    KernelTimes times; // of the analysis
} CostJob;

// ---- from a schedule

static const HwTensor *tensor_numbered(const HwObject *object, int64_t number)
{
    for (int64_t i = 0; i < object->tensors.count; i++)
        if (object->tensors.items[i].number == number)
            return &object->tensors.items[i];
    return NULL;
}

static OperationCost cost_of(const KernelTime *time, const ScheduledOperation *scheduled)
{
    const HwOperation *operation = scheduled->operation;
    OperationCost cost = {.method = operation->method,
                          .file = operation->file,
                          .is_pass = operation_is_pass(operation),
                          .line = operation->line,
                          .write_line =
                              operation->write_line ? operation->write_line : operation->line,
                          .cycles = scheduled->end - scheduled->begin,
                          .bound = schedule_bound(scheduled)};
    const HwTensor *written = tensor_numbered(&time->object->object, operation->writes);
    if (cost.is_pass && written && written->tier == TIER_DM && written->address >= 0) {
        cost.address = written->address;
        cost.bytes = written->bytes;
    }
    return cost;
}

static void cost_kernel(Analysis *analysis, KernelTime *time)
{
    Arena *arena = &analysis->contra->arena;
    kernel_lower(analysis, time);
    KernelCosts *costs = arena_new(arena, KernelCosts, 1);
    costs->cycles = time->schedule ? time->schedule->cycles : -1;
    for (int64_t i = 0; time->schedule && i < time->schedule->operation_count; i++)
        *array_push(arena, costs, OperationCost) = cost_of(time, &time->schedule->operations[i]);
    time->costs = costs;
}

// ---- as a text

static json_t *json_of_costs(const KernelCosts *costs)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < costs->count; i++) {
        const OperationCost *cost = &costs->items[i];
        json_array_append_new(
            list, json_pack("[o, o, b, I, I, I, i, I, I]", json_of_str(cost->method),
                            json_of_str(cost->file), cost->is_pass, (json_int_t)cost->line,
                            (json_int_t)cost->write_line, (json_int_t)cost->cycles,
                            (int)cost->bound, (json_int_t)cost->address, (json_int_t)cost->bytes));
    }
    return json_pack("{s:I, s:o}", "cycles", (json_int_t)costs->cycles, "operations", list);
}

static KernelCosts *costs_of_json(Arena *arena, json_t *value)
{
    KernelCosts *costs = arena_new(arena, KernelCosts, 1);
    json_int_t line, write_line, cycles, address, bytes;
    json_t *each, *method, *file;
    int is_pass, bound;
    size_t i;
    json_t *whole = json_object_get(value, "cycles");
    costs->cycles = json_is_integer(whole) ? json_integer_value(whole) : -1;
    json_array_foreach(json_object_get(value, "operations"), i, each)
    {
        if (json_unpack(each, "[o, o, b, I, I, I, i, I, I]", &method, &file, &is_pass, &line,
                        &write_line, &cycles, &bound, &address, &bytes) == 0)
            *array_push(arena, costs, OperationCost) =
                (OperationCost){str_copy(arena, str_of_json(method)),
                                str_copy(arena, str_of_json(file)),
                                is_pass,
                                line,
                                write_line,
                                cycles,
                                (CostPart)bound,
                                address,
                                bytes};
    }
    return costs;
}

// In the process; without memory it says nothing.
static char *cost_all(void *own)
{
    const CostJob *job = own;
    json_t *list = json_array();
    if (setjmp(job->analysis->contra->on_oom))
        return NULL;
    for (int64_t i = 0; i < job->times.count; i++) {
        cost_kernel(job->analysis, job->times.items[i]);
        json_array_append_new(list, json_of_costs(job->times.items[i]->costs));
    }
    return json_dumps(list, JSON_COMPACT);
}

// ---- jobs

// Those that are not known are noted, and cost nothing yet. Nobody waits once the server is shut.
const KernelCosts *kernel_costs(Query *query, KernelTime *time)
{
    static const KernelCosts unknown = {.cycles = -1};
    if (time->costs)
        return time->costs;
    if (query->server->is_shut)
        return &unknown;
    if (!query->server->tools.start || time->is_lowered) {
        cost_kernel(query->analysis, time);
        return time->costs;
    }
    query->waits = true;
    if (!time->is_asked)
        *array_push(query->arena, &query->wanted, struct KernelTime *) = time;
    time->is_asked = true;
    return &unknown;
}

static void job_free(CostJob *job)
{
    free(job->times.items);
    free(job);
}

static CostJob *job_new(Query *query)
{
    CostJob *job = calloc(1, sizeof *job);
    KernelTime **times = calloc((size_t)query->wanted.count, sizeof(KernelTime *));
    if (!job || !times) {
        free(job);
        free(times);
        longjmp(query->server->on_oom, 1);
    }
    memcpy(times, query->wanted.items, (size_t)query->wanted.count * sizeof *times);
    job->number = ++query->server->job_count;
    job->analysis = query->analysis;
    job->times.items = times;
    job->times.count = query->wanted.count;
    return job;
}

static void cost_here(const CostJob *job)
{
    if (setjmp(job->analysis->contra->on_oom))
        longjmp(job->analysis->server->on_oom, 1);
    for (int64_t i = 0; i < job->times.count; i++)
        cost_kernel(job->analysis, job->times.items[i]);
}

bool costs_start(Query *query)
{
    enum { SECONDS = 30 };
    Server *server = query->server;
    if (!query->wanted.count) // somebody else asked for them
        return true;
    CostJob *job = job_new(query);
    ServerJob work = {.number = job->number, .work = cost_all, .own = job, .seconds = SECONDS};
    if (server->tools.start(server->tools.own, &work)) {
        job->next = server->cost_jobs;
        server->cost_jobs = job;
        return true;
    }
    cost_here(job);
    job_free(job);
    return false;
}

// What took too long has no costs.
static void take_costs(const CostJob *job, json_t *list)
{
    Contra *contra = job->analysis->contra;
    if (setjmp(contra->on_oom))
        return;
    for (int64_t i = 0; i < job->times.count; i++)
        job->times.items[i]->costs = costs_of_json(&contra->arena, json_array_get(list, (size_t)i));
}

bool costs_finish(Server *server, int64_t number, const char *text)
{
    CostJob **at = &server->cost_jobs;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    CostJob *job = *at;
    if (!job)
        return false;
    *at = job->next;
    json_t *list = text ? json_loads(text, 0, NULL) : NULL;
    take_costs(job, list);
    json_decref(list);
    job_free(job);
    server_wake_requests(server);
    return true;
}

void costs_stop(Server *server, const Analysis *analysis)
{
    for (CostJob **at = &server->cost_jobs; *at;) {
        CostJob *job = *at;
        if (analysis && job->analysis != analysis) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        server->tools.stop(server->tools.own, job->number);
        job_free(job);
        server_wake_requests(server);
    }
}
