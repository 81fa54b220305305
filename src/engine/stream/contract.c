// A tree of depth d sums each 2^d neighbours at the inside of the packet: `Packet / 2^d` is left.
#include "engine/stream/contract.h"

#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/lower/lower.h"
#include "engine/lower/mask.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/stream/padding.h"

// The reference library does not take f8e5m2, nor types that only the fetch adapter makes.
static bool multiplies(const Verify *verify, Scalar type)
{
    Scalar result;
    bool unknown = type == SCALAR_F8E5M2 || type == SCALAR_I5 || type == SCALAR_I9;
    return scalar_contraction_result(type, &result) && (verify->rules == RULES_CONTRA || !unknown);
}

// A type that can be multiplied and that the Fetch Engine can cast `from` to; SCALAR_COUNT: none.
// The reference library only widens.
static Scalar fetched_as(const Verify *verify, Scalar from)
{
    if (multiplies(verify, from) || verify->rules == RULES_REFERENCE)
        return multiplies(verify, from) ? from : SCALAR_COUNT;
    Scalar type = 0;
    while (type < SCALAR_COUNT &&
           (!multiplies(verify, type) ||
            !scalar_fetch_cast(from, type, verify->machine->fetch_casts_extended)))
        type++;
    return type;
}

// How to get a type that can be multiplied: from the fetch of this pass, or from a pass before it.
static void help_with_type(const Verify *verify, Diag *diag, const Stage *stage, Scalar type)
{
    const Stage *fetch = stage;
    while (fetch && fetch->kind != STAGE_FETCH)
        fetch = fetch->before;
    Scalar stored = fetch ? fetch->before->type : type;
    Scalar wanted = fetched_as(verify, stored);
    if (wanted == SCALAR_COUNT)
        diag_help(diag,
                  "convert both operands in a pass of their own, with `cast` before `commit`");
    else if (fetch && wanted == stored)
        diag_help(diag, "the tensor is {} in DM: fetch it as {}; its sums still have 32 bits",
                  scalar_name(stored), scalar_name(stored));
    else
        report_fetch_cast(verify, diag, wanted);
}

// Manual: Contraction Engine, Constraints ("Data type support"). f8 of the language is not a float
// and cannot be summed.
bool contract_verify_type(const Verify *verify, const Stage *stage)
{
    Scalar type = stage->before->type;
    if (multiplies(verify, type))
        return true;
    bool pair = stage->kind == STAGE_ALIGN;
    Diag *diag = diag_add(verify->diags, DIAG_CONTRACT_TYPE, stage->span,
                          "the Contraction Engine multiplies i4, i8, bf16 and 8-bit floats, not {}",
                          scalar_name(type));
    diag_label(diag, pair ? "the stream is {}" : "both operands are {}", scalar_name(type));
    if (pair && stage->trf->type == type)
        diag_note(diag, stage->trf->span, "the tensor in TRF is {} as well", scalar_name(type));
    help_with_type(verify, diag, stage, type);
    return false;
}

// Manual: Reducer, Spatial Reduction ("each 64 bytes wide").
static bool verify_packet(const Verify *verify, const Stage *stage)
{
    const Stage *before = stage->before;
    const Dim *packet = before->dims[LEVEL_PACKET];
    int64_t bytes, mac = verify->machine->mac_bytes;
    if (!report_bytes(verify, stage, before->type, packet, &bytes))
        return false;
    if (bytes == mac)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_CONTRACT_PACKET, stage->span,
                          "the Reducer takes packets of {} bytes; `{}` of {} has {}", mac,
                          report_dim(verify, packet), scalar_name(before->type), bytes);
    diag_help(diag, "align collects two flits into a packet, or pads one");
    return false;
}

// The depth at which the tree leaves OutPacket, but for padding; -1: there is none.
static int64_t contract_depth(Arena *arena, const Stage *stage)
{
    const Mapping *packet = &stage->before->dims[LEVEL_PACKET]->mapping;
    const Mapping *out = &stage->dims[LEVEL_PACKET]->mapping;
    int64_t summed = 1;
    for (int64_t depth = 0; packet->size % summed == 0 && summed <= packet->size; depth++) {
        Mapping left = shape_outer(arena, packet, summed);
        if (shape_equal_stripped(arena, &left, out))
            return depth;
        summed *= 2;
    }
    return -1;
}

// Whether halving leaves the packet when it is padded to so many sums.
static bool may_pad(const Verify *verify, const Stage *stage, int64_t sums)
{
    Stage padded = *stage;
    Dim packet = *stage->dims[LEVEL_PACKET];
    packet.mapping = mapping_pad(verify->arena, &packet.mapping, sums, PADDING_TOP);
    padded.dims[LEVEL_PACKET] = &packet;
    return contract_depth(verify->arena, &padded) >= 0;
}

// Manual: Reducer, Constraints ("Spatial output limit").
static bool verify_outputs(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t outputs = packet->mapping.size, most = verify->machine->reduce_outputs_per_row;
    if (outputs > most) {
        Diag *diag = diag_add(verify->diags, DIAG_CONTRACT_OUTPUTS, stage->span,
                              "contract leaves {} sums of `{}`; a row yields at most {}", outputs,
                              report_dim(verify, packet), most);
        diag_help(diag, "sum {} neighbours or more", (outputs + most - 1) / most);
        return false;
    }
    if ((outputs & (outputs - 1)) == 0)
        return true;
    int64_t next = 1;
    while (next < outputs)
        next *= 2;
    Diag *diag = diag_add(verify->diags, DIAG_CONTRACT_POWER, stage->span,
                          "contract leaves `{}`, {} sums; halving leaves a power of two",
                          report_dim(verify, packet), outputs);
    if (next <= most && may_pad(verify, stage, next))
        report_rewrite(verify, diag, packet, report_padded(verify, packet, next), "pad it:");
    return false;
}

// The sums nearest to what was asked for: as many, or as few as a row may yield.
static void help_with_sums(const Verify *verify, Diag *diag, const Stage *stage)
{
    const Mapping *packet = &stage->before->dims[LEVEL_PACKET]->mapping;
    int64_t outputs = stage->dims[LEVEL_PACKET]->mapping.size, summed = packet->size / outputs;
    if (packet->size % outputs || (summed & (summed - 1)))
        return;
    Mapping left = shape_outer(verify->arena, packet, summed);
    StageText sums = {.packet = report_mapping(verify, &left)};
    diag_help(diag, "summing {} neighbours leaves `{}`", summed,
              report_stage_text(verify, STAGE_CONTRACT, &sums));
    report_edit(verify, diag, stage->dims[LEVEL_PACKET], sums.packet);
}

// Manual: Reducer, Spatial Reduction ("eliminates the innermost"); Packet Slicing.
static void verify_sum(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->before->dims[LEVEL_PACKET];
    if (contract_depth(verify->arena, stage) >= 0)
        return;
    Diag *diag =
        diag_add(verify->diags, DIAG_CONTRACT_SUM, stage->span,
                 "the tree sums neighbours at the inside of `{}`; no depth of it leaves `{}`",
                 report_dim(verify, packet), report_dim(verify, stage->dims[LEVEL_PACKET]));
    help_with_sums(verify, diag, stage);
}

void contract_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    bool outputs = verify_outputs(verify, stage);
    if (!stage->before->sound)
        return;
    bool type = contract_verify_type(verify, stage), packet = verify_packet(verify, stage);
    if (outputs && type && packet)
        verify_sum(verify, stage);
}

// ---- lowering

static void lower_loops(const Lower *lower, const StrideLoops *loops, HwReduce *out)
{
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        const StrideLoop *loop = &loops->items[i];
        *array_push(lower->arena, &out->loops, HwSlotLoop) =
            (HwSlotLoop){.size = loop->size,
                         .reduced = loop->stride == 0,
                         .stride = loop->stride,
                         .term = str_copy(lower->arena, loop->term)};
    }
}

// Which products count as data: not those with padding that is zero in one of the factors. Other
// padding is multiplied and added like data.
static void lower_data(const Lower *lower, const Pass *pass, const Stage *accumulate, HwReduce *out)
{
    Mapping shape = shape_of(lower->scratch, accumulate->before->before->dims);
    LiveChecks checks = live_checks(lower->scratch, &shape, NULL, 0);
    bool *used = arena_new(lower->scratch, bool, (size_t)checks.count + 1);
    int64_t *numbers = arena_new(lower->scratch, int64_t, (size_t)checks.count + 1);
    bool is_reduced = padding_is_reduced(lower, pass, accumulate);
    for (int64_t i = checks.count - 1; i >= 0; i--) {
        used[i] |= !is_reduced || mask_survives(lower->scratch, &checks.items[i], accumulate);
        for (int64_t k = 0; used[i] && k < checks.items[i].count; k++)
            if (checks.items[i].items[k].of != OF_POSITION)
                used[checks.items[i].items[k].of] = true;
    }
    for (int64_t i = 0; i < checks.count; i++) {
        numbers[i] = out->data.count;
        if (used[i])
            live_lower_check(lower->arena, &checks.items[i], numbers, &out->data);
    }
}

bool reduce_lower(const Lower *lower, const Pass *pass, const Stage *accumulate, HwReduce *out)
{
    const Stage *contract = accumulate->before;
    const Machine *machine = lower->machine;
    const Stage *pair = contract->before;
    bool interleaved = accumulate->accumulate == ACCUMULATE_INTERLEAVED;
    int64_t depth = contract_depth(lower->scratch, contract);
    AccumulatePlan plan;
    if (depth < 0 || !accumulate_derive(lower->scratch, machine, accumulate, &plan)) {
        diag_add(lower->diags, depth < 0 ? DIAG_CONTRACT_SUM : DIAG_ACCUMULATE_TIME,
                 depth < 0 ? contract->span : accumulate->span,
                 "the Reducer cannot make these sums");
        return false;
    }
    int64_t rows = pair->dims[LEVEL_ROW]->mapping.size;
    int64_t time = pair->dims[LEVEL_TIME]->mapping.size;
    int64_t packet = pair->dims[LEVEL_PACKET]->mapping.size;
    *out = (HwReduce){
        .in_type = pair->type,
        .out_type = contract->type,
        .packet_elements = packet,
        .tree_depth = depth,
        .tree_outputs = packet >> depth,
        .columns = plan.columns,
        .resize = accumulate->accumulate,
        .rows = rows,
        .interleave_steps = interleaved ? machine->accumulator_columns / plan.columns
                                        : machine->accumulator_rows / rows,
        .in_time = time,
        .places = plan.places,
        .buffered = plan.buffered,
        .inner_size = plan.inner,
        .slots =
            plan.inner * (interleaved ? machine->accumulator_rows : machine->accumulator_columns),
        .out_time = accumulate->dims[LEVEL_TIME]->mapping.size,
        .out_elements = accumulate->dims[LEVEL_PACKET]->mapping.size,
    };
    lower_data(lower, pass, accumulate, out);
    lower_loops(lower, &plan.loops, out);
    return true;
}
