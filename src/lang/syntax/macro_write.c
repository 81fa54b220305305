// What macros say, as text: that of the rule, blanks included, with what was matched in it.
#include "lang/syntax/macro.h"

#include <string.h>

typedef struct {
    StrBuf *out;
    const MacroMatches *matches;
    TokenRange body;
    const OwnNames *names;
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

// The rounds of one repetition: they stand one behind the other.
typedef struct {
    int64_t first, count;
} Rounds;

typedef struct {
    ARRAY(Rounds);
    int64_t most;
} RoundsList;

// Of every repetition whose names are used here.
static RoundsList used_rounds(Arena *arena, const MacroMatches *all, TokenRange range)
{
    RoundsList list = {0};
    for (int64_t first = 0, end; first < all->rounds.count; first = end) {
        bool used = false;
        for (end = first; end < all->rounds.count &&
                          all->rounds.items[end]->repeats == all->rounds.items[first]->repeats;
             end++)
            used = used || is_used(all->rounds.items[end], range);
        if (!used)
            continue;
        *array_push(arena, &list, Rounds) = (Rounds){first, end - first};
        list.most = end - first > list.most ? end - first : list.most;
    }
    return list;
}

// Round number `index` of each of them; what is matched outside is seen inside, too.
static void take_round(Arena *arena, const MacroMatches *all, const RoundsList *used, int64_t index,
                       MacroMatches *round)
{
    round->count = round->rounds.count = 0;
    for (int64_t i = 0; i < used->count; i++) {
        if (index >= used->items[i].count)
            continue;
        const MacroMatches *one = all->rounds.items[used->items[i].first + index];
        add_matches(arena, round, one);
        for (int64_t k = 0; k < one->rounds.count; k++)
            *array_push(arena, &round->rounds, MacroMatches *) = one->rounds.items[k];
    }
    add_matches(arena, round, all);
}

static void write_rounds(const Writing *writing, const Repetition *repetition)
{
    StrBuf *out = writing->out;
    RoundsList used = used_rounds(out->arena, writing->matches, repetition->inner);
    MacroMatches inside = {0};
    Writing round = *writing;
    round.matches = &inside;
    for (int64_t i = 0; i < used.most; i++) {
        take_round(out->arena, writing->matches, &used, i, &inside);
        if (i && repetition->separator >= 0)
            buf_add(out, token_text(writing->body.in, repetition->separator));
        if (i)
            buf_add_char(out, ' ');
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
    while (at < range.end && writing->out->len <= MACRO_MOST_TEXT) {
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
        } else if (token->kind != TOKEN_DOLLAR || token[1].kind != TOKEN_CRATE) { // which goes away
            macro_write_token(writing->out, writing->names, writing->body, at);
        }
        if (next < range.end) // what stands between it and the next
            buf_printf(writing->out, "%.*s",
                       STR_ARG(str_slice(in->text, token_end(&in->tokens[next - 1]),
                                         in->tokens[next].start)));
        at = next;
    }
}

void macro_write(StrBuf *out, TokenRange body, const MacroMatches *matches, const OwnNames *names)
{
    Writing writing = {.out = out, .matches = matches, .body = body, .names = names};
    write_range(&writing, body);
}
