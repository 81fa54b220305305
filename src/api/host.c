// Host programs: `main` and the tests of a crate.
#include "api/sized.h"

#include "base/checked.h"
#include "lang/eval/check.h"
#include "lang/syntax/parse.h"
#include "run/host.h"

#include <string.h>

// ---- main

typedef struct {
    ARRAY(Decl *);
} Mains;

static Str file_of(const Contra *contra, Decl *decl)
{
    Span place = span_in_file(&contra->sources, decl->span);
    return contra->sources.items[place.source].name;
}

// `extra`: those of tests, examples and benches.
static void find_mains(Contra *contra, bool extra, Mains *mains)
{
    const Lang *lang = contra->lang;
    for (int64_t i = 0; i < lang->functions.count; i++) {
        Decl *decl = lang->functions.items[i];
        for (int64_t k = 0; k < contra->roots.count && strcmp(decl->name, "main") == 0; k++)
            if (contra->roots.items[k].module == decl->scope &&
                contra->roots.items[k].is_extra == extra)
                *array_push(&contra->arena, mains, Decl *) = decl;
    }
}

// There is none, or more than one.
static void report_mains(Contra *contra, Str path, const Mains *mains)
{
    enum { SHOWN = 20 };
    if (!mains->count) {
        Diag *diag = request_report(contra, DIAG_MAIN_UNCLEAR, "`{}` has no function `main`", path);
        kernels_note(contra, diag);
        bool has_kernels = contra->kernels.count > 0;
        diag_help(diag, has_kernels ? "a kernel can be run by itself"
                                    : "tests can be run one by one, and all of it be checked");
        diag_help_typed(
            diag, has_kernels ? "run a kernel with `--kernel NAME`; `--list` shows what it takes"
                              : "`contra test` runs tests, `contra check` checks what is there");
        return;
    }
    Diag *diag = request_report(contra, DIAG_MAIN_UNCLEAR,
                                "`{}` has {} programs with a `main`: which one is meant?", path,
                                (int)mains->count);
    for (int64_t i = 0; i < mains->count && i < SHOWN; i++)
        diag_note(diag, SPAN_NOWHERE, "{}", file_of(contra, mains->items[i]));
    if (mains->count > SHOWN)
        diag_note(diag, SPAN_NOWHERE, "and {} more", (int)(mains->count - SHOWN));
    Str file = file_of(contra, mains->items[0]);
    diag_help(diag, "name its file: `{}`", file);
    diag_help_typed(diag, "name its file: `contra run {}`", file);
}

// NULL: which one is not clear, which was said.
static Decl *find_main(Contra *contra, Str path, ContraStatus loaded)
{
    Mains mains = {0};
    find_mains(contra, false, &mains);
    if (!mains.count)
        find_mains(contra, true, &mains);
    bool was_said = !mains.count && loaded != CONTRA_OK; // a file that cannot be read may have it
    if (mains.count != 1 && !was_said)
        report_mains(contra, path, &mains);
    return mains.count == 1 ? mains.items[0] : NULL;
}

ContraStatus contra_run_main(Contra *contra, ContraText path, const ContraCheckOptions *check,
                             const ContraRunOptions *given, ContraMainResult *result)
{
    CONTRA_FILLS(contra, ContraMainResult, result);
    ContraRunOptions options;
    request_begin(contra);
    if (!sized_take(contra, SIZED_ContraRunOptions, given, &options) ||
        !run_options_open(contra, &contra->request, &options))
        return CONTRA_INVALID;
    int64_t reports = contra->diags.count;
    ContraStatus status = load_files(contra, &path, 1, check, ROOTS_TO_RUN);
    if (status == CONTRA_NO_MEMORY || !contra->lang)
        return status;
    Run run;
    Decl *decl = find_main(contra, str_of(path), status);
    if (!decl)
        return CONTRA_INVALID;
    diag_forget(&contra->diags, reports); // errors that main uses are reported again
    if (!host_can_start(contra, &options))
        return CONTRA_INVALID;
    ContraMainResult made = {.file = text_of(str_copy(&contra->arena, file_of(contra, decl)))};
    if (options.started)
        options.started(options.own, made.file);
    status = host_run(contra, decl, &options, false, &run);
    made.panicked = run.panicked;
    made.message = text_of(run.message);
    sized_give(SIZED_ContraMainResult, &made, result);
    return status;
}

// ---- tests

static bool is_test(Decl *decl)
{
    const AstAttributes *attributes = &decl->item->attributes;
    return attribute_find(attributes, "test") || attribute_find(attributes, "tokio::test");
}

// The file that a test belongs to, among those that were asked for; libraries that they use are
// not.
static const Root *root_of(const Contra *contra, Decl *decl)
{
    for (int64_t i = 0; i < contra->roots.count; i++)
        if (decl->scope && contra->roots.items[i].module == decl->scope->crate)
            return &contra->roots.items[i];
    return NULL;
}

static Decl *test_at(const Contra *contra, int64_t index, const Root **root)
{
    const Lang *lang = contra->lang;
    for (int64_t i = 0; lang && i < lang->functions.count; i++) {
        Decl *decl = lang->functions.items[i];
        *root = is_test(decl) ? root_of(contra, decl) : NULL;
        if (*root && index-- == 0)
            return decl;
    }
    return NULL;
}

int64_t contra_test_count(Contra *contra)
{
    const Root *root;
    int64_t count = 0;
    while (contra && test_at(contra, count, &root))
        count++;
    return count;
}

static char escaped(char c)
{
    static const char letters[] = "ntr0", meanings[] = "\n\t\r\0";
    const char *found = strchr(letters, c);
    return found && c ? meanings[found - letters] : c;
}

static Str unescape(Arena *arena, Str text)
{
    char *data = arena_new(arena, char, (size_t)text.len + 1);
    int64_t length = 0;
    for (int64_t i = 0; i < text.len; i++) {
        bool escapes = text.data[i] == '\\' && i + 1 < text.len;
        data[length++] = escapes ? escaped(text.data[++i]) : text.data[i];
    }
    return (Str){data, length};
}

// The text of `".."` at the end of what an attribute says.
static Str quoted(Arena *arena, Str args)
{
    int64_t start = 0, end = args.len;
    while (start < end && args.data[start] != '"')
        start++;
    while (end > start && args.data[end - 1] != '"')
        end--;
    bool raw = start > 0 && (args.data[start - 1] == 'r' || args.data[start - 1] == '#');
    Str text = end - start >= 2 ? str_slice(args, start + 1, end - 1) : (Str){0};
    return raw ? text : unescape(arena, text);
}

static int64_t line_of(Str text, int64_t offset)
{
    int64_t line = 1;
    for (int64_t i = 0; i < offset && i < text.len; i++)
        line += text.data[i] == '\n';
    return line;
}

static void describe(Contra *contra, Arena *arena, Decl *decl, const Root *root, ContraTest *test)
{
    const AstAttributes *attributes = &decl->item->attributes;
    const AstAttribute *ignore = attribute_find(attributes, "ignore"),
                       *panics = attribute_find(attributes, "should_panic");
    Span place = span_in_file(&contra->sources, decl->span);
    const Source *source = &contra->sources.items[place.source];
    Str path = decl_path(arena, decl);
    if (root->label.len)
        path = str_format(arena, "{}::{}", root->label, path);
    *test = (ContraTest){
        .name = text_of(path),
        .file = text_of(str_copy(arena, source->name)),
        .line = line_of(source->text, place.start),
        .is_ignored = ignore,
        .reason = text_of(str_copy(arena, ignore ? quoted(arena, ignore->args) : (Str){0})),
        .should_panic = panics,
        .expected = text_of(str_copy(arena, panics ? quoted(arena, panics->args) : (Str){0}))};
}

ContraStatus contra_test(Contra *contra, int64_t index, ContraTest *test)
{
    CONTRA_FILLS(contra, ContraTest, test);
    ContraTest made;
    const Root *root;
    Decl *decl = test_at(contra, index, &root);
    if (!decl)
        return CONTRA_INVALID;
    describe(contra, &contra->arena, decl, root, &made);
    sized_give(SIZED_ContraTest, &made, test);
    return CONTRA_OK;
}

// Whether a panic is the one that was expected. A rule of the hardware that a kernel breaks is
// named in our words, not in those of the library the test was written for.
static bool is_expected(const ContraTest *test, const Run *run, const ContraRunOptions *options,
                        Arena *arena, Str *remark)
{
    Str expected = str_of(test->expected);
    if (str_find(run->message, expected) >= 0)
        return true;
    if (!run->refused || options->exact_words)
        return false;
    *remark = str_format(arena, "refused as expected, in other words than `{}`: {}", expected,
                         run->message);
    return true;
}

// Whether it ended as it should. What a test that should panic reported when it did is no error.
static bool judge(Contra *contra, const ContraTest *test, const Run *run,
                  const ContraRunOptions *options, Str *message)
{
    *message = run->message;
    if (!test->should_panic || run->cancelled || run->broken)
        return !run->panicked;
    if (!run->panicked) {
        *message = STR("it did not panic, as it should");
        return false;
    }
    *message = (Str){0};
    if (is_expected(test, run, options, &contra->arena, message)) {
        contra_clear_diagnostics(contra);
        return true;
    }
    *message = str_format(&contra->arena, "it panicked with `{}`, which has no `{}` in it",
                          run->title.len ? run->title : run->message, str_of(test->expected));
    return false;
}

// Numbers wrap around, as in the build that tests of the library are written for. One that expects
// the panic of an overflow was written for a debug build, and gets it.
static bool expects_overflow(const ContraTest *test)
{
    return test->should_panic && str_find(str_of(test->expected), STR("with overflow")) >= 0;
}

ContraStatus contra_test_run(Contra *contra, int64_t index, const ContraRunOptions *given,
                             ContraTestResult *result)
{
    CONTRA_FILLS(contra, ContraTestResult, result);
    ContraRunOptions options;
    ContraTest test;
    const Root *root;
    Decl *decl = test_at(contra, index, &root);
    request_begin(contra);
    if (!sized_take(contra, SIZED_ContraRunOptions, given, &options) ||
        !run_options_open(contra, &contra->request, &options) || !decl ||
        !host_can_start(contra, &options))
        return CONTRA_INVALID;
    Run run;
    Str message;
    describe(contra, &contra->request, decl, root, &test);
    ContraStatus status = host_run(contra, decl, &options, expects_overflow(&test), &run);
    ContraTestResult made = {.passed = judge(contra, &test, &run, &options, &message)};
    made.message = text_of(message);
    sized_give(SIZED_ContraTestResult, &made, result);
    return made.passed ? CONTRA_OK : status == CONTRA_CANCELLED ? status : CONTRA_INVALID;
}
