#include "base/heap.h"
#include "command/nest.h"
#include "device/contract.h"
#include "device/data.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <stdlib.h>
#include <string.h>

// One step with data. Requires: nothing of it is used before its packets are found.
typedef struct {
    int64_t place;
    ContractPacket x, w; // what it multiplies
    int64_t x_at, w_at;  // cells
} Step;

// While a schedule is made.
typedef struct {
    const ContractPlan *plan;
    const HwCheckList *test; // NULL: all is data
    int64_t first;
    ContractSchedule *schedule;
    Arena arena; // given back at the end
    Step *steps; // by place, each in their order
    int64_t step_count;
    bool are_neighbours; // the flits of a packet, which they fill
    bool masks_in_place; // no flit is used both with and without what a mask takes away
} Maker;

#define TAKE(arena, type, count) \
    ((type *)arena_try_alloc((arena), sizeof(type), alignof(type), (count)))

int64_t contract_position(const ContractPlan *plan, int64_t unit, int64_t row)
{
    return (unit * plan->reduce->rows + row) * plan->reduce->in_time * plan->lanes;
}

// ---- steps

static int64_t element_of_step(const HwTrfRead *read, int64_t step)
{
    const HwNest *nest = &read->nest;
    int64_t offset = loops_offset(&nest->loops, LOOPS_BETWEEN, step);
    return (nest->base * BYTE_BITS + offset * nest->element_bits) /
           scalar_traits[read->type].packet_bits;
}

static DataShare data_of_step(const Maker *maker, int64_t step)
{
    int64_t lanes = maker->plan->lanes;
    return maker->test ? data_share(maker->test, maker->first + step * lanes, lanes) : DATA_ALL;
}

// The number of a mask that is like `data`; of a new one, if there is none.
static int64_t find_mask(ContractSchedule *schedule, const uint8_t *data, int64_t lanes)
{
    enum { MOST_TRIED = 64 };
    int64_t least = max_i64(0, schedule->mask_count - MOST_TRIED);
    for (int64_t i = schedule->mask_count - 1; i >= least; i--)
        if (!memcmp(schedule->masks + i * lanes, data, lanes))
            return i;
    memcpy(schedule->masks + schedule->mask_count * lanes, data, lanes);
    return schedule->mask_count++;
}

// False: the step has no data.
static bool mask_of_step(const Maker *maker, int64_t step, int64_t *mask)
{
    uint8_t data[DATA_MOST_CHECKS];
    int64_t lanes = maker->plan->lanes;
    DataShare run = data_of_step(maker, step);
    *mask = -1;
    if (run != DATA_SOME)
        return run == DATA_ALL;
    data_lanes(maker->test, maker->first + step * lanes, lanes, data);
    if (!memchr(data, 1, lanes))
        return false;
    if (memchr(data, 0, lanes))
        *mask = find_mask(maker->schedule, data, lanes);
    return true;
}

static void note_columns(const Maker *maker, const Step *step)
{
    const HwReduce *reduce = maker->plan->reduce;
    uint8_t *exists = maker->schedule->exists + step->place * reduce->columns;
    int64_t width = INT64_C(1) << reduce->tree_depth;
    const uint8_t *mask = maker->schedule->masks + step->x.mask * maker->plan->lanes;
    for (int64_t i = 0; i < reduce->columns; i++)
        exists[i] |= step->x.mask < 0 || memchr(mask + i * width, 1, width);
}

// As they come.
static bool collect_steps(Maker *maker, Step *steps)
{
    const ContractPlan *plan = maker->plan;
    int64_t partial = 0;
    for (int64_t i = 0; i < plan->reduce->in_time; i++)
        partial += data_of_step(maker, i) == DATA_SOME;
    maker->schedule->masks = TAKE(&maker->schedule->arena, uint8_t, partial * plan->lanes + 1);
    if (!maker->schedule->masks)
        return false;
    for (int64_t i = 0; i < plan->reduce->in_time; i++) {
        int64_t mask;
        if (!mask_of_step(maker, i, &mask))
            continue;
        Step *step = &steps[maker->step_count++];
        step->place = step_place(plan->reduce, i);
        step->x = (ContractPacket){loops_offset(&plan->adapt->loops, LOOPS_BETWEEN, i), mask};
        step->w = (ContractPacket){element_of_step(plan->read, i), mask};
        note_columns(maker, step);
    }
    return true;
}

// By place, and otherwise as they come.
static bool order_steps(Maker *maker, const Step *steps)
{
    int64_t places = maker->plan->reduce->places;
    int64_t *next = TAKE(&maker->arena, int64_t, places + 1);
    if (!next)
        return false;
    for (int64_t i = 0; i < maker->step_count; i++)
        next[steps[i].place + 1]++;
    for (int64_t i = 0; i < places; i++)
        next[i + 1] += next[i];
    for (int64_t i = 0; i < maker->step_count; i++)
        maker->steps[next[steps[i].place]++] = steps[i];
    return true;
}

// ---- packets

// Whether its lanes are neighbours in the stream.
static bool is_in_stream(const Maker *maker, const ContractPacket *x)
{
    const ContractPlan *plan = maker->plan;
    return maker->are_neighbours && x->at >= 0 &&
           x->at + plan->adapt->collect_flits <= plan->adapt->in_time &&
           x->at * plan->flit_lanes % plan->lanes_per_cell == 0;
}

static bool lies_in_stream(const Maker *maker, const ContractPacket *x)
{
    return (x->mask < 0 || maker->masks_in_place) && is_in_stream(maker, x);
}

static bool lies_in_row(const Maker *maker, const ContractPacket *w)
{
    const ContractPlan *plan = maker->plan;
    int64_t from = w->at - plan->first_element;
    return w->mask < 0 && plan->read_elements >= plan->lanes && from >= 0 &&
           from + plan->lanes <= plan->row_lanes && from % plan->lanes_per_cell == 0;
}

static int compare_packets(const void *a, const void *b)
{
    const ContractPacket *x = a, *y = b;
    return compare_by(compare_i64(x->mask, y->mask), compare_i64(x->at, y->at));
}

// Whether each flit is part of one packet only, with one mask. False also: no memory.
static bool flits_have_one_use(Maker *maker)
{
    enum { UNUSED = -2 };
    int64_t flits = maker->plan->adapt->in_time;
    ContractPacket *uses = TAKE(&maker->arena, ContractPacket, flits);
    for (int64_t i = 0; uses && i < flits; i++)
        uses[i].mask = UNUSED;
    for (int64_t i = 0; uses && i < maker->step_count; i++) {
        const ContractPacket *x = &maker->steps[i].x;
        if (!is_in_stream(maker, x))
            continue;
        for (int64_t k = 0; k < maker->plan->adapt->collect_flits; k++) {
            ContractPacket *use = &uses[x->at + k];
            if (use->mask != UNUSED && compare_packets(use, x))
                return false;
            *use = *x;
        }
    }
    return uses;
}

// Sorted, each of them once.
static void unique_packets(ContractPackets *packets)
{
    int64_t count = 0;
    qsort(packets->items, packets->count, sizeof *packets->items, compare_packets);
    for (int64_t i = 0; i < packets->count; i++)
        if (!count || compare_packets(&packets->items[i], &packets->items[count - 1]))
            packets->items[count++] = packets->items[i];
    packets->count = count;
}

static int64_t packet_cell(const ContractPlan *plan, const ContractPackets *packets,
                           const ContractPacket *packet, int64_t behind)
{
    const ContractPacket *found =
        bsearch(packet, packets->items, packets->count, sizeof *packet, compare_packets);
    return ceil_div(behind, plan->lanes_per_cell) +
           (found - packets->items) * (plan->lanes / plan->lanes_per_cell);
}

static bool find_packets(Maker *maker)
{
    const ContractPlan *plan = maker->plan;
    ContractSchedule *schedule = maker->schedule;
    ContractPackets *x = &schedule->x_packets, *w = &schedule->w_packets;
    ContractPackets *masked = &schedule->x_masked;
    maker->masks_in_place = schedule->mask_count && flits_have_one_use(maker);
    masked->items = TAKE(&schedule->arena, ContractPacket, maker->step_count + 1);
    x->items = TAKE(&schedule->arena, ContractPacket, maker->step_count + 1);
    w->items = TAKE(&schedule->arena, ContractPacket, maker->step_count + 1);
    if (!masked->items || !x->items || !w->items)
        return false;
    for (int64_t i = 0; i < maker->step_count; i++) {
        const Step *step = &maker->steps[i];
        if (!lies_in_stream(maker, &step->x))
            x->items[x->count++] = step->x;
        else if (step->x.mask >= 0)
            masked->items[masked->count++] = step->x;
        if (!lies_in_row(maker, &step->w))
            w->items[w->count++] = step->w;
    }
    unique_packets(masked);
    unique_packets(x);
    unique_packets(w);
    for (int64_t i = 0; i < maker->step_count; i++) {
        Step *step = &maker->steps[i];
        step->x_at = lies_in_stream(maker, &step->x)
                         ? step->x.at * plan->flit_lanes / plan->lanes_per_cell
                         : packet_cell(plan, x, &step->x, plan->stream_lanes);
        step->w_at = lies_in_row(maker, &step->w)
                         ? (step->w.at - plan->first_element) / plan->lanes_per_cell
                         : packet_cell(plan, w, &step->w, plan->row_lanes);
    }
    return true;
}

// ---- places

static bool is_list_of(const ContractList *list, const Step *steps, int64_t count)
{
    bool same = list->count == count;
    for (int64_t i = 0; i < count && same; i++)
        same = list->x_at[i] == steps[i].x_at - steps[0].x_at &&
               list->w_at[i] == steps[i].w_at - steps[0].w_at;
    return same;
}

// The number of the list; -1: no memory.
static int64_t find_list(ContractSchedule *schedule, const Step *steps, int64_t count)
{
    enum { MOST_TRIED = 8 };
    int64_t number = schedule->list_count, least = max_i64(0, number - MOST_TRIED);
    for (int64_t i = number - 1; i >= least; i--)
        if (is_list_of(&schedule->lists[i], steps, count))
            return i;
    ContractList *list = &schedule->lists[number];
    *list = (ContractList){TAKE(&schedule->arena, int64_t, count),
                           TAKE(&schedule->arena, int64_t, count), count};
    if (!list->x_at || !list->w_at)
        return -1;
    for (int64_t i = 0; i < count; i++) {
        list->x_at[i] = steps[i].x_at - steps[0].x_at;
        list->w_at[i] = steps[i].w_at - steps[0].w_at;
    }
    schedule->most_steps = max_i64(schedule->most_steps, count);
    return schedule->list_count++;
}

static int compare_places(const void *a, const void *b)
{
    const ContractPlace *x = a, *y = b;
    return compare_by(compare_i64(x->part, y->part), compare_i64(x->list, y->list),
                      compare_i64(x->w, y->w), compare_i64(x->place, y->place));
}

static bool find_places(Maker *maker)
{
    ContractSchedule *schedule = maker->schedule;
    int64_t most = min_i64(maker->plan->reduce->places, maker->step_count);
    schedule->places = TAKE(&schedule->arena, ContractPlace, most + 1);
    schedule->lists = TAKE(&schedule->arena, ContractList, most + 1);
    if (!schedule->places || !schedule->lists)
        return false;
    for (int64_t from = 0, count; from < maker->step_count; from += count) {
        const Step *steps = &maker->steps[from];
        for (count = 1; from + count < maker->step_count; count++)
            if (steps[count].place != steps[0].place)
                break;
        int64_t list = find_list(schedule, steps, count);
        if (list < 0)
            return false;
        schedule->places[schedule->place_count++] = (ContractPlace){
            steps[0].place, steps[0].x_at / maker->plan->part, list, steps[0].x_at, steps[0].w_at};
    }
    qsort(schedule->places, schedule->place_count, sizeof *schedule->places, compare_places);
    return true;
}

// ---- parts

// The elements of the stream that a place reads, in whole packets.
static void widen_part(const Maker *maker, const ContractPlace *place, ContractPart *part)
{
    const ContractPlan *plan = maker->plan;
    const ContractList *list = &maker->schedule->lists[place->list];
    int64_t least = 0, most = 0, packet = plan->packet_lanes;
    for (int64_t i = 0; i < list->count; i++) {
        least = min_i64(least, list->x_at[i]);
        most = max_i64(most, list->x_at[i]);
    }
    least = (place->x + least) * plan->lanes_per_cell;
    most = (place->x + most) * plan->lanes_per_cell + plan->lanes;
    part->from = min_i64(part->from, least / packet * packet);
    part->to = max_i64(part->to, ceil_div(most, packet) * packet);
}

// Whether the stream may come part by part: little of it twice, as it is, in whole cells.
static bool comes_in_parts(const Maker *maker, int64_t lanes)
{
    const ContractPlan *plan = maker->plan;
    const ContractSchedule *schedule = maker->schedule;
    return schedule->part_count > 1 && !schedule->x_packets.count && !schedule->x_masked.count &&
           lanes <= plan->stream_lanes + plan->stream_lanes / 4 &&
           plan->packet_lanes % plan->lanes_per_cell == 0;
}

static bool find_parts(Maker *maker)
{
    ContractSchedule *schedule = maker->schedule;
    int64_t lanes = 0, most = 0;
    schedule->parts = TAKE(&schedule->arena, ContractPart, schedule->place_count + 1);
    if (!schedule->parts)
        return false;
    for (int64_t i = 0; i < schedule->place_count; i++) {
        const ContractPlace *place = &schedule->places[i];
        if (!i || place->part != place[-1].part)
            schedule->parts[schedule->part_count++] = (ContractPart){i, 0, INT64_MAX, 0};
        ContractPart *part = &schedule->parts[schedule->part_count - 1];
        part->count++;
        widen_part(maker, place, part);
    }
    for (int64_t i = 0; i < schedule->part_count; i++) {
        int64_t count = schedule->parts[i].to - schedule->parts[i].from;
        lanes += count;
        most = max_i64(most, count);
    }
    schedule->part_lanes = comes_in_parts(maker, lanes) ? most : 0;
    return true;
}

// ---- the schedule

static bool make_schedule(Maker *maker)
{
    const HwReduce *reduce = maker->plan->reduce;
    int64_t sums = reduce->places * reduce->columns;
    Step *steps = TAKE(&maker->arena, Step, reduce->in_time);
    maker->steps = TAKE(&maker->arena, Step, reduce->in_time);
    maker->schedule->exists = TAKE(&maker->schedule->arena, uint8_t, sums);
    if (!steps || !maker->steps || !maker->schedule->exists || !collect_steps(maker, steps) ||
        !order_steps(maker, steps) || !find_packets(maker) || !find_places(maker) ||
        !find_parts(maker))
        return false;
    maker->schedule->step_count = maker->step_count;
    maker->schedule->all_exist = !memchr(maker->schedule->exists, 0, sums);
    return true;
}

bool contract_schedule_new(const ContractPlan *plan, const HwCheckList *test, int64_t first,
                           ContractSchedule *schedule)
{
    const HwStreamAdapt *adapt = plan->adapt;
    Maker maker = {.plan = plan, .test = test, .first = first, .schedule = schedule};
    *schedule = (ContractSchedule){0};
    maker.are_neighbours = adapt->collect_flits * plan->flit_lanes >= plan->lanes;
    for (int64_t i = 0; i < adapt->collect_flits; i++)
        maker.are_neighbours &= loops_offset(&adapt->loops, LOOPS_PACKET, i) == i;
    bool ok = make_schedule(&maker);
    arena_release(&maker.arena);
    return ok;
}

void contract_schedule_free(ContractSchedule *schedule)
{
    arena_release(&schedule->arena);
}

// ---- the plan

// Elements of a row that any step may read; none that the row does not have.
static void find_reach(ContractPlan *plan)
{
    const HwTrfRead *read = plan->read;
    int64_t least = 0, most = 0, bits = scalar_traits[read->type].packet_bits;
    for (int64_t i = 0; i < read->nest.loops.count; i++) {
        const HwLoop *loop = &read->nest.loops.items[i];
        int64_t low = min_i64(0, (loop->size - 1) * loop->stride);
        int64_t high = max_i64(0, (loop->size - 1) * loop->stride);
        for (int64_t k = 0; k < loop->offsets.count; k++) {
            low = min_i64(low, loop->offsets.items[k]);
            high = max_i64(high, loop->offsets.items[k]);
        }
        least += low;
        most += high;
    }
    int64_t row = trf_row_bytes(&read->layout) * BYTE_BITS / bits;
    int64_t base = read->nest.base * BYTE_BITS, unit = read->nest.element_bits;
    int64_t first = min_i64(row, max_i64(0, (base + least * unit) / bits));
    int64_t last = min_i64(row, max_i64(0, (base + most * unit) / bits + plan->read_elements));
    plan->first_element = first / plan->lanes_per_cell * plan->lanes_per_cell;
    plan->row_lanes = max_i64(0, last - plan->first_element);
}

static int64_t flit_lanes_of(const Device *device, const HwPipeline *pass)
{
    if (!pass->collect)
        return pass->fetch.packet_elements;
    return device->machine->flit_bytes * BYTE_BITS / scalar_traits[pass->fetch.cast].packet_bits;
}

static void fill_table(Scalar type, uint32_t *table)
{
    for (uint32_t i = 0; i < CONTRACT_TABLE && scalar_traits[type].kind == SCALAR_KIND_FLOAT; i++)
        table[i] = scalar_traits[type].bits == BYTE_BITS ? scalar_to_f32(type, i) : 0;
}

// As f32, their products are exact unless they are very small or very large.
static bool is_short(Scalar type)
{
    return type == SCALAR_BF16 || scalar_traits[type].bits == BYTE_BITS;
}

static void fill_plan(const Device *device, const HwPipeline *pass, ContractPlan *plan)
{
    const HwReduce *reduce = pass->reduce;
    const HwCheckList *test = &reduce->data;
    plan->reduce = reduce;
    plan->adapt = pass->adapt;
    plan->read = pass->trf_read;
    plan->is_float = reduce->out_type == SCALAR_F32;
    plan->is_short = plan->is_float && is_short(pass->fetch.cast) && is_short(pass->trf_read->type);
    plan->lanes = reduce->packet_elements;
    plan->lanes_per_cell = !plan->is_float && reduce->tree_depth ? 2 : 1;
    plan->flit_lanes = flit_lanes_of(device, pass);
    plan->stream_lanes = plan->flit_lanes * pass->adapt->in_time;
    plan->packet_lanes = pass->fetch.packet_elements;
    plan->part = device->part;
    plan->read_elements =
        plan->read->nest.access_bytes * BYTE_BITS / scalar_traits[plan->read->type].packet_bits;
    int64_t row = reduce->in_time * plan->lanes;
    plan->varies = !data_ignores(test, row, INT64_MAX);
    plan->varies_by_row = !data_ignores(test, row, row * reduce->rows);
    fill_table(pass->fetch.cast, plan->x_table);
    fill_table(plan->read->type, plan->w_table);
    find_reach(plan);
}

bool contract_plan_new(const Device *device, const HwPipeline *pass, ContractPlan **plan)
{
    if (!pass->reduce)
        return true;
    *plan = heap_zeroed(1, sizeof **plan);
    if (!*plan)
        return false;
    fill_plan(device, pass, *plan);
    const HwCheckList *test = &pass->reduce->data;
    bool is_asked = test->count && !(*plan)->varies;
    return contract_schedule_new(*plan, is_asked ? test : NULL, 0, &(*plan)->schedule);
}

void contract_plan_free(ContractPlan *plan)
{
    if (!plan)
        return;
    contract_schedule_free(&plan->schedule);
    heap_free(plan);
}

// ---- condensed passes: packets that are fetched repeatedly for other weights are fetched once,
// and the Stream Adapter repeats them

struct Condensed {
    HwPipeline pass;
    HwCollect collect;
    HwStreamAdapt adapt;
    HwLoop fetched[NEST_MOST_LOOPS], adapted[NEST_MOST_LOOPS];
    int64_t adapted_count;
    int64_t between; // flits that loops which became repeats lead to, at most
};

// A loop that fetches the same again: in flits, one round of what is inside it, and its rounds.
typedef struct {
    int64_t loop;
    int64_t inside, rounds;
} Repeat;

static bool find_repeat(const HwPipeline *pass, Repeat *repeat)
{
    const HwFetch *fetch = &pass->fetch;
    int64_t elements = 1, all = 1;
    for (int64_t i = 0; i < fetch->nest.loops.count; i++)
        if (!checked_mul(all, fetch->nest.loops.items[i].size, &all))
            return false;
    if (all != fetch->time * fetch->packet_elements)
        return false; // the outermost ends early
    for (int64_t i = fetch->nest.loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &fetch->nest.loops.items[i];
        if (!loop->stride && !loop->offsets.count && !loop->packet && loop->size > 1 &&
            elements % fetch->packet_elements == 0) {
            *repeat = (Repeat){
                i, elements / fetch->packet_elements * pass->collect->flits_per_packet, loop->size};
            return true;
        }
        elements *= loop->size;
    }
    return false;
}

// Adds an iteration of the Stream Adapter outside those that are there; they come from the inside.
static bool add_loop(Condensed *out, const HwLoop *from, int64_t size, int64_t stride)
{
    if (size == 1)
        return true;
    if (out->adapted_count == NEST_MOST_LOOPS)
        return false;
    HwLoop *loop = &out->adapted[out->adapted_count++];
    *loop = *from;
    loop->size = size;
    loop->stride = stride;
    return true;
}

// Cuts a loop where it leaves what is inside the repeat, and where it leaves the repeat. False: it
// does not come out even.
static bool adapt_loop(Condensed *out, const HwLoop *loop, const Repeat *repeat)
{
    int64_t size = loop->size, stride = loop->stride, whole = repeat->inside * repeat->rounds;
    int64_t part = 1;
    if (loop->offsets.count || stride < 0)
        return false;
    if (!stride)
        return add_loop(out, loop, size, stride);
    if (stride < repeat->inside) {
        part = repeat->inside / stride;
        if (repeat->inside % stride || (size > part && size % part))
            return false;
        part = size < part ? size : part;
        if (!add_loop(out, loop, part, stride))
            return false;
        stride *= part;
        size /= part;
    }
    if (size > 1 && stride < whole) {
        part = whole / stride;
        if (stride % repeat->inside || whole % stride || (size > part && size % part))
            return false;
        part = size < part ? size : part;
        if (!add_loop(out, loop, part, 0))
            return false;
        out->between += (part - 1) * stride;
        stride *= part;
        size /= part;
    }
    return size == 1 || (stride % whole == 0 && add_loop(out, loop, size, stride / repeat->rounds));
}

static void turn_round(HwLoop *loops, int64_t count)
{
    for (int64_t i = 0; i < count / 2; i++) {
        HwLoop loop = loops[i];
        loops[i] = loops[count - 1 - i];
        loops[count - 1 - i] = loop;
    }
}

// Whether steps inside the repeat never lead out of it.
static bool stays_inside(const HwStreamAdapt *adapt, const Repeat *repeat)
{
    int64_t reach = 0;
    for (int64_t i = 0; i < adapt->loops.count; i++) {
        const HwLoop *loop = &adapt->loops.items[i];
        if (loop->stride < repeat->inside)
            reach += (loop->size - 1) * loop->stride;
    }
    return reach < repeat->inside;
}

static bool adapt_all(Condensed *out, const HwStreamAdapt *adapt, const Repeat *repeat)
{
    out->adapted_count = 0;
    out->between = 0;
    for (int64_t i = adapt->loops.count - 1; i >= 0; i--)
        if (!adapt_loop(out, &adapt->loops.items[i], repeat))
            return false;
    turn_round(out->adapted, out->adapted_count);
    out->adapt = *adapt;
    out->adapt.in_time /= repeat->rounds;
    out->adapt.loops.items = out->adapted;
    out->adapt.loops.count = out->adapted_count;
    return stays_inside(&out->adapt, repeat) && out->between < repeat->inside * repeat->rounds;
}

static void fetch_once(Condensed *out, const HwPipeline *pass, const Repeat *repeat)
{
    HwFetch *fetch = &out->pass.fetch;
    int64_t count = 0;
    for (int64_t i = 0; i < pass->fetch.nest.loops.count; i++)
        if (i != repeat->loop)
            out->fetched[count++] = pass->fetch.nest.loops.items[i];
    fetch->nest.loops.items = out->fetched;
    fetch->nest.loops.count = count;
    fetch->time /= repeat->rounds;
    out->collect = *pass->collect;
    out->collect.flits /= repeat->rounds;
    out->pass.collect = &out->collect;
    out->pass.adapt = &out->adapt;
}

Condensed *condense(const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    Repeat repeat;
    if (!pass->reduce || !pass->adapt || !pass->collect || pass->route || fetch->bases.count != 1 ||
        fetch->masks.count || fetch->nest.loops.count > NEST_MOST_LOOPS ||
        !find_repeat(pass, &repeat) ||
        pass->adapt->in_time != fetch->time * pass->collect->flits_per_packet)
        return NULL;
    Condensed *out = heap_new(sizeof *out);
    if (!out)
        return NULL;
    out->pass = *pass;
    if (!adapt_all(out, pass->adapt, &repeat)) {
        heap_free(out);
        return NULL;
    }
    fetch_once(out, pass, &repeat);
    return out;
}

const HwPipeline *condensed_pass(const Condensed *condensed)
{
    return &condensed->pass;
}

void condensed_free(Condensed *condensed)
{
    heap_free(condensed);
}
