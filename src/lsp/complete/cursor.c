// The tokens before the cursor.
#include "lsp/complete/complete.h"

#include <ctype.h>

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

// Where to begin reading: at the item around the cursor, or the last one before it, which may be
// half typed. An item begins where a token does.
static int64_t start_of_item(const Query *query, const Trail *trail)
{
    const Module *module = analysis_module(query->analysis, query->source);
    int64_t start = 0;
    if (trail->count)
        return trail->items[0].span.start;
    for (int64_t i = 0; module && module->items && i < module->items->count; i++) {
        Span span = module->items->items[i]->span;
        if (span.end <= query->offset && span.start > start)
            start = span.start;
    }
    return start;
}

static bool is_string(TokenKind kind)
{
    return kind >= TOKEN_INT && kind <= TOKEN_BYTE;
}

// Between the last token and the cursor are blanks and comments.
static bool is_in_comment(Str gap)
{
    int64_t line = -1;
    for (int64_t i = 0; i + 1 < gap.len; i++) {
        if (gap.data[i] == '/' && gap.data[i + 1] == '/')
            line = i;
        if (gap.data[i] == '/' && gap.data[i + 1] == '*') {
            int64_t end = str_find(str_slice(gap, i + 2, gap.len), STR("*/"));
            if (end < 0)
                return true;
            i += end + 2;
        }
        while (line >= 0 && i < gap.len && gap.data[i] != '\n')
            i++;
        if (line >= 0 && i >= gap.len)
            return true;
        line = -1;
    }
    return false;
}

static void find_word(Cursor *cursor)
{
    Str text = cursor->text;
    int64_t start = text.len;
    while (start > 0 && is_letter(text.data[start - 1]))
        start--;
    cursor->word = str_slice(text, start, text.len);
    cursor->start = cursor->from + start;
    cursor->before = cursor->tokens.count;
    while (cursor->before) {
        const Token *token = &cursor->tokens.items[cursor->before - 1];
        bool is_written = token->kind != TOKEN_END && token_end(token) > token->start;
        if (is_written && token->start < start)
            break;
        cursor->before--;
    }
}

// A word that is no token of its own stands in a comment, a string or a number.
static bool is_in_text(const Cursor *cursor)
{
    int64_t start = cursor->start - cursor->from;
    const Token *last = cursor->before ? &cursor->tokens.items[cursor->before - 1] : NULL;
    int64_t end = last ? token_end(last) : 0;
    if (end > start || (last && end == start && is_string(last->kind) && cursor->word.len))
        return true;
    if (last && end == start && is_string(last->kind) && last->kind >= TOKEN_STRING) {
        char closing = cursor->text.data[end - 1];
        return closing != '"' && closing != '\'';
    }
    if (cursor->word.len && isdigit((unsigned char)cursor->word.data[0]))
        return true;
    return is_in_comment(str_slice(cursor->text, end, start));
}

static void find_open(Query *query, Cursor *cursor)
{
    for (int64_t i = 0; i < cursor->before; i++) {
        const Token *token = &cursor->tokens.items[i];
        bool open = token_opens(token->kind) && token->match >= (uint32_t)cursor->before;
        if (open)
            *array_push(query->arena, &cursor->open, int64_t) = i;
    }
}

Cursor cursor_at(Query *query, const Trail *trail)
{
    Str all = query->analysis->contra->sources.items[query->source].text;
    Cursor cursor = {.from = start_of_item(query, trail)};
    cursor.text = str_slice(all, cursor.from, query->offset);
    cursor.tokens = lex_silently(query->arena, cursor.text);
    find_word(&cursor);
    cursor.is_text = is_in_text(&cursor);
    find_open(query, &cursor);
    return cursor;
}

TokenKind cursor_kind(const Cursor *cursor, int64_t back)
{
    return back <= cursor->before ? cursor->tokens.items[cursor->before - back].kind : TOKEN_END;
}

TokenKind cursor_token(const Cursor *cursor, int64_t token)
{
    return token >= 0 ? (TokenKind)cursor->tokens.items[token].kind : TOKEN_END;
}

int64_t cursor_open(const Cursor *cursor, int64_t outwards)
{
    int64_t at = cursor->open.count - 1 - outwards;
    return at >= 0 ? cursor->open.items[at] : -1;
}

Str cursor_text(const Cursor *cursor, int64_t token)
{
    const Token *at = &cursor->tokens.items[token];
    return str_slice(cursor->text, at->start, token_end(at));
}

int64_t cursor_offset(const Cursor *cursor, int64_t token)
{
    return cursor->from + cursor->tokens.items[token].start;
}

// The macro that a bracket is of; "": of none.
static Str macro_of(const Cursor *cursor, int64_t open)
{
    bool named = open >= 2 && cursor_token(cursor, open - 1) == TOKEN_NOT &&
                 cursor_token(cursor, open - 2) == TOKEN_NAME;
    return named ? cursor_text(cursor, open - 2) : STR("");
}

// Braces are blocks, but for those of m![{ .. }].
Str cursor_macro(const Cursor *cursor)
{
    bool in_braces = false;
    for (int64_t i = cursor->open.count - 1; i >= 0; i--) {
        int64_t at = cursor->open.items[i];
        Str macro = macro_of(cursor, at);
        if (macro.len)
            return in_braces && !str_equal(macro, STR("m")) ? STR("") : macro;
        if (in_braces && cursor_token(cursor, at) != TOKEN_OPEN_SQUARE)
            break;
        in_braces |= cursor_token(cursor, at) == TOKEN_OPEN_BRACE;
    }
    return STR("");
}

// The opening bracket of a closing one; itself where nothing opens it.
static int64_t opening_of(const Cursor *cursor, int64_t closing)
{
    for (int64_t i = closing - 1; i >= 0; i--)
        if (token_opens(cursor_token(cursor, i)) &&
            cursor->tokens.items[i].match == (uint32_t)closing)
            return i;
    return closing;
}

static bool opens_arguments(const Cursor *cursor, int64_t at)
{
    TokenKind before = at ? cursor_token(cursor, at - 1) : TOKEN_END;
    Str name = before == TOKEN_NAME ? cursor_text(cursor, at - 1) : STR("");
    return before == TOKEN_COLON_COLON || before == TOKEN_IMPL ||
           (name.len && (isupper((unsigned char)name.data[0]) ||
                         (at >= 2 && cursor_token(cursor, at - 2) == TOKEN_FN)));
}

int64_t cursor_angle(const Cursor *cursor, int64_t token, int64_t *commas)
{
    int64_t depth = 0;
    *commas = 0;
    for (int64_t i = token - 1; i >= 0; i--) {
        TokenKind kind = cursor_token(cursor, i);
        if (token_closes(kind)) {
            i = opening_of(cursor, i);
            continue;
        }
        if (kind == TOKEN_LESS && !depth)
            return opens_arguments(cursor, i) ? i : -1;
        if (kind == TOKEN_SEMICOLON || kind == TOKEN_EQUAL || token_opens(kind))
            return -1;
        depth += kind == TOKEN_GREATER ? 1 : kind == TOKEN_SHIFT_RIGHT ? 2 : 0;
        depth -= kind == TOKEN_LESS;
        *commas += kind == TOKEN_COMMA && !depth;
    }
    return -1;
}

// Generic arguments count as brackets.
int64_t cursor_commas(const Cursor *cursor, int64_t from)
{
    int64_t commas = 0, depth = 0;
    for (int64_t i = from + 1; i < cursor->before; i++) {
        const Token *token = &cursor->tokens.items[i];
        bool generic = token->kind == TOKEN_LESS && opens_arguments(cursor, i);
        if (token_opens(token->kind) && token->match >= (uint32_t)cursor->before)
            break; // the cursor is in it
        if (token_opens(token->kind))
            i = token->match;
        depth += generic;
        if (depth && token->kind == TOKEN_GREATER)
            depth--;
        else if (depth > 1 && token->kind == TOKEN_SHIFT_RIGHT)
            depth -= 2;
        commas += token->kind == TOKEN_COMMA && !depth;
    }
    return commas;
}

// ---- calls

static bool is_word(TokenKind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_SELF_TYPE;
}

// The `<` of generic arguments that end at a `>`.
static int64_t opening_angle(const Cursor *cursor, int64_t at)
{
    int64_t depth = 0;
    for (; at >= 0; at--) {
        TokenKind kind = cursor_token(cursor, at);
        depth += kind == TOKEN_GREATER ? 1 : kind == TOKEN_SHIFT_RIGHT ? 2 : 0;
        depth -= kind == TOKEN_LESS;
        if (depth <= 0)
            return at;
    }
    return -1;
}

int64_t cursor_named(const Cursor *cursor, int64_t token)
{
    TokenKind kind = cursor_token(cursor, token);
    if (kind != TOKEN_GREATER && kind != TOKEN_SHIFT_RIGHT)
        return token;
    int64_t at = opening_angle(cursor, token) - 1;
    return at >= 0 && cursor_token(cursor, at) == TOKEN_COLON_COLON ? at - 1 : at;
}

int64_t cursor_qualified(const Cursor *cursor, int64_t token)
{
    TokenKind kind = token >= 0 ? cursor_token(cursor, token) : TOKEN_END;
    if (kind != TOKEN_GREATER && kind != TOKEN_SHIFT_RIGHT)
        return -1;
    int64_t open = opening_angle(cursor, token);
    bool is_named = open > 0 && (is_word(cursor_token(cursor, open - 1)) ||
                                 cursor_token(cursor, open - 1) == TOKEN_COLON_COLON);
    return open >= 0 && !is_named && open + 1 < token ? open + 1 : -1;
}

// The name before an opening bracket; -1: what stands there is no call.
static int64_t name_before(const Cursor *cursor, int64_t open)
{
    int64_t at = open > 0 ? cursor_named(cursor, open - 1) : -1;
    bool declares = at >= 1 && cursor_token(cursor, at - 1) == TOKEN_FN;
    return at >= 0 && is_word(cursor_token(cursor, at)) && !declares ? at : -1;
}

static bool find_types(const Cursor *cursor, int64_t at, Callee *callee)
{
    int64_t commas, angle = cursor_angle(cursor, at, &commas);
    if (angle < 1)
        return false;
    bool path = cursor_token(cursor, angle - 1) == TOKEN_COLON_COLON;
    *callee = (Callee){angle - 1 - path, commas, true};
    return callee->name >= 0 && is_word(cursor_token(cursor, callee->name));
}

// From the inside out: what is in brackets that are no call is an argument of the call around it.
bool cursor_callee(const Cursor *cursor, Callee *callee)
{
    int64_t at = cursor->before;
    for (int64_t i = cursor->open.count - 1; i >= -1; i--) {
        if (find_types(cursor, at, callee))
            return true;
        at = i >= 0 ? cursor->open.items[i] : 0;
        TokenKind kind = cursor_token(cursor, at);
        if (i < 0 || kind == TOKEN_OPEN_BRACE)
            return false;
        int64_t name = kind == TOKEN_OPEN_PAREN ? name_before(cursor, at) : -1;
        if (name < 0)
            continue;
        *callee = (Callee){name, cursor_commas(cursor, at), false};
        return true;
    }
    return false;
}
