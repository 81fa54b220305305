// Relations of a pass: how many packets of how many lanes come to each engine, and whether it takes
// as many.
#include "device/verify_internal.h"

#include "base/checked.h"
#include "device/data.h"
#include "device/memory.h"
#include "device/nest.h"

enum { BYTE_BITS = 8, MAC_LANES = 256 };

bool verify_flow(Verify *verify, const HwPipeline *pass, const char *field, const Flow *flow)
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
    Interval flits = verify_loops(adapt->loops.items, adapt->loops.count, LOOPS_ALL, VERIFY_MOST);
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
                      verify_row_bytes(&read->layout)) ||
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
    Interval reach = verify_loops(nest->loops.items, nest->loops.count, LOOPS_ALL,
                                  verify_times(commit->time, kept));
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
        byte.most + flit > verify_row_bytes(&store->layout))
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
    const HwLoop *loops = store->nest.loops.items;
    DataTest test = {store->data.items, store->data.count};
    int64_t base = store->nest.base * BYTE_BITS, bits = store->nest.element_bits;
    int64_t loop_count = store->nest.loops.count, lanes = store->packet_elements, tests = 0;
    int64_t units = verify_times(pass->chips * pass->clusters, pass->slices);
    int64_t span = verify_times(store->time, lanes);
    if (!test.count || span > MOST_TESTS)
        return false;
    for (int64_t at = 0; at < span; at++) {
        int64_t place = loops_offset(loops, loop_count, false, at / lanes) +
                        loops_offset(loops, loop_count, true, at % lanes);
        bool is_inside = base + place * bits >= 0 && base + (place + 1) * bits <= vrf_bits;
        for (int64_t unit = 0; !is_inside && unit < units; unit++) {
            bool is_data = true;
            if (tests++ < MOST_TESTS)
                data_run(&test, unit * span + at, 1, &is_data);
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
    Interval reach = verify_loops(nest->loops.items, nest->loops.count, LOOPS_BETWEEN, store->time);
    interval_include(&reach, verify_loops(nest->loops.items, nest->loops.count, LOOPS_PACKET,
                                          store->packet_elements));
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
