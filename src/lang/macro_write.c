// What macros say, as text: that of the rule, blanks included, with what was matched in it.
#include "lang/macro.h"

#include <string.h>

typedef struct {
    StrBuf *out;
    const MacroMatches *matches;
    TokenRange body;
    bool quoted; // in stringify!(..)
} Writing;

static const MacroMatch *find_match(const MacroMatches *matches, Str name)
{
    for (int64_t i = 0; i < matches->count; i++)
        if (str_equal(matches->items[i].name, name))
            return &matches->items[i];
    return NULL;
}

static Str range_text(TokenRange range)
{
    if (range.first >= range.end)
        return (Str){0};
    return str_slice(range.in->text, range.in->tokens[range.first].start,
                     token_end(&range.in->tokens[range.end - 1]));
}

// ---- an expression stays one, whatever stands around it

static bool has_operator(TokenRange range)
{
    for (int64_t i = range.first; i < range.end; i = tree_end(range.in, i)) {
        TokenKind kind = range.in->tokens[i].kind;
        bool word = kind >= TOKEN_AS && kind != TOKEN_SELF_VALUE && kind != TOKEN_SELF_TYPE &&
                    kind != TOKEN_CRATE && kind != TOKEN_SUPER && kind != TOKEN_TRUE &&
                    kind != TOKEN_FALSE;
        if ((kind >= TOKEN_NOT && kind <= TOKEN_GREATER_EQUAL) || kind == TOKEN_DOT_DOT ||
            kind == TOKEN_DOT_DOT_EQUAL || word)
            return true;
    }
    return false;
}

static bool is_apart(const Writing *writing, int64_t before, int64_t behind)
{
    static const TokenKind separators[] = {TOKEN_COMMA, TOKEN_SEMICOLON, TOKEN_EQUAL,
                                           TOKEN_FAT_ARROW};
    const Token *tokens = writing->body.in->tokens;
    bool left = before < writing->body.first || token_opens(tokens[before].kind),
         right = behind >= writing->body.end || token_closes(tokens[behind].kind);
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        left |= before >= writing->body.first && tokens[before].kind == separators[i];
        right |= behind < writing->body.end && tokens[behind].kind == separators[i];
    }
    return left && right;
}

// ---- names of the macro's own

// A variable that the rule declares, where what was given has a name spelt the same.
static bool is_spelt_in(const MacroMatches *matches, Str name)
{
    for (int64_t i = 0; i < matches->count; i++) {
        const MacroMatch *match = &matches->items[i];
        for (int64_t k = match->tokens.first; match->is_expr && k < match->tokens.end; k++)
            if (match->tokens.in->tokens[k].kind == TOKEN_NAME &&
                str_equal(token_text(match->tokens.in, k), name))
                return true;
    }
    for (int64_t i = 0; i < matches->rounds.count; i++)
        if (is_spelt_in(matches->rounds.items[i], name))
            return true;
    return false;
}

static bool is_declared(TokenRange body, Str name)
{
    for (int64_t i = body.first; i < body.end; i++) {
        if (body.in->tokens[i].kind != TOKEN_LET)
            continue;
        for (; i < body.end && body.in->tokens[i].kind != TOKEN_EQUAL; i++)
            if (body.in->tokens[i].kind == TOKEN_NAME &&
                body.in->tokens[i - 1].kind != TOKEN_DOLLAR &&
                str_equal(token_text(body.in, i), name))
                return true;
    }
    return false;
}

static void write_token(const Writing *writing, int64_t at)
{
    const Parser *in = writing->body.in;
    Str text = token_text(in, at);
    bool is_name = in->tokens[at].kind == TOKEN_NAME && in->tokens[at - 1].kind != TOKEN_DOT;
    buf_printf(writing->out, "%.*s", STR_ARG(text));
    if (is_name && is_declared(writing->body, text) && is_spelt_in(writing->matches, text))
        buf_printf(writing->out, "_of_macro");
}

// ---- the whole

static void write_range(const Writing *writing, TokenRange range);

static bool has_name(const MacroMatches *matches, Str name)
{
    if (find_match(matches, name))
        return true;
    for (int64_t i = 0; i < matches->rounds.count; i++)
        if (has_name(matches->rounds.items[i], name))
            return true;
    return false;
}

static bool is_used(const MacroMatches *round, TokenRange range)
{
    for (int64_t i = range.first; i + 1 < range.end; i++)
        if (range.in->tokens[i].kind == TOKEN_DOLLAR &&
            has_name(round, token_text(range.in, i + 1)))
            return true;
    return false;
}

static void add_matches(Arena *arena, MacroMatches *to, const MacroMatches *from)
{
    for (int64_t i = 0; i < from->count; i++)
        if (!find_match(to, from->items[i].name))
            *array_push(arena, to, MacroMatch) = from->items[i];
}

// Round number `index` of every repetition whose names are used here. False: there is none.
static bool take_round(Arena *arena, const MacroMatches *all, TokenRange range, int64_t index,
                       MacroMatches *round)
{
    int64_t at = -1;
    bool found = false;
    *round = (MacroMatches){0};
    for (int64_t i = 0; i < all->rounds.count; i++) {
        const MacroMatches *one = all->rounds.items[i];
        at = i && all->rounds.items[i - 1]->repeats == one->repeats ? at + 1 : 0;
        if (at != index || !is_used(one, range))
            continue;
        found = true;
        add_matches(arena, round, one);
        for (int64_t k = 0; k < one->rounds.count; k++)
            *array_push(arena, &round->rounds, MacroMatches *) = one->rounds.items[k];
    }
    if (found) // what is matched outside is seen inside, too
        add_matches(arena, round, all);
    return found;
}

static void write_rounds(const Writing *writing, const Repetition *repetition)
{
    StrBuf *out = writing->out;
    MacroMatches inside;
    Writing round = *writing;
    round.matches = &inside;
    for (int64_t i = 0; take_round(out->arena, writing->matches, repetition->inner, i, &inside);
         i++) {
        if (i && repetition->separator >= 0)
            buf_printf(out, "%.*s", STR_ARG(token_text(writing->body.in, repetition->separator)));
        if (i)
            buf_printf(out, " ");
        write_range(&round, repetition->inner);
    }
}

static void write_match(const Writing *writing, const MacroMatch *match, int64_t dollar)
{
    bool wraps = match->is_expr && !writing->quoted && has_operator(match->tokens) &&
                 !is_apart(writing, dollar - 1, dollar + 2);
    buf_printf(writing->out, wraps ? "(%.*s)" : "%.*s", STR_ARG(range_text(match->tokens)));
}

// stringify!(..), as a string: blanks are one each.
static void write_string(const Writing *writing, TokenRange inner)
{
    StrBuf text = {.arena = writing->out->arena};
    Writing quoted = *writing;
    quoted.out = &text;
    quoted.quoted = true;
    write_range(&quoted, inner);
    Str words = buf_str(&text);
    buf_printf(writing->out, "\"");
    for (int64_t i = 0; i < words.len; i++) {
        char c = words.data[i];
        bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && (i + 1 == words.len || strchr(" \n\t\r", words.data[i + 1])))
            continue;
        if (c == '"' || c == '\\')
            buf_printf(writing->out, "\\");
        buf_printf(writing->out, "%c", blank ? ' ' : c);
    }
    buf_printf(writing->out, "\"");
}

static void write_range(const Writing *writing, TokenRange range)
{
    const Parser *in = range.in;
    int64_t at = range.first;
    while (at < range.end) {
        const Token *token = &in->tokens[at];
        int64_t next = at + 1;
        Repetition repetition;
        const MacroMatch *match = NULL;
        if (token->kind == TOKEN_DOLLAR && at + 1 < range.end)
            match = find_match(writing->matches, token_text(in, at + 1));
        bool quotes = token->kind == TOKEN_NAME && at + 2 < range.end &&
                      str_equal(token_text(in, at), STR("stringify")) &&
                      token[1].kind == TOKEN_NOT && token_opens(token[2].kind);
        if (match) {
            write_match(writing, match, at);
            next = at + 2;
        } else if (macro_repetition(in, at, &repetition)) {
            write_rounds(writing, &repetition);
            next = repetition.end;
        } else if (quotes) {
            write_string(writing, (TokenRange){in, at + 3, token[2].match});
            next = tree_end(in, at + 2);
        } else if (token->kind != TOKEN_DOLLAR) { // that of `$crate` goes away
            write_token(writing, at);
        }
        if (next < range.end) // what stands between it and the next
            buf_printf(writing->out, "%.*s",
                       STR_ARG(str_slice(in->text, token_end(&in->tokens[next - 1]),
                                         in->tokens[next].start)));
        at = next;
    }
}

void macro_write(StrBuf *out, TokenRange body, const MacroMatches *matches)
{
    Writing writing = {.out = out, .matches = matches, .body = body};
    write_range(&writing, body);
}
