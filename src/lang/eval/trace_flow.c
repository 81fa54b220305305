// Control flow: conditions, loops and what leaves them.
#include "lang/eval/trace_internal.h"

#include "base/checked.h"
#include "lang/eval/drop.h"
#include "lang/eval/iter.h"
#include "lang/std/std.h"

#include <string.h>

static bool binds_parts(const AstExpr *condition)
{
    return condition->kind == AST_LET ||
           (condition->kind == AST_BINARY && condition->binary.op == BINARY_LAND &&
            (binds_parts(condition->binary.left) || binds_parts(condition->binary.right)));
}

// `ref x` anywhere in it.
static bool has_ref(const AstPattern *pattern)
{
    bool found = pattern->by_ref || (pattern->inner && has_ref(pattern->inner));
    for (int64_t i = 0; i < pattern->items.count && !found; i++)
        found = has_ref(pattern->items.items[i]);
    return found;
}

// What a pattern is held against. A number in a variant gets a place that `ref` can refer to.
static Value matched_value(Trace *trace, const AstExpr *expr, const AstPattern *pattern,
                           Value value)
{
    bool place = expr->kind == AST_PATH || expr->kind == AST_FIELD || expr->kind == AST_INDEX ||
                 (expr->kind == AST_UNARY && expr->unary.op == UNARY_DEREF);
    if (value.kind != VALUE_SMALL || !place || !has_ref(pattern))
        return value;
    Value *at = trace_place(trace, expr);
    if (!at || at->kind != VALUE_SMALL)
        return value;
    value_fields(trace, at);
    return *at;
}

static bool condition_holds(Trace *trace, const AstExpr *condition, bool *known)
{
    if (condition->kind == AST_LET) {
        const AstExpr *inner = condition->loop.inner;
        Value value = matched_value(trace, inner, condition->loop.pattern, borrowed(trace, inner));
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

static Value trace_branch(Trace *trace, const AstExpr *expr)
{
    bool known = true;
    int64_t mark = trace->drops.count;
    bool holds = condition_holds(trace, expr->branch.condition, &known);
    if (!holds || !binds_parts(expr->branch.condition))
        drops_leave(trace, mark);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (known && holds)
        return trace_block(trace, expr->branch.then);
    if (known)
        return expr->branch.otherwise ? trace_given(trace, expr->branch.otherwise) : unit_value();
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

Value trace_if(Trace *trace, const AstExpr *expr)
{
    int64_t mark = trace->drops.count;
    Value value = trace_branch(trace, expr);
    drops_leave(trace, mark);
    return value;
}

// Does an arm take the value? *known: for sure.
static bool arm_fits(Trace *trace, const AstArm *arm, Value value, bool *known)
{
    trace->guessed = false;
    int64_t drops = trace->drops.count;
    bool fits = bind_pattern(trace, arm->pattern, value);
    *known = !trace->guessed;
    if (!fits || !arm->guard)
        return fits;
    Places moves = trace->moves;
    if (moves.count) { // the guard may have patterns of its own
        moves.items =
            arena_copy(trace->lang->arena, moves.items, sizeof *moves.items * (size_t)moves.count);
        moves.capacity = moves.count;
    }
    bool holds = condition_holds(trace, arm->guard, known) || !*known;
    if (!holds && moves.count) {
        trace->moves = moves;
        unbind_pattern(trace, drops);
    } else if (!holds) {
        trace->drops.count = drops;
    }
    return holds;
}

// `x => ..` takes all of what is matched.
static void take_matched(Trace *trace, const AstExpr *expr, const AstArm *arm)
{
    if (arm->pattern->kind == PATTERN_BIND && !arm->pattern->by_ref &&
        map_get(&trace->frame->body->slots, arm->pattern))
        move_place(trace, expr->match.inner);
}

static Value trace_match_arms(Trace *trace, const AstExpr *expr)
{
    Value value = borrowed(trace, expr->match.inner);
    Ways ways;
    bool open = false, known = false; // open: an arm before may have been taken
    for (int64_t i = 0; i < expr->match.arms.count && !known; i++) {
        const AstArm *arm = &expr->match.arms.items[i];
        if (!open && trace->flow != FLOW_ON)
            return poison_value();
        value = matched_value(trace, expr->match.inner, arm->pattern, value);
        if (!arm_fits(trace, arm, value, &known)) {
            known = false;
            continue;
        }
        if (known && !open) {
            take_matched(trace, expr, arm);
            return trace_given(trace, arm->body);
        }
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

Value trace_match(Trace *trace, const AstExpr *expr)
{
    int64_t mark = trace->drops.count;
    Value value = trace_match_arms(trace, expr);
    drops_leave(trace, mark);
    return value;
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

static bool constant_takes_long(Trace *trace, Span span)
{
    if (trace->steps > CONSTANT_STEPS && trace->flow == FLOW_ON) {
        diag_add(trace->lang->diags, DIAG_CONST_VALUE, span,
                 "this takes more than {} steps to work out", CONSTANT_STEPS);
        trace->flow = FLOW_STOP;
    }
    return trace->flow == FLOW_STOP;
}

// Has this taken too long? A host program is only looked at; a kernel must be traced to its end.
bool out_of_steps(Trace *trace, Span span)
{
    enum { STEPS_BETWEEN = 4096 };
    int64_t most = trace->lang->most_steps ? trace->lang->most_steps : TRACE_STEPS;
    if (trace->run)
        return trace_interrupted(trace, span);
    if (trace->steps - trace->asked >= STEPS_BETWEEN) {
        trace->asked = trace->steps;
        if (diag_cancelled(trace->lang->diags)) {
            trace->flow = FLOW_STOP;
            return true;
        }
    }
    if (trace_rules(trace)->only_looks)
        return trace->steps > min_i64(most, HOST_STEPS);
    if (trace->mode == TRACE_CONSTANT)
        return constant_takes_long(trace, span);
    if (trace->steps <= most)
        return false;
    if (trace->flow == FLOW_ON) {
        Diag *diag =
            diag_add(trace->lang->diags, DIAG_TRACE_STEPS, span,
                     "{} does not end within {} steps of tracing", root_words(trace), most);
        if (most < TRACE_STEPS) {
            diag_help(diag, "by default it is followed for {} steps", TRACE_STEPS);
            diag_help_typed(diag, "`contra check` follows it for {} steps", TRACE_STEPS);
        }
    }
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
        buf_format(out, "{}{} = {}", out->len ? ", " : ": ", pattern->name.text, item.integer);
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
            diag_note(diags->items[i], span, "in round {} of this loop{}", round + 1, numbers);
}

// Items that a loop did not come to.
static void drop_left(Trace *trace, const AstExpr *over, Iter *iter)
{
    bool lent = over->kind == AST_METHOD && strcmp(over->method.name.name.text, "by_ref") == 0;
    if (iter && follows_drops(trace) && !lent && type_drops(trace, quick_type(trace, over)))
        value_drop(trace, &(Value){.kind = VALUE_ITER, .iter = iter});
}

Value trace_for(Trace *trace, const AstExpr *expr)
{
    Value over = trace_moved(trace, expr->loop.inner), item;
    Type *over_type = quick_type(trace, expr->loop.inner);
    Iter *iter = trace->flow == FLOW_ON ? iter_of_type(trace, over, over_type) : NULL;
    if (!iter && trace->flow == FLOW_ON)
        trace_unknown_for(trace, expr, over);
    for (int64_t i = 0; iter && iter_next(trace, iter, &item); i++) {
        trace->steps++; // also of a body that has none
        if (out_of_steps(trace, expr->span))
            break;
        int64_t reports = trace->lang->diags->count, mark = trace->drops.count;
        bind_owned(trace, expr->loop.pattern, item, over_type);
        bool goes_on = trace_body(trace, expr);
        drops_leave(trace, mark);
        if (trace->lang->diags->count > reports) {
            StrBuf numbers = {.arena = trace->lang->arena};
            add_numbers(&numbers, expr->loop.pattern, item);
            note_round(trace, reports, expr->loop.pattern->span, i, buf_str(&numbers));
        }
        if (!goes_on)
            break;
    }
    drop_left(trace, expr->loop.inner, iter);
    return unit_value();
}

Value trace_while(Trace *trace, const AstExpr *expr)
{
    bool known = true, goes_on = true;
    trace->maybe_left = false;
    for (int64_t round = 0; goes_on && trace->flow == FLOW_ON && !out_of_steps(trace, expr->span);
         round++) {
        int64_t reports = trace->lang->diags->count, mark = trace->drops.count;
        bool holds = condition_holds(trace, expr->loop.inner, &known);
        if (!holds || !binds_parts(expr->loop.inner))
            drops_leave(trace, mark);
        if (known && !holds)
            break;
        if (!known && trace->run)
            return trace_not_run(trace, expr->loop.inner->span);
        trace->steps++;
        goes_on = trace_body(trace, expr) && known && !trace->maybe_left;
        drops_leave(trace, mark);
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
    Value value = inner ? trace_given(trace, inner) : unit_value();
    if (trace->flow == FLOW_ON) {
        trace->frame->result = value;
        trace->flow = flow;
    }
    return poison_value();
}

// `break 'label value` leaves a block of that name.
Value trace_labelled(Trace *trace, const AstExpr *expr)
{
    trace->frame->is_kept |= expr->block.is_async;
    if (expr->block.is_async && trace->run)
        return future_of_block(trace, expr,
                               expr->block.is_move
                                   ? capture(trace, expr->block.first_id, expr->block.end_id)
                                   : trace->frame);
    Value value = trace_block(trace, expr->block.body);
    bool mine = trace->flow == FLOW_BREAK && trace->label && trace->label == expr->block.label;
    if (!mine)
        return value;
    trace->flow = FLOW_ON;
    return trace->frame->result;
}

Value boxed_error(Trace *trace, Value error, Type *type)
{
    if (type_of(type)->kind == TYPE_ASSOC) { // F::Err of an F that was found later
        Type *known = settle_associated(trace->lang, type_of(type));
        type = known ? known : type;
    }
    type = value_inner_type(type);
    bool own = type->kind == TYPE_NAMED && !type->decl->is_builtin;
    if (!own)
        return error;
    Value *place = arena_copy(trace->lang->arena, &error, sizeof error);
    return (Value){.kind = VALUE_REF, .place = place, .dyn = type};
}

// `?`: what is in Some or Ok; None and Err leave the function, Err by way of the `From` of its
// type.
Value trace_try(Trace *trace, const AstExpr *expr)
{
    Value value = value_strip(trace_given(trace, expr->inner)), field = VALUE_NOTHING;
    if (trace->flow != FLOW_ON || !value_variant(value))
        return trace->flow == FLOW_ON ? VALUE_NOTHING : poison_value();
    bool there = value_field(value, &field), is_error = is_variant(value, "Err");
    if (there && !is_error)
        return field;
    const Use *use = is_error ? body_use(trace->frame->body, expr) : NULL;
    if (use && use->kind == USE_DYN)
        value = err_value(trace, boxed_error(trace, field, use->type));
    else if (use)
        value = err_value(trace, trace_own(trace, expr, use, &field, 1));
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
