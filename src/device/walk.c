#include "device/walk.h"

#include "base/checked.h"
#include "base/heap.h"

#include <string.h>

// ---- loops

void walk_add(WalkNest *nest, const HwLoop *loops, int64_t count, WalkChoice choice)
{
    for (int64_t i = 0; i < count && nest->count < NEST_MOST_LOOPS; i++) {
        const HwLoop *loop = &loops[i];
        if (choice != WALK_ALL && loop->packet != (choice == WALK_PACKET))
            continue;
        nest->loops[nest->count++] =
            (WalkLoop){loop->size, loop->stride, loop->offsets.count ? loop->offsets.items : NULL};
    }
}

// Of loops that end early the product may be more than any number.
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return checked_mul(a, b, &product) ? product : INT64_MAX;
}

int64_t walk_size(const WalkNest *nest)
{
    int64_t size = 1;
    for (int64_t i = 0; i < nest->count; i++)
        size = times(size, nest->loops[i].size);
    return size;
}

void walk_once(WalkNest *nest)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < nest->count; i++)
        if (nest->loops[i].offsets || nest->loops[i].stride)
            nest->loops[kept++] = nest->loops[i];
    nest->count = kept;
}

void walk_join(WalkNest *nest)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < nest->count; i++) {
        WalkLoop loop = nest->loops[i];
        WalkLoop *outer = kept ? &nest->loops[kept - 1] : NULL;
        int64_t end;
        if (loop.size == 1 && !loop.offsets)
            continue;
        if (outer && !outer->offsets && !loop.offsets &&
            checked_mul(loop.size, loop.stride, &end) && outer->stride == end)
            *outer = (WalkLoop){times(outer->size, loop.size), loop.stride, NULL};
        else
            nest->loops[kept++] = loop;
    }
    nest->count = kept;
}

static int64_t step_to(const WalkLoop *loop, int64_t index)
{
    return loop->offsets ? loop->offsets[index] : index * loop->stride;
}

int64_t walk_offset(const WalkNest *nest, int64_t number)
{
    int64_t offset = 0;
    for (int64_t i = nest->count - 1; i >= 0; i--) {
        offset += step_to(&nest->loops[i], number % nest->loops[i].size);
        number /= nest->loops[i].size;
    }
    return offset;
}

void walk_run(const WalkNest *nest, int64_t from, int64_t to, WalkRun *run, void *own)
{
    int64_t last = nest->count - 1, index[NEST_MOST_LOOPS], element = 0, number = from;
    for (int64_t i = last; i >= 0; i--) {
        index[i] = number % nest->loops[i].size;
        element += step_to(&nest->loops[i], index[i]);
        number /= nest->loops[i].size;
    }
    bool dense = last >= 0 && nest->loops[last].stride == 1 && !nest->loops[last].offsets;
    for (int64_t count; from < to; from += count) {
        count = dense ? min_i64(to - from, nest->loops[last].size - index[last]) : 1;
        run(own, element, count);
        for (int64_t i = last, steps = count; i >= 0; i--, steps = 1) {
            const WalkLoop *loop = &nest->loops[i];
            element -= step_to(loop, index[i]);
            index[i] = index[i] + steps < loop->size ? index[i] + steps : 0;
            element += step_to(loop, index[i]);
            if (index[i])
                break;
        }
    }
}

// ---- data

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

static Range wrap_range(Range range, int64_t modulo)
{
    if (!modulo)
        return range;
    if (range.low >= 0 && range.low / modulo == range.high / modulo)
        return (Range){range.low % modulo, range.high % modulo};
    return (Range){range.low < 0 ? 1 - modulo : 0, modulo - 1};
}

// Of one position every range is one number, and the answer never DATA_SOME.
DataShare data_share(const DataTest *test, int64_t first, int64_t count)
{
    Range values[DATA_MOST_CHECKS];
    DataShare share = DATA_ALL;
    for (int64_t i = 0; i < test->count; i++) {
        const HwCheck *check = &test->checks[i];
        Range value = {check->offset, check->offset};
        for (int64_t k = 0; k < check->terms.count; k++) {
            const HwCheckTerm *term = &check->terms.items[k];
            Range number = term->of < 0 ? (Range){first, first + count - 1} : values[term->of];
            Range part = term_range(term, number);
            value = (Range){value.low + part.low, value.high + part.high};
        }
        value = wrap_range(value, check->modulo);
        if (value.high < 0 || value.low >= check->limit)
            return DATA_NONE;
        if (value.low < 0 || value.high >= check->limit)
            share = DATA_SOME;
        values[i] = (Range){max_i64(value.low, 0), min_i64(value.high, check->limit - 1)};
    }
    return share;
}

// What a number can be in either of two stretches; `same`: the same one at each of their positions.
typedef struct {
    Range first, other;
    bool same;
} Both;

static bool is_one(Both value)
{
    return value.first.low == value.first.high && value.other.low == value.other.high &&
           value.first.low == value.other.low;
}

static void add_both(Both *sum, const HwCheckTerm *term, const Both *number)
{
    Both part = {term_range(term, number->first), term_range(term, number->other), number->same};
    int64_t apart = number->first.low - number->other.low;
    if (term->of < 0)
        part.same = apart % term->modulo == 0;
    sum->same &= part.same || is_one(part);
    sum->first = (Range){sum->first.low + part.first.low, sum->first.high + part.first.high};
    sum->other = (Range){sum->other.low + part.other.low, sum->other.high + part.other.high};
}

static bool is_outside(Range range, int64_t limit)
{
    return range.high < 0 || range.low >= limit;
}

static bool is_inside(Range range, int64_t limit)
{
    return range.low >= 0 && range.high < limit;
}

static Range clip(Range range, int64_t limit)
{
    return (Range){max_i64(range.low, 0), min_i64(range.high, limit - 1)};
}

bool data_alike(const DataTest *test, int64_t first, int64_t other, int64_t count)
{
    Both values[DATA_MOST_CHECKS];
    const Both position = {{first, first + count - 1}, {other, other + count - 1}, false};
    for (int64_t i = 0; i < test->count; i++) {
        const HwCheck *check = &test->checks[i];
        Range offset = {check->offset, check->offset};
        Both value = {offset, offset, true};
        for (int64_t k = 0; k < check->terms.count; k++) {
            const HwCheckTerm *term = &check->terms.items[k];
            add_both(&value, term, term->of < 0 ? &position : &values[term->of]);
        }
        value.first = wrap_range(value.first, check->modulo);
        value.other = wrap_range(value.other, check->modulo);
        if (is_outside(value.first, check->limit) && is_outside(value.other, check->limit))
            return true;
        if (!value.same &&
            !(is_inside(value.first, check->limit) && is_inside(value.other, check->limit)))
            return false;
        values[i] =
            (Both){clip(value.first, check->limit), clip(value.other, check->limit), value.same};
    }
    return true;
}

void data_runs(const DataTest *test, int64_t first, int64_t count, DataRun *run, void *own)
{
    bool is_data;
    for (int64_t at = 0, next; at < count; at = next) {
        next = at + data_run(test, first + at, count - at, &is_data);
        if (is_data)
            run(own, at, next);
    }
}

// ---- runs

bool painter_new(Painter *painter, int64_t size)
{
    *painter = (Painter){.map = heap_zeroed((size_t)size + 1, 1), .size = size, .low = size};
    return painter->map != NULL;
}

void painter_free(Painter *painter)
{
    heap_free(painter->map);
}

static void note_outside(Painter *painter, int64_t from, int64_t to)
{
    if (from >= to)
        return;
    if (!painter->outside_count)
        painter->outside = from;
    painter->outside_count += to - from;
}

void painter_paint(Painter *painter, int64_t from, int64_t to, uint8_t mark)
{
    int64_t low = max_i64(from, 0), high = min_i64(to, painter->size);
    note_outside(painter, from, min_i64(to, 0));
    note_outside(painter, max_i64(from, painter->size), to);
    if (low >= high)
        return;
    memset(painter->map + low, mark, (size_t)(high - low));
    painter->low = min_i64(painter->low, low);
    painter->high = max_i64(painter->high, high);
}

static int64_t same_until(const uint8_t *map, int64_t at, int64_t end)
{
    enum { WORD = 8 };
    uint64_t word, all = map[at] * UINT64_C(0x0101010101010101);
    int64_t i = at;
    for (; i + WORD <= end; i += WORD) {
        memcpy(&word, map + i, WORD);
        if (word != all)
            break;
    }
    while (i < end && map[i] == map[at])
        i++;
    return i;
}

static int64_t collect_runs(const Painter *painter, Run *items)
{
    int64_t count = 0;
    for (int64_t at = painter->low, end; at < painter->high; at = end) {
        end = same_until(painter->map, at, painter->high);
        if (!painter->map[at])
            continue;
        if (items)
            items[count] = (Run){at, end, painter->map[at]};
        count++;
    }
    return count;
}

bool painter_take(Painter *painter, RunList *runs)
{
    int64_t count = collect_runs(painter, NULL);
    *runs = (RunList){.items = heap_new(sizeof *runs->items * (size_t)(count + 1)),
                      .count = count,
                      .outside = painter->outside,
                      .outside_count = painter->outside_count};
    if (runs->items)
        collect_runs(painter, runs->items);
    if (painter->low < painter->high)
        memset(painter->map + painter->low, 0, (size_t)(painter->high - painter->low));
    *painter = (Painter){.map = painter->map, .size = painter->size, .low = painter->size};
    return runs->items != NULL;
}
