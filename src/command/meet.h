// Whether two walks over addresses meet, from their loops, without going through them address by
// address. Bits, half bytes or bytes: both count in the same unit.
#ifndef CONTRA_COMMAND_MEET_H
#define CONTRA_COMMAND_MEET_H

#include <stdbool.h>
#include <stdint.h>

enum { MEET_MOST_LOOPS = 72 }; // of a walk

typedef struct {
    int64_t size, stride; // more than 1, and more than 0
} MeetLoop;

// Brings loops into the order of walks: the longest stride first. Loops that go on where the run,
// or another loop, ends become part of it: the same addresses, with fewer loops.
void meet_join(MeetLoop *loops, int64_t *count, int64_t *run);

// `run` neighbours from `base` on, in every iteration of its loops, which are in order.
typedef struct {
    int64_t base, run;
    const MeetLoop *loops;
    int64_t count; // at most MEET_MOST_LOOPS
} MeetWalk;

// From the first address to behind the last.
int64_t meet_extent(const MeetWalk *walk);

// Whether there is an address in both; *at is one of them. Where that takes too long to find out
// there is.
bool walks_meet(const MeetWalk *a, const MeetWalk *b, int64_t *at);

// Whether all of `b` is in `a`. False where it is hard to say.
bool walk_covers(const MeetWalk *a, const MeetWalk *b);

#endif
