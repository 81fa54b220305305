#include "lsp/answer/describe.h"

#include "base/checked.h"
#include "lang/types/signature.h"
#include "mapping/picture.h"

#include <ctype.h>
#include <string.h>

// ---- text

Str one_line(Arena *arena, Str text)
{
    StrBuf out = {.arena = arena};
    text = str_trim(text);
    for (int64_t i = 0; i < text.len; i++) {
        bool blank = isspace((unsigned char)text.data[i]);
        if (!blank)
            buf_add_char(&out, text.data[i]);
        else if (!isspace((unsigned char)text.data[i + 1]))
            buf_add_char(&out, ' ');
    }
    return buf_str(&out);
}

static bool ends_in(const StrBuf *out, char c)
{
    return out->len && out->data[out->len - 1] == c;
}

// The same for the head of a function: without the blanks and the comma that a list over several
// lines has.
static Str head_line(Arena *arena, Str text)
{
    StrBuf out = {.arena = arena};
    Str line = one_line(arena, text);
    for (int64_t i = 0; i < line.len; i++) {
        char c = line.data[i], next = i + 1 < line.len ? line.data[i + 1] : 0;
        bool opened = ends_in(&out, '(') || ends_in(&out, '<');
        bool closes = next == ')' || next == '>';
        if ((c == ' ' && (opened || closes)) ||
            (c == ',' && i + 2 < line.len && next == ' ' && strchr(")>}", line.data[i + 2])))
            continue;
        buf_add_char(&out, c);
    }
    return buf_str(&out);
}

// ---- declarations

static void add_fields(StrBuf *out, const Lang *lang, const AstFields *fields, bool named)
{
    for (int64_t i = 0; i < fields->count; i++) {
        const AstField *field = &fields->items[i];
        buf_add(out, i ? STR(", ") : named ? STR(" { ") : STR("("));
        if (named)
            buf_format(out, "{}: ", field->name.text);
        buf_add(out, one_line(out->arena, lang_text(lang, field->type->span)));
    }
    if (fields->count)
        buf_add(out, named ? STR(" }") : STR(")"));
}

static Str variant_text(Arena *arena, const Lang *lang, Decl *decl)
{
    const AstVariant *variant = decl->variant;
    StrBuf out = {.arena = arena};
    buf_format(&out, "{}::{}", decl->parent->name, decl->name);
    add_fields(&out, lang, &variant->fields, variant->kind == FIELDS_NAMED);
    return buf_str(&out);
}

// With its fields, but without what is written about them.
static Str struct_text(Arena *arena, const Lang *lang, Decl *decl)
{
    const AstItem *item = decl->item;
    const AstGenerics *generics = &item->generics;
    StrBuf out = {.arena = arena};
    buf_format(&out, "struct {}", decl->name);
    for (int64_t i = 0; i < generics->count; i++)
        buf_format(&out, "{}{}{}", i ? ", " : "<",
                   generics->items[i].kind == PARAM_CONST ? "const " : "",
                   generics->items[i].name.text);
    if (generics->count)
        buf_add_char(&out, '>');
    add_fields(&out, lang, &item->structure.fields, item->structure.kind == FIELDS_NAMED);
    return buf_str(&out);
}

static Str function_text(Arena *arena, const Lang *lang, Decl *decl)
{
    Str head = head_line(arena, lang_text(lang, decl->item->function.signature));
    return head.len && head.data[head.len - 1] == ';' ? str_slice(head, 0, head.len - 1) : head;
}

// From its name to its end, after the word that declares it.
static Str item_text(Arena *arena, const Lang *lang, Decl *decl, const char *word)
{
    const AstItem *item = decl->item;
    Span whole = {item->span.source, item->name.span.start, item->span.end};
    Str rest = head_line(arena, lang_text(lang, whole));
    int64_t brace =
        decl->kind == DECL_CONST || decl->kind == DECL_ALIAS ? -1 : str_find(rest, STR("{"));
    Str shown = brace >= 0 ? str_slice(rest, 0, brace) : rest;
    enum { LONGEST = 400 };
    if (shown.len > LONGEST)
        shown = str_format(arena, "{}..", ((Str){shown.data, LONGEST}));
    if (shown.len && shown.data[shown.len - 1] == ';')
        shown.len--;
    Str unsaid = STR(" = builtin");
    if (decl->is_builtin && str_ends_with(shown, unsaid))
        shown.len -= unsaid.len;
    return str_format(arena, "{} {}", word, str_trim(shown));
}

Str decl_text(Arena *arena, const Lang *lang, Decl *decl)
{
    static const char *const words[] = {
        [DECL_MODULE] = "mod", [DECL_AXIS] = "axis",   [DECL_ALIAS] = "type",
        [DECL_FN] = "fn",      [DECL_CONST] = "const", [DECL_STRUCT] = "struct",
        [DECL_ENUM] = "enum",  [DECL_VARIANT] = "",    [DECL_TRAIT] = "trait",
        [DECL_PRIM] = "type",
    };
    if (decl->kind == DECL_AXIS && decl->atom)
        return str_format(arena, "axis {} = {}", decl->name, decl->atom->size);
    if (decl->kind == DECL_AXIS)
        return str_format(arena, "axis {}", decl->name);
    if (decl->kind == DECL_VARIANT && decl->variant)
        return variant_text(arena, lang, decl);
    if (decl->kind == DECL_FN && decl->item && decl->item->kind == ITEM_FN)
        return function_text(arena, lang, decl);
    if (decl->kind == DECL_STRUCT && decl->item && decl->item->kind == ITEM_STRUCT)
        return struct_text(arena, lang, decl);
    bool plain = decl->kind == DECL_MODULE || decl->kind == DECL_PRIM || !decl->item;
    if (plain || decl->item->name.span.source < 0)
        return str_format(arena, "{} {}", words[decl->kind], decl->name);
    return item_text(arena, lang, decl, words[decl->kind]);
}

Str decl_docs(Decl *decl)
{
    if (decl->kind == DECL_VARIANT && decl->variant)
        return decl->variant->docs;
    return decl->item && decl->kind != DECL_AXIS ? decl->item->docs : STR("");
}

Str generic_text(Arena *arena, const Lang *lang, const AstGeneric *generic)
{
    StrBuf text = {.arena = arena};
    buf_format(&text, "{}{}", generic->kind == PARAM_CONST ? "const " : "", generic->name.text);
    if (generic->kind == PARAM_CONST && generic->type)
        buf_format(&text, ": {}", lang_text(lang, generic->type->span));
    for (int64_t i = 0; i < generic->bounds.count; i++)
        buf_format(&text, "{}{}", i ? " + " : ": ",
                   lang_text(lang, generic->bounds.items[i]->span));
    return buf_str(&text);
}

Type *alias_type(Lang *lang, Decl *decl)
{
    int64_t said = lang->diags->count;
    const Signature *signature = signature_of(lang, decl);
    diag_forget(lang->diags, said);
    return signature->result ? type_of(signature->result) : NULL;
}

// ---- shapes

static Level level_named(const char *name)
{
    static const struct {
        const char *name;
        Level level;
    } others[] = {{"Mapping", LEVEL_ELEMENT}, {"E", LEVEL_ELEMENT}};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (strcmp(level_names[level], name) == 0)
            return level;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(others[i].name, name) == 0)
            return others[i].level;
    return LEVEL_COUNT;
}

static int32_t element_of(Type *type)
{
    type = type_of(type);
    return type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM
               ? prims[type->decl->prim].scalar
               : SCALAR_NONE;
}

static void add_argument(Shape *shape, const char *name, Type *arg)
{
    Level level = level_named(name);
    arg = type_of(arg);
    if (strcmp(name, "D") == 0)
        shape->scalar = element_of(arg);
    else if (level < LEVEL_COUNT &&
             (arg->kind == TYPE_MAPPING || arg->kind == TYPE_OPEN || arg->kind == TYPE_PARAM))
        shape->dims[level] = arg;
}

bool shape_of_type(Type *type, Shape *shape)
{
    *shape = (Shape){.scalar = SCALAR_NONE};
    type = type_unboxed(type_strip(type));
    bool tensor = type->kind == TYPE_NAMED && type->decl->is_builtin &&
                  type->decl->kind == DECL_STRUCT && type->decl->item && type->arg_count;
    bool any = false;
    for (int32_t i = 0; tensor && i < type->arg_count; i++) {
        const AstGenerics *generics = &type->decl->item->generics;
        if (i < generics->count)
            add_argument(shape, generics->items[i].name.text, type->args[i]);
    }
    for (Level level = 0; level < LEVEL_COUNT; level++)
        any |= shape->dims[level] != NULL;
    return any;
}

int64_t shape_positions(const Shape *shape, Level level)
{
    const Type *dim = shape->dims[level];
    return dim && dim->kind == TYPE_MAPPING ? dim->expr->size : 1;
}

bool shape_bytes(const Shape *shape, int64_t elements, int64_t *bytes)
{
    return shape->scalar != SCALAR_NONE && scalar_bytes((Scalar)shape->scalar, elements, bytes);
}

// A name that stands for a mapping: no m![..], which gives its own text.
static bool is_path(Str text)
{
    bool path = text.len > 0;
    for (int64_t i = 0; i < text.len; i++)
        path &= isalnum((unsigned char)text.data[i]) || text.data[i] == '_' || text.data[i] == ':';
    return path;
}

Str describe_dim(Arena *arena, const Lang *lang, Type *dim)
{
    dim = type_of(dim);
    Str resolved = type_text(arena, dim);
    Str written = lang_text(lang, dim->span);
    bool named = dim->kind == TYPE_MAPPING && is_path(written) &&
                 resolved.len != written.len + (int64_t)strlen("m![]");
    return named ? str_format(arena, "{} = {}", written, resolved) : resolved;
}

// ---- mappings

Type *mapping_type_at(const Trail *trail, const AstMapping *mapping)
{
    Lang *lang = trail->analysis->lang;
    TypeScope types = {.lang = lang, .scope = trail_scope(trail)};
    int64_t said = lang->diags->count;
    Decl *decl = trail_generic(trail);
    if (!types.scope)
        return NULL;
    if (decl)
        types.signature = signature_of(lang, decl);
    if (decl && decl->impl)
        types.self = decl->impl->self;
    bool is_known = map_get(&lang->mapping_types, mapping);
    Type *type = resolve_mapping(&types, mapping);
    diag_forget(lang->diags, said);
    if (!is_known) // whoever compiles it may see other generics
        map_remove(&lang->mapping_types, mapping);
    return type->kind == TYPE_ERROR ? NULL : type;
}

void describe_picture(StrBuf *out, Arena *arena, const Expr *expr)
{
    enum { SHOWN = 64, MOST_AXES = 4 };
    AtomList axes = {0};
    expr_axes(arena, expr, &axes);
    if (expr->kind == EXPR_POISON || expr->size < 2 || !axes.count || axes.count > MOST_AXES)
        return;
    Mapping mapping = mapping_of_expr(arena, expr);
    Mapping normal = mapping_normalise(arena, &mapping);
    Arena scratch = {.on_oom = arena->on_oom};
    buf_add(out, STR("\n```text\n"));
    picture_text(out, &(Picture){.mapping = &mapping,
                                 .normal = &normal,
                                 .axes = &axes,
                                 .most = SHOWN,
                                 .scratch = &scratch});
    arena_release(&scratch);
    buf_add(out, STR("```\n"));
}
