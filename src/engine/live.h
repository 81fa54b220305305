// Which positions of a mapping hold data, told by arithmetic on the position instead of by cells:
// a short list of sums of digits, each with a limit. For whoever must know padding without a
// mapping.
#ifndef CONTRA_ENGINE_LIVE_H
#define CONTRA_ENGINE_LIVE_H

#include "mapping/mapping.h"

enum { OF_POSITION = -1 };

// number % modulo / place * weight
typedef struct {
    int64_t of; // whose digit: OF_POSITION, or the value of an earlier check
    int64_t place, modulo;
    int64_t size; // values of the digit; others are padding by another check
    int64_t weight;
} LiveTerm;

// A position is padding where offset + the sum of the terms is negative, or not below the limit.
typedef struct {
    ARRAY(LiveTerm);
    int64_t offset;
    int64_t limit;
    Mapping subject; // what it is about
} LiveCheck;

typedef struct {
    ARRAY(LiveCheck);
    bool exact; // false: some padding passes all of them (of linear combinations, lists
                // and skewed axes)
} LiveChecks;

// A position that is counted besides: `at` of `mapping`, as a tile adds it.
typedef struct {
    Mapping mapping;
    int64_t at;
} LiveShift;

LiveChecks live_checks(Arena *arena, const Mapping *mapping, const LiveShift *shifts,
                       int64_t shift_count);

// The largest sum of the terms alone; INT64_MAX where that does not fit.
int64_t live_reach(const LiveCheck *check);

bool live_at(const LiveChecks *checks, int64_t position);

#endif
