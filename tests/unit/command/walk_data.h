// Lists of DataSum, evaluated from their text in registers.def.
#ifndef CONTRA_TESTS_WALK_DATA_H
#define CONTRA_TESTS_WALK_DATA_H

#include "command/command.h"
#include "mapping/cell.h"

#include <stdlib.h>

static inline bool walk_is_data(const HwDataSum *sums, int64_t count, int64_t position)
{
    int64_t *values = calloc((size_t)count + 1, sizeof *values);
    bool data = true;
    for (int64_t i = 0; data && i < count; i++) {
        int64_t sum = sums[i].first;
        for (int64_t k = 0; k < sums[i].parts.count; k++) {
            const HwDataPart *part = &sums[i].parts.items[k];
            int64_t value = (part->from < 0 ? position : values[part->from]) / part->divide;
            value = part->modulo ? value % part->modulo : value;
            value = part->table.count ? part->table.items[value] : value;
            sum += value * part->weight;
        }
        values[i] = sums[i].modulo ? sum % sums[i].modulo : sum;
        data = values[i] >= 0 && values[i] < sums[i].limit;
    }
    free(values);
    return data;
}

// Whether any of the `inside` positions of a place is data: otherwise nobody looks there.
static inline bool walk_place_is_live(Arena *arena, const Mapping *shape, int64_t place,
                                      int64_t inside)
{
    for (int64_t i = 0; i < inside; i++)
        if (mapping_cell(arena, shape, place * inside + i).count)
            return true;
    return false;
}

#endif
