#include "device/data_part.h"

#include "base/checked.h"

// All that a number may be.
typedef struct {
    int64_t least, most;
} Bounds;

static Bounds bounds_modulo(Bounds number, int64_t modulo)
{
    if (number.least / modulo != number.most / modulo)
        return (Bounds){0, modulo - 1};
    return (Bounds){number.least % modulo, number.most % modulo};
}

static Bounds term_bounds(const HwCheckTerm *term, Bounds number)
{
    Bounds digit = bounds_modulo(number, term->modulo);
    digit = (Bounds){digit.least / term->place, digit.most / term->place};
    if (term->table.count) {
        Bounds entries = {INT64_MAX, INT64_MIN};
        for (int64_t i = digit.least; i <= digit.most; i++) {
            entries.least = min_i64(entries.least, term->table.items[i]);
            entries.most = max_i64(entries.most, term->table.items[i]);
        }
        digit = entries;
    }
    int64_t a = digit.least * term->weight, b = digit.most * term->weight;
    return (Bounds){min_i64(a, b), max_i64(a, b)};
}

DataPart data_part(const DataTest *test, int64_t first, int64_t count)
{
    Bounds values[DATA_MOST_CHECKS], position = {first, first + count - 1};
    DataPart run = DATA_ALL;
    for (int64_t i = 0; i < test->count; i++) {
        const HwCheck *check = &test->checks[i];
        Bounds value = {check->offset, check->offset};
        for (int64_t k = 0; k < check->terms.count; k++) {
            const HwCheckTerm *term = &check->terms.items[k];
            Bounds more = term_bounds(term, term->of < 0 ? position : values[term->of]);
            value = (Bounds){value.least + more.least, value.most + more.most};
        }
        if (check->modulo)
            value = bounds_modulo((Bounds){max_i64(value.least, 0), value.most}, check->modulo);
        if (value.most < 0 || value.least >= check->limit)
            return DATA_NONE;
        if (value.least < 0 || value.most >= check->limit)
            run = DATA_SOME;
        // Where it is something else, the position is padding already.
        values[i] = (Bounds){max_i64(value.least, 0), min_i64(value.most, check->limit - 1)};
    }
    return run;
}

bool data_ignores(const DataTest *test, int64_t from, int64_t to)
{
    for (int64_t i = 0; i < test->count; i++)
        for (int64_t k = 0; k < test->checks[i].terms.count; k++) {
            const HwCheckTerm *term = &test->checks[i].terms.items[k];
            if (term->of < 0 && from % term->modulo && term->place % to)
                return false;
        }
    return true;
}
