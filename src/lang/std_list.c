// Lists: Vec, slices, arrays, VecDeque. A slice of a list is a list whose items are the same
// places.
#include "lang/std_adapt.h"

#include "base/checked.h"
#include "lang/range.h"
#include "lang/text.h"

#include <string.h>

static ValueList *list_arg(const StdCall *call, int64_t index)
{
    Value value = std_arg(call, index);
    return value.kind == VALUE_LIST ? value.list : NULL;
}

static Type *item_type(const StdCall *call)
{
    Type *self = call->self ? type_strip(call->self) : NULL;
    return self && self->arg_count ? type_of(self->args[0]) : NULL;
}

static bool nothing(Value *result)
{
    *result = unit_value();
    return true;
}

static Value maybe(const StdCall *call, Value *place)
{
    return place ? some_value(call->trace, value_ref(place)) : none_value(call->trace);
}

static Value slice_of(Trace *trace, const ValueList *list, int64_t from, int64_t to)
{
    ValueList *part = arena_new(trace->lang->arena, ValueList, 1);
    *part = (ValueList){.items = list->items + from, .count = to - from};
    return (Value){.kind = VALUE_LIST, .list = part};
}

static Value slice_ref(Trace *trace, const ValueList *list, int64_t from, int64_t to)
{
    return ref_to_value(trace, slice_of(trace, list, from, to));
}

// ---- ranges of a list

// Where a range begins and ends in something of this length. False: it does not lie inside, and the
// program ended.
static bool range_ends(Trace *trace, Value range, int64_t length, Span span, int64_t *from,
                       int64_t *to)
{
    uint64_t low, high, size = (uint64_t)length;
    bool countable = range_places(range, length, &low, &high);
    *from = (int64_t)low;
    *to = (int64_t)high;
    if (!countable)
        trace_panic_words(trace, span, "attempted to index slice up to maximum usize");
    else if (low > high && range.range.open)
        trace_panic_words(trace, span,
                          "range start index %llu out of range for slice of length %llu",
                          (unsigned long long)low, (unsigned long long)size);
    else if (low > high)
        trace_panic_words(trace, span, "slice index starts at %llu but ends at %llu",
                          (unsigned long long)low, (unsigned long long)high);
    else if (high > size)
        trace_panic_words(trace, span, "range end index %llu out of range for slice of length %llu",
                          (unsigned long long)high, (unsigned long long)size);
    return countable && low <= high && high <= size;
}

// Is there no character around this place?
static bool is_boundary(Str text, uint64_t at)
{
    return at >= (uint64_t)text.len || !text_is_inside(text.data[at]);
}

static void panic_inside_char(Trace *trace, Span span, Str text, uint64_t at)
{
    int64_t start = (int64_t)at, end;
    while (text_is_inside(text.data[start]))
        start--;
    end = start;
    StrBuf c = {.arena = trace->lang->arena};
    format_char_debug(&c, text_decode(text, &end), '\'');
    trace_panic_words(trace, span,
                      "byte index %llu is not a char boundary; it is inside '%.*s' (bytes "
                      "%lld..%lld) of `%.*s`",
                      (unsigned long long)at, STR_ARG(buf_str(&c)), (long long)start,
                      (long long)end, STR_ARG(text));
}

static bool slice_text(Trace *trace, Str text, Value range, Span span, Value *result)
{
    uint64_t from, to, length = (uint64_t)text.len;
    if (!range_places(range, text.len, &from, &to))
        trace_panic_words(trace, span, "attempted to index str up to maximum usize");
    else if (from > length || to > length)
        trace_panic_words(trace, span, "byte index %llu is out of bounds of `%.*s`",
                          (unsigned long long)(from > length ? from : to), STR_ARG(text));
    else if (from > to)
        trace_panic_words(trace, span, "begin <= end (%llu <= %llu) when slicing `%.*s`",
                          (unsigned long long)from, (unsigned long long)to, STR_ARG(text));
    else if (!is_boundary(text, from) || !is_boundary(text, to))
        panic_inside_char(trace, span, text, is_boundary(text, from) ? to : from);
    else
        *result = value_text(str_slice(text, (int64_t)from, (int64_t)to));
    return trace->flow == FLOW_ON;
}

bool slice_value(Trace *trace, Value whole, Value range, Span span, Value *result)
{
    whole = value_strip(whole);
    range = value_strip(range);
    if (range.kind != VALUE_RANGE)
        return false;
    if (whole.kind == VALUE_STRING)
        return slice_text(trace, whole.text, range, span, result);
    if (whole.kind != VALUE_LIST)
        return false;
    int64_t from, to;
    if (!range_ends(trace, range, whole.list->count, span, &from, &to))
        return false;
    *result = slice_of(trace, whole.list, from, to);
    return true;
}

// ---- looking

static bool length(const StdCall *call, Value *result)
{
    Value self = std_arg(call, 0);
    int64_t count = self.kind == VALUE_LIST ? self.list->count : self.text.len;
    *result = call->op ? value_bool(count == 0) : value_int(count);
    return self.kind == VALUE_LIST || self.kind == VALUE_STRING;
}

enum { END_FIRST, END_LAST };

static bool end_item(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    Value *place = !list->count            ? NULL
                   : call->op == END_FIRST ? &list->items[0]
                                           : &list->items[list->count - 1];
    *result = maybe(call, place);
    return true;
}

static bool get(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Value index = std_arg(call, 1);
    if (list && index.kind == VALUE_RANGE) {
        uint64_t from, to;
        bool there = range_places(index, list->count, &from, &to) && from <= to &&
                     to <= (uint64_t)list->count;
        *result = there ? some_value(call->trace,
                                     slice_ref(call->trace, list, (int64_t)from, (int64_t)to))
                        : none_value(call->trace);
        return true;
    }
    if (!list || index.kind != VALUE_INT)
        return false;
    bool there = index.integer >= 0 && index.integer < list->count;
    *result = maybe(call, there ? &list->items[index.integer] : NULL);
    return true;
}

static bool contains(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    bool known = true, found = false;
    Type *type = item_type(call);
    for (int64_t i = 0; list && i < list->count && !found; i++)
        found = value_equals(call->trace, list->items[i], call->args[1], type, &known);
    *result = value_bool(found);
    return list && known;
}

static bool starts_with(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0), *part = list_arg(call, 1);
    bool known = true;
    if (!list || !part)
        return false;
    bool same = part->count <= list->count;
    int64_t start = call->op ? list->count - part->count : 0;
    for (int64_t i = 0; same && i < part->count; i++)
        same = value_equals(call->trace, list->items[start + i], part->items[i], item_type(call),
                            &known);
    *result = value_bool(same);
    return known;
}

static bool split_end(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Trace *trace = call->trace;
    if (!list)
        return false;
    *result = none_value(trace);
    if (!list->count)
        return true;
    int64_t at = call->op == END_FIRST ? 0 : list->count - 1;
    Value both[] = {value_ref(&list->items[at]), call->op == END_FIRST
                                                     ? slice_ref(trace, list, 1, list->count)
                                                     : slice_ref(trace, list, 0, list->count - 1)};
    *result = some_value(trace, list_value(trace, both, 2));
    return true;
}

static bool split_at(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t at;
    if (!list || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at > list->count)
        return std_panic(call, result, "mid > len");
    Value both[] = {slice_ref(call->trace, list, 0, at),
                    slice_ref(call->trace, list, at, list->count)};
    *result = list_value(call->trace, both, 2);
    return true;
}

// ---- iterators over lists

static bool iterate(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    bool by_ref = !call->op || call->args[0].kind == VALUE_REF;
    if (list)
        *result = value_iter(iter_over_items(call->trace, list, by_ref));
    return list;
}

enum { CHUNKS_FROM_END = CHUNK_WINDOWS + 1 };

static bool chunks(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t size;
    if (!list || !std_count(call, 1, &size))
        return false;
    if (!size)
        return std_panic(call, result,
                         call->op == CHUNK_WINDOWS ? "window size must be non-zero"
                                                   : "chunk size must be non-zero");
    *result = value_iter(call->op == CHUNKS_FROM_END
                             ? iter_rchunks(call->trace, list, size)
                             : iter_chunks(call->trace, list, size, (ChunkKind)call->op));
    return true;
}

static bool as_chunks(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Type *size = std_generic(call, 0);
    if (!list || !size || size->kind != TYPE_CONST || size->value <= 0)
        return false;
    *result = value_iter(iter_chunks(call->trace, list, size->value, CHUNK_EXACT));
    return true;
}

// as_chunks: slices that stand side by side, as one list.
static bool chunks_of_refs(const StdCall *call, Value *result)
{
    ValueList *refs = list_arg(call, 0);
    if (!refs)
        return false;
    Value list = new_list(call->trace, refs->count);
    for (int64_t i = 0; i < refs->count; i++)
        list_push(call->trace, list.list, value_strip(refs->items[i]));
    *result = ref_to_value(call->trace, list);
    return true;
}

static bool from_ref(const StdCall *call, Value *result)
{
    const Value *place = value_target(&call->args[0]);
    ValueList one = {.items = (Value *)(uintptr_t)place, .count = 1};
    *result = slice_ref(call->trace, &one, 0, 1);
    return call->args[0].kind == VALUE_REF;
}

// What chunks_exact leaves over.
static bool remainder_of(const StdCall *call, Value *result)
{
    Iter *iter = iter_arg(call, 0);
    if (!iter || !iter->list || !iter->step)
        return false;
    ValueList *list = iter->list;
    *result = slice_ref(call->trace, list, list->count - list->count % iter->step, list->count);
    return true;
}

// split(|x| ..): the parts between items that the function picks.
static bool split(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Value parts = new_list(call->trace, 0);
    bool known = true;
    int64_t start = 0;
    if (!list)
        return false;
    for (int64_t i = 0; i < list->count && known; i++) {
        Value ref = value_ref(&list->items[i]);
        if (!std_ask(call, call->args[1], &ref, 1, &known))
            continue;
        list_push(call->trace, parts.list, slice_ref(call->trace, list, start, i));
        start = i + 1;
    }
    list_push(call->trace, parts.list, slice_ref(call->trace, list, start, list->count));
    *result = value_iter(iter_over_list(call->trace, parts.list, false));
    return known;
}

// ---- making

static bool new_empty(const StdCall *call, Value *result)
{
    int64_t capacity = 0;
    if (call->op)
        std_int(call, 0, &capacity);
    enum { MOST_AHEAD = 1 << 24 };
    Type *type = type_of(call->type);
    if (!room_for(call->trace, (uint64_t)capacity, type->arg_count ? type->args[0] : NULL,
                  call->span))
        return true;
    *result = new_list(call->trace, min_i64(capacity, MOST_AHEAD));
    result->list->count = 0;
    return true;
}

static bool to_vec(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    Type *type = item_type(call);
    *result = list_value(call->trace, list->items, list->count);
    for (int64_t i = 0; i < list->count; i++)
        result->list->items[i] = value_clone(call->trace, list->items[i], type);
    return true;
}

static bool itself(const StdCall *call, Value *result)
{
    *result = call->args[0];
    return true;
}

static bool from_iterable(const StdCall *call, Value *result)
{
    Value value = std_arg(call, 0);
    if (value.kind == VALUE_STRING) {
        *result = new_list(call->trace, value.text.len);
        for (int64_t i = 0; i < value.text.len; i++)
            list_push(call->trace, result->list, value_int((uint8_t)value.text.data[i]));
        return true;
    }
    Iter *iter = iter_of(call->trace, value);
    return iter && collect_into(call->trace, iter, call->type, result);
}

static bool array_from_fn(const StdCall *call, Value *result)
{
    Type *type = type_of(call->type);
    Type *count = type->kind == TYPE_ARRAY ? type_of(type->args[1]) : NULL;
    if (!count || count->kind != TYPE_CONST)
        return false;
    *result = new_list(call->trace, count->value);
    for (int64_t i = 0; i < count->value && call->trace->flow == FLOW_ON; i++) {
        Value index = value_int(i);
        list_push(call->trace, result->list, std_apply(call, call->args[0], &index, 1));
    }
    return true;
}

static bool array_map(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    Value made = new_list(call->trace, list->count);
    for (int64_t i = 0; i < list->count && call->trace->flow == FLOW_ON; i++)
        list_push(call->trace, made.list, std_apply(call, call->args[1], &list->items[i], 1));
    *result = made;
    return true;
}

// concat, join: of lists a list, of texts a text.
static bool concat(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Value between = call->op ? std_arg(call, 1) : VALUE_NOTHING;
    Type *type = type_of(call->type);
    if (!list)
        return false;
    StrBuf text = {.arena = call->trace->lang->arena};
    Value made = new_list(call->trace, 0);
    bool texts = type_is_named(type, "String");
    for (int64_t i = 0; i < list->count; i++) {
        Value part = value_strip(list->items[i]);
        bool fits = part.kind == VALUE_STRING || part.kind == VALUE_LIST;
        if (!fits)
            return false;
        texts = part.kind == VALUE_STRING;
        if (i && between.kind == VALUE_STRING)
            buf_add(&text, between.text);
        if (texts)
            buf_add(&text, part.text);
        if (i && !texts && between.kind == VALUE_LIST)
            for (int64_t k = 0; k < between.list->count; k++)
                list_push(call->trace, made.list, copy_value(call->trace, between.list->items[k]));
        else if (i && !texts && call->op)
            list_push(call->trace, made.list, between);
        for (int64_t k = 0; !texts && k < part.list->count; k++)
            list_push(call->trace, made.list, copy_value(call->trace, part.list->items[k]));
    }
    *result = texts ? value_text(buf_str(&text)) : made;
    return true;
}

static bool repeat(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t times;
    if (!list || !std_int(call, 1, &times))
        return false;
    Int128 count = (Int128)(uint64_t)times * list->count;
    if (!room_to_look(call->trace, count))
        return false;
    if (!room_for(call->trace, count, item_type(call), call->span))
        return true;
    *result = new_list(call->trace, (int64_t)count);
    for (int64_t n = 0; n < times && list->count; n++)
        for (int64_t i = 0; i < list->count; i++)
            list_push(call->trace, result->list, copy_value(call->trace, list->items[i]));
    return true;
}

// ---- growing and shrinking

static bool push(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    list_push(call->trace, list, call->args[1]);
    return nothing(result);
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
    return nothing(result);
}

static bool pop(const StdCall *call, Value *result)
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
        return std_panic(call, result, "insertion index (is %llu) should be <= len (is %lld)",
                         (unsigned long long)at, (long long)list->count);
    open_gap(call, list, at);
    list->items[at] = call->args[2];
    return nothing(result);
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
        return std_panic(call, result, "%s index (is %llu) should be < len (is %lld)",
                         call->op == REMOVE_SWAP ? "swap_remove" : "removal",
                         (unsigned long long)at, (long long)list->count);
    if (call->op == REMOVE_PLAIN) {
        *result = close_gap(list, at);
        return true;
    }
    *result = list->items[at];
    list->items[at] = list->items[--list->count];
    return true;
}

static bool clear(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    list->count = 0;
    return nothing(result);
}

static bool truncate(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t count;
    if (!list || !std_count(call, 1, &count))
        return false;
    list->count = min_i64(list->count, count);
    return nothing(result);
}

static bool resize(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t count;
    if (!list || !std_int(call, 1, &count))
        return false;
    if (!room_to_look(call->trace, (uint64_t)count))
        return false;
    if (!room_for(call->trace, (uint64_t)count, item_type(call), call->span))
        return nothing(result);
    list->count = min_i64(list->count, count);
    while (list->count < count && call->trace->flow == FLOW_ON)
        list_push(call->trace, list,
                  call->op ? std_apply(call, call->args[2], NULL, 0)
                           : copy_value(call->trace, call->args[2]));
    return nothing(result);
}

static bool extend(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Iter *iter = iter_arg(call, 1);
    bool copies = type_strip(std_arg_type(call, 1))->kind != TYPE_ERROR;
    Value item;
    if (!list || !iter)
        return false;
    Type *type = item_type(call);
    if (!room_to_look(call->trace, iter_expected(iter)))
        return false;
    if (!room_for(call->trace, iter_expected(iter), type, call->span))
        return nothing(result);
    bool keeps_refs = type && type->kind == TYPE_REF;
    while (iter_next(call->trace, iter, &item)) {
        if (item.kind == VALUE_REF && !item.shared && !keeps_refs && copies)
            item = value_clone(call->trace, value_unlent(item), type);
        list_push(call->trace, list, item);
    }
    return nothing(result);
}

static bool append(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0), *other = list_arg(call, 1);
    if (!list || !other)
        return false;
    for (int64_t i = 0; i < other->count; i++)
        list_push(call->trace, list, other->items[i]);
    other->count = 0;
    return nothing(result);
}

static bool split_off(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t at;
    if (!list || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at > list->count)
        return std_panic(call, result, "`at` split index (is %llu) should be <= len (is %lld)",
                         (unsigned long long)at, (long long)list->count);
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
    return range_ends(call->trace, range, list->count, call->span, from, to);
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
    Value part = slice_of(call->trace, list, from, to);
    *result = value_iter(iter_over_list(call->trace, part.list, true));
    return true;
}

static bool extend_from_within(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t from, to;
    if (!range_arg(call, list, &from, &to))
        return call->trace->flow != FLOW_ON;
    for (int64_t i = from; i < to; i++)
        list_push(call->trace, list, value_clone(call->trace, list->items[i], item_type(call)));
    return nothing(result);
}

// ---- BinaryHeap: a list in ascending order, so that the greatest is its last

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
        heap_push(call->trace, list, call->args[1], item_type(call));
    return list && nothing(result);
}

static bool heap_extend(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Iter *iter = iter_arg(call, 1);
    Type *type = item_type(call);
    Value item;
    bool keeps_refs = type && type->kind == TYPE_REF;
    while (list && iter && iter_next(call->trace, iter, &item))
        heap_push(call->trace, list, keeps_refs ? item : value_unlent(item), type);
    return list && iter && nothing(result);
}

static bool heap_from(const StdCall *call, Value *result)
{
    Iter *iter = iter_arg(call, 0);
    return iter && collect_into(call->trace, iter, call->type, result);
}

// ---- picking

static bool retain(const StdCall *call, Value *result)
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
    return nothing(result) && (known || call->trace->flow != FLOW_ON);
}

enum { DEDUP_SAME, DEDUP_KEY, DEDUP_BY };

static bool same_item(const StdCall *call, Value *a, Value *b, bool *known)
{
    Value refs[] = {value_ref(a), value_ref(b)};
    if (call->op == DEDUP_BY)
        return std_ask(call, call->args[1], refs, 2, known);
    if (call->op == DEDUP_SAME)
        return value_equals(call->trace, *a, *b, item_type(call), known);
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
    return nothing(result) && known;
}

// ---- changing items

static bool swap_items(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t a, b;
    if (!list || !std_int(call, 1, &a) || !std_int(call, 2, &b))
        return false;
    bool a_inside = a >= 0 && a < list->count, b_inside = b >= 0 && b < list->count;
    if (!a_inside || !b_inside)
        return std_panic(call, result, "index out of bounds: the len is %lld but the index is %llu",
                         (long long)list->count, (unsigned long long)(a_inside ? b : a));
    Value first = list->items[a];
    list->items[a] = list->items[b];
    list->items[b] = first;
    return nothing(result);
}

static void turn(Value *items, int64_t from, int64_t to)
{
    for (to--; from < to; from++, to--) {
        Value first = items[from];
        items[from] = items[to];
        items[to] = first;
    }
}

static bool reverse(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    turn(list->items, 0, list->count);
    return nothing(result);
}

static bool rotate(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t by;
    if (!list || !std_int(call, 1, &by))
        return false;
    if (by < 0 || by > list->count)
        return std_panic(call, result, "assertion failed: %s <= self.len()",
                         call->op ? "k" : "mid");
    int64_t left = call->op ? list->count - by : by;
    turn(list->items, 0, left);
    turn(list->items, left, list->count);
    turn(list->items, 0, list->count);
    return nothing(result);
}

static bool fill(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    for (int64_t i = 0; i < list->count && call->trace->flow == FLOW_ON; i++)
        list->items[i] = call->op ? std_apply(call, call->args[1], NULL, 0)
                                  : copy_value(call->trace, call->args[1]);
    return nothing(result);
}

static bool copy_from_slice(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0), *other = list_arg(call, 1);
    if (!list || !other)
        return false;
    if (list->count != other->count)
        return std_panic(call, result,
                         "copy_from_slice: source slice length (%lld) does not match destination "
                         "slice length (%lld)",
                         (long long)other->count, (long long)list->count);
    for (int64_t i = 0; i < list->count; i++)
        list->items[i] = copy_value(call->trace, other->items[i]);
    return nothing(result);
}

static bool swap_with_slice(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0), *other = list_arg(call, 1);
    if (!list || !other)
        return false;
    if (list->count != other->count)
        return std_panic(call, result, "destination and source slices have different lengths");
    for (int64_t i = 0; i < list->count; i++) {
        Value item = list->items[i];
        list->items[i] = other->items[i];
        other->items[i] = item;
    }
    return nothing(result);
}

static bool copy_within(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Value range = std_arg(call, 1);
    int64_t from, to, at;
    if (!list || range.kind != VALUE_RANGE || !std_int(call, 2, &at))
        return false;
    if (!range_ends(call->trace, range, list->count, call->span, &from, &to))
        return true;
    if (at < 0 || at > list->count - (to - from))
        return std_panic(call, result, "dest is out of bounds");
    memmove(list->items + at, list->items + from, sizeof(Value) * (size_t)(to - from));
    return nothing(result);
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

enum { SORT_PLAIN, SORT_BY, SORT_KEY };

static bool sort(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Trace *trace = call->trace;
    if (!list)
        return false;
    int64_t count = list->count;
    Sorter sorter = {call, call->op == SORT_KEY ? std_generic(call, 0) : item_type(call),
                     call->op == SORT_BY, true};
    Value *room = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, 3 * count));
    for (int64_t i = 0; i < count; i++) {
        Value ref = value_ref(&list->items[i]);
        room[i] = call->op == SORT_KEY ? std_apply(call, call->args[1], &ref, 1) : list->items[i];
    }
    merge_sort(&sorter, room, list->items, room + count, count);
    return nothing(result) && (sorter.known || trace->flow != FLOW_ON);
}

static bool binary_search(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t low = 0, high = list ? list->count : 0;
    if (!list)
        return false;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        Value ref = value_ref(&list->items[middle]);
        int found;
        bool known = call->op == SORT_PLAIN
                         ? value_compare(call->trace, ref, call->args[1], item_type(call), &found)
                     : call->op == SORT_BY
                         ? ordering_of(std_apply(call, call->args[1], &ref, 1), &found)
                         : value_compare(call->trace, std_apply(call, call->args[2], &ref, 1),
                                         call->args[1], std_generic(call, 0), &found);
        if (!known)
            return false;
        if (found == 0) {
            *result = ok_value(call->trace, value_int(middle));
            return true;
        }
        if (found < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *result = err_value(call->trace, value_int(low));
    return true;
}

static bool partition_point(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    int64_t low = 0, high = list ? list->count : 0;
    bool known = true;
    while (low < high && known) {
        int64_t middle = low + (high - low) / 2;
        Value ref = value_ref(&list->items[middle]);
        if (std_ask(call, call->args[1], &ref, 1, &known))
            low = middle + 1;
        else
            high = middle;
    }
    *result = value_int(low);
    return list && known;
}

static bool is_sorted(const StdCall *call, Value *result)
{
    ValueList *list = list_arg(call, 0);
    Sorter sorter = {call, item_type(call), false, true};
    bool sorted = true;
    for (int64_t i = 1; list && i < list->count; i++)
        sorted &= order(&sorter, &list->items[i - 1], &list->items[i]) <= 0;
    *result = value_bool(sorted);
    return list && sorter.known;
}

const StdRow std_list_rows[] = {
    {"slice", "len", length, false},
    {"slice", "is_empty", length, true},
    {"slice", "iter", iterate, false},
    {"slice", "iter_mut", iterate, false},
    {"slice", "into_iter", iterate, true},
    {"slice", "first", end_item, END_FIRST},
    {"slice", "first_mut", end_item, END_FIRST},
    {"slice", "last", end_item, END_LAST},
    {"slice", "last_mut", end_item, END_LAST},
    {"slice", "get", get, 0},
    {"slice", "get_mut", get, 0},
    {"slice", "contains", contains, 0},
    {"slice", "starts_with", starts_with, false},
    {"slice", "ends_with", starts_with, true},
    {"slice", "split_first", split_end, END_FIRST},
    {"slice", "split_last", split_end, END_LAST},
    {"slice", "split_at", split_at, 0},
    {"slice", "split_at_mut", split_at, 0},
    {"slice", "split", split, 0},
    {"slice", "chunks", chunks, CHUNK_ALL},
    {"slice", "chunks_mut", chunks, CHUNK_ALL},
    {"slice", "chunks_exact", chunks, CHUNK_EXACT},
    {"slice", "chunks_exact_mut", chunks, CHUNK_EXACT},
    {"slice", "rchunks", chunks, CHUNKS_FROM_END},
    {"slice", "windows", chunks, CHUNK_WINDOWS},
    {"slice", "array_chunks", as_chunks, 0},
    {"slice", "to_vec", to_vec, 0},
    {"slice", "to_owned", to_vec, 0},
    {"slice", "into_vec", itself, 0},
    {"slice", "as_slice", itself, 0},
    {"slice", "as_mut_slice", itself, 0},
    {"slice", "as_ref", itself, 0},
    {"slice", "concat", concat, false},
    {"slice", "join", concat, true},
    {"slice", "repeat", repeat, 0},
    {"slice", "swap", swap_items, 0},
    {"slice", "reverse", reverse, 0},
    {"slice", "rotate_left", rotate, false},
    {"slice", "rotate_right", rotate, true},
    {"slice", "fill", fill, false},
    {"slice", "fill_with", fill, true},
    {"slice", "copy_from_slice", copy_from_slice, 0},
    {"slice", "clone_from_slice", copy_from_slice, 0},
    {"slice", "swap_with_slice", swap_with_slice, 0},
    {"slice", "copy_within", copy_within, 0},
    {"slice", "sort", sort, SORT_PLAIN},
    {"slice", "sort_unstable", sort, SORT_PLAIN},
    {"slice", "sort_by", sort, SORT_BY},
    {"slice", "sort_unstable_by", sort, SORT_BY},
    {"slice", "sort_by_key", sort, SORT_KEY},
    {"slice", "sort_unstable_by_key", sort, SORT_KEY},
    {"slice", "sort_by_cached_key", sort, SORT_KEY},
    {"slice", "binary_search", binary_search, SORT_PLAIN},
    {"slice", "binary_search_by", binary_search, SORT_BY},
    {"slice", "binary_search_by_key", binary_search, SORT_KEY},
    {"slice", "partition_point", partition_point, 0},
    {"slice", "is_sorted", is_sorted, 0},
    {"prelude", "chunks_of_refs", chunks_of_refs, 0},
    {"slice", "from_ref", from_ref, 0}, // std::slice::from_ref
    {"slice", "from_mut", from_ref, 0},
    {"Iter", "remainder", remainder_of, 0},
    {"Iter", "into_remainder", remainder_of, 0},
    {"array", "map", array_map, 0},
    {"array", "each_ref", itself, 0},
    {"array", "from_fn", array_from_fn, 0}, // std::array::from_fn
    {"Vec", "new", new_empty, false},
    {"Vec", "with_capacity", new_empty, true},
    {"Vec", "from", from_iterable, 0},
    {"Vec", "from_iter", from_iterable, 0},
    {"Vec", "push", push, 0},
    {"Vec", "pop", pop, END_LAST},
    {"Vec", "clear", clear, 0},
    {"Vec", "truncate", truncate, 0},
    {"Vec", "resize", resize, false},
    {"Vec", "resize_with", resize, true},
    {"Vec", "extend", extend, 0},
    {"Vec", "extend_from_slice", extend, 0},
    {"Vec", "append", append, 0},
    {"Vec", "insert", insert, 0},
    {"Vec", "remove", remove_item, REMOVE_PLAIN},
    {"Vec", "swap_remove", remove_item, REMOVE_SWAP},
    {"Vec", "into_iter", iterate, true},
    {"Vec", "as_slice", itself, 0},
    {"Vec", "as_mut_slice", itself, 0},
    {"Vec", "into_boxed_slice", itself, 0},
    {"Vec", "drain", drain, 0},
    {"Vec", "splice", splice, 0},
    {"Vec", "extend_from_within", extend_from_within, 0},
    {"Vec", "split_off", split_off, 0},
    {"Vec", "retain", retain, 0},
    {"Vec", "retain_mut", retain, 0},
    {"Vec", "dedup", dedup, DEDUP_SAME},
    {"Vec", "dedup_by_key", dedup, DEDUP_KEY},
    {"Vec", "dedup_by", dedup, DEDUP_BY},
    {"VecDeque", "new", new_empty, false},
    {"VecDeque", "with_capacity", new_empty, true},
    {"VecDeque", "from", from_iterable, 0},
    {"VecDeque", "push_back", push, 0},
    {"VecDeque", "push_front", push_front, 0},
    {"VecDeque", "pop_back", pop, END_LAST},
    {"VecDeque", "pop_front", pop, END_FIRST},
    {"VecDeque", "front", end_item, END_FIRST},
    {"VecDeque", "front_mut", end_item, END_FIRST},
    {"VecDeque", "back", end_item, END_LAST},
    {"VecDeque", "back_mut", end_item, END_LAST},
    {"VecDeque", "remove", remove_item, REMOVE_MAYBE},
    {"VecDeque", "insert", insert, 0},
    {"VecDeque", "clear", clear, 0},
    {"VecDeque", "truncate", truncate, 0},
    {"VecDeque", "extend", extend, 0},
    {"VecDeque", "append", append, 0},
    {"VecDeque", "drain", drain, 0},
    {"VecDeque", "retain", retain, 0},
    {"VecDeque", "retain_mut", retain, 0},
    {"VecDeque", "from_iter", from_iterable, 0},
    {"VecDeque", "make_contiguous", itself, 0},
    {"VecDeque", "resize", resize, false},
    {"VecDeque", "resize_with", resize, true},
    {"VecDeque", "split_off", split_off, 0},
    {"VecDeque", "range", iterate_range, 0},
    {"VecDeque", "range_mut", iterate_range, 0},
    {"VecDeque", "into_iter", iterate, true},
    {"BinaryHeap", "new", new_empty, false},
    {"BinaryHeap", "with_capacity", new_empty, true},
    {"BinaryHeap", "from", heap_from, 0},
    {"BinaryHeap", "from_iter", heap_from, 0},
    {"BinaryHeap", "push", heap_push_value, 0},
    {"BinaryHeap", "pop", pop, END_LAST},
    {"BinaryHeap", "peek", end_item, END_LAST},
    {"BinaryHeap", "len", length, false},
    {"BinaryHeap", "is_empty", length, true},
    {"BinaryHeap", "clear", clear, 0},
    {"BinaryHeap", "iter", iterate, false},
    {"BinaryHeap", "into_iter", iterate, true},
    {"BinaryHeap", "into_vec", itself, 0},
    {"BinaryHeap", "into_sorted_vec", itself, 0},
    {"BinaryHeap", "extend", heap_extend, 0},
    {"BinaryHeap", "retain", retain, 0},
    {0},
};
