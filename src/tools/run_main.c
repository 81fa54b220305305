// The `main` of a program, and what it prints.
#include "run_output.h"
#include "terminal.h"
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *data;
    size_t length;
} Captured;

static void print_now(void *own, ContraText text)
{
    (void)own;
    cli_print(text);
    if (!text.length)
        fflush(stdout);
}

// Where the path says it, that is enough.
typedef struct {
    Captured captured;
    const char *path;
    bool silent;
} MainRun;

static void say_file(void *own, ContraText file)
{
    const MainRun *run = own;
    const char *ending = strrchr(run->path, '.');
    if (!run->silent && !(ending && strcmp(ending, ".rs") == 0))
        fprintf(stderr, "running %.*s\n", (int)file.length, file.data);
}

static void capture(void *own, ContraText text)
{
    Captured *captured = &((MainRun *)own)->captured;
    char *more = realloc(captured->data, captured->length + (size_t)text.length + 1);
    if (!more)
        return;
    memcpy(more + captured->length, text.data, (size_t)text.length);
    captured->data = more;
    captured->length += (size_t)text.length;
}

// Says how many errors the program at `path` has: what ran was checked on the way, but nothing
// else. It is read once more, as `main` runs without `#[cfg(test)]`.
static void say_other_errors(ContraText path, const CommonOptions *common,
                             const ContraCheckOptions *check)
{
    ExitStatus status = EXIT_DONE;
    Contra *contra = cli_open(common, &status);
    if (contra && contra_check_types(contra, &path, 1, check) == CONTRA_INVALID)
        cli_say_other_errors(contra, "run", "code that does");
    contra_free(contra);
}

ExitStatus run_main(Contra *contra, const CommonOptions *common, const ContraCheckOptions *check,
                    ContraRunOptions *options, const char *path, bool quiet)
{
    MainRun run = {.path = path, .silent = quiet || common->json};
    ContraMainResult result = contra_main_result();
    options->is_cancelled = watch_is_cancelled;
    options->progress = watch_progress;
    options->print = common->json ? capture : print_now;
    options->started = say_file;
    options->own = &run;
    cli_limit_memory(1);
    terminal_begin_raw();
    ContraStatus status = contra_run_main(contra, contra_text(path), check, options, &result);
    terminal_end_raw();
    watch_clear();
    ExitStatus exit_status = status == CONTRA_OK ? EXIT_DONE : EXIT_REFUSED;
    if (status == CONTRA_CANCELLED || watch_interrupted()) {
        exit_status = run_interrupted();
    } else if (status == CONTRA_NO_MEMORY) {
        fflush(stdout);
        exit_status = cli_refuse(contra, common, status);
    } else if (common->json) {
        cli_print_json(json_pack(
            "{s:b, s:s, s:o, s:b, s:o, s:o, s:o}", "completed", status == CONTRA_OK, "backend",
            cli_backend_name(options), "file",
            json_stringn(result.file.data ? result.file.data : "", (size_t)result.file.length),
            "panicked", result.panicked, "message",
            json_stringn(result.message.data ? result.message.data : "",
                         (size_t)result.message.length),
            "output", json_stringn(run.captured.data ? run.captured.data : "", run.captured.length),
            "diagnostics", run_diagnostics_json(contra)));
    } else {
        fflush(stdout);
        cli_show(contra, common);
    }
    if (exit_status == EXIT_DONE && !quiet)
        say_other_errors(result.file, common, check);
    free(run.captured.data);
    return cli_finish(exit_status);
}
