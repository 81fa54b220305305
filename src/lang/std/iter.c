// The methods of iterators: those that make another one, and those that use one up.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/syntax/text.h"

// A kernel that is looked at is not followed through more items than this.
enum { MOST_ITEMS = 1 << 20 };

Iter *iter_arg(const StdCall *call, int64_t index)
{
    Trace *trace = call->trace;
    Value value = call->args[index];
    Type *type = std_arg_type(call, index);
    bool own = type_strip(type)->kind == TYPE_NAMED && !type_strip(type)->decl->is_builtin;
    if (own || value_dyn(value).dyn)
        return iter_of_type(trace, value, type);
    Value *place = std_place(call, index);
    value = place ? *place : value;
    bool kept = place && !index && call->use->decl->item->function.self == SELF_REF_MUT;
    Iter *iter = iter_of(trace, kept ? value : call->args[index]);
    if (kept && iter && value.kind == VALUE_RANGE)
        *place = value_iter(iter); // a range counts up by itself
    return iter;
}

// ---- adapters

NATIVE(iter_adapt)
{
    Iter *inner = iter_arg(call, 0);
    if (!inner)
        return false;
    Iter *iter = iter_adapt(call->trace, (Adapter)call->op, inner);
    iter->span = call->span;
    if (call->op == ADAPT_CYCLE)
        iter->other = iter_clone(call->trace, inner);
    if (call->op == ADAPT_FLATTEN || call->op == ADAPT_COPIED)
        iter->type = list_item_type(call);
    if (call->op == ADAPT_COPIED && iter->type)
        iter->type = iter->type->kind == TYPE_REF ? type_of(iter->type->args[0]) : iter->type;
    if (call->count > 1)
        iter->function = value_strip(call->args[1]);
    if (call->op == ADAPT_FLAT_MAP)
        iter->type = std_generic(call, 1);
    *result = value_iter(iter);
    return call->count < 2 || iter->function.kind != VALUE_UNKNOWN;
}

NATIVE(iter_adapt_count)
{
    int64_t count;
    if (!std_int(call, 1, &count) || !native_iter_adapt(call, result))
        return false;
    if (!count && call->op == ADAPT_STEP_BY)
        return std_panic(call, result, "assertion failed: step != 0");
    result->iter->function = VALUE_NOTHING;
    result->iter->count = (uint64_t)count;
    return true;
}

NATIVE(iter_adapt_two)
{
    Iter *other = iter_arg(call, 1);
    if (!other || !native_iter_adapt(call, result))
        return false;
    bool inner_is_open = result->iter->inner->is_open;
    result->iter->other = other;
    result->iter->function = VALUE_NOTHING;
    if (!other->next_back)
        result->iter->next_back = NULL;
    if (call->op == ADAPT_ZIP)
        result->iter->is_open = inner_is_open && other->is_open;
    else
        result->iter->is_open |= other->is_open;
    return true;
}

NATIVE(iter_scan)
{
    if (!native_iter_adapt(call, result))
        return false;
    result->iter->state = call->args[1];
    result->iter->function = value_strip(call->args[2]);
    return true;
}

NATIVE(iter_rev)
{
    return native_iter_adapt(call, result) && result->iter->next_back;
}

NATIVE(iter_itself)
{
    Iter *iter = iter_arg(call, 0);
    *result = iter ? value_iter(iter) : VALUE_NOTHING;
    return iter;
}

// ---- one item

NATIVE(iter_next)
{
    Iter *iter = iter_arg(call, 0);
    Value item;
    if (!iter)
        return false;
    bool there =
        call->op ? iter_next_back(call->trace, iter, &item) : iter_next(call->trace, iter, &item);
    return std_option(call, there, item, result);
}

NATIVE(iter_nth)
{
    Iter *iter = iter_arg(call, 0);
    Value item = VALUE_NOTHING;
    int64_t index;
    if (!iter || !std_int(call, 1, &index))
        return false;
    Int128 before = (uint64_t)index; // of usize
    bool there = iter_skip(call->trace, iter, before) && iter_next(call->trace, iter, &item);
    return std_option(call, there, item, result);
}

NATIVE(iter_peek)
{
    Iter *iter = iter_arg(call, 0);
    if (!iter)
        return false;
    Value *place = iter_peek(call->trace, iter);
    return std_option(call, place, value_ref(place), result);
}

// ---- all items, to one value

static bool too_many(const StdCall *call, int64_t count)
{
    return !call->trace->run && count > MOST_ITEMS;
}

NATIVE(iter_count_items)
{
    Iter *iter = iter_arg(call, 0);
    Value item;
    int64_t count = 0;
    if (!iter)
        return false;
    if (iter_is_range(iter)) {
        *result = value_int((int64_t)iter_size(iter));
        return true;
    }
    while (!too_many(call, count) && iter_next(call->trace, iter, &item))
        count++;
    *result = value_int(count);
    return !too_many(call, count);
}

NATIVE(iter_length)
{
    Iter *iter = iter_arg(call, 0);
    Int128 size = iter ? iter_size(iter) : -1;
    *result = value_int((int64_t)size);
    return size >= 0;
}

// More than usize holds is as much as it holds, and no upper bound.
NATIVE(iter_size_hint)
{
    Iter *iter = iter_arg(call, 0);
    if (!iter)
        return false;
    Int128 size = iter->is_open ? (Int128)UINT64_MAX + 1 : iter_size(iter);
    bool exact = size >= 0 && size <= (Int128)UINT64_MAX;
    uint64_t least = exact ? (uint64_t)size : size < 0 ? 0 : UINT64_MAX;
    Value count = value_int((int64_t)least);
    Value most = exact ? some_value(call->trace, count) : none_value(call->trace);
    *result = list_value(call->trace, (Value[]){count, most}, 2);
    return true;
}

NATIVE(iter_last)
{
    Iter *iter = iter_arg(call, 0);
    Value item, kept = VALUE_NOTHING;
    bool there = false;
    if (!iter)
        return false;
    if (iter_is_range(iter))
        return std_option(call, iter_next_back(call->trace, iter, &item), item, result);
    for (int64_t i = 0; !too_many(call, i) && iter_next(call->trace, iter, &item); i++) {
        kept = item;
        there = true;
    }
    return std_option(call, there, kept, result);
}

// What ends a `try`: None, Err, Break. False: it goes on, with the value in *field.
static bool breaks(Value answer, Value *field)
{
    return is_variant(answer, "None") || is_variant(answer, "Err") || is_variant(answer, "Break") ||
           !value_field(answer, field);
}

// What a `try` that never ended gives: Some, Ok or Continue of a value.
static Value went_on(Trace *trace, Type *type, Value field)
{
    type = type_of(type);
    if (type_is_named(type, "Option"))
        return some_value(trace, field);
    Decl *on = type_is_named(type, "ControlFlow")
                   ? map_get(&type->decl->variants, lang_name(trace->lang, "Continue"))
                   : NULL;
    return on ? (Value){.kind = VALUE_VARIANT, .variant = {on, list_value(trace, &field, 1).list}}
              : ok_value(trace, field);
}

// The sum or product of items of a type so far.
typedef struct {
    Value total;
    Type *type;
    bool product, is_first;
} Total;

static Total total_of(Type *type, bool product)
{
    bool real = type_is_prim(type, PRIM_f32) || type_is_prim(type, PRIM_f64);
    return (Total){real ? value_real(product ? 1.0 : -0.0) : whole_of_bits(product, prim_of(type)),
                   type, product, true};
}

// False: it is not known.
static bool add_item(const StdCall *call, Total *total, Value item)
{
    item = value_strip(item);
    bool own = total->is_first && item.kind != total->total.kind; // an element of a tensor
    total->is_first = false;
    total->total =
        own ? item
            : trace_binary(call->trace, call->expr, total->product ? BINARY_MUL : BINARY_ADD,
                           total->total, item, total->type);
    return total->total.kind != VALUE_UNKNOWN;
}

// Sums and products go from the first item to the last, each step rounded as its type says. Those
// of Option and Result end at the first that is none.
static bool sum_known(const StdCall *call, Value *result)
{
    Iter *iter = iter_arg(call, 0);
    Type *type = type_of(call->type);
    bool tried = type_is_named(type, "Option") || type_is_named(type, "Result");
    Total total = total_of(tried ? type_of(type->args[0]) : type, call->op);
    Value item, field;
    if (!iter)
        return false;
    for (int64_t i = 0; iter_next(call->trace, iter, &item); i++) {
        if (tried && breaks(value_strip(item), &field)) {
            *result = value_strip(item);
            return value_variant(*result);
        }
        if (!add_item(call, &total, tried ? field : item) || too_many(call, i))
            return false;
    }
    *result = tried ? went_on(call->trace, type, total.total) : total.total;
    return true;
}

// The `sum` of a type of the program takes the iterator.
static bool sum_own(const StdCall *call, Decl *own, Type *type, Value *result)
{
    Type **generics = method_generics(call->trace, own, type);
    const Signature *signature = signature_of(call->trace->lang, own);
    if (signature->own_start < signature->generic_count)
        type_unify(call->trace->lang, generics[signature->own_start], std_arg_type(call, 0), NULL,
                   NULL);
    *result = trace_call(call->trace, own, generics, call->args, 1, call->span);
    return true;
}

NATIVE(iter_sum)
{
    Type *type = type_of(call->type);
    Type *items = type_of(std_arg_type(call, 0));
    Type *item = items->kind == TYPE_NAMED && items->arg_count ? items->args[0] : type;
    Decl *own = call->op ? user_collector(call->trace, type, "Product", "product", item)
                         : user_collector(call->trace, type, "Sum", "sum", item);
    return own ? sum_own(call, own, type, result) : sum_known(call, result);
}

NATIVE(iter_fold)
{
    Iter *iter = iter_arg(call, 0);
    Value item, total = call->args[1];
    if (!iter)
        return false;
    while (iter_next(call->trace, iter, &item))
        total = std_apply(call, call->args[2], (Value[]){total, item}, 2);
    *result = total;
    return true;
}

NATIVE(iter_for_each)
{
    Iter *iter = iter_arg(call, 0);
    Value item;
    if (!iter)
        return false;
    while (iter_next(call->trace, iter, &item))
        std_apply(call, call->args[1], &item, 1);
    return std_unit(result);
}

NATIVE(iter_try_fold)
{
    Iter *iter = iter_arg(call, 0);
    Value item, total = call->args[1];
    Type *type = type_of(call->type);
    if (!iter || type->kind != TYPE_NAMED)
        return false;
    while (iter_next(call->trace, iter, &item)) {
        *result = value_strip(std_apply(call, call->args[2], (Value[]){total, item}, 2));
        if (breaks(*result, &total))
            return value_variant(*result) || call->trace->flow != FLOW_ON;
    }
    *result = went_on(call->trace, type, total);
    return true;
}

// ---- searching

// Goes from the first item to the one that decides.
NATIVE(iter_search)
{
    Iter *iter = iter_arg(call, 0);
    Value item = VALUE_NOTHING;
    bool known = true, found = false, all = call->op == SEARCH_ALL;
    int64_t at = 0;
    if (!iter)
        return false;
    for (; known && !too_many(call, at) && iter_next(call->trace, iter, &item); at++) {
        Value asked = call->op == SEARCH_FIND ? ref_to_value(call->trace, item) : item;
        found = std_ask(call, call->args[1], &asked, 1, &known) != all;
        if (found)
            break;
    }
    if (call->op == SEARCH_FIND || call->op == SEARCH_POSITION)
        std_option(call, found, call->op == SEARCH_FIND ? item : value_int(at), result);
    else
        *result = value_bool(found != all);
    return known || call->trace->flow != FLOW_ON;
}

// ---- the least and the largest

static Value key_of(const StdCall *call, Value item)
{
    if (!(call->op & EXTREME_KEY))
        return item;
    Value ref = ref_to_value(call->trace, item);
    return std_apply(call, call->args[1], &ref, 1);
}

// By the order of the type, or by the function that was handed over.
static bool order_keys(const StdCall *call, Value a, Value b, Type *type, int *order)
{
    if (!(call->op & EXTREME_BY))
        return value_compare(call->trace, a, b, type, order);
    Value refs[] = {ref_to_value(call->trace, a), ref_to_value(call->trace, b)};
    return ordering_of(std_apply(call, call->args[1], refs, 2), order);
}

// Of several, min gives the first and max the last.
NATIVE(iter_extreme)
{
    Iter *iter = iter_arg(call, 0);
    Value best, item;
    bool largest = call->op & EXTREME_LARGEST, known = true;
    Type *type = call->op & EXTREME_KEY ? std_generic(call, 0) : list_item_type(call);
    if (!iter)
        return false;
    bool plain = iter_is_range(iter) && call->count == 1;
    bool there = plain && largest ? iter_next_back(call->trace, iter, &best)
                                  : iter_next(call->trace, iter, &best);
    if (!there || plain)
        return std_option(call, there, best, result);
    Value best_key = key_of(call, best);
    while (known && iter_next(call->trace, iter, &item)) {
        Value key = key_of(call, item);
        int order = 0;
        known = order_keys(call, best_key, key, type, &order);
        if (largest ? order <= 0 : order > 0) {
            best = item;
            best_key = key;
        }
    }
    return std_option(call, true, best, result) && (known || call->trace->flow != FLOW_ON);
}

// The first two items that differ decide; if none differ, the longer iterator is greater.
NATIVE(iter_partial_cmp)
{
    Iter *a = iter_arg(call, 0), *b = iter_arg(call, 1);
    int order = 0;
    if (!a || !b)
        return false;
    for (bool more = true; more && order == 0;) {
        Value left, right;
        bool has_left = iter_next(call->trace, a, &left);
        bool has_right = iter_next(call->trace, b, &right);
        more = has_left && has_right;
        if (!more)
            order = has_left - has_right;
        else if (!value_compare(call->trace, left, right, list_item_type(call), &order))
            return false;
    }
    return std_option(call, order != UNORDERED, ordering_value(call->trace, order), result);
}

// ---- collections

// `copies`: the list holds what references refer to.
static Value drain(Trace *trace, Iter *iter, bool copies)
{
    Int128 size = iter_size(iter), most = trace->run ? INT64_MAX : MOST_ITEMS;
    Value list = new_list(trace, (int64_t)(size < 0 ? 0 : size < most ? size : most)), item;
    while ((trace->run || list.list->count <= MOST_ITEMS) && iter_next(trace, iter, &item)) {
        if (copies && item.kind == VALUE_REF && !item.shared)
            item = copy_value(trace, value_unlent(item));
        list_push(trace, list.list, item);
    }
    return list;
}

static bool collect_text(Trace *trace, Iter *iter, Value *result)
{
    StrBuf text = {.arena = trace->lang->arena};
    Value item;
    while (iter_next(trace, iter, &item)) {
        item = value_strip(item);
        if (item.kind == VALUE_STRING)
            buf_add(&text, item.text);
        else if (item.kind == VALUE_INT)
            text_encode(&text, (uint32_t)item.integer);
        else
            return false;
    }
    *result = value_text(buf_str(&text));
    return true;
}

// Result<C, E>, Option<C>: C, or the first that is none.
static bool collect_tried(Trace *trace, Iter *iter, Type *type, Value *result)
{
    Value good = new_list(trace, 0), item, field;
    while (iter_next(trace, iter, &item)) {
        item = value_strip(item);
        if (breaks(item, &field)) {
            *result = item;
            return value_variant(item);
        }
        list_push(trace, good.list, field);
    }
    Value made;
    if (!collect_into(trace, iter_over_list(trace, good.list, false), type_of(type->args[0]),
                      &made))
        return false;
    *result = type_is_named(type, "Option") ? some_value(trace, made) : ok_value(trace, made);
    return true;
}

bool collect_into(Trace *trace, Iter *iter, Type *type, Value *result)
{
    type = type_of(type);
    Decl *own = user_trait_method(trace, type, "FromIterator", "from_iter");
    if (own) {
        *result = call_with_items(trace, own, type, iter);
        return true;
    }
    if (type_is_named(type, "Box") || type_is_named(type, "Rc") || type_is_named(type, "Arc"))
        type = type_of(type->args[0]);
    if (type_is_named(type, "String") || type_is_prim(type, PRIM_str))
        return collect_text(trace, iter, result);
    if (type_is_named(type, "Result") || type_is_named(type, "Option"))
        return collect_tried(trace, iter, type, result);
    if (map_collect(trace, iter, type, result))
        return true;
    if (type->kind == TYPE_TUPLE && !type->arg_count) { // ()
        drain(trace, iter, false);
        *result = unit_value();
        return true;
    }
    bool list = type_is_named(type, "Vec") || type_is_named(type, "VecDeque") ||
                type_is_named(type, "BinaryHeap") || type_is_named(type, "ArrayVec") ||
                type->kind == TYPE_SLICE;
    if (!list)
        return false;
    Type *item = type->arg_count ? type_of(type->args[0]) : NULL;
    *result = drain(trace, iter, item && item->kind == TYPE_NAMED);
    if (type_is_named(type, "BinaryHeap")) {
        ValueList *heap = new_list(trace, result->list->count).list;
        for (int64_t i = 0; i < result->list->count; i++)
            heap_push(trace, heap, result->list->items[i], item);
        result->list = heap;
    }
    return trace->run || result->list->count <= MOST_ITEMS;
}

NATIVE(iter_collect)
{
    Iter *iter = iter_arg(call, 0);
    Type *type = type_of(call->type);
    bool counts = type->kind == TYPE_NAMED && !type_is_named(type, "Result") &&
                  !type_is_named(type, "Option");
    Type *item = counts && type->arg_count ? type->args[0] : NULL;
    if (!iter || !room_to_look(call->trace, iter_expected(iter)))
        return false;
    if (counts && !room_for(call->trace, iter_expected(iter), item, call->span))
        return true;
    return collect_into(call->trace, iter, type, result);
}

// ---- std::iter

NATIVE(iter_repeat)
{
    int64_t count = -1;
    if (call->op && !std_count(call, 1, &count))
        return false;
    *result = value_iter(iter_repeat(call->trace, call->args[0], count));
    return true;
}

NATIVE(iter_from_fn)
{
    *result = value_iter(iter_from_fn(call->trace, call->args[0], call->op, call->span));
    return true;
}

// ---- ranges

NATIVE(range_contains)
{
    Value range = std_arg(call, 0), value = std_arg(call, 1);
    if (range.kind != VALUE_RANGE ||
        (range.range.is_real ? value.kind != VALUE_FLOAT : !value_is_whole(value)))
        return false;
    *result = value_bool(range_contains(range, value));
    return true;
}

NATIVE(range_part)
{
    Value range = std_arg(call, 0);
    Uint128 first, last;
    if (range.kind == VALUE_ITER) { // it was counted up
        Int128 left = iter_size(range.iter);
        *result = call->op == RANGE_EMPTY ? value_bool(!left) : value_int((int64_t)left);
        return left >= 0 && (call->op == RANGE_EMPTY || call->op == RANGE_LENGTH);
    }
    if (range.kind != VALUE_RANGE || range.range.open || range.range.no_start)
        return false;
    if (call->op == RANGE_START || call->op == RANGE_LAST) {
        *result = ref_to_value(call->trace,
                               call->op == RANGE_START ? range_low(range) : range_high(range));
        return true;
    }
    if (range.range.is_real)
        return false;
    bool some = range_limits(range, &first, &last);
    Uint128 more = range_distance(first, last, (Prim)range.range.prim);
    *result =
        call->op == RANGE_EMPTY ? value_bool(!some) : value_int((int64_t)(some ? more + 1 : 0));
    return true;
}
