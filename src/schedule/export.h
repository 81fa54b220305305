// Schedules for others: a document, trace events, a summary for people. docs/schedule.md.
#ifndef CONTRA_SCHEDULE_EXPORT_H
#define CONTRA_SCHEDULE_EXPORT_H

#include "base/diag.h"
#include "base/str.h"
#include "schedule/schedule.h"

// The document, version SCHEDULE_VERSION. `scratch` is emptied.
enum { SCHEDULE_VERSION = 2 };
void schedule_print_json(StrBuf *out, Arena *scratch, const Schedule *schedule);

// Trace events as Perfetto and Chrome read them: a microsecond there is one cycle here.
void schedule_print_trace(StrBuf *out, const Schedule *schedule);

// A drawing: SVG, a page of its own.
void schedule_print_svg(StrBuf *out, const Schedule *schedule);

typedef struct {
    bool colour;
    int64_t width; // characters of a line
} SummaryOptions;

void schedule_print_summary(StrBuf *out, const Schedule *schedule, const SummaryOptions *options);

// What would make the kernel quicker, the most worthwhile first.
typedef struct {
    ARRAY(Str);
} AdviceList;

// Cycles that the kernel ends earlier at most where nobody waits for these reasons (a bit for each
// WaitKind): by the waits that are left.
int64_t schedule_gain(Arena *arena, const Schedule *schedule, uint32_t kinds);

void schedule_advice(Arena *arena, const Schedule *schedule, AdviceList *advice);

// The part that bounds an operation, and what it costs, all commands together.
CostPart schedule_bound(const ScheduledOperation *operation);
int64_t schedule_cycles(const ScheduledOperation *operation);

// "compute" or "memory": the roof that the kernel is under.
const char *schedule_roof(const Schedule *schedule);

// In per cent.
double schedule_share(int64_t part, int64_t whole);

// "12,345,678", as all that people read has numbers.
Str schedule_number(Arena *arena, int64_t number);

// "DMA 0.1..0.3", of lanes that have something in common.
Str schedule_lanes(Arena *arena, Str first, Str last);

// "waits for what operation 3 writes (DM 0x0..0xfff)"
Str schedule_wait_text(Arena *arena, const Schedule *schedule, const Wait *wait);

// Two schedules, compared by their documents.

typedef struct {
    Str name, text;
} ScheduleSource;

typedef enum { COMPARE_TEXT, COMPARE_JSON } CompareForm;

// Documents, or pages with one in them. False: one of them is no schedule; a diagnostic says why.
bool schedule_compare(StrBuf *out, DiagList *diags, const ScheduleSource sources[2],
                      CompareForm form);

// The schedule page (viewer/), as the build makes it.

// HTML, with SCHEDULE_PAGE_MARKER in it once, where a schedule comes.
Str schedule_page_template(void);

#define SCHEDULE_PAGE_MARKER "/*CONTRA_SCHEDULE*/"

// The page with a schedule in it, given as JSON; empty: the page alone, which asks for a file.
void schedule_print_page(StrBuf *out, Str document);

// Orders of operations as people write them. docs/schedule.md, Orders.

typedef struct {
    ARRAY(int64_t);
} OrderList;

// Numbers, one at least, as `4` or `#4`, with blanks, commas and ends of lines between them; what
// follows another `#` is a comment. False: `text`, the content of `name`, is something else; a
// diagnostic says where.
bool order_read(Arena *arena, DiagList *diags, Str name, Str text, OrderList *order);

#endif
