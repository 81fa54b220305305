#include "api/instance.h"

#include "lang/eval/kernel.h"
#include "lang/types/signature.h"

// Where its arguments begin; -1: it has none.
static int64_t arguments_at(Str name)
{
    return str_find(name, STR("<"));
}

Str instance_base(Str name)
{
    int64_t open = arguments_at(name);
    Str before = open < 0 ? (Str){0} : str_trim(str_slice(name, 0, open));
    return str_ends_with(before, STR("::")) ? str_trim(str_slice(before, 0, before.len - 2)) : name;
}

// The whole path of the kernel, and the arguments as they were given.
static Str full_name(Contra *contra, const Kernel *kernel, Str name)
{
    Str arguments = str_slice(name, arguments_at(name), name.len);
    return str_format(&contra->arena, "%.*s::%.*s", STR_ARG(kernel->name), STR_ARG(arguments));
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

ContraStatus instance_add(Contra *contra, Str name, int64_t *index)
{
    Kernel made = contra->kernels.items[*index];
    if (!made.decl) {
        diag_add(&contra->diags, DIAG_KERNEL_UNKNOWN, SPAN_NOWHERE,
                 "`%.*s` is not generic: a program text has no arguments", STR_ARG(made.name));
        return CONTRA_INVALID;
    }
    made.name = full_name(contra, &made, name);
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

bool instance_is_missing(const Contra *contra, const Kernel *kernel)
{
    return kernel->decl && !kernel->generics && kernel_is_generic(contra->lang, kernel->decl);
}

// ---- as it is written

static Str written(const Contra *contra, Span span)
{
    return str_slice(contra->sources.items[span.source].text, span.start, span.end);
}

// "const N: usize", "E: M"
static void add_generic(const Contra *contra, const AstGeneric *generic, StrBuf *out)
{
    const AstTypes *bounds = &generic->bounds;
    buf_printf(out, "%s%s%s", out->len ? ", " : "", generic->kind == PARAM_CONST ? "const " : "",
               generic->name.text);
    if (generic->type)
        buf_printf(out, ": %.*s", STR_ARG(written(contra, generic->type->span)));
    for (int64_t i = 0; i < bounds->count; i++)
        buf_printf(out, "%s%.*s", i ? " + " : ": ",
                   STR_ARG(written(contra, bounds->items[i]->span)));
}

static Str generics_text(Contra *contra, const Kernel *kernel)
{
    const Signature *signature = signature_of(contra->lang, kernel->decl);
    StrBuf out = {.arena = &contra->arena};
    for (int32_t i = 0; i < signature->generic_count; i++)
        add_generic(contra, signature->generics[i], &out);
    return buf_str(&out);
}

void instance_ask(Contra *contra, const Kernel *kernel)
{
    const Signature *signature = signature_of(contra->lang, kernel->decl);
    StrBuf names = {.arena = &contra->arena};
    for (int32_t i = 0; i < signature->generic_count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", signature->generics[i]->name.text);
    Diag *diag = diag_add(&contra->diags, DIAG_KERNEL_CLOSED, kernel->decl->span,
                          "`%.*s` is generic, and which instance is meant was not said",
                          STR_ARG(kernel->name));
    diag_help(diag, "name it as a launch does, with values for its generics: `%.*s::<%.*s>`",
              STR_ARG(kernel->name), STR_ARG(buf_str(&names)));
    diag_help_typed(
        diag, "name it as a launch does, with values for its generics: --kernel '%.*s::<%.*s>'",
        STR_ARG(kernel->name), STR_ARG(buf_str(&names)));
}

void instance_describe(Contra *contra, const Kernel *kernel, ContraKernel *shown)
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
