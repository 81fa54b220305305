// A comparison for programs. docs/schedule.md.
#include "schedule/compare_rows.h"

#include "base/checked.h"

#include <stdlib.h>

enum { COMPARISON_VERSION = 1 };

static json_t *json_str(Str text)
{
    return json_stringn(text.data ? text.data : "", (size_t)text.len);
}

static json_t *json_pair(int64_t first, int64_t second)
{
    return json_pack("[I, I]", (json_int_t)first, (json_int_t)second);
}

// What the document says of itself, as it says it; left out where it does not.
static json_t *json_of_side(const ScheduleSource *source, const Document *document)
{
    static const char *const keys[] = {"kernel", "machine", "clock_mhz", "chips", "cost", "cycles"};
    json_t *side = json_object();
    json_object_set_new(side, "name", json_str(source->name));
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        json_object_set(side, keys[i], json_object_get(document->root, keys[i]));
    return side;
}

static json_t *json_of_grounds(const Ground grounds[GROUNDS])
{
    json_t *differ = json_array();
    for (int i = 0; i < GROUNDS; i++)
        if (grounds[i].differs)
            json_array_append_new(differ, json_string(grounds[i].key));
    return differ;
}

static json_t *json_of_lanes(const LanePairs *lanes)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < lanes->count; i++) {
        const LanePair *lane = &lanes->items[i];
        json_array_append_new(array, json_pack("{s: o, s: o}", "name", json_str(lane->name), "busy",
                                               json_pair(lane->busy[0], lane->busy[1])));
    }
    return array;
}

static json_t *json_of_row(const Row *row)
{
    const Tally *a = &row->sides[0], *b = &row->sides[1];
    json_t *one = json_object();
    json_object_set_new(one, "kind", json_string(phase_names[row->phase]));
    json_object_set_new(one, "change", json_integer(row_change(row)));
    json_object_set_new(one, "critical", json_pair(a->critical, b->critical));
    if (*row->method) {
        json_object_set_new(one, "method", json_string(row->method));
        json_object_set_new(one, "source", json_string(row->source));
    }
    if (row->phase == PHASE_LINE) {
        json_object_set_new(one, "operations", json_pair(a->count, b->count));
        json_object_set_new(one, "cycles", json_pair(a->cycles, b->cycles));
        json_object_set_new(
            one, "bound", json_pack("[s, s]", a->bound ? a->bound : "", b->bound ? b->bound : ""));
    }
    return one;
}

static json_t *json_of_rows(const RowList *rows)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < rows->count; i++)
        json_array_append_new(array, json_of_row(&rows->items[i]));
    return array;
}

void comparison_print_json(StrBuf *out, const Comparison *comparison)
{
    json_t *schedules = json_array(), *root = json_object();
    for (int side = 0; side < SIDES; side++)
        json_array_append_new(
            schedules, json_of_side(&comparison->sources[side], &comparison->documents[side]));
    json_object_set_new(root, "format", json_string("contra-comparison"));
    json_object_set_new(root, "version", json_integer(COMPARISON_VERSION));
    json_object_set_new(root, "schedules", schedules);
    json_object_set_new(root, "differ", json_of_grounds(comparison->grounds));
    json_object_set_new(root, "lanes", json_of_lanes(&comparison->lanes));
    json_object_set_new(root, "rows", json_of_rows(&comparison->rows));
    char *text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    if (!text)
        arena_exhausted(out->arena);
    buf_add(out, str_from(text));
    buf_add(out, STR("\n"));
    free(text);
}
