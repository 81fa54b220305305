// Host programs: `main` and the tests of a crate.
#include "api/state.h"

#include "base/checked.h"
#include "lang/parse.h"

#include <string.h>

// ---- running one

// Runs a function of the host that takes nothing. False: it panicked with *message, or could not be
// run; the diagnostics say why.
static bool run_function(Contra *contra, const Decl *decl, const ContraRunOptions *options,
                         bool *panicked, Str *message)
{
    (void)options;
    *panicked = false;
    *message = (Str){0};
    diag_add(&contra->diags, DIAG_UNSUPPORTED, decl->span, "host programs cannot be run yet");
    return false;
}

// ---- main

static const Decl *find_main(Contra *contra)
{
    const Lang *lang = contra->lang;
    for (int64_t i = 0; i < lang->functions.count; i++) {
        const Decl *decl = lang->functions.items[i];
        bool ours = decl->scope && contra->roots.count &&
                    decl->scope == contra->roots.items[contra->roots.count - 1].module;
        if (ours && strcmp(decl->name, "main") == 0)
            return decl;
    }
    return NULL;
}

ContraStatus contra_run_main(Contra *contra, ContraText path, const ContraCheckOptions *check,
                             const ContraRunOptions *options, ContraMainResult *result)
{
    ContraCheckResult checked;
    *result = (ContraMainResult){0};
    ContraStatus status = contra_check(contra, &path, 1, check, &checked);
    if (status != CONTRA_OK)
        return status;
    CONTRA_ENTER(contra);
    Str message;
    const Decl *decl = find_main(contra);
    if (!decl) {
        Diag *diag = diag_add(&contra->diags, DIAG_MAIN_MISSING, SPAN_NOWHERE,
                              "`%.*s` has no function `main`", STR_ARG(str_of(path)));
        diag_help(diag, "run one kernel with `--kernel NAME`; `contra run --list` lists them");
        return CONTRA_INVALID;
    }
    bool ok = run_function(contra, decl, options, &result->panicked, &message);
    result->message = text_of(message);
    return ok ? CONTRA_OK : CONTRA_INVALID;
}

// ---- tests

static bool is_test(const Decl *decl)
{
    const AstAttributes *attributes = &decl->item->attributes;
    return attribute_find(attributes, "test") || attribute_find(attributes, "tokio::test");
}

// The file that a test belongs to, among those that were asked for; libraries that they use are
// not.
static const Root *root_of(const Contra *contra, const Decl *decl)
{
    for (int64_t i = 0; i < contra->roots.count; i++)
        if (decl->scope && contra->roots.items[i].module == decl->scope->crate)
            return &contra->roots.items[i];
    return NULL;
}

static const Decl *test_at(const Contra *contra, int64_t index, const Root **root)
{
    const Lang *lang = contra->lang;
    for (int64_t i = 0; lang && i < lang->functions.count; i++) {
        const Decl *decl = lang->functions.items[i];
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
    while (test_at(contra, count, &root))
        count++;
    return count;
}

// The text of `".."` at the end of what an attribute says.
static Str quoted(Str args)
{
    int64_t start = 0, end = args.len;
    while (start < end && args.data[start] != '"')
        start++;
    while (end > start && args.data[end - 1] != '"')
        end--;
    return end - start >= 2 ? str_slice(args, start + 1, end - 1) : (Str){0};
}

static int64_t line_of(Str text, int64_t offset)
{
    int64_t line = 1;
    for (int64_t i = 0; i < offset && i < text.len; i++)
        line += text.data[i] == '\n';
    return line;
}

static void describe(Contra *contra, const Decl *decl, const Root *root, ContraTest *test)
{
    Arena *arena = &contra->arena;
    const AstAttributes *attributes = &decl->item->attributes;
    const AstAttribute *ignore = attribute_find(attributes, "ignore"),
                       *panics = attribute_find(attributes, "should_panic");
    const Source *source = &contra->sources.items[decl->span.source];
    Str path = decl_path(arena, decl);
    if (root->label.len)
        path = str_format(arena, "%.*s::%.*s", STR_ARG(root->label), STR_ARG(path));
    *test = (ContraTest){.name = text_of(path),
                         .file = text_of(source->name),
                         .line = line_of(source->text, decl->span.start),
                         .is_ignored = ignore,
                         .reason = text_of(ignore ? quoted(ignore->args) : (Str){0}),
                         .should_panic = panics,
                         .expected = text_of(panics ? quoted(panics->args) : (Str){0})};
}

ContraStatus contra_test(Contra *contra, int64_t index, ContraTest *test)
{
    CONTRA_ENTER(contra);
    const Root *root;
    const Decl *decl = test_at(contra, index, &root);
    *test = (ContraTest){0};
    if (!decl)
        return CONTRA_INVALID;
    describe(contra, decl, root, test);
    return CONTRA_OK;
}

static bool contains(Str text, Str part)
{
    for (int64_t i = 0; i + part.len <= text.len; i++)
        if (str_equal(str_slice(text, i, i + part.len), part))
            return true;
    return false;
}

// Whether it ended as it should. What a test that should panic reported when it did is no error.
static bool judge(Contra *contra, const ContraTest *test, bool ok, bool panicked, Str *message)
{
    Str expected = str_of(test->expected);
    if (!test->should_panic)
        return ok;
    if (panicked && contains(*message, expected)) {
        contra_clear_diagnostics(contra);
        return true;
    }
    if (!ok && !panicked)
        return false;
    *message =
        panicked ? str_format(&contra->arena, "it panicked with `%.*s`, which has no `%.*s` in it",
                              STR_ARG(*message), STR_ARG(expected))
                 : STR("it did not panic, as it should");
    return false;
}

ContraStatus contra_test_run(Contra *contra, int64_t index, const ContraRunOptions *options,
                             ContraTestResult *result)
{
    CONTRA_ENTER(contra);
    ContraTest test;
    const Root *root;
    const Decl *decl = test_at(contra, index, &root);
    *result = (ContraTestResult){0};
    if (!decl)
        return CONTRA_INVALID;
    bool panicked;
    Str message;
    describe(contra, decl, root, &test);
    bool ok = run_function(contra, decl, options, &panicked, &message);
    result->passed = judge(contra, &test, ok, panicked, &message);
    result->message = text_of(message);
    return result->passed ? CONTRA_OK : CONTRA_INVALID;
}
