// Quick fixes that know what a call would need: type arguments that nobody wrote, and the stage
// that is missing before another one. What is written, completion would write, too.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"

#include "engine/vector/vector.h"
#include "lang/eval/trace_internal.h"
#include "lang/types/signature.h"

// The method call whose name a diagnostic is about; NULL: it is about none.
static const AstExpr *call_at(const Trail *trail, Span span)
{
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstNode *node = &trail->items[i];
        if (node->kind != NODE_EXPR || node->expr->kind != AST_METHOD)
            continue;
        Span name = node->expr->method.name.name.span;
        if (name.start <= span.start && span.start <= name.end)
            return node->expr;
    }
    return NULL;
}

// Kept with the analysis.
static void add_fix(const Completion *completion, DiagHelps *fixes, Str title, int64_t at, Str text)
{
    Arena *arena = completion->lang->arena;
    DiagHelp *fix = array_push(arena, fixes, DiagHelp);
    *fix = (DiagHelp){.words.text = str_copy(arena, title)};
    *array_push(arena, &fix->edits, DiagEdit) =
        (DiagEdit){{completion->query->source, at, at}, str_copy(arena, text)};
}

static const Decl *method_of(Completion *completion, Type *type, const char *name)
{
    const Impls *impls = type_impls(completion->lang, type_strip(type));
    const char *key = lang_name(completion->lang, name);
    sort_impls(completion->lang);
    for (int64_t i = 0; impls && i < impls->count; i++) {
        const Decl *decl = impl_member(completion->lang, impls->items[i], key);
        if (decl && decl->kind == DECL_FN &&
            impl_is_for(completion->lang, impls->items[i], type_strip(type)))
            return decl;
    }
    return NULL;
}

// ---- a stage that is missing

// Stages that bring a stream to another engine and have one plain form.
static const uint64_t connections =
    UINT64_C(1) << STAGE_FETCH | UINT64_C(1) << STAGE_COLLECT | UINT64_C(1) << STAGE_ALIGN |
    UINT64_C(1) << STAGE_CONTRACT | UINT64_C(1) << STAGE_ACCUMULATE |
    UINT64_C(1) << STAGE_VECTOR_INIT | UINT64_C(1) << STAGE_VECTOR_BRANCH |
    UINT64_C(1) << STAGE_VECTOR_FINAL;

static bool leads(const Stage *stream, StageKind kind, StageKind wanted)
{
    return connections & UINT64_C(1) << kind && stages[kind].from & 1U << stream->position &&
           stages[wanted].from & 1U << stages[kind].to && stages[kind].to != stream->position &&
           stream->position != POSITION_VECTOR_PAIR && vector_may_follow(stream, kind);
}

static void add_missing_stages(Completion *completion, const AstExpr *call, Type *type,
                               DiagHelps *fixes)
{
    StageKind wanted = stage_of_method(call->method.name.name.text);
    CallSource source = call_source(completion, call->method.receiver, type);
    Stage stream;
    if (wanted == STAGE_COUNT || !stream_of_type(type_strip(type), &stream))
        return;
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++) {
        const Decl *decl = leads(&stream, kind, wanted) && stage_is_possible(&source, kind)
                               ? method_of(completion, type, stages[kind].method)
                               : NULL;
        Str text = decl ? call_text(completion, decl, &source) : STR("");
        if (!text.len)
            continue;
        Str title = str_format(completion->arena, "insert `.{}`", text);
        text = str_format(completion->arena, ".{}", text);
        add_fix(completion, fixes, title, call->method.receiver->span.end, text);
    }
}

// ---- type arguments

static void add_type_arguments(Completion *completion, const AstExpr *call, Type *type,
                               DiagHelps *fixes)
{
    CallSource source = call_source(completion, call->method.receiver, type);
    const char *name = call->method.name.name.text;
    const Decl *decl = method_of(completion, type, name);
    Str text = decl ? type_arguments_text(completion, decl, &source) : STR("");
    if (!text.len || call->method.name.args.count)
        return;
    Str title = str_format(completion->arena, "write `{}{}`", name, text);
    add_fix(completion, fixes, title, call->method.name.name.span.end, text);
}

DiagHelps call_fixes(const Query *query, const Diag *diag)
{
    DiagHelps fixes = {0};
    bool missing = diag->code == DIAG_STAGE_ORDER || diag->code == DIAG_METHOD_UNKNOWN;
    if (!missing && diag->code != DIAG_AMBIGUOUS)
        return fixes;
    Query at = *query;
    at.offset = diag->span.start;
    Completion completion = completion_at(&at);
    completion.query = &at;
    const AstExpr *call = call_at(&completion.trail, diag->span);
    Type *type = call ? type_in_body(&completion, call->method.receiver) : NULL;
    completion.is_plain = true;
    completion.has_arguments = false;
    if (type && type->kind != TYPE_ERROR)
        (missing ? add_missing_stages : add_type_arguments)(&completion, call, type, &fixes);
    json_decref(completion.items);
    return fixes;
}
