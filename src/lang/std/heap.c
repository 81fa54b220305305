// BinaryHeap: a list in ascending order, so that the greatest is its last.
#include "lang/std/native.h"

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
    list_insert(trace, list, low, item);
}

NATIVE(heap_push_value)
{
    ValueList *list = list_arg(call, 0);
    if (list)
        heap_push(call->trace, list, call->args[1], list_item_type(call));
    return list && std_unit(result);
}

NATIVE(heap_extend)
{
    ValueList *list = list_arg(call, 0);
    Iter *iter = iter_arg(call, 1);
    Type *type = list_item_type(call);
    Value item;
    bool keeps_refs = type && type->kind == TYPE_REF;
    while (list && iter && iter_next(call->trace, iter, &item))
        heap_push(call->trace, list, keeps_refs ? item : value_unlent(item), type);
    return list && iter && std_unit(result);
}
