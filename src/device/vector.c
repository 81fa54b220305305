// The Vector Engine of one slice, step by step. vector.def says what each step does.
#include "device/internal.h"
#include "device/lanes.h"
#include "device/nest.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <string.h>

enum { BLOCK = ELEMENT_BLOCK, ARGS = 3, ID_MASK = 15, GROUP_ID = 8 };

// A step, of the stream or of one of a pair.
typedef struct {
    const ClusterRun *run;
    const HwVectorStep *step;
    int64_t slice;
    SliceRun *state;
    Stream *stream;
} Work;

static Scratch *work_scratch(const Work *work)
{
    return device_scratch(work->run->device);
}

// ---- execution ids

static bool meets(BranchCondition condition, uint8_t tag)
{
    if (!(tag & TAG_ID))
        return false;
    return condition == CONDITION_ALWAYS ||
           ((tag & TAG_GROUP) != 0) == (condition == CONDITION_GROUP_1);
}

static void set_id(uint8_t *tag, bool has_id, uint32_t id)
{
    *tag &= TAG_LIVE | TAG_PADDING;
    if (has_id && !(*tag & TAG_PADDING))
        *tag |= (uint8_t)(TAG_ID | id << TAG_ID_SHIFT);
}

// Lanes of packet `time` that the Valid Count Generator calls data.
static int64_t valid_count(const HwVcg *vcg, int64_t slice, int64_t time)
{
    enum { DIMS = 4 };
    int64_t index[DIMS] = {0};
    for (int64_t i = 0; i < vcg->counters.count; i++) {
        const HwVcgCounter *counter = &vcg->counters.items[i];
        if (counter->dim >= 0 && counter->dim < DIMS)
            index[counter->dim] += time % counter->limit * counter->stride;
        time /= counter->limit;
    }
    for (int64_t i = 0; i < vcg->gates.count; i++) {
        const HwVcgGate *gate = &vcg->gates.items[i];
        int64_t bits = slice & gate->mask;
        bool open = bits < gate->match;
        if (bits == gate->match || (bits > gate->match && gate->transposed))
            open = index[1 + i] < gate->valid;
        if (!open)
            return 0;
    }
    return min_i64(vcg->packet_stride, max_i64(0, vcg->packet_valid - index[0]));
}

// Packets are tagged where they enter the intra-slice block.
static void enter_block(const Work *work)
{
    const HwVcg *vcg = work->run->pass->vector->vcg;
    Stream *stream = work->stream;
    work->state->is_inside = true;
    for (int64_t t = 0; t < stream->time; t++) {
        int64_t valid = vcg ? valid_count(vcg, work->slice, t) : stream->lanes;
        for (int64_t i = 0; i < stream->lanes; i++) {
            uint8_t *tag = &stream->tags[t * stream->lanes + i];
            *tag = (uint8_t)((*tag & TAG_LIVE) | (i < valid ? 0 : TAG_PADDING));
            set_id(tag, true, 0);
        }
    }
}

static uint32_t toggle_id(const Work *work, int64_t time, int64_t lane)
{
    const HwBranch *branch = work->step->branch;
    int64_t index = 0;
    for (int64_t i = 0; i < branch->toggles.count; i++) {
        const HwToggleDigit *digit = &branch->toggles.items[i];
        int64_t position = digit->level == LEVEL_CHIP      ? work->run->chip
                           : digit->level == LEVEL_CLUSTER ? work->run->cluster
                           : digit->level == LEVEL_SLICE   ? work->slice
                           : digit->level == LEVEL_TIME    ? time
                                                           : lane;
        index += position / digit->place % digit->size * digit->weight;
    }
    return index % 2 ? GROUP_ID : 0;
}

static uint32_t compare_id(const HwBranch *branch, uint32_t bits)
{
    uint32_t id = 0;
    for (int64_t i = 0; i < branch->compares.count; i++)
        id |= (uint32_t)lane_compare(&branch->compares.items[i], bits) << i;
    return id & ID_MASK;
}

// ---- what is read along with the stream

typedef struct {
    const HwNest *nest;
    const Memory *vrf; // NULL: the stash
    const Stream *stash;
    Scalar type;
} AlongSource;

// Values for `count` elements of the stream from `first` on, out of VRF or the stash.
static void read_along(const Work *work, const AlongSource *source, int64_t first, int64_t count,
                       uint32_t *bits, uint8_t *live)
{
    const HwNest *nest = source->nest;
    int64_t lanes = work->stream->lanes;
    for (int64_t i = 0; i < count; i++) {
        int64_t time = (first + i) / lanes, lane = (first + i) % lanes;
        int64_t at = loops_offset(nest->loops.items, nest->loops.count, false, time) +
                     loops_offset(nest->loops.items, nest->loops.count, true, lane);
        if (source->vrf) {
            memory_load(source->vrf, source->type, nest->base * BYTE_BITS + at * nest->element_bits,
                        1, &bits[i], &live[i]);
            continue;
        }
        bool held = at >= 0 && at < source->stash->time * source->stash->lanes;
        bits[i] = held ? source->stash->bits[at] : 0;
        live[i] = held && source->stash->tags[at] & TAG_LIVE;
    }
}

static const Memory *vrf_of(const Work *work)
{
    const Slice *slice = run_slice(work->run, work->slice);
    return slice ? &slice->vrf : NULL;
}

// ---- branch

static void run_branch(const Work *work)
{
    const HwBranch *branch = work->step->branch;
    Stream *stream = work->stream;
    AlongSource ids = {.nest = branch->nest, .vrf = vrf_of(work), .type = SCALAR_I32};
    enter_block(work);
    for (int64_t at = 0; at < stream->time * stream->lanes; at++) {
        int64_t time = at / stream->lanes, lane = at % stream->lanes;
        uint32_t id = 0;
        uint8_t known = 1;
        if (branch->kind == BRANCH_AXIS_TOGGLE) {
            id = toggle_id(work, time, lane);
        } else if (branch->kind == BRANCH_COMPARISON) {
            known = stream->tags[at] & TAG_LIVE;
            id = compare_id(branch, stream->bits[at]);
        } else if (branch->kind == BRANCH_VRF && ids.vrf) {
            read_along(work, &ids, at, 1, &id, &known);
        }
        set_id(&stream->tags[at], known, id & ID_MASK);
    }
}

// ---- operations

static int64_t arity_of(VectorOp op)
{
    VectorFamily family = vector_ops[op].family;
    return family == FAMILY_FpUnaryOp ? 1 : family == FAMILY_FpTernaryOp ? 3 : 2;
}

// The arguments of a block: the stream, the operand, the second constant.
typedef struct {
    uint32_t bits[ARGS][BLOCK];
    uint8_t live[ARGS][BLOCK];
} Arguments;

// Where `chosen`, the result takes the place of what was there.
static void apply_block(VectorOp op, ArgMode mode, const Arguments *from, const uint8_t *chosen,
                        int64_t count, uint32_t *bits, uint8_t *tags)
{
    uint32_t result[BLOCK];
    int args[ARGS];
    int64_t arity = arity_of(op);
    for (int i = 0; i < ARGS; i++)
        args[i] = mode == MODE_DEFAULT ? i : arg_modes[mode].args[i];
    lanes_apply(op, from->bits[args[0]], from->bits[args[1]], from->bits[args[2]], count, result);
    for (int64_t i = 0; i < count; i++) {
        if (!chosen[i])
            continue;
        bool live = true;
        for (int64_t k = 0; k < arity; k++)
            live = live && from->live[args[k]][i];
        bits[i] = live ? result[i] : 0;
        tags[i] = (uint8_t)((tags[i] & ~TAG_LIVE) | (live ? TAG_LIVE : 0));
    }
}

static void load_stream(const Stream *stream, int64_t at, int64_t count, uint32_t *bits,
                        uint8_t *live)
{
    memcpy(bits, stream->bits + at, sizeof *bits * (size_t)count);
    for (int64_t i = 0; i < count; i++)
        live[i] = stream->tags[at + i] & TAG_LIVE;
}

static void fill(uint32_t *bits, uint8_t *live, uint32_t value)
{
    for (int64_t i = 0; i < BLOCK; i++)
        bits[i] = value;
    memset(live, 1, BLOCK);
}

static void apply_operand(const Work *work, const HwVectorOperand *operand)
{
    Stream *stream = work->stream;
    VectorOp op = (VectorOp)work->step->op_code;
    AlongSource source = {.nest = operand->nest,
                          .vrf = operand->source == OPERAND_VRF ? vrf_of(work) : NULL,
                          .stash = &work->state->stash,
                          .type = operand->type};
    Arguments from;
    uint8_t chosen[BLOCK];
    if (operand->source == OPERAND_SKIP)
        return;
    fill(from.bits[1], from.live[1], (uint32_t)operand->bits);
    fill(from.bits[2], from.live[2], (uint32_t)operand->second_bits);
    int64_t packets = max_i64(1, BLOCK / stream->lanes);
    for (int64_t time = 0; time < stream->time; time += packets) {
        int64_t count = min_i64(packets, stream->time - time) * stream->lanes;
        int64_t at = time * stream->lanes;
        load_stream(stream, at, count, from.bits[0], from.live[0]);
        if (operand->source != OPERAND_CONSTANT)
            read_along(work, &source, at, count, from.bits[1], from.live[1]);
        for (int64_t i = 0; i < count; i++)
            chosen[i] = meets(operand->condition, stream->tags[at + i]);
        apply_block(op, work->step->mode, &from, chosen, count, stream->bits + at,
                    stream->tags + at);
    }
}

// All elements, whatever their ids.
static void apply_unary(const Work *work)
{
    Stream *stream = work->stream;
    Arguments from;
    uint8_t chosen[BLOCK];
    memset(chosen, 1, sizeof chosen);
    int64_t all = stream->time * stream->lanes;
    for (int64_t at = 0; at < all; at += BLOCK) {
        int64_t count = min_i64(BLOCK, all - at);
        load_stream(stream, at, count, from.bits[0], from.live[0]);
        apply_block((VectorOp)work->step->op_code, MODE_0, &from, chosen, count, stream->bits + at,
                    stream->tags + at);
    }
}

static void run_operation(const Work *work, int64_t group)
{
    const HwVectorStep *step = work->step;
    bool unary = arity_of((VectorOp)step->op_code) == 1;
    if (unary && !(step->mode == MODE_1 && step->operands.count)) {
        if (!work->state->is_pair || step->groups >> group & 1)
            apply_unary(work);
        return;
    }
    for (int64_t i = 0; i < step->operands.count; i++)
        if (!work->state->is_pair || i == group)
            apply_operand(work, &step->operands.items[i]);
}

// ---- two groups

static bool run_unzip(const Work *work)
{
    Stream *from = &work->state->groups[0], parts[2] = {{0}};
    int64_t inside = work->step->pair->inside, lanes = from->lanes;
    Scratch *scratch = work_scratch(work);
    enter_block(work);
    for (int i = 0; i < 2; i++)
        if (!stream_new(scratch, &parts[i], from->type, work->step->time, lanes)) {
            stream_free(scratch, &parts[0]);
            return false;
        }
    for (int64_t t = 0; t < from->time; t++) {
        Stream *to = &parts[t / inside % 2];
        int64_t at = t / (2 * inside) * inside + t % inside;
        memcpy(to->bits + at * lanes, from->bits + t * lanes, sizeof *to->bits * (size_t)lanes);
        memcpy(to->tags + at * lanes, from->tags + t * lanes, (size_t)lanes);
    }
    stream_replace(scratch, &work->state->groups[0], &parts[0]);
    stream_replace(scratch, &work->state->groups[1], &parts[1]);
    work->state->is_pair = true;
    return true;
}

static void run_zip(const Work *work)
{
    Stream *one = &work->state->groups[0], *two = &work->state->groups[1];
    Arguments from;
    uint8_t chosen[BLOCK];
    memset(chosen, 1, sizeof chosen);
    int64_t all = one->time * one->lanes;
    for (int64_t at = 0; at < all; at += BLOCK) {
        int64_t count = min_i64(BLOCK, all - at);
        load_stream(one, at, count, from.bits[0], from.live[0]);
        load_stream(two, at, count, from.bits[1], from.live[1]);
        for (int64_t i = 0; i < count; i++) // both count in every mode
            from.live[0][i] = from.live[1][i] = from.live[0][i] & from.live[1][i];
        apply_block((VectorOp)work->step->op_code, work->step->mode, &from, chosen, count,
                    one->bits + at, one->tags + at);
    }
    stream_free(work_scratch(work), two);
    work->state->is_pair = false;
}

// ---- layout

// Split and concat cut the same elements into other packets; trim and pad change each packet.
static bool run_layout(const Work *work)
{
    Stream *from = work->stream, to;
    int64_t lanes = work->step->packet_elements, kept = min_i64(lanes, from->lanes);
    if (!stream_new(work_scratch(work), &to, from->type, work->step->time, lanes))
        return false;
    int64_t all = from->time * from->lanes;
    bool recut = work->step->call == STAGE_VECTOR_SPLIT || work->step->call == STAGE_VECTOR_CONCAT;
    int64_t run = recut ? all : kept, runs = recut ? 1 : from->time;
    for (int64_t i = 0; i < runs; i++) {
        memcpy(to.bits + i * lanes, from->bits + i * from->lanes, sizeof *to.bits * (size_t)run);
        memcpy(to.tags + i * lanes, from->tags + i * from->lanes, (size_t)run);
        for (int64_t k = run; !recut && k < lanes; k++)
            to.tags[i * lanes + k] = TAG_PADDING;
    }
    stream_replace(work_scratch(work), from, &to);
    return true;
}

static bool run_stash(const Work *work)
{
    Stream copy;
    const Stream *from = work->stream;
    if (!stream_new(work_scratch(work), &copy, from->type, from->time, from->lanes))
        return false;
    memcpy(copy.bits, from->bits, sizeof *copy.bits * (size_t)(from->time * from->lanes));
    memcpy(copy.tags, from->tags, (size_t)(from->time * from->lanes));
    stream_replace(work_scratch(work), &work->state->stash, &copy);
    return true;
}

// Packets with an element that passes close up; what does not pass has no value.
static bool run_filter(const Work *work)
{
    Stream *from = work->stream, to;
    int64_t lanes = from->lanes, next = 0;
    if (!stream_new(work_scratch(work), &to, from->type, work->step->time, lanes))
        return false;
    for (int64_t t = 0; t < from->time && next < to.time; t++) {
        bool passes = false;
        for (int64_t i = 0; i < lanes; i++) {
            uint8_t tag = from->tags[t * lanes + i];
            bool mine = !(tag & TAG_PADDING) && meets(work->step->condition, tag);
            passes |= mine;
            to.bits[next * lanes + i] = from->bits[t * lanes + i];
            to.tags[next * lanes + i] = mine ? tag & TAG_LIVE : 0;
        }
        next += passes;
    }
    for (int64_t i = next * lanes; i < to.time * lanes; i++)
        to.tags[i] = 0;
    stream_replace(work_scratch(work), from, &to);
    return true;
}

static void run_conversion(const Work *work)
{
    Stream *stream = work->stream;
    int64_t count = stream->time * stream->lanes;
    if (work->step->call == STAGE_VECTOR_FXP_TO_FP)
        lanes_fxp_to_fp(stream->bits, count, work->step->int_width);
    else
        lanes_fp_to_fxp(stream->bits, count, work->step->int_width);
}

// ---- all of them

static bool run_step(const Work *work, int64_t group)
{
    switch (work->step->call) {
    case STAGE_VECTOR_BRANCH:
        run_branch(work);
        return true;
    case STAGE_VECTOR_SPLIT:
    case STAGE_VECTOR_TRIM:
    case STAGE_VECTOR_CONCAT:
    case STAGE_VECTOR_PAD:
        return run_layout(work);
    case STAGE_VECTOR_FXP_TO_FP:
    case STAGE_VECTOR_FP_TO_FXP:
        run_conversion(work);
        return true;
    case STAGE_VECTOR_STASH:
        return run_stash(work);
    case STAGE_VECTOR_FILTER:
        return run_filter(work);
    case STAGE_VECTOR_INTRA_REDUCE:
        return lane_reduce_run(work_scratch(work), work->step, work->stream);
    default:
        if (work->step->op_code >= 0)
            run_operation(work, group);
        return true;
    }
}

static bool is_zip(StageKind call)
{
    return call == STAGE_VECTOR_LOGIC_ZIP || call == STAGE_VECTOR_FXP_ZIP ||
           call == STAGE_VECTOR_FP_ZIP || call == STAGE_VECTOR_CLIP_ZIP;
}

bool vector_run(const ClusterRun *run, int64_t slice, int64_t from, int64_t to)
{
    SliceRun *state = &run->slices[slice];
    bool ok = stream_need_tags(device_scratch(run->device), &state->groups[0]);
    for (int64_t i = from; i < to && ok; i++) {
        Work work = {run, &run->pass->vector->steps.items[i], slice, state, &state->groups[0]};
        if (work.step->pair) {
            ok = run_unzip(&work);
        } else if (is_zip(work.step->call)) {
            run_zip(&work);
        } else {
            int64_t groups = state->is_pair ? 2 : 1;
            for (int64_t group = 0; group < groups && ok; group++) {
                work.stream = &state->groups[group];
                ok = run_step(&work, group);
            }
        }
        for (int group = 0; group < 2; group++)
            state->groups[group].type = work.step->out_type;
    }
    return ok;
}

// ---- the plan

bool vector_plan_new(const Device *device, const HwPipeline *pass, VectorPlan **plan)
{
    (void)device;
    (void)pass;
    (void)plan;
    return true;
}

void vector_plan_free(VectorPlan *plan)
{
    (void)plan;
}
