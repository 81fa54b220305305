#include "engine/fetch.h"
#include "engine/lower.h"
#include "engine/mask.h"
#include "engine/nest.h"

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

// A value in memory that comes out as 0: nothing, the zero point, or an index of the table.
static bool find_pad(const Stage *fetch, int32_t which, int64_t *bits)
{
    const FetchAdapter *adapter = &fetch->adapter;
    Scalar type = fetch->before->type;
    int64_t count = adapter->has_table ? adapter->table_count : 1;
    uint32_t first = adapter->has_table ? 0 : (uint32_t)zero_point(adapter, which);
    for (int64_t i = 0; i < count; i++) {
        uint32_t result, tried = scalar_wrap(type, first + (uint32_t)i);
        if (!adapt(fetch, which, tried, &result) || result != 0)
            continue;
        *bits = tried;
        return true;
    }
    return false;
}

static void pad_lower(const Lower *lower, const Stage *fetch, HwFetch *out)
{
    for (int32_t i = 0; out->masks.count && i < out->bases.count; i++) {
        int64_t bits;
        if (!find_pad(fetch, i, &bits)) {
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
    pad_lower(lower, fetch, out);
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
    out->cycles = out->time * out->fetches_per_packet;
    if (!bases_lower(lower, begin, out->nest.base, out))
        return false;
    out->nest.base = out->bases.items[0];
    scalar_bytes(fetch->type, sequence.packet_elements, &out->stream_packet_bytes);
    mask_lower(lower, pass, fetch, &sequence, out);
    adapter_lower(lower, fetch, out);
    return true;
}
