// Diagnostics as values. Whatever a user's program, file or request can cause is a Diag in a list;
// nothing here prints or exits. The text stands at the check; the code, its group, the section of
// the manual and the long explanation stand in diag.def.
#ifndef CONTRA_BASE_DIAG_H
#define CONTRA_BASE_DIAG_H

#include "base/array.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define DIAG(name, number, severity, group, manual, title, explanation) DIAG_##name,
#include "base/diag.def"
#undef DIAG
    DIAG_CODE_COUNT
} DiagCode;

typedef enum { SEVERITY_ERROR, SEVERITY_WARNING } Severity;

// What is known of a code without any program at hand.
typedef struct {
    const char *code;        // "E0101"
    const char *group;       // the named group of rules it belongs to
    const char *manual;      // chapter and section; "" where the manual has none
    const char *title;       // the rule in one line
    const char *explanation; // the rule at length, for `contra explain`
    Severity severity;       // unless relaxed
} DiagInfo;

extern const DiagInfo diag_infos[DIAG_CODE_COUNT];

// The code spelt `text` ("E0101", any case), or DIAG_CODE_COUNT.
DiagCode diag_code_parse(Str text);

// Bytes start..end of a source. source < 0: nowhere in particular.
typedef struct {
    int32_t source;
    int64_t start;
    int64_t end;
} Span;

// One text that spans point into: a file, an argument of the command line, or what a macro of the
// program became.
typedef struct {
    Str name;
    Str text;
    const Span *call; // of the macro; else NULL
} Source;

typedef struct {
    ARRAY(Source);
} SourceList;

// Where people find it: of a text that macros became, the call in a file.
static inline Span span_in_file(const SourceList *sources, Span span)
{
    while (span.source >= 0 && sources->items[span.source].call)
        span = *sources->items[span.source].call;
    return span;
}

#define SPAN_NOWHERE ((Span){.source = -1})

static inline bool span_same(Span a, Span b)
{
    return a.source == b.source && a.start == b.start && a.end == b.end;
}

static inline bool span_inside(Span inner, Span outer)
{
    return inner.source == outer.source && inner.start >= outer.start && inner.end <= outer.end;
}

// A text for whoever calls the library, and for whoever types commands. What can be asked for has
// other names there, flags and subcommands; `typed` is empty where none of them is in it.
typedef struct {
    Str text, typed;
} DiagWords;

typedef struct {
    Span span;
    DiagWords words;
} DiagNote;

typedef struct {
    ARRAY(DiagNote);
} DiagNotes;

// Text that takes the place of what stands at `span`; of an empty span, that comes in there.
typedef struct {
    Span span;
    Str text;
} DiagEdit;

// What to do. Where it can be done by changing the text, `edits` does it, all of them together.
typedef struct {
    DiagWords words;
    struct {
        ARRAY(DiagEdit);
    } edits;
    bool by_hand; // a part of it has no place in the text: nobody is to apply the others
} DiagHelp;

typedef struct {
    ARRAY(DiagHelp);
} DiagHelps;

typedef struct {
    DiagCode code;
    Severity severity;
    bool of_command;  // a limit of one command of the hardware, which several may meet together
    bool is_repeated; // a later one says the same, and more
    Span span;
    Span cause; // the declaration that may be at fault instead of its use; or nowhere
    Str message;
    Str label; // stands at the caret; may be empty
    DiagNotes notes;
    DiagHelps helps;
    Arena *arena;
} Diag;

// What becomes of the diagnostics of each code: a program may be checked with some rules relaxed.
typedef enum { TREAT_AS_IS, TREAT_AS_WARNING, TREAT_AS_SILENT } DiagTreatment;

// Who may end what is being done.
typedef struct {
    bool (*is_cancelled)(void *own); // NULL: nobody
    void *own;
} Canceller;
bool canceller_asked(const Canceller *who); // NULL: nobody, who never says so

// Whether anybody waits for what is being done. Once the answer was yes it stays.
typedef struct {
    Canceller always, request; // whatever it is; the request under way
    bool seen;
} Cancel;

// Every problem found, in the order of finding. {.arena = a} is empty.
typedef struct {
    ARRAY(Diag *);
    Arena *arena;
    int64_t error_count;
    bool is_typed;                   // they are shown to whoever types commands
    const DiagTreatment *treatments; // one a code; NULL: all as they are
    Cancel *cancel;                  // of the request that they belong to; NULL: none
} DiagList;

// Asks whether the request is to end: whoever works on it says what was found so far.
bool diag_cancelled(const DiagList *diags);

// Takes back all but the first `count`: what they were about was caught.
void diag_forget(DiagList *diags, int64_t count);
// Takes back warnings that are repeated. Requires: nobody counts what was said so far.
void diag_drop_repeated(DiagList *diags);

// Keeps one of those from `first` on that say the same about the same file, which may have been
// read several times: a library and a program can share a module.
void diag_drop_copies(DiagList *diags, const SourceList *sources, int64_t first);

// Adds a diagnostic with the severity of its code; the result is for diag_label and the like.
Diag *(diag_add)(DiagList *diags, DiagCode code, Span span, Message message);
#define diag_add(diags, code, span, ...) diag_add(diags, code, span, MESSAGE(__VA_ARGS__))
// Memory for something ran out. Where a caller's own gave nothing, the request ends; otherwise it
// is too large, which is said. False.
bool(diag_no_memory)(DiagList *diags, Span span, Message message);
#define diag_no_memory(diags, span, ...) diag_no_memory(diags, span, MESSAGE(__VA_ARGS__))
// Adds a diagnostic that was reported before, unchanged.
void diag_again(DiagList *diags, Diag *diag);
// Adds a copy of a diagnostic of any list, with a severity of its own.
Diag *diag_add_copy(DiagList *diags, const Diag *diag, Severity severity);
bool diag_is_listed(const DiagList *diags, const Diag *diag);
// Adds those of another list with the same memory, as they are.
void diag_move(DiagList *diags, const DiagList *from);
void(diag_label)(Diag *diag, Message message);
#define diag_label(diag, ...) diag_label(diag, MESSAGE(__VA_ARGS__))
void(diag_note)(Diag *diag, Span span, Message message);
#define diag_note(diag, span, ...) diag_note(diag, span, MESSAGE(__VA_ARGS__))
void(diag_help)(Diag *diag, Message message);
#define diag_help(diag, ...) diag_help(diag, MESSAGE(__VA_ARGS__))
// What the last note or help is for whoever types commands.
void(diag_note_typed)(Diag *diag, Message message);
#define diag_note_typed(diag, ...) diag_note_typed(diag, MESSAGE(__VA_ARGS__))
void(diag_help_typed)(Diag *diag, Message message);
#define diag_help_typed(diag, ...) diag_help_typed(diag, MESSAGE(__VA_ARGS__))
// Adds notes and helps of another diagnostic, with their edits.
void diag_copy_notes(Diag *diag, const Diag *from);
void diag_copy_helps(Diag *diag, const Diag *from);
static inline Str diag_words(const DiagWords *words, bool is_typed)
{
    return is_typed && words->typed.len ? words->typed : words->text;
}
// Adds to the last help what does it: this text in the place of what stands at `span`. Nowhere: the
// place is not known, and the help is for people only.
void(diag_edit)(Diag *diag, Span span, Message message);
#define diag_edit(diag, span, ...) diag_edit(diag, span, MESSAGE(__VA_ARGS__))
// The short form of both: a help that says the text that replaces `span`, "write `..`".
void(diag_replace)(Diag *diag, Span span, Message message);
#define diag_replace(diag, span, ...) diag_replace(diag, span, MESSAGE(__VA_ARGS__))

typedef enum { DIAG_PLAIN, DIAG_COLOUR } DiagStyle;

// As people read it: message, source line with carets, notes, helps, section of the manual.
void diag_render_text(StrBuf *out, const SourceList *sources, const DiagList *diags,
                      DiagStyle style);

// As programs read it: a JSON array of objects.
void diag_render_json(StrBuf *out, const SourceList *sources, const DiagList *diags);

// `contra explain`: title, group, section and explanation of a code.
void diag_explain(StrBuf *out, DiagCode code);

#endif
