// The patterns of macros.
#include "lang/syntax/macro.h"

#include <string.h>

bool macro_repetition(const Parser *in, int64_t at, Repetition *repetition)
{
    if (in->tokens[at].kind != TOKEN_DOLLAR || in->tokens[at + 1].kind != TOKEN_OPEN_PAREN)
        return false;
    int64_t close = in->tokens[at + 1].match, next = close + 1;
    *repetition = (Repetition){.inner = {in, at + 2, close}, .separator = -1};
    for (int i = 0; i < 2; i++, next++) {
        TokenKind kind = in->tokens[next].kind;
        repetition->operator= kind == TOKEN_STAR ? '*'
        : kind == TOKEN_PLUS                     ? '+'
        : kind == TOKEN_QUESTION                 ? '?'
                                                 : 0;
        repetition->end = next + 1;
        if (repetition->operator)
            return true;
        if (token_opens(kind) || token_closes(kind))
            return false;
        repetition->separator = next;
    }
    return false;
}

// ---- fragments

// A parser of its own at a token, whose mistakes nobody sees.
static Parser try_parser(const Parser *parser, const Parser *in, int64_t at, Mistakes *mistakes,
                         DiagList *diags)
{
    Parser copy = *in;
    *diags = (DiagList){.arena = parser->arena};
    *mistakes = (Mistakes){.diags = diags, .source = in->source};
    copy.mistakes = mistakes;
    copy.macros = parser->macros;
    copy.depth = parser->depth;
    copy.expansions = parser->expansions;
    memset(&copy.stack, 0, sizeof copy.stack);
    memset(&copy.unfinished, 0, sizeof copy.unfinished);
    memset(&copy.wrappers, 0, sizeof copy.wrappers);
    memset(&copy.split, 0, sizeof copy.split);
    parser_resume(&copy, at);
    return copy;
}

// Others read the tokens again.
static void end_trial(Parser *trial)
{
    for (int64_t i = trial->split.count - 1; i >= 0; i--)
        trial->tokens[trial->split.items[i].at] = trial->split.items[i].token;
}

// What the parser takes for an expression, type or pattern from here on.
static int64_t parsed_end(Parser *parser, const Parser *in, int64_t at, Str kind)
{
    Mistakes mistakes;
    DiagList diags;
    Parser copy = try_parser(parser, in, at, &mistakes, &diags);
    copy.is_trial = true;
    if (str_equal(kind, STR("expr")))
        parse_expr(&copy);
    else if (str_equal(kind, STR("ty")) || str_equal(kind, STR("path")))
        parse_type(&copy);
    else if (str_equal(kind, STR("pat")) || str_equal(kind, STR("pat_param")))
        parse_pattern(&copy);
    else if (str_equal(kind, STR("item")))
        parse_item(&copy, parse_attributes(&copy, NULL), (Str){0}, parser_start(&copy));
    else
        return -1;
    end_trial(&copy);
    return parser_broken(&copy) || diags.count ? -1 : copy.at;
}

// Where a fragment of a kind that starts at `at` ends; -1: none does.
static int64_t fragment_end(Parser *parser, TokenRange given, int64_t at, Str kind)
{
    const Parser *in = given.in;
    TokenKind token = in->tokens[at].kind;
    if (str_equal(kind, STR("vis"))) {
        bool is_pub = at < given.end && token == TOKEN_PUB;
        bool path = is_pub && at + 1 < given.end && in->tokens[at + 1].kind == TOKEN_OPEN_PAREN;
        return path ? tree_end(in, at + 1) : at + is_pub;
    }
    if (at >= given.end)
        return -1;
    if (str_equal(kind, STR("tt")))
        return tree_end(in, at);
    if (str_equal(kind, STR("meta"))) // what stands in `#[ ]`
        return given.end;
    if (str_equal(kind, STR("ident")))
        return token == TOKEN_NAME || token >= TOKEN_AS ? at + 1 : -1;
    if (str_equal(kind, STR("lifetime")))
        return token == TOKEN_LIFETIME ? at + 1 : -1;
    if (str_equal(kind, STR("block")))
        return token == TOKEN_OPEN_BRACE ? tree_end(in, at) : -1;
    if (str_equal(kind, STR("literal"))) {
        at += token == TOKEN_MINUS;
        token = in->tokens[at].kind;
        bool literal = (token >= TOKEN_INT && token <= TOKEN_BYTE) || token == TOKEN_TRUE ||
                       token == TOKEN_FALSE;
        return literal ? at + 1 : -1;
    }
    int64_t end = parsed_end(parser, in, at, kind);
    return end > given.end ? -1 : end;
}

// ---- patterns

static bool match_from(Parser *parser, TokenRange pattern, TokenRange given, int64_t *at,
                       MacroMatches *matches);

// $( .. ) separator? operator: as often as it fits.
static bool match_rounds(Parser *parser, const Repetition *repetition, const Token *dollar,
                         TokenRange given, int64_t *at, MacroMatches *matches)
{
    int64_t count = 0;
    while (repetition->operator!= '?' || count == 0) {
        int64_t next = *at;
        if (count && repetition->separator >= 0) {
            const Parser *in = repetition->inner.in;
            bool there = next < given.end && str_equal(token_text(in, repetition->separator),
                                                       token_text(given.in, next));
            if (!there)
                break;
            next++;
        }
        MacroMatches *round = arena_new(parser->arena, MacroMatches, 1);
        round->repeats = dollar;
        int64_t before = next;
        if (!match_from(parser, repetition->inner, given, &next, round) || next == before)
            break;
        *array_push(parser->arena, &matches->rounds, MacroMatches *) = round;
        *at = next;
        count++;
    }
    return count > 0 || repetition->operator!= '+';
}

// $name:kind
static bool match_fragment(Parser *parser, TokenRange pattern, int64_t dollar, TokenRange given,
                           int64_t *at, MacroMatches *matches)
{
    Str kind = token_text(pattern.in, dollar + 3);
    int64_t end = fragment_end(parser, given, *at, kind);
    if (end < 0)
        return false;
    *array_push(parser->arena, matches, MacroMatch) =
        (MacroMatch){.name = token_text(pattern.in, dollar + 1),
                     .is_expr = str_equal(kind, STR("expr")),
                     .tokens = {given.in, *at, end}};
    *at = end;
    return true;
}

static bool match_tree(Parser *parser, TokenRange pattern, int64_t tree, TokenRange given,
                       int64_t *at, MacroMatches *matches)
{
    const Token *token = &pattern.in->tokens[tree];
    if (*at >= given.end || given.in->tokens[*at].kind != token->kind)
        return false;
    if (!token_opens(token->kind)) {
        bool same = str_equal(token_text(pattern.in, tree), token_text(given.in, *at));
        *at += same;
        return same;
    }
    int64_t inside = *at + 1, close = given.in->tokens[*at].match;
    bool fits = match_from(parser, (TokenRange){pattern.in, tree + 1, token->match},
                           (TokenRange){given.in, inside, close}, &inside, matches) &&
                inside == close;
    *at = close + 1;
    return fits;
}

static bool match_from(Parser *parser, TokenRange pattern, TokenRange given, int64_t *at,
                       MacroMatches *matches)
{
    int64_t tree = pattern.first;
    while (tree < pattern.end) {
        const Token *token = &pattern.in->tokens[tree];
        Repetition repetition;
        bool fits, named = token->kind == TOKEN_DOLLAR && tree + 3 < pattern.end &&
                           token[2].kind == TOKEN_COLON && token[1].kind != TOKEN_OPEN_PAREN;
        if (macro_repetition(pattern.in, tree, &repetition)) {
            fits = match_rounds(parser, &repetition, token, given, at, matches);
            tree = repetition.end;
        } else if (named) {
            fits = match_fragment(parser, pattern, tree, given, at, matches);
            tree += 4;
        } else {
            fits = match_tree(parser, pattern, tree, given, at, matches);
            tree = tree_end(pattern.in, tree);
        }
        if (!fits)
            return false;
    }
    return true;
}

bool macro_match(Parser *parser, TokenRange pattern, TokenRange given, MacroMatches *matches)
{
    int64_t at = given.first;
    return match_from(parser, pattern, given, &at, matches) && at == given.end;
}
