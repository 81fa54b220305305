// The branch unit: it gives every element an execution id, and operands and filters go by the group
// of the id. Manual: Intra-Slice Block, Branch.
#include "engine/vector/internal.h"

#include "engine/vector/digits.h"

static void help_with_flit(const Call *call, Diag *diag, const Dim *packet, int64_t lanes)
{
    Mapping outer, inner;
    if (packet->mapping.size < lanes) {
        report_rewrite(call->verify, diag, packet, report_padded(call->verify, packet, lanes),
                       "pad the packet:");
    } else if (packet->mapping.size % lanes == 0) {
        mapping_split(call->arena, &packet->mapping, lanes, &outer, &inner);
        diag_help(diag, "keep `{}` in Packet, and put `{}` innermost into Time",
                  report_mapping(call->verify, &inner), report_mapping(call->verify, &outer));
    } else {
        diag_help(diag, "pad the packet to a multiple of {}, and put the outer part into Time",
                  lanes);
    }
}

void vector_flit_verify(const Call *call)
{
    const Dim *packet = call->from->dims[LEVEL_PACKET];
    int64_t lanes = call->machine->vector_way8_lanes, size = packet->mapping.size;
    if (size == lanes || !vector_shape_is_sound(call->from))
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_FLIT, call->stage->span,
                          "the Vector Engine takes packets of {} elements, and `{}` has {}", lanes,
                          report_dim(call->verify, packet), size);
    help_with_flit(call, diag, packet, lanes);
}

// ---- modes

static bool stream_names(const Call *call, const Atom *axis)
{
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const Dim *dim = call->stage->dims[level];
        if (dim && digits_name(call->arena, dim, axis))
            return true;
    }
    return false;
}

static Span branch_span(const Call *call)
{
    return report_at(call->stage->at.branch, call->stage->span);
}

// The index along an axis is a sum of counters. In a composite that is cut elsewhere than where the
// axis ends, no counter counts the axis.
static void verify_toggle_counters(const Call *call)
{
    const Atom *axis = call->stage->axis;
    DigitList digits = {0};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (call->stage->dims[level])
            digits_add(call->arena, level, call->stage->dims[level], &digits);
    for (int64_t i = 0; i < digits.count; i++) {
        const Digit *digit = &digits.items[i];
        if (!digit_mixes(call->arena, digit, axis))
            continue;
        Diag *diag = diag_add(
            call->diags, DIAG_VECTOR_BRANCH_COMPOSITE, branch_span(call),
            "AxisToggle goes by `{}`, which {} `{}` has in a composite that is cut", axis->name,
            level_names[digit->level], report_dim(call->verify, call->stage->dims[digit->level]));
        diag_help(diag, "cut `{}` itself instead of what holds it, or go by another axis",
                  axis->name);
        return;
    }
}

// Everything is in group 0 then, which the language allows; hardly anybody means that.
static void verify_toggle(const Call *call)
{
    const Atom *axis = call->stage->axis;
    if (call->is_reference || !axis || !vector_shape_is_sound(call->from))
        return;
    if (stream_names(call, axis)) {
        verify_toggle_counters(call);
        return;
    }
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_BRANCH_AXIS, branch_span(call),
                          "AxisToggle goes by `{}`, which the stream does not hold", axis->name);
    const char *mode = report_is_text(call->verify) ? "Unconditional" : "BranchMode::Unconditional";
    diag_help(diag, "name an axis of the stream, or write `{}`", mode);
    diag_edit(diag, report_place(call->stage->at.branch), "{}", mode);
}

static void verify_comparisons(const Call *call)
{
    for (int i = 0; i < BRANCH_COMPARISONS; i++) {
        const InputCompare *compare = &call->stage->compares[i];
        if (compare->type == call->from->type)
            continue;
        bool is_i32 = call->from->type == SCALAR_I32;
        const char *type = is_i32 ? "I32" : "F32", *name = compare_names[compare->kind];
        Diag *diag =
            diag_add(call->diags, DIAG_VECTOR_BRANCH_COMPARE_TYPE, branch_span(call),
                     "comparison {} of {} is for {}, and the stream is {}", i + 1,
                     BRANCH_COMPARISONS, scalar_name(compare->type), scalar_name(call->from->type));
        if (report_is_text(call->verify))
            diag_help(diag, "compare with a number of {}", scalar_name(call->from->type));
        else if (compare->kind == COMPARE_TRUE || compare->kind == COMPARE_FALSE)
            diag_help(diag, "write `InputCmp::{}(InputCmp{}::{})`", type, type, name);
        else
            diag_help(diag, "write `InputCmp::{}(InputCmp{}::{} {{ .. })`", type, type, name);
    }
}

static void verify_branch_vrf(const Call *call)
{
    const Tensor *vrf = call->stage->branch_vrf;
    if (!vrf) {
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_BRANCH_VRF, branch_span(call),
                              "the branch `Vrf` has no VRF tensor to load execution ids from");
        diag_help(diag, "load the ids with to_vrf, one i32 an element, and name that tensor{}",
                  report_is_text(call->verify) ? ""
                                               : ": `vector_intra_slice_branch_with_vrf(&ids)`");
        return;
    }
    if (vrf->type != SCALAR_I32)
        diag_add(call->diags, DIAG_VECTOR_BRANCH_VRF, branch_span(call),
                 "execution ids are i32, and the VRF tensor holds {}", scalar_name(vrf->type));
    vector_vrf_verify(call, vrf, branch_span(call));
}

void vector_branch_verify(const Call *call)
{
    vector_flit_verify(call);
    switch (call->stage->branch) {
    case BRANCH_AXIS_TOGGLE:
        verify_toggle(call);
        return;
    case BRANCH_COMPARISON:
        verify_comparisons(call);
        return;
    case BRANCH_VALID_COUNT:
        valid_count_verify(call, call->from, NULL);
        return;
    case BRANCH_VRF:
        verify_branch_vrf(call);
        return;
    case BRANCH_UNCONDITIONAL:
    case BRANCH_COUNT:
        return;
    }
}

// ---- groups

enum { GROUP_0 = 1, GROUP_1 = 2, BOTH_GROUPS = GROUP_0 | GROUP_1 };

// The last comparison sets the bit of the id that tells the groups apart.
static unsigned groups_of_comparison(const InputCompare *last)
{
    if (last->kind == COMPARE_TRUE)
        return GROUP_1;
    return last->kind == COMPARE_FALSE ? GROUP_0 : BOTH_GROUPS;
}

// Which groups the execution ids of the stream can be in.
static unsigned groups_of(const Stage *stage)
{
    const Stage *entry = vector_block_entry(stage);
    if (!entry || entry->kind == STAGE_INPUT)
        return BOTH_GROUPS; // not known here
    if (entry->kind == STAGE_VECTOR_UNZIP || entry->branch == BRANCH_UNCONDITIONAL)
        return GROUP_0;
    if (entry->branch == BRANCH_COMPARISON)
        return groups_of_comparison(&entry->compares[BRANCH_COMPARISONS - 1]);
    return BOTH_GROUPS;
}

void vector_condition_verify(const Call *call, BranchCondition condition, Span span)
{
    if (condition == CONDITION_ALWAYS)
        return;
    bool one = condition == CONDITION_GROUP_1;
    if (groups_of(call->from) & (one ? GROUP_1 : GROUP_0))
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_BRANCH_GROUP_NEVER, span,
                          "no element is in group {}", one ? "One" : "Zero");
    const Stage *entry = vector_block_entry(call->from);
    diag_note(diag, entry->span, "{} puts all elements into group {}",
              entry->kind == STAGE_VECTOR_UNZIP ? "a pair" : branch_names[entry->branch],
              one ? "Zero" : "One");
    diag_help(diag, "AxisToggle and Comparison tell elements apart");
}
