// The parts of a line, as docs/program-text.md has them.
#include "api/build.h"

#include "base/checked.h"
#include "program/text_form.h"

#include <inttypes.h>
#include <string.h>

void build_tensor(ContraProgram *program, const ContraTensor *tensor)
{
    TextWriter *writer = &program->writer;
    if (!tensor || tensor->program != program) {
        line_text(writer, " %_");
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    tensor ? "a tensor of another program was given"
                           : "a tensor is missing: NULL was given");
        return;
    }
    program->depends_on_refused |= tensor->refused;
    line_label(writer, tensor->label);
}

// Who runs the kernel gives its parameters by name.
static void new_part(ContraProgram *program, const Part *part)
{
    TextWriter *writer = &program->writer;
    program->declares = true;
    line_label(writer, program->label_count);
    line_name(writer, part->given);
    line_text(writer, " =");
    if (part->given && part->number &&
        map_get(&program->params, intern(&program->names, str_from(part->given))))
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "another parameter has this name");
}

static void maybe_part(TextWriter *writer, int64_t number)
{
    line_maybe(writer, (MaybeInt){.known = number != CONTRA_UNKNOWN, .value = number});
}

// word ("(" word ")")? "?"?: an operation with its ALU, or a context that stands for any
static void op_part(TextWriter *writer, const Part *part)
{
    Str name = str_trim(str_from(part->given ? part->given : ""));
    int64_t open = str_find(name, STR("("));
    Arena *arena = writer->text.arena;
    bool alu = open > 0 && str_ends_with(name, STR(")"));
    bool any = !alu && str_ends_with(name, STR("?"));
    if (!part->given)
        return;
    Str first = str_slice(name, 0, alu ? open : name.len - any);
    line_word(writer, alu || any ? str_terminated(arena, first) : part->given);
    if (alu) {
        line_text(writer, "(");
        line_word(writer, str_terminated(arena, str_slice(name, open + 1, name.len - 1)));
        line_text(writer, ")");
    }
    if (any)
        line_text(writer, "?");
}

// ---- tensors

static void address_part(TextWriter *writer, const ContraLayout *layout)
{
    if (layout->tier == CONTRA_HOST)
        return;
    line_text(writer, " at");
    if (layout->tier == CONTRA_TRF && !layout->half)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "the half of the TRF is missing: NULL was given");
    if (layout->tier == CONTRA_TRF)
        line_word(writer, layout->half);
    else if (layout->address < 0) // unknown, or wrong
        maybe_part(writer, layout->address);
    else
        buf_printf(&writer->text, " 0x%" PRIx64, (uint64_t)layout->address);
}

static void layout_part(TextWriter *writer, const ContraLayout *layout, bool dims_only)
{
    bool known = (unsigned)layout->tier < TIER_COUNT;
    if (!dims_only) {
        line_word(writer, known ? tier_words[layout->tier] : NULL);
        line_word(writer, layout->type);
    }
    line_mapping(writer, "chip", layout->chip);
    line_mapping(writer, "cluster", layout->cluster);
    line_mapping(writer, "slice", layout->slice);
    line_mapping(writer, "row", layout->row);
    line_mapping(writer, "element", layout->element);
    if (!dims_only)
        address_part(writer, layout);
}

// ---- lists

// pattern (1, 0) count 2
static void pattern_part(TextWriter *writer, const ContraPattern *pattern)
{
    line_text(writer, " pattern (");
    for (int64_t i = 0; i < pattern->count && pattern->sources; i++) {
        line_text(writer, i ? "," : "");
        line_int(writer, pattern->sources[i]);
    }
    line_text(writer, ")");
    if (!pattern->dim)
        return;
    line_text(writer, " count");
    line_int(writer, pattern->dim);
}

static void table_part(TextWriter *writer, const ContraFetchOptions *options)
{
    Scalar type;
    line_text(writer, " table");
    line_word(writer, options->table_type);
    line_text(writer, " (");
    bool known = options->table_type && scalar_parse(str_from(options->table_type), &type);
    for (int64_t i = 0; known && i < options->table_count; i++) {
        line_text(writer, i ? ", " : "");
        literal_print(&writer->text, type, options->table[i]);
    }
    line_text(writer, ")");
}

static void fetch_part(TextWriter *writer, const ContraFetchOptions *options)
{
    if (options->table)
        table_part(writer, options);
    if (!options->zero_points || !options->zero_point_count)
        return;
    line_text(writer, " zero_points (");
    for (int64_t i = 0; i < options->zero_point_count; i++) {
        line_text(writer, i ? "," : "");
        line_int(writer, options->zero_points[i]);
    }
    line_text(writer, ")");
}

// Broadcast01 slice1=4 slice0=2 time0=1: the fields that the topology has
static void switch_part(TextWriter *writer, const Part *part)
{
    const int64_t *numbers = part->data;
    const SwitchInfo *info = NULL;
    for (int i = 0; i < SWITCH_COUNT && part->given; i++)
        if (strcmp(switches[i].name, part->given) == 0)
            info = &switches[i];
    line_word(writer, part->given);
    for (int64_t i = 0; i < part->number && info && numbers; i++) {
        bool has = i < SWITCH_FIELDS && info->fields[i];
        line_text(writer, " ");
        line_text(writer, has ? info->fields[i] : "");
        line_text(writer, "=");
        line_int(writer, numbers[i]);
    }
}

static void skew_part(TextWriter *writer, const Part *part)
{
    const char *const *axes = part->data;
    for (int64_t i = 0; i < part->number && axes; i++) {
        line_text(writer, " -");
        line_word(writer, axes[i]);
    }
}

static void choices_part(TextWriter *writer, const Part *part)
{
    const ContraChoice *choices = part->data;
    for (int64_t i = 0; i < part->number && choices; i++) {
        line_text(writer, i ? "," : "");
        line_int(writer, choices[i].number);
        line_int(writer, choices[i].ways);
    }
}

// ---- operands

enum { OPERAND_IS_SKIPPED, OPERAND_IS_CONSTANT, OPERAND_IS_VRF, OPERAND_IS_STASH };

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

ContraOperand contra_operand_bits(const char *type, uint32_t bits)
{
    return (ContraOperand){.kind = OPERAND_IS_CONSTANT, .type = type, .bits = bits};
}

ContraOperand contra_operand_i32(int32_t value)
{
    return contra_operand_bits("i32", (uint32_t)value);
}

ContraOperand contra_operand_f32(float value)
{
    return contra_operand_bits("f32", bits_of(value));
}

ContraOperand contra_operand_vrf(ContraTensor *tensor)
{
    return (ContraOperand){.kind = OPERAND_IS_VRF, .vrf = tensor};
}

ContraOperand contra_operand_stash(void)
{
    return (ContraOperand){.kind = OPERAND_IS_STASH};
}

ContraOperand contra_operand_skip(void)
{
    return (ContraOperand){.kind = OPERAND_IS_SKIPPED};
}

ContraOperand contra_operand_group(ContraOperand operand, int group)
{
    operand.group = group == 0 || group == 1 ? group + 1 : -1; // which is refused
    return operand;
}

ContraOperand contra_operand_with(ContraOperand operand, float second)
{
    operand.has_second = true;
    operand.second = bits_of(second);
    return operand;
}

static void operand_part(ContraProgram *program, const ContraOperand *operand)
{
    TextWriter *writer = &program->writer;
    if (operand->kind == OPERAND_IS_SKIPPED)
        line_text(writer, " _");
    else if (operand->kind == OPERAND_IS_VRF)
        build_tensor(program, operand->vrf);
    else if (operand->kind == OPERAND_IS_STASH)
        line_text(writer, " stash");
    else
        line_value(writer, operand->type, operand->bits);
    if (operand->has_second) {
        line_text(writer, " with");
        line_value(writer, "f32", operand->second);
    }
    if (operand->group)
        buf_printf(&writer->text, " group %s",
                   operand->group == 1   ? "Zero"
                   : operand->group == 2 ? "One"
                                         : "_");
}

static void operands_part(ContraProgram *program, const Part *part)
{
    const ContraOperand *operands = part->data;
    for (int64_t i = 0; i < part->number && operands; i++) {
        line_text(&program->writer, i ? "," : "");
        operand_part(program, &operands[i]);
    }
}

// ---- branches

ContraInputCompare contra_input_compare_i32(const char *kind, int32_t boundary)
{
    return (ContraInputCompare){kind, "i32", (uint32_t)boundary};
}

ContraInputCompare contra_input_compare_f32(const char *kind, float boundary)
{
    return (ContraInputCompare){kind, "f32", bits_of(boundary)};
}

ContraBranch contra_branch(const char *kind)
{
    return (ContraBranch){.kind = kind};
}

ContraBranch contra_branch_axis_toggle(const char *axis)
{
    return (ContraBranch){.kind = "AxisToggle", .axis = axis};
}

ContraBranch contra_branch_vrf(ContraTensor *tensor)
{
    return (ContraBranch){.kind = "Vrf", .vrf = tensor};
}

ContraBranch contra_branch_comparison(ContraInputCompare first, ContraInputCompare second,
                                      ContraInputCompare third, ContraInputCompare fourth)
{
    return (ContraBranch){.kind = "Comparison", .compares = {first, second, third, fourth}};
}

// Less 5, or True i32, which compares with nothing
static void compare_part(TextWriter *writer, const ContraInputCompare *compare)
{
    const char *kind = compare->kind ? compare->kind : "";
    bool alone = !strcmp(kind, "True") || !strcmp(kind, "False");
    line_word(writer, compare->kind);
    if (!alone || compare->bits)
        line_value(writer, compare->type, compare->bits);
    else
        line_word(writer, compare->type);
}

static void branch_part(ContraProgram *program, const ContraBranch *branch)
{
    TextWriter *writer = &program->writer;
    const char *kind = branch->kind ? branch->kind : "";
    line_word(writer, branch->kind);
    line_word(writer, branch->axis);
    if (!strcmp(kind, "Vrf"))
        build_tensor(program, branch->vrf);
    for (int i = 0; !strcmp(kind, "Comparison") && i < (int)COUNT_OF(branch->compares); i++) {
        line_text(writer, i ? "," : "");
        compare_part(writer, &branch->compares[i]);
    }
}

// ---- all of them

void build_part(ContraProgram *program, const Part *part)
{
    TextWriter *writer = &program->writer;
    switch (part->kind) {
    case PART_END:
        return;
    case PART_TEXT:
        line_text(writer, part->text ? part->text : "");
        return;
    case PART_WORD:
        if (!part->given && part->text)
            line_refuse(writer, DIAG_ARGUMENT_UNFIT, part->text);
        line_word(writer, part->given);
        return;
    case PART_NAME:
        line_name(writer, part->given);
        return;
    case PART_DIM:
        line_mapping(writer, part->text, part->given);
        return;
    case PART_INT:
        line_int(writer, part->number);
        return;
    case PART_MAYBE:
        maybe_part(writer, part->number);
        return;
    case PART_OP:
        op_part(writer, part);
        return;
    case PART_TENSOR:
        build_tensor(program, part->data);
        return;
    case PART_NEW:
        new_part(program, part);
        return;
    case PART_LAYOUT:
        layout_part(writer, part->data, part->number);
        return;
    case PART_PATTERN:
        pattern_part(writer, part->data);
        return;
    case PART_FETCH:
        fetch_part(writer, part->data);
        return;
    case PART_SWITCH:
        switch_part(writer, part);
        return;
    case PART_OPERANDS:
        operands_part(program, part);
        return;
    case PART_BRANCH:
        branch_part(program, part->data);
        return;
    case PART_SKEW:
        skew_part(writer, part);
        return;
    case PART_CHOICES:
        choices_part(writer, part);
        return;
    }
}
