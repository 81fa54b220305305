#include "device/data.h"

#include <string.h>

static int64_t term_value(const HwCheckTerm *term, int64_t number)
{
    int64_t digit = number % term->modulo / term->place;
    return (term->table.count ? term->table.items[digit] : digit) * term->weight;
}

static bool checks_hold(const DataTest *test, int64_t position)
{
    int64_t values[DATA_MOST_CHECKS];
    for (int64_t i = 0; i < test->count; i++) {
        const HwCheck *check = &test->checks[i];
        int64_t value = check->offset;
        for (int64_t k = 0; k < check->terms.count; k++) {
            const HwCheckTerm *term = &check->terms.items[k];
            value += term_value(term, term->of < 0 ? position : values[term->of]);
        }
        values[i] = check->modulo ? value % check->modulo : value;
        if (values[i] < 0 || values[i] >= check->limit)
            return false;
    }
    return true;
}

// Whether all positions of a run of `count` that starts at a multiple of it get the same answer.
static bool is_coarse(const DataTest *test, int64_t count)
{
    for (int64_t i = 0; i < test->count; i++)
        for (int64_t k = 0; k < test->checks[i].terms.count; k++) {
            const HwCheckTerm *term = &test->checks[i].terms.items[k];
            if (term->of < 0 && (term->place % count || term->modulo % count))
                return false;
        }
    return true;
}

void data_lanes(const DataTest *test, int64_t first, int64_t count, uint8_t *data)
{
    int64_t different = is_coarse(test, count) ? 1 : count;
    for (int64_t i = 0; i < different; i++)
        data[i] = checks_hold(test, first + i);
    if (different < count)
        memset(data, data[0], (size_t)count);
}
