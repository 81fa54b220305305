// What a running program does with values that go out of use. Only values that own something are
// followed: those of types with an `impl Drop`, Rc and Arc, guards of cells and of the device, and
// whatever holds one of these. A value has one place that owns it; moving it away leaves
// VALUE_MOVED there, and a place whose scope ends gives up what is still in it.
#include "lang/eval/drop.h"

#include "base/checked.h"
#include "lang/eval/iter.h"
#include "lang/host/run_internal.h"
#include "lang/std/std.h"

#include <string.h>

// ---- types

Decl *drop_method(Trace *trace, Type *type)
{
    return user_trait_method(trace, type, "Drop", "drop");
}

// A question about a type, and the types on the way to it.
typedef struct {
    Trace *trace;
    int32_t depth;
    int32_t lowest; // the outermost of them that was met again: it is not answered yet
} Asked;

static bool asked_type(Asked *asked, Type *type);

static bool fields_drop(Asked *asked, Decl *decl)
{
    const Signature *signature = signature_of(asked->trace->lang, decl);
    for (int32_t i = 0; i < signature->param_count; i++)
        if (asked_type(asked, signature->params[i]))
            return true;
    return false;
}

static bool parts_drop(Asked *asked, Decl *decl)
{
    if (decl_drops(decl))
        return true;
    if (decl->kind == DECL_STRUCT)
        return fields_drop(asked, decl);
    for (int64_t i = 0; decl->kind == DECL_ENUM && i < decl->variants.capacity; i++)
        if (decl->variants.slots[i].key && fields_drop(asked, decl->variants.slots[i].value))
            return true;
    return false;
}

// A type of the program, whatever its generics are. One that holds itself, maybe by way of others,
// is dropped if anything else in it is: what was left out on the way is asked once more later.
static bool own_drops(Asked *asked, Type *type)
{
    Decl *decl = type->decl; // worked out once
    if (decl->drops_depth && decl->drops_depth < asked->lowest)
        asked->lowest = decl->drops_depth;
    if (decl->drops_depth || decl->drops != DROPS_UNKNOWN)
        return decl->drops == DROPS_YES;
    int32_t outer = asked->lowest;
    decl->drops_depth = ++asked->depth;
    asked->lowest = INT32_MAX;
    bool drops = parts_drop(asked, decl), open = asked->lowest < asked->depth;
    decl->drops = drops ? DROPS_YES : open ? DROPS_UNKNOWN : DROPS_NO;
    decl->drops_depth = 0;
    asked->depth--;
    asked->lowest = !drops && open && asked->lowest < outer ? asked->lowest : outer;
    return drops;
}

bool decl_drops(Decl *decl)
{
    if (decl->kind == DECL_VARIANT)
        decl = decl->parent;
    if (decl->is_builtin)
        return false;
    if (decl->own_drop == DROPS_UNKNOWN) {
        bool found = false;
        for (int64_t i = 0; i < decl->impls.count; i++) {
            const AstType *trait = decl->impls.items[i]->item->impl.trait;
            int64_t count = trait && trait->kind == AST_TYPE_PATH ? trait->path.segments.count : 0;
            found |= count && strcmp(trait->path.segments.items[count - 1].name.text, "Drop") == 0;
        }
        decl->own_drop = found ? DROPS_YES : DROPS_NO;
    }
    return decl->own_drop == DROPS_YES;
}

static bool named_drops(Asked *asked, Type *type)
{
    bool boxed = type_has_role(type, ROLE_POINTER) && type_is_named(type, "Box");
    return type->decl->roles & ROLE_OWNER ||
           (boxed && type->arg_count && type_of(type->args[0])->kind == TYPE_IMPL) ||
           (!type->decl->is_builtin && own_drops(asked, type));
}

static bool asked_type(Asked *asked, Type *type)
{
    type = type_of(type);
    bool parts = type->kind == TYPE_NAMED || type->kind == TYPE_TUPLE || type->kind == TYPE_ARRAY ||
                 type->kind == TYPE_SLICE;
    if (type->kind == TYPE_CLOSURE) // told by the value: what it took along
        return type->closure->closure.is_move;
    if (!parts || (type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM))
        return false;
    if (type->kind == TYPE_NAMED && named_drops(asked, type))
        return true;
    for (int32_t i = 0; i < type->arg_count; i++)
        if (asked_type(asked, type->args[i]))
            return true;
    return false;
}

bool type_ask_drops(Trace *trace, Type *type)
{
    bool drops = asked_type(&(Asked){.trace = trace, .lowest = INT32_MAX}, type);
    if (!type->has_params) // what is made of it is another type
        type->drops = drops ? DROPS_YES : DROPS_NO;
    return drops;
}

// ---- one value

static void drop_items(Trace *trace, ValueList *list, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++)
        value_drop(trace, &list->items[i]);
}

// The `drop` of the program, then the fields. A panic on the way goes on behind it.
static void call_drop(Trace *trace, Type *type, Value value)
{
    Decl *method = drop_method(trace, type);
    Value ref = ref_to_value(trace, value);
    Run *run = trace->run, before = *run;
    Flow flow = trace->flow;
    const char *label = trace->label;
    if (!method || (flow == FLOW_STOP && !run->panicked))
        return;
    trace->flow = FLOW_ON;
    run->panicked = run->refused = false;
    call_method(trace, method, type, &ref, 1);
    if (trace->flow == FLOW_ON || flow == FLOW_STOP) { // what was under way goes on
        trace->flow = flow;
        run->panicked = before.panicked;
        run->refused = before.refused;
        run->message = before.message;
        run->where = before.where;
    }
    trace->label = label;
}

// True: the list itself is gone, not only parts of it.
static bool drop_list(Trace *trace, ValueList *list, Value value)
{
    Type *drops = list ? list_drops(list) : NULL;
    if (!list || (drops && list->owner->dropped))
        return false;
    if (drops) {
        list->owner->dropped = true;
        call_drop(trace, drops, value);
    }
    drop_items(trace, list, 0, list->count);
    return drops;
}

static void drop_iter(Trace *trace, Iter *iter)
{
    if (!iter)
        return;
    if (iter->list && !iter->by_ref && iter->owns)
        drop_items(trace, iter->list, iter->at, iter->end);
    value_drop(trace, &iter->state);
    value_drop(trace, &iter->function);
    drop_iter(trace, iter->inner);
    drop_iter(trace, iter->other);
    drop_iter(trace, iter->back);
}

static void release(Trace *trace, Shared *shared)
{
    switch (shared->kind) {
    case SHARED_COUNTED:
        if (shared->strong > 0 && --shared->strong == 0)
            value_drop(trace, &shared->value);
        break;
    case SHARED_WEAK:
        break;
    case SHARED_BOX:
        value_drop(trace, shared->place);
        break;
    case SHARED_READ:
        if (!shared->done && list_borrows(shared->cell) > 0)
            shared->cell->owner->borrows--;
        break;
    case SHARED_WRITE:
        if (!shared->done)
            shared->cell->owner->borrows = 0;
        break;
    case SHARED_CONTEXT:
        if (trace->run->state->context == shared)
            trace->run->state->context = NULL;
        break;
    }
    shared->done = shared->kind != SHARED_COUNTED;
}

static void drop_captured(Trace *trace, const Frame *frame)
{
    for (int64_t i = 0; frame->captured && i < frame->captured->count; i++)
        value_drop(trace, frame->captured->items[i].place);
}

// True: the value is gone. Of one that owns nothing itself only parts go, if they do.
static bool drop_kind(Trace *trace, Value value)
{
    switch (value.kind) {
    case VALUE_LIST:
        return drop_list(trace, value.list, value);
    case VALUE_VARIANT:
        return drop_list(trace, value.variant.fields, value);
    case VALUE_MAP:
        drop_list(trace, map_list(value.map, true), VALUE_NOTHING);
        drop_list(trace, map_list(value.map, false), VALUE_NOTHING);
        return false;
    case VALUE_REF:
    case VALUE_CONTEXT:
        if (value.shared)
            release(trace, value.shared);
        return value.shared;
    case VALUE_WEAK:
        if (value.shared)
            value.shared->weak--;
        return value.shared;
    case VALUE_ITER:
        drop_iter(trace, value.iter);
        return true;
    case VALUE_CLOSURE:
        drop_captured(trace, value.closure.frame);
        return value.closure.frame->captured;
    case VALUE_FUTURE:
        future_drop(trace, value.future);
        return true;
    case VALUE_TENSOR:
        run_drop_tensor(trace, value.tensor);
        return true;
    default:
        return false;
    }
}

void value_drop(Trace *trace, Value *place)
{
    if (drop_kind(trace, *place))
        *place = (Value){.kind = VALUE_MOVED};
}

// ---- scopes

void drops_push(Trace *trace, Value *place)
{
    *array_push(trace->lang->arena, &trace->drops, DropPlace) = (DropPlace){place};
}

Value *drops_keep(Trace *trace, Value value)
{
    Value *place = arena_copy(trace->lang->arena, &value, sizeof value);
    drops_push(trace, place);
    return place;
}

void drops_end(Trace *trace, int64_t mark)
{
    while (trace->drops.count > mark)
        value_drop(trace, trace->drops.items[--trace->drops.count].place);
}

// ---- what functions of the library lose

typedef struct {
    ARRAY(Value);
} Handles;

static void find_handles(Trace *trace, Value value, Handles *out);

static void find_in_list(Trace *trace, const ValueList *list, Value value, Handles *out)
{
    bool drops = list && list_drops(list);
    if (!list || (drops && list->owner->dropped))
        return;
    if (drops) {
        *array_push(trace->lang->arena, out, Value) = value;
        return;
    }
    for (int64_t i = 0; i < list->count; i++)
        find_handles(trace, list->items[i], out);
}

static void find_in_iter(Trace *trace, const Iter *iter, Handles *out)
{
    for (int64_t i = iter->at; iter->list && !iter->by_ref && iter->owns && i < iter->end; i++)
        find_handles(trace, iter->list->items[i], out);
    find_handles(trace, iter->state, out);
    find_handles(trace, iter->function, out);
    if (iter->inner)
        find_in_iter(trace, iter->inner, out);
    if (iter->other)
        find_in_iter(trace, iter->other, out);
    if (iter->back)
        find_in_iter(trace, iter->back, out);
}

// Everything in a value that would be dropped with it.
static void find_handles(Trace *trace, Value value, Handles *out)
{
    bool handle = ((value.kind == VALUE_REF || value.kind == VALUE_CONTEXT) && value.shared) ||
                  (value.kind == VALUE_WEAK && value.shared) || value.kind == VALUE_FUTURE ||
                  (value.kind == VALUE_CLOSURE && value.closure.frame->captured);
    if (handle)
        *array_push(trace->lang->arena, out, Value) = value;
    else if (value.kind == VALUE_LIST)
        find_in_list(trace, value.list, value, out);
    else if (value.kind == VALUE_VARIANT)
        find_in_list(trace, value.variant.fields, value, out);
    else if (value.kind == VALUE_ITER)
        find_in_iter(trace, value.iter, out);
    for (int i = 0; value.kind == VALUE_MAP && i < 2; i++)
        find_in_list(trace, map_list(value.map, i), VALUE_NOTHING, out);
}

static bool same_handle(Value a, Value b)
{
    if (a.kind != b.kind)
        return false;
    return a.kind == VALUE_LIST      ? a.list == b.list
           : a.kind == VALUE_VARIANT ? a.variant.fields == b.variant.fields
           : a.kind == VALUE_CLOSURE ? a.closure.frame == b.closure.frame
           : a.kind == VALUE_FUTURE  ? a.future == b.future
                                     : a.shared == b.shared;
}

// Functions that keep all they are given, and would be slow to look through; `drop` drops it.
static bool keeps_all(const char *name)
{
    static const char *const names[] = {"push",   "push_back", "push_front", "new",
                                        "forget", "drop",      "into_iter",  "from",
                                        "into",   "spawn",     "ready"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

// Functions that drop some of what they are lent.
static bool loses(const char *name)
{
    static const char *const names[] = {
        "clear",        "truncate",    "retain",    "retain_mut", "dedup",
        "dedup_by_key", "dedup_by",    "resize",    "fill",       "set",
        "insert",       "resize_with", "fill_with", "clone_from", "clone_from_slice"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool takes_value(Decl *decl, int64_t index)
{
    const AstItem *item = decl->item;
    bool method = item->function.self != SELF_NONE;
    if (method && index == 0)
        return item->function.self == SELF_VALUE;
    int64_t param = index - method;
    return param < item->function.params.count &&
           item->function.params.items[param].type->kind != AST_TYPE_REF;
}

struct DropWatch {
    Handles before;
    DropWatch *outer;
};

// Takes a handle out of others. False: it is not among them. *next: where to look first.
static bool take_handle(Handles *handles, Value handle, int64_t *next)
{
    for (int64_t k = 0; k < handles->count; k++) {
        int64_t at = (*next + k) % handles->count;
        if (!same_handle(handles->items[at], handle))
            continue;
        handles->items[at].kind = VALUE_UNKNOWN;
        *next = at + 1;
        return true;
    }
    return false;
}

void drops_give(Trace *trace, const Value *args, int64_t count)
{
    Handles given = {0};
    int64_t next = 0;
    for (int64_t i = 0; i < count; i++)
        find_handles(trace, args[i], &given);
    for (int64_t i = 0; i < given.count; i++)
        take_handle(&trace->watch->before, given.items[i], &next);
}

DropWatch *drops_watch(Trace *trace, const Use *use, const Value *args, int64_t count)
{
    if (!trace->run->owns || keeps_all(use->decl->name))
        return NULL;
    Handles before = {0};
    bool lends = loses(use->decl->name);
    for (int64_t i = 0; i < count; i++) {
        if (takes_value(use->decl, i) ? is_owning(&args[i]) : lends)
            find_handles(trace, takes_value(use->decl, i) ? args[i] : value_strip(args[i]),
                         &before);
    }
    if (!before.count)
        return NULL;
    DropWatch *watch = arena_new(trace->lang->arena, DropWatch, 1);
    *watch = (DropWatch){before, trace->watch};
    trace->watch = watch;
    return watch;
}

void drops_settle(Trace *trace, const DropWatch *watch, const Use *use, const Value *args,
                  int64_t count, Value result)
{
    Handles after = {0};
    find_handles(trace, result, &after);
    for (int64_t i = 0; i < count; i++)
        if (!takes_value(use->decl, i))
            find_handles(trace, value_strip(args[i]), &after);
    int64_t next = 0;
    trace->watch = watch->outer;
    for (int64_t i = 0; i < watch->before.count; i++)
        if (watch->before.items[i].kind != VALUE_UNKNOWN &&
            !take_handle(&after, watch->before.items[i], &next))
            value_drop(trace, &watch->before.items[i]);
}
