// Two paths lead to the computation mapping [Row, Time, Packet]. The Stream Adapter collects one or
// two flits into a packet, hands it to all rows, and repeats it over the innermost axes of Time
// (the tiling axes). The TRF Sequencer reads each row in any order of Time, a contiguous piece a
// packet.
#include "engine/align.h"

#include "base/checked.h"
#include "engine/move.h"
#include "engine/place.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/trf.h"

#include <inttypes.h>

// ---- the Stream Adapter

// Manual: Stream Adapter, Flit Buffer ("OutPacket is always 64 bytes").
static bool verify_packet(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t bytes, length, mac = verify->machine->mac_bytes;
    if (!report_bytes(verify, stage, stage->type, packet, &bytes))
        return false;
    if (bytes == mac)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_PACKET, stage->span,
                          "an aligned packet has %" PRId64 " bytes; `%.*s` of %s has %" PRId64, mac,
                          STR_ARG(report_dim(verify, packet)), scalar_name(stage->type), bytes);
    if (bytes < mac && scalar_length(stage->type, mac, &length))
        report_rewrite(verify, diag, packet, report_padded(verify, packet, length),
                       "collect two flits into it, or pad it:");
    else
        diag_help(diag, "put the outer part of the packet innermost into Time");
    return false;
}

// What is innermost in a packet is a flit. Manual: Stream Adapter, Flit Buffer.
static bool verify_flit(const Verify *verify, const Stage *stage, const Mapping *inner)
{
    const Dim *packet = stage->before->dims[LEVEL_PACKET];
    if (shape_equal(verify->arena, inner, &packet->mapping))
        return true;
    Diag *diag =
        diag_add(verify->diags, DIAG_ALIGN_FLIT, stage->span,
                 "the packet `%.*s` ends with `%.*s`, but the flits that come in are `%.*s`",
                 STR_ARG(report_dim(verify, stage->dims[LEVEL_PACKET])),
                 STR_ARG(report_mapping(verify, inner)), STR_ARG(report_dim(verify, packet)));
    report_difference(verify, diag, &packet->mapping, inner);
    Str ending = str_format(verify->arena, ".., %.*s", STR_ARG(report_dim(verify, packet)));
    diag_help(diag,
              "write Packet as `%.*s` with the innermost axis of Time before it, or pad the flit",
              STR_ARG(report_written(verify, ending)));
    return false;
}

static void report_time(const Verify *verify, const Stage *stage, const Division *division)
{
    int64_t first = division->found < division->matches.count ? division->found : 0;
    Str lost = report_match(verify, &division->matches.items[first]);
    Diag *diag =
        diag_add(verify->diags, DIAG_ALIGN_TIME, stage->span,
                 "`%.*s` of the stream's Time is neither in Time `%.*s` nor in the outer part "
                 "of Packet `%.*s`",
                 STR_ARG(lost), STR_ARG(report_dim(verify, stage->dims[LEVEL_TIME])),
                 STR_ARG(report_dim(verify, stage->dims[LEVEL_PACKET])));
    report_stream(verify, diag, stage->before);
    diag_help(diag, "align only collects and repeats; axes are summed in contract and accumulate");
}

// Manual: Stream Adapter, Conceptual Operation (flits are collected as they come).
static void verify_order(const Verify *verify, const Stage *stage, const Division *division)
{
    int64_t wrong = shape_disorder(division);
    if (wrong < 0)
        return;
    Str outer = report_match(verify, &division->matches.items[wrong - 1]);
    Str inner = report_match(verify, &division->matches.items[wrong]);
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_ORDER, stage->span,
                          "the Stream Adapter keeps the order of Time, but `%.*s` stands outside "
                          "`%.*s` here and inside it in the stream",
                          STR_ARG(outer), STR_ARG(inner));
    report_stream(verify, diag, stage->before);
    diag_help(diag, "fetch in the order in which it is to be computed");
}

// Manual: Stream Adapter, Time Broadcast ("at the innermost positions of OutTime").
static void verify_tiling_place(const Verify *verify, const Stage *stage, const Division *division,
                                int64_t tiling)
{
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        if (match->dividend_stride >= tiling)
            continue;
        Str axes = report_mapping(verify, &division->dividend_residue);
        Diag *diag =
            diag_add(verify->diags, DIAG_ALIGN_TILING, stage->span,
                     "the stream is repeated over `%.*s`, which must be innermost in Time; "
                     "`%.*s` stands inside it",
                     STR_ARG(axes), STR_ARG(report_match(verify, match)));
        diag_help(diag, "move what is repeated behind the axes of the stream");
        return;
    }
}

// What the stream is repeated over, the weights have. Manual: Stream Adapter, Time Broadcast.
static void verify_tiling_source(const Verify *verify, const Stage *stage, const Division *division)
{
    const Dim *element = stage->trf->dims[LEVEL_ELEMENT];
    const Mapping *tiling = &division->dividend_residue;
    if (tiling->size == 1)
        return;
    Division source = mapping_divide(verify->arena, &element->mapping, tiling, DIVIDE_RELAXED, 1);
    if (source.exact)
        return;
    int64_t first = source.found < source.matches.count ? source.found : 0;
    Diag *diag = diag_add(verify->diags, DIAG_ALIGN_TILING_SOURCE, stage->span,
                          "`%.*s` of Time is neither in the stream nor in the TRF tensor `%.*s`",
                          STR_ARG(report_match(verify, &source.matches.items[first])),
                          STR_ARG(report_dim(verify, element)));
    diag_help(diag, "nothing is repeated for its own sake: leave the axis out");
}

// E = [OutTime, outer part of OutPacket] holds the stream's Time, in order, and inside it whatever
// the stream is repeated over.
static void verify_time(const Verify *verify, const Stage *stage, const Mapping *outer)
{
    const Mapping *time = &stage->before->dims[LEVEL_TIME]->mapping;
    Mapping flits = shape_strip(verify->arena, outer);
    Mapping whole = mapping_pair(verify->arena, &stage->dims[LEVEL_TIME]->mapping, &flits);
    Division division = mapping_divide(verify->arena, &whole, time, DIVIDE_RELAXED, 1);
    if (!division.exact) {
        report_time(verify, stage, &division);
        return;
    }
    verify_order(verify, stage, &division);
    verify_tiling_place(verify, stage, &division, whole.size / time->size);
    verify_tiling_source(verify, stage, &division);
}

// ---- the TRF Sequencer

typedef struct {
    int64_t size, stride; // stride in elements; 0: repeated
} TrfLoop;

typedef struct {
    ARRAY(TrfLoop);
} TrfLoops;

static int by_place(const Match *a, const Match *b)
{
    return (a->divisor_stride > b->divisor_stride) - (a->divisor_stride < b->divisor_stride);
}

// Innermost first in the divisor.
static void sort_by_place(MatchList *matches)
{
    for (int64_t i = 1; i < matches->count; i++)
        for (int64_t k = i; k > 0 && by_place(&matches->items[k - 1], &matches->items[k]) > 0;
             k--) {
            Match swapped = matches->items[k];
            matches->items[k] = matches->items[k - 1];
            matches->items[k - 1] = swapped;
        }
}

static void push_loop(const Verify *verify, TrfLoops *loops, TrfLoop loop)
{
    TrfLoop *last = loops->count ? &loops->items[loops->count - 1] : NULL;
    int64_t next, size;
    bool joins = last && checked_mul(last->size, last->stride, &next) && next == loop.stride &&
                 checked_mul(last->size, loop.size, &size) &&
                 size <= verify->machine->sequencer_iterations;
    if (loop.size == 1)
        return;
    if (joins)
        last->size = size;
    else
        *array_push(verify->arena, loops, TrfLoop) = loop;
}

// The loops over Time, innermost first, neighbours merged. Each piece goes on to where the next one
// begins: what lies between is padding, walked along.
static TrfLoops time_loops(const Verify *verify, const Stage *stage)
{
    const Mapping *time = &stage->dims[LEVEL_TIME]->mapping;
    Division division = mapping_divide(verify->arena, &stage->trf->dims[LEVEL_ELEMENT]->mapping,
                                       time, DIVIDE_RELAXED, 1);
    MatchList *pieces = &division.matches;
    TrfLoops loops = {0};
    sort_by_place(pieces);
    push_loop(verify, &loops,
              (TrfLoop){.size = pieces->count ? pieces->items[0].divisor_stride : time->size});
    for (int64_t i = 0; i < pieces->count; i++) {
        const Match *piece = &pieces->items[i];
        int64_t end = i + 1 < pieces->count ? pieces->items[i + 1].divisor_stride : time->size;
        push_loop(verify, &loops,
                  (TrfLoop){.size = end / piece->divisor_stride,
                            .stride = piece->kind == MATCH_FOUND ? piece->dividend_stride : 0});
    }
    return loops;
}

// Manual: TRF Sequencer, Sequencer Configuration.
static void verify_entries(const Verify *verify, const Stage *stage, const TrfLoops *loops)
{
    const Machine *machine = verify->machine;
    if (loops->count > machine->trf_sequencer_entries) {
        Diag *diag = diag_add(verify->diags, DIAG_ALIGN_TRF_ENTRIES, stage->span,
                              "reading TRF in the order of Time `%.*s` takes %" PRId64
                              " nested loops; the TRF Sequencer has %" PRId64 " entries",
                              STR_ARG(report_dim(verify, stage->dims[LEVEL_TIME])), loops->count,
                              machine->trf_sequencer_entries);
        diag_help(diag, "load the TRF in the order in which it is read, so that loops merge");
    }
    for (int64_t i = 0; i < loops->count; i++)
        if (loops->items[i].size > machine->sequencer_iterations)
            diag_add(verify->diags, DIAG_ALIGN_TRF_ENTRIES, stage->span,
                     "a loop over TRF iterates %" PRId64
                     " times; one entry iterates at most %" PRId64,
                     loops->items[i].size, machine->sequencer_iterations);
}

// Elements at the inside of a packet that lie in TRF one after the other: what one read brings. The
// rest of the packet repeats them, so nothing outside may be in TRF. -1: something is.
static int64_t read_length(const Verify *verify, const Stage *stage)
{
    Division division = mapping_divide(verify->arena, &stage->trf->dims[LEVEL_ELEMENT]->mapping,
                                       &stage->dims[LEVEL_PACKET]->mapping, DIVIDE_RELAXED, 1);
    int64_t run = 1;
    sort_by_place(&division.matches);
    for (int64_t i = 0; i < division.matches.count; i++) {
        const Match *piece = &division.matches.items[i];
        if (piece->kind != MATCH_FOUND)
            continue;
        if (piece->divisor_stride != piece->dividend_stride)
            return -1;
        run = max_i64(run, piece->divisor_stride * piece->resize);
    }
    return run;
}

// reg_read_size: the smallest read that brings `elements`; 0: there is none.
static int64_t read_bytes(const Verify *verify, Scalar type, int64_t elements)
{
    const MachineList *sizes = &verify->machine->trf_read_sizes;
    int64_t bits = elements * scalar_traits[type].packet_bits;
    for (int64_t i = 0; i < sizes->count; i++)
        if (sizes->values[i] * 8 >= bits)
            return sizes->values[i];
    return 0;
}

// Manual: TRF Sequencer, TRF Read Mechanism.
static int64_t verify_read(const Verify *verify, const Stage *stage)
{
    int64_t length = read_length(verify, stage);
    int64_t bytes = length < 0 ? 0 : read_bytes(verify, stage->type, length);
    if (bytes)
        return bytes;
    const Dim *element = stage->trf->dims[LEVEL_ELEMENT], *packet = stage->dims[LEVEL_PACKET];
    Diag *diag =
        diag_add(verify->diags, DIAG_ALIGN_TRF_READ, stage->span,
                 "Packet `%.*s` is not one contiguous piece of the TRF tensor `%.*s`: a read "
                 "brings neighbours, and the rest of the packet repeats them",
                 STR_ARG(report_dim(verify, packet)), STR_ARG(report_dim(verify, element)));
    Str ending = str_format(verify->arena, ".., %.*s", STR_ARG(report_dim(verify, packet)));
    diag_help(diag, "let Element end as Packet does: `%.*s`",
              STR_ARG(report_written(verify, ending)));
    return 0;
}

// A read of the full width spans both bank columns.
// Manual: TRF Sequencer, TRF Read Mechanism ("64-byte alignment constraint").
static void verify_strides(const Verify *verify, const Stage *stage, const TrfLoops *loops)
{
    int64_t align = verify->machine->trf_wide_read_align_bytes;
    for (int64_t i = 0; i < loops->count; i++) {
        int64_t bits = loops->items[i].stride * scalar_traits[stage->type].packet_bits;
        if (bits % (align * 8) == 0)
            continue;
        Diag *diag = diag_add(verify->diags, DIAG_ALIGN_TRF_STRIDE, stage->span,
                              "a read of %" PRId64 " bytes starts on a multiple of %" PRId64
                              "; the TRF tensor `%.*s` is walked in steps of %" PRId64 " bits",
                              verify->machine->mac_bytes, align,
                              STR_ARG(report_dim(verify, stage->trf->dims[LEVEL_ELEMENT])), bits);
        diag_help(diag, "pad the innermost part of Element to %" PRId64 " bytes", align);
        return;
    }
}

static void verify_trf_sequencer(const Verify *verify, const Stage *stage)
{
    TrfLoops loops = time_loops(verify, stage);
    verify_entries(verify, stage, &loops);
    if (verify_read(verify, stage) == verify->machine->mac_bytes)
        verify_strides(verify, stage, &loops);
}

// Nothing of TRF is left out. Manual: Contraction Engine, Constraints ("Mapping alignment").
static bool verify_weights(const Verify *verify, const Stage *stage)
{
    Mapping from = shape_of(verify->arena, stage->trf->dims);
    Mapping to = shape_of(verify->arena, stage->dims);
    return move_verify(verify, stage->span, DIAG_ALIGN_TRF, MOVE_BROADCAST, &from, &to);
}

// ---- all of it

void align_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Tensor *trf = stage->trf;
    int64_t flit, errors = verify->diags->error_count;
    if (trf->sound || verify->rules == RULES_REFERENCE) // else it was said of the tensor
        trf_verify_rows(verify, stage, trf->dims[LEVEL_ROW]);
    bool packet = verify_packet(verify, stage);
    place_verify(verify, stage, DIAG_ALIGN_SHAPE, trf->type, trf->dims);
    bool splits = packet && scalar_length(stage->type, verify->machine->flit_bytes, &flit) &&
                  stage->dims[LEVEL_PACKET]->mapping.size % flit == 0;
    if (!stage->before->sound || !splits)
        return;
    Mapping outer, inner;
    mapping_split(verify->arena, &stage->dims[LEVEL_PACKET]->mapping, flit, &outer, &inner);
    if (verify_flit(verify, stage, &inner))
        verify_time(verify, stage, &outer);
    if (!trf->sound || verify->diags->error_count != errors || !verify_weights(verify, stage))
        return;
    if (verify->rules == RULES_CONTRA)
        verify_trf_sequencer(verify, stage);
}
