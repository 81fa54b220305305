// Two paths lead to the computation mapping [Row, Time, Packet]. The Stream Adapter collects one or
// two flits into a packet, hands it to all rows, and repeats it over the innermost axes of Time
// (the tiling axes). The TRF Sequencer reads each row in any order of Time, a contiguous piece a
// packet.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"

// ---- the Stream Adapter

// Manual: Stream Adapter, Flit Buffer ("OutPacket is always 64 bytes").
static bool verify_packet(const Verify *verify, const Stage *stage)
{
    PacketRule rule = {DIAG_ALIGN_PACKET, "an aligned packet has", verify->machine->mac_bytes,
                       "collect two flits into it, or pad it:"};
    const Dim *packet = stage->dims[LEVEL_PACKET];
    Diag *wrong;
    bool right = report_packet(verify, stage, &rule, stage->type, packet, &wrong);
    if (wrong && !wrong->helps.count)
        diag_help(wrong, "put the outer part of the packet innermost into Time");
    return right;
}

// What is innermost in a packet is a flit. Manual: Stream Adapter, Flit Buffer.
static bool verify_flit(const Verify *verify, const Stage *stage, const Mapping *inner)
{
    const Dim *const *dims = stage->before->dims, *packet = dims[LEVEL_PACKET];
    Mapping wanted, found;
    const Mapping *time = &dims[LEVEL_TIME]->mapping;
    if (shape_equal_packet(verify->arena, dims, time, &packet->mapping, time, inner, &wanted,
                           &found))
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_FLIT, stage->span,
                          "the packet `{}` ends with `{}`, but the flits that come in are `{}`",
                          report_dim(verify, stage->dims[LEVEL_PACKET]),
                          report_mapping(verify, inner), report_dim(verify, packet));
    report_difference(verify, diag, &wanted, &found);
    Str ending = str_format(verify->arena, ".., {}", report_dim(verify, packet));
    diag_help(diag,
              "write Packet as `{}` with the innermost axis of Time before it, or pad the flit",
              report_written(verify, ending));
    return false;
}

static void report_time(const Verify *verify, const Stage *stage, const Division *division)
{
    int64_t first = division->found < division->matches.count ? division->found : 0;
    Str lost = report_match(verify, &division->matches.items[first]);
    Diag *diag = diag_add(
        verify->diags, DIAG_ALIGN_TIME, stage->span,
        "`{}` of the stream's Time is neither in Time `{}` nor in the outer part of Packet `{}`",
        lost, report_dim(verify, stage->dims[LEVEL_TIME]),
        report_dim(verify, stage->dims[LEVEL_PACKET]));
    report_stream(verify, diag, stage->before);
    diag_help(diag, "align only collects and repeats; axes are summed in contract and accumulate");
}

// Manual: Stream Adapter, Conceptual Operation (flits are collected as they come).
static void verify_order(const Verify *verify, const Stage *stage, const Division *division)
{
    int64_t wrong = shape_disorder(division);
    if (wrong < 0)
        return;
    Str outer = report_match(verify, &division->matches.items[wrong - 1]);
    Str inner = report_match(verify, &division->matches.items[wrong]);
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_ORDER, stage->span,
                          "the Stream Adapter keeps the order of Time, but `{}` stands outside "
                          "`{}` here and inside it in the stream",
                          outer, inner);
    report_stream(verify, diag, stage->before);
    diag_help(diag, "fetch in the order in which it is to be computed");
}

// How many of the `flits` in a packet are different flits of the stream; the others are repeats.
static int64_t collected_flits(const Division *division, int64_t flits)
{
    int64_t collected = 1;
    for (int64_t i = 0; i < division->found; i++)
        if (division->matches.items[i].dividend_stride < flits)
            collected *= division->matches.items[i].resize;
    return collected;
}

// The axis that repeats the stream: the outermost of the residue, or all of it if it is padding.
static Str repeated_text(const Verify *verify, const Division *division)
{
    PlacedTerms terms = shape_terms(verify->arena, &division->dividend_residue);
    if (!terms.count)
        return report_mapping(verify, &division->dividend_residue);
    const PlacedTerm *outermost = &terms.items[terms.count - 1];
    return shape_term_text(verify->arena, &outermost->term, outermost->resize);
}

// `tiling` packets in a row are the same, so every axis of the stream steps over that many.
// Manual: Stream Adapter, Time Broadcast ("at the innermost positions of OutTime"). Collecting
// flits moves their axis from Time into Packet: Time [M, L] of the stream becomes Time [M, T] and
// Packet [L, K]. The reference library refuses this, because it wants T inside L as well.
static void verify_tiling_place(const Verify *verify, const Stage *stage, const Division *division,
                                int64_t flits, int64_t tiling)
{
    bool reference = verify->rules == RULES_REFERENCE;
    int64_t first = reference ? 1 : flits;
    int64_t least = reference ? tiling : tiling * collected_flits(division, flits);
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        if (match->dividend_stride < first || match->dividend_stride >= least)
            continue;
        Str repeated = repeated_text(verify, division);
        Diag *diag = diag_add(
            verify->diags, DIAG_ALIGN_TILING, stage->span,
            "the stream is repeated over `{}`, which must be innermost in Time; `{}` is inside it",
            repeated, report_match(verify, match));
        diag_help(diag, "put `{}` after the axes of the stream", repeated);
        return;
    }
}

// What the stream is repeated over, the weights have. Manual: Stream Adapter, Time Broadcast.
static void verify_tiling_source(const Verify *verify, const Stage *stage, const Division *division)
{
    const Dim *element = stage->trf->dims[LEVEL_ELEMENT];
    const Mapping *tiling = &division->dividend_residue;
    if (tiling->size == 1)
        return;
    Division source = mapping_divide(verify->arena, &element->mapping, tiling, DIVIDE_RELAXED, 1);
    if (source.exact)
        return;
    int64_t first = source.found < source.matches.count ? source.found : 0;
    Diag *diag =
        diag_add(verify->diags, DIAG_ALIGN_TILING_SOURCE, stage->span,
                 "`{}` of Time is neither in the stream nor in the TRF tensor `{}`",
                 report_match(verify, &source.matches.items[first]), report_dim(verify, element));
    diag_help(diag, "nothing is repeated for its own sake: leave the axis out");
}

static bool derive_stream(Arena *arena, const Machine *machine, const Stage *stage,
                          Strides *strides)
{
    Mapping outer, inner;
    int64_t flit;
    if (!scalar_length(stage->type, machine->flit_bytes, &flit))
        return false;
    mapping_split(arena, &stage->dims[LEVEL_PACKET]->mapping, flit, &outer, &inner);
    return strides_derive(arena, &stage->before->dims[LEVEL_TIME]->mapping,
                          &stage->dims[LEVEL_TIME]->mapping, &outer, strides);
}

static void report_nest(const Verify *verify, const Stage *stage)
{
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_TIME, stage->span,
                          "no nest of loops makes Time `{}` of the stream's",
                          report_dim(verify, stage->dims[LEVEL_TIME]));
    report_stream(verify, diag, stage->before);
    diag_help(diag, "cut and pad Time as the stream does");
}

// E = [OutTime, outer part of OutPacket] holds the stream's Time, in order. Everything else in E
// repeats the stream. False: reported.
static bool verify_time(const Verify *verify, const Stage *stage, const Mapping *outer)
{
    const Mapping *time = &stage->before->dims[LEVEL_TIME]->mapping;
    Mapping flits = shape_strip(verify->arena, outer);
    Mapping whole = mapping_pair(verify->arena, &stage->dims[LEVEL_TIME]->mapping, &flits);
    Division division = mapping_divide(verify->arena, &whole, time, DIVIDE_RELAXED, 1);
    if (!division.exact) {
        report_time(verify, stage, &division);
        return false;
    }
    int64_t errors = verify->diags->error_count;
    verify_order(verify, stage, &division);
    verify_tiling_place(verify, stage, &division, flits.size, whole.size / time->size);
    verify_tiling_source(verify, stage, &division);
    return verify->diags->error_count == errors;
}

// ---- the TRF Sequencer

// Elements of a packet up to the end of what TRF has of it. What TRF has lies there one after the
// other; -1: it does not.
static int64_t read_length(const MatchList *pieces)
{
    int64_t run = 1;
    for (int64_t i = 0; i < pieces->count; i++) {
        const Match *piece = &pieces->items[i];
        if (piece->kind != MATCH_FOUND)
            continue;
        if (piece->divisor_stride != piece->dividend_stride || piece->list)
            return -1;
        run = max_i64(run, piece->divisor_stride * piece->resize);
    }
    return run;
}

// What TRF lacks of a packet begins anew with a read: reads of `elements` repeat it.
static bool is_repeated(const MatchList *pieces, int64_t elements)
{
    for (int64_t i = 0; i < pieces->count; i++) {
        const Match *piece = &pieces->items[i];
        if (piece->kind != MATCH_FOUND && piece->divisor_stride % elements)
            return false;
    }
    return true;
}

// reg_read_size: the smallest read that brings what TRF has of a packet, and whose repetition is
// the packet; 0: there is none.
static int64_t read_bytes(const Machine *machine, Scalar type, const MatchList *pieces)
{
    const MachineList *sizes = &machine->trf_read_sizes;
    int64_t length = read_length(pieces), elements;
    for (int64_t i = 0; i < sizes->count && length >= 0; i++)
        if (scalar_length(type, sizes->values[i], &elements) && elements >= length &&
            is_repeated(pieces, elements))
            return sizes->values[i];
    return 0;
}

static void derive_read(Arena *arena, const Machine *machine, const Stage *stage, AlignPlan *plan)
{
    Strides *weights = &plan->weights;
    strides_derive(arena, &stage->trf->dims[LEVEL_ELEMENT]->mapping,
                   &stage->dims[LEVEL_TIME]->mapping, &stage->dims[LEVEL_PACKET]->mapping, weights);
    bool fits = strides_split(arena, &weights->time, machine->sequencer_iterations);
    plan->read_bytes = read_bytes(machine, stage->type, &weights->matches);
    plan->is_read = weights->time_is_nest && fits && plan->read_bytes &&
                    weights->time.count <= machine->trf_sequencer_entries;
}

const AlignPlan *align_plan(Arena *arena, const Machine *machine, const Stage *stage)
{
    const AlignPlan *known = stage_derived(stage, machine);
    if (known)
        return known;
    AlignPlan *plan = arena_new(arena, AlignPlan, 1);
    plan->is_stream = derive_stream(arena, machine, stage, &plan->stream);
    if (stage->trf->sound)
        derive_read(arena, machine, stage, plan);
    return plan;
}

// Manual: TRF Sequencer, Sequencer Configuration.
static void verify_entries(const Verify *verify, const Stage *stage, const AlignPlan *plan)
{
    const Machine *machine = verify->machine;
    Str time = report_dim(verify, stage->dims[LEVEL_TIME]);
    int64_t count = plan->weights.time.count;
    if (!plan->weights.time_is_nest) {
        Diag *diag =
            diag_add(verify->diags, DIAG_ALIGN_TRF_ENTRIES, stage->span,
                     "no nest of loops reads the TRF tensor `{}` in the order of Time `{}`",
                     report_dim(verify, stage->trf->dims[LEVEL_ELEMENT]), time);
        diag_help(diag, "pad to whole numbers of what is inside, or load the TRF in that order");
    } else if (count > machine->trf_sequencer_entries) {
        Diag *diag = diag_add(verify->diags, DIAG_ALIGN_TRF_ENTRIES, stage->span,
                              "reading TRF in the order of Time `{}` takes {} nested loops; the "
                              "TRF Sequencer has {} entries",
                              time, count, machine->trf_sequencer_entries);
        diag->of_command = true;
        diag_help(diag, "load the TRF in the order in which it is read, so that loops merge");
    }
    for (int64_t i = 0; plan->weights.time_is_nest && i < count; i++)
        if (plan->weights.time.items[i].size > machine->sequencer_iterations)
            diag_add(verify->diags, DIAG_ALIGN_TRF_ENTRIES, stage->span,
                     "a loop over TRF iterates {} times; one entry iterates at most {}, and no two "
                     "share that",
                     plan->weights.time.items[i].size, machine->sequencer_iterations)
                ->of_command = true;
}

// Manual: TRF Sequencer, TRF Read Mechanism.
static void verify_read(const Verify *verify, const Stage *stage, const AlignPlan *plan)
{
    if (plan->read_bytes)
        return;
    const Dim *element = stage->trf->dims[LEVEL_ELEMENT], *packet = stage->dims[LEVEL_PACKET];
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_TRF_READ, stage->span,
                          "Packet `{}` is not one contiguous piece of the TRF tensor `{}`: a read "
                          "brings neighbours, and the rest of the packet repeats them",
                          report_dim(verify, packet), report_dim(verify, element));
    if (read_length(&plan->weights.matches) >= 0) {
        diag_help(diag, "a read has {} bytes: pad what is repeated to one of these",
                  list_text(verify->arena, &verify->machine->trf_read_sizes));
        return;
    }
    Str ending = str_format(verify->arena, ".., {}", report_dim(verify, packet));
    diag_help(diag, "let Element end as Packet does: `{}`", report_written(verify, ending));
}

// The first step of a wide read, in bits, that is not aligned; 0: there is none.
static int64_t unaligned_step(const Verify *verify, const Stage *stage, const Strides *strides)
{
    int64_t align = verify->machine->trf_wide_read_align_bytes * 8;
    int64_t width = scalar_traits[stage->type].packet_bits;
    if (strides->offset * width % align)
        return strides->offset * width;
    for (int64_t i = 0; i < strides->time.count; i++) {
        const StrideLoop *loop = &strides->time.items[i];
        if (loop->stride * width % align)
            return loop->stride * width;
        for (int64_t k = 0; loop->offsets && k < loop->size; k++)
            if (loop->offsets[k] * width % align)
                return loop->offsets[k] * width;
    }
    return 0;
}

// A read of the full width spans both bank columns.
// Manual: TRF Sequencer, TRF Read Mechanism ("64-byte alignment constraint").
static void verify_strides(const Verify *verify, const Stage *stage, const Strides *strides)
{
    int64_t bits = unaligned_step(verify, stage, strides);
    int64_t align = verify->machine->trf_wide_read_align_bytes;
    if (!bits)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_TRF_STRIDE, stage->span,
                          "a read of {} bytes starts on a multiple of {}; the TRF tensor `{}` is "
                          "walked in steps of {} bits",
                          verify->machine->mac_bytes, align,
                          report_dim(verify, stage->trf->dims[LEVEL_ELEMENT]), bits);
    diag_help(diag, "pad the innermost part of Element to {} bytes", align);
}

static void verify_trf_sequencer(const Verify *verify, const Stage *stage, const AlignPlan *plan)
{
    verify_entries(verify, stage, plan);
    verify_read(verify, stage, plan);
    if (plan->weights.time_is_nest && plan->read_bytes == verify->machine->mac_bytes)
        verify_strides(verify, stage, &plan->weights);
}

// Nothing of TRF is left out. Manual: Contraction Engine, Constraints ("Mapping alignment").
static bool verify_weights(const Verify *verify, const Stage *stage)
{
    Mapping from = shape_of(verify->arena, stage->trf->dims);
    Mapping to = shape_of(verify->arena, stage->dims);
    return move_verify(verify, stage->span, DIAG_ALIGN_TRF, MOVE_BROADCAST, &from, &to);
}

// ---- all of it

static void keep_plan(const Verify *verify, const Stage *stage, const AlignPlan *plan)
{
    Arena *arena = stage_arena(verify, stage);
    if (!arena)
        return;
    AlignPlan *kept = arena_copy(arena, plan, sizeof *plan);
    kept->stream = strides_copy(arena, &plan->stream);
    kept->weights = strides_copy(arena, &plan->weights);
    stage->facts->derived = kept;
}

static void align_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Tensor *trf = stage->trf;
    bool reference = verify->rules == RULES_REFERENCE;
    int64_t flit, errors = verify->diags->error_count;
    bool type = reference || contract_verify_type(verify, stage);
    if (trf->sound || reference) // else it was said of the tensor
        trf_verify_rows(verify, stage, trf->dims[LEVEL_ROW]);
    bool packet = type && verify_packet(verify, stage);
    place_verify(verify, stage, DIAG_ALIGN_SHAPE, trf->type, trf->dims);
    bool splits = packet && scalar_length(stage->type, verify->machine->flit_bytes, &flit) &&
                  stage->dims[LEVEL_PACKET]->mapping.size % flit == 0;
    if (!stage->before->sound || !splits)
        return;
    Mapping outer, inner;
    mapping_split(verify->arena, &stage->dims[LEVEL_PACKET]->mapping, flit, &outer, &inner);
    bool fits = verify_flit(verify, stage, &inner) && verify_time(verify, stage, &outer);
    const AlignPlan *plan = reference ? NULL : align_plan(verify->arena, verify->machine, stage);
    if (plan && fits && !plan->is_stream)
        report_nest(verify, stage);
    if (!trf->sound || verify->diags->error_count != errors || !verify_weights(verify, stage))
        return;
    if (!plan)
        return;
    verify_trf_sequencer(verify, stage, plan);
    keep_plan(verify, stage, plan);
}

// Elements that TRF holds side by side as `inner` does.
static bool ends_with(Arena *arena, const Mapping *whole, const Mapping *inner)
{
    if (whole->size % inner->size)
        return false;
    Mapping end = shape_inner(arena, whole, inner->size);
    return shape_equal(arena, &end, inner);
}

// Two flits a packet if these are what the TRF has side by side, else one and padding. What only
// the TRF has, the stream is repeated over.
static bool align_suggest(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    const Mapping *weights = proposal->weights;
    Mapping *time = &proposal->dims[LEVEL_TIME], *packet = &proposal->dims[LEVEL_PACKET];
    Mapping outer, inner, joined;
    int64_t lanes = proposal_length(proposal, proposal->machine->mac_bytes);
    if (!proposal_has_stream(proposal))
        return true;
    if (lanes < packet->size)
        return false;
    Mapping both = mapping_pair(arena, time, packet);
    AtomList axes = shape_axes(arena, &both);
    int64_t flits = lanes / packet->size;
    bool joins = time->size % flits == 0;
    if (joins) {
        mapping_split(arena, time, flits, &outer, &inner);
        joined = mapping_pair(arena, &inner, packet);
        joins =
            !weights || ends_with(arena, weights, &joined) || !ends_with(arena, weights, packet);
    }
    if (joins)
        *time = outer;
    *packet = joins ? joined : mapping_pad(arena, packet, lanes, PADDING_TOP);
    if (weights) {
        Mapping tiling = shape_without(arena, weights, &axes);
        *time = mapping_pair(arena, time, &tiling);
    }
    return true;
}

// ---- lowering

// Packets in a row that are made of the same flits.
static int64_t tile_of(const StrideLoops *loops)
{
    bool repeats = loops->count && loops->items[0].stride == 0 && !loops->items[0].offsets;
    return repeats ? loops->items[0].size : 1;
}

static bool lower_stream(const Lower *lower, const Stage *stage, const AlignPlan *plan,
                         HwStreamAdapt *out)
{
    const Machine *machine = lower->machine;
    const Mapping *packet = &stage->dims[LEVEL_PACKET]->mapping;
    int64_t flit;
    if (!plan->is_stream || !scalar_length(stage->type, machine->flit_bytes, &flit)) {
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
        .tile = tile_of(&plan->stream.time),
    };
    strides_lower(lower->arena, &plan->stream, (Ratio){1, 1}, &out->loops);
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

static bool lower_read(const Lower *lower, const Stage *stage, const AlignPlan *plan,
                       HwTrfRead *out)
{
    const Machine *machine = lower->machine;
    int64_t bits = scalar_traits[stage->type].packet_bits;
    if (!plan->is_read) {
        diag_add(lower->diags, plan->read_bytes ? DIAG_ALIGN_TRF_ENTRIES : DIAG_ALIGN_TRF_READ,
                 stage->span, "the TRF Sequencer cannot read the TRF for these packets");
        return false;
    }
    bool bytes = is_bytes(&plan->weights, bits);
    *out = (HwTrfRead){
        .layout = trf_layout(machine, stage->trf),
        .type = stage->type,
        .nest = {.element_bits = bytes ? 8 : bits,
                 .base = stage->trf->address.value + plan->weights.offset * bits / 8,
                 .access_bytes = plan->read_bytes},
        .broadcast = machine->mac_bytes / plan->read_bytes,
        .out_time = stage->dims[LEVEL_TIME]->mapping.size,
        .bank_columns = plan->read_bytes > machine->trf_row_bytes ? machine->trf_bank_columns : 1,
    };
    strides_lower_level(lower->arena, &plan->weights.time, bytes ? (Ratio){bits, 8} : (Ratio){1, 1},
                        false, &out->nest.loops);
    return true;
}

static bool align_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwPipeline *out)
{
    (void)pass;
    const AlignPlan *plan = align_plan(lower->scratch, lower->machine, stage);
    HwStreamAdapt *adapt = arena_new(lower->arena, HwStreamAdapt, 1);
    HwTrfRead *read = arena_new(lower->arena, HwTrfRead, 1);
    out->adapt = adapt;
    out->trf_read = read;
    return lower_stream(lower, stage, plan, adapt) && lower_read(lower, stage, plan, read);
}

const Engine align_engine = {
    .name = "Contraction Engine",
    .manual = "Aligner",
    .verify = align_verify,
    .suggest = align_suggest,
    .lower = align_lower,
};
