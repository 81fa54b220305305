// Help with a call while it is written: what it takes, and which argument the cursor is at.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"
#include "lsp/program/analysis.h"

#include "lang/eval/kernel.h"
#include "lang/types/signature.h"

#include <string.h>

// ---- what it takes

typedef struct {
    StrBuf label;
    struct {
        ARRAY(Span);
    } params; // where in the label they stand
} Label;

static void add_param(Label *label, Str text)
{
    int64_t start = label->label.len;
    buf_add(&label->label, text);
    *array_push(label->label.arena, &label->params, Span) = (Span){0, start, label->label.len};
}

static void add_generics(Label *label, const Lang *lang, const AstGenerics *generics)
{
    for (int64_t i = 0; i < generics->count; i++) {
        buf_add(&label->label, i ? STR(", ") : STR(""));
        add_param(label, generic_text(label->label.arena, lang, &generics->items[i]));
    }
}

static Str param_text(Arena *arena, const Lang *lang, const AstParam *param)
{
    Str name = one_line(arena, lang_text(lang, param->pattern->span));
    Str type = param->type ? one_line(arena, lang_text(lang, param->type->span)) : STR("_");
    return str_format(arena, "{}: {}", name, type);
}

static void add_arguments(Label *label, const Lang *lang, const AstParams *params)
{
    for (int64_t i = 0; i < params->count; i++) {
        buf_add(&label->label, i ? STR(", ") : STR(""));
        add_param(label, param_text(label->label.arena, lang, &params->items[i]));
    }
}

static void add_fields(Label *label, const Lang *lang, const AstFields *fields)
{
    for (int64_t i = 0; i < fields->count; i++) {
        buf_add(&label->label, i ? STR(", ") : STR(""));
        add_param(label,
                  one_line(label->label.arena, lang_text(lang, fields->items[i].type->span)));
    }
}

static void add_result(Label *label, const Lang *lang, const AstItem *item)
{
    if (item->function.result)
        buf_format(&label->label, " -> {}",
                   one_line(label->label.arena, lang_text(lang, item->function.result->span)));
}

// False: it cannot be called so.
static bool label_decl(Label *label, const Lang *lang, Decl *decl, bool is_types)
{
    const AstItem *item = decl->item;
    bool function = decl->kind == DECL_FN && item && item->kind == ITEM_FN;
    buf_format(&label->label, "{}", decl->name);
    if (is_types) {
        if (!item || !item->generics.count)
            return false;
        buf_add_char(&label->label, '<');
        add_generics(label, lang, &item->generics);
        buf_add_char(&label->label, '>');
        return true;
    }
    buf_add_char(&label->label, '(');
    if (function)
        add_arguments(label, lang, &item->function.params);
    else if (decl_fields(decl))
        add_fields(label, lang, decl_fields(decl));
    else
        return false;
    buf_add_char(&label->label, ')');
    if (function)
        add_result(label, lang, item);
    return true;
}

// A variable that is called: a closure, or a function by another name.
static bool label_value(Label *label, const char *name, Type *type)
{
    type = type_unboxed(type_strip(type));
    if ((type->kind != TYPE_FN && type->kind != TYPE_CLOSURE) || !type->arg_count)
        return false;
    buf_format(&label->label, "{}(", name);
    for (int32_t i = 0; i + 1 < type->arg_count; i++) {
        buf_add(&label->label, i ? STR(", ") : STR(""));
        add_param(label, type_text(label->label.arena, type->args[i]));
    }
    buf_format(&label->label, ") -> {}",
               type_text(label->label.arena, type->args[type->arg_count - 1]));
    return true;
}

// ---- launch, which takes a kernel and what the kernel takes

// The kernel that is written there; NULL: none yet.
static Decl *launched_kernel(Query *query, const Cursor *cursor, const Callee *callee)
{
    int64_t at = callee->name + 2, last = cursor->tokens.count - 1;
    while (at + 2 <= last && cursor_token(cursor, at + 1) == TOKEN_COLON_COLON)
        at += 2;
    if (at > last || cursor_token(cursor, at) != TOKEN_NAME)
        return NULL;
    Meaning meaning = query_meaning(query, cursor_offset(cursor, at));
    return meaning.kind == MEANS_DECL && is_kernel(meaning.decl) ? meaning.decl : NULL;
}

// The kernel is the first parameter, and those of the kernel come behind it.
static void label_launch(Label *label, const Lang *lang, Decl *kernel)
{
    buf_add(&label->label, STR("launch("));
    add_param(label, str_from(kernel->name));
    buf_add(&label->label, STR(", ("));
    add_arguments(label, lang, &kernel->item->function.params);
    buf_add(&label->label, STR("))"));
    add_result(label, lang, kernel->item);
}

static int64_t active_of_launch(const Cursor *cursor, const Callee *callee)
{
    int64_t open = cursor->open.count ? cursor->open.items[cursor->open.count - 1] : 0;
    return callee->active == 0 ? 0
                               : 1 + (open > callee->name + 1 ? cursor_commas(cursor, open) : 0);
}

static bool is_launch(const Meaning *meaning)
{
    return meaning->kind == MEANS_DECL && meaning->decl->is_builtin &&
           meaning->decl->kind == DECL_FN && strcmp(meaning->decl->name, "launch") == 0;
}

// ---- the answer

// As places in the label, which the protocol counts in UTF-16, or by their text.
static json_t *params_of(const Query *query, const Label *label)
{
    LinedText text = lined_text(query->arena, buf_str(&label->label));
    json_t *params = json_array();
    for (int64_t i = 0; i < label->params.count; i++) {
        Span span = label->params.items[i];
        json_int_t start = offset_position(&text, ENCODING_UTF16, span.start).character;
        json_int_t end = offset_position(&text, ENCODING_UTF16, span.end).character;
        json_t *place = query->server->client.label_offsets
                            ? json_pack("[I, I]", start, end)
                            : json_of_str(str_slice(text.text, span.start, span.end));
        json_array_append_new(params, json_pack("{s:o}", "label", place));
    }
    return params;
}

static json_t *help_of(const Query *query, const Label *label, Str docs, int64_t active)
{
    json_t *help = json_pack("{s:o, s:o}", "label", json_of_str(buf_str(&label->label)),
                             "parameters", params_of(query, label));
    if (docs.len)
        json_object_set_new(help, "documentation",
                            json_of_markup(query, MARKUP_SIGNATURE, str_trim(docs)));
    return json_pack("{s:[o], s:i, s:I}", "signatures", help, "activeSignature", 0,
                     "activeParameter", (json_int_t)active);
}

json_t *answer_signature(Query *query)
{
    Callee callee;
    Trail trail = query_trail(query);
    Cursor cursor = cursor_at(query, &trail);
    if (cursor.is_text || !cursor_callee(&cursor, &callee))
        return NULL;
    Meaning meaning = query_meaning(query, cursor_offset(&cursor, callee.name));
    Label label = {.label = {.arena = query->arena}};
    Decl *kernel =
        is_launch(&meaning) && !callee.is_types ? launched_kernel(query, &cursor, &callee) : NULL;
    if (kernel) {
        label_launch(&label, query->analysis->lang, kernel);
        return help_of(query, &label, decl_docs(kernel), active_of_launch(&cursor, &callee));
    }
    bool found = meaning.kind == MEANS_DECL
                     ? label_decl(&label, query->analysis->lang, meaning.decl, callee.is_types)
                     : meaning.kind == MEANS_LOCAL && meaning.type && !callee.is_types &&
                           label_value(&label, meaning_name(&meaning), meaning.type);
    Str docs = meaning.kind == MEANS_DECL ? decl_docs(meaning.decl) : STR("");
    return found ? help_of(query, &label, docs, callee.active) : NULL;
}
