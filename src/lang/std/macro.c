// The macros of a running program: printing, assertions, panics, formatted text.
#include "base/checked.h"
#include "lang/eval/drop.h"
#include "lang/eval/kernel.h"
#include "lang/std/native.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/text.h"

#include <string.h>

// ---- the end of a program

// The place in the program whose call led here: users do not look for a mistake in the library.
static Span place_in_program(const Trace *trace, Span span)
{
    const Lang *lang = trace->lang;
    int32_t prelude = lang->prelude->decl->span.source, std = lang->std_prelude->decl->span.source;
    const CallSite *site = trace->site;
    for (; site && (span.source == prelude || span.source == std); site = site->outer)
        span = site->span;
    return span;
}

Value trace_panic(Trace *trace, Span span, Str message)
{
    if (trace->flow != FLOW_ON)
        return poison_value();
    span = place_in_program(trace, span);
    if (trace->run) {
        trace->run->panicked = true;
        trace->run->message = message;
        trace->run->where = span;
    } else if (trace_rules(trace)->says_panics && !trace->uncertain) {
        diag_add(trace->lang->diags, DIAG_PANICS, span, "{} panics here: {}", root_words(trace),
                 message);
    }
    trace->flow = FLOW_STOP;
    return poison_value();
}

Value trace_not_run(Trace *trace, Span span)
{
    if (trace->flow != FLOW_ON)
        return poison_value();
    diag_add(trace->lang->diags, DIAG_NOT_RUN, span,
             "what runs next depends on this value, which Contra cannot compute");
    return run_refuse(trace, span, trace->lang->diags->count - 1);
}

// ---- formats

static Type *type_here(const Trace *trace, const AstExpr *expr)
{
    return body_type(trace->frame->body, expr);
}

static const AstExpr *bare(const AstExpr *arg)
{
    return arg->kind == AST_ASSIGN ? arg->binary.right : arg; // name = value
}

typedef struct {
    Value value;
    Type *type;
} Argument;

// The arguments behind the format, then what it captures.
static Argument *arguments_of(Trace *trace, const AstExpr *expr, int64_t first)
{
    const AstExprs *args = &expr->macro.args, *captured = &expr->macro.captured;
    int64_t given = args->count - first - 1, count = given + captured->count;
    Argument *out = arena_new(trace->lang->arena, Argument, (size_t)max_i64(1, count));
    for (int64_t i = 0; i < count; i++) {
        const AstExpr *arg =
            i < given ? bare(args->items[first + 1 + i]) : captured->items[i - given];
        out[i] = (Argument){trace_expr(trace, arg), type_here(trace, arg)};
        if (follows_drops(trace) && !is_place_expr(arg) && type_drops(trace, out[i].type))
            drops_keep(trace, out[i].value);
    }
    return out;
}

// The width or precision that an argument says.
static int64_t count_of(Trace *trace, const AstExpr *expr, const Argument *args, int64_t index)
{
    Value value = value_strip(args[index].value);
    if (value.kind != VALUE_INT)
        return 0;
    if (value.integer < 0 || value.integer > UINT16_MAX)
        trace_panic(trace, expr->span, STR("Formatting argument out of range"));
    return value.integer;
}

static void add_parts(Trace *trace, StrBuf *out, const AstExpr *expr, const Argument *args)
{
    const FormatText *format = expr->macro.format;
    for (int64_t i = 0; i < format->parts.count && trace->flow == FLOW_ON; i++) {
        const FormatPart *part = &format->parts.items[i];
        buf_add(out, part->text);
        if (!part->has_value)
            continue;
        FormatSpec spec = part->spec;
        if (part->width_arg != FORMAT_NO_ARG)
            spec.width = count_of(trace, expr, args, part->width_arg);
        if (part->precision_arg != FORMAT_NO_ARG)
            spec.precision = count_of(trace, expr, args, part->precision_arg);
        if (spec.kind == FORMAT_POINTER)
            run_unknown(trace, expr->span, "`{:p}`, the address of a value,", NULL);
        if (trace->flow == FLOW_ON)
            format_value(trace, out, args[part->arg].value, args[part->arg].type, &spec);
    }
}

// The text that the format at argument `first` makes of what follows it.
static Str format_macro(Trace *trace, const AstExpr *expr, int64_t first)
{
    StrBuf out = {.arena = trace->lang->arena};
    const FormatText *format = expr->macro.format;
    if (expr->macro.args.count <= first)
        return STR("");
    if (!format) { // a text that is no literal
        Value value = value_strip(trace_expr(trace, expr->macro.args.items[first]));
        return value.kind == VALUE_STRING ? value.text : STR("");
    }
    Argument *args = arguments_of(trace, expr, first);
    if (trace->flow == FLOW_ON && !format->problems.count)
        add_parts(trace, &out, expr, args);
    return buf_str(&out);
}

// ---- printing

// A chip has nowhere to print to. A function that no kernel calls may belong to the host.
static void warn_of_print(Trace *trace, const AstExpr *expr)
{
    if (!is_kernel(trace->root) || trace->flow != FLOW_ON)
        return;
    Diag *diag = diag_add(trace->lang->diags, DIAG_PRINT_ON_DEVICE, expr->span,
                          "a chip ignores `{}!`: nothing is printed when {} runs",
                          expr->macro.name.text, root_words(trace));
    diag_help(diag, "print in the host function that launches the kernel");
}

static Value print_macro(Trace *trace, const AstExpr *expr)
{
    const char *name = expr->macro.name.text;
    if (!trace->run) {
        warn_of_print(trace, expr);
        return unit_value();
    }
    bool is_error = name[0] == 'e';
    bool line = strcmp(name + is_error, "println") == 0;
    Str text = format_macro(trace, expr, 0);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (line)
        text = str_format(trace->lang->arena, "{}\n", text);
    trace->run->print(trace->run->own, text, is_error);
    return unit_value();
}

static Value text_macro(Trace *trace, const AstExpr *expr)
{
    return value_text(format_macro(trace, expr, 0));
}

static Value drop_macro(Trace *trace, const AstExpr *expr)
{
    format_macro(trace, expr, 0);
    return unit_value();
}

// write!(to, ..): to a formatter, a String, bytes, or where a program prints.
static void write_to(Trace *trace, Value *to, Str text)
{
    for (int i = 0; i < 64 && to->kind == VALUE_REF; i++)
        to = to->place;
    if (to->kind == VALUE_FORMATTER) {
        buf_add(to->formatter->out, text);
    } else if (to->kind == VALUE_STRING) {
        text_append(trace, to, text);
    } else if (to->kind == VALUE_LIST) {
        for (int64_t i = 0; i < text.len; i++)
            list_push(trace, to->list, value_int((uint8_t)text.data[i]));
    } else if (value_variant(*to)) {
        trace->run->print(trace->run->own, text, strcmp(value_variant(*to)->name, "Stderr") == 0);
    }
}

static Value write_macro(Trace *trace, const AstExpr *expr)
{
    if (!expr->macro.args.count)
        return VALUE_NOTHING;
    const AstExpr *target = expr->macro.args.items[0];
    Value *place = trace_place(trace, target), local;
    if (!place) {
        local = trace_expr(trace, target);
        place = &local;
    }
    Str text = format_macro(trace, expr, 1);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (strcmp(expr->macro.name.text, "writeln") == 0)
        text = str_format(trace->lang->arena, "{}\n", text);
    write_to(trace, place, text);
    return ok_value(trace, unit_value());
}

static Value dbg_macro(Trace *trace, const AstExpr *expr)
{
    if (!expr->macro.args.count)
        return unit_value();
    const AstExpr *arg = expr->macro.args.items[0];
    Value value = trace_moved(trace, arg);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (!trace->run) {
        warn_of_print(trace, expr);
        return value;
    }
    const Source *source = &trace->lang->sources->items[arg->span.source];
    StrBuf text = {.arena = trace->lang->arena};
    buf_format(&text, "{} = ", str_slice(source->text, arg->span.start, arg->span.end));
    format_value(trace, &text, value, type_here(trace, arg),
                 &(FormatSpec){.kind = FORMAT_DEBUG, .alternate = true});
    buf_add_char(&text, '\n');
    trace->run->print(trace->run->own, buf_str(&text), true);
    return value;
}

// ---- panics

static const struct {
    const char *name, *alone, *before; // without a message; before one
} panics[] = {
    {"panic", "explicit panic", ""},
    {"todo", "not yet implemented", "not yet implemented: "},
    {"unimplemented", "not implemented", "not implemented: "},
    {"unreachable", "internal error: entered unreachable code",
     "internal error: entered unreachable code: "},
};

static Value panic_macro(Trace *trace, const AstExpr *expr)
{
    for (size_t i = 0; i < COUNT_OF(panics); i++) {
        if (strcmp(panics[i].name, expr->macro.name.text) != 0)
            continue;
        if (!expr->macro.args.count)
            return trace_panic(trace, expr->span, str_from(panics[i].alone));
        Str text = format_macro(trace, expr, 0);
        return trace_panic(trace, expr->span,
                           str_format(trace->lang->arena, "{}{}", panics[i].before, text));
    }
    return poison_value();
}

// A program that is only looked at ends here, which is said of a kernel.
static Value stop(Trace *trace, const AstExpr *expr)
{
    const char *name = expr->macro.name.text;
    bool deliberate = strcmp(name, "panic") == 0 || strcmp(name, "unreachable") == 0;
    if (deliberate && trace_rules(trace)->says_panics && !trace->uncertain &&
        trace->flow == FLOW_ON)
        diag_add(trace->lang->diags, DIAG_PANICS, expr->span,
                 "{} runs into this `{}!` whatever its data", root_words(trace), name);
    trace->flow = FLOW_STOP;
    return poison_value();
}

// ---- texts known before the program runs

static Value concat_macro(Trace *trace, const AstExpr *expr)
{
    StrBuf text = {.arena = trace->lang->arena};
    for (int64_t i = 0; i < expr->macro.args.count; i++) {
        const AstExpr *arg = expr->macro.args.items[i];
        format_value(trace, &text, trace_expr(trace, arg), type_here(trace, arg), &(FormatSpec){0});
    }
    return value_text(buf_str(&text));
}

// A file beside the source, as text or as bytes.
static Value include_macro(Trace *trace, const AstExpr *expr)
{
    Value path = expr->macro.args.count ? value_strip(trace_expr(trace, expr->macro.args.items[0]))
                                        : VALUE_NOTHING;
    if (path.kind != VALUE_STRING)
        return VALUE_NOTHING;
    Lang *lang = trace->lang;
    Str source = lang->sources->items[expr->span.source].name, text;
    int64_t folder = source.len;
    while (folder > 0 && source.data[folder - 1] != '/')
        folder--;
    bool absolute = path.text.len && path.text.data[0] == '/';
    Str file = absolute ? path.text
                        : str_format(lang->arena, "{}{}", ((Str){source.data, folder}), path.text);
    if (!lang_read_named(lang, file, &text))
        return trace_panic(trace, expr->span, str_format(lang->arena, "cannot read `{}`", file));
    return strcmp(expr->macro.name.text, "include_str") == 0 ? value_text(text)
                                                             : bytes_value(trace, text);
}

static Value place_macro(Trace *trace, const AstExpr *expr)
{
    const Source *source = &trace->lang->sources->items[expr->span.source];
    const char *name = expr->macro.name.text;
    int64_t line = 1, start = 0;
    for (int64_t i = 0; i < expr->span.start; i++)
        if (source->text.data[i] == '\n') {
            line++;
            start = i + 1;
        }
    if (strcmp(name, "line") == 0)
        return value_int(line);
    if (strcmp(name, "column") == 0)
        return value_int(expr->span.start - start + 1);
    return value_text(strcmp(name, "file") == 0 ? source->name
                                                : str_from(trace->frame->body->scope->name));
}

// What stands between the brackets.
static Str macro_text(const Trace *trace, const AstExpr *expr)
{
    Str text = lang_text(trace->lang, expr->span);
    int64_t start = expr->macro.name.span.end - expr->span.start;
    while (start < text.len && !strchr("([{", text.data[start]))
        start++;
    return str_trim(str_slice(text, min_i64(start + 1, text.len), max_i64(start, text.len - 1)));
}

static Value stringify_macro(Trace *trace, const AstExpr *expr)
{
    return value_text(macro_text(trace, expr));
}

// As in a release build of the tests.
static Value cfg_macro(Trace *trace, const AstExpr *expr)
{
    Str text = macro_text(trace, expr);
    bool negated = str_starts_with(text, STR("not(")) && text.len > 5;
    if (negated)
        text = str_trim(str_slice(text, 4, text.len - 1));
    bool holds = str_equal(text, STR("test")) && strcmp(trace->root->name, "main") != 0;
    return value_bool(holds != negated);
}

// ---- futures

// All of them are made, then each runs to its end; try_join! leaves at the first Err.

// ---- assertions

// Assertions, and what they say of the two sides where they fail. The message is the language's;
// people get of long lists and texts what differs.

// ---- long sides

enum {
    LONG_TEXT = 400, // bytes of a side that is not shown whole
    MOST_LEVELS = 8, // of lists in lists that are looked into
    NEAR_ITEMS = 3,  // on both sides of the first that differs
    NEAR_CHARS = 24,
    ITEM_CHARS = 60,
};

typedef struct {
    Value value;
    Type *type;
    Str text; // as Debug writes it
} Side;

static Str debug_text(Trace *trace, Value value, Type *type)
{
    StrBuf text = {.arena = trace->lang->arena};
    format_value(trace, &text, value, type, &(FormatSpec){.kind = FORMAT_DEBUG});
    return buf_str(&text);
}

static Side side_of(Trace *trace, Value value, Type *type)
{
    return (Side){value_strip(value), type, debug_text(trace, value, type)};
}

// What lists of lists have at their ends, and where the first two of these differ.
typedef struct {
    int64_t total, different;
    int64_t path[MOST_LEVELS];
    int32_t depth;
    Value left, right; // the first that differ
    Type *left_type, *right_type;
    const ValueList *left_list, *right_list; // they are in
    bool same_shape;
} Difference;

static bool is_list(Value value, Type *type)
{
    type = value_inner_type(type);
    return value.kind == VALUE_LIST && type &&
           (type->kind == TYPE_ARRAY || type->kind == TYPE_SLICE || type_is_named(type, "Vec") ||
            type_is_named(type, "VecDeque"));
}

static void compare_lists(Trace *trace, Difference *found, Value left, Type *left_type, Value right,
                          Type *right_type, int64_t *path, int32_t depth)
{
    const ValueList *a = left.list, *b = right.list;
    found->same_shape &= a->count == b->count;
    for (int64_t i = 0; i < a->count && i < b->count; i++) {
        Type *types[] = {value_item_type(trace, left_type, left, i),
                         value_item_type(trace, right_type, right, i)};
        Value x = value_strip(a->items[i]), y = value_strip(b->items[i]);
        bool known = true;
        path[depth] = i;
        if (depth + 1 < MOST_LEVELS && is_list(x, types[0]) && is_list(y, types[1])) {
            compare_lists(trace, found, x, types[0], y, types[1], path, depth + 1);
            continue;
        }
        found->total++;
        if (value_equals(trace, x, y, types[0], &known) || !known)
            continue;
        if (!found->different++) {
            memcpy(found->path, path, sizeof found->path);
            found->depth = depth + 1;
            found->left = x;
            found->right = y;
            found->left_type = types[0];
            found->right_type = types[1];
            found->left_list = a;
            found->right_list = b;
        }
    }
}

static Str clipped(Trace *trace, Str text)
{
    int64_t end = 0;
    for (int64_t i = 0; i < ITEM_CHARS && end < text.len; i++)
        text_decode(text, &end);
    return end < text.len ? str_format(trace->lang->arena, "{}..", ((Str){text.data, end})) : text;
}

static void add_place(StrBuf *out, const int64_t *path, int32_t depth)
{
    for (int32_t i = 0; i < depth; i++)
        buf_format(out, "[{}]", path[i]);
}

// " left from [2][4]: .., 4, 5, 6, .."
static void add_near(Trace *trace, StrBuf *out, const char *name, const Difference *found,
                     const ValueList *list, Type *type)
{
    int32_t last = found->depth - 1;
    int64_t at = found->path[last];
    int64_t from = max_i64(0, at - NEAR_ITEMS), to = min_i64(list->count, at + NEAR_ITEMS + 1);
    buf_format(out, "\n{} from ", name);
    add_place(out, found->path, last);
    buf_format(out, "[{}]: {}", from, from ? ".., " : "");
    for (int64_t i = from; i < to; i++)
        buf_format(out, "{}{}", i > from ? ", " : "",
                   clipped(trace, debug_text(trace, list->items[i], type)));
    buf_add(out, to < list->count ? STR(", ..") : STR(""));
}

static void describe_lists(Trace *trace, StrBuf *out, const Side *left, const Side *right)
{
    int64_t path[MOST_LEVELS] = {0};
    Difference found = {.same_shape = true};
    compare_lists(trace, &found, left->value, value_inner_type(left->type), right->value,
                  value_inner_type(right->type), path, 0);
    if (!found.same_shape)
        buf_format(out, "left has {} elements, right {}; ", left->value.list->count,
                   right->value.list->count);
    buf_format(out, "{} of {} elements differ{}", found.different, found.total,
               found.same_shape ? "" : " of those that both have");
    if (!found.different)
        return;
    buf_add(out, STR(", first at "));
    add_place(out, found.path, found.depth);
    buf_format(out, ": left {}, right {}",
               clipped(trace, debug_text(trace, found.left, found.left_type)),
               clipped(trace, debug_text(trace, found.right, found.right_type)));
    add_near(trace, out, " left", &found, found.left_list, found.left_type);
    add_near(trace, out, "right", &found, found.right_list, found.right_type);
}

// The characters around a place.
static void add_near_text(Trace *trace, StrBuf *out, const char *name, Str text, int64_t at)
{
    int64_t from = max_i64(0, at - NEAR_CHARS), to = min_i64(text.len, at + NEAR_CHARS);
    while (from > 0 && text_is_inside(text.data[from]))
        from--;
    while (to < text.len && text_is_inside(text.data[to]))
        to++;
    Str part = str_slice(text, from, to);
    buf_format(out, "\n{}: {}{}{}", name, from ? ".." : "",
               debug_text(trace, value_text(part), NULL), to < text.len ? ".." : "");
}

static void describe_texts(Trace *trace, StrBuf *out, Str left, Str right)
{
    int64_t at = 0;
    while (at < left.len && at < right.len && left.data[at] == right.data[at])
        at++;
    while (at > 0 && at < left.len && text_is_inside(left.data[at]))
        at--;
    buf_format(out, "left has {} characters, right {}; the first that differs is at [{}]",
               (long long)text_count(left), (long long)text_count(right),
               (long long)text_count(str_slice(left, 0, at)));
    add_near_text(trace, out, " left", left, at);
    add_near_text(trace, out, "right", right, at);
}

static Str compare_sides(Trace *trace, const Side *left, const Side *right, bool equal)
{
    StrBuf out = {.arena = trace->lang->arena};
    if (!equal)
        buf_format(&out, "both are {}", clipped(trace, left->text));
    else if (is_list(left->value, left->type) && is_list(right->value, right->type))
        describe_lists(trace, &out, left, right);
    else if (left->value.kind == VALUE_STRING && right->value.kind == VALUE_STRING)
        describe_texts(trace, &out, left->value.text, right->value.text);
    else
        describe_texts(trace, &out, left->text, right->text);
    return buf_str(&out);
}

// ---- assertions

typedef struct {
    bool known, holds;
    Value left, right;
} Assertion;

static bool is_pair(const AstExpr *expr)
{
    const char *name = expr->macro.name.text;
    return strstr(name, "assert_eq") || strstr(name, "assert_ne");
}

static Assertion assertion_of(Trace *trace, const AstExpr *expr)
{
    const AstExprs *args = &expr->macro.args;
    Assertion out = {.known = true};
    bool equal = strstr(expr->macro.name.text, "assert_eq") != NULL;
    if (is_pair(expr)) {
        out.left = trace_expr(trace, args->items[0]);
        out.right = trace_expr(trace, args->items[1]);
        if (trace->flow == FLOW_ON)
            out.holds = value_equals(trace, out.left, out.right, type_here(trace, args->items[0]),
                                     &out.known) == equal;
        return out;
    }
    out.left = value_strip(trace_expr(trace, args->items[0]));
    out.known = out.left.kind == VALUE_BOOL;
    out.holds = out.known && out.left.boolean;
    return out;
}

// The text of an expression on one line.
static Str written(Trace *trace, const AstExpr *expr)
{
    const Source *source = &trace->lang->sources->items[expr->span.source];
    Str text = str_slice(source->text, expr->span.start, expr->span.end);
    StrBuf out = {.arena = trace->lang->arena};
    for (int64_t i = 0; i < text.len; i++) {
        bool blank = text.data[i] == ' ' || text.data[i] == '\n' || text.data[i] == '\t';
        bool again = blank && out.len && out.data[out.len - 1] == ' ';
        if (!again)
            buf_add_char(&out, blank ? ' ' : text.data[i]);
    }
    return buf_str(&out);
}

static Value pair_fails(Trace *trace, const AstExpr *expr, const Assertion *failed, Str words)
{
    const AstExprs *args = &expr->macro.args;
    Arena *arena = trace->lang->arena;
    bool equal = strstr(expr->macro.name.text, "assert_eq") != NULL;
    Str title = str_format(arena, "assertion `left {} right` failed{}{}",
                           equal ? "==" : "!=", words.len ? ": " : "", words);
    Side left = side_of(trace, failed->left, type_here(trace, args->items[0]));
    Side right = side_of(trace, failed->right, type_here(trace, args->items[1]));
    Str text = str_format(arena, "{}\n  left: {}\n right: {}", title, left.text, right.text);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (left.text.len > LONG_TEXT || right.text.len > LONG_TEXT) {
        trace->run->title = title;
        trace->run->details = compare_sides(trace, &left, &right, equal);
    }
    return trace_panic(trace, expr->span, text);
}

static Value assertion_fails(Trace *trace, const AstExpr *expr, const Assertion *failed)
{
    const AstExprs *args = &expr->macro.args;
    bool pair = is_pair(expr), message = args->count > 1 + pair;
    Str words = message ? format_macro(trace, expr, 1 + pair) : STR("");
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (pair)
        return pair_fails(trace, expr, failed, words);
    if (!message)
        words =
            str_format(trace->lang->arena, "assertion failed: {}", written(trace, args->items[0]));
    return trace_panic(trace, expr->span, words);
}

// Of a program that is only looked at, with what its author has to say.
static void assertion_is_false(Trace *trace, const AstExpr *expr)
{
    bool message = expr->macro.args.count > 1 + is_pair(expr);
    Str words = message ? format_macro(trace, expr, 1 + is_pair(expr)) : STR("");
    Diag *diag = diag_add(trace->lang->diags, DIAG_PANICS, expr->span,
                          "this assertion fails whatever the data");
    if (words.len)
        diag_note(diag, SPAN_NOWHERE, "{}", words);
    trace->flow = FLOW_STOP;
}

static Value assert_macro(Trace *trace, const AstExpr *expr)
{
    if (trace_rules(trace)->only_looks || expr->macro.args.count < (is_pair(expr) ? 2 : 1))
        return VALUE_NOTHING;
    Assertion assertion = assertion_of(trace, expr);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (!assertion.known && trace->run)
        return trace_not_run(trace, expr->span);
    if (!assertion.known || assertion.holds)
        return unit_value();
    if (trace->run)
        return assertion_fails(trace, expr, &assertion);
    if (!trace->uncertain)
        assertion_is_false(trace, expr);
    return unit_value();
}

// A program runs as in a release build, which leaves these out.
static Value debug_assert_macro(Trace *trace, const AstExpr *expr)
{
    return trace->run ? unit_value() : assert_macro(trace, expr);
}

static Value join_macro(Trace *trace, const AstExpr *expr)
{
    const AstExprs *args = &expr->macro.args;
    bool tries = expr->macro.name.text[0] == 't';
    Value *parts = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, args->count)), field;
    for (int64_t i = 0; i < args->count; i++)
        parts[i] = trace_moved(trace, args->items[i]);
    for (int64_t i = 0; i < args->count && trace->flow == FLOW_ON; i++) {
        Value made = future_await(trace, parts[i], args->items[i]->span);
        bool failed = tries && is_variant(value_strip(made), "Err");
        for (int64_t k = i + 1; failed && k < args->count; k++)
            value_drop(trace, &parts[k]);
        if (failed)
            return made;
        parts[i] = tries && value_field(value_strip(made), &field) ? field : made;
    }
    if (trace->flow != FLOW_ON)
        return poison_value();
    Value all = list_value(trace, parts, args->count);
    return tries ? ok_value(trace, all) : all;
}

// ---- the table

static const struct {
    const char *name;
    Value (*run)(Trace *trace, const AstExpr *expr);
    bool always; // else only while a program runs
} macros[] = {
    {"print", print_macro, true},
    {"println", print_macro, true},
    {"eprint", print_macro, true},
    {"eprintln", print_macro, true},
    {"format", text_macro, false},
    {"format_args", text_macro, false},
    {"write", write_macro, false},
    {"writeln", write_macro, false},
    {"dbg", dbg_macro, true},
    {"panic", panic_macro, false},
    {"todo", panic_macro, false},
    {"unimplemented", panic_macro, false},
    {"unreachable", panic_macro, false},
    {"assert", assert_macro, true},
    {"assert_eq", assert_macro, true},
    {"assert_ne", assert_macro, true},
    {"debug_assert", debug_assert_macro, true},
    {"debug_assert_eq", debug_assert_macro, true},
    {"debug_assert_ne", debug_assert_macro, true},
    {"concat", concat_macro, true},
    {"join", join_macro, false},
    {"try_join", join_macro, false},

    {"include_bytes", include_macro, false},
    {"include_str", include_macro, false},
    {"cfg", cfg_macro, true},
    {"stringify", stringify_macro, true},
    {"line", place_macro, true},
    {"column", place_macro, true},
    {"file", place_macro, true},
    {"module_path", place_macro, true},
    {"trace", drop_macro, false},
    {"debug", drop_macro, false},
    {"info", drop_macro, false},
    {"warn", drop_macro, false},
    {"error", drop_macro, false},
};

// The number of the row with this name, found once: loops run the same macro over and over.
static size_t find_macro(Lang *lang, const char *name)
{
    size_t row = (size_t)(uintptr_t)map_get(&lang->macro_rows, name);
    if (row)
        return row - 1;
    while (row < COUNT_OF(macros) && strcmp(macros[row].name, name) != 0)
        row++;
    map_put(&lang->macro_rows, name, (void *)(uintptr_t)(row + 1));
    return row;
}

Value trace_macro(Trace *trace, const AstExpr *expr)
{
    if (!trace->run && type_here(trace, expr)->kind == TYPE_NEVER)
        return stop(trace, expr);
    size_t row = find_macro(trace->lang, expr->macro.name.text);
    bool runs = row < COUNT_OF(macros) && (trace->run || macros[row].always);
    return runs ? macros[row].run(trace, expr) : VALUE_NOTHING;
}
