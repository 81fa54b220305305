// Two schedules beside each other, from their documents: what got faster, what slower, and why.
// Operations are put together by the line they are written in, as it reads.
#include "schedule/compare.h"

#include "base/array.h"
#include "base/checked.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2, SHOWN = 12, PERCENT = 100 };

typedef struct {
    int64_t count, cycles; // operations; their cycles
    int64_t critical;      // of these, on the critical path
    const char *bound;     // of the longest of them
    int64_t longest;
} Tally;

typedef struct {
    const char *method, *source;
    Tally sides[SIDES];
} Row;

typedef struct {
    ARRAY(Row);
} RowList;

typedef struct {
    json_t *root;
    json_t *texts, *operations;
} Document;

// ---- reading

static bool refuse(const ScheduleSource *source, DiagList *diags, const char *why)
{
    diag_add(diags, DIAG_SCHEDULE_FILE, SPAN_NOWHERE, "`%.*s` is no schedule: %s",
             STR_ARG(source->name), why);
    return false;
}

static bool is_integer(const json_t *object, const char *key)
{
    return json_is_integer(json_object_get(object, key));
}

static bool operation_is_whole(const json_t *operation, size_t texts)
{
    const json_t *source = json_object_get(operation, "source");
    return json_is_object(operation) && is_integer(operation, "begin") &&
           is_integer(operation, "end") && json_is_integer(source) &&
           json_integer_value(source) >= 0 && (size_t)json_integer_value(source) < texts &&
           json_is_string(json_object_get(operation, "method"));
}

static bool read_document(const ScheduleSource *source, DiagList *diags, Document *document)
{
    enum { WHY_BYTES = 300 };
    json_error_t error;
    char why[WHY_BYTES];
    document->root =
        json_loadb(source->text.data ? source->text.data : "", (size_t)source->text.len, 0, &error);
    if (!document->root) {
        snprintf(why, sizeof why, "line %d: %s", error.line, error.text);
        return refuse(source, diags, why);
    }
    const char *format = json_string_value(json_object_get(document->root, "format"));
    if (!format || strcmp(format, "contra-schedule") != 0)
        return refuse(source, diags, "it does not say \"format\": \"contra-schedule\"");
    document->texts = json_object_get(document->root, "texts");
    document->operations = json_object_get(document->root, "operations");
    if (!json_is_array(document->texts) || !json_is_array(document->operations) ||
        !is_integer(document->root, "cycles"))
        return refuse(source, diags, "it lacks `cycles`, `texts` or `operations`");
    size_t index;
    json_t *value;
    json_array_foreach(document->texts, index, value) if (!json_is_string(value)) return refuse(
        source, diags, "one of its `texts` is no text");
    json_array_foreach(document->operations, index,
                       value) if (!operation_is_whole(value, json_array_size(document->texts)))
    {
        snprintf(why, sizeof why, "operation %zu lacks something", index);
        return refuse(source, diags, why);
    }
    return true;
}

// ---- rows

static int64_t number_at(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static Row row_of(const Document *document, const json_t *operation, int side)
{
    const json_t *source = json_array_get(document->texts, (size_t)number_at(operation, "source"));
    int64_t cycles = number_at(operation, "end") - number_at(operation, "begin");
    Row row = {.method = text_at(operation, "method"), .source = json_string_value(source)};
    bool is_critical = json_is_true(json_object_get(operation, "critical"));
    row.sides[side] =
        (Tally){1, cycles, is_critical ? cycles : 0, text_at(operation, "bound"), cycles};
    return row;
}

static int compare_names(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    int order = strcmp(x->source, y->source);
    return order ? order : strcmp(x->method, y->method);
}

static void add_tally(Tally *to, const Tally *more)
{
    to->count += more->count;
    to->cycles += more->cycles;
    to->critical += more->critical;
    if (more->longest > to->longest || !to->bound) {
        to->longest = more->longest;
        to->bound = more->bound;
    }
}

static void collect(Arena *arena, const Document documents[SIDES], RowList *rows)
{
    for (int side = 0; side < SIDES; side++) {
        size_t index;
        json_t *operation;
        json_array_foreach(documents[side].operations, index, operation) *
            array_push(arena, rows, Row) = row_of(&documents[side], operation, side);
    }
    if (!rows->count)
        return;
    qsort(rows->items, (size_t)rows->count, sizeof *rows->items, compare_names);
    int64_t kept = 0;
    for (int64_t i = 1; i < rows->count; i++) {
        Row *last = &rows->items[kept];
        if (compare_names(last, &rows->items[i]) != 0)
            rows->items[++kept] = rows->items[i];
        else
            for (int side = 0; side < SIDES; side++)
                add_tally(&last->sides[side], &rows->items[i].sides[side]);
    }
    rows->count = kept + 1;
}

// The critical paths are as long as the kernels: what changed on them is what the kernels gained or
// lost.
static int64_t change_of(const Row *row)
{
    return row->sides[1].critical - row->sides[0].critical;
}

static int compare_changes(const void *a, const void *b)
{
    int64_t x = llabs(change_of(a)), y = llabs(change_of(b));
    return x != y ? (x < y) - (x > y) : compare_names(a, b);
}

// ---- printing

static void print_lanes(StrBuf *out, const Document documents[SIDES])
{
    const json_t *first = json_object_get(documents[0].root, "lanes");
    const json_t *second = json_object_get(documents[1].root, "lanes");
    for (size_t i = 0; i < json_array_size(first); i++) {
        const json_t *lane = json_array_get(first, i), *other = json_array_get(second, i);
        int64_t busy[SIDES] = {number_at(lane, "busy"), number_at(other, "busy")};
        if (strcmp(text_at(lane, "name"), text_at(other, "name")) != 0 || !(busy[0] | busy[1]))
            continue;
        double share[SIDES];
        for (int side = 0; side < SIDES; side++)
            share[side] = PERCENT * (double)busy[side] /
                          (double)max_i64(1, number_at(documents[side].root, "cycles"));
        buf_printf(out, "  %-8s busy %5.1f %% -> %5.1f %%\n", text_at(lane, "name"), share[0],
                   share[1]);
    }
}

// Why: how much of it others hide, how long it takes, what it is bound by, how often it is there.
static void print_why(StrBuf *out, const Row *row)
{
    const Tally *a = &row->sides[0], *b = &row->sides[1];
    if (a->count && b->count && a->cycles == b->cycles)
        buf_printf(out, "; it takes as long, but %lld cycles run beside others, were %lld",
                   (long long)(b->cycles - b->critical), (long long)(a->cycles - a->critical));
    else if (a->count && b->count)
        buf_printf(out, "; it takes %lld cycles, took %lld", (long long)b->cycles,
                   (long long)a->cycles);
    if (!a->count || !b->count)
        buf_printf(out, "; only in the %s", a->count ? "first" : "second");
    else if (a->count != b->count)
        buf_printf(out, "; %lld times, was %lld", (long long)b->count, (long long)a->count);
    if (a->count && b->count && strcmp(a->bound, b->bound) != 0)
        buf_printf(out, "; bound by %s, was %s", b->bound, a->bound);
}

static void print_rows(StrBuf *out, const RowList *rows)
{
    int64_t shown = 0, left = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        const Row *row = &rows->items[i];
        if (!change_of(row))
            continue;
        if (shown == SHOWN) {
            left++;
            continue;
        }
        shown++;
        buf_printf(out, "  %+10lld  %lld -> %lld", (long long)change_of(row),
                   (long long)row->sides[0].critical, (long long)row->sides[1].critical);
        print_why(out, row);
        buf_printf(out, "\n              %s: %s\n", row->method, row->source);
    }
    if (!shown)
        buf_add(out, STR("  nothing changed\n"));
    if (left)
        buf_printf(out, "  and %lld lines more\n", (long long)left);
}

static void print_comparison(StrBuf *out, const ScheduleSource sources[SIDES],
                             const Document documents[SIDES], const RowList *rows)
{
    int64_t first = number_at(documents[0].root, "cycles");
    int64_t second = number_at(documents[1].root, "cycles");
    buf_printf(out, "%.*s: %lld cycles\n%.*s: %lld cycles, ", STR_ARG(sources[0].name),
               (long long)first, STR_ARG(sources[1].name), (long long)second);
    if (first == second)
        buf_add(out, STR("the same\n"));
    else
        buf_printf(out, "%.2f times as %s\n",
                   first > second ? (double)first / (double)max_i64(1, second)
                                  : (double)second / (double)max_i64(1, first),
                   first > second ? "fast" : "long");
    if (strcmp(text_at(documents[0].root, "cost"), text_at(documents[1].root, "cost")) != 0)
        buf_printf(out, "  the cost models differ: %s and %s\n", text_at(documents[0].root, "cost"),
                   text_at(documents[1].root, "cost"));
    print_lanes(out, documents);
    buf_add(out, STR("Cycles on the critical path, by line:\n"));
    print_rows(out, rows);
}

bool schedule_compare(StrBuf *out, DiagList *diags, const ScheduleSource sources[2])
{
    Document documents[SIDES] = {0};
    RowList rows = {0};
    bool ok = read_document(&sources[0], diags, &documents[0]) &&
              read_document(&sources[1], diags, &documents[1]);
    if (ok) {
        collect(out->arena, documents, &rows);
        if (rows.count)
            qsort(rows.items, (size_t)rows.count, sizeof *rows.items, compare_changes);
        print_comparison(out, sources, documents, &rows);
    }
    json_decref(documents[0].root);
    json_decref(documents[1].root);
    return ok;
}
