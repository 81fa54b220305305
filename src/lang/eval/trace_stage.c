// Streams: calls of a pass become its stages. Which dimension a type argument maps, and which
// setting an argument is, says the name it has in the prelude.
#include "lang/eval/trace_internal.h"

#include "base/checked.h"

#include <string.h>

// ---- from the names of generics to what they set

static const struct {
    const char *name;
    Level level;
} generic_levels[] = {
    {"Slice2", LEVEL_SLICE},    {"Row", LEVEL_ROW},          {"Time2", LEVEL_TIME},
    {"OutTime", LEVEL_TIME},    {"OTime", LEVEL_TIME},       {"SplitTime", LEVEL_TIME},
    {"Packet2", LEVEL_PACKET},  {"OutPacket", LEVEL_PACKET}, {"OPacket", LEVEL_PACKET},
    {"Element", LEVEL_ELEMENT},
};

static const Atom *axis_of_type(Type *type)
{
    type = type_of(type);
    return type->kind == TYPE_MAPPING && type->expr->kind == EXPR_ATOM ? type->expr->atom : NULL;
}

// False: something is not known, and was reported.
static bool read_generic(Trace *trace, const char *name, Type *type, Stage *stage)
{
    if (strcmp(name, "D2") == 0)
        return scalar_of_type(type, &stage->type);
    if (strcmp(name, "I") == 0 || strcmp(name, "Reduce") == 0) {
        stage->at.axis = type_of(type)->span;
        return (stage->axis = axis_of_type(type)) != NULL;
    }
    if (strcmp(name, "TileTime") == 0)
        return (stage->tile_time = dim_of_type(trace, type)) != NULL;
    for (size_t i = 0; i < COUNT_OF(generic_levels); i++)
        if (strcmp(name, generic_levels[i].name) == 0)
            return (stage->dims[generic_levels[i].level] = dim_of_type(trace, type)) != NULL;
    return true;
}

static bool read_generics(Trace *trace, const Use *use, Stage *stage)
{
    const Signature *signature = signature_of(trace->lang, use->decl);
    bool ok = true;
    for (int32_t i = signature->own_start; i < signature->generic_count; i++)
        ok &= read_generic(trace, signature->generics[i]->name.text, use->generics[i], stage);
    return ok;
}

// ---- from the names of parameters to what they set

// The element type of the stream that a method is called on.
static Scalar element_type(const Use *use)
{
    Type *self = type_strip(use->self);
    Scalar scalar = SCALAR_I32;
    for (int32_t i = 0; i < self->arg_count; i++)
        if (scalar_of_type(self->args[i], &scalar))
            break;
    return scalar;
}

static bool read_switch(Value value, SwitchConfig *config)
{
    if (value.kind != VALUE_VARIANT)
        return false;
    Decl *decl = value.variant.decl;
    for (SwitchKind kind = 0; kind < SWITCH_COUNT; kind++)
        if (strcmp(switches[kind].name, decl->name) == 0)
            config->kind = kind;
    const ValueList *fields = value.variant.fields;
    for (int64_t i = 0; fields && i < decl->variant->fields.count; i++) {
        const char *name = decl->variant->fields.items[i].name.text;
        MaybeInt number = maybe_int(fields->items[i]);
        int64_t *target = strcmp(name, "slice1") == 0   ? &config->slice1
                          : strcmp(name, "slice0") == 0 ? &config->slice0
                          : strcmp(name, "time0") == 0  ? &config->time0
                                                        : &config->ring_size;
        if (!number.known)
            return false;
        *target = number.value;
    }
    return true;
}

static bool read_accumulate(Value value, AccumulateKind *kind)
{
    for (AccumulateKind i = 0; value.kind == VALUE_VARIANT && i < ACCUMULATE_COUNT; i++)
        if (strcmp(value.variant.decl->name, accumulate_names[i]) == 0) {
            *kind = i;
            return true;
        }
    return false;
}

static bool read_table(Value value, Stage *stage)
{
    if (value.kind != VALUE_TABLE)
        return false;
    stage->adapter = *value.table;
    return true;
}

static bool read_branch_vrf(Value value, Stage *stage)
{
    if (value.kind != VALUE_TENSOR)
        return false;
    stage->branch = BRANCH_VRF;
    stage->branch_vrf = value.tensor;
    return true;
}

static void read_zero_points(Value value, Stage *stage)
{
    bool list = value.kind == VALUE_LIST;
    stage->adapter.zero_point_count = list ? (int32_t)min_i64(2, value.list->count) : 1;
    for (int32_t i = 0; i < stage->adapter.zero_point_count; i++)
        stage->adapter.zero_points[i] =
            (int32_t)maybe_int(list ? value.list->items[i] : value).value;
}

// An argument of the call: what it is, and how it is written.
typedef struct {
    const char *name; // in the prelude
    Value value;
    Type *type;
    const AstExpr *expr;
} Arg;

static bool read_group(Trace *trace, const Arg *arg, const Use *use, Stage *stage, int32_t group)
{
    Value value = arg->value;
    const Operand skip = {.kind = OPERAND_SKIP, .span = arg->expr->span};
    if (value.kind == VALUE_BOOL) {
        stage->groups[group] = value.boolean;
        return true;
    }
    stage->operand_count = 2;
    if (value.kind == VALUE_LIST && !value.list->count) { // ()
        stage->operands[group] = skip;
        return true;
    }
    if (value.kind == VALUE_VARIANT && !value.variant.fields &&
        strcmp(value.variant.decl->name, "None") == 0) {
        stage->operands[group] = skip;
        return true;
    }
    Operand operands[VECTOR_OPERANDS];
    bool too_many = false;
    int32_t count =
        read_operands(value, arg->type, element_type(use), operands, &too_many, arg->expr);
    if (count == 1)
        stage->operands[group] = operands[0];
    else
        report_second_operand(trace, value, arg->type, arg->expr);
    return count == 1;
}

static bool read_single(Trace *trace, const Arg *arg, const Use *use, Stage *stage)
{
    bool too_many = false;
    stage->operand_count = read_operands(arg->value, arg->type, element_type(use), stage->operands,
                                         &too_many, arg->expr);
    if (stage->operand_count < 0)
        report_second_operand(trace, arg->value, arg->type, arg->expr);
    if (too_many || stage->operand_count == 0)
        diag_add(trace->lang->diags, DIAG_VECTOR_OPERAND_COUNT, arg->expr->span,
                 "an operation takes 1 to {} operands, not {}", VECTOR_OPERANDS,
                 arg->value.kind == VALUE_LIST ? arg->value.list->count : 0);
    return !too_many && stage->operand_count > 0;
}

static bool read_operation(Value value, Stage *stage)
{
    if (value.kind == VALUE_DIVISION) {
        stage->mode = value.division.mode;
        value = (Value){.kind = VALUE_VARIANT, .variant = {value.division.decl, NULL}};
    }
    return read_operator(value, &stage->op, &stage->alu);
}

// Where an argument that a message may be about is written.
static void note_place(const Arg *arg, Stage *stage)
{
    const struct {
        const char *name;
        Span *place;
    } places[] = {{"op", &stage->at.op},
                  {"mode", &stage->at.mode},
                  {"config", &stage->at.config},
                  {"int_width", &stage->at.width},
                  {"branch", &stage->at.branch},
                  {"vrf", &stage->at.branch},
                  {"table", &stage->at.table},
                  {"zero_point", &stage->at.zero_points},
                  {"zero_points", &stage->at.zero_points}};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (strcmp(arg->name, places[i].name) == 0)
            *places[i].place = arg->expr->span;
}

static bool read_arg(Trace *trace, const Arg *arg, const Use *use, const Stage *stream,
                     Stage *stage)
{
    const char *name = arg->name;
    Value value = arg->value;
    if (value.kind == VALUE_POISON)
        return false;
    note_place(arg, stage);
    if (strcmp(name, "op") == 0)
        return read_operation(value, stage);
    if (strcmp(name, "mode") == 0)
        return read_mode(value, &stage->mode);
    if (strcmp(name, "operand") == 0 || strcmp(name, "operands") == 0)
        return read_single(trace, arg, use, stage);
    if (strcmp(name, "g0") == 0 || strcmp(name, "g1") == 0)
        return read_group(trace, arg, use, stage, name[1] - '0');
    if (strcmp(name, "config") == 0)
        return read_switch(value, &stage->config);
    if (strcmp(name, "trf") == 0)
        return value.kind == VALUE_TENSOR ? (stage->trf = value.tensor, true) : false;
    if (strcmp(name, "kind") == 0)
        return read_accumulate(value, &stage->accumulate);
    if (strcmp(name, "view") == 0)
        return value.kind == VALUE_VIEW ? (stage->target = value.view, true) : false;
    if (strcmp(name, "int_width") == 0)
        stage->int_width = maybe_int(value).value;
    if (strcmp(name, "branch") == 0)
        return read_branch(trace, value, stream, stage);
    if (strcmp(name, "vrf") == 0)
        return read_branch_vrf(value, stage);
    if (strcmp(name, "ids") == 0)
        return read_condition(value, &stage->filter);
    if (strcmp(name, "table") == 0)
        return read_table(value, stage);
    if (strncmp(name, "zero_point", 10) == 0)
        read_zero_points(value, stage);
    return true;
}

static bool read_args(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                      int64_t count, Stage *stage)
{
    const AstParams *params = &use->decl->item->function.params;
    const Stage *stream = value_strip(args[0]).stream.stage;
    bool ok = true;
    for (int64_t i = 0; i < params->count && i + 1 < count; i++) {
        const AstExpr *written = expr->method.args.items[i];
        Arg arg = {.name = params->items[i].pattern->name.text,
                   .value = value_strip(args[i + 1]),
                   .type = body_type(trace->frame->body, written),
                   .expr = written};
        ok &= read_arg(trace, &arg, use, stream, stage);
    }
    return ok;
}

// ---- stages

static bool holds_poison(Value value)
{
    value = value_strip(value);
    const ValueList *list = value.kind == VALUE_LIST      ? value.list
                            : value.kind == VALUE_VARIANT ? value.variant.fields
                                                          : NULL;
    for (int64_t i = 0; list && i < list->count; i++)
        if (holds_poison(list->items[i]))
            return true;
    return value.kind == VALUE_POISON;
}

static bool any_poison(const Value *args, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (holds_poison(args[i]))
            return true;
    return false;
}

// The method, of a path or call.
static Str last_name(Str text)
{
    int64_t start = 0, end = 0;
    while (end < text.len && text.data[end] != '(' && text.data[end] != '<') {
        end++;
        if (text.data[end - 1] == ':' || text.data[end - 1] == '.')
            start = end;
    }
    return str_slice(text, start, end);
}

// What a stage is told must be known while it is traced; that it is not is said, never passed over.
void not_known(const Trace *trace, Span span)
{
    Diag *diag = diag_add(trace->lang->diags, DIAG_NOT_KNOWN, span,
                          "what `{}` is given is not known while {} is traced",
                          last_name(lang_text(trace->lang, span)), root_words(trace));
    diag_help(diag,
              "only addresses and numbers in operands may come from outside: write a constant");
}

static Span name_span(const AstExpr *expr)
{
    return expr->kind == AST_METHOD ? expr->method.name.name.span : expr->span;
}

static Span call_span(const AstExpr *expr)
{
    Span span = name_span(expr);
    span.end = expr->span.end;
    return span;
}

// The tensor that a sink makes has the type of the call.
static bool make_result(Trace *trace, const AstExpr *expr, Stage *stage, const Value *args,
                        int64_t count)
{
    Type *type = body_type(trace->frame->body, expr);
    Value tensor = new_tensor(trace, type, ORIGIN_RESULT, count > 1 ? args[1] : VALUE_NOTHING,
                              count > 1 ? expr->method.args.items[0] : NULL, stage->span);
    if (tensor.kind != VALUE_TENSOR)
        return false;
    stage->result = tensor.tensor;
    return true;
}

Value trace_stage(Trace *trace, const AstExpr *expr, const Use *use, StageKind kind,
                  const Value *args, int64_t count)
{
    Value stream = value_strip(args[0]);
    if (stream.kind != VALUE_STREAM)
        return stream.kind == VALUE_POISON ? stream : VALUE_NOTHING;
    Stage stage = {.kind = kind, .span = name_span(expr), .call_span = call_span(expr)};
    int64_t reports = trace->lang->diags->count;
    if (!read_generics(trace, use, &stage) || expr->kind != AST_METHOD)
        return (Value){.kind = VALUE_POISON};
    bool ok = read_args(trace, expr, use, args, count, &stage);
    if (!ok && trace->lang->diags->count == reports && !any_poison(args, count))
        not_known(trace, stage.span);
    bool makes = kind == STAGE_COMMIT || kind == STAGE_TO_TRF || kind == STAGE_TO_VRF;
    if (ok && makes)
        ok = make_result(trace, expr, &stage, args, count);
    if (!ok)
        return (Value){.kind = VALUE_POISON};
    stage.dims[LEVEL_ELEMENT] = NULL;
    const Stage *made = builder_stage(trace->builder, stream.stream.pass, &stage);
    if (makes)
        return (Value){.kind = VALUE_TENSOR, .tensor = made->result};
    if (kind == STAGE_COMMIT_VIEW)
        return list_value(trace, NULL, 0);
    return (Value){.kind = VALUE_STREAM, .stream = {stream.stream.pass, made}};
}

// ---- the start of a pass

static Context context_of_type(Type *type)
{
    type = type_strip(type);
    Type *value = type->arg_count ? type_of(type->args[0]) : NULL;
    return value && value->kind == TYPE_CONST && value->value == 1 ? CONTEXT_SUB : CONTEXT_MAIN;
}

Value trace_begin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                  bool interleaved)
{
    Stage stage = {.kind = interleaved ? STAGE_BEGIN_INTERLEAVED : STAGE_BEGIN,
                   .span = name_span(expr),
                   .call_span = call_span(expr)};
    for (int i = 0; i <= interleaved; i++) {
        Value view = value_strip(args[i + 1]);
        if (view.kind != VALUE_VIEW)
            return (Value){.kind = VALUE_POISON};
        stage.sources[i] = view.view;
    }
    const Signature *signature = signature_of(trace->lang, use->decl);
    if (interleaved) {
        stage.axis = axis_of_type(use->generics[signature->own_start]);
        stage.at.axis = type_of(use->generics[signature->own_start])->span;
        if (!stage.axis)
            return (Value){.kind = VALUE_POISON};
    }
    Context context = context_of_type(use->self);
    Pass *pass = builder_pass(trace->builder, context, !trace->open_context, name_span(expr));
    const Stage *made = builder_stage(trace->builder, pass, &stage);
    return (Value){.kind = VALUE_STREAM, .stream = {pass, made}};
}

// ---- streams that are parameters

// The types of streams: where their element type stands, and which levels follow it.
static const struct {
    const char *name;
    Position position; // POSITION_COUNT: a mark says it
    int32_t element;   // index of the element type among the arguments
    bool has_row;
} stream_types[] = {
    {"StreamTensor", POSITION_COUNT, 2, false},
    {"AlignedPair", POSITION_ALIGN, 1, true},
    {"ContractionTensor", POSITION_CONTRACT, 1, true},
    {"VectorInitTensor", POSITION_VECTOR_INIT, 1, false},
    {"VectorTensor", POSITION_VECTOR, 2, false},
    {"VectorTensorPair", POSITION_VECTOR_PAIR, 1, false},
};

static int find_stream_type(Type *type)
{
    for (size_t i = 0; i < COUNT_OF(stream_types); i++)
        if (type_is_named(type, stream_types[i].name))
            return (int)i;
    return -1;
}

static VectorStage vector_stage_of(Type *type)
{
    type = type_of(type);
    for (VectorStage i = 0; type->kind == TYPE_NAMED && i < VECTOR_STAGE_COUNT; i++)
        if (strcmp(type->decl->name, vector_stages[i].name) == 0)
            return i;
    return VECTOR_BRANCH;
}

static bool is_variant(Type *type, int64_t index)
{
    type = type_of(type);
    return type->kind == TYPE_CONST && type->value == index;
}

// What the other arguments of VectorTensor<T, S, D, Chip, .., StashD, Stash, ORDER, FS, W> say.
static void read_vector_state(Type *type, Stage *stage)
{
    enum { STAGE_ARG = 1, STASH_TYPE = 8, STASH, ORDER, FS, WAY };
    stage->vector_stage = vector_stage_of(type->args[STAGE_ARG]);
    stage->stash_type = stage->type;
    scalar_of_type(type->args[STASH_TYPE], &stage->stash_type);
    stage->has_stash = type_is_named(type->args[STASH], "HasTensor");
    stage->inter_first = is_variant(type->args[ORDER], 1);
    stage->zipped = type_is_named(type->args[FS], "Zipped");
    stage->way4 = is_variant(type->args[WAY], 1);
}

static bool read_stream_dims(Trace *trace, Type *type, int row, Stage *stage)
{
    static const Level levels[] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE,
                                   LEVEL_ROW,  LEVEL_TIME,    LEVEL_PACKET};
    int32_t next = stream_types[row].element + 1;
    if (stream_types[row].position == POSITION_VECTOR_PAIR)
        next++; // its stage stands behind the element type
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        if (levels[i] == LEVEL_ROW && !stream_types[row].has_row)
            continue;
        stage->dims[levels[i]] = dim_of_type(trace, type->args[next++]);
        if (!stage->dims[levels[i]])
            return false;
    }
    return true;
}

bool stream_of_type(Type *type, Stage *stage)
{
    type = type_of(type);
    int row = find_stream_type(type);
    *stage = (Stage){.kind = STAGE_INPUT};
    if (row < 0 || !scalar_of_type(type->args[stream_types[row].element], &stage->type))
        return false;
    stage->position = stream_types[row].position == POSITION_COUNT ? type_position(type->args[1])
                                                                   : stream_types[row].position;
    stage->stash_type = stage->type;
    if (stage->position == POSITION_VECTOR)
        read_vector_state(type, stage);
    if (stage->position == POSITION_VECTOR_PAIR) {
        stage->vector_stage = vector_stage_of(type->args[2]);
        stage->way4 = is_variant(type->args[type->arg_count - 1], 1);
    }
    return stage->position != POSITION_COUNT; // else marked with something that is no position
}

Value input_stream(Trace *trace, Type *type, Span span)
{
    Stage stage;
    int row = find_stream_type(type);
    if (row < 0)
        return VALUE_NOTHING;
    if (!stream_of_type(type, &stage) || !read_stream_dims(trace, type, row, &stage))
        return (Value){.kind = VALUE_POISON};
    stage.span = stage.call_span = span;
    Pass *pass = builder_pass(trace->builder, context_of_type(type), !trace->open_context, span);
    const Stage *made = builder_stage(trace->builder, pass, &stage);
    return (Value){.kind = VALUE_STREAM, .stream = {pass, made}};
}
