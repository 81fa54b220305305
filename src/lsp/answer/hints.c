// What the program does not say and the front end knows: types, packets, cycles, addresses.
#include "lsp/answer/answers.h"
#include "lsp/answer/describe.h"
#include "lsp/program/analysis.h"
#include "lsp/program/kernels.h"

#include "base/checked.h"
#include "lang/syntax/parse.h"
#include "lang/types/signature.h"
#include "schedule/export.h"

#include <string.h>

enum { HINT_TYPE = 1, HINT_OTHER = 0, LONGEST_LABEL = 60 };

typedef struct {
    Query *query;
    int64_t start, end; // that were asked for
    Decl *function;
    const Body *body; // of it; NULL: none
    json_t *list;
} HintWalk;

static void add_hint(const HintWalk *walk, int64_t offset, int kind, Str label, Str tooltip)
{
    const Query *query = walk->query;
    if (offset < walk->start || offset > walk->end)
        return;
    const LinedText *text = query_text(query, query->source);
    TextPosition position = offset_position(text, query->server->encoding, offset);
    json_t *hint = json_pack("{s:o, s:o, s:b}", "position", json_of_position(position), "label",
                             json_of_str(label), "paddingLeft", kind != HINT_TYPE);
    if (kind)
        json_object_set_new(hint, "kind", json_integer(kind));
    if (tooltip.len)
        json_object_set_new(hint, "tooltip", json_of_str(tooltip));
    json_array_append_new(walk->list, hint);
}

// ---- types

// What is long is cut; the tooltip has it whole.
static void add_type(const HintWalk *walk, int64_t offset, const char *before, Type *type)
{
    Arena *arena = walk->query->arena;
    type = type ? type_of(type) : NULL;
    if (!type || type->kind == TYPE_ERROR || type_hole(type))
        return;
    Str text = type_text(arena, type);
    Str shown = text.len > LONGEST_LABEL
                    ? str_format(arena, "{}{}..", before, ((Str){text.data, LONGEST_LABEL - 2}))
                    : str_format(arena, "{}{}", before, text);
    add_hint(walk, offset, HINT_TYPE, shown, text.len > LONGEST_LABEL ? text : STR(""));
}

static Type *type_of_pattern(const HintWalk *walk, const AstPattern *pattern)
{
    intptr_t slot = walk->body ? (intptr_t)map_get(&walk->body->slots, pattern) : 0;
    return slot && slot <= walk->body->slot_types.count ? walk->body->slot_types.items[slot - 1]
                                                        : NULL;
}

// Every variable that a `let` without a type binds.
static void hint_pattern(const HintWalk *walk, const AstPattern *pattern)
{
    if (pattern->kind == PATTERN_BIND && !pattern->inner)
        add_type(walk, pattern->name.span.end, ": ", type_of_pattern(walk, pattern));
    for (int64_t i = 0; i < pattern->items.count; i++)
        hint_pattern(walk, pattern->items.items[i]);
    if (pattern->inner)
        hint_pattern(walk, pattern->inner);
}

// ---- what stands for `_`

static void fill_holes(const HintWalk *walk, const AstType *written, Type *type);

static void fill_args(const HintWalk *walk, const AstGenericArgs *args, Type **types, int64_t count)
{
    int64_t at = 0;
    for (int64_t i = 0; i < args->count; i++) {
        const AstGenericArg *arg = &args->items[i];
        bool takes = arg->kind == GENERIC_TYPE || arg->kind == GENERIC_CONST;
        if (arg->kind == GENERIC_TYPE && at < count)
            fill_holes(walk, arg->type, types[at]);
        at += takes;
    }
}

static void fill_path(const HintWalk *walk, const AstPath *path, Type *type)
{
    const AstSegment *last =
        path->segments.count ? &path->segments.items[path->segments.count - 1] : NULL;
    if (last && type->kind == TYPE_NAMED && last->name.text &&
        strcmp(last->name.text, type->decl->name) == 0)
        fill_args(walk, &last->args, type->args, type->arg_count);
}

// A written type beside the one that it turned out to be.
static void fill_holes(const HintWalk *walk, const AstType *written, Type *type)
{
    type = type_of(type);
    if (written->kind == AST_TYPE_INFER)
        add_type(walk, written->span.end, " = ", type);
    else if (written->kind == AST_TYPE_REF && type->kind == TYPE_REF)
        fill_holes(walk, written->inner, type->args[0]);
    else if (written->kind == AST_TYPE_PATH)
        fill_path(walk, &written->path, type);
    else if (written->kind == AST_TYPE_TUPLE && type->kind == TYPE_TUPLE)
        for (int64_t i = 0; i < written->items.count && i < type->arg_count; i++)
            fill_holes(walk, written->items.items[i], type->args[i]);
}

static const Use *use_of(const HintWalk *walk, const AstExpr *expr)
{
    const Use *use = body_has(walk->body, expr) ? body_use(walk->body, expr) : NULL;
    return use && use->kind == USE_DECL && use->decl ? use : NULL;
}

// The arguments that a call gives a function.
static void fill_segment(const HintWalk *walk, const AstSegment *segment, const Use *use)
{
    if (!segment->has_args || use->decl->kind != DECL_FN || !use->generics)
        return;
    const Signature *signature = signature_of(walk->query->analysis->lang, use->decl);
    fill_args(walk, &segment->args, use->generics + signature->own_start,
              signature->own_end - signature->own_start);
}

static void hint_path(const HintWalk *walk, const AstExpr *expr)
{
    const AstSegments *segments = &expr->path.segments;
    const Use *use = segments->count ? use_of(walk, expr) : NULL;
    if (!use)
        return;
    fill_segment(walk, &segments->items[segments->count - 1], use);
    const AstSegment *of = segments->count > 1 ? &segments->items[segments->count - 2] : NULL;
    Type *self = of && use->self ? type_of(use->self) : NULL;
    if (self && self->kind == TYPE_NAMED)
        fill_args(walk, &of->args, self->args, self->arg_count);
}

// ---- streams

static void hint_stream(const HintWalk *walk, const AstExpr *expr)
{
    Shape shape;
    bool has_shape = shape_of_type(body_type(walk->body, expr), &shape);
    const Type *time = shape.dims[LEVEL_TIME], *packet = shape.dims[LEVEL_PACKET];
    int64_t bits;
    if (!has_shape || !time || !packet || time->kind != TYPE_MAPPING ||
        packet->kind != TYPE_MAPPING || shape.scalar == SCALAR_NONE ||
        !checked_mul(packet->expr->size, scalar_traits[shape.scalar].bits, &bits))
        return;
    Arena *arena = walk->query->arena;
    int64_t steps = time->expr->size, bytes = ceil_div(bits, 8);
    add_hint(walk, expr->span.end, HINT_OTHER, str_format(arena, "{} x {} B", steps, bytes),
             str_format(arena, "{} time step{}, packets of {} bytes", steps, steps == 1 ? "" : "s",
                        bytes));
}

// ---- operations in time

typedef struct {
    const HintWalk *walk;
    const AstExpr *expr;             // the call
    Str file;                        // where its name stands,
    int64_t line;                    // from 1
    bool begins, commits;            // it is of a pass
    int64_t count;                   // operations that it is
    int64_t kernels;                 // that have some of them
    int64_t least, most;             // cycles of one
    CostPart bound;                  // of the first
    const OperationCost *written[2]; // the first places that are written
    int64_t written_count;
} Found;

static void take_cost(Found *found, const OperationCost *operation)
{
    int64_t cycles = operation->cycles;
    if (!found->count++) {
        found->least = found->most = cycles;
        found->bound = operation->bound;
    }
    found->least = min_i64(found->least, cycles);
    found->most = max_i64(found->most, cycles);
}

static void add_costs(const Found *found)
{
    Arena *arena = found->walk->query->arena;
    StrBuf label = {.arena = arena};
    if (!found->count)
        return;
    buf_format(&label, "{}", found->least);
    if (found->most > found->least)
        buf_format(&label, "..{}", found->most);
    buf_format(&label, " cycle{}", found->most == 1 ? "" : "s");
    if (found->count > 1)
        buf_format(&label, ", {} times", found->count);
    StrBuf tooltip = {.arena = arena};
    buf_format(&tooltip, "bound by {}", cost_part_names[found->bound]);
    if (found->kernels > 1)
        buf_format(&tooltip, "; in {} kernels", found->kernels);
    add_hint(found->walk, found->expr->span.end, HINT_OTHER, buf_str(&label), buf_str(&tooltip));
}

static void take_written(Found *found, const OperationCost *operation)
{
    enum { MOST = COUNT_OF(found->written) };
    if (operation->bytes <= 0)
        return;
    for (int64_t i = 0; i < found->written_count && i < MOST; i++)
        if (found->written[i]->address == operation->address &&
            found->written[i]->bytes == operation->bytes)
            return;
    if (found->written_count < MOST)
        found->written[found->written_count] = operation;
    found->written_count++;
}

// Where what a pass commits lies.
static void add_ranges(const Found *found)
{
    Arena *arena = found->walk->query->arena;
    StrBuf label = {.arena = arena};
    int64_t shown = 0;
    if (!found->written[0])
        return;
    buf_add(&label, STR("DM"));
    for (; shown < (int64_t)COUNT_OF(found->written) && found->written[shown]; shown++) {
        const OperationCost *place = found->written[shown];
        buf_format(&label, "{} 0x{x}..0x{x}", shown ? "," : "", (uint64_t)place->address,
                   (uint64_t)(place->address + place->bytes - 1));
    }
    if (found->written_count > shown)
        buf_add(&label, STR(", .."));
    add_hint(found->walk, found->expr->span.end, HINT_OTHER, buf_str(&label),
             str_format(arena, "{} bytes of every slice", found->written[0]->bytes));
}

// Passes are told where they begin, and where they write; other operations where they are called.
static void take_operation(Found *found, const OperationCost *operation)
{
    AstName name = found->expr->method.name.name;
    bool begins = operation->line == found->line,
         writes = operation_write_line(operation) == found->line;
    if (!(begins || writes) || !str_equal(operation->file, found->file))
        return;
    bool is_it =
        operation->is_pass ? found->begins : str_equal(operation->method, str_from(name.text));
    if (is_it && begins)
        take_cost(found, operation);
    if (operation->is_pass && found->commits && writes)
        take_written(found, operation);
}

static void hint_operation(const HintWalk *walk, const AstExpr *expr, StageKind stage)
{
    Query *query = walk->query;
    const KernelTimes *times = times_of_function(query, walk->function);
    Span name = expr->method.name.name.span;
    Found found = {.walk = walk,
                   .expr = expr,
                   .file = analysis_path(query->analysis, name.source),
                   .line = offset_line(query_text(query, name.source), name.start) + 1,
                   .begins = stage != STAGE_COUNT && stages[stage].to == POSITION_BEGIN,
                   .commits = stage != STAGE_COUNT && stages[stage].to == POSITION_SINK};
    for (int64_t i = 0; i < times->count; i++) {
        const KernelCosts *costs = kernel_costs(query, times->items[i]);
        int64_t before = found.count;
        for (int64_t k = 0; k < costs->count; k++)
            take_operation(&found, &costs->items[k]);
        found.kernels += found.count > before;
    }
    add_costs(&found);
    add_ranges(&found);
}

// What can be an operation, or the end of one.
static bool may_be_operation(const Lang *lang, Decl *decl, StageKind stage)
{
    return decl_is_of_device(lang, decl) &&
           (stage == STAGE_COUNT || stages[stage].to == POSITION_BEGIN ||
            stages[stage].to == POSITION_SINK);
}

static void hint_method(const HintWalk *walk, const AstExpr *expr)
{
    const Use *use = use_of(walk, expr);
    if (!use)
        return;
    fill_segment(walk, &expr->method.name, use);
    const Lang *lang = walk->query->analysis->lang;
    StageKind stage = decl_stage(lang, use->decl);
    if (stage != STAGE_COUNT)
        hint_stream(walk, expr);
    bool meets = expr->span.end >= walk->start && expr->span.end <= walk->end;
    if (walk->function && meets && may_be_operation(lang, use->decl, stage))
        hint_operation(walk, expr, stage);
}

// ---- the walk

static void walk_node(void *own, AstNode node);

static void walk_function(const HintWalk *walk, AstNode node)
{
    Analysis *analysis = walk->query->analysis;
    HintWalk inner = *walk;
    inner.function = analysis_function(analysis, node.item);
    inner.body = inner.function ? analysis_body(analysis, inner.function) : NULL;
    ast_children(node, walk_node, &inner);
}

static void walk_node(void *own, AstNode node)
{
    const HintWalk *walk = own;
    bool meets = node.span.start <= walk->end && walk->start <= node.span.end;
    if (!meets)
        return;
    if (node.kind == NODE_ITEM && node.item->kind == ITEM_FN) {
        walk_function(walk, node);
        return;
    }
    if (walk->body && node.kind == NODE_STATEMENT && node.statement->kind == STATEMENT_LET) {
        const AstStatement *let = node.statement;
        if (!let->type)
            hint_pattern(walk, let->pattern);
        else if (let->pattern->kind == PATTERN_BIND && type_of_pattern(walk, let->pattern))
            fill_holes(walk, let->type, type_of_pattern(walk, let->pattern));
    }
    ast_children(node, walk_node, own);
    if (walk->body && node.kind == NODE_EXPR && node.expr->kind == AST_METHOD)
        hint_method(walk, node.expr);
    if (walk->body && node.kind == NODE_EXPR && node.expr->kind == AST_PATH)
        hint_path(walk, node.expr);
}

json_t *answer_hints(Query *query)
{
    HintWalk walk = {.query = query};
    if (!query_offsets(query, &walk.start, &walk.end))
        return NULL;
    walk.list = json_array();
    analysis_items(query->analysis, query->source, walk_node, &walk);
    return walk.list;
}
