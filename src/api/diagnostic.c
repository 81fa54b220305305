// Diagnostics for callers: as texts and as values.
#include "api/sized.h"

#include "base/lines.h"

int64_t contra_error_count(const Contra *contra)
{
    return contra ? contra->diags.error_count : 0;
}

int64_t contra_diagnostic_count(const Contra *contra)
{
    return contra ? contra->diags.count : 0;
}

// ---- rendered

static ContraText no_memory(ContraDiagnosticStyle style)
{
    return contra_text(style == CONTRA_DIAGNOSTICS_JSON
                           ? "[{\"code\":\"E0003\",\"message\":\"memory is exhausted\"}]"
                           : "error[E0003]: memory is exhausted\n");
}

static ContraText render(Contra *contra, const DiagList *diags, ContraDiagnosticStyle style)
{
    CONTRA_ENTER_FOR(contra, NO_TEXT, no_memory(style));
    arena_clear(&contra->said);
    StrBuf buf = {.arena = &contra->said};
    if (style == CONTRA_DIAGNOSTICS_JSON)
        diag_render_json(&buf, &contra->sources, diags);
    else
        diag_render_text(&buf, &contra->sources, diags,
                         style == CONTRA_COLOUR ? DIAG_COLOUR : DIAG_PLAIN);
    return text_of(buf_str(&buf));
}

ContraText contra_diagnostics(Contra *contra, ContraDiagnosticStyle style)
{
    return contra ? render(contra, &contra->diags, style) : NO_TEXT;
}

ContraText contra_diagnostic(Contra *contra, int64_t index, ContraDiagnosticStyle style)
{
    if (!contra || index < 0 || index >= contra->diags.count)
        return NO_TEXT;
    DiagList one = {.arena = &contra->arena,
                    .items = contra->diags.items + index,
                    .count = 1,
                    .is_typed = contra->diags.is_typed};
    return render(contra, &one, style);
}

void contra_clear_diagnostics(Contra *contra)
{
    if (!contra)
        return;
    contra->diags = (DiagList){.arena = &contra->arena,
                               .is_typed = contra->diags.is_typed,
                               .treatments = contra->treatments,
                               .cancel = &contra->cancel};
    scope_reopen(&contra->scope);
    if (contra->lang)
        contra->lang->checked_diags = 0;
}

void contra_set_words(Contra *contra, ContraWords words)
{
    if (contra)
        contra->diags.is_typed = words == CONTRA_WORDS_COMMANDS;
}

// ---- as values

static ContraPlace place_at(Contra *contra, const Texts *texts, Span span)
{
    if (span.source < 0 || span.source >= contra->sources.count)
        return (ContraPlace){.file = NO_TEXT};
    Place start = place_of(texts, span.source, span.start);
    Place end = place_of(texts, span.source, span.end);
    return (ContraPlace){.file = text_of(contra->sources.items[span.source].name),
                         .start = span.start,
                         .end = span.end,
                         .line = start.line,
                         .column = start.column,
                         .end_line = end.line,
                         .end_column = end.column};
}

static const ContraNote *notes_of(Contra *contra, const Texts *texts, const DiagNotes *notes)
{
    ContraNote *made = arena_new(&contra->arena, ContraNote, (size_t)notes->count + 1);
    for (int64_t i = 0; i < notes->count; i++)
        made[i] = (ContraNote){text_of(diag_words(&notes->items[i].words, contra->diags.is_typed)),
                               place_at(contra, texts, notes->items[i].span)};
    return made;
}

static ContraHelp help_of(Contra *contra, const Texts *texts, const DiagHelp *help)
{
    int64_t count = help->by_hand ? 0 : help->edits.count;
    ContraEdit *edits = arena_new(&contra->arena, ContraEdit, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        edits[i] = (ContraEdit){place_at(contra, texts, help->edits.items[i].span),
                                text_of(help->edits.items[i].text)};
    return (ContraHelp){text_of(diag_words(&help->words, contra->diags.is_typed)), edits, count};
}

static const ContraHelp *helps_of(Contra *contra, const Texts *texts, const DiagHelps *helps)
{
    ContraHelp *made = arena_new(&contra->arena, ContraHelp, (size_t)helps->count + 1);
    for (int64_t i = 0; i < helps->count; i++)
        made[i] = help_of(contra, texts, &helps->items[i]);
    return made;
}

ContraStatus contra_diagnostic_at(Contra *contra, int64_t index, ContraDiagnostic *diagnostic)
{
    CONTRA_FILLS(contra, ContraDiagnostic, diagnostic);
    if (!IS_INDEX(index, contra->diags.count))
        return CONTRA_INVALID;
    const Diag *diag = contra->diags.items[index];
    const DiagInfo *info = &diag_infos[diag->code];
    ArenaMark mark = arena_mark(&contra->scratch); // there may be results in it
    Texts texts = texts_of(&contra->scratch, &contra->sources);
    ContraDiagnostic made = {
        .code = info->code,
        .severity = diag->severity == SEVERITY_ERROR ? CONTRA_ERROR : CONTRA_WARNING,
        .group = info->group,
        .manual = info->manual,
        .message = text_of(diag->message),
        .label = text_of(diag->label),
        .place = place_at(contra, &texts, diag->span),
        .notes = notes_of(contra, &texts, &diag->notes),
        .note_count = diag->notes.count,
        .helps = helps_of(contra, &texts, &diag->helps),
        .help_count = diag->helps.count,
    };
    arena_reset(&contra->scratch, mark);
    sized_give(SIZED_ContraDiagnostic, &made, diagnostic);
    return CONTRA_OK;
}

// ---- codes

ContraStatus contra_explain(Contra *contra, ContraText code, ContraText *text)
{
    CONTRA_WRITES(contra, text);
    DiagCode found = diag_code_parse(str_of(code));
    if (found == DIAG_CODE_COUNT)
        return CONTRA_INVALID;
    StrBuf buf = {.arena = &contra->request};
    diag_explain(&buf, found);
    return give_text(contra, &buf, text);
}

const char *contra_code(int64_t index, const char **title)
{
    CONTRA_GIVES(title, NULL);
    if (index < 0 || index >= DIAG_CODE_COUNT)
        return NULL;
    if (title)
        *title = diag_infos[index].title;
    return diag_infos[index].code;
}
