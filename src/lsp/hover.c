// What a place means, in a few lines of Markdown.
#include "lsp/hover.h"

#include "base/checked.h"
#include "lsp/answers.h"
#include "lsp/complete.h"
#include "lsp/describe.h"
#include "lsp/name.h"

#include <ctype.h>
#include <string.h>

static void add_code(StrBuf *out, Str text)
{
    buf_format(out, "```rust\n{}\n```\n", text);
}

static void add_docs(StrBuf *out, Str docs)
{
    if (docs.len)
        buf_format(out, "\n{}\n", str_trim(docs));
}

// ---- tensors and streams

static void add_row(const Hover *hover, Level level, Type *dim)
{
    Str text = describe_dim(hover->arena, hover->lang, dim);
    buf_format(hover->out, "| {} | `{}` | ", level_names[level], text);
    if (dim->kind == TYPE_MAPPING)
        buf_format(hover->out, "{} |\n", dim->expr->size);
    else
        buf_add(hover->out, STR("? |\n"));
}

static bool multiply(int64_t *product, int64_t factor)
{
    return !__builtin_mul_overflow(*product, factor, product);
}

// Bytes in one place, and of all places together.
static void add_bytes(const Hover *hover, const Shape *shape)
{
    int64_t elements = 1, places = 1, bytes, all, packet;
    bool whole = true, spread = false;
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        bool outer = level <= LEVEL_SLICE;
        whole &= multiply(outer ? &places : &elements, shape_positions(shape, level));
        whole &= !shape->dims[level] || shape->dims[level]->kind == TYPE_MAPPING;
        spread |= outer && shape->dims[level];
    }
    if (!whole || !shape_bytes(shape, elements, &bytes))
        return;
    all = bytes;
    const char *place = shape->dims[LEVEL_SLICE] ? "slice" : "chip";
    buf_add(hover->out, STR("\n"));
    if (shape->dims[LEVEL_PACKET] &&
        shape_bytes(shape, shape_positions(shape, LEVEL_PACKET), &packet))
        buf_format(hover->out,
                   "{} packets of {} bytes: ", elements / shape_positions(shape, LEVEL_PACKET),
                   packet);
    if (spread && multiply(&all, places))
        buf_format(hover->out, "{} bytes a {}, {} in all\n", bytes, place, all);
    else
        buf_format(hover->out, "{} bytes\n", bytes);
}

// The dimensions of a tensor or stream, its bytes, and where its elements go.
static void hover_shape(const Hover *hover, Type *type)
{
    Shape shape;
    if (!shape_of_type(type, &shape))
        return;
    buf_add(hover->out, STR("\n| | mapping | size |\n|---|---|---|\n"));
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (shape.dims[level])
            add_row(hover, level, shape.dims[level]);
    add_bytes(hover, &shape);
    const Type *inner =
        shape.dims[LEVEL_ELEMENT] ? shape.dims[LEVEL_ELEMENT] : shape.dims[LEVEL_PACKET];
    if (inner && inner->kind == TYPE_MAPPING)
        describe_picture(hover->out, hover->arena, inner->expr);
}

// ---- mappings

static void add_expr(const Hover *hover, const Expr *expr)
{
    Mapping mapping = mapping_of_expr(hover->arena, expr);
    Mapping normal = mapping_normalise(hover->arena, &mapping);
    buf_format(hover->out, "\nsize {}, normal form `m![{}]`\n", mapping.size,
               mapping_text(hover->arena, &normal));
    describe_picture(hover->out, hover->arena, expr);
}

static void add_mapping(const Hover *hover, Str written, const Type *type)
{
    add_code(hover->out, written);
    if (type->kind != TYPE_MAPPING) {
        buf_add(hover->out, STR("\nIts size depends on generics.\n"));
        return;
    }
    add_expr(hover, type->expr);
}

// An expression in m![..], or all of it.
static bool hover_mapping(const Hover *hover)
{
    const Trail *trail = hover->trail;
    const AstNode *node = &trail->items[trail->count - 1];
    bool whole = node->kind == NODE_TYPE && node->type->kind == AST_TYPE_MAPPING;
    const AstMapping *mapping = whole                        ? node->type->mapping
                                : node->kind == NODE_MAPPING ? node->mapping
                                                             : NULL;
    if (!mapping)
        return false;
    Analysis *analysis = hover->query->analysis;
    Type *type = mapping_type_at(analysis, analysis_scope(analysis, trail, hover->query->source),
                                 trail_generic(analysis, trail), mapping);
    if (!type)
        return false;
    add_mapping(hover, one_line(hover->arena, lang_text(hover->lang, node->span)), type);
    return true;
}

// ---- declarations

static void add_axis(const Hover *hover, const Meaning *meaning)
{
    int64_t uses = query_use_count(hover->query, meaning);
    buf_format(hover->out, "\nused {} time{}\n", uses, uses == 1 ? "" : "s");
}

static void add_alias(const Hover *hover, const Decl *decl)
{
    Lang *lang = hover->query->analysis->lang;
    int64_t said = lang->diags->count;
    const Signature *signature = signature_of(lang, decl);
    diag_forget(lang->diags, said);
    Type *type = signature->result ? type_of(signature->result) : NULL;
    if (!type || type->kind == TYPE_ERROR)
        return;
    if (type->kind != TYPE_MAPPING) {
        buf_format(hover->out, "\n= `{}`\n", type_text(hover->arena, type));
        hover_shape(hover, type);
        return;
    }
    add_expr(hover, type->expr);
}

static void add_variants(const Hover *hover, const Decl *decl)
{
    enum { SHOWN = 24 };
    buf_add(hover->out, STR("\n"));
    for (int64_t i = 0; i < decl->item->variants.count && i < SHOWN; i++)
        buf_format(hover->out, "{}`{}`", i ? ", " : "", decl->item->variants.items[i].name.text);
    buf_add(hover->out, decl->item->variants.count > SHOWN ? STR(", ..\n") : STR("\n"));
}

static void add_owner(const Hover *hover, const Decl *decl)
{
    const Type *self = decl->impl ? decl->impl->self : NULL;
    if (self && self->kind == TYPE_NAMED)
        buf_format(hover->out, "\nof `{}`\n", self->decl->name);
}

// How many positions `X::SIZE` is.
static void add_size(const Hover *hover, const Meaning *meaning)
{
    Analysis *analysis = hover->query->analysis;
    const Decl *function = trail_function(analysis, hover->trail);
    const Body *body = function && meaning->use ? analysis_body(analysis, function) : NULL;
    const Use *use = body ? body_use(body, meaning->use) : NULL;
    const Type *self = use && use->self ? type_of(use->self) : NULL;
    if (self && self->kind == TYPE_MAPPING && meaning->decl->is_builtin &&
        strcmp(meaning->decl->name, "SIZE") == 0)
        buf_format(hover->out, "\nhere {}\n", self->expr->size);
}

// A call of the Tensor Unit: which stage it is, what comes in and what goes out, and by which
// rules.

static void add_cell(const Hover *hover, const Shape *shape, Level level)
{
    Type *dim = shape->dims[level];
    int64_t bytes;
    buf_add(hover->out, STR(" "));
    if (dim) {
        buf_format(hover->out, "`{}`", type_text(hover->arena, dim));
        if (dim->kind == TYPE_MAPPING)
            buf_format(hover->out, " {}", dim->expr->size);
        if (level == LEVEL_PACKET && dim->kind == TYPE_MAPPING &&
            shape_bytes(shape, dim->expr->size, &bytes))
            buf_format(hover->out, ", {} bytes", bytes);
    }
    buf_add(hover->out, STR(" |"));
}

static bool is_same(const Shape *a, const Shape *b, Level level, Arena *arena)
{
    return a->dims[level] && b->dims[level] &&
           str_equal(type_text(arena, a->dims[level]), type_text(arena, b->dims[level]));
}

static const char *scalar_text(const Shape *shape)
{
    return shape->scalar == SCALAR_NONE ? "?" : scalar_name((Scalar)shape->scalar);
}

static void add_change(const Hover *hover, const Shape *in, const Shape *out)
{
    buf_add(hover->out, STR("\n| | in | out |\n|---|---|---|\n"));
    buf_format(hover->out, "| type | `{}` | `{}` |\n", scalar_text(in), scalar_text(out));
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        bool there = in->dims[level] || out->dims[level];
        bool stays = level <= LEVEL_SLICE && is_same(in, out, level, hover->arena);
        if (!there || stays)
            continue;
        buf_format(hover->out, "| {} |", level_names[level]);
        add_cell(hover, in, level);
        add_cell(hover, out, level);
        buf_add(hover->out, STR("\n"));
    }
}

// What the stream is before the call: the receiver, or of a `begin` the tensor it reads.
static Type *type_before(const Hover *hover, const AstExpr *call, StageKind kind)
{
    Analysis *analysis = hover->query->analysis;
    const Decl *function = trail_function(analysis, hover->trail);
    const Body *body = function ? analysis_body(analysis, function) : NULL;
    bool begins = kind == STAGE_BEGIN || kind == STAGE_BEGIN_INTERLEAVED;
    if (!body || (begins && !call->method.args.count))
        return NULL;
    return body_type(body, begins ? call->method.args.items[0] : call->method.receiver);
}

static void add_stage(const Hover *hover, StageKind kind)
{
    const StageInfo *info = &stages[kind];
    buf_format(hover->out, "\nStage `{}` of the Tensor Unit", info->method);
    const char *join = ", after";
    for (StageKind before = STAGE_INPUT + 1; before < STAGE_COUNT; before++) {
        bool vector =
            stages[before].to == POSITION_VECTOR || stages[before].to == POSITION_VECTOR_PAIR;
        if (!(info->from & 1U << stages[before].to) || vector || before == STAGE_BEGIN_INTERLEAVED)
            continue;
        buf_format(hover->out, "{} `{}`", join, stages[before].method);
        join = ",";
    }
    buf_format(hover->out, ". _Manual: {}_\n", info->manual);
}

// Of passes, not of files that come in.
static bool is_rule(const DiagInfo *info)
{
    static const char *const others[] = {"input", "run", "sanitize", "program-text"};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(info->group, others[i]) == 0)
            return false;
    return true;
}

enum { RULES_SHOWN = 5 };

static void add_section(const Hover *hover, Str manual, int *shown)
{
    for (DiagCode code = 0; code < DIAG_CODE_COUNT && *shown < RULES_SHOWN; code++) {
        const DiagInfo *info = &diag_infos[code];
        if (!str_starts_with(str_from(info->manual), manual) || !is_rule(info))
            continue;
        buf_format(hover->out, "{}- {} {}\n", *shown ? "" : "\n", info->code, info->title);
        ++*shown;
    }
}

// What has operators and operands obeys the rules of these.
static bool has_operators(StageKind kind)
{
    switch ((int)kind) {
    case STAGE_VECTOR_LOGIC:
    case STAGE_VECTOR_FXP:
    case STAGE_VECTOR_FP_UNARY:
    case STAGE_VECTOR_FP_BINARY:
    case STAGE_VECTOR_FP_TERNARY:
    case STAGE_VECTOR_FP_DIV:
    case STAGE_VECTOR_CLIP:
        return true;
    }
    return false;
}

// The rules of its chapter.
static void add_rules(const Hover *hover, StageKind kind)
{
    int shown = 0;
    if (stages[kind].to == POSITION_BEGIN)
        return; // its chapter is that of the fetch
    add_section(hover, str_from(stages[kind].manual), &shown);
    if (has_operators(kind)) {
        add_section(hover, STR("Intra-Slice Block, Constraints"), &shown);
        add_section(hover, STR("Intra-Slice Block, Operands"), &shown);
    }
}

// A method of the Tensor Unit: its stage, and what that makes of the stream (hover_stage.c). False:
// it is none.
static bool hover_stage(const Hover *hover, const Meaning *meaning)
{
    StageKind kind = decl_stage(hover->query->analysis->lang, meaning->decl);
    if (kind == STAGE_COUNT)
        return false;
    add_stage(hover, kind);
    const AstExpr *call = meaning->use;
    Type *before = call && call->kind == AST_METHOD ? type_before(hover, call, kind) : NULL;
    Shape in, out;
    if (before && meaning->type) {
        shape_of_type(before, &in);
        shape_of_type(meaning->type, &out);
        add_change(hover, &in, &out);
        hover_time(hover, call, kind);
    }
    add_rules(hover, kind);
    return true;
}

static void hover_decl(const Hover *hover, const Meaning *meaning)
{
    const Decl *decl = meaning->decl;
    add_code(hover->out, decl_text(hover->arena, hover->lang, decl));
    add_docs(hover->out, decl_docs(decl));
    if (hover_stage(hover, meaning))
        return;
    switch ((int)decl->kind) {
    case DECL_AXIS:
        add_axis(hover, meaning);
        break;
    case DECL_ALIAS:
        add_alias(hover, decl);
        break;
    case DECL_CONST:
        add_size(hover, meaning);
        break;
    case DECL_ENUM:
        if (decl->item && decl->item->kind == ITEM_ENUM)
            add_variants(hover, decl);
        break;
    case DECL_FN:
        add_owner(hover, decl);
        if (meaning->use && meaning->use->kind == AST_METHOD && meaning->type) {
            Shape shape;
            if (shape_of_type(meaning->type, &shape))
                buf_format(hover->out, "\ngives `{}`\n", type_text(hover->arena, meaning->type));
            hover_shape(hover, meaning->type);
            if (decl->is_builtin)
                hover_time(hover, meaning->use, STAGE_COUNT);
        }
        break;
    }
}

static void hover_value(const Hover *hover, const Meaning *meaning)
{
    const char *name = meaning_name(meaning);
    if (meaning->type && type_of(meaning->type)->kind != TYPE_ERROR)
        add_code(hover->out,
                 str_format(hover->arena, "{}: {}", name, type_text(hover->arena, meaning->type)));
    else if (meaning->field)
        add_code(
            hover->out,
            str_format(hover->arena, "{}: {}", name,
                       one_line(hover->arena, lang_text(hover->lang, meaning->field->type->span))));
    else
        add_code(hover->out, str_from(name));
    if (meaning->type)
        hover_shape(hover, meaning->type);
}

static void hover_generic(const Hover *hover, const AstGeneric *generic)
{
    StrBuf text = {.arena = hover->arena};
    buf_format(&text, "{}{}", generic->kind == PARAM_CONST ? "const " : "", generic->name.text);
    if (generic->kind == PARAM_CONST && generic->type)
        buf_format(&text, ": {}", lang_text(hover->lang, generic->type->span));
    for (int64_t i = 0; i < generic->bounds.count; i++)
        buf_format(&text, "{}{}", i ? " + " : ": ",
                   lang_text(hover->lang, generic->bounds.items[i]->span));
    add_code(hover->out, buf_str(&text));
    buf_add(hover->out, STR("\na generic parameter\n"));
}

static bool hover_meaning(const Hover *hover, const Meaning *meaning)
{
    switch (meaning->kind) {
    case MEANS_NOTHING:
        return false;
    case MEANS_DECL:
        hover_decl(hover, meaning);
        return true;
    case MEANS_LOCAL:
    case MEANS_SELF:
    case MEANS_FIELD:
        hover_value(hover, meaning);
        return true;
    case MEANS_GENERIC:
        hover_generic(hover, meaning->generic);
        return true;
    }
    return false;
}

// ---- mistakes

// The code of each diagnostic at the place, explained.
static void add_mistakes(const Hover *hover)
{
    const Query *query = hover->query;
    const DiagList *diags = &query->analysis->contra->diags;
    if (!query->analysis->is_checked)
        return;
    for (int64_t i = 0; i < diags->count; i++) {
        const Diag *diag = diags->items[i];
        const DiagInfo *info = &diag_infos[diag->code];
        bool here = diag->span.source == query->source && diag->span.start <= query->offset &&
                    query->offset <= diag->span.end;
        if (!here)
            continue;
        buf_format(hover->out, "{}**{}** {}\n\n{}\n", hover->out->len ? "\n---\n\n" : "",
                   info->code, info->title, info->explanation);
        if (*info->manual)
            buf_format(hover->out, "\n_Manual: {}_\n", info->manual);
    }
}

// Words that name nothing which is declared: macros and attributes.

static const struct {
    const char *name, *docs;
} macros[] = {
    {"axes", "Declares axes with their sizes: `axes![Rows = 8, Columns = 64];`"},
    {"i", "An index into a tensor: `i![Rows: 3, Columns: 0]`"},
    {"vec", "A `Vec` of these values, or of one value so many times: `vec![0; 8]`"},
    {"format", "A `String`: the text with each `{}` replaced by a value"},
    {"print", "Prints the text with each `{}` replaced by a value"},
    {"println", "Prints a line: the text with each `{}` replaced by a value"},
    {"eprint", "Prints to the error output"},
    {"eprintln", "Prints a line to the error output"},
    {"write", "Writes the text with each `{}` replaced by a value"},
    {"writeln", "Writes a line"},
    {"assert", "Fails unless the condition holds"},
    {"assert_eq", "Fails unless the two values are equal"},
    {"assert_ne", "Fails if the two values are equal"},
    {"debug_assert", "Fails unless the condition holds"},
    {"debug_assert_eq", "Fails unless the two values are equal"},
    {"matches", "Whether the value has the form of the pattern"},
    {"include_bytes", "The bytes of a file, whose path starts beside this one"},
    {"include_str", "The text of a file, whose path starts beside this one"},
    {"panic", "Ends the program with a message"},
    {"todo", "Fails: this is still to be written"},
    {"unimplemented", "Fails: this is not written"},
    {"unreachable", "Fails: nothing should come here"},
};

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static Str macro_docs(Str name)
{
    for (size_t i = 0; i < COUNT_OF(macros); i++)
        if (str_equal(name, str_from(macros[i].name)))
            return str_from(macros[i].docs);
    return STR("");
}

// Words that name nothing: macros and attributes (hover_word.c). *span is the word.
static bool hover_word(const Hover *hover, Span *span)
{
    Query at = *hover->query;
    Str text = at.analysis->contra->sources.items[at.source].text;
    while (at.offset < text.len && is_letter(text.data[at.offset]))
        at.offset++;
    Cursor cursor = cursor_at(&at, hover->trail);
    bool macro = at.offset < text.len && text.data[at.offset] == '!';
    if (cursor.is_text || !cursor.word.len)
        return false;
    Str docs = macro ? macro_docs(cursor.word) : attribute_docs(&cursor);
    if (!docs.len)
        return false;
    buf_format(hover->out, "```rust\n{}{}\n```\n\n{}\n", cursor.word, macro ? "!" : "", docs);
    *span = (Span){at.source, cursor.start, at.offset};
    return true;
}

json_t *answer_hover(Query *query)
{
    StrBuf out = {.arena = query->arena};
    Trail trail = trail_at(query->arena, query->analysis, query->source, query->offset);
    Hover hover = {query, query->arena, query->analysis->lang, &trail, &out};
    Meaning meaning = meaning_of(query->analysis, &trail, query->source);
    Span span = meaning.span;
    if (!hover_meaning(&hover, &meaning) && !hover_word(&hover, &span) && trail.count) {
        hover_mapping(&hover);
        span = trail.items[trail.count - 1].span;
    }
    bool found = out.len;
    add_mistakes(&hover);
    if (!out.len)
        return NULL;
    json_t *value =
        json_pack("{s:o}", "contents", json_of_markup(query, MARKUP_HOVER, buf_str(&out)));
    if (found)
        json_object_set_new(value, "range", query_range(query, span));
    return value;
}
