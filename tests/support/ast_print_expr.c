// Types, patterns and expressions as text. Brackets are nodes of the tree, so none have to be put
// in.
#include "ast_print_internal.h"

#include "lang/syntax/lex.h"

#include <stdlib.h>
#include <string.h>

// A keyword that is used as a name.
void print_name(Printer *printer, const char *name)
{
    TokenKind kind = lex_keyword(str_from(name));
    bool path = kind == TOKEN_SELF_VALUE || kind == TOKEN_SELF_TYPE || kind == TOKEN_SUPER ||
                kind == TOKEN_CRATE;
    put_if(printer, kind != TOKEN_NAME && !path, "r#");
    put(printer, name);
}

void print_line(Printer *printer)
{
    buf_add_char(printer->out, '\n');
    buf_repeat(printer->out, STR("    "), printer->indent);
}

// ---- paths

static void print_generic_arg(Printer *printer, const AstGenericArg *arg)
{
    switch (arg->kind) {
    case GENERIC_TYPE:
        print_type(printer, arg->type);
        return;
    case GENERIC_CONST:
        print_expr(printer, arg->value);
        return;
    case GENERIC_LIFETIME:
        print_name(printer, arg->name);
        return;
    case GENERIC_BINDING:
        print_name(printer, arg->name);
        put(printer, " = ");
        print_type(printer, arg->type);
        return;
    }
}

static void print_segment(Printer *printer, const AstSegment *segment, const char *before_args)
{
    print_name(printer, segment->name.text);
    if (!segment->has_args)
        return;
    put(printer, before_args);
    put(printer, "<");
    for (int64_t i = 0; i < segment->args.count; i++) {
        put_separator(printer, i);
        print_generic_arg(printer, &segment->args.items[i]);
    }
    put(printer, ">");
}

static void print_path(Printer *printer, const AstPath *path, const char *before_args)
{
    put_if(printer, path->global, "::");
    if (path->self) {
        put(printer, "<");
        print_type(printer, path->self);
        put_if(printer, path->as_trait != NULL, " as ");
        if (path->as_trait)
            print_type(printer, path->as_trait);
        put(printer, ">::");
    }
    for (int64_t i = 0; i < path->segments.count; i++) {
        put_if(printer, i > 0, "::");
        print_segment(printer, &path->segments.items[i], before_args);
    }
}

// ---- mappings

// The operators outwards, innermost first, without calling itself for each.
static void print_ops(Printer *printer, const AstMapping *mapping);

static void print_mapping(Printer *printer, const AstMapping *mapping, bool grouped)
{
    switch (mapping->kind) {
    case AST_MAPPING_ERROR:
        put(printer, "<error>");
        return;
    case AST_MAPPING_SYMBOL:
        print_name(printer, mapping->name.text);
        return;
    case AST_MAPPING_NUMBER:
        buf_format(printer->out, "{}", mapping->number);
        return;
    case AST_MAPPING_ESCAPE:
        put(printer, "{ ");
        print_type(printer, mapping->type);
        put(printer, " }");
        return;
    case AST_MAPPING_PAIR:
        put_if(printer, grouped, "[");
        for (int64_t i = 0; i < mapping->items.count; i++) {
            put_separator(printer, i);
            print_mapping(printer, mapping->items.items[i], true);
        }
        put_if(printer, grouped, "]");
        return;
    case AST_MAPPING_OP:
        print_ops(printer, mapping);
        return;
    }
}

static void print_ops(Printer *printer, const AstMapping *mapping)
{
    print_mapping(printer, mapping->inner, true);
    buf_format(printer->out, " {c} {}", mapping->op, mapping->number);
}

// ---- types

static void print_types(Printer *printer, const AstTypes *types)
{
    for (int64_t i = 0; i < types->count; i++) {
        put_separator(printer, i);
        print_type(printer, types->items[i]);
    }
}

// fn(A) -> B, or the path of a trait with that after it
static void print_signature(Printer *printer, const AstType *type)
{
    if (type->path.segments.count)
        print_path(printer, &type->path, "");
    else
        put(printer, "fn");
    put(printer, "(");
    print_types(printer, &type->items);
    put(printer, ")");
    put_if(printer, type->result != NULL, " -> ");
    if (type->result)
        print_type(printer, type->result);
}

static void print_array_type(Printer *printer, const AstType *type)
{
    put(printer, "[");
    print_type(printer, type->inner);
    put_if(printer, type->length != NULL, "; ");
    if (type->length)
        print_expr(printer, type->length);
    put(printer, "]");
}

static void print_tuple_type(Printer *printer, const AstType *type)
{
    put(printer, "(");
    print_types(printer, &type->items);
    put(printer, type->items.count == 1 ? ",)" : ")");
}

void print_type(Printer *printer, const AstType *type)
{
    switch (type->kind) {
    case AST_TYPE_ERROR:
        put(printer, "<error>");
        return;
    case AST_TYPE_PATH:
        print_path(printer, &type->path, "");
        return;
    case AST_TYPE_REF:
        put(printer, type->is_mut ? "&mut " : "&");
        print_type(printer, type->inner);
        return;
    case AST_TYPE_TUPLE:
        print_tuple_type(printer, type);
        return;
    case AST_TYPE_ARRAY:
    case AST_TYPE_SLICE:
        print_array_type(printer, type);
        return;
    case AST_TYPE_INFER:
        put(printer, "_");
        return;
    case AST_TYPE_NEVER:
        put(printer, "!");
        return;
    case AST_TYPE_MAPPING:
        put(printer, "m![");
        print_mapping(printer, type->mapping, false);
        put(printer, "]");
        return;
    case AST_TYPE_FN:
        put_if(printer, type->path.segments.count > 0, "impl ");
        print_signature(printer, type);
        return;
    case AST_TYPE_IMPL:
        put(printer, type->is_dyn ? "dyn " : "impl ");
        print_path(printer, &type->path, "");
        return;
    }
}

void print_bound(Printer *printer, const AstType *type)
{
    if (type->kind == AST_TYPE_FN)
        print_signature(printer, type);
    else
        print_type(printer, type);
}

// ---- patterns

static void print_patterns(Printer *printer, const AstPatterns *patterns, const char *between)
{
    for (int64_t i = 0; i < patterns->count; i++) {
        put_if(printer, i > 0, between);
        print_pattern(printer, patterns->items[i]);
    }
}

// Alternatives inside another pattern stand in brackets.
void print_inner_pattern(Printer *printer, const AstPattern *pattern)
{
    bool group = pattern->kind == PATTERN_OR;
    put_if(printer, group, "(");
    print_pattern(printer, pattern);
    put_if(printer, group, ")");
}

static void print_bind(Printer *printer, const AstPattern *pattern)
{
    put_if(printer, pattern->by_ref, "ref ");
    put_if(printer, pattern->is_mut, "mut ");
    print_name(printer, pattern->name.text);
    put_if(printer, pattern->inner != NULL, " @ ");
    if (pattern->inner)
        print_inner_pattern(printer, pattern->inner);
}

static void print_struct_pattern(Printer *printer, const AstPattern *pattern)
{
    print_path(printer, &pattern->path, "::");
    put(printer, " {");
    for (int64_t i = 0; i < pattern->items.count; i++) {
        put(printer, i ? ", " : " ");
        print_name(printer, pattern->fields.items[i].text);
        put(printer, ": ");
        print_pattern(printer, pattern->items.items[i]);
    }
    put_if(printer, pattern->has_rest, pattern->items.count ? ", .." : " ..");
    put(printer, pattern->has_rest || pattern->items.count ? " }" : "}");
}

static void print_range_pattern(Printer *printer, const AstPattern *pattern)
{
    if (pattern->low)
        print_expr(printer, pattern->low);
    if (pattern->is_range)
        put(printer, pattern->inclusive ? "..=" : "..");
    if (pattern->high)
        print_expr(printer, pattern->high);
}

void print_pattern(Printer *printer, const AstPattern *pattern)
{
    switch (pattern->kind) {
    case PATTERN_ERROR:
        put(printer, "<error>");
        return;
    case PATTERN_WILDCARD:
        put(printer, "_");
        return;
    case PATTERN_BIND:
        print_bind(printer, pattern);
        return;
    case PATTERN_TUPLE:
        put(printer, "(");
        print_patterns(printer, &pattern->items, ", ");
        put(printer, pattern->items.count == 1 ? ",)" : ")");
        return;
    case PATTERN_SLICE:
        put(printer, "[");
        print_patterns(printer, &pattern->items, ", ");
        put(printer, "]");
        return;
    case PATTERN_PATH:
        print_path(printer, &pattern->path, "::");
        return;
    case PATTERN_VARIANT:
        print_path(printer, &pattern->path, "::");
        put(printer, "(");
        print_patterns(printer, &pattern->items, ", ");
        put(printer, ")");
        return;
    case PATTERN_STRUCT:
        print_struct_pattern(printer, pattern);
        return;
    case PATTERN_REF:
        put(printer, pattern->is_mut ? "&mut " : "&");
        print_inner_pattern(printer, pattern->inner);
        return;
    case PATTERN_LITERAL:
        print_range_pattern(printer, pattern);
        return;
    case PATTERN_OR:
        print_patterns(printer, &pattern->items, " | ");
        return;
    case PATTERN_REST:
        put(printer, "..");
        return;
    }
}

// ---- literals

static void print_escaped(Printer *printer, Str text, char quote)
{
    buf_add_char(printer->out, quote);
    for (int64_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '\\' || c == (unsigned char)quote)
            buf_format(printer->out, "\\{c}", c);
        else if (c < 0x20 || c == 0x7F)
            buf_format(printer->out, "\\x{02x}", c);
        else
            buf_add_char(printer->out, (char)c);
    }
    buf_add_char(printer->out, quote);
}

static void print_bytes(Printer *printer, Str text)
{
    put(printer, "b\"");
    for (int64_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\')
            buf_format(printer->out, "\\x{02x}", c);
        else
            buf_add_char(printer->out, (char)c);
    }
    put(printer, "\"");
}

// With as many digits as tell it from its neighbours, and never like a whole number.
static void print_real(Printer *printer, double value)
{
    Str text = {0};
    for (int digits = 15; digits <= 17 && (!text.len || strtod(text.data, NULL) != value); digits++)
        text = str_format(printer->out->arena, "{.*g}", digits, value);
    buf_add(printer->out, text);
    bool whole =
        !memchr(text.data, '.', (size_t)text.len) && !memchr(text.data, 'e', (size_t)text.len);
    put_if(printer, whole, ".0");
}

static void print_char(Printer *printer, uint64_t value)
{
    if (value == '\'' || value == '\\')
        buf_format(printer->out, "'\\{c}'", (int)value);
    else if (value >= 0x20 && value < 0x7F)
        buf_format(printer->out, "'{c}'", (int)value);
    else
        buf_format(printer->out, "'\\u{{{x}}'", value);
}

static void print_byte(Printer *printer, uint64_t value)
{
    buf_format(printer->out, "b'\\x{02x}'", value);
}

static void print_integer(Printer *printer, Uint128 value)
{
    enum { WORD_DIGITS = 19 }; // that a word of 64 bits holds
    const Uint128 word = UINT64_C(10000000000000000000);
    if (value < word) {
        buf_format(printer->out, "{}", (uint64_t)value);
        return;
    }
    print_integer(printer, value / word);
    buf_format(printer->out, "{0*}", WORD_DIGITS, (uint64_t)(value % word));
}

static void print_literal(Printer *printer, const AstExpr *expr)
{
    switch (expr->literal.kind) {
    case LITERAL_INT:
        print_integer(printer, expr->literal.integer);
        break;
    case LITERAL_FLOAT:
        print_real(printer, expr->literal.real);
        break;
    case LITERAL_BOOL:
        put(printer, expr->literal.integer ? "true" : "false");
        break;
    case LITERAL_STRING:
        print_escaped(printer, expr->literal.text, '"');
        break;
    case LITERAL_BYTES:
        print_bytes(printer, expr->literal.text);
        break;
    case LITERAL_CHAR:
        print_char(printer, (uint64_t)expr->literal.integer);
        break;
    case LITERAL_BYTE:
        print_byte(printer, (uint64_t)expr->literal.integer);
        break;
    }
    put_if(printer, expr->literal.suffix != NULL, expr->literal.suffix);
}

// ---- expressions

static void print_exprs(Printer *printer, const AstExprs *exprs)
{
    for (int64_t i = 0; i < exprs->count; i++) {
        put_separator(printer, i);
        print_expr(printer, exprs->items[i]);
    }
}

static void print_args(Printer *printer, const AstExprs *args)
{
    put(printer, "(");
    print_exprs(printer, args);
    put(printer, ")");
}

void print_optional(Printer *printer, const char *before, const AstExpr *expr)
{
    if (!expr)
        return;
    put(printer, before);
    print_expr(printer, expr);
}

static const char *const binary_texts[BINARY_COUNT] = {
    [BINARY_ADD] = "+",  [BINARY_SUB] = "-",  [BINARY_MUL] = "*",   [BINARY_DIV] = "/",
    [BINARY_REM] = "%",  [BINARY_AND] = "&",  [BINARY_OR] = "|",    [BINARY_XOR] = "^",
    [BINARY_SHL] = "<<", [BINARY_SHR] = ">>", [BINARY_LAND] = "&&", [BINARY_LOR] = "||",
    [BINARY_EQ] = "==",  [BINARY_NE] = "!=",  [BINARY_LT] = "<",    [BINARY_LE] = "<=",
    [BINARY_GT] = ">",   [BINARY_GE] = ">=",
};

static const char *const unary_texts[] = {
    [UNARY_NEGATE] = "-", [UNARY_NOT] = "!",         [UNARY_DEREF] = "*",
    [UNARY_REF] = "&",    [UNARY_REF_MUT] = "&mut ",
};

static void print_binary(Printer *printer, const AstExpr *expr)
{
    bool assigns = expr->kind == AST_ASSIGN;
    print_expr(printer, expr->binary.left);
    put(printer, " ");
    put_if(printer, !assigns || expr->binary.compound, binary_texts[expr->binary.op]);
    put_if(printer, assigns, "=");
    put(printer, " ");
    print_expr(printer, expr->binary.right);
}

static void print_cast(Printer *printer, const AstExpr *expr)
{
    print_expr(printer, expr->cast.inner);
    put(printer, " as ");
    print_type(printer, expr->cast.type);
}

static void print_method(Printer *printer, const AstExpr *expr)
{
    print_expr(printer, expr->method.receiver);
    put(printer, ".");
    print_segment(printer, &expr->method.name, "::");
    print_args(printer, &expr->method.args);
}

static void print_index(Printer *printer, const AstExpr *expr)
{
    print_expr(printer, expr->index.inner);
    put(printer, "[");
    print_expr(printer, expr->index.index);
    put(printer, "]");
}

static void print_label(Printer *printer, const char *label)
{
    put_if(printer, label != NULL, label);
    put_if(printer, label != NULL, ": ");
}

static void print_block_expr(Printer *printer, const AstExpr *expr)
{
    print_label(printer, expr->block.label);
    put_if(printer, expr->block.is_unsafe, "unsafe ");
    put_if(printer, expr->block.is_async, "async ");
    put_if(printer, expr->block.is_move, "move ");
    print_block(printer, expr->block.body);
}

static void print_branch(Printer *printer, const AstExpr *expr)
{
    for (;;) {
        put(printer, "if ");
        print_expr(printer, expr->branch.condition);
        put(printer, " ");
        print_block(printer, expr->branch.then);
        if (!expr->branch.otherwise)
            return;
        put(printer, " else ");
        expr = expr->branch.otherwise;
        if (expr->kind != AST_IF) {
            print_expr(printer, expr);
            return;
        }
    }
}

static void print_loop(Printer *printer, const AstExpr *expr)
{
    print_label(printer, expr->loop.label);
    put(printer, expr->kind == AST_FOR ? "for " : expr->kind == AST_WHILE ? "while " : "loop ");
    if (expr->kind == AST_FOR) {
        print_pattern(printer, expr->loop.pattern);
        put(printer, " in ");
    }
    if (expr->kind != AST_LOOP) {
        print_expr(printer, expr->loop.inner);
        put(printer, " ");
    }
    print_block(printer, expr->loop.body);
}

static void print_let(Printer *printer, const AstExpr *expr)
{
    put(printer, "let ");
    print_pattern(printer, expr->loop.pattern);
    put(printer, " = ");
    print_expr(printer, expr->loop.inner);
}

static void print_match(Printer *printer, const AstExpr *expr)
{
    put(printer, "match ");
    print_expr(printer, expr->match.inner);
    put(printer, " {");
    printer->indent++;
    for (int64_t i = 0; i < expr->match.arms.count; i++) {
        const AstArm *arm = &expr->match.arms.items[i];
        print_line(printer);
        print_pattern(printer, arm->pattern);
        print_optional(printer, " if ", arm->guard);
        put(printer, " => ");
        print_expr(printer, arm->body);
        put(printer, ",");
    }
    printer->indent--;
    print_line(printer);
    put(printer, "}");
}

static void print_closure(Printer *printer, const AstExpr *expr)
{
    put_if(printer, expr->closure.is_async, "async ");
    put_if(printer, expr->closure.is_move, "move ");
    put(printer, "|");
    for (int64_t i = 0; i < expr->closure.params.count; i++) {
        const AstParam *param = &expr->closure.params.items[i];
        put_separator(printer, i);
        print_inner_pattern(printer, param->pattern);
        put_if(printer, param->type != NULL, ": ");
        if (param->type)
            print_type(printer, param->type);
    }
    put(printer, "| ");
    if (expr->closure.result) {
        put(printer, "-> ");
        print_type(printer, expr->closure.result);
        put(printer, " ");
    }
    print_expr(printer, expr->closure.body);
}

static void print_struct(Printer *printer, const AstExpr *expr)
{
    print_path(printer, &expr->structure.path, "::");
    put(printer, " {");
    for (int64_t i = 0; i < expr->structure.names.count; i++) {
        put(printer, i ? ", " : " ");
        print_name(printer, expr->structure.names.items[i].text);
        put(printer, ": ");
        print_expr(printer, expr->structure.values.items[i]);
    }
    print_optional(printer, expr->structure.names.count ? ", .." : " ..", expr->structure.base);
    put(printer, expr->structure.base || expr->structure.names.count ? " }" : "}");
}

static void print_macro(Printer *printer, const AstExpr *expr)
{
    print_name(printer, expr->macro.name.text);
    put(printer, "!(");
    if (!expr->macro.readable) {
        put(printer, "..");
    } else if (expr->macro.repeats) {
        print_expr(printer, expr->macro.args.items[0]);
        put(printer, "; ");
        print_expr(printer, expr->macro.args.items[1]);
    } else {
        print_exprs(printer, &expr->macro.args);
    }
    put(printer, ")");
}

static void print_indices(Printer *printer, const AstExpr *expr)
{
    put(printer, "i![");
    for (int64_t i = 0; i < expr->indices.values.count; i++) {
        put_separator(printer, i);
        print_mapping(printer, expr->indices.keys.items[i], false);
        put(printer, ": ");
        print_expr(printer, expr->indices.values.items[i]);
    }
    put(printer, "]");
}

static void print_jump(Printer *printer, const AstExpr *expr, const char *word)
{
    put(printer, word);
    put_if(printer, expr->jump.label != NULL, " ");
    put_if(printer, expr->jump.label != NULL, expr->jump.label);
    print_optional(printer, " ", expr->jump.inner);
}

void print_expr(Printer *printer, const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_ERROR:
        put(printer, "<error>");
        return;
    case AST_LITERAL:
        print_literal(printer, expr);
        return;
    case AST_PATH:
        print_path(printer, &expr->path, "::");
        return;
    case AST_UNARY:
        put(printer, unary_texts[expr->unary.op]);
        print_expr(printer, expr->unary.inner);
        return;
    case AST_BINARY:
    case AST_ASSIGN:
        print_binary(printer, expr);
        return;
    case AST_CAST:
        print_cast(printer, expr);
        return;
    case AST_CALL:
        print_expr(printer, expr->call.callee);
        print_args(printer, &expr->call.args);
        return;
    case AST_METHOD:
        print_method(printer, expr);
        return;
    case AST_FIELD:
        print_expr(printer, expr->field.inner);
        put(printer, ".");
        print_name(printer, expr->field.name.text);
        return;
    case AST_INDEX:
        print_index(printer, expr);
        return;
    case AST_RANGE:
        print_optional(printer, "", expr->range.low);
        put(printer, expr->range.inclusive ? "..=" : "..");
        print_optional(printer, "", expr->range.high);
        return;
    case AST_TUPLE:
        put(printer, "(");
        print_exprs(printer, &expr->items);
        put(printer, expr->items.count == 1 ? ",)" : ")");
        return;
    case AST_ARRAY:
        put(printer, "[");
        print_exprs(printer, &expr->items);
        put(printer, "]");
        return;
    case AST_REPEAT:
        put(printer, "[");
        print_expr(printer, expr->repeat.value);
        put(printer, "; ");
        print_expr(printer, expr->repeat.count);
        put(printer, "]");
        return;
    case AST_PAREN:
        put(printer, "(");
        print_expr(printer, expr->inner);
        put(printer, ")");
        return;
    case AST_BLOCK:
        print_block_expr(printer, expr);
        return;
    case AST_IF:
        print_branch(printer, expr);
        return;
    case AST_LET:
        print_let(printer, expr);
        return;
    case AST_MATCH:
        print_match(printer, expr);
        return;
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
        print_loop(printer, expr);
        return;
    case AST_CLOSURE:
        print_closure(printer, expr);
        return;
    case AST_STRUCT:
        print_struct(printer, expr);
        return;
    case AST_RETURN:
        put(printer, "return");
        print_optional(printer, " ", expr->inner);
        return;
    case AST_BREAK:
        print_jump(printer, expr, "break");
        return;
    case AST_CONTINUE:
        print_jump(printer, expr, "continue");
        return;
    case AST_AWAIT:
        print_expr(printer, expr->inner);
        put(printer, ".await");
        return;
    case AST_TRY:
        print_expr(printer, expr->inner);
        put(printer, "?");
        return;
    case AST_MACRO:
        print_macro(printer, expr);
        return;
    case AST_INDEX_MACRO:
        print_indices(printer, expr);
        return;
    }
}
