// Which rules hold for which stage. The rules themselves stand with their engines.
#include "engine/rules.h"

#include "engine/align.h"
#include "engine/cast.h"
#include "engine/collect.h"
#include "engine/commit.h"
#include "engine/dma.h"
#include "engine/fetch.h"
#include "engine/memory.h"
#include "engine/pass.h"
#include "engine/reduce.h"
#include "engine/reshape.h"
#include "engine/switch_.h"
#include "engine/tensor.h"
#include "engine/tile.h"
#include "engine/transpose.h"
#include "engine/trf.h"
#include "engine/vector/vector.h"
#include "engine/vrf.h"
#include "engine/walk.h"

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

static void verify_stage(const Verify *verify, const Pass *pass, const Stage *stage)
{
    StageRule *rule = stage_rules[stage->kind].verify;
    int64_t count = verify->diags->count;
    if (!pass_verify(verify, pass, stage))
        return;
    (rule ? rule : vector_verify)(verify, pass, stage);
    if (verify->diags->count == count)
        pass_verify_overlap(verify, stage);
}

static void verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    StageRule *rule = stage_rules[stage->kind].place;
    if (rule)
        rule(verify, pass, stage);
    pass_verify_units(verify, pass, stage);
}

const Rules engine_rules = {
    .tensor = tensor_verify,
    .tile = tile_verify,
    .reshape = reshape_verify,
    .stage = verify_stage,
    .place = verify_place,
    .op = dma_verify,
    .walk = walk_verify,
    .program = memory_verify,
};
