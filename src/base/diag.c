#include "base/diag.h"

#include "base/checked.h"
#include "base/heap.h"
#include "base/lines.h"
#include "base/utf8.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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
    return compare_by(compare_i64(left->span.start, right->span.start),
                      compare_i64(left->span.end, right->span.end),
                      compare_i64(left->code, right->code), str_compare(a->file, b->file),
                      str_compare(left->message, right->message));
}

static int compare_copies(const void *left, const void *right)
{
    const Placed *a = left, *b = right;
    return compare_by(compare_placed(a, b), compare_i64(a->index, b->index));
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

Diag *(diag_add)(DiagList *diags, DiagCode code, Span span, Message message)
{
    DiagTreatment treatment = diags->treatments ? diags->treatments[code] : TREAT_AS_IS;
    Diag *diag = arena_new(diags->arena, Diag, 1);
    *diag = (Diag){.code = code,
                   .severity = diag_infos[code].severity,
                   .span = span,
                   .cause = SPAN_NOWHERE,
                   .message = (str_format)(diags->arena, message),
                   .arena = diags->arena};
    if (treatment == TREAT_AS_WARNING)
        diag->severity = SEVERITY_WARNING;
    if (treatment == TREAT_AS_SILENT)
        return diag;
    *array_push(diags->arena, diags, Diag *) = diag;
    diags->error_count += diag->severity == SEVERITY_ERROR;
    return diag;
}

bool(diag_no_memory)(DiagList *diags, Span span, Message message)
{
    if (heap_was_refused())
        arena_exhausted(diags->arena);
    (diag_add)(diags, DIAG_RUN_NO_MEMORY, span, message);
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

void(diag_label)(Diag *diag, Message message)
{
    diag->label = (str_format)(diag->arena, message);
}

void(diag_note)(Diag *diag, Span span, Message message)
{
    *array_push(diag->arena, &diag->notes, DiagNote) =
        (DiagNote){span, {.text = (str_format)(diag->arena, message)}};
}

void(diag_help)(Diag *diag, Message message)
{
    *array_push(diag->arena, &diag->helps, DiagHelp) =
        (DiagHelp){.words.text = (str_format)(diag->arena, message)};
}

void(diag_note_typed)(Diag *diag, Message message)
{
    diag->notes.items[diag->notes.count - 1].words.typed = (str_format)(diag->arena, message);
}

void(diag_help_typed)(Diag *diag, Message message)
{
    diag->helps.items[diag->helps.count - 1].words.typed = (str_format)(diag->arena, message);
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

void(diag_edit)(Diag *diag, Span span, Message message)
{
    add_edit(diag, span, (str_format)(diag->arena, message));
}

void(diag_replace)(Diag *diag, Span span, Message message)
{
    Str text = (str_format)(diag->arena, message);
    diag_help(diag, "write `{}`", text);
    add_edit(diag, span, text);
}

void diag_explain(StrBuf *out, DiagCode code)
{
    const DiagInfo *info = &diag_infos[code];
    buf_format(out, "{}: {}\n\n{}\n\nGroup: {}\n", info->code, info->title, info->explanation,
               info->group);
    if (*info->manual)
        buf_format(out, "Manual: {}\n", info->manual);
}

// ---- text and JSON

// The two ways a diagnostic is shown. Text:
//
//     error[E0107]: `A / 5` ...
//       --> argument:1:3
//        |
//      1 | A / 5
//        | ^^^^^ size of A is 8
//        = help: ...
//        = manual: ...
//
// Columns count characters (UTF-8 code points), spans count bytes.

enum { LONGEST_LINE = 160 }; // a longer source line is shown around the caret only

typedef struct {
    const char *error, *warning, *frame, *mark, *strong, *end;
} Palette;

static const Palette palettes[] = {
    [DIAG_PLAIN] = {"", "", "", "", "", ""},
    [DIAG_COLOUR] = {"\033[1;31m", "\033[1;33m", "\033[1;34m", "\033[1;31m", "\033[1m", "\033[0m"},
};

static const Source *source_of(const Texts *texts, Span span)
{
    const SourceList *sources = texts->sources;
    bool known = sources && span.source >= 0 && span.source < sources->count;
    return known ? &sources->items[span.source] : NULL;
}

// A piece of a line. A tab becomes a blank and any other ASCII control a dot; other invisible
// characters are escaped. Carets are placed by the width of the result.
static Str visible_piece(Arena *arena, Str text)
{
    StrBuf out = {.arena = arena};
    for (int64_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        buf_add_char(&out, c == '\t' ? ' ' : c < 0x20 || c == 0x7F ? '.' : (char)c);
    }
    return utf8_visible(arena, buf_str(&out));
}

// For messages, which may quote what others wrote.
static Str visible(const StrBuf *out, Str text)
{
    return utf8_visible(out->arena, text);
}

// The source line of `span` with its carets below.
static void add_snippet(StrBuf *out, const Texts *texts, Span span, Str label,
                        const Palette *palette, char caret)
{
    Place place = place_of(texts, span.source, span.start);
    Str shown = place.text;
    int64_t from = min_i64(span.start - place.start, shown.len);
    int64_t to = min_i64(max_i64(span.end - place.start, from), shown.len);
    if (shown.len > LONGEST_LINE) {
        int64_t left = from > LONGEST_LINE / 4 ? from - LONGEST_LINE / 4 : 0;
        while (left < shown.len && is_continuation(shown.data[left]))
            left++;
        int64_t right = min_i64(left + LONGEST_LINE, shown.len);
        while (right < shown.len && is_continuation(shown.data[right]))
            right--;
        shown = str_slice(shown, left, right);
        from -= left;
        to = min_i64(to - left, shown.len);
    }
    Str pieces[] = {visible_piece(out->arena, str_slice(shown, 0, from)),
                    visible_piece(out->arena, str_slice(shown, from, to)),
                    visible_piece(out->arena, str_slice(shown, to, shown.len))};
    int64_t before = width_of(pieces[0]), marked = width_of(pieces[1]);
    buf_format(out, "{}{5} |{} ", palette->frame, place.line, palette->end);
    for (size_t i = 0; i < COUNT_OF(pieces); i++)
        buf_add(out, pieces[i]);
    buf_format(out, "\n{}      |{} ", palette->frame, palette->end);
    buf_repeat(out, STR(" "), before);
    buf_add(out, str_from(palette->mark));
    buf_repeat(out, (Str){&caret, 1}, marked ? marked : 1);
    if (label.len) {
        buf_add_char(out, ' ');
        buf_add(out, visible(out, label));
    }
    buf_format(out, "{}\n", palette->end);
}

static void add_trailer(StrBuf *out, const Palette *palette, const char *kind, Str words)
{
    Str text = visible(out, words);
    buf_format(out, "{}      ={} {}: ", palette->frame, palette->end, kind);
    for (int64_t i = 0; i < text.len; i++) {
        buf_add_char(out, text.data[i]);
        if (text.data[i] == '\n')
            buf_repeat(out, STR(" "), 8);
    }
    buf_add_char(out, '\n');
}

static void add_location(StrBuf *out, const Texts *texts, Span span, const Palette *palette)
{
    Place place = place_of(texts, span.source, span.start);
    Str name = visible(out, texts->sources->items[span.source].name);
    buf_format(out, "{}  -->{} {}:{}:{}\n{}      |{}\n", palette->frame, palette->end, name,
               place.line, place.column, palette->frame, palette->end);
}

static void render_one(StrBuf *out, const Texts *texts, const Diag *diag, bool is_typed,
                       const Palette *palette)
{
    const DiagInfo *info = &diag_infos[diag->code];
    bool error = diag->severity == SEVERITY_ERROR;
    Str message = visible(out, diag->message);
    buf_format(out, "{}{}[{}]{}{}: {}{}\n", error ? palette->error : palette->warning,
               error ? "error" : "warning", info->code, palette->end, palette->strong, message,
               palette->end);
    if (source_of(texts, diag->span)) {
        add_location(out, texts, diag->span, palette);
        add_snippet(out, texts, diag->span, diag->label, palette, '^');
    } else if (diag->label.len) {
        add_trailer(out, palette, "note", diag->label);
    }
    for (int64_t i = 0; i < diag->notes.count; i++) {
        const DiagNote *note = &diag->notes.items[i];
        Str text = diag_words(&note->words, is_typed);
        const Source *where = source_of(texts, note->span);
        if (where && note->span.source != diag->span.source)
            add_location(out, texts, note->span, palette);
        if (where)
            add_snippet(out, texts, note->span, text, palette, '-');
        else
            add_trailer(out, palette, "note", text);
    }
    for (int64_t i = 0; i < diag->helps.count; i++)
        add_trailer(out, palette, "help", diag_words(&diag->helps.items[i].words, is_typed));
    if (*info->manual)
        add_trailer(out, palette, "manual", str_from(info->manual));
}

void diag_render_text(StrBuf *out, const SourceList *sources, const DiagList *diags,
                      DiagStyle style)
{
    Texts texts = texts_of(out->arena, sources);
    for (int64_t i = 0; i < diags->count; i++) {
        if (i)
            buf_add_char(out, '\n');
        render_one(out, &texts, diags->items[i], diags->is_typed, &palettes[style]);
    }
}

// Jansson takes valid UTF-8 only; what a user typed need not be.
static json_t *json_text(Str text)
{
    json_t *valid = json_stringn(text.data, (size_t)text.len);
    if (valid)
        return valid;
    char *ascii = malloc((size_t)text.len + 1);
    for (int64_t i = 0; ascii && i < text.len; i++)
        ascii[i] = (unsigned char)text.data[i] < 0x80 ? text.data[i] : '?';
    json_t *result = ascii ? json_stringn(ascii, (size_t)text.len) : json_null();
    free(ascii);
    return result;
}

static json_t *json_span(const Texts *texts, Span span)
{
    const Source *source = source_of(texts, span);
    if (!source)
        return json_null();
    Place start = place_of(texts, span.source, span.start);
    Place end = place_of(texts, span.source, span.end);
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "file", json_text(source->name),
                     "start", (json_int_t)span.start, "end", (json_int_t)span.end, "line",
                     (json_int_t)start.line, "column", (json_int_t)start.column, "end_line",
                     (json_int_t)end.line, "end_column", (json_int_t)end.column);
}

static json_t *json_notes(const Texts *texts, const DiagNotes *notes, bool is_typed)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < notes->count; i++) {
        const DiagNote *note = &notes->items[i];
        json_array_append_new(array, json_pack("{s:o, s:o}", "text",
                                               json_text(diag_words(&note->words, is_typed)),
                                               "span", json_span(texts, note->span)));
    }
    return array;
}

// `replacements` is empty where there is nothing that a program could apply.
static json_t *json_helps(const Texts *texts, const DiagHelps *helps, bool is_typed)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < helps->count; i++) {
        const DiagHelp *help = &helps->items[i];
        json_t *edits = json_array();
        for (int64_t k = 0; k < help->edits.count && !help->by_hand; k++) {
            const DiagEdit *edit = &help->edits.items[k];
            json_array_append_new(edits,
                                  json_pack("{s:o, s:o}", "span", json_span(texts, edit->span),
                                            "text", json_text(edit->text)));
        }
        json_array_append_new(array, json_pack("{s:o, s:o}", "text",
                                               json_text(diag_words(&help->words, is_typed)),
                                               "replacements", edits));
    }
    return array;
}

static json_t *json_diag(const Texts *texts, const Diag *diag, bool is_typed)
{
    const DiagInfo *info = &diag_infos[diag->code];
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "code", info->code,
                     "severity", diag->severity == SEVERITY_ERROR ? "error" : "warning", "group",
                     info->group, "message", json_text(diag->message), "span",
                     json_span(texts, diag->span), "label", json_text(diag->label), "notes",
                     json_notes(texts, &diag->notes, is_typed), "helps",
                     json_helps(texts, &diag->helps, is_typed), "manual", info->manual);
}

void diag_render_json(StrBuf *out, const SourceList *sources, const DiagList *diags)
{
    Texts texts = texts_of(out->arena, sources); // before Jansson has anything to lose
    for (int32_t i = 0; sources && i < sources->count; i++)
        lines_of(&texts, i);
    json_t *array = json_array();
    for (int64_t i = 0; i < diags->count; i++)
        json_array_append_new(array, json_diag(&texts, diags->items[i], diags->is_typed));
    char *text = json_dumps(array, JSON_COMPACT);
    json_decref(array);
    // the copy must not jump away while the text is somebody else's to free
    size_t length = text ? strlen(text) : 0;
    char *copy = text ? arena_try_alloc(out->arena, 1, 1, length + 1) : NULL;
    if (copy)
        memcpy(copy, text, length);
    free(text);
    if (!copy)
        arena_exhausted(out->arena);
    buf_add(out, (Str){copy, (int64_t)length});
}
