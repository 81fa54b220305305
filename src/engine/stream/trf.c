// The outermost part of Time becomes Row, the rest of it and Packet become Element.
#include "engine/stream/trf.h"

#include "engine/report.h"
#include "engine/shape.h"
#include "engine/stream/place.h"

#include <inttypes.h>

// Manual: TRF Sequencer, Rows.
bool trf_verify_rows(const Verify *verify, const Stage *stage, const Dim *row)
{
    const MachineList *counts = &verify->machine->mac_row_counts;
    if (machine_list_has(counts, row->mapping.size))
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_TRF_ROWS, stage->span,
                          "Row `%.*s` has %" PRId64 " rows; a tensor in TRF has %.*s",
                          STR_ARG(report_dim(verify, row)), row->mapping.size,
                          STR_ARG(report_list(verify, counts)));
    report_rows(verify, diag, row);
    return false;
}

static int64_t capacity_of(const Machine *machine, TrfAddress address)
{
    return address == TRF_FULL ? machine->trf_bytes_per_slice : machine->trf_half_bytes;
}

static int64_t bits_for(int64_t count)
{
    int64_t bits = 0;
    while ((INT64_C(1) << bits) < count)
        bits++;
    return bits;
}

// Manual: TRF Sequencer, TRF Memory Layout.
HwTrfLayout trf_layout(const Machine *machine, const Tensor *trf)
{
    int64_t rows = trf->dims[LEVEL_ROW]->mapping.size;
    int64_t per_row = machine->trf_bank_rows / rows;
    int64_t in_bank = machine->trf_rows_per_bank;
    if (trf->trf != TRF_FULL)
        in_bank /= machine->trf_halves;
    return (HwTrfLayout){
        .address = trf->trf,
        .rows = rows,
        .bank_rows_per_row = per_row,
        .bank_columns = machine->trf_bank_columns,
        .bank_row_bytes = machine->trf_row_bytes,
        .first_row = trf->trf == TRF_SECOND_HALF ? in_bank : 0,
        .rows_in_bank = in_bank,
        .row_address_bits = bits_for(in_bank * per_row),
        .slots_per_bank_row = machine->trf_slots_per_row,
    };
}

static int64_t bytes_of(const Tensor *trf)
{
    int64_t bytes;
    return tensor_bytes(trf, &bytes) ? bytes : INT64_MAX;
}

// All rows together; with fewer rows than the array has, each may take more.
// Manual: TRF Sequencer, TRF Address Modes, TRF Memory Layout; Memory and Stream, Size Constraint.
static void verify_capacity(const Verify *verify, const Stage *stage)
{
    const Tensor *trf = stage->result;
    const Machine *machine = verify->machine;
    int64_t rows = trf->dims[LEVEL_ROW]->mapping.size, bytes = bytes_of(trf);
    int64_t most = capacity_of(machine, trf->trf);
    if (bytes <= most)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_TRF_CAPACITY, stage->span,
                          "`%.*s` of %s is %" PRId64 " bytes per row; %s has %" PRId64
                          " for each of %" PRId64 " row%s",
                          STR_ARG(report_dim(verify, trf->dims[LEVEL_ELEMENT])),
                          scalar_name(trf->type), bytes / rows, trf_address_names[trf->trf],
                          most / rows, rows, rows == 1 ? "" : "s");
    diag_note(diag, SPAN_NOWHERE, "all rows together are %" PRId64 " bytes of %" PRId64, bytes,
              most);
    if (bytes <= machine->trf_bytes_per_slice)
        report_trf_address(verify, diag, trf, TRF_FULL, "has room for it");
    else
        diag_help(diag, "split the tensor and load it in several passes");
}

// Manual: TRF Sequencer, Interface ("The outermost axes of the input become the Row dimension").
static bool verify_rows_fit(const Verify *verify, const Stage *stage)
{
    const Dim *row = stage->result->dims[LEVEL_ROW], *time = stage->before->dims[LEVEL_TIME];
    int64_t rows = row->mapping.size, steps = time->mapping.size;
    if (rows > steps) {
        Diag *diag = diag_add(
            verify->diags, DIAG_TRF_ROWS_TIME, stage->span,
            "Row `%.*s` has %" PRId64 " rows, but Time `%.*s` brings only %" PRId64 " flits",
            STR_ARG(report_dim(verify, row)), rows, STR_ARG(report_dim(verify, time)), steps);
        diag_help(diag, "fetch with the axis of Row outermost in Time");
        return false;
    }
    if (steps % rows == 0)
        return true;
    Diag *diag =
        diag_add(verify->diags, DIAG_TRF_ROWS_DIVIDE, stage->span,
                 "%" PRId64 " flits of Time `%.*s` do not share out among %" PRId64 " rows", steps,
                 STR_ARG(report_dim(verify, time)), rows);
    diag_help(diag, "fetch with the axis of Row outermost in Time");
    return false;
}

static bool verify_row(const Verify *verify, const Stage *stage, const Mapping *outer)
{
    const Dim *row = stage->result->dims[LEVEL_ROW];
    if (shape_equal(verify->arena, outer, &row->mapping))
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_TRF_ROW_MAPPING, stage->span,
                          "Row is the outermost part of Time, `%.*s`, not `%.*s`",
                          STR_ARG(report_mapping(verify, outer)), STR_ARG(report_dim(verify, row)));
    report_difference(verify, diag, outer, &row->mapping);
    report_stream(verify, diag, stage->before);
    diag_help(diag, "fetch with `%.*s` outermost in Time", STR_ARG(report_dim(verify, row)));
    return false;
}

// What Element should be is known only where the rows are right.
static void verify_element(const Verify *verify, const Stage *stage, const Mapping *inner,
                           bool rows_fit)
{
    const Dim *element = stage->result->dims[LEVEL_ELEMENT];
    Mapping wanted =
        mapping_pair(verify->arena, inner, &stage->before->dims[LEVEL_PACKET]->mapping);
    if (shape_equal(verify->arena, &wanted, &element->mapping))
        return;
    Str text = report_mapping(verify, &wanted);
    Diag *diag = diag_add(verify->diags, DIAG_TRF_ELEMENT, stage->span,
                          "each row takes up `%.*s`, not `%.*s`", STR_ARG(text),
                          STR_ARG(report_dim(verify, element)));
    report_difference(verify, diag, &wanted, &element->mapping);
    report_stream(verify, diag, stage->before);
    if (!rows_fit)
        return;
    diag_help(diag, "write Element as `%.*s`, or fetch in the order it has",
              STR_ARG(report_written(verify, text)));
    report_edit(verify, diag, element, text);
}

// The order in which these are asked is the reference library's.
void to_trf_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Tensor *trf = stage->result;
    const Dim *time = stage->before->dims[LEVEL_TIME];
    bool rows = trf_verify_rows(verify, stage, trf->dims[LEVEL_ROW]);
    verify_capacity(verify, stage);
    place_verify(verify, stage, DIAG_TRF_SHAPE, trf->type, trf->dims);
    if (!stage->before->sound || !rows || !verify_rows_fit(verify, stage))
        return;
    Mapping outer, inner;
    mapping_split(verify->arena, &time->mapping,
                  time->mapping.size / trf->dims[LEVEL_ROW]->mapping.size, &outer, &inner);
    bool rows_fit = verify_row(verify, stage, &outer);
    verify_element(verify, stage, &inner, rows_fit);
}
