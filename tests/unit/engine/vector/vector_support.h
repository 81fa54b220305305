// Chains of Vector Engine calls as rows of program text, read through the builder and judged by all
// rules of the hardware. Illustrative sizes of Cluster and Slice are accepted.
#ifndef CONTRA_TESTS_VECTOR_SUPPORT_H
#define CONTRA_TESTS_VECTOR_SUPPORT_H

#include "engine/engine.h"

#include "base/checked.h"
#include "program/text.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// What is NULL: Cluster, Slice and Time `1`, the packet `1 # 8`, no tensor.
typedef struct {
    const char *axes;   // "A=512,R=4"
    const char *stream; // "CollectTensor f32"
    const char *cluster, *slice, *time, *packet;
    const char *state; // of a stream inside the Vector Engine: "stage Fp entry f32 way4"
    const char *vrf;   // %0: "i32 slice [A] element [B]"
    const char *calls; // separated by "; "
    const char *codes; // "3 E0720, 4 E0711": the number of the call, 0 is the parameter
} Row;

typedef struct {
    Arena arena;
    DiagList diags;
    DiagTreatment treatments[DIAG_CODE_COUNT];
    SourceList sources;
    Builder *builder;
} Desk;

static inline void desk_silence(Desk *desk, const char *group)
{
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++)
        if (strcmp(diag_infos[code].group, group) == 0)
            desk->treatments[code] = TREAT_AS_SILENT;
}

static inline Desk *desk_new(RuleSet rules)
{
    Desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    desk->diags = (DiagList){.arena = &desk->arena, .treatments = desk->treatments};
    desk_silence(desk, "cluster-size");
    desk_silence(desk, "slice-size");
    BuilderOptions options = {.machine = &machine_rngd, .rules = &engine_rules, .rule_set = rules};
    desk->builder = builder_new(&desk->arena, &desk->diags, &options);
    return desk;
}

static inline void desk_free(Desk *desk)
{
    builder_free(desk->builder);
    arena_release(&desk->arena);
    free(desk);
}

// "A=512,R=4" as lines of their own.
static inline void print_axes(StrBuf *out, const char *axes)
{
    buf_add(out, STR("axis "));
    for (const char *c = axes; *c; c++) {
        if (*c == '=')
            buf_add(out, STR(" = "));
        else if (*c == ',')
            buf_add(out, STR("\naxis "));
        else
            buf_add_char(out, *c);
    }
    buf_add_char(out, '\n');
}

static inline void print_calls(StrBuf *out, const char *calls)
{
    for (const char *c = calls; *c; c++) {
        bool end = c[0] == ';' && c[1] == ' ';
        buf_add_char(out, end ? '\n' : *c);
        c += end;
    }
}

static inline const char *or_else(const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

static inline Str row_text(Arena *arena, const Row *row)
{
    StrBuf out = {.arena = arena};
    buf_add(&out, STR("program p\n"));
    print_axes(&out, row->axes);
    if (row->vrf) {
        const char *rest = strchr(row->vrf, ' ');
        buf_format(&out, "%0 = param vrf {} chip [1] cluster [1 # 2]{} at 0x0\n",
                   ((Str){row->vrf, (rest - row->vrf)}), rest);
    }
    buf_format(&out,
               "pass main\ninput {} chip [1] cluster [{}] slice [{}] time [{}] packet [{}] {}\n",
               row->stream, or_else(row->cluster, "1 # 2"), or_else(row->slice, "1"),
               or_else(row->time, "1"), or_else(row->packet, "1 # 8"), or_else(row->state, ""));
    print_calls(&out, row->calls);
    buf_add(&out, STR("\nopen\nend\n"));
    return buf_str(&out);
}

static inline int64_t lines_before(Str text, int64_t at)
{
    int64_t lines = 0;
    for (int64_t i = 0; i < at; i++)
        lines += text.data[i] == '\n';
    return lines;
}

// "3 E0720, 4 E0711"; codes of other engines are "other".
static inline const char *desk_codes(Desk *desk, Str text)
{
    StrBuf out = {.arena = &desk->arena};
    const char *start = str_terminated(&desk->arena, text);
    int64_t first = lines_before(text, strstr(start, "\ninput ") + 1 - start);
    for (int64_t i = 0; i < desk->diags.count; i++) {
        const Diag *diag = desk->diags.items[i];
        const char *code = diag_infos[diag->code].code;
        bool own = strncmp(code, "E07", 3) == 0;
        buf_format(&out, "{}{} {}", i ? ", " : "", lines_before(text, diag->span.start) - first,
                   own ? code : "other");
    }
    return str_terminated(&desk->arena, buf_str(&out));
}

static inline const char *desk_reports(Desk *desk)
{
    StrBuf out = {.arena = &desk->arena};
    diag_render_text(&out, &desk->sources, &desk->diags, DIAG_PLAIN);
    return str_terminated(&desk->arena, buf_str(&out));
}

static inline Desk *row_read(const Row *row, RuleSet rules)
{
    Desk *desk = desk_new(rules);
    ProgramList programs = {0};
    Str text = row_text(&desk->arena, row);
    *array_push(&desk->arena, &desk->sources, Source) = (Source){STR("row"), text, NULL};
    program_parse(desk->builder, 0, text, &programs);
    return desk;
}

// True: the row reports what it says it does.
static inline bool row_holds(const Row *row, RuleSet rules)
{
    Desk *desk = row_read(row, rules);
    const char *codes = desk_codes(desk, desk->sources.items[0].text);
    bool same = strcmp(codes, row->codes) == 0;
    if (same && *codes && getenv("CONTRA_TEST_VERBOSE"))
        print_message("%s\n", desk_reports(desk));
    if (!same)
        print_error("%.*s\nreports \"%s\" instead of \"%s\"\n%s\n",
                    STR_ARG(desk->sources.items[0].text), codes, row->codes, desk_reports(desk));
    desk_free(desk);
    return same;
}

static inline void check_rows(const Row *rows, size_t count, RuleSet rules)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed += !row_holds(&rows[i], rules);
    assert_int_equal(failed, 0);
}

#endif
