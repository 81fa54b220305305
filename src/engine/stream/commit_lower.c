#include "engine/lower/lower.h"
#include "engine/lower/mask.h"
#include "engine/lower/nest.h"
#include "engine/stream/commit.h"

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
    mask_commit(lower, stage, is_tile(stage->target), out);
    LiveChecks checks = mask_checks(lower->scratch, stage->before, stage->target);
    live_lower_all(lower, &checks, &out->data);
    return true;
}
