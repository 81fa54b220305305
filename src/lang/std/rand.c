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

static Uint128 draw_128(SmallRng *rng)
{
    uint64_t low = small_rng_next_u64(rng);
    return (Uint128)small_rng_next_u64(rng) << 64 | low;
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
    Uint128 bits = prim->bits > 64   ? draw_128(rng)
                   : prim->bits > 32 ? small_rng_next_u64(rng)
                                     : small_rng_next_u32(rng);
    *result = whole_of_bits(bits, prim);
    return prim->class == PRIM_INT || prim->class == PRIM_UINT;
}

NATIVE(rand_random_value)
{
    SmallRng *rng = rng_of(call, 0);
    return rng && draw(call->trace, rng, call->type, result);
}

// ---- ranges

// low + one of `range` numbers (0: all of them), by multiplication; a second draw takes away most
// of what is left of the bias.
static uint64_t below_64(SmallRng *rng, uint64_t range)
{
    uint64_t first = small_rng_next_u64(rng);
    if (!range)
        return first;
    Uint128 product = (Uint128)first * range;
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product, sum;
    if (low > (uint64_t)-range) {
        uint64_t more = (uint64_t)((Uint128)small_rng_next_u64(rng) * range >> 64);
        high += __builtin_add_overflow(low, more, &sum);
    }
    return high;
}

static uint32_t below_32(SmallRng *rng, uint32_t range)
{
    uint32_t first = small_rng_next_u32(rng);
    if (!range)
        return first;
    uint64_t product = (uint64_t)first * range;
    uint32_t high = (uint32_t)(product >> 32), low = (uint32_t)product, sum;
    if (low > (uint32_t)-range) {
        uint32_t more = (uint32_t)((uint64_t)small_rng_next_u32(rng) * range >> 32);
        high += __builtin_add_overflow(low, more, &sum);
    }
    return high;
}

// usize is drawn as u32 where the range lets it, so that 32-bit hosts draw the same.
static int64_t draw_int(SmallRng *rng, int64_t low, int64_t last, Type *type)
{
    const PrimInfo *prim = &prims[type->decl->prim];
    bool narrow =
        prim->bits <= 32 || (type->decl->prim == PRIM_usize && (uint64_t)last <= UINT32_MAX);
    uint64_t range = (uint64_t)last - (uint64_t)low + 1;
    uint64_t offset = narrow ? below_32(rng, (uint32_t)range) : below_64(rng, range);
    return wrap_integer((int64_t)((uint64_t)low + offset), type);
}

// The upper half of a product of 256 bits; *low has the lower one.
static Uint128 multiply_128(Uint128 a, Uint128 b, Uint128 *low)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    Uint128 middle = (Uint128)a1 * b0 + ((Uint128)a0 * b0 >> 64); // at most 2^128 - 2^64
    Uint128 other = (Uint128)a0 * b1 + (uint64_t)middle;
    *low = a * b;
    return (Uint128)a1 * b1 + (middle >> 64) + (other >> 64);
}

static Uint128 below_128(SmallRng *rng, Uint128 range)
{
    Uint128 first = draw_128(rng), low, rest, sum;
    if (!range)
        return first;
    Uint128 high = multiply_128(first, range, &low);
    if (low > -range)
        high += __builtin_add_overflow(low, multiply_128(draw_128(rng), range, &rest), &sum);
    return high;
}

static Value draw_whole(SmallRng *rng, Uint128 first, Uint128 last, Type *type)
{
    const PrimInfo *prim = &prims[type->decl->prim];
    if (prim->bits > 64)
        return whole_of_bits(first + below_128(rng, last - first + 1), prim);
    return value_int(draw_int(rng, (int64_t)first, (int64_t)last, type));
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
        indices->chunk = below_32(indices->rng, bound);
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
        uint32_t at = below_32(rng, (uint32_t)list.list->count);
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
