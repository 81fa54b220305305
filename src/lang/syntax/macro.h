// `macro_rules!`: what a program declares as a macro is carried out on texts. A call is matched
// against the rules token by token; what the rule says, with what was matched put in, becomes a
// text of its own (a source named `<expansion of ..>`), which is read like any other. So whatever
// is reported of it is shown as it was read.
#ifndef CONTRA_LANG_SYNTAX_MACRO_H
#define CONTRA_LANG_SYNTAX_MACRO_H

#include "lang/syntax/parse_internal.h"

// Tokens first..end of a text.
typedef struct {
    const Parser *in; // whose text and tokens
    int64_t first, end;
} TokenRange;

typedef struct MacroMatches MacroMatches;

// What `$name` stands for: tokens, or, in `$( )*`, one such list for each round.
typedef struct {
    Str name;
    bool is_expr;
    TokenRange tokens;
} MacroMatch;

// A variable that a rule declares.
typedef struct {
    Str name;
    int64_t marks; // how often `_of_macro` is put behind it
    bool is_seen;  // behind a call that is a statement
} OwnName;

typedef struct {
    ARRAY(OwnName);
} OwnNames;

struct MacroMatches {
    ARRAY(MacroMatch);
    struct {
        ARRAY(MacroMatches *); // of the repetitions, a list a round
    } rounds;
    const Token *repeats; // the `$` of the repetition that this is a round of
};

// A macro, and the text it was declared in.
struct MacroRules {
    const char *name;
    Span span;
    const Parser *declared; // a copy, for its text and tokens
    int64_t group;          // the bracket around its rules
};

// Matches tokens against the pattern of a rule. False: they do not fit.
bool macro_match(Parser *parser, TokenRange pattern, TokenRange given, MacroMatches *matches);

enum { MACRO_MOST_TEXT = 4 * 1024 * 1024 }; // bytes that the calls of a file become

// ---- names of a macro's own (macro_names.c)

// The variables of a rule, out of the way of names in what was given. `around`: where those stay
// visible that the call declares as a statement; NULL: nowhere.
OwnNames macro_own_names(Arena *arena, const MacroRules *rules, TokenRange body,
                         const MacroMatches *matches, const Parser *around);
OwnName *macro_own_name(const OwnNames *names, Str name); // NULL: there is none
void macro_write_token(StrBuf *out, const OwnNames *names, TokenRange body, int64_t at);

static inline Str token_text(const Parser *parser, int64_t at)
{
    const Token *token = &parser->tokens[at];
    return str_slice(parser->text, token->start, token_end(token));
}

// Behind the token or bracket at `at`.
static inline int64_t tree_end(const Parser *parser, int64_t at)
{
    const Token *token = &parser->tokens[at];
    return token_opens(token->kind) ? (int64_t)token->match + 1 : at + 1;
}

// `$( .. ) separator? operator`, from its `$` on.
typedef struct {
    TokenRange inner;
    int64_t separator; // its token; -1: none
    char operator;     // '*', '+' or '?'
    int64_t end;       // behind it
} Repetition;

bool macro_repetition(const Parser *in, int64_t at, Repetition *repetition);

#endif
