// Only operations that stand in front of one with a smaller number, or behind one with a larger,
// can be wrong. Each asks, in the order of the sequence, for touches of larger numbers that were
// there before it.
#include "schedule/crossing.h"

#include "schedule/touch_index.h"

#include "base/checked.h"

// Stands behind one with a larger number, or in front of one with a smaller.
static bool *find_moved(Arena *arena, const int64_t *sequence, int64_t count)
{
    bool *is_moved = arena_new(arena, bool, (size_t)count + 1);
    int64_t largest = -1, smallest = count;
    for (int64_t i = 0; i < count; i++) {
        is_moved[sequence[i]] = largest > sequence[i];
        largest = max_i64(largest, sequence[i]);
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        is_moved[sequence[i]] |= smallest < sequence[i];
        smallest = min_i64(smallest, sequence[i]);
    }
    return is_moved;
}

typedef struct {
    Arena *arena;
    const Machine *machine;
    TouchIndexList tiers[TOUCH_TIERS];
    int64_t *looks;
} Crossings;

static bool ask(const Crossings *crossings, const Touch *touch, int64_t number, int64_t *later,
                Hazard *hazard)
{
    const TouchIndexList *tier = &crossings->tiers[touch->tier];
    for (int64_t i = 0; i < tier->count; i++) {
        IndexQuery query = {.touch = touch, .above = number, .below = INT64_MAX};
        MeetPiece piece;
        const TouchEntry *found = NULL;
        if (touch->is_write || tier->items[i].is_write)
            found = index_find(&tier->items[i], &query, &piece);
        *crossings->looks += query.looks;
        if (found) {
            *hazard = hazard_between(crossings->machine, number, touch, &found->touch, piece);
            *later = found->operation;
            return true;
        }
    }
    return false;
}

static bool cross(Crossings *crossings, const TouchList *touches, int64_t number, int64_t *later,
                  Hazard *hazard)
{
    for (int64_t i = 0; i < touches->count; i++)
        if (ask(crossings, &touches->items[i], number, later, hazard))
            return true;
    for (int64_t i = 0; i < touches->count; i++) {
        const Touch *touch = &touches->items[i];
        TouchIndexList *tier = &crossings->tiers[touch->tier];
        index_add(crossings->arena, index_for(crossings->arena, tier, touch, 0), number, number,
                  touch);
    }
    return false;
}

bool find_crossing(Arena *arena, const Machine *machine, const HwObject *object,
                   const int64_t *sequence, int64_t *later, Hazard *hazard, int64_t *looks)
{
    ArenaMark mark = arena_mark(arena);
    Crossings crossings = {.arena = arena, .machine = machine, .looks = looks};
    int64_t count = object->operations.count;
    const bool *is_moved = find_moved(arena, sequence, count);
    TouchList touches = {0};
    bool found = false;
    for (int64_t i = 0; i < count && !found; i++) {
        if (!is_moved[sequence[i]])
            continue;
        touches.count = 0;
        touches_of_operation(arena, machine, &object->operations.items[sequence[i]], &touches);
        found = cross(&crossings, &touches, sequence[i], later, hazard);
    }
    arena_reset(arena, mark);
    return found;
}
