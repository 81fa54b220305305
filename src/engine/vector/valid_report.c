// Why the Valid Count Generator cannot tell data from padding, in the words of the user's mappings.
// Manual: Valid Count Generator's Interface, How R Should Be Distributed.
#include "engine/vector/internal.h"

#include "base/checked.h"
#include "engine/stream/stream.h"
#include "engine/vector/digits.h"
#include "engine/vector/valid_count.h"

// The stream whose packets are tagged.
typedef struct {
    const Call *call;
    const Stage *entry;
    ValidCount count;
    const char *axis; // in quotes of ours; "padding" where it has no name
} Report;

static Str level_text(const Report *report, Level level)
{
    return report_dim(report->call->verify, report->entry->dims[level]);
}

static Diag *report_as(const Report *report, DiagCode code, const char *what)
{
    return diag_add(report->call->diags, code, report->call->stage->span,
                    "the padding of `{}` cannot be told from data: {}", report->axis, what);
}

static void note_levels(const Report *report, Diag *diag)
{
    if (report->count.problem == VALID_COUNT_CLUSTER)
        diag_note(diag, SPAN_NOWHERE, "Chip `{}`, Cluster `{}`", level_text(report, LEVEL_CHIP),
                  level_text(report, LEVEL_CLUSTER));
    diag_note(diag, report->entry->span, "Slice `{}`, Time `{}`, Packet `{}`",
              level_text(report, LEVEL_SLICE), level_text(report, LEVEL_TIME),
              level_text(report, LEVEL_PACKET));
}

static Diag *report_slice_packet(const Report *report)
{
    Diag *diag = report_as(report, DIAG_VALID_COUNT_SLICE_PACKET,
                           "it is in Slice and in Packet, and the lanes of a packet are counted "
                           "alike in all slices");
    if (report->count.axis)
        diag_note(diag, SPAN_NOWHERE,
                  "{} positions in packets of {} leave one packet with {}, in one slice only",
                  report->count.axis->size, report->count.lanes,
                  (report->count.axis->size % max_i64(report->count.lanes, 1)));
    diag_help(diag, "put the part of `{}` that is in Packet into Time, inside its part in Slice",
              report->axis);
    return diag;
}

static Diag *report_transposed(const Report *report)
{
    const ValidCount *count = &report->count;
    Diag *diag = report_as(report, DIAG_VALID_COUNT_TRANSPOSED,
                           "Slice counts inside Time, and Time has steps that are all padding");
    int64_t needed = ceil_div(count->valid, max_i64(count->slices, 1));
    diag_note(diag, SPAN_NOWHERE, "{} positions over {} slices take {} steps, and Time has {}",
              count->valid, count->slices, needed, count->steps);
    int64_t padded;
    bool whole = count->valid == count->axis->size; // not counted in larger steps
    if (whole && checked_mul(needed, count->slices, &padded))
        diag_help(diag, "pad to {}: `{} # {} % {}` in Slice, `{} # {} / {}` in Time", padded,
                  report->axis, padded, count->slices, report->axis, padded, count->slices);
    else
        diag_help(diag, "pad less, so that Time has exactly {} steps", needed);
    return diag;
}

static Diag *report_dims(const Report *report)
{
    const Machine *machine = report->call->machine;
    Diag *diag = diag_add(report->call->diags, DIAG_VALID_COUNT_DIMS, report->call->stage->span,
                          "{} axes of the stream are padded, and the Valid Count Generator follows "
                          "{}: one in Packet, {} others",
                          report->count.count, (machine->vcg_packet_dims + machine->vcg_gate_dims),
                          machine->vcg_gate_dims);
    diag_help(diag, "choose sizes so that fewer axes need padding");
    return diag;
}

static Diag *report_counters(const Report *report)
{
    Diag *diag = diag_add(report->call->diags, DIAG_VALID_COUNT_COUNTERS, report->call->stage->span,
                          "following the padding through Time `{}` takes {} counters, and the "
                          "Valid Count Generator has {}",
                          level_text(report, LEVEL_TIME), report->count.count,
                          report->call->machine->vcg_counters);
    diag_help(diag, "let parts of one axis stand side by side in Time");
    return diag;
}

static Diag *report_problem(const Report *report)
{
    const char *axis = report->axis;
    Diag *diag = NULL;
    switch (report->count.problem) {
    case VALID_COUNT_FOUND:
        break;
    case VALID_COUNT_SLICE_PACKET:
        return report_slice_packet(report);
    case VALID_COUNT_TRANSPOSED:
        return report_transposed(report);
    case VALID_COUNT_DIMS:
        return report_dims(report);
    case VALID_COUNT_COUNTERS:
        return report_counters(report);
    case VALID_COUNT_CLUSTER:
        diag = report_as(report, DIAG_VALID_COUNT_CLUSTER,
                         "it ends inside a chip or cluster, and all of these count alike");
        diag_help(diag, "keep the padded part out of Chip and Cluster");
        break;
    case VALID_COUNT_PACKET_OUTER:
        diag = report_as(report, DIAG_VALID_COUNT_PACKET_OUTER,
                         "the part of it in Packet is not its innermost one");
        diag_help(diag,
                  "put the innermost part, `{} .. % k`, into Packet and the outer part, `{} .. / "
                  "k`, into Time",
                  axis, axis);
        break;
    case VALID_COUNT_PACKET_MIXED:
        diag = report_as(report, DIAG_VALID_COUNT_PACKET_MIXED,
                         "other lanes lie among its lanes, and only the first lanes of a packet "
                         "can be valid");
        diag_help(diag, "leave Packet to `{}` alone, with padding outside it", axis);
        break;
    case VALID_COUNT_SLICE_ORDER:
        diag = report_as(report, DIAG_VALID_COUNT_SLICE_ORDER,
                         "its parts in Slice do not count upwards, so that valid slices lie "
                         "behind others");
        diag_help(diag, "order its parts in Slice by stride, the largest outermost");
        break;
    case VALID_COUNT_SLICE_BITS:
        diag = report_as(report, DIAG_VALID_COUNT_SLICE_BITS,
                         "it has no bits of the slice number to itself");
        diag_help(diag, "pad its part in Slice, and what lies inside it there, to powers of two");
        break;
    case VALID_COUNT_INTERLEAVED:
        diag = report_as(report, DIAG_VALID_COUNT_INTERLEAVED,
                         "its part in Slice lies between parts in Time, so that every slice ends "
                         "at another time step");
        diag_help(diag, "put the outer part of `{}` into Slice and all of the inner part into Time",
                  axis);
        break;
    case VALID_COUNT_TWICE:
        diag = report_as(report, DIAG_VALID_COUNT_TWICE,
                         "one part of Time is cut short by itself and by the end of the axis");
        diag_help(diag, "leave out the `=` that cuts a part of `{}` short", axis);
        break;
    case VALID_COUNT_COMPOSITE:
        diag =
            report_as(report, DIAG_VALID_COUNT_COMPOSITE, "it is padded together with other axes");
        diag_help(diag, "pad `{}` by itself, and cut it by itself", axis);
        break;
    }
    return diag;
}

static const char *name_of(const Call *call, const Atom *atom)
{
    Mapping mapping;
    if (!atom)
        return "1 # n";
    if (atom->name)
        return atom->name;
    mapping = mapping_of_atom(call->arena, atom);
    return str_terminated(call->arena, report_mapping(call->verify, &mapping));
}

// Leaves it with the stage that asked.
static void valid_count_keep(const Call *call, const ValidCount *count)
{
    Arena *arena = stage_arena(call->verify, call->stage);
    if (!arena)
        return;
    ValidCount *kept = arena_copy(arena, count, sizeof *count);
    kept->counters.items = arena_copy(arena, count->counters.items,
                                      (size_t)count->counters.count * sizeof(ValidCounter));
    kept->gates.items =
        arena_copy(arena, count->gates.items, (size_t)count->gates.count * sizeof(ValidGate));
    call->stage->facts->derived = kept;
}

void valid_count_verify(const Call *call, const Stage *entry, const Atom *axis)
{
    // two groups are interleaved in the stream that is tagged
    const Stage *tagged = entry->kind == STAGE_VECTOR_UNZIP ? entry->before : entry;
    if (!entry->sound || !vector_shape_is_sound(tagged))
        return;
    ValidCountRequest request = {
        .machine = call->machine, .dims = tagged->dims, .is_way4 = tagged->way4, .axis = axis};
    Report report = {.call = call, .entry = tagged};
    if (valid_count_derive(call->arena, &request, &report.count)) {
        valid_count_keep(call, &report.count);
        return;
    }
    report.axis = name_of(call, report.count.axis ? report.count.axis : axis);
    Diag *diag = report_problem(&report);
    note_levels(&report, diag);
    if (!axis)
        return;
    if (diag->severity != SEVERITY_ERROR)
        padding_verify_relaxed(call->verify, call->pass, call->stage);
    if (!padding_is_in_memory(call->verify, call->pass, call->stage))
        return;
    const char *op = vector_ops[call->stage->op].name;
    diag_note(diag, SPAN_NOWHERE,
              "padding that already holds the neutral element of {} needs no count; who relaxes "
              "`valid-count` says so",
              op);
    diag_note_typed(diag,
                    "padding that already holds the neutral element of {} needs no count; "
                    "--relax=valid-count says so",
                    op);
}
