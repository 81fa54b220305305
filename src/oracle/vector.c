// The Vector Engine on whole tensors: what a lane does is done to every element. First the
// arithmetic of each operation (docs/numerics.md says the same in words), then the stages.
#include "oracle/internal.h"

#include "base/checked.h"
#include "oracle/reduce.h"
#include "scalar/bits.h"
#include "scalar/scalar.h"

#include <math.h>
#include <string.h>

enum { SHIFT_MASK = 31 };

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static int64_t integer(uint32_t bits)
{
    return (int32_t)bits;
}

static uint32_t saturated(int64_t value)
{
    if (value > INT32_MAX)
        return (uint32_t)INT32_MAX;
    return value < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)value;
}

static uint32_t arith(ScalarOp op, uint32_t a, uint32_t b)
{
    uint32_t result = 0;
    scalar_arith(op, SCALAR_F32, a, b, &result); // only integers can fail
    return result;
}

// ---- i32

#define ALU(name) static uint32_t name(uint32_t a, uint32_t b, uint32_t c)

#define BINARY(name, result) \
    ALU(name)                \
    {                        \
        (void)c;             \
        return result;       \
    }

BINARY(bit_and, a &b)
BINARY(bit_or, a | b)
BINARY(bit_xor, a ^ b)
BINARY(left_shift, a << (b & SHIFT_MASK))
BINARY(logic_right_shift, a >> (b & SHIFT_MASK))

ALU(arith_right_shift)
{
    (void)c;
    uint32_t shift = b & SHIFT_MASK, signs = a >> 31 ? ~(UINT32_MAX >> shift) : 0;
    return a >> shift | signs;
}

// Half of what one step weighs is added first: halves go up.
ALU(arith_right_shift_round)
{
    (void)c;
    uint32_t shift = b & SHIFT_MASK;
    int64_t half = shift ? INT64_C(1) << (shift - 1) : 0, step = INT64_C(1) << shift;
    int64_t sum = integer(a) + half, quotient = sum / step;
    return (uint32_t)(quotient - (sum % step < 0));
}

BINARY(add_wrap, a + b)
BINARY(sub_wrap, a - b)
BINARY(mul_wrap, a *b)
BINARY(add_saturating, saturated(integer(a) + integer(b)))
BINARY(sub_saturating, saturated(integer(a) - integer(b)))

// The factor 1 << 31 is the smallest i32, not 2^31: what is shifted that far changes its sign.
BINARY(left_shift_saturating, saturated(integer(a) * integer(UINT32_C(1) << (b & SHIFT_MASK))))

// Q31: the product of 62 fraction bits, rounded to 31, halves up.
ALU(mul_q31)
{
    (void)c;
    if (a == 0x80000000 && b == 0x80000000)
        return (uint32_t)INT32_MAX;
    uint64_t product = (uint64_t)(integer(a) * integer(b)); // arithmetic shifts of it, by hand
    uint64_t signs = product >> 63 ? UINT64_MAX : 0;
    uint64_t halves = (product >> 30 | signs << 34) + 1;
    return (uint32_t)(halves >> 1);
}

BINARY(min_i32, integer(a) < integer(b) ? a : b)
BINARY(max_i32, integer(a) > integer(b) ? a : b)

// The absolute value of the smallest i32 is itself, below everything.
static int32_t absolute(uint32_t bits)
{
    return (int32_t)(bits >> 31 ? -bits : bits);
}

BINARY(abs_min_i32, absolute(a) < absolute(b) ? a : b)
BINARY(abs_max_i32, absolute(a) > absolute(b) ? a : b)

// ---- f32

BINARY(add_f32, arith(SCALAR_OP_ADD, a, b))
BINARY(sub_f32, arith(SCALAR_OP_SUB, a, b))
BINARY(mul_f32, arith(SCALAR_OP_MUL, a, b))
BINARY(div_f32, arith(SCALAR_OP_DIV, a, b))

ALU(fma_f32)
{
    return math_f32_fma(a, b, c);
}

// The manual names masked operations without defining them. A mask is a factor of 0 that takes
// whatever it meets away, NaN and infinity too; any other factor multiplies.
static bool masks(uint32_t b)
{
    return (b & 0x7fffffff) == 0;
}

ALU(mask_mul_f32)
{
    return masks(b) ? 0 : mul_f32(a, b, c);
}

ALU(mask_fma_f32)
{
    return masks(b) ? c : math_f32_fma(a, b, c);
}

static uint32_t quiet(uint32_t bits)
{
    return is_nan(bits) ? F32_NAN : bits;
}

// -0 is below +0, and a NaN loses.
static bool is_less(uint32_t a, uint32_t b)
{
    float x = float_of_bits(a), y = float_of_bits(b);
    return x < y || (x == y && a >> 31 > b >> 31);
}

ALU(min_f32)
{
    (void)c;
    if (is_nan(a))
        return quiet(b);
    return is_nan(b) || !is_less(b, a) ? a : b;
}

ALU(max_f32)
{
    (void)c;
    if (is_nan(a))
        return quiet(b);
    return is_nan(b) || !is_less(a, b) ? a : b;
}

BINARY(abs_min_f32, fabsf(float_of_bits(a)) < fabsf(float_of_bits(b)) ? a : quiet(b))
BINARY(abs_max_f32, fabsf(float_of_bits(a)) > fabsf(float_of_bits(b)) ? a : quiet(b))

#define UNARY(name, function)                \
    ALU(name)                                \
    {                                        \
        (void)b, (void)c;                    \
        return math_f32(MATH_##function, a); \
    }

UNARY(exp_f32, EXP)
UNARY(neg_exp_f32, NEG_EXP)
UNARY(sqrt_f32, SQRT)
UNARY(tanh_f32, TANH)
UNARY(sigmoid_f32, SIGMOID)
UNARY(erf_f32, ERF)
UNARY(log_f32, LN)
UNARY(sin_f32, SIN)
UNARY(cos_f32, COS)

// ---- which is which

typedef uint32_t AluFunction(uint32_t a, uint32_t b, uint32_t c);

static AluFunction *const alu_functions[] = {
    [OP_LogicBinaryOpI32_BitAnd] = bit_and,
    [OP_LogicBinaryOpI32_BitOr] = bit_or,
    [OP_LogicBinaryOpI32_BitXor] = bit_xor,
    [OP_LogicBinaryOpI32_LeftShift] = left_shift,
    [OP_LogicBinaryOpI32_LogicRightShift] = logic_right_shift,
    [OP_LogicBinaryOpI32_ArithRightShift] = arith_right_shift,
    [OP_LogicBinaryOpF32_BitAnd] = bit_and,
    [OP_LogicBinaryOpF32_BitOr] = bit_or,
    [OP_LogicBinaryOpF32_BitXor] = bit_xor,
    [OP_FxpBinaryOp_AddFxp] = add_wrap,
    [OP_FxpBinaryOp_AddFxpSat] = add_saturating,
    [OP_FxpBinaryOp_SubFxp] = sub_wrap,
    [OP_FxpBinaryOp_SubFxpSat] = sub_saturating,
    [OP_FxpBinaryOp_LeftShift] = left_shift,
    [OP_FxpBinaryOp_LeftShiftSat] = left_shift_saturating,
    [OP_FxpBinaryOp_MulFxp] = mul_q31,
    [OP_FxpBinaryOp_MulInt] = mul_wrap,
    [OP_FxpBinaryOp_LogicRightShift] = logic_right_shift,
    [OP_FxpBinaryOp_ArithRightShift] = arith_right_shift,
    [OP_FxpBinaryOp_ArithRightShiftRound] = arith_right_shift_round,
    [OP_FpUnaryOp_Exp] = exp_f32,
    [OP_FpUnaryOp_NegExp] = neg_exp_f32,
    [OP_FpUnaryOp_Sqrt] = sqrt_f32,
    [OP_FpUnaryOp_Tanh] = tanh_f32,
    [OP_FpUnaryOp_Sigmoid] = sigmoid_f32,
    [OP_FpUnaryOp_Erf] = erf_f32,
    [OP_FpUnaryOp_Log] = log_f32,
    [OP_FpUnaryOp_Sin] = sin_f32,
    [OP_FpUnaryOp_Cos] = cos_f32,
    [OP_FpBinaryOp_AddF] = add_f32,
    [OP_FpBinaryOp_SubF] = sub_f32,
    [OP_FpBinaryOp_MulF] = mul_f32,
    [OP_FpBinaryOp_MaskMulF] = mask_mul_f32,
    [OP_FpBinaryOp_DivF] = div_f32,
    [OP_FpTernaryOp_FmaF] = fma_f32,
    [OP_FpTernaryOp_MaskFmaF] = mask_fma_f32,
    [OP_FpDivBinaryOp_DivF] = div_f32,
    [OP_ClipBinaryOpI32_Min] = min_i32,
    [OP_ClipBinaryOpI32_Max] = max_i32,
    [OP_ClipBinaryOpI32_AbsMin] = abs_min_i32,
    [OP_ClipBinaryOpI32_AbsMax] = abs_max_i32,
    [OP_ClipBinaryOpI32_AddFxp] = add_wrap,
    [OP_ClipBinaryOpI32_AddFxpSat] = add_saturating,
    [OP_ClipBinaryOpF32_Min] = min_f32,
    [OP_ClipBinaryOpF32_Max] = max_f32,
    [OP_ClipBinaryOpF32_AbsMin] = abs_min_f32,
    [OP_ClipBinaryOpF32_AbsMax] = abs_max_f32,
    [OP_ClipBinaryOpF32_Add] = add_f32,
    [OP_IntraSliceReduceOpI32_AddSat] = add_saturating,
    [OP_IntraSliceReduceOpI32_Max] = max_i32,
    [OP_IntraSliceReduceOpI32_Min] = min_i32,
    [OP_IntraSliceReduceOpF32_Add] = add_f32,
    [OP_IntraSliceReduceOpF32_Max] = max_f32,
    [OP_IntraSliceReduceOpF32_Min] = min_f32,
    [OP_InterSliceReduceOpI32_Add] = add_wrap,
    [OP_InterSliceReduceOpI32_AddSat] = add_saturating,
    [OP_InterSliceReduceOpI32_Max] = max_i32,
    [OP_InterSliceReduceOpI32_Min] = min_i32,
    [OP_InterSliceReduceOpF32_Add] = add_f32,
    [OP_InterSliceReduceOpF32_Max] = max_f32,
    [OP_InterSliceReduceOpF32_Min] = min_f32,
    [OP_InterSliceReduceOpF32_Mul] = mul_f32,
};
_Static_assert(sizeof alu_functions / sizeof *alu_functions == VECTOR_OP_COUNT,
               "every operation has a row");

uint32_t alu_apply(VectorOp op, uint32_t a, uint32_t b, uint32_t c)
{
    return alu_functions[op](a, b, c);
}

// ---- conversions

uint32_t alu_fxp_to_fp(uint32_t x, int64_t int_width)
{
    return bits_of_float(
        (float)ldexp((double)integer(x), (int)(int_width - 31))); // exact but for that
}

uint32_t alu_fp_to_fxp(uint32_t x, int64_t int_width)
{
    if (is_nan(x))
        return x >> 31 ? (uint32_t)INT32_MIN : (uint32_t)INT32_MAX;
    double scaled = round(ldexp((double)float_of_bits(x), (int)(31 - int_width)));
    if (scaled >= 2147483647.0)
        return (uint32_t)INT32_MAX;
    return scaled <= -2147483648.0 ? (uint32_t)INT32_MIN : (uint32_t)(int32_t)scaled;
}

// ---- comparisons

static bool compare_typed(const InputCompare *compare, uint32_t x, bool less)
{
    uint32_t left = less ? x : compare->boundary, right = less ? compare->boundary : x;
    if (compare->type == SCALAR_F32)
        return float_of_bits(left) < float_of_bits(right);
    return integer(left) < integer(right);
}

bool alu_compare(const InputCompare *compare, uint32_t x)
{
    switch (compare->kind) {
    case COMPARE_EQUAL:
        return compare->type == SCALAR_F32 ? float_of_bits(x) == float_of_bits(compare->boundary)
                                           : x == compare->boundary;
    case COMPARE_LESS:
        return compare_typed(compare, x, true);
    case COMPARE_GREATER:
        return compare_typed(compare, x, false);
    case COMPARE_LESS_UNSIGNED:
        return x < compare->boundary;
    case COMPARE_GREATER_UNSIGNED:
        return x > compare->boundary;
    case COMPARE_TRUE:
        return true;
    case COMPARE_FALSE:
    case COMPARE_COUNT:
        return false;
    }
    return false;
}

enum { GROUP_BIT = 3 };

// ---- execution ids

// Whether element `at` is one that a condition holds for.
static bool id_matches(BranchCondition condition, IdsKind kind, const Array *ids, int64_t at)
{
    if (kind == IDS_NONE || (kind == IDS_ARRAY && !ids->live[at]))
        return false;
    if (condition == CONDITION_ALWAYS)
        return true;
    uint32_t group = kind == IDS_ZERO ? 0 : ids->bits[at] >> GROUP_BIT & 1;
    return group == (condition == CONDITION_GROUP_1);
}

void set_ids(PassRun *run, IdsKind kind, Array *ids)
{
    oracle_drop(run->oracle, run->ids);
    run->ids_kind = kind;
    run->ids = ids;
}

static void toggle_ids(Array *ids, const Atom *axis)
{
    int64_t i = 0;
    while (axis && i < ids->axes.count && !atom_equal(ids->axes.items[i].atom, axis))
        i++;
    for (int64_t at = 0; at < ids->count; at++) {
        int64_t digit = axis && i < ids->axes.count ? at / ids->strides[i] % ids->extents[i] : 0;
        ids->bits[at] = (uint32_t)(digit % 2) << GROUP_BIT;
        ids->live[at] = 1;
    }
}

static void compare_ids(Array *ids, const Array *stream, const Stage *stage)
{
    for (int64_t at = 0; at < ids->count; at++) {
        ids->live[at] = stream->live[at];
        for (int i = 0; i < BRANCH_COMPARISONS; i++)
            ids->bits[at] |= (uint32_t)alu_compare(&stage->compares[i], stream->bits[at]) << i;
    }
}

static Array *moved_to_stream(PassRun *run, Array *array, const Mapping *from, const Stage *stage)
{
    Mapping to = stream_mapping(run, stage);
    Array *result = oracle_hold(run->oracle, array->type, &to);
    ArrayView source = {.array = array, .mapping = *from},
              target = {.array = result, .mapping = to};
    oracle_move(run->oracle, &source, &target);
    return result;
}

static Array *vrf_values(PassRun *run, const Tensor *vrf, const Stage *stage)
{
    Array *array = oracle_tensor(run->oracle, vrf);
    Mapping from = shape_of(&run->oracle->scratch, vrf->dims);
    return moved_to_stream(run, array, &from, stage);
}

// Only the low four bits of what lies in VRF are an id.
static Array *loaded_ids(PassRun *run, const Stage *stage)
{
    Array *ids = vrf_values(run, stage->branch_vrf, stage);
    for (int64_t at = 0; at < ids->count; at++)
        ids->bits[at] &= 15;
    ids->type = SCALAR_U8;
    return ids;
}

// The valid count tells data from padding, and padding is no element: all are in group 0.
static void run_branch(PassRun *run, const Stage *stage)
{
    Mapping mapping = stream_mapping(run, stage);
    bool plain = stage->branch == BRANCH_UNCONDITIONAL || stage->branch == BRANCH_VALID_COUNT ||
                 (stage->branch == BRANCH_VRF && !stage->branch_vrf);
    if (plain) {
        set_ids(run, IDS_ZERO, NULL);
        return;
    }
    if (stage->branch == BRANCH_VRF) {
        set_ids(run, IDS_ARRAY, loaded_ids(run, stage));
        return;
    }
    Array *ids = oracle_hold(run->oracle, SCALAR_U8, &mapping);
    if (stage->branch == BRANCH_AXIS_TOGGLE)
        toggle_ids(ids, stage->axis);
    else
        compare_ids(ids, run->stream, stage);
    set_ids(run, IDS_ARRAY, ids);
}

// ---- operations

// One operand applied to all elements.
typedef struct {
    AluFunction *function;
    int8_t args[3];
    int8_t arg_count;
    Array *stream;
    const Array *operand; // NULL: the constant
    uint32_t constant, second;
    BranchCondition condition;
    IdsKind ids_kind;
    const Array *ids;
} Application;

static void apply_range(const void *own, int64_t from, int64_t to)
{
    const Application *apply = own;
    for (int64_t at = from; at < to; at++) {
        if (!id_matches(apply->condition, apply->ids_kind, apply->ids, at))
            continue;
        Value values[3] = {{apply->stream->bits[at], apply->stream->live[at]},
                           {apply->constant, true},
                           {apply->second, true}};
        if (apply->operand)
            values[1] = (Value){apply->operand->bits[at], apply->operand->live[at]};
        uint32_t args[3] = {0};
        bool live = true;
        for (int i = 0; i < apply->arg_count; i++) {
            args[i] = values[apply->args[i]].bits;
            live = live && values[apply->args[i]].live;
        }
        apply->stream->live[at] = live;
        apply->stream->bits[at] = live ? apply->function(args[0], args[1], args[2]) : 0;
    }
}

static void apply_to(Array *stream, Application *apply, VectorOp op, ArgMode mode, int8_t arity)
{
    for (int8_t i = 0; i < 3; i++)
        apply->args[i] = mode == MODE_DEFAULT ? i : arg_modes[mode].args[i];
    apply->arg_count = arity;
    apply->function = alu_functions[op];
    apply->stream = stream;
    each_element(stream, apply_range, apply);
}

// Whatever the ids. `operand` NULL: the operation takes none.
static void apply_to_all(Array *stream, const Array *operand, VectorOp op, ArgMode mode,
                         int8_t arity)
{
    Application apply = {.operand = operand, .condition = CONDITION_ALWAYS, .ids_kind = IDS_ZERO};
    apply_to(stream, &apply, op, mode, arity);
}

static int8_t arity_of(const Stage *stage)
{
    switch (vector_ops[stage->op].family) {
    case FAMILY_FpUnaryOp:
        return 1;
    case FAMILY_FpTernaryOp:
        return 3;
    default:
        return 2;
    }
}

// NULL: a constant. False: a stash that was never taken, which is passed over.
static bool load_operand(PassRun *run, const Stage *stage, const Operand *operand, Array **values)
{
    *values = NULL;
    if (operand->kind == OPERAND_VRF)
        *values = vrf_values(run, operand->vrf, stage);
    else if (operand->kind == OPERAND_STASH && run->stash)
        *values = moved_to_stream(run, run->stash, &run->stash_mapping, stage);
    else if (operand->kind != OPERAND_CONSTANT)
        return false;
    return true;
}

static void apply_operand(PassRun *run, const Stage *stage, const Operand *operand, Array *stream)
{
    Array *values;
    if (!load_operand(run, stage, operand, &values))
        return;
    Application apply = {.operand = values,
                         .constant = operand->bits,
                         .second = operand->second,
                         .condition = operand->condition,
                         .ids_kind = run->ids_kind,
                         .ids = run->ids};
    apply_to(stream, &apply, stage->op, stage->mode, arity_of(stage));
    oracle_drop(run->oracle, values);
}

// One after the other, each on what the one before it left.
static void run_operation(PassRun *run, const Stage *stage)
{
    if (run->stream) {
        for (int32_t i = 0; i < stage->operand_count; i++)
            apply_operand(run, stage, &stage->operands[i], run->stream);
        return;
    }
    for (int32_t i = 0; i < 2 && i < stage->operand_count; i++)
        apply_operand(run, stage, &stage->operands[i], run->groups[i]);
}

// All elements, whatever their ids, unless an operand says otherwise.
static void run_unary(PassRun *run, const Stage *stage)
{
    Array *arrays[] = {run->stream, stage->groups[0] ? run->groups[0] : NULL,
                       stage->groups[1] ? run->groups[1] : NULL};
    if (stage->mode == MODE_1 && stage->operand_count) {
        run_operation(run, stage);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        if (arrays[i])
            apply_to_all(arrays[i], NULL, stage->op, MODE_0, 1);
}

// ---- conversions

typedef struct {
    Array *array;
    uint32_t (*convert)(uint32_t bits, int64_t int_width);
    int64_t int_width;
} Conversion;

static void convert_range(const void *own, int64_t from, int64_t to)
{
    const Conversion *conversion = own;
    Array *array = conversion->array;
    for (int64_t i = from; i < to; i++)
        if (array->live[i])
            array->bits[i] = conversion->convert(array->bits[i], conversion->int_width);
}

static void run_conversion(PassRun *run, const Stage *stage)
{
    bool to_float = stage->kind == STAGE_VECTOR_FXP_TO_FP;
    Array *arrays[] = {run->stream, run->groups[0], run->groups[1]};
    for (size_t i = 0; i < COUNT_OF(arrays); i++) {
        if (!arrays[i])
            continue;
        Conversion conversion = {arrays[i], to_float ? alu_fxp_to_fp : alu_fp_to_fxp,
                                 stage->int_width};
        each_element(arrays[i], convert_range, &conversion);
        arrays[i]->type = to_float ? SCALAR_F32 : SCALAR_I32;
    }
}

// ---- two groups

static void run_unzip(PassRun *run, const Stage *stage)
{
    Arena *arena = &run->oracle->scratch;
    const Dim *dims[LEVEL_COUNT];
    for (Level level = 0; level < LEVEL_COUNT; level++)
        dims[level] =
            level == LEVEL_TIME && stage->tile_time ? stage->tile_time : stage->before->dims[level];
    Mapping from = shape_of(arena, dims), to = stream_mapping(run, stage);
    Mapping whole = shape_of(arena, stage->before->dims);
    for (int64_t i = 0; i < 2; i++) {
        ArrayOffset offset = {mapping_of_atom(arena, stage->axis), i};
        run->groups[i] = oracle_hold(run->oracle, run->stream->type, &to);
        ArrayView source = {run->stream, from, &offset, 1, &whole};
        ArrayView target = {.array = run->groups[i], .mapping = to};
        oracle_move(run->oracle, &source, &target);
    }
    oracle_drop(run->oracle, run->stream);
    run->stream = NULL;
    set_ids(run, IDS_ZERO, NULL);
}

static void run_zip(PassRun *run, const Stage *stage)
{
    const uint8_t *other = run->groups[1]->live;
    for (int64_t i = 0; i < run->groups[0]->count; i++) // both count in every mode
        run->groups[0]->live[i] = run->groups[1]->live[i] = run->groups[0]->live[i] & other[i];
    apply_to_all(run->groups[0], run->groups[1], stage->op, stage->mode, 2);
    oracle_drop(run->oracle, run->groups[1]);
    run->stream = run->groups[0];
    run->groups[0] = run->groups[1] = NULL;
}

// ---- layout

static void run_layout(PassRun *run, const Stage *stage)
{
    Mapping from = stream_mapping(run, stage->before), to = stream_mapping(run, stage);
    Array **arrays[] = {&run->stream, &run->groups[0], &run->groups[1], &run->ids};
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        if (*arrays[i])
            *arrays[i] = relayout(run, *arrays[i], &from, &to);
}

// ---- reductions

// What is uninitialised is passed over.
static Value combine_live(const void *own, Value sum, Value next)
{
    const VectorOp *op = own;
    if (!sum.live || !next.live)
        return sum.live ? sum : next;
    return (Value){alu_apply(*op, sum.bits, next.bits, 0), true};
}

static Value take_last(const void *own, Value sum, Value next)
{
    (void)own, (void)sum;
    return next;
}

static int64_t levels_of(const Stage *stage, Mapping *levels)
{
    int64_t count = 0;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (stage->dims[level])
            levels[count++] = stage->dims[level]->mapping;
    return count;
}

static Array *reduced(PassRun *run, const Stage *stage, const Reduction *how, Scalar type)
{
    Mapping levels[LEVEL_COUNT], targets[LEVEL_COUNT], to = stream_mapping(run, stage);
    Array *out = oracle_hold(run->oracle, type, &to);
    Reduction reduction = *how;
    reduction.levels = levels;
    reduction.level_count = levels_of(stage->before, levels);
    reduction.targets = targets;
    reduction.target_count = levels_of(stage, targets);
    reduce_run(&run->oracle->scratch, &reduction, out);
    return out;
}

static void run_reduce(PassRun *run, const Stage *stage)
{
    bool intra = stage->kind == STAGE_VECTOR_INTRA_REDUCE;
    Reduction reduction = {.source = run->stream,
                           .order = run->oracle->options.numerics,
                           .is_tree = intra,
                           .combine = combine_live,
                           .own = &stage->op};
    Array *out = reduced(run, stage, &reduction, run->stream->type);
    oracle_drop(run->oracle, run->stream);
    run->stream = out;
    if (!intra) {
        set_ids(run, IDS_NONE, NULL);
    } else if (run->ids) {
        Reduction last = {.source = run->ids, .order = reduction.order, .combine = take_last};
        set_ids(run, IDS_ARRAY, reduced(run, stage, &last, SCALAR_U8));
    }
}

// ---- the filter

// vector_filter: packets pass that have an element of the group, and close up in each slice;
// elements of other groups among them are left out. It goes by positions: which packet is the next
// is a question of time, not of an index.

// A stream position by position: what is no padding, and what it holds.
typedef struct {
    int64_t steps, lanes; // of a slice, of a packet
    uint8_t *exists;      // 1: no padding
    uint32_t *bits;
    uint8_t *live;
} Positions;

// The memory is that of the operation.
static Positions positions_new(PassRun *run, const Stage *stage, const Mapping *mapping)
{
    Oracle *oracle = run->oracle;
    size_t size = (size_t)mapping->size;
    Positions positions = {.steps = stage->dims[LEVEL_TIME]->mapping.size,
                           .lanes = stage->dims[LEVEL_PACKET]->mapping.size,
                           .exists = arena_new(&oracle->scratch, uint8_t, size),
                           .bits = arena_new(&oracle->scratch, uint32_t, size),
                           .live = arena_new(&oracle->scratch, uint8_t, size)};
    Array *all = oracle_hold(oracle, SCALAR_U8, mapping);
    memset(all->live, 1, (size_t)all->count);
    if (!array_read_positions(all, mapping, positions.bits, positions.exists))
        oracle_no_memory(oracle);
    oracle_drop(oracle, all);
    return positions;
}

// Ids at positions, as an array of its own.
static Array ids_at_positions(PassRun *run, const Mapping *mapping)
{
    Arena *arena = &run->oracle->scratch;
    Array ids = {.bits = arena_new(arena, uint32_t, (size_t)mapping->size),
                 .live = arena_new(arena, uint8_t, (size_t)mapping->size)};
    if (run->ids && !array_read_positions(run->ids, mapping, ids.bits, ids.live))
        oracle_no_memory(run->oracle);
    return ids;
}

// Whether anything of the packet passes; what does not is cleared.
static bool filter_packet(const PassRun *run, const Stage *stage, Positions *from, const Array *ids,
                          int64_t at)
{
    bool passes = false;
    for (int64_t i = at; i < at + from->lanes; i++) {
        bool mine = from->exists[i] && id_matches(stage->filter, run->ids_kind, ids, i);
        passes |= mine;
        from->live[i] &= mine;
    }
    return passes;
}

static void filter_slice(const PassRun *run, const Stage *stage, Positions *from, const Array *ids,
                         Positions *to, int64_t slice)
{
    int64_t next = slice * to->steps * to->lanes, end = next + to->steps * to->lanes;
    for (int64_t step = 0; step < from->steps; step++) {
        int64_t at = (slice * from->steps + step) * from->lanes;
        if (!filter_packet(run, stage, from, ids, at))
            continue;
        while (next < end && !memchr(to->exists + next, 1, (size_t)to->lanes)) // padding
            next += to->lanes;
        if (next >= end)
            return;
        memcpy(to->bits + next, from->bits + at, sizeof(uint32_t) * (size_t)to->lanes);
        memcpy(to->live + next, from->live + at, (size_t)to->lanes);
        next += to->lanes;
    }
}

static void filter_run(PassRun *run, const Stage *stage)
{
    Oracle *oracle = run->oracle;
    Mapping before = stream_mapping(run, stage->before), behind = stream_mapping(run, stage);
    Positions from = positions_new(run, stage->before, &before);
    Positions to = positions_new(run, stage, &behind);
    Array ids = ids_at_positions(run, &before);
    if (!array_read_positions(run->stream, &before, from.bits, from.live))
        oracle_no_memory(oracle);
    int64_t slices = before.size / (from.steps * from.lanes);
    for (int64_t slice = 0; slice < slices; slice++)
        filter_slice(run, stage, &from, &ids, &to, slice);
    Array *filtered = oracle_hold(oracle, run->stream->type, &behind);
    if (!array_write_positions(filtered, &behind, to.bits, to.live))
        oracle_no_memory(oracle);
    oracle_drop(oracle, run->stream);
    run->stream = filtered;
    set_ids(run, IDS_NONE, NULL);
}

// Each stage in the terms of the manual: Vector Engine, Intra-Slice Block and Inter-Slice Block.
// The stream is changed in place, or replaced where its shape changes.
void vector_stage_run(PassRun *run, const Stage *stage)
{
    switch (stage->kind) {
    case STAGE_VECTOR_BRANCH:
        run_branch(run, stage);
        break;
    case STAGE_VECTOR_UNZIP:
        run_unzip(run, stage);
        break;
    case STAGE_VECTOR_LOGIC:
    case STAGE_VECTOR_FXP:
    case STAGE_VECTOR_FP_BINARY:
    case STAGE_VECTOR_FP_TERNARY:
    case STAGE_VECTOR_FP_DIV:
    case STAGE_VECTOR_CLIP:
        run_operation(run, stage);
        break;
    case STAGE_VECTOR_FP_UNARY:
        run_unary(run, stage);
        break;
    case STAGE_VECTOR_FXP_TO_FP:
    case STAGE_VECTOR_FP_TO_FXP:
        run_conversion(run, stage);
        break;
    case STAGE_VECTOR_SPLIT:
    case STAGE_VECTOR_TRIM:
    case STAGE_VECTOR_CONCAT:
    case STAGE_VECTOR_PAD:
        run_layout(run, stage);
        break;
    case STAGE_VECTOR_INTRA_REDUCE:
    case STAGE_VECTOR_INTER_REDUCE:
        run_reduce(run, stage);
        break;
    case STAGE_VECTOR_STASH:
        run->stash = oracle_hold_clone(run->oracle, run->stream);
        run->stash_mapping = stream_mapping(run, stage);
        break;
    case STAGE_VECTOR_FILTER:
        filter_run(run, stage);
        break;
    case STAGE_VECTOR_LOGIC_ZIP:
    case STAGE_VECTOR_FXP_ZIP:
    case STAGE_VECTOR_FP_ZIP:
    case STAGE_VECTOR_CLIP_ZIP:
        run_zip(run, stage);
        break;
    case STAGE_VECTOR_FINAL:
        set_ids(run, IDS_NONE, NULL);
        oracle_drop(run->oracle, run->stash);
        run->stash = NULL;
        break;
    default: // STAGE_VECTOR_INIT does nothing; others are not of the Vector Engine
        break;
    }
}
