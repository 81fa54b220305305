#include "engine/engine.h"

#include "engine/dma/dma.h"
#include "engine/memory/memory.h"
#include "engine/report.h"
#include "engine/stream/stream.h"
#include "engine/vector/vector.h"

#include <string.h>

static const Engine no_engine;

const Engine *engine_of(StageKind kind)
{
    static const Engine *const engines[STAGE_COUNT] = {
        [STAGE_INPUT] = &no_engine,
        [STAGE_BEGIN] = &begin_engine,
        [STAGE_BEGIN_INTERLEAVED] = &begin_engine,
        [STAGE_FETCH] = &fetch_engine,
        [STAGE_SWITCH] = &switch_engine,
        [STAGE_COLLECT] = &collect_engine,
        [STAGE_ALIGN] = &align_engine,
        [STAGE_CONTRACT] = &contract_engine,
        [STAGE_ACCUMULATE] = &accumulate_engine,
        [STAGE_CAST] = &cast_engine,
        [STAGE_TRANSPOSE] = &transpose_engine,
        [STAGE_COMMIT] = &commit_engine,
        [STAGE_COMMIT_VIEW] = &commit_engine,
        [STAGE_TO_TRF] = &trf_engine,
        [STAGE_TO_VRF] = &vrf_engine,
    };
    return engines[kind] ? engines[kind] : &vector_engine;
}

// ---- calls that are about to be written

bool engine_suggest(Proposal *proposal)
{
    const Engine *engine = engine_of(proposal->kind);
    bool found = !engine->suggest || engine->suggest(proposal);
    if (!found)
        proposal->known &= ~stages[proposal->kind].sets;
    return found;
}

bool proposal_has_stream(const Proposal *proposal)
{
    return proposal->known & 1U << LEVEL_TIME && proposal->known & 1U << LEVEL_PACKET;
}

void proposal_set(Proposal *proposal, Level level, Mapping mapping)
{
    proposal->dims[level] = mapping;
    proposal->known |= 1U << level;
}

int64_t proposal_length(const Proposal *proposal, int64_t bytes)
{
    return proposal->type == SCALAR_COUNT ? 0
                                          : bytes * 8 / scalar_traits[proposal->type].packet_bits;
}

// ---- what verification leaves with a stage

const StageFacts *stage_facts(const Stage *stage, const Machine *machine)
{
    const StageFacts *facts = stage->facts;
    const Machine *known = facts ? facts->machine : NULL;
    bool same = known == machine || (known && memcmp(known, machine, sizeof *machine) == 0);
    return known && same ? facts : NULL;
}

const void *stage_derived(const Stage *stage, const Machine *machine)
{
    const StageFacts *facts = stage_facts(stage, machine);
    return facts ? facts->derived : NULL;
}

Arena *stage_arena(const Verify *verify, const Stage *stage)
{
    return stage->facts ? verify->kept : NULL;
}

// ---- the rules about stages

void stage_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    const Engine *engine = engine_of(stage->kind);
    int64_t count = verify->diags->count;
    if (!pass_verify(verify, pass, stage))
        return;
    if (engine->verify)
        engine->verify(verify, pass, stage);
    if (verify->diags->count == count)
        pass_verify_overlap(verify, stage);
}

// What one command cannot do stays with the stage. True: nothing else is wrong.
static bool keep_limits(const Verify *verify, const Stage *stage, const DiagList *found)
{
    DiagList *limits = &stage->facts->limits;
    bool only_limits = true;
    *limits = (DiagList){.arena = verify->kept};
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->of_command)
            report_as_is(limits, found->items[i]);
        else
            only_limits &= found->items[i]->severity != SEVERITY_ERROR;
    return only_limits;
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
    bool held = keep_limits(verify, stage, &found);
    for (int64_t i = 0; i < found.count; i++)
        if (!held || !found.items[i]->of_command)
            report_as_is(verify->diags, found.items[i]);
    if (stage->position == POSITION_SINK && stage->before && stage->before->sound && held)
        split_verify(verify, pass);
}

static void verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    const Engine *engine = engine_of(stage->kind);
    if (engine->verify_place)
        engine->verify_place(verify, pass, stage);
    pass_verify_units(verify, pass, stage);
}

// ---- the rules about the rest

// The chapter writes a broadcast stream back, which a bare sequencer can do; it is the Commit
// Engine that refuses it. Manual: Sequencer, Examples.
static bool is_refused(const DiagList *found)
{
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->code != DIAG_SEQUENCE_WRITE_BROADCAST)
            return true;
    return false;
}

// The bare sequencer, without the rules of an engine. Manual: Sequencer.
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

static bool is_sound(const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++)
        if (!pass->stages.items[i]->sound)
            return false;
    return pass->stages.count > 0;
}

// Of passes without a sink: what they are beyond of, no sink makes good.
static void verify_program(const Verify *verify, const Program *program)
{
    for (int64_t i = 0; i < program->open.count; i++)
        if (is_sound(program->open.items[i]) && verify->rules == RULES_CONTRA)
            split_verify(verify, program->open.items[i]);
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
