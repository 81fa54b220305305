#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/vector/vector.h"

// Operands are what the Vector Engine works on. Manual: Vector Engine; Computing Tensors.
static void verify_type(const Verify *verify, const Stage *stage)
{
    Scalar type = stage->before->type;
    if (type == SCALAR_I32 || type == SCALAR_F32)
        return;
    Diag *diag =
        diag_add(verify->diags, DIAG_VRF_TYPE, stage->span,
                 "VRF holds operands of the Vector Engine, i32 or f32, not {}", scalar_name(type));
    report_fetch_cast(verify, diag, scalar_is_integer(type) ? SCALAR_I32 : SCALAR_F32);
}

// The loops of the store, in elements of VRF. False: there is no such nest.
static bool derive(Arena *arena, const Stage *stage, Strides *strides)
{
    const Stage *stream = stage->before;
    return strides_derive(arena, &stage->result->dims[LEVEL_ELEMENT]->mapping,
                          &stream->dims[LEVEL_TIME]->mapping, &stream->dims[LEVEL_PACKET]->mapping,
                          strides);
}

static bool derive_and_keep(const Verify *verify, const Stage *stage)
{
    Strides strides;
    Arena *arena = stage_arena(verify, stage);
    if (!derive(verify->arena, stage, &strides))
        return false;
    if (arena) {
        strides = strides_copy(arena, &strides);
        stage->facts->derived = arena_copy(arena, &strides, sizeof strides);
    }
    return true;
}

// The same axes as the stream, in any order that loops can make, padded or not.
static void verify_element(const Verify *verify, const Stage *stage)
{
    const Tensor *vrf = stage->result;
    Mapping from = shape_of(verify->arena, stage->before->dims);
    Mapping to = shape_of(verify->arena, vrf->dims);
    if (!move_verify(verify, stage->span, DIAG_VRF_ELEMENT, MOVE_EXACT, &from, &to) ||
        verify->rules == RULES_REFERENCE || derive_and_keep(verify, stage))
        return;
    Diag *diag = diag_add(verify->diags, DIAG_VRF_ELEMENT, stage->span,
                          "no nest of loops puts the stream into `{}`",
                          report_dim(verify, vrf->dims[LEVEL_ELEMENT]));
    report_stream(verify, diag, stage->before);
    diag_help(diag, "cut and pad Element as Time and Packet of the stream are");
}

static void vrf_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Tensor *vrf = stage->result;
    verify_type(verify, stage);
    place_verify(verify, stage, DIAG_VRF_SHAPE, vrf->type, vrf->dims);
    if (stage->before->sound)
        verify_element(verify, stage);
}

// Manual: Memory and Stream, Size Constraint ("8KB / Slice").
static void verify_capacity(const Verify *verify, const Stage *stage)
{
    const Tensor *vrf = stage->result;
    int64_t bytes, most = verify->machine->vrf_bytes_per_slice;
    int64_t address = vrf->address.known ? vrf->address.value : 0;
    if (!tensor_bytes(vrf, &bytes) || (bytes <= most && address <= most - bytes))
        return;
    Diag *diag = diag_add(verify->diags, DIAG_VRF_CAPACITY,
                          bytes > most ? stage->span : report_at(vrf->address_span, stage->span),
                          "`{}` of {} takes {} bytes from {}; the VRF of a slice has {}",
                          report_dim(verify, vrf->dims[LEVEL_ELEMENT]), scalar_name(vrf->type),
                          bytes, report_address_text(verify, vrf, address), most);
    if (bytes <= most)
        report_address(verify, diag, vrf, most - bytes, "it fits at addresses up to");
    else
        diag_help(diag, "distribute it over more slices, or load and use it in parts");
}

// Manual: Memory and Stream, Alignment Constraint.
static void verify_alignment(const Verify *verify, const Stage *stage)
{
    const Tensor *vrf = stage->result;
    int64_t bytes;
    if (!vrf->address.known || !scalar_bytes(vrf->type, 1, &bytes) ||
        vrf->address.value % bytes == 0)
        return;
    Diag *diag = diag_add(
        verify->diags, DIAG_VRF_ALIGNMENT, report_at(vrf->address_span, stage->span),
        "{} cannot start at {} in VRF, which is not a multiple of {}", scalar_name(vrf->type),
        report_address_text(verify, vrf, vrf->address.value), bytes);
    report_address(verify, diag, vrf, vrf->address.value / bytes * bytes, "put it at");
}

static void vrf_verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    if (verify->rules == RULES_REFERENCE || !stage->result->sound)
        return; // what is wrong with the tensor itself has been said
    verify_capacity(verify, stage);
    verify_alignment(verify, stage);
}

// ---- lowering

// Elements of a packet that lie in VRF one after the other.
static int64_t run_of(const StrideLoops *packet)
{
    bool runs = packet->count && packet->items[0].stride == 1;
    return runs ? packet->items[0].size : 1;
}

static bool vrf_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwPipeline *out)
{
    (void)pass;
    const Tensor *vrf = stage->result;
    const Stage *stream = stage->before;
    const Strides *known = stage_derived(stage, lower->machine);
    Strides strides = known ? *known : (Strides){0};
    int64_t bytes, run;
    if (!(known || derive(lower->scratch, stage, &strides)) || !tensor_bytes(vrf, &bytes) ||
        !scalar_bytes(vrf->type, run_of(&strides.packet), &run)) {
        diag_add(lower->diags, DIAG_VRF_ELEMENT, stage->span,
                 "no nest of loops puts the stream into VRF");
        return false;
    }
    Mapping shape = shape_of(lower->scratch, stream->dims);
    int64_t bits = scalar_traits[vrf->type].packet_bits;
    HwVrfStore *store = arena_new(lower->arena, HwVrfStore, 1);
    out->vrf_store = store;
    *store = (HwVrfStore){
        .type = vrf->type,
        .nest = {.element_bits = bits,
                 .base = vrf->address.value + strides.offset * bits / 8,
                 .access_bytes = run},
        .time = stream->dims[LEVEL_TIME]->mapping.size,
        .packet_elements = stream->dims[LEVEL_PACKET]->mapping.size,
        .bytes = bytes,
    };
    strides_lower(lower->arena, &strides, (Ratio){1, 1}, &store->nest.loops);
    live_lower(lower, &shape, &store->data);
    return true;
}

static bool vrf_suggest(Proposal *proposal)
{
    if (proposal_has_stream(proposal)) {
        Mapping packet = shape_strip(proposal->arena, &proposal->dims[LEVEL_PACKET]);
        proposal_set(proposal, LEVEL_ELEMENT,
                     mapping_pair(proposal->arena, &proposal->dims[LEVEL_TIME], &packet));
    }
    proposal->refused = proposal->type != SCALAR_COUNT && !vector_takes_type(proposal->type);
    return true;
}

const Engine vrf_engine = {
    .name = "Vector Register File",
    .manual = "Vector Engine, Operands",
    .verify = vrf_verify,
    .verify_place = vrf_verify_place,
    .suggest = vrf_suggest,
    .lower = vrf_lower,
};
