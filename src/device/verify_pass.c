// Relations of a pass: how many packets of how many lanes come to each engine, and whether it takes
// as many.
#include "device/verify_internal.h"

#include "base/checked.h"
#include "command/nest.h"
#include "device/data.h"
#include "device/memory.h"

// Relations in the parts that many records are made of: sums of digits, loops, checks.

int64_t verify_times(int64_t a, int64_t b)
{
    int64_t product;
    return checked_mul(a, b, &product) ? min_i64(product, VERIFY_MOST) : VERIFY_MOST;
}

// ---- intervals

static int64_t clamp(int64_t value)
{
    return max_i64(-VERIFY_MOST, min_i64(value, VERIFY_MOST));
}

static void interval_include(Interval *sum, Interval part)
{
    sum->least = clamp(sum->least + part.least);
    sum->most = clamp(sum->most + part.most);
}

void interval_add(Interval *sum, int64_t last, int64_t weight)
{
    int64_t reach = weight < 0 ? -verify_times(last, -weight) : verify_times(last, weight);
    interval_include(sum, (Interval){min_i64(0, reach), max_i64(0, reach)});
}

// it stays below VERIFY_MOST
static bool interval_is_tame(const Interval *sum)
{
    return sum->least > -VERIFY_MOST && sum->most < VERIFY_MOST;
}

// ---- loops

bool verify_loop(Verify *verify, const void *record)
{
    const HwLoop *loop = record;
    if (loop->offsets.count && loop->offsets.count != loop->size)
        return verify_wrong(verify, "offsets", "has {} entries for {} iterations",
                            loop->offsets.count, loop->size);
    return true;
}

static void add_loop(Interval *sum, const HwLoop *loop, int64_t size)
{
    Interval offsets = {VERIFY_MOST, -VERIFY_MOST};
    for (int64_t i = 0; i < loop->offsets.count && i < size; i++) {
        offsets.least = min_i64(offsets.least, loop->offsets.items[i]);
        offsets.most = max_i64(offsets.most, loop->offsets.items[i]);
    }
    if (loop->offsets.count)
        interval_include(sum, offsets);
    else
        interval_add(sum, size - 1, loop->stride);
}

// The first `iterations` of them: so an outer loop may end early.
static Interval verify_loops(const HwLoopList *loops, LoopChoice choice, int64_t iterations)
{
    Interval sum = {0, 0};
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        const HwLoop *loop = &loops->items[i];
        if (choice != LOOPS_ALL && loop->packet != (choice == LOOPS_PACKET))
            continue;
        add_loop(&sum, loop, min_i64(loop->size, iterations));
        iterations = ceil_div(iterations, loop->size);
    }
    return sum;
}

bool verify_nest(Verify *verify, const void *record)
{
    const HwNest *nest = record;
    Interval sum = verify_loops(&nest->loops, LOOPS_ALL, VERIFY_MOST);
    int64_t bits = nest->element_bits;
    return (interval_is_tame(&sum) && sum.most < VERIFY_MOST / bits &&
            sum.least > -VERIFY_MOST / bits) ||
           verify_wrong(verify, "loops", "lead farther than any memory reaches");
}

// ---- checks

static bool term_holds(Verify *verify, const HwCheckTerm *term, int64_t index, Interval *value)
{
    int64_t last = (term->modulo - 1) / term->place;
    Interval digits = {0, last};
    if (term->of >= index)
        return verify_wrong(verify, "of", "is {}: only checks before may be asked", term->of);
    if (term->table.count && last >= term->table.count)
        return verify_wrong(verify, "table", "has {} entries for {} digits", term->table.count,
                            (long long)last + 1);
    for (int64_t i = 0; i < term->table.count; i++) {
        digits.least = min_i64(digits.least, term->table.items[i]);
        digits.most = max_i64(digits.most, term->table.items[i]);
    }
    interval_add(value, digits.most, term->weight);
    interval_add(value, -digits.least, -term->weight);
    return interval_is_tame(value) || verify_wrong(verify, "weight", "makes the value too large");
}

static bool checks_hold(Verify *verify, const char *field, const HwCheckList *checks)
{
    bool ok = true;
    for (int64_t i = 0; i < checks->count && ok; i++) {
        VerifyPath check = {verify->path, field, i};
        const HwCheck *one = &checks->items[i];
        Interval value = {one->offset, one->offset};
        for (int64_t k = 0; k < one->terms.count && ok; k++) {
            VerifyPath term = {&check, "terms", k};
            verify->path = &term;
            ok = term_holds(verify, &one->terms.items[k], i, &value);
        }
        verify->path = check.up;
    }
    return ok;
}

bool verify_commit_mask(Verify *verify, const void *record)
{
    const HwCommitMask *mask = record;
    return checks_hold(verify, "checks", &mask->checks);
}

// Its loops exist, and every index of the loop that chooses a count has one.
static bool mask_holds(Verify *verify, const HwLoop *loops, int64_t count, const HwMask *mask)
{
    int64_t dim = mask->valid_count_dim;
    if (!verify_range(verify, "last_dim", mask->last_dim, 0, count - 1) ||
        !verify_range(verify, "valid_count_dim", dim, -1, count - 1))
        return false;
    return verify_range(verify, "valid_counts", mask->valid_counts.count,
                        dim < 0 ? 1 : loops[dim].size, INT64_MAX);
}

bool verify_fetch(Verify *verify, const void *record)
{
    const HwFetch *fetch = record;
    bool ok = true;
    for (int64_t i = 0; i < fetch->masks.count && ok; i++) {
        VerifyPath mask = {verify->path, "masks", i};
        verify->path = &mask;
        ok = mask_holds(verify, fetch->nest.loops.items, fetch->nest.loops.count,
                        &fetch->masks.items[i]);
        verify->path = mask.up;
    }
    return ok && checks_hold(verify, "data", &fetch->data);
}

bool verify_slice_reduce(Verify *verify, const void *record)
{
    const HwSliceReduce *reduce = record;
    return checks_hold(verify, "data", &reduce->data);
}

bool verify_vector_step(Verify *verify, const void *record)
{
    const HwVectorStep *step = record;
    return checks_hold(verify, "data", &step->data);
}

bool verify_commit(Verify *verify, const void *record)
{
    const HwCommit *commit = record;
    return checks_hold(verify, "data", &commit->data);
}

bool verify_vrf_store(Verify *verify, const void *record)
{
    const HwVrfStore *store = record;
    return checks_hold(verify, "data", &store->data) &&
           verify_equal(verify, "nest.element_bits", store->nest.element_bits,
                        scalar_traits[store->type].storage_bits);
}

// ---- the Reducer

static Interval places_of(const HwReduce *reduce)
{
    Interval place = {0, 0};
    int64_t steps = reduce->in_time;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        interval_add(&place, min_i64(loop->size, steps) - 1, loop->stride);
        steps = ceil_div(steps, loop->size);
    }
    return place;
}

bool verify_reduce(Verify *verify, const void *record)
{
    const HwReduce *reduce = record;
    bool interleaved = reduce->resize == ACCUMULATE_INTERLEAVED;
    int64_t per_place = interleaved
                            ? reduce->columns
                            : reduce->rows * ceil_div(reduce->columns, reduce->out_elements);
    Interval place = places_of(reduce);
    if (reduce->packet_elements % (INT64_C(1) << reduce->tree_depth))
        return verify_wrong(verify, "tree_depth", "is {}, of {} lanes", reduce->tree_depth,
                            reduce->packet_elements);
    if (place.least < 0 || place.most >= reduce->places)
        return verify_wrong(verify, "loops", "lead to places {} to {} of {}", place.least,
                            place.most, reduce->places);
    return verify_range(verify, "columns", reduce->columns, 1,
                        reduce->packet_elements >> reduce->tree_depth) &&
           verify_equal(verify, "tree_outputs", reduce->tree_outputs,
                        reduce->packet_elements >> reduce->tree_depth) &&
           (!interleaved || verify_range(verify, "rows", reduce->rows, 1, reduce->out_elements)) &&
           verify_equal(verify, "out_time", reduce->out_time,
                        verify_times(reduce->places, per_place)) &&
           checks_hold(verify, "data", &reduce->data);
}

// ---- TRF

bool verify_layout(Verify *verify, const void *record)
{
    const HwTrfLayout *layout = record;
    const Machine *machine = verify->machine;
    return verify_range(verify, "bank_rows_per_row", layout->bank_rows_per_row, 1,
                        machine->trf_bank_rows / layout->rows) &&
           verify_equal(verify, "bank_columns", layout->bank_columns, machine->trf_bank_columns) &&
           verify_equal(verify, "bank_row_bytes", layout->bank_row_bytes, machine->trf_row_bytes) &&
           verify_range(verify, "rows_in_bank", layout->rows_in_bank, 1,
                        machine->trf_rows_per_bank - layout->first_row) &&
           verify_equal(verify, "slots_per_bank_row", layout->slots_per_bank_row,
                        machine->trf_slots_per_row);
}

// Relations of the Vector Engine: what each step needs of the stream that comes to it.

bool verify_vector(Verify *verify, const void *record)
{
    const HwVector *vector = record;
    Interval sum = {0, 0};
    for (int64_t i = 0; vector->vcg && i < vector->vcg->counters.count; i++)
        interval_add(&sum, vector->vcg->counters.items[i].limit,
                     vector->vcg->counters.items[i].stride);
    return interval_is_tame(&sum) || verify_wrong(verify, "vcg.counters", "count too far");
}

static bool verify_flow(Verify *verify, const HwPipeline *pass, const char *field, const Flow *flow)
{
    int64_t elements = verify_times(flow->time, flow->lanes);
    int64_t units = verify_times(pass->chips * pass->clusters, pass->slices);
    if (flow->time < 1 || flow->lanes < 1)
        return verify_wrong(verify, field, "has no elements");
    if (verify_times(elements, pass->slices) > verify->limits->elements)
        return verify_wrong(verify, field, "has too many elements: {} packets of {}", flow->time,
                            flow->lanes);
    return verify_spend(verify, verify_times(elements, units));
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

enum { MAC_LANES = 256 };

// The first unit is there; others may be padding beyond the last that the machine has.
static bool units_hold(Verify *verify, const HwPipeline *pass)
{
    const Machine *machine = verify->machine;
    int64_t clusters = machine->clusters_per_chip, slices = machine->slices_per_cluster;
    return verify_range(verify, "chips", pass->chips, 1, verify->chips) &&
           verify_range(verify, "clusters", pass->clusters, 1, clusters) &&
           verify_range(verify, "slices", pass->slices, 1, slices) &&
           verify_range(verify, "first_chip", pass->first_chip, 0, verify->chips - 1) &&
           verify_range(verify, "first_cluster", pass->first_cluster, 0, clusters - 1) &&
           verify_range(verify, "first_slice", pass->first_slice, 0, slices - 1);
}

// ---- fetch, switch, collect

static bool route_holds(Verify *verify, const HwPipeline *pass)
{
    const HwSwitchRoute *route = pass->route;
    Interval slice = {0, 0}, time = {0, 0};
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        int64_t numbers = ceil_div(term->of_time ? route->out_time : pass->slices, term->place);
        int64_t last = max_i64(0, min_i64(min_i64(term->extent, term->size), numbers) - 1);
        interval_add(&slice, last, term->slice_stride);
        interval_add(&time, last, term->time_stride);
    }
    if (slice.least < 0 || slice.most >= pass->slices)
        return verify_wrong(verify, "route.terms", "lead to slices {} to {} of {}", slice.least,
                            slice.most, pass->slices);
    if (time.least < 0 || time.most >= pass->fetch.time)
        return verify_wrong(verify, "route.terms", "lead to packets {} to {} of {}", time.least,
                            time.most, pass->fetch.time);
    return true;
}

static bool fetch_holds(Verify *verify, const HwPipeline *pass, Flow *flow)
{
    const HwFetch *fetch = &pass->fetch;
    const HwCollect *collect = pass->collect;
    int64_t work;
    flow->time = fetch->time;
    flow->lanes = fetch->packet_elements;
    if (pass->route && !verify_flow(verify, pass, "fetch", flow))
        return false;
    flow->time = pass->route ? pass->route->out_time : fetch->time;
    if (!verify_equal(verify, "fetch.nest.element_bits", fetch->nest.element_bits,
                      scalar_traits[fetch->type].storage_bits) ||
        (pass->route && !route_holds(verify, pass)))
        return false;
    if (collect) {
        flow->lanes =
            verify->machine->flit_bytes * BYTE_BITS / scalar_traits[fetch->cast].packet_bits;
        flow->time = verify_times(flow->time, collect->flits_per_packet);
        if (!verify_range(verify, "fetch.packet_elements", fetch->packet_elements, 1,
                          verify_times(collect->flits_per_packet, flow->lanes)))
            return false;
    }
    work = verify_times(flow->time, fetch->packet_elements);
    return verify_flow(verify, pass, "fetch", flow) &&
           verify_spend(verify, verify_times(work, fetch->nest.loops.count));
}

// ---- contraction

static bool adapt_holds(Verify *verify, const HwPipeline *pass, const Flow *flow)
{
    const HwStreamAdapt *adapt = pass->adapt;
    Interval flits = verify_loops(&adapt->loops, LOOPS_ALL, VERIFY_MOST);
    return verify_equal(verify, "adapt.in_time", adapt->in_time, flow->time) &&
           verify_range(verify, "adapt.collect_flits", adapt->collect_flits, 1,
                        MAC_LANES / flow->lanes) &&
           (verify_times(max_i64(flits.most, -flits.least), flow->lanes) < VERIFY_MOST ||
            verify_wrong(verify, "adapt.loops", "lead beyond all flits"));
}

static bool factor_holds(Verify *verify, const char *field, Scalar type, Scalar sum)
{
    Scalar result;
    return (scalar_contraction_result(type, &result) && result == sum) ||
           verify_wrong(verify, field, "is {}, whose products are not of type {}",
                        scalar_name(type), scalar_name(sum));
}

static bool contraction_holds(Verify *verify, const HwPipeline *pass, Flow *flow)
{
    const HwReduce *reduce = pass->reduce;
    const HwTrfRead *read = pass->trf_read;
    if (!reduce || !pass->adapt || !read)
        return verify_wrong(verify, "reduce",
                            "is not together with the Stream Adapter and the TRF Sequencer");
    int64_t units = verify_times(pass->chips * pass->clusters, pass->slices);
    int64_t products =
        verify_times(verify_times(reduce->in_time, reduce->rows), reduce->packet_elements);
    int64_t read_elements =
        read->nest.access_bytes * BYTE_BITS / scalar_traits[read->type].packet_bits;
    if (!factor_holds(verify, "fetch.cast", pass->fetch.cast, reduce->out_type) ||
        !factor_holds(verify, "trf_read.type", read->type, reduce->out_type) ||
        !adapt_holds(verify, pass, flow) ||
        !verify_range(verify, "reduce.rows", reduce->rows, 1, read->layout.rows) ||
        !verify_range(verify, "trf_read.nest.base", read->nest.base, 0,
                      trf_row_bytes(&read->layout)) ||
        !verify_range(verify, "trf_read.nest.access_bytes", read_elements, 1, MAC_LANES) ||
        !verify_spend(verify, verify_times(products, units)))
        return false;
    flow->time = verify_times(verify_times(reduce->places, reduce->rows), reduce->columns);
    flow->lanes = 1;
    if (!verify_flow(verify, pass, "reduce.places", flow))
        return false;
    flow->time = reduce->out_time;
    flow->lanes = reduce->out_elements;
    return verify_flow(verify, pass, "reduce", flow);
}

// ---- cast and transpose

static bool cast_holds(Verify *verify, const HwPipeline *pass, Flow *flow)
{
    const HwCast *cast = pass->cast;
    int64_t lanes =
        (cast->bytes + cast->pad_bytes) * BYTE_BITS / scalar_traits[cast->to].packet_bits;
    if (!verify_range(verify, "cast.bytes", lanes, flow->lanes, ELEMENT_BLOCK * 16))
        return false;
    flow->lanes = lanes;
    return verify_flow(verify, pass, "cast", flow);
}

static bool transpose_holds(Verify *verify, const HwPipeline *pass, Flow *flow)
{
    const HwTranspose *transpose = pass->transpose;
    int64_t out = verify_times(transpose->packets_per_col, transpose->kept_per_packet);
    if (!verify_equal(verify, "transpose.iterations",
                      verify_times(transpose->iterations, transpose->in_flits), flow->time) ||
        !verify_range(verify, "transpose.in_rows",
                      verify_times(transpose->in_rows, transpose->packets_per_col), 1,
                      transpose->in_flits) ||
        !verify_range(verify, "transpose.in_rows", transpose->in_rows, 1,
                      transpose->output_alignment) ||
        !verify_range(verify, "transpose.kept_per_packet", transpose->kept_per_packet, 1,
                      flow->lanes) ||
        !verify_range(verify, "transpose.out_flits", transpose->out_flits, out, VERIFY_MOST))
        return false;
    flow->time = verify_times(transpose->iterations, transpose->out_flits);
    flow->lanes = transpose->output_alignment;
    return verify_flow(verify, pass, "transpose", flow);
}

// ---- what is written

static bool commit_holds(Verify *verify, const HwPipeline *pass, const Flow *flow)
{
    const HwCommit *commit = pass->commit;
    const HwNest *nest = &commit->nest;
    int64_t bits = nest->element_bits, kept = commit->commit_in_size * BYTE_BITS / bits;
    Interval reach = verify_loops(&nest->loops, LOOPS_ALL, verify_times(commit->time, kept));
    if (!verify_equal(verify, "commit.nest.element_bits", bits,
                      scalar_traits[commit->type].storage_bits) ||
        !verify_equal(verify, "commit.time", commit->time, flow->time) ||
        !verify_range(verify, "commit.commit_in_size", kept, 1,
                      min_i64(flow->lanes, ELEMENT_BLOCK)) ||
        !verify_range(verify, "commit lanes", flow->lanes, 1, ELEMENT_BLOCK))
        return false;
    int64_t first = nest->base * BYTE_BITS + reach.least * bits;
    int64_t end = nest->base * BYTE_BITS + (reach.most + 1) * bits;
    if (first < 0 || end > verify->machine->dm_bytes_per_slice * BYTE_BITS)
        return verify_wrong(verify, "commit.nest", "leads to bytes {} to {}, out of DM",
                            (first / BYTE_BITS), (end / BYTE_BITS));
    return true;
}

static bool trf_store_holds(Verify *verify, const HwPipeline *pass, const Flow *flow)
{
    const HwTrfStore *store = pass->trf_store;
    Interval row = {store->start_row, store->start_row};
    Interval byte = {store->start_byte, store->start_byte};
    int64_t flits = store->flits;
    int64_t flit = ceil_div(flow->lanes * scalar_traits[store->type].packet_bits, BYTE_BITS);
    if (!verify_equal(verify, "trf_store.flits", flits, flow->time) ||
        !verify_equal(verify, "trf_store.flit_bytes", store->flit_bytes, flit))
        return false;
    for (int64_t i = store->loops.count - 1; i >= 0; i--) {
        const HwRowLoop *loop = &store->loops.items[i];
        interval_add(&row, min_i64(loop->size, flits) - 1, loop->row_stride);
        interval_add(&byte, min_i64(loop->size, flits) - 1, loop->byte_stride);
        flits = ceil_div(flits, loop->size);
    }
    if (row.least < 0 || row.most >= store->layout.rows || byte.least < 0 ||
        byte.most + flit > trf_row_bytes(&store->layout))
        return verify_wrong(verify, "trf_store.loops",
                            "lead to rows {} to {}, bytes {} to {}, out of TRF", row.least,
                            row.most, byte.least, byte.most);
    return true;
}

// Whether every element that is written lies in VRF. The loops also count padding, which may lie
// beyond its end: of positions that do, no unit may have data there.
static bool data_stays_in_vrf(const HwPipeline *pass, int64_t vrf_bits)
{
    enum { MOST_TESTS = 1 << 28 };
    const HwVrfStore *store = pass->vrf_store;
    const HwCheckList *test = &store->data;
    int64_t base = store->nest.base * BYTE_BITS, bits = store->nest.element_bits;
    int64_t lanes = store->packet_elements, tests = 0;
    int64_t units = verify_times(pass->chips * pass->clusters, pass->slices);
    int64_t span = verify_times(store->time, lanes);
    if (!test->count || span > MOST_TESTS)
        return false;
    for (int64_t at = 0; at < span; at++) {
        int64_t place = loops_offset(&store->nest.loops, LOOPS_BETWEEN, at / lanes) +
                        loops_offset(&store->nest.loops, LOOPS_PACKET, at % lanes);
        bool is_inside = base + place * bits >= 0 && base + (place + 1) * bits <= vrf_bits;
        for (int64_t unit = 0; !is_inside && unit < units; unit++) {
            bool is_data = true;
            if (tests++ < MOST_TESTS)
                data_run(test, unit * span + at, 1, &is_data);
            if (is_data)
                return false;
        }
    }
    return true;
}

static bool vrf_store_holds(Verify *verify, const HwPipeline *pass, const Flow *flow)
{
    const HwVrfStore *store = pass->vrf_store;
    const HwNest *nest = &store->nest;
    int64_t bits = nest->element_bits, size = verify->machine->vrf_bytes_per_slice * BYTE_BITS;
    if (!verify_equal(verify, "vrf_store.time", store->time, flow->time) ||
        !verify_range(verify, "vrf_store.packet_elements", store->packet_elements, 1, flow->lanes))
        return false;
    Interval reach = verify_loops(&nest->loops, LOOPS_BETWEEN, store->time);
    interval_include(&reach, verify_loops(&nest->loops, LOOPS_PACKET, store->packet_elements));
    bool inside = nest->base * BYTE_BITS + reach.least * bits >= 0 &&
                  nest->base * BYTE_BITS + (reach.most + 1) * bits <= size;
    return inside || data_stays_in_vrf(pass, size) ||
           verify_wrong(verify, "vrf_store.nest", "leads out of VRF");
}

// ---- all of it

bool verify_pass(Verify *verify, const void *record)
{
    const HwPipeline *pass = record;
    Flow flow = {0};
    bool contracts = pass->reduce || pass->adapt || pass->trf_read;
    return units_hold(verify, pass) && fetch_holds(verify, pass, &flow) &&
           (!contracts || contraction_holds(verify, pass, &flow)) &&
           (!pass->vector || verify_steps(verify, pass, &flow)) &&
           (!pass->cast || cast_holds(verify, pass, &flow)) &&
           (!pass->transpose || transpose_holds(verify, pass, &flow)) &&
           (!pass->trf_store || trf_store_holds(verify, pass, &flow)) &&
           (!pass->vrf_store || vrf_store_holds(verify, pass, &flow)) &&
           (!pass->commit || commit_holds(verify, pass, &flow));
}

bool verify_command(Verify *verify, const void *record)
{
    const HwCommand *command = record;
    int parts = (command->pass != NULL) + (command->dma != NULL) + (command->immediate != NULL);
    return parts == 1 || verify_wrong(verify, "pass", "is not one of three: pass, dma, immediate");
}
