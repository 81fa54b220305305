// Quick fixes: what a help says to write, done.
#include "lsp/answers.h"

static bool meets(const Diag *diag, int32_t source, int64_t start, int64_t end)
{
    return diag->span.source == source && diag->span.start <= end && start <= diag->span.end;
}

// The edits of a fix by file.
static json_t *edits_of(const Query *query, const DiagHelp *fix)
{
    json_t *changes = json_object();
    for (int64_t i = 0; i < fix->edits.count; i++) {
        const DiagEdit *edit = &fix->edits.items[i];
        if (edit->span.source < 0)
            continue;
        const char *uri = str_terminated(query->arena, query_uri(query, edit->span.source));
        json_t *list = json_object_get(changes, uri);
        if (!list) {
            list = json_array();
            json_object_set_new(changes, uri, list);
        }
        json_array_append_new(list, json_pack("{s:o, s:o}", "range", query_range(query, edit->span),
                                              "newText", json_of_str(edit->text)));
    }
    return json_pack("{s:o}", "changes", changes);
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
    if (!query_offsets(query, json_object_get(query->params, "range"), &start, &end))
        return NULL;
    Crate *crate = crate_of_path(query->server, query->document->path);
    if (!crate_read(query->server, crate))
        return NULL;
    while (analysis_step(crate))
        ;
    Query checked = *query;
    checked.analysis = crate->analysis;
    checked.source = analysis_source(crate->analysis, query->document->path);
    json_t *list = json_array();
    const DiagList *diags = &crate->analysis->contra->diags;
    for (int64_t i = 0; i < diags->count; i++)
        if (meets(diags->items[i], checked.source, start, end))
            add_fixes(&checked, crate, diags->items[i], list);
    return list;
}

json_t *answer_explain(Query *query)
{
    Str code = str_of_json(json_object_get(query->params, "code"));
    DiagCode number = diag_code_parse(code);
    StrBuf text = {.arena = query->arena};
    if (number == DIAG_CODE_COUNT) {
        query->error = "there is no such code";
        return NULL;
    }
    diag_explain(&text, number);
    return json_of_str(buf_str(&text));
}
