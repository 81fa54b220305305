// Two-group mode: an axis of two in Time becomes a pair of streams.
// Manual: Intra-Slice Block, Two-Group Mode.
#include "engine/vector/internal.h"

#include "mapping/divide.h"

#include <inttypes.h>

enum { GROUPS = 2 };

static bool verify_axis(const Call *call)
{
    const Atom *axis = call->stage->axis;
    if (axis->size == GROUPS)
        return true;
    Diag *diag = diag_add(
        call->diags, DIAG_VECTOR_PAIR_AXIS, report_at(call->stage->at.axis, call->stage->span),
        "a pair has %d groups, and `%s` has %" PRId64 " positions", GROUPS, axis->name, axis->size);
    diag_help(diag, "unzip an axis of %d: the one that begin_interleaved made", GROUPS);
    return false;
}

static void report_absent(const Call *call)
{
    const Dim *time = call->from->dims[LEVEL_TIME];
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_PAIR_AXIS,
                          report_at(call->stage->at.axis, call->stage->span),
                          "the groups are told apart by `%s`, which Time `%.*s` does not hold",
                          call->stage->axis->name, STR_ARG(report_dim(call->verify, time)));
    diag_help(diag, "begin_interleaved puts the axis into Time; keep it there");
}

static void verify_times(const Call *call, const Division *division)
{
    const Stage *stage = call->stage;
    const Dim *tile = stage->tile_time, *split = stage->dims[LEVEL_TIME];
    const char *axis = stage->axis->name;
    if (tile && !shape_equal(call->arena, &tile->mapping, &division->dividend_residue)) {
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_PAIR_TILE_TIME, tile->span,
                              "TileTime is Time with `%s` replaced by `1 # %d`, and `%.*s` is not",
                              axis, GROUPS, STR_ARG(report_dim(call->verify, tile)));
        report_rewrite(call->verify, diag, tile,
                       report_mapping(call->verify, &division->dividend_residue), "write");
    }
    if (!call->is_reference && // which trusts it
        !shape_equal(call->arena, &split->mapping, &division->dividend_remainder)) {
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_PAIR_SPLIT_TIME, split->span,
                              "SplitTime is Time without `%s`, and `%.*s` is not", axis,
                              STR_ARG(report_dim(call->verify, split)));
        report_rewrite(call->verify, diag, split,
                       report_mapping(call->verify, &division->dividend_remainder), "write");
    }
}

void vector_unzip_verify(const Call *call)
{
    vector_flit_verify(call);
    if (!call->stage->axis || !verify_axis(call) || !vector_level_is_sound(call->from, LEVEL_TIME))
        return;
    Mapping index = mapping_of_atom(call->arena, call->stage->axis);
    Division division = mapping_divide(call->arena, &call->from->dims[LEVEL_TIME]->mapping, &index,
                                       DIVIDE_RELAXED, 1);
    if (division.exact)
        verify_times(call, &division);
    else
        report_absent(call);
}
