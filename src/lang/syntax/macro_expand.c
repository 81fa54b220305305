// Calls of macros: what they become is read where they stand.
#include "lang/syntax/macro.h"

#include <string.h>

enum {
    MOST_EXPANSIONS = 64, // in each other
    MOST_CALLS = 20000,   // of a file
};

const MacroRules *macro_find(const Parser *parser, const char *name)
{
    for (int64_t i = parser->macros->count - 1; i >= 0; i--)
        if (parser->macros->items[i]->name == name)
            return parser->macros->items[i];
    return NULL;
}

void macro_declare(Parser *parser, AstName name, int64_t group)
{
    MacroRules *rules = arena_new(parser->arena, MacroRules, 1);
    *rules = (MacroRules){.name = name.text,
                          .span = name.span,
                          .declared = arena_copy(parser->arena, parser, sizeof *parser),
                          .group = group};
    *array_push(parser->arena, parser->macros, MacroRules *) = rules;
}

// pattern "=>" body ";"?: the first rule that fits. NULL of it: none does.
static bool find_rule(Parser *parser, const MacroRules *rules, TokenRange given, TokenRange *body,
                      MacroMatches *matches)
{
    const Parser *in = rules->declared;
    int64_t at = rules->group + 1, end = in->tokens[rules->group].match;
    while (at < end) {
        const Token *pattern = &in->tokens[at];
        int64_t arrow = tree_end(in, at);
        bool is_rule = token_opens(pattern->kind) && arrow + 1 < end &&
                       in->tokens[arrow].kind == TOKEN_FAT_ARROW &&
                       token_opens(in->tokens[arrow + 1].kind);
        if (!is_rule)
            return false;
        *matches = (MacroMatches){0};
        *body = (TokenRange){in, arrow + 2, in->tokens[arrow + 1].match};
        if (macro_match(parser, (TokenRange){in, at + 1, pattern->match}, given, matches))
            return true;
        at = tree_end(in, arrow + 1);
        at += at < end && in->tokens[at].kind == TOKEN_SEMICOLON;
    }
    return false;
}

// `before` and `behind`: what is said around the name of the macro.
static bool refuse(Parser *parser, const MacroRules *rules, Span span, const char *before,
                   const char *behind)
{
    Diag *diag =
        parser_report(parser, DIAG_SYNTAX, span, "{} `{}!` {}", before, rules->name, behind);
    if (diag)
        diag_note(diag, rules->span, "declared here");
    return false;
}

static int64_t line_at(const Parser *parser, int64_t offset)
{
    int64_t line = 1;
    for (int64_t i = 0; i < offset && i < parser->text.len; i++)
        line += parser->text.data[i] == '\n';
    return line;
}

static Str expansion_name(const Parser *parser, const MacroRules *rules, Span span)
{
    const Source *here = &parser->sources->items[parser->source];
    return here->name.len && here->name.data[0] == '<'
               ? str_format(parser->arena, "<expansion of {}!>", rules->name)
               : str_format(parser->arena, "<expansion of {}! in {}:{}>", rules->name, here->name,
                            (long long)line_at(parser, span.start));
}

// A parser at the start of the text that a call became.
static Parser expansion_parser(Parser *parser, const MacroRules *rules, Span span, Str text,
                               int64_t *limit)
{
    *array_push(parser->arena, parser->sources, Source) = (Source){
        expansion_name(parser, rules, span), text, arena_copy(parser->arena, &span, sizeof span)};
    Mistakes *mistakes = arena_new(parser->arena, Mistakes, 1);
    *mistakes = (Mistakes){.diags = parser->mistakes->diags,
                           .source = (int32_t)parser->sources->count - 1,
                           .count = parser->mistakes->count};
    TokenList tokens = lex_text(parser->arena, text, mistakes);
    Parser inner = {.arena = parser->arena,
                    .names = parser->names,
                    .mistakes = mistakes,
                    .sources = parser->sources,
                    .text = text,
                    .source = mistakes->source,
                    .macros = parser->macros,
                    .caller = parser,
                    .expansions = parser->expansions + 1,
                    .tokens = tokens.items,
                    .docs = tokens.docs.items,
                    .doc_count = tokens.docs.count,
                    .depth = parser->depth,
                    .next_id = parser->next_id,
                    .in_trait = parser->in_trait};
    parser_resume(&inner, 0);
    *limit = tokens.count - 1;
    return inner;
}

// A parser at the start of what the call with the bracket `group` becomes. False: reported.

// ---- text

// What macros say, as text: that of the rule, blanks included, with what was matched in it.

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
    buf_format(writing->out, wraps ? "({})" : "{}", range_text(match->tokens));
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
    buf_format(writing->out, "\"");
    for (int64_t i = 0; i < words.len; i++) {
        char c = words.data[i];
        bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && (i + 1 == words.len || strchr(" \n\t\r", words.data[i + 1])))
            continue;
        if (c == '"' || c == '\\')
            buf_format(writing->out, "\\");
        buf_format(writing->out, "{c}", blank ? ' ' : c);
    }
    buf_format(writing->out, "\"");
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
            buf_format(
                writing->out, "{}",
                str_slice(in->text, token_end(&in->tokens[next - 1]), in->tokens[next].start));
        at = next;
    }
}

// What a rule says, with what was matched put in. Ends where it is more than can be read.
static void macro_write(StrBuf *out, TokenRange body, const MacroMatches *matches,
                        const OwnNames *names)
{
    Writing writing = {.out = out, .matches = matches, .body = body, .names = names};
    write_range(&writing, body);
}

static bool open_expansion(Parser *parser, const MacroRules *rules, int64_t group, Span span,
                           const Parser *around, Parser *inner, int64_t *limit)
{
    TokenRange given = {parser, group + 1, parser->tokens[group].match}, body;
    MacroMatches matches;
    if (parser->expansions >= MOST_EXPANSIONS)
        return refuse(parser, rules, span, "the macro", "calls itself without end");
    if (parser->macros->expanded++ >= MOST_CALLS)
        return refuse(parser, rules, span, "the macro", "is one call too many for a file");
    if (!find_rule(parser, rules, given, &body, &matches))
        return refuse(parser, rules, span, "no rule of", "fits what it is given");
    StrBuf out = {.arena = parser->arena};
    OwnNames names = macro_own_names(parser->arena, rules, body, &matches, around);
    macro_write(&out, body, &matches, &names);
    parser->macros->text_bytes += out.len;
    if (parser->macros->text_bytes > MACRO_MOST_TEXT)
        return refuse(parser, rules, span, "the macro", "becomes more than can be read");
    *inner = expansion_parser(parser, rules, span, buf_str(&out), limit);
    return true;
}

static void close_expansion(Parser *parser, const Parser *inner)
{
    parser->next_id = inner->next_id;
    parser->height = inner->height > parser->height ? inner->height : parser->height;
    parser->mistakes->count = inner->mistakes->count;
}

static AstExpr *block_of(Parser *parser, const StatementList *list, Span span)
{
    AstExpr *expr = expr_new(parser, AST_BLOCK, span.start);
    expr->block.body = arena_new(parser->arena, AstBlock, 1);
    expr->block.body->span = expr->span = span;
    expr->block.body->statements.items = list->statements.items;
    expr->block.body->statements.count = list->statements.count;
    expr->block.body->statements.capacity = list->statements.capacity;
    expr->block.body->tail = list->tail;
    return expr;
}

AstExpr *macro_expr(Parser *parser, const MacroRules *rules, int64_t start)
{
    int64_t group = parser->at, limit;
    Parser inner;
    parser_skip_group(parser);
    Span span = parser_span(parser, start);
    if (parser->is_trial || !open_expansion(parser, rules, group, span, NULL, &inner, &limit))
        return expr_new(parser, AST_ERROR, start);
    StatementList list = parse_statements(&inner, limit);
    close_expansion(parser, &inner);
    if (list.statements.count || !list.tail)
        return block_of(parser, &list, span);
    AstExpr *expr = expr_new(parser, AST_PAREN, start);
    expr->inner = list.tail;
    return expr;
}

const MacroRules *macro_at(const Parser *parser, int64_t limit)
{
    if (parser_broken(parser) || !parser_at_macro(parser, NULL))
        return NULL;
    int64_t end = tree_end(parser, parser->at + 2);
    bool alone = end >= limit || parser->tokens[end].kind == TOKEN_SEMICOLON ||
                 parser->tokens[parser->at + 2].kind == TOKEN_OPEN_BRACE;
    Str name = parser_text(parser, parser->at);
    return alone ? macro_find(parser, intern(parser->names, name)) : NULL;
}

// At the name of a macro: expands the call and goes on behind it.
static bool enter_call(Parser *parser, const MacroRules *rules, const Parser *around, Parser *inner,
                       int64_t *limit)
{
    int64_t start = parser_start(parser);
    parser_next(parser);
    parser_next(parser);
    int64_t group = parser->at;
    parser_skip_group(parser);
    return !parser->is_trial &&
           open_expansion(parser, rules, group, parser_span(parser, start), around, inner, limit);
}

void macro_statements(Parser *parser, const MacroRules *rules, int64_t limit, AstExpr **tail)
{
    Parser inner;
    int64_t end, start = parser_start(parser);
    if (!enter_call(parser, rules, parser, &inner, &end)) {
        if (parser->at >= limit) // nobody knows the value of the block
            *tail = expr_new(parser, AST_ERROR, start);
        return;
    }
    StatementList list = parse_statements(&inner, end);
    close_expansion(parser, &inner);
    for (int64_t i = 0; i < list.statements.count; i++)
        *stack_push(parser, AstStatement) = list.statements.items[i];
    bool ends = parser_accept(parser, TOKEN_SEMICOLON) || parser->at < limit;
    if (list.tail && ends)
        *stack_push(parser, AstStatement) =
            (AstStatement){.kind = STATEMENT_EXPR, .span = list.tail->span, .value = list.tail};
    else if (list.tail)
        *tail = list.tail;
}

void macro_items(Parser *parser, const MacroRules *rules)
{
    Parser inner;
    int64_t end;
    if (!enter_call(parser, rules, NULL, &inner, &end))
        return;
    AstItems items = parse_items(&inner, end);
    close_expansion(parser, &inner);
    for (int64_t i = 0; i < items.count; i++)
        *stack_push(parser, AstItem *) = items.items[i];
}
