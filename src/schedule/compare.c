// Two schedules beside each other, from their documents: what got faster, what slower, and why.
// Operations are put together by the line they are written in, as it reads. Every cycle of a kernel
// goes to one row: from the begin of an operation of the critical path to that of the next one it
// is its line's, and what lies between operations is a row of its own.
#include "base/array.h"
#include "base/checked.h"
#include "command/form.h"
#include "schedule/export.h"
#include "schedule/schedule.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };

// ---- documents

typedef struct {
    json_t *root;
    json_t *texts, *kinds, *operations;
} Document;

// ---- rows

// What cycles of the kernel go to.
typedef enum {
    PHASE_LINE,  // operations of a line
    PHASE_START, // the start of the kernel
    PHASE_SYNC,  // operations of a line wait for what was stored in HBM
    PHASE_WAIT,  // or for something else that no operation of the path does
    PHASE_END,   // behind the last operation
    PHASE_KINDS
} Phase;

typedef struct {
    int64_t count, cycles; // operations; their cycles
    int64_t critical;      // cycles of the kernel that go to it
    const char *bound;     // of the longest of them
    int64_t longest;
} Tally;

typedef struct {
    Phase phase;
    const char *method, *source; // "": of none
    Tally sides[SIDES];
} Row;

typedef struct {
    ARRAY(Row);
} RowList;

// ---- lanes

typedef struct {
    Str name;
    int64_t busy[SIDES]; // cycles
} LanePair;

typedef struct {
    ARRAY(LanePair);
} LanePairs;

// ---- what makes cycles incomparable

typedef struct {
    const char *key, *words; // of the document; "cost models"
    bool differs;
    Str values[SIDES]; // "not stated" where the document does not
} Ground;

enum { GROUNDS = 4 };

// ---- printing

typedef struct {
    const ScheduleSource *sources;
    const Document *documents;
    RowList rows;
    LanePairs lanes;
    Ground grounds[GROUNDS];
} Comparison;

// Documents of schedules, and pages with one in them, as a comparison needs them.

static bool refuse(const ScheduleSource *source, DiagList *diags, const char *why)
{
    diag_add(diags, DIAG_SCHEDULE_FILE, SPAN_NOWHERE, "`{}` is no schedule: {}", source->name, why);
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
static const json_t *document_field(const Document *document, const json_t *operation,
                                    const char *key)
{
    const json_t *own = json_object_get(operation, key), *kind = json_object_get(operation, "kind");
    if (own || !json_is_integer(kind) || json_integer_value(kind) < 0)
        return own;
    return json_object_get(json_array_get(document->kinds, json_integer_value(kind)), key);
}

static int64_t document_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *document_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool operation_is_whole(const Document *document, const json_t *operation)
{
    const json_t *source = document_field(document, operation, "source");
    const json_t *begin = json_object_get(operation, "begin");
    const json_t *end = json_object_get(operation, "end");
    return is_count(begin, most_cycles) && is_count(end, most_cycles) &&
           json_integer_value(begin) <= json_integer_value(end) && is_count(source, INT64_MAX) &&
           json_is_string(json_array_get(document->texts, json_integer_value(source))) &&
           json_is_string(document_field(document, operation, "method"));
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

// False: it is no schedule; a diagnostic says why. The root is to be released in any case.
static bool document_read(const ScheduleSource *source, DiagList *diags, Document *document)
{
    enum { WHY_BYTES = 300 };
    json_error_t error;
    char why[WHY_BYTES];
    Str text = schedule_in(source->text);
    document->root = json_loadb(text.data ? text.data : "", text.len, 0, &error);
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

static const char *const phase_names[PHASE_KINDS] = {
    [PHASE_LINE] = "line", [PHASE_START] = "start", [PHASE_SYNC] = "sync",
    [PHASE_WAIT] = "wait", [PHASE_END] = "end",
};

// ---- rows

static Row row_of(const Document *document, const json_t *operation, Phase phase)
{
    int64_t source = json_integer_value(document_field(document, operation, "source"));
    return (Row){.phase = phase,
                 .method = json_string_value(document_field(document, operation, "method")),
                 .source = json_string_value(json_array_get(document->texts, source))};
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
    return compare_by(compare_i64(x->begin, y->begin), compare_i64(x->end, y->end),
                      compare_i64(x->number, y->number));
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
        qsort(path.items, path.count, sizeof *path.items, compare_steps);
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
    return compare_by(compare_i64(x->phase, y->phase), strcmp(x->source, y->source),
                      strcmp(x->method, y->method));
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
    qsort(rows->items, rows->count, sizeof *rows->items, compare_lines);
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

// Cycles that the second kernel spends more. All rows together: what it takes longer.
static int64_t row_change(const Row *row)
{
    return row->sides[1].critical - row->sides[0].critical;
}

static int compare_changes(const void *a, const void *b)
{
    int64_t x = llabs(row_change(a)), y = llabs(row_change(b));
    return compare_by(compare_i64(y, x), compare_lines(a, b));
}

// The largest change first. What `critical` of all rows comes to is what the kernels take.
static void rows_of_documents(Arena *arena, const Document documents[SIDES], RowList *rows)
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
    qsort(rows->items, rows->count, sizeof *rows->items, compare_changes);
}

// ---- lanes and grounds

// Those that both have.
static void lanes_of_documents(Arena *arena, const Document documents[SIDES], LanePairs *lanes)
{
    const json_t *first = json_object_get(documents[0].root, "lanes");
    const json_t *second = json_object_get(documents[1].root, "lanes");
    for (size_t i = 0; i < json_array_size(first); i++) {
        const json_t *pair[SIDES] = {json_array_get(first, i), json_array_get(second, i)};
        LanePair lane = {.name = str_from(document_text(pair[0], "name"))};
        bool is_whole = str_equal(lane.name, str_from(document_text(pair[1], "name")));
        for (int side = 0; side < SIDES; side++) {
            is_whole &= is_count(json_object_get(pair[side], "busy"), most_cycles);
            lane.busy[side] = document_number(pair[side], "busy");
        }
        if (is_whole)
            *array_push(arena, lanes, LanePair) = lane;
    }
}

static Str value_of(Arena *arena, const json_t *value)
{
    if (json_is_integer(value))
        return str_format(arena, "{}", (long long)json_integer_value(value));
    const char *text = json_string_value(value);
    return text && *text ? str_from(text) : STR("not stated");
}

static void grounds_of_documents(Arena *arena, const Document documents[SIDES],
                                 Ground grounds[GROUNDS])
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

// A comparison for programs. docs/schedule.md.

enum { COMPARISON_VERSION = 1 };

static json_t *json_str(Str text)
{
    return json_stringn(text.data ? text.data : "", text.len);
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

static void comparison_print_json(StrBuf *out, const Comparison *comparison)
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
    json_print(out, root, JSON_INDENT(2));
    buf_add(out, STR("\n"));
}

// A comparison for people.

enum { SHOWN = 12, PERCENT = 100, PERMILLE = 1000 };

// ---- lanes

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
static void print_lanes(StrBuf *out, const Comparison *comparison)
{
    LaneRows rows = {0};
    for (int64_t i = 0; i < comparison->lanes.count; i++) {
        const LanePair *lane = &comparison->lanes.items[i];
        LaneRow row = {.first = lane->name, .last = lane->name};
        for (int side = 0; side < SIDES; side++) {
            const json_t *root = comparison->documents[side].root;
            int64_t cycles = max_i64(1, document_number(root, "cycles"));
            row.permille[side] = (lane->busy[side] * PERMILLE + cycles / 2) / cycles;
        }
        add_lane(out->arena, &rows, &row);
    }
    for (int64_t i = 0; i < rows.count; i++) {
        const LaneRow *row = &rows.items[i];
        Str name = schedule_lanes(out->arena, row->first, row->last);
        if (row->permille[0] != row->permille[1])
            buf_format(out, "  {-12} busy {5.1f} % -> {5.1f} %\n", name,
                       (double)row->permille[0] * PERCENT / PERMILLE,
                       (double)row->permille[1] * PERCENT / PERMILLE);
    }
}

// ---- rows

static void add_number(StrBuf *out, const char *before, int64_t number)
{
    buf_format(out, "{}{}", before, schedule_number(out->arena, number));
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
        buf_format(out, "; only in the {}", a->count ? "first" : "second");
    } else if (a->count != b->count) {
        add_number(out, "; ", b->count);
        add_number(out, b->count == 1 ? " time, was " : " times, was ", a->count);
    }
    if (a->count && b->count && strcmp(a->bound, b->bound) != 0)
        buf_format(out, "; bound by {}, was {}", b->bound, a->bound);
}

static const char *const phase_words[PHASE_KINDS] = {
    [PHASE_START] = "start of the kernel",
    [PHASE_SYNC] = "synchronisation in front of ",
    [PHASE_WAIT] = "wait in front of ",
    [PHASE_END] = "end of the kernel",
};

static void print_name(StrBuf *out, const Row *row)
{
    buf_add(out, STR("\n              "));
    if (phase_words[row->phase])
        buf_format(out, "{}", phase_words[row->phase]);
    if (*row->method)
        buf_format(out, "{}: {}", row->method, row->source);
    buf_add(out, STR("\n"));
}

static void print_row(StrBuf *out, const Row *row)
{
    int64_t change = row_change(row);
    Str text = str_format(out->arena, "{c}{}", change < 0 ? '-' : '+',
                          schedule_number(out->arena, llabs(change)));
    buf_format(out, "  {10}", text);
    add_number(out, "  ", row->sides[0].critical);
    add_number(out, " -> ", row->sides[1].critical);
    if (row->phase == PHASE_LINE)
        print_why(out, row);
    print_name(out, row);
}

static void print_rows(StrBuf *out, const RowList *rows)
{
    int64_t changed = 0, left = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        int64_t change = row_change(&rows->items[i]);
        if (change && changed++ < SHOWN)
            print_row(out, &rows->items[i]);
        else
            left += change;
    }
    if (!changed)
        buf_add(out, STR("  nothing changed\n"));
    if (changed > SHOWN) {
        buf_format(out, "  and {} line{} more, ", (changed - SHOWN),
                   changed - SHOWN == 1 ? "" : "s");
        add_number(out, left < 0 ? "-" : "+", llabs(left));
        buf_add(out, STR(" all told\n"));
    }
}

// ---- all of it

static void print_verdict(StrBuf *out, const Comparison *comparison)
{
    const ScheduleSource *sources = comparison->sources;
    int64_t first = document_number(comparison->documents[0].root, "cycles");
    int64_t second = document_number(comparison->documents[1].root, "cycles");
    buf_format(out, "{}: {} cycles\n{}: {} cycles, ", sources[0].name,
               schedule_number(out->arena, first), sources[1].name,
               schedule_number(out->arena, second));
    if (first == second)
        buf_add(out, STR("the same\n"));
    else
        buf_format(out, "{.2f} times as {}\n",
                   first > second ? (double)first / (double)max_i64(1, second)
                                  : (double)second / (double)max_i64(1, first),
                   first > second ? "fast" : "long");
}

static void print_grounds(StrBuf *out, const Ground grounds[GROUNDS])
{
    bool any = false;
    for (int i = 0; i < GROUNDS; i++) {
        if (grounds[i].differs)
            buf_format(out, "  the {} differ: {} and {}\n", grounds[i].words, grounds[i].values[0],
                       grounds[i].values[1]);
        any |= grounds[i].differs;
    }
    if (any)
        buf_add(out, STR("  so the cycles do not say which program is quicker\n"));
}

static void comparison_print_text(StrBuf *out, const Comparison *comparison)
{
    print_verdict(out, comparison);
    print_grounds(out, comparison->grounds);
    print_lanes(out, comparison);
    buf_add(out, STR("Cycles on the critical path, by line:\n"));
    print_rows(out, &comparison->rows);
}

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
