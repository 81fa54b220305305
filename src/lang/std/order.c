// Items of lists that change places: swaps, copies, sorting; and what is found by their order.
#include "lang/std/native.h"

#include "base/checked.h"

#include <string.h>

// ---- changing items

NATIVE(order_swap_items)
{
    ValueList *list = list_arg(call, 0);
    int64_t a, b;
    if (!list || !std_int(call, 1, &a) || !std_int(call, 2, &b))
        return false;
    bool a_inside = a >= 0 && a < list->count, b_inside = b >= 0 && b < list->count;
    if (!a_inside || !b_inside)
        return std_panic(call, result, "index out of bounds: the len is {} but the index is {}",
                         list->count, (unsigned long long)(a_inside ? b : a));
    Value first = list->items[a];
    list->items[a] = list->items[b];
    list->items[b] = first;
    return std_unit(result);
}

static void turn(Value *items, int64_t from, int64_t to)
{
    for (to--; from < to; from++, to--) {
        Value first = items[from];
        items[from] = items[to];
        items[to] = first;
    }
}

NATIVE(order_reverse)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    turn(list->items, 0, list->count);
    return std_unit(result);
}

NATIVE(order_fill)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    for (int64_t i = 0; i < list->count && call->trace->flow == FLOW_ON; i++)
        list->items[i] = call->op ? std_apply(call, call->args[1], NULL, 0)
                                  : copy_value(call->trace, call->args[1]);
    return std_unit(result);
}

NATIVE(order_copy_from_slice)
{
    ValueList *list = list_arg(call, 0), *other = list_arg(call, 1);
    if (!list || !other)
        return false;
    if (list->count != other->count)
        return std_panic(call, result,
                         "copy_from_slice: source slice length ({}) does not match destination "
                         "slice length ({})",
                         other->count, list->count);
    for (int64_t i = 0; i < list->count; i++)
        list->items[i] = copy_value(call->trace, other->items[i]);
    return std_unit(result);
}

// ---- order

typedef struct {
    const StdCall *call;
    Type *type;
    bool by_function, known;
} Sorter;

static int order(Sorter *sorter, Value *a, Value *b)
{
    const StdCall *call = sorter->call;
    int found = 0;
    if (sorter->by_function) {
        Value refs[] = {value_ref(a), value_ref(b)};
        sorter->known &= ordering_of(std_apply(call, call->args[1], refs, 2), &found);
    } else {
        sorter->known &= value_compare(call->trace, *a, *b, sorter->type, &found);
    }
    return found == UNORDERED ? 0 : found;
}

// Merges two sorted halves, the first item first where both are equal. `keys` decide, `items` are
// moved along.
static void merge_sort(Sorter *sorter, Value *keys, Value *items, Value *spare, int64_t count)
{
    int64_t half = count / 2, a = 0, b = half;
    if (count < 2)
        return;
    merge_sort(sorter, keys, items, spare, half);
    merge_sort(sorter, keys + half, items + half, spare, count - half);
    for (int64_t i = 0; i < count; i++) {
        bool first = b >= count || (a < half && order(sorter, &keys[a], &keys[b]) <= 0);
        int64_t from = first ? a++ : b++;
        spare[2 * i] = keys[from];
        spare[2 * i + 1] = items[from];
    }
    for (int64_t i = 0; i < count; i++) {
        keys[i] = spare[2 * i];
        items[i] = spare[2 * i + 1];
    }
}

NATIVE(order_sort)
{
    ValueList *list = list_arg(call, 0);
    Trace *trace = call->trace;
    if (!list)
        return false;
    int64_t count = list->count;
    Sorter sorter = {call, call->op == SORT_KEY ? std_generic(call, 0) : list_item_type(call),
                     call->op == SORT_BY, true};
    Value *room = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, 3 * count));
    for (int64_t i = 0; i < count; i++) {
        Value ref = value_ref(&list->items[i]);
        room[i] = call->op == SORT_KEY ? std_apply(call, call->args[1], &ref, 1) : list->items[i];
    }
    merge_sort(&sorter, room, list->items, room + count, count);
    return std_unit(result) && (sorter.known || trace->flow != FLOW_ON);
}
