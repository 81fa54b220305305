#include "engine/stream/fetch.h"

#include "base/checked.h"
#include "engine/lower/lower.h"
#include "engine/lower/mask.h"
#include "engine/lower/nest.h"
#include "engine/stream/pass.h"
#include "engine/vector/vector.h"

// ---- the adapter

static int32_t zero_point(const FetchAdapter *adapter, int32_t which)
{
    if (!adapter->zero_point_count)
        return 0;
    return adapter->zero_points[which < adapter->zero_point_count ? which : 0];
}

// What the adapter makes of a value in memory.
static bool adapt(const Stage *fetch, int32_t which, uint32_t bits, uint32_t *result)
{
    const FetchAdapter *adapter = &fetch->adapter;
    Scalar type = fetch->before->type;
    if (adapter->has_table) {
        uint32_t mask = (UINT32_C(1) << scalar_traits[type].bits) - 1;
        bits = scalar_wrap(adapter->table_type, adapter->table[bits & mask]);
        type = adapter->table_type;
    }
    if (type != fetch->type && !scalar_convert(type, fetch->type, bits, &bits))
        return false;
    uint32_t point = (uint32_t)zero_point(adapter, which);
    *result = point ? scalar_wrap(fetch->type, bits - point) : bits;
    return true;
}

// What the value was in memory, if that is all that can be asked for.
static uint32_t unadapt(const Stage *fetch, int32_t which, uint32_t wanted)
{
    Scalar type = fetch->before->type;
    uint32_t bits, point = (uint32_t)zero_point(&fetch->adapter, which);
    if (type != fetch->type && scalar_convert(fetch->type, type, wanted, &bits))
        wanted = bits;
    return scalar_is_integer(type) ? wanted + point : wanted;
}

// A value in memory that comes out as `wanted`: that itself, the zero point, or an index of the
// table.
static bool find_pad(const Stage *fetch, int32_t which, uint32_t wanted, int64_t *bits)
{
    const FetchAdapter *adapter = &fetch->adapter;
    Scalar type = fetch->before->type;
    int64_t count = adapter->has_table ? adapter->table_count : 1;
    uint32_t first = adapter->has_table ? 0 : unadapt(fetch, which, wanted);
    for (int64_t i = 0; i < count; i++) {
        uint32_t result, tried = scalar_wrap(type, first + (uint32_t)i);
        if (!adapt(fetch, which, tried, &result) || result != wanted)
            continue;
        *bits = tried;
        return true;
    }
    return false;
}

// ---- padding

// The value that fetch gives padding, and whether it changes nothing in the reductions.
typedef struct {
    uint32_t bits;
    bool is_neutral;
} Pad;

// The least or greatest value that a number in memory can become. It serves where the type in
// memory lacks the neutral element: no 8-bit integer becomes INT32_MIN, and f8e4m3 has no infinity.
static uint32_t extreme_pad(const Stage *fetch, uint32_t neutral)
{
    Scalar type = fetch->before->type;
    if (!scalar_is_integer(type))
        return adapt(fetch, 0, unadapt(fetch, 0, neutral), &neutral) ? neutral : 0;
    uint32_t high = UINT32_C(1) << (scalar_traits[type].bits - 1), extreme;
    bool is_signed = type != SCALAR_U8;
    if (neutral == (uint32_t)INT32_MIN)
        extreme = is_signed ? high : 0;
    else
        extreme = is_signed ? high - 1 : 2 * high - 1;
    return adapt(fetch, 0, scalar_wrap(type, extreme), &extreme) ? extreme : neutral;
}

// 0 for a contraction, and if nothing is reduced; for a reduction of the Vector Engine its neutral
// element, or the nearest value of the type in memory. The inter-slice reduction comes first,
// because nothing else keeps padding out of it. Manual: Fetch Engine, Masking ("neutral values").
static Pad find_pad_value(const Pass *pass, const Stage *fetch)
{
    static const StageKind kinds[] = {STAGE_VECTOR_INTER_REDUCE, STAGE_VECTOR_INTRA_REDUCE};
    const Stage *accumulate = pass_stage(pass, STAGE_ACCUMULATE);
    Pad pad = {0, true};
    int64_t found;
    for (size_t i = 0; i < COUNT_OF(kinds) && !accumulate; i++) {
        const Stage *reduce = pass_stage(pass, kinds[i]);
        pad.is_neutral = !reduce || reduce_neutral(reduce, &pad.bits);
        if (reduce && pad.is_neutral)
            break;
        pad.bits = 0;
    }
    if (!pad.bits || find_pad(fetch, 0, pad.bits, &found))
        return pad;
    return fetch->adapter.has_table ? (Pad){0, false} : (Pad){extreme_pad(fetch, pad.bits), true};
}

static void pad_lower(const Lower *lower, const Stage *fetch, uint32_t wanted, HwFetch *out)
{
    out->pad_value = wanted;
    for (int32_t i = 0; out->masks.count && i < out->bases.count; i++) {
        int64_t bits;
        if (!find_pad(fetch, i, wanted, &bits)) {
            out->pad_registers.count = 0;
            return;
        }
        *array_push(lower->arena, &out->pad_registers, int64_t) = bits;
    }
}

static void adapter_lower(const Lower *lower, const Stage *fetch, HwFetch *out)
{
    const FetchAdapter *adapter = &fetch->adapter;
    if (adapter->has_table) {
        HwTable *table = arena_new(lower->arena, HwTable, 1);
        table->type = adapter->table_type;
        for (int64_t i = 0; i < adapter->table_count; i++)
            *array_push(lower->arena, &table->entries, int64_t) =
                scalar_wrap(adapter->table_type, adapter->table[i]);
        out->table = table;
    }
    for (int32_t i = 0; i < adapter->zero_point_count; i++)
        *array_push(lower->arena, &out->zero_points, int64_t) = adapter->zero_points[i];
}

// ---- the sequencer

static bool bases_lower(const Lower *lower, const Stage *begin, int64_t offset, HwFetch *out)
{
    for (int32_t i = 0; i < 2 && begin->sources[i]; i++) {
        const View *view = begin->sources[i];
        int64_t address;
        if (!address_lower(lower, view->tensor, view, begin->span, &address))
            return false;
        *array_push(lower->arena, &out->bases, int64_t) = address + offset;
    }
    return true;
}

bool fetch_lower(const Lower *lower, const Pass *pass, const Stage *fetch, HwFetch *out)
{
    const Stage *begin = fetch->before;
    SequenceRequest request = fetch_sequence(lower->scratch, lower->machine, pass, fetch);
    Sequence sequence;
    if (!sequencer_derive(lower->scratch, &request, lower->diags, &sequence))
        return false;
    *out = (HwFetch){
        .nest = nest_lower(lower, &sequence, begin->type, 0),
        .type = begin->type,
        .cast = fetch->type,
        .time = fetch->dims[LEVEL_TIME]->mapping.size,
        .packet_elements = sequence.packet_elements,
        .packet_bytes = sequence.packet_bytes,
        .fetches_per_packet = sequence.accesses_per_packet,
        .contiguous_bytes = sequence.contiguous_bytes,
    };
    if (!bases_lower(lower, begin, out->nest.base, out))
        return false;
    out->nest.base = out->bases.items[0];
    scalar_bytes(fetch->type, sequence.packet_elements, &out->stream_packet_bytes);
    Pad pad = find_pad_value(pass, fetch);
    MaskedFetch masked = {&sequence, pad.is_neutral};
    mask_lower(lower, pass, fetch, &masked, out);
    adapter_lower(lower, fetch, out);
    pad_lower(lower, fetch, pad.bits, out);
    return true;
}
