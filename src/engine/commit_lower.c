#include "engine/commit.h"
#include "engine/live.h"
#include "engine/lower.h"
#include "engine/mask.h"
#include "engine/nest.h"
#include "engine/units.h"

// Slices that are padding of the tensor hold nothing that could be written.
static void bitmaps_lower(const Lower *lower, const Stage *stage, HwCommit *out)
{
    const Dim *const *dims = commit_dims(stage);
    const Dim *places[LEVEL_COUNT] = {[LEVEL_CHIP] = dims[LEVEL_CHIP],
                                      [LEVEL_CLUSTER] = dims[LEVEL_CLUSTER],
                                      [LEVEL_SLICE] = dims[LEVEL_SLICE]};
    Mapping shape = shape_of(lower->scratch, places);
    LiveChecks checks = live_checks(lower->scratch, &shape, NULL, 0);
    Units units = units_of(dims, stage->target);
    bool *marks = live_marks(lower->scratch, &checks, units_count(&units));
    units_bitmaps(lower->arena, &units, marks, &out->bitmaps);
}

// Somebody wrote a tile: padding round what it has are other elements of the tensor.
static bool is_tile(const View *target)
{
    for (int64_t i = 0; target && i < target->tiles.count; i++)
        if (!target->tiles.items[i].is_split)
            return true;
    return false;
}

bool commit_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwCommit *out)
{
    SequenceRequest request = commit_sequence(lower->machine, pass, stage);
    const Tensor *tensor = commit_tensor(stage);
    Sequence sequence;
    int64_t address;
    if (!address_lower(lower, tensor, stage->target, stage->span, &address) ||
        !sequencer_derive(lower->scratch, &request, lower->diags, &sequence))
        return false;
    *out = (HwCommit){
        .type = tensor->type,
        .nest = nest_lower(lower, &sequence, tensor->type, address),
        .commit_in_size = sequence.commit_in_bytes,
        .writes_per_packet = sequence.accesses_per_packet,
        .contiguous_bytes = sequence.contiguous_bytes,
        .time = stage->before->dims[LEVEL_TIME]->mapping.size,
    };
    bitmaps_lower(lower, stage, out);
    if (is_tile(stage->target))
        mask_commit(lower, stage, out);
    LiveChecks checks = mask_checks(lower->scratch, stage->before, stage->target);
    live_lower_all(lower, &checks, &out->data);
    return true;
}
