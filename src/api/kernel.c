// Which kernels there are, and what they take.
#include "api/instance.h"
#include "api/object.h"
#include "api/sized.h"

#include "base/checked.h"
#include "engine/memory/access.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

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
    ContraStatus status = load_files(contra, paths, count, options, ROOTS_ALL);
    if (status != CONTRA_OK)
        return status;
    bool sound = lang_check_types(contra->lang, contra->builder);
    lang_sort_diags(contra->lang);
    return status_of(contra, sound ? CONTRA_OK : CONTRA_INVALID);
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
        const Decl *decl = lang->functions.items[kernels->functions];
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
    Diag *diag = diag_add(&contra->diags, DIAG_KERNEL_UNKNOWN, SPAN_NOWHERE,
                          "there is no kernel number %" PRId64 ", of %" PRId64, index,
                          contra->kernels.count);
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
            diag_note(diag, SPAN_NOWHERE, "`%.*s` in %.*s", STR_ARG(kernel->name),
                      STR_ARG(kernel->file));
        else
            left++;
    }
    if (left)
        diag_note(diag, SPAN_NOWHERE, "and %" PRId64 " more", left);
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
    enum { FURTHEST = 3 };
    int32_t best = FURTHEST;
    const Kernel *found = NULL;
    const char *wanted = str_terminated(&contra->arena, last_name(name));
    for (int64_t i = 0; i < contra->kernels.count; i++) {
        Str last = last_name(contra->kernels.items[i].name);
        int32_t distance = name_distance(str_terminated(&contra->arena, last), wanted, best);
        if (distance < best || (distance == best && !found)) {
            best = distance;
            found = &contra->kernels.items[i];
        }
    }
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
        help_without_kernels(contra, diag_add(&contra->diags, DIAG_KERNEL_UNKNOWN, SPAN_NOWHERE,
                                              "there is no kernel"));
        return;
    }
    Diag *diag = diag_add(&contra->diags, DIAG_KERNEL_UNKNOWN, SPAN_NOWHERE,
                          "which kernel is meant was not said: there is no name");
    diag_help(diag, "name it by its path or the end of it, and an instance of a generic one as a "
                    "launch does: `scale::<3>`");
    list_kernels(contra, diag, (Str){0});
}

static void report_unknown(Contra *contra, Str name)
{
    Diag *diag = diag_add(&contra->diags, DIAG_KERNEL_UNKNOWN, SPAN_NOWHERE,
                          "there is no kernel `%.*s`", STR_ARG(name));
    int64_t open = str_find(name, STR("<"));
    const Kernel *near = nearest(contra, name);
    if (open > 0 && is_some_kernel(contra, str_trim(str_slice(name, 0, open))))
        diag_help(diag, "an instance is named as in a launch: `%.*s::%.*s`", (int)open, name.data,
                  (int)(name.len - open), name.data + open);
    else if (near)
        diag_help(diag, "did you mean `%.*s`?", STR_ARG(near->name));
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
    Diag *diag = diag_add(&contra->diags, DIAG_KERNEL_AMBIGUOUS, SPAN_NOWHERE,
                          "%" PRId64 " kernels are called `%.*s`", matches, STR_ARG(name));
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

// ---- parameters

Str tensor_mapping_text(Arena *arena, const Tensor *tensor)
{
    StrBuf buf = {.arena = arena};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (tensor->dims[level])
            buf_printf(&buf, "%sm![%.*s]", buf.len ? ", " : "",
                       STR_ARG(expr_text(arena, tensor->dims[level]->expr)));
    return buf_str(&buf);
}

Argument *arguments_add(Arena *arena, Arguments *arguments, const KernelParam *param, bool is_input,
                        bool is_output)
{
    Argument *argument = array_push(arena, &arguments->items, Argument);
    *argument = (Argument){.param = *param, .is_input = is_input, .is_output = is_output};
    argument->shown = (ContraParam){.name = text_of(str_from(param->name)),
                                    .type = NO_TEXT,
                                    .mapping = NO_TEXT,
                                    .is_tensor = param->is_tensor,
                                    .is_input = is_input,
                                    .is_output = is_output};
    return argument;
}

void argument_show(Arena *arena, Argument *argument, Str mapping)
{
    ContraParam *shown = &argument->shown;
    const ShapeAxes *axes = &argument->shape.axes[argument->shape.best];
    ContraTerm *terms = arena_new(arena, ContraTerm, (size_t)axes->count + 1);
    for (int64_t i = 0; i < axes->count; i++)
        terms[i] = (ContraTerm){text_of(axes->items[i].text), axes->items[i].size};
    shown->type = text_of(str_from(scalar_name(argument->param.shape.type)));
    shown->mapping = text_of(mapping);
    shown->axes = terms;
    shown->axis_count = axes->count;
}

static void add_argument(Contra *contra, Arguments *arguments, const KernelParam *param,
                         bool is_input, bool is_output)
{
    Arena *arena = &contra->arena;
    Argument *argument = arguments_add(arena, arguments, param, is_input, is_output);
    if (!param->is_tensor) {
        argument->shown.type = text_of(str_from(prims[param->prim].name));
        return;
    }
    argument->shape = shape_describe(arena, param->shape.dims);
    argument_show(arena, argument, tensor_mapping_text(arena, &param->shape));
}

static void add_written(const View *target, bool *written)
{
    if (target)
        written[tensor_root(target->tensor)->id] = true;
}

// A program text does not say which tensors are lent to be written: those that are, by id.
static const bool *find_written(Arena *arena, const Program *program)
{
    bool *written = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        add_written(op->target, written);
        for (int64_t k = 0; op->pass && k < op->pass->stages.count; k++)
            add_written(op->pass->stages.items[k]->target, written);
    }
    return written;
}

static KernelParam param_of_tensor(Contra *contra, const Tensor *tensor)
{
    const char *name = tensor->name;
    if (!name)
        name = str_terminated(&contra->arena, str_format(&contra->arena, "t%d", (int)tensor->id));
    return (KernelParam){.name = name, .span = tensor->span, .is_tensor = true, .shape = *tensor};
}

static void arguments_of_program(Contra *contra, const Program *program, Arguments *arguments)
{
    const bool *written = find_written(&contra->arena, program);
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        if (tensor->origin != ORIGIN_PARAM)
            continue;
        KernelParam param = param_of_tensor(contra, tensor);
        param.is_mut = written[tensor->id];
        add_argument(contra, arguments, &param, true, param.is_mut);
    }
    arguments->result_start = arguments->items.count;
    for (int64_t i = 0; i < program->results.count; i++) {
        KernelParam param = param_of_tensor(contra, program->results.items[i]);
        Str name = program->results.count == 1 ? STR("result")
                                               : str_format(&contra->arena, "result.%d", (int)i);
        param.name = str_terminated(&contra->arena, name);
        add_argument(contra, arguments, &param, false, true);
        arguments->items.items[arguments->items.count - 1].given_back =
            program->results.items[i]->name;
    }
}

static void report_closed(Contra *contra, const Kernel *kernel)
{
    if (instance_is_missing(contra, kernel))
        instance_ask(contra, kernel);
    else
        diag_add(&contra->diags, DIAG_KERNEL_CLOSED, kernel->decl->span,
                 "`%.*s` cannot be called from outside: it is a method, or takes or gives back "
                 "something else than tensors in HBM and numbers",
                 STR_ARG(kernel->name));
}

bool kernel_read_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments)
{
    *arguments = (Arguments){.kernel = kernel};
    if (kernel->object) {
        object_arguments(contra, kernel->object, arguments);
        return true;
    }
    if (kernel->program) {
        arguments_of_program(contra, kernel->program, arguments);
        return true;
    }
    KernelParams params = {0}, results = {0};
    int64_t errors = contra->diags.error_count;
    if (!kernel_params(contra->lang, contra->builder, kernel->decl, kernel->generics, &params,
                       &results)) {
        if (contra->diags.error_count == errors)
            report_closed(contra, kernel);
        return false;
    }
    for (int64_t i = 0; i < params.count; i++) {
        const KernelParam *param = &params.items[i];
        add_argument(contra, arguments, param, true, param->is_tensor && param->is_mut);
    }
    arguments->result_start = arguments->items.count;
    for (int64_t i = 0; i < results.count; i++)
        if (results.items[i].is_tensor)
            add_argument(contra, arguments, &results.items[i], false, true);
    return true;
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
    ContraParam *params = arena_new(&contra->arena, ContraParam, (size_t)arguments.items.count + 1);
    for (int64_t i = 0; i < arguments.items.count; i++)
        params[i] = arguments.items.items[i].shown;
    kernel->params = params;
    kernel->param_count = arguments.items.count;
    if (found->object)
        add_constants(contra, &found->object->object, kernel);
    return CONTRA_OK;
}

ContraStatus contra_kernel(Contra *contra, int64_t index, ContraKernel *kernel)
{
    sized_empty(SIZED_ContraKernel, kernel);
    CONTRA_ENTER(contra);
    ContraKernel made = {.generics = NO_TEXT};
    const Kernel *found = kernel_at(contra, index);
    if (!sized_fits(contra, SIZED_ContraKernel, kernel) || !found)
        return CONTRA_INVALID;
    ContraStatus status = describe(contra, found, &made);
    sized_give(SIZED_ContraKernel, &made, kernel);
    return status;
}

// ---- texts

Str argument_text(Arena *arena, const Argument *argument)
{
    Str shape =
        argument->param.is_tensor
            ? str_format(arena, " of shape %.*s", STR_ARG(shape_wanted(arena, &argument->shape)))
            : (Str){0};
    return str_format(arena, "`%s`: %.*s%.*s%s", argument->param.name,
                      STR_ARG(str_of(argument->shown.type)), STR_ARG(shape),
                      argument->is_output ? ", written by the kernel" : "");
}

void arguments_note(Contra *contra, Diag *diag, const Arguments *arguments, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        diag_note(diag, SPAN_NOWHERE, "%.*s",
                  STR_ARG(argument_text(&contra->arena, &arguments->items.items[i])));
}
