#include "engine/stream/place.h"

#include "engine/report.h"
#include "engine/shape.h"

static void verify_level(const Verify *verify, const Stage *stage, DiagCode code, Level level,
                         const Dim *dim)
{
    const Dim *stream = stage->before->dims[level];
    if (!dim || dim == stream || shape_equal(verify->arena, &stream->mapping, &dim->mapping))
        return;
    Diag *diag = diag_add(verify->diags, code, stage->span,
                          "{} of the stream is `{}`, but that of the tensor is `{}`",
                          level_names[level], report_dim(verify, stream), report_dim(verify, dim));
    report_difference(verify, diag, &stream->mapping, &dim->mapping);
    diag_help(diag, level == LEVEL_SLICE ? "data changes its slice in switch, before collect"
                                         : "only DMA moves data between chips and clusters");
}

void place_verify(const Verify *verify, const Stage *stage, DiagCode code, Scalar type,
                  const Dim *const dims[LEVEL_COUNT])
{
    if (!stage->before->sound)
        return;
    if (stage->before->type != type)
        diag_add(verify->diags, code, stage->span, "the stream holds {}, but the tensor {}",
                 scalar_name(stage->before->type), scalar_name(type));
    for (Level level = LEVEL_CHIP; level <= LEVEL_SLICE; level++)
        verify_level(verify, stage, code, level, dims[level]);
}
