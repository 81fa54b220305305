// The stash: one snapshot of the stream, to be read as an operand later.
// Manual: Intra-Slice Block, Stash; Two-Group Mode.
#include "engine/vector/internal.h"

#include "mapping/divide.h"

// ---- taking it

// Behind a zip there is no stash for the rest of the block. The reference library has one again
// after the next ordinary operation.
static bool comes_from_pair(const Call *call)
{
    if (call->is_reference || call->from->zipped)
        return call->from->zipped;
    return vector_last_of_kind(call->from, STAGE_VECTOR_UNZIP) != NULL;
}

static bool is_stashable(const VectorStageInfo *info)
{
    return info->stashable;
}

static void report_stage(const Call *call)
{
    VectorStage at = call->from->vector_stage;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_STASH_STAGE, call->stage->span,
                          "the stream cannot be stashed in stage {}", vector_stages[at].name);
    diag_help(diag, "stash it in one of {}", vector_stage_words(call, is_stashable));
}

static void report_second(const Call *call)
{
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_STASH_TWICE, call->stage->span,
                          "there is one stash a pass, and it is taken");
    const Stage *first = vector_last_of_kind(call->from, STAGE_VECTOR_STASH);
    if (first)
        diag_note(diag, first->span, "it is taken here");
    diag_help(diag, "commit the second value, and load it into VRF for a pass of its own");
}

static void report_converted(const Call *call)
{
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_STASH_TYPE, call->stage->span,
                          "the stash of the reference library holds only {}, the type that "
                          "entered; the stream is now {}",
                          scalar_name(call->from->stash_type), scalar_name(call->from->type));
    diag_help(diag, "stash before the conversion; the hardware can also stash after it");
}

void vector_stash_verify(const Call *call)
{
    const Stage *from = call->from;
    if (comes_from_pair(call)) {
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_STASH_ZIPPED, call->stage->span,
                              "a stream that was a pair of groups cannot be stashed");
        diag_help(diag, "commit it, and stash it in a pass of its own");
    }
    if (!vector_stages[from->vector_stage].stashable)
        report_stage(call);
    if (from->has_stash)
        report_second(call);
    else if (call->is_reference && from->type != from->stash_type)
        report_converted(call);
}

// ---- reading it

static void report_empty(const Call *call, Span span)
{
    if (call->is_reference)
        return; // the operand does nothing there
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_STASH_EMPTY, span, "there is no stash to read");
    if (vector_is_pair(call->from))
        diag_help(diag, "a pair has no stash: use a constant or a VRF tensor");
    else
        diag_help(diag, "call vector_stash() where the value is in the stream");
}

// The snapshot keeps its own mapping; what has been reduced since is not in the stream any more.
static void verify_shape(const Call *call, Span span)
{
    const Stage *taken = vector_last_of_kind(call->from, STAGE_VECTOR_STASH);
    if (!taken || !vector_shape_is_sound(call->from))
        return;
    Mapping now = shape_of(call->arena, call->from->dims);
    Mapping then = shape_of(call->arena, taken->dims);
    if (mapping_divide(call->arena, &now, &then, DIVIDE_RELAXED, 1).exact)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_STASH_SHAPE, span,
                          "the stash holds axes that the stream does not hold any more");
    diag_note(diag, taken->span, "stashed with Time `{}`, Packet `{}`",
              report_dim(call->verify, taken->dims[LEVEL_TIME]),
              report_dim(call->verify, taken->dims[LEVEL_PACKET]));
    diag_note(diag, SPAN_NOWHERE, "the stream is Time `{}`, Packet `{}` here",
              report_dim(call->verify, call->from->dims[LEVEL_TIME]),
              report_dim(call->verify, call->from->dims[LEVEL_PACKET]));
    diag_help(diag, "read the stash before the reduction, or commit the result and combine the two "
                    "in another pass");
}

void vector_stash_read_verify(const Call *call, Span span)
{
    const Stage *from = call->from;
    if (!from->has_stash) {
        report_empty(call, span);
        return;
    }
    if (from->stash_type != from->type) {
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_STASH_READ_TYPE, span,
                              "the stash holds {}, and the stream is {}",
                              scalar_name(from->stash_type), scalar_name(from->type));
        diag_help(diag, "read it before the conversion, or behind the one that leads back");
        return;
    }
    verify_shape(call, span);
}

// The reference library reads the stash in every ternary operation, needed or not.
void vector_ternary_verify(const Call *call)
{
    const Stage *from = call->from;
    if (!call->is_reference || vector_is_pair(from))
        return;
    if (from->stash_type != SCALAR_F32) {
        Diag *diag = diag_add(
            call->diags, DIAG_VECTOR_STASH_TERNARY, call->stage->span,
            "the reference library cannot run vector_fp_ternary on a stream that entered as {}",
            scalar_name(from->stash_type));
        diag_help(diag, "the hardware can: check with all rules of the manual");
        diag_help_typed(diag, "the hardware can: check with --rules=all");
    } else if (from->has_stash) {
        verify_shape(call, call->stage->span);
    }
}
