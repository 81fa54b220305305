// Operators, operands and conditions of the Vector Engine, from the values that name them.
#include "lang/eval/trace_internal.h"

#include "base/checked.h"

#include <string.h>

static VectorAlu multiplier(Value value)
{
    static const struct {
        const char *name;
        VectorAlu alu;
    } multipliers[] = {{"Mul0", ALU_FpMul0}, {"Mul1", ALU_FpMul1}, {"Fma", ALU_FpFma}};
    value = value_strip(value);
    for (size_t i = 0; value.kind == VALUE_VARIANT && i < COUNT_OF(multipliers); i++)
        if (strcmp(value.variant.decl->name, multipliers[i].name) == 0)
            return multipliers[i].alu;
    return ALU_NONE;
}

bool read_operator(Value value, VectorOp *op, VectorAlu *alu)
{
    if (value.kind != VALUE_VARIANT || !value.variant.decl->parent)
        return false;
    Decl *decl = value.variant.decl;
    for (VectorFamily family = 0; family < FAMILY_COUNT; family++) {
        if (strcmp(vector_families[family].name, decl->parent->name) != 0)
            continue;
        *op = vector_op_find(family, str_from(decl->name));
        if (*op == VECTOR_OP_COUNT)
            return false;
        const ValueList *fields = value.variant.fields;
        *alu = fields && fields->count ? multiplier(fields->items[0]) : vector_ops[*op].alu;
        return true;
    }
    return false;
}

bool read_mode(Value value, ArgMode *mode)
{
    for (ArgMode i = MODE_DEFAULT + 1; value.kind == VALUE_VARIANT && i < MODE_COUNT; i++)
        if (strcmp(arg_modes[i].name, value.variant.decl->name) == 0) {
            *mode = i;
            return true;
        }
    return false;
}

static bool read_group_id(Value value, BranchCondition *condition)
{
    value = value_strip(value);
    if (value.kind != VALUE_VARIANT)
        return false;
    *condition =
        strcmp(value.variant.decl->name, "One") == 0 ? CONDITION_GROUP_1 : CONDITION_GROUP_0;
    return true;
}

bool read_condition(Value value, BranchCondition *condition)
{
    value = value_strip(value);
    if (value.kind != VALUE_VARIANT)
        return false;
    const char *name = value.variant.decl->name;
    if (strcmp(name, "ValidAlways") == 0) {
        *condition = CONDITION_ALWAYS;
        return true;
    }
    if (strcmp(name, "ValidGroup") == 0 && value.variant.fields)
        return read_group_id(value.variant.fields->items[0], condition);
    return read_group_id(value, condition);
}

uint32_t scalar_bits(Value value, Scalar type)
{
    value = value_strip(value);
    if (value.kind == VALUE_FLOAT) {
        float real = (float)value.real;
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        bool is_refused = scalar_is_integer(type); // by the rules of the stage
        return is_refused ? bits : scalar_from_f32(type, bits);
    }
    return value.kind == VALUE_INT ? scalar_wrap(type, (uint32_t)value.integer) : 0;
}

Value operand_value(Trace *trace, Operand operand)
{
    Operand *copy = arena_new(trace->lang->arena, Operand, 1);
    *copy = operand;
    return (Value){.kind = VALUE_OPERAND, .operand = copy};
}

// One operand without a condition of its own.
static bool read_rhs(Value value, Scalar type, Operand *operand, Span span)
{
    value = value_strip(value);
    *operand = (Operand){.type = type, .span = span};
    switch (value.kind) {
    case VALUE_OPERAND:
        *operand = *value.operand;
        return true;
    case VALUE_TENSOR:
        operand->kind = OPERAND_VRF;
        operand->vrf = value.tensor;
        operand->type = value.tensor->type;
        return value.tensor->tier == TIER_VRF;
    case VALUE_VARIANT: // Stash, VeRhs::Stash, VeRhs::Const { v }
        if (strcmp(value.variant.decl->name, "Const") == 0 && value.variant.fields)
            return read_rhs(value.variant.fields->items[0], type, operand, span);
        operand->kind = OPERAND_STASH;
        return strcmp(value.variant.decl->name, "Stash") == 0;
    case VALUE_INT:
    case VALUE_FLOAT:
    case VALUE_UNKNOWN: // a number from outside
        operand->kind = OPERAND_CONSTANT;
        operand->bits = scalar_bits(value, type);
        return true;
    default:
        return false;
    }
}

static bool is_condition(Type *type)
{
    return type_is_named(type, "GroupId") || type_is_named(type, "ValidBranchIds");
}

// One operand with its condition and its partner, as its type says they are written: a number, a
// tensor, (rhs, condition), (rhs, second), ((rhs, second), condition), a VeBranchOperand or a
// TernaryOperand with its fields.
static bool read_operand(Value value, Type *type, Scalar element, Operand *operand, Span span)
{
    Type *known = type_strip(type);
    value = value_strip(value);
    bool tuple = known->kind == TYPE_TUPLE && known->arg_count == 2;
    bool ternary = type_is_named(known, "TernaryOperand");
    bool fields = ternary || type_is_named(known, "VeBranchOperand");
    if (value.kind != VALUE_LIST || value.list->count != 2 + ternary || !(tuple || fields))
        return read_rhs(value, element, operand, span);
    const Value *items = value.list->items;
    if (fields && !read_rhs(items[0], element, operand, span))
        return false;
    if (ternary)
        operand->second = scalar_bits(items[1], SCALAR_F32);
    if (fields)
        return read_condition(items[1 + ternary], &operand->condition);
    if (!read_operand(items[0], known->args[0], element, operand, span))
        return false;
    if (is_condition(known->args[1]))
        return read_condition(items[1], &operand->condition);
    operand->second = scalar_bits(items[1], SCALAR_F32);
    return value_strip(items[1]).kind == VALUE_FLOAT || value_strip(items[1]).kind == VALUE_UNKNOWN;
}

// Of several in brackets, each stands in its own place.
static Span operand_span(const AstExpr *written, int32_t index)
{
    while (written->kind == AST_PAREN ||
           (written->kind == AST_UNARY && written->unary.op == UNARY_REF))
        written = written->kind == AST_PAREN ? written->inner : written->unary.inner;
    bool each = written->kind == AST_ARRAY && index < written->items.count;
    return each ? written->items.items[index]->span : written->span;
}

int32_t read_operands(Value value, Type *type, Scalar element, Operand *operands, bool *too_many,
                      const AstExpr *written)
{
    Type *known = type_strip(type);
    value = value_strip(value);
    if (type_is_named(known, "Option")) { // Some(operand)
        known = type_strip(known->args[0]);
        bool some = value.kind == VALUE_VARIANT && value.variant.fields;
        value = some ? value_strip(value.variant.fields->items[0]) : value;
    }
    bool list = known->kind == TYPE_ARRAY || type_is_named(known, "ArrayVec");
    if (!list)
        return read_operand(value, known, element, &operands[0], written->span) ? 1 : -1;
    if (value.kind != VALUE_LIST)
        return -1;
    *too_many = value.list->count > VECTOR_OPERANDS;
    int32_t count = (int32_t)min_i64(VECTOR_OPERANDS, value.list->count);
    for (int32_t i = 0; i < count; i++)
        if (!read_operand(value.list->items[i], known->args[0], element, &operands[i],
                          operand_span(written, i)))
            return -1;
    return count;
}

// The modes in which the second operand is the second argument: "Mode020, Mode021 or Mode120".
static Str swapping_modes(Arena *arena)
{
    const char *names[MODE_COUNT];
    int count = 0;
    StrBuf text = {.arena = arena};
    for (ArgMode mode = 0; mode < MODE_COUNT; mode++)
        if (arg_modes[mode].count == 3 && arg_modes[mode].args[1] == 2)
            names[count++] = arg_modes[mode].name;
    for (int i = 0; i < count; i++)
        buf_format(&text, "{}`{}`", !i ? "" : i == count - 1 ? " or " : ", ", names[i]);
    return buf_str(&text);
}

static void report_second(const Trace *trace, Value first, Value second, Span span)
{
    bool stash = second.kind == VALUE_VARIANT && strcmp(second.variant.decl->name, "Stash") == 0;
    Diag *diag = diag_add(trace->lang->diags, DIAG_VECTOR_OPERAND_TYPE, span,
                          "the second operand of a ternary operation must be a constant{}",
                          second.kind == VALUE_TENSOR ? ", not a tensor"
                          : stash                     ? ", not the stash"
                                                      : "");
    if (first.kind == VALUE_FLOAT)
        diag_help(diag,
                  "put it first and the constant second: `(operand, constant)`; use "
                  "`TernaryArgMode` {} to make the constant the second argument",
                  swapping_modes(trace->lang->arena));
    else
        diag_help(diag, "use an operation for each of the two operands, such as `MulF` with the "
                        "first and `AddF` with the second");
}

// Walks down to the pairs (rhs, second), as read_operand does.
bool report_second_operand(const Trace *trace, Value value, Type *type, const AstExpr *written)
{
    Type *known = type_strip(type);
    value = value_strip(value);
    while (written->kind == AST_PAREN ||
           (written->kind == AST_UNARY && written->unary.op == UNARY_REF))
        written = written->kind == AST_PAREN ? written->inner : written->unary.inner;
    if (value.kind != VALUE_LIST)
        return false;
    bool spelled = (written->kind == AST_ARRAY || written->kind == AST_TUPLE) &&
                   written->items.count == value.list->count;
    bool found = false;
    if (known->kind == TYPE_ARRAY || type_is_named(known, "ArrayVec")) {
        for (int64_t i = 0; i < value.list->count; i++)
            found |= report_second_operand(trace, value.list->items[i], known->args[0],
                                           spelled ? written->items.items[i] : written);
        return found;
    }
    if (known->kind != TYPE_TUPLE || known->arg_count != 2 || value.list->count != 2)
        return false;
    if (is_condition(known->args[1]))
        return report_second_operand(trace, value.list->items[0], known->args[0],
                                     spelled ? written->items.items[0] : written);
    Value second = value_strip(value.list->items[1]);
    if (second.kind == VALUE_FLOAT || second.kind == VALUE_UNKNOWN)
        return false;
    report_second(trace, value_strip(value.list->items[0]), second,
                  spelled ? written->items.items[1]->span : written->span);
    return true;
}

// ---- branches

static bool read_compare(Value value, InputCompare *compare)
{
    value = value_strip(value); // InputCmp::I32(InputCmpI32::Less { boundary })
    if (value.kind != VALUE_VARIANT || !value.variant.fields || !value.variant.fields->count)
        return false;
    compare->type = strcmp(value.variant.decl->name, "F32") == 0 ? SCALAR_F32 : SCALAR_I32;
    Value inner = value_strip(value.variant.fields->items[0]);
    if (inner.kind != VALUE_VARIANT)
        return false;
    for (CompareKind kind = 0; kind < COMPARE_COUNT; kind++)
        if (strcmp(compare_names[kind], inner.variant.decl->name) == 0)
            compare->kind = kind;
    const ValueList *fields = inner.variant.fields;
    if (fields && fields->count)
        compare->boundary = scalar_bits(fields->items[0], compare->type);
    return true;
}

static bool read_comparisons(Value value, Stage *stage)
{
    value = value_strip(value);
    if (value.kind != VALUE_LIST || value.list->count != BRANCH_COMPARISONS)
        return false;
    for (int i = 0; i < BRANCH_COMPARISONS; i++)
        if (!read_compare(value.list->items[i], &stage->compares[i]))
            return false;
    return true;
}

// The axis of that name in the stream, of several sizes the smallest. One that is not there is left
// to the rules, by its name.
static const Atom *find_axis(Trace *trace, Value ident, const Stage *stream)
{
    const Atom *found = NULL;
    if (ident.kind != VALUE_IDENT)
        return NULL;
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        AtomList axes = {0};
        if (!stream->dims[level])
            continue;
        expr_axes(trace->lang->arena, stream->dims[level]->expr, &axes);
        for (int64_t i = 0; i < axes.count; i++)
            if (strcmp(axes.items[i]->name, ident.ident.name) == 0 &&
                (!found || axes.items[i]->size < found->size))
                found = axes.items[i];
    }
    if (!found)
        found = ident.ident.atom;
    return found ? found : atom_axis(trace->lang->arena, ident.ident.name, 1);
}

bool read_branch(Trace *trace, Value value, const Stage *stream, Stage *stage)
{
    if (value.kind != VALUE_VARIANT)
        return false;
    for (BranchKind kind = 0; kind < BRANCH_COUNT; kind++)
        if (strcmp(branch_names[kind], value.variant.decl->name) == 0)
            stage->branch = kind;
    const ValueList *fields = value.variant.fields;
    if (stage->branch == BRANCH_COMPARISON)
        return fields && fields->count && read_comparisons(fields->items[0], stage);
    if (stage->branch == BRANCH_AXIS_TOGGLE) {
        Value axis = fields && fields->count ? value_strip(fields->items[0]) : VALUE_NOTHING;
        stage->axis = find_axis(trace, axis, stream);
        return stage->axis != NULL;
    }
    return true;
}
