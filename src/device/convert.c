#include "device/convert.h"

#include "base/heap.h"
#include "scalar/bits.h"

static UnpackKind unpack_of(Scalar type)
{
    const ScalarTraits *traits = &scalar_traits[type];
    bool is_signed = traits->kind == SCALAR_KIND_SIGNED;
    if (traits->storage_bits == 8)
        return is_signed ? UNPACK_S8 : UNPACK_U8;
    if (traits->storage_bits == 16)
        return is_signed ? UNPACK_S16 : UNPACK_U16;
    return UNPACK_32;
}

// Values of the type are those of memory as they come: the others are wrapped first.
static bool fills_storage(Scalar type)
{
    return scalar_traits[type].bits == scalar_traits[type].storage_bits;
}

// Whether `to` has every value of `from`.
static bool is_wider(Scalar from, Scalar to)
{
    const ScalarTraits *a = &scalar_traits[from], *b = &scalar_traits[to];
    if (a->kind == b->kind)
        return a->bits <= b->bits;
    return a->kind == SCALAR_KIND_UNSIGNED && a->bits < b->bits;
}

static ConvertKind cast_kind(Scalar from, Scalar to)
{
    bool integers = scalar_is_integer(from) && scalar_is_integer(to);
    if (from == to || (integers && is_wider(from, to)))
        return fills_storage(from) ? CONVERT_NONE : CONVERT_OTHER;
    if (integers)
        return CONVERT_WRAP;
    if (from == SCALAR_F16 && to == SCALAR_F32)
        return CONVERT_F16_TO_F32;
    if (from == SCALAR_F32 && to == SCALAR_BF16)
        return CONVERT_F32_TO_BF16;
    bool is_small = scalar_traits[from].bits <= BYTE_BITS && !scalar_is_integer(from);
    return is_small && !scalar_is_integer(to) ? CONVERT_LOOK_UP : CONVERT_OTHER;
}

// Entry i: what pattern i of the index becomes.
static bool make_table(Convert *convert, const HwTable *table)
{
    Scalar from = table ? table->type : convert->type;
    convert->entries = table ? table->entries.count : INT64_C(1) << scalar_traits[from].bits;
    convert->index_mask = low_bits(scalar_traits[convert->type].bits);
    convert->is_whole = convert->entries > convert->index_mask;
    convert->table = heap_new(sizeof *convert->table * (size_t)(convert->entries + 1));
    for (int64_t i = 0; convert->table && i < convert->entries; i++) {
        convert->table[i] = table ? (uint32_t)table->entries.items[i] : (uint32_t)i;
        if (from != convert->cast)
            scalar_convert_all(from, convert->cast, &convert->table[i], 1);
    }
    return convert->table != NULL;
}

bool convert_new(Convert *convert, const MoveLoops *loops, const HwFetch *fetch)
{
    *convert = (Convert){.loops = loops,
                         .type = fetch->type,
                         .cast = fetch->cast,
                         .is_halves = scalar_traits[fetch->type].storage_bits < BYTE_BITS,
                         .unpack = unpack_of(fetch->type),
                         .is_whole = true,
                         .zero_points = fetch->zero_points};
    convert->kind = fetch->table ? CONVERT_LOOK_UP : cast_kind(fetch->type, fetch->cast);
    if (convert->kind == CONVERT_LOOK_UP)
        return make_table(convert, fetch->table);
    if (fetch->type == SCALAR_BF16 && fetch->cast == SCALAR_F32) {
        convert->unpack = UNPACK_HIGH16;
        convert->kind = CONVERT_NONE;
    }
    return true;
}

bool convert_widen(Convert *convert)
{
    if (convert->type != SCALAR_BF16 || convert->cast != SCALAR_BF16 ||
        convert->kind != CONVERT_NONE || convert->zero_points.count)
        return false;
    convert->unpack = UNPACK_HIGH16;
    convert->cast = SCALAR_F32;
    return true;
}

void convert_free(Convert *convert)
{
    heap_free(convert->table);
    *convert = (Convert){0};
}

static void subtract(const Convert *convert, uint32_t point, int64_t count, uint32_t *bits)
{
    const ScalarTraits *traits = &scalar_traits[convert->cast];
    int32_t drop = 32 - traits->bits;
    if (traits->kind == SCALAR_KIND_SIGNED)
        convert->loops->subtract_signed(bits, count, point, drop);
    else
        convert->loops->subtract_unsigned(bits, count, point, drop);
}

void convert_run(const Convert *convert, int64_t base, int64_t count, uint32_t *bits)
{
    switch (convert->kind) {
    case CONVERT_NONE:
        break;
    case CONVERT_LOOK_UP:
        convert->loops->look_up(bits, count, convert->table, (uint32_t)convert->entries,
                                convert->index_mask);
        break;
    case CONVERT_WRAP:
        subtract(convert, 0, count, bits);
        break;
    case CONVERT_F16_TO_F32:
        convert->loops->f16_to_f32(bits, count);
        break;
    case CONVERT_F32_TO_BF16:
        convert->loops->f32_to_bf16(bits, count);
        break;
    case CONVERT_OTHER:
        for (int64_t i = 0; i < count; i++)
            bits[i] = scalar_wrap(convert->type, bits[i]);
        if (convert->type != convert->cast)
            scalar_convert_all(convert->type, convert->cast, bits, count);
        break;
    }
    int64_t points = convert->zero_points.count;
    if (points)
        subtract(convert, (uint32_t)convert->zero_points.items[base % points], count, bits);
}

int64_t convert_missing(const Convert *convert, const uint32_t *bits, int64_t from, int64_t count)
{
    for (int64_t i = from; i < count; i++)
        if ((bits[i] & convert->index_mask) >= convert->entries)
            return i;
    return -1;
}
