// Operands: how many, of which type, from where, and for which group.
// Manual: Intra-Slice Block, Operands; Argument Modes.
#include "engine/strides.h"
#include "engine/vector/internal.h"

#include "mapping/divide.h"

#include <string.h>

static Span span_of(const Call *call, const Operand *operand)
{
    return report_at(operand->span, call->stage->span);
}

static const VectorOpInfo *operation_of(const Call *call)
{
    return &vector_ops[call->stage->op];
}

static Scalar type_of(const Call *call)
{
    return vector_families[operation_of(call)->family].type;
}

// Those that there is room for.
static int32_t operand_count(const Call *call)
{
    return call->stage->operand_count < VECTOR_OPERANDS ? call->stage->operand_count
                                                        : VECTOR_OPERANDS;
}

// How a group is left alone.
static const char *skip_word(const Call *call)
{
    return report_is_calls(call->verify)  ? "contra_operand_skip()"
           : report_is_text(call->verify) ? "_"
                                          : "()";
}

// ---- how many

static void report_none(const Call *call)
{
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_COUNT, call->stage->span,
                          "{} has no operand", call->method);
    if (vector_is_pair(call->from))
        diag_help(diag, "a pair takes one operand a group, or `{}` to leave the group alone",
                  skip_word(call));
    else
        diag_help(diag, "give it a constant, a VRF tensor or the stash");
}

static void verify_count(const Call *call)
{
    int32_t count = call->stage->operand_count;
    int32_t least = vector_is_pair(call->from) ? 2 : 1;
    int32_t most = vector_is_pair(call->from) ? 2 : VECTOR_OPERANDS;
    if (count < least)
        report_none(call);
    if (count <= most)
        return;
    Diag *diag =
        diag_add(call->diags, DIAG_VECTOR_OPERAND_COUNT, call->stage->span,
                 "{} has {} operands, and takes at most {}", call->method, (int)count, (int)most);
    if (vector_is_pair(call->from))
        diag_help(diag, "a pair takes one operand a group");
}

// An operand of the language is told its group by a pair, or where it is made.
static void help_with_groups(const Call *call, Diag *diag, const Operand *first,
                             const Operand *second)
{
    bool text = report_is_text(call->verify);
    if (!text) {
        bool ternary = call->stage->kind == STAGE_VECTOR_FP_TERNARY;
        diag_help(diag, ternary ? "give each a group: `((operand, other), GroupId::Zero)`"
                                : "give each a group: `(operand, GroupId::Zero)`, or "
                                  "`VeBranchOperand::group(operand, GroupId::Zero)`");
        return;
    }
    diag_help(diag, report_is_calls(call->verify)
                        ? "give each a group: contra_operand_group(operand, 0), and 1"
                        : "give each a group: `group Zero`, `group One`");
    const Operand *both[] = {first, second};
    for (int i = 0; i < 2; i++) {
        Span end = {both[i]->span.source, both[i]->span.end, both[i]->span.end};
        diag_edit(diag, end, " group {}", i ? "One" : "Zero");
    }
}

// Of several operands one at most holds for all elements: the rest is told apart by group.
static void verify_always(const Call *call)
{
    const Operand *first = NULL;
    for (int32_t i = 0; i < operand_count(call) && !vector_is_pair(call->from); i++) {
        const Operand *operand = &call->stage->operands[i];
        if (operand->condition != CONDITION_ALWAYS)
            continue;
        if (!first) {
            first = operand;
            continue;
        }
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_ALWAYS, span_of(call, operand),
                              "two operands of {} hold for every element", call->method);
        diag_note(diag, span_of(call, first), "this one holds always, too");
        help_with_groups(call, diag, first, operand);
        return;
    }
}

// ---- what they are

// The same number in the other type, where it is one there.
static void help_with_constant(const Call *call, Diag *diag, const Operand *operand)
{
    float real = 0;
    bool is_float = operand->type == SCALAR_F32;
    memcpy(&real, &operand->bits, sizeof real);
    bool whole = real > -1e6F && real < 1e6F && real == (float)(int32_t)real;
    bool alone = operand->condition == CONDITION_ALWAYS && report_is_text(call->verify);
    if (alone && is_float && whole)
        diag_replace(diag, operand->span, "{}", (int)real);
    else if (alone && operand->type == SCALAR_I32)
        diag_replace(diag, operand->span, "{}.0", (int)(int32_t)operand->bits);
    else
        diag_help(diag, "write the constant as {}", scalar_name(type_of(call)));
}

static void verify_operand_type(const Call *call, const Operand *operand, Scalar type,
                                const char *what)
{
    // an operation for the other type than the stream's has been reported
    if (type == type_of(call) || type == call->from->type)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_TYPE, span_of(call, operand),
                          "the {} is {}, and {} works on {}", what, scalar_name(type),
                          operation_of(call)->name, scalar_name(type_of(call)));
    if (operand->kind == OPERAND_CONSTANT)
        help_with_constant(call, diag, operand);
    else
        diag_help(diag, "load the tensor into VRF as {}", scalar_name(type_of(call)));
}

static const Match *first_missing(const Division *division)
{
    for (int64_t i = 0; i < division->matches.count; i++)
        if (division->matches.items[i].kind != MATCH_FOUND)
            return &division->matches.items[i];
    return NULL;
}

static void report_missing(const Call *call, const Tensor *vrf, Span span, const Match *missing)
{
    Str term = missing ? report_match(call->verify, missing)
                       : report_dim(call->verify, vrf->dims[LEVEL_ELEMENT]);
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_SHAPE, span,
                          "the VRF tensor holds `{}`, which the stream does not", term);
    diag_note(diag, SPAN_NOWHERE, "the stream is Time `{}`, Packet `{}`",
              report_dim(call->verify, call->stage->dims[LEVEL_TIME]),
              report_dim(call->verify, call->stage->dims[LEVEL_PACKET]));
    diag_help(
        diag,
        "an operand may lack axes of the stream, which are then repeated, but has none of its own");
}

// Of an axis that it has, the tensor has all that the stream has: what it lacks is not repeated,
// and VRF has other things there.
static bool verify_vrf_extent(const Call *call, const Division *division, Span span)
{
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        if (match->extent <= match->resize)
            continue;
        Str own = report_match(call->verify, match);
        Match wanted = *match;
        wanted.resize = match->extent;
        Str stream = report_match(call->verify, &wanted);
        Diag *diag =
            diag_add(call->diags, DIAG_VECTOR_OPERAND_SHAPE, span,
                     "the VRF tensor holds `{}`, and the stream has more of it: `{}`", own, stream);
        report_stream(call->verify, diag, call->stage);
        diag_help(diag, "load `{}` into VRF; only axes that the tensor has nothing of are repeated",
                  stream);
        return false;
    }
    return true;
}

// VRF lies in the slice that reads it. The reference library has no places and does not ask.
static bool verify_vrf_place(const Call *call, const Tensor *vrf, Span span)
{
    static const Level levels[] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE};
    for (size_t i = 0; i < sizeof levels / sizeof *levels && !call->is_reference; i++) {
        const Dim *own = vrf->dims[levels[i]], *stream = call->stage->dims[levels[i]];
        if (shape_equal(call->arena, &own->mapping, &stream->mapping))
            continue;
        const char *name = level_names[levels[i]];
        Diag *diag =
            diag_add(call->diags, DIAG_VECTOR_OPERAND_PLACE, span,
                     "the VRF tensor has {} `{}`, and the stream has {} `{}`", name,
                     report_dim(call->verify, own), name, report_dim(call->verify, stream));
        diag_help(diag, "each slice reads its own VRF: load the tensor with the {} of the stream",
                  name);
        return false;
    }
    return true;
}

// VRF is read by nested loops, as it is written. Manual: Intra-Slice Block, VRF Input.
static bool verify_vrf_walk(const Call *call, const Tensor *vrf, Span span)
{
    const Dim *const *dims = call->stage->dims;
    Strides strides;
    if (call->is_reference ||
        strides_derive(call->arena, &vrf->dims[LEVEL_ELEMENT]->mapping, &dims[LEVEL_TIME]->mapping,
                       &dims[LEVEL_PACKET]->mapping, &strides))
        return true;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_SHAPE, span,
                          "no nest of loops reads the VRF tensor `{}` in the order of the stream",
                          report_dim(call->verify, vrf->dims[LEVEL_ELEMENT]));
    report_stream(call->verify, diag, call->stage);
    diag_help(diag, "cut and pad Element as Time and Packet of the stream are");
    return false;
}

bool vector_vrf_verify(const Call *call, const Tensor *vrf, Span span)
{
    if (!vrf->sound || !vector_shape_is_sound(call->from))
        return true;
    Mapping stream = shape_of(call->arena, call->stage->dims);
    Mapping own = shape_of(call->arena, vrf->dims);
    Division division = mapping_divide(call->arena, &stream, &own, DIVIDE_RELAXED, 1);
    if (division.exact)
        return verify_vrf_place(call, vrf, span) &&
               (call->is_reference || verify_vrf_extent(call, &division, span)) &&
               verify_vrf_walk(call, vrf, span);
    report_missing(call, vrf, span, first_missing(&division));
    return false;
}

static void verify_skip(const Call *call, const Operand *operand)
{
    if (vector_is_pair(call->from))
        return;
    Diag *diag =
        diag_add(call->diags, DIAG_VECTOR_OPERAND_SKIP, span_of(call, operand),
                 "`{}` leaves a group alone, and the stream has no groups", skip_word(call));
    diag_help(diag, "give {} a constant, a VRF tensor or the stash", call->method);
}

static void verify_operand(const Call *call, const Operand *operand)
{
    Span span = span_of(call, operand);
    vector_condition_verify(call, operand->condition, span);
    switch (operand->kind) {
    case OPERAND_SKIP:
        verify_skip(call, operand);
        return;
    case OPERAND_CONSTANT:
        verify_operand_type(call, operand, operand->type, "constant");
        return;
    case OPERAND_VRF:
        verify_operand_type(call, operand, operand->vrf->type, "VRF tensor");
        vector_vrf_verify(call, operand->vrf, span);
        return;
    case OPERAND_STASH:
        vector_stash_read_verify(call, span);
        return;
    }
}

// ---- modes

static bool mode_reads_operand(ArgMode mode)
{
    const ArgModeInfo *info = &arg_modes[mode];
    for (int8_t i = 0; i < info->count; i++)
        if (info->args[i] == 1)
            return true;
    return mode == MODE_DEFAULT;
}

static bool verify_mode(const Call *call)
{
    const ArgModeInfo *mode = &arg_modes[call->stage->mode];
    int arity = vector_methods[call->stage->kind].arity;
    if (call->stage->mode == MODE_DEFAULT || arity == 0 || mode->count == arity)
        return true;
    static const char *const enums[] = {"", "UnaryArgMode", "BinaryArgMode", "TernaryArgMode"};
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_MODE,
                          report_at(call->stage->at.mode, call->stage->span),
                          "{} names {} arguments, and {} has {}", mode->name, mode->count,
                          operation_of(call)->name, arity);
    StrBuf names = {.arena = call->arena};
    for (ArgMode i = 0; i < MODE_COUNT && report_is_text(call->verify); i++)
        if (arg_modes[i].count == arity)
            buf_format(&names, "{}{}", names.len ? ", " : "", arg_modes[i].name);
    diag_help(diag, "choose one of {}",
              names.len ? str_terminated(call->arena, buf_str(&names)) : enums[arity]);
    return false;
}

// Constants are exempt: the method asks for an operand even in a mode that does not read it.
static void warn_unread(const Call *call, const Operand *operand)
{
    if (operand->kind != OPERAND_VRF && operand->kind != OPERAND_STASH)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_UNREAD, span_of(call, operand),
                          "{} does not read this operand", arg_modes[call->stage->mode].name);
    diag_help(diag, "pass a constant, or choose a mode that reads it");
}

static void warn_unary_mode(const Call *call)
{
    if (call->stage->mode != MODE_1)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OPERAND_MODE_UNARY,
                          report_at(call->stage->at.mode, call->stage->span),
                          "Mode1 asks for an operand, and {} has none", call->method);
    diag_help(diag, "write `Mode0`, which is what it does: it works on the stream");
    diag_edit(diag, report_place(call->stage->at.mode),
              report_is_text(call->verify) ? "Mode0" : "UnaryArgMode::Mode0");
}

void vector_operands_verify(const Call *call)
{
    const VectorMethod *method = &vector_methods[call->stage->kind];
    bool mode_fits = verify_mode(call);
    if (method->arity == 1 && mode_fits)
        warn_unary_mode(call);
    if (!method->takes_operands)
        return;
    verify_count(call);
    verify_always(call);
    for (int32_t i = 0; i < operand_count(call); i++) {
        const Operand *operand = &call->stage->operands[i];
        verify_operand(call, operand);
        if (mode_fits && !mode_reads_operand(call->stage->mode))
            warn_unread(call, operand);
    }
}
