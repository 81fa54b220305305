// Rc and Arc, Weak, the cells with their guards, locks, atomics and values that are made once. An
// Rc is a reference that owns what it refers to with others; a cell is a list of what is in it.
#include "lang/eval/drop.h"
#include "lang/std/native.h"

#include "base/checked.h"

#include <string.h>

// ---- Rc, Arc, Weak

static Value counted(Trace *trace, Value value)
{
    Shared *shared = arena_new(trace->lang->arena, Shared, 1);
    *shared = (Shared){.kind = SHARED_COUNTED, .value = value, .strong = 1};
    if (trace->run)
        trace->run->owns = true;
    return (Value){.kind = VALUE_REF, .place = &shared->value, .shared = shared};
}

Value shared_copy(Trace *trace, Value value)
{
    Shared *shared = value.shared;
    if (shared->kind == SHARED_COUNTED) {
        shared->strong++;
    } else if (shared->kind == SHARED_READ) {
        shared->cell->owner->borrows++;
        value.shared = arena_copy(trace->lang->arena, shared, sizeof *shared);
    } else if (shared->kind == SHARED_BOX) {
        Value inner = value_clone(trace, *value.place, value.dyn);
        value.place = arena_copy(trace->lang->arena, &inner, sizeof inner);
        value.shared = arena_copy(trace->lang->arena, shared, sizeof *shared);
        value.shared->place = value.place;
    }
    return value;
}

// The Rc, guard or Weak at an argument, however many references lead to it.
static Value owner_arg(const StdCall *call, int64_t index)
{
    return value_unlent(call->args[index]);
}

// The same past guards and boxes.
static Value counted_arg(const StdCall *call, int64_t index)
{
    Value value = owner_arg(call, index);
    for (int i = 0; i < 64 && value.kind == VALUE_REF &&
                    (!value.shared || value.shared->kind != SHARED_COUNTED);
         i++)
        value = *value.place;
    return value;
}

NATIVE(shared_new_counted)
{
    *result = counted(call->trace, call->args[0]);
    return true;
}

NATIVE(shared_counted_from)
{
    Value value = call->args[0];
    if (value.kind == VALUE_REF && !value.shared)
        value = value_clone(call->trace, value_strip(value), type_strip(std_arg_type(call, 0)));
    *result = counted(call->trace, value);
    return true;
}

// Rc::new_cyclic(|weak| ..)
NATIVE(shared_new_cyclic)
{
    *result = counted(call->trace, VALUE_NOTHING);
    Shared *shared = result->shared;
    shared->strong = 0;
    Value weak = {.kind = VALUE_WEAK, .shared = shared}, ref = ref_to_value(call->trace, weak);
    shared->value = std_apply(call, call->args[0], &ref, 1);
    shared->strong = 1;
    return true;
}

NATIVE(shared_clone_owner)
{
    *result = copy_value(call->trace, owner_arg(call, 0));
    return true;
}

NATIVE(shared_same_place)
{
    Value a = counted_arg(call, 0), b = counted_arg(call, 1);
    *result = value_bool(a.shared == b.shared);
    return true;
}

NATIVE(shared_count_owners)
{
    Value value = counted_arg(call, 0);
    const Shared *shared = value.shared;
    if (value.kind != VALUE_WEAK && !shared)
        return false;
    *result = value_int(!shared                    ? 0
                        : call->op == COUNT_STRONG ? shared->strong
                        : shared->strong           ? shared->weak
                                                   : 0);
    return true;
}

NATIVE(shared_downgrade)
{
    Value value = counted_arg(call, 0);
    if (!value.shared)
        return false;
    value.shared->weak++;
    *result = (Value){.kind = VALUE_WEAK, .dyn = value.dyn, .shared = value.shared};
    return true;
}

NATIVE(shared_new_weak)
{
    (void)call;
    *result = (Value){.kind = VALUE_WEAK};
    return true;
}

NATIVE(shared_upgrade)
{
    Value weak = counted_arg(call, 0);
    if (weak.kind != VALUE_WEAK)
        return false;
    *result = none_value(call->trace);
    if (!weak.shared || !weak.shared->strong)
        return true;
    weak.shared->strong++;
    Value strong = {
        .kind = VALUE_REF, .place = &weak.shared->value, .dyn = weak.dyn, .shared = weak.shared};
    *result = some_value(call->trace, strong);
    return true;
}

// The content of the only owner, who gives it up.
NATIVE(shared_try_unwrap)
{
    Value value = call->args[0];
    if (value.kind != VALUE_REF || !value.shared)
        return false;
    bool only = value.shared->strong == 1;
    *result = only ? ok_value(call->trace, value.shared->value) : err_value(call->trace, value);
    if (only) {
        value.shared->value = (Value){.kind = VALUE_MOVED};
        value.shared->strong = 0;
    }
    return true;
}

NATIVE(shared_get_mut)
{
    Value value = counted_arg(call, 0);
    if (!value.shared)
        return false;
    bool only = value.shared->strong == 1 && !value.shared->weak;
    return std_option(call, only, value_ref(value.place), result);
}

// Rc::make_mut: a copy of its own, if others have it too.
NATIVE(shared_make_mut)
{
    Value *place = call->args[0].kind == VALUE_REF ? call->args[0].place : NULL;
    if (!place || place->kind != VALUE_REF || !place->shared)
        return false;
    if (place->shared->strong > 1) {
        Value old = *place;
        Type *inner = value_inner_type(std_arg_type(call, 0));
        *place = counted(call->trace, value_clone(call->trace, *old.place, inner));
        old.shared->strong--;
    }
    *result = value_ref(place->place);
    return true;
}

// ---- cells

NATIVE(shared_new_cell)
{
    *result = list_value(call->trace, call->args, 1);
    return true;
}

static ValueList *cell_of(const StdCall *call)
{
    Value self = std_arg(call, 0);
    return self.kind == VALUE_LIST && self.list->count == 1 ? self.list : NULL;
}

static Value guard_of(Trace *trace, ValueList *cell, bool changes)
{
    Shared *shared = arena_new(trace->lang->arena, Shared, 1);
    *shared = (Shared){.kind = changes ? SHARED_WRITE : SHARED_READ, .cell = cell};
    ListOwner *owner = list_owner(trace, cell);
    owner->borrows = changes ? BORROWED_MUT : owner->borrows + 1;
    trace->run->owns = true;
    return (Value){.kind = VALUE_REF, .place = &cell->items[0], .shared = shared};
}

static bool refuse_borrow(const StdCall *call, const ValueList *cell, Value *result)
{
    bool changes = call->op & BORROW_MUT;
    const char *held = list_borrows(cell) == BORROWED_MUT ? "mutably borrowed" : "borrowed";
    if (call->op & BORROW_TRY) {
        const char *lock = "try_lock failed because the operation would block";
        const char *debug = call->op & BORROW_LOCK ? "WouldBlock"
                            : changes              ? "BorrowMutError"
                                                   : "BorrowError";
        StrBuf words = {.arena = call->trace->lang->arena};
        buf_format(&words, "RefCell already {}", held);
        *result =
            err_value(call->trace, error_value(call->trace,
                                               call->op & BORROW_LOCK
                                                   ? lock
                                                   : str_terminated(words.arena, buf_str(&words)),
                                               debug));
        return true;
    }
    if (call->op & BORROW_LOCK)
        return std_panic(call, result,
                         "`{}` would wait for ever: a guard of this lock is still held",
                         call->name);
    return std_panic(call, result, "RefCell already {}", held);
}

// borrow, borrow_mut, lock, read, write and what tries to
NATIVE(shared_borrow)
{
    ValueList *cell = cell_of(call);
    if (!cell)
        return false;
    bool changes = call->op & BORROW_MUT;
    if (!call->trace->run) { // only looked at
        Value ref = value_ref(&cell->items[0]);
        *result = call->op & (BORROW_TRY | BORROW_LOCK) ? ok_value(call->trace, ref) : ref;
        return true;
    }
    if (changes ? list_borrows(cell) != 0 : list_borrows(cell) == BORROWED_MUT)
        return refuse_borrow(call, cell, result);
    Value guard = guard_of(call->trace, cell, changes);
    bool tries = call->op & (BORROW_TRY | BORROW_LOCK);
    *result = tries ? ok_value(call->trace, guard) : guard;
    return true;
}

NATIVE(shared_use_cell)
{
    ValueList *cell = cell_of(call);
    Value *place = cell ? &cell->items[0] : NULL;
    if (!place)
        return false;
    if (list_borrows(cell) && call->op >= CELL_SET && call->op != CELL_INTO)
        return std_panic(call, result, "RefCell already {}",
                         list_borrows(cell) == BORROWED_MUT ? "mutably borrowed" : "borrowed");
    switch (call->op) {
    case CELL_REF:
        *result = value_ref(place);
        return true;
    case CELL_GET:
        *result = copy_value(call->trace, *place);
        return true;
    case CELL_INTO: {
        bool lock = strncmp(call->self ? type_head_name(call->self) : "", "RwLock", 6) == 0 ||
                    (call->self && type_is_named(call->self, "Mutex"));
        *result = lock ? ok_value(call->trace, *place) : *place;
        *place = (Value){.kind = VALUE_MOVED};
        return true;
    }
    case CELL_SET:
        *place = call->args[1];
        return std_unit(result);
    default:
        *result = *place;
        *place = call->args[1];
        return true;
    }
}

// Ref::map(guard, |x| &x.part)
NATIVE(shared_map_guard)
{
    Value guard = call->args[0], ref = value_ref(guard.place);
    if (guard.kind != VALUE_REF || !guard.shared)
        return false;
    Value part = std_apply(call, call->args[1], &ref, 1);
    if (part.kind != VALUE_REF)
        return false;
    *result = part;
    result->shared = guard.shared;
    return true;
}

// ---- made once: a cell of an Option

NATIVE(shared_new_once)
{
    Value none = none_value(call->trace);
    *result = list_value(call->trace, &none, 1);
    return true;
}

// A static is made when it is first used, which is when such a value is.
NATIVE(shared_new_lazy)
{
    Decl *decl = call->trace->frame->body->decl;
    if (decl->kind != DECL_CONST) {
        *result = run_unknown(call->trace, call->span, "a lazy value that is not a static",
                              "make it a `static` of type `LazyLock`, or compute the value here");
        return true;
    }
    *result = ref_to_value(call->trace, std_apply(call, call->args[0], NULL, 0));
    return true;
}

// ---- atomics: cells of a number

static Value atomic_binary(const StdCall *call, Type *type, Value old, Value other)
{
    static const AstBinaryOp ops[] = {[ATOMIC_ADD] = BINARY_ADD,
                                      [ATOMIC_SUB] = BINARY_SUB,
                                      [ATOMIC_AND] = BINARY_AND,
                                      [ATOMIC_OR] = BINARY_OR,
                                      [ATOMIC_XOR] = BINARY_XOR};
    if (call->op != ATOMIC_MAX && call->op != ATOMIC_MIN)
        return trace_binary(call->trace, call->expr, ops[call->op], old, other, type);
    int order = 0;
    value_compare(call->trace, old, other, type, &order);
    return (order < 0) == (call->op == ATOMIC_MAX) ? other : old;
}

NATIVE(shared_use_atomic)
{
    ValueList *cell = cell_of(call);
    if (!cell)
        return false;
    Value *place = &cell->items[0], old = *place, wanted;
    Trace *trace = call->trace;
    bool known = true;
    switch (call->op) {
    case ATOMIC_EXCHANGE:
        wanted = std_arg(call, 1);
        if (value_equal(&old, &wanted, &known)) {
            *place = std_arg(call, 2);
            *result = ok_value(trace, old);
        } else {
            *result = err_value(trace, old);
        }
        return known;
    case ATOMIC_UPDATE: {
        Value made = value_strip(std_apply(call, call->args[3], &old, 1));
        bool some = value_field(made, place);
        *result = some ? ok_value(trace, old) : err_value(trace, old);
        return true;
    }
    default:
        *place = atomic_binary(call, type_of(call->type), old, std_arg(call, 1));
        *result = old;
        return true;
    }
}

// ---- what a box has in it

// What a `dyn` stands for. The words of a panic, as a String or &str: whoever asks for one asks for
// the other next.
NATIVE(box_downcast)
{
    Type *type = std_generic(call, 0);
    Value words = std_arg(call, 0), dyn = value_dyn(call->args[0]);
    type = type ? type_strip(type) : NULL;
    bool there = dyn.dyn ? type && type_could_unify(call->trace->lang, type, dyn.dyn)
                         : words.kind == VALUE_STRING && type &&
                               (type_is_named(type, "String") || type_is_prim(type, PRIM_str));
    if (call->op == DOWNCAST_IS)
        *result = value_bool(there);
    else if (call->op == DOWNCAST_TAKE)
        *result = there ? ok_value(call->trace, words) : err_value(call->trace, call->args[0]);
    else
        std_option(call, there, dyn.dyn ? value_ref(dyn.place) : ref_to_value(call->trace, words),
                   result);
    return true;
}
