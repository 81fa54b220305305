// Plans: a mapping as a nest of loops, each with a stride into up to four arrays.
//
// Padding is not visited: the loops run over the terms of the normal form, outermost first, which
// is the order of positions. Terms of one axis add up to its index, and mostly the place in an
// array is linear in their digits, so that a loop needs no check and loops that continue each other
// are one. Where it is not, the loops that decide about the same axes form a group:
//
//   - a limit: the sum of what its digits add must stay below it (an axis that ends inside its last
//     digit, an array that holds only the first of the positions); the innermost loop of the group
//     then ends early;
//   - a table: for atoms that are no axes, and digits that carry. All choices of its digits are
//     looked up in advance, as places in each array.
#ifndef CONTRA_ORACLE_PLAN_H
#define CONTRA_ORACLE_PLAN_H

#include "mapping/cell.h"
#include "oracle/array.h"

enum { PLAN_MOST_PLACES = 4 };

// What to do with an index that an array has no room for.
typedef enum {
    PLACE_READ,  // visit it, with -1 as its place
    PLACE_WRITE, // skip it
} PlaceUse;

// An array, seen from an origin.
typedef struct {
    const Array *array;
    Index origin; // added to every index
    PlaceUse use;
} Place;

typedef struct {
    const Atom *atom;
    int64_t weight; // what a digit adds to its atom
    int64_t count;
    int64_t steps[PLAN_MOST_PLACES]; // elements a digit takes in each array; of a table, beside it
    int64_t group;                   // -1: none, nothing to check
    int64_t table_step;              // entries of the group's table a digit takes
    bool closes;                     // the innermost of its group
    uint32_t unseen;                 // bit set of places for which the digit counts as 0
    int64_t tag, step;               // of the digit
} PlanLoop;

// Places in each array of one index; -1: no room.
typedef struct {
    int64_t at[PLAN_MOST_PLACES];
} PlanEntry;

typedef struct {
    bool is_table;
    int64_t limit;      // otherwise: of the sum of weights
    int64_t choices;    // table: of all digits
    int64_t *starts;    // table: where the entries of each choice start; one more at the end
    PlanEntry *entries; // none: padding; several: a linear combination
} PlanGroup;

typedef struct {
    Arena *arena;
    struct {
        ARRAY(PlanLoop);
    } loops; // outermost first
    struct {
        ARRAY(PlanGroup);
    } groups;
    int64_t place_count;
    int64_t start[PLAN_MOST_PLACES]; // the place of all digits 0
    bool empty;                      // nothing to visit
    bool first_only;                 // of several indices at one position
    bool one_by_one;                 // every visit alone, with the sums of its groups
    int64_t cost;                    // of one visit, where one element costs 1
} Plan;

// A loop to plan: digit d of `count` adds d * weight to `atom`.
typedef struct {
    const Atom *atom;
    int64_t weight;
    int64_t count;
    int64_t tag;     // of the caller
    uint32_t unseen; // bit set of places that are the same for all digits: a broadcast
    int64_t step;    // positions of its mapping that one digit takes
} Digit;

typedef struct {
    ARRAY(Digit);
} DigitList;

// The terms of a mapping in normal form, outermost first.
void digits_of_mapping(Arena *arena, const Mapping *normal, int64_t tag, DigitList *digits);

// ---- components (component.c): digits that decide about the same axes, apart from all others

typedef struct {
    AtomList axes;
    bool is_composite; // some atom of it is not an axis
    struct {
        ARRAY(int64_t);
    } digits; // which, outermost first
} Component;

typedef struct {
    ARRAY(Component);
} ComponentList;

ComponentList components_of(Arena *arena, const DigitList *digits);

// What its digits alone map to; the last one is the innermost.
Mapping component_mapping(Arena *arena, const DigitList *digits, const Component *component);

// ---- arrays and plans

// Cuts digits where the pieces of the axes of an array begin and end, so that each lies in one of
// them or in none. `shape`: what the array was made for, in normal form, so that composites are cut
// as they are there; NULL: nobody knows. `array` NULL: only digits of composites are cut, where the
// shape cuts these. Of several shapes that comes first: an array of whole axes is found at any cut
// of `[A, B]`, but `[A, B] / 24` only at its own.
DigitList digits_cut(Arena *arena, const DigitList *digits, const Array *array,
                     const Mapping *shape);

// Whether an array is different for different values of a digit. Requires: cut for it.
bool array_has_digit(Arena *arena, const Array *array, const Digit *digit);

// The same of an array that was made for `shape`. A composite that is cut there has its digits by
// position: `[A, B] / 4` is different for different values of A, but not of `[A, B] % 4`.
bool shape_has_digit(Arena *arena, const Mapping *shape, const Array *array, const Digit *digit);

Plan plan_new(Arena *arena, const DigitList *digits, const Place *places, int64_t place_count);

// Finds out which loop of each group is the innermost, after loops were moved about.
void plan_close_groups(Plan *plan);

// Joins loops that continue each other in every array.
void plan_merge(Plan *plan);
// Puts the loops in an order in which array `place` is written in long runs. Only where the order
// of visits does not matter.
void plan_sort(Plan *plan, int64_t place);

// Where one array is read across the runs in which the other is written, cuts both loops into
// squares that stay in the cache. Changes the order, too.
void plan_block(Plan *plan, int64_t read, int64_t write);

// Visits that may be checked: true if no group is left.
bool plan_is_linear(const Plan *plan);

// Called for `count` neighbouring visits: the first at `at`, each next one `steps` on. `first` is
// the number of visits before, in the order of the plan, counting a position of several indices
// once; with plan_run_parallel it is unspecified.
typedef void PlanVisit(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                       int64_t first);

// The loops of one tag alone, with the groups of all.
Plan plan_part(Arena *arena, const Plan *plan, int64_t tag);

// In order, from the sums of groups in `sums` on, one a group; these change while it runs. NULL:
// from none. Returns the number of visits, as `first` counts.
int64_t plan_run(const Plan *plan, int64_t *sums, PlanVisit *visit, void *own);

// In any order and on several threads. Visits must not depend on each other. `who` is asked now and
// then whether to go on; NULL: nobody. False: it was cancelled.
bool plan_run_parallel(const Plan *plan, PlanVisit *visit, void *own, const Canceller *who);

// ---- places

// Where an index lies in an array; -1: it has no room.
int64_t array_place(const Array *array, const Index *index);

#endif
