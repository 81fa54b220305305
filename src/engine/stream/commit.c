// A commit walks Element by Time and Packet, as a fetch does, but it writes: nothing twice, nothing
// outside, in words of 8 bytes. Of each flit it keeps the start.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/lower/mask.h"
#include "engine/lower/record.h"
#include "engine/report.h"
#include "engine/shape.h"

// ---- where to

const Tensor *commit_tensor(const Stage *stage)
{
    return stage->target ? stage->target->tensor : stage->result;
}

const Dim *const *commit_dims(const Stage *stage)
{
    return stage->target ? stage->target->dims : stage->result->dims;
}

static const Dim *element_of(const Stage *stage)
{
    return commit_dims(stage)[LEVEL_ELEMENT];
}

// ---- what of each packet

static void report_commit_in(const Verify *verify, const Stage *stage, int64_t bytes)
{
    const MachineList *sizes = &verify->machine->commit_in_sizes;
    const Dim *element = element_of(stage);
    int64_t steps = stage->before->dims[LEVEL_TIME]->mapping.size, length;
    Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_COMMIT_IN, stage->span,
                          "commit writes {} bytes per packet; the Commit Engine writes {}", bytes,
                          list_text(verify->arena, sizes));
    diag_label(diag, "Element `{}` of {}", report_dim(verify, element),
               scalar_name(commit_tensor(stage)->type));
    for (int64_t i = 0; i < sizes->count; i++) {
        if (sizes->values[i] < bytes ||
            !scalar_length(commit_tensor(stage)->type, sizes->values[i], &length))
            continue;
        if (steps == 1)
            report_rewrite(verify, diag, element, report_padded(verify, element, length),
                           "pad the Element:");
        else
            diag_help(diag, "pad the innermost part of Element to {} elements", length);
        return;
    }
}

// Element shared out among the steps of Time. Manual: Commit Engine, Truncating.
static bool verify_commit_in(const Verify *verify, const Stage *stage)
{
    int64_t size = element_of(stage)->mapping.size, bytes;
    int64_t steps = stage->before->dims[LEVEL_TIME]->mapping.size;
    if (size % steps || !scalar_bytes(commit_tensor(stage)->type, size / steps, &bytes) ||
        machine_list_has(&verify->machine->commit_in_sizes, bytes))
        return true;
    report_commit_in(verify, stage, bytes);
    return false;
}

// ---- the sequencer

// The sequencer counts what is left of a packet by its loops; the padding that would make it fit is
// for the call to say.
static void report_sequence(const Verify *verify, const Stage *stage, const DiagList *found,
                            const Sequence *sequence)
{
    DiagList rest = {.arena = verify->arena};
    for (int64_t i = 0; i < found->count; i++) {
        if (found->items[i]->code == DIAG_SEQUENCE_COMMIT_IN)
            report_commit_in(verify, stage, sequence->commit_in_bytes);
        else
            *array_push(verify->arena, &rest, Diag *) = found->items[i];
    }
    report_again(verify, &rest, stage->span);
}

// Every place of Element is written. Manual: Commit Engine, Interface ("a logical tensor move").
static void verify_filled(const Verify *verify, const Stage *stage, const Sequence *sequence)
{
    PlacedTerms left = shape_terms(verify->arena, &sequence->buffer_after);
    if (!left.count)
        return;
    Str term = shape_term_text(verify->arena, &left.items[0].term, left.items[0].resize);
    Diag *diag = diag_add(verify->diags, DIAG_COMMIT_UNFILLED, stage->span,
                          "Element `{}` has `{}`, which the stream does not bring",
                          report_dim(verify, element_of(stage)), term);
    report_stream(verify, diag, stage->before);
    diag_help(diag, "leave it out of Element, or fetch it into the stream");
}

static void report_time(const Verify *verify, const Stage *stage)
{
    Diag *diag = diag_add(verify->diags, DIAG_COMMIT_TIME, stage->span,
                          "the outer part of Element `{}` is not Time `{}` in another order",
                          report_dim(verify, element_of(stage)),
                          report_dim(verify, stage->before->dims[LEVEL_TIME]));
    diag_help(diag, "Element has every axis of Time, padded alike, and inside them the packet");
}

// Element has no more of an axis than Time has. It may pad the axis further: the strides of the
// sequencer step over that padding. The sequencer checks that steps of padding stay inside Element.
// Manual: Commit Engine, Commit Sequencer.
static void verify_brought(const Verify *verify, const Stage *stage)
{
    const Dim *element = element_of(stage), *time = stage->before->dims[LEVEL_TIME];
    Division division =
        mapping_divide(verify->arena, &element->mapping, &time->mapping, DIVIDE_RELAXED, 1);
    for (int64_t i = 0; i < division.found; i++) {
        const Match *match = &division.matches.items[i];
        if (match->extent <= match->resize)
            continue;
        Str axis = shape_term_text(verify->arena, &match->term, match->extent);
        Diag *diag = diag_add(verify->diags, DIAG_COMMIT_TIME, stage->span,
                              "Time `{}` has only {} of the {} steps of `{}` that Element `{}` has",
                              report_dim(verify, time), match->resize, match->extent, axis,
                              report_dim(verify, element));
        diag_help(diag, "put all of it into Time, or commit to a tile of a tensor");
        return;
    }
}

// What the sequencer of a commit is asked for.
static SequenceRequest commit_request(const Machine *machine, const Pass *pass, const Stage *stage)
{
    return (SequenceRequest){
        .machine = machine,
        .engine = SEQUENCE_COMMIT,
        .context = pass->context,
        .buffer = element_of(stage)->expr,
        .time = stage->before->dims[LEVEL_TIME]->expr,
        .packet = stage->before->dims[LEVEL_PACKET]->expr,
        .type = stage->before->type,
        .cast = stage->before->type,
    };
}

// Manual: Commit Engine, Commit Sequencer, Constraints.
static void verify_sequence(const Verify *verify, const Pass *pass, const Stage *stage)
{
    DiagList found = {.arena = verify->arena};
    Sequence sequence = {0};
    SequenceRequest request = commit_request(verify->machine, pass, stage);
    if (!sequencer_derive(verify->arena, &request, &found, &sequence)) {
        report_sequence(verify, stage, &found, &sequence);
        return;
    }
    sequence_keep(verify, stage, &sequence);
    verify_filled(verify, stage, &sequence);
    verify_brought(verify, stage);
}

// ---- as the reference library has it

static bool divides(const Verify *verify, const Mapping *dividend, const Mapping *divisor)
{
    return mapping_divide(verify->arena, dividend, divisor, DIVIDE_RELAXED, 1).exact;
}

static void report_prefix(const Verify *verify, const Stage *stage, const Mapping *inner)
{
    Diag *diag = diag_add(verify->diags, DIAG_COMMIT_PREFIX, stage->span,
                          "commit writes the start of each packet `{}`; Element ends with `{}`",
                          report_dim(verify, stage->before->dims[LEVEL_PACKET]),
                          report_mapping(verify, inner));
    report_stream(verify, diag, stage->before);
    diag_help(diag, "let Element end as the packet begins, or reorder in fetch");
}

static bool verify_reference_packet(const Verify *verify, const Stage *stage)
{
    const Stage *before = stage->before;
    const Dim *packet = before->dims[LEVEL_PACKET];
    int64_t bytes, flit = verify->machine->commit_input_bytes;
    if (!report_bytes(verify, stage, before->type, packet, &bytes))
        return false;
    if (bytes != flit)
        diag_add(verify->diags, DIAG_SEQUENCE_COMMIT_PACKET, stage->span,
                 "the packet `{}` of {} has {} bytes; the Commit Engine takes flits of {}",
                 report_dim(verify, packet), scalar_name(before->type), bytes, flit);
    return bytes == flit;
}

// The checks in the order of the reference library; the move at the end refuses to drop data that
// the rule before it would let a commit truncate.
static void verify_reference(const Verify *verify, const Stage *stage)
{
    Arena *arena = verify->arena;
    const Stage *before = stage->before;
    const Mapping *element = &element_of(stage)->mapping,
                  *time = &before->dims[LEVEL_TIME]->mapping;
    if (!verify_reference_packet(verify, stage))
        return;
    if (element->size % time->size) {
        report_time(verify, stage);
        return;
    }
    Mapping outer, inner;
    mapping_split(arena, element, element->size / time->size, &outer, &inner);
    bool steps = divides(verify, &outer, time) && divides(verify, time, &outer);
    if (!steps)
        report_time(verify, stage);
    bool sized = verify_commit_in(verify, stage);
    bool prefix =
        mapping_is_prefix(arena, &inner, &before->dims[LEVEL_PACKET]->mapping) == MAPPINGS_EQUAL;
    if (!prefix)
        report_prefix(verify, stage, &inner);
    if (!steps || !sized || !prefix)
        return;
    Mapping from = shape_of(arena, before->dims), to = shape_of(arena, commit_dims(stage));
    move_verify(verify, stage->span, DIAG_COMMIT_DROPS, MOVE_EXACT, &from, &to);
}

// ---- all of it

static void commit_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    if (!stage->before->sound) {
        verify_commit_in(verify, stage);
        return;
    }
    place_verify(verify, stage, DIAG_COMMIT_SHAPE, commit_tensor(stage)->type, commit_dims(stage));
    if (verify->rules == RULES_REFERENCE)
        verify_reference(verify, stage);
    else
        verify_sequence(verify, pass, stage);
}

// Writes are whole words, and start on one. Manual: Commit Engine, Constraints; Fetch and Commit
// Engine, Example 1 ("8-byte alignment").
static void commit_verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Tensor *tensor = commit_tensor(stage);
    MaybeInt offset =
        stage->target ? stage->target->offsets[LEVEL_ELEMENT] : (MaybeInt){.known = true};
    int64_t start, word = verify->machine->commit_word_bytes;
    bool known = tensor->address.known && offset.known && verify->rules == RULES_CONTRA;
    known &= tensor->sound; // else it was said of the tensor
    if (!known)
        return;
    if (!scalar_bytes(tensor->type, offset.value, &start)) {
        Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_SUB_BYTE, stage->span,
                              "the tile starts at element {} of {}, in the middle of a byte",
                              offset.value, scalar_name(tensor->type));
        diag_help(diag, "let the tile start on a multiple of {} bytes", word);
        return;
    }
    if (!checked_add(start, tensor->address.value, &start) || start % word == 0)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_COMMIT_STRIDE, stage->span,
                          "the commit starts at byte {}, which is not a multiple of {}",
                          report_address_text(verify, tensor, start), word);
    int64_t above;
    Str below = report_address_text(verify, tensor, start / word * word);
    if (stage->target)
        diag_help(diag, "let the tile start on a multiple of {} bytes", word);
    else if (checked_round_up(start, word, &above))
        diag_help(diag, "commit at {} or {}", below, report_address_text(verify, tensor, above));
    else
        diag_help(diag, "commit at {}", below);
}

// ---- lowering

// Somebody wrote a tile: padding round what it has are other elements of the tensor.
static bool is_tile(const View *target)
{
    for (int64_t i = 0; target && i < target->tiles.count; i++)
        if (!target->tiles.items[i].is_split)
            return true;
    return false;
}

static bool commit_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwPipeline *out)
{
    const Tensor *tensor = commit_tensor(stage);
    int64_t address;
    Sequence derived;
    if (!address_lower(lower, tensor, stage->target, stage->span, &address))
        return false;
    SequenceRequest request = commit_request(lower->machine, pass, stage);
    const Sequence *sequence = stage_derived(stage, lower->machine);
    if (!sequence && !sequencer_derive(lower->scratch, &request, lower->diags, &derived))
        return false;
    sequence = sequence ? sequence : &derived;
    HwCommit *commit = arena_new(lower->arena, HwCommit, 1);
    out->commit = commit;
    *commit = (HwCommit){
        .type = tensor->type,
        .nest = nest_lower(lower, sequence, tensor->type, address),
        .commit_in_size = sequence->commit_in_bytes,
        .writes_per_packet = sequence->accesses_per_packet,
        .contiguous_bytes = sequence->contiguous_bytes,
        .time = stage->before->dims[LEVEL_TIME]->mapping.size,
    };
    mask_commit(lower, stage, is_tile(stage->target), commit);
    LiveChecks checks = mask_checks(lower->scratch, stage->before, stage->target);
    live_lower_all(lower, &checks, &commit->data);
    return true;
}

// The padding of a packet is left out, as far as whole writes allow.
static bool commit_suggest(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    const Mapping *time = &proposal->dims[LEVEL_TIME], *whole = &proposal->dims[LEVEL_PACKET];
    const MachineList *sizes = &proposal->machine->commit_in_sizes;
    Mapping packet;
    int64_t bytes;
    proposal->refused = proposal->known & 1U << LEVEL_PACKET && proposal->type != SCALAR_COUNT &&
                        scalar_bytes(proposal->type, whole->size, &bytes) &&
                        bytes != proposal->machine->commit_input_bytes;
    for (int64_t i = 0; proposal_has_stream(proposal) && i < sizes->count; i++)
        if (shape_pad(arena, whole, proposal_length(proposal, sizes->values[i]), &packet)) {
            proposal_set(proposal, LEVEL_ELEMENT, mapping_pair(arena, time, &packet));
            break;
        }
    return true;
}

const Engine commit_engine = {
    .name = "Commit Engine",
    .manual = "Commit Engine",
    .verify = commit_verify,
    .verify_place = commit_verify_place,
    .suggest = commit_suggest,
    .lower = commit_lower,
};
