// Lists: Vec, slices, arrays, VecDeque: looking at them, and making them. A slice of a list is a
// list whose items are the same places.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/syntax/text.h"

ValueList *list_arg(const StdCall *call, int64_t index)
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

Value list_slice(Trace *trace, const ValueList *list, int64_t from, int64_t to)
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

bool list_range_ends(Trace *trace, Value range, int64_t length, Span span, int64_t *from,
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
