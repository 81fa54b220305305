// Passes of both contexts that together go to one bank of DM too often in a row: DMA must not run
// beside both. Manual: Memory Performance, Cumulative Bank Access Constraint.
#ifndef CONTRA_SCHEDULE_BANK_H
#define CONTRA_SCHEDULE_BANK_H

#include "schedule/schedule.h"

typedef struct {
    int64_t operation; // -1: none
    int64_t end;
} BankUser;

typedef struct {
    BankUser user;
    int64_t streak;
} BankPass;

typedef struct {
    ARRAY(BankPass); // a pass is dropped for a later one with as long a streak
} BankPasses;

// Of the operations that were placed so far. Of a main pass, a sub pass and a DMA that must not run
// at once, the one that comes last begins when the first of the others is over: whether they would
// have met depends on times, and no choice here does.
typedef struct {
    BankPasses passes[2]; // of main, of sub
    BankUser dma;
    BankUser pair[2]; // of the passes that keep a DMA waiting longest; the first is over first
} BankRule;

void bank_begin(BankRule *rule);

// The accesses in a row of all its commands, at most. 0: it is no pass, or never goes to a bank
// twice in a row.
int64_t bank_streak_of(const ScheduledOperation *operation);

// By itself it keeps DMA waiting: it is scheduled as if it occupied DMA.
bool bank_keeps_dma(const Machine *machine, const ScheduledOperation *operation);

// The two that it must not run beside; `pair[0]` is over first. False: there are none.
bool bank_waits(const BankRule *rule, const Schedule *schedule, int64_t number, BankUser pair[2]);

// Once it has its place.
void bank_take(Arena *arena, BankRule *rule, const Schedule *schedule, int64_t number);

#endif
