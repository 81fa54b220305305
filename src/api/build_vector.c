// Stages of the Vector Engine of a program that is built.
#include "api/build.h"

#define MODE(mode)                         \
    {                                      \
        .kind = PART_MODE, .given = (mode) \
    }

ContraStatus contra_vector_init(ContraStream *stream)
{
    const Part parts[] = {TEXT("  vector_init"), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_stash(ContraStream *stream)
{
    const Part parts[] = {TEXT("  vector_stash"), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_final(ContraStream *stream)
{
    const Part parts[] = {TEXT("  vector_final"), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_intra_slice_branch(ContraStream *stream, ContraBranch branch)
{
    const Part parts[] = {
        TEXT("  vector_intra_slice_branch"), {.kind = PART_BRANCH, .data = &branch}, END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_intra_slice_unzip(ContraStream *stream, const char *axis,
                                             const char *tile_time, const char *time)
{
    const Part parts[] = {TEXT("  vector_intra_slice_unzip"), NEEDED("the axis", axis),
                          DIM("tile_time", tile_time), DIM("time", time), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_inter_slice_reduce(ContraStream *stream, const char *op,
                                              const char *slice, const char *time)
{
    const Part parts[] = {TEXT("  vector_inter_slice_reduce"), OP("the operation", op),
                          DIM("slice", slice), DIM("time", time), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_intra_slice_reduce(ContraStream *stream, const char *axis,
                                              const char *op, const char *time, const char *packet)
{
    const Part parts[] = {TEXT("  vector_intra_slice_reduce"),
                          NEEDED("the axis", axis),
                          OP("the operation", op),
                          DIM("time", time),
                          DIM("packet", packet),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

// ---- operations

static ContraStatus operate(ContraStream *stream, const char *method, const char *op,
                            const char *mode, const ContraOperand *operands, int64_t count)
{
    const Part parts[] = {TEXT(method), OP("the operation", op), MODE(mode),
                          OPERANDS(method, operands, count), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_logic(ContraStream *stream, const char *op, ContraOperand operand)
{
    return operate(stream, "  vector_logic", op, NULL, &operand, 1);
}

ContraStatus contra_vector_logic_with(ContraStream *stream, const char *op, const char *mode,
                                      const ContraOperand *operands, int64_t count)
{
    return operate(stream, "  vector_logic", op, mode, operands, count);
}

ContraStatus contra_vector_fxp(ContraStream *stream, const char *op, ContraOperand operand)
{
    return operate(stream, "  vector_fxp", op, NULL, &operand, 1);
}

ContraStatus contra_vector_fxp_with(ContraStream *stream, const char *op, const char *mode,
                                    const ContraOperand *operands, int64_t count)
{
    return operate(stream, "  vector_fxp", op, mode, operands, count);
}

ContraStatus contra_vector_fp_binary(ContraStream *stream, const char *op, ContraOperand operand)
{
    return operate(stream, "  vector_fp_binary", op, NULL, &operand, 1);
}

ContraStatus contra_vector_fp_binary_with(ContraStream *stream, const char *op, const char *mode,
                                          const ContraOperand *operands, int64_t count)
{
    return operate(stream, "  vector_fp_binary", op, mode, operands, count);
}

ContraStatus contra_vector_fp_ternary(ContraStream *stream, const char *op, ContraOperand operand)
{
    return operate(stream, "  vector_fp_ternary", op, NULL, &operand, 1);
}

ContraStatus contra_vector_fp_ternary_with(ContraStream *stream, const char *op, const char *mode,
                                           const ContraOperand *operands, int64_t count)
{
    return operate(stream, "  vector_fp_ternary", op, mode, operands, count);
}

ContraStatus contra_vector_fp_div(ContraStream *stream, const char *op, ContraOperand operand)
{
    return operate(stream, "  vector_fp_div", op, NULL, &operand, 1);
}

ContraStatus contra_vector_fp_div_with(ContraStream *stream, const char *op, const char *mode,
                                       const ContraOperand *operands, int64_t count)
{
    return operate(stream, "  vector_fp_div", op, mode, operands, count);
}

ContraStatus contra_vector_clip(ContraStream *stream, const char *op, ContraOperand operand)
{
    return operate(stream, "  vector_clip", op, NULL, &operand, 1);
}

ContraStatus contra_vector_clip_with(ContraStream *stream, const char *op, const char *mode,
                                     const ContraOperand *operands, int64_t count)
{
    return operate(stream, "  vector_clip", op, mode, operands, count);
}

ContraStatus contra_vector_fp_unary(ContraStream *stream, const char *op, const char *mode)
{
    const Part parts[] = {TEXT("  vector_fp_unary"), OP("the operation", op), MODE(mode),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_fp_unary_pair(ContraStream *stream, const char *op, const char *mode,
                                         bool zero, bool one)
{
    const Part parts[] = {
        TEXT("  vector_fp_unary"),         OP("the operation", op),        MODE(mode),
        TEXT(zero ? " true," : " false,"), TEXT(one ? " true" : " false"), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_logic_zip(ContraStream *stream, const char *op, const char *mode)
{
    const Part parts[] = {TEXT("  vector_logic_zip"), OP("the operation", op), MODE(mode),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_fxp_zip(ContraStream *stream, const char *op, const char *mode)
{
    const Part parts[] = {TEXT("  vector_fxp_zip"), OP("the operation", op), MODE(mode),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_fp_zip(ContraStream *stream, const char *op, const char *mode)
{
    const Part parts[] = {TEXT("  vector_fp_zip"), OP("the operation", op), MODE(mode),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_clip_zip(ContraStream *stream, const char *op, const char *mode)
{
    const Part parts[] = {TEXT("  vector_clip_zip"), OP("the operation", op), MODE(mode),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

// ---- conversions and shapes

ContraStatus contra_vector_fxp_to_fp(ContraStream *stream, int64_t width)
{
    const Part parts[] = {TEXT("  vector_fxp_to_fp"), INT(width), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_fp_to_fxp(ContraStream *stream, int64_t width)
{
    const Part parts[] = {TEXT("  vector_fp_to_fxp"), INT(width), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_split(ContraStream *stream, const char *time, const char *packet)
{
    const Part parts[] = {TEXT("  vector_split"), DIM("time", time), DIM("packet", packet),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_concat(ContraStream *stream, const char *time, const char *packet)
{
    const Part parts[] = {TEXT("  vector_concat"), DIM("time", time), DIM("packet", packet),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_trim_way4(ContraStream *stream, const char *packet)
{
    const Part parts[] = {TEXT("  vector_trim_way4"), DIM("packet", packet), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_pad_way8(ContraStream *stream, const char *packet)
{
    const Part parts[] = {TEXT("  vector_pad_way8"), DIM("packet", packet), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_vector_filter(ContraStream *stream, int group, const char *time)
{
    const Part parts[] = {TEXT("  vector_filter"),
                          {.kind = PART_GROUP, .number = group},
                          DIM("time", time),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}
