// Operands and branches of the Vector Engine: made by the caller, and parts of a line.
#include "api/build.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

// ---- operands

enum { MOST_OPERANDS = 64 }; // more than any operation takes, which has its own words for it

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
    operand.group = group == 0 || group == 1 ? group + 1 : -1; // that is refused
    return operand;
}

ContraOperand contra_operand_with(ContraOperand operand, float second)
{
    operand.has_second = true;
    operand.second = bits_of(second);
    return operand;
}

void build_group(TextWriter *writer, int64_t group)
{
    if (group == -1)
        return;
    if (group != 0 && group != 1)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "a group is 0 or 1, and not %" PRId64, group);
    line_text(writer, group ? " group One" : " group Zero");
}

static void constant_part(TextWriter *writer, const ContraOperand *operand)
{
    if (operand->kind != OPERAND_IS_CONSTANT)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "an operand of kind %d is given: contra_operand_i32 and the like make them",
                    (int)operand->kind);
    else if (!operand->type)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the type of a constant is missing: NULL was given");
    line_value(writer, operand->type, operand->bits);
}

// An operand of a ternary operation has another one with it, and no other has.
static void second_part(TextWriter *writer, const ContraOperand *operand, const char *method)
{
    bool ternary = str_ends_with(str_from(method), STR("ternary"));
    if (operand->has_second && !ternary)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "an operand of `%.*s` has no other one with it: contra_operand_with is for "
                    "vector_fp_ternary",
                    STR_ARG(str_trim(str_from(method))));
    if (ternary && !operand->has_second && operand->kind != OPERAND_IS_SKIPPED)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "an operand of a ternary operation has another one with it: "
                    "contra_operand_with(operand, second)");
    if (!operand->has_second)
        return;
    line_text(writer, " with");
    line_value(writer, "f32", operand->second);
}

static void operand_part(ContraProgram *program, const ContraOperand *operand, const char *method)
{
    TextWriter *writer = &program->writer;
    if (operand->kind == OPERAND_IS_SKIPPED)
        line_text(writer, " _");
    else if (operand->kind == OPERAND_IS_VRF)
        build_tensor(program, operand->vrf);
    else if (operand->kind == OPERAND_IS_STASH)
        line_text(writer, " stash");
    else
        constant_part(writer, operand);
    second_part(writer, operand, method);
    if (operand->group < 0)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "the group of an operand is 0 or 1");
    else if (operand->group)
        build_group(writer, operand->group - 1);
}

void build_operands(ContraProgram *program, const Part *part)
{
    const ContraOperand *operands = part->data;
    bool given =
        build_list_is_given(&program->writer, operands, part->number, MOST_OPERANDS, "operands");
    for (int64_t i = 0; given && i < part->number; i++) {
        line_text(&program->writer, i ? "," : "");
        operand_part(program, &operands[i], part->text);
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
    build_word(writer, compare->kind, "the kind of a comparison");
    if (!alone || compare->bits)
        line_value(writer, compare->type, compare->bits);
    else
        line_word(writer, compare->type);
}

void build_branch(ContraProgram *program, const ContraBranch *branch)
{
    TextWriter *writer = &program->writer;
    const char *kind = branch->kind ? branch->kind : "";
    bool has_compares = branch->compares[0].kind && branch->compares[0].type;
    build_word(writer, branch->kind, "the branch");
    if (!strcmp(kind, "AxisToggle") && !branch->axis)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the axis is missing: contra_branch_axis_toggle gives one");
    if (!strcmp(kind, "Vrf") && !branch->vrf)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the tensor is missing: contra_branch_vrf gives one");
    if (!strcmp(kind, "Comparison") && !has_compares)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the comparisons are missing: contra_branch_comparison gives four");
    if (branch->axis)
        build_word(writer, branch->axis, "the axis");
    if (!strcmp(kind, "Vrf"))
        build_tensor(program, branch->vrf);
    for (int i = 0; !strcmp(kind, "Comparison") && i < (int)COUNT_OF(branch->compares); i++) {
        line_text(writer, i ? "," : "");
        compare_part(writer, &branch->compares[i]);
    }
}
