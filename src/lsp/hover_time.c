// What a call costs, and what the hardware is told: from the schedule of the kernel around it, or
// of one that calls the function around it, if that is right.
#include "lsp/calls.h"
#include "lsp/hover.h"
#include "lsp/kernels.h"
#include "lsp/name.h"
#include "lsp/symbols.h"

#include "schedule/export.h"

#include <string.h>

// What a stage is to the model of costs, and in the listing of a pass.
typedef struct {
    CostPart part;
    const char *labels[2]; // NULL: no more
} StageCost;

static StageCost cost_of_stage(StageKind kind)
{
    static const struct {
        StageKind kind;
        StageCost cost;
    } rows[] = {
        {STAGE_BEGIN, {COST_WHOLE, {"pass"}}},
        {STAGE_BEGIN_INTERLEAVED, {COST_WHOLE, {"pass"}}},
        {STAGE_FETCH, {COST_FETCH, {"fetch"}}},
        {STAGE_SWITCH, {COST_SWITCH, {"switch"}}},
        {STAGE_COLLECT, {COST_COLLECT, {"collect"}}},
        {STAGE_ALIGN, {COST_CONTRACT, {"adapt", "trf_read"}}},
        {STAGE_CONTRACT, {COST_CONTRACT, {"reduce"}}},
        {STAGE_ACCUMULATE, {COST_CONTRACT, {"reduce"}}},
        {STAGE_CAST, {COST_CAST, {"cast"}}},
        {STAGE_TRANSPOSE, {COST_TRANSPOSE, {"transpose"}}},
        {STAGE_COMMIT, {COST_COMMIT, {"commit"}}},
        {STAGE_COMMIT_VIEW, {COST_COMMIT, {"commit"}}},
        {STAGE_TO_TRF, {COST_TRF_STORE, {"trf_store"}}},
        {STAGE_TO_VRF, {COST_VRF_STORE, {"vrf_store"}}},
        {STAGE_VECTOR_INTER_REDUCE, {COST_INTER_SLICE, {"vector"}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].kind == kind)
            return rows[i].cost;
    return (StageCost){COST_VECTOR, {"vector"}};
}

// ---- the operation

// Where a pass begins, as far as it is written here.
static const AstExpr *first_call(const AstExpr *call)
{
    while (call->method.receiver->kind == AST_METHOD &&
           stages[stage_of_method(call->method.name.name.text)].to != POSITION_BEGIN) {
        call = call->method.receiver;
        if (stage_of_method(call->method.name.name.text) == STAGE_COUNT)
            return NULL;
    }
    return call;
}

static bool is_sink(const AstExpr *call)
{
    StageKind kind = stage_of_method(call->method.name.name.text);
    return kind != STAGE_COUNT && stages[kind].to == POSITION_SINK;
}

// Where it ends: the last call on what the call gives.
static const AstExpr *last_call(const Trail *trail, const AstExpr *call)
{
    for (int64_t i = trail->count - 1; i >= 0 && !is_sink(call); i--) {
        const AstNode *node = &trail->items[i];
        if (node->kind == NODE_EXPR && node->expr->kind == AST_METHOD &&
            node->expr->method.receiver == call)
            call = node->expr;
    }
    return call;
}

// The function that gives the stream which a pass goes on with here; NULL: none does.
static const Decl *function_before(Query *query, const AstExpr *first)
{
    const AstExpr *call = first ? first->method.receiver : NULL;
    const AstExpr *callee = call && call->kind == AST_CALL ? call->call.callee : NULL;
    if (!callee || callee->kind != AST_PATH)
        return NULL;
    const AstSegments *segments = &callee->path.segments;
    Span name = segments->items[segments->count - 1].name.span;
    Trail trail = trail_at(query->arena, query->analysis, name.source, name.start);
    Meaning meaning = meaning_of(query->analysis, &trail, name.source);
    bool is_function = meaning.kind == MEANS_DECL && meaning.decl->kind == DECL_FN;
    return is_function && !meaning.decl->is_builtin ? meaning.decl : NULL;
}

typedef struct {
    const Query *query;
    const AstExpr *first, *last; // of a pass
    const AstExpr *call;         // that is asked about
    const Decl *before;          // whose stream the pass goes on with
    Spans callers;               // where the function around it is called; of a kernel none
    bool is_pass;
} Wanted;

// One that begins in a function of another file: where it ends is not known (object.def), but whose
// call it is a part of is.
static bool goes_on_here(const Wanted *wanted, const OperationCost *operation)
{
    if (!wanted->before || operation->write_line ||
        !str_equal(operation->method, str_from(wanted->last->method.name.name.text)) ||
        !operation_begins_in(wanted->query, operation, wanted->before->item->span))
        return false;
    for (int64_t i = 0; i < wanted->callers.count; i++)
        if (operation_is_called_at(wanted->query, operation, wanted->callers.items[i]))
            return true;
    return !operation->caller_line && !wanted->callers.count;
}

// A part of a pass may be in another function: it is known by the other end of it.
static bool is_wanted(const Wanted *wanted, const OperationCost *operation)
{
    AstName name = wanted->call->method.name.name;
    if (operation->is_pass != wanted->is_pass)
        return false;
    if (!wanted->is_pass)
        return str_equal(operation->method, str_from(name.text)) &&
               operation_begins_at(wanted->query, operation, name.span);
    return (wanted->first &&
            operation_begins_at(wanted->query, operation, wanted->first->method.name.name.span)) ||
           operation_writes_at(wanted->query, operation, wanted->last->method.name.name.span) ||
           goes_on_here(wanted, operation);
}

static const OperationCost *operation_of(const Wanted *wanted, const KernelCosts *costs,
                                         int64_t *count)
{
    const OperationCost *first = NULL;
    *count = 0;
    for (int64_t i = 0; i < costs->count; i++) {
        if (!is_wanted(wanted, &costs->items[i]))
            continue;
        first = first ? first : &costs->items[i];
        ++*count;
    }
    return first;
}

// ---- in words

static void add_cost(const Hover *hover, const OperationCost *operation, int64_t count,
                     CostPart part)
{
    StrBuf *out = hover->out;
    buf_format(out, "\n**{} cycles**{}, bound by {}", operation->cycles,
               part == COST_PART_COUNT ? "" : " a pass", cost_part_names[operation->bound]);
    if (count > 1)
        buf_format(out, "; the first of {}", count);
    buf_add(out, STR("\n"));
    const CostDetail *detail = operation->detail;
    for (int64_t i = 0; detail && i < detail->count; i++) {
        const DetailLine *line = &detail->items[i];
        if (line->part != part && part != COST_PART_COUNT)
            continue;
        buf_format(out, "- {}: {} cycles", cost_part_names[line->part], line->busy);
        if (line->latency)
            buf_format(out, ", {} until the first comes out", line->latency);
        if (line->note.len)
            buf_format(out, " ({})", line->note);
        buf_format(out, " _{}_\n", line->rule);
    }
}

static bool has_label(Str line, const StageCost *cost)
{
    Str word = str_trim(line);
    for (size_t i = 0; i < 2 && cost->labels[i]; i++) {
        Str label = str_from(cost->labels[i]);
        if (str_starts_with(word, label) && (word.len == label.len || word.data[label.len] == ' '))
            return true;
    }
    return false;
}

// The lines of the listing about some engines.
static void add_engines(StrBuf *out, Str listing, const StageCost *cost)
{
    enum { INDENT = 4 };
    bool shown = false;
    for (int64_t at = 0, end; at < listing.len; at = end + 1) {
        const char *newline = memchr(listing.data + at, '\n', (size_t)(listing.len - at));
        end = newline ? newline - listing.data : listing.len;
        Str line = str_slice(listing, at, end);
        if (line.len > INDENT && line.data[INDENT] != ' ')
            shown = has_label(line, cost);
        if (shown && line.len > INDENT)
            buf_format(out, "{}\n", str_slice(line, INDENT, line.len));
    }
}

static void add_configuration(const Hover *hover, const OperationCost *operation,
                              const StageCost *cost)
{
    StrBuf lines = {.arena = hover->arena};
    if (operation->detail)
        add_engines(&lines, operation->detail->listing, cost);
    if (lines.len)
        buf_format(hover->out, "\n```text\n{}```\n", buf_str(&lines));
}

void hover_time(const Hover *hover, const AstExpr *call, StageKind kind)
{
    static const StageCost dma = {COST_PART_COUNT, {"dma"}};
    Query *query = hover->query;
    const Decl *function = trail_function(query->analysis, hover->trail);
    if (!function)
        return;
    bool is_pass = kind != STAGE_COUNT;
    Wanted wanted = {.query = query,
                     .first = is_pass ? first_call(call) : NULL,
                     .last = last_call(hover->trail, call),
                     .call = call,
                     .is_pass = is_pass};
    wanted.before = function_before(query, wanted.first);
    if (wanted.before && wanted.before->span.source == call->span.source)
        wanted.before = NULL; // where it ends is known
    if (wanted.before && !item_is_kernel(function->item))
        find_calls(query, function, &wanted.callers);
    const KernelTimes *times = times_of_function(query, function);
    const OperationCost *operation = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < times->count && !operation && !query->waits; i++)
        operation = operation_of(&wanted, kernel_costs(query, times->items[i]), &count);
    if (!operation)
        return;
    StageCost cost = kind == STAGE_COUNT ? dma : cost_of_stage(kind);
    add_cost(hover, operation, count, cost.part);
    add_configuration(hover, operation, &cost);
}
