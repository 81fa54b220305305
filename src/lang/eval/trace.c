#include "base/checked.h"
#include "lang/eval/drop.h"
#include "lang/eval/kernel.h"
#include "lang/eval/trace_internal.h"
#include "lang/syntax/parse.h"

#include <string.h>

const TraceRules trace_modes[] = {
    [TRACE_KERNEL] = {.calls = 100, .nesting = 4000, .says_panics = true, .says_indices = true},
    [TRACE_HELPER] = {.calls = 100, .nesting = 4000},
    [TRACE_HOST] = {.calls = 100, .nesting = 4000, .only_looks = true},
    [TRACE_DRIVER] = {.calls = 100, .nesting = 4000, .only_looks = true, .says_indices = true},
    [TRACE_CONSTANT] = {.calls = 300, .nesting = 4000, .says_panics = true, .says_indices = true},
    [TRACE_RUN] = {.calls = 20 * 1000, .nesting = 200 * 1000},
};

// ---- blocks

static Value let_value(Trace *trace, const AstStatement *statement)
{
    if (!statement->value)
        return VALUE_NOTHING;
    bool whole = statement->pattern->kind == PATTERN_BIND; // or else parts of it stay
    return whole ? trace_moved(trace, statement->value) : trace_expr(trace, statement->value);
}

// let x = &make(): what it refers to lives as long as x.
static bool extends_life(const AstExpr *value)
{
    return value && value->kind == AST_UNARY &&
           (value->unary.op == UNARY_REF || value->unary.op == UNARY_REF_MUT);
}

// What a pattern leaves of a value that nobody else has.
static void drop_rest(Trace *trace, const AstStatement *statement, Value value)
{
    bool rest = follows_drops(trace) && statement->value &&
                statement->pattern->kind != PATTERN_BIND && !is_place_expr(statement->value);
    if (rest && type_drops(trace, body_type(trace->frame->body, statement->value)))
        value_drop(trace, &value);
}

static void trace_let(Trace *trace, const AstStatement *statement)
{
    int64_t mark = trace->drops.count;
    Value value = let_value(trace, statement);
    if (trace->flow != FLOW_ON)
        return;
    if (!extends_life(statement->value))
        drops_leave(trace, mark);
    trace->guessed = false;
    bool fits = bind_pattern(trace, statement->pattern, value);
    drop_rest(trace, statement, value);
    if (!statement->otherwise || (fits && !trace->guessed))
        return;
    if (!fits) {
        trace_block(trace, statement->otherwise);
        return;
    }
    Ways ways = begin_ways(trace);
    enter_way(trace, &ways);
    leave_way(trace, &ways, trace_block(trace, statement->otherwise));
    enter_way(trace, &ways);
    leave_way(trace, &ways, VALUE_NOTHING);
    end_ways(trace, &ways);
}

static void trace_statement(Trace *trace, const AstExpr *expr)
{
    int64_t mark = trace->drops.count;
    Value value = trace_given(trace, expr);
    if (!follows_drops(trace))
        return;
    if (is_owning(&value) && type_drops(trace, quick_type(trace, expr)))
        value_drop(trace, &value);
    drops_leave(trace, mark);
}

static Value trace_statements(Trace *trace, const AstBlock *block)
{
    for (int64_t i = 0; i < block->statements.count && trace->flow == FLOW_ON; i++) {
        const AstStatement *statement = &block->statements.items[i];
        if (statement->kind == STATEMENT_LET)
            trace_let(trace, statement);
        else if (statement->kind == STATEMENT_EXPR)
            trace_statement(trace, statement->value);
    }
    if (trace->flow != FLOW_ON)
        return (Value){.kind = VALUE_POISON};
    return block->tail ? trace_given(trace, block->tail) : unit_value();
}

Value trace_block(Trace *trace, const AstBlock *block)
{
    int64_t mark = trace->drops.count;
    Value value = trace_statements(trace, block);
    drops_leave(trace, mark);
    return value;
}

// ---- calls

// One type, written twice. What is not known yet is only the same as itself.
static bool same_type(Type *a, Type *b)
{
    a = type_of(a);
    b = type_of(b);
    if (a == b)
        return true;
    bool plain = a->kind == TYPE_NAMED || a->kind == TYPE_REF || a->kind == TYPE_TUPLE ||
                 a->kind == TYPE_ARRAY || a->kind == TYPE_SLICE || a->kind == TYPE_CONST ||
                 a->kind == TYPE_CLOSURE;
    bool same = plain && a->kind == b->kind && a->decl == b->decl && a->is_mut == b->is_mut &&
                a->arg_count == b->arg_count && (a->kind != TYPE_CONST || a->value == b->value) &&
                (a->kind != TYPE_CLOSURE || a->closure == b->closure);
    for (int32_t i = 0; i < a->arg_count && same; i++)
        same = same_type(a->args[i], b->args[i]);
    return same;
}

static bool same_generics(const Body *body, Type **generics, int32_t count)
{
    bool same = body->generics && generics;
    for (int32_t i = 0; i < count && same; i++)
        same = same_type(body->generics[i], generics[i]);
    return same;
}

Body *body_of(Lang *lang, Decl *decl, Type **generics)
{
    Body *body = map_get(&lang->bodies, decl);
    if (lang->rests_on)
        lang->rests_on(lang->rests_own, decl, false);
    const Signature *signature = signature_of(lang, decl);
    if (body && same_generics(body, generics, signature->generic_count))
        return body;
    if (body && !signature->generic_count)
        return body;
    for (body = decl->running; body && !same_generics(body, generics, signature->generic_count);)
        body = body->outer;
    if (!body)
        body = infer_function(lang, decl, generics);
    map_put(&lang->bodies, decl, body);
    return body;
}

static bool is_in_item(const Lang *lang, const Diag *diag, const AstItem *item)
{
    return span_inside(span_in_file(lang->sources, diag->span), item->span);
}

static bool is_in_function(const Lang *lang, const Diag *diag)
{
    for (int64_t i = 0; i < lang->functions.count; i++)
        if (is_in_item(lang, diag, lang->functions.items[i]->item))
            return true;
    return false;
}

static void recall(Lang *lang, Diag *diag)
{
    if (!diag_is_listed(lang->diags, diag))
        diag_again(lang->diags, diag);
}

// Reports errors of the text again, which were found before the body was inferred. A syntax error
// may be why the body has an unknown name. An error outside every function may be why a body
// without errors of its own is not sound.
static bool recall_text(Lang *lang, const Body *body, bool lacks_name)
{
    bool inside = false, follows = !body->sound && !body->faults.count;
    for (int64_t i = 0; i < lang->faults.count; i++) {
        Diag *diag = lang->faults.items[i];
        bool is_here = is_in_item(lang, diag, body->decl->item);
        bool is_syntax =
            strcmp(diag_infos[diag->code].group, "syntax") == 0 || diag->code == DIAG_UNSUPPORTED;
        inside |= is_here;
        if (is_here || ((follows || (lacks_name && is_syntax)) && !is_in_function(lang, diag)))
            recall(lang, diag);
    }
    return inside;
}

bool body_recall(Lang *lang, Body *body)
{
    bool lacks_name = false;
    if (body->is_clear)
        return false;
    for (int64_t i = 0; i < body->faults.count; i++)
        lacks_name |= strcmp(diag_infos[body->faults.items[i]->code].group, "name") == 0;
    bool inside = recall_text(lang, body, lacks_name);
    for (int64_t i = 0; i < body->faults.count; i++)
        recall(lang, body->faults.items[i]);
    body->is_clear = body->sound && !inside;
    return !body->is_clear;
}

// A closure may outlive the call it was made in, and sees its variables still.
Frame *new_frame(Trace *trace, const Body *body)
{
    if (!body->sound && trace->builder)
        builder_refuse(trace->builder);
    if (body->slot_count < SPARE_FRAMES && trace->spare[body->slot_count]) {
        Frame *spare = trace->spare[body->slot_count];
        Value *slots = spare->slots;
        trace->spare[body->slot_count] = spare->outer;
        memset(slots, 0, sizeof *slots * (size_t)max_i64(1, body->slot_count));
        *spare = (Frame){.body = body, .outer = trace->frame, .slots = slots};
        return spare;
    }
    Frame *frame = arena_new(trace->lang->arena, Frame, 1);
    frame->body = body;
    frame->outer = trace->frame;
    frame->slots = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, body->slot_count));
    return frame;
}

// Nothing refers to the variables of a function that ended, but closures that it made.
static void end_frame(Trace *trace, Frame *frame)
{
    int32_t count = frame->body->slot_count;
    if (!trace->run || frame->is_kept || count >= SPARE_FRAMES)
        return;
    frame->outer = trace->spare[count];
    trace->spare[count] = frame;
}

static void bind_args(Trace *trace, Decl *decl, const Value *args, int64_t count)
{
    int64_t next = 0;
    bool owns = follows_drops(trace);
    if (decl->item->function.self != SELF_NONE && count) {
        trace->frame->slots[0] = args[next++];
        if (owns && decl->item->function.self == SELF_VALUE &&
            type_drops(trace, trace->frame->body->slot_types.items[0]))
            drops_push(trace, &trace->frame->slots[0]);
    }
    const Body *body = trace->frame->body;
    for (int64_t i = 0; i < decl->item->function.params.count && next < count; i++) {
        const AstPattern *pattern = decl->item->function.params.items[i].pattern;
        if (owns && pattern->kind != PATTERN_BIND && i < body->signature->param_count)
            bind_owned(trace, pattern, args[next++],
                       type_instantiate(trace->lang, body->signature->params[i], body->generics));
        else
            bind_pattern(trace, pattern, args[next++]);
    }
}

static Value run(Trace *trace, Decl *decl, Frame *frame, const Value *args, int64_t count)
{
    Frame *outer = trace->frame;
    const Choice *choice = trace->choice;
    int64_t mark = trace->drops.count;
    trace->frame = frame;
    trace->depth++;
    bind_args(trace, decl, args, count);
    Value value = trace_block(trace, decl->item->function.body);
    drops_leave(trace, mark);
    if (trace->flow == FLOW_RETURN)
        value = frame->result;
    if (trace->flow != FLOW_STOP)
        trace->flow = FLOW_ON;
    set_choice(trace, choice);
    trace->depth--;
    trace->frame = outer;
    return value;
}

// What nobody wrote a call of, as a test, is its own place.
static bool is_called_in_source(Decl *decl, Span call)
{
    return call.source != decl->span.source || call.start != decl->span.start;
}

// What is added meanwhile knows where the function was called.
static Value run_called(Trace *trace, Decl *decl, Frame *frame, const Value *args, int64_t count,
                        Span span)
{
    CallSite site = {trace->site, span};
    if (is_called_in_source(decl, span))
        trace->site = &site;
    builder_call(trace->builder, trace->site);
    Value value = run(trace, decl, frame, args, count);
    trace->site = site.outer;
    builder_call(trace->builder, trace->site);
    return value;
}

// What is wrong in a function that was called may be wrong because of the call.
static void note_call(const Trace *trace, Decl *decl, int64_t first, Span span)
{
    const DiagList *diags = trace->lang->diags;
    enum { NEAR_CALLS = 3 };
    bool is_near = trace->depth <= NEAR_CALLS && is_called_in_source(decl, span);
    for (int64_t i = first; i < diags->count && is_near; i++)
        diag_note(diags->items[i], span, "called from here");
}

static bool is_running(const Trace *trace, Decl *decl)
{
    for (const Frame *frame = trace->frame; frame; frame = frame->outer)
        if (frame->body->decl == decl)
            return true;
    return false;
}

// Refuses a generic function that calls itself with ever larger types: `fn f<T>(x: T) { f((x,)) }`.
// Each such call needs a new instance, which costs more than the last; as in Rust, 128 of them may
// be nested.
static bool nests_too_many(Trace *trace, const Body *body, Span span)
{
    enum { MOST_INSTANCES = 128 };
    bool heavy = false; // a type that doubles is too large before the instances are too many
    for (int32_t i = 0; body->outer && i < body->signature->generic_count; i++)
        heavy |= type_is_heavy(body->generics[i]);
    if (body->instances <= MOST_INSTANCES && !heavy)
        return false;
    Diag *diag =
        diag_add(trace->lang->diags, DIAG_RECURSION, span,
                 "`{}` calls itself with new generic arguments each time: {} nested instances",
                 body->decl->name, body->instances - 1);
    diag_help(diag, "call it with the same generic arguments");
    return true;
}

// Runs the body of a generic function, of which this and other instances may be running.
static Value run_instance(Trace *trace, Body *body, Frame *frame, const Value *args, int64_t count,
                          Span span)
{
    Decl *decl = body->decl;
    int64_t reports = trace->lang->diags->count;
    if (body->is_running)
        return run_called(trace, decl, frame, args, count, span);
    body->outer = decl->running;
    body->instances = body->outer ? body->outer->instances + 1 : 1;
    if (nests_too_many(trace, body, span))
        return run_refuse(trace, span, reports);
    decl->running = body;
    body->is_running = true;
    Value value = run_called(trace, decl, frame, args, count, span);
    body->is_running = false;
    decl->running = body->outer;
    return value;
}

// ---- stand-in types

// The stand-in types of the chapter on sequencers: a program declares
//
//     struct BufTensor<D: Scalar, Buf: M>(..);
//     struct StreamTensor<D: Scalar, Time: M, Packet: M>(..);
//     impl BufTensor<D, Buf> { fn read<Time: M, Packet: M>(..); fn write<Time: M, Packet: M>(..); }
//
// itself, and a call of `read` or `write` is a walk of a bare sequencer. They are known by these
// names and parameters.

static bool is_buffer(Decl *decl)
{
    Type *self = decl->impl ? decl->impl->self : NULL;
    return self && self->kind == TYPE_NAMED && !self->decl->is_builtin &&
           strcmp(self->decl->name, "BufTensor") == 0 && self->arg_count == 2;
}

static bool takes_stream(const Signature *signature)
{
    int32_t own = signature->own_start;
    return signature->generic_count == own + 2 && signature->kinds[own] == GENERIC_MAPPING &&
           signature->kinds[own + 1] == GENERIC_MAPPING;
}

// A walk of the sequencer chapter. False: it is not one.
static bool trace_model(Trace *trace, Decl *decl, Type **generics, Span span)
{
    bool reads = strcmp(decl->name, "read") == 0, writes = strcmp(decl->name, "write") == 0;
    if ((!reads && !writes) || !is_buffer(decl))
        return false;
    const Signature *signature = signature_of(trace->lang, decl);
    if (!takes_stream(signature))
        return false;
    Type *buffer = type_instantiate(trace->lang, signature->self, generics);
    Walk walk = {.buffer = dim_of_type(trace, buffer->args[1]),
                 .time = dim_of_type(trace, generics[signature->own_start]),
                 .packet = dim_of_type(trace, generics[signature->own_start + 1]),
                 .writes = writes,
                 .span = span};
    if (walk.buffer && walk.time && walk.packet && scalar_of_type(buffer->args[0], &walk.type))
        builder_walk(trace->builder, &walk);
    return true;
}

Value trace_call(Trace *trace, Decl *decl, Type **generics, const Value *args, int64_t count,
                 Span span)
{
    if (!decl->item->function.body)
        return VALUE_NOTHING;
    if (trace->uncertain && (trace->depth >= trace_rules(trace)->calls || is_running(trace, decl)))
        return VALUE_NOTHING; // what would end it is not known here
    if (trace->depth >= trace_rules(trace)->calls && trace->run)
        return trace_panic_words(trace, span, "the stack overflows: `{}` is nested {} calls deep",
                                 decl->name, trace->depth);
    if (trace->depth >= trace_rules(trace)->calls) {
        diag_add(trace->lang->diags, DIAG_RECURSION, span,
                 "calls are nested more than {} deep here: does `{}` call itself?",
                 trace_rules(trace)->calls, decl->name);
        trace->flow = FLOW_STOP;
        return poison_value();
    }
    bool constant = trace->mode == TRACE_CONSTANT;
    if (constant && !decl->is_builtin && !decl->item->function.is_const) {
        trace->flow = FLOW_STOP;
        return poison_value();
    }
    if (!constant) // the function is checked on its own
        map_put(&trace->lang->called, decl, trace->lang);
    if (!constant && trace->lang->rests_on)
        trace->lang->rests_on(trace->lang->rests_own, decl, true);
    trace->steps++;
    if (out_of_steps(trace, span))
        return poison_value();
    if (trace_model(trace, decl, generics, span))
        return VALUE_NOTHING;
    if (trace->run && decl->item->function.is_async && !trace->awaits)
        return future_of_call(trace, decl, generics, args, count, span);
    trace->awaits = false;
    int64_t reports = trace->lang->diags->count;
    Body *body = body_of(trace->lang, decl, generics);
    if (trace->run && body_recall(trace->lang, body))
        return run_broken(trace, decl, span, reports);
    Frame *frame = new_frame(trace, body);
    reports = trace->lang->diags->count;
    Value value = body->signature->generic_count
                      ? run_instance(trace, body, frame, args, count, span)
                      : run_called(trace, decl, frame, args, count, span);
    end_frame(trace, frame);
    note_call(trace, decl, reports, span);
    return value;
}

Value trace_closure(Trace *trace, Closure closure, const Value *args, int64_t count)
{
    Frame *outer = trace->frame;
    const Choice *choice = trace->choice;
    trace->steps++;
    if (trace->depth >= trace_rules(trace)->calls && trace->run)
        return trace_panic_words(trace, closure.expr->span,
                                 "the stack overflows: this closure is nested {} calls deep",
                                 trace->depth);
    if (trace->depth >= trace_rules(trace)->calls || out_of_steps(trace, closure.expr->span))
        return poison_value();
    int64_t mark = trace->drops.count;
    trace->frame = closure.frame;
    trace->depth++;
    const AstParams *params = &closure.expr->closure.params;
    const Type *type = follows_drops(trace) ? body_type(trace->frame->body, closure.expr) : NULL;
    for (int64_t i = 0; i < params->count && i < count; i++)
        bind_owned(trace, params->items[i].pattern, args[i],
                   type && type->kind == TYPE_CLOSURE ? type->args[i] : NULL);
    Value value = trace_given(trace, closure.expr->closure.body);
    drops_leave(trace, mark);
    if (trace->flow == FLOW_RETURN) {
        trace->flow = FLOW_ON;
        value = trace->frame->result;
    }
    set_choice(trace, choice);
    trace->depth--;
    trace->frame = outer;
    return value;
}

// ---- whole functions

bool is_host_function(Decl *decl)
{
    const AstAttributes *attributes = &decl->item->attributes;
    return decl->item->function.is_async || attribute_find(attributes, "test") ||
           attribute_find(attributes, "tokio::test") || strcmp(decl->name, "main") == 0;
}

Str root_words(const Trace *trace)
{
    const AstAttributes *attributes = &trace->root->item->attributes;
    bool main = strcmp(trace->root->name, "main") == 0;
    bool test = attribute_find(attributes, "test") || attribute_find(attributes, "tokio::test");
    const char *what = attribute_find(attributes, "device") ? "the kernel "
                       : main                               ? ""
                       : test                               ? "the test "
                       : trace->root->kind == DECL_CONST    ? "the constant "
                                                            : "the function ";
    return str_format(trace->lang->arena, "{}`{}`", what, trace->root->name);
}

// The N of #[device(chip = N)].
static MaybeInt device_chips(Lang *lang, Decl *decl)
{
    const AstAttribute *attribute = attribute_find(&decl->item->attributes, "device");
    if (!attribute)
        return (MaybeInt){0};
    Str args = str_trim(attribute->args);
    const char *equals = args.len ? memchr(args.data, '=', (size_t)args.len) : NULL;
    int64_t chips;
    if (equals && str_equal(str_trim(str_slice(args, 0, equals - args.data)), STR("chip")) &&
        str_to_i64(str_trim(str_slice(args, equals - args.data + 1, args.len)), &chips) &&
        chips > 0)
        return (MaybeInt){true, chips};
    Diag *diag = diag_add(lang->diags, DIAG_DEVICE_ATTRIBUTE, attribute->span,
                          "`#[device({})]` does not say the number of chips", args);
    diag_replace(diag, attribute->span, "#[device(chip = 1)]");
    return (MaybeInt){0};
}

// A context that is a parameter is checked as the main one, which can do everything; a generic of
// another kind has no value outside of a call.
bool choose_generics(Lang *lang, const Signature *signature, Type **generics, bool *open)
{
    bool all = true;
    for (int32_t i = 0; i < signature->generic_count; i++) {
        const AstGeneric *generic = signature->generics[i];
        TypeScope scope = {.lang = lang, .scope = signature->decl->scope};
        Type *type = generic->kind == PARAM_CONST ? resolve_type(&scope, generic->type) : NULL;
        if (!type || !type_is_named(type, "Tu")) {
            all = false;
            continue;
        }
        *open = true;
        Decl *main = map_get(&type->decl->variants, lang_name(lang, "Main"));
        generics[i] = type_variant(lang, main, generic->name.span);
    }
    return all;
}

void trace_uncalled(Lang *lang, Decl *decl)
{
    const Signature *signature = signature_of(lang, decl);
    bool open = false;
    Type **generics = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    if (decl->item->function.body && !choose_generics(lang, signature, generics, &open))
        infer_uncalled(lang, decl, generics);
}

// Whether a value of this type is on the device or leads there: a context, or what lies in chips.
static bool is_of_device(Lang *lang, Type *type, int depth)
{
    enum { DEEPEST_FIELD = 8 }; // types may hold themselves
    static const char *const contexts[] = {"Context", "TuContext", "DmaContext"};
    type = type_strip(type);
    for (int32_t i = 0; type->kind != TYPE_MAPPING && i < type->arg_count; i++)
        if (depth < DEEPEST_FIELD && is_of_device(lang, type->args[i], depth + 1))
            return true;
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_STRUCT)
        return false;
    for (size_t i = 0; i < COUNT_OF(contexts); i++)
        if (type_is_named(type, contexts[i]))
            return true;
    const Signature *fields = signature_of(lang, type->decl);
    for (int32_t i = 0; type->decl->is_builtin && i < fields->generic_count; i++)
        if (strcmp(fields->generics[i]->name.text, "Chip") == 0)
            return true;
    for (int32_t i = 0; i < fields->param_count; i++)
        if (depth < DEEPEST_FIELD && is_of_device(lang, fields->params[i], depth + 1))
            return true;
    return false;
}

// A function that only the host can have a use for: nothing of the device comes in or goes out.
static bool is_helper_of_host(Lang *lang, const Signature *signature)
{
    bool device = is_of_device(lang, signature->result, 0) ||
                  (signature->self && is_of_device(lang, signature->self, 0));
    for (int32_t i = 0; i < signature->param_count; i++)
        device |= is_of_device(lang, signature->params[i], 0);
    return !device;
}

static TraceMode mode_of(Lang *lang, Decl *decl, const Signature *signature)
{
    bool is_helper = !is_kernel(decl) && is_helper_of_host(lang, signature);
    if (is_host_function(decl))
        return is_helper ? TRACE_HOST : TRACE_DRIVER;
    return is_helper ? TRACE_HELPER : TRACE_KERNEL;
}

static bool is_sendable(Type *type)
{
    static const char *const names[] = {"HbmTensor", "HbmTensorView", "HbmTensorViewMut", "Context",
                                        "TuContext", "DmaContext",    "PhantomData"};
    type = type_strip(type);
    if (type->kind == TYPE_ERROR || type->kind == TYPE_NEVER)
        return true;
    if (type->kind == TYPE_TUPLE) {
        bool all = true;
        for (int32_t i = 0; i < type->arg_count; i++)
            all &= is_sendable(type->args[i]);
        return all;
    }
    if (type->kind != TYPE_NAMED)
        return false;
    if (type->decl->kind == DECL_PRIM)
        return prims[type->decl->prim].class != PRIM_ELEMENT && type->decl->prim != PRIM_str;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (type_is_named(type, names[i]))
            return true;
    return false;
}

static void check_sendable(Lang *lang, Type *type, Span span, const char *what)
{
    if (is_sendable(type))
        return;
    Diag *diag = diag_add(lang->diags, DIAG_DEVICE_SIGNATURE, span,
                          "a device function cannot {} {}", what, type_head_name(type_strip(type)));
    diag_help(diag, "move tensors through HBM: take `&HbmTensor<..>`, give back `HbmTensor<..>`");
}

static void check_device_signature(Lang *lang, Decl *decl)
{
    const Signature *signature = signature_of(lang, decl);
    const AstItem *item = decl->item;
    for (int32_t i = 0; i < signature->param_count; i++)
        if (item->function.params.items[i].type)
            check_sendable(lang, signature->params[i], item->function.params.items[i].type->span,
                           "take");
    if (item->function.result)
        check_sendable(lang, signature->result, item->function.result->span, "give back");
}

static void keep_results(Trace *trace, Value value)
{
    value = value_strip(value);
    if (value.kind == VALUE_TENSOR)
        builder_result(trace->builder, value.tensor);
    if (value.kind == VALUE_STREAM)
        builder_leave_open(trace->builder, value.stream.pass);
    for (int64_t i = 0; value.kind == VALUE_LIST && i < value.list->count; i++)
        keep_results(trace, value.list->items[i]);
}

// The numbers that are known; the rest comes from outside, too.
typedef struct {
    const Value *items;
    int64_t count;
} Numbers;

static Value param_from_outside(void *own, Trace *trace, int32_t index, Type *type,
                                const char *name, Span span)
{
    const Numbers *numbers = own;
    if (index == 0) {
        trace->numbers.items = numbers->items;
        trace->numbers.count = numbers->count;
    }
    return param_value(trace, type, name, span);
}

Program *trace_kernel(Lang *lang, Builder *builder, Decl *decl, Type **generics,
                      const Value *numbers, int64_t count)
{
    Numbers known = {numbers, count};
    Value result;
    return trace_program(lang, builder, decl, &(ParamSource){param_from_outside, &known, generics},
                         &result);
}

Program *trace_function(Lang *lang, Builder *builder, Decl *decl)
{
    return trace_kernel(lang, builder, decl, NULL, NULL, 0);
}

Program *trace_program(Lang *lang, Builder *builder, Decl *decl, const ParamSource *source,
                       Value *result)
{
    const Signature *signature = signature_of(lang, decl);
    bool open = false;
    Type **generics = source->generics;
    if (!generics) {
        generics = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
        if (!choose_generics(lang, signature, generics, &open))
            return NULL;
    }
    if (!decl->item->function.body)
        return NULL;
    if (attribute_find(&decl->item->attributes, "device"))
        check_device_signature(lang, decl);
    const Body *body = body_of(lang, decl, generics);
    const char *name = str_terminated(lang->arena, decl_path(lang->arena, decl));
    builder_open(builder, name, decl->span, device_chips(lang, decl));
    Trace trace = {.lang = lang,
                   .builder = builder,
                   .root = decl,
                   .mode = mode_of(lang, decl, signature),
                   .open_context = open};
    Frame *frame = new_frame(&trace, body);
    int64_t self = decl->item->function.self != SELF_NONE, count = signature->param_count + self;
    Value *args = arena_new(lang->arena, Value, (size_t)max_i64(1, count));
    for (int32_t i = 0; i < signature->param_count; i++) {
        const AstPattern *pattern = decl->item->function.params.items[i].pattern;
        args[i + self] = source->make(
            source->own, &trace, i, type_instantiate(lang, signature->params[i], generics),
            pattern->kind == PATTERN_BIND ? pattern->name.text : NULL, pattern->span);
    }
    *result = run(&trace, decl, frame, args, count);
    keep_results(&trace, *result);
    return builder_close(builder);
}
