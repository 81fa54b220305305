#include "device/data.h"

#include "base/checked.h"

#include <string.h>

static bool sums_hold(const HwDataSum *sums, int64_t count, int64_t position)
{
    int64_t values[DATA_MOST_SUMS];
    for (int64_t i = 0; i < count; i++) {
        int64_t sum = sums[i].first;
        for (int64_t k = 0; k < sums[i].parts.count; k++) {
            const HwDataPart *part = &sums[i].parts.items[k];
            int64_t value = (part->from < 0 ? position : values[part->from]) / part->divide;
            value = part->modulo ? value % part->modulo : value;
            value = part->table.count ? part->table.items[value] : value;
            sum += value * part->weight;
        }
        values[i] = sums[i].modulo ? sum % sums[i].modulo : sum;
        if (values[i] < 0 || values[i] >= sums[i].limit)
            return false;
    }
    return true;
}

static bool checks_hold(const HwCheck *checks, int64_t count, int64_t position)
{
    int64_t values[DATA_MOST_SUMS];
    for (int64_t i = 0; i < count; i++) {
        values[i] = checks[i].offset;
        for (int64_t k = 0; k < checks[i].terms.count; k++) {
            const HwCheckTerm *term = &checks[i].terms.items[k];
            int64_t number = term->of < 0 ? position : values[term->of];
            values[i] += number % term->modulo / term->place * term->weight;
        }
        if (values[i] < 0 || values[i] >= checks[i].limit)
            return false;
    }
    return true;
}

// Whether all positions of a run of `count` that starts at a multiple of it get the same answer.
static bool is_coarse(const DataTest *test, int64_t count)
{
    for (int64_t i = 0; i < test->sum_count; i++)
        for (int64_t k = 0; k < test->sums[i].parts.count; k++) {
            const HwDataPart *part = &test->sums[i].parts.items[k];
            if (part->from < 0 && part->divide % count)
                return false;
        }
    for (int64_t i = 0; i < test->check_count; i++)
        for (int64_t k = 0; k < test->checks[i].terms.count; k++) {
            const HwCheckTerm *term = &test->checks[i].terms.items[k];
            if (term->of < 0 && (term->place % count || term->modulo % count))
                return false;
        }
    return true;
}

void data_lanes(const DataTest *test, int64_t first, int64_t count, uint8_t *data)
{
    int64_t sums = min_i64(test->sum_count, DATA_MOST_SUMS);
    int64_t checks = min_i64(test->check_count, DATA_MOST_SUMS);
    int64_t different = is_coarse(test, count) ? 1 : count;
    for (int64_t i = 0; i < different; i++)
        data[i] =
            sums_hold(test->sums, sums, first + i) && checks_hold(test->checks, checks, first + i);
    if (different < count)
        memset(data, data[0], (size_t)count);
}
