#include "lang/eval/iter.h"
#include "lang/eval/drop.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/std/std.h"
#include "lang/syntax/text.h"

bool iter_next(Trace *trace, Iter *iter, Value *item)
{
    enum { STEPS_BETWEEN = 4096 };
    if (trace->run && trace->steps++ % STEPS_BETWEEN == 0 && trace_interrupted(trace, SPAN_NOWHERE))
        return false;
    return trace->flow == FLOW_ON && iter->next(trace, iter, item);
}

bool iter_next_back(Trace *trace, Iter *iter, Value *item)
{
    return trace->flow == FLOW_ON && iter->next_back && iter->next_back(trace, iter, item);
}

Int128 iter_size(const Iter *iter)
{
    return iter->size ? iter->size(iter) : -1;
}

Iter *iter_new(Trace *trace, Iter iter)
{
    Iter *copy = arena_new(trace->lang->arena, Iter, 1);
    *copy = iter;
    return copy;
}

Iter *iter_clone(Trace *trace, const Iter *iter)
{
    Iter *copy = iter_new(trace, *iter);
    copy->inner = iter->inner ? iter_clone(trace, iter->inner) : NULL;
    copy->other = iter->other ? iter_clone(trace, iter->other) : NULL;
    copy->back = iter->back ? iter_clone(trace, iter->back) : NULL;
    copy->state = copy_value(trace, iter->state);
    return copy;
}

static Int128 left_size(const Iter *iter)
{
    return iter->end > iter->at ? iter->end - iter->at : 0;
}

// ---- ranges

static Value range_item(const Iter *iter, Uint128 bits)
{
    return iter->is_wide ? value_wide(bits) : value_int((int64_t)bits);
}

// A range without an end starts again behind the last number of its type, as in a release build.
static Uint128 open_after(const Iter *iter, Uint128 count)
{
    const PrimInfo *prim = &prims[iter->prim];
    return whole_bits(whole_of_bits(iter->first + count, prim), prim);
}

static bool range_next(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (iter->done)
        return false;
    *item = range_item(iter, iter->first);
    if (iter->is_open)
        iter->first = open_after(iter, 1);
    else if (iter->first == iter->last)
        iter->done = true;
    else
        iter->first = range_after(iter->first, iter->prim);
    return true;
}

static bool range_next_back(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (iter->done)
        return false;
    *item = range_item(iter, iter->last);
    if (iter->first == iter->last)
        iter->done = true;
    else
        iter->last = range_before(iter->last, iter->prim);
    return true;
}

static Int128 range_size(const Iter *iter)
{
    Uint128 most = (Uint128)1 << 100; // sums and multiples of it are still numbers
    Uint128 more = range_distance(iter->first, iter->last, iter->prim);
    return iter->done ? 0 : more < most ? (Int128)(more + 1) : (Int128)most;
}

bool iter_is_range(const Iter *iter)
{
    return iter->next == range_next && !iter->is_open;
}

// Of numbers, among which all have their place.
static bool range_skip(Iter *iter, Uint128 count, bool back)
{
    Uint128 more = iter->last - iter->first;
    if (iter->is_open)
        iter->first = open_after(iter, count);
    if (iter->is_open || !count)
        return true;
    bool enough = !iter->done && count - 1 <= more;
    iter->done |= count > more;
    iter->first += iter->done || back ? 0 : count;
    iter->last -= iter->done || !back ? 0 : count;
    return enough;
}

// ---- lists

static Value list_item(const Iter *iter, int64_t index)
{
    Value *place = &iter->list->items[index];
    return iter->by_ref ? value_ref(place) : *place;
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
    return iter_new(trace, (Iter){.next = list_next,
                                  .next_back = list_next_back,
                                  .size = left_size,
                                  .list = list,
                                  .end = list->count,
                                  .by_ref = by_ref});
}

// Of a list itself: what is left of it is dropped with the iterator.
Iter *iter_over_items(Trace *trace, ValueList *list, bool by_ref)
{
    Iter *iter = iter_over_list(trace, list, by_ref);
    iter->owns = !by_ref;
    return iter;
}

static bool drops_items(const Trace *trace, const Iter *iter)
{
    return iter->owns && follows_drops(trace);
}

static bool list_skip(Iter *iter, Int128 count, bool back)
{
    Int128 size = left_size(iter);
    int64_t passed = (int64_t)(count < size ? count : size);
    iter->at += back ? 0 : passed;
    iter->end -= back ? passed : 0;
    return size >= count;
}

// Where nothing is worked out of items that nobody wants. False: it is none of these.
static bool skip_counted(const Trace *trace, Iter *iter, Int128 count, bool back, bool *enough)
{
    bool range = iter->next == range_next && iter->prim != PRIM_char;
    bool list = iter->next == list_next && !drops_items(trace, iter);
    if (range)
        *enough = range_skip(iter, (Uint128)count, back);
    else if (list)
        *enough = list_skip(iter, count, back);
    return range || list;
}

bool iter_skip(Trace *trace, Iter *iter, Int128 count)
{
    bool enough;
    Value item;
    if (count < 0 || skip_counted(trace, iter, count, false, &enough))
        return count < 0 || enough;
    if (iter_is_reversed(iter))
        return iter_skip_back(trace, iter->inner, count);
    for (Int128 i = 0; i < count; i++)
        if (!iter_next(trace, iter, &item))
            return false;
        else if (drops_items(trace, iter))
            value_drop(trace, &item);
    return true;
}

bool iter_skip_back(Trace *trace, Iter *iter, Int128 count)
{
    bool enough;
    Value item;
    if (count < 0 || skip_counted(trace, iter, count, true, &enough))
        return count < 0 || enough;
    if (iter_is_reversed(iter))
        return iter_skip(trace, iter->inner, count);
    for (Int128 i = 0; i < count; i++)
        if (!iter_next_back(trace, iter, &item))
            return false;
        else if (drops_items(trace, iter))
            value_drop(trace, &item);
    return true;
}

// ---- texts

static Value text_item(Trace *trace, const Iter *iter, int64_t index, int64_t c)
{
    if (!iter->by_ref)
        return value_int(c);
    return list_value(trace, (Value[]){value_int(index), value_int(c)}, 2);
}

static bool text_next(Trace *trace, Iter *iter, Value *item)
{
    if (iter->at >= iter->end)
        return false;
    int64_t start = iter->at;
    *item = text_item(trace, iter, start, text_decode(iter->state.text, &iter->at));
    return true;
}

static bool text_next_back(Trace *trace, Iter *iter, Value *item)
{
    if (iter->at >= iter->end)
        return false;
    do
        iter->end--;
    while (iter->end > iter->at && text_is_inside(iter->state.text.data[iter->end]));
    int64_t at = iter->end;
    *item = text_item(trace, iter, iter->end, text_decode(iter->state.text, &at));
    return true;
}

static bool byte_next(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (iter->at >= iter->end)
        return false;
    *item = value_int((uint8_t)iter->state.text.data[iter->at++]);
    return true;
}

static bool byte_next_back(Trace *trace, Iter *iter, Value *item)
{
    (void)trace;
    if (iter->at >= iter->end)
        return false;
    *item = value_int((uint8_t)iter->state.text.data[--iter->end]);
    return true;
}

Iter *iter_over_text(Trace *trace, Str text, bool bytes, bool indexed)
{
    return iter_new(trace, (Iter){.next = bytes ? byte_next : text_next,
                                  .next_back = bytes ? byte_next_back : text_next_back,
                                  .size = bytes ? left_size : NULL,
                                  .state = value_text(text),
                                  .end = text.len,
                                  .by_ref = indexed});
}

// ---- types of the program

static bool user_next(Trace *trace, Iter *iter, Value *item)
{
    Value next = value_strip(call_method(trace, iter->method, iter->type, &iter->state, 1));
    return value_field(next, item);
}

static bool user_next_back(Trace *trace, Iter *iter, Value *item)
{
    Value last = value_strip(call_method(trace, iter->method_back, iter->type, &iter->state, 1));
    return value_field(last, item);
}

// Something that `next` can change: the place of the value, or one of its own.
static Iter *iter_of_user(Trace *trace, Value value, Type *type, Decl *method)
{
    bool there = value.kind == VALUE_REF;
    Decl *back = user_trait_method(trace, type, "DoubleEndedIterator", "next_back");
    return iter_new(trace, (Iter){.next = user_next,
                                  .next_back = back ? user_next_back : NULL,
                                  .method = method,
                                  .method_back = back,
                                  .type = type,
                                  .state = there ? value : ref_to_value(trace, value)});
}

// `into_iter` of the very type: X, &X and &mut X may each have one. *self: whose it is.
static Decl *find_into_iter(Trace *trace, Type *type, Type **self)
{
    *self = type_of(type);
    const Type *inner = type_strip(type);
    bool own = inner->kind == TYPE_NAMED && !inner->decl->is_builtin;
    const Impl *impl = own ? find_impl(trace->lang, *self, "IntoIterator") : NULL;
    if (impl)
        return impl_member(trace->lang, impl, lang_name(trace->lang, "into_iter"));
    *self = type_strip(type);
    return user_method(trace, *self, "into_iter");
}

// `is_made`: by `into_iter`, which must give an iterator. What is none would be asked for itself
// without end.
static Iter *iter_from(Trace *trace, Value value, Type *type, bool is_made)
{
    if (value_strip(value).kind == VALUE_ITER)
        return iter_of(trace, value);
    Type *self = type, *whole = type;
    type = type_strip(type);
    if (value_dyn(value).dyn) {
        value = value_dyn(value);
        whole = type = value.dyn;
    }
    if (value_strip(value).kind == VALUE_ITER) // made of it before
        return iter_of(trace, value);
    Decl *next = user_method(trace, type, "next");
    if (next)
        return iter_of_user(trace, value, type, next);
    Decl *into = is_made ? NULL : find_into_iter(trace, whole, &self);
    if (!into)
        return iter_of(trace, value);
    Type **generics = method_generics(trace, into, self);
    Type *made = type_instantiate(trace->lang, signature_of(trace->lang, into)->result, generics);
    return iter_from(trace, trace_call(trace, into, generics, &value, 1, into->span), made, true);
}

Iter *iter_of_type(Trace *trace, Value value, Type *type)
{
    return iter_from(trace, value, type, false);
}

// ---- all of them

static Iter *iter_of_range(Trace *trace, Value over)
{
    if (over.range.is_real || over.range.no_start)
        return NULL;
    Iter iter = {.next = range_next,
                 .next_back = over.range.open ? NULL : range_next_back,
                 .size = over.range.open ? NULL : range_size,
                 .prim = (Prim)over.range.prim,
                 .is_wide = prims[over.range.prim].bits > 64,
                 .is_open = over.range.open};
    if (over.range.open)
        iter.first = whole_bits(range_low(over), &prims[iter.prim]);
    else
        iter.done = !range_limits(over, &iter.first, &iter.last);
    return iter_new(trace, iter);
}

// Option and Result: the value of Some or Ok, if there is one.
static Iter *iter_of_variant(Trace *trace, Value value, Value over)
{
    Value field;
    bool there = value_field(over, &field) && !is_variant(over, "Err");
    Value list = new_list(trace, 1);
    if (there && value.kind == VALUE_REF && over.kind == VALUE_VARIANT)
        field = value_ref(&over.variant.fields->items[0]);
    if (there)
        list_push(trace, list.list, field);
    return iter_over_list(trace, list.list, false);
}

Iter *iter_of(Trace *trace, Value value)
{
    Value over = value_strip(value);
    switch (over.kind) {
    case VALUE_ITER:
        return over.iter;
    case VALUE_LIST:
        return iter_over_items(trace, over.list, value.kind == VALUE_REF);
    case VALUE_MAP:
        return iter_over_map(trace, over.map, value.kind == VALUE_REF);
    case VALUE_RANGE:
        return iter_of_range(trace, over);
    case VALUE_VARIANT:
    case VALUE_SMALL:
        return iter_of_variant(trace, value, over);
    default:
        return NULL;
    }
}
