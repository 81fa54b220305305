#include "lang/eval/kernel.h"

#include "base/checked.h"
#include "lang/eval/trace_internal.h"
#include "lang/syntax/parse.h"

typedef struct {
    Trace *trace;
    KernelParams *params;
    Span span;
} ParamWalk;

bool is_kernel(Decl *decl)
{
    return attribute_find(&decl->item->attributes, "device") != NULL;
}

static KernelParam *add(const ParamWalk *walk, const char *name, bool is_mut)
{
    KernelParam *param = array_push(walk->trace->lang->arena, walk->params, KernelParam);
    *param = (KernelParam){.name = name, .span = walk->span, .is_mut = is_mut};
    return param;
}

static bool add_items(const ParamWalk *walk, Type *type, const char *name, bool is_mut);

// Goes through a type as param_value does.
static bool add_params(const ParamWalk *walk, Type *type, const char *name, bool is_mut)
{
    type = type_of(type);
    if (type->kind == TYPE_REF)
        return add_params(walk, type->args[0], name, is_mut || type->is_mut);
    if (type->kind == TYPE_TUPLE)
        return add_items(walk, type, name, is_mut);
    if (is_context(type) || type_is_named(type, "PhantomData"))
        return true;
    if (is_number(type)) {
        add(walk, name, is_mut)->prim = type->decl->prim;
        return true;
    }
    Tensor shape = {0};
    if (!tensor_shape(walk->trace, type, &shape))
        return false;
    KernelParam *param = add(walk, name, is_mut || type_is_named(type, "HbmTensorViewMut"));
    param->is_tensor = true;
    param->shape = shape;
    return true;
}

static bool add_items(const ParamWalk *walk, Type *type, const char *name, bool is_mut)
{
    Arena *arena = walk->trace->lang->arena;
    for (int32_t i = 0; i < type->arg_count; i++) {
        Str item = str_format(arena, "{}.{}", name, (int)i);
        if (!add_params(walk, type->args[i], str_terminated(arena, item), is_mut))
            return false;
    }
    return true;
}

static const char *param_name(Lang *lang, const AstPattern *pattern, int64_t index)
{
    if (pattern->kind == PATTERN_BIND)
        return pattern->name.text;
    return str_terminated(lang->arena, str_format(lang->arena, "parameter{}", (int)index));
}

bool param_is_context(Type *type)
{
    return is_context(type_strip(type));
}

bool param_is_written(Type *type)
{
    type = type_of(type);
    return (type->kind == TYPE_REF && type->is_mut) || type_is_named(type, "HbmTensorViewMut");
}

static Type **new_generics(Lang *lang, const Signature *signature)
{
    return arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
}

bool kernel_is_generic(Lang *lang, Decl *decl)
{
    const Signature *signature = signature_of(lang, decl);
    bool open = false;
    return !choose_generics(lang, signature, new_generics(lang, signature), &open);
}

// Only the kernel has arguments, which is the last name of the path.
static void check_path(Lang *lang, const AstPath *path)
{
    for (int64_t i = 0; i + 1 < path->segments.count; i++) {
        const AstSegment *segment = &path->segments.items[i];
        if (!segment->has_args)
            continue;
        Diag *diag =
            diag_add(lang->diags, DIAG_KERNEL_UNKNOWN, segment->args_span,
                     "`{}` has arguments, but is not the end of the name", segment->name.text);
        diag_help(diag, "an instance is named as in a launch: `{}::<..>`", segment->name.text);
    }
}

Type **kernel_instance(Lang *lang, Decl *decl, int32_t source)
{
    const Signature *signature = signature_of(lang, decl);
    Type **generics = new_generics(lang, signature);
    int64_t errors = lang->diags->error_count;
    AstPath path = parse_path_text(lang->arena, &lang->names, lang->sources, source,
                                   &lang->next_expr, lang->diags);
    check_path(lang, &path);
    if (lang->diags->error_count > errors)
        return NULL;
    TypeScope scope = {.lang = lang, .scope = decl->scope};
    resolve_args(&scope, &path.segments.items[path.segments.count - 1], signature, 0,
                 signature->generic_count, generics, true);
    return lang->diags->error_count > errors ? NULL : generics;
}

bool kernel_params(Lang *lang, Builder *builder, Decl *decl, Type **generics, KernelParams *params,
                   KernelParams *results)
{
    const Signature *signature = signature_of(lang, decl);
    bool open = false, is_instance = generics != NULL;
    if (!is_instance)
        generics = new_generics(lang, signature);
    if (!decl->item->function.body || decl->item->function.self != SELF_NONE ||
        (!is_instance && !choose_generics(lang, signature, generics, &open)))
        return false;
    Trace trace = {.lang = lang, .builder = builder};
    bool ok = true;
    for (int32_t i = 0; i < signature->param_count; i++) {
        const AstPattern *pattern = decl->item->function.params.items[i].pattern;
        ParamWalk walk = {&trace, params, pattern->span};
        ok &= add_params(&walk, type_instantiate(lang, signature->params[i], generics),
                         param_name(lang, pattern, i), false);
    }
    const AstType *written = decl->item->function.result;
    ParamWalk walk = {&trace, results, written ? written->span : decl->span};
    return ok &&
           add_params(&walk, type_instantiate(lang, signature->result, generics), "result", true);
}
