// Which kernels there are, and what they take.
#include "api/sized.h"

#include "base/near.h"
#include "lang/eval/kernel.h"
#include "lang/types/signature.h"
#include "run/run.h"

#include <assert.h>

ContraStatus load_files(Contra *contra, const ContraText *paths, int64_t count,
                        const ContraCheckOptions *options, RootSet set)
{
    CONTRA_NEEDS(contra, IS_LIST(paths, count), "as many `paths` as it says");
    CheckResult checked = {0};
    int64_t errors = contra->diags.error_count;
    if (!request_open(contra, options))
        return CONTRA_INVALID;
    contra->lang->rules.cfg.is_test = set != ROOTS_TO_RUN; // `main` runs without `test`
    int64_t first = contra->diags.count;
    request_read(contra, paths, count, set, &checked);
    contra->lang->faults.arena = &contra->arena;
    for (int64_t i = first; i < contra->diags.count; i++)
        if (contra->diags.items[i]->severity == SEVERITY_ERROR)
            diag_again(&contra->lang->faults, contra->diags.items[i]);
    for (int64_t i = 0; i < checked.programs.count; i++)
        *array_push(&contra->arena, &contra->programs, Program *) = checked.programs.items[i];
    lang_sort_diags(contra->lang);
    return status_of(contra, contra->diags.error_count > errors ? CONTRA_INVALID : CONTRA_OK);
}

ContraStatus contra_load(Contra *contra, const ContraText *paths, int64_t count,
                         const ContraCheckOptions *options)
{
    CONTRA_ENTER(contra);
    return load_files(contra, paths, count, options, ROOTS_ALL);
}

ContraStatus contra_check_types(Contra *contra, const ContraText *paths, int64_t count,
                                const ContraCheckOptions *options)
{
    CONTRA_ENTER(contra);
    bool is_read = !count && contra->lang; // by contra_load
    ContraStatus status =
        is_read ? CONTRA_OK : load_files(contra, paths, count, options, ROOTS_ALL);
    if (status != CONTRA_OK)
        return status;
    bool sound = lang_check_types(contra->lang, contra->builder);
    lang_sort_diags(contra->lang);
    return status_of(contra, sound ? CONTRA_OK : CONTRA_INVALID);
}

// ---- instances of generic kernels, by their names as in a launch: `gemm::<2>`

// Where its arguments begin; -1: it has none.
static int64_t arguments_at(Str name)
{
    return str_find(name, STR("<"));
}

static Str instance_base(Str name)
{
    int64_t open = arguments_at(name);
    Str before = open < 0 ? (Str){0} : str_trim(str_slice(name, 0, open));
    return str_ends_with(before, STR("::")) ? str_trim(str_slice(before, 0, before.len - 2)) : name;
}

// One that was added before; -1: there is none.
static int64_t find_added(const Contra *contra, const Kernel *made)
{
    for (int64_t i = 0; i < contra->kernels.count; i++) {
        const Kernel *kernel = &contra->kernels.items[i];
        if (kernel->generics && kernel->decl == made->decl && str_equal(kernel->name, made->name))
            return i;
    }
    return -1;
}

static ContraStatus instance_add(Contra *contra, Str name, int64_t *index)
{
    Kernel made = contra->kernels.items[*index];
    if (!made.decl) {
        return request_refuse(contra, DIAG_KERNEL_UNKNOWN,
                              "`{}` is not generic: a program text has no arguments", made.name);
    }
    Str arguments = str_slice(name, arguments_at(name), name.len);
    made.name = str_format(&contra->arena, "{}::{}", made.name, arguments);
    *index = find_added(contra, &made);
    if (*index >= 0)
        return CONTRA_OK;
    Str shown = contra->diags.is_typed ? STR("--kernel") : STR("name of the kernel");
    int32_t source = add_source(contra, text_of(shown), text_of(name));
    made.generics = kernel_instance(contra->lang, made.decl, source);
    if (!made.generics)
        return CONTRA_INVALID;
    *index = contra->kernels.count;
    *array_push(&contra->arena, &contra->kernels, Kernel) = made;
    return CONTRA_OK;
}

// ---- finding

// Whether there is this function of this file already: the library and the program of a crate may
// both have its module.
static bool is_again(const Kernels *kernels, const Kernel *kernel)
{
    for (int64_t i = 0; i < kernels->count; i++) {
        const Kernel *other = &kernels->items[i];
        if (other->decl && other->decl->span.start == kernel->decl->span.start &&
            str_equal(other->file, kernel->file) && str_equal(other->name, kernel->name))
            return true;
    }
    return false;
}

// Adds the kernels of sources read since the last call.
static void find_kernels(Contra *contra)
{
    Kernels *kernels = &contra->kernels;
    const Lang *lang = contra->lang;
    for (; lang && kernels->functions < lang->functions.count; kernels->functions++) {
        Decl *decl = lang->functions.items[kernels->functions];
        if (!is_kernel(decl))
            continue;
        Str file =
            decl->span.source >= 0 ? contra->sources.items[decl->span.source].name : (Str){0};
        Kernel kernel = {.name = decl_path(&contra->arena, decl),
                         .file = str_copy(&contra->arena, file),
                         .decl = decl};
        if (!is_again(kernels, &kernel))
            *array_push(&contra->arena, kernels, Kernel) = kernel;
    }
}

const Kernel *kernel_at(Contra *contra, int64_t index)
{
    find_kernels(contra);
    return index >= 0 && index < contra->kernels.count ? &contra->kernels.items[index] : NULL;
}

static void help_without_kernels(const Contra *contra, Diag *diag)
{
    diag_help(diag, contra->sources.count
                        ? "what was read has no function with `#[device(chip = N)]`"
                        : "no source was read yet; what is built and what an object holds become "
                          "kernels by contra_program_finish and contra_object_kernel");
}

const Kernel *kernel_wanted(Contra *contra, int64_t index)
{
    const Kernel *kernel = kernel_at(contra, index);
    if (kernel)
        return kernel;
    Diag *diag = request_report(contra, DIAG_KERNEL_UNKNOWN, "there is no kernel number {}, of {}",
                                index, contra->kernels.count);
    if (contra->kernels.count)
        kernels_note(contra, diag);
    else
        help_without_kernels(contra, diag);
    return NULL;
}

int64_t contra_kernel_count(Contra *contra)
{
    CONTRA_ENTER_FOR(contra, 0, 0);
    find_kernels(contra);
    return contra->kernels.count;
}

// `name` is the path or ends it.
static bool is_named(const Kernel *kernel, Str name)
{
    int64_t before = kernel->name.len - name.len;
    if (before < 0 || !str_equal(str_slice(kernel->name, before, kernel->name.len), name))
        return false;
    return before == 0 ||
           (before > 2 && str_equal(str_slice(kernel->name, before - 2, before), STR("::")));
}

static void list_kernels(Contra *contra, Diag *diag, Str name)
{
    enum { SHOWN = 40 };
    int64_t shown = 0, left = 0;
    assert(contra->kernels.items || !contra->kernels.count);
    for (int64_t i = 0; i < contra->kernels.count; i++) {
        const Kernel *kernel = &contra->kernels.items[i];
        if (name.len && !is_named(kernel, name))
            continue;
        if (shown++ < SHOWN)
            diag_note(diag, SPAN_NOWHERE, "`{}` in {}", kernel->name, kernel->file);
        else
            left++;
    }
    if (left)
        diag_note(diag, SPAN_NOWHERE, "and {} more", left);
}

static Str last_name(Str path)
{
    path = instance_base(path);
    int64_t start = path.len;
    while (start > 0 && path.data[start - 1] != ':')
        start--;
    return str_slice(path, start, path.len);
}

static const Kernel *nearest(Contra *contra, Str name)
{
    Near near = {.name = last_name(name), .most = 3};
    const Kernel *found = NULL;
    for (int64_t i = 0; i < contra->kernels.count; i++)
        if (near_try(&near, last_name(contra->kernels.items[i].name)))
            found = &contra->kernels.items[i];
    return found;
}

// How many are called so: by their whole paths, or else by the ends of them. Instances are found by
// what they are instances of. `is_one_path`: a longer name could not tell them apart.
static int64_t find_named(Contra *contra, Str name, int64_t *index, bool *is_one_path)
{
    int64_t matches = 0;
    *is_one_path = true;
    find_kernels(contra);
    for (int pass = 0; pass < 2 && matches == 0; pass++) {
        for (int64_t i = 0; i < contra->kernels.count; i++) {
            const Kernel *kernel = &contra->kernels.items[i];
            if (kernel->generics ||
                !(pass == 0 ? str_equal(kernel->name, name) : is_named(kernel, name)))
                continue;
            if (matches++ && !str_equal(kernel->name, contra->kernels.items[*index].name))
                *is_one_path = false;
            *index = i;
        }
    }
    return matches;
}

static bool is_some_kernel(Contra *contra, Str name)
{
    int64_t index;
    bool is_one_path;
    return name.len && find_named(contra, name, &index, &is_one_path) > 0;
}

static void report_nameless(Contra *contra)
{
    if (!contra->kernels.count) {
        help_without_kernels(contra,
                             request_report(contra, DIAG_KERNEL_UNKNOWN, "there is no kernel"));
        return;
    }
    Diag *diag = request_report(contra, DIAG_KERNEL_UNKNOWN,
                                "which kernel is meant was not said: there is no name");
    diag_help(diag, "name it by its path or the end of it, and an instance of a generic one as a "
                    "launch does: `scale::<3>`");
    list_kernels(contra, diag, (Str){0});
}

static void report_unknown(Contra *contra, Str name)
{
    Diag *diag = request_report(contra, DIAG_KERNEL_UNKNOWN, "there is no kernel `{}`", name);
    int64_t open = str_find(name, STR("<"));
    const Kernel *near = nearest(contra, name);
    if (open > 0 && is_some_kernel(contra, str_trim(str_slice(name, 0, open))))
        diag_help(diag, "an instance is named as in a launch: `{}::{}`", ((Str){name.data, open}),
                  ((Str){name.data + open, (name.len - open)}));
    else if (near)
        diag_help(diag, "did you mean `{}`?", near->name);
    else if (contra->kernels.count)
        list_kernels(contra, diag, (Str){0});
    else
        help_without_kernels(contra, diag);
}

void kernels_note(Contra *contra, Diag *diag)
{
    find_kernels(contra);
    list_kernels(contra, diag, (Str){0});
}

static ContraStatus find_kernel(Contra *contra, Str name, int64_t *index)
{
    bool is_one_path;
    int64_t matches = find_named(contra, name, index, &is_one_path);
    if (matches == 1)
        return CONTRA_OK;
    if (!name.len) {
        report_nameless(contra);
        return CONTRA_INVALID;
    }
    if (matches == 0) {
        report_unknown(contra, name);
        return CONTRA_INVALID;
    }
    Diag *diag =
        request_report(contra, DIAG_KERNEL_AMBIGUOUS, "{} kernels are called `{}`", matches, name);
    list_kernels(contra, diag, name);
    diag_help(diag, is_one_path ? "name only the file that has the kernel"
                                : "write more of its path, as above");
    return CONTRA_INVALID;
}

// A program text made of an instance is called as the instance was: whole names come first.
ContraStatus contra_kernel_find(Contra *contra, ContraText text, int64_t *index)
{
    CONTRA_GIVES(index, -1);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, index, "`index`");
    Str name = str_of(text), base = instance_base(name);
    bool is_whole = base.len == name.len || is_some_kernel(contra, name);
    int64_t found;
    ContraStatus status = find_kernel(contra, is_whole ? name : base, &found);
    if (status == CONTRA_OK && !is_whole)
        status = instance_add(contra, name, &found);
    *index = status == CONTRA_OK ? found : -1;
    return status;
}

// ---- what they are

static Str written(const Contra *contra, Span span)
{
    return str_slice(contra->sources.items[span.source].text, span.start, span.end);
}

// "const N: usize", "E: M"
static void add_generic(const Contra *contra, const AstGeneric *generic, StrBuf *out)
{
    const AstTypes *bounds = &generic->bounds;
    buf_format(out, "{}{}{}", out->len ? ", " : "", generic->kind == PARAM_CONST ? "const " : "",
               generic->name.text);
    if (generic->type)
        buf_format(out, ": {}", written(contra, generic->type->span));
    for (int64_t i = 0; i < bounds->count; i++)
        buf_format(out, "{}{}", i ? " + " : ": ", written(contra, bounds->items[i]->span));
}

static Str generics_text(Contra *contra, const Kernel *kernel)
{
    const Signature *signature = signature_of(contra->lang, kernel->decl);
    StrBuf out = {.arena = &contra->arena};
    for (int32_t i = 0; i < signature->generic_count; i++)
        add_generic(contra, signature->generics[i], &out);
    return buf_str(&out);
}

static void instance_describe(Contra *contra, const Kernel *kernel, ContraKernel *shown)
{
    const AstItem *item = kernel->decl->item;
    const AstParams *params = &item->function.params;
    const Signature *signature = signature_of(contra->lang, kernel->decl);
    ContraParam *made = arena_new(&contra->arena, ContraParam, (size_t)params->count + 2);
    shown->generics = text_of(generics_text(contra, kernel));
    shown->params = made;
    for (int64_t i = 0; i < params->count; i++) {
        Type *type = signature->params[i];
        if (!param_is_context(type))
            made[shown->param_count++] =
                (ContraParam){.name = text_of(written(contra, params->items[i].pattern->span)),
                              .type = text_of(written(contra, params->items[i].type->span)),
                              .mapping = NO_TEXT,
                              .is_input = true,
                              .is_output = param_is_written(type)};
    }
    if (item->function.result)
        made[shown->param_count++] =
            (ContraParam){.name = text_of(STR("result")),
                          .type = text_of(written(contra, item->function.result->span)),
                          .mapping = NO_TEXT,
                          .is_output = true};
}

static void add_constants(Contra *contra, const HwObject *object, ContraKernel *kernel)
{
    ContraConstant *constants =
        arena_new(&contra->arena, ContraConstant, (size_t)object->constants.count + 1);
    for (int64_t i = 0; i < object->constants.count; i++)
        constants[i] = (ContraConstant){text_of(object->constants.items[i].name),
                                        text_of(object->constants.items[i].value)};
    kernel->constants = constants;
    kernel->constant_count = object->constants.count;
}

static ContraStatus describe(Contra *contra, const Kernel *found, ContraKernel *kernel)
{
    Arguments arguments;
    kernel->name = text_of(found->name);
    kernel->file = text_of(found->file);
    if (instance_is_missing(contra, found))
        instance_describe(contra, found, kernel);
    if (!kernel_arguments(contra, found, &arguments))
        return CONTRA_INVALID;
    ContraParam *params = arena_new(&contra->arena, ContraParam, (size_t)arguments.count + 1);
    for (int64_t i = 0; i < arguments.count; i++)
        params[i] = arguments.items[i].shown;
    kernel->params = params;
    kernel->param_count = arguments.count;
    if (found->object)
        add_constants(contra, &found->object->object, kernel);
    return CONTRA_OK;
}

ContraStatus contra_kernel(Contra *contra, int64_t index, ContraKernel *kernel)
{
    CONTRA_FILLS(contra, ContraKernel, kernel);
    ContraKernel made = {.generics = NO_TEXT};
    const Kernel *found = kernel_at(contra, index);
    if (!found)
        return CONTRA_INVALID;
    ContraStatus status = describe(contra, found, &made);
    sized_give(SIZED_ContraKernel, &made, kernel);
    return status;
}
