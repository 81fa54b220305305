// `macro_rules!`: what a program declares as a macro is carried out on texts. A call is matched
// against the rules token by token; what the rule says, with what was matched put in, becomes a
// text of its own (a source named `<expansion of ..>`), which is read like any other. So whatever
// is reported of it is shown as it was read.
#include "lang/syntax/parse_internal.h"

#include <ctype.h>
#include <string.h>

enum {
    MOST_EXPANSIONS = 64,        // in each other
    MOST_CALLS = 20000,          // of a file
    MOST_TEXT = 4 * 1024 * 1024, // bytes that the calls of a file become
};

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

static Str token_text(const Parser *parser, int64_t at)
{
    const Token *token = &parser->tokens[at];
    return str_slice(parser->text, token->start, token_end(token));
}

// Behind the token or bracket at `at`.
static int64_t tree_end(const Parser *parser, int64_t at)
{
    const Token *token = &parser->tokens[at];
    return token_opens(token->kind) ? (int64_t)token->match + 1 : at + 1;
}

// ---- patterns

// `$( .. ) separator? operator`, from its `$` on.
typedef struct {
    TokenRange inner;
    int64_t separator; // its token; -1: none
    char operator;     // '*', '+' or '?'
    int64_t end;       // behind it
} Repetition;

static bool read_repetition(const Parser *in, int64_t at, Repetition *repetition)
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
        if (read_repetition(pattern.in, tree, &repetition)) {
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

static bool match_rule(Parser *parser, TokenRange pattern, TokenRange given, MacroMatches *matches)
{
    int64_t at = given.first;
    return match_from(parser, pattern, given, &at, matches) && at == given.end;
}

// ---- names of a macro's own

// A variable that a rule declares is none of the caller's, though it is spelt the same: what a call
// becomes is a text, so it gets another name there, with `_of_macro` behind it as often as it
// takes.
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

static OwnName *find_own_name(const OwnNames *names, Str name)
{
    for (int64_t i = 0; i < names->count; i++)
        if (str_equal(names->items[i].name, name))
            return &names->items[i];
    return NULL;
}

static void add_name(const Collecting *collecting, Str name)
{
    OwnName *found = find_own_name(collecting->names, name);
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

// The variables of a rule, out of the way of names in what was given. `around`: where those stay
// visible that the call declares as a statement; NULL: nowhere.
static OwnNames own_names(Arena *arena, const MacroRules *rules, TokenRange body,
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
        const OwnName *own = name.len && ends ? find_own_name(names, name) : NULL;
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

static void write_token(StrBuf *out, const OwnNames *names, TokenRange body, int64_t at)
{
    const Parser *in = body.in;
    Str text = token_text(in, at);
    TokenKind kind = in->tokens[at].kind, before = in->tokens[at - 1].kind;
    bool may_be = kind == TOKEN_NAME && before != TOKEN_DOT && before != TOKEN_COLON_COLON;
    const OwnName *own = may_be ? find_own_name(names, text) : NULL;
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

// ---- calls: what they become is read where they stand

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
        if (match_rule(parser, (TokenRange){in, at + 1, pattern->match}, given, matches))
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
    while (at < range.end && writing->out->len <= MOST_TEXT) {
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
        } else if (read_repetition(in, at, &repetition)) {
            write_rounds(writing, &repetition);
            next = repetition.end;
        } else if (quotes) {
            write_string(writing, (TokenRange){in, at + 3, token[2].match});
            next = tree_end(in, at + 2);
        } else if (token->kind != TOKEN_DOLLAR || token[1].kind != TOKEN_CRATE) { // which goes away
            write_token(writing->out, writing->names, writing->body, at);
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
    OwnNames names = own_names(parser->arena, rules, body, &matches, around);
    macro_write(&out, body, &matches, &names);
    parser->macros->text_bytes += out.len;
    if (parser->macros->text_bytes > MOST_TEXT)
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
