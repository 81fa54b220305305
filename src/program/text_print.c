// Programs as text. Tensors are numbered in the order of the text: parameters first, each result
// where it is made, everything else before the line that needs it or something newer. Reading
// the text numbers them in this order again, so that printing what was read gives the same text.
#include "program/internal.h"
#include "program/text.h"
#include "program/text_axes.h"
#include "program/text_form.h"

#include "base/checked.h"
#include <stdlib.h>
#include <string.h>

// Lines of one kind stand together, blank lines between the others.
typedef enum { BLOCK_HEAD, BLOCK_TENSORS, BLOCK_OPS, BLOCK_PASS, BLOCK_RETURN } Block;

typedef struct {
    StrBuf *out;
    const Program *program;
    TextAxes axes;
    int64_t *labels; // of each tensor, by id; or one of the two below
    int64_t label_count;
    struct {
        ARRAY(int32_t);
    } wanted;             // ids of tensors to declare before the next line
    int64_t declared;     // older ones that no operation makes are all declared
    Block block;          // of the line before
    const Choice *choice; // of the operations printed last
} Printer;

enum { UNPRINTED = -1, WANTED = -2 };

static void print(const Printer *printer, const char *words)
{
    buf_add(printer->out, str_from(words));
}

static void start_block(Printer *printer, Block block)
{
    if (block != printer->block || block == BLOCK_PASS)
        print(printer, "\n");
    printer->block = block;
}

// ---- words and numbers

static void print_maybe(Printer *printer, MaybeInt number)
{
    if (!number.known)
        print(printer, "?");
    else
        buf_format(printer->out, "{}", number.value);
}

static void print_address(Printer *printer, MaybeInt address)
{
    if (address.known && address.value >= 0)
        buf_format(printer->out, " at 0x{x}", address.value);
    else {
        print(printer, " at ");
        print_maybe(printer, address);
    }
}

// ---- mappings

static void print_mapping(Printer *printer, const Dim *dim)
{
    print(printer, "[");
    expr_print(printer->out, text_axes_rename(&printer->axes, dim->expr));
    print(printer, "]");
}

static void print_dim(Printer *printer, const char *word, const Dim *dim)
{
    buf_format(printer->out, " {} ", word);
    print_mapping(printer, dim);
}

static void print_dims(Printer *printer, const Dim *const dims[LEVEL_COUNT], uint32_t which)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level] && which & 1U << level)
            print_dim(printer, level_words[level], dims[level]);
}

static void print_axis(Printer *printer, const TextAxis *axis)
{
    const Atom *atom = axis->atom;
    buf_format(printer->out, "axis {} = ", axis->shown->name);
    if (atom->kind == ATOM_SKEW) {
        print(printer, text_axis_name(&printer->axes, atom->base));
        for (int64_t i = 0; i < atom->part_count; i++)
            buf_format(printer->out, " - {}", text_axis_name(&printer->axes, atom->others[i]));
    } else {
        buf_format(printer->out, "{}", atom->size);
    }
    if (axis->shown != atom) {
        print(printer, " named ");
        text_print_name(printer->out, atom->name);
    }
    print(printer, "\n");
}

// ---- tensors

enum { ALL_LEVELS = (1 << LEVEL_COUNT) - 1 };

static void print_label(Printer *printer, const Tensor *tensor)
{
    buf_format(printer->out, "%{}", printer->labels[tensor->id]);
}

// %3 name =
static void print_new_label(Printer *printer, const Tensor *tensor)
{
    printer->labels[tensor->id] = printer->label_count++;
    print_label(printer, tensor);
    if (tensor->name) {
        print(printer, " ");
        text_print_name(printer->out, tensor->name);
    }
    print(printer, " = ");
}

static void print_place(Printer *printer, const Tensor *tensor)
{
    if (tensor->tier == TIER_TRF)
        buf_format(printer->out, " at {}", trf_address_names[tensor->trf]);
    else if (tensor->tier != TIER_HOST)
        print_address(printer, tensor_given_address(tensor));
}

static void print_result_type(Printer *printer, const Tensor *tensor, const Inherited *from)
{
    print(printer, tier_words[tensor->tier]);
    if (!from || tensor->type != from->type)
        buf_format(printer->out, " {}", scalar_name(tensor->type));
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const Dim *dim = tensor->dims[level];
        bool inherited = from && dim && level_is_inherited(level) && from->dims[level] &&
                         expr_same(dim->expr, from->dims[level]->expr);
        if (dim && !inherited)
            print_dim(printer, level_words[level], dim);
    }
    print_place(printer, tensor);
}

// %3 name = param hbm i8 chip [..] element [..] at 0x100
static void print_tensor(Printer *printer, const Tensor *tensor)
{
    if (printer->labels[tensor->id] >= 0)
        return;
    if (tensor->origin == ORIGIN_RESHAPE)
        print_tensor(printer, tensor->storage);
    print_new_label(printer, tensor);
    buf_format(printer->out, "{} ", origin_words[tensor->origin]);
    if (tensor->origin == ORIGIN_RESHAPE) {
        print_label(printer, tensor->storage);
        print_dims(printer, tensor->dims, ALL_LEVELS);
    } else {
        print_result_type(printer, tensor, NULL);
    }
    print(printer, "\n");
}

static void print_tile(Printer *printer, const Tile *tile)
{
    buf_format(printer->out, ".{}<", tile_methods[tile->level]);
    print_mapping(printer, tile->index);
    buf_format(printer->out, ", {}, ", tile->length);
    print_mapping(printer, tile->dim);
    print(printer, ">(");
    print_maybe(printer, tile->start);
    print(printer, ")");
}

static void print_view(Printer *printer, const View *view, bool usually_mut)
{
    print(printer, " ");
    if (view->is_mut != usually_mut)
        print(printer, view->is_mut ? "mut " : "const ");
    print_label(printer, view->tensor);
    for (int64_t i = 0; i < view->tiles.count; i++)
        print_tile(printer, &view->tiles.items[i]);
}

// -> %3 = dm element [..] at 0x100, or -> %3 where it was declared before
static void print_result(Printer *printer, const Tensor *tensor, const Inherited *from)
{
    print(printer, " -> ");
    if (printer->labels[tensor->id] >= 0) {
        print_label(printer, tensor);
        return;
    }
    print_new_label(printer, tensor);
    print_result_type(printer, tensor, from);
}

// ---- stages

static void print_stream(Printer *printer, const Stage *stage)
{
    buf_format(printer->out, " {} {}", position_types[stage->position], scalar_name(stage->type));
    print_dims(printer, stage->dims, ALL_LEVELS);
    if (stage->position < POSITION_VECTOR_INIT || stage->position > POSITION_VECTOR_PAIR)
        return;
    buf_format(printer->out, " stage {} entry {}", vector_stages[stage->vector_stage].name,
               scalar_name(stage->stash_type));
    print(printer, stage->has_stash ? " stash" : "");
    print(printer, stage->way4 ? " way4" : "");
    print(printer, stage->inter_first ? " inter_first" : "");
    print(printer, stage->zipped ? " zipped" : "");
}

static void print_adapter(Printer *printer, const FetchAdapter *adapter)
{
    if (adapter->has_table)
        buf_format(printer->out, " table {} (", scalar_name(adapter->table_type));
    for (int64_t i = 0; adapter->has_table && i < adapter->table_count; i++) {
        print(printer, i ? ", " : "");
        literal_print(printer->out, adapter->table_type, adapter->table[i]);
    }
    print(printer, adapter->has_table ? ")" : "");
    if (adapter->zero_point_count > 0)
        buf_format(printer->out, " zero_points ({}", adapter->zero_points[0]);
    if (adapter->zero_point_count > 1)
        buf_format(printer->out, ", {}", adapter->zero_points[1]);
    print(printer, adapter->zero_point_count > 0 ? ")" : "");
}

static void print_switch(Printer *printer, SwitchConfig config)
{
    const SwitchInfo *info = &switches[config.kind];
    buf_format(printer->out, " {}", info->name);
    for (int i = 0; i < SWITCH_FIELDS && info->fields[i]; i++)
        buf_format(printer->out, " {}={}", info->fields[i],
                   *switch_field(&config, str_from(info->fields[i])));
}

// AddFxp, MulF(Mul0); with its family where another one is usual here
static void print_op(Printer *printer, const Stage *stage)
{
    const VectorOpInfo *op = &vector_ops[stage->op];
    Scalar type = stage->before ? stage->before->type : stage->type;
    print(printer, " ");
    if (stage_family(stage->kind, type) != op->family)
        buf_format(printer->out, "{}::", vector_families[op->family].name);
    print(printer, op->name);
    if (op->alu == ALU_NONE && stage->alu != ALU_NONE)
        buf_format(printer->out, "({})", alu_word(stage->alu));
}

static void print_operand(Printer *printer, const Operand *operand, bool ternary)
{
    switch (operand->kind) {
    case OPERAND_SKIP:
        print(printer, "_");
        return;
    case OPERAND_CONSTANT:
        text_print_value(printer->out, operand->type, operand->bits);
        break;
    case OPERAND_VRF:
        print_label(printer, operand->vrf);
        break;
    case OPERAND_STASH:
        print(printer, "stash");
        break;
    }
    if (ternary) {
        print(printer, " with ");
        text_print_value(printer->out, SCALAR_F32, operand->second);
    }
    if (operand->condition != CONDITION_ALWAYS)
        buf_format(printer->out, " group {}", group_words[operand->condition - CONDITION_GROUP_0]);
}

static void print_operands(Printer *printer, const Stage *stage)
{
    for (int32_t i = 0; i < stage->operand_count; i++) {
        print(printer, i ? ", " : " ");
        print_operand(printer, &stage->operands[i], stage->kind == STAGE_VECTOR_FP_TERNARY);
    }
}

// The type alone where nothing is compared.
static void print_compare(Printer *printer, const InputCompare *compare)
{
    buf_format(printer->out, "{} ", compare_names[compare->kind]);
    if (compare->kind != COMPARE_TRUE && compare->kind != COMPARE_FALSE) {
        text_print_value(printer->out, compare->type, compare->boundary);
        return;
    }
    print(printer, scalar_name(compare->type));
    if (compare->boundary) {
        print(printer, ":");
        literal_print(printer->out, compare->type, compare->boundary);
    }
}

static void print_branch(Printer *printer, const Stage *stage)
{
    buf_format(printer->out, " {}", branch_names[stage->branch]);
    if (stage->branch == BRANCH_AXIS_TOGGLE)
        buf_format(printer->out, " {}",
                   stage->axis ? text_axis_name(&printer->axes, stage->axis) : "_");
    for (int i = 0; stage->branch == BRANCH_COMPARISON && i < BRANCH_COMPARISONS; i++) {
        print(printer, i ? ", " : " ");
        print_compare(printer, &stage->compares[i]);
    }
    if (stage->branch == BRANCH_VRF && stage->branch_vrf) {
        print(printer, " ");
        print_label(printer, stage->branch_vrf);
    } else if (stage->branch == BRANCH_VRF) {
        print(printer, " _");
    }
}

static void print_mode(Printer *printer, ArgMode mode)
{
    if (mode != MODE_DEFAULT)
        buf_format(printer->out, " {}", arg_modes[mode].name);
}

static void print_groups(Printer *printer, const Stage *stage)
{
    if (stage->position == POSITION_VECTOR_PAIR)
        buf_format(printer->out, " {}, {}", stage->groups[0] ? "true" : "false",
                   stage->groups[1] ? "true" : "false");
}

static void print_filter(Printer *printer, BranchCondition filter)
{
    if (filter != CONDITION_ALWAYS)
        buf_format(printer->out, " group {}", group_words[filter - CONDITION_GROUP_0]);
}

static void print_sink(Printer *printer, const Stage *stage)
{
    Inherited from = {stage->type, stage->dims};
    print_result(printer, stage->result, &from);
}

static void print_arg(Printer *printer, const Stage *stage, StageArg arg)
{
    switch (arg) {
    case ARG_END:
        return;
    case ARG_STREAM:
        print_stream(printer, stage);
        return;
    case ARG_AXIS:
        buf_format(printer->out, " {}", text_axis_name(&printer->axes, stage->axis));
        return;
    case ARG_SOURCE:
        print_view(printer, stage->sources[0], false);
        return;
    case ARG_SOURCE_2:
        print_view(printer, stage->sources[1], false);
        return;
    case ARG_TYPE:
        buf_format(printer->out, " {}", scalar_name(stage->type));
        return;
    case ARG_DIMS:
        print_dims(printer, stage->dims, stage_dims(stage->kind));
        return;
    case ARG_ADAPTER:
        print_adapter(printer, &stage->adapter);
        return;
    case ARG_SWITCH:
        print_switch(printer, stage->config);
        return;
    case ARG_TRF:
        print(printer, " ");
        print_label(printer, stage->trf);
        return;
    case ARG_ACCUMULATE:
        buf_format(printer->out, " {}", accumulate_names[stage->accumulate]);
        return;
    case ARG_OP:
        print_op(printer, stage);
        return;
    case ARG_MODE:
        print_mode(printer, stage->mode);
        return;
    case ARG_OPERANDS:
        print_operands(printer, stage);
        return;
    case ARG_GROUPS:
        print_groups(printer, stage);
        return;
    case ARG_WIDTH:
        buf_format(printer->out, " {}", stage->int_width);
        return;
    case ARG_BRANCH:
        print_branch(printer, stage);
        return;
    case ARG_FILTER:
        print_filter(printer, stage->filter);
        return;
    case ARG_TILE_TIME:
        print_dim(printer, "tile_time", stage->tile_time);
        return;
    case ARG_RESULT:
        print_sink(printer, stage);
        return;
    case ARG_TARGET:
        print(printer, " ->");
        print_view(printer, stage->target, true);
        return;
    }
}

static void print_pass(Printer *printer, const Pass *pass, bool open)
{
    start_block(printer, BLOCK_PASS);
    buf_format(printer->out, "pass {}{}\n", context_names[pass->context],
               pass->context_known ? "" : "?");
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        buf_format(printer->out, "  {}",
                   stage->kind == STAGE_INPUT ? "input" : stages[stage->kind].method);
        for (int k = 0; k < STAGE_MOST_ARGS; k++)
            print_arg(printer, stage, stage_args[stage->kind][k]);
        print(printer, "\n");
    }
    print(printer, open ? "  open\n" : "");
}

// ---- operations

// The method, which says the kind; or the kind, and the method where it is another word.
static void print_method(Printer *printer, const Op *op)
{
    const char *kind = op_kind_words[op->kind];
    const char *method = op->method ? op->method : kind;
    for (int i = 0; i < OP_METHOD_COUNT; i++)
        if (op_methods[i].kind == op->kind && strcmp(op_methods[i].method, method) == 0)
            kind = method;
    start_block(printer, BLOCK_OPS);
    buf_format(printer->out, "{} {}", context_names[op->context], kind);
    if (strcmp(method, kind) != 0) {
        print(printer, ".");
        text_print_name(printer->out, method);
    }
}

static void print_pattern(Printer *printer, const Op *op)
{
    for (int64_t i = 0; i < op->pattern_count; i++)
        buf_format(printer->out, "{}{}", i ? ", " : " pattern (", op->pattern[i]);
    print(printer, op->pattern_count ? ")" : "");
}

// The tensor that an operation makes where it stands; NULL: it writes to one that is there.
static const Tensor *made_by(const Printer *printer, const Op *op)
{
    const Tensor *tensor = NULL;
    if (op->pass)
        tensor = op->pass->stages.items[op->pass->stages.count - 1]->result;
    else if (!op->target->tiles.count && op->target->is_mut)
        tensor = op->target->tensor;
    bool made = tensor && tensor->origin == ORIGIN_RESULT && printer->labels[tensor->id] < 0;
    return made ? tensor : NULL;
}

static void print_target(Printer *printer, const Op *op)
{
    if (!made_by(printer, op)) {
        print(printer, " ->");
        print_view(printer, op->target, true);
        return;
    }
    Inherited from = {op->source->tensor->type, op->source->dims};
    print_result(printer, op->target->tensor, &from);
}

static void print_op_line(Printer *printer, const Op *op)
{
    print_method(printer, op);
    print_view(printer, op->source, false);
    if (op->index) {
        print(printer, " index");
        print_view(printer, op->index, false);
    }
    if (op->key)
        print_dim(printer, "key", op->key);
    if (op->sliced)
        print_dim(printer, "sliced", op->sliced);
    print_pattern(printer, op);
    if (op->declared_count)
        buf_format(printer->out, " count {}", op->declared_count);
    print(printer, op->scaled ? " scaled" : "");
    print_target(printer, op);
    print(printer, "\n");
}

// ---- what must be declared before a line

static void want_older(Printer *printer, int64_t id);

static void want(Printer *printer, const Tensor *tensor)
{
    if (!tensor || printer->labels[tensor->id] != UNPRINTED)
        return;
    if (tensor->origin != ORIGIN_PARAM)
        want_older(printer, tensor->id);
    printer->labels[tensor->id] = WANTED;
    *array_push(printer->out->arena, &printer->wanted, int32_t) = tensor->id;
    want(printer, tensor->storage);
}

// So that the numbers of the text are in the order of the program.
static void want_older(Printer *printer, int64_t id)
{
    while (printer->declared < id) {
        const Tensor *older = printer->program->tensors.items[printer->declared++];
        want(printer, older->origin == ORIGIN_RESULT ? NULL : older);
    }
}

static void want_view(Printer *printer, const View *view)
{
    want(printer, view ? view->tensor : NULL);
}

static void want_pass(Printer *printer, const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        want_view(printer, stage->sources[0]);
        want_view(printer, stage->sources[1]);
        want_view(printer, stage->target);
        want(printer, stage->trf);
        want(printer, stage->branch_vrf);
        for (int32_t k = 0; k < stage->operand_count; k++)
            want(printer, stage->operands[k].vrf);
    }
}

static void want_op(Printer *printer, const Op *op)
{
    const Tensor *made = made_by(printer, op);
    if (made)
        want_older(printer, made->id);
    want_view(printer, op->source);
    want_view(printer, op->index);
    if (op->pass)
        want_pass(printer, op->pass);
    else if (!made)
        want_view(printer, op->target);
}

static int compare_ids(const void *a, const void *b)
{
    int32_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return compare_i64(left, right);
}

// Oldest first.
static void print_wanted(Printer *printer)
{
    int64_t count = printer->wanted.count;
    if (!count)
        return;
    qsort(printer->wanted.items, (size_t)count, sizeof *printer->wanted.items, compare_ids);
    start_block(printer, BLOCK_TENSORS);
    for (int64_t i = 0; i < count; i++)
        print_tensor(printer, printer->program->tensors.items[printer->wanted.items[i]]);
    printer->wanted.count = 0;
}

static void want_all(Printer *printer, bool params_only)
{
    for (int64_t i = 0; i < printer->program->tensors.count; i++) {
        const Tensor *tensor = printer->program->tensors.items[i];
        if (!params_only || tensor->origin == ORIGIN_PARAM)
            want(printer, tensor);
    }
}

// ---- programs

static void print_head(Printer *printer)
{
    const Program *program = printer->program;
    print(printer, "program ");
    text_print_name(printer->out, program->name ? program->name : "");
    if (program->chips.known)
        buf_format(printer->out, " chip={}", program->chips.value);
    print(printer, "\n");
    for (int64_t i = 0; i < printer->axes.count; i++)
        print_axis(printer, printer->axes.items[i]);
}

static void print_returns(Printer *printer)
{
    if (printer->program->results.count)
        start_block(printer, BLOCK_RETURN);
    for (int64_t i = 0; i < printer->program->results.count; i++) {
        print(printer, i ? ", " : "return ");
        print_label(printer, printer->program->results.items[i]);
    }
    print(printer, printer->program->results.count ? "\n" : "");
}

static void print_choices(StrBuf *out, const Choice *choice)
{
    if (!choice)
        return;
    print_choices(out, choice->outer);
    buf_format(out, "{} {} 0x{x}", choice->outer ? "," : "", choice->number,
               (uint64_t)choice->ways);
}

// Where operations take another choice than the ones before.
static void print_choice(Printer *printer, const Choice *choice)
{
    if (choices_equal(printer->choice, choice))
        return;
    printer->choice = choice;
    start_block(printer, BLOCK_PASS);
    print(printer, "choice");
    print_choices(printer->out, choice);
    print(printer, "\n");
}

static void print_ops(Printer *printer)
{
    for (int64_t i = 0; i < printer->program->ops.count; i++) {
        const Op *op = printer->program->ops.items[i];
        want_op(printer, op);
        print_wanted(printer);
        print_choice(printer, op->choice);
        if (op->pass)
            print_pass(printer, op->pass, false);
        else
            print_op_line(printer, op);
    }
}

void program_print(StrBuf *out, const Program *program)
{
    Printer printer = {.out = out, .program = program, .axes = text_axes(out->arena, program)};
    size_t count = (size_t)program->tensors.count;
    printer.labels = arena_new(out->arena, int64_t, count + 1); // never none
    for (size_t i = 0; i < count; i++)
        printer.labels[i] = UNPRINTED;
    print_head(&printer);
    want_all(&printer, true);
    print_wanted(&printer);
    print_ops(&printer);
    print_choice(&printer, NULL);
    want_all(&printer, false);
    print_wanted(&printer);
    for (int64_t i = 0; i < program->open.count; i++)
        print_pass(&printer, program->open.items[i], true);
    print_returns(&printer);
    buf_add(out, STR("end\n"));
}
