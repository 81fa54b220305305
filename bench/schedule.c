// How long a kernel of 50,000 operations takes to be scheduled, in program order and in an order
// that is pinned, and to be written as a document. Beside it: how long jansson, which others read
// such documents with, takes for reading it.
#include "bench.h"

#include "contra.h"

#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 3 };

static const double schedule_bar = 1.5; // times the reference, to cost and to place them

typedef struct {
    int64_t operations, bytes;
    double schedule, order, document, reference; // microseconds
} Times;

// ---- what is measured: negative: it did not succeed

static double time_schedule(Contra *contra, const ContraObject *object,
                            const ContraScheduleOptions *options, ContraSchedule **schedule)
{
    double start = bench_now_us();
    bool ok = contra_schedule(contra, object, options, schedule) == CONTRA_OK;
    return ok ? bench_now_us() - start : -1;
}

static double time_document(Contra *contra, const ContraSchedule *schedule, ContraText *text)
{
    ContraScheduleTextOptions form = contra_schedule_text_options();
    form.form = CONTRA_SCHEDULE_JSON;
    double start = bench_now_us();
    bool ok = contra_schedule_text(contra, schedule, &form, text) == CONTRA_OK;
    return ok ? bench_now_us() - start : -1;
}

static double time_reading(ContraText text, int64_t *operations)
{
    json_error_t error;
    double start = bench_now_us();
    json_t *root = json_loadb(text.data, (size_t)text.length, 0, &error);
    double took = bench_now_us() - start;
    *operations = (int64_t)json_array_size(json_object_get(root, "operations"));
    json_decref(root);
    return root ? took : -1;
}

// Neighbours change places where they may: the load of a round and the store before it touch
// other bytes.
static int64_t *make_order(int64_t count)
{
    enum { STEPS = 3 };
    int64_t *order = malloc(sizeof *order * (size_t)(count + 1));
    for (int64_t i = 0; order && i < count; i++)
        order[i] = i;
    for (int64_t i = STEPS; order && i + STEPS < count; i += 2 * STEPS) {
        order[i - 1] = i;
        order[i] = i - 1;
    }
    return order;
}

static bool compile(Contra *contra, const char *path, ContraObject **object)
{
    ContraText text = contra_text(path);
    ContraCheckOptions check = contra_check_options();
    return contra_load(contra, &text, 1, &check) == CONTRA_OK &&
           contra_compile(contra, 0, NULL, 0, object) == CONTRA_OK;
}

// One round, which leaves nothing behind.
static bool time_round(const char *path, Times *times)
{
    Contra *contra = contra_new();
    ContraObject *object;
    ContraSchedule *schedule;
    ContraText text;
    int64_t *order = NULL;
    ContraScheduleOptions options = contra_schedule_options();
    bool ok = contra && compile(contra, path, &object) &&
              (times->schedule = time_schedule(contra, object, &options, &schedule)) >= 0 &&
              (times->document = time_document(contra, schedule, &text)) >= 0 &&
              (times->reference = time_reading(text, &times->operations)) >= 0 &&
              (order = make_order(times->operations)) != NULL;
    if (ok) {
        options.order = order;
        options.order_count = times->operations;
        times->bytes = text.length;
        times->order = time_schedule(contra, object, &options, &schedule);
    }
    free(order);
    contra_free(contra);
    return ok && times->order >= 0;
}

static bool measure(const char *path, Times *times)
{
    double schedules[ROUNDS], orders[ROUNDS], documents[ROUNDS], references[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        if (!time_round(path, times))
            return false;
        schedules[i] = times->schedule;
        orders[i] = times->order;
        documents[i] = times->document;
        references[i] = times->reference;
    }
    times->schedule = bench_median(schedules, ROUNDS);
    times->order = bench_median(orders, ROUNDS);
    times->document = bench_median(documents, ROUNDS);
    times->reference = bench_median(references, ROUNDS);
    return true;
}

// ---- what is said

static const char against[] = "jansson reading the document";

static json_t *times_json(const Times *times, bool reached)
{
    return json_pack("{s:I, s:f, s:f, s:f, s:I, s:s, s:f, s:f, s:b}", "operations",
                     (json_int_t)times->operations, "schedule_us", times->schedule, "order_us",
                     times->order, "document_us", times->document, "document_bytes",
                     (json_int_t)times->bytes, "against", against, "reference_us", times->reference,
                     "schedule_bar", schedule_bar, "reached", reached);
}

static void print_times(const Times *times, bool reached)
{
    const struct {
        const char *name;
        double us;
        const char *bar;
    } rows[] = {
        {"schedule", times->schedule, reached ? "at most 1.50x: reached" : "at most 1.50x: MISSED"},
        {"schedule, pinned", times->order, "(no bar)"},
        {"document", times->document, "(no bar)"}};
    printf("schedule: %lld operations, a document of %.1f MB\n", (long long)times->operations,
           (double)times->bytes / 1e6);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%-17s %9.1f ms  %5.2fx  %-28s of %s\n", rows[i].name, rows[i].us / 1e3,
               rows[i].us / times->reference, rows[i].bar, against);
}

bool bench_schedule(json_t *json)
{
    char path[BENCH_PATH_BYTES];
    Times times = {0};
    FILE *file = bench_create(path, ".rs");
    bool ok = file && fputs(bench_schedule_source, file) >= 0;
    ok = file && fclose(file) == 0 && ok && measure(path, &times);
    if (file)
        unlink(path);
    if (!ok) {
        fprintf(stderr, "contra bench: the kernel could not be scheduled\n");
        return false;
    }
    bool reached = times.schedule <= schedule_bar * times.reference;
    if (json)
        json_object_set_new(json, "schedule", times_json(&times, reached));
    else
        print_times(&times, reached);
    return true;
}
