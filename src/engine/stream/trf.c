// The outermost part of Time becomes Row, the rest of it and Packet become Element.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/report.h"
#include "engine/shape.h"

// Manual: TRF Sequencer, Rows.
bool trf_verify_rows(const Verify *verify, const Stage *stage, const Dim *row)
{
    const MachineList *counts = &verify->machine->mac_row_counts;
    if (machine_list_has(counts, row->mapping.size))
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_TRF_ROWS, stage->span,
                          "Row `{}` has {} rows; a tensor in TRF has {}", report_dim(verify, row),
                          row->mapping.size, list_text(verify->arena, counts));
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
    Diag *diag =
        diag_add(verify->diags, DIAG_TRF_CAPACITY, stage->span,
                 "`{}` of {} is {} bytes per row; {} has {} for each of {} row{}",
                 report_dim(verify, trf->dims[LEVEL_ELEMENT]), scalar_name(trf->type), bytes / rows,
                 trf_address_names[trf->trf], most / rows, rows, rows == 1 ? "" : "s");
    diag_note(diag, SPAN_NOWHERE, "all rows together are {} bytes of {}", bytes, most);
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
        Diag *diag = diag_add(verify->diags, DIAG_TRF_ROWS_TIME, stage->span,
                              "Row `{}` has {} rows, but Time `{}` brings only {} flits",
                              report_dim(verify, row), rows, report_dim(verify, time), steps);
        diag_help(diag, "fetch with the axis of Row outermost in Time");
        return false;
    }
    if (steps % rows == 0)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_TRF_ROWS_DIVIDE, stage->span,
                          "{} flits of Time `{}` do not share out among {} rows", steps,
                          report_dim(verify, time), rows);
    diag_help(diag, "fetch with the axis of Row outermost in Time");
    return false;
}

static bool verify_row(const Verify *verify, const Stage *stage, const Mapping *outer)
{
    const Dim *row = stage->result->dims[LEVEL_ROW];
    if (shape_equal(verify->arena, outer, &row->mapping))
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_TRF_ROW_MAPPING, stage->span,
                          "Row is the outermost part of Time, `{}`, not `{}`",
                          report_mapping(verify, outer), report_dim(verify, row));
    report_difference(verify, diag, outer, &row->mapping);
    report_stream(verify, diag, stage->before);
    diag_help(diag, "fetch with `{}` outermost in Time", report_dim(verify, row));
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
                          "each row takes up `{}`, not `{}`", text, report_dim(verify, element));
    report_difference(verify, diag, &wanted, &element->mapping);
    report_stream(verify, diag, stage->before);
    if (!rows_fit)
        return;
    diag_help(diag, "write Element as `{}`, or fetch in the order it has",
              report_written(verify, text));
    report_edit(verify, diag, element, text);
}

// The order in which these are asked is the reference library's.
static void to_trf_verify(const Verify *verify, const Pass *pass, const Stage *stage)
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

// ---- lowering

// Manual: TRF Sequencer, TRF Memory Layout (reg_types).
static int64_t reg_type(Scalar type)
{
    switch (type) {
    case SCALAR_I4:
    case SCALAR_I5:
        return 0;
    case SCALAR_I8:
    case SCALAR_I9:
        return 1;
    case SCALAR_F8E4M3:
    case SCALAR_F8E5M2:
        return 2;
    case SCALAR_BF16:
        return 3;
    default:
        return -1; // may lie there, but is never multiplied
    }
}

// What comes out of DM in the order in which it lies there, unchanged, is what goes into the TRF.
// Manual: TRF Sequencer, SRAM-to-TRF ("completely contiguous access").
static bool is_contiguous(const Lower *lower, const Pass *pass, const Stage *collect)
{
    const Stage *begin = pass_stage(pass, STAGE_BEGIN), *fetch = pass_stage(pass, STAGE_FETCH);
    if (!begin || !fetch || pass_stage(pass, STAGE_SWITCH) || fetch->type != begin->type ||
        fetch->adapter.has_table || fetch->adapter.zero_point_count)
        return false;
    Arena *arena = lower->scratch;
    const Mapping *element = &begin->sources[0]->dims[LEVEL_ELEMENT]->mapping;
    Mapping flits = mapping_pair(arena, &collect->dims[LEVEL_TIME]->mapping,
                                 &collect->dims[LEVEL_PACKET]->mapping);
    return shape_equal(arena, &flits, element);
}

static void add_row_loop(const Lower *lower, HwTrfStore *out, HwRowLoop loop)
{
    if (loop.size > 1)
        *array_push(lower->arena, &out->loops, HwRowLoop) = loop;
}

static HwTrfStore *store_of(const Lower *lower, const Pass *pass, const Stage *stage)
{
    const Machine *machine = lower->machine;
    HwTrfStore *out = arena_new(lower->arena, HwTrfStore, 1);
    const Tensor *trf = stage->result;
    int64_t bits = scalar_traits[trf->type].packet_bits;
    int64_t rows = trf->dims[LEVEL_ROW]->mapping.size;
    int64_t flits = stage->before->dims[LEVEL_TIME]->mapping.size;
    int64_t per_row = machine->trf_row_bytes * 8 / bits;
    *out = (HwTrfStore){
        .layout = trf_layout(machine, trf),
        .type = trf->type,
        .reg_type = reg_type(trf->type),
        .slots_per_element = machine->trf_slots_per_row / per_row,
        .elements_per_bank_row = per_row,
        .row_bytes = flits / rows * machine->flit_bytes,
        .flit_bytes = machine->flit_bytes,
        .flits = flits,
        .short_command = is_contiguous(lower, pass, stage->before),
    };
    // the outermost part of Time is Row; the rest and Packet lie in a row as they come
    add_row_loop(lower, out, (HwRowLoop){.size = rows, .row_stride = 1});
    add_row_loop(lower, out, (HwRowLoop){.size = flits / rows, .byte_stride = machine->flit_bytes});
    return out;
}

static bool to_trf_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwPipeline *out)
{
    out->trf_store = store_of(lower, pass, stage);
    return true;
}

// As many rows as the array takes of what is outermost in Time.
static bool to_trf_suggest(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    const MachineList *counts = &proposal->machine->mac_row_counts;
    const Mapping *time = &proposal->dims[LEVEL_TIME];
    Mapping row, inner;
    if (!proposal_has_stream(proposal))
        return true;
    PlacedTerms terms = shape_terms(arena, time);
    int64_t outermost = terms.count ? terms.items[terms.count - 1].extent : 1, rows = 1;
    for (int64_t i = 0; i < counts->count; i++)
        if (outermost % counts->values[i] == 0 && counts->values[i] > rows)
            rows = counts->values[i];
    mapping_split(arena, time, time->size / rows, &row, &inner);
    proposal_set(proposal, LEVEL_ROW, row);
    proposal_set(proposal, LEVEL_ELEMENT,
                 mapping_pair(arena, &inner, &proposal->dims[LEVEL_PACKET]));
    return true;
}

const Engine trf_engine = {
    .name = "Tensor Register File",
    .manual = "TRF Sequencer",
    .verify = to_trf_verify,
    .suggest = to_trf_suggest,
    .lower = to_trf_lower,
};

// ---- a part of a load

// Loops over the flits of the whole load, split where a row ends.
typedef struct {
    const Lower *lower;
    HwTrfStore *out;
    int64_t row_flits;
} FlitLoops;

static void add_flit_loop(const FlitLoops *loops, int64_t size, int64_t stride)
{
    int64_t row = loops->row_flits, flit = loops->out->flit_bytes;
    if (stride >= row) {
        add_row_loop(loops->lower, loops->out,
                     (HwRowLoop){.size = size, .row_stride = stride / row});
        return;
    }
    int64_t inner = min_i64(size, row / stride);
    add_row_loop(loops->lower, loops->out, (HwRowLoop){.size = size / inner, .row_stride = 1});
    add_row_loop(loops->lower, loops->out,
                 (HwRowLoop){.size = inner, .byte_stride = stride * flit});
}

// The digits of a plan by the flits that one step takes, the most first.
static int32_t outermost_below(const int64_t *places, int32_t count, int64_t below)
{
    int32_t best = -1;
    for (int32_t i = 0; i < count; i++)
        if (places[i] < below && (best < 0 || places[i] > places[best]))
            best = i;
    return best;
}

const HwTrfStore *trf_part(const Lower *lower, const PassParts *parts, int64_t number,
                           const HwTrfStore *store)
{
    const SplitPlan *plan = &parts->plan;
    const Pass *pass = parts->whole;
    const Stage *sink = pass->stages.items[pass->stages.count - 1];
    const Dim *time = sink->before->dims[LEVEL_TIME];
    Narrower narrower = {lower->scratch, lower->machine, {0}};
    int64_t places[SPLIT_DIGITS], start = 0;
    HwTrfStore *out = store_of(lower, pass, sink);
    int64_t rows = out->layout.rows, flits = out->flits, high = flits;
    FlitLoops loops = {lower, out, flits / rows};
    out->flits = store->flits;
    out->short_command = false;
    out->loops.count = 0;
    for (int32_t i = 0; i < plan->count; i++)
        places[i] = narrow_place(&narrower, time, &plan->digits[i]);
    for (int32_t i = outermost_below(places, plan->count, high); i >= 0;
         i = outermost_below(places, plan->count, high)) {
        Narrowing digit = split_digit(plan, i, number);
        add_flit_loop(&loops, high / (places[i] * digit.size), places[i] * digit.size);
        add_flit_loop(&loops, digit.length, places[i]);
        start += digit.start * places[i];
        high = places[i];
    }
    add_flit_loop(&loops, high, 1);
    out->start_row = start / loops.row_flits;
    out->start_byte = start % loops.row_flits * out->flit_bytes;
    return out;
}
