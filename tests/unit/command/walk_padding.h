// Lists of Check, evaluated from the text of padding.def.
#ifndef CONTRA_TESTS_WALK_PADDING_H
#define CONTRA_TESTS_WALK_PADDING_H

#include "command/command.h"
#include "mapping/cell.h"

#include <stdlib.h>

static inline bool walk_is_data(const HwCheck *checks, int64_t count, int64_t position)
{
    int64_t *values = calloc((size_t)count + 1, sizeof *values);
    bool data = true;
    for (int64_t i = 0; data && i < count; i++) {
        const HwCheck *check = &checks[i];
        int64_t value = check->offset;
        for (int64_t k = 0; k < check->terms.count; k++) {
            const HwCheckTerm *term = &check->terms.items[k];
            int64_t digit = (term->of < 0 ? position : values[term->of]) % term->modulo;
            digit /= term->place;
            value += (term->table.count ? term->table.items[digit] : digit) * term->weight;
        }
        values[i] = check->modulo ? value % check->modulo : value;
        data = values[i] >= 0 && values[i] < check->limit;
    }
    free(values);
    return data;
}

#endif
