#include "base/checked.h"
#include "lang/eval/drop.h"
#include "lang/eval/trace_internal.h"
#include "lang/host/run_internal.h"
#include "lang/std/std.h"

#include <string.h>

Value poison_value(void)
{
    return (Value){.kind = VALUE_POISON};
}

// ---- lists

Value unit_value(void)
{
    static ValueList empty; // nothing is ever written to it
    return (Value){.kind = VALUE_LIST, .list = &empty};
}

Value new_list(Trace *trace, int64_t capacity)
{
    ValueList *list = arena_new(trace->lang->arena, ValueList, 1);
    if (capacity > 0)
        list->items = arena_new(trace->lang->arena, Value, (size_t)capacity);
    list->capacity = capacity;
    return (Value){.kind = VALUE_LIST, .list = list};
}

void list_push(Trace *trace, ValueList *list, Value item)
{
    enum { FIRST_ITEMS = 8 };
    if (list->count >= list->capacity) {
        int64_t capacity = max_i64(FIRST_ITEMS, 2 * list->count);
        Value *items = arena_new(trace->lang->arena, Value, (size_t)capacity);
        if (list->count)
            memcpy(items, list->items, sizeof *items * (size_t)list->count);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
}

Value list_value(Trace *trace, const Value *items, int64_t count)
{
    Value value = new_list(trace, count);
    value.list->count = count;
    value.list->capacity = 0;
    if (count)
        memcpy(value.list->items, items, sizeof *items * (size_t)count);
    return value;
}

Value bytes_value(Trace *trace, Str bytes)
{
    Value *place = arena_new(trace->lang->arena, Value, 1);
    *place = new_list(trace, bytes.len);
    for (int64_t i = 0; i < bytes.len; i++)
        list_push(trace, place->list, value_int((uint8_t)bytes.data[i]));
    return (Value){.kind = VALUE_REF, .place = place};
}

// ---- variants

// Numbers in every variant of the language; references and bare variants where programs take them
// out through value_field only.
static bool is_small(const Lang *lang, Decl *decl, const Value *field)
{
    ValueKind kind = field->kind;
    if (kind == VALUE_BOOL || kind == VALUE_INT || kind == VALUE_FLOAT || kind == VALUE_SCALAR)
        return true;
    Decl *const *known = lang->std_variants;
    bool tried = decl == known[STD_SOME] || decl == known[STD_OK] || decl == known[STD_ERR];
    return tried && ((kind == VALUE_REF && !field->dyn && !field->shared) ||
                     (kind == VALUE_VARIANT && !field->variant.fields));
}

Decl *value_variant(Value value)
{
    return value.kind == VALUE_VARIANT ? value.variant.decl
           : value.kind == VALUE_SMALL ? value.small.decl
                                       : NULL;
}

static Value small_field(Value value)
{
    Value field = {.kind = value.small.kind};
    switch (field.kind) {
    case VALUE_BOOL:
        field.boolean = value.small.boolean;
        break;
    case VALUE_FLOAT:
        field.real = value.small.real;
        break;
    case VALUE_SCALAR:
        field.scalar.type = value.small.scalar.type;
        field.scalar.bits = value.small.scalar.bits;
        break;
    case VALUE_REF:
        field.place = value.small.place;
        break;
    case VALUE_VARIANT:
        field.variant.decl = value.small.variant;
        break;
    default:
        field.integer = value.small.integer;
        break;
    }
    return field;
}

static Value make_small(Decl *decl, Value field)
{
    Value value = {.kind = VALUE_SMALL, .small = {.decl = decl, .kind = field.kind}};
    switch (field.kind) {
    case VALUE_BOOL:
        value.small.boolean = field.boolean;
        break;
    case VALUE_FLOAT:
        value.small.real = field.real;
        break;
    case VALUE_SCALAR:
        value.small.scalar.type = field.scalar.type;
        value.small.scalar.bits = field.scalar.bits;
        break;
    case VALUE_REF:
        value.small.place = field.place;
        break;
    case VALUE_VARIANT:
        value.small.variant = field.variant.decl;
        break;
    default:
        value.small.integer = field.integer;
        break;
    }
    return value;
}

ValueList *value_fields(Trace *trace, Value *place)
{
    if (place->kind == VALUE_SMALL) {
        Value field = small_field(*place);
        ValueList *fields = list_value(trace, &field, 1).list;
        *place = (Value){.kind = VALUE_VARIANT, .variant = {place->small.decl, fields}};
    }
    return place->kind == VALUE_VARIANT ? place->variant.fields : NULL;
}

bool value_field(Value value, Value *field)
{
    if (value.kind == VALUE_SMALL) {
        *field = small_field(value);
        return true;
    }
    const ValueList *fields = value.kind == VALUE_VARIANT ? value.variant.fields : NULL;
    if (!fields || fields->count != 1)
        return false;
    *field = fields->items[0];
    return true;
}

Value variant_value(Trace *trace, Decl *decl, const Value *fields, int64_t count)
{
    if (count == 1 && decl->is_builtin && decl->variant->kind == FIELDS_TUPLE &&
        is_small(trace->lang, decl, fields))
        return make_small(decl, fields[0]);
    ValueList *list = count ? list_value(trace, fields, count).list : NULL;
    return (Value){.kind = VALUE_VARIANT, .variant = {decl, list}};
}

// ---- copies and equality

ListOwner *list_owner(Trace *trace, ValueList *list)
{
    if (!list->owner)
        list->owner = arena_new(trace->lang->arena, ListOwner, 1);
    return list->owner;
}

Value copy_value(Trace *trace, Value value)
{
    if (value.kind == VALUE_REF && value.shared)
        return shared_copy(trace, value);
    if (value.kind == VALUE_WEAK && value.shared)
        value.shared->weak++;
    if (value.kind == VALUE_TENSOR && trace->run)
        run_keep_tensor(trace, value.tensor); // two have it from now on
    if (value.kind == VALUE_STRING)
        value.capacity = 0; // shared until one of the two grows
    if (value.kind == VALUE_ITER)
        value.iter = iter_clone(trace, value.iter);
    if (value.kind == VALUE_MAP)
        return map_copy(trace, value.map);
    if (value.kind == VALUE_RNG)
        value.rng = arena_copy(trace->lang->arena, value.rng, sizeof *value.rng);
    if (value.kind == VALUE_VARIANT && value.variant.fields)
        value.variant.fields =
            copy_value(trace, (Value){.kind = VALUE_LIST, .list = value.variant.fields}).list;
    if (value.kind != VALUE_LIST || value.list == unit_value().list)
        return value; // one without items is copied as well: either may grow
    Value copy = list_value(trace, value.list->items, value.list->count);
    if (list_drops(value.list))
        list_owner(trace, copy.list)->drops = list_drops(value.list);
    trace->steps += copy.list->count;
    for (int64_t i = 0; i < copy.list->count; i++)
        copy.list->items[i] = copy_value(trace, copy.list->items[i]);
    return copy;
}

static bool lists_equal(const ValueList *a, const ValueList *b, bool *known)
{
    if (!a || !b || a->count != b->count)
        return (!a || !a->count) && (!b || !b->count);
    for (int64_t i = 0; i < a->count; i++)
        if (!value_equal(&a->items[i], &b->items[i], known))
            return false;
    return true;
}

static bool variants_equal(const Value *a, const Value *b, bool *known)
{
    if (value_variant(*a) != value_variant(*b))
        return false;
    Value left, right;
    if (value_field(*a, &left) && value_field(*b, &right))
        return value_equal(&left, &right, known);
    return lists_equal(a->variant.fields, b->variant.fields, known);
}

// A float of eight bits is its byte; other floats are equal as numbers are.
static bool scalars_equal(const Value *a, const Value *b)
{
    Scalar type = a->scalar.type;
    if (scalar_traits[type].kind != SCALAR_KIND_FLOAT || scalar_traits[type].bits <= 8)
        return a->scalar.bits == b->scalar.bits;
    uint32_t bits[2] = {scalar_to_f32(type, a->scalar.bits), scalar_to_f32(type, b->scalar.bits)};
    float reals[2];
    memcpy(reals, bits, sizeof reals);
    return reals[0] == reals[1];
}

// An axis that is not named is at 0.
static bool indices_equal(const HostIndex *a, const HostIndex *b)
{
    bool equal = a->is_valid == b->is_valid;
    for (int64_t i = 0; i < a->index.count && equal && a->is_valid; i++)
        equal = index_value(&b->index, a->index.items[i].axis) == a->index.items[i].value;
    for (int64_t i = 0; i < b->index.count && equal && b->is_valid; i++)
        equal = index_value(&a->index, b->index.items[i].axis) == b->index.items[i].value;
    return equal;
}

bool value_equal(const Value *left, const Value *right, bool *known)
{
    Value a = value_strip(*left), b = value_strip(*right);
    if (value_variant(a) && value_variant(b))
        return variants_equal(&a, &b, known);
    if (a.kind != b.kind) {
        *known = false;
        return false;
    }
    switch (a.kind) {
    case VALUE_BOOL:
        return a.boolean == b.boolean;
    case VALUE_INT:
        return a.integer == b.integer;
    case VALUE_WIDE:
        return value_wide_bits(a) == value_wide_bits(b);
    case VALUE_FLOAT:
        return a.real == b.real;
    case VALUE_SCALAR:
        return scalars_equal(&a, &b);
    case VALUE_STRING:
        return str_equal(a.text, b.text);
    case VALUE_INDEX:
        return indices_equal(a.index, b.index);
    case VALUE_LIST:
        return lists_equal(a.list, b.list, known);
    case VALUE_IDENT:
        return a.ident.name == b.ident.name;
    case VALUE_MAPPING:
        return mapping_values_equal(a.mapping, b.mapping);
    case VALUE_FACTORS:
        return mapping_same(a.factors, b.factors);
    case VALUE_ARRAY:
        return host_arrays_equal(a.array, b.array);
    default:
        *known = false;
        return false;
    }
}
