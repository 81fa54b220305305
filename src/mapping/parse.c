// The text of mappings.
//
//     mapping = sum ("," sum)*
//     sum     = padding "+" expr ("+" padding)? | expr ("+" padding)?
//     padding = "#" number
//     expr    = primary (("/" | "%" | "=" | "#" | "@") number | "@" "[" number ("," number)* "]")*
//     primary = name | "1" | "{" name "}" | "(" mapping ")" | "[" mapping "]"
//             | "$" "(" expr ":" number ("," expr ":" number)* ")"
//
// A mapping may stand in m![ ], as in programs. Without "+", "@", "$", the "#_" of a hole that a
// strict division left, and names in place of "{ name }" it is the grammar of m![..].
#include "mapping/expr.h"

#include "base/checked.h"

#include <ctype.h>

typedef struct {
    Scope *scope;
    DiagList *diags;
    int32_t source;
    Str text;
    int64_t at;
    int64_t depth; // of brackets around `at`
    bool failed;   // a syntax error was reported; everything after it is guesswork
} Parser;

static Span span_from(const Parser *parser, int64_t start)
{
    int64_t end = parser->at;
    while (end > start && isspace((unsigned char)parser->text.data[end - 1]))
        end--;
    return (Span){parser->source, start, end};
}

static const Expr *poison_from(const Parser *parser, int64_t start)
{
    return expr_poison(parser->diags, span_from(parser, start));
}

// Whether nothing follows but blanks, which are skipped.
static bool at_end(Parser *parser)
{
    while (parser->at < parser->text.len && isspace((unsigned char)parser->text.data[parser->at]))
        parser->at++;
    return parser->at >= parser->text.len;
}

// The next character after blanks, 0 at the end.
static char peek(Parser *parser)
{
    return at_end(parser) ? 0 : parser->text.data[parser->at];
}

static bool accept(Parser *parser, char c)
{
    if (peek(parser) != c || !c)
        return false;
    parser->at++;
    return true;
}

// A character as a message can show it; of several bytes, where it has several.
static Str shown_character(const Parser *parser, Span *span)
{
    unsigned char first = (unsigned char)parser->text.data[span->start];
    while (span->end < parser->text.len &&
           ((unsigned char)parser->text.data[span->end] & 0xC0) == 0x80)
        span->end++;
    if (first < 0x20 || first == 0x7F)
        return str_format(parser->diags->arena, "\\x{02x}", first);
    return str_slice(parser->text, span->start, span->end);
}

// One diagnostic a text: what follows a syntax error is not worth reporting.
static const Expr *syntax_error(Parser *parser, const char *expected)
{
    bool end = at_end(parser);
    Span span = {parser->source, parser->at, parser->at + !end};
    if (!parser->failed) {
        Str what = end ? STR("") : shown_character(parser, &span);
        Diag *diag = end ? diag_add(parser->diags, DIAG_MAPPING_SYNTAX, span,
                                    "the text ends where {} should stand", expected)
                         : diag_add(parser->diags, DIAG_MAPPING_SYNTAX, span,
                                    "found `{}` where {} should stand", what, expected);
        Str before = str_trim(str_slice(parser->text, 0, parser->at));
        if (before.len && before.data[before.len - 1] == ',')
            diag_help(diag, "the last element is not followed by a comma");
    }
    parser->failed = true;
    return expr_poison(parser->diags, span);
}

static bool expect(Parser *parser, char c, const char *expected)
{
    if (accept(parser, c))
        return true;
    syntax_error(parser, expected);
    return false;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

// number = digit+
static bool parse_number(Parser *parser, int64_t *number)
{
    *number = 1;
    if (!isdigit((unsigned char)peek(parser))) {
        syntax_error(parser, "a decimal number");
        return false;
    }
    int64_t start = parser->at;
    while (parser->at < parser->text.len && is_name_char(parser->text.data[parser->at]))
        parser->at++;
    Str digits = str_slice(parser->text, start, parser->at);
    if (str_to_i64(digits, number))
        return true;
    for (int64_t i = 0; i < digits.len; i++) {
        if (!isdigit((unsigned char)digits.data[i])) {
            parser->at = start + i;
            syntax_error(parser, "a plain decimal number, without prefix, suffix or `_`,");
            return false;
        }
    }
    diag_add(parser->diags, DIAG_SIZE_OVERFLOW, span_from(parser, start),
             "the number {} does not fit in 63 bits", digits);
    parser->failed = true;
    return false;
}

static const Expr *parse_mapping(Parser *parser);
static const Expr *parse_expr(Parser *parser);
static const Expr *parse_all(Parser *parser);

// Goes one bracket or definition deeper. False, with a diagnostic, where that is too deep.
static bool enter_group(Parser *parser, int64_t start)
{
    if (parser->depth < EXPR_MOST_DEPTH) {
        parser->depth++;
        return true;
    }
    Span span = {parser->source, start, start + 1};
    diag_add(parser->diags, DIAG_TOO_DEEP, span,
             "brackets and definitions are nested more than {} deep", EXPR_MOST_DEPTH);
    parser->failed = true;
    return false;
}

// The mapping a definition stands for, read when it is first needed: definitions may come in any
// order, but none may need itself.
static const Expr *use_definition(Parser *parser, Span span, ScopeEntry *entry)
{
    if (entry->state == DEFINITION_OPEN) {
        Diag *diag = diag_add(parser->diags, DIAG_DEFINITION_CYCLE, span,
                              "the definition of `{}` contains itself", entry->name);
        diag_note(diag, entry->span, "defined here");
        return expr_poison(parser->diags, span);
    }
    if (entry->state == DEFINITION_TEXT && !enter_group(parser, span.start))
        return expr_poison(parser->diags, span);
    if (entry->state == DEFINITION_TEXT) {
        Parser inner = {.scope = parser->scope,
                        .diags = parser->diags,
                        .source = entry->span.source,
                        .text = entry->text,
                        .at = entry->text_start,
                        .depth = parser->depth};
        entry->state = DEFINITION_OPEN;
        entry->expr = parse_all(&inner);
        entry->state = DEFINITION_DONE;
        parser->depth--;
    }
    return entry->expr;
}

static const Expr *use_name(Parser *parser, Span span, Str name)
{
    ScopeEntry *entry = scope_find(parser->scope, name);
    if (entry && entry->atom)
        return expr_atom(parser->diags, span, entry->atom);
    if (entry)
        return use_definition(parser, span, entry);
    Diag *diag = diag_add(parser->diags, DIAG_AXIS_UNKNOWN, span,
                          "`{}` is no declared axis and no definition", name);
    enum { MOST_NAMES = 24 };
    StrBuf known = {.arena = parser->diags->arena};
    for (int64_t i = 0; i < min_i64(parser->scope->count, MOST_NAMES); i++)
        if (*parser->scope->items[i]->name) // of one that is being written there is none
            buf_format(&known, "{}{}", known.len ? ", " : "", parser->scope->items[i]->name);
    if (known.len) {
        diag_help(diag, "declared are: {}{}", buf_str(&known),
                  parser->scope->count > MOST_NAMES ? ", .." : "");
    } else {
        diag_help(diag, "declare it with its size: {}=8", name);
        diag_help_typed(diag, "declare it with its size: --axes {}=8", name);
    }
    return expr_poison(parser->diags, span);
}

static const Expr *parse_name(Parser *parser)
{
    int64_t start = parser->at;
    while (parser->at < parser->text.len && is_name_char(parser->text.data[parser->at]))
        parser->at++;
    return use_name(parser, span_from(parser, start), str_slice(parser->text, start, parser->at));
}

// "1"; any other number alone is refused with what to write instead
static const Expr *parse_identity(Parser *parser)
{
    int64_t start = parser->at, number;
    if (!parse_number(parser, &number))
        return poison_from(parser, start);
    Span span = span_from(parser, start);
    if (number == 1)
        return expr_identity(parser->diags, span);
    Diag *diag = diag_add(parser->diags, DIAG_BARE_NUMBER, span,
                          "the number {} is no mapping; only `1` is", number);
    diag_help(diag, "for padding write `1 # {}`; to repeat a value declare an axis of size {}",
              number, number);
    diag_edit(diag, span, "1 # {}", number);
    return expr_poison(parser->diags, span);
}

// "$" "(" expr ":" number ("," expr ":" number)* ")"
static const Expr *parse_linear(Parser *parser)
{
    int64_t start = parser->at;
    ExprList items = {0};
    NumberList weights = {0};
    parser->at++;
    if (!expect(parser, '(', "`(`") || !enter_group(parser, start))
        return poison_from(parser, start);
    do {
        int64_t weight;
        *array_push(parser->diags->arena, &items, const Expr *) = parse_expr(parser);
        if (!expect(parser, ':', "`:` and a weight") || !parse_number(parser, &weight))
            return poison_from(parser, start);
        *array_push(parser->diags->arena, &weights, int64_t) = weight;
    } while (accept(parser, ','));
    parser->depth--;
    expect(parser, ')', "`,` or `)`");
    return expr_linear(parser->diags, span_from(parser, start), &items, &weights);
}

static const Expr *parse_group(Parser *parser, char close, const char *expected)
{
    int64_t start = parser->at++;
    if (!enter_group(parser, start))
        return poison_from(parser, start);
    const Expr *inner = parse_mapping(parser);
    parser->depth--;
    expect(parser, close, expected);
    return inner;
}

// "{" name "}"
static const Expr *parse_escape(Parser *parser)
{
    parser->at++;
    if (!isalpha((unsigned char)peek(parser)))
        return syntax_error(parser, "the name of a definition");
    const Expr *inner = parse_name(parser);
    expect(parser, '}', "`}`");
    return inner;
}

// Takes `word` where it stands and a bracket follows: "m!" or "axes!", as programs write it.
static bool accept_macro(Parser *parser, Str word)
{
    at_end(parser);
    Str rest = str_slice(parser->text, parser->at, parser->text.len);
    bool macro = rest.len > word.len && str_starts_with(rest, word) &&
                 (rest.data[word.len] == '[' || rest.data[word.len] == '(');
    parser->at += macro ? word.len : 0;
    return macro;
}

static const Expr *parse_primary(Parser *parser)
{
    accept_macro(parser, STR("m!"));
    char c = peek(parser);
    switch (c) {
    case '(':
        return parse_group(parser, ')', "`,`, an operator or `)`");
    case '[':
        return parse_group(parser, ']', "`,`, an operator or `]`");
    case '{':
        return parse_escape(parser);
    case '$':
        return parse_linear(parser);
    default:
        if (isdigit((unsigned char)c))
            return parse_identity(parser);
        if (isalpha((unsigned char)c) || c == '_')
            return parse_name(parser);
        return syntax_error(parser, "an axis, `1`, `{` or a bracket");
    }
}

// "[" number ("," number)* "]"
static const Expr *parse_offsets(Parser *parser, const Expr *inner, int64_t start)
{
    NumberList offsets = {0};
    parser->at++;
    do {
        int64_t offset;
        if (!parse_number(parser, &offset))
            return poison_from(parser, start);
        *array_push(parser->diags->arena, &offsets, int64_t) = offset;
    } while (accept(parser, ','));
    expect(parser, ']', "`,` or `]`");
    return expr_list(parser->diags, span_from(parser, start), inner, &offsets);
}

static ExprKind operator_kind(char c)
{
    for (ExprKind kind = EXPR_STRIDE; kind <= EXPR_OFFSET; kind++)
        if (expr_signs[kind] && *expr_signs[kind] == c)
            return kind;
    return EXPR_POISON;
}

// Operators apply from left to right. "#_" is the hole that a strict division leaves; after "@" a
// list of positions may stand in place of one.
static const Expr *parse_expr(Parser *parser)
{
    peek(parser);
    int64_t start = parser->at;
    const Expr *expr = parse_primary(parser);
    for (;;) {
        ExprKind kind = operator_kind(peek(parser));
        if (kind == EXPR_POISON || parser->failed)
            return expr;
        parser->at++;
        if (kind == EXPR_OFFSET && peek(parser) == '[') {
            expr = parse_offsets(parser, expr, start);
            continue;
        }
        bool hole = kind == EXPR_PADDING && parser->at < parser->text.len &&
                    parser->text.data[parser->at] == '_';
        int64_t number;
        parser->at += hole;
        if (!parse_number(parser, &number))
            return poison_from(parser, start);
        if (hole)
            expr = expr_hole(parser->diags, span_from(parser, start), expr, number);
        else
            expr = expr_operator(parser->diags, span_from(parser, start), kind, expr, number);
    }
}

static bool parse_padding(Parser *parser, int64_t *number)
{
    return expect(parser, '#', "`# n`") && parse_number(parser, number);
}

static const Expr *parse_sum(Parser *parser)
{
    int64_t before = 0, after = 0;
    bool around = peek(parser) == '#';
    int64_t start = parser->at;
    if (around && (!parse_padding(parser, &before) || !expect(parser, '+', "`+` and a mapping")))
        return poison_from(parser, start);
    const Expr *inner = parse_expr(parser);
    if (accept(parser, '+')) {
        around = true;
        if (!parse_padding(parser, &after))
            return poison_from(parser, start);
    }
    return around ? expr_around(parser->diags, span_from(parser, start), before, inner, after)
                  : inner;
}

static const Expr *parse_mapping(Parser *parser)
{
    ExprList items = {0};
    peek(parser);
    int64_t start = parser->at;
    do
        *array_push(parser->diags->arena, &items, const Expr *) = parse_sum(parser);
    while (!parser->failed && accept(parser, ','));
    return expr_pair(parser->diags, span_from(parser, start), &items);
}

// A mapping that fills the rest of the text.
static const Expr *parse_all(Parser *parser)
{
    const Expr *expr = parse_mapping(parser);
    if (!parser->failed && !at_end(parser))
        syntax_error(parser, "`,`, an operator or the end");
    return parser->failed ? expr_poison(parser->diags, expr->span) : expr;
}

const Expr *mapping_parse(Scope *scope, DiagList *diags, int32_t source, Str text)
{
    return mapping_parse_at(scope, diags, source, text, 0);
}

const Expr *mapping_parse_at(Scope *scope, DiagList *diags, int32_t source, Str text, int64_t start)
{
    Parser parser = {.scope = scope, .diags = diags, .source = source, .text = text, .at = start};
    return parse_all(&parser);
}

// ---- names

Scope scope_new(Arena *arena)
{
    return (Scope){.arena = arena, .names = {.arena = arena}, .entries = {.arena = arena}};
}

ScopeEntry *scope_find(Scope *scope, Str name)
{
    return map_get(&scope->entries, intern(&scope->names, name));
}

ScopeEntry *scope_add(Scope *scope, Span span, Str name)
{
    ScopeEntry *entry = arena_new(scope->arena, ScopeEntry, 1);
    *entry = (ScopeEntry){.name = intern(&scope->names, name), .span = span};
    *array_push(scope->arena, scope, ScopeEntry *) = entry;
    map_put(&scope->entries, entry->name, entry);
    return entry;
}

// name = upper (letter | digit | "_")*; definitions and skewed axes may end in primes
static bool is_name(Str name, bool primes)
{
    int64_t end = name.len;
    while (primes && end > 1 && name.data[end - 1] == '\'')
        end--;
    if (end == 0 || !(name.data[0] >= 'A' && name.data[0] <= 'Z'))
        return false;
    for (int64_t i = 1; i < end; i++) {
        unsigned char c = (unsigned char)name.data[i];
        if (c >= 0x80 || !(isalnum(c) || c == '_'))
            return false;
    }
    return true;
}

static bool check_name(Scope *scope, DiagList *diags, Span span, Str name, bool primes)
{
    if (!is_name(name, primes)) {
        diag_add(diags, DIAG_AXIS_NAME, span,
                 "`{}` is not a name: it must start with an upper-case letter, followed by "
                 "letters, digits or `_`",
                 name);
        return false;
    }
    const ScopeEntry *before = scope_find(scope, name);
    if (!before)
        return true;
    Diag *diag = diag_add(diags, DIAG_AXIS_REPEATED, span, "`{}` is declared twice", name);
    diag_note(diag, before->span, "first here");
    return false;
}

bool scope_add_axis(Scope *scope, DiagList *diags, Span span, Str name, int64_t size)
{
    if (!check_name(scope, diags, span, name, false))
        return false;
    if (size < 1) {
        diag_add(diags, DIAG_AXIS_SIZE, span,
                 "axis `{}` has size {}; an axis has at least one index", name, size);
        return false;
    }
    ScopeEntry *entry = scope_add(scope, span, name);
    entry->atom = atom_axis_declared(scope->arena, entry->name, size, span);
    return true;
}

bool scope_add_definition(Scope *scope, DiagList *diags, Span span, Str name, Str text,
                          int64_t start)
{
    if (!check_name(scope, diags, span, name, true))
        return false;
    ScopeEntry *entry = scope_add(scope, span, name);
    entry->text = text;
    entry->text_start = start;
    return true;
}

bool scope_add_skew(Scope *scope, DiagList *diags, Span span, Str name, const Atom *skew)
{
    if (!check_name(scope, diags, span, name, true))
        return false;
    scope_add(scope, span, name)->atom = skew;
    return true;
}

// ---- declarations

static Str scan_name(Parser *parser, Span *span)
{
    peek(parser);
    int64_t start = parser->at;
    while (parser->at < parser->text.len && (is_name_char(parser->text.data[parser->at]) ||
                                             (unsigned char)parser->text.data[parser->at] >= 0x80))
        parser->at++;
    *span = (Span){parser->source, start, parser->at};
    return str_slice(parser->text, start, parser->at);
}

static const Atom *plain_axis(Parser *parser)
{
    Span span;
    Str name = scan_name(parser, &span);
    const ScopeEntry *entry = scope_find(parser->scope, name);
    if (entry && entry->atom && entry->atom->kind == ATOM_AXIS)
        return entry->atom;
    diag_add(parser->diags, DIAG_SKEW_FORM, span,
             "`{}` is no axis declared before this one; a skewed axis is a difference of such axes",
             name);
    parser->failed = true;
    return NULL;
}

// Whether the value of `axis` depends, through the skewed axes declared so far, on that of `base`.
static bool depends_on(const Scope *scope, const Atom *axis, const Atom *base, int64_t depth)
{
    if (axis == base)
        return true;
    for (int64_t i = 0; i < scope->count && depth < scope->count; i++) {
        const Atom *skew = scope->items[i]->atom;
        bool along = skew && skew->kind == ATOM_SKEW && skew->base == axis;
        for (int64_t k = 0; along && k < skew->part_count; k++)
            if (depends_on(scope, skew->others[k], base, depth + 1))
                return true;
    }
    return false;
}

// skew = axis ("-" axis)+
// Each axis that is subtracted must not depend on the one that is skewed, or its value would be
// defined by itself.
static bool parse_skew(Parser *parser, Span span, Str name)
{
    AtomList parts = {0};
    const Atom *base = plain_axis(parser);
    if (!base)
        return false;
    while (accept(parser, '-')) {
        const Atom *axis = plain_axis(parser);
        if (!axis)
            return false;
        if (depends_on(parser->scope, axis, base, 0)) {
            diag_add(parser->diags, DIAG_SKEW_FORM, span,
                     "`{}` is `{}` shifted by `{}`, which depends on `{}` itself", name, base->name,
                     axis->name, base->name);
            parser->failed = true;
            return false;
        }
        // NAME = BASE - AXIS, so BASE = NAME + AXIS
        *array_push(parser->scope->arena, &parts, const Atom *) = axis;
    }
    if (!parts.count) {
        diag_add(parser->diags, DIAG_SKEW_FORM, span,
                 "`{}` is declared as another axis; write a size, or a difference such as `{}-X`",
                 name, base->name);
        return false;
    }
    Atom *skew = arena_new(parser->scope->arena, Atom, 1);
    *skew = (Atom){.kind = ATOM_SKEW,
                   .name = intern(&parser->scope->names, name),
                   .size = base->size,
                   .base = base,
                   .others = parts.items,
                   .part_count = parts.count};
    return scope_add_skew(parser->scope, parser->diags, span, name, skew);
}

// name "=" (number | skew)
static bool parse_axis(Parser *parser)
{
    Span span;
    Str name = scan_name(parser, &span);
    if (name.len == 0)
        return syntax_error(parser, "the name of an axis"), false;
    if (!expect(parser, '=', "`=` and a size"))
        return false;
    if (isalpha((unsigned char)peek(parser)))
        return parse_skew(parser, span, name);
    int64_t size;
    return parse_number(parser, &size) &&
           scope_add_axis(parser->scope, parser->diags, span, name, size);
}

bool scope_parse_axes(Scope *scope, DiagList *diags, int32_t source, Str text)
{
    Parser parser = {.scope = scope, .diags = diags, .source = source, .text = text};
    bool ok = true;
    if (accept_macro(&parser, STR("axes!"))) { // only what is inside the brackets
        Str inside = str_trim(text);
        char last = inside.data[inside.len - 1];
        parser.at++;
        if (last == ']' || last == ')')
            parser.text.len = inside.data + inside.len - 1 - text.data;
    }
    while (!at_end(&parser) && !parser.failed) {
        ok &= parse_axis(&parser);
        if (!parser.failed && !at_end(&parser) && !expect(&parser, ',', "`,` or the end"))
            ok = false;
    }
    return ok && !parser.failed;
}

bool scope_parse_definition(Scope *scope, DiagList *diags, int32_t source, Str text)
{
    Parser parser = {.scope = scope, .diags = diags, .source = source, .text = text};
    Span span;
    Str name = scan_name(&parser, &span);
    if (name.len == 0)
        return syntax_error(&parser, "the name of a definition"), false;
    if (!expect(&parser, '=', "`=` and a mapping"))
        return false;
    return scope_add_definition(scope, diags, span, name, text, parser.at);
}

bool scope_resolve(Scope *scope, DiagList *diags)
{
    Parser parser = {.scope = scope, .diags = diags};
    bool ok = true;
    for (int64_t i = scope->resolved; i < scope->count; i++) {
        ScopeEntry *entry = scope->items[i];
        if (!entry->atom)
            ok &= use_definition(&parser, entry->span, entry)->kind != EXPR_POISON;
        scope->resolved += ok;
    }
    return ok;
}

void scope_reopen(Scope *scope)
{
    for (int64_t i = scope->resolved; i < scope->count; i++) {
        ScopeEntry *entry = scope->items[i];
        if (entry->state == DEFINITION_DONE && entry->expr->kind == EXPR_POISON)
            entry->state = DEFINITION_TEXT;
    }
}
