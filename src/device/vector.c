// The Vector Engine of one slice. vector.def says what each step does. Operations on elements that
// follow each other are applied block by block, so that a block stays near the processor.
#include "device/vector.h"

#include "base/checked.h"
#include "base/heap.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = 2048 };

const LaneLoops *vector_loops(const Device *device)
{
    return LOOPS_CHOICE(LaneLoops, lane_loops)[device->isa];
}

Scratch *work_scratch(const Work *work)
{
    return device_scratch(work->run->device);
}

// NULL: the hardware has no such slice
static const Memory *work_vrf(const Work *work)
{
    const Slice *slice = run_slice(work->run, work->slice);
    return slice ? &slice->vrf : NULL;
}

bool work_need_tags(const Work *work)
{
    Stream *stream = work->stream;
    if (stream->tags)
        return true;
    if (!stream_need_tags(work_scratch(work), stream))
        return false;
    memset(stream->tags, TAG_LIVE | work->state->ids[work->group], (stream->time * stream->lanes));
    return true;
}

void work_drop_tags(const Work *work)
{
    stream_drop_tags(work_scratch(work), work->stream, TAG_LIVE | work->state->ids[work->group]);
}

// ---- operations on elements

static int64_t arity_of(VectorOp op)
{
    VectorFamily family = vector_ops[op].family;
    return family == FAMILY_FpUnaryOp ? 1 : family == FAMILY_FpTernaryOp ? 3 : 2;
}

static void set_arguments(Operation *operation, const HwVectorStep *step, ArgMode mode)
{
    int64_t arity = arity_of((VectorOp)step->op_code);
    for (int i = 0; i < LANE_ARGUMENTS; i++)
        operation->args[i] = mode == MODE_DEFAULT ? i : arg_modes[mode].args[i];
    for (int64_t i = 0; i < arity; i++)
        operation->choice.of_stream |= operation->args[i] == 0;
}

static bool reads_operand(const Operation *operation, const HwVectorStep *step)
{
    bool reads = false;
    for (int64_t i = 0; i < arity_of((VectorOp)step->op_code); i++)
        reads |= operation->args[i] == 1;
    return reads;
}

// All elements, whatever their ids.
static Operation operation_alone(const LaneLoops *loops, const HwVectorStep *step)
{
    Operation operation = {0};
    if (step->op_code >= 0) {
        operation.apply = loops->apply[step->op_code];
        set_arguments(&operation, step, MODE_0);
    }
    return operation;
}

// ---- the branch unit

// The branch unit: every element gets an execution id. Where all of a stream have the same, they
// need no tags for it.

enum { ID_MASK = 15, MOST_COUNTERS = 64 };

// Elements with tag & mask == wanted meet the condition.
static void branch_condition(BranchCondition condition, uint8_t *mask, uint8_t *wanted)
{
    *mask = condition == CONDITION_ALWAYS ? TAG_ID : TAG_ID | TAG_GROUP;
    *wanted = condition == CONDITION_GROUP_1 ? TAG_ID | TAG_GROUP : TAG_ID;
}

// ---- the Valid Count Generator

enum { VCG_DIMS = 4 };

// Counts packets, the index of each dim along with it.
typedef struct {
    const HwVcg *vcg;
    int64_t slice;
    int64_t index[VCG_DIMS];
    int64_t digits[MOST_COUNTERS];
} ValidWalk;

static bool counts(const HwVcgCounter *counter)
{
    return counter->dim >= 0 && counter->dim < VCG_DIMS;
}

static void next_packet(ValidWalk *walk)
{
    for (int64_t i = 0; i < walk->vcg->counters.count; i++) {
        const HwVcgCounter *counter = &walk->vcg->counters.items[i];
        bool ends = ++walk->digits[i] == counter->limit;
        if (counts(counter))
            walk->index[counter->dim] +=
                ends ? (1 - counter->limit) * counter->stride : counter->stride;
        if (!ends)
            return;
        walk->digits[i] = 0;
    }
}

// Whether gate `number` is open where the index of its dim is `index`.
static bool is_open(const ValidWalk *walk, int64_t number, int64_t index)
{
    const HwVcgGate *gate = &walk->vcg->gates.items[number];
    int64_t bits = walk->slice & gate->mask;
    if (bits == gate->match || (bits > gate->match && gate->transposed))
        return index < gate->valid;
    return bits < gate->match;
}

// Lanes of the packet that are data.
static int64_t valid_count(const ValidWalk *walk)
{
    for (int64_t i = 0; i < walk->vcg->gates.count; i++)
        if (!is_open(walk, i, walk->index[1 + i]))
            return 0;
    return min_i64(walk->vcg->packet_stride, max_i64(0, walk->vcg->packet_valid - walk->index[0]));
}

// Whether all lanes of all packets are data, for all that the counters can say.
static bool is_all_valid(const ValidWalk *walk, int64_t lanes)
{
    int64_t most[VCG_DIMS] = {0};
    for (int64_t i = 0; i < walk->vcg->counters.count; i++) {
        const HwVcgCounter *counter = &walk->vcg->counters.items[i];
        if (counts(counter))
            most[counter->dim] += max_i64(0, (counter->limit - 1) * counter->stride);
    }
    for (int64_t i = 0; i < walk->vcg->gates.count; i++)
        if (!is_open(walk, i, most[1 + i]))
            return false;
    return min_i64(walk->vcg->packet_stride, walk->vcg->packet_valid - most[0]) >= lanes;
}

static bool leave_padding_out(const Work *work, const HwVcg *vcg)
{
    Stream *stream = work->stream;
    ValidWalk walk = {.vcg = vcg, .slice = work->slice};
    if (is_all_valid(&walk, stream->lanes))
        return true;
    for (int64_t t = 0; t < stream->time; t++, next_packet(&walk)) {
        int64_t valid = valid_count(&walk);
        if (valid >= stream->lanes)
            continue;
        if (!work_need_tags(work))
            return false;
        assert(stream->tags);
        for (int64_t i = valid; i < stream->lanes; i++) {
            uint8_t *tag = &stream->tags[t * stream->lanes + i];
            *tag = (uint8_t)((*tag & TAG_LIVE) | TAG_PADDING);
        }
    }
    return true;
}

static bool branch_enter(const Work *work)
{
    const HwVcg *vcg = work->run->pass->vector->vcg;
    Stream *stream = work->stream;
    work->state->ids[work->group] = TAG_ID;
    for (int64_t i = 0; stream->tags && i < stream->time * stream->lanes; i++)
        stream->tags[i] = (uint8_t)((stream->tags[i] & TAG_LIVE) | TAG_ID);
    return !vcg || leave_padding_out(work, vcg);
}

// ---- ids by the place

static bool toggles(const HwToggleDigit *digit)
{
    return digit->weight % 2 && digit->size > 1;
}

// What the digits of a level add to the index, modulo 2.
static bool parity_of(const HwBranch *branch, Level level, int64_t position)
{
    bool odd = false;
    for (int64_t i = 0; i < branch->toggles.count; i++) {
        const HwToggleDigit *digit = &branch->toggles.items[i];
        if (digit->level == level && toggles(digit))
            odd ^= position / digit->place % digit->size & 1;
    }
    return odd;
}

static bool is_outside(Level level)
{
    return level == LEVEL_CHIP || level == LEVEL_CLUSTER || level == LEVEL_SLICE;
}

// Of all elements of a slice alike.
static bool is_one_group(const HwBranch *branch)
{
    for (int64_t i = 0; i < branch->toggles.count; i++)
        if (toggles(&branch->toggles.items[i]) && !is_outside(branch->toggles.items[i].level))
            return false;
    return true;
}

static void add_group(uint8_t *tags, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        tags[i] |= tags[i] & TAG_ID ? TAG_GROUP : 0;
}

static bool run_toggle(const Work *work)
{
    const HwBranch *branch = work->step->branch;
    Stream *stream = work->stream;
    int64_t lanes = stream->lanes;
    bool odd = parity_of(branch, LEVEL_CHIP, work->run->chip) ^
               parity_of(branch, LEVEL_CLUSTER, work->run->cluster) ^
               parity_of(branch, LEVEL_SLICE, work->slice);
    if (is_one_group(branch)) {
        if (odd)
            work->state->ids[work->group] |= TAG_GROUP;
        if (odd && stream->tags)
            add_group(stream->tags, stream->time * lanes);
        return true;
    }
    uint8_t groups[2][ELEMENT_BLOCK]; // of the lanes of an even and an odd packet
    for (int64_t i = 0; i < lanes; i++) {
        bool lane = odd;
        for (int64_t k = 0; k < branch->toggles.count; k++) {
            const HwToggleDigit *digit = &branch->toggles.items[k];
            if (!is_outside(digit->level) && digit->level != LEVEL_TIME && toggles(digit))
                lane ^= i / digit->place % digit->size & 1;
        }
        groups[0][i] = lane ? TAG_GROUP : 0;
        groups[1][i] = lane ? 0 : TAG_GROUP;
    }
    if (!work_need_tags(work))
        return false;
    for (int64_t t = 0; t < stream->time; t++) {
        const uint8_t *group = groups[parity_of(branch, LEVEL_TIME, t)];
        uint8_t *tags = stream->tags + t * lanes;
        for (int64_t i = 0; i < lanes; i++)
            tags[i] |= tags[i] & TAG_ID ? group[i] : 0;
    }
    return true;
}

// ---- ids by values

// `known`: bit 0 of each says that there is an id.
static void set_ids(const uint8_t *ids, const uint8_t *known, int64_t count, uint8_t *tags)
{
    for (int64_t i = 0; i < count; i++) {
        uint8_t tag = tags[i] & (TAG_LIVE | TAG_PADDING);
        bool has_id = known[i] & !(tag & TAG_PADDING);
        tags[i] = (uint8_t)(tag | (has_id ? TAG_ID | (ids[i] & ID_MASK) << TAG_ID_SHIFT : 0));
    }
}

static bool run_comparison(const Work *work)
{
    const HwBranch *branch = work->step->branch;
    Stream *stream = work->stream;
    uint8_t ids[ELEMENT_BLOCK];
    int64_t all = stream->time * stream->lanes;
    if (!work_need_tags(work))
        return false;
    for (int64_t at = 0; at < all; at += ELEMENT_BLOCK) {
        int64_t count = min_i64(ELEMENT_BLOCK, all - at);
        memset(ids, 0, sizeof ids);
        for (int64_t i = 0; i < branch->compares.count; i++)
            work->loops->compare(&branch->compares.items[i], stream->bits + at, count, (int)i, ids);
        set_ids(ids, stream->tags + at, count, stream->tags + at);
    }
    return true;
}

static bool run_vrf_ids(const Work *work)
{
    Stream *stream = work->stream;
    Scratch *scratch = work_scratch(work);
    AlongSource source = {.nest = work->step->branch->nest,
                          .plan = &work->plan->ids,
                          .vrf = work_vrf(work),
                          .type = SCALAR_I32};
    Along along;
    if (!source.vrf)
        return true;
    if (!work_need_tags(work) || !along_open(scratch, &source, stream, &along))
        return false;
    uint32_t words[ELEMENT_BLOCK];
    uint8_t ids[ELEMENT_BLOCK], room[ELEMENT_BLOCK], all_known[ELEMENT_BLOCK];
    memset(all_known, 1, sizeof all_known);
    int64_t all = stream->time * stream->lanes;
    for (int64_t at = 0; at < all; at += ELEMENT_BLOCK) {
        bool is_one;
        int64_t count = min_i64(ELEMENT_BLOCK, all - at);
        const uint32_t *values = along_bits(&along, at, count, words, &is_one);
        const uint8_t *known = along_live(&along, at, count, room);
        for (int64_t i = 0; i < count; i++)
            ids[i] = (uint8_t)values[is_one ? 0 : i];
        set_ids(ids, known ? known : all_known, count, stream->tags + at);
    }
    along_close(scratch, &along);
    return true;
}

// Packets are tagged where they enter the intra-slice block.
static bool branch_run(const Work *work)
{
    if (!branch_enter(work))
        return false;
    switch (work->step->branch->kind) {
    case BRANCH_AXIS_TOGGLE:
        return run_toggle(work);
    case BRANCH_COMPARISON:
        return run_comparison(work);
    case BRANCH_VRF:
        return run_vrf_ids(work);
    case BRANCH_UNCONDITIONAL:
    case BRANCH_VALID_COUNT:
    case BRANCH_COUNT:
        return true;
    }
    return true;
}

static Operation operation_with(const LaneLoops *loops, const HwVectorStep *step,
                                const HwVectorOperand *operand)
{
    Operation operation = {.apply = loops->apply[step->op_code],
                           .constants = {(uint32_t)operand->bits, (uint32_t)operand->second_bits}};
    set_arguments(&operation, step, step->mode);
    branch_condition(operand->condition, &operation.choice.mask, &operation.choice.wanted);
    operation.reads_along = operand->source != OPERAND_CONSTANT && reads_operand(&operation, step);
    return operation;
}

// An operation, ready for the elements of a stream.
typedef struct {
    const HwVectorStep *step;
    const Operation *operation;
    Along along; // if it reads along
} Action;

static bool operand_action(const Work *work, int64_t number, Action *action)
{
    const HwVectorOperand *operand = &work->step->operands.items[number];
    action->step = work->step;
    action->operation = &work->plan->operations[number];
    if (!action->operation->reads_along)
        return true;
    AlongSource source = {.nest = operand->nest,
                          .plan = &work->plan->operands[number],
                          .vrf = operand->source == OPERAND_VRF ? work_vrf(work) : NULL,
                          .stash = &work->state->stash,
                          .type = operand->type};
    action->along = (Along){0};
    return along_open(work_scratch(work), &source, work->stream, &action->along) &&
           (!action->along.live || work_need_tags(work));
}

// What a block needs besides the stream.
typedef struct {
    uint32_t operand[BLOCK], result[BLOCK];
    uint8_t live[BLOCK];
} BlockRoom;

static void apply_block(const Work *work, const Action *action, int64_t at, int64_t count,
                        BlockRoom *room)
{
    const Operation *operation = action->operation;
    LaneChoice choice = operation->choice;
    Stream *stream = work->stream;
    uint8_t ids = work->state->ids[work->group];
    uint32_t *bits = stream->bits + at;
    const uint32_t *values[LANE_ARGUMENTS] = {bits, &operation->constants[0],
                                              &operation->constants[1]};
    bool is_one[LANE_ARGUMENTS] = {false, true, true};
    LaneArguments from = {.fixed = 0};
    if (!stream->tags && (ids & choice.mask) != choice.wanted)
        return;
    if (operation->reads_along)
        values[1] = along_bits(&action->along, at, count, room->operand, &is_one[1]);
    for (int i = 0; i < LANE_ARGUMENTS; i++) {
        from.bits[i] = values[operation->args[i]];
        from.fixed |= (uint32_t)is_one[operation->args[i]] << i;
    }
    if (!stream->tags) {
        operation->apply(&from, count, bits);
        return;
    }
    operation->apply(&from, count, room->result);
    choice.other =
        operation->reads_along ? along_live(&action->along, at, count, room->live) : NULL;
    work->loops->merge(&choice, room->result, count, bits, stream->tags + at);
}

static void convert_block(const Work *work, const HwVectorStep *step, int64_t at, int64_t count)
{
    if (step->call == STAGE_VECTOR_FXP_TO_FP)
        work->loops->fxp_to_fp(work->stream->bits + at, count, step->int_width);
    else
        work->loops->fp_to_fxp(work->stream->bits + at, count, step->int_width);
}

// Actions that wait, to be applied to each block one after the other.
enum { MOST_ACTIONS = 16 };

typedef struct {
    Action items[MOST_ACTIONS];
    int64_t count;
} Actions;

static void close_actions(const Work *work, Actions *actions)
{
    for (int64_t i = 0; i < actions->count; i++)
        if (actions->items[i].operation->reads_along)
            along_close(work_scratch(work), &actions->items[i].along);
    actions->count = 0;
}

static void apply_actions(const Work *work, Actions *actions)
{
    BlockRoom room;
    int64_t all = work->stream->time * work->stream->lanes;
    for (int64_t at = 0; at < all && actions->count; at += BLOCK) {
        int64_t count = min_i64(BLOCK, all - at);
        for (int64_t i = 0; i < actions->count; i++) {
            const Action *action = &actions->items[i];
            if (action->operation->apply)
                apply_block(work, action, at, count, &room);
            else
                convert_block(work, action->step, at, count);
        }
    }
    close_actions(work, actions);
}

static Action *new_action(const Work *work, Actions *actions)
{
    if (actions->count == MOST_ACTIONS)
        apply_actions(work, actions);
    return &actions->items[actions->count++];
}

static void new_alone(const Work *work, Actions *actions)
{
    Action *action = new_action(work, actions);
    action->step = work->step;
    action->operation = &work->plan->alone;
}

static bool add_step(const Work *work, Actions *actions)
{
    const HwVectorStep *step = work->step;
    bool is_pair = work->state->is_pair;
    if (step->call == STAGE_VECTOR_SPLIT || step->call == STAGE_VECTOR_CONCAT) {
        work->stream->time = step->time; // the same elements, cut into other packets
        work->stream->lanes = step->packet_elements;
        return true;
    }
    if (step->call == STAGE_VECTOR_FXP_TO_FP || step->call == STAGE_VECTOR_FP_TO_FXP) {
        new_alone(work, actions);
        return true;
    }
    if (step->op_code < 0)
        return true;
    bool unary = arity_of((VectorOp)step->op_code) == 1;
    if (unary && !(step->mode == MODE_1 && step->operands.count)) {
        if (!is_pair || step->groups >> work->group & 1)
            new_alone(work, actions);
        return true;
    }
    bool ok = true;
    for (int64_t i = 0; i < step->operands.count && ok; i++)
        if ((!is_pair || i == work->group) && step->operands.items[i].source != OPERAND_SKIP)
            ok = operand_action(work, i, new_action(work, actions));
    return ok;
}

// ---- two groups

static bool new_like(Scratch *scratch, const Stream *like, int64_t time, int64_t lanes, Stream *out)
{
    if (!stream_new_live(scratch, out, like->type, time, lanes))
        return false;
    if (!like->tags || stream_need_tags(scratch, out))
        return true;
    stream_free(scratch, out);
    return false;
}

static bool run_unzip(const Work *work)
{
    Stream *from = &work->state->groups[0], parts[2] = {{0}};
    int64_t inside = work->step->pair->inside;
    Scratch *scratch = work_scratch(work);
    if (!branch_enter(work) || !new_like(scratch, from, work->step->time, from->lanes, &parts[0]) ||
        !new_like(scratch, from, work->step->time, from->lanes, &parts[1])) {
        stream_free(scratch, &parts[0]);
        return false;
    }
    int64_t run = inside * from->lanes, runs = from->time / (2 * inside);
    work->loops->deal(from->bits, run, runs, parts[0].bits, parts[1].bits);
    for (int64_t i = 0; from->tags && i < runs; i++) {
        memcpy(parts[0].tags + i * run, from->tags + 2 * i * run, run);
        memcpy(parts[1].tags + i * run, from->tags + (2 * i + 1) * run, run);
    }
    stream_replace(scratch, &work->state->groups[0], &parts[0]);
    stream_replace(scratch, &work->state->groups[1], &parts[1]);
    work->state->ids[1] = work->state->ids[0];
    work->state->is_pair = true;
    return true;
}

static bool run_zip(const Work *work)
{
    Stream *one = &work->state->groups[0], *two = &work->state->groups[1];
    Operation operation = {0};
    set_arguments(&operation, work->step, work->step->mode);
    LaneFunction *apply = work->loops->apply[work->step->op_code];
    uint32_t result[BLOCK];
    if (two->tags && !work_need_tags(work))
        return false;
    int64_t all = one->time * one->lanes;
    for (int64_t at = 0; at < all; at += BLOCK) {
        int64_t count = min_i64(BLOCK, all - at);
        const uint32_t *values[LANE_ARGUMENTS] = {one->bits + at, two->bits + at, two->bits + at};
        LaneArguments from = {
            {values[operation.args[0]], values[operation.args[1]], values[operation.args[2]]}, 0};
        apply(&from, count, one->tags ? result : one->bits + at);
        if (!one->tags)
            continue;
        LaneChoice both = {.of_stream = true, .other = two->tags ? two->tags + at : NULL};
        work->loops->merge(&both, result, count, one->bits + at, one->tags + at);
    }
    stream_free(work_scratch(work), two);
    work->state->is_pair = false;
    return true;
}

// ---- layout

// Lanes that are cut off are gone, those that are added are padding.
static bool run_lanes(const Work *work)
{
    Stream *from = work->stream, to;
    int64_t lanes = work->step->packet_elements;
    if (lanes == from->lanes)
        return true;
    if (lanes > from->lanes && !work_need_tags(work))
        return false;
    if (!new_like(work_scratch(work), from, from->time, lanes, &to))
        return false;
    stream_copy(from, &to, TAG_PADDING);
    stream_replace(work_scratch(work), from, &to);
    return true;
}

static bool run_stash(const Work *work)
{
    Stream copy;
    const Stream *from = work->stream;
    if (!new_like(work_scratch(work), from, from->time, from->lanes, &copy))
        return false;
    stream_copy(from, &copy, 0);
    stream_replace(work_scratch(work), &work->state->stash, &copy);
    return true;
}

// ---- filter

// Packets with an element that passes close up; what does not pass has no value.
static bool filter_packets(const Work *work, uint8_t mask, uint8_t wanted)
{
    Stream *from = work->stream, to;
    int64_t lanes = from->lanes, next = 0;
    if (!stream_new(work_scratch(work), &to, from->type, work->step->time, lanes))
        return false;
    for (int64_t t = 0; t < from->time && next < to.time; t++) {
        bool passes = false;
        for (int64_t i = 0; i < lanes; i++) {
            uint8_t tag = from->tags[t * lanes + i];
            bool mine = !(tag & TAG_PADDING) && (tag & mask) == wanted;
            passes |= mine;
            to.bits[next * lanes + i] = from->bits[t * lanes + i];
            to.tags[next * lanes + i] = mine ? tag & TAG_LIVE : 0;
        }
        next += passes;
    }
    for (int64_t i = next * lanes; i < min_i64(to.time, next + 1) * lanes; i++)
        to.tags[i] = 0;
    stream_replace(work_scratch(work), from, &to);
    return true;
}

static bool run_filter(const Work *work)
{
    uint8_t mask, wanted, *ids = &work->state->ids[work->group];
    branch_condition(work->step->condition, &mask, &wanted);
    if (!work->stream->tags && (*ids & mask) == wanted)
        work->stream->time = work->step->time; // all pass
    else if (!work_need_tags(work) || !filter_packets(work, mask, wanted))
        return false;
    *ids = 0;
    return true;
}

// ---- all of them

typedef bool StepFunction(const Work *work);

// Steps that are more than an operation on each element.
static StepFunction *const step_functions[STAGE_COUNT] = {
    [STAGE_VECTOR_BRANCH] = branch_run, [STAGE_VECTOR_TRIM] = run_lanes,
    [STAGE_VECTOR_PAD] = run_lanes,     [STAGE_VECTOR_STASH] = run_stash,
    [STAGE_VECTOR_FILTER] = run_filter, [STAGE_VECTOR_INTRA_REDUCE] = lane_reduce_run,
};

// Steps of both groups at once.
static StepFunction *const group_functions[STAGE_COUNT] = {
    [STAGE_VECTOR_UNZIP] = run_unzip,  [STAGE_VECTOR_LOGIC_ZIP] = run_zip,
    [STAGE_VECTOR_FXP_ZIP] = run_zip,  [STAGE_VECTOR_FP_ZIP] = run_zip,
    [STAGE_VECTOR_CLIP_ZIP] = run_zip,
};

static bool is_action(const HwVectorStep *step)
{
    return !step_functions[step->call] && !group_functions[step->call];
}

// Operations on elements, steps [from, to), of one group.
static bool run_actions(const Work *group, int64_t from, int64_t to)
{
    Work work = *group;
    Actions actions;
    bool ok = true;
    actions.count = 0; // the rest of it is much, and made as it is needed
    for (int64_t i = from; i < to && ok; i++) {
        work.step = &work.run->pass->vector->steps.items[i];
        work.plan = &work.run->plan->vector->steps[i];
        ok = add_step(&work, &actions);
    }
    if (ok)
        apply_actions(&work, &actions);
    else
        close_actions(&work, &actions);
    return ok;
}

bool vector_run(const ClusterRun *run, int64_t slice, int64_t from, int64_t to)
{
    if (from == to)
        return true;
    SliceRun *state = run_state(run, slice);
    const HwVectorStep *steps = run->pass->vector->steps.items;
    Work work = {.run = run, .loops = vector_loops(run->device), .slice = slice, .state = state};
    work.stream = &state->groups[0];
    work_drop_tags(&work);
    bool ok = true;
    for (int64_t i = from, end; i < to && ok; i = end) {
        end = min_i64(run->plan->vector->steps[i].actions_end, to);
        bool are_actions = end > i;
        end += !are_actions;
        work.step = &steps[i];
        work.plan = &run->plan->vector->steps[i];
        work.group = 0;
        work.stream = &state->groups[0];
        if (group_functions[steps[i].call])
            ok = group_functions[steps[i].call](&work);
        else
            for (int64_t groups = state->is_pair ? 2 : 1; work.group < groups && ok; work.group++) {
                work.stream = &state->groups[work.group];
                ok =
                    are_actions ? run_actions(&work, i, end) : step_functions[steps[i].call](&work);
            }
        state->groups[0].type = state->groups[1].type = steps[end - 1].out_type;
    }
    return ok;
}

// ---- the plan

static bool plan_step(const LaneLoops *loops, const HwPipeline *pass, const HwVectorStep *step,
                      StepPlan *plan)
{
    int64_t lanes = step->packet_elements;
    plan->alone = operation_alone(loops, step);
    plan->operand_count = step->operands.count;
    plan->operands = heap_zeroed(plan->operand_count + 1, sizeof *plan->operands);
    plan->operations = heap_zeroed(plan->operand_count + 1, sizeof *plan->operations);
    bool ok = plan->operands && plan->operations;
    for (int64_t i = 0; i < step->operands.count && ok; i++) {
        const HwVectorOperand *operand = &step->operands.items[i];
        if (step->op_code >= 0)
            plan->operations[i] = operation_with(loops, step, operand);
        if (operand->nest)
            ok = along_plan_new(&plan->operands[i], operand->nest, lanes);
    }
    if (ok && step->branch && step->branch->nest)
        ok = along_plan_new(&plan->ids, step->branch->nest, lanes);
    if (ok && step->slices)
        ok = slice_reduce_plan_new(pass, step->slices, &plan->slices);
    return ok;
}

bool vector_plan_new(const Device *device, const HwPipeline *pass, VectorPlan **plan)
{
    const LaneLoops *loops = vector_loops(device);
    if (!pass->vector)
        return true;
    VectorPlan *out = *plan = heap_zeroed(1, sizeof *out);
    if (!out)
        return false;
    out->count = pass->vector->steps.count;
    out->steps = heap_zeroed(out->count + 1, sizeof *out->steps);
    bool ok = out->steps;
    for (int64_t i = 0; i < out->count && ok; i++)
        ok = plan_step(loops, pass, &pass->vector->steps.items[i], &out->steps[i]);
    for (int64_t i = out->count - 1, end = out->count; i >= 0 && ok; i--)
        out->steps[i].actions_end = end = is_action(&pass->vector->steps.items[i]) ? end : i;
    if (ok)
        return true;
    vector_plan_free(out);
    *plan = NULL;
    return false;
}

void vector_plan_free(VectorPlan *plan)
{
    if (!plan)
        return;
    for (int64_t i = 0; plan->steps && i < plan->count; i++) {
        StepPlan *step = &plan->steps[i];
        for (int64_t k = 0; step->operands && k < step->operand_count; k++)
            along_plan_free(&step->operands[k]);
        heap_free(step->operands);
        heap_free(step->operations);
        along_plan_free(&step->ids);
        slice_reduce_plan_free(&step->slices);
    }
    heap_free(plan->steps);
    heap_free(plan);
}
