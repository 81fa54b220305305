// What a tensor or a stream of a program that is built has become, for who does not keep book of
// it.
#include "api/build.h"
#include "api/sized.h"

#include "engine/engine.h"
#include "engine/memory/access.h"

#include <inttypes.h>
#include <stdio.h>

// ---- texts that outlive their program

typedef struct {
    const char *text;
} GivenText;

// Each is copied once, whoever asks how often. `of`: what it stands for.
static const char *lasting_text(ContraProgram *program, const void *of, Str text)
{
    Arena *arena = &program->contra->arena;
    GivenText *given = arena_new(arena, GivenText, 1);
    given->text = str_terminated(arena, text);
    map_put(&program->given_texts, of, given);
    return given->text;
}

static const char *name_text(ContraProgram *program, const char *name)
{
    const GivenText *given = name ? map_get(&program->given_texts, name) : NULL;
    return given ? given->text : name ? lasting_text(program, name, str_from(name)) : NULL;
}

// As the program would read it; NULL: there is no such dimension.
static const char *dim_text(ContraProgram *program, const Dim *dim)
{
    const GivenText *given = dim ? map_get(&program->given_texts, dim->expr) : NULL;
    if (given || !dim)
        return given ? given->text : NULL;
    const Expr *shown = text_axes_rename(&program->reader.axes, dim->expr);
    return lasting_text(program, dim->expr, expr_text(&program->own, shown));
}

// ---- mappings

ContraStatus contra_program_mapping(ContraProgram *program, const char *text,
                                    ContraMapping **mapping)
{
    if (mapping)
        *mapping = NULL;
    PROGRAM_ENTER(program);
    Contra *contra = program->contra;
    Reader *reader = &program->reader;
    CONTRA_NEEDS(contra, text && mapping, "`text` and `mapping`");
    int32_t source = add_source(contra, contra_text("mapping"), contra_text(text));
    const Expr *expr =
        mapping_parse(&reader->scope, &contra->diags, source, contra->sources.items[source].text);
    if (expr->kind == EXPR_POISON || !expr_check_overlap(&contra->diags, expr))
        return CONTRA_INVALID;
    const Expr *shown = text_axes_rename(&reader->axes, expr);
    Mapping factors = mapping_of_expr(&contra->arena, shown);
    *mapping = new_mapping(contra, &factors, shown);
    program->is_lent = true;
    return CONTRA_OK;
}

// ---- tensors

static ContraLayout layout_of(ContraProgram *program, const Tensor *tensor,
                              const Dim *const dims[LEVEL_COUNT])
{
    bool addressed = tensor->tier != TIER_HOST && tensor->tier != TIER_TRF;
    MaybeInt given = tensor_given_address(tensor);
    return (ContraLayout){
        .tier = (ContraTier)tensor->tier,
        .type = scalar_name(tensor->type),
        .chip = dim_text(program, dims[LEVEL_CHIP]),
        .cluster = dim_text(program, dims[LEVEL_CLUSTER]),
        .slice = dim_text(program, dims[LEVEL_SLICE]),
        .row = dim_text(program, dims[LEVEL_ROW]),
        .element = dim_text(program, dims[LEVEL_ELEMENT]),
        .address = !addressed    ? 0
                   : given.known ? given.value
                                 : CONTRA_UNKNOWN,
        .half = tensor->tier == TIER_TRF ? trf_address_names[tensor_root(tensor)->trf] : NULL,
    };
}

static ContraTensorInfo describe_tensor(ContraProgram *program, const Label *label)
{
    Tensor part = *label->tensor;
    ContraTensorInfo info = {
        .name = name_text(program, part.name), .is_view = label->view != NULL, .bytes = -1};
    for (Level level = 0; label->view && level < LEVEL_COUNT; level++)
        part.dims[level] = label->view->dims[level];
    info.layout = layout_of(program, label->tensor, part.dims);
    if (!tensor_bytes(&part, &info.bytes))
        info.bytes = -1;
    return info;
}

ContraStatus contra_tensor_describe(const ContraTensor *tensor, ContraTensorInfo *info)
{
    sized_empty(SIZED_ContraTensorInfo, info);
    ContraProgram *program = build_program_of(tensor);
    PROGRAM_ENTER(program);
    if (!sized_fits(program->contra, SIZED_ContraTensorInfo, info) || tensor->refused)
        return CONTRA_INVALID;
    char label[24];
    snprintf(label, sizeof label, "%" PRId64, tensor->label);
    ContraTensorInfo made =
        describe_tensor(program, text_label_find(&program->reader, str_from(label)));
    sized_give(SIZED_ContraTensorInfo, &made, info);
    return CONTRA_OK;
}

// ---- streams

// NULL: the stream was refused, or is stored.
static const Stage *last_stage(const ContraStream *stream)
{
    const Pass *pass = stream->refused ? NULL : stream->pass;
    return pass && pass->stages.count ? pass->stages.items[pass->stages.count - 1] : NULL;
}

static ContraStreamType describe_stream(ContraProgram *program, const Stage *stage)
{
    bool in_vector =
        stage->position >= POSITION_VECTOR_INIT && stage->position <= POSITION_VECTOR_PAIR;
    return (ContraStreamType){
        .kind = position_types[stage->position],
        .type = scalar_name(stage->type),
        .chip = dim_text(program, stage->dims[LEVEL_CHIP]),
        .cluster = dim_text(program, stage->dims[LEVEL_CLUSTER]),
        .slice = dim_text(program, stage->dims[LEVEL_SLICE]),
        .row = dim_text(program, stage->dims[LEVEL_ROW]),
        .time = dim_text(program, stage->dims[LEVEL_TIME]),
        .packet = dim_text(program, stage->dims[LEVEL_PACKET]),
        .stage = in_vector ? vector_stages[stage->vector_stage].name : NULL,
        .entry = in_vector ? scalar_name(stage->stash_type) : NULL,
        .stash = in_vector && stage->has_stash,
        .way4 = in_vector && stage->way4,
        .inter_first = in_vector && stage->inter_first,
        .zipped = in_vector && stage->zipped,
    };
}

ContraStatus contra_stream_describe(const ContraStream *stream, ContraStreamType *type)
{
    sized_empty(SIZED_ContraStreamType, type);
    ContraProgram *program = stream ? stream->program : NULL;
    PROGRAM_ENTER(program);
    const Stage *stage = last_stage(stream);
    if (!sized_fits(program->contra, SIZED_ContraStreamType, type) || !stage)
        return CONTRA_INVALID;
    ContraStreamType made = describe_stream(program, stage);
    sized_give(SIZED_ContraStreamType, &made, type);
    return CONTRA_OK;
}

bool contra_stream_takes(const ContraStream *stream, const char *call)
{
    bool is_open = stream && stream->program->builder && !stream->program->contra->exhausted;
    const Stage *stage = is_open ? last_stage(stream) : NULL;
    StageKind kind = call ? text_stage_find(str_from(call)) : STAGE_COUNT;
    return stage && kind != STAGE_INPUT && kind != STAGE_COUNT &&
           pass_may_follow(stream->program->options.rule_set, stream->pass, stage, kind);
}
