// The matrix has in_rows rows, one for each element of the packet that goes out, and in_cols
// columns, the packets of a row one after the other, `elements` of each:
//
//     Time  [outer, in_rows, packets], Packet [elements]
//     Time  [outer, packets, elements], Packet [in_rows]     with padding rows trimmed
#include "engine/stream/transpose.h"

#include "engine/lower/lower.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/stream/move.h"

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

// Manual: Transpose Engine, Constraints ("Both the input and output packets must be 32 bytes").
static bool verify_flit(const Verify *verify, const Stage *stage, const Dim *packet, Scalar type,
                        const char *verb)
{
    int64_t bytes, flit = verify->machine->flit_bytes, length;
    if (!report_bytes(verify, stage, type, packet, &bytes))
        return false;
    if (bytes == flit)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_TRANSPOSE_FLIT, stage->span,
                          "transpose {} flits of {} bytes; `{}` of {} has {}", verb, flit,
                          report_dim(verify, packet), scalar_name(type), bytes);
    if (bytes < flit && scalar_length(type, flit, &length))
        report_rewrite(verify, diag, packet, report_padded(verify, packet, length),
                       "pad the packet:");
    return false;
}

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
                 report_list(verify, counts));
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

static void verify_matrix(const Verify *verify, const Stage *stage)
{
    Transposition t = transposition_of(verify, stage);
    bool used = verify_used(&t), count = verify_row_count(&t, t.in_rows.size);
    if (used && count && verify_rows(&t) && verify_row_count(&t, rows_of_time(&t)) &&
        verify_columns(&t))
        verify_time(&t);
}

// The reference library looks only at what comes from collect.
void transpose_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Stage *before = stage->before;
    if (verify->rules == RULES_REFERENCE && before->position == POSITION_VECTOR_FINAL) {
        if (before->sound)
            move_verify_stage(verify, stage, DIAG_TRANSPOSE_TIME, MOVE_EXACT);
        return;
    }
    bool out = verify_flit(verify, stage, stage->dims[LEVEL_PACKET], stage->type, "yields");
    if (!before->sound)
        return;
    if (verify_flit(verify, stage, before->dims[LEVEL_PACKET], before->type, "takes") && out)
        verify_matrix(verify, stage);
}

static bool transpose_derive(Arena *arena, const Machine *machine, const Stage *stage,
                             TransposeMatrix *matrix)
{
    Verify verify = {.arena = arena, .machine = machine, .rules = RULES_CONTRA};
    Transposition t = transposition_of(&verify, stage);
    if (!cut_time(&t))
        return false;
    int64_t matrices = t.outer.size * t.packets.size;
    *matrix = (TransposeMatrix){
        .iterations = t.outer.size,
        .in_rows = rows_of_time(&t),
        .packets_per_col = t.packets.size,
        .elements_per_packet = t.used,
        .kept = t.out_time->size / matrices,
    };
    return true;
}

// ---- lowering

bool transpose_lower(const Lower *lower, const Stage *stage, HwTranspose *out)
{
    TransposeMatrix matrix;
    if (!transpose_derive(lower->scratch, lower->machine, stage, &matrix))
        return false;
    int64_t bits = scalar_traits[stage->type].packet_bits;
    *out = (HwTranspose){
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
    out->out_flits = out->out_rows;
    out->trimmed_rows = out->in_cols - out->out_rows;
    out->double_buffering = out->in_cols <= lower->machine->transpose_buffer_cols;
    return true;
}
