// A comparison for people.
#include "schedule/compare_rows.h"

#include "base/checked.h"
#include "schedule/export.h"

#include <stdlib.h>
#include <string.h>

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
            buf_printf(out, "  %-12.*s busy %5.1f %% -> %5.1f %%\n", STR_ARG(name),
                       (double)row->permille[0] * PERCENT / PERMILLE,
                       (double)row->permille[1] * PERCENT / PERMILLE);
    }
}

// ---- rows

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
        buf_printf(out, "%s", phase_words[row->phase]);
    if (*row->method)
        buf_printf(out, "%s: %s", row->method, row->source);
    buf_add(out, STR("\n"));
}

static void print_row(StrBuf *out, const Row *row)
{
    int64_t change = row_change(row);
    Str text = str_format(out->arena, "%c%.*s", change < 0 ? '-' : '+',
                          STR_ARG(schedule_number(out->arena, llabs(change))));
    buf_printf(out, "  %10.*s", STR_ARG(text));
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
        buf_printf(out, "  and %lld line%s more, ", (long long)(changed - SHOWN),
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
}

static void print_grounds(StrBuf *out, const Ground grounds[GROUNDS])
{
    bool any = false;
    for (int i = 0; i < GROUNDS; i++) {
        if (grounds[i].differs)
            buf_printf(out, "  the %s differ: %.*s and %.*s\n", grounds[i].words,
                       STR_ARG(grounds[i].values[0]), STR_ARG(grounds[i].values[1]));
        any |= grounds[i].differs;
    }
    if (any)
        buf_add(out, STR("  so the cycles do not say which program is quicker\n"));
}

void comparison_print_text(StrBuf *out, const Comparison *comparison)
{
    print_verdict(out, comparison);
    print_grounds(out, comparison->grounds);
    print_lanes(out, comparison);
    buf_add(out, STR("Cycles on the critical path, by line:\n"));
    print_rows(out, &comparison->rows);
}
