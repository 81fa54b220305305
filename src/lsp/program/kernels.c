#include "lsp/program/kernels.h"
#include "lsp/answer/answers.h"
#include "lsp/program/analysis.h"

#include "base/checked.h"
#include "lang/types/signature.h"

#include <string.h>

static int64_t kernel_index(Contra *contra, Decl *decl)
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

static KernelTime *new_time(Analysis *analysis, Decl *kernel, const KernelNumbers *numbers)
{
    Contra *contra = analysis->contra;
    KernelTime *time = arena_new(&contra->arena, KernelTime, 1);
    analysis->times.arena = &contra->arena;
    time->next = map_get(&analysis->times, kernel);
    map_put(&analysis->times, kernel, time);
    for (int64_t i = 0; i < numbers->count; i++)
        *array_push(&contra->arena, &time->numbers, KernelNumber) =
            (KernelNumber){str_copy(&contra->arena, numbers->items[i].name),
                           str_copy(&contra->arena, numbers->items[i].value)};
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
static bool is_refused(const Analysis *analysis, Decl *kernel)
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

static bool numbers_equal(const KernelNumbers *a, const KernelNumbers *b)
{
    bool same = a->count == b->count;
    for (int64_t i = 0; same && i < a->count; i++)
        same = str_equal(a->items[i].name, b->items[i].name) &&
               str_equal(a->items[i].value, b->items[i].value);
    return same;
}

KernelTime *kernel_time(Analysis *analysis, Decl *kernel, const KernelNumbers *numbers)
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

static KernelTime *first_time(Analysis *analysis, Decl *kernel)
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
static Functions all_callers(Query *query, Decl *function)
{
    Functions reached = {0};
    add_new(query, &reached, function->item);
    for (int64_t i = 0; i < reached.count; i++) {
        Decl *decl = analysis_function(query->analysis, reached.items[i]);
        Functions callers = {0};
        if (decl && !item_is_kernel(reached.items[i])) // launching is no call of what it does
            find_callers(query, decl, &callers);
        for (int64_t k = 0; k < callers.count; k++)
            add_new(query, &reached, callers.items[k]);
    }
    return reached;
}

const KernelTimes *times_of_function(Query *query, Decl *function)
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
        Decl *decl = analysis_function(analysis, callers.items[i]);
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
           str_equal(file, analysis_path(query->analysis, span.source));
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

// ---- launches

// What numbers a program launches a kernel with: those of `launch(kernel, (&mut ctx, &a, 4))` that
// are known without running it. A kernel is lowered for the values of its numbers, so without them
// there is nothing to run or to place in time.

enum { MOST_LAUNCHES = 4, MOST_STEPS = 8 };

// ---- one number

// What a variable is bound to, once and for all, or in the first round of a loop; NULL: nobody
// knows.
static const AstExpr *first_value(const Trail *trail, const AstPattern *local)
{
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstNode *node = &trail->items[i];
        if (node->kind == NODE_EXPR && node->expr->kind == AST_FOR &&
            node->expr->loop.pattern == local)
            return node->expr->loop.inner->kind == AST_RANGE ? node->expr->loop.inner->range.low
                                                             : NULL;
        for (int64_t k = 0; node->kind == NODE_BLOCK && k < node->block->statements.count; k++) {
            const AstStatement *statement = &node->block->statements.items[k];
            if (statement->kind == STATEMENT_LET && statement->pattern == local)
                return local->is_mut ? NULL : statement->value;
        }
    }
    return NULL;
}

// The meaning of the name at an offset of a trail's source.
static Meaning named_at(const Trail *trail, int64_t offset)
{
    return meaning_at(trail->analysis->lang->arena, trail->analysis, trail->source, offset);
}

// The variable that an expression names; NULL: it is another one.
static const AstPattern *local_of(const Trail *trail, const AstExpr *expr)
{
    if (expr->kind != AST_PATH || expr->path.segments.count != 1)
        return NULL;
    Meaning meaning = named_at(trail, expr->span.start);
    return meaning.kind == MEANS_LOCAL ? meaning.local : NULL;
}

static Str text_of_real(Arena *arena, const AstExpr *expr)
{
    bool negative = expr->kind == AST_UNARY && expr->unary.op == UNARY_NEGATE;
    const AstExpr *literal = negative ? expr->unary.inner : expr;
    bool is_real = literal->kind == AST_LITERAL && literal->literal.kind == LITERAL_FLOAT;
    return is_real ? str_format(arena, "{}{.17g}", negative ? "-" : "", literal->literal.real)
                   : (Str){0};
}

// Empty: it is not known.
static Str text_of_number(const Trail *trail, const AstExpr *expr, Prim prim)
{
    Lang *lang = trail->analysis->lang;
    const AstPattern *local;
    for (int i = 0; i < MOST_STEPS && expr && (local = local_of(trail, expr)); i++)
        expr = first_value(trail, local);
    if (!expr)
        return (Str){0};
    Str real = text_of_real(lang->arena, expr);
    if (real.len)
        return real;
    int64_t said = lang->diags->count;
    TypeScope scope = {.lang = lang, .scope = trail_scope(trail)};
    const Type *value = type_of(resolve_const(&scope, expr));
    diag_forget(lang->diags, said);
    if (value->kind != TYPE_CONST)
        return (Str){0};
    if (prim == PRIM_bool)
        return value->value ? STR("true") : STR("false");
    return str_format(lang->arena, "{}", value->value);
}

// Or a truth: what a kernel takes besides tensors and contexts.
static bool is_number(const Type *type)
{
    return type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
}

// ---- all launches

typedef struct {
    Decl *kernel;
    const Signature *signature;
    Launches *found;
} LaunchSearch;

static bool is_launch(const Trail *trail, const AstExpr *call)
{
    const AstExpr *callee = call->call.callee;
    if (callee->kind != AST_PATH || !callee->path.segments.count)
        return false;
    const AstSegments *segments = &callee->path.segments;
    Meaning meaning = named_at(trail, segments->items[segments->count - 1].name.span.start);
    return meaning.kind == MEANS_DECL && strcmp(meaning.decl->name, "launch") == 0 &&
           decl_is_of_device(trail->analysis->lang, meaning.decl);
}

// The arguments of a launch whose function the trail ends in; NULL: it is none.
static const AstExprs *arguments_of(const Trail *trail, const AstExpr **call)
{
    if (trail->count < 4)
        return NULL;
    const AstNode *name = &trail->items[trail->count - 3];
    const AstNode *around = &trail->items[trail->count - 4];
    if (name->kind != NODE_EXPR || around->kind != NODE_EXPR || around->expr->kind != AST_CALL)
        return NULL;
    const AstExprs *args = &around->expr->call.args;
    bool fits =
        args->count == 2 && args->items[0] == name->expr && args->items[1]->kind == AST_TUPLE;
    *call = around->expr;
    return fits ? &args->items[1]->items : NULL;
}

static bool has_launch(const Launches *launches, const KernelNumbers *numbers)
{
    for (int64_t i = 0; i < launches->count; i++)
        if (numbers_equal(&launches->items[i], numbers))
            return true;
    return false;
}

static void add_launch(const LaunchSearch *search, const Trail *trail, const AstExprs *args)
{
    Arena *arena = trail->analysis->lang->arena;
    const AstParams *params = &search->kernel->item->function.params;
    KernelNumbers numbers = {0};
    for (int32_t i = 0; i < search->signature->param_count; i++) {
        Type *type = type_of(search->signature->params[i]);
        if (!is_number(type))
            continue;
        const AstPattern *pattern = params->items[i].pattern;
        Str value = i < args->count && pattern->kind == PATTERN_BIND
                        ? text_of_number(trail, args->items[i], type->decl->prim)
                        : (Str){0};
        if (!value.len)
            return;
        *array_push(arena, &numbers, KernelNumber) =
            (KernelNumber){str_from(pattern->name.text), value};
    }
    if (search->found->count < MOST_LAUNCHES && !has_launch(search->found, &numbers))
        *array_push(arena, search->found, KernelNumbers) = numbers;
}

static void visit_name(void *own, const Trail *trail)
{
    const LaunchSearch *search = own;
    Span span;
    const AstExpr *call;
    if (node_name(&trail->items[trail->count - 1], &span) != search->kernel->name)
        return;
    const AstExprs *args = arguments_of(trail, &call);
    if (!args || !is_launch(trail, call))
        return;
    Meaning meaning = meaning_of(trail);
    if (meaning.kind == MEANS_DECL && meaning.decl == search->kernel)
        add_launch(search, trail, args);
}

static bool takes_numbers(const Signature *signature)
{
    for (int32_t i = 0; i < signature->param_count; i++)
        if (is_number(type_of(signature->params[i])))
            return true;
    return false;
}

const Launches *launches_of(Analysis *analysis, Decl *kernel)
{
    Arena *arena = analysis->lang->arena;
    Launches *known = map_get(&analysis->launches, kernel);
    if (known)
        return known;
    Launches *launches = arena_new(arena, Launches, 1);
    const Signature *signature = signature_of(analysis->lang, kernel);
    analysis->launches.arena = arena;
    map_put(&analysis->launches, kernel, launches);
    LaunchSearch search = {kernel, signature, launches};
    if (takes_numbers(signature))
        each_name_of_program(arena, analysis, visit_name, &search);
    else
        *array_push(arena, launches, KernelNumbers) = (KernelNumbers){0};
    return launches;
}
