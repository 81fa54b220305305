// Calls of macros in expressions.
#include "base/checked.h"
#include "lang/syntax/format_text.h"
#include "lang/syntax/parse_internal.h"
#include "lang/syntax/text.h"

#include <string.h>

// Macros that take expressions. What stands in any other is passed over.
static const char *const readable_macros[] = {
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
    "write",
    "writeln",
    "dbg",
    "debug_assert_eq",
    "debug_assert_ne",
    "include_bytes",
    "include_str",
    "concat",
    "env",
    "option_env",
    "line",
    "column",
    "file",
    "module_path",
    "compile_error",
    "format_args",
    "join",
    "try_join",
    "trace",
    "debug",
    "info",
    "warn",
    "error",
};

// Which argument is the format. Those that log take fields, too.
typedef struct {
    const char *name;
    int64_t format;
    bool logs;
} FormatMacro;

static const FormatMacro formats[] = {
    {"print", 0, false},
    {"println", 0, false},
    {"eprint", 0, false},
    {"eprintln", 0, false},
    {"format", 0, false},
    {"format_args", 0, false},
    {"panic", 0, false},
    {"todo", 0, false},
    {"unimplemented", 0, false},
    {"unreachable", 0, false},
    {"write", 1, false},
    {"writeln", 1, false},
    {"assert", 1, false},
    {"debug_assert", 1, false},
    {"assert_eq", 2, false},
    {"assert_ne", 2, false},
    {"debug_assert_eq", 2, false},
    {"debug_assert_ne", 2, false},
    {"trace", 0, true},
    {"debug", 0, true},
    {"info", 0, true},
    {"warn", 0, true},
    {"error", 0, true},
};

static const struct {
    const char *name, *construct;
} refused_macros[] = {
    {"asm", "inline assembly"},
    {"global_asm", "inline assembly"},
    {"naked_asm", "inline assembly"},
};

static bool is_readable(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(readable_macros); i++)
        if (!strcmp(name, readable_macros[i]))
            return true;
    return false;
}

// exprs, or expr ";" expr
static void parse_args(Parser *parser, AstExpr *expr)
{
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len, count = 0;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstExpr *item = parse_expr(parser);
        *stack_push(parser, AstExpr *) = item;
        if (count++ == 0 && parser_accept(parser, TOKEN_SEMICOLON)) {
            expr->macro.repeats = true;
            item = parse_expr(parser);
            *stack_push(parser, AstExpr *) = item;
            break;
        }
    }
    stack_take(parser, mark, &expr->macro.args, AstExpr *);
    parser_close(parser, group);
}

// name = value
static const char *argument_name(const AstExpr *arg)
{
    bool named = arg->kind == AST_ASSIGN && !arg->binary.compound &&
                 arg->binary.left->kind == AST_PATH && arg->binary.left->path.segments.count == 1;
    return named ? arg->binary.left->path.segments.items[0].name.text : NULL;
}

// Variables that a format names are expressions like others, where their names stand in it.
static void capture(Parser *parser, AstExpr *expr, const AstExpr *text)
{
    for (int64_t i = 0; i < expr->macro.format->captured.count; i++) {
        const FormatName *name = &expr->macro.format->captured.items[i];
        AstExpr *path = expr_new(parser, AST_PATH, parser_start(parser));
        path->span = path->path.span = literal_part(parser, text, name->at, name->end);
        *array_push(parser->arena, &path->path.segments, AstSegment) =
            (AstSegment){.name = {name->name, path->span}};
        *array_push(parser->arena, &expr->macro.captured, AstExpr *) = path;
    }
}

static const FormatMacro *format_macro_named(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

typedef struct {
    Arena *arena;
    Interner *interner;
    Str text;
    int64_t at;
    const char *const *names;
    int64_t next; // the argument that `{}` takes
    FormatText *out;
} Reader;

static void problem(Reader *reader, int64_t at, bool of_arguments, Str message)
{
    *array_push(reader->arena, &reader->out->problems, FormatProblem) =
        (FormatProblem){message, at, of_arguments};
}

static char peek(const Reader *reader)
{
    return reader->at < reader->text.len ? reader->text.data[reader->at] : 0;
}

static bool accept(Reader *reader, char c)
{
    bool there = reader->at < reader->text.len && peek(reader) == c;
    reader->at += there;
    return there;
}

static bool is_name(char c, bool first)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (uint8_t)c >= 0x80 ||
           (!first && c >= '0' && c <= '9');
}

static Str read_name(Reader *reader)
{
    int64_t start = reader->at;
    while (is_name(peek(reader), reader->at == start))
        reader->at++;
    return str_slice(reader->text, start, reader->at);
}

static bool read_number(Reader *reader, int64_t *number)
{
    int64_t start = reader->at;
    *number = 0;
    while (peek(reader) >= '0' && peek(reader) <= '9') {
        if (*number < 1000000)
            *number = *number * 10 + (peek(reader) - '0');
        reader->at++;
    }
    return reader->at > start;
}

// ---- arguments

static int64_t use_arg(Reader *reader, int64_t index, int64_t at)
{
    FormatText *out = reader->out;
    if (index >= out->given) {
        problem(reader, at, true,
                str_format(reader->arena, "the format wants argument {}, and {}", index,
                           out->given ? "there are fewer" : "there is none"));
        return 0;
    }
    out->used[index] = true;
    return index;
}

static int64_t use_name(Reader *reader, Str name)
{
    FormatText *out = reader->out;
    const char *wanted = intern(reader->interner, name);
    for (int64_t i = 0; i < out->given; i++)
        if (reader->names[i] == wanted)
            return use_arg(reader, i, reader->at);
    *array_push(reader->arena, &out->captured, FormatName) =
        (FormatName){wanted, reader->at - name.len, reader->at};
    return out->given + out->captured.count - 1;
}

// arg = number | name. False: neither stands here.
static bool read_arg(Reader *reader, int64_t *arg)
{
    int64_t at = reader->at, number;
    if (read_number(reader, &number)) {
        *arg = use_arg(reader, number, at);
        return true;
    }
    Str name = read_name(reader);
    if (!name.len)
        return false;
    *arg = use_name(reader, name);
    return true;
}

// ---- what stands behind the colon

static FormatAlign align_of(char c)
{
    return c == '<' ? ALIGN_LEFT : c == '^' ? ALIGN_CENTER : c == '>' ? ALIGN_RIGHT : ALIGN_NONE;
}

static void read_fill(Reader *reader, FormatSpec *spec)
{
    int64_t behind = reader->at;
    if (reader->at >= reader->text.len)
        return;
    uint32_t fill = text_decode(reader->text, &behind);
    if (behind < reader->text.len && align_of(reader->text.data[behind])) {
        spec->fill = fill;
        spec->align = align_of(reader->text.data[behind]);
        reader->at = behind + 1;
        return;
    }
    spec->align = align_of(peek(reader));
    reader->at += spec->align != ALIGN_NONE;
}

// count = number | arg "$"
static bool read_count(Reader *reader, bool *has, int64_t *number, int64_t *arg)
{
    int64_t start = reader->at;
    bool digits = read_number(reader, number);
    if (!digits)
        read_name(reader);
    bool dollar = reader->at > start && accept(reader, '$');
    if (dollar) {
        reader->at = start;
        read_arg(reader, arg);
        reader->at++;
    } else if (!digits) {
        reader->at = start; // the kind
        return false;
    }
    *has = true;
    return true;
}

static void read_kind(Reader *reader, FormatSpec *spec)
{
    static const struct {
        const char *text;
        FormatKind kind, debug_hex;
    } kinds[] = {{"", FORMAT_DISPLAY, 0},
                 {"?", FORMAT_DEBUG, 0},
                 {"x?", FORMAT_DEBUG, FORMAT_HEX},
                 {"X?", FORMAT_DEBUG, FORMAT_UPPER_HEX},
                 {"x", FORMAT_HEX, 0},
                 {"X", FORMAT_UPPER_HEX, 0},
                 {"o", FORMAT_OCTAL, 0},
                 {"b", FORMAT_BINARY, 0},
                 {"e", FORMAT_EXP, 0},
                 {"E", FORMAT_UPPER_EXP, 0},
                 {"p", FORMAT_POINTER, 0}};
    int64_t start = reader->at;
    while (reader->at < reader->text.len && peek(reader) != '}')
        reader->at++;
    Str text = str_trim(str_slice(reader->text, start, reader->at));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (str_equal(text, str_from(kinds[i].text))) {
            spec->kind = kinds[i].kind;
            spec->debug_hex = kinds[i].debug_hex;
            return;
        }
    problem(reader, start, false,
            str_format(reader->arena, "`{}` is no way to format a value", text));
}

// spec = (fill? align)? sign? "#"? "0"? width? ("." precision)? kind
static void read_spec(Reader *reader, FormatPart *part)
{
    FormatSpec *spec = &part->spec;
    read_fill(reader, spec);
    spec->plus = accept(reader, '+');
    if (!spec->plus)
        accept(reader, '-');
    spec->alternate = accept(reader, '#');
    bool zero = peek(reader) == '0' &&
                !(reader->at + 1 < reader->text.len && reader->text.data[reader->at + 1] == '$');
    if (zero)
        reader->at++;
    spec->zero = zero;
    read_count(reader, &spec->has_width, &spec->width, &part->width_arg);
    if (accept(reader, '.')) {
        if (accept(reader, '*')) {
            part->precision_arg = use_arg(reader, reader->next++, reader->at);
            spec->has_precision = true;
        } else {
            read_count(reader, &spec->has_precision, &spec->precision, &part->precision_arg);
        }
    }
    read_kind(reader, spec);
}

// "{" arg? (":" spec)? "}"
static void read_value(Reader *reader, FormatPart *part)
{
    int64_t start = reader->at - 1;
    Str unclosed = STR("a `{` is never closed; write `{{` for the brace itself");
    part->width_arg = part->precision_arg = FORMAT_NO_ARG;
    if (reader->at >= reader->text.len) {
        problem(reader, start, false, unclosed);
        return;
    }
    part->has_value = true;
    while (accept(reader, ' '))
        continue;
    bool explicit = read_arg(reader, &part->arg);
    while (accept(reader, ' '))
        continue;
    if (accept(reader, ':'))
        read_spec(reader, part);
    if (!explicit) // `.*` takes its argument first
        part->arg = use_arg(reader, reader->next++, start);
    if (accept(reader, '}'))
        return;
    problem(reader, start, false,
            reader->at >= reader->text.len
                ? unclosed
                : STR("what stands between these braces is no argument"));
    while (reader->at < reader->text.len && !accept(reader, '}'))
        reader->at++;
}

static void read_parts(Reader *reader)
{
    StrBuf text = {.arena = reader->arena};
    while (reader->at < reader->text.len) {
        char c = reader->text.data[reader->at++];
        bool brace = c == '{' || c == '}';
        if (!brace || accept(reader, c)) {
            buf_add_char(&text, c);
            continue;
        }
        if (c == '}') {
            problem(reader, reader->at - 1, false,
                    STR("a `}` closes nothing; write `}}` for the brace itself"));
            continue;
        }
        FormatPart part = {.text = buf_str(&text)};
        text = (StrBuf){.arena = reader->arena};
        read_value(reader, &part);
        *array_push(reader->arena, &reader->out->parts, FormatPart) = part;
    }
    if (text.len)
        *array_push(reader->arena, &reader->out->parts, FormatPart) =
            (FormatPart){.text = buf_str(&text)};
}

// `names`: of each argument behind the format, NULL where it has none.
static FormatText *format_parse(Arena *arena, Interner *interner, Str text,
                                const char *const *names, int64_t count)
{
    FormatText *out = arena_new(arena, FormatText, 1);
    out->given = count;
    out->used = arena_new(arena, bool, (size_t)count + 1);
    Reader reader = {arena, interner, text, 0, names, 0, out};
    read_parts(&reader);
    return out;
}

// Of a text that is none.
static FormatText *format_refused(Arena *arena, Str why, int64_t count)
{
    FormatText *out = arena_new(arena, FormatText, 1);
    out->given = count;
    out->used = arena_new(arena, bool, (size_t)count + 1);
    Reader reader = {.arena = arena, .out = out};
    problem(&reader, 0, false, why);
    return out;
}

static void parse_format(Parser *parser, AstExpr *expr)
{
    const FormatMacro *macro = format_macro_named(expr->macro.name.text);
    const AstExprs *args = &expr->macro.args;
    if (!macro || macro->format >= args->count || expr->macro.repeats)
        return;
    int64_t at = macro->format, count = args->count - at - 1;
    const AstExpr *text = args->items[at];
    if (text->kind != AST_LITERAL || text->literal.kind != LITERAL_STRING) {
        bool may_be_text = text->kind == AST_MACRO || text->kind == AST_ERROR || macro->logs;
        if (!may_be_text)
            expr->macro.format =
                format_refused(parser->arena, STR("a format must be a string literal"), count);
        return;
    }
    const char **names = arena_new(parser->arena, const char *, (size_t)max_i64(1, count));
    for (int64_t i = 0; i < count; i++)
        names[i] = argument_name(args->items[at + 1 + i]);
    expr->macro.format =
        format_parse(parser->arena, parser->names, text->literal.text, names, count);
    capture(parser, expr, text);
}

static AstExpr *new_bool(Parser *parser, bool value)
{
    AstExpr *expr = expr_new(parser, AST_LITERAL, parser_start(parser));
    expr->literal.kind = LITERAL_BOOL;
    expr->literal.integer = value;
    return expr;
}

// matches!(expr, pattern if guard) is (match (expr) { pattern if guard => true, _ => false })
static AstExpr *parse_matches(Parser *parser, int64_t start)
{
    AstExpr *expr = expr_new(parser, AST_PAREN, start);
    AstExpr *match = expr_new(parser, AST_MATCH, start);
    AstArm arms[2] = {0};
    Group group = parser_open(parser);
    expr->inner = match;
    match->match.inner = expr_new(parser, AST_PAREN, parser_start(parser)); // may be a structure
    match->match.inner->inner = parse_expr(parser);
    match->match.inner->span = match->match.inner->inner->span;
    parser_expect(parser, TOKEN_COMMA);
    arms[0].pattern = parse_pattern(parser);
    if (parser_accept(parser, TOKEN_IF))
        arms[0].guard = parse_expr(parser);
    parser_accept(parser, TOKEN_COMMA);
    parser_close(parser, group);
    arms[0].body = new_bool(parser, true);
    arms[1].body = new_bool(parser, false);
    arms[1].pattern = arena_new(parser->arena, AstPattern, 1);
    arms[1].pattern->kind = PATTERN_WILDCARD;
    match->span = arms[0].span = arms[1].span = arms[1].pattern->span = parser_span(parser, start);
    for (size_t i = 0; i < COUNT_OF(arms); i++)
        *array_push(parser->arena, &match->match.arms, AstArm) = arms[i];
    return expr;
}

// m![..] where a value should stand. What is not a plain mapping gets no replacement.
static AstExpr *parse_misplaced_mapping(Parser *parser, bool is_plain, int64_t start)
{
    is_plain &= parser_at(parser, TOKEN_OPEN_SQUARE);
    parser_skip_group(parser);
    Span span = parser_span(parser, start);
    Str text = str_slice(parser->text, span.start, span.end);
    Diag *diag = parser_report(parser, DIAG_MAPPING_TEXT, span,
                               "a mapping is a type, and an expression should stand here");
    bool path = parser_at(parser, TOKEN_COLON_COLON);
    if (diag && is_plain) {
        diag_help(diag, path ? "write `<{}>::`" : "its size is `<{}>::SIZE`", text);
        diag_edit(diag, span, path ? "<{}>" : "<{}>::SIZE", text);
    }
    if (parser_accept(parser, TOKEN_COLON_COLON))
        parse_path(parser, PATH_EXPR);
    return expr_new(parser, AST_ERROR, start);
}

// cfg!(predicate) is true or false.
static AstExpr *parse_cfg(Parser *parser, int64_t start)
{
    Str predicate = parser_plain_text(parser, parser->at + 1, parser_token(parser)->match);
    AstExpr *expr = expr_new(parser, AST_LITERAL, start);
    expr->literal.kind = LITERAL_BOOL;
    parser_skip_group(parser);
    expr->span = parser_span(parser, start);
    expr->literal.integer = parser_cfg_holds(parser, predicate, expr->span);
    return expr;
}

static bool refuse_macro(Parser *parser, const char *name, int64_t start)
{
    for (size_t i = 0; i < COUNT_OF(refused_macros); i++) {
        if (strcmp(name, refused_macros[i].name))
            continue;
        parser_skip_group(parser);
        parser_unsupported(parser, parser_span(parser, start), refused_macros[i].construct);
        return true;
    }
    return false;
}

// path "!" brackets. Requires: at "!", a bracket follows.
AstExpr *parse_macro(Parser *parser, AstPath path, int64_t start)
{
    AstName name = path.segments.items[path.segments.count - 1].name;
    const MacroRules *rules = macro_find(parser, name.text);
    parser_next(parser);
    if (rules)
        return macro_expr(parser, rules, start);
    if (!strcmp(name.text, "m"))
        return parse_misplaced_mapping(parser, path.segments.count == 1, start);
    if (!strcmp(name.text, "matches"))
        return parse_matches(parser, start);
    if (!strcmp(name.text, "cfg"))
        return parse_cfg(parser, start);
    if (refuse_macro(parser, name.text, start))
        return expr_new(parser, AST_ERROR, start);
    AstExpr *expr = expr_new(parser, AST_MACRO, start);
    expr->macro.name = name;
    expr->macro.readable = is_readable(name.text);
    if (!expr->macro.readable) {
        parser_skip_group(parser);
        return expr;
    }
    parse_args(parser, expr);
    parse_format(parser, expr);
    return expr;
}
