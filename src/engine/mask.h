// Padding of a fetched stream: which slices hold data at all, and what is masked in them.
// Manual: Fetch Engine, Masking.
#ifndef CONTRA_ENGINE_MASK_H
#define CONTRA_ENGINE_MASK_H

#include "engine/live.h"
#include "engine/lower.h"
#include "engine/sequencer.h"

// Which elements of the stream after a stage are data; `view` is the part of a tensor that it was
// read from, or goes to, NULL: a whole one.
LiveChecks mask_checks(Arena *arena, const Stage *stream, const View *view);

// Everything that the check is about is still there after `stage`: its padding is padding there.
bool mask_survives(Arena *arena, const LiveCheck *check, const Stage *stage);

// What the masked stream is for.
typedef struct {
    const Stage *kept; // padding that does not get here is taken in by a reduction; NULL: none is
    bool is_load;      // it goes to TRF
    bool pads_sums;    // pad_value changes nothing in those reductions
} MaskUse;

typedef struct {
    const Sequence *sequence;
    bool pads_sums; // as above
} MaskedFetch;

// Fills in `bitmaps`, `masks` and `data`.
void mask_lower(const Lower *lower, const Pass *pass, const Stage *fetch, const MaskedFetch *from,
                HwFetch *out);

// Fills in `bitmaps` of a commit, the slices that hold data, and for a tile `masks`: padding of the
// stream that is not padding of the tensor.
void mask_commit(const Lower *lower, const Stage *stage, bool is_tile, HwCommit *out);

// Why no setting of the mask registers leaves something out.
typedef enum {
    MASK_FOUND,
    MASK_SUB,     // the sub context masks nothing
    MASK_SEVERAL, // more than one axis is padded
    MASK_STEPS,   // it ends before the last step of a loop, which has too many to count each
    MASK_SPREAD,  // it is not told by the innermost loop and one other
} MaskProblem;

typedef struct {
    ARRAY(const LiveCheck *);
    MaskProblem problem; // with the last of them
} MaskFindings;

// Padding of the fetched stream that no mask leaves out: what reductions take in; of a load, all.
MaskFindings mask_find(Arena *arena, const Machine *machine, const Pass *pass, const Stage *fetch,
                       const MaskUse *use);

#endif
