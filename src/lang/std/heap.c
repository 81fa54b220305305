// BinaryHeap: a list in ascending order, so that the greatest is its last.
#include "lang/std/list.h"

#include <string.h>

void heap_push(Trace *trace, ValueList *list, Value item, Type *type)
{
    int64_t low = 0, high = list->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = 0;
        value_compare(trace, list->items[middle], item, type, &order);
        if (order <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    list_push(trace, list, item);
    memmove(&list->items[low + 1], &list->items[low],
            sizeof(Value) * (size_t)(list->count - 1 - low));
    list->items[low] = item;
}

static bool heap_push_value(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (list)
        heap_push(call->trace, list, call->args[1], list_item_type(call));
    return list && list_nothing(result);
}

static bool heap_extend(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Iter *iter = iter_arg(call, 1);
    Type *type = list_item_type(call);
    Value item;
    bool keeps_refs = type && type->kind == TYPE_REF;
    while (list && iter && iter_next(call->trace, iter, &item))
        heap_push(call->trace, list, keeps_refs ? item : value_unlent(item), type);
    return list && iter && list_nothing(result);
}

static bool heap_from(const StdCall *call, Value *result)
{
    Iter *iter = iter_arg(call, 0);
    return iter && collect_into(call->trace, iter, call->type, result);
}

const StdRow std_heap_rows[] = {
    {"BinaryHeap", "new", list_new_empty, false},
    {"BinaryHeap", "with_capacity", list_new_empty, true},
    {"BinaryHeap", "from", heap_from, 0},
    {"BinaryHeap", "from_iter", heap_from, 0},
    {"BinaryHeap", "push", heap_push_value, 0},
    {"BinaryHeap", "pop", list_pop, END_LAST},
    {"BinaryHeap", "peek", list_end_item, END_LAST},
    {"BinaryHeap", "len", list_length, false},
    {"BinaryHeap", "is_empty", list_length, true},
    {"BinaryHeap", "clear", list_clear, 0},
    {"BinaryHeap", "iter", list_iterate, false},
    {"BinaryHeap", "into_iter", list_iterate, true},
    {"BinaryHeap", "into_vec", list_itself, 0},
    {"BinaryHeap", "into_sorted_vec", list_itself, 0},
    {"BinaryHeap", "extend", heap_extend, 0},
    {"BinaryHeap", "retain", list_retain, 0},
    {0},
};
