// All operations of a program, each with its commands and the line it is written in.
#include "base/lines.h"
#include "command/form.h"
#include "engine/engine.h"
#include "engine/lower/record.h"
#include "engine/memory/access.h"
#include "engine/report.h"

// ---- what no operation can be lowered with

static bool view_is_known(const Lower *lower, const View *view)
{
    for (int64_t i = 0; view && i < view->tiles.count; i++)
        if (!view->tiles.items[i].start.known) {
            diag_add(lower->diags, DIAG_RUN_UNKNOWN_START, view->tiles.items[i].span,
                     "where this tile starts is not known");
            return false;
        }
    return true;
}

static bool stage_is_known(const Lower *lower, const Stage *stage)
{
    if (stage->kind == STAGE_INPUT) {
        diag_add(lower->diags, DIAG_RUN_OPEN_STREAM, stage->span,
                 "this pass goes on from a stream of the caller");
        return false;
    }
    return view_is_known(lower, stage->sources[0]) && view_is_known(lower, stage->sources[1]) &&
           view_is_known(lower, stage->target);
}

static bool op_is_known(const Lower *lower, const Op *op)
{
    bool known = view_is_known(lower, op->source) && view_is_known(lower, op->target) &&
                 view_is_known(lower, op->index);
    for (int64_t i = 0; op->pass && i < op->pass->stages.count && known; i++)
        known = stage_is_known(lower, op->pass->stages.items[i]);
    return known;
}

// ---- operations

// The name of a file may be any bytes.
static Str clean_text(Arena *arena, Str text)
{
    enum { FIRST_BEYOND_ASCII = 0x80 };
    if (text_is_utf8(text))
        return str_copy(arena, text);
    StrBuf buf = {.arena = arena};
    for (int64_t i = 0; i < text.len; i++)
        buf_add_char(&buf, (unsigned char)text.data[i] < FIRST_BEYOND_ASCII ? text.data[i] : '?');
    return buf_str(&buf);
}

// The names of files, cleaned once.
typedef struct {
    Texts texts;
    Str *files; // by source; without data: not asked for yet
} SourceMap;

static SourceMap source_map(const Lower *lower, const SourceList *sources)
{
    return (SourceMap){texts_of(lower->scratch, sources),
                       arena_new(lower->scratch, Str, (size_t)sources->count + 1)};
}

// False: it is written nowhere.
static bool find_source(const Lower *lower, const SourceMap *map, Span span, Str *file,
                        Place *place)
{
    const SourceList *sources = map->texts.sources;
    if (span.source < 0 || span.source >= sources->count)
        return false;
    Str *name = &map->files[span.source];
    if (!name->data)
        *name = clean_text(lower->arena, sources->items[span.source].name);
    *file = *name;
    *place = place_of(&map->texts, span.source, span.start);
    return true;
}

// The line of another part of the operation; 0: the same one, or one of another file.
static int64_t other_line(const Texts *texts, Span span, Span start, const HwOperation *operation)
{
    if (span.source != start.source)
        return 0;
    int64_t line = place_of(texts, span.source, span.start).line;
    return line == operation->line ? 0 : line;
}

static void add_callers(const Lower *lower, const SourceMap *map, const Op *op,
                        HwOperation *operation)
{
    Str file;
    Place place;
    for (int64_t i = 0; i < op->call_count; i++)
        if (find_source(lower, map, op->calls[i], &file, &place))
            *array_push(lower->arena, &operation->callers, HwCaller) = (HwCaller){file, place.line};
}

static void add_source(const Lower *lower, const SourceMap *map, const Op *op,
                       HwOperation *operation)
{
    const Texts *texts = &map->texts;
    Span span = op_touches(op, TIER_DM, false);
    Place place;
    if (!find_source(lower, map, span, &operation->file, &place))
        return;
    operation->line = place.line;
    operation->text = clean_text(lower->arena, str_trim(place.text));
    operation->write_line = other_line(texts, op_touches(op, TIER_DM, true), span, operation);
    operation->trf_line = other_line(texts, op_touches(op, TIER_TRF, false), span, operation);
    operation->vrf_line = other_line(texts, op_touches(op, TIER_VRF, false), span, operation);
    add_callers(lower, map, op, operation);
}

// ---- tensors

static void add_tensor(const Lower *lower, const SourceMap *map, const Tensor *tensor,
                       HwObject *object)
{
    HwTensor *out = array_push(lower->arena, &object->tensors, HwTensor);
    Place place;
    out->number = tensor->id;
    out->name = tensor->name ? clean_text(lower->arena, str_from(tensor->name)) : (Str){0};
    out->tier = tensor->tier;
    out->type = tensor->type;
    if (find_source(lower, map, tensor->span, &out->file, &place))
        out->line = place.line;
}

// ---- whose bytes it touches

static void add_read(const Lower *lower, const Tensor *tensor, HwOperation *operation)
{
    if (!tensor)
        return;
    int64_t id = tensor_root(tensor)->id;
    for (int64_t i = 0; i < operation->reads.count; i++)
        if (operation->reads.items[i] == id)
            return;
    *array_push(lower->arena, &operation->reads, int64_t) = id;
}

static void add_view(const Lower *lower, const View *view, HwOperation *operation)
{
    add_read(lower, view ? view->tensor : NULL, operation);
}

static void add_stage(const Lower *lower, const Stage *stage, HwOperation *operation)
{
    add_view(lower, stage->sources[0], operation);
    add_view(lower, stage->sources[1], operation);
    add_read(lower, stage->trf, operation);
    add_read(lower, stage->branch_vrf, operation);
    for (int32_t i = 0; i < stage->operand_count; i++)
        if (stage->operands[i].kind == OPERAND_VRF)
            add_read(lower, stage->operands[i].vrf, operation);
}

static void add_tensors(const Lower *lower, const Op *op, HwOperation *operation)
{
    const Pass *pass = op->pass;
    const View *target = op->target;
    const Tensor *written = NULL;
    add_view(lower, op->source, operation);
    add_view(lower, op->index, operation);
    for (int64_t i = 0; pass && i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        add_stage(lower, stage, operation);
        written = stage->result ? stage->result : written;
        target = stage->target ? stage->target : target;
    }
    written = target ? target->tensor : written;
    operation->writes = written ? tensor_root(written)->id : -1;
}

// ---- commands: the parts of the engines, put together

// One command.
static bool lower_command(const Lower *lower, const Pass *pass, HwPipeline *out)
{
    const Stage *first = pass->stages.items[0];
    Units units = units_of(first->dims, first->sources[0]);
    *out = (HwPipeline){
        .context = pass->context,
        .chips = units.chips,
        .clusters = units.clusters,
        .slices = units.slices,
        .first_chip = units.first_chip,
        .first_cluster = units.first_cluster,
        .first_slice = units.first_slice,
    };
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        const Engine *engine = engine_of(stage->kind);
        if (engine->lower && !engine->lower(lower, pass, stage, out))
            return false;
    }
    return true;
}

bool lower_split(const Lower *lower, const Pass *pass, PassParts *parts)
{
    Verify verify = {.arena = lower->scratch,
                     .diags = lower->diags,
                     .machine = lower->machine,
                     .program = lower->program};
    DiagList limits = {.arena = lower->scratch};
    Narrower narrower = {lower->scratch, lower->machine, {0}};
    *parts = (PassParts){.whole = split_padding(&verify, pass)};
    if (!split_find(&verify, parts->whole, &limits, &parts->plan)) {
        for (int64_t i = 0; i < limits.count; i++)
            report_as_is(lower->diags, limits.items[i]);
        return false;
    }
    for (int64_t i = 0; i < parts->plan.commands; i++)
        *array_push(lower->scratch, parts, const Pass *) =
            split_part(&narrower, parts->whole, &parts->plan, i);
    return true;
}

static bool lower_pass(const Lower *lower, const Op *op, HwCommands *commands)
{
    PassParts parts;
    bool ok = lower_split(lower, op->pass, &parts);
    for (int64_t i = 0; i < parts.count && ok; i++) {
        HwPipeline *out = arena_new(lower->arena, HwPipeline, 1);
        ok = lower_command(lower, parts.items[i], out);
        if (ok && out->trf_store && parts.count > 1)
            out->trf_store = trf_part(lower, &parts, i, out->trf_store);
        array_push(lower->arena, commands, HwCommand)->pass = out;
    }
    return ok;
}

bool lower_op(const Lower *lower, const Op *op, HwCommands *commands)
{
    return op->kind == OP_PASS ? lower_pass(lower, op, commands) : dma_lower(lower, op, commands);
}

static bool lower_commands(const Lower *lower, const Op *op, HwOperation *operation)
{
    int64_t errors = lower->diags->error_count;
    HwCommands commands = {0};
    if (!op_is_known(lower, op))
        return false;
    if (lower_op(lower, op, &commands)) {
        operation->commands.items = commands.items;
        operation->commands.count = operation->commands.capacity = commands.count;
        return true;
    }
    if (lower->diags->error_count == errors)
        diag_add(lower->diags, DIAG_COMPILE_NOT_LOWERED, op->span, "`{}` has no commands",
                 op->method ? op->method : "this pass");
    return false;
}

bool lower_program(const Lower *lower, const SourceList *sources, HwObject *object)
{
    const Program *program = lower->program;
    SourceMap map = source_map(lower, sources);
    bool ok = true;
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (tensor_root(program->tensors.items[i]) == program->tensors.items[i])
            add_tensor(lower, &map, program->tensors.items[i], object);
    for (int64_t i = 0; i < program->ops.count; i++) {
        if (diag_cancelled(lower->diags))
            return false;
        ArenaMark mark = arena_mark(lower->scratch);
        const Op *op = program->ops.items[i];
        HwOperation *operation = array_push(lower->arena, &object->operations, HwOperation);
        operation->method = str_from(op->method ? op->method : "pass");
        operation->context = op->context;
        add_source(lower, &map, op, operation);
        add_tensors(lower, op, operation);
        ok &= lower_commands(lower, op, operation);
        arena_reset(lower->scratch, mark); // of loops that are unrolled there are very many
    }
    return ok;
}
