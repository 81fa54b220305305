// From a position on, digits either stay or count up evenly for a while; so does the value of a
// check, and it is known when it will leave its range. So whole runs of positions are answered at
// once.
#include "device/data.h"

#include "base/checked.h"
#include "base/heap.h"
#include "command/nest.h"

#include <string.h>

// A number along positions: value + k x slope, for k from 0 to length - 1.
typedef struct {
    int64_t value, slope, length;
} Line;

// For how many steps `value` stays in [0, limit), where it is.
static int64_t steps_inside(int64_t value, int64_t slope, int64_t limit)
{
    if (slope == 0)
        return INT64_MAX;
    return slope > 0 ? (limit - 1 - value) / slope + 1 : value / -slope + 1;
}

// For how many steps it stays outside, where it is.
static int64_t steps_outside(int64_t value, int64_t slope, int64_t limit)
{
    if (value < 0)
        return slope > 0 ? (-1 - value) / slope + 1 : INT64_MAX;
    return slope < 0 ? (value - limit) / -slope + 1 : INT64_MAX;
}

static Line digit_of(const Line *number, const HwCheckTerm *term)
{
    int64_t rest = number->value % term->modulo, digit = rest / term->place;
    Line out = {digit, 0, number->length};
    if (number->slope % term->place == 0) {
        out.slope = number->slope / term->place;
        out.length = min_i64(out.length, steps_inside(rest, number->slope, term->modulo));
    } else {
        int64_t low = digit * term->place, size = min_i64(term->place, term->modulo - low);
        out.length = min_i64(out.length, steps_inside(rest - low, number->slope, size));
    }
    if (term->table.count && out.slope)
        out.length = 1;
    if (out.length == 1) // the slope does not matter: it may be too large to count with
        out.slope = 0;
    if (term->table.count)
        out.value = term->table.items[digit];
    out.value *= term->weight;
    out.slope *= term->weight;
    return out;
}

static Line check_value(const HwCheck *check, const Line *position, const Line *values)
{
    Line sum = {check->offset, 0, position->length};
    for (int64_t i = 0; i < check->terms.count; i++) {
        const HwCheckTerm *term = &check->terms.items[i];
        Line digit = digit_of(term->of < 0 ? position : &values[term->of], term);
        sum.value += digit.value;
        sum.slope += digit.slope;
        sum.length = min_i64(sum.length, digit.length);
    }
    if (!check->modulo)
        return sum;
    int64_t rest = sum.value % check->modulo;
    sum.length = min_i64(sum.length, rest < 0 ? 1 : steps_inside(rest, sum.slope, check->modulo));
    sum.value = rest;
    return sum;
}

static int64_t run_at(const HwCheckList *test, int64_t first, int64_t most, bool *is_data)
{
    Line values[DATA_MOST_CHECKS];
    Line position = {first, 1, most};
    for (int64_t i = 0; i < test->count; i++) {
        Line value = check_value(&test->items[i], &position, values);
        int64_t limit = test->items[i].limit;
        *is_data = value.value >= 0 && value.value < limit;
        if (!*is_data)
            return min_i64(value.length, steps_outside(value.value, value.slope, limit));
        value.length = min_i64(value.length, steps_inside(value.value, value.slope, limit));
        values[i] = value;
        position.length = value.length;
    }
    *is_data = true;
    return position.length;
}

int64_t data_run(const HwCheckList *test, int64_t first, int64_t most, bool *is_data)
{
    int64_t length = run_at(test, first, most, is_data);
    while (length < most) {
        bool next;
        int64_t more = run_at(test, first + length, most - length, &next);
        if (next != *is_data)
            break;
        length += more;
    }
    return length;
}

void data_lanes(const HwCheckList *test, int64_t first, int64_t count, uint8_t *data)
{
    bool is_data;
    for (int64_t i = 0, run; i < count; i += run) {
        run = run_at(test, first + i, count - i, &is_data);
        memset(data + i, is_data, run);
    }
}

void data_runs(const HwCheckList *test, int64_t first, int64_t count, DataRun *run, void *own)
{
    bool is_data;
    for (int64_t at = 0, next; at < count; at = next) {
        next = at + data_run(test, first + at, count - at, &is_data);
        if (is_data)
            run(own, at, next);
    }
}

// ---- whole runs

// All that a number may be.
typedef struct {
    int64_t low, high;
} Range;

static Range table_range(const HwCheckTerm *term, Range digits)
{
    const int64_t *table = term->table.items;
    Range range = {table[digits.low], table[digits.low]};
    for (int64_t i = digits.low + 1; i <= digits.high; i++) {
        range.low = min_i64(range.low, table[i]);
        range.high = max_i64(range.high, table[i]);
    }
    return range;
}

// What a term can be while its number is in a range.
static Range term_range(const HwCheckTerm *term, Range number)
{
    Range digit = {0, (term->modulo - 1) / term->place};
    if (number.low / term->modulo == number.high / term->modulo)
        digit = (Range){number.low % term->modulo / term->place,
                        number.high % term->modulo / term->place};
    if (term->table.count)
        digit = table_range(term, digit);
    int64_t a = digit.low * term->weight, b = digit.high * term->weight;
    return (Range){min_i64(a, b), max_i64(a, b)};
}

// The range of a check's value. `values` has the ranges of the checks before it, cut to their
// limits.
static Range check_range(const HwCheck *check, Range position, const Range *values)
{
    Range sum = {check->offset, check->offset};
    for (int64_t i = 0; i < check->terms.count; i++) {
        const HwCheckTerm *term = &check->terms.items[i];
        Range part = term_range(term, term->of < 0 ? position : values[term->of]);
        sum = (Range){sum.low + part.low, sum.high + part.high};
    }
    int64_t modulo = check->modulo;
    if (!modulo)
        return sum;
    if (sum.low >= 0 && sum.low / modulo == sum.high / modulo)
        return (Range){sum.low % modulo, sum.high % modulo};
    return (Range){sum.low < 0 ? 1 - modulo : 0, modulo - 1};
}

// Where it is something else, the position is padding already.
static Range clip(Range range, int64_t limit)
{
    return (Range){max_i64(range.low, 0), min_i64(range.high, limit - 1)};
}

static DataShare share_of(Range value, int64_t limit)
{
    return value.high < 0 || value.low >= limit   ? DATA_NONE
           : value.low < 0 || value.high >= limit ? DATA_SOME
                                                  : DATA_ALL;
}

// Of one position every range is one number, and the answer never DATA_SOME.
DataShare data_share(const HwCheckList *test, int64_t first, int64_t count)
{
    Range values[DATA_MOST_CHECKS];
    DataShare all = DATA_ALL;
    for (int64_t i = 0; i < test->count; i++) {
        const HwCheck *check = &test->items[i];
        Range value = check_range(check, (Range){first, first + count - 1}, values);
        DataShare share = share_of(value, check->limit);
        if (share == DATA_NONE)
            return DATA_NONE;
        all = share == DATA_SOME ? DATA_SOME : all;
        values[i] = clip(value, check->limit);
    }
    return all;
}

// What a number can be in either of two stretches; `same`: the same one at each of their positions.
typedef struct {
    Range first[DATA_MOST_CHECKS], other[DATA_MOST_CHECKS];
    bool same[DATA_MOST_CHECKS];
} Both;

static bool is_same_check(const HwCheck *check, Range first, Range other, const Both *values)
{
    bool all = true;
    for (int64_t i = 0; i < check->terms.count && all; i++) {
        const HwCheckTerm *term = &check->terms.items[i];
        all = term->of < 0 ? (first.low - other.low) % term->modulo == 0 : values->same[term->of];
        if (all)
            continue;
        Range a = term_range(term, term->of < 0 ? first : values->first[term->of]);
        Range b = term_range(term, term->of < 0 ? other : values->other[term->of]);
        all = a.low == a.high && b.low == b.high && a.low == b.low;
    }
    return all;
}

bool data_alike(const HwCheckList *test, int64_t first, int64_t other, int64_t count)
{
    Both values;
    Range one = {first, first + count - 1}, two = {other, other + count - 1};
    for (int64_t i = 0; i < test->count; i++) {
        const HwCheck *check = &test->items[i];
        Range a = check_range(check, one, values.first), b = check_range(check, two, values.other);
        DataShare shares[] = {share_of(a, check->limit), share_of(b, check->limit)};
        values.same[i] = is_same_check(check, one, two, &values);
        if (shares[0] == DATA_NONE && shares[1] == DATA_NONE)
            return true;
        if (!values.same[i] && (shares[0] != DATA_ALL || shares[1] != DATA_ALL))
            return false;
        values.first[i] = clip(a, check->limit);
        values.other[i] = clip(b, check->limit);
    }
    return true;
}

bool data_ignores(const HwCheckList *test, int64_t from, int64_t to)
{
    for (int64_t i = 0; i < test->count; i++)
        for (int64_t k = 0; k < test->items[i].terms.count; k++) {
            const HwCheckTerm *term = &test->items[i].terms.items[k];
            if (term->of < 0 && from % term->modulo && term->place % to)
                return false;
        }
    return true;
}

// More than this are not worth their memory.
enum { MOST_RUNS = 1 << 22 };

typedef struct {
    ARRAY(LaneRun);
} RunList;

static bool push_run(RunList *list, LaneRun run)
{
    LaneRun *last = heap_append(list, LaneRun);
    if (last)
        *last = run;
    return last;
}

// ---- registers

// The last loop with more than one iteration; the outermost loop if there is none.
static int64_t innermost_loop(const HwNest *nest)
{
    int64_t at = nest->loops.count - 1;
    while (at > 0 && nest->loops.items[at].size == 1)
        at--;
    return at;
}

static int64_t place_of(const HwNest *nest, int64_t loop)
{
    int64_t place = 1;
    for (int64_t i = nest->loops.count - 1; i > loop; i--)
        place *= nest->loops.items[i].size;
    return place;
}

static MaskRegisters registers_of(const HwFetch *fetch, const HwMask *mask)
{
    const HwNest *nest = &fetch->nest;
    int64_t innermost = innermost_loop(nest);
    MaskRegisters registers = {.mask = mask,
                               .inner = nest->loops.items[innermost].size,
                               .is_always = mask->last_dim == innermost,
                               .last_place = place_of(nest, mask->last_dim),
                               .last_size = nest->loops.items[mask->last_dim].size,
                               .bases = fetch->bases.count};
    if (mask->valid_count_dim >= 0) {
        registers.count_place = place_of(nest, mask->valid_count_dim);
        registers.count_size = nest->loops.items[mask->valid_count_dim].size;
    }
    return registers;
}

// Whether element `at` of the nest is data, and for how many elements from there on that holds.
static int64_t registers_run(const MaskRegisters *registers, int64_t at, bool *is_data)
{
    const HwMask *mask = registers->mask;
    int64_t index = at / registers->last_place % registers->last_size;
    int64_t inside = at % registers->inner, low = 0, high = registers->inner;
    if (registers->is_always || index == 0)
        low = mask->left_pad;
    if (registers->is_always || index == registers->last_size - 1) {
        int64_t which =
            mask->valid_count_dim < 0 ? 0 : at / registers->count_place % registers->count_size;
        high = mask->valid_counts.items[which];
    }
    *is_data = inside >= low && inside < high;
    int64_t end = *is_data ? high : inside < low ? low : registers->inner;
    return min_i64(end, registers->inner) - inside;
}

// Packets of interleaved tensors take turns, each through the whole nest.
static int64_t mask_run(const MaskPlan *mask, int64_t lanes, int64_t at, int64_t most,
                        bool *is_data)
{
    const MaskRegisters *registers = &mask->registers;
    if (!registers->mask)
        return data_run(mask->test, at, most, is_data);
    int64_t packet = at / lanes, lane = at % lanes;
    int64_t run = registers_run(registers, packet / registers->bases * lanes + lane, is_data);
    return min_i64(min_i64(run, lanes - lane), most);
}

// ---- runs

// A run of positions, cut where packets begin. `*packet`: the next whose first run is not known.
static bool push_positions(RunList *list, int32_t *first, int64_t *packet, int64_t lanes,
                           int64_t from, int64_t to)
{
    while (from < to) {
        int64_t of = from / lanes, end = min_i64(to, (of + 1) * lanes);
        for (; *packet <= of; (*packet)++)
            first[*packet] = (int32_t)list->count;
        if (list->count >= MOST_RUNS ||
            !push_run(list, (LaneRun){(int32_t)(from - of * lanes), (int32_t)(end - of * lanes)}))
            return false;
        from = end;
    }
    return true;
}

// False: there are too many runs.
static bool list_runs(const Masks *masks, MaskPlan *mask, int64_t packets)
{
    RunList list = {0};
    int64_t packet = 0, end = packets * masks->lanes;
    bool ok = true, is_data;
    for (int64_t at = 0, run; at < end && ok; at += run) {
        run = mask_run(mask, masks->lanes, at, end - at, &is_data);
        if (is_data == masks->wants)
            ok = push_positions(&list, mask->first, &packet, masks->lanes, at, at + run);
    }
    for (; ok && packet <= packets; packet++)
        mask->first[packet] = (int32_t)list.count;
    ok = ok && (list.items || push_run(&list, (LaneRun){0, 0}));
    mask->runs = ok ? list.items : NULL;
    if (!ok)
        heap_free(list.items);
    return ok;
}

static void list_all_runs(Masks *masks, int64_t packets)
{
    masks->are_listed = masks->count * packets <= MOST_RUNS;
    for (int64_t i = 0; i < masks->count && masks->are_listed; i++) {
        MaskPlan *mask = &masks->items[i];
        mask->first = heap_new(sizeof *mask->first * (packets + 1));
        masks->are_listed = mask->first && list_runs(masks, mask, packets);
    }
}

// False: no memory.
static bool masks_new(Masks *masks, int64_t count, int64_t lanes, bool wants)
{
    *masks = (Masks){.lanes = lanes, .wants = wants};
    masks->items = count ? heap_zeroed(count, sizeof *masks->items) : NULL;
    masks->count = masks->items ? count : 0;
    return masks->count == count;
}

bool masks_new_fetch(Masks *masks, const HwFetch *fetch, int64_t packets, int64_t lanes)
{
    bool ok = masks_new(masks, fetch->masks.count, lanes, false);
    for (int64_t i = 0; i < masks->count; i++) {
        const HwMask *mask = &fetch->masks.items[i];
        masks->items[i] =
            (MaskPlan){.bitmaps = &mask->bitmaps, .registers = registers_of(fetch, mask)};
    }
    list_all_runs(masks, packets);
    return ok;
}

bool masks_new_commit(Masks *masks, const HwCommit *commit, int64_t packets, int64_t lanes)
{
    bool ok = masks_new(masks, commit->masks.count, lanes, true);
    for (int64_t i = 0; i < masks->count; i++) {
        const HwCommitMask *mask = &commit->masks.items[i];
        masks->items[i] = (MaskPlan){.bitmaps = &mask->bitmaps, .test = &mask->checks};
    }
    list_all_runs(masks, packets);
    return ok;
}

void masks_free(Masks *masks)
{
    for (int64_t i = 0; i < masks->count; i++) {
        heap_free(masks->items[i].runs);
        heap_free(masks->items[i].first);
    }
    heap_free(masks->items);
    *masks = (Masks){0};
}

const MaskPlan *masks_find(const Masks *masks, int64_t chip, int64_t cluster, int64_t slice)
{
    for (int64_t i = 0; i < masks->count; i++) {
        const MaskPlan *mask = &masks->items[i];
        if (!mask->bitmaps->count || bits_have(mask->bitmaps, chip, cluster, slice))
            return mask;
    }
    return NULL;
}

const LaneRun *masks_packet(const Masks *masks, const MaskPlan *mask, int64_t packet, LaneRun *room,
                            int64_t *count)
{
    bool is_data;
    *count = 0;
    if (mask->runs) {
        *count = mask->first[packet + 1] - mask->first[packet];
        return mask->runs + mask->first[packet];
    }
    for (int64_t at = 0, run; at < masks->lanes; at += run) {
        run = mask_run(mask, masks->lanes, packet * masks->lanes + at, masks->lanes - at, &is_data);
        if (is_data != masks->wants)
            continue;
        if (*count && room[*count - 1].to == at) // a run also ends where a loop ends
            room[*count - 1].to = (int32_t)(at + run);
        else
            room[(*count)++] = (LaneRun){(int32_t)at, (int32_t)(at + run)};
    }
    return room;
}
