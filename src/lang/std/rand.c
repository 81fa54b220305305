// Random numbers as rand 0.9 draws them from SmallRng, which is xoshiro256++ on a 64-bit host. The
// same generator stands for StdRng and for rng(), whose seed is fixed, so that a program does the
// same on every run.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"

enum { FIXED_SEED = 0 };

static SmallRng *rng_of(const StdCall *call, int64_t index)
{
    Value value = std_arg(call, index);
    return value.kind == VALUE_RNG ? value.rng : NULL;
}

NATIVE(rand_seed)
{
    int64_t number = FIXED_SEED;
    if (call->op && !std_int(call, 0, &number))
        return false;
    SmallRng *rng = arena_new(call->trace->lang->arena, SmallRng, 1);
    *rng = small_rng_seed_from_u64((uint64_t)number);
    *result = (Value){.kind = VALUE_RNG, .rng = rng};
    return true;
}

NATIVE(rand_seed_bytes)
{
    Value list = std_arg(call, 0);
    if (list.kind != VALUE_LIST || list.list->count != 32)
        return false;
    SmallRng *rng = arena_new(call->trace->lang->arena, SmallRng, 1);
    uint64_t any = 0;
    for (int64_t i = 0; i < 32; i++) {
        rng->state[i / 8] |= (uint64_t)(value_strip(list.list->items[i]).integer & 0xff)
                             << (8 * (i % 8));
        any |= rng->state[i / 8];
    }
    if (!any)
        *rng = small_rng_seed_from_u64(0);
    *result = (Value){.kind = VALUE_RNG, .rng = rng};
    return true;
}

// ---- one value of a type

static float unit_single(SmallRng *rng)
{
    return (float)(small_rng_next_u32(rng) >> 8) * 0x1p-24f;
}

static double unit_double(SmallRng *rng)
{
    return (double)(small_rng_next_u64(rng) >> 11) * 0x1p-53;
}

// Draws 32, 64 or 128 bits from the generator.
static Uint128 draw_bits(SmallRng *rng, int32_t bits)
{
    if (bits <= 32)
        return small_rng_next_u32(rng);
    uint64_t low = small_rng_next_u64(rng);
    return bits <= 64 ? low : (Uint128)small_rng_next_u64(rng) << 64 | low;
}

static bool draw(Trace *trace, SmallRng *rng, Type *type, Value *result)
{
    type = type_of(type);
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_ARRAY) {
        int64_t count = type->kind == TYPE_TUPLE ? type->arg_count : type_of(type->args[1])->value;
        *result = new_list(trace, count);
        for (int64_t i = 0; i < count; i++) {
            Value item;
            if (!draw(trace, rng, type->args[type->kind == TYPE_TUPLE ? i : 0], &item))
                return false;
            list_push(trace, result->list, item);
        }
        return true;
    }
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return false;
    const PrimInfo *prim = &prims[type->decl->prim];
    if (prim->class == PRIM_FLOAT) {
        *result = value_real(prim->bits == 32 ? (double)unit_single(rng) : unit_double(rng));
        return true;
    }
    if (type->decl->prim == PRIM_bool) {
        *result = value_bool(small_rng_next_u32(rng) >> 31);
        return true;
    }
    if (prim->class == PRIM_ELEMENT) {
        uint32_t bits;
        bool ok = scalar_random(rng, (Scalar)prim->scalar, &bits);
        *result = (Value){.kind = VALUE_SCALAR, .scalar = {(Scalar)prim->scalar, ok ? bits : 0}};
        return ok;
    }
    *result = whole_of_bits(draw_bits(rng, prim->bits), prim);
    return prim->class == PRIM_INT || prim->class == PRIM_UINT;
}

NATIVE(rand_random_value)
{
    SmallRng *rng = rng_of(call, 0);
    return rng && draw(call->trace, rng, call->type, result);
}

// ---- ranges

// The upper half of a product of 256 bits; *low has the lower one.
static Uint128 multiply_128(Uint128 a, Uint128 b, Uint128 *low)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    Uint128 middle = (Uint128)a1 * b0 + ((Uint128)a0 * b0 >> 64); // at most 2^128 - 2^64
    Uint128 other = (Uint128)a0 * b1 + (uint64_t)middle;
    *low = a * b;
    return (Uint128)a1 * b1 + (middle >> 64) + (other >> 64);
}

// Draws one of `range` numbers (0: all of them) from random numbers of `bits` bits. The high half
// of the product with `range` is the result; the low half says whether it is biased. If so, a
// second number removes most of the bias. The numbers stand at the top of 128 bits, so that one
// product serves all widths.
static Uint128 below(SmallRng *rng, Uint128 range, int32_t bits)
{
    int32_t unused = 128 - bits;
    Uint128 first = draw_bits(rng, bits), low, rest, sum;
    if (!range)
        return first;
    Uint128 high = multiply_128(first << unused, range, &low);
    if (low > -(range << unused)) {
        Uint128 more = multiply_128(draw_bits(rng, bits) << unused, range, &rest);
        high += __builtin_add_overflow(low, more << unused, &sum);
    }
    return high;
}

// usize is drawn as u32 where the range lets it, so that 32-bit hosts draw the same.
static Value draw_whole(SmallRng *rng, Uint128 first, Uint128 last, Type *type)
{
    const PrimInfo *prim = &prims[type->decl->prim];
    bool narrow =
        prim->bits <= 32 || (type->decl->prim == PRIM_usize && (uint64_t)last <= UINT32_MAX);
    int32_t bits = prim->bits > 64 ? 128 : narrow ? 32 : 64;
    Uint128 range = (last - first + 1) & ~(Uint128)0 >> (128 - bits);
    return whole_of_bits(first + below(rng, range, bits), prim);
}

static double draw_real(SmallRng *rng, double low, double high, bool single)
{
    if (single) { // [1, 2) from the bits of its mantissa, minus 1
        float value = (float)(small_rng_next_u32(rng) >> 9) * 0x1p-23f;
        return (double)(value * ((float)high - (float)low) + (float)low);
    }
    double value = (double)(small_rng_next_u64(rng) >> 12) * 0x1p-52;
    return value * (high - low) + low;
}

NATIVE(rand_random_range)
{
    SmallRng *rng = rng_of(call, 0);
    Value range = std_arg(call, 1);
    Type *type = type_of(call->type);
    if (!rng || range.kind != VALUE_RANGE || type->kind != TYPE_NAMED ||
        type->decl->kind != DECL_PRIM)
        return false;
    if (range.range.is_real) {
        bool some = range.range.inclusive ? range.range.real_low <= range.range.real_high
                                          : range.range.real_low < range.range.real_high;
        if (!some)
            return std_panic(call, result, "cannot sample empty range");
        *result = value_real(draw_real(rng, range.range.real_low, range.range.real_high,
                                       type_is_prim(type, PRIM_f32)));
        return true;
    }
    Uint128 first, last;
    if (!range_limits(range, &first, &last))
        return std_panic(call, result, "cannot sample empty range");
    *result = draw_whole(rng, first, last, type);
    return true;
}

// ---- chances

static bool bernoulli(SmallRng *rng, double p)
{
    return p >= 1.0 || small_rng_next_u64(rng) < (uint64_t)(p * 0x1p64);
}

NATIVE(rand_random_bool)
{
    SmallRng *rng = rng_of(call, 0);
    Value p = std_arg(call, 1);
    if (!rng || p.kind != VALUE_FLOAT)
        return false;
    if (!(p.real >= 0.0 && p.real <= 1.0))
        return std_panic(call, result, "p={g} is outside range [0.0, 1.0]", p.real);
    *result = value_bool(bernoulli(rng, p.real));
    return true;
}

// ---- raw numbers

NATIVE(rand_next_number)
{
    SmallRng *rng = rng_of(call, 0);
    if (rng)
        *result = value_int(call->op == 32 ? (int64_t)small_rng_next_u32(rng)
                                           : (int64_t)small_rng_next_u64(rng));
    return rng;
}

// Bytes of whole words, then of one more.
static void fill_words(SmallRng *rng, ValueList *list, int32_t bits, Type *type)
{
    int64_t bytes = list->count * (bits / 8), done = 0;
    uint64_t word = 0, value = 0;
    for (int64_t i = 0; i < bytes; i++) {
        if (i % 8 == 0)
            word = bytes - i > 4 ? small_rng_next_u64(rng) : small_rng_next_u32(rng);
        value |= (word >> (8 * (i % 8)) & 0xff) << (8 * (i % (bits / 8)));
        if (i % (bits / 8) != bits / 8 - 1)
            continue;
        list->items[done++] = value_int(wrap_integer((int64_t)value, type));
        value = 0;
    }
}

NATIVE(rand_fill)
{
    SmallRng *rng = rng_of(call, 0);
    Value list = std_arg(call, 1);
    Type *type = type_strip(std_arg_type(call, 1));
    Type *item = type->arg_count ? type_of(type->args[0]) : NULL;
    if (!rng || list.kind != VALUE_LIST || !item || item->kind != TYPE_NAMED ||
        item->decl->kind != DECL_PRIM)
        return false;
    const PrimInfo *prim = &prims[item->decl->prim];
    bool words = (prim->class == PRIM_INT || prim->class == PRIM_UINT) && prim->bits <= 64;
    if (words)
        fill_words(rng, list.list, prim->bits, item);
    for (int64_t i = 0; !words && i < list.list->count; i++)
        if (!draw(call->trace, rng, item, &list.list->items[i]))
            return false;
    return std_unit(result);
}

// ---- slices

// Several indices are drawn at once: their ranges multiplied, as long as that fits in 32 bits.
typedef struct {
    SmallRng *rng;
    uint32_t n, chunk;
    int32_t left;
} Indices;

static int64_t next_index(Indices *indices)
{
    uint32_t next = indices->n + 1;
    if (indices->left == 0) {
        uint32_t bound = next, factor = next + 1, product;
        while (!__builtin_mul_overflow(bound, factor, &product)) {
            bound = product;
            factor++;
        }
        indices->chunk = (uint32_t)below(indices->rng, bound, 32);
        indices->left = (int32_t)(factor - next);
    }
    indices->left--;
    indices->n = next;
    if (indices->left == 0)
        return indices->chunk;
    uint32_t index = indices->chunk % next;
    indices->chunk /= next;
    return index;
}

NATIVE(rand_shuffle)
{
    Value list = std_arg(call, 0);
    SmallRng *rng = rng_of(call, 1);
    if (!rng || list.kind != VALUE_LIST)
        return false;
    Indices indices = {.rng = rng, .left = 1}; // the first is always 0
    for (int64_t i = 0; list.list->count > 1 && i < list.list->count; i++) {
        int64_t other = next_index(&indices);
        Value item = list.list->items[i];
        list.list->items[i] = list.list->items[other];
        list.list->items[other] = item;
    }
    return std_unit(result);
}

NATIVE(rand_choose)
{
    Value list = std_arg(call, 0);
    SmallRng *rng = rng_of(call, 1);
    if (!rng || list.kind != VALUE_LIST)
        return false;
    *result = none_value(call->trace);
    if (list.list->count) {
        int64_t at = (int64_t)below(rng, (uint32_t)list.list->count, 32);
        *result = some_value(call->trace, value_ref(&list.list->items[at]));
    }
    return true;
}

static bool random_iter_next(Trace *trace, Iter *iter, Value *item)
{
    return draw(trace, value_strip(iter->state).rng, iter->type, item);
}

NATIVE(rand_random_iter)
{
    if (!rng_of(call, 0))
        return false;
    Type *type = type_of(call->type);
    *result = value_iter(iter_new(call->trace, (Iter){.next = random_iter_next,
                                                      .state = call->args[0],
                                                      .type = type->args[0],
                                                      .is_open = true}));
    return true;
}
