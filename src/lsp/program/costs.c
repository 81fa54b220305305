// What operations of kernels cost, as hints, lenses and hovers show it. To lower a large kernel
// takes long: it is done in a process of its own, which sends back the little that is shown; the
// request waits for them, and others are answered meanwhile. An edit makes both stale.
#include "lsp/program/kernels.h"

#include "command/listing.h"
#include "schedule/export.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    ARRAY(int64_t);
} Indices;

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

static bool is_pass(const HwOperation *operation)
{
    for (StageKind kind = 0; kind < STAGE_COUNT; kind++)
        if (str_equal(operation->method, str_from(stages[kind].method)))
            return true;
    return false;
}

static OperationCost cost_of(const KernelTime *time, const ScheduledOperation *scheduled)
{
    const HwOperation *operation = scheduled->operation;
    const HwCaller *caller = operation->callers.count ? &operation->callers.items[0] : NULL;
    OperationCost cost = {.method = operation->method,
                          .file = operation->file,
                          .is_pass = is_pass(operation),
                          .line = operation->line,
                          .write_line = operation->write_line,
                          .caller_file = caller ? caller->file : STR(""),
                          .caller_line = caller ? caller->line : 0,
                          .cycles = schedule_cycles(scheduled),
                          .bound = schedule_bound(scheduled)};
    const HwTensor *written = tensor_numbered(&time->object->object, operation->writes);
    if (cost.is_pass && written && written->tier == TIER_DM && written->address >= 0) {
        cost.address = written->address;
        cost.bytes = written->bytes;
    }
    return cost;
}

static Str listing_of(Arena *arena, const HwOperation *operation)
{
    enum { WIDTH = 84 };
    StrBuf text = {.arena = arena};
    Listing to = {.out = &text, .width = WIDTH};
    const HwCommand *command = operation->commands.count ? &operation->commands.items[0] : NULL;
    if (command && command->pass)
        listing_pass(&to, command->pass);
    else if (command && command->dma)
        listing_dma(&to, command->dma);
    return buf_str(&text);
}

static CostDetail *detail_of(Arena *arena, const ScheduledOperation *scheduled)
{
    CostDetail *detail = arena_new(arena, CostDetail, 1);
    const Cost *cost = scheduled->cost_count ? scheduled->costs[0] : NULL;
    for (int32_t i = 0; cost && i < cost->line_count; i++) {
        const CostLine *line = &cost->lines[i];
        *array_push(arena, detail, DetailLine) =
            (DetailLine){line->part, line->busy, line->latency, line->note, str_from(line->rule)};
    }
    detail->listing = listing_of(arena, scheduled->operation);
    return detail;
}

static bool is_same_place(const OperationCost *a, const OperationCost *b)
{
    return a->line == b->line && a->write_line == b->write_line &&
           a->caller_line == b->caller_line && str_equal(a->method, b->method) &&
           str_equal(a->file, b->file) && str_equal(a->caller_file, b->caller_file);
}

// A hover tells of the first operation of a place: others need no details.
static bool has_detail(const KernelCosts *costs, const Indices *detailed, const OperationCost *cost)
{
    for (int64_t i = 0; i < detailed->count; i++)
        if (is_same_place(&costs->items[detailed->items[i]], cost))
            return true;
    return false;
}

static void cost_kernel(Analysis *analysis, KernelTime *time)
{
    Arena *arena = &analysis->contra->arena;
    kernel_lower(analysis, time);
    KernelCosts *costs = arena_new(arena, KernelCosts, 1);
    Indices detailed = {0};
    costs->cycles = time->schedule ? time->schedule->cycles : -1;
    for (int64_t i = 0; time->schedule && i < time->schedule->operation_count; i++) {
        const ScheduledOperation *scheduled = &time->schedule->operations[i];
        OperationCost cost = cost_of(time, scheduled);
        if (!has_detail(costs, &detailed, &cost)) {
            cost.detail = detail_of(arena, scheduled);
            *array_push(arena, &detailed, int64_t) = costs->count;
        }
        *array_push(arena, costs, OperationCost) = cost;
    }
    time->costs = costs;
}

// ---- as a text

// A JSON list that is read or written field by field. Reader and writer share one list of fields.
typedef struct {
    json_t *list;
    size_t at;    // the next field to read
    Arena *arena; // of the list that is read; NULL: the list is written
} Codec;

static void code_text(Codec *codec, Str *text)
{
    if (codec->arena)
        *text = str_copy(codec->arena, str_of_json(json_array_get(codec->list, codec->at++)));
    else
        json_array_append_new(codec->list, json_of_str(*text));
}

static int64_t code_number(Codec *codec, int64_t number)
{
    if (codec->arena)
        return json_integer_value(json_array_get(codec->list, codec->at++));
    json_array_append_new(codec->list, json_integer(number));
    return number;
}

static void code_detail(Codec *codec, CostDetail *detail)
{
    int64_t count = code_number(codec, detail->count);
    code_text(codec, &detail->listing);
    for (int64_t i = 0; i < count && codec->at <= json_array_size(codec->list); i++) {
        DetailLine *line =
            codec->arena ? array_push(codec->arena, detail, DetailLine) : &detail->items[i];
        line->part = (CostPart)code_number(codec, line->part);
        line->busy = code_number(codec, line->busy);
        line->latency = code_number(codec, line->latency);
        code_text(codec, &line->note);
        code_text(codec, &line->rule);
    }
}

static void code_cost(Codec *codec, OperationCost *cost)
{
    code_text(codec, &cost->method);
    code_text(codec, &cost->file);
    cost->is_pass = code_number(codec, cost->is_pass);
    cost->line = code_number(codec, cost->line);
    cost->write_line = code_number(codec, cost->write_line);
    code_text(codec, &cost->caller_file);
    cost->caller_line = code_number(codec, cost->caller_line);
    cost->cycles = code_number(codec, cost->cycles);
    cost->bound = (CostPart)code_number(codec, cost->bound);
    cost->address = code_number(codec, cost->address);
    cost->bytes = code_number(codec, cost->bytes);
    bool has_detail = code_number(codec, cost->detail != NULL);
    if (has_detail && codec->arena)
        cost->detail = arena_new(codec->arena, CostDetail, 1);
    if (has_detail)
        code_detail(codec, cost->detail);
}

static json_t *json_of_costs(const KernelCosts *costs)
{
    Codec codec = {.list = json_array()};
    code_number(&codec, costs->cycles);
    for (int64_t i = 0; i < costs->count; i++)
        code_cost(&codec, &costs->items[i]);
    return codec.list;
}

// A missing list has no items.
static KernelCosts *costs_of_json(Arena *arena, json_t *list)
{
    KernelCosts *costs = arena_new(arena, KernelCosts, 1);
    Codec codec = {.list = list, .arena = arena};
    costs->cycles = list ? code_number(&codec, 0) : -1;
    while (codec.at < json_array_size(list))
        code_cost(&codec, array_push(arena, costs, OperationCost));
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
    if (!query->server->tools.start) {
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
    analysis_enter(job->analysis);
    for (int64_t i = 0; i < job->times.count; i++)
        cost_kernel(job->analysis, job->times.items[i]);
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
    server_wake_requests(server, WAITS_FOR_COSTS);
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
        server_wake_requests(server, WAITS_FOR_COSTS);
    }
}
