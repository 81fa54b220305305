// Lists that grow and shrink: Vec and VecDeque.
#include "lang/std/native.h"

#include "base/checked.h"

#include <string.h>

// ---- growing and shrinking

NATIVE(vec_push)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    list_push(call->trace, list, call->args[1]);
    return std_unit(result);
}

void list_insert(Trace *trace, ValueList *list, int64_t at, Value item)
{
    list_push(trace, list, item);
    memmove(&list->items[at + 1], &list->items[at], sizeof(Value) * (size_t)(list->count - 1 - at));
    list->items[at] = item;
}

Value list_remove(ValueList *list, int64_t at)
{
    Value item = list->items[at];
    memmove(&list->items[at], &list->items[at + 1], sizeof(Value) * (size_t)(list->count - 1 - at));
    list->count--;
    return item;
}

NATIVE(list_pop)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    *result = none_value(call->trace);
    if (list->count)
        *result = some_value(call->trace, call->op == END_FIRST ? list_remove(list, 0)
                                                                : list->items[--list->count]);
    return true;
}

NATIVE(vec_insert)
{
    ValueList *list = list_arg(call, 0);
    int64_t at;
    if (!list || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at > list->count)
        return std_panic(call, result, "insertion index (is {}) should be <= len (is {})",
                         (unsigned long long)at, list->count);
    list_insert(call->trace, list, at, call->args[2]);
    return std_unit(result);
}

NATIVE(vec_remove)
{
    ValueList *list = list_arg(call, 0);
    int64_t at;
    if (!list || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at >= list->count)
        return std_panic(call, result, "removal index (is {}) should be < len (is {})",
                         (unsigned long long)at, list->count);
    *result = list_remove(list, at);
    return true;
}

NATIVE(list_clear)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    list->count = 0;
    return std_unit(result);
}

NATIVE(vec_truncate)
{
    ValueList *list = list_arg(call, 0);
    int64_t count;
    if (!list || !std_count(call, 1, &count))
        return false;
    list->count = min_i64(list->count, count);
    return std_unit(result);
}

NATIVE(vec_resize)
{
    ValueList *list = list_arg(call, 0);
    int64_t count;
    if (!list || !std_int(call, 1, &count))
        return false;
    if (!room_to_look(call->trace, (uint64_t)count))
        return false;
    if (!room_for(call->trace, (uint64_t)count, list_item_type(call), call->span))
        return std_unit(result);
    list->count = min_i64(list->count, count);
    while (list->count < count && call->trace->flow == FLOW_ON)
        list_push(call->trace, list,
                  call->op ? std_apply(call, call->args[2], NULL, 0)
                           : copy_value(call->trace, call->args[2]));
    return std_unit(result);
}

NATIVE(vec_extend)
{
    ValueList *list = list_arg(call, 0);
    Iter *iter = iter_arg(call, 1);
    bool copies = type_strip(std_arg_type(call, 1))->kind != TYPE_ERROR;
    Value item;
    if (!list || !iter)
        return false;
    Type *type = list_item_type(call);
    if (!room_to_look(call->trace, iter_expected(iter)))
        return false;
    if (!room_for(call->trace, iter_expected(iter), type, call->span))
        return std_unit(result);
    bool keeps_refs = type && type->kind == TYPE_REF;
    while (iter_next(call->trace, iter, &item)) {
        if (item.kind == VALUE_REF && !item.shared && !keeps_refs && copies)
            item = value_clone(call->trace, value_unlent(item), type);
        list_push(call->trace, list, item);
    }
    return std_unit(result);
}

// The ends of the range at argument 1. False: there is none, or the program ended.
static bool range_arg(const StdCall *call, const ValueList *list, int64_t *from, int64_t *to)
{
    Value range = std_arg(call, 1);
    if (!list || range.kind != VALUE_RANGE)
        return false;
    return list_range_ends(call->trace, range, list->count, call->span, from, to);
}

static Value take_items(const StdCall *call, ValueList *list, int64_t from, int64_t to)
{
    Value taken = list_value(call->trace, list->items + from, to - from);
    memmove(list->items + from, list->items + to, sizeof(Value) * (size_t)(list->count - to));
    list->count -= to - from;
    return taken;
}

NATIVE(vec_drain)
{
    ValueList *list = list_arg(call, 0);
    int64_t from, to;
    if (!range_arg(call, list, &from, &to))
        return call->trace->flow != FLOW_ON;
    Value taken = take_items(call, list, from, to);
    *result = value_iter(iter_over_items(call->trace, taken.list, false));
    return true;
}

NATIVE(vec_splice)
{
    ValueList *list = list_arg(call, 0);
    Iter *with = iter_arg(call, 2);
    int64_t from, to;
    if (!with || !range_arg(call, list, &from, &to))
        return call->trace->flow != FLOW_ON;
    Value behind = list_value(call->trace, list->items + to, list->count - to), item;
    Value taken = list_value(call->trace, list->items + from, to - from);
    list->count = from;
    while (iter_next(call->trace, with, &item))
        list_push(call->trace, list, item);
    for (int64_t i = 0; i < behind.list->count; i++)
        list_push(call->trace, list, behind.list->items[i]);
    *result = value_iter(iter_over_list(call->trace, taken.list, false));
    return true;
}

// ---- picking

NATIVE(list_retain)
{
    ValueList *list = list_arg(call, 0);
    int64_t kept = 0;
    bool known = true;
    if (!list)
        return false;
    for (int64_t i = 0; i < list->count; i++) {
        Value ref = value_ref(&list->items[i]);
        if (std_ask(call, call->args[1], &ref, 1, &known))
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return std_unit(result) && (known || call->trace->flow != FLOW_ON);
}
