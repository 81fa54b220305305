// Iterators that stand on others, and those made of functions. Each is a `next`, a `next_back`
// where the language has one, and how many items are left where that is known.
#include "lang/std/native.h"

#include "base/checked.h"

// ---- one function on each item

static Value apply(Trace *trace, const Iter *iter, const Value *args, int64_t count)
{
    return call_value(trace, iter->function, args, count, iter->span);
}

// What the function says of an item by reference. Who does not know stops the iterator.
static bool holds(Trace *trace, Iter *iter, Value *item)
{
    Value ref = value_ref(item);
    Value answer = value_strip(apply(trace, iter, &ref, 1));
    iter->done |= answer.kind != VALUE_BOOL;
    return answer.kind == VALUE_BOOL && answer.boolean;
}

static Int128 inner_size(const Iter *iter)
{
    return iter_size(iter->inner);
}

static bool map_next(Trace *trace, Iter *iter, Value *item)
{
    Value from;
    if (!iter_next(trace, iter->inner, &from))
        return false;
    *item = apply(trace, iter, &from, 1);
    return trace->flow == FLOW_ON;
}

static bool map_back(Trace *trace, Iter *iter, Value *item)
{
    Value from;
    if (!iter_next_back(trace, iter->inner, &from))
        return false;
    *item = apply(trace, iter, &from, 1);
    return trace->flow == FLOW_ON;
}

static bool filter_next(Trace *trace, Iter *iter, Value *item)
{
    while (!iter->done && iter_next(trace, iter->inner, item))
        if (holds(trace, iter, item))
            return true;
    return false;
}

static bool filter_back(Trace *trace, Iter *iter, Value *item)
{
    while (!iter->done && iter_next_back(trace, iter->inner, item))
        if (holds(trace, iter, item))
            return true;
    return false;
}

static bool filter_map_from(Trace *trace, Iter *iter, IterNext next, Value *item)
{
    Value from;
    while (next(trace, iter->inner, &from)) {
        Value made = value_strip(apply(trace, iter, &from, 1));
        if (value_field(made, item))
            return true;
        if (!value_variant(made) || trace->flow != FLOW_ON)
            return false;
    }
    return false;
}

static bool filter_map_next(Trace *trace, Iter *iter, Value *item)
{
    return filter_map_from(trace, iter, iter_next, item);
}

static bool filter_map_back(Trace *trace, Iter *iter, Value *item)
{
    return filter_map_from(trace, iter, iter_next_back, item);
}

static bool scan_next(Trace *trace, Iter *iter, Value *item)
{
    Value from;
    if (iter->done || !iter_next(trace, iter->inner, &from))
        return false;
    Value args[] = {value_ref(&iter->state), from};
    iter->done = !value_field(value_strip(apply(trace, iter, args, 2)), item);
    return !iter->done;
}

static bool copied_next(Trace *trace, Iter *iter, Value *item)
{
    if (!iter_next(trace, iter->inner, item))
        return false;
    *item = value_clone(trace, item->kind == VALUE_REF ? *item->place : *item, iter->type);
    return true;
}

static bool copied_back(Trace *trace, Iter *iter, Value *item)
{
    if (!iter_next_back(trace, iter->inner, item))
        return false;
    *item = value_clone(trace, item->kind == VALUE_REF ? *item->place : *item, iter->type);
    return true;
}

// ---- items of items

// The next or last of what is left, as items themselves; with a function, the function makes them.
static Iter *flat_part(Trace *trace, Iter *iter, IterNext take)
{
    Value from;
    if (!take(trace, iter->inner, &from))
        return NULL;
    if (iter->function.kind != VALUE_UNKNOWN)
        from = apply(trace, iter, &from, 1);
    return trace->flow == FLOW_ON ? iter_of_type(trace, from, iter->type) : NULL;
}

// `other` is the part at hand in front, `back` the one behind, which is all that is left at last.
static bool flat_next(Trace *trace, Iter *iter, Value *item)
{
    for (;;) {
        if (iter->other && iter_next(trace, iter->other, item))
            return true;
        iter->other = flat_part(trace, iter, iter_next);
        if (!iter->other)
            return iter->back && iter_next(trace, iter->back, item);
    }
}

static bool flat_next_back(Trace *trace, Iter *iter, Value *item)
{
    for (;;) {
        if (iter->back && iter_next_back(trace, iter->back, item))
            return true;
        iter->back = flat_part(trace, iter, iter_next_back);
        if (!iter->back)
            return iter->other && iter_next_back(trace, iter->other, item);
    }
}

// ---- counting

static Value pair(Trace *trace, Value first, Value second)
{
    return list_value(trace, (Value[]){first, second}, 2);
}

static bool enumerate_next(Trace *trace, Iter *iter, Value *item)
{
    Value from;
    if (!iter_next(trace, iter->inner, &from))
        return false;
    *item = pair(trace, value_int(iter->at++), from);
    return true;
}

static bool enumerate_back(Trace *trace, Iter *iter, Value *item)
{
    Value from;
    Int128 size = iter_size(iter->inner);
    if (size < 0 || !iter_next_back(trace, iter->inner, &from))
        return false;
    *item = pair(trace, value_int((int64_t)(iter->at + size - 1)), from);
    return true;
}

static bool take_next(Trace *trace, Iter *iter, Value *item)
{
    if (iter->count <= 0)
        return false;
    iter->count--;
    return iter_next(trace, iter->inner, item);
}

static Int128 take_size(const Iter *iter)
{
    Int128 size = iter_size(iter->inner);
    bool endless = !iter->inner->size && iter->inner->is_open;
    return endless ? iter->count : size < 0 ? -1 : size < iter->count ? size : iter->count;
}

static bool take_back(Trace *trace, Iter *iter, Value *item)
{
    Int128 size = iter_size(iter->inner);
    if (iter->count <= 0 || size < 0 || !iter_skip_back(trace, iter->inner, size - iter->count))
        return false;
    iter->count = (size < iter->count ? size : iter->count) - 1;
    return iter_next_back(trace, iter->inner, item);
}

static bool skip_next(Trace *trace, Iter *iter, Value *item)
{
    Int128 count = iter->count;
    iter->count = 0;
    return (!count || iter_skip(trace, iter->inner, count)) && iter_next(trace, iter->inner, item);
}

static Int128 skip_size(const Iter *iter)
{
    Int128 size = iter_size(iter->inner);
    return size < 0 ? -1 : size > iter->count ? size - iter->count : 0;
}

static bool skip_back(Trace *trace, Iter *iter, Value *item)
{
    return skip_size(iter) > 0 && iter_next_back(trace, iter->inner, item);
}

// at: 1 once the first item was given.
static bool step_next(Trace *trace, Iter *iter, Value *item)
{
    bool first = !iter->at;
    iter->at = 1;
    return (first || iter_skip(trace, iter->inner, iter->count - 1)) &&
           iter_next(trace, iter->inner, item);
}

static Int128 step_size(const Iter *iter)
{
    Int128 size = iter_size(iter->inner);
    if (size < 0)
        return -1;
    return iter->at ? size / iter->count : size / iter->count + (size % iter->count != 0);
}

static bool step_back(Trace *trace, Iter *iter, Value *item)
{
    Int128 count = step_size(iter), size = iter_size(iter->inner);
    if (count <= 0)
        return false;
    Int128 last = iter->at ? count * iter->count - 1 : (count - 1) * iter->count;
    return iter_skip_back(trace, iter->inner, size - 1 - last) &&
           iter_next_back(trace, iter->inner, item);
}

// ---- two iterators

static bool zip_next(Trace *trace, Iter *iter, Value *item)
{
    Value first, second;
    if (!iter_next(trace, iter->inner, &first) || !iter_next(trace, iter->other, &second))
        return false;
    *item = pair(trace, first, second);
    return true;
}

static Int128 zip_size(const Iter *iter)
{
    Int128 a = iter_size(iter->inner), b = iter_size(iter->other);
    if (a < 0 || b < 0) // one of them may go on for ever
        return iter->inner->is_open && a < 0 ? b : iter->other->is_open && b < 0 ? a : -1;
    return a < b ? a : b;
}

static bool zip_back(Trace *trace, Iter *iter, Value *item)
{
    Int128 a = iter_size(iter->inner), b = iter_size(iter->other);
    Value first, second;
    if (a < 0 || b < 0 || !iter_skip_back(trace, iter->inner, a - b) ||
        !iter_skip_back(trace, iter->other, b - a) || !iter_next_back(trace, iter->inner, &first) ||
        !iter_next_back(trace, iter->other, &second))
        return false;
    *item = pair(trace, first, second);
    return true;
}

static bool chain_next(Trace *trace, Iter *iter, Value *item)
{
    if (!iter->done && iter_next(trace, iter->inner, item))
        return true;
    iter->done = true;
    return iter_next(trace, iter->other, item);
}

static bool chain_back(Trace *trace, Iter *iter, Value *item)
{
    return iter_next_back(trace, iter->other, item) || iter_next_back(trace, iter->inner, item);
}

static Int128 chain_size(const Iter *iter)
{
    Int128 a = iter_size(iter->inner), b = iter_size(iter->other);
    return a < 0 || b < 0 ? -1 : a + b;
}

static bool cycle_next(Trace *trace, Iter *iter, Value *item)
{
    if (iter_next(trace, iter->inner, item))
        return true;
    iter->inner = iter_clone(trace, iter->other);
    return iter_next(trace, iter->inner, item);
}

static bool rev_next(Trace *trace, Iter *iter, Value *item)
{
    return iter_next_back(trace, iter->inner, item);
}

bool iter_is_reversed(const Iter *iter)
{
    return iter->next == rev_next;
}

static bool rev_back(Trace *trace, Iter *iter, Value *item)
{
    return iter_next(trace, iter->inner, item);
}

// ---- peekable: `at` is 1 while an item is kept in `state`

static bool peek_next(Trace *trace, Iter *iter, Value *item)
{
    if (!iter->at)
        return !iter->done && iter_next(trace, iter->inner, item);
    *item = iter->state;
    iter->at = 0;
    return true;
}

static bool peek_back(Trace *trace, Iter *iter, Value *item)
{
    return iter_next_back(trace, iter->inner, item) || peek_next(trace, iter, item);
}

static Int128 peek_size(const Iter *iter)
{
    Int128 size = iter_size(iter->inner);
    return size < 0 ? -1 : size + iter->at;
}

Value *iter_peek(Trace *trace, Iter *iter)
{
    if (iter->next != peek_next)
        return NULL;
    if (!iter->at && !iter->done) {
        iter->at = iter_next(trace, iter->inner, &iter->state);
        iter->done = !iter->at;
    }
    return iter->at ? &iter->state : NULL;
}

// ---- parts of lists: at..end in steps

static Value part(Trace *trace, const Iter *iter, int64_t from, int64_t to)
{
    ValueList *list = arena_new(trace->lang->arena, ValueList, 1);
    *list = (ValueList){.items = iter->list->items + from, .count = to - from};
    return ref_to_value(trace, (Value){.kind = VALUE_LIST, .list = list});
}

static bool chunk_next(Trace *trace, Iter *iter, Value *item)
{
    if (iter->at >= iter->end)
        return false;
    int64_t to = iter->at + min_i64(iter->end - iter->at, iter->step);
    *item = part(trace, iter, iter->at, to);
    iter->at = to;
    return true;
}

static bool chunk_back(Trace *trace, Iter *iter, Value *item)
{
    if (iter->at >= iter->end)
        return false;
    int64_t rest = (iter->end - iter->at) % iter->step;
    int64_t from = iter->end - (rest ? rest : iter->step);
    *item = part(trace, iter, from, iter->end);
    iter->end = from;
    return true;
}

static Int128 chunk_size(const Iter *iter)
{
    return ceil_div(iter->end - iter->at, iter->step);
}

// windows: `end` is one past the last start
static bool window_next(Trace *trace, Iter *iter, Value *item)
{
    if (iter->at >= iter->end)
        return false;
    *item = part(trace, iter, iter->at, iter->at + iter->step);
    iter->at++;
    return true;
}

static bool window_back(Trace *trace, Iter *iter, Value *item)
{
    if (iter->at >= iter->end)
        return false;
    iter->end--;
    *item = part(trace, iter, iter->end, iter->end + iter->step);
    return true;
}

static Int128 window_size(const Iter *iter)
{
    return max_i64(0, iter->end - iter->at);
}

Iter *iter_chunks(Trace *trace, ValueList *list, int64_t size, ChunkKind kind)
{
    Iter iter = {.list = list, .step = size, .end = list->count};
    if (kind == CHUNK_WINDOWS) {
        iter.end = max_i64(0, list->count - size + 1);
        iter.next = window_next;
        iter.next_back = window_back;
        iter.size = window_size;
        return iter_new(trace, iter);
    }
    int64_t rest = list->count % size;
    if (kind == CHUNK_EXACT)
        iter.end -= rest;
    iter.next = chunk_next;
    iter.next_back = chunk_back;
    iter.size = chunk_size;
    return iter_new(trace, iter);
}

// ---- made of a value or a function

static bool repeat_next(Trace *trace, Iter *iter, Value *item)
{
    if (!iter->is_open && iter->at >= iter->end)
        return false;
    iter->at++;
    *item = copy_value(trace, iter->state);
    return true;
}

Iter *iter_repeat(Trace *trace, Value value, int64_t count)
{
    return iter_new(trace, (Iter){.next = repeat_next,
                                  .next_back = count < 0 ? NULL : repeat_next,
                                  .size = count < 0 ? NULL : window_size,
                                  .state = value,
                                  .end = max_i64(0, count),
                                  .is_open = count < 0});
}

static bool from_fn_next(Trace *trace, Iter *iter, Value *item)
{
    return value_field(value_strip(apply(trace, iter, NULL, 0)), item);
}

static bool repeat_with_next(Trace *trace, Iter *iter, Value *item)
{
    *item = apply(trace, iter, NULL, 0);
    return trace->flow == FLOW_ON;
}

Iter *iter_from_fn(Trace *trace, Value function, bool endless, Span span)
{
    return iter_new(trace, (Iter){.next = endless ? repeat_with_next : from_fn_next,
                                  .function = function,
                                  .is_open = endless,
                                  .span = span});
}

// ---- the table

static const struct {
    IterNext next, next_back;
    IterSize size;
} adapters[ADAPT_COUNT] = {
    [ADAPT_MAP] = {map_next, map_back, inner_size},
    [ADAPT_FILTER] = {filter_next, filter_back, NULL},
    [ADAPT_FILTER_MAP] = {filter_map_next, filter_map_back, NULL},
    [ADAPT_FLAT_MAP] = {flat_next, flat_next_back, NULL},
    [ADAPT_FLATTEN] = {flat_next, flat_next_back, NULL},
    [ADAPT_ENUMERATE] = {enumerate_next, enumerate_back, inner_size},
    [ADAPT_ZIP] = {zip_next, zip_back, zip_size},
    [ADAPT_CHAIN] = {chain_next, chain_back, chain_size},
    [ADAPT_TAKE] = {take_next, take_back, take_size},
    [ADAPT_SKIP] = {skip_next, skip_back, skip_size},
    [ADAPT_STEP_BY] = {step_next, step_back, step_size},
    [ADAPT_REV] = {rev_next, rev_back, inner_size},
    [ADAPT_CYCLE] = {cycle_next, NULL, NULL},
    [ADAPT_PEEKABLE] = {peek_next, peek_back, peek_size},
    [ADAPT_COPIED] = {copied_next, copied_back, inner_size},
    [ADAPT_SCAN] = {scan_next, NULL, NULL},
};

Iter *iter_adapt(Trace *trace, Adapter kind, Iter *inner)
{
    bool counted = adapters[kind].size && kind != ADAPT_TAKE && kind != ADAPT_ZIP;
    bool endless = kind == ADAPT_CYCLE ? inner->is_open || iter_size(inner) > 0
                                       : inner->is_open && !inner->size && counted;
    return iter_new(trace, (Iter){.next = adapters[kind].next,
                                  .next_back = inner->next_back ? adapters[kind].next_back : NULL,
                                  .size = inner->size || kind == ADAPT_TAKE || kind == ADAPT_ZIP
                                              ? adapters[kind].size
                                              : NULL,
                                  .is_open = endless,
                                  .inner = inner});
}
