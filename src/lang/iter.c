#include "lang/iter.h"

bool iter_next(Trace *trace, Iter *iter, Value *item)
{
    return trace->flow == FLOW_ON && iter->next(trace, iter, item);
}

// ---- ranges

static bool range_next(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (!iter->is_open && iter->at >= iter->end)
        return false;
    *item = value_int(iter->at++);
    return true;
}

static bool range_next_back(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (iter->at >= iter->end)
        return false;
    *item = value_int(--iter->end);
    return true;
}

// ---- lists

static Value list_item(const Iter *iter, int64_t index)
{
    Value *place = &iter->list->items[index];
    return iter->by_ref ? (Value){.kind = VALUE_REF, .place = place} : *place;
}

static bool list_next(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (iter->at >= iter->end)
        return false;
    *item = list_item(iter, iter->at++);
    return true;
}

static bool list_next_back(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (iter->at >= iter->end)
        return false;
    *item = list_item(iter, --iter->end);
    return true;
}

Iter *iter_over_list(Trace *trace, ValueList *list, bool by_ref)
{
    Iter *iter = arena_new(trace->lang->arena, Iter, 1);
    *iter = (Iter){.next = list_next,
                   .next_back = list_next_back,
                   .list = list,
                   .end = list->count,
                   .by_ref = by_ref};
    return iter;
}

Iter *iter_of(Trace *trace, Value value)
{
    Value over = value_strip(value);
    if (over.kind == VALUE_ITER)
        return over.iter;
    if (over.kind == VALUE_LIST)
        return iter_over_list(trace, over.list, value.kind == VALUE_REF);
    if (over.kind != VALUE_RANGE || over.range.is_real)
        return NULL;
    Iter *iter = arena_new(trace->lang->arena, Iter, 1);
    *iter = (Iter){.next = range_next,
                   .next_back = over.range.open ? NULL : range_next_back,
                   .at = over.range.low,
                   .end = over.range.high,
                   .is_open = over.range.open};
    return iter;
}
