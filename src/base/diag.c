#include "base/diag.h"

#include "base/heap.h"

#include <stdlib.h>

const DiagInfo diag_infos[DIAG_CODE_COUNT] = {
#define DIAG(name, number, severity, group, manual, title, explanation) \
    [DIAG_##name] = {number, group, manual, title, explanation, SEVERITY_##severity},
#include "base/diag.def"
#undef DIAG
};

DiagCode diag_code_parse(Str text)
{
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++) {
        Str known = str_from(diag_infos[code].code);
        bool first = text.len && (text.data[0] == 'E' || text.data[0] == 'e');
        if (first && str_equal(str_slice(text, 1, text.len), str_slice(known, 1, known.len)))
            return code;
    }
    return DIAG_CODE_COUNT;
}

static Str format_in(Arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

static Str format_in(Arena *arena, const char *format, va_list args)
{
    StrBuf buf = {.arena = arena};
    buf_vprintf(&buf, format, args);
    return buf_str(&buf);
}

bool canceller_asked(const Canceller *who)
{
    return who && who->is_cancelled && who->is_cancelled(who->own);
}

bool diag_cancelled(const DiagList *diags)
{
    Cancel *cancel = diags->cancel;
    if (cancel && !cancel->seen)
        cancel->seen = canceller_asked(&cancel->always) || canceller_asked(&cancel->request);
    return cancel && cancel->seen;
}

void diag_forget(DiagList *diags, int64_t count)
{
    for (int64_t i = count; i < diags->count; i++)
        diags->error_count -= diags->items[i]->severity == SEVERITY_ERROR;
    diags->count = count;
}

void diag_drop_repeated(DiagList *diags)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < diags->count; i++)
        if (!diags->items[i]->is_repeated)
            diags->items[kept++] = diags->items[i];
    diags->count = kept;
}

typedef struct {
    const Diag *diag;
    Str file;
    int64_t index;
} Placed;

static int compare_placed(const Placed *a, const Placed *b)
{
    const Diag *left = a->diag, *right = b->diag;
    if (left->span.start != right->span.start)
        return left->span.start < right->span.start ? -1 : 1;
    if (left->span.end != right->span.end)
        return left->span.end < right->span.end ? -1 : 1;
    if (left->code != right->code)
        return left->code < right->code ? -1 : 1;
    int order = str_compare(a->file, b->file);
    return order ? order : str_compare(left->message, right->message);
}

static int compare_copies(const void *left, const void *right)
{
    const Placed *a = left, *b = right;
    int order = compare_placed(a, b);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

// What macros became has no file, so each of those stays.
void diag_drop_copies(DiagList *diags, const SourceList *sources, int64_t first)
{
    int64_t count = 0, kept = first;
    Placed *placed = arena_new(diags->arena, Placed, (size_t)(diags->count - first) + 1);
    for (int64_t i = first; i < diags->count; i++) {
        int32_t source = diags->items[i]->span.source;
        if (source >= 0 && !sources->items[source].call)
            placed[count++] = (Placed){diags->items[i], sources->items[source].name, i};
    }
    qsort(placed, (size_t)count, sizeof *placed, compare_copies);
    for (int64_t i = 1; i < count; i++) {
        if (compare_placed(&placed[i - 1], &placed[i]) != 0)
            continue;
        diags->error_count -= placed[i].diag->severity == SEVERITY_ERROR;
        diags->items[placed[i].index] = NULL;
    }
    for (int64_t i = first; i < diags->count; i++)
        if (diags->items[i])
            diags->items[kept++] = diags->items[i];
    diags->count = kept;
}

Diag *diag_add(DiagList *diags, DiagCode code, Span span, const char *format, ...)
{
    DiagTreatment treatment = diags->treatments ? diags->treatments[code] : TREAT_AS_IS;
    Diag *diag = arena_new(diags->arena, Diag, 1);
    va_list args;
    va_start(args, format);
    *diag = (Diag){.code = code,
                   .severity = diag_infos[code].severity,
                   .span = span,
                   .cause = SPAN_NOWHERE,
                   .message = format_in(diags->arena, format, args),
                   .arena = diags->arena};
    va_end(args);
    if (treatment == TREAT_AS_WARNING)
        diag->severity = SEVERITY_WARNING;
    if (treatment == TREAT_AS_SILENT)
        return diag;
    *array_push(diags->arena, diags, Diag *) = diag;
    diags->error_count += diag->severity == SEVERITY_ERROR;
    return diag;
}

bool diag_no_memory(DiagList *diags, Span span, const char *format, ...)
{
    if (heap_was_refused())
        arena_exhausted(diags->arena);
    va_list args;
    va_start(args, format);
    Str message = format_in(diags->arena, format, args);
    va_end(args);
    diag_add(diags, DIAG_RUN_NO_MEMORY, span, "%.*s", STR_ARG(message));
    return false;
}

void diag_again(DiagList *diags, Diag *diag)
{
    *array_push(diags->arena, diags, Diag *) = diag;
    diags->error_count += diag->severity == SEVERITY_ERROR;
}

Diag *diag_add_copy(DiagList *diags, const Diag *diag, Severity severity)
{
    Diag *copy = arena_new(diags->arena, Diag, 1);
    *copy = *diag;
    copy->severity = severity;
    copy->arena = diags->arena;
    copy->notes = (DiagNotes){0};
    copy->helps = (DiagHelps){0};
    diag_copy_notes(copy, diag);
    diag_copy_helps(copy, diag);
    diag_again(diags, copy);
    return copy;
}

bool diag_is_listed(const DiagList *diags, const Diag *diag)
{
    for (int64_t i = 0; i < diags->count; i++)
        if (diags->items[i] == diag)
            return true;
    return false;
}

void diag_move(DiagList *diags, const DiagList *from)
{
    for (int64_t i = 0; i < from->count; i++)
        diag_again(diags, from->items[i]);
}

void diag_label(Diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag->label = format_in(diag->arena, format, args);
    va_end(args);
}

void diag_note(Diag *diag, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *array_push(diag->arena, &diag->notes, DiagNote) =
        (DiagNote){span, {.text = format_in(diag->arena, format, args)}};
    va_end(args);
}

void diag_help(Diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *array_push(diag->arena, &diag->helps, DiagHelp) =
        (DiagHelp){.words.text = format_in(diag->arena, format, args)};
    va_end(args);
}

void diag_note_typed(Diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag->notes.items[diag->notes.count - 1].words.typed = format_in(diag->arena, format, args);
    va_end(args);
}

void diag_help_typed(Diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag->helps.items[diag->helps.count - 1].words.typed = format_in(diag->arena, format, args);
    va_end(args);
}

static DiagWords copy_words(Arena *arena, const DiagWords *words)
{
    return (DiagWords){str_copy(arena, words->text), str_copy(arena, words->typed)};
}

void diag_copy_notes(Diag *diag, const Diag *from)
{
    for (int64_t i = 0; i < from->notes.count; i++)
        *array_push(diag->arena, &diag->notes, DiagNote) = (DiagNote){
            from->notes.items[i].span, copy_words(diag->arena, &from->notes.items[i].words)};
}

void diag_copy_helps(Diag *diag, const Diag *from)
{
    for (int64_t i = 0; i < from->helps.count; i++) {
        const DiagHelp *help = &from->helps.items[i];
        DiagHelp *copy = array_push(diag->arena, &diag->helps, DiagHelp);
        *copy =
            (DiagHelp){.words = copy_words(diag->arena, &help->words), .by_hand = help->by_hand};
        for (int64_t k = 0; k < help->edits.count; k++)
            *array_push(diag->arena, &copy->edits, DiagEdit) = (DiagEdit){
                help->edits.items[k].span, str_copy(diag->arena, help->edits.items[k].text)};
    }
}

static void add_edit(Diag *diag, Span span, Str text)
{
    DiagHelp *help = &diag->helps.items[diag->helps.count - 1];
    help->by_hand |= span.source < 0;
    *array_push(diag->arena, &help->edits, DiagEdit) = (DiagEdit){span, text};
}

void diag_edit(Diag *diag, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_edit(diag, span, format_in(diag->arena, format, args));
    va_end(args);
}

void diag_replace(Diag *diag, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Str text = format_in(diag->arena, format, args);
    va_end(args);
    diag_help(diag, "write `%.*s`", STR_ARG(text));
    add_edit(diag, span, text);
}

void diag_explain(StrBuf *out, DiagCode code)
{
    const DiagInfo *info = &diag_infos[code];
    buf_printf(out, "%s: %s\n\n%s\n\nGroup: %s\n", info->code, info->title, info->explanation,
               info->group);
    if (*info->manual)
        buf_printf(out, "Manual: %s\n", info->manual);
}
