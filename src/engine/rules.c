// Which rules hold for which stage. The rules themselves stand with their engines.
#include "engine/rules.h"

#include "engine/dma/dma.h"
#include "engine/lower/split.h"
#include "engine/memory/overlap.h"
#include "engine/memory/reshape.h"
#include "engine/memory/tensor.h"
#include "engine/memory/tile.h"
#include "engine/report.h"
#include "engine/sequencer.h"
#include "engine/stream/align.h"
#include "engine/stream/cast.h"
#include "engine/stream/collect.h"
#include "engine/stream/commit.h"
#include "engine/stream/contract.h"
#include "engine/stream/fetch.h"
#include "engine/stream/pass.h"
#include "engine/stream/switch.h"
#include "engine/stream/transpose.h"
#include "engine/stream/trf.h"
#include "engine/stream/vrf.h"
#include "engine/vector/vector.h"
#include "program/build.h"

// ---- the bare sequencer

// The bare sequencer, without the rules of an engine. Manual: Sequencer.

typedef void StageRule(const Verify *verify, const Pass *pass, const Stage *stage);

static void nothing_to_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)verify, (void)pass, (void)stage;
}

typedef struct {
    StageRule *verify; // mappings, types, configuration. NULL: a stage of the Vector Engine
    StageRule *place;  // addresses and values. NULL: none matter
} StageRules;

static const StageRules stage_rules[STAGE_COUNT] = {
    [STAGE_INPUT] = {.verify = nothing_to_verify},
    [STAGE_BEGIN] = {begin_verify, begin_verify_place},
    [STAGE_BEGIN_INTERLEAVED] = {begin_verify, begin_verify_place},
    [STAGE_FETCH] = {fetch_verify, fetch_verify_place},
    [STAGE_SWITCH] = {.verify = switch_verify},
    [STAGE_COLLECT] = {.verify = collect_verify},
    [STAGE_ALIGN] = {.verify = align_verify},
    [STAGE_CONTRACT] = {.verify = contract_verify},
    [STAGE_ACCUMULATE] = {.verify = accumulate_verify},
    [STAGE_CAST] = {.verify = cast_verify},
    [STAGE_TRANSPOSE] = {.verify = transpose_verify},
    [STAGE_COMMIT] = {commit_verify, commit_verify_place},
    [STAGE_COMMIT_VIEW] = {commit_verify, commit_verify_place},
    [STAGE_TO_TRF] = {.verify = to_trf_verify},
    [STAGE_TO_VRF] = {to_vrf_verify, to_vrf_verify_place},
};

void stage_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    StageRule *rule = stage_rules[stage->kind].verify;
    int64_t count = verify->diags->count;
    if (!pass_verify(verify, pass, stage))
        return;
    (rule ? rule : vector_verify)(verify, pass, stage);
    if (verify->diags->count == count)
        pass_verify_overlap(verify, stage);
}

// Nothing is wrong but that one command cannot do it.
static bool is_beyond_limits(const DiagList *found)
{
    int64_t limits = 0, errors = 0;
    for (int64_t i = 0; i < found->count; i++) {
        bool limit = found->items[i]->of_command;
        limits += limit;
        errors += !limit && found->items[i]->severity == SEVERITY_ERROR;
    }
    return limits > 0 && errors == 0;
}

// Limits of one command are for the whole pass to meet, in several commands or one: they are looked
// at where it ends.
static void verify_stage(const Verify *verify, const Pass *pass, const Stage *stage)
{
    if (verify->rules == RULES_REFERENCE) {
        stage_verify(verify, pass, stage);
        return;
    }
    DiagList found = {.arena = verify->arena, .treatments = verify->diags->treatments};
    Verify alone = *verify;
    alone.diags = &found;
    stage_verify(&alone, pass, stage);
    bool held = is_beyond_limits(&found);
    for (int64_t i = 0; i < found.count; i++)
        stage->facts->has_limits |= found.items[i]->of_command;
    for (int64_t i = 0; i < found.count; i++)
        if (!held || !found.items[i]->of_command)
            report_as_is(verify, found.items[i]);
    if (stage->position == POSITION_SINK && stage->before && stage->before->sound &&
        (held || !found.error_count))
        split_verify(verify, pass);
}

static void verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    StageRule *rule = stage_rules[stage->kind].place;
    if (rule)
        rule(verify, pass, stage);
    pass_verify_units(verify, pass, stage);
}

// Passes without a sink: what they are beyond of, no sink makes good.
static void verify_open(const Verify *verify, const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++)
        if (!pass->stages.items[i]->sound)
            return;
    if (pass->stages.count && verify->rules == RULES_CONTRA)
        split_verify(verify, pass);
}

// The chapter writes a broadcast stream back, which a bare sequencer can do; it is the Commit
// Engine that refuses it. Manual: Sequencer, Examples.
static bool is_refused(const DiagList *found)
{
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->code != DIAG_SEQUENCE_WRITE_BROADCAST)
            return true;
    return false;
}

static void walk_verify(const Verify *verify, const Walk *walk)
{
    DiagList found = {.arena = verify->arena};
    Sequence sequence;
    SequenceRequest request = {
        .machine = verify->machine,
        .engine = walk->writes ? SEQUENCE_WRITE : SEQUENCE_READ,
        .context = CONTEXT_MAIN,
        .buffer = walk->buffer->expr,
        .time = walk->time->expr,
        .packet = walk->packet->expr,
        .type = walk->type,
        .cast = walk->type,
    };
    sequencer_derive(verify->arena, &request, &found, &sequence);
    if (is_refused(&found))
        report_again(verify, &found, walk->span);
}

static void verify_program(const Verify *verify, const Program *program)
{
    for (int64_t i = 0; i < program->open.count; i++)
        verify_open(verify, program->open.items[i]);
    memory_verify(verify, program);
}

const Rules engine_rules = {
    .tensor = tensor_verify,
    .tile = tile_verify,
    .reshape = reshape_verify,
    .stage = verify_stage,
    .place = verify_place,
    .op = dma_verify,
    .walk = walk_verify,
    .program = verify_program,
};
