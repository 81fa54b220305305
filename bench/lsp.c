// How soon an editor hears of a keystroke: the diagnostics, and what may be written next, in a file
// of 200 kernels. As clients see it: from the message that goes to `contra lsp` to the one that
// comes back.
#include "bench.h"
#include "lsp/server/frames.h"

#include "base/checked.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KERNELS = 200, KEYSTROKES = 100, MESSAGE_ROOM = 256 };

static const char uri[] = "file:///nowhere/kernels.rs";

// ---- the text

// The rows of a kernel: numbers stand for its own sizes.
static const char *const kernel_lines[] = {
    "pub mod k%d {",
    "    use furiosa_visa_std::prelude::*;",
    "",
    "    axes![I = 64, J = 64, K = %d];",
    "",
    "    type Slice = m![I / 4, J / 4];",
    "",
    "    #[device(chip = 1)]",
    "    pub fn gemm(",
    "        ctx: &mut Context,",
    "        a: &HbmTensor<bf16, m![1], m![I, K]>,",
    "        b: &HbmTensor<bf16, m![1], m![J, K]>,",
    "    ) -> HbmTensor<f32, m![1], m![I, J]> {",
    "        let a = a.to_dm::<m![1 # 2], Slice, m![I % 4, K]>(&mut ctx.tdma, 0);",
    "        let b = b.to_dm::<m![1 # 2], Slice, m![J % 4, K]>(&mut ctx.tdma, 0x8000);",
    "        let b: TrfTensor<bf16, m![1], m![1 # 2], Slice, m![J % 4], m![K]> = ctx",
    "            .sub",
    "            .begin(b.view())",
    "            .fetch::<bf16, m![J % 4], m![K]>()",
    "            .collect::<m![J % 4, K / 16], m![K % 16]>()",
    "            .to_trf(TrfAddress::Full);",
    "        let c: DmTensor<f32, m![1], m![1 # 2], Slice, m![I % 4, J % 4]> = ctx",
    "            .main",
    "            .begin(a.view())",
    "            .fetch::<bf16, m![I % 4], m![K]>()",
    "            .collect::<m![I % 4, K / 16], m![K % 16]>()",
    "            .align::<m![I % 4, K / 32], m![K % 32], _, _>(&b)",
    "            .contract::<m![1]>()",
    "            .accumulate::<m![I % 4], m![J % 4 # 8]>(AccumulationKind::Interleaved)",
    "            .commit(0x10000);",
    "        c.to_hbm(&mut ctx.tdma, 2 << 28)",
    "    }",
    "}",
};

// Rows of a kernel that are typed in, and where.
enum { SIZE_ROW = 3, STAGE_ROW = 25, STAGE_COLUMN = 13 };

static Str make_text(Arena *arena)
{
    StrBuf text = {.arena = arena};
    for (int i = 0; i < KERNELS; i++)
        for (size_t row = 0; row < COUNT_OF(kernel_lines); row++) {
            const char *number = strstr(kernel_lines[row], "%d");
            if (number)
                buf_format(&text, "{}{}{}",
                           ((Str){kernel_lines[row], (number - kernel_lines[row])}),
                           row ? 32 * (1 + i % 16) : i, number + 2);
            else
                buf_add(&text, str_from(kernel_lines[row]));
            buf_add_char(&text, '\n');
        }
    return buf_str(&text);
}

// ---- the client

typedef struct {
    pid_t server;
    int to, from;        // the server
    Frames said;         // what it says
    bool told, answered; // the diagnostics of this version, a request
    int64_t version;
} Typist;

static bool start_server(Typist *typist)
{
    int in[2], out[2];
    if (pipe(in) || pipe(out))
        return false;
    fflush(stdout);
    typist->server = fork();
    if (typist->server == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]); // or the server does not notice that the client is gone
        execl("/proc/self/exe", "contra", "lsp", (char *)NULL);
        _exit(1);
    }
    close(in[0]);
    close(out[1]);
    typist->to = in[1];
    typist->from = out[0];
    return typist->server > 0;
}

static void end_server(Typist *typist)
{
    if (typist->server <= 0)
        return;
    close(typist->to);
    close(typist->from);
    kill(typist->server, SIGTERM);
    waitpid(typist->server, NULL, 0);
    free(typist->said.bytes);
}

static void hear(Typist *typist, Str text)
{
    json_t *message = json_loadb(text.data, (size_t)text.len, 0, NULL);
    const json_t *version = json_object_get(json_object_get(message, "params"), "version");
    typist->told |= json_integer_value(version) == typist->version;
    typist->answered |= json_object_get(message, "result") != NULL;
    json_decref(message);
}

static void send(const Typist *typist, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (text)
        dprintf(typist->to, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    free(text);
    json_decref(message);
}

// Puts a text in the place of so many characters.
static void type(Typist *typist, int line, int column, int taken, const char *text)
{
    typist->told = typist->answered = false;
    typist->version++;
    send(typist, json_pack("{s:s, s:{s:{s:s, s:I}, s:[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:s}]}}",
                           "method", "textDocument/didChange", "params", "textDocument", "uri", uri,
                           "version", (json_int_t)typist->version, "contentChanges", "range",
                           "start", "line", line, "character", column, "end", "line", line,
                           "character", column + taken, "text", text));
}

// Until the diagnostics, or an answer, came. Negative: they never do.
static double wait_for(Typist *typist, const bool *come, double start)
{
    Frame frame;
    while (!*come && !typist->said.is_over && !typist->said.is_bad) {
        if (frames_next(&typist->said, &frame))
            hear(typist, frame.body);
        else
            frames_read(&typist->said, typist->from);
    }
    return *come ? bench_now_us() - start : -1;
}

static double complete(Typist *typist, int line, int column)
{
    double start = bench_now_us();
    type(typist, line, column, 0, ".c");
    send(typist, json_pack("{s:i, s:s, s:{s:{s:s}, s:{s:i, s:i}}}", "id", 7, "method",
                           "textDocument/completion", "params", "textDocument", "uri", uri,
                           "position", "line", line, "character", column + 2));
    double took = wait_for(typist, &typist->answered, start);
    type(typist, line, column, 2, "");
    return took < 0 || wait_for(typist, &typist->told, 0) < 0 ? -1 : took;
}

// A letter comes, and goes again.
static double type_letter(Typist *typist, int line, int column, const char *letter)
{
    double start = bench_now_us();
    type(typist, line, column, 0, letter);
    double took = wait_for(typist, &typist->told, start);
    type(typist, line, column, 1, "");
    return took < 0 || wait_for(typist, &typist->told, 0) < 0 ? -1 : took;
}

// ---- what is measured

typedef struct {
    const char *name, *what;
    double bar_ms; // of 95 in 100; 0: none
    double values[KEYSTROKES];
    double median, most; // of all, and of 95 in 100; milliseconds
} Row;

static bool measure_row(Typist *typist, Row *row, int which)
{
    for (int i = 0; i < KEYSTROKES; i++) {
        int line = i * 7 % KERNELS * (int)COUNT_OF(kernel_lines);
        double took = which == 0   ? type_letter(typist, line + STAGE_ROW, STAGE_COLUMN, "x")
                      : which == 1 ? complete(typist, line + STAGE_ROW + 1, 0)
                                   : type_letter(typist, line + SIZE_ROW, 19, "1");
        if (took < 0)
            return false;
        row->values[i] = took / 1e3;
    }
    row->median = bench_median(row->values, KEYSTROKES);
    row->most = row->values[KEYSTROKES * 95 / 100 - 1];
    return true;
}

static bool open_text(Typist *typist, Str text)
{
    send(typist, json_pack("{s:i, s:s, s:{}}", "id", 1, "method", "initialize", "params"));
    typist->version = 1;
    send(typist,
         json_pack("{s:s, s:{s:{s:s, s:s%, s:i}}}", "method", "textDocument/didOpen", "params",
                   "textDocument", "uri", uri, "text", text.data, (size_t)text.len, "version", 1));
    return wait_for(typist, &typist->told, 0) >= 0;
}

static void show(const Row *row, json_t *json)
{
    bool has_bar = row->bar_ms > 0, reached = !has_bar || row->most <= row->bar_ms;
    if (json) {
        json_t *one = json_pack("{s:f, s:f, s:i}", "median_ms", row->median, "most_of_95_ms",
                                row->most, "keystrokes", KEYSTROKES);
        if (has_bar) {
            json_object_set_new(one, "bar_ms", json_real(row->bar_ms));
            json_object_set_new(one, "reached", json_boolean(reached));
        }
        json_object_set_new(json, row->name, one);
        return;
    }
    printf("%-12s %6.1f ms median  %6.1f ms of 95 in 100  ", row->name, row->median, row->most);
    if (has_bar)
        printf("at most %.0f ms: %-8s ", row->bar_ms, reached ? "reached" : "MISSED");
    else
        printf("%-24s ", "(no bar)");
    printf("%s\n", row->what);
}

bool bench_lsp(json_t *json)
{
    static Row rows[] = {{"diagnostics", "after a letter in a kernel", 50, {0}, 0, 0},
                         {"completion", "after a letter, of that text", 20, {0}, 0, 0},
                         {"sizes", "diagnostics after a digit of an axis", 0, {0}, 0, 0}};
    Arena arena = {0};
    Typist typist = {0};
    Str text = make_text(&arena);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); // wait_for notices the end of the server
    bool ok = start_server(&typist) && open_text(&typist, text);
    for (int i = 0; ok && i < (int)COUNT_OF(rows); i++)
        ok = measure_row(&typist, &rows[i], i);
    json_t *part = json ? json_object() : NULL;
    if (ok && !json)
        printf("lsp: %d kernels, %d lines\n", KERNELS, KERNELS * (int)COUNT_OF(kernel_lines));
    for (int i = 0; ok && i < (int)COUNT_OF(rows); i++)
        show(&rows[i], part);
    if (json)
        json_object_set_new(json, "lsp", part);
    if (!ok)
        fprintf(stderr, "contra bench: the language server did not answer\n");
    end_server(&typist);
    signal(SIGPIPE, before);
    arena_release(&arena);
    return ok;
}
