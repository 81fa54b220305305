// Quick fixes: what a help says to write, done.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"

#include "engine/vector/vector.h"
#include "lang/eval/trace_internal.h"
#include "lang/types/signature.h"

#include "base/checked.h"
#include <stdlib.h>
#include <string.h>

// ---- trials

// Whether a fix or a new name holds: the program is checked once more with what it would write.
// What it is for must be gone, and nothing may be wrong that was right before.

typedef struct {
    int64_t of_code[DIAG_CODE_COUNT];
} Errors;

static Errors errors_in(const DiagList *diags)
{
    Errors errors = {0};
    for (int64_t i = 0; i < diags->count; i++)
        errors.of_code[diags->items[i]->code] += diags->items[i]->severity == SEVERITY_ERROR;
    return errors;
}

// Without its `;` nothing else is said of a statement: what is wrong with it is nothing new then.
static bool holds_back(DiagCode mended, DiagCode code)
{
    return mended == DIAG_SEMICOLON_MISSING && strcmp(diag_infos[code].group, "syntax") != 0;
}

static bool has_new(const Errors *after, const Errors *before, DiagCode mended)
{
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++)
        if (after->of_code[code] > before->of_code[code] && !holds_back(mended, code))
            return true;
    return false;
}

// ---- texts

static int by_start(const void *left, const void *right)
{
    const DiagEdit *a = left, *b = right;
    return compare_i64(a->span.start, b->span.start);
}

typedef struct {
    ARRAY(DiagEdit);
} Edits;

static Edits edits_in(Arena *arena, const DiagHelp *help, int32_t source)
{
    Edits edits = {0};
    for (int64_t i = 0; i < help->edits.count; i++)
        if (help->edits.items[i].span.source == source)
            *array_push(arena, &edits, DiagEdit) = help->edits.items[i];
    if (edits.count)
        qsort(edits.items, (size_t)edits.count, sizeof(DiagEdit), by_start);
    return edits;
}

static Str edited_text(Arena *arena, Str text, const Edits *edits)
{
    StrBuf whole = {.arena = arena};
    int64_t at = 0;
    for (int64_t i = 0; i < edits->count; i++) {
        const DiagEdit *edit = &edits->items[i];
        buf_add(&whole, str_slice(text, at, edit->span.start));
        buf_add(&whole, edit->text);
        at = edit->span.end;
    }
    buf_add(&whole, str_slice(text, at, text.len));
    return buf_str(&whole);
}

static OtherTexts edited_texts(Arena *arena, const SourceList *sources, const DiagHelp *help)
{
    OtherTexts texts = {0};
    for (int64_t i = 0; i < sources->count; i++) {
        Edits edits = edits_in(arena, help, (int32_t)i);
        if (edits.count)
            *array_push(arena, &texts, OtherText) = (OtherText){
                sources->items[i].name, edited_text(arena, sources->items[i].text, &edits)};
    }
    return texts;
}

// ---- the trial

typedef struct {
    const Query *query;
    const Crate *crate;
    const Diag *diag;
    Errors before;
} Trial;

static Analysis *try_fix(const Trial *trial, const DiagHelp *fix, OtherTexts *texts)
{
    const Query *query = trial->query;
    *texts = edited_texts(query->arena, &query->analysis->contra->sources, fix);
    Analysis *tried = analysis_new(query->server, trial->crate, trial->crate->memory, texts);
    if (tried && analysis_check(tried))
        return tried;
    analysis_free(tried);
    return NULL;
}

static bool holds(const Trial *trial, const Errors *after)
{
    const Diag *diag = trial->diag;
    bool is_gone = diag->severity != SEVERITY_ERROR ||
                   after->of_code[diag->code] < trial->before.of_code[diag->code];
    return is_gone && !has_new(after, &trial->before, diag->code);
}

static bool can_be_applied(const DiagHelp *help)
{
    bool any = false;
    for (int64_t i = 0; i < help->edits.count; i++)
        any |= help->edits.items[i].span.source >= 0;
    return any && !help->by_hand;
}

// ---- what is written twice

// Where an offset of an edited text was before; -1: it is in what was written.
static int64_t offset_before(const Edits *edits, int64_t offset)
{
    int64_t moved = 0;
    for (int64_t i = 0; i < edits->count; i++) {
        const DiagEdit *edit = &edits->items[i];
        int64_t start = edit->span.start + moved, end = start + edit->text.len;
        if (offset < start)
            break;
        if (offset < end)
            return -1;
        moved += edit->text.len - (edit->span.end - edit->span.start);
    }
    return offset - moved;
}

// Adds the edits of a help about the edited program. False: they touch what the fix wrote.
static bool add_edits(Arena *arena, DiagHelp *fix, const DiagHelp *more)
{
    const DiagHelp first = *fix;
    for (int64_t i = 0; i < more->edits.count; i++) {
        DiagEdit edit = more->edits.items[i];
        Edits edits = edits_in(arena, &first, edit.span.source);
        edit.span.start = offset_before(&edits, edit.span.start);
        edit.span.end = offset_before(&edits, edit.span.end);
        if (edit.span.start < 0 || edit.span.end < edit.span.start)
            return false;
        edit.text = str_copy(arena, edit.text);
        *array_push(arena, &fix->edits, DiagEdit) = edit;
    }
    return true;
}

// A mapping that a fix changes may be written in the result of the function, too: there what is
// given is expected from then on, as the help about that says. False: there is no such help.
static bool expect_given(Arena *arena, const Analysis *tried, DiagHelp *fix)
{
    const DiagList *diags = &tried->contra->diags;
    DiagHelp whole = {.words = fix->words};
    for (int64_t i = 0; i < fix->edits.count; i++)
        *array_push(arena, &whole.edits, DiagEdit) = fix->edits.items[i];
    *fix = whole;
    for (int64_t i = 0; i < diags->count; i++) {
        const Diag *diag = diags->items[i];
        if (diag->code == DIAG_TYPE_MISMATCH && diag->helps.count &&
            can_be_applied(&diag->helps.items[0]))
            return add_edits(arena, fix, &diag->helps.items[0]);
    }
    return false;
}

// ---- what a call is missing

// Type arguments that are missing, or a stage that is missing before another one. Completion would
// offer the same text.

// The method call whose name a diagnostic is about; NULL: it is about none.
static const AstExpr *call_at(const Trail *trail, Span span)
{
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstExpr *expr = trail_expr(trail, i);
        Span name = expr && expr->kind == AST_METHOD ? expr->method.name.name.span : SPAN_NOWHERE;
        if (name.source >= 0 && name.start <= span.start && span.start <= name.end)
            return expr;
    }
    return NULL;
}

// Kept with the analysis.
static void add_call_fix(const Completion *completion, DiagHelps *fixes, Str title, int64_t at,
                         Str text)
{
    Arena *arena = completion->lang->arena;
    DiagHelp *fix = array_push(arena, fixes, DiagHelp);
    *fix = (DiagHelp){.words.text = str_copy(arena, title)};
    *array_push(arena, &fix->edits, DiagEdit) =
        (DiagEdit){{completion->query->source, at, at}, str_copy(arena, text)};
}

static Decl *method_of(Completion *completion, Type *type, const char *name)
{
    const Impls *impls = type_impls(completion->lang, type_strip(type));
    const char *key = lang_name(completion->lang, name);
    sort_impls(completion->lang);
    for (int64_t i = 0; impls && i < impls->count; i++) {
        Decl *decl = impl_member(completion->lang, impls->items[i], key);
        if (decl && decl->kind == DECL_FN &&
            impl_is_for(completion->lang, impls->items[i], type_strip(type)))
            return decl;
    }
    return NULL;
}

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
        Decl *decl = leads(&stream, kind, wanted) && stage_is_possible(&source, kind)
                         ? method_of(completion, type, stages[kind].method)
                         : NULL;
        Str text = decl ? call_text(completion, decl, &source) : STR("");
        if (!text.len)
            continue;
        Str title = str_format(completion->arena, "insert `.{}`", text);
        text = str_format(completion->arena, ".{}", text);
        add_call_fix(completion, fixes, title, call->method.receiver->span.end, text);
    }
}

static void add_type_arguments(Completion *completion, const AstExpr *call, Type *type,
                               DiagHelps *fixes)
{
    CallSource source = call_source(completion, call->method.receiver, type);
    const char *name = call->method.name.name.text;
    Decl *decl = method_of(completion, type, name);
    Str text = decl ? type_arguments_text(completion, decl, &source) : STR("");
    if (!text.len || call->method.name.args.count)
        return;
    Str title = str_format(completion->arena, "write `{}{}`", name, text);
    add_call_fix(completion, fixes, title, call->method.name.name.span.end, text);
}

static DiagHelps call_fixes(const Query *query, const Diag *diag)
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

// ---- all

// Makes a fix whole, if that is needed. False: it does not hold.
static bool fix_holds(const Trial *trial, DiagHelp *fix)
{
    OtherTexts texts;
    bool is_well = false;
    for (int round = 0; round < 2; round++) {
        Analysis *tried = try_fix(trial, fix, &texts);
        if (!tried)
            return false;
        Errors after = errors_in(&tried->contra->diags), others = after;
        others.of_code[DIAG_TYPE_MISMATCH] = 0;
        is_well = holds(trial, &after);
        bool goes_on = !round && !is_well && holds(trial, &others) &&
                       expect_given(trial->query->analysis->lang->arena, tried, fix);
        analysis_free(tried);
        if (!goes_on)
            break;
    }
    return is_well;
}

static void add_holding(const Trial *trial, const DiagHelps *helps, DiagHelps *fixes)
{
    enum { MOST_TRIALS = 8 }; // of a diagnostic
    int64_t tried = 0;
    for (int64_t i = 0; i < helps->count && tried < MOST_TRIALS; i++) {
        DiagHelp fix = helps->items[i];
        if (!can_be_applied(&fix))
            continue;
        tried++;
        if (fix_holds(trial, &fix))
            *array_push(trial->query->analysis->lang->arena, fixes, DiagHelp) = fix;
    }
}

static const DiagHelps *fixes_of(const Query *query, const Crate *crate, const Diag *diag)
{
    Analysis *analysis = query->analysis;
    DiagHelps *fixes = map_get(&analysis->fixes, diag);
    if (fixes)
        return fixes;
    analysis->fixes.arena = analysis->lang->arena;
    fixes = arena_new(analysis->lang->arena, DiagHelps, 1);
    map_put(&analysis->fixes, diag, fixes);
    Trial trial = {query, crate, diag, errors_in(&analysis->contra->diags)};
    add_holding(&trial, &diag->helps, fixes);
    if (!fixes->count) {
        DiagHelps helps = call_fixes(query, diag);
        add_holding(&trial, &helps, fixes);
    }
    return fixes;
}

// ---- edits that mend nothing

static const Diag *first_new(const DiagList *diags, const Errors *before)
{
    Errors after = errors_in(diags);
    for (int64_t i = 0; i < diags->count; i++) {
        const Diag *diag = diags->items[i];
        if (diag->severity == SEVERITY_ERROR &&
            after.of_code[diag->code] > before->of_code[diag->code])
            return diag;
    }
    return NULL;
}

const char *why_not_edited(const Query *query, const Crate *crate, const DiagHelp *edits)
{
    OtherTexts texts;
    Trial trial = {query, crate, NULL, errors_in(&query->analysis->contra->diags)};
    Analysis *tried = try_fix(&trial, edits, &texts);
    const Diag *diag = tried ? first_new(&tried->contra->diags, &trial.before) : NULL;
    const char *why =
        diag ? str_terminated(
                   query->arena,
                   str_format(query->arena, "the program would be wrong: {}", diag->message))
             : NULL;
    analysis_free(tried);
    return why;
}

// ---- actions

static json_t *edits_of(const Query *query, const DiagHelp *fix)
{
    json_t *edits = json_pack("{s:{}}", "changes");
    for (int64_t i = 0; i < fix->edits.count; i++) {
        const DiagEdit *edit = &fix->edits.items[i];
        if (edit->span.source >= 0)
            json_add_edit(edits, str_terminated(query->arena, query_uri(query, edit->span.source)),
                          query_range(query, edit->span), edit->text);
    }
    return edits;
}

// What says the same of several diagnostics is one action.
static void add_action(json_t *list, json_t *action)
{
    size_t i;
    json_t *other;
    json_array_foreach(list, i, other)
    {
        if (!json_equal(json_object_get(other, "edit"), json_object_get(action, "edit")) ||
            !json_equal(json_object_get(other, "title"), json_object_get(action, "title")))
            continue;
        json_array_extend(json_object_get(other, "diagnostics"),
                          json_object_get(action, "diagnostics"));
        json_decref(action);
        return;
    }
    json_array_append_new(list, action);
}

static void add_fixes(const Query *query, const Crate *crate, const Diag *diag, json_t *list)
{
    const DiagHelps *fixes = fixes_of(query, crate, diag);
    for (int64_t i = 0; i < fixes->count; i++) {
        const DiagHelp *fix = &fixes->items[i];
        json_t *action = json_pack("{s:o, s:s, s:[o], s:o}", "title", json_of_str(fix->words.text),
                                   "kind", "quickfix", "diagnostics", json_of_diag(query, diag),
                                   "edit", edits_of(query, fix));
        if (fixes->count == 1)
            json_object_set_new(action, "isPreferred", json_true());
        add_action(list, action);
    }
}

// Fixes are of what was checked: it is checked first, if it is not yet.
json_t *answer_actions(Query *query)
{
    int64_t start, end;
    if (!query_offsets(query, &start, &end))
        return NULL;
    Query checked = *query;
    const Crate *crate = query_check(&checked);
    if (!crate)
        return NULL;
    json_t *list = json_array();
    const DiagList *diags = &crate->analysis->contra->diags;
    for (int64_t i = 0; i < diags->count; i++)
        if (diags->items[i]->span.source == checked.source && diags->items[i]->span.start <= end &&
            start <= diags->items[i]->span.end)
            add_fixes(&checked, crate, diags->items[i], list);
    return list;
}

json_t *answer_explain(Query *query)
{
    Str code = str_at(query->params, "code");
    DiagCode number = diag_code_parse(code);
    StrBuf text = {.arena = query->arena};
    if (number == DIAG_CODE_COUNT) {
        query->error = "there is no such code";
        return NULL;
    }
    diag_explain(&text, number);
    return json_of_str(buf_str(&text));
}
