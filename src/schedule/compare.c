// Two schedules beside each other, from their documents: what got faster, what slower, and why.
// Operations are put together by the line they are written in, as it reads. Every cycle of a kernel
// goes to one row: from the begin of an operation of the critical path to that of the next one it
// is its line's, and what lies between operations is a row of its own.
#include "schedule/compare_rows.h"

#include "base/checked.h"
#include "schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

const char *const phase_names[PHASE_KINDS] = {
    [PHASE_LINE] = "line", [PHASE_START] = "start", [PHASE_SYNC] = "sync",
    [PHASE_WAIT] = "wait", [PHASE_END] = "end",
};

// ---- rows

static Row row_of(const Document *document, const json_t *operation, Phase phase)
{
    int64_t source = json_integer_value(document_field(document, operation, "source"));
    return (Row){.phase = phase,
                 .method = json_string_value(document_field(document, operation, "method")),
                 .source = json_string_value(json_array_get(document->texts, (size_t)source))};
}

static void add_line(Arena *arena, const Document *document, const json_t *operation, int side,
                     RowList *rows)
{
    int64_t cycles = document_number(operation, "end") - document_number(operation, "begin");
    const char *bound = json_string_value(document_field(document, operation, "bound"));
    Row row = row_of(document, operation, PHASE_LINE);
    row.sides[side] = (Tally){1, cycles, 0, bound ? bound : "", cycles};
    *array_push(arena, rows, Row) = row;
}

// ---- the critical path

typedef struct {
    const json_t *operation;
    int64_t begin, end, number;
} Step;

typedef struct {
    ARRAY(Step);
} Path;

static int compare_steps(const void *a, const void *b)
{
    const Step *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static Path path_of(Arena *arena, const Document *document)
{
    Path path = {0};
    for (size_t i = 0; i < json_array_size(document->operations); i++) {
        const json_t *operation = json_array_get(document->operations, i);
        if (json_is_true(json_object_get(operation, "critical")))
            *array_push(arena, &path, Step) = (Step){operation, document_number(operation, "begin"),
                                                     document_number(operation, "end"), (int64_t)i};
    }
    if (path.count)
        qsort(path.items, (size_t)path.count, sizeof *path.items, compare_steps);
    return path;
}

// What an operation of the path stood still for while no other one of it was at work.
static Row row_of_gap(const Document *document, const json_t *operation)
{
    const json_t *wait = json_array_get(json_object_get(operation, "waits"), 0);
    const char *kind = document_text(wait, "kind");
    if (strcmp(kind, wait_kind_names[WAIT_START]) == 0)
        return (Row){.phase = PHASE_START, .method = "", .source = ""};
    bool is_sync = strcmp(kind, wait_kind_names[WAIT_SYNC]) == 0;
    return row_of(document, operation, is_sync ? PHASE_SYNC : PHASE_WAIT);
}

static void add_cycles(Arena *arena, Row row, int side, int64_t cycles, RowList *rows)
{
    if (!cycles)
        return;
    row.sides[side].critical = cycles;
    *array_push(arena, rows, Row) = row;
}

static void add_path(Arena *arena, const Document *document, int side, RowList *rows)
{
    Path path = path_of(arena, document);
    int64_t at = 0; // what comes before is in rows
    for (int64_t i = 0; i < path.count; i++) {
        const Step *step = &path.items[i];
        int64_t next = i + 1 < path.count ? path.items[i + 1].begin : step->end;
        int64_t end = min_i64(step->end, next);
        add_cycles(arena, row_of_gap(document, step->operation), side, step->begin - at, rows);
        add_cycles(arena, row_of(document, step->operation, PHASE_LINE), side, end - step->begin,
                   rows);
        at = end;
    }
    add_cycles(arena, (Row){.phase = PHASE_END, .method = "", .source = ""}, side,
               document_number(document->root, "cycles") - at, rows);
}

// ---- one row for each line

static int compare_lines(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    int order = strcmp(x->source, y->source);
    return order ? order : strcmp(x->method, y->method);
}

static void add_tally(Tally *to, const Tally *more)
{
    to->count += more->count;
    to->cycles += more->cycles;
    to->critical += more->critical;
    if (more->bound && (more->longest > to->longest || !to->bound)) {
        to->longest = more->longest;
        to->bound = more->bound;
    }
}

static void join_lines(RowList *rows)
{
    int64_t kept = 0;
    qsort(rows->items, (size_t)rows->count, sizeof *rows->items, compare_lines);
    for (int64_t i = 1; i < rows->count; i++) {
        Row *last = &rows->items[kept];
        if (compare_lines(last, &rows->items[i]) != 0)
            rows->items[++kept] = rows->items[i];
        else
            for (int side = 0; side < SIDES; side++)
                add_tally(&last->sides[side], &rows->items[i].sides[side]);
    }
    rows->count = kept + 1;
}

int64_t row_change(const Row *row)
{
    return row->sides[1].critical - row->sides[0].critical;
}

static int compare_changes(const void *a, const void *b)
{
    int64_t x = llabs(row_change(a)), y = llabs(row_change(b));
    return x != y ? (x < y) - (x > y) : compare_lines(a, b);
}

void rows_of_documents(Arena *arena, const Document documents[SIDES], RowList *rows)
{
    for (int side = 0; side < SIDES; side++) {
        const json_t *operations = documents[side].operations;
        for (size_t i = 0; i < json_array_size(operations); i++)
            add_line(arena, &documents[side], json_array_get(operations, i), side, rows);
        add_path(arena, &documents[side], side, rows);
    }
    if (!rows->count)
        return;
    join_lines(rows);
    qsort(rows->items, (size_t)rows->count, sizeof *rows->items, compare_changes);
}

// ---- lanes and grounds

void lanes_of_documents(Arena *arena, const Document documents[SIDES], LanePairs *lanes)
{
    const json_t *first = json_object_get(documents[0].root, "lanes");
    const json_t *second = json_object_get(documents[1].root, "lanes");
    for (size_t i = 0; i < json_array_size(first); i++) {
        const json_t *pair[SIDES] = {json_array_get(first, i), json_array_get(second, i)};
        LanePair lane = {.name = str_from(document_text(pair[0], "name"))};
        bool is_whole = str_equal(lane.name, str_from(document_text(pair[1], "name")));
        for (int side = 0; side < SIDES; side++) {
            is_whole &= document_is_cycles(json_object_get(pair[side], "busy"));
            lane.busy[side] = document_number(pair[side], "busy");
        }
        if (is_whole)
            *array_push(arena, lanes, LanePair) = lane;
    }
}

static Str value_of(Arena *arena, const json_t *value)
{
    if (json_is_integer(value))
        return str_format(arena, "%lld", (long long)json_integer_value(value));
    const char *text = json_string_value(value);
    return text && *text ? str_from(text) : STR("not stated");
}

void grounds_of_documents(Arena *arena, const Document documents[SIDES], Ground grounds[GROUNDS])
{
    static const Ground all[GROUNDS] = {{.key = "cost", .words = "cost models"},
                                        {.key = "machine", .words = "machines"},
                                        {.key = "clock_mhz", .words = "clocks in MHz"},
                                        {.key = "chips", .words = "numbers of chips"}};
    for (int i = 0; i < GROUNDS; i++) {
        grounds[i] = all[i];
        for (int side = 0; side < SIDES; side++)
            grounds[i].values[side] =
                value_of(arena, json_object_get(documents[side].root, all[i].key));
        grounds[i].differs = !str_equal(grounds[i].values[0], grounds[i].values[1]);
    }
}

// ---- all of it

static void compare_documents(StrBuf *out, const ScheduleSource sources[SIDES],
                              const Document documents[SIDES], CompareForm form)
{
    Comparison comparison = {.sources = sources, .documents = documents};
    rows_of_documents(out->arena, documents, &comparison.rows);
    lanes_of_documents(out->arena, documents, &comparison.lanes);
    grounds_of_documents(out->arena, documents, comparison.grounds);
    (form == COMPARE_JSON ? comparison_print_json : comparison_print_text)(out, &comparison);
}

bool schedule_compare(StrBuf *out, DiagList *diags, const ScheduleSource sources[2],
                      CompareForm form)
{
    Document documents[SIDES] = {0};
    bool ok = document_read(&sources[0], diags, &documents[0]) &&
              document_read(&sources[1], diags, &documents[1]);
    if (ok)
        compare_documents(out, sources, documents, form);
    json_decref(documents[0].root);
    json_decref(documents[1].root);
    return ok;
}
