// Tensors: from their types to handles in the program, and the moves between them.
#include "lang/eval/trace_internal.h"

#include "base/checked.h"

#include <string.h>

// The types of tensors and views, and what their arguments are.
static const struct {
    const char *name;
    Tier tier;
    bool is_view, is_mut;
    int8_t level_count;
    Level levels[5];
} tensor_types[] = {
    {"HostTensor", TIER_HOST, false, false, 1, {LEVEL_ELEMENT}},
    {"HbmTensor", TIER_HBM, false, false, 2, {LEVEL_CHIP, LEVEL_ELEMENT}},
    {"HbmTensorView", TIER_HBM, true, false, 2, {LEVEL_CHIP, LEVEL_ELEMENT}},
    {"HbmTensorViewMut", TIER_HBM, true, true, 2, {LEVEL_CHIP, LEVEL_ELEMENT}},
    {"DmTensor", TIER_DM, false, false, 4, {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ELEMENT}},
    {"DmTensorView",
     TIER_DM,
     true,
     false,
     4,
     {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ELEMENT}},
    {"DmTensorViewMut",
     TIER_DM,
     true,
     true,
     4,
     {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ELEMENT}},
    {"TrfTensor",
     TIER_TRF,
     false,
     false,
     5,
     {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ROW, LEVEL_ELEMENT}},
    {"VrfTensor",
     TIER_VRF,
     false,
     false,
     4,
     {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ELEMENT}},
};

static int find_tensor_type(Type *type)
{
    for (size_t i = 0; i < COUNT_OF(tensor_types); i++)
        if (type_is_named(type, tensor_types[i].name))
            return (int)i;
    return -1;
}

bool scalar_of_type(Type *type, Scalar *scalar)
{
    type = type_of(type);
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM ||
        prims[type->decl->prim].scalar == SCALAR_NONE)
        return false;
    *scalar = (Scalar)prims[type->decl->prim].scalar;
    return true;
}

const Dim *dim_of_type(Trace *trace, Type *type)
{
    type = type_of(type);
    if (type->kind == TYPE_OPEN) {
        Type *mapping = settle_mapping(trace->lang, type);
        type = mapping ? mapping : type;
    }
    if (type->kind != TYPE_MAPPING) {
        type_recall(trace->lang, type);
        return NULL;
    }
    if (!type->dim)
        type->dim = builder_dim(trace->builder, type->expr, type->span);
    return type->dim;
}

bool tensor_shape(Trace *trace, Type *type, Tensor *tensor)
{
    type = type_strip(type);
    int row = find_tensor_type(type);
    if (row < 0 || !scalar_of_type(type->args[0], &tensor->type))
        return false;
    tensor->tier = tensor_types[row].tier;
    for (int8_t i = 0; i < tensor_types[row].level_count; i++) {
        const Dim *dim = dim_of_type(trace, type->args[i + 1]);
        if (!dim)
            return false;
        tensor->dims[tensor_types[row].levels[i]] = dim;
    }
    return true;
}

MaybeInt maybe_int(Value value)
{
    value = value_strip(value);
    return (MaybeInt){value.kind == VALUE_INT, value.kind == VALUE_INT ? value.integer : 0};
}

static bool trf_address(Value value, TrfAddress *address)
{
    value = value_strip(value);
    if (value.kind != VALUE_VARIANT)
        return false;
    for (TrfAddress i = 0; i < TRF_COUNT; i++)
        if (strcmp(value.variant.decl->name, trf_address_names[i]) == 0) {
            *address = i;
            return true;
        }
    return false;
}

static bool is_literal(const AstExpr *expr)
{
    if (expr->kind == AST_BINARY) // 1 << 28
        return is_literal(expr->binary.left) && is_literal(expr->binary.right);
    return expr->kind == AST_PAREN ? is_literal(expr->inner) : expr->kind == AST_LITERAL;
}

// An address that is computed may be another one each time it is: no other text can replace it.
static bool is_fixed(const AstExpr *written)
{
    return written &&
           (is_literal(written) || (written->kind == AST_PATH && written->path.segments.count > 1));
}

static int32_t literal_base(Str text)
{
    static const struct {
        Str prefix;
        int32_t base;
    } bases[] = {{{"0x", 2}, 16}, {{"0o", 2}, 8}, {{"0b", 2}, 2}};
    for (size_t i = 0; i < COUNT_OF(bases); i++)
        if (text.len > 2 && str_equal(str_slice(text, 0, 2), bases[i].prefix))
            return bases[i].base;
    return 10;
}

static const AstExpr *value_of_constant(const Body *body, const AstExpr *path)
{
    bool of_body = path->kind == AST_PATH && path->id >= body->first_expr &&
                   path->id < body->first_expr + body->expr_count;
    const Use *use = of_body ? body_use(body, path) : NULL;
    bool constant = use && use->decl && use->decl->kind == DECL_CONST && use->decl->item;
    return constant ? use->decl->item->constant.value : NULL;
}

// The base in which an address is written: the base of its literals, or of the constant that it
// names. Decimal literals yield to others, as in 0x1000 + 8 * 32. 0: no base, as in 1 << 28.
static int32_t written_base(const Trace *trace, const AstExpr *expr)
{
    while (expr->kind == AST_PAREN || expr->kind == AST_CAST)
        expr = expr->kind == AST_PAREN ? expr->inner : expr->cast.inner;
    if (expr->kind == AST_LITERAL)
        return literal_base(lang_text(trace->lang, expr->span));
    if (expr->kind == AST_BINARY) {
        int32_t left = written_base(trace, expr->binary.left);
        int32_t right = written_base(trace, expr->binary.right);
        if (expr->binary.op == BINARY_SHL || expr->binary.op == BINARY_SHR)
            return left == 10 ? 0 : left;
        return left == right || right == 10 ? left : left && left != 10 ? left : right;
    }
    const AstExpr *value = value_of_constant(trace->frame->body, expr);
    return value ? written_base(trace, value) : 0;
}

Value new_tensor(Trace *trace, Type *type, TensorOrigin origin, Value address,
                 const AstExpr *written, Span span)
{
    Tensor tensor = {.origin = origin,
                     .span = span,
                     .address_span = written ? written->span : SPAN_NOWHERE,
                     .address_fixed = is_fixed(written),
                     .address_base = written ? written_base(trace, written) : 0,
                     .trf = TRF_FULL};
    if (!tensor_shape(trace, type, &tensor))
        return (Value){.kind = VALUE_POISON};
    if (tensor.tier == TIER_TRF)
        trf_address(address, &tensor.trf);
    else
        tensor.address = maybe_int(address);
    return (Value){.kind = VALUE_TENSOR, .tensor = builder_tensor(trace->builder, &tensor)};
}

// ---- parameters

static Value param_tensor(Trace *trace, Type *type, const char *name, Span span, bool is_mut)
{
    int row = find_tensor_type(type);
    Tensor tensor = {.origin = ORIGIN_PARAM,
                     .span = span,
                     .name = name,
                     .trf = TRF_FULL,
                     .is_output = is_mut || tensor_types[row].is_mut};
    if (!tensor_shape(trace, type, &tensor))
        return (Value){.kind = VALUE_POISON};
    const Tensor *made = builder_tensor(trace->builder, &tensor);
    if (!tensor_types[row].is_view)
        return (Value){.kind = VALUE_TENSOR, .tensor = made};
    return (Value){.kind = VALUE_VIEW,
                   .view = builder_view(trace->builder, made, tensor_types[row].is_mut, span)};
}

bool is_context(Type *type)
{
    return type_is_named(type, "Context") || type_is_named(type, "TuContext") ||
           type_is_named(type, "DmaContext");
}

bool is_number(Type *type)
{
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return false;
    PrimClass class = prims[type->decl->prim].class;
    return class == PRIM_INT || class == PRIM_UINT || class == PRIM_FLOAT ||
           type->decl->prim == PRIM_bool;
}

static Value next_number(Trace *trace)
{
    if (!trace->numbers.count)
        return VALUE_NOTHING;
    trace->numbers.count--;
    return *trace->numbers.items++;
}

// `is_mut`: the parameter is a `&mut`.
static Value value_of_param(Trace *trace, Type *type, const char *name, Span span, bool is_mut)
{
    type = type_of(type);
    if (type->kind == TYPE_REF) {
        Value *place = arena_new(trace->lang->arena, Value, 1);
        *place = value_of_param(trace, type->args[0], name, span, is_mut || type->is_mut);
        return place->kind == VALUE_POISON ? *place : (Value){.kind = VALUE_REF, .place = place};
    }
    if (type->kind == TYPE_TUPLE) {
        Value *items = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, type->arg_count));
        for (int32_t i = 0; i < type->arg_count; i++)
            items[i] = value_of_param(trace, type->args[i], name, span, is_mut);
        return list_value(trace, items, type->arg_count);
    }
    if (type->kind == TYPE_ERROR)
        return (Value){.kind = VALUE_POISON};
    if (is_context(type))
        return (Value){.kind = VALUE_CONTEXT};
    if (find_tensor_type(type) >= 0)
        return param_tensor(trace, type, name, span, is_mut);
    if (is_number(type))
        return next_number(trace);
    Value stream = input_stream(trace, type, span);
    return stream.kind == VALUE_STREAM || stream.kind == VALUE_POISON ? stream : VALUE_NOTHING;
}

Value param_value(Trace *trace, Type *type, const char *name, Span span)
{
    return value_of_param(trace, type, name, span, false);
}
