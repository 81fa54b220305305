// What the parts of the Vector Engine share.
#ifndef CONTRA_DEVICE_VECTOR_H
#define CONTRA_DEVICE_VECTOR_H

#include "device/along.h"
#include "device/loops/lanes.h"

// Packets of one slice before a reduction between slices, behind it at `to`.
typedef struct {
    int64_t to, from, count;
} PacketRun;

// A reduction between slices. Slices with the same leader get the same result.
typedef struct {
    int64_t *leaders;
    int64_t *firsts; // of the slices that are combined
    int64_t *shifts; // packets from which on a slice keeps its part
    PacketRun *runs;
    int64_t run_count;
} SliceReducePlan;

// An operation on elements, of a step alone or with one of its operands.
typedef struct {
    LaneFunction *apply;      // NULL: a conversion
    int args[LANE_ARGUMENTS]; // 0 the stream, 1 the operand, 2 the second constant
    uint32_t constants[2];
    bool reads_along;
    LaneChoice choice;
} Operation;

typedef struct {
    int64_t actions_end; // the first step from this one on that is more than operations on elements
    Operation alone;
    int64_t operand_count;
    Operation *operations; // one an operand
    AlongPlan *operands;   // one each; nothing in those that read nothing along
    AlongPlan ids;         // of a branch by VRF
    SliceReducePlan slices;
} StepPlan;

struct VectorPlan {
    int64_t count;
    StepPlan *steps;
};

// A step, of the stream or of one of a pair.
typedef struct {
    const ClusterRun *run;
    const HwVectorStep *step;
    const StepPlan *plan;
    const LaneLoops *loops;
    int64_t slice, group;
    SliceRun *state;
    Stream *stream;
} Work;

const LaneLoops *vector_loops(const Device *device);
Scratch *work_scratch(const Work *work);
// Gives the stream tags, if it has none. False: no memory, of the others, too.
bool work_need_tags(const Work *work);
// Takes tags away that say of all elements the same.
void work_drop_tags(const Work *work);

bool lane_reduce_run(const Work *work);
bool slice_reduce_plan_new(const HwPipeline *pass, const HwSliceReduce *reduce,
                           SliceReducePlan *plan);
void slice_reduce_plan_free(SliceReducePlan *plan);

#endif
