// Items and statements as text. What is printed parses to a tree that prints the same.
#include "ast_print.h"

#include "ast_print_internal.h"

#include <string.h>

static void print_item(Printer *printer, const AstItem *item);

// ---- statements

static void print_let_statement(Printer *printer, const AstStatement *statement)
{
    put(printer, "let ");
    print_pattern(printer, statement->pattern);
    put_if(printer, statement->type != NULL, ": ");
    if (statement->type)
        print_type(printer, statement->type);
    print_optional(printer, " = ", statement->value);
    put_if(printer, statement->otherwise != NULL, " else ");
    if (statement->otherwise)
        print_block(printer, statement->otherwise);
    put(printer, ";");
}

static void print_statement(Printer *printer, const AstStatement *statement)
{
    switch (statement->kind) {
    case STATEMENT_LET:
        print_let_statement(printer, statement);
        return;
    case STATEMENT_EXPR:
        print_expr(printer, statement->value);
        put(printer, ";");
        return;
    case STATEMENT_ITEM:
        print_item(printer, statement->item);
        return;
    }
}

void print_block(Printer *printer, const AstBlock *block)
{
    if (block->tail && !block->statements.count) {
        put(printer, "{ ");
        print_expr(printer, block->tail);
        put(printer, " }");
        return;
    }
    put(printer, "{");
    printer->indent++;
    for (int64_t i = 0; i < block->statements.count; i++) {
        print_line(printer);
        print_statement(printer, &block->statements.items[i]);
    }
    if (block->tail) {
        print_line(printer);
        print_expr(printer, block->tail);
    }
    printer->indent--;
    if (block->tail || block->statements.count)
        print_line(printer);
    put(printer, "}");
}

// ---- items

static void print_docs(Printer *printer, Str docs)
{
    while (docs.len) {
        const char *end = memchr(docs.data, '\n', (size_t)docs.len);
        int64_t length = end ? end - docs.data : docs.len;
        put(printer, length ? "/// " : "///");
        buf_add(printer->out, str_slice(docs, 0, length));
        print_line(printer);
        docs = str_slice(docs, end ? length + 1 : length, docs.len);
    }
}

static void print_attributes(Printer *printer, const AstAttributes *attributes, const char *open)
{
    for (int64_t i = 0; i < attributes->count; i++) {
        const AstAttribute *attribute = &attributes->items[i];
        put(printer, open);
        print_name(printer, attribute->name);
        if (attribute->args.len)
            buf_format(printer->out, "({})", attribute->args);
        put(printer, "]");
        print_line(printer);
    }
}

static void print_bounds(Printer *printer, const AstTypes *bounds)
{
    for (int64_t i = 0; i < bounds->count; i++) {
        put(printer, i ? " + " : ": ");
        print_bound(printer, bounds->items[i]);
    }
}

static void print_generic(Printer *printer, const AstGeneric *generic)
{
    put_if(printer, generic->kind == PARAM_CONST, "const ");
    print_name(printer, generic->name.text);
    print_bounds(printer, &generic->bounds);
    if (generic->type) {
        put(printer, ": ");
        print_type(printer, generic->type);
    }
    if (generic->fallback) {
        put(printer, " = ");
        print_type(printer, generic->fallback);
    }
    print_optional(printer, " = ", generic->value);
}

static void print_generics(Printer *printer, const AstGenerics *generics)
{
    put_if(printer, generics->count > 0, "<");
    for (int64_t i = 0; i < generics->count; i++) {
        put_separator(printer, i);
        print_generic(printer, &generics->items[i]);
    }
    put_if(printer, generics->count > 0, ">");
}

static void print_use(Printer *printer, const AstUse *use)
{
    put_if(printer, use->global, "::");
    for (int64_t i = 0; i < use->path.count; i++) {
        put_if(printer, i > 0, "::");
        print_name(printer, use->path.items[i].text);
    }
    put_if(printer, use->glob && use->path.count, "::");
    put_if(printer, use->glob, "*");
    if (use->glob || !strcmp(use->name, use->path.items[use->path.count - 1].text))
        return;
    put(printer, " as ");
    print_name(printer, use->name);
}

static void print_uses(Printer *printer, const AstItem *item)
{
    bool group = item->uses.count != 1;
    put(printer, group ? "use {" : "use ");
    for (int64_t i = 0; i < item->uses.count; i++) {
        put_separator(printer, i);
        print_use(printer, &item->uses.items[i]);
    }
    put(printer, group ? "};" : ";");
}

static void print_items(Printer *printer, const AstItems *items)
{
    put(printer, " {");
    printer->indent++;
    for (int64_t i = 0; i < items->count; i++) {
        print_line(printer);
        print_item(printer, items->items[i]);
    }
    printer->indent--;
    if (items->count)
        print_line(printer);
    put(printer, "}");
}

static void print_params(Printer *printer, const AstItem *item)
{
    static const char *const selves[] = {[SELF_NONE] = "",
                                         [SELF_VALUE] = "self",
                                         [SELF_REF] = "&self",
                                         [SELF_REF_MUT] = "&mut self"};
    put(printer, "(");
    put(printer, selves[item->function.self]);
    for (int64_t i = 0; i < item->function.params.count; i++) {
        const AstParam *param = &item->function.params.items[i];
        put_separator(printer, i || item->function.self);
        print_inner_pattern(printer, param->pattern);
        put(printer, ": ");
        print_type(printer, param->type);
    }
    put(printer, ")");
}

static void print_function(Printer *printer, const AstItem *item)
{
    put_if(printer, item->function.is_const, "const ");
    put_if(printer, item->function.is_async, "async ");
    put_if(printer, item->function.is_unsafe, "unsafe ");
    put(printer, "fn ");
    print_name(printer, item->name.text);
    print_generics(printer, &item->generics);
    print_params(printer, item);
    if (item->function.result) {
        put(printer, " -> ");
        print_type(printer, item->function.result);
    }
    put(printer, item->function.body ? " " : ";");
    if (item->function.body)
        print_block(printer, item->function.body);
}

static void print_visibility(Printer *printer, const AstVisibility *visibility)
{
    static const char *const words[] = {[VISIBLE_HERE] = "",
                                        [VISIBLE_SUPER] = "pub(super) ",
                                        [VISIBLE_CRATE] = "pub(crate) ",
                                        [VISIBLE_IN] = "pub(in ",
                                        [VISIBLE_ALL] = "pub "};
    put(printer, words[visibility->kind]);
    for (int64_t i = 0; i < visibility->path.count; i++) {
        put_if(printer, i > 0, "::");
        print_name(printer, visibility->path.items[i].text);
    }
    put_if(printer, visibility->kind == VISIBLE_IN, ") ");
}

static void print_fields(Printer *printer, AstFieldsKind kind, const AstFields *fields)
{
    bool named = kind == FIELDS_NAMED;
    if (kind == FIELDS_NONE)
        return;
    put(printer, named ? " {" : "(");
    for (int64_t i = 0; i < fields->count; i++) {
        put(printer, i ? ", " : named ? " " : "");
        print_visibility(printer, &fields->items[i].visibility);
        if (named) {
            print_name(printer, fields->items[i].name.text);
            put(printer, ": ");
        }
        print_type(printer, fields->items[i].type);
    }
    put(printer, !named ? ")" : fields->count ? " }" : "}");
}

static void print_variants(Printer *printer, const AstItem *item)
{
    put(printer, " {");
    printer->indent++;
    for (int64_t i = 0; i < item->variants.count; i++) {
        const AstVariant *variant = &item->variants.items[i];
        print_line(printer);
        print_docs(printer, variant->docs);
        print_name(printer, variant->name.text);
        print_fields(printer, variant->kind, &variant->fields);
        print_optional(printer, " = ", variant->value);
        put(printer, ",");
    }
    printer->indent--;
    print_line(printer);
    put(printer, "}");
}

static void print_axes(Printer *printer, const AstItem *item)
{
    put(printer, "axes![");
    for (int64_t i = 0; i < item->axes.names.count; i++) {
        put_separator(printer, i);
        print_name(printer, item->axes.names.items[i].text);
        print_optional(printer, " = ", item->axes.sizes.items[i]);
    }
    put(printer, "];");
}

// word name generics
static void print_head(Printer *printer, const AstItem *item, const char *word)
{
    put(printer, word);
    print_name(printer, item->name.text);
    print_generics(printer, &item->generics);
}

static void print_implementation(Printer *printer, const AstItem *item)
{
    print_head(printer, item, "impl");
    put(printer, " ");
    if (item->impl.trait) {
        print_type(printer, item->impl.trait);
        put(printer, " for ");
    }
    print_type(printer, item->impl.type);
    print_items(printer, &item->impl.items);
}

static void print_module(Printer *printer, const AstItem *item)
{
    print_head(printer, item, "mod ");
    if (item->module.is_inline)
        print_items(printer, &item->module.items);
    else
        put(printer, ";");
}

static void print_alias(Printer *printer, const AstItem *item)
{
    print_head(printer, item, "type ");
    if (item->alias.type) {
        put(printer, " = ");
        print_type(printer, item->alias.type);
    }
    put(printer, ";");
}

static void print_constant(Printer *printer, const AstItem *item)
{
    print_head(printer, item, "const ");
    put(printer, ": ");
    print_type(printer, item->constant.type);
    print_optional(printer, " = ", item->constant.value);
    put(printer, ";");
}

static void print_item(Printer *printer, const AstItem *item)
{
    print_docs(printer, item->docs);
    print_attributes(printer, &item->attributes, "#[");
    print_visibility(printer, &item->visibility);
    switch (item->kind) {
    case ITEM_ERROR:
        put(printer, "<error>");
        return;
    case ITEM_USE:
        print_uses(printer, item);
        return;
    case ITEM_MOD:
        print_module(printer, item);
        return;
    case ITEM_FN:
        print_function(printer, item);
        return;
    case ITEM_TYPE:
        print_alias(printer, item);
        return;
    case ITEM_AXES:
        print_axes(printer, item);
        return;
    case ITEM_CONST:
        print_constant(printer, item);
        return;
    case ITEM_STRUCT:
        print_head(printer, item, "struct ");
        print_fields(printer, item->structure.kind, &item->structure.fields);
        put_if(printer, item->structure.kind != FIELDS_NAMED, ";");
        return;
    case ITEM_ENUM:
        print_head(printer, item, "enum ");
        print_variants(printer, item);
        return;
    case ITEM_IMPL:
        print_implementation(printer, item);
        return;
    case ITEM_TRAIT:
        print_head(printer, item, "trait ");
        print_items(printer, &item->impl.items);
        return;
    case ITEM_EXTERN_CRATE:
        print_head(printer, item, "extern crate ");
        put(printer, ";");
        return;
    case ITEM_MACRO_RULES:
        print_head(printer, item, "macro_rules! ");
        put(printer, " { .. }");
        return;
    }
}

void ast_print(StrBuf *out, const AstFile *file)
{
    Printer printer = {.out = out};
    print_attributes(&printer, &file->inner, "#![");
    for (int64_t i = 0; i < file->items.count; i++) {
        print_item(&printer, file->items.items[i]);
        put(&printer, "\n");
    }
}
