// Assertions, and what they say of the two sides where they fail. The message is the language's;
// people get of long lists and texts what differs.
#include "lang/std/std.h"

#include "base/checked.h"
#include "lang/syntax/text.h"

#include <string.h>

static Type *type_here(const Trace *trace, const AstExpr *expr)
{
    return body_type(trace->frame->body, expr);
}

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
    return end < text.len ? str_format(trace->lang->arena, "%.*s..", (int)end, text.data) : text;
}

static void add_place(StrBuf *out, const int64_t *path, int32_t depth)
{
    for (int32_t i = 0; i < depth; i++)
        buf_printf(out, "[%lld]", (long long)path[i]);
}

// " left from [2][4]: .., 4, 5, 6, .."
static void add_near(Trace *trace, StrBuf *out, const char *name, const Difference *found,
                     const ValueList *list, Type *type)
{
    int32_t last = found->depth - 1;
    int64_t at = found->path[last];
    int64_t from = max_i64(0, at - NEAR_ITEMS), to = min_i64(list->count, at + NEAR_ITEMS + 1);
    buf_printf(out, "\n%s from ", name);
    add_place(out, found->path, last);
    buf_printf(out, "[%lld]: %s", (long long)from, from ? ".., " : "");
    for (int64_t i = from; i < to; i++)
        buf_printf(out, "%s%.*s", i > from ? ", " : "",
                   STR_ARG(clipped(trace, debug_text(trace, list->items[i], type))));
    buf_add(out, to < list->count ? STR(", ..") : STR(""));
}

static void describe_lists(Trace *trace, StrBuf *out, const Side *left, const Side *right)
{
    int64_t path[MOST_LEVELS] = {0};
    Difference found = {.same_shape = true};
    compare_lists(trace, &found, left->value, value_inner_type(left->type), right->value,
                  value_inner_type(right->type), path, 0);
    if (!found.same_shape)
        buf_printf(out, "left has %lld elements, right %lld; ", (long long)left->value.list->count,
                   (long long)right->value.list->count);
    buf_printf(out, "%lld of %lld elements differ%s", (long long)found.different,
               (long long)found.total, found.same_shape ? "" : " of those that both have");
    if (!found.different)
        return;
    buf_add(out, STR(", first at "));
    add_place(out, found.path, found.depth);
    buf_printf(out, ": left %.*s, right %.*s",
               STR_ARG(clipped(trace, debug_text(trace, found.left, found.left_type))),
               STR_ARG(clipped(trace, debug_text(trace, found.right, found.right_type))));
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
    buf_printf(out, "\n%s: %s%.*s%s", name, from ? ".." : "",
               STR_ARG(debug_text(trace, value_text(part), NULL)), to < text.len ? ".." : "");
}

static void describe_texts(Trace *trace, StrBuf *out, Str left, Str right)
{
    int64_t at = 0;
    while (at < left.len && at < right.len && left.data[at] == right.data[at])
        at++;
    while (at > 0 && at < left.len && text_is_inside(left.data[at]))
        at--;
    buf_printf(out, "left has %lld characters, right %lld; the first that differs is at [%lld]",
               (long long)text_count(left), (long long)text_count(right),
               (long long)text_count(str_slice(left, 0, at)));
    add_near_text(trace, out, " left", left, at);
    add_near_text(trace, out, "right", right, at);
}

static Str compare_sides(Trace *trace, const Side *left, const Side *right, bool equal)
{
    StrBuf out = {.arena = trace->lang->arena};
    if (!equal)
        buf_printf(&out, "both are %.*s", STR_ARG(clipped(trace, left->text)));
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
    Str title = str_format(arena, "assertion `left %s right` failed%s%.*s",
                           equal ? "==" : "!=", words.len ? ": " : "", STR_ARG(words));
    Side left = side_of(trace, failed->left, type_here(trace, args->items[0]));
    Side right = side_of(trace, failed->right, type_here(trace, args->items[1]));
    Str text = str_format(arena, "%.*s\n  left: %.*s\n right: %.*s", STR_ARG(title),
                          STR_ARG(left.text), STR_ARG(right.text));
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
        words = str_format(trace->lang->arena, "assertion failed: %.*s",
                           STR_ARG(written(trace, args->items[0])));
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
        diag_note(diag, SPAN_NOWHERE, "%.*s", STR_ARG(words));
    trace->flow = FLOW_STOP;
}

Value assert_macro(Trace *trace, const AstExpr *expr)
{
    if ((trace->is_host && !trace->run) || expr->macro.args.count < (is_pair(expr) ? 2 : 1))
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
Value debug_assert_macro(Trace *trace, const AstExpr *expr)
{
    return trace->run ? unit_value() : assert_macro(trace, expr);
}
