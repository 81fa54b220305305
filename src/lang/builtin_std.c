// What kernels use of the standard library, worked out while they are traced: whole numbers, lists
// of known items, options. A host program is not run here, so its lists are left unknown.
#include "lang/trace_internal.h"

#include "base/checked.h"
#include "lang/iter.h"

#include <string.h>

enum { MOST_ITEMS = 1 << 20 };

static bool int_at(const StdCall *call, int64_t index, int64_t *value)
{
    Value arg = index < call->count ? value_strip(call->args[index]) : VALUE_NOTHING;
    *value = arg.integer;
    return arg.kind == VALUE_INT;
}

// ---- whole numbers

static int64_t power(int64_t base, int64_t exponent)
{
    uint64_t result = 1;
    for (int64_t i = 0; i < exponent && i < 64; i++)
        result *= (uint64_t)base;
    return (int64_t)result;
}

static int64_t log2_of(int64_t value)
{
    int64_t bits = 0;
    while (value > 1) {
        value >>= 1;
        bits++;
    }
    return bits;
}

// One or two numbers to one. False: there is no such function, or no such result.
static bool number(const char *name, int64_t a, int64_t b, int64_t *result)
{
    static const char *const adds[] = {"wrapping_add", "saturating_add"};
    static const char *const subtracts[] = {"wrapping_sub", "saturating_sub"};
    bool divides = b > 0 && a >= 0;
    if (strcmp(name, "min") == 0)
        *result = min_i64(a, b);
    else if (strcmp(name, "max") == 0)
        *result = max_i64(a, b);
    else if (strcmp(name, "pow") == 0)
        *result = power(a, b);
    else if (strcmp(name, "abs") == 0)
        *result = a < 0 ? (int64_t) - (uint64_t)a : a;
    else if (strcmp(name, "ilog2") == 0)
        *result = log2_of(a);
    else if (strcmp(name, "wrapping_mul") == 0)
        *result = (int64_t)((uint64_t)a * (uint64_t)b);
    else if (strcmp(name, adds[0]) == 0)
        *result = (int64_t)((uint64_t)a + (uint64_t)b);
    else if (strcmp(name, subtracts[0]) == 0)
        *result = (int64_t)((uint64_t)a - (uint64_t)b);
    else if (strcmp(name, adds[1]) == 0)
        *result = checked_add(a, b, result) ? *result : INT64_MAX;
    else if (strcmp(name, subtracts[1]) == 0)
        *result = a >= b ? a - b : 0;
    else if (strcmp(name, "div_ceil") == 0 && divides)
        *result = ceil_div(a, b);
    else if (strcmp(name, "next_multiple_of") == 0 && divides)
        *result = ceil_div(a, b) * b;
    else if (strcmp(name, "rem_euclid") == 0 && b > 0)
        *result = (a % b + b) % b;
    else
        return false;
    return true;
}

static bool run_number(const StdCall *call, Value *result)
{
    int64_t a, b = 0, value;
    if (!int_at(call, 0, &a) || (call->count > 1 && !int_at(call, 1, &b)))
        return false;
    if (strcmp(call->name, "is_power_of_two") == 0) {
        *result = value_bool(a > 0 && (a & (a - 1)) == 0);
        return true;
    }
    bool same = strcmp(call->name, "from") == 0 || strcmp(call->name, "into") == 0;
    if (!same && !number(call->name, a, b, &value))
        return false;
    *result = value_int(wrap_integer(same ? a : value, call->type));
    return true;
}

// ---- lists

static bool items_of(Trace *trace, Value value, ValueList *list)
{
    Iter *iter = iter_of(trace, value);
    Value made = new_list(trace, 0), item;
    while (iter && made.list->count <= MOST_ITEMS && iter_next(trace, iter, &item))
        list_push(trace, made.list, item);
    *list = *made.list;
    return iter && list->count <= MOST_ITEMS;
}

static Value iterator(Trace *trace, const Value *items, int64_t count)
{
    return (Value){.kind = VALUE_ITER,
                   .iter = iter_over_list(trace, list_value(trace, items, count).list, false)};
}

static bool run_items(const StdCall *call, Value *result)
{
    ValueList list, other;
    int64_t number = 1;
    if (call->trace->is_host || !call->count || !items_of(call->trace, call->args[0], &list))
        return false;
    Value *made = arena_new(call->trace->lang->arena, Value, (size_t)list.count + 1);
    int64_t count = 0;
    if (strcmp(call->name, "enumerate") == 0) {
        for (int64_t i = 0; i < list.count; i++)
            made[count++] = list_value(call->trace, (Value[]){value_int(i), list.items[i]}, 2);
    } else if (strcmp(call->name, "rev") == 0) {
        for (int64_t i = list.count - 1; i >= 0; i--)
            made[count++] = list.items[i];
    } else if (strcmp(call->name, "step_by") == 0 && int_at(call, 1, &number) && number > 0) {
        for (int64_t i = 0; i < list.count; i += number)
            made[count++] = list.items[i];
    } else if (strcmp(call->name, "take") == 0 && int_at(call, 1, &number)) {
        for (int64_t i = 0; i < list.count && i < number; i++)
            made[count++] = list.items[i];
    } else if (strcmp(call->name, "skip") == 0 && int_at(call, 1, &number)) {
        for (int64_t i = max_i64(0, number); i < list.count; i++)
            made[count++] = list.items[i];
    } else if (strcmp(call->name, "zip") == 0 && items_of(call->trace, call->args[1], &other)) {
        for (int64_t i = 0; i < list.count && i < other.count; i++)
            made[count++] = list_value(call->trace, (Value[]){list.items[i], other.items[i]}, 2);
    } else if (strcmp(call->name, "map") == 0 && value_strip(call->args[1]).kind == VALUE_CLOSURE) {
        Closure closure = value_strip(call->args[1]).closure;
        for (int64_t i = 0; i < list.count; i++)
            made[count++] = trace_closure(call->trace, &closure, &list.items[i], 1);
    } else if (strcmp(call->name, "copied") == 0 || strcmp(call->name, "cloned") == 0) {
        for (int64_t i = 0; i < list.count; i++)
            made[count++] = value_strip(list.items[i]);
    } else if (strcmp(call->name, "collect") == 0) {
        *result = list_value(call->trace, list.items, list.count);
        return type_is_named(call->type, "Vec");
    } else {
        return false;
    }
    *result = call->type->kind == TYPE_ARRAY ? list_value(call->trace, made, count)
                                             : iterator(call->trace, made, count);
    return true;
}

// ---- what is changed in place

static bool run_change(const StdCall *call, Value *result)
{
    Value *place = call->count && call->args[0].kind == VALUE_REF ? call->args[0].place : NULL;
    *result = list_value(call->trace, NULL, 0);
    if (!place)
        return false;
    if (strcmp(call->name, "swap") == 0 && call->count == 2 && call->args[1].kind == VALUE_REF) {
        Value first = *place;
        *place = *call->args[1].place;
        *call->args[1].place = first;
        return true;
    }
    if (strcmp(call->name, "replace") == 0 && call->count == 2) {
        *result = *place;
        *place = call->args[1];
        return true;
    }
    if (place->kind != VALUE_LIST || call->trace->is_host)
        return false;
    const ValueList *list = place->list;
    if (strcmp(call->name, "push") == 0 && call->count == 2) {
        Value *items = arena_new(call->trace->lang->arena, Value, (size_t)list->count + 1);
        if (list->count)
            memcpy(items, list->items, sizeof *items * (size_t)list->count);
        items[list->count] = call->args[1];
        *place = list_value(call->trace, items, list->count + 1);
        return true;
    }
    int64_t a, b;
    bool swaps = strcmp(call->name, "swap") == 0 && int_at(call, 1, &a) && int_at(call, 2, &b) &&
                 a >= 0 && b >= 0 && a < list->count && b < list->count;
    if (swaps) {
        Value first = list->items[a];
        list->items[a] = list->items[b];
        list->items[b] = first;
    }
    return swaps;
}

// ---- others

static bool run_option(const StdCall *call, Value *result)
{
    Value self = call->count ? value_strip(call->args[0]) : VALUE_NOTHING;
    Value field;
    if (!value_variant(self))
        return false;
    bool some = value_field(self, &field);
    bool unwraps = strcmp(call->name, "unwrap") == 0 || strcmp(call->name, "expect") == 0;
    if (strcmp(call->name, "is_some") == 0 || strcmp(call->name, "is_none") == 0) {
        *result = value_bool(some == (call->name[3] == 's'));
        return true;
    }
    if (some && unwraps)
        *result = field;
    return some && unwraps;
}

static bool run_plain(const StdCall *call, Value *result)
{
    if (strcmp(call->name, "size_of") == 0 && call->generic) {
        Type *type = type_of(call->generic);
        bool prim = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
        *result = prim ? value_int((prims[type->decl->prim].bits + 7) / 8) : VALUE_NOTHING;
        return prim;
    }
    *result = list_value(call->trace, NULL, 0);
    if (strcmp(call->name, "drop") == 0)
        return true;
    return strcmp(call->name, "new") == 0 && type_is_named(call->type, "Vec") &&
           !call->trace->is_host;
}

bool std_call(const StdCall *call, Value *result)
{
    return run_number(call, result) || run_change(call, result) || run_items(call, result) ||
           run_option(call, result) || run_plain(call, result);
}
