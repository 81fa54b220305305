// What holds the kernel up: how much later each operation could end, and the way from the last one
// back to the first.
#include "schedule/place.h"

#include "base/checked.h"

#include <stdlib.h>

static int64_t last_end(const Schedule *schedule)
{
    int64_t end = 0;
    for (int64_t i = 0; i < schedule->operation_count; i++)
        end = max_i64(end, schedule->operations[i].end);
    return end;
}

// Edges lead from operations that were placed before to one that was placed after: backwards they
// come with all that follows already known.
static void find_slack(const Placer *placer)
{
    const Schedule *schedule = placer->schedule;
    int64_t end = last_end(schedule);
    for (int64_t i = 0; i < schedule->operation_count; i++)
        schedule->operations[i].slack = end - schedule->operations[i].end;
    for (int64_t i = placer->edges.count - 1; i >= 0; i--) {
        const Edge *edge = &placer->edges.items[i];
        ScheduledOperation *earlier = &schedule->operations[edge->earlier];
        const ScheduledOperation *later = &schedule->operations[edge->later];
        int64_t room = later->begin - earlier->begin - edge->distance;
        earlier->slack = min_i64(earlier->slack, later->slack + room);
    }
}

// From the operation that ends last back over what held each one up.
static void find_path(const Placer *placer)
{
    Schedule *schedule = placer->schedule;
    int64_t number = -1, end = last_end(schedule);
    for (int64_t i = schedule->operation_count - 1; i >= 0 && number < 0; i--)
        if (schedule->operations[i].end == end)
            number = i;
    schedule->critical = arena_new(placer->arena, int64_t, (size_t)schedule->operation_count + 1);
    while (number >= 0) {
        ScheduledOperation *operation = &schedule->operations[number];
        operation->is_critical = true;
        schedule->critical[schedule->critical_count++] = number;
        bool is_held = operation->wait_count && operation->begin > 0;
        number = is_held ? operation->waits[0].operation : -1;
    }
    for (int64_t i = 0, k = schedule->critical_count - 1; i < k; i++, k--) {
        int64_t first = schedule->critical[i];
        schedule->critical[i] = schedule->critical[k];
        schedule->critical[k] = first;
    }
}

typedef struct {
    int64_t begin, number;
} Begin;

static int compare_begins(const void *a, const void *b)
{
    const Begin *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void find_order(const Placer *placer)
{
    Schedule *schedule = placer->schedule;
    int64_t count = schedule->operation_count;
    Begin *begins = arena_new(placer->arena, Begin, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        begins[i] = (Begin){schedule->operations[i].begin, i};
    qsort(begins, (size_t)count, sizeof *begins, compare_begins);
    schedule->order = arena_new(placer->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        schedule->order[i] = begins[i].number;
}

void find_critical(Placer *placer)
{
    find_slack(placer);
    find_path(placer);
    find_order(placer);
}
