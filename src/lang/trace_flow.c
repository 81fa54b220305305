// Control flow: conditions, loops and what leaves them.
#include "lang/trace_internal.h"

#include "base/checked.h"
#include "lang/std.h"

#include <inttypes.h>

static bool condition_holds(Trace *trace, const AstExpr *condition, bool *known)
{
    if (condition->kind == AST_LET) {
        Value value = trace_expr(trace, condition->loop.inner);
        trace->guessed = false;
        bool fits = bind_pattern(trace, condition->loop.pattern, value);
        *known &= !fits || !trace->guessed;
        return fits;
    }
    if (condition->kind == AST_BINARY && condition->binary.op == BINARY_LAND)
        return condition_holds(trace, condition->binary.left, known) &&
               condition_holds(trace, condition->binary.right, known);
    Value value = trace_expr(trace, condition);
    const Value *holds = value_target(&value);
    *known &= holds->kind == VALUE_BOOL;
    return holds->kind == VALUE_BOOL && holds->boolean;
}

Value trace_if(Trace *trace, const AstExpr *expr)
{
    bool known = true;
    bool holds = condition_holds(trace, expr->branch.condition, &known);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (known && holds)
        return trace_block(trace, expr->branch.then);
    if (known)
        return expr->branch.otherwise ? trace_expr(trace, expr->branch.otherwise) : unit_value();
    if (trace->run)
        return trace_not_run(trace, expr->branch.condition->span);
    Ways ways = begin_ways(trace); // what decides is not known here
    enter_way(trace, &ways);
    leave_way(trace, &ways, trace_block(trace, expr->branch.then));
    enter_way(trace, &ways);
    leave_way(trace, &ways,
              expr->branch.otherwise ? trace_expr(trace, expr->branch.otherwise) : unit_value());
    return end_ways(trace, &ways);
}

// Does an arm take the value? *known: for sure.
static bool arm_fits(Trace *trace, const AstArm *arm, Value value, bool *known)
{
    trace->guessed = false;
    bool fits = bind_pattern(trace, arm->pattern, value);
    *known = !trace->guessed;
    return fits && (!arm->guard || condition_holds(trace, arm->guard, known) || !*known);
}

Value trace_match(Trace *trace, const AstExpr *expr)
{
    Value value = trace_expr(trace, expr->match.inner);
    Ways ways;
    bool open = false, known = false; // open: an arm before may have been taken
    for (int64_t i = 0; i < expr->match.arms.count && !known; i++) {
        const AstArm *arm = &expr->match.arms.items[i];
        if (!open && trace->flow != FLOW_ON)
            return poison_value();
        if (!arm_fits(trace, arm, value, &known)) {
            known = false;
            continue;
        }
        if (known && !open)
            return trace_expr(trace, arm->body);
        if (trace->run)
            return trace_not_run(trace, expr->match.inner->span);
        if (!open)
            ways = begin_ways(trace);
        open = true;
        enter_way(trace, &ways);
        arm_fits(trace, arm, value, &known); // once more, with what was there before
        leave_way(trace, &ways, trace_expr(trace, arm->body));
        trace->flow = FLOW_ON;
    }
    return open ? end_ways(trace, &ways) : VALUE_NOTHING;
}

// True: the loop goes on.
static bool trace_body(Trace *trace, const AstExpr *loop)
{
    const Choice *choice = trace->choice;
    trace_block(trace, loop->loop.body);
    set_choice(trace, choice);
    bool jumps = trace->flow == FLOW_CONTINUE || trace->flow == FLOW_BREAK;
    if (!jumps || (trace->label && trace->label != loop->loop.label))
        return trace->flow == FLOW_ON; // for a loop further out, or out of the function
    bool goes_on = trace->flow == FLOW_CONTINUE;
    trace->flow = FLOW_ON;
    return goes_on;
}

// Has this taken too long? A host program is only looked at; a kernel must be traced to its end.
bool out_of_steps(Trace *trace, Span span)
{
    int64_t most = trace->lang->most_steps ? trace->lang->most_steps : TRACE_STEPS;
    if (trace->run)
        return trace_interrupted(trace, span);
    if (trace->is_host)
        return trace->steps > min_i64(most, HOST_STEPS);
    if (trace->steps <= most)
        return false;
    if (trace->flow == FLOW_ON)
        diag_add(trace->lang->diags, DIAG_TRACE_STEPS, span,
                 "%.*s does not end within %lld steps of tracing", STR_ARG(root_words(trace)),
                 (long long)most);
    trace->flow = FLOW_STOP;
    return true;
}

// Once, for whatever a loop over something that is not known gives.
static void trace_unknown_for(Trace *trace, const AstExpr *expr, Value over)
{
    if (trace->run) {
        trace_not_run(trace, expr->loop.inner->span);
        return;
    }
    Value item = value_strip(over).kind == VALUE_POISON ? poison_value() : VALUE_NOTHING;
    trace->uncertain++;
    bind_pattern(trace, expr->loop.pattern, item);
    trace_body(trace, expr);
    trace->uncertain--;
    if (trace->flow == FLOW_STOP) // it may not come to that
        trace->flow = FLOW_ON;
}

// ", with i = 2" of each number that the pattern of a loop binds.
static void add_numbers(StrBuf *out, const AstPattern *pattern, Value item)
{
    item = value_strip(item);
    if (pattern->kind == PATTERN_BIND && item.kind == VALUE_INT)
        buf_printf(out, "%s%s = %" PRId64, out->len ? ", " : ": ", pattern->name.text,
                   item.integer);
    for (int64_t i = 0; pattern->kind == PATTERN_TUPLE && item.kind == VALUE_LIST &&
                        i < pattern->items.count && i < item.list->count;
         i++)
        add_numbers(out, pattern->items.items[i], item.list->items[i]);
}

// What goes wrong in a later round of a loop went well in the first: the note says which it is.
static void note_round(const Trace *trace, int64_t first, Span span, int64_t round, Str numbers)
{
    enum { NEAR_LOOPS = 4 };
    const DiagList *diags = trace->lang->diags;
    for (int64_t i = first; i < diags->count && round; i++)
        if (diags->items[i]->notes.count < NEAR_LOOPS)
            diag_note(diags->items[i], span, "in round %" PRId64 " of this loop%.*s", round + 1,
                      STR_ARG(numbers));
}

Value trace_for(Trace *trace, const AstExpr *expr)
{
    Value over = trace_moved(trace, expr->loop.inner), item;
    Iter *iter = trace->flow == FLOW_ON
                     ? iter_of_type(trace, over, quick_type(trace, expr->loop.inner))
                     : NULL;
    if (!iter && trace->flow == FLOW_ON)
        trace_unknown_for(trace, expr, over);
    for (int64_t i = 0; iter && iter_next(trace, iter, &item); i++) {
        if (out_of_steps(trace, expr->span))
            break;
        int64_t reports = trace->lang->diags->count;
        bind_pattern(trace, expr->loop.pattern, item);
        bool goes_on = trace_body(trace, expr);
        if (trace->lang->diags->count > reports) {
            StrBuf numbers = {.arena = trace->lang->arena};
            add_numbers(&numbers, expr->loop.pattern, item);
            note_round(trace, reports, expr->loop.pattern->span, i, buf_str(&numbers));
        }
        if (!goes_on)
            break;
    }
    return unit_value();
}

Value trace_while(Trace *trace, const AstExpr *expr)
{
    bool known = true, goes_on = true;
    trace->maybe_left = false;
    for (int64_t round = 0; goes_on && trace->flow == FLOW_ON && !out_of_steps(trace, expr->span);
         round++) {
        int64_t reports = trace->lang->diags->count;
        bool holds = condition_holds(trace, expr->loop.inner, &known);
        if (known && !holds)
            break;
        if (!known && trace->run)
            return trace_not_run(trace, expr->loop.inner->span);
        trace->steps++;
        goes_on = trace_body(trace, expr) && known && !trace->maybe_left;
        note_round(trace, reports, expr->loop.inner->span, round, STR(""));
    }
    return unit_value();
}

Value trace_loop(Trace *trace, const AstExpr *expr)
{
    trace->frame->result = unit_value();
    trace->maybe_left = false;
    bool goes_on = true;
    for (int64_t round = 0; goes_on && trace->flow == FLOW_ON && !out_of_steps(trace, expr->span);
         round++) {
        int64_t reports = trace->lang->diags->count;
        trace->steps++;
        goes_on = trace_body(trace, expr) && !trace->maybe_left;
        note_round(trace, reports, expr->span, round, STR(""));
    }
    return trace->frame->result;
}

static Value leave(Trace *trace, const AstExpr *inner, Flow flow)
{
    Value value = inner ? trace_expr(trace, inner) : unit_value();
    if (trace->flow == FLOW_ON) {
        trace->frame->result = value;
        trace->flow = flow;
    }
    return poison_value();
}

// `break 'label value` leaves a block of that name.
Value trace_labelled(Trace *trace, const AstExpr *expr)
{
    Value value = trace_block(trace, expr->block.body);
    bool mine = trace->flow == FLOW_BREAK && trace->label && trace->label == expr->block.label;
    if (!mine)
        return value;
    trace->flow = FLOW_ON;
    return trace->frame->result;
}

// An error whose type is forgotten is what it prints.
static Value boxed_error(Trace *trace, Value error, Type *result)
{
    Type *type = value_inner_type(result->args[1]);
    bool own = type->kind == TYPE_NAMED && !type->decl->is_builtin;
    if (!own)
        return error;
    StrBuf display = {.arena = trace->lang->arena}, debug = {.arena = trace->lang->arena};
    format_value(trace, &display, error, type, &(FormatSpec){0});
    format_value(trace, &debug, error, type, &(FormatSpec){.kind = FORMAT_DEBUG});
    return list_value(trace, (Value[]){value_text(buf_str(&display)), value_text(buf_str(&debug))},
                      2);
}

// `?`: what is in Some or Ok; None and Err leave the function, Err by way of the `From` of its
// type.
Value trace_try(Trace *trace, const AstExpr *expr)
{
    Value value = value_strip(trace_expr(trace, expr->inner)), field = VALUE_NOTHING;
    if (trace->flow != FLOW_ON || !value_variant(value))
        return trace->flow == FLOW_ON ? VALUE_NOTHING : poison_value();
    bool there = value_field(value, &field), is_error = is_variant(value, "Err");
    if (there && !is_error)
        return field;
    Type *result = type_of(trace->frame->body->result);
    Type *error = type_is_named(result, "Result") ? type_of(result->args[1]) : NULL;
    const Decl *from = is_error && error ? user_method(trace, error, "from") : NULL;
    bool same = from && type_could_unify(trace->lang, error,
                                         type_of(quick_type(trace, expr->inner)->args[1]));
    if (from && !same)
        value = err_value(trace, call_method(trace, from, error, &field, 1));
    if (is_error && error && type_is_named(error, "Box"))
        value = err_value(trace, boxed_error(trace, field, quick_type(trace, expr->inner)));
    if (trace->flow == FLOW_ON) {
        trace->frame->result = value;
        trace->flow = FLOW_RETURN;
    }
    return poison_value();
}

Value trace_return(Trace *trace, const AstExpr *expr)
{
    return leave(trace, expr->inner, FLOW_RETURN);
}

Value trace_break(Trace *trace, const AstExpr *expr)
{
    trace->label = expr->jump.label;
    return leave(trace, expr->jump.inner, FLOW_BREAK);
}

Value trace_continue(Trace *trace, const AstExpr *expr)
{
    trace->label = expr->jump.label;
    return leave(trace, NULL, FLOW_CONTINUE);
}
