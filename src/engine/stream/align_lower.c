// Two records of one stage: what the Stream Adapter is told, and what the TRF Sequencer is told.
#include "engine/lower/lower.h"
#include "engine/shape.h"
#include "engine/stream/align.h"
#include "engine/stream/trf.h"

// Packets in a row that are made of the same flits.
static int64_t tile_of(const StrideLoops *loops)
{
    bool repeats = loops->count && loops->items[0].stride == 0 && !loops->items[0].offsets;
    return repeats ? loops->items[0].size : 1;
}

static bool lower_stream(const Lower *lower, const Stage *stage, HwStreamAdapt *out)
{
    const Machine *machine = lower->machine;
    const Mapping *packet = &stage->dims[LEVEL_PACKET]->mapping;
    Strides strides;
    int64_t flit;
    if (!align_derive_stream(lower->scratch, machine, stage, &strides) ||
        !scalar_length(stage->type, machine->flit_bytes, &flit)) {
        diag_add(lower->diags, DIAG_ALIGN_TIME, stage->span,
                 "no nest of loops makes this Time of the stream's");
        return false;
    }
    Mapping flits = shape_outer(lower->scratch, packet, flit);
    int64_t collected = shape_strip(lower->scratch, &flits).size;
    *out = (HwStreamAdapt){
        .collect_flits = collected,
        .data_bytes = collected * machine->flit_bytes,
        .pad_bytes = machine->mac_bytes - collected * machine->flit_bytes,
        .flit_bytes = machine->flit_bytes,
        .packet_flits = flits.size,
        .rows = stage->dims[LEVEL_ROW]->mapping.size,
        .in_time = stage->before->dims[LEVEL_TIME]->mapping.size,
        .out_time = stage->dims[LEVEL_TIME]->mapping.size,
        .tile = tile_of(&strides.time),
    };
    strides_lower(lower->arena, &strides.time, (Ratio){1, 1}, false, &out->loops);
    strides_lower(lower->arena, &strides.packet, (Ratio){1, 1}, true, &out->loops);
    return true;
}

// Whether every step comes out in whole bytes.
static bool is_bytes(const Strides *strides, int64_t element_bits)
{
    bool whole = strides->offset * element_bits % 8 == 0;
    for (int64_t i = 0; i < strides->time.count; i++) {
        const StrideLoop *loop = &strides->time.items[i];
        whole &= loop->stride * element_bits % 8 == 0;
        for (int64_t k = 0; loop->offsets && k < loop->size; k++)
            whole &= loop->offsets[k] * element_bits % 8 == 0;
    }
    return whole;
}

static bool lower_read(const Lower *lower, const Stage *stage, HwTrfRead *out)
{
    const Machine *machine = lower->machine;
    int64_t bits = scalar_traits[stage->type].packet_bits;
    TrfWalk walk;
    if (!align_derive_read(lower->scratch, machine, stage, &walk)) {
        diag_add(lower->diags, walk.read_bytes ? DIAG_ALIGN_TRF_ENTRIES : DIAG_ALIGN_TRF_READ,
                 stage->span, "the TRF Sequencer cannot read the TRF for these packets");
        return false;
    }
    bool bytes = is_bytes(&walk.strides, bits);
    *out = (HwTrfRead){
        .layout = trf_layout(machine, stage->trf),
        .type = stage->type,
        .nest = {.element_bits = bytes ? 8 : bits,
                 .base = stage->trf->address.value + walk.strides.offset * bits / 8,
                 .access_bytes = walk.read_bytes},
        .broadcast = machine->mac_bytes / walk.read_bytes,
        .out_time = stage->dims[LEVEL_TIME]->mapping.size,
        .bank_columns = walk.read_bytes > machine->trf_row_bytes ? machine->trf_bank_columns : 1,
    };
    strides_lower(lower->arena, &walk.strides.time, bytes ? (Ratio){bits, 8} : (Ratio){1, 1}, false,
                  &out->nest.loops);
    return true;
}

bool align_lower(const Lower *lower, const Stage *stage, HwStreamAdapt *adapt, HwTrfRead *read)
{
    return lower_stream(lower, stage, adapt) && lower_read(lower, stage, read);
}
