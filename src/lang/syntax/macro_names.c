// Names of a macro's own. A variable that a rule declares is none of the caller's, though it is
// spelt the same: what a call becomes is a text, so it gets another name there, with `_of_macro`
// behind it as often as it takes.
#include "lang/syntax/macro.h"

#include <ctype.h>

static const Str mark = {"_of_macro", 9};

// ---- where a name is in the way

static bool is_spelt(const OwnName *own, Str word)
{
    Str name = own->name;
    int64_t marks = own->marks * mark.len;
    if (word.len != name.len + marks || !str_starts_with(word, name))
        return false;
    for (int64_t i = 0; i < marks; i++)
        if (word.data[name.len + i] != mark.data[i % mark.len])
            return false;
    return true;
}

static bool is_given(const MacroMatches *matches, const OwnName *own)
{
    for (int64_t i = 0; i < matches->count; i++) {
        TokenRange tokens = matches->items[i].tokens;
        for (int64_t k = tokens.first; k < tokens.end; k++)
            if (tokens.in->tokens[k].kind == TOKEN_NAME && is_spelt(own, token_text(tokens.in, k)))
                return true;
    }
    for (int64_t i = 0; i < matches->rounds.count; i++)
        if (is_given(matches->rounds.items[i], own))
            return true;
    return false;
}

// In the texts around the call, but for the macro itself.
static bool is_around(const Parser *around, const MacroRules *rules, const OwnName *own)
{
    for (; around; around = around->caller)
        for (int64_t i = 0; around->tokens[i].kind != TOKEN_END; i++) {
            if (around->tokens == rules->declared->tokens && i == rules->group)
                i = around->tokens[i].match;
            if (around->tokens[i].kind == TOKEN_NAME && is_spelt(own, token_text(around, i)))
                return true;
        }
    return false;
}

// ---- what a rule declares

typedef struct {
    Arena *arena;
    TokenRange body;
    OwnNames *names;
    bool is_seen; // behind the call, if it is a statement
} Collecting;

static void add_name(const Collecting *collecting, Str name)
{
    OwnName *found = macro_own_name(collecting->names, name);
    if (!found) {
        found = array_push(collecting->arena, collecting->names, OwnName);
        found->name = name;
    }
    found->is_seen |= collecting->is_seen;
}

// Of a pattern, not a path, a field or a type.
static bool is_variable(const Parser *in, int64_t at, bool in_brackets)
{
    TokenKind before = in->tokens[at - 1].kind, behind = in->tokens[at + 1].kind;
    char first = in->text.data[in->tokens[at].start];
    return in->tokens[at].kind == TOKEN_NAME && (first == '_' || islower((unsigned char)first)) &&
           before != TOKEN_DOLLAR && before != TOKEN_COLON_COLON && behind != TOKEN_COLON_COLON &&
           behind != TOKEN_OPEN_PAREN && behind != TOKEN_OPEN_BRACE && behind != TOKEN_NOT &&
           !(behind == TOKEN_COLON && in_brackets);
}

// pattern (":" type)?, for closures several of them
static void add_pattern(const Collecting *collecting, int64_t first, int64_t end)
{
    const Parser *in = collecting->body.in;
    int64_t depth = 0;
    for (int64_t i = first; i < end; i++) {
        TokenKind kind = in->tokens[i].kind;
        depth += token_opens(kind) - token_closes(kind);
        if (kind == TOKEN_COLON && depth == 0)
            while (i < end && in->tokens[i].kind != TOKEN_COMMA)
                i = tree_end(in, i);
        else if (is_variable(in, i, depth > 0))
            add_name(collecting, token_text(in, i));
    }
}

// The token of a kind that ends what begins at `at`; -1: there is none.
static int64_t find_end(TokenRange body, int64_t at, TokenKind wanted)
{
    while (at < body.end && body.in->tokens[at].kind != wanted) {
        if (body.in->tokens[at].kind == TOKEN_SEMICOLON || token_closes(body.in->tokens[at].kind))
            return -1;
        at = tree_end(body.in, at);
    }
    return at < body.end ? at : -1;
}

// Whether a `|` begins a closure: in an expression it stands behind a value.
static bool begins_closure(TokenRange body, int64_t at)
{
    TokenKind before = at > body.first ? body.in->tokens[at - 1].kind : TOKEN_COMMA;
    return token_opens(before) || before == TOKEN_COMMA || before == TOKEN_EQUAL ||
           before == TOKEN_FAT_ARROW || before == TOKEN_MOVE || before == TOKEN_SEMICOLON;
}

// The bracket that a token stands in; -1: in none.
static int64_t bracket_around(TokenRange body, int64_t at)
{
    int64_t open = -1;
    for (int64_t i = body.first; i < at;) {
        int64_t end = tree_end(body.in, i);
        open = end > at ? i : open;
        i = end > at ? i + 1 : end;
    }
    return open;
}

// pattern ("if" guard)? "=>" of a match
static void add_arm(const Collecting *collecting, int64_t arrow)
{
    const Parser *in = collecting->body.in;
    int64_t open = bracket_around(collecting->body, arrow), start = open + 1, end;
    if (open < 0)
        return;
    for (int64_t i = start; i < arrow; i = tree_end(in, i)) {
        TokenKind kind = in->tokens[i].kind;
        if (kind == TOKEN_COMMA ||
            (kind == TOKEN_OPEN_BRACE && in->tokens[i - 1].kind == TOKEN_FAT_ARROW))
            start = tree_end(in, i);
    }
    for (end = start; end < arrow && in->tokens[end].kind != TOKEN_IF;)
        end = tree_end(in, end);
    add_pattern(collecting, start, end);
}

static void add_names(Collecting *collecting)
{
    TokenRange body = collecting->body;
    int64_t depth = 0;
    for (int64_t i = body.first; i < body.end; i++) {
        TokenKind kind = body.in->tokens[i].kind;
        depth += token_opens(kind) - token_closes(kind);
        TokenKind closes = kind == TOKEN_LET                             ? TOKEN_EQUAL
                           : kind == TOKEN_FOR                           ? TOKEN_IN
                           : kind == TOKEN_OR && begins_closure(body, i) ? TOKEN_OR
                                                                         : TOKEN_BROKEN;
        int64_t end = closes == TOKEN_BROKEN ? -1 : find_end(body, i + 1, closes);
        if (kind == TOKEN_LET && end < 0) // it gets its value later
            end = find_end(body, i + 1, TOKEN_SEMICOLON);
        collecting->is_seen = kind == TOKEN_LET && depth == 0;
        if (end >= 0)
            add_pattern(collecting, i + 1, end);
        else if (kind == TOKEN_FAT_ARROW)
            add_arm(collecting, i);
        i = closes == TOKEN_OR && end >= 0 ? end : i;
    }
}

OwnNames macro_own_names(Arena *arena, const MacroRules *rules, TokenRange body,
                         const MacroMatches *matches, const Parser *around)
{
    OwnNames names = {0};
    Collecting collecting = {.arena = arena, .body = body, .names = &names};
    add_names(&collecting);
    for (int64_t i = 0; i < names.count; i++) {
        OwnName *own = &names.items[i];
        while (is_given(matches, own) || (own->is_seen && is_around(around, rules, own)))
            own->marks++;
    }
    return names;
}

OwnName *macro_own_name(const OwnNames *names, Str name)
{
    for (int64_t i = 0; i < names->count; i++)
        if (str_equal(names->items[i].name, name))
            return &names->items[i];
    return NULL;
}

// ---- writing

static void write_name(StrBuf *out, const OwnName *own)
{
    buf_add(out, own->name);
    for (int64_t i = 0; i < own->marks; i++)
        buf_add(out, mark);
}

// "{name}" and "{name:..}" of a format.
static void write_format(StrBuf *out, const OwnNames *names, Str text)
{
    for (int64_t i = 0; i < text.len;) {
        int64_t end = i + 1;
        if (text.data[i] == '{' && end < text.len && text.data[end] == '{')
            end++; // a brace that is meant
        else if (text.data[i] == '{')
            while (end < text.len &&
                   (isalnum((unsigned char)text.data[end]) || text.data[end] == '_'))
                end++;
        Str name = str_slice(text, i + 1, end);
        bool ends = end < text.len && (text.data[end] == '}' || text.data[end] == ':');
        const OwnName *own = name.len && ends ? macro_own_name(names, name) : NULL;
        buf_add(out, str_slice(text, i, own ? i + 1 : end));
        if (own)
            write_name(out, own);
        i = end;
    }
}

// In `Name { field: .., field }`.
static bool is_field(TokenRange body, int64_t at)
{
    const Token *tokens = body.in->tokens;
    TokenKind before = tokens[at - 1].kind, behind = tokens[at + 1].kind;
    bool listed = (before == TOKEN_OPEN_BRACE || before == TOKEN_COMMA) &&
                  (behind == TOKEN_COLON || behind == TOKEN_COMMA || behind == TOKEN_CLOSE_BRACE);
    int64_t open = listed ? bracket_around(body, at) : -1;
    return open > body.first && tokens[open].kind == TOKEN_OPEN_BRACE &&
           (tokens[open - 1].kind == TOKEN_SELF_TYPE ||
            (tokens[open - 1].kind == TOKEN_NAME &&
             isupper((unsigned char)body.in->text.data[tokens[open - 1].start])));
}

void macro_write_token(StrBuf *out, const OwnNames *names, TokenRange body, int64_t at)
{
    const Parser *in = body.in;
    Str text = token_text(in, at);
    TokenKind kind = in->tokens[at].kind, before = in->tokens[at - 1].kind;
    bool may_be = kind == TOKEN_NAME && before != TOKEN_DOT && before != TOKEN_COLON_COLON;
    const OwnName *own = may_be ? macro_own_name(names, text) : NULL;
    if (kind == TOKEN_STRING) {
        write_format(out, names, text);
    } else if (!own || !own->marks) {
        buf_add(out, text);
    } else if (!is_field(body, at)) {
        write_name(out, own);
    } else {
        buf_add(out, text);
        if (in->tokens[at + 1].kind != TOKEN_COLON) {
            buf_add(out, STR(": "));
            write_name(out, own);
        }
    }
}
