// Lists that grow and shrink: Vec and VecDeque.
#include "lang/std/list.h"

#include "base/checked.h"

#include <string.h>

// ---- growing and shrinking

static bool push(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    list_push(call->trace, list, call->args[1]);
    return list_nothing(result);
}

static void open_gap(const StdCall *call, ValueList *list, int64_t at)
{
    list_push(call->trace, list, VALUE_NOTHING);
    memmove(&list->items[at + 1], &list->items[at], sizeof(Value) * (size_t)(list->count - 1 - at));
}

static Value close_gap(ValueList *list, int64_t at)
{
    Value item = list->items[at];
    memmove(&list->items[at], &list->items[at + 1], sizeof(Value) * (size_t)(list->count - 1 - at));
    list->count--;
    return item;
}

static bool push_front(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    open_gap(call, list, 0);
    list->items[0] = call->args[1];
    return list_nothing(result);
}

bool list_pop(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    *result = none_value(call->trace);
    if (list->count)
        *result = some_value(call->trace, call->op == END_FIRST ? close_gap(list, 0)
                                                                : list->items[--list->count]);
    return true;
}

static bool insert(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t at;
    if (!list || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at > list->count)
        return std_panic(call, result, "insertion index (is {}) should be <= len (is {})",
                         (unsigned long long)at, list->count);
    open_gap(call, list, at);
    list->items[at] = call->args[2];
    return list_nothing(result);
}

enum { REMOVE_PLAIN, REMOVE_SWAP, REMOVE_MAYBE };

static bool remove_item(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t at;
    if (!list || !std_int(call, 1, &at))
        return false;
    bool there = at >= 0 && at < list->count;
    if (call->op == REMOVE_MAYBE) { // VecDeque
        *result = there ? some_value(call->trace, close_gap(list, at)) : none_value(call->trace);
        return true;
    }
    if (!there)
        return std_panic(call, result, "{} index (is {}) should be < len (is {})",
                         call->op == REMOVE_SWAP ? "swap_remove" : "removal",
                         (unsigned long long)at, list->count);
    if (call->op == REMOVE_PLAIN) {
        *result = close_gap(list, at);
        return true;
    }
    *result = list->items[at];
    list->items[at] = list->items[--list->count];
    return true;
}

bool list_clear(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    list->count = 0;
    return list_nothing(result);
}

static bool truncate(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t count;
    if (!list || !std_count(call, 1, &count))
        return false;
    list->count = min_i64(list->count, count);
    return list_nothing(result);
}

static bool resize(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t count;
    if (!list || !std_int(call, 1, &count))
        return false;
    if (!room_to_look(call->trace, (uint64_t)count))
        return false;
    if (!room_for(call->trace, (uint64_t)count, list_item_type(call), call->span))
        return list_nothing(result);
    list->count = min_i64(list->count, count);
    while (list->count < count && call->trace->flow == FLOW_ON)
        list_push(call->trace, list,
                  call->op ? std_apply(call, call->args[2], NULL, 0)
                           : copy_value(call->trace, call->args[2]));
    return list_nothing(result);
}

static bool extend(const StdCall *call, Value *result)
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
        return list_nothing(result);
    bool keeps_refs = type && type->kind == TYPE_REF;
    while (iter_next(call->trace, iter, &item)) {
        if (item.kind == VALUE_REF && !item.shared && !keeps_refs && copies)
            item = value_clone(call->trace, value_unlent(item), type);
        list_push(call->trace, list, item);
    }
    return list_nothing(result);
}

static bool append(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0), *other = list_arg(call, 1);
    if (!list || !other)
        return false;
    for (int64_t i = 0; i < other->count; i++)
        list_push(call->trace, list, other->items[i]);
    other->count = 0;
    return list_nothing(result);
}

static bool split_off(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t at;
    if (!list || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at > list->count)
        return std_panic(call, result, "`at` split index (is {}) should be <= len (is {})",
                         (unsigned long long)at, list->count);
    *result = list_value(call->trace, list->items + at, list->count - at);
    list->count = at;
    return true;
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

static bool drain(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t from, to;
    if (!range_arg(call, list, &from, &to))
        return call->trace->flow != FLOW_ON;
    Value taken = take_items(call, list, from, to);
    *result = value_iter(iter_over_items(call->trace, taken.list, false));
    return true;
}

static bool splice(const StdCall *call, Value *result)
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

static bool iterate_range(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t from, to;
    if (!range_arg(call, list, &from, &to))
        return call->trace->flow != FLOW_ON;
    Value part = list_slice(call->trace, list, from, to);
    *result = value_iter(iter_over_list(call->trace, part.list, true));
    return true;
}

static bool extend_from_within(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t from, to;
    if (!range_arg(call, list, &from, &to))
        return call->trace->flow != FLOW_ON;
    if (!room_to_look(call->trace, to - from))
        return false;
    if (!room_for(call->trace, to - from, list_item_type(call), call->span))
        return list_nothing(result);
    for (int64_t i = from; i < to; i++)
        list_push(call->trace, list,
                  value_clone(call->trace, list->items[i], list_item_type(call)));
    return list_nothing(result);
}

// ---- picking

bool list_retain(const StdCall *call, Value *result)
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
    return list_nothing(result) && (known || call->trace->flow != FLOW_ON);
}

enum { DEDUP_SAME, DEDUP_KEY, DEDUP_BY };

static bool same_item(const StdCall *call, Value *a, Value *b, bool *known)
{
    Value refs[] = {value_ref(a), value_ref(b)};
    if (call->op == DEDUP_BY)
        return std_ask(call, call->args[1], refs, 2, known);
    if (call->op == DEDUP_SAME)
        return value_equals(call->trace, *a, *b, list_item_type(call), known);
    return value_equals(call->trace, std_apply(call, call->args[1], &refs[0], 1),
                        std_apply(call, call->args[1], &refs[1], 1), std_generic(call, 0), known);
}

static bool dedup(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    bool known = true;
    if (!list)
        return false;
    int64_t kept = min_i64(1, list->count);
    for (int64_t i = 1; i < list->count; i++)
        if (!same_item(call, &list->items[i], &list->items[kept - 1], &known))
            list->items[kept++] = list->items[i];
    list->count = kept;
    return list_nothing(result) && known;
}

const StdRow std_vec_rows[] = {
    {"Vec", "new", list_new_empty, false},
    {"Vec", "with_capacity", list_new_empty, true},
    {"Vec", "from", list_from_iterable, 0},
    {"Vec", "from_iter", list_from_iterable, 0},
    {"Vec", "push", push, 0},
    {"Vec", "pop", list_pop, END_LAST},
    {"Vec", "clear", list_clear, 0},
    {"Vec", "truncate", truncate, 0},
    {"Vec", "resize", resize, false},
    {"Vec", "resize_with", resize, true},
    {"Vec", "extend", extend, 0},
    {"Vec", "extend_from_slice", extend, 0},
    {"Vec", "append", append, 0},
    {"Vec", "insert", insert, 0},
    {"Vec", "remove", remove_item, REMOVE_PLAIN},
    {"Vec", "swap_remove", remove_item, REMOVE_SWAP},
    {"Vec", "into_iter", list_iterate, true},
    {"Vec", "as_slice", list_itself, 0},
    {"Vec", "as_mut_slice", list_itself, 0},
    {"Vec", "into_boxed_slice", list_itself, 0},
    {"Vec", "drain", drain, 0},
    {"Vec", "splice", splice, 0},
    {"Vec", "extend_from_within", extend_from_within, 0},
    {"Vec", "split_off", split_off, 0},
    {"Vec", "retain", list_retain, 0},
    {"Vec", "retain_mut", list_retain, 0},
    {"Vec", "dedup", dedup, DEDUP_SAME},
    {"Vec", "dedup_by_key", dedup, DEDUP_KEY},
    {"Vec", "dedup_by", dedup, DEDUP_BY},
    {"VecDeque", "new", list_new_empty, false},
    {"VecDeque", "with_capacity", list_new_empty, true},
    {"VecDeque", "from", list_from_iterable, 0},
    {"VecDeque", "push_back", push, 0},
    {"VecDeque", "push_front", push_front, 0},
    {"VecDeque", "pop_back", list_pop, END_LAST},
    {"VecDeque", "pop_front", list_pop, END_FIRST},
    {"VecDeque", "front", list_end_item, END_FIRST},
    {"VecDeque", "front_mut", list_end_item, END_FIRST},
    {"VecDeque", "back", list_end_item, END_LAST},
    {"VecDeque", "back_mut", list_end_item, END_LAST},
    {"VecDeque", "remove", remove_item, REMOVE_MAYBE},
    {"VecDeque", "insert", insert, 0},
    {"VecDeque", "clear", list_clear, 0},
    {"VecDeque", "truncate", truncate, 0},
    {"VecDeque", "extend", extend, 0},
    {"VecDeque", "append", append, 0},
    {"VecDeque", "drain", drain, 0},
    {"VecDeque", "retain", list_retain, 0},
    {"VecDeque", "retain_mut", list_retain, 0},
    {"VecDeque", "from_iter", list_from_iterable, 0},
    {"VecDeque", "make_contiguous", list_itself, 0},
    {"VecDeque", "resize", resize, false},
    {"VecDeque", "resize_with", resize, true},
    {"VecDeque", "split_off", split_off, 0},
    {"VecDeque", "range", iterate_range, 0},
    {"VecDeque", "range_mut", iterate_range, 0},
    {"VecDeque", "into_iter", list_iterate, true},
    {0},
};
