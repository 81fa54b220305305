// The engines that reduce know nothing of padding: what they must not take in has to be neutral
// when it comes there. In a contraction that is a zero in one of the two factors. The stream has
// zeros where fetch masks it, and where collect and align pad a packet; TRF has them where the pass
// that loads it does the same. Of an axis that only TRF has, align repeats the data of the stream:
// there TRF has to have the zeros. Manual: Fetch Engine, Masking; Contraction Engine, Filter-Stride
// 2, Dilation 2 ("1z").
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/lower/mask.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/vector/vector.h"
#include "mapping/divide.h"

typedef struct {
    const Verify *verify;
    const Pass *pass;
    const Stage *reduce; // accumulate, or vector_inter_slice_reduce
    const Stage *fetch;
} Sums;

// Masks are found slice by slice. A tensor over more slices than any system has is refused for that
// elsewhere.
static bool has_sensible_size(const Stage *fetch)
{
    enum { MOST_CHIPS = 1 << 16, MOST_SLICES = MOST_CHIPS << 9 };
    const Level levels[] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE};
    int64_t slices = 1;
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        const Dim *dim = fetch->dims[levels[i]];
        if (dim && (!checked_mul(slices, dim->mapping.size, &slices) || slices > MOST_SLICES))
            return false;
    }
    return true;
}

// ---- zeros

static bool has_subject(Arena *arena, const Dim *const dims[LEVEL_COUNT], const LiveCheck *check)
{
    Mapping shape = shape_of(arena, dims);
    return mapping_divide(arena, &shape, &check->subject, DIVIDE_RELAXED, 1).exact;
}

// Limits of whole steps count positions of a stream, which another packet changes.
static bool same_subject(Arena *arena, const LiveCheck *a, const LiveCheck *b)
{
    Mapping x = mapping_normalise(arena, &a->subject), y = mapping_normalise(arena, &b->subject);
    bool same_end = a->limit == b->limit || (a->step && a->step == b->step);
    return same_end && shape_equal(arena, &x, &y);
}

// Whether TRF holds zeros where the check says padding: the pass that loads it masks that, or its
// packets are padded by collect.
static bool trf_has_zeros(const Sums *sums, const Tensor *trf, const LiveCheck *check)
{
    Arena *arena = sums->verify->arena;
    const Pass *load = trf->load;
    const Stage *fetch =
        load ? stage_before(load->stages.items[load->stages.count - 1], STAGE_FETCH) : NULL;
    if (!fetch || !has_subject(arena, trf->dims, check))
        return false;
    MaskUse use = {.is_load = true};
    LiveChecks checks = mask_checks(arena, fetch, fetch->before->sources[0]);
    MaskFindings unmasked = mask_find(arena, sums->verify->machine, load, fetch, &use);
    bool is_apart = checks.exact; // fetch has no padding along it: collect pads it
    for (int64_t i = 0; i < checks.count; i++) {
        bool is_masked = true;
        for (int64_t k = 0; k < unmasked.count; k++)
            is_masked &= !same_subject(arena, unmasked.items[k], &checks.items[i]);
        if (same_subject(arena, &checks.items[i], check))
            return is_masked;
        is_apart &= !shape_shares_axis(arena, &checks.items[i].subject, &check->subject);
    }
    return is_apart;
}

// ---- reports

static const char *subject_text(const Sums *sums, const LiveCheck *check)
{
    Mapping subject = mapping_normalise(sums->verify->arena, &check->subject);
    if (!mapping_has_terms(&subject))
        return "1 # n";
    return str_terminated(sums->verify->arena, report_mapping(sums->verify, &subject));
}

// What sums it: the tree of contract, if it is gone after that.
static const Stage *summing_stage(const Sums *sums, const LiveCheck *check)
{
    const Stage *contract = sums->reduce->before;
    bool by_tree = sums->reduce->kind == STAGE_ACCUMULATE && contract->kind == STAGE_CONTRACT &&
                   !mask_survives(sums->verify->arena, check, contract);
    return by_tree ? contract : sums->reduce;
}

static void explain_several(const Sums *sums, Diag *diag, const MaskFindings *findings)
{
    StrBuf names = {.arena = sums->verify->arena};
    for (int64_t i = 0; i < findings->count; i++)
        buf_format(&names, "{}`{}`",
                   !i                        ? ""
                   : i + 1 < findings->count ? ", "
                                             : " and ",
                   subject_text(sums, findings->items[i]));
    diag_note(diag, SPAN_NOWHERE, "{} are padded, but fetch can mask the padding of only one axis",
              buf_str(&names));
    diag_help(diag, "fetch all but one of them without padding, or pad them as one group");
}

static void explain_steps(const Sums *sums, Diag *diag, const LiveCheck *check)
{
    const char *name = subject_text(sums, check);
    diag_note(
        diag, SPAN_NOWHERE,
        "fetch can mask the last step of a loop, or use a valid count for each of up to {} steps",
        sums->verify->machine->fetch_mask_counts);
    diag_help(diag, "fetch `{}` without padding in Time, or with at most one step of padding",
              name);
}

static void explain_wide(const Sums *sums, Diag *diag)
{
    Scalar type = sums->fetch->before->type;
    const Dim *packet = sums->fetch->dims[LEVEL_PACKET];
    int64_t most = sums->verify->machine->fetch_mask_bytes, bytes = 0;
    scalar_bytes(type, packet->mapping.size, &bytes);
    diag_note(diag, SPAN_NOWHERE,
              "fetch masks packets of at most {} bytes, and counts at most {} elements of {}; this "
              "packet has {} bytes",
              most, mask_most_count(sums->verify->machine, type), scalar_name(type), bytes);
    diag_help(diag, "put the outer part of `{}` into Time", report_dim(sums->verify, packet));
}

static void explain(const Sums *sums, Diag *diag, const MaskFindings *findings)
{
    const LiveCheck *check = findings->items[0];
    const char *name = subject_text(sums, check);
    switch (findings->problem) {
    case MASK_FOUND:
        break;
    case MASK_SUB:
        diag_help(diag, "run this pass on the main context: the sub context cannot mask padding");
        break;
    case MASK_SEVERAL:
        explain_several(sums, diag, findings);
        break;
    case MASK_STEPS:
        explain_steps(sums, diag, check);
        break;
    case MASK_SPREAD:
        diag_note(diag, SPAN_NOWHERE,
                  "a fetch mask depends only on the innermost loop and one other loop");
        diag_help(diag,
                  "put the inner part of `{}` into Packet, and keep its outer part together in one "
                  "place in Time",
                  name);
        break;
    case MASK_WIDE:
        explain_wide(sums, diag);
        break;
    }
}

static void note_fetch(const Sums *sums, Diag *diag)
{
    const Verify *verify = sums->verify;
    diag_note(diag, sums->fetch->span, "fetched here, with Time `{}` and Packet `{}`",
              report_dim(verify, sums->fetch->dims[LEVEL_TIME]),
              report_dim(verify, sums->fetch->dims[LEVEL_PACKET]));
}

static void report_stream_padding(const Sums *sums, const MaskFindings *findings)
{
    const Stage *stage = summing_stage(sums, findings->items[0]);
    Diag *diag = diag_add(sums->verify->diags, DIAG_PADDING_SUMMED, stage->span,
                          "the padding of `{}` is {} with the data: fetch cannot mask it",
                          subject_text(sums, findings->items[0]),
                          sums->reduce->kind == STAGE_ACCUMULATE ? "summed" : "reduced");
    padding_keep(sums->verify, sums->reduce, PADDING_IS_TAKEN);
    note_fetch(sums, diag);
    explain(sums, diag, findings);
    if (diag->severity != SEVERITY_ERROR && sums->reduce->kind == STAGE_VECTOR_INTER_REDUCE)
        padding_verify_relaxed(sums->verify, sums->pass, sums->reduce);
}

// ---- what is not in memory

// Where padding that a reduction takes in comes from, if it is neither in memory nor neutral.
typedef enum {
    FOREIGN_NONE,
    FOREIGN_SWITCH, // a CustomBroadcast has zeros there
    FOREIGN_ADDED,  // collect has
    FOREIGN_FETCH,  // fetch reads what lies beyond the data
} ForeignKind;

typedef struct {
    ForeignKind kind;
    const LiveCheck *check;
    const Stage *stage; // that is to blame
} Foreign;

static const LiveCheck *find_same(Arena *arena, const LiveChecks *checks, const LiveCheck *check)
{
    for (int64_t i = 0; i < checks->count; i++)
        if (same_subject(arena, &checks->items[i], check))
            return &checks->items[i];
    return NULL;
}

static bool is_found(Arena *arena, const MaskFindings *findings, const LiveCheck *check)
{
    for (int64_t i = 0; i < findings->count; i++)
        if (same_subject(arena, findings->items[i], check))
            return true;
    return false;
}

// An axis of one position leaves no term that would name it.
static bool takes_in(Arena *arena, const Stage *reduce, const LiveCheck *check)
{
    if (reduce->kind == STAGE_VECTOR_INTER_REDUCE)
        return !mask_survives(arena, check, reduce);
    AtomList axes = shape_axes(arena, &check->subject);
    return shape_names(&axes, reduce->axis->name) || (!axes.count && reduce->axis->size == 1);
}

static bool is_switched(Arena *arena, const Stage *custom, const LiveCheck *check)
{
    const Mapping *slice = &custom->before->dims[LEVEL_SLICE]->mapping;
    return shape_shares_axis(arena, slice, &check->subject) || !mapping_has_terms(&check->subject);
}

static Foreign find_foreign(const Sums *sums)
{
    Arena *arena = sums->verify->arena;
    const Stage *custom, *fetch = sums->fetch, *reduce = sums->reduce;
    Foreign found = {0};
    if (!fetch || !fetch->before->sources[0] || !has_sensible_size(fetch) ||
        !reduce_is_of_fetched(reduce, &custom))
        return found;
    const View *view = fetch->before->sources[0];
    bool zeros_are_fine = reduce_identity(reduce->op) == 0;
    MaskUse use = {.kept = reduce, .pads_sums = !fetch->adapter.has_table};
    MaskFindings unmasked = mask_find(arena, sums->verify->machine, sums->pass, fetch, &use);
    Mapping shape = shape_of(arena, view->tensor->dims);
    LiveChecks reduced = mask_checks(arena, reduce->before, view);
    LiveChecks fetched = mask_checks(arena, fetch, view);
    LiveChecks stored = live_checks(arena, &shape, NULL, 0);
    for (int64_t i = 0; i < reduced.count && !found.kind; i++) {
        const LiveCheck *check = &reduced.items[i];
        if (!takes_in(arena, reduce, check))
            continue;
        found.check = check;
        if (!find_same(arena, &fetched, check))
            found = (Foreign){zeros_are_fine ? FOREIGN_NONE : FOREIGN_ADDED, check,
                              stage_before(reduce, STAGE_COLLECT)};
        else if (custom && is_switched(arena, custom, check) && !zeros_are_fine)
            found = (Foreign){FOREIGN_SWITCH, check, custom};
        else if (is_found(arena, &unmasked, check) && !find_same(arena, &stored, check))
            found = (Foreign){FOREIGN_FETCH, check, fetch};
    }
    return found;
}

static void report_foreign(const Sums *sums, const Foreign *foreign)
{
    const char *op = vector_ops[sums->reduce->op].name;
    static const char *const notes[] = {
        [FOREIGN_SWITCH] = "CustomBroadcast brings zeros to padding",
        [FOREIGN_ADDED] = "zeros are added to the packet here",
        [FOREIGN_FETCH] = "fetch reads beyond the data here, and no mask leaves that out",
    };
    Diag *diag = diag_add(
        sums->verify->diags, DIAG_PADDING_NOT_IN_MEMORY, sums->reduce->span,
        "{} takes in padding of `{}` that is not in memory: neutral elements there do not help", op,
        subject_text(sums, foreign->check));
    diag_note(diag, foreign->stage->span, "{}", notes[foreign->kind]);
    if (foreign->kind == FOREIGN_SWITCH)
        diag_help(diag, "use another topology, or commit the result of {} and distribute that", op);
    else if (foreign->kind == FOREIGN_ADDED)
        diag_help(diag, "fetch whole flits: fetch gives their padding the neutral element of {}",
                  op);
    else
        diag_help(diag, "pad the tensor in memory as the stream is padded, or fetch it so that a "
                        "mask leaves the padding out: docs/numerics.md has a table");
}

static Sums sums_of(const Verify *verify, const Pass *pass, const Stage *reduce)
{
    return (Sums){verify, pass, reduce, stage_before(reduce, STAGE_FETCH)};
}

bool padding_is_in_memory(const Verify *verify, const Pass *pass, const Stage *reduce)
{
    Sums sums = sums_of(verify, pass, reduce);
    return !find_foreign(&sums).kind;
}

void padding_verify_relaxed(const Verify *verify, const Pass *pass, const Stage *reduce)
{
    Sums sums = sums_of(verify, pass, reduce);
    Foreign foreign = find_foreign(&sums);
    if (foreign.kind && verify->rules != RULES_REFERENCE)
        report_foreign(&sums, &foreign);
}

// ---- the rule

// Padding of the stream.
static void verify_stream(const Sums *sums, const Tensor *trf)
{
    Arena *arena = sums->verify->arena;
    MaskUse use = {.kept = sums->reduce, .pads_sums = true};
    MaskFindings all = mask_find(arena, sums->verify->machine, sums->pass, sums->fetch, &use);
    MaskFindings left = {.problem = all.problem};
    for (int64_t i = 0; i < all.count; i++) {
        const LiveCheck *check = all.items[i];
        bool comes_here = sums->reduce->kind == STAGE_ACCUMULATE ||
                          mask_survives(arena, check, sums->reduce->before);
        if (comes_here && !(trf && trf_has_zeros(sums, trf, check)))
            *array_push(arena, &left, const LiveCheck *) = check;
    }
    if (left.count)
        report_stream_padding(sums, &left);
}

// Padding of axes that the stream does not have, and align repeats it for.
static void verify_trf(const Sums *sums, const Tensor *trf)
{
    Arena *arena = sums->verify->arena;
    const Stage *align = stage_before(sums->reduce, STAGE_ALIGN);
    LiveChecks checks = live_checks(arena, &trf->dims[LEVEL_ELEMENT]->mapping, NULL, 0);
    for (int64_t i = 0; i < checks.count; i++) {
        const LiveCheck *check = &checks.items[i];
        if (!mapping_has_terms(&check->subject) || has_subject(arena, align->before->dims, check) ||
            mask_survives(arena, check, sums->reduce) || trf_has_zeros(sums, trf, check))
            continue;
        Diag *diag = diag_add(
            sums->verify->diags, DIAG_PADDING_SUMMED, summing_stage(sums, check)->span,
            "the padding of `{}` in TRF is summed with the data: the stream is repeated along it",
            subject_text(sums, check));
        padding_keep(sums->verify, sums->reduce, PADDING_IS_TAKEN);
        diag_note(diag, align->span, "only TRF has `{}`", subject_text(sums, check));
        diag_help(diag, "load TRF on the main context, which can mask the padding of one axis, or "
                        "load it without padding");
        return;
    }
}

static bool is_reduced_at(const StrideLoops *loops, int64_t place)
{
    for (int64_t i = 0; i < loops->count; i++) {
        const StrideLoop *loop = &loops->items[i];
        if (loop->place <= place && place < loop->place * loop->size)
            return loop->stride == 0;
    }
    return false;
}

// Steps that align adds to Time and that count nothing: the adapter has nothing to put there but
// the packet it has. True: they are summed, which was said.
static bool verify_repeats(const Sums *sums, const Stage *align)
{
    const Verify *verify = sums->verify;
    const AlignPlan *pair = align_plan(verify->arena, verify->machine, align);
    const AccumulatePlan *plan = accumulate_plan(verify->arena, verify->machine, sums->reduce);
    if (!pair->is_stream || !plan)
        return false;
    for (int64_t i = 0, place = 1; i < pair->stream.time.count; i++) {
        const StrideLoop *loop = &pair->stream.time.items[i];
        bool repeats = loop->stride == 0 && !loop->offsets && loop->size > 1 &&
                       str_equal(loop->term, STR("padding"));
        if (repeats && is_reduced_at(&plan->loops, place)) {
            Diag *diag = diag_add(verify->diags, DIAG_PADDING_SUMMED, sums->reduce->span,
                                  "Time `{}` has {} steps of padding for each packet of the "
                                  "stream, and all of them are summed",
                                  report_dim(verify, align->dims[LEVEL_TIME]), loop->size);
            padding_keep(sums->verify, sums->reduce, PADDING_IS_TAKEN);
            diag_note(diag, align->span, "align repeats the packet there");
            diag_help(diag, "leave this padding out of Time");
            return true;
        }
        place *= loop->size;
    }
    return false;
}

void padding_keep(const Verify *verify, const Stage *reduce, PaddingFound found)
{
    if (stage_arena(verify, reduce))
        reduce->facts->padding = found;
}

void padding_verify(const Verify *verify, const Pass *pass, const Stage *reduce)
{
    for (const Stage *stage = reduce->before; stage; stage = stage->before)
        if (!stage->sound)
            return;
    padding_keep(verify, reduce, PADDING_IS_NEUTRAL);
    const Stage *align = stage_before(reduce, STAGE_ALIGN);
    bool sums_products = reduce->kind == STAGE_ACCUMULATE && align;
    Sums sums = sums_of(verify, pass, reduce);
    if (sums.fetch && !has_sensible_size(sums.fetch))
        return;
    if (sums_products && verify_repeats(&sums, align))
        return;
    if (sums.fetch && sums.fetch->before && sums.fetch->before->sources[0])
        verify_stream(&sums, sums_products ? align->trf : NULL);
    if (sums.fetch && sums_products && align->trf)
        verify_trf(&sums, align->trf);
}

// Which padding there is depends on where tiles start, which chains of stages are not told apart
// by.
static bool depends_on_tiles(const Pass *pass, const Stage *reduce)
{
    const Stage *align = stage_before(reduce, STAGE_ALIGN);
    const Pass *load = align && align->trf ? align->trf->load : NULL;
    return pass_has_tiles(pass) || (load && pass_has_tiles(load));
}

bool padding_is_reduced(const Lower *lower, const Pass *pass, const Stage *reduce)
{
    const StageFacts *facts = stage_facts(reduce, lower->machine);
    if (facts && facts->padding && !depends_on_tiles(pass, reduce))
        return facts->padding == PADDING_IS_TAKEN;
    DiagList found = {.arena = lower->scratch};
    Verify quiet = {.arena = lower->scratch,
                    .diags = &found,
                    .machine = lower->machine,
                    .program = lower->program,
                    .rules = RULES_CONTRA};
    if (reduce->kind == STAGE_ACCUMULATE)
        padding_verify(&quiet, pass, reduce);
    else
        vector_engine.verify(&quiet, pass, reduce);
    for (int64_t i = 0; i < found.count; i++)
        if (found.items[i]->code == DIAG_PADDING_SUMMED ||
            found.items[i]->code == DIAG_INTER_REDUCE_PADDING)
            return true;
    return false;
}
