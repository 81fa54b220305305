// Whether two walks over addresses meet, from their loops, without going through them address by
// address. Bits, half bytes or bytes: both count in the same unit.
#ifndef CONTRA_COMMAND_MEET_H
#define CONTRA_COMMAND_MEET_H

#include <stdbool.h>
#include <stdint.h>

enum { MEET_MOST_LOOPS = 72 }; // of a walk
enum { MEET_MOST_OTHERS = 8 }; // that are looked at; more are as if they were not there

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

// Addresses that follow each other.
typedef struct {
    int64_t from, to;
} MeetPiece;

// Whether there is an address in both; *piece is a piece of what is. Where that takes too long to
// find out there is.
bool walks_meet(const MeetWalk *a, const MeetWalk *b, MeetPiece *piece);

// Whether there is one in both and in none of the others. Likewise.
bool walks_meet_outside(const MeetWalk *a, const MeetWalk *b, const MeetWalk *others, int64_t count,
                        MeetPiece *piece);

// Whether all of `b` is in `a`. False where it is hard to say.
bool walk_covers(const MeetWalk *a, const MeetWalk *b);

#endif
