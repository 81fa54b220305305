// Relations in the parts that many records are made of: sums of digits, loops, checks.
#include "device/verify_internal.h"

#include "base/checked.h"

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

void interval_include(Interval *sum, Interval part)
{
    sum->least = clamp(sum->least + part.least);
    sum->most = clamp(sum->most + part.most);
}

void interval_add(Interval *sum, int64_t last, int64_t weight)
{
    int64_t reach = weight < 0 ? -verify_times(last, -weight) : verify_times(last, weight);
    interval_include(sum, (Interval){min_i64(0, reach), max_i64(0, reach)});
}

bool interval_is_tame(const Interval *sum)
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
Interval verify_loops(const HwLoop *loops, int64_t count, LoopChoice choice, int64_t iterations)
{
    Interval sum = {0, 0};
    for (int64_t i = count - 1; i >= 0; i--) {
        if (choice != LOOPS_ALL && loops[i].packet != (choice == LOOPS_PACKET))
            continue;
        add_loop(&sum, &loops[i], min_i64(loops[i].size, iterations));
        iterations = ceil_div(iterations, loops[i].size);
    }
    return sum;
}

bool verify_nest(Verify *verify, const void *record)
{
    const HwNest *nest = record;
    Interval sum = verify_loops(nest->loops.items, nest->loops.count, LOOPS_ALL, VERIFY_MOST);
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

static bool checks_hold(Verify *verify, const char *field, const HwCheck *checks, int64_t count)
{
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i++) {
        VerifyPath check = {verify->path, field, i};
        Interval value = {checks[i].offset, checks[i].offset};
        for (int64_t k = 0; k < checks[i].terms.count && ok; k++) {
            VerifyPath term = {&check, "terms", k};
            verify->path = &term;
            ok = term_holds(verify, &checks[i].terms.items[k], i, &value);
        }
        verify->path = check.up;
    }
    return ok;
}

bool verify_commit_mask(Verify *verify, const void *record)
{
    const HwCommitMask *mask = record;
    return checks_hold(verify, "checks", mask->checks.items, mask->checks.count);
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
    return ok && checks_hold(verify, "data", fetch->data.items, fetch->data.count);
}

bool verify_slice_reduce(Verify *verify, const void *record)
{
    const HwSliceReduce *reduce = record;
    return checks_hold(verify, "data", reduce->data.items, reduce->data.count);
}

bool verify_vector_step(Verify *verify, const void *record)
{
    const HwVectorStep *step = record;
    return checks_hold(verify, "data", step->data.items, step->data.count);
}

bool verify_commit(Verify *verify, const void *record)
{
    const HwCommit *commit = record;
    return checks_hold(verify, "data", commit->data.items, commit->data.count);
}

bool verify_vrf_store(Verify *verify, const void *record)
{
    const HwVrfStore *store = record;
    return checks_hold(verify, "data", store->data.items, store->data.count) &&
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
           checks_hold(verify, "data", reduce->data.items, reduce->data.count);
}

// ---- TRF

int64_t verify_row_bytes(const HwTrfLayout *layout)
{
    return layout->bank_rows_per_row * layout->rows_in_bank * layout->bank_columns *
           layout->bank_row_bytes;
}

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
