// A program to build in, with a tensor in each memory.
#ifndef CONTRA_TESTS_BUILD_SUPPORT_H
#define CONTRA_TESTS_BUILD_SUPPORT_H

#include "test.h"

#include <contra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef struct {
    Contra *contra;
    ContraProgram *program;
    ContraTensor *dm, *other, *hbm, *trf, *vrf, *host;
    ContraStream *stream;
} Bench;

static inline void begin_at(Bench *bench, const char *kind, const char *type, const char *packet)
{
    ContraStreamType input = contra_stream_type();
    input.kind = kind;
    input.type = type;
    input.chip = "1";
    input.cluster = "1 # 2";
    input.slice = "A / 16";
    input.time = "B";
    input.packet = packet;
    bool has_state = !strncmp(kind, "VectorInit", 10) || !strncmp(kind, "VectorTensor", 12);
    input.stage = !has_state ? NULL : strcmp(type, "f32") ? "Branch" : "Narrow";
    input.entry = input.stage ? type : NULL;
    input.way4 = input.stage && !strcmp(type, "f32");
    contra_input(bench->program, "main", &input, &bench->stream);
    assert_non_null(bench->stream);
}

static inline void bench_open(Bench *bench)
{
    const char *slice = "A / 16";
    bench->contra = contra_new();
    contra_program_new(bench->contra, "test", 1, NULL, &bench->program);
    contra_axis(bench->program, "A", 4096);
    contra_axis(bench->program, "B", 8);
    contra_axis(bench->program, "I", 2);
    contra_param(bench->program, "x",
                 contra_dm("i32", "1", "1 # 2", slice, "A % 16, B / 2, B % 2, I", 0x100),
                 &bench->dm);
    contra_param(bench->program, NULL, contra_dm("i32", "1", "1 # 2", slice, "A % 16", 0),
                 &bench->other);
    contra_param(bench->program, NULL, contra_hbm("i32", "1", "A, I", 0), &bench->hbm);
    contra_param(bench->program, "w",
                 contra_trf("i8", "1", "1 # 2", slice, "B", "A % 16 # 64", "SecondHalf"),
                 &bench->trf);
    contra_param(bench->program, NULL, contra_vrf("i32", "1", "1 # 2", slice, "B", 0), &bench->vrf);
    contra_param(bench->program, NULL, contra_host("i32", "A"), &bench->host);
}

static inline int new_bench(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    bench_open(bench);
    *state = bench;
    return 0;
}

static inline int free_bench(void **state)
{
    Bench *bench = *state;
    contra_free(bench->contra);
    free(bench);
    return 0;
}

// Diagnostics with one of the codes of program texts mean that a line was not written right.
static inline void assert_readable(Contra *contra)
{
    const char *unread = strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "error[E08");
    if (unread)
        fail_msg("%s", unread);
}

static inline void assert_last_line(const Bench *bench, const char *expected)
{
    ContraText lines = contra_program_lines(bench->program);
    const char *start = lines.data + lines.length - 1;
    assert_int_equal(*start, '\n');
    while (start > lines.data && start[-1] != '\n')
        start--;
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)(lines.data + lines.length - 1 - start), start);
    assert_string_equal(line, expected);
    assert_readable(bench->contra);
}

static inline void assert_codes(Contra *contra, const char *expected)
{
    char codes[512] = "";
    const char *at = contra_diagnostics(contra, CONTRA_PLAIN).data;
    while ((at = strstr(at, "error[E"))) {
        size_t used = strlen(codes);
        snprintf(codes + used, sizeof codes - used, "%s%.5s", used ? " " : "", at + 6);
        at += 7;
    }
    assert_string_equal(codes, expected);
    contra_clear_diagnostics(contra);
}

#endif
