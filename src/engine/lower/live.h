// Which positions of a mapping hold data, told by arithmetic on the position instead of by cells:
// a short list of sums of digits, each with a limit. For whoever must know padding without a
// mapping.
#ifndef CONTRA_ENGINE_LOWER_LIVE_H
#define CONTRA_ENGINE_LOWER_LIVE_H

#include "engine/lower/lower.h"

enum { OF_POSITION = -1 };

// number % modulo / place * weight, or table[number % modulo / place] * weight
typedef struct {
    int64_t of; // whose digit: OF_POSITION, or the value of an earlier check
    int64_t place, modulo;
    int64_t most; // the largest digit, or entry of the table; others are padding by another check
    int64_t weight;
    const Atom *list; // its offsets are the table; NULL: none
} LiveTerm;

// A position is padding where offset + the sum of the terms is negative, or not below the limit.
typedef struct {
    ARRAY(LiveTerm);
    int64_t offset;
    int64_t modulo; // of the sum; 0: none
    int64_t limit;
    Mapping subject; // what it is about
    int64_t step;    // padding begins and ends at multiples of this, counted as the terms of the
                     // subject count; 0: anywhere
} LiveCheck;

typedef struct {
    ARRAY(LiveCheck);
    bool exact; // false: some padding passes all of them (of linear combinations)
} LiveChecks;

// A position that is counted besides: `at` of `mapping`, as a tile adds it.
typedef struct {
    Mapping mapping;
    int64_t at;
} LiveShift;

LiveChecks live_checks(Arena *arena, const Mapping *mapping, const LiveShift *shifts,
                       int64_t shift_count);

// The part of the subject that tells padding from data: `L / 16` if L is padded from 160 to 256
// positions.
Mapping live_deciding(Arena *arena, const LiveCheck *check);

// The largest sum of the terms alone; INT64_MAX where that does not fit.
int64_t live_reach(const LiveCheck *check);

// Adds a check to a list of HwCheck. Check i of those before it has place numbers[i] there.
void live_lower_check(Arena *arena, const LiveCheck *check, const int64_t *numbers, void *list);

// Adds all of them to a list of HwCheck that is empty. `certain`: no padding passes; where the
// checks are not exact, nothing does.
void live_lower_all(const Lower *lower, const LiveChecks *checks, void *list);
void live_lower_certain(const Lower *lower, const LiveChecks *checks, void *list);

// Adds those that `used` names, and the numbers that these take, to one that is empty. Changes
// `used`.
void live_lower_used(const Lower *lower, const LiveChecks *checks, bool *used, void *list);

// Adds to a list of HwCheck what tells data from padding among the positions of a mapping.
void live_lower(const Lower *lower, const Mapping *mapping, void *list);

#endif
