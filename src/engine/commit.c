// A commit walks Element by Time and Packet, as a fetch does, but it writes: nothing twice, nothing
// outside, in words of 8 bytes. Of each flit it keeps the start.
#include "engine/commit.h"

#include "base/checked.h"
#include "engine/move.h"
#include "engine/place.h"
#include "engine/report.h"
#include "engine/sequencer.h"
#include "engine/shape.h"

#include <inttypes.h>

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
    Diag *diag =
        diag_add(verify->diags, DIAG_SEQUENCE_COMMIT_IN, stage->span,
                 "commit writes %" PRId64 " bytes per packet; the Commit Engine writes %.*s", bytes,
                 STR_ARG(report_list(verify, sizes)));
    diag_label(diag, "Element `%.*s` of %s", STR_ARG(report_dim(verify, element)),
               scalar_name(commit_tensor(stage)->type));
    for (int64_t i = 0; i < sizes->count; i++) {
        if (sizes->values[i] < bytes ||
            !scalar_length(commit_tensor(stage)->type, sizes->values[i], &length))
            continue;
        if (steps == 1)
            report_rewrite(verify, diag, element, report_padded(verify, element, length),
                           "pad the Element:");
        else
            diag_help(diag, "pad the innermost part of Element to %" PRId64 " elements", length);
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
    StrBuf term = {.arena = verify->arena};
    term_print(&term, &left.items[0].term, left.items[0].resize);
    Diag *diag = diag_add(verify->diags, DIAG_COMMIT_UNFILLED, stage->span,
                          "Element `%.*s` has `%.*s`, which the stream does not bring",
                          STR_ARG(report_dim(verify, element_of(stage))), STR_ARG(buf_str(&term)));
    report_stream(verify, diag, stage->before);
    diag_help(diag, "leave it out of Element, or fetch it into the stream");
}

static void report_time(const Verify *verify, const Stage *stage)
{
    Diag *diag = diag_add(verify->diags, DIAG_COMMIT_TIME, stage->span,
                          "the outer part of Element `%.*s` is not Time `%.*s` in another order",
                          STR_ARG(report_dim(verify, element_of(stage))),
                          STR_ARG(report_dim(verify, stage->before->dims[LEVEL_TIME])));
    diag_help(diag, "Element has every axis of Time, padded alike, and inside them the packet");
}

// Time is the outer part of Element as it stands.
static bool steps_in_order(const Verify *verify, const Mapping *element, const Mapping *time)
{
    if (element->size % time->size)
        return false;
    Mapping outer, inner;
    mapping_split(verify->arena, element, element->size / time->size, &outer, &inner);
    return mapping_equal(verify->arena, &outer, time) == MAPPINGS_EQUAL;
}

// An axis of Time has as many places in Element as in Time, padding included: the sequencer counts
// steps, and a step of padding is written like any other. In a tile what looks like padding is the
// rest of the tensor, which Time need not step over.
// Manual: Commit Engine, Commit Sequencer; Fetch and Commit Engine, Example 3.
static void verify_padding(const Verify *verify, const Stage *stage)
{
    const Dim *element = element_of(stage), *time = stage->before->dims[LEVEL_TIME];
    Arena *arena = verify->arena;
    Mapping places = mapping_strip(&element->mapping), walked = mapping_strip(&time->mapping);
    // padding round everything, alike in both, belongs to no axis, whichever is the outermost
    bool alike = element->mapping.size % places.size == 0 &&
                 time->mapping.size % walked.size == 0 &&
                 element->mapping.size / places.size == time->mapping.size / walked.size;
    if (!alike) {
        places = element->mapping;
        walked = time->mapping;
    }
    Division division = mapping_divide(arena, &places, &walked, DIVIDE_RELAXED, 1);
    PlacedTerms inside = shape_terms(arena, &places);
    PlacedTerms steps = shape_terms(arena, &walked);
    bool is_tile = stage->target && stage->target->tiles.count;
    if (steps_in_order(verify, &element->mapping, &time->mapping))
        return;
    for (int64_t i = 0; i < division.found; i++) {
        const Match *match = &division.matches.items[i];
        int64_t wanted = shape_extent(&steps, match->divisor_stride, match->resize);
        int64_t room = shape_extent(&inside, match->dividend_stride, match->extent);
        if (wanted == room || (is_tile && wanted == match->extent))
            continue;
        Diag *diag = diag_add(
            verify->diags, DIAG_COMMIT_TIME, stage->span,
            "`%.*s` has %" PRId64 " places in Time `%.*s` and %" PRId64 " in Element `%.*s`",
            STR_ARG(report_match(verify, match)), wanted, STR_ARG(report_dim(verify, time)), room,
            STR_ARG(report_dim(verify, element)));
        diag_help(diag, "pad it alike in both");
        return;
    }
    if (!is_tile && element->mapping.size % time->mapping.size)
        report_time(verify, stage);
}

SequenceRequest commit_sequence(const Machine *machine, const Pass *pass, const Stage *stage)
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
    SequenceRequest request = commit_sequence(verify->machine, pass, stage);
    if (!sequencer_derive(verify->arena, &request, &found, &sequence)) {
        report_sequence(verify, stage, &found, &sequence);
        return;
    }
    verify_filled(verify, stage, &sequence);
    verify_padding(verify, stage);
}

// ---- as the reference library has it

static bool divides(const Verify *verify, const Mapping *dividend, const Mapping *divisor)
{
    return mapping_divide(verify->arena, dividend, divisor, DIVIDE_RELAXED, 1).exact;
}

static void report_prefix(const Verify *verify, const Stage *stage, const Mapping *inner)
{
    Diag *diag = diag_add(verify->diags, DIAG_COMMIT_PREFIX, stage->span,
                          "commit writes the start of each packet `%.*s`; Element ends with `%.*s`",
                          STR_ARG(report_dim(verify, stage->before->dims[LEVEL_PACKET])),
                          STR_ARG(report_mapping(verify, inner)));
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
                 "the packet `%.*s` of %s has %" PRId64 " bytes; the Commit Engine takes flits of "
                 "%" PRId64,
                 STR_ARG(report_dim(verify, packet)), scalar_name(before->type), bytes, flit);
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

void commit_verify(const Verify *verify, const Pass *pass, const Stage *stage)
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
void commit_verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
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
        Diag *diag =
            diag_add(verify->diags, DIAG_SEQUENCE_SUB_BYTE, stage->span,
                     "the tile starts at element %" PRId64 " of %s, in the middle of a byte",
                     offset.value, scalar_name(tensor->type));
        diag_help(diag, "let the tile start on a multiple of %" PRId64 " bytes", word);
        return;
    }
    if (!checked_add(start, tensor->address.value, &start) || start % word == 0)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_COMMIT_STRIDE, stage->span,
                          "the commit starts at byte %.*s, which is not a multiple of %" PRId64,
                          STR_ARG(report_address_text(verify, tensor, start)), word);
    int64_t above;
    Str below = report_address_text(verify, tensor, start / word * word);
    if (stage->target)
        diag_help(diag, "let the tile start on a multiple of %" PRId64 " bytes", word);
    else if (checked_round_up(start, word, &above))
        diag_help(diag, "commit at %.*s or %.*s", STR_ARG(below),
                  STR_ARG(report_address_text(verify, tensor, above)));
    else
        diag_help(diag, "commit at %.*s", STR_ARG(below));
}
