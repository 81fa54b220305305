// Loads of the register files: in which bank of the TRF a flit lands, which element of the VRF an
// element becomes.
#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/lower/lower.h"
#include "engine/shape.h"
#include "engine/stream/pass.h"
#include "engine/stream/trf.h"
#include "engine/stream/vrf.h"

// ---- TRF

// Manual: TRF Sequencer, TRF Memory Layout (reg_types).
static int64_t reg_type(Scalar type)
{
    switch (type) {
    case SCALAR_I4:
    case SCALAR_I5:
        return 0;
    case SCALAR_I8:
    case SCALAR_I9:
        return 1;
    case SCALAR_F8E4M3:
    case SCALAR_F8E5M2:
        return 2;
    case SCALAR_BF16:
        return 3;
    default:
        return -1; // may lie there, but is never multiplied
    }
}

// What comes out of DM in the order in which it lies there, unchanged, is what goes into the TRF.
// Manual: TRF Sequencer, SRAM-to-TRF ("completely contiguous access").
static bool is_contiguous(const Lower *lower, const Pass *pass, const Stage *collect)
{
    const Stage *begin = pass_stage(pass, STAGE_BEGIN), *fetch = pass_stage(pass, STAGE_FETCH);
    if (!begin || !fetch || pass_stage(pass, STAGE_SWITCH) || fetch->type != begin->type ||
        fetch->adapter.has_table || fetch->adapter.zero_point_count)
        return false;
    Arena *arena = lower->scratch;
    const Mapping *element = &begin->sources[0]->dims[LEVEL_ELEMENT]->mapping;
    Mapping flits = mapping_pair(arena, &collect->dims[LEVEL_TIME]->mapping,
                                 &collect->dims[LEVEL_PACKET]->mapping);
    return shape_equal(arena, &flits, element);
}

static void add_row_loop(const Lower *lower, HwTrfStore *out, HwRowLoop loop)
{
    if (loop.size > 1)
        *array_push(lower->arena, &out->loops, HwRowLoop) = loop;
}

bool to_trf_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwTrfStore *out)
{
    const Machine *machine = lower->machine;
    const Tensor *trf = stage->result;
    int64_t bits = scalar_traits[trf->type].packet_bits;
    int64_t rows = trf->dims[LEVEL_ROW]->mapping.size;
    int64_t flits = stage->before->dims[LEVEL_TIME]->mapping.size;
    int64_t per_row = machine->trf_row_bytes * 8 / bits;
    *out = (HwTrfStore){
        .layout = trf_layout(machine, trf),
        .type = trf->type,
        .reg_type = reg_type(trf->type),
        .slots_per_element = machine->trf_slots_per_row / per_row,
        .elements_per_bank_row = per_row,
        .row_bytes = flits / rows * machine->flit_bytes,
        .flit_bytes = machine->flit_bytes,
        .flits = flits,
        .short_command = is_contiguous(lower, pass, stage->before),
    };
    // the outermost part of Time is Row; the rest and Packet lie in a row as they come
    add_row_loop(lower, out, (HwRowLoop){.size = rows, .row_stride = 1});
    add_row_loop(lower, out, (HwRowLoop){.size = flits / rows, .byte_stride = machine->flit_bytes});
    return true;
}

// ---- a part of a load

// Loops over the flits of the whole load, split where a row ends.
typedef struct {
    const Lower *lower;
    HwTrfStore *out;
    int64_t row_flits;
} FlitLoops;

static void add_flit_loop(const FlitLoops *loops, int64_t size, int64_t stride)
{
    int64_t row = loops->row_flits, flit = loops->out->flit_bytes;
    if (stride >= row) {
        add_row_loop(loops->lower, loops->out,
                     (HwRowLoop){.size = size, .row_stride = stride / row});
        return;
    }
    int64_t inner = min_i64(size, row / stride);
    add_row_loop(loops->lower, loops->out, (HwRowLoop){.size = size / inner, .row_stride = 1});
    add_row_loop(loops->lower, loops->out,
                 (HwRowLoop){.size = inner, .byte_stride = stride * flit});
}

// The digits of a plan by the flits that one step takes, the most first.
static int32_t outermost_below(const int64_t *places, int32_t count, int64_t below)
{
    int32_t best = -1;
    for (int32_t i = 0; i < count; i++)
        if (places[i] < below && (best < 0 || places[i] > places[best]))
            best = i;
    return best;
}

const HwTrfStore *trf_part(const Lower *lower, const PassParts *parts, int64_t number,
                           const HwTrfStore *store)
{
    const SplitPlan *plan = &parts->plan;
    const Pass *pass = parts->whole;
    const Stage *sink = pass->stages.items[pass->stages.count - 1];
    const Dim *time = sink->before->dims[LEVEL_TIME];
    Narrower narrower = {lower->scratch, lower->machine, {0}};
    int64_t places[SPLIT_DIGITS], start = 0;
    HwTrfStore *out = arena_new(lower->arena, HwTrfStore, 1);
    to_trf_lower(lower, pass, sink, out);
    int64_t rows = out->layout.rows, flits = out->flits, high = flits;
    FlitLoops loops = {lower, out, flits / rows};
    out->flits = store->flits;
    out->short_command = false;
    out->loops.count = 0;
    for (int32_t i = 0; i < plan->count; i++)
        places[i] = narrow_place(&narrower, time, &plan->digits[i]);
    for (int32_t i = outermost_below(places, plan->count, high); i >= 0;
         i = outermost_below(places, plan->count, high)) {
        Narrowing digit = split_digit(plan, i, number);
        add_flit_loop(&loops, high / (places[i] * digit.size), places[i] * digit.size);
        add_flit_loop(&loops, digit.length, places[i]);
        start += digit.start * places[i];
        high = places[i];
    }
    add_flit_loop(&loops, high, 1);
    out->start_row = start / loops.row_flits;
    out->start_byte = start % loops.row_flits * out->flit_bytes;
    return out;
}

// ---- VRF

// Elements of a packet that lie in VRF one after the other.
static int64_t run_of(const StrideLoops *packet)
{
    bool runs = packet->count && packet->items[0].stride == 1;
    return runs ? packet->items[0].size : 1;
}

bool to_vrf_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwVrfStore *out)
{
    (void)pass;
    const Tensor *vrf = stage->result;
    const Stage *stream = stage->before;
    int64_t time = stream->dims[LEVEL_TIME]->mapping.size;
    int64_t packet = stream->dims[LEVEL_PACKET]->mapping.size, bytes, run;
    Strides strides;
    if (!vrf_derive(lower->scratch, stage, &strides) || !tensor_bytes(vrf, &bytes) ||
        !scalar_bytes(vrf->type, run_of(&strides.packet), &run)) {
        diag_add(lower->diags, DIAG_VRF_ELEMENT, stage->span,
                 "no nest of loops puts the stream into VRF");
        return false;
    }
    Mapping shape = shape_of(lower->scratch, stream->dims);
    int64_t bits = scalar_traits[vrf->type].packet_bits;
    *out = (HwVrfStore){
        .type = vrf->type,
        .nest = {.element_bits = bits,
                 .base = vrf->address.value + strides.offset * bits / 8,
                 .access_bytes = run},
        .time = time,
        .packet_elements = packet,
        .bytes = bytes,
    };
    strides_lower(lower->arena, &strides.time, (Ratio){1, 1}, false, &out->nest.loops);
    strides_lower(lower->arena, &strides.packet, (Ratio){1, 1}, true, &out->nest.loops);
    live_lower(lower, &shape, &out->data);
    return true;
}
