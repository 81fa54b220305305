// Relations of the Vector Engine: what each step needs of the stream that comes to it.
#include "device/verify_internal.h"

#include "base/checked.h"
#include "device/memory.h"

bool verify_vector(Verify *verify, const void *record)
{
    const HwVector *vector = record;
    Interval sum = {0, 0};
    for (int64_t i = 0; vector->vcg && i < vector->vcg->counters.count; i++)
        interval_add(&sum, vector->vcg->counters.items[i].limit,
                     vector->vcg->counters.items[i].stride);
    return interval_is_tame(&sum) || verify_wrong(verify, "vcg.counters", "count too far");
}

// ---- along with the stream

static bool operand_holds(Verify *verify, const HwVectorOperand *operand, const Flow *flow)
{
    if (operand->source == OPERAND_SKIP || operand->source == OPERAND_CONSTANT)
        return true;
    if (!operand->nest)
        return verify_wrong(verify, "nest", "is missing");
    if (operand->source == OPERAND_STASH)
        return flow->has_stash || verify_wrong(verify, "source", "is a stash that nobody filled");
    return verify_equal(verify, "nest.element_bits", operand->nest->element_bits,
                        scalar_traits[operand->type].storage_bits);
}

static bool reads_vrf(const HwVectorStep *step)
{
    for (int64_t i = 0; i < step->operands.count; i++)
        if (step->operands.items[i].source == OPERAND_VRF)
            return true;
    return step->branch && step->branch->nest;
}

// What is read goes along with the stream behind the step.
static bool along_holds(Verify *verify, const HwVectorStep *step, const Flow *flow)
{
    if (!reads_vrf(step))
        return true;
    return verify_equal(verify, "time", step->time, flow->time) &&
           verify_range(verify, "packet_elements", step->packet_elements, 1, flow->lanes);
}

static bool operands_hold(Verify *verify, const HwVectorStep *step, const Flow *flow)
{
    bool ok = true;
    if (flow->is_pair && step->operands.count > 2)
        return verify_wrong(verify, "operands", "are more than the two of a pair");
    for (int64_t i = 0; i < step->operands.count && ok; i++) {
        VerifyPath path = {verify->path, "operands", i};
        verify->path = &path;
        ok = operand_holds(verify, &step->operands.items[i], flow);
        verify->path = path.up;
    }
    return ok;
}

static bool branch_holds(Verify *verify, const HwBranch *branch)
{
    Interval index = {0, 0};
    if (!branch)
        return verify_wrong(verify, "branch", "is missing");
    for (int64_t i = 0; i < branch->toggles.count; i++)
        interval_add(&index, branch->toggles.items[i].size, branch->toggles.items[i].weight);
    if (!interval_is_tame(&index))
        return verify_wrong(verify, "branch.toggles", "count too far");
    if (branch->kind != BRANCH_VRF)
        return true;
    enum { ID_BITS = 32 };
    return branch->nest ? verify_equal(verify, "branch.nest.element_bits",
                                       branch->nest->element_bits, ID_BITS)
                        : verify_wrong(verify, "branch.nest", "is missing");
}

// ---- reductions

// The last place of the output that a packet comes to: that of the last packet, or, where a reduced
// loop goes round before it, the last of all places inside that loop.
static int64_t last_place(const HwLaneReduce *reduce, int64_t packets)
{
    int64_t before = packets - 1, places = 1, last = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwReduceLoop *loop = &reduce->loops.items[i];
        int64_t step = before % loop->size;
        before /= loop->size;
        if (loop->reduced) {
            last = step ? places - 1 : last;
        } else {
            last += verify_times(step, places);
            places = verify_times(places, loop->size);
        }
    }
    return before ? places - 1 : last; // the outermost loop goes round again
}

static bool lanes_hold(Verify *verify, const HwVectorStep *step, Flow *flow)
{
    const HwLaneReduce *reduce = step->lanes;
    if (!reduce)
        return verify_wrong(verify, "lanes", "is missing");
    int64_t places = last_place(reduce, flow->time) + 1;
    if (!verify_range(verify, "lanes.out_time", reduce->out_time, places, VERIFY_MOST) ||
        !verify_range(verify, "packet_elements", step->packet_elements,
                      reduce->lanes ? 1 : flow->lanes, ELEMENT_BLOCK))
        return false;
    flow->time = reduce->out_time;
    flow->lanes = step->packet_elements;
    return true;
}

static bool slices_hold(Verify *verify, const HwPipeline *pass, const HwVectorStep *step,
                        Flow *flow)
{
    const HwSliceReduce *reduce = step->slices;
    int64_t members = 1, units = verify_times(pass->chips * pass->clusters, pass->slices);
    Interval slice = {0, 0}, packet = {0, 0};
    if (!reduce || flow->meets || flow->is_pair)
        return verify_wrong(verify, "slices", "is missing, or not the only one");
    for (int64_t i = 0; i < reduce->slices.count; i++) {
        const HwSliceDigit *digit = &reduce->slices.items[i];
        members = verify_times(members, digit->reduced ? digit->data : 1);
        interval_add(&slice, max_i64(digit->size, digit->data) - 1, digit->place);
    }
    for (int64_t i = 0; i < reduce->time.count; i++)
        interval_add(&packet, reduce->time.items[i].size - 1, reduce->time.items[i].place);
    if (!interval_is_tame(&slice) || !interval_is_tame(&packet))
        return verify_wrong(verify, "slices", "lead too far");
    if (!verify_equal(verify, "packet_elements", step->packet_elements, flow->lanes) ||
        !verify_range(verify, "slices.time", packet.most, 0, flow->time - 1))
        return false;
    flow->meets = true;
    flow->time = reduce->out_time;
    int64_t elements = verify_times(flow->time, flow->lanes);
    return verify_spend(verify, verify_times(verify_times(elements, members), units));
}

// ---- streams that become others

static bool pair_holds(Verify *verify, const HwVectorStep *step, Flow *flow)
{
    if (flow->is_pair)
        return verify_wrong(verify, "pair", "takes apart what is a pair already");
    if (!verify_equal(verify, "time", step->time, flow->time / 2) ||
        !verify_equal(verify, "pair.inside", flow->time % (2 * step->pair->inside), 0))
        return false;
    flow->is_pair = true;
    flow->time = step->time;
    return true;
}

static bool layout_holds(Verify *verify, const HwVectorStep *step, Flow *flow)
{
    bool recut = step->call == STAGE_VECTOR_SPLIT || step->call == STAGE_VECTOR_CONCAT;
    int64_t before = recut ? verify_times(flow->time, flow->lanes) : flow->time;
    int64_t after = recut ? verify_times(step->time, step->packet_elements) : step->time;
    if (!verify_equal(verify, "time", after, before))
        return false;
    flow->time = step->time;
    flow->lanes = step->packet_elements;
    return true;
}

// Packets close up: how many there are behind it is data.
static bool filter_holds(Verify *verify, const HwVectorStep *step, Flow *flow)
{
    int64_t before = flow->time;
    flow->time = step->time;
    return verify_range(verify, "time", step->time, 1, before);
}

static bool zip_holds(Verify *verify, const HwVectorStep *step, Flow *flow)
{
    if (!flow->is_pair)
        return verify_wrong(verify, "call", "puts together what is no pair");
    flow->is_pair = false;
    return verify_range(verify, "op_code", step->op_code, 0, VECTOR_OP_COUNT - 1);
}

static bool reduction_holds(Verify *verify, const HwPipeline *pass, const HwVectorStep *step,
                            Flow *flow)
{
    return verify_range(verify, "op_code", step->op_code, 0, VECTOR_OP_COUNT - 1) &&
           (step->call == STAGE_VECTOR_INTRA_REDUCE ? lanes_hold(verify, step, flow)
                                                    : slices_hold(verify, pass, step, flow));
}

static bool step_holds(Verify *verify, const HwPipeline *pass, const HwVectorStep *step, Flow *flow)
{
    if ((step->pair != NULL) != (step->call == STAGE_VECTOR_UNZIP))
        return verify_wrong(verify, "pair", "does not belong to the call");
    if ((step->slices != NULL) != (step->call == STAGE_VECTOR_INTER_REDUCE))
        return verify_wrong(verify, "slices", "does not belong to the call");
    if (!operands_hold(verify, step, flow))
        return false;
    switch (step->call) {
    case STAGE_VECTOR_UNZIP:
        return pair_holds(verify, step, flow);
    case STAGE_VECTOR_LOGIC_ZIP:
    case STAGE_VECTOR_FXP_ZIP:
    case STAGE_VECTOR_FP_ZIP:
    case STAGE_VECTOR_CLIP_ZIP:
        return zip_holds(verify, step, flow);
    case STAGE_VECTOR_BRANCH:
        return branch_holds(verify, step->branch);
    case STAGE_VECTOR_SPLIT:
    case STAGE_VECTOR_TRIM:
    case STAGE_VECTOR_CONCAT:
    case STAGE_VECTOR_PAD:
        return layout_holds(verify, step, flow);
    case STAGE_VECTOR_STASH:
        flow->has_stash = true;
        return true;
    case STAGE_VECTOR_FILTER:
        return filter_holds(verify, step, flow);
    case STAGE_VECTOR_INTRA_REDUCE:
    case STAGE_VECTOR_INTER_REDUCE:
        return reduction_holds(verify, pass, step, flow);
    default:
        return true;
    }
}

bool verify_steps(Verify *verify, const HwPipeline *pass, Flow *flow)
{
    const HwVector *vector = pass->vector;
    VerifyPath part = {verify->path, "vector", -1};
    bool ok = verify_range(verify, "vector lanes", flow->lanes, 1, ELEMENT_BLOCK);
    for (int64_t i = 0; i < vector->steps.count && ok; i++) {
        VerifyPath path = {&part, "steps", i};
        verify->path = &path;
        ok = step_holds(verify, pass, &vector->steps.items[i], flow) &&
             along_holds(verify, &vector->steps.items[i], flow) &&
             verify_flow(verify, pass, "time", flow);
        verify->path = part.up;
    }
    return ok && (!flow->is_pair || verify_wrong(verify, "vector", "leaves a pair behind"));
}
