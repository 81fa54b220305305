// The operations in their order, over a map of each memory that says whose bytes are where.
//
// A write takes bytes from the tensor they belonged to; that tensor remembers which it lost, and to
// whom. When it is read there before it is written again, the read gets somebody else's data. Bytes
// of a tensor that nobody reads any more may be taken: that is how addresses are used again. What
// lies at an address that a program made up (from_addr) belongs to nobody until it is written
// through that name.
//
// An operation that writes over what it reads itself is looked at apart, since it streams: the
// first results are written while the rest is still being read. It is right when each result takes
// the place of the element it was made from: same bytes, same layout in every dimension, elements
// of the same size, written in the order of reading; the write is then always behind the read. In
// another order it may still come out right, by what the engines hold back, so that is a warning.
// Anything else (other bytes of the input, another layout) is an error.
//
// Tensors whose address is not known are left out. The order of operations is that of the program:
// the scheduler keeps it wherever two of them share bytes.
#include "engine/memory/memory.h"

#include "base/checked.h"
#include "engine/engine.h"
#include "engine/memory/access.h"
#include "engine/memory/intervals.h"
#include "engine/report.h"
#include "engine/shape.h"

#include <stdlib.h>

enum { BEFORE_ALL = -1 };

typedef struct {
    Intervals lost; // bytes that others wrote over: by which overwrite
    bool written;
    const Choice *choice; // of the last write
    int64_t first, last;  // operations that use it; first > last: none
} TensorState;

// Somebody wrote over bytes of a tensor.
typedef struct {
    const Op *op;
    const Tensor *by;
    Span span;
} Overwrite;

typedef struct {
    DiagCode code;
    Span span;
} Report;

typedef struct {
    const Verify *verify;
    const Program *program;
    struct {
        ARRAY(const Op *);
    } ops; // those of the program, then passes that another function will finish
    IntervalNodes nodes;
    Intervals owners[TIER_COUNT]; // whose bytes they are: numbers of tensors
    TensorState *states;          // one a tensor
    AccessList *accesses;         // one a operation
    struct {
        ARRAY(Overwrite);
    } overwrites;
    struct {
        ARRAY(Report);
    } reports;
} Watch;

static TensorState *state_of(const Watch *watch, const Tensor *tensor)
{
    return &watch->states[tensor->id];
}

// ---- lifetimes

static void use(Watch *watch, const Tensor *tensor, int64_t at)
{
    TensorState *state = state_of(watch, tensor);
    state->first = min_i64(state->first, at);
    state->last = max_i64(state->last, at);
}

static void find_lifetimes(Watch *watch)
{
    const Program *program = watch->program;
    for (int64_t i = 0; i < program->tensors.count; i++)
        watch->states[i].first = INT64_MAX, watch->states[i].last = INT64_MIN;
    for (int64_t i = 0; i < watch->ops.count; i++) {
        const AccessList *list = &watch->accesses[i];
        for (int64_t k = 0; k < list->count; k++) {
            use(watch, list->items[k].tensor, i);
            state_of(watch, list->items[k].tensor)->written |= list->items[k].writes;
        }
    }
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        const TensorState *state = state_of(watch, tensor);
        bool brought =
            tensor->origin == ORIGIN_PARAM || (tensor->origin == ORIGIN_ADDRESS && !state->written);
        if (brought)
            use(watch, tensor, BEFORE_ALL);
        if (tensor->origin == ORIGIN_PARAM && state->written)
            use(watch, tensor, watch->ops.count); // a result, too
    }
    for (int64_t i = 0; i < program->results.count; i++)
        use(watch, tensor_root(program->results.items[i]), watch->ops.count);
}

// ---- a place that is free

typedef struct {
    ARRAY(Interval);
} Ranges;

static int by_low(const void *a, const void *b)
{
    const Interval *x = a, *y = b;
    return compare_i64(x->low, y->low);
}

// What lies in the memory of `tensor` while it lives. In HBM, where tensors of the caller lie as
// well, it is anything that ever does.
static Ranges neighbours_of(const Watch *watch, const Tensor *tensor)
{
    const Program *program = watch->program;
    const TensorState *mine = state_of(watch, tensor);
    bool always = tensor->tier == TIER_HBM;
    Ranges ranges = {0};
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *other = program->tensors.items[i];
        const TensorState *state = state_of(watch, other);
        Interval range = {0};
        bool meets = always || (state->first <= mine->last && state->last >= mine->first);
        if (other == tensor || other->tier != tensor->tier || tensor_root(other) != other ||
            !meets || !tensor_range(watch->verify->machine, other, &range.low, &range.high))
            continue;
        *array_push(watch->verify->arena, &ranges, Interval) = range;
    }
    if (ranges.count)
        qsort(ranges.items, (size_t)ranges.count, sizeof(Interval), by_low);
    return ranges;
}

static int64_t place_align(const Machine *machine, const Tensor *tensor)
{
    if (tensor->tier == TIER_TRF)
        return machine->trf_half_bytes;
    return tensor->tier == TIER_HBM ? machine->hbm_unit_bytes : tensor_write_align(machine, tensor);
}

// How much it needs elsewhere: what was given all of the TRF may fit into a half.
static int64_t place_bytes(const Machine *machine, const Tensor *tensor)
{
    int64_t low, high, bytes;
    tensor_range(machine, tensor, &low, &high);
    bool fits_half = tensor->tier == TIER_TRF && tensor_bytes(tensor, &bytes) &&
                     bytes <= machine->trf_half_bytes;
    return fits_half ? machine->trf_half_bytes : high - low;
}

// The lowest address from `place` on where `tensor` would meet nothing that lives when it does; -1:
// there is none.
static int64_t free_place_from(const Watch *watch, const Tensor *tensor, int64_t place)
{
    const Machine *machine = watch->verify->machine;
    int64_t bytes = place_bytes(machine, tensor), align = place_align(machine, tensor);
    int64_t room =
        tensor->tier == TIER_TRF ? machine->trf_bytes_per_slice : tensor_capacity(machine, tensor);
    Ranges taken = neighbours_of(watch, tensor);
    for (int64_t i = 0; i < taken.count && place <= room - bytes; i++) {
        int64_t above;
        if (taken.items[i].low >= place + bytes)
            continue;
        if (!checked_round_up(taken.items[i].high, align, &above))
            return -1;
        place = max_i64(place, above);
    }
    return place <= room - bytes ? place : -1;
}

// In HBM above everything else, as long as there is room: not all that the caller has there is
// known, and below it is more likely to lie.
static int64_t free_place(const Watch *watch, const Tensor *tensor)
{
    int64_t above = 0;
    Ranges taken = neighbours_of(watch, tensor);
    for (int64_t i = 0; i < taken.count && tensor->tier == TIER_HBM; i++)
        above = max_i64(above, taken.items[i].low);
    int64_t place = free_place_from(watch, tensor, above);
    return place < 0 ? free_place_from(watch, tensor, 0) : place;
}

static void help_address(const Verify *verify, Diag *diag, const Tensor *tensor, int64_t place,
                         Str name)
{
    diag_help(diag, "put {} at {}: {} is there", name, report_address_text(verify, tensor, place),
              tensor->tier == TIER_HBM ? "no other tensor of this kernel"
                                       : "nothing that lives at the same time");
    report_edit_address(verify, diag, tensor, place);
}

// "`matrix`"; of what is given back and has no name, as `--out` calls it: "`result.1`".
static Str name_of(const Watch *watch, const Tensor *tensor)
{
    Arena *arena = watch->verify->arena;
    int64_t count = watch->program->results.count;
    for (int64_t i = 0; i < count && !tensor->name; i++)
        if (tensor_root(watch->program->results.items[i]) == tensor)
            return count == 1 ? STR("`result`") : str_format(arena, "`result.{}`", i);
    return tensor_text(arena, tensor);
}

static void help_half(const Watch *watch, Diag *diag, const Tensor *tensor, TrfAddress half,
                      Str name)
{
    const Verify *verify = watch->verify;
    diag_help(diag, "give {} `{}`, which is free while it lives", name,
              report_trf_text(verify, half));
    report_edit_trf(verify, diag, tensor, half);
}

static void help_place(const Watch *watch, Diag *diag, const Tensor *tensor)
{
    Str name = name_of(watch, tensor);
    int64_t place = free_place(watch, tensor);
    if (place < 0)
        diag_help(diag, "no range of {} is free for it while {} lives: work on smaller tiles",
                  tiers[tensor->tier].name, name);
    else if (tensor->tier == TIER_TRF)
        help_half(watch, diag, tensor, place ? TRF_SECOND_HALF : TRF_FIRST_HALF, name);
    else
        help_address(watch->verify, diag, tensor, place, name);
}

// ---- reports

// The same problem in every round of a loop is one problem.
static bool is_new(Watch *watch, DiagCode code, Span span)
{
    for (int64_t i = 0; span.source >= 0 && i < watch->reports.count; i++) {
        const Report *report = &watch->reports.items[i];
        if (report->code == code && span_same(report->span, span))
            return false;
    }
    *array_push(watch->verify->arena, &watch->reports, Report) = (Report){code, span};
    return true;
}

// "`matrix` (DM 0..4096)"
static Str placed_text(const Watch *watch, const Tensor *tensor)
{
    int64_t low, high;
    Arena *arena = watch->verify->arena;
    tensor_range(watch->verify->machine, tensor, &low, &high);
    Str name = name_of(watch, tensor);
    if (tensor->tier == TIER_TRF)
        return str_format(arena, "{} (TRF {})", name, trf_address_names[tensor->trf]);
    return str_format(arena, "{} ({} {})", name, tiers[tensor->tier].name,
                      report_range(watch->verify, tensor, low, high));
}

static DiagCode code_of(const Watch *watch, DiagCode code)
{
    return watch->verify->memory == MEMORY_DETACHED ? DIAG_OVERLAP_DETACHED : code;
}

// A read of `tensor` that meets bytes somebody else wrote.
typedef struct {
    Watch *watch;
    const Op *op;         // NULL: the caller reads it, when the kernel is done
    const Access *access; // the same
    const Tensor *tensor;
    const Choice *choice;
} Reader;

// The operation that first wrote a tensor; NULL: none did.
static const Op *maker_of(const Watch *watch, const Tensor *tensor)
{
    for (int64_t i = 0; i < watch->ops.count; i++) {
        const AccessList *list = &watch->accesses[i];
        for (int64_t k = 0; k < list->count; k++)
            if (list->items[k].writes && list->items[k].tensor == tensor)
                return watch->ops.items[i];
    }
    return NULL;
}

// The write and the read may be in functions that the kernel calls, or in one call.
static void note_calls(Diag *diag, const Op *writer, const Access *read, const Op *reader)
{
    report_calls(diag, writer, "called from here");
    if (read)
        diag_note(diag, read->span, "and is read here, after it was overwritten");
    if (reader && !report_same_calls(writer, reader))
        report_calls(diag, reader, "the read is called from here");
}

// Nothing but `other` lies in the TRF while `tensor` lives, and a half has room for it.
static bool fits_beside(const Watch *watch, const Tensor *tensor, const Tensor *other)
{
    const Machine *machine = watch->verify->machine;
    return tensor->tier == TIER_TRF && tensor->origin != ORIGIN_PARAM && tensor != other &&
           place_bytes(machine, tensor) == machine->trf_half_bytes &&
           neighbours_of(watch, tensor).count == 1;
}

// Two that were given all of the TRF: a half each.
static void help_halves(const Watch *watch, Diag *diag, const Tensor *first, const Tensor *second)
{
    const Verify *verify = watch->verify;
    diag_help(diag, "give {} `{}` and {} `{}`: each fits into a half", name_of(watch, first),
              report_trf_text(verify, TRF_FIRST_HALF), name_of(watch, second),
              report_trf_text(verify, TRF_SECOND_HALF));
    report_edit_trf(verify, diag, first, TRF_FIRST_HALF);
    report_edit_trf(verify, diag, second, TRF_SECOND_HALF);
}

// Either of two tensors may give way; the second, unless there is no room for it.
static const Tensor *tensor_to_move(const Watch *watch, const Tensor *first, const Tensor *second)
{
    bool first_can = first->origin != ORIGIN_PARAM && free_place(watch, first) >= 0;
    return first_can && free_place(watch, second) < 0 ? first : second;
}

static void help_apart(const Watch *watch, Diag *diag, const Tensor *first, const Tensor *second)
{
    const Tensor *moved = tensor_to_move(watch, first, second);
    if (free_place(watch, moved) < 0 && fits_beside(watch, first, second) &&
        fits_beside(watch, second, first))
        help_halves(watch, diag, first, second);
    else
        help_place(watch, diag, moved);
}

static void report_lost(void *context, const Interval *part)
{
    const Reader *reader = context;
    Watch *watch = reader->watch;
    const Overwrite *overwrite = &watch->overwrites.items[part->value];
    Arena *arena = watch->verify->arena;
    DiagCode code = code_of(watch, DIAG_OVERLAP);
    if (reader->access && !access_meets(reader->access, part->low, part->high))
        return;
    if (choices_exclude(reader->choice, overwrite->op->choice))
        return;
    if (!is_new(watch, code, overwrite->span))
        return;
    // of the TRF it is banks that are shared, and the halves say all
    Str bytes =
        reader->tensor->tier == TIER_TRF
            ? STR("")
            : str_format(arena, "bytes {} of ",
                         report_range(watch->verify, reader->tensor, part->low, part->high));
    Diag *diag = diag_add(
        watch->verify->diags, code, overwrite->span, "{} writes {} over {}{}, which {}",
        overwrite->op->method, placed_text(watch, overwrite->by), bytes,
        placed_text(watch, reader->tensor), reader->access ? "is read later" : "is given back");
    diag_note(diag, reader->tensor->span, "{} is here", name_of(watch, reader->tensor));
    const Op *maker = maker_of(watch, reader->tensor);
    if (maker && !report_same_calls(maker, overwrite->op))
        report_calls(diag, maker, "it is made by this call");
    note_calls(diag, overwrite->op, reader->access, reader->op);
    help_apart(watch, diag, reader->tensor, overwrite->by);
}

// ---- reading and writing

static void read_bytes(Reader reader, int64_t low, int64_t high)
{
    Intervals *lost = &state_of(reader.watch, reader.tensor)->lost;
    intervals_each(lost, low, high, report_lost, &reader);
}

typedef struct {
    Watch *watch;
    const Access *access;
    const Choice *choice;
    int64_t overwrite;
} Writer;

static void take_bytes(void *context, const Interval *part)
{
    const Writer *writer = context;
    TensorState *victim = &writer->watch->states[part->value];
    if (part->value == writer->access->tensor->id ||
        choices_exclude(victim->choice, writer->choice) ||
        !access_meets(writer->access, part->low, part->high))
        return;
    intervals_set(&victim->lost, (Interval){part->low, part->high, writer->overwrite});
}

static void write_bytes(Watch *watch, const Op *op, const Access *access)
{
    const Tensor *tensor = access->tensor;
    Intervals *owners = &watch->owners[tensor->tier];
    Writer writer = {watch, access, op->choice, watch->overwrites.count};
    *array_push(watch->verify->arena, &watch->overwrites, Overwrite) =
        (Overwrite){op, tensor, access->span};
    intervals_each(owners, access->low, access->high, take_bytes, &writer);
    intervals_set(owners, (Interval){access->low, access->high, tensor->id});
    intervals_clear(&state_of(watch, tensor)->lost, access->low, access->high);
    state_of(watch, tensor)->choice = op->choice;
}

// ---- operations that write over what they read

// The elements of a stream in their order, without padding.
static Mapping stream_order(Arena *arena, const Stage *stage)
{
    Mapping stream =
        mapping_pair(arena, &stage->dims[LEVEL_TIME]->mapping, &stage->dims[LEVEL_PACKET]->mapping);
    stream = mapping_normalise(arena, &stream);
    FactorList terms = {0};
    for (int64_t i = 0; i < stream.count; i++)
        if (!stream.factors[i].is_padding)
            *array_push(arena, &terms, Factor) = stream.factors[i];
    return mapping_from_factors(arena, terms.items, terms.count);
}

// Elements are written in the order in which they are read.
static bool keeps_order(Arena *arena, const Pass *pass)
{
    const Stage *fetch = pass_stage(pass, STAGE_FETCH);
    const Stage *sink = pass->stages.items[pass->stages.count - 1];
    if (!fetch || !sink->before)
        return false;
    Mapping read = stream_order(arena, fetch), written = stream_order(arena, sink->before);
    return shape_equal(arena, &read, &written);
}

// Every result lies where the element lay that it was made from.
static bool is_in_place(const Watch *watch, const Access *read, const Dim *const *written,
                        const Access *write, Scalar type)
{
    const View *view = read->view;
    if (!view || read->low != write->low ||
        scalar_traits[view->tensor->type].packet_bits != scalar_traits[type].packet_bits)
        return false;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (view->dims[level] != written[level] &&
            !shape_equal(watch->verify->arena, &view->dims[level]->mapping,
                         &written[level]->mapping))
            return false;
    return true;
}

static void report_input(Watch *watch, const Op *op, const Access *read, const Access *write)
{
    DiagCode code = code_of(watch, DIAG_OVERLAP_INPUT);
    if (!is_new(watch, code, write->span))
        return;
    Diag *diag = diag_add(watch->verify->diags, code, write->span,
                          "{} writes {} while it is still reading {}", op->method,
                          placed_text(watch, write->tensor), placed_text(watch, read->tensor));
    diag_note(diag, read->span, "it reads {} here",
              tensor_text(watch->verify->arena, read->tensor));
    report_calls(diag, op, "called from here");
    diag_note(diag, SPAN_NOWHERE, "bytes {} belong to both",
              report_range(watch->verify, write->tensor, max_i64(read->low, write->low),
                           min_i64(read->high, write->high)));
    if (read->tensor != write->tensor)
        help_place(watch, diag, write->tensor);
    else
        diag_help(diag, "write to another tensor, or to a tile that is not read");
}

static void report_order(Watch *watch, const Op *op, const Access *read, const Access *write)
{
    if (!is_new(watch, DIAG_OVERLAP_ORDER, write->span))
        return;
    Diag *diag = diag_add(watch->verify->diags, DIAG_OVERLAP_ORDER, write->span,
                          "{} replaces {} in another order than it is read in", op->method,
                          placed_text(watch, read->tensor));
    diag_note(diag, read->span, "it is read here");
    report_calls(diag, op, "called from here");
    if (read->tensor != write->tensor)
        help_place(watch, diag, write->tensor);
}

// Parts of one tensor meet, or ranges of two.
static bool do_meet(const Watch *watch, const Access *read, const Access *write)
{
    bool one = read->tensor == write->tensor && read->view && write->view;
    bool known = !one || (read->view->offsets[LEVEL_ELEMENT].known &&
                          write->view->offsets[LEVEL_ELEMENT].known);
    return read->tensor->tier == write->tensor->tier && known &&
           access_meets(read, write->low, write->high) &&
           access_meets(write, read->low, read->high) &&
           !(one && views_are_apart(watch->verify->arena, read->view, write->view));
}

static void verify_own_input(Watch *watch, const Op *op, const Access *read, const Access *write)
{
    const Dim *const *written = write->view ? write->view->dims : write->tensor->dims;
    Scalar type = write->view ? write->view->tensor->type : write->tensor->type;
    bool shuffle = op->kind == OP_CHIP_SHUFFLE || op->kind == OP_CLUSTER_SHUFFLE;
    if (!do_meet(watch, read, write))
        return;
    if (shuffle || !is_in_place(watch, read, written, write, type))
        report_input(watch, op, read, write);
    else if (op->pass && !keeps_order(watch->verify->arena, op->pass))
        report_order(watch, op, read, write);
}

// ---- the program

static void run_op(Watch *watch, const Op *op, const AccessList *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        const Access *access = &list->items[i];
        if (!access->writes)
            read_bytes((Reader){watch, op, access, access->tensor, op->choice}, access->low,
                       access->high);
        for (int64_t k = 0; access->writes && k < list->count; k++)
            if (!list->items[k].writes)
                verify_own_input(watch, op, &list->items[k], access);
    }
    for (int64_t i = 0; i < list->count; i++)
        if (list->items[i].writes)
            write_bytes(watch, op, &list->items[i]);
}

// Two arguments cannot have the same bytes: one of them has lost its values before the kernel
// begins.
static void report_arguments(Watch *watch, const Tensor *first, const Tensor *second)
{
    DiagCode code = code_of(watch, DIAG_OVERLAP_ARGUMENTS);
    if (!is_new(watch, code, second->span))
        return;
    Diag *diag = diag_add(watch->verify->diags, code, second->span,
                          "{} and {} are arguments of one launch and share bytes",
                          placed_text(watch, first), placed_text(watch, second));
    diag_note(diag, report_at(first->address_span, first->span), "{} lies here",
              tensor_text(watch->verify->arena, first));
    diag_note(diag, report_at(second->address_span, second->span), "and {} here",
              tensor_text(watch->verify->arena, second));
    help_place(watch, diag, second);
}

typedef struct {
    Watch *watch;
    const Tensor *tensor;
} Newcomer;

static void meet_argument(void *context, const Interval *part)
{
    const Newcomer *newcomer = context;
    report_arguments(newcomer->watch, newcomer->watch->program->tensors.items[part->value],
                     newcomer->tensor);
}

// What the caller put there.
static void bring_params(Watch *watch)
{
    for (int64_t i = 0; i < watch->program->tensors.count; i++) {
        const Tensor *tensor = watch->program->tensors.items[i];
        Interval range = {.value = tensor->id};
        if (tensor->origin != ORIGIN_PARAM ||
            !tensor_range(watch->verify->machine, tensor, &range.low, &range.high))
            continue;
        Newcomer newcomer = {watch, tensor};
        intervals_each(&watch->owners[tensor->tier], range.low, range.high, meet_argument,
                       &newcomer);
        intervals_set(&watch->owners[tensor->tier], range);
    }
}

// What the caller gets: results, and parameters that were written.
static void give_results(Watch *watch)
{
    for (int64_t i = 0; i < watch->program->tensors.count; i++) {
        const Tensor *tensor = watch->program->tensors.items[i];
        const TensorState *state = state_of(watch, tensor);
        int64_t low, high;
        if (state->last == watch->ops.count && tensor_root(tensor) == tensor &&
            tensor_range(watch->verify->machine, tensor, &low, &high))
            read_bytes((Reader){watch, NULL, NULL, tensor, state->choice}, low, high);
    }
}

// ---- outputs

static void report_unwritten(const Watch *watch, const Tensor *tensor)
{
    bool param = tensor->origin == ORIGIN_PARAM;
    Diag *diag = diag_add(watch->verify->diags, DIAG_OUTPUT_UNWRITTEN, tensor->span,
                          param ? "the kernel never writes {}, which it takes as `&mut`"
                                : "the kernel returns {}, which it never writes",
                          name_of(watch, tensor));
    diag_help(diag, param ? "write it, for example with `to_hbm_view`, or take it as `&`"
                          : "write it before it is returned, for example with `to_hbm_view`");
}

static bool is_stored(const Tensor *result, const View *target, const Tensor *tensor)
{
    return (result && tensor_root(result) == tensor) ||
           (target && tensor_root(target->tensor) == tensor);
}

// Whether an operation writes the tensor by name. The address of a parameter may be unknown.
static bool is_named(const Program *program, const Tensor *tensor)
{
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        const Pass *pass = op->pass;
        const Stage *sink = pass ? pass->stages.items[pass->stages.count - 1] : NULL;
        if (is_stored(sink ? sink->result : NULL, sink ? sink->target : op->target, tensor))
            return true;
    }
    return false;
}

static void note_part(void *context, const Interval *part)
{
    (void)part;
    *(bool *)context = true;
}

static bool is_written(const Watch *watch, const Tensor *tensor)
{
    bool written = is_named(watch->program, tensor);
    int64_t low, high;
    bool known = tensor_range(watch->verify->machine, tensor, &low, &high);
    if (tensor->origin == ORIGIN_ADDRESS && !written && known) // or by another tensor there
        intervals_each(&watch->owners[tensor->tier], low, high, note_part, &written);
    return written || (tensor->origin == ORIGIN_ADDRESS && !known);
}

// An output that is never written holds old data, which the caller takes for a result. If an
// operation was refused, it may be the one that writes it. Writing only part of an output is fine.
static void warn_of_outputs(const Watch *watch)
{
    const Program *program = watch->program;
    if (!program->chips.known || program->is_refused)
        return;
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (program->tensors.items[i]->is_output && !is_written(watch, program->tensors.items[i]))
            report_unwritten(watch, program->tensors.items[i]);
    for (int64_t i = 0; i < program->results.count; i++) {
        const Tensor *tensor = tensor_root(program->results.items[i]);
        if (tensor->origin == ORIGIN_ADDRESS && !is_written(watch, tensor))
            report_unwritten(watch, tensor);
    }
}

static void add_open_pass(Watch *watch, const Pass *pass)
{
    Op *op = arena_new(watch->verify->arena, Op, 1);
    *op = (Op){.kind = OP_PASS,
               .method = "the pass",
               .span = pass->span,
               .context = pass->context,
               .pass = pass,
               .sound = true};
    *array_push(watch->verify->arena, &watch->ops, const Op *) = op;
}

// A pass that is left open has no sink yet, but it reads what the program has by then. The open
// ones are in the order in which they began, which is that of their last stages but for a few.
static void list_ops(Watch *watch)
{
    const Program *program = watch->program;
    int64_t next = 0;
    for (int64_t i = 0; i <= program->ops.count; i++) {
        for (; next < program->open.count && program->open.items[next]->ops_before <= i; next++)
            add_open_pass(watch, program->open.items[next]);
        if (i < program->ops.count)
            *array_push(watch->verify->arena, &watch->ops, const Op *) = program->ops.items[i];
    }
}

void memory_verify(const Verify *verify, const Program *program)
{
    if (verify->rules == RULES_REFERENCE || !program->tensors.count)
        return;
    Watch watch = {.verify = verify, .program = program, .nodes.arena = verify->arena};
    watch.states = arena_new(verify->arena, TensorState, (size_t)program->tensors.count);
    list_ops(&watch);
    watch.accesses = arena_new(verify->arena, AccessList, (size_t)watch.ops.count + 1);
    for (Tier tier = 0; tier < TIER_COUNT; tier++)
        watch.owners[tier].nodes = &watch.nodes;
    for (int64_t i = 0; i < program->tensors.count; i++)
        watch.states[i].lost.nodes = &watch.nodes;
    for (int64_t i = 0; i < watch.ops.count; i++)
        watch.accesses[i] = op_accesses(verify->arena, verify->machine, watch.ops.items[i]);
    find_lifetimes(&watch);
    bring_params(&watch);
    for (int64_t i = 0; i < watch.ops.count; i++)
        run_op(&watch, watch.ops.items[i], &watch.accesses[i]);
    give_results(&watch);
    warn_of_outputs(&watch);
}
