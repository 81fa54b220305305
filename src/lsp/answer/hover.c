// What a place means, in a few lines of Markdown.
#include "lsp/answer/answers.h"
#include "lsp/answer/describe.h"
#include "lsp/complete/complete.h"
#include "lsp/program/analysis.h"
#include "lsp/program/kernels.h"
#include "lsp/program/search.h"

#include "base/checked.h"
#include "schedule/export.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    Query *query;
    Arena *arena;
    const Lang *lang;
    const Trail *trail;
    StrBuf *out;
} Hover;

// ---- time

// What a call costs, and what the hardware is told: from the schedule of the kernel around it, or
// of one that calls the function around it, if that is right.

// What a stage is to the model of costs, and in the listing of a pass.
typedef struct {
    CostPart part;
    const char *labels[2]; // NULL: no more
} StageCost;

static StageCost cost_of_stage(StageKind kind)
{
    static const struct {
        StageKind kind;
        StageCost cost;
    } rows[] = {
        {STAGE_BEGIN, {COST_WHOLE, {"pass"}}},
        {STAGE_BEGIN_INTERLEAVED, {COST_WHOLE, {"pass"}}},
        {STAGE_FETCH, {COST_FETCH, {"fetch"}}},
        {STAGE_SWITCH, {COST_SWITCH, {"switch"}}},
        {STAGE_COLLECT, {COST_COLLECT, {"collect"}}},
        {STAGE_ALIGN, {COST_CONTRACT, {"adapt", "trf_read"}}},
        {STAGE_CONTRACT, {COST_CONTRACT, {"reduce"}}},
        {STAGE_ACCUMULATE, {COST_CONTRACT, {"reduce"}}},
        {STAGE_CAST, {COST_CAST, {"cast"}}},
        {STAGE_TRANSPOSE, {COST_TRANSPOSE, {"transpose"}}},
        {STAGE_COMMIT, {COST_COMMIT, {"commit"}}},
        {STAGE_COMMIT_VIEW, {COST_COMMIT, {"commit"}}},
        {STAGE_TO_TRF, {COST_TRF_STORE, {"trf_store"}}},
        {STAGE_TO_VRF, {COST_VRF_STORE, {"vrf_store"}}},
        {STAGE_VECTOR_INTER_REDUCE, {COST_INTER_SLICE, {"vector"}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].kind == kind)
            return rows[i].cost;
    return (StageCost){COST_VECTOR, {"vector"}};
}

// Where a pass begins, as far as it is written here.
static const AstExpr *first_call(const AstExpr *call)
{
    while (call->method.receiver->kind == AST_METHOD &&
           stages[stage_of_method(call->method.name.name.text)].to != POSITION_BEGIN) {
        call = call->method.receiver;
        if (stage_of_method(call->method.name.name.text) == STAGE_COUNT)
            return NULL;
    }
    return call;
}

static bool is_sink(const AstExpr *call)
{
    StageKind kind = stage_of_method(call->method.name.name.text);
    return kind != STAGE_COUNT && stages[kind].to == POSITION_SINK;
}

// Where it ends: the last call on what the call gives.
static const AstExpr *last_call(const Trail *trail, const AstExpr *call)
{
    for (int64_t i = trail->count - 1; i >= 0 && !is_sink(call); i--) {
        const AstExpr *expr = trail_expr(trail, i);
        if (expr && expr->kind == AST_METHOD && expr->method.receiver == call)
            call = expr;
    }
    return call;
}

// The function that gives the stream which a pass goes on with here; NULL: none does.
static Decl *function_before(Query *query, const AstExpr *first)
{
    const AstExpr *call = first ? first->method.receiver : NULL;
    const AstExpr *callee = call && call->kind == AST_CALL ? call->call.callee : NULL;
    if (!callee || callee->kind != AST_PATH)
        return NULL;
    const AstSegments *segments = &callee->path.segments;
    Span name = segments->items[segments->count - 1].name.span;
    Meaning meaning = meaning_at(query->arena, query->analysis, name.source, name.start);
    bool is_function = meaning.kind == MEANS_DECL && meaning.decl->kind == DECL_FN;
    return is_function && !meaning.decl->is_builtin ? meaning.decl : NULL;
}

typedef struct {
    const Query *query;
    const AstExpr *first, *last; // of a pass
    const AstExpr *call;         // that is asked about
    Decl *before;                // whose stream the pass goes on with
    Spans callers;               // where the function around it is called; of a kernel none
    bool is_pass;
} Wanted;

// One that begins in a function of another file: where it ends is not known (object.def), but whose
// call it is a part of is.
static bool goes_on_here(const Wanted *wanted, const OperationCost *operation)
{
    if (!wanted->before || operation->write_line ||
        !str_equal(operation->method, str_from(wanted->last->method.name.name.text)) ||
        !operation_begins_in(wanted->query, operation, wanted->before->item->span))
        return false;
    for (int64_t i = 0; i < wanted->callers.count; i++)
        if (operation_is_called_at(wanted->query, operation, wanted->callers.items[i]))
            return true;
    return !operation->caller_line && !wanted->callers.count;
}

// A part of a pass may be in another function: it is known by the other end of it.
static bool is_wanted(const Wanted *wanted, const OperationCost *operation)
{
    AstName name = wanted->call->method.name.name;
    if (operation->is_pass != wanted->is_pass)
        return false;
    if (!wanted->is_pass)
        return str_equal(operation->method, str_from(name.text)) &&
               operation_begins_at(wanted->query, operation, name.span);
    return (wanted->first &&
            operation_begins_at(wanted->query, operation, wanted->first->method.name.name.span)) ||
           operation_writes_at(wanted->query, operation, wanted->last->method.name.name.span) ||
           goes_on_here(wanted, operation);
}

static const OperationCost *operation_of(const Wanted *wanted, const KernelCosts *costs,
                                         int64_t *count)
{
    const OperationCost *first = NULL;
    *count = 0;
    for (int64_t i = 0; i < costs->count; i++) {
        if (!is_wanted(wanted, &costs->items[i]))
            continue;
        first = first ? first : &costs->items[i];
        ++*count;
    }
    return first;
}

static void add_cost(const Hover *hover, const OperationCost *operation, int64_t count,
                     CostPart part)
{
    StrBuf *out = hover->out;
    buf_format(out, "\n**{} cycles**{}, bound by {}", operation->cycles,
               part == COST_PART_COUNT ? "" : " a pass", cost_part_names[operation->bound]);
    if (count > 1)
        buf_format(out, "; the first of {}", count);
    buf_add(out, STR("\n"));
    const CostDetail *detail = operation->detail;
    for (int64_t i = 0; detail && i < detail->count; i++) {
        const DetailLine *line = &detail->items[i];
        if (line->part != part && part != COST_PART_COUNT)
            continue;
        buf_format(out, "- {}: {} cycles", cost_part_names[line->part], line->busy);
        if (line->latency)
            buf_format(out, ", {} until the first comes out", line->latency);
        if (line->note.len)
            buf_format(out, " ({})", line->note);
        buf_format(out, " _{}_\n", line->rule);
    }
}

static bool has_label(Str line, const StageCost *cost)
{
    Str word = str_trim(line);
    for (size_t i = 0; i < 2 && cost->labels[i]; i++) {
        Str label = str_from(cost->labels[i]);
        if (str_starts_with(word, label) && (word.len == label.len || word.data[label.len] == ' '))
            return true;
    }
    return false;
}

// The lines of the listing about some engines.
static void add_engines(StrBuf *out, Str listing, const StageCost *cost)
{
    enum { INDENT = 4 };
    bool shown = false;
    for (int64_t at = 0, end; at < listing.len; at = end + 1) {
        const char *newline = memchr(listing.data + at, '\n', (size_t)(listing.len - at));
        end = newline ? newline - listing.data : listing.len;
        Str line = str_slice(listing, at, end);
        if (line.len > INDENT && line.data[INDENT] != ' ')
            shown = has_label(line, cost);
        if (shown && line.len > INDENT)
            buf_format(out, "{}\n", str_slice(line, INDENT, line.len));
    }
}

static void add_configuration(const Hover *hover, const OperationCost *operation,
                              const StageCost *cost)
{
    StrBuf lines = {.arena = hover->arena};
    if (operation->detail)
        add_engines(&lines, operation->detail->listing, cost);
    if (lines.len)
        buf_format(hover->out, "\n```text\n{}```\n", buf_str(&lines));
}

static void hover_time(const Hover *hover, const AstExpr *call, StageKind kind)
{
    static const StageCost dma = {COST_PART_COUNT, {"dma"}};
    Query *query = hover->query;
    Decl *function = trail_function(hover->trail);
    if (!function)
        return;
    bool is_pass = kind != STAGE_COUNT;
    Wanted wanted = {.query = query,
                     .first = is_pass ? first_call(call) : NULL,
                     .last = last_call(hover->trail, call),
                     .call = call,
                     .is_pass = is_pass};
    wanted.before = function_before(query, wanted.first);
    if (wanted.before && wanted.before->span.source == call->span.source)
        wanted.before = NULL; // where it ends is known
    if (wanted.before && !item_is_kernel(function->item))
        find_calls(query, function, &wanted.callers);
    const KernelTimes *times = times_of_function(query, function);
    const OperationCost *operation = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < times->count && !operation && !query->waits; i++)
        operation = operation_of(&wanted, kernel_costs(query, times->items[i]), &count);
    if (!operation)
        return;
    StageCost cost = kind == STAGE_COUNT ? dma : cost_of_stage(kind);
    add_cost(hover, operation, count, cost.part);
    add_configuration(hover, operation, &cost);
}

// ---- texts

static void add_code(StrBuf *out, Str text)
{
    buf_format(out, "```rust\n{}\n```\n", text);
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
    Type *type = mapping_type_at(trail, mapping);
    if (!type)
        return false;
    add_mapping(hover, one_line(hover->arena, lang_text(hover->lang, node->span)), type);
    return true;
}

// ---- declarations

static void add_alias(const Hover *hover, Decl *decl)
{
    Type *type = alias_type(hover->query->analysis->lang, decl);
    if (!type || type->kind == TYPE_ERROR)
        return;
    if (type->kind != TYPE_MAPPING) {
        buf_format(hover->out, "\n= `{}`\n", type_text(hover->arena, type));
        hover_shape(hover, type);
        return;
    }
    add_expr(hover, type->expr);
}

static void add_variants(const Hover *hover, Decl *decl)
{
    enum { SHOWN = 24 };
    buf_add(hover->out, STR("\n"));
    for (int64_t i = 0; i < decl->item->variants.count && i < SHOWN; i++)
        buf_format(hover->out, "{}`{}`", i ? ", " : "", decl->item->variants.items[i].name.text);
    buf_add(hover->out, decl->item->variants.count > SHOWN ? STR(", ..\n") : STR("\n"));
}

// How many positions `X::SIZE` is.
static void add_size(const Hover *hover, const Meaning *meaning)
{
    const Body *body = meaning->use ? trail_body(hover->trail) : NULL;
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
    const Body *body = trail_body(hover->trail);
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

// A method of the Tensor Unit: its stage, and the stream after it. False: the name is not such a
// method.
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
    Decl *decl = meaning->decl;
    add_code(hover->out, decl_text(hover->arena, hover->lang, decl));
    Str docs = decl_docs(decl);
    if (docs.len)
        buf_format(hover->out, "\n{}\n", str_trim(docs));
    if (hover_stage(hover, meaning))
        return;
    switch ((int)decl->kind) {
    case DECL_AXIS: {
        int64_t uses = query_use_count(hover->query, meaning);
        buf_format(hover->out, "\nused {} time{}\n", uses, uses == 1 ? "" : "s");
        break;
    }
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
        if (decl->impl && decl->impl->self && decl->impl->self->kind == TYPE_NAMED)
            buf_format(hover->out, "\nof `{}`\n", decl->impl->self->decl->name);
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
        add_code(hover->out, generic_text(hover->arena, hover->lang, meaning->generic));
        buf_add(hover->out, STR("\na generic parameter\n"));
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

// Words that are not names: macros and attributes. *span is the word.
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
    Trail trail = query_trail(query);
    Hover hover = {query, query->arena, query->analysis->lang, &trail, &out};
    Meaning meaning = meaning_of(&trail);
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
