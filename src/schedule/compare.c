// Two schedules beside each other, from their documents: what got faster, what slower, and why.
// Operations are put together by the line they are written in, as it reads.
#include "schedule/compare.h"

#include "base/array.h"
#include "base/checked.h"
#include "schedule/export.h"

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
    json_t *texts, *kinds, *operations;
} Document;

// ---- reading

static bool refuse(const ScheduleSource *source, DiagList *diags, const char *why)
{
    diag_add(diags, DIAG_SCHEDULE_FILE, SPAN_NOWHERE, "`%.*s` is no schedule: %s",
             STR_ARG(source->name), why);
    return false;
}

// Sums of the numbers of a document stay in 64 bits.
enum { MOST_OPERATIONS = 1 << 22 };
static const int64_t most_cycles = INT64_C(1) << 40;

static bool is_count(const json_t *value, int64_t most)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 &&
           json_integer_value(value) <= most;
}

// What an operation has itself, or its kind has.
static const json_t *field_of(const Document *document, const json_t *operation, const char *key)
{
    const json_t *own = json_object_get(operation, key), *kind = json_object_get(operation, "kind");
    if (own || !json_is_integer(kind) || json_integer_value(kind) < 0)
        return own;
    return json_object_get(json_array_get(document->kinds, (size_t)json_integer_value(kind)), key);
}

static bool operation_is_whole(const Document *document, const json_t *operation)
{
    const json_t *source = field_of(document, operation, "source");
    const json_t *begin = json_object_get(operation, "begin");
    const json_t *end = json_object_get(operation, "end");
    return is_count(begin, most_cycles) && is_count(end, most_cycles) &&
           json_integer_value(begin) <= json_integer_value(end) && is_count(source, INT64_MAX) &&
           json_is_string(json_array_get(document->texts, (size_t)json_integer_value(source))) &&
           json_is_string(field_of(document, operation, "method"));
}

static bool check_operations(const ScheduleSource *source, DiagList *diags,
                             const Document *document)
{
    enum { WHY_BYTES = 80 };
    char why[WHY_BYTES];
    if (json_array_size(document->operations) > MOST_OPERATIONS)
        return refuse(source, diags, "it has too many operations");
    for (size_t i = 0; i < json_array_size(document->operations); i++)
        if (!operation_is_whole(document, json_array_get(document->operations, i))) {
            snprintf(why, sizeof why, "operation %zu lacks something", i);
            return refuse(source, diags, why);
        }
    return true;
}

// Why it is no schedule that can be read here. NULL: it is one, as far as that shows at once.
static const char *why_not(const Document *document)
{
    const char *format = json_string_value(json_object_get(document->root, "format"));
    const json_t *version = json_object_get(document->root, "version");
    if (!format || strcmp(format, "contra-schedule") != 0)
        return "it does not say \"format\": \"contra-schedule\"";
    if (!json_is_integer(version) || json_integer_value(version) < 1)
        return "it lacks `version`";
    if (json_integer_value(version) > SCHEDULE_VERSION)
        return "it is of a newer version: compare it with the contra that wrote it";
    if (!json_is_array(document->texts) || !json_is_array(document->operations) ||
        !is_count(json_object_get(document->root, "cycles"), most_cycles))
        return "it lacks `cycles`, `texts` or `operations`";
    return NULL;
}

// A page has its schedule in it, in which no `<` stands. Without one: the text as it is.
static Str schedule_in(Str text)
{
    const Str mark = STR("<script type=\"application/json\" id=\"schedule\">");
    int64_t at = str_starts_with(str_trim(text), STR("<")) ? str_find(text, mark) : -1;
    if (at < 0)
        return text;
    Str rest = str_slice(text, at + mark.len, text.len);
    int64_t end = str_find(rest, STR("<"));
    return end < 0 ? rest : str_slice(rest, 0, end);
}

static bool read_document(const ScheduleSource *source, DiagList *diags, Document *document)
{
    enum { WHY_BYTES = 300 };
    json_error_t error;
    char why[WHY_BYTES];
    Str text = schedule_in(source->text);
    document->root = json_loadb(text.data ? text.data : "", (size_t)text.len, 0, &error);
    if (!document->root) {
        snprintf(why, sizeof why, "line %d: %s", error.line, error.text);
        return refuse(source, diags, why);
    }
    document->texts = json_object_get(document->root, "texts");
    document->kinds = json_object_get(document->root, "kinds");
    document->operations = json_object_get(document->root, "operations");
    if (why_not(document))
        return refuse(source, diags, why_not(document));
    return check_operations(source, diags, document);
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
    int64_t source = json_integer_value(field_of(document, operation, "source"));
    int64_t cycles = number_at(operation, "end") - number_at(operation, "begin");
    const char *bound = json_string_value(field_of(document, operation, "bound"));
    bool is_critical = json_is_true(json_object_get(operation, "critical"));
    Row row = {.method = json_string_value(field_of(document, operation, "method")),
               .source = json_string_value(json_array_get(document->texts, (size_t)source))};
    row.sides[side] = (Tally){1, cycles, is_critical ? cycles : 0, bound ? bound : "", cycles};
    return row;
}

static int compare_lines(const void *a, const void *b)
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
        const json_t *operations = documents[side].operations;
        for (size_t i = 0; i < json_array_size(operations); i++)
            *array_push(arena, rows, Row) =
                row_of(&documents[side], json_array_get(operations, i), side);
    }
    if (!rows->count)
        return;
    qsort(rows->items, (size_t)rows->count, sizeof *rows->items, compare_lines);
    int64_t kept = 0;
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

// The critical paths are as long as the kernels: what changed on them is what the kernels gained or
// lost.
static int64_t change_of(const Row *row)
{
    return row->sides[1].critical - row->sides[0].critical;
}

static int compare_changes(const void *a, const void *b)
{
    int64_t x = llabs(change_of(a)), y = llabs(change_of(b));
    return x != y ? (x < y) - (x > y) : compare_lines(a, b);
}

// ---- printing

typedef struct {
    Str first, last; // names of lanes that follow each other
    int64_t permille[SIDES];
} LaneRow;

typedef struct {
    ARRAY(LaneRow);
} LaneRows;

static void add_lane(Arena *arena, LaneRows *rows, const LaneRow *row)
{
    LaneRow *last = rows->count ? &rows->items[rows->count - 1] : NULL;
    bool is_engine = last && str_starts_with(row->first, STR("DMA ")) &&
                     str_starts_with(last->last, STR("DMA "));
    if (is_engine && memcmp(last->permille, row->permille, sizeof row->permille) == 0)
        last->last = row->last;
    else
        *array_push(arena, rows, LaneRow) = *row;
}

// How much of the time lanes are busy, where that changed; engines of DMA that are alike together.
static void print_lanes(StrBuf *out, const Document documents[SIDES])
{
    enum { PERMILLE = 1000 };
    const json_t *first = json_object_get(documents[0].root, "lanes");
    const json_t *second = json_object_get(documents[1].root, "lanes");
    LaneRows rows = {0};
    for (size_t i = 0; i < json_array_size(first); i++) {
        const json_t *lanes[SIDES] = {json_array_get(first, i), json_array_get(second, i)};
        Str name = str_from(text_at(lanes[0], "name"));
        LaneRow row = {.first = name, .last = name};
        bool is_whole = str_equal(name, str_from(text_at(lanes[1], "name")));
        for (int side = 0; side < SIDES; side++) {
            int64_t cycles = max_i64(1, number_at(documents[side].root, "cycles"));
            const json_t *busy = json_object_get(lanes[side], "busy");
            is_whole &= is_count(busy, most_cycles);
            row.permille[side] =
                is_whole ? (json_integer_value(busy) * PERMILLE + cycles / 2) / cycles : 0;
        }
        if (is_whole)
            add_lane(out->arena, &rows, &row);
    }
    for (int64_t i = 0; i < rows.count; i++) {
        const LaneRow *row = &rows.items[i];
        Str name = schedule_lanes(out->arena, row->first, row->last);
        if (row->permille[0] != row->permille[1])
            buf_printf(out, "  %-12.*s busy %5.1f %% -> %5.1f %%\n", STR_ARG(name),
                       (double)row->permille[0] * PERCENT / PERMILLE,
                       (double)row->permille[1] * PERCENT / PERMILLE);
    }
}

static void add_number(StrBuf *out, const char *before, int64_t number)
{
    buf_printf(out, "%s%.*s", before, STR_ARG(schedule_number(out->arena, number)));
}

// Why: how much of it others hide, how long it takes, what it is bound by, how often it is there.
static void print_why(StrBuf *out, const Row *row)
{
    const Tally *a = &row->sides[0], *b = &row->sides[1];
    if (a->count && b->count && a->cycles == b->cycles) {
        add_number(out, "; it takes as long, but ", b->cycles - b->critical);
        add_number(out, " cycles run beside others, were ", a->cycles - a->critical);
    } else if (a->count && b->count) {
        add_number(out, "; it takes ", b->cycles);
        add_number(out, " cycles, took ", a->cycles);
    }
    if (!a->count || !b->count) {
        buf_printf(out, "; only in the %s", a->count ? "first" : "second");
    } else if (a->count != b->count) {
        add_number(out, "; ", b->count);
        add_number(out, b->count == 1 ? " time, was " : " times, was ", a->count);
    }
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
        Str change = str_format(out->arena, "%c%.*s", change_of(row) < 0 ? '-' : '+',
                                STR_ARG(schedule_number(out->arena, llabs(change_of(row)))));
        buf_printf(out, "  %10.*s", STR_ARG(change));
        add_number(out, "  ", row->sides[0].critical);
        add_number(out, " -> ", row->sides[1].critical);
        print_why(out, row);
        buf_printf(out, "\n              %s: %s\n", row->method, row->source);
    }
    if (!shown)
        buf_add(out, STR("  nothing changed\n"));
    if (left)
        buf_printf(out, "  and %lld line%s more\n", (long long)left, left == 1 ? "" : "s");
}

static void print_comparison(StrBuf *out, const ScheduleSource sources[SIDES],
                             const Document documents[SIDES], const RowList *rows)
{
    int64_t first = number_at(documents[0].root, "cycles");
    int64_t second = number_at(documents[1].root, "cycles");
    buf_printf(out, "%.*s: %.*s cycles\n%.*s: %.*s cycles, ", STR_ARG(sources[0].name),
               STR_ARG(schedule_number(out->arena, first)), STR_ARG(sources[1].name),
               STR_ARG(schedule_number(out->arena, second)));
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
