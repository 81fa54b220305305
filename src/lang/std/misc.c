// What every type has (clone, into, default, comparison), std::mem, the cells and boxes, Opt, and
// the small crates.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/drop.h"
#include "lang/eval/range.h"

#include <math.h>
#include <string.h>
#include <time.h>

NATIVE(misc_first_arg)
{
    *result = call->args[0];
    return true;
}

NATIVE(misc_stripped)
{
    *result = std_arg(call, 0);
    return true;
}

NATIVE(misc_do_nothing)
{
    (void)call;
    return std_unit(result);
}

NATIVE(misc_drop_argument)
{
    Value gone = call->args[0];
    if (call->trace->run)
        value_drop(call->trace, &gone);
    return std_unit(result);
}

NATIVE(misc_capacity)
{
    Value list = std_arg(call, 0);
    *result = value_int(list.kind == VALUE_LIST ? list.list->count : 0);
    return true;
}

NATIVE(misc_ok_unit)
{
    *result = ok_value(call->trace, unit_value());
    return true;
}

NATIVE(misc_flush)
{
    const Run *run = call->trace->run;
    if (run && run->print)
        run->print(run->own, STR(""), false);
    return native_misc_ok_unit(call, result);
}

// ---- every type

NATIVE(misc_clone)
{
    *result = value_clone(call->trace, call->args[0], type_strip(std_arg_type(call, 0)));
    return true;
}

NATIVE(misc_make_default)
{
    return value_default(call->trace, call->type, result);
}

// From one type to another: numbers, texts, what a program says with `impl From`.
static bool convert(Trace *trace, Value value, Type *from, Type *to, Value *result)
{
    to = type_of(to);
    const Decl *own = user_method(trace, to, "from");
    if (own) {
        *result = call_method(trace, own, to, &value, 1);
        return true;
    }
    const Decl *into = user_method(trace, type_strip(from), "into");
    if (into) {
        *result = call_method(trace, into, type_strip(from), &value, 1);
        return true;
    }
    if (type_is_named(to, "Box") && type_of(to->args[0])->kind == TYPE_IMPL) {
        *result = boxed_error(trace, value, from);
        return true;
    }
    Value plain = value_strip(value);
    bool wraps = type_is_named(to, "Option") && !type_is_named(type_strip(from), "Option");
    if (wraps) {
        *result = some_value(trace, value);
        return true;
    }
    if (plain.kind == VALUE_SCALAR && to->kind == TYPE_NAMED && to->decl->kind == DECL_PRIM &&
        prims[to->decl->prim].class <= PRIM_FLOAT) {
        double real = element_to_real(plain);
        *result = trace_cast(value_real(real), to, to);
        return true;
    }
    if (plain.kind == VALUE_FLOAT && element_of_real(to, plain.real, result))
        return true;
    bool number = value_is_whole(plain) || plain.kind == VALUE_FLOAT || plain.kind == VALUE_BOOL;
    if (number && to->kind == TYPE_NAMED && to->decl->kind == DECL_PRIM) {
        *result = trace_cast(plain, type_strip(from), to);
        return true;
    }
    if (plain.kind == VALUE_STRING && to->kind == TYPE_NAMED && to->decl->kind == DECL_STRUCT &&
        strstr(to->decl->name, "Error")) {
        *result = list_value(trace, (Value[]){plain, plain}, 2);
        return true;
    }
    bool map = type_is_named(to, "HashMap") || type_is_named(to, "BTreeMap") ||
               type_is_named(to, "HashSet") || type_is_named(to, "BTreeSet");
    if (map && plain.kind == VALUE_LIST)
        return map_collect(trace, iter_over_list(trace, plain.list, false), to, result);
    *result =
        type_of(from)->kind == TYPE_REF && to->kind != TYPE_REF ? copy_value(trace, plain) : value;
    return true;
}

NATIVE(misc_into)
{
    return convert(call->trace, call->args[0], std_arg_type(call, 0), call->type, result);
}

// A number that may not fit, a list that may have another length.
NATIVE(misc_try_into)
{
    Type *type = type_of(call->type), *from = std_arg_type(call, 0);
    Value value = std_arg(call, 0);
    Trace *trace = call->trace;
    if (!type_is_named(type, "Result"))
        return false;
    Type *to = type_of(type->args[0]);
    const Decl *own = user_method(trace, to, "try_from");
    if (own) {
        *result = call_method(trace, own, to, call->args, 1);
        return true;
    }
    Type *list = to->kind == TYPE_REF ? type_of(to->args[0]) : to;
    if (value.kind == VALUE_LIST && list->kind == TYPE_ARRAY) {
        Type *count = type_of(list->args[1]);
        bool fits = count->kind == TYPE_CONST && count->value == value.list->count;
        Value made = to->kind == TYPE_REF ? call->args[0] : copy_value(trace, value);
        *result = fits ? ok_value(trace, made)
                       : err_value(trace, error_value(trace, "could not convert slice to array",
                                                      "TryFromSliceError(())"));
        return true;
    }
    return whole_try_into(trace, value, from, to, result);
}

bool std_default(Trace *trace, Type *type, Value *result)
{
    static const char *const lists[] = {"Vec", "VecDeque", "ArrayVec", "BinaryHeap"};
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (type_is_named(type, lists[i])) {
            *result = new_list(trace, 0);
            return true;
        }
    if (type_is_named(type, "String")) {
        *result = value_text(STR(""));
        return true;
    }
    if (type_is_named(type, "Box"))
        return value_default(trace, type->args[0], result);
    if (type_is_named(type, "PhantomData")) {
        *result = (Value){.kind = VALUE_VARIANT, .variant = {type->decl, NULL}};
        return true;
    }
    Value inner;
    bool cell = type_is_named(type, "RefCell") || type_is_named(type, "Cell") ||
                type_is_named(type, "Mutex");
    if (cell && value_default(trace, type->args[0], &inner)) {
        *result = list_value(trace, &inner, 1);
        return true;
    }
    return map_collect(trace, iter_over_list(trace, unit_value().list, false), type, result);
}

// ---- std::mem

NATIVE(misc_swap)
{
    Value *a = std_place(call, 0), *b = std_place(call, 1);
    if (!a || !b)
        return false;
    Value first = *a;
    *a = *b;
    *b = first;
    return std_unit(result);
}

NATIVE(misc_replace)
{
    Value *place = std_place(call, 0);
    if (!place)
        return false;
    *result = *place;
    *place = call->args[1];
    return true;
}

NATIVE(misc_size_of)
{
    int64_t size, align;
    Type *type = std_generic(call, 0);
    Value value = call->count ? std_arg(call, 0) : VALUE_NOTHING;
    if (!type || !size_of_type(call->trace, type, &size, &align)) {
        bool slice = type && type->kind == TYPE_SLICE && value.kind == VALUE_LIST &&
                     size_of_type(call->trace, type->args[0], &size, &align);
        if (!slice)
            return false;
        size *= value.list->count;
    }
    *result = value_int(call->op ? align : size);
    return true;
}

// ---- ranges

NATIVE(misc_contains)
{
    Value range = std_arg(call, 0), value = std_arg(call, 1);
    if (range.kind != VALUE_RANGE ||
        (range.range.is_real ? value.kind != VALUE_FLOAT : !value_is_whole(value)))
        return false;
    *result = value_bool(range_contains(range, value));
    return true;
}

NATIVE(misc_range_part)
{
    Value range = std_arg(call, 0);
    Uint128 first, last;
    if (range.kind == VALUE_ITER) { // it was counted up
        Int128 left = iter_size(range.iter);
        *result = call->op == RANGE_EMPTY ? value_bool(!left) : value_int((int64_t)left);
        return left >= 0 && (call->op == RANGE_EMPTY || call->op == RANGE_LENGTH);
    }
    if (range.kind != VALUE_RANGE || range.range.open || range.range.no_start)
        return false;
    if (call->op == RANGE_START || call->op == RANGE_LAST) {
        *result = ref_to_value(call->trace,
                               call->op == RANGE_START ? range_low(range) : range_high(range));
        return true;
    }
    if (range.range.is_real)
        return false;
    bool some = range_limits(range, &first, &last);
    Uint128 more = range_distance(first, last, (Prim)range.range.prim);
    *result =
        call->op == RANGE_EMPTY ? value_bool(!some) : value_int((int64_t)(some ? more + 1 : 0));
    return true;
}

// ---- time and the world outside

NATIVE(misc_now)
{
    if (!call->trace->run)
        return false;
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    *result = value_real((double)time.tv_sec + (double)time.tv_nsec * 1e-9);
    return true;
}

// Where a program prints, as a value: its type says all.
NATIVE(misc_new_unit)
{
    *result = (Value){.kind = VALUE_VARIANT, .variant = {type_of(call->type)->decl, NULL}};
    return true;
}

// ---- panics

// What a `dyn` stands for. The words of a panic, as a String or &str: whoever asks for one asks for
// the other next.
NATIVE(misc_downcast)
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

// ---- tokio

NATIVE(misc_runtime)
{
    *result = ok_value(call->trace, unit_value());
    return true;
}

NATIVE(misc_joined)
{
    *result = ok_value(call->trace, call->args[0]);
    return true;
}

// The output of a thread is there as soon as it is asked for: it ran when it was started.
NATIVE(misc_spawn_thread)
{
    Value closure = call->args[0];
    *result = std_apply(call, closure, NULL, 0);
    if (call->trace->run && follows_drops(call->trace)) // what it took ends with it
        value_drop(call->trace, &closure);
    return true;
}
