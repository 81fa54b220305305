// Types: what enters the engine, what each stage computes with, what its operations are for.
// Manual: Vector Engine, Constraints; Intra-Slice Block, Stages.
#include "engine/vector/internal.h"

static bool type_was_reported(const Call *call, Scalar type)
{
    for (const Stage *s = call->from;
         vector_is_inside(s) && s->before && s->before->type == s->type; s = s->before)
        if (vector_methods[s->kind].is_typed && vector_methods[s->kind].type == type)
            return true;
    return false;
}

static void verify_method_type(const Call *call)
{
    const VectorMethod *method = &vector_methods[call->stage->kind];
    if (!method->is_typed || call->from->type == method->type ||
        type_was_reported(call, method->type))
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_METHOD_TYPE, call->stage->span,
                          "{} works on {}, and the stream is {}", call->method,
                          scalar_name(method->type), scalar_name(call->from->type));
    if (method->type == SCALAR_F32)
        diag_help(diag, "convert first, with vector_fxp_to_fp before the stream is narrowed");
    else
        diag_help(
            diag,
            "integers come behind vector_fp_to_fxp; on floats use vector_fp_binary or vector_clip");
}

static Span op_span(const Call *call)
{
    return report_at(call->stage->at.op, call->stage->span);
}

static void report_family(const Call *call, const VectorMethod *method)
{
    const VectorOpInfo *op = &vector_ops[call->stage->op];
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OP_FAMILY, op_span(call), "{} takes no {}::{}",
                          call->method, vector_families[op->family].name, op->name);
    for (int i = 0; i < 2; i++) {
        VectorFamily family = i ? method->f32 : method->i32;
        if (family != FAMILY_COUNT)
            diag_help(diag, "its operations are those of {}", vector_families[family].name);
    }
}

// The operation is one of the method's, and for the type of the stream.
static void verify_operation(const Call *call)
{
    const VectorMethod *method = &vector_methods[call->stage->kind];
    if (method->i32 == FAMILY_COUNT && method->f32 == FAMILY_COUNT)
        return;
    const VectorOpInfo *op = &vector_ops[call->stage->op];
    const VectorFamilyInfo *family = &vector_families[op->family];
    if (op->family != method->i32 && op->family != method->f32) {
        report_family(call, method);
        return;
    }
    if (method->is_typed || family->type == call->from->type)
        return;
    VectorFamily right = call->from->type == SCALAR_I32 ? method->i32 : method->f32;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_OP_TYPE, op_span(call),
                          "{}::{} works on {}, and the stream is {}", family->name, op->name,
                          scalar_name(family->type), scalar_name(call->from->type));
    if (vector_op_find(right, str_from(op->name)) != VECTOR_OP_COUNT)
        diag_replace(diag, report_place(call->stage->at.op), "{}::{}", vector_families[right].name,
                     op->name);
    else
        diag_help(diag, "use an operation of {}", vector_families[right].name);
}

bool vector_takes_type(Scalar type)
{
    return type == SCALAR_I32 || type == SCALAR_F32;
}

void vector_element_verify(const Call *call)
{
    Scalar type = call->from->type;
    if (vector_takes_type(type))
        return;
    Diag *diag =
        diag_add(call->diags, DIAG_VECTOR_ELEMENT_TYPE, call->stage->span,
                 "the Vector Engine works on i32 and f32, and the stream is {}", scalar_name(type));
    Scalar wide = scalar_is_integer(type) ? SCALAR_I32 : SCALAR_F32;
    report_fetch_cast(call->verify, diag, wide);
}

void vector_width_verify(const Call *call)
{
    int64_t bits = scalar_traits[SCALAR_I32].bits, width = call->stage->int_width;
    if (width >= 0 && width < bits)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_INT_WIDTH,
                          report_at(call->stage->at.width, call->stage->span),
                          "int_width is {}, and a number of {} bits has 0 to {} before the point",
                          width, bits, (bits - 1));
    diag_help(diag, "write `{}` to convert whole numbers", (bits - 1));
    diag_edit(diag, report_place(call->stage->at.width), "{}", (bits - 1));
}

void vector_types_verify(const Call *call, bool in_order)
{
    if (in_order)
        verify_method_type(call);
    verify_operation(call);
}
