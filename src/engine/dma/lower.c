// From moves to descriptors: what each operation asks for, and the records that say it.
#include "base/checked.h"
#include "engine/dma/part.h"
#include "engine/shape.h"

static const Media media_of_tier[TIER_COUNT] = {
    [TIER_HOST] = MEDIA_HOST,
    [TIER_HBM] = MEDIA_HBM,
    [TIER_DM] = MEDIA_DM,
};

// ---- what is asked for

static bool known_offsets(const Lower *lower, const Op *op, const View *view,
                          int64_t offsets[LEVEL_COUNT])
{
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        if (!view->offsets[level].known) {
            diag_add(lower->diags, DIAG_RUN_UNKNOWN_START, op->span,
                     "where a tile that {} uses starts is not known before the kernel runs",
                     op->method);
            return false;
        }
        offsets[level] = view->offsets[level].value;
    }
    return true;
}

static bool find_sides(Transfer *transfer)
{
    const Op *op = transfer->op;
    const View *views[2] = {op->source, op->target};
    for (int side = 0; side < 2; side++) {
        transfer->sides[side].tensor = views[side]->tensor;
        if (!known_offsets(transfer->lower, op, views[side], transfer->sides[side].offsets))
            return false;
    }
    int64_t offsets[LEVEL_COUNT];
    if (!op->index)
        return true;
    if (!known_offsets(transfer->lower, op, op->index, offsets))
        return false;
    const Tensor *index = op->index->tensor;
    transfer->index = op->index;
    transfer->index_bytes = (index->address.known ? index->address.value : 0) +
                            offsets[LEVEL_ELEMENT] * (int64_t)sizeof(int32_t);
    return true;
}

// The host puts half bytes anywhere; the engines move whole ones, in the multiples of their
// memories.
static void find_units(Transfer *transfer)
{
    const Tensor *source = transfer->sides[DMA_SOURCE].tensor;
    const Tensor *target = transfer->sides[DMA_TARGET].tensor;
    bool host = source->tier == TIER_HOST || target->tier == TIER_HOST;
    transfer->unit_bits = host ? min_i64(8, scalar_traits[source->type].packet_bits) : 8;
    transfer->align =
        host ? 1 : dma_alignment(transfer->lower->machine, source->tier, target->tier).packet;
}

static DmaOutcome derive(Transfer *transfer, DmaRows *rows)
{
    const Op *op = transfer->op;
    Arena *arena = transfer->lower->scratch;
    const Dim *source[LEVEL_COUNT];
    if (op->kind == OP_GATHER)
        return gather_derive(arena, op, &transfer->nest, rows);
    if (op->kind == OP_SCATTER)
        return scatter_derive(arena, op, &transfer->nest, rows);
    bool slices = op->kind == OP_CHIP_SLICE || op->kind == OP_CLUSTER_SLICE;
    dma_source_dims(op, slices ? op->sliced : op->source->dims[LEVEL_ELEMENT], source);
    return dma_derive(arena, source, op->target->dims, &transfer->nest);
}

// Whether steps and runs are whole bytes.
static bool is_whole(const Transfer *transfer)
{
    int64_t bits = scalar_traits[transfer->op->source->tensor->type].packet_bits;
    int64_t unit = max_i64(1, transfer->unit_bits / bits);
    for (int64_t i = 0; i < transfer->nest.loops.count; i++) {
        const DmaLoop *loop = &transfer->nest.loops.items[i];
        if ((loop->source.level == LEVEL_ELEMENT && loop->source.stride % unit) ||
            (loop->target.level == LEVEL_ELEMENT && loop->target.stride % unit))
            return false;
    }
    for (int side = 0; side < 2; side++)
        if (transfer->sides[side].offsets[LEVEL_ELEMENT] % unit)
            return false;
    return true;
}

// ---- records

static HwPlace place_of(const Machine *machine, const Tensor *tensor, const PartPlace *at)
{
    bool dm = tensor->tier == TIER_DM;
    return (HwPlace){.media = media_of_tier[tensor->tier],
                     .chip = at->chip,
                     .cluster = dm ? at->cluster : -1,
                     .dmn = dm ? at->slice / machine->slices_per_dmn : -1,
                     .tensor =
                         tensor->address.known && tensor->tier != TIER_HOST ? -1 : tensor->id};
}

static int64_t base_of(const Transfer *transfer, const PartPlace *at)
{
    int64_t slice = transfer->lower->machine->dm_virtual_slice_stride_bytes * 8;
    return at->slice * (slice / transfer->unit_bits) + at->address;
}

// How many positions a loop takes of what it walks stands in its limit.
static Str walked_text(const Lower *lower, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(lower->scratch, mapping);
    const Factor *first = normal.factors;
    return normal.count == 1 && !first->is_padding
               ? shape_term_text(lower->arena, &first->term, first->term.modulo)
               : mapping_text(lower->arena, &normal);
}

static const HwDmaIndirect *indirect_of(const Transfer *transfer, const DmaRows *rows,
                                        const Part *part)
{
    const Op *op = transfer->op;
    if (!op->index)
        return NULL;
    HwDmaIndirect *indirect = arena_new(transfer->lower->arena, HwDmaIndirect, 1);
    const ScalarTraits *traits = &scalar_traits[op->source->tensor->type];
    PartPlace at = {.chip = part->at[DMA_SOURCE].chip}; // which has entries of its own
    *indirect = (HwDmaIndirect){
        .is_source = op->kind == OP_GATHER,
        .index = place_of(transfer->lower->machine, op->index->tensor, &at),
        .base = part->index,
        .divisor = rows->unit,
        .limit = rows->rows,
        .scale = rows->stride * traits->packet_bits / 8,
    };
    return indirect;
}

static int64_t add_loops(const Lower *lower, const Part *part, HwDescriptor *out)
{
    int64_t iterations = 1;
    for (int64_t i = 0; i < part->loops.count; i++) {
        const PartLoop *loop = &part->loops.items[i];
        *array_push(lower->arena, &out->loops, HwDmaLoopEntry) =
            (HwDmaLoopEntry){.limit = loop->size,
                             .source_stride = loop->strides[DMA_SOURCE],
                             .dest_stride = loop->strides[DMA_TARGET],
                             .index_stride = loop->index,
                             .term = walked_text(lower, &loop->mapping)};
        iterations *= loop->size;
    }
    return iterations;
}

static void add_descriptor(const Transfer *transfer, const DmaRows *rows, const Job *job,
                           HwDmaCommand *command, int64_t *bits)
{
    const Lower *lower = transfer->lower;
    const Part *part = &job->part;
    const Machine *machine = lower->machine;
    bool chips = part->at[DMA_SOURCE].chip != part->at[DMA_TARGET].chip;
    HwDescriptor descriptor = {
        .chip = job->chip,
        .cluster = job->cluster,
        .engine = job->engine,
        .source = place_of(machine, transfer->sides[DMA_SOURCE].tensor, &part->at[DMA_SOURCE]),
        .dest = place_of(machine, transfer->sides[DMA_TARGET].tensor, &part->at[DMA_TARGET]),
        .source_base = base_of(transfer, &part->at[DMA_SOURCE]),
        .dest_base = base_of(transfer, &part->at[DMA_TARGET]),
        .packet_bytes = job->packet,
        .padding_bits = part->padding,
        .unit_bits = transfer->unit_bits,
        .indirect = indirect_of(transfer, rows, part),
        .packet_term = walked_text(lower, &part->run_term),
    };
    descriptor.inter_chip =
        chips && descriptor.source.media != MEDIA_HOST && descriptor.dest.media != MEDIA_HOST;
    int64_t iterations = add_loops(lower, part, &descriptor);
    int64_t bytes = ceil_div(job->packet * transfer->unit_bits, 8);
    descriptor.requests = iterations * ceil_div(bytes, machine->dma_request_bytes);
    *bits += iterations * (job->packet * transfer->unit_bits - part->padding);
    *array_push(lower->arena, &command->descriptors, HwDescriptor) = descriptor;
}

// ---- commands

static bool same_walk(const HwDescriptor *a, const HwDescriptor *b)
{
    if (a->loops.count != b->loops.count || a->packet_bytes != b->packet_bytes ||
        a->padding_bits != b->padding_bits)
        return false;
    for (int64_t i = 0; i < a->loops.count; i++) {
        const HwDmaLoopEntry *x = &a->loops.items[i], *y = &b->loops.items[i];
        if (x->limit != y->limit || x->source_stride != y->source_stride ||
            x->dest_stride != y->dest_stride || x->index_stride != y->index_stride)
            return false;
    }
    return true;
}

static bool same_engine(const HwDescriptor *a, const HwDescriptor *b)
{
    return a->chip == b->chip && a->cluster == b->cluster && a->engine == b->engine;
}

static bool is_homogeneous(const HwDmaCommand *command)
{
    for (int64_t i = 1; i < command->descriptors.count; i++) {
        const HwDescriptor *one = &command->descriptors.items[i];
        if (!same_walk(one, &command->descriptors.items[0]))
            return false;
        for (int64_t k = 0; k < i; k++)
            if (same_engine(one, &command->descriptors.items[k]))
                return false;
    }
    return true;
}

// Sequencers in the notation of the manual: "[B=256:256, A%4=4:65536, A/4%32=32:slice_stride,
// A/128=2:DMN_stride, C=256:1]:256 DM/i8@(0, 0, 0, 0)". Strides and addresses are bytes.

typedef struct {
    StrBuf *out;
    const Machine *machine;
    const HwDescriptor *descriptor;
    bool is_source;
    int64_t element_bits;
} Printer;

// Without blanks, as the manual has them.
static void print_term(StrBuf *out, Str term)
{
    for (int64_t i = 0; i < term.len; i++)
        if (term.data[i] != ' ')
            buf_add(out, (Str){&term.data[i], 1});
}

static const HwPlace *printed_place(const Printer *printer)
{
    return printer->is_source ? &printer->descriptor->source : &printer->descriptor->dest;
}

static void print_times(StrBuf *out, int64_t times, const char *what)
{
    if (times != 1)
        buf_format(out, "{}*", times);
    buf_format(out, "{}", what);
}

// Units of half bytes come out as bytes and halves.
static void print_bytes(const Printer *printer, int64_t units)
{
    int64_t bits = units * printer->descriptor->unit_bits;
    buf_format(printer->out, "{}{}", bits / 8, bits % 8 ? ".5" : "");
}

static void print_stride(const Printer *printer, int64_t stride)
{
    const Machine *machine = printer->machine;
    int64_t slice = machine->dm_virtual_slice_stride_bytes;
    int64_t network = machine->dm_virtual_dmn_stride_bytes;
    if (printed_place(printer)->media != MEDIA_DM || stride < slice)
        print_bytes(printer, stride);
    else if (stride % network == 0)
        print_times(printer->out, stride / network, "DMN_stride");
    else
        print_times(printer->out, stride / slice, "slice_stride");
}

static void print_entry(const Printer *printer, Str term, int64_t size)
{
    print_term(printer->out, term.len ? term : STR("1"));
    buf_format(printer->out, "={}:", size);
}

static void print_loops(const Printer *printer)
{
    const HwDescriptor *descriptor = printer->descriptor;
    int64_t packet_bits = descriptor->packet_bytes * descriptor->unit_bits;
    buf_add(printer->out, STR("["));
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        print_entry(printer, loop->term, loop->limit);
        print_stride(printer, printer->is_source ? loop->source_stride : loop->dest_stride);
        buf_add(printer->out, STR(", "));
    }
    print_entry(printer, descriptor->packet_term, packet_bits / printer->element_bits);
    buf_format(printer->out, "{}{}]:", printer->element_bits / 8,
               printer->element_bits % 8 ? ".5" : "");
    print_bytes(printer, descriptor->packet_bytes);
}

// "1024", "(1, 1024)" on another chip; in DM chip, cluster, pair of networks and what is left.
static void print_base(const Printer *printer)
{
    const Machine *machine = printer->machine;
    const HwPlace *place = printed_place(printer);
    const HwDescriptor *descriptor = printer->descriptor;
    int64_t base = printer->is_source ? descriptor->source_base : descriptor->dest_base;
    int64_t slice = machine->dm_virtual_slice_stride_bytes;
    if (place->media == MEDIA_DM) {
        int64_t pair = machine->dm_virtual_dmn_stride_bytes * machine->dmns_per_dma_engine;
        int64_t rest = base % pair / slice * slice;
        buf_format(printer->out, "({}, {}, {}, ", place->chip, place->cluster, base / pair);
        if (rest)
            print_stride(printer, rest);
        buf_format(printer->out, rest ? " + {})" : "{})", base % slice);
        return;
    }
    if (place->chip)
        buf_format(printer->out, "({}, ", place->chip);
    if (place->tensor >= 0)
        buf_format(printer->out, "%{} + ", place->tensor);
    print_bytes(printer, base);
    if (place->chip)
        buf_add(printer->out, STR(")"));
}

static const char *media_name(Media media)
{
    return record_of_Place.fields[0].name_of((int)media);
}

// "[H=8:8, C=3:64, N=4:192, W=8:1]:8 HBM/i8@1024". Manual: DMA Engine, Example.
static Str dma_sequencer_text(Arena *arena, const Machine *machine, const HwDescriptor *descriptor,
                              DmaSide side, Scalar type)
{
    StrBuf out = {.arena = arena};
    Printer printer = {&out, machine, descriptor, side == DMA_SOURCE,
                       scalar_traits[type].packet_bits};
    print_loops(&printer);
    buf_format(&out, " {}/{}@", media_name(printed_place(&printer)->media), scalar_name(type));
    print_base(&printer);
    return buf_str(&out);
}

static void add_command(const Transfer *transfer, const DmaRows *rows, const Jobs *jobs,
                        HwCommands *commands)
{
    const Lower *lower = transfer->lower;
    Scalar type = transfer->op->source->tensor->type;
    HwDmaCommand *command = arena_new(lower->arena, HwDmaCommand, 1);
    command->element_bits = scalar_traits[type].packet_bits;
    int64_t bits = 0;
    for (int64_t i = 0; i < jobs->count; i++)
        add_descriptor(transfer, rows, &jobs->items[i], command, &bits);
    command->bytes = ceil_div(bits, 8);
    command->homogeneous = is_homogeneous(command);
    if (command->descriptors.count) {
        const HwDescriptor *first = &command->descriptors.items[0];
        command->read = dma_sequencer_text(lower->arena, lower->machine, first, DMA_SOURCE, type);
        command->write = dma_sequencer_text(lower->arena, lower->machine, first, DMA_TARGET, type);
    }
    array_push(lower->arena, commands, HwCommand)->dma = command;
}

static bool refuse(const Lower *lower, const Op *op, DiagCode code, const char *why)
{
    diag_add(lower->diags, code, op->span, "{} cannot be compiled: {}", op->method, why);
    return false;
}

bool dma_lower(const Lower *lower, const Op *op, HwCommands *commands)
{
    Transfer transfer = {.lower = lower, .op = op};
    DmaRows rows = {0};
    Parts parts = {0};
    Jobs jobs = {0};
    if (!find_sides(&transfer))
        return false;
    find_units(&transfer);
    if (derive(&transfer, &rows) != DMA_DERIVED)
        return refuse(lower, op, DIAG_DMA_SHAPE, "no loops of one stride do it");
    if (!is_whole(&transfer))
        return refuse(lower, op, DIAG_DMA_PACKET, "it moves half bytes");
    dma_parts(&transfer, &parts);
    if (transfer.too_large)
        return refuse(lower, op, DIAG_DMA_ADDRESS, "its addresses do not fit in 63 bits");
    dma_split(&transfer, &parts, &jobs);
    if (parts.count == DMA_MOST_PIECES || jobs.count == DMA_MOST_PIECES)
        return refuse(lower, op, DIAG_DMA_SHAPE, "it takes more than 131,072 descriptors");
    add_command(&transfer, &rows, &jobs, commands);
    return true;
}
