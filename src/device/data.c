// From a position on, digits either stay or count up evenly for a while; so does the value of a
// check, and it is known when it will leave its range. So whole runs of positions are answered at
// once.
#include "device/data.h"

#include "base/checked.h"

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

static int64_t run_at(const DataTest *test, int64_t first, int64_t most, bool *is_data)
{
    Line values[DATA_MOST_CHECKS];
    Line position = {first, 1, most};
    for (int64_t i = 0; i < test->count; i++) {
        Line value = check_value(&test->checks[i], &position, values);
        int64_t limit = test->checks[i].limit;
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

int64_t data_run(const DataTest *test, int64_t first, int64_t most, bool *is_data)
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

void data_lanes(const DataTest *test, int64_t first, int64_t count, uint8_t *data)
{
    bool is_data;
    for (int64_t i = 0, run; i < count; i += run) {
        run = run_at(test, first + i, count - i, &is_data);
        memset(data + i, is_data, (size_t)run);
    }
}
