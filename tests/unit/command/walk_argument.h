// Which positions of an argument are data, by the text of object.def.
#ifndef CONTRA_TESTS_WALK_ARGUMENT_H
#define CONTRA_TESTS_WALK_ARGUMENT_H

#include "command/command.h"

typedef struct {
    int64_t *items; // positions, in the order of the loops
    int64_t count;
} ArgumentPositions;

static inline bool argument_iteration_counts(const HwArgument *argument, const int64_t *digits)
{
    for (int64_t b = 0; b < argument->bounds.count; b++) {
        int64_t sum = 0;
        for (int64_t i = 0; i < argument->loops.count; i++)
            if (argument->loops.items[i].bound == b)
                sum += digits[i] * argument->loops.items[i].weight;
        if (sum >= argument->bounds.items[b])
            return false;
    }
    return true;
}

static inline void walk_argument_loops(Arena *arena, const HwArgument *argument,
                                       ArgumentPositions *out)
{
    int64_t count = argument->loops.count, all = 1;
    int64_t *digits = arena_new(arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        all *= argument->loops.items[i].size;
    for (int64_t step = 0; step < all; step++) {
        int64_t rest = step, position = 0;
        for (int64_t i = count - 1; i >= 0; i--) {
            digits[i] = rest % argument->loops.items[i].size;
            rest /= argument->loops.items[i].size;
            position += digits[i] * argument->loops.items[i].stride;
        }
        if (argument_iteration_counts(argument, digits))
            out->items[out->count++] = position;
    }
}

// `most`: positions there can be.
static inline ArgumentPositions walk_argument(Arena *arena, const HwArgument *argument,
                                              int64_t most)
{
    ArgumentPositions out = {.items = arena_new(arena, int64_t, (size_t)most + 1)};
    if (!argument->runs.count)
        walk_argument_loops(arena, argument, &out);
    for (int64_t i = 0; i + 1 < argument->runs.count; i += 2)
        for (int64_t k = 0; k < argument->runs.items[i + 1]; k++)
            out.items[out.count++] = argument->runs.items[i] + k;
    return out;
}

#endif
