// Trace events: a thread a lane, a slice an operation, arrows from what held it up.
// https://ui.perfetto.dev reads them.
#include "schedule/export.h"

#include <jansson.h>
#include <stdlib.h>

static void print_event(StrBuf *out, bool *is_first, json_t *event)
{
    char *text = json_dumps(event, JSON_COMPACT);
    json_decref(event);
    if (!text)
        arena_exhausted(out->arena);
    buf_add(out, *is_first ? STR("\n") : STR(",\n"));
    buf_add(out, str_from(text));
    free(text);
    *is_first = false;
}

static json_t *new_event(const char *phase, int64_t lane)
{
    return json_pack("{s:s, s:i, s:I}", "ph", phase, "pid", 1, "tid", (json_int_t)lane + 1);
}

static json_t *name_of_lane(const Lane *lane, int64_t number)
{
    json_t *event = new_event("M", number);
    json_object_set_new(event, "name", json_string("thread_name"));
    json_object_set_new(event, "args",
                        json_pack("{s:s%}", "name", lane->name.data, (size_t)lane->name.len));
    return event;
}

static json_t *event_of_use(const Schedule *schedule, int64_t number, const LaneUse *use)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    const HwOperation *of = operation->operation;
    json_t *event = new_event("X", use->lane);
    json_object_set_new(event, "name", json_stringn(of->method.data, (size_t)of->method.len));
    json_object_set_new(event, "ts", json_integer(use->from));
    json_object_set_new(event, "dur", json_integer(use->to - use->from));
    json_t *args = json_pack("{s:I, s:I, s:I, s:b}", "operation", (json_int_t)number, "line",
                             (json_int_t)of->line, "slack", (json_int_t)operation->slack,
                             "critical", operation->is_critical);
    json_object_set_new(args, "source", json_stringn(of->text.data, (size_t)of->text.len));
    if (operation->cost_count)
        json_object_set_new(args, "bound", json_string(cost_part_names[schedule_bound(operation)]));
    json_object_set_new(event, "args", args);
    return event;
}

// An arrow from the end of the culprit to the begin of who waited.
static void print_arrow(StrBuf *out, bool *is_first, const Schedule *schedule, int64_t number)
{
    const ScheduledOperation *later = &schedule->operations[number];
    if (!later->wait_count || !later->use_count || later->waits[0].operation < 0)
        return;
    const ScheduledOperation *earlier = &schedule->operations[later->waits[0].operation];
    if (!earlier->use_count || earlier->end == earlier->begin)
        return;
    const char *kind = wait_kind_names[later->waits[0].kind];
    json_t *from = new_event("s", earlier->uses[0].lane), *to = new_event("f", later->uses[0].lane);
    json_t *ends[] = {from, to};
    for (int i = 0; i < 2; i++) {
        json_object_set_new(ends[i], "name", json_string(kind));
        json_object_set_new(ends[i], "cat", json_string("wait"));
        json_object_set_new(ends[i], "id", json_integer(number));
    }
    json_object_set_new(from, "ts", json_integer(earlier->uses[0].to - 1));
    json_object_set_new(to, "ts", json_integer(later->begin));
    json_object_set_new(to, "bp", json_string("e"));
    print_event(out, is_first, from);
    print_event(out, is_first, to);
}

void schedule_print_trace(StrBuf *out, const Schedule *schedule)
{
    bool is_first = true;
    buf_add(out, STR("{\"displayTimeUnit\": \"ms\", \"traceEvents\": ["));
    for (int64_t i = 0; i < schedule->lane_count; i++)
        print_event(out, &is_first, name_of_lane(&schedule->lanes[i], i));
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        for (int64_t k = 0; k < operation->use_count; k++)
            print_event(out, &is_first, event_of_use(schedule, i, &operation->uses[k]));
        print_arrow(out, &is_first, schedule, i);
    }
    buf_add(out, STR("]}\n"));
}
