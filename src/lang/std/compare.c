// Equality, order, copies and defaults of values, by their types: what a program wrote for a type
// (impl PartialEq, Ord, Clone, Default) is called wherever a value of it turns up, however deep.
#include "lang/eval/whole.h"
#include "lang/std/native.h"

#include "base/checked.h"

#include <math.h>
#include <string.h>

// ---- methods of the program's own types

Decl *user_method(Trace *trace, Type *type, const char *name)
{
    type = type ? type_of(type) : NULL;
    if (!type || type->kind != TYPE_NAMED || type->decl->is_builtin ||
        type->decl->kind == DECL_PRIM)
        return NULL;
    Type *self;
    Decl *decl = find_member(trace->lang, type, lang_name(trace->lang, name), &self);
    bool own = decl && decl->kind == DECL_FN && !decl->is_builtin && decl->item->function.body;
    return own ? decl : NULL;
}

// The last name of the trait that an impl block is of; NULL: it is of none.
static const char *trait_of(const Impl *impl)
{
    const AstType *trait = impl->is_trait ? impl->item->impl.trait : NULL;
    int64_t count = trait && trait->kind == AST_TYPE_PATH ? trait->path.segments.count : 0;
    return count ? trait->path.segments.items[count - 1].name.text : NULL;
}

Decl *user_trait_method(Trace *trace, Type *type, const char *trait, const char *name)
{
    if (!user_method(trace, type, name))
        return NULL;
    const Impls *impls = &type_of(type)->decl->impls;
    for (int64_t i = 0; i < impls->count; i++) {
        const char *of = trait_of(impls->items[i]);
        if (of && strcmp(of, trait) == 0)
            return impl_member(trace->lang, impls->items[i], lang_name(trace->lang, name));
    }
    return NULL;
}

Type **method_generics(Trace *trace, Decl *decl, Type *self)
{
    Lang *lang = trace->lang;
    const Signature *signature = signature_of(lang, decl);
    Type **generics = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = 0; i < signature->generic_count; i++)
        generics[i] = type_var(lang, VAR_ANY, SPAN_NOWHERE);
    if (signature->self)
        type_unify(lang, type_instantiate(lang, signature->self, generics), self, NULL, NULL);
    return generics;
}

Value call_method(Trace *trace, Decl *decl, Type *self, const Value *args, int64_t count)
{
    return trace_call(trace, decl, method_generics(trace, decl, self), args, count, decl->span);
}

// What the trait of the impl block of a function takes: T of `impl Sum<T> for Self`.
static Type *trait_item(Trace *trace, Decl *decl, Type *self, Type **generics)
{
    const AstSegments *segments = &decl->impl->item->impl.trait->path.segments;
    const AstSegment *trait = &segments->items[segments->count - 1];
    TypeScope scope = {.lang = trace->lang,
                       .scope = decl->scope,
                       .signature = signature_of(trace->lang, decl),
                       .generics = generics,
                       .self = self};
    return trait->args.count && trait->args.items[0].type
               ? resolve_type(&scope, trait->args.items[0].type)
               : self; // impl Sum for T
}

Decl *user_collector(Trace *trace, Type *type, const char *trait, const char *name, Type *item)
{
    Decl *first = user_trait_method(trace, type, trait, name);
    const Impls *impls = first ? &type_of(type)->decl->impls : NULL;
    for (int64_t i = 0; impls && i < impls->count; i++) {
        const char *of = trait_of(impls->items[i]);
        if (!of || strcmp(of, trait) != 0)
            continue;
        Decl *decl = impl_member(trace->lang, impls->items[i], lang_name(trace->lang, name));
        Type *taken =
            decl ? trait_item(trace, decl, type, method_generics(trace, decl, type)) : NULL;
        if (taken && type_could_unify(trace->lang, taken, item))
            return decl;
    }
    return first;
}

Value call_with_items(Trace *trace, Decl *decl, Type *self, Iter *iter)
{
    Type **generics = method_generics(trace, decl, self);
    const Signature *signature = signature_of(trace->lang, decl);
    Type *item = trait_item(trace, decl, self, generics);
    type_unify(trace->lang, type_instantiate(trace->lang, signature->params[0], generics),
               type_iter(trace->lang, item), NULL, NULL);
    Value items = value_iter(iter);
    return trace_call(trace, decl, generics, &items, 1, decl->span);
}

// A type of a field of a struct or variant, in a type that may have generics.
static Type *part_type(Trace *trace, Decl *decl, const Type *whole, int64_t index)
{
    const Signature *signature = signature_of(trace->lang, decl);
    if (index >= signature->param_count)
        return NULL;
    return type_of(type_instantiate(trace->lang, signature->params[index], whole->args));
}

Type *value_item_type(Trace *trace, Type *type, Value value, int64_t index)
{
    if (!type)
        return NULL;
    Decl *variant = value_variant(value);
    switch (type->kind) {
    case TYPE_TUPLE:
        return index < type->arg_count ? type_of(type->args[index]) : NULL;
    case TYPE_ARRAY:
    case TYPE_SLICE:
        return type_of(type->args[0]);
    case TYPE_NAMED:
        if (variant && variant->parent)
            return part_type(trace, variant, type, index);
        if (type->decl->kind == DECL_STRUCT && !type->decl->is_builtin)
            return part_type(trace, type->decl, type, index);
        return type->arg_count ? type_of(type->args[0]) : NULL;
    default:
        return NULL;
    }
}

Type *value_inner_type(Type *type)
{
    type = type ? type_strip(type) : NULL;
    while (type && type_is_pointer(type))
        type = type_strip(type->args[0]);
    return type;
}

// ---- equality

static Value as_ref(Trace *trace, Value value)
{
    return value.kind == VALUE_REF ? value : ref_to_value(trace, value);
}

static const ValueList *items_of(const Value *value)
{
    return value->kind == VALUE_LIST      ? value->list
           : value->kind == VALUE_VARIANT ? value->variant.fields
                                          : NULL;
}

static bool items_equal(Trace *trace, const Value *a, const Value *b, Type *type, bool *known)
{
    const ValueList *left = items_of(a), *right = items_of(b);
    int64_t count = left ? left->count : 0;
    if (count != (right ? right->count : 0))
        return false;
    bool same = type && (type->kind == TYPE_ARRAY || type->kind == TYPE_SLICE ||
                         type_is_named(type, "Vec"));
    Type *item = same ? value_item_type(trace, type, *a, 0) : NULL;
    for (int64_t i = 0; i < count; i++)
        if (!value_equals(trace, left->items[i], right->items[i],
                          same ? item : value_item_type(trace, type, *a, i), known))
            return false;
    return true;
}

static bool variants_equal(Trace *trace, const Value *a, const Value *b, Type *type, bool *known)
{
    if (value_variant(*a) != value_variant(*b))
        return false;
    Value left, right;
    if (value_field(*a, &left) && value_field(*b, &right))
        return value_equals(trace, left, right, value_item_type(trace, type, *a, 0), known);
    return items_equal(trace, a, b, type, known);
}

static bool maps_equal(Trace *trace, const Value *a, const Value *b, Type *type, bool *known)
{
    Iter *iter = iter_over_map(trace, a->map, true);
    if (iter_size(iter) != iter_size(iter_over_map(trace, b->map, true)))
        return false;
    Type *value_type = type && type->arg_count > 1 ? type_of(type->args[1]) : NULL;
    Value item;
    while (*known && iter_next(trace, iter, &item)) {
        bool pair = type && type->arg_count > 1;
        Value *there = map_find(trace, b->map, pair ? item.list->items[0] : item);
        if (!there ||
            (pair && !value_equals(trace, item.list->items[1], *there, value_type, known)))
            return false;
    }
    return true;
}

bool value_equals(Trace *trace, Value left, Value right, Type *type, bool *known)
{
    Value a = value_strip(left), b = value_strip(right);
    type = value_inner_type(type);
    Decl *own = user_method(trace, type, "eq");
    if (own) {
        Value args[] = {as_ref(trace, left), as_ref(trace, right)};
        Value answer = value_strip(call_method(trace, own, type, args, 2));
        *known &= answer.kind == VALUE_BOOL;
        return answer.kind == VALUE_BOOL && answer.boolean;
    }
    if (value_variant(a) && value_variant(b))
        return variants_equal(trace, &a, &b, type, known);
    if (a.kind == VALUE_LIST && b.kind == VALUE_LIST)
        return items_equal(trace, &a, &b, type, known);
    if (a.kind == VALUE_MAP && b.kind == VALUE_MAP)
        return maps_equal(trace, &a, &b, type, known);
    return value_equal(&a, &b, known);
}

// ---- order

static bool order_texts(Str a, Str b, int *order)
{
    int64_t shorter = min_i64(a.len, b.len);
    int found = shorter ? memcmp(a.data, b.data, (size_t)shorter) : 0;
    *order = found ? (found > 0) - (found < 0) : (a.len > b.len) - (a.len < b.len);
    return true;
}

static bool order_reals(double a, double b, int *order)
{
    *order = isnan(a) || isnan(b) ? UNORDERED : (a > b) - (a < b);
    return true;
}

static bool order_items(Trace *trace, const Value *a, const Value *b, Type *type, int *order)
{
    const ValueList *left = items_of(a), *right = items_of(b);
    int64_t count = left ? left->count : 0, other = right ? right->count : 0;
    *order = 0;
    for (int64_t i = 0; i < count && i < other && *order == 0; i++)
        if (!value_compare(trace, left->items[i], right->items[i],
                           value_item_type(trace, type, *a, i), order))
            return false;
    if (*order == 0)
        *order = (count > other) - (count < other);
    return true;
}

static bool order_variants(Trace *trace, const Value *a, const Value *b, Type *type, int *order)
{
    Decl *first = value_variant(*a), *second = value_variant(*b);
    if (first != second) {
        *order = (first->index > second->index) - (first->index < second->index);
        return true;
    }
    Value left, right;
    if (value_field(*a, &left) && value_field(*b, &right))
        return value_compare(trace, left, right, value_item_type(trace, type, *a, 0), order);
    return order_items(trace, a, b, type, order);
}

// cmp of the program, or partial_cmp. False in *found: it has neither.
static bool own_order(Trace *trace, Value left, Value right, Type *type, bool *found, int *order)
{
    Decl *cmp = user_method(trace, type, "cmp");
    Decl *own = cmp ? cmp : user_method(trace, type, "partial_cmp");
    *found = own;
    if (!own)
        return false;
    Value args[] = {as_ref(trace, left), as_ref(trace, right)};
    Value answer = value_strip(call_method(trace, own, type, args, 2)), field;
    if (cmp)
        return ordering_of(answer, order);
    *order = UNORDERED;
    return is_variant(answer, "None") || (value_field(answer, &field) && ordering_of(field, order));
}

bool value_compare(Trace *trace, Value left, Value right, Type *type, int *order)
{
    Value a = value_strip(left), b = value_strip(right);
    type = value_inner_type(type);
    bool found;
    if (own_order(trace, left, right, type, &found, order) || found)
        return trace->flow == FLOW_ON;
    if (type_is_named(type ? type : type_poison(trace->lang), "Reverse")) {
        Value first = b;
        b = a;
        a = first;
    }
    if (value_variant(a) && value_variant(b))
        return order_variants(trace, &a, &b, type, order);
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case VALUE_BOOL:
        *order = a.boolean - b.boolean;
        return true;
    case VALUE_WIDE:
        *order = whole_compare(whole_of(a, prim_of(type ? type : type_poison(trace->lang))),
                               whole_of(b, prim_of(type ? type : type_poison(trace->lang))));
        return true;
    case VALUE_INT:
        *order = type && is_unsigned(type) ? ((uint64_t)a.integer > (uint64_t)b.integer) -
                                                 ((uint64_t)a.integer < (uint64_t)b.integer)
                                           : (a.integer > b.integer) - (a.integer < b.integer);
        return true;
    case VALUE_FLOAT:
        return order_reals(a.real, b.real, order);
    case VALUE_SCALAR:
        return order_reals(element_to_real(a), element_to_real(b), order);
    case VALUE_STRING:
        return order_texts(a.text, b.text, order);
    case VALUE_LIST:
        return order_items(trace, &a, &b, type, order);
    default:
        return false;
    }
}

// ---- the functions of the traits

NATIVE(compare)
{
    Type *type = std_arg_type(call, 0);
    if (call->op == STD_EQ || call->op == STD_NE) {
        bool known = true;
        bool equal = value_equals(call->trace, call->args[0], call->args[1], type, &known);
        *result = value_bool(equal == (call->op == STD_EQ));
        return known;
    }
    int order;
    if (!value_compare(call->trace, call->args[0], call->args[1], type, &order))
        return false;
    *result = ordering_value(call->trace, order);
    return call->op == STD_CMP || std_option(call, order != UNORDERED, *result, result);
}

// ---- copies

Value value_clone(Trace *trace, Value value, Type *type)
{
    type = type ? type_of(type) : NULL;
    if (type &&
        (type_is_named(type, "Rc") || type_is_named(type, "Arc") || type_is_named(type, "Weak"))) {
        while (value.kind == VALUE_REF && !value.shared)
            value = *value.place;
        return copy_value(trace, value); // another reference to the same
    }
    if (type && type->kind != TYPE_REF)
        value = value_strip(value);
    if (value.kind != VALUE_LIST && value.kind != VALUE_VARIANT)
        return copy_value(trace, value);
    Decl *own = user_method(trace, type, "clone");
    if (own) {
        Value ref = ref_to_value(trace, value);
        return call_method(trace, own, type, &ref, 1);
    }
    bool nested = type && (type->kind == TYPE_ARRAY || type_is_named(type, "Vec")) &&
                  type_of(type->args[0])->kind == TYPE_NAMED &&
                  !type_of(type->args[0])->decl->is_builtin;
    if (!nested || value.kind != VALUE_LIST)
        return copy_value(trace, value);
    Value copy = list_value(trace, value.list->items, value.list->count);
    for (int64_t i = 0; i < copy.list->count; i++)
        copy.list->items[i] = value_clone(trace, copy.list->items[i], type->args[0]);
    return copy;
}

// ---- defaults

// #[default] stands before one of the variants.
static bool marked_default(Type *type, Value *result)
{
    const AstItem *item = type->decl->item;
    for (int64_t i = 0; i < item->variants.count; i++) {
        const AstVariant *variant = &item->variants.items[i];
        if (!variant->is_default)
            continue;
        Decl *decl = map_get(&type->decl->variants, variant->name.text);
        *result = (Value){.kind = VALUE_VARIANT, .variant = {decl, NULL}};
        return true;
    }
    return false;
}

static bool default_parts(Trace *trace, Type *type, int64_t count, Value *result)
{
    Value *items = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, count));
    for (int64_t i = 0; i < count; i++) {
        Type *part = value_item_type(trace, type, VALUE_NOTHING, i);
        if (!part || !value_default(trace, part, &items[i]))
            return false;
    }
    *result = list_value(trace, items, count);
    return true;
}

static bool prim_default(const Type *type, Value *result)
{
    const PrimInfo *prim = &prims[type->decl->prim];
    switch (prim->class) {
    case PRIM_FLOAT:
        *result = value_real(0.0);
        return true;
    case PRIM_ELEMENT:
        *result = (Value){.kind = VALUE_SCALAR, .scalar = {(Scalar)prim->scalar, 0}};
        return true;
    default:
        *result = type->decl->prim == PRIM_bool  ? value_bool(false)
                  : type->decl->prim == PRIM_str ? value_text(STR(""))
                                                 : whole_of_bits(0, prim);
        return true;
    }
}

static bool struct_default(Trace *trace, Type *type, Value *result)
{
    const AstItem *item = type->decl->item;
    if (item->structure.kind == FIELDS_NONE) {
        *result = (Value){.kind = VALUE_VARIANT, .variant = {type->decl, NULL}};
        return true;
    }
    return default_parts(trace, type, item->structure.fields.count, result);
}

// Default values of the library's types. A collection is empty.
static bool std_default(Trace *trace, Type *type, Value *result)
{
    if (type_is_named(type, "Box"))
        return value_default(trace, type->args[0], result);
    if (type_is_named(type, "PhantomData")) {
        *result = (Value){.kind = VALUE_VARIANT, .variant = {type->decl, NULL}};
        return true;
    }
    Value inner;
    bool cell = type_is_named(type, "RefCell") || type_is_named(type, "Cell") ||
                type_is_named(type, "Mutex");
    if (cell && value_default(trace, type->args[0], &inner)) {
        *result = list_value(trace, &inner, 1);
        return true;
    }
    return !type_is_pointer(type) &&
           collect_into(trace, iter_over_list(trace, unit_value().list, false), type, result);
}

bool value_default(Trace *trace, Type *type, Value *result)
{
    type = type_of(type);
    if (type->kind == TYPE_REF)
        return value_default(trace, type->args[0], result);
    if (type->kind == TYPE_TUPLE)
        return default_parts(trace, type, type->arg_count, result);
    if (type->kind == TYPE_ARRAY)
        return type_of(type->args[1])->kind == TYPE_CONST &&
               default_parts(trace, type, type_of(type->args[1])->value, result);
    if (type->kind != TYPE_NAMED)
        return false;
    if (type->decl->kind == DECL_PRIM)
        return prim_default(type, result);
    Decl *own = user_method(trace, type, "default");
    if (own) {
        *result = call_method(trace, own, type, NULL, 0);
        return true;
    }
    if (type->decl->kind == DECL_ENUM)
        return marked_default(type, result);
    return type->decl->is_builtin ? std_default(trace, type, result)
                                  : struct_default(trace, type, result);
}

// ---- functions of every type

NATIVE(value_clone)
{
    *result = value_clone(call->trace, call->args[0], type_strip(std_arg_type(call, 0)));
    return true;
}

NATIVE(value_make_default)
{
    return value_default(call->trace, call->type, result);
}

// From one type to another: numbers, texts, what a program says with `impl From`.
static bool convert(Trace *trace, Value value, Type *from, Type *to, Value *result)
{
    to = type_of(to);
    Decl *own = user_method(trace, to, "from");
    if (own) {
        *result = call_method(trace, own, to, &value, 1);
        return true;
    }
    Decl *into = user_method(trace, type_strip(from), "into");
    if (into) {
        *result = call_method(trace, into, type_strip(from), &value, 1);
        return true;
    }
    if (type_is_named(to, "Box") && type_of(to->args[0])->kind == TYPE_IMPL) {
        *result = boxed_error(trace, value, from);
        return true;
    }
    Value plain = value_strip(value);
    bool wraps = type_is_named(to, "Option") && !type_is_named(type_strip(from), "Option");
    if (wraps) {
        *result = some_value(trace, value);
        return true;
    }
    if (plain.kind == VALUE_SCALAR && to->kind == TYPE_NAMED && to->decl->kind == DECL_PRIM &&
        prims[to->decl->prim].class <= PRIM_FLOAT) {
        double real = element_to_real(plain);
        *result = trace_cast(value_real(real), to, to);
        return true;
    }
    if (plain.kind == VALUE_FLOAT && element_of_real(to, plain.real, result))
        return true;
    bool number = value_is_whole(plain) || plain.kind == VALUE_FLOAT || plain.kind == VALUE_BOOL;
    if (number && to->kind == TYPE_NAMED && to->decl->kind == DECL_PRIM) {
        *result = trace_cast(plain, type_strip(from), to);
        return true;
    }
    if (plain.kind == VALUE_STRING && to->kind == TYPE_NAMED && to->decl->kind == DECL_STRUCT &&
        strstr(to->decl->name, "Error")) {
        *result = list_value(trace, (Value[]){plain, plain}, 2);
        return true;
    }
    if (plain.kind == VALUE_LIST &&
        map_collect(trace, iter_over_list(trace, plain.list, false), to, result))
        return true;
    *result =
        type_of(from)->kind == TYPE_REF && to->kind != TYPE_REF ? copy_value(trace, plain) : value;
    return true;
}

NATIVE(value_into)
{
    return convert(call->trace, call->args[0], std_arg_type(call, 0), call->type, result);
}

// A number that may not fit, a list that may have another length.
NATIVE(value_try_into)
{
    Type *type = type_of(call->type), *from = std_arg_type(call, 0);
    Value value = std_arg(call, 0);
    Trace *trace = call->trace;
    if (!type_is_named(type, "Result"))
        return false;
    Type *to = type_of(type->args[0]);
    Decl *own = user_method(trace, to, "try_from");
    if (own) {
        *result = call_method(trace, own, to, call->args, 1);
        return true;
    }
    Type *list = to->kind == TYPE_REF ? type_of(to->args[0]) : to;
    if (value.kind == VALUE_LIST && list->kind == TYPE_ARRAY) {
        Type *count = type_of(list->args[1]);
        bool fits = count->kind == TYPE_CONST && count->value == value.list->count;
        Value made = to->kind == TYPE_REF ? call->args[0] : copy_value(trace, value);
        *result = fits ? ok_value(trace, made)
                       : err_value(trace, error_value(trace, "could not convert slice to array",
                                                      "TryFromSliceError(())"));
        return true;
    }
    return whole_try_into(trace, value, from, to, result);
}
