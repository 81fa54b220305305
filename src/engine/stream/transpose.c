// The matrix has in_rows rows, one for each element of the packet that goes out, and in_cols
// columns, the packets of a row one after the other, `elements` of each:
//
//     Time  [outer, in_rows, packets], Packet [elements]
//     Time  [outer, packets, elements], Packet [in_rows]     with padding rows trimmed
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"

// The matrix that a sound call transposes. Manual: Transpose Engine, Conceptual Operation.
typedef struct {
    int64_t iterations;          // matrices, one after the other
    int64_t in_rows;             // steps of Time, those of padding included
    int64_t packets_per_col;     // flits of one row
    int64_t elements_per_packet; // elements of a flit that reach the buffer
    int64_t kept;                // columns of each packet that go out; the rest is trimmed
} Matrix;

typedef struct {
    const Verify *verify;
    const Stage *stage;
    const Mapping *time, *out_time;
    int64_t bits;     // of an element
    int64_t used;     // elements of an input packet that reach the buffer
    Mapping in_rows;  // without padding
    Mapping elements; // of a packet, without padding
    Mapping outer, packets;
} Transposition;

// ---- packets

// Of each packet the first elements only reach the buffer.
// Manual: Transpose Engine, Internal Buffer Architecture; Conceptual Operation ("Unpack").
static bool verify_used(const Transposition *t)
{
    const Verify *verify = t->verify;
    if (t->elements.size <= t->used)
        return true;
    Diag *diag =
        diag_add(verify->diags, DIAG_TRANSPOSE_ELEMENTS, t->stage->span,
                 "transpose uses the first {} elements of a packet of {}; `{}` holds {}", t->used,
                 scalar_name(t->stage->type),
                 report_dim(verify, t->stage->before->dims[LEVEL_PACKET]), t->elements.size);
    diag_help(diag, "fetch {} elements a packet and let collect pad them", t->used);
    return false;
}

// Manual: Transpose Engine, Constraints ("Max in_rows").
static bool verify_row_count(const Transposition *t, int64_t rows)
{
    const Verify *verify = t->verify;
    int64_t most = machine_by_width(&verify->machine->transpose_in_rows_max, t->bits);
    if (rows <= most)
        return true;
    Str padded = t->in_rows.size == rows
                     ? STR("")
                     : str_format(verify->arena, ", in Time {} with padding", rows);
    Diag *diag =
        diag_add(verify->diags, DIAG_TRANSPOSE_ROWS, t->stage->span,
                 "the packet that goes out holds {} rows, `{}`{}; of {} the engine takes {}",
                 t->in_rows.size, report_mapping(verify, &t->in_rows), padded,
                 scalar_name(t->stage->type), most);
    diag_help(diag, "transpose {} rows at a time: keep the rest outside in Time", most);
    return false;
}

// ---- the matrix in Time

typedef struct {
    int64_t inside; // packets of a row; 0: Time does not hold the rows
    int64_t count;  // rows, those of padding included
} Rows;

// The reference library takes rows of one axis only, without padding.
static Rows reference_rows(const Transposition *t, const Division *division)
{
    return (Rows){.inside = division->matches.items[0].dividend_stride, .count = t->in_rows.size};
}

static Rows find_rows(const Transposition *t)
{
    Arena *arena = t->verify->arena;
    bool reference = t->verify->rules == RULES_REFERENCE;
    Division division = mapping_divide(arena, t->time, &t->in_rows, DIVIDE_RELAXED, 1);
    if (!division.found)
        return (Rows){.inside = !mapping_has_terms(&t->in_rows) && !reference, .count = 1};
    if (!division.exact)
        return (Rows){0};
    if (reference)
        return reference_rows(t, &division);
    PlacedTerms terms = shape_terms(arena, t->time);
    const Match *outermost = &division.matches.items[0];
    int64_t inside = division.matches.items[division.found - 1].dividend_stride;
    int64_t extent = shape_extent(&terms, outermost->dividend_stride, outermost->extent);
    return (Rows){.inside = inside, .count = outermost->dividend_stride / inside * extent};
}

// Cuts Time into [outer, rows, packets].
static bool cut_time(Transposition *t)
{
    Arena *arena = t->verify->arena;
    Rows rows = find_rows(t);
    Mapping above, row;
    if (!rows.inside || t->time->size % (rows.inside * rows.count))
        return false;
    mapping_split(arena, t->time, rows.inside, &above, &t->packets);
    mapping_split(arena, &above, rows.count, &t->outer, &row);
    return t->verify->rules == RULES_REFERENCE || shape_equal_stripped(arena, &row, &t->in_rows);
}

static int64_t rows_of_time(const Transposition *t)
{
    return t->time->size / (t->outer.size * t->packets.size);
}

// Manual: Transpose Engine, Conceptual Operation ("in_rows time steps").
static bool verify_rows(Transposition *t)
{
    const Verify *verify = t->verify;
    if (cut_time(t))
        return true;
    Diag *diag = diag_add(
        verify->diags, DIAG_TRANSPOSE_ROW_SOURCE, t->stage->span,
        "the packet that goes out is `{}`, which is no piece of the Time `{}` that comes in",
        report_mapping(verify, &t->in_rows),
        report_dim(verify, t->stage->before->dims[LEVEL_TIME]));
    diag_help(diag,
              "the rows of the matrix are steps of Time, the columns the elements of a packet");
    return false;
}

// Manual: Transpose Engine, Constraints ("Valid in_cols").
static bool verify_columns(const Transposition *t)
{
    const Verify *verify = t->verify;
    const MachineList *counts = machine_transpose_in_cols(verify->machine, t->bits);
    int64_t columns = t->packets.size * t->used;
    if (!counts || machine_list_has(counts, columns))
        return true;
    Diag *diag =
        diag_add(verify->diags, DIAG_TRANSPOSE_COLUMNS, t->stage->span,
                 "a row has {} packets of {} elements, `{}`: {} columns; the engine takes {}",
                 t->packets.size, t->used, report_mapping(verify, &t->packets), columns,
                 list_text(verify->arena, counts));
    diag_help(diag, "let fewer axes stand inside the rows in Time");
    return false;
}

// Time behind: [outer, packets, elements], the elements with as much padding as is kept.
// Manual: Transpose Engine, Conceptual Operation ("Transpose", "Trim").
static void verify_time(const Transposition *t)
{
    const Verify *verify = t->verify;
    Arena *arena = verify->arena;
    int64_t matrices = t->outer.size * t->packets.size, kept = t->out_time->size / matrices;
    bool whole = t->out_time->size % matrices == 0;
    bool trims = whole && kept >= t->elements.size && kept <= t->used;
    Mapping elements =
        mapping_pad(arena, &t->elements, trims ? kept : t->elements.size, PADDING_TOP);
    Mapping inner = mapping_pair(arena, &t->packets, &elements);
    Mapping wanted = mapping_pair(arena, &t->outer, &inner);
    if (trims && shape_equal(arena, &wanted, t->out_time))
        return;
    Str text = report_mapping(verify, &wanted);
    Diag *diag = diag_add(verify->diags, DIAG_TRANSPOSE_TIME, t->stage->span,
                          "the columns of the matrix become Time: that is `{}`, not `{}`", text,
                          report_dim(verify, t->stage->dims[LEVEL_TIME]));
    report_difference(verify, diag, &wanted, t->out_time);
    report_stream(verify, diag, t->stage->before);
    diag_help(diag, "write Time as `{}`; padding of the elements, up to {}, may be kept",
              report_written(verify, text), t->used);
    report_edit(verify, diag, t->stage->dims[LEVEL_TIME], text);
}

// ---- all of it

static Transposition transposition_of(const Verify *verify, const Stage *stage)
{
    const Stage *before = stage->before;
    int64_t bits = scalar_traits[stage->type].packet_bits;
    return (Transposition){
        .verify = verify,
        .stage = stage,
        .time = &before->dims[LEVEL_TIME]->mapping,
        .out_time = &stage->dims[LEVEL_TIME]->mapping,
        .bits = bits,
        .used = machine_by_width(&verify->machine->transpose_elements_per_packet, bits),
        .in_rows = shape_strip(verify->arena, &stage->dims[LEVEL_PACKET]->mapping),
        .elements = shape_strip(verify->arena, &before->dims[LEVEL_PACKET]->mapping),
    };
}

static Matrix matrix_of(const Transposition *t)
{
    return (Matrix){
        .iterations = t->outer.size,
        .in_rows = rows_of_time(t),
        .packets_per_col = t->packets.size,
        .elements_per_packet = t->used,
        .kept = t->out_time->size / (t->outer.size * t->packets.size),
    };
}

static void verify_matrix(const Verify *verify, const Stage *stage)
{
    Transposition t = transposition_of(verify, stage);
    Arena *arena = stage_arena(verify, stage);
    bool used = verify_used(&t), count = verify_row_count(&t, t.in_rows.size);
    if (!used || !count || !verify_rows(&t) || !verify_row_count(&t, rows_of_time(&t)) ||
        !verify_columns(&t))
        return;
    verify_time(&t);
    Matrix matrix = matrix_of(&t);
    if (arena && verify->rules != RULES_REFERENCE)
        stage->facts->derived = arena_copy(arena, &matrix, sizeof matrix);
}

// The reference library looks only at what comes from collect.
// Manual: Transpose Engine, Constraints ("Both the input and output packets must be 32 bytes").
static void transpose_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Stage *before = stage->before;
    int64_t flit = verify->machine->flit_bytes;
    PacketRule in = {DIAG_TRANSPOSE_FLIT, "transpose takes flits of", flit, "pad the packet:"};
    PacketRule out = {DIAG_TRANSPOSE_FLIT, "transpose yields flits of", flit, "pad the packet:"};
    Diag *wrong;
    if (verify->rules == RULES_REFERENCE && before->position == POSITION_VECTOR_FINAL) {
        if (before->sound)
            move_verify_stage(verify, stage, DIAG_TRANSPOSE_TIME, MOVE_EXACT);
        return;
    }
    bool whole = report_packet(verify, stage, &out, stage->type, stage->dims[LEVEL_PACKET], &wrong);
    if (before->sound &&
        report_packet(verify, stage, &in, before->type, before->dims[LEVEL_PACKET], &wrong) &&
        whole)
        verify_matrix(verify, stage);
}

// Cuts Time into [outer, rows, packets]: as many rows as the engine takes.
static bool cut_rows(const Proposal *proposal, int64_t packets, Mapping *outer, Mapping *rows,
                     Mapping *inner)
{
    Arena *arena = proposal->arena;
    const Mapping *time = &proposal->dims[LEVEL_TIME];
    int64_t most = machine_by_width(&proposal->machine->transpose_in_rows_max,
                                    scalar_traits[proposal->type].packet_bits);
    Mapping above;
    if (time->size % packets || !mapping_cut(arena, time, packets, &above, inner))
        return false;
    for (int64_t count = min_i64(most, above.size); count >= 1; count--)
        if (above.size % count == 0 && mapping_cut(arena, &above, count, outer, rows))
            return true;
    return false;
}

static bool transpose_suggest(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    const Machine *machine = proposal->machine;
    Mapping *time = &proposal->dims[LEVEL_TIME], *packet = &proposal->dims[LEVEL_PACKET];
    if (!proposal_has_stream(proposal))
        return true;
    if (proposal->type == SCALAR_COUNT)
        return false;
    int64_t bits = scalar_traits[proposal->type].packet_bits;
    int64_t used = machine_by_width(&machine->transpose_elements_per_packet, bits);
    const MachineList *columns = machine_transpose_in_cols(machine, bits);
    Mapping outer, rows, packets, elements = shape_strip(arena, packet);
    for (int64_t i = 0; columns && elements.size <= used && i < columns->count; i++) {
        if (columns->values[i] % used ||
            !cut_rows(proposal, columns->values[i] / used, &outer, &rows, &packets))
            continue;
        Mapping inner = mapping_pair(arena, &packets, &elements);
        *time = mapping_pair(arena, &outer, &inner);
        return shape_pad(arena, &rows, proposal_length(proposal, machine->flit_bytes), packet);
    }
    return false;
}

// ---- lowering

static bool find_matrix(const Lower *lower, const Stage *stage, Matrix *matrix)
{
    const Matrix *known = stage_derived(stage, lower->machine);
    if (known) {
        *matrix = *known;
        return true;
    }
    Verify verify = {.arena = lower->scratch, .machine = lower->machine, .rules = RULES_CONTRA};
    Transposition t = transposition_of(&verify, stage);
    bool found = cut_time(&t);
    if (found)
        *matrix = matrix_of(&t);
    return found;
}

static bool transpose_lower(const Lower *lower, const Pass *pass, const Stage *stage,
                            HwPipeline *out)
{
    (void)pass;
    Matrix matrix;
    if (!find_matrix(lower, stage, &matrix))
        return false;
    int64_t bits = scalar_traits[stage->type].packet_bits;
    HwTranspose *transpose = arena_new(lower->arena, HwTranspose, 1);
    out->transpose = transpose;
    *transpose = (HwTranspose){
        .type = stage->type,
        .elements_per_packet = matrix.elements_per_packet,
        .in_rows = matrix.in_rows,
        .in_cols = matrix.packets_per_col * matrix.elements_per_packet,
        .packets_per_col = matrix.packets_per_col,
        .out_rows = matrix.packets_per_col * matrix.kept,
        .kept_per_packet = matrix.kept,
        .output_alignment = lower->machine->flit_bytes * 8 / bits,
        .iterations = matrix.iterations,
        .in_flits = matrix.in_rows * matrix.packets_per_col,
    };
    transpose->out_flits = transpose->out_rows;
    transpose->trimmed_rows = transpose->in_cols - transpose->out_rows;
    transpose->double_buffering = transpose->in_cols <= lower->machine->transpose_buffer_cols;
    return true;
}

const Engine transpose_engine = {
    .name = "Transpose Engine",
    .manual = "Transpose Engine",
    .verify = transpose_verify,
    .suggest = transpose_suggest,
    .lower = transpose_lower,
};
