// A call of the Tensor Unit: which stage it is, what comes in and what goes out, and by which
// rules.
#include "lsp/answers.h"
#include "lsp/describe.h"
#include "lsp/hover.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

static void add_cell(const Hover *hover, const Shape *shape, Level level)
{
    Type *dim = shape->dims[level];
    int64_t bytes;
    buf_add(hover->out, STR(" "));
    if (dim) {
        buf_printf(hover->out, "`%.*s`", STR_ARG(type_text(hover->arena, dim)));
        if (dim->kind == TYPE_MAPPING)
            buf_printf(hover->out, " %" PRId64, dim->expr->size);
        if (level == LEVEL_PACKET && dim->kind == TYPE_MAPPING &&
            shape_bytes(shape, dim->expr->size, &bytes))
            buf_printf(hover->out, ", %" PRId64 " bytes", bytes);
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
    buf_printf(hover->out, "| type | `%s` | `%s` |\n", scalar_text(in), scalar_text(out));
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        bool there = in->dims[level] || out->dims[level];
        bool stays = level <= LEVEL_SLICE && is_same(in, out, level, hover->arena);
        if (!there || stays)
            continue;
        buf_printf(hover->out, "| %s |", level_names[level]);
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
    buf_printf(hover->out, "\nStage `%s` of the Tensor Unit", info->method);
    const char *join = ", after";
    for (StageKind before = STAGE_INPUT + 1; before < STAGE_COUNT; before++) {
        bool vector =
            stages[before].to == POSITION_VECTOR || stages[before].to == POSITION_VECTOR_PAIR;
        if (!(info->from & 1U << stages[before].to) || vector || before == STAGE_BEGIN_INTERLEAVED)
            continue;
        buf_printf(hover->out, "%s `%s`", join, stages[before].method);
        join = ",";
    }
    buf_printf(hover->out, ". _Manual: %s_\n", info->manual);
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
        buf_printf(hover->out, "%s- %s %s\n", *shown ? "" : "\n", info->code, info->title);
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

bool hover_stage(const Hover *hover, const Meaning *meaning)
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
