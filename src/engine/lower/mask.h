// Padding of a fetched stream: which slices hold data at all, and what is masked in them.
// Manual: Fetch Engine, Masking.
#ifndef CONTRA_ENGINE_LOWER_MASK_H
#define CONTRA_ENGINE_LOWER_MASK_H

#include "engine/lower/live.h"
#include "engine/lower/lower.h"
#include "engine/sequencer.h"

// Which elements of the stream after a stage are data; `view` is the part of a tensor that it was
// read from, or goes to, NULL: a whole one.
LiveChecks mask_checks(Arena *arena, const Stage *stream, const View *view);

// Whether the stream after `stage` still has everything that the check is about: its padding is
// padding there as well.
bool mask_survives(Arena *arena, const LiveCheck *check, const Stage *stage);

// What the masked stream is for.
typedef struct {
    const Stage *kept; // a reduction takes in padding that this stage no longer has; NULL: none
    bool is_load;      // it goes to TRF
    bool pads_sums;    // pad_value does not change those reductions
} MaskUse;

typedef struct {
    const Sequence *sequence;
    bool pads_sums; // as above
} MaskedFetch;

// Fills in `bitmaps`, `masks` and `data`.
void mask_lower(const Lower *lower, const Pass *pass, const Stage *fetch, const MaskedFetch *from,
                HwFetch *out);

// Fills in `bitmaps` of a commit, which are the slices that hold data. For a tile it also fills in
// `masks`: padding of the stream that is not padding of the tensor.
void mask_commit(const Lower *lower, const Stage *stage, bool is_tile, HwCommit *out);

// The most valid elements that a mask counts, of the type in memory.
int64_t mask_most_count(const Machine *machine, Scalar type);

// Why the mask registers cannot mask something.
typedef enum {
    MASK_FOUND,
    MASK_SUB,     // the sub context cannot mask
    MASK_SEVERAL, // more than one axis is padded
    MASK_STEPS,   // data ends before the last step of a loop with too many steps for counts
    MASK_SPREAD,  // it depends on more than the innermost loop and one other
    MASK_WIDE,    // the packet has too many bytes, or a step too many elements to count
} MaskProblem;

typedef struct {
    ARRAY(const LiveCheck *);
    MaskProblem problem; // of the last one
} MaskFindings;

// Padding of the fetched stream that cannot be masked: for a load all of it, otherwise the padding
// that reductions take in.
MaskFindings mask_find(Arena *arena, const Machine *machine, const Pass *pass, const Stage *fetch,
                       const MaskUse *use);

#endif
