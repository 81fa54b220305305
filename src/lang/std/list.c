// Lists: Vec, slices, arrays, VecDeque, BinaryHeap. A slice of a list is a list whose items are the
// same places.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/syntax/text.h"

#include <string.h>

// The list of an argument; NULL: it is none.
static ValueList *list_arg(const StdCall *call, int64_t index)
{
    Value value = std_arg(call, index);
    return value.kind == VALUE_LIST ? value.list : NULL;
}

Type *list_item_type(const StdCall *call)
{
    Type *self = call->self ? type_strip(call->self) : NULL;
    return self && self->arg_count ? type_of(self->args[0]) : NULL;
}

static Value maybe(const StdCall *call, Value *place)
{
    return place ? some_value(call->trace, value_ref(place)) : none_value(call->trace);
}

// Items from .. to - 1 as a list: the same places.
static Value list_slice(Trace *trace, const ValueList *list, int64_t from, int64_t to)
{
    ValueList *part = arena_new(trace->lang->arena, ValueList, 1);
    *part = (ValueList){.items = list->items + from, .count = to - from};
    return (Value){.kind = VALUE_LIST, .list = part};
}

static Value slice_ref(Trace *trace, const ValueList *list, int64_t from, int64_t to)
{
    return ref_to_value(trace, list_slice(trace, list, from, to));
}

// ---- ranges of a list

// Where a range begins and ends in something of this length. False: it does not lie inside, and the
// program ended.
static bool list_range_ends(Trace *trace, Value range, int64_t length, Span span, int64_t *from,
                            int64_t *to)
{
    uint64_t low, high, size = (uint64_t)length;
    bool countable = range_places(range, length, &low, &high);
    *from = (int64_t)low;
    *to = (int64_t)high;
    if (!countable)
        trace_panic_words(trace, span, "attempted to index slice up to maximum usize");
    else if (low > high && range.range.open)
        trace_panic_words(trace, span, "range start index {} out of range for slice of length {}",
                          (unsigned long long)low, (unsigned long long)size);
    else if (low > high)
        trace_panic_words(trace, span, "slice index starts at {} but ends at {}",
                          (unsigned long long)low, (unsigned long long)high);
    else if (high > size)
        trace_panic_words(trace, span, "range end index {} out of range for slice of length {}",
                          (unsigned long long)high, (unsigned long long)size);
    return countable && low <= high && high <= size;
}

static void panic_inside_char(Trace *trace, Span span, Str text, uint64_t at)
{
    int64_t start = (int64_t)at, end;
    while (text_is_inside(text.data[start]))
        start--;
    end = start;
    StrBuf c = {.arena = trace->lang->arena};
    format_char_debug(&c, text_decode(text, &end), '\'');
    trace_panic_words(
        trace, span,
        "byte index {} is not a char boundary; it is inside '{}' (bytes {}..{}) of `{}`",
        (unsigned long long)at, buf_str(&c), start, end, text);
}

static bool slice_text(Trace *trace, Str text, Value range, Span span, Value *result)
{
    uint64_t from, to, length = (uint64_t)text.len;
    if (!range_places(range, text.len, &from, &to))
        trace_panic_words(trace, span, "attempted to index str up to maximum usize");
    else if (from > length || to > length)
        trace_panic_words(trace, span, "byte index {} is out of bounds of `{}`",
                          (unsigned long long)(from > length ? from : to), text);
    else if (from > to)
        trace_panic_words(trace, span, "begin <= end ({} <= {}) when slicing `{}`",
                          (unsigned long long)from, (unsigned long long)to, text);
    else if (!text_ends_at(text, from) || !text_ends_at(text, to))
        panic_inside_char(trace, span, text, text_ends_at(text, from) ? to : from);
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
    if (!list_range_ends(trace, range, whole.list->count, span, &from, &to))
        return false;
    *result = list_slice(trace, whole.list, from, to);
    return true;
}

// ---- looking

NATIVE(list_length)
{
    Value self = std_arg(call, 0);
    int64_t count = self.kind == VALUE_LIST ? self.list->count : self.text.len;
    *result = call->op ? value_bool(count == 0) : value_int(count);
    return self.kind == VALUE_LIST || self.kind == VALUE_STRING;
}

NATIVE(list_end_item)
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

NATIVE(list_get)
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

NATIVE(list_contains)
{
    ValueList *list = list_arg(call, 0);
    bool known = true, found = false;
    Type *type = list_item_type(call);
    for (int64_t i = 0; list && i < list->count && !found; i++)
        found = value_equals(call->trace, list->items[i], call->args[1], type, &known);
    *result = value_bool(found);
    return list && known;
}

NATIVE(list_part)
{
    ValueList *list = list_arg(call, 0);
    Value range = std_arg(call, 1);
    int64_t from, to;
    if (!list || range.kind != VALUE_RANGE)
        return false;
    if (list_range_ends(call->trace, range, list->count, call->span, &from, &to))
        *result = slice_ref(call->trace, list, from, to);
    return true;
}

// ---- iterators over lists

NATIVE(list_iterate)
{
    ValueList *list = list_arg(call, 0);
    bool by_ref = !call->op || call->args[0].kind == VALUE_REF;
    if (list)
        *result = value_iter(iter_over_items(call->trace, list, by_ref));
    return list;
}

NATIVE(list_chunks)
{
    ValueList *list = list_arg(call, 0);
    int64_t size;
    if (!list || !std_count(call, 1, &size))
        return false;
    if (!size)
        return std_panic(call, result,
                         call->op == CHUNK_WINDOWS ? "window size must be non-zero"
                                                   : "chunk size must be non-zero");
    *result = value_iter(iter_chunks(call->trace, list, size, (ChunkKind)call->op));
    return true;
}

NATIVE(list_as_chunks)
{
    ValueList *list = list_arg(call, 0);
    Type *size = std_generic(call, 0);
    if (!list || !size || size->kind != TYPE_CONST || size->value <= 0)
        return false;
    *result = value_iter(iter_chunks(call->trace, list, size->value, CHUNK_EXACT));
    return true;
}

// as_chunks: slices that stand side by side, as one list.
NATIVE(list_chunks_of_refs)
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

NATIVE(list_from_ref)
{
    const Value *place = value_target(&call->args[0]);
    ValueList one = {.items = (Value *)(uintptr_t)place, .count = 1};
    *result = slice_ref(call->trace, &one, 0, 1);
    return call->args[0].kind == VALUE_REF;
}

// What chunks_exact leaves over.
NATIVE(list_remainder_of)
{
    Iter *iter = iter_arg(call, 0);
    if (!iter || !iter->list || !iter->step)
        return false;
    ValueList *list = iter->list;
    *result = slice_ref(call->trace, list, list->count - list->count % iter->step, list->count);
    return true;
}

// ---- making

NATIVE(list_new_empty)
{
    int64_t capacity = 0;
    if (call->op)
        std_int(call, 0, &capacity);
    enum { MOST_AHEAD = 1 << 24, FEW_AHEAD = 1 << 10 };
    Type *type = type_of(call->type);
    if (!room_for(call->trace, (uint64_t)capacity, type->arg_count ? type->args[0] : NULL,
                  call->span))
        return true;
    int64_t most = call->trace->run ? MOST_AHEAD : FEW_AHEAD; // a check fills few lists
    *result = new_list(call->trace, min_i64(capacity, most));
    result->list->count = 0;
    return true;
}

NATIVE(list_to_vec)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    Type *type = list_item_type(call);
    *result = list_value(call->trace, list->items, list->count);
    for (int64_t i = 0; i < list->count; i++)
        result->list->items[i] = value_clone(call->trace, list->items[i], type);
    return true;
}

NATIVE(list_itself)
{
    *result = call->args[0];
    return true;
}

NATIVE(list_from_iterable)
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

static void add_copies(Trace *trace, ValueList *to, const ValueList *items)
{
    for (int64_t i = 0; i < items->count; i++)
        list_push(trace, to, copy_value(trace, items->items[i]));
}

// concat, join: of lists a list, of texts a text.
NATIVE(list_concat)
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
        texts = part.kind == VALUE_STRING;
        if (!texts && part.kind != VALUE_LIST)
            return false;
        if (i && texts)
            buf_add(&text, between.text);
        else if (i && between.kind == VALUE_LIST)
            add_copies(call->trace, made.list, between.list);
        else if (i && call->op)
            list_push(call->trace, made.list, between);
        if (texts)
            buf_add(&text, part.text);
        else
            add_copies(call->trace, made.list, part.list);
    }
    *result = texts ? value_text(buf_str(&text)) : made;
    return true;
}

// ---- growing and shrinking

NATIVE(list_push)
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

NATIVE(list_insert)
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

NATIVE(list_remove)
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

NATIVE(list_truncate)
{
    ValueList *list = list_arg(call, 0);
    int64_t count;
    if (!list || !std_count(call, 1, &count))
        return false;
    list->count = min_i64(list->count, count);
    return std_unit(result);
}

NATIVE(list_resize)
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

NATIVE(list_extend)
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

NATIVE(list_drain)
{
    ValueList *list = list_arg(call, 0);
    int64_t from, to;
    if (!range_arg(call, list, &from, &to))
        return call->trace->flow != FLOW_ON;
    Value taken = take_items(call, list, from, to);
    *result = value_iter(iter_over_items(call->trace, taken.list, false));
    return true;
}

NATIVE(list_splice)
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

// ---- changing items

NATIVE(list_swap_items)
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

NATIVE(list_reverse)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    turn(list->items, 0, list->count);
    return std_unit(result);
}

NATIVE(list_fill)
{
    ValueList *list = list_arg(call, 0);
    if (!list)
        return false;
    for (int64_t i = 0; i < list->count && call->trace->flow == FLOW_ON; i++)
        list->items[i] = call->op ? std_apply(call, call->args[1], NULL, 0)
                                  : copy_value(call->trace, call->args[1]);
    return std_unit(result);
}

NATIVE(list_copy_from_slice)
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

NATIVE(list_sort)
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
