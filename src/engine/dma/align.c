// Packets and addresses of a move. Manual: DMA Engine, Alignment Constraints.
//
// A packet is contiguous on both sides, so it is cut from a run. Into DM, packets are whole words
// of a bank, and start at one; on the way from HBM the reads start at a word, too. Elsewhere bytes
// are enough. All that is checked in elements: a word is 4 of bf16, 16 of i4, and half a byte of i4
// is no multiple of anything.
//
// Padding is neither required of the source nor promised to the target, so a packet may run into
// padding of the target, whatever it finds there in the source. The padding must be the tensor's
// own: that of a tile is somebody else's data.
#include "engine/dma/dma.h"

#include "base/checked.h"
#include "engine/memory/memory.h"
#include "engine/report.h"
#include "mapping/cell.h"

typedef struct {
    const Verify *verify;
    const Op *op;
    const DmaNest *nest;
    Scalar type;
    DmaAlignment align;
} Check;

DmaAlignment dma_alignment(const Machine *machine, Tier source, Tier target)
{
    int64_t word = machine->dma_dm_write_align_bytes, both = machine->dma_hbm_to_dm_align_bytes;
    int64_t read =
        source == TIER_DM ? machine->dma_dm_read_align_bytes : machine->dma_hbm_align_bytes;
    if (target == TIER_DM && source == TIER_HBM)
        return (DmaAlignment){both, both, both};
    if (target == TIER_DM)
        return (DmaAlignment){read, word, word};
    return (DmaAlignment){read, machine->dma_hbm_align_bytes, machine->dma_hbm_align_bytes};
}

int64_t dma_packet_of(int64_t run, int64_t align, int64_t limit)
{
    int64_t units = run / align, packet = max_i64(1, min_i64(units, limit / align));
    while (units % packet)
        packet--;
    return packet * align;
}

// Elements that `bytes` bytes hold, at least one.
static int64_t unit_of(const Check *check, int64_t bytes)
{
    return max_i64(1, bytes * 8 / scalar_traits[check->type].packet_bits);
}

// "4 bytes", "1.5 bytes"
static Str bytes_text(const Check *check, int64_t elements)
{
    int64_t bits = scalar_traits[check->type].packet_bits, bytes;
    Arena *arena = check->verify->arena;
    if (!scalar_bytes(check->type, elements, &bytes))
        return str_format(arena, "{}.5 bytes", elements * bits / 8);
    return str_format(arena, "{} byte{}", bytes, bytes == 1 ? "" : "s");
}

static const char *way_text(const Check *check)
{
    const Tier source = check->op->source->tensor->tier, target = check->op->target->tensor->tier;
    if (target != TIER_DM)
        return "of DMA";
    return source == TIER_HBM ? "from HBM to DM" : "into DM";
}

// ---- packets

// Positions from the start of a run that are the run or padding of the tensor behind it.
static int64_t room_of(const Check *check)
{
    const Tensor *target = check->op->target->tensor;
    Mapping element =
        mapping_normalise(check->verify->arena, &target->dims[LEVEL_ELEMENT]->mapping);
    int64_t run = check->nest->run.size, block = 1;
    for (int64_t i = 0; i < element.count; i++) {
        const Factor *factor = &element.factors[i];
        if (factor->is_padding)
            return block == run ? factor->size : run;
        block *= factor->resize;
    }
    return run;
}

// Whether iterations that the bound of the run leaves out would meet padding of the target.
static bool ends_in_padding(const Check *check)
{
    const DmaNest *nest = check->nest;
    const View *target = check->op->target;
    int64_t places[LEVEL_COUNT], place = 1, at = nest->run.size - 1;
    for (int level = LEVEL_COUNT - 1; level >= 0; level--) {
        places[level] = place;
        place *= target->dims[level] ? target->dims[level]->mapping.size : 1;
    }
    for (int64_t i = 0; i < nest->loops.count; i++) {
        const DmaLoop *loop = &nest->loops.items[i];
        if (loop->bound == nest->run.bound)
            at += (loop->size - 1) * loop->target.stride * places[loop->target.level];
    }
    Mapping shape = shape_of(check->verify->arena, target->dims);
    Cell cell = mapping_cell(check->verify->arena, &shape, at);
    return !target->tiles.count && at < shape.size && !cell.count;
}

static void say_step(StrBuf *out, const Check *check, const DmaStep *step)
{
    if (step->level != LEVEL_ELEMENT)
        buf_format(out, "goes to another {}",
                   step->level == LEVEL_SLICE     ? "slice"
                   : step->level == LEVEL_CLUSTER ? "cluster"
                                                  : "chip");
    else if (step->stride)
        buf_format(out, "advances {}", bytes_text(check, step->stride));
    else
        buf_format(out, "stays at the same place");
}

// Where the run ends, and what comes after it.
static void note_break(const Check *check, Diag *diag)
{
    const DmaNest *nest = check->nest;
    Arena *arena = check->verify->arena;
    if (!nest->loops.count) {
        diag_note(diag, SPAN_NOWHERE, "that is all there is to move to one place");
        return;
    }
    const DmaLoop *next = &nest->loops.items[nest->loops.count - 1];
    StrBuf source = {.arena = arena}, target = {.arena = arena};
    say_step(&source, check, &next->source);
    say_step(&target, check, &next->target);
    diag_note(diag, SPAN_NOWHERE,
              "after a run of `{}` comes the next `{}`: the source {}, the target {}",
              mapping_text(arena, &nest->run.mapping), mapping_text(arena, &next->mapping),
              buf_str(&source), buf_str(&target));
}

// The run is cut by the slices: B % 2 in Element, B / 2 in Slice, and the source goes on evenly.
static bool is_cut_by_slices(const Check *check, const Factor **axis)
{
    const DmaNest *nest = check->nest;
    if (!nest->loops.count || nest->run.mapping.count != 1)
        return false;
    const DmaLoop *next = &nest->loops.items[nest->loops.count - 1];
    *axis = &nest->run.mapping.factors[0];
    return next->target.level == LEVEL_SLICE && next->source.level == LEVEL_ELEMENT &&
           next->source.stride == nest->run.size && !(*axis)->is_padding &&
           (*axis)->term.atom->kind == ATOM_AXIS && (*axis)->term.stride == 1 &&
           (*axis)->term.atom->size % unit_of(check, check->align.packet) == 0;
}

// Whether a target padded to whole packets would do: nothing else stands in the way.
static bool padding_helps(const Check *check)
{
    const DmaNest *nest = check->nest;
    if (check->op->target->tiles.count ||
        check->op->target->dims[LEVEL_ELEMENT]->mapping.size != nest->run.size)
        return false;
    for (int64_t i = 0; i < nest->loops.count; i++) {
        const DmaStep *step = &nest->loops.items[i].source;
        if (step->level == LEVEL_ELEMENT && step->stride % unit_of(check, check->align.source))
            return false;
    }
    return true;
}

static void help_packet(const Check *check, Diag *diag)
{
    Arena *arena = check->verify->arena;
    int64_t unit = unit_of(check, check->align.packet);
    const Dim *element = check->op->target->dims[LEVEL_ELEMENT];
    const Factor *axis;
    int64_t size;
    if (padding_helps(check) && checked_round_up(element->mapping.size, unit, &size)) {
        report_rewrite(check->verify, diag, element, dim_padded_text(arena, element, size),
                       "pad Element of the target:");
    } else if (is_cut_by_slices(check, &axis)) {
        const char *name = axis->term.atom->name;
        diag_help(diag, "give each slice {} elements: `{} / {}` in Slice, `{} % {}` in Element",
                  unit, name, unit, name, unit);
    } else {
        diag_help(diag,
                  "{} elements of {} make a packet: let {} that are neighbours in the target be "
                  "neighbours in the source, too",
                  unit, scalar_name(check->type), unit);
        diag_help(diag, "store the source in the order of the target, or change the order in the "
                        "Tensor Unit (the Transpose Engine, or the order of fetch and commit)");
    }
}

static bool verify_packet(const Check *check)
{
    int64_t unit = unit_of(check, check->align.packet), run = check->nest->run.size;
    int64_t last = dma_last_run(check->nest);
    int64_t padded;
    bool whole =
        run % unit == 0 || (checked_round_up(run, unit, &padded) && padded <= room_of(check));
    if (whole && (last % unit == 0 || ends_in_padding(check)))
        return true;
    Diag *diag =
        diag_add(check->verify->diags, DIAG_DMA_PACKET, check->op->span,
                 "{} moves {}runs of {}; packets {} are multiples of {} byte{}", check->op->method,
                 whole ? "" : "contiguous ", bytes_text(check, whole ? last : run), way_text(check),
                 check->align.packet, check->align.packet == 1 ? "" : "s");
    note_break(check, diag);
    help_packet(check, diag);
    return false;
}

// ---- steps and addresses

static void verify_step(const Check *check, const DmaLoop *loop, const DmaStep *step, int64_t align,
                        const char *side)
{
    if (step->level != LEVEL_ELEMENT || step->stride % unit_of(check, align) == 0)
        return;
    Arena *arena = check->verify->arena;
    int64_t unit = unit_of(check, align);
    Diag *diag =
        diag_add(check->verify->diags, DIAG_DMA_STRIDE, check->op->span,
                 "a step of `{}` advances {} in the {} of {}; steps {} are multiples of {} byte{}",
                 mapping_text(arena, &loop->mapping), bytes_text(check, step->stride), side,
                 check->op->method, way_text(check), align, align == 1 ? "" : "s");
    int64_t padded;
    if (checked_round_up(step->stride, unit, &padded))
        diag_help(diag, "pad what lies inside it in the {} to {} elements", side, padded);
}

static void verify_steps(const Check *check)
{
    for (int64_t i = 0; i < check->nest->loops.count; i++) {
        const DmaLoop *loop = &check->nest->loops.items[i];
        verify_step(check, loop, &loop->source, check->align.source, "source");
        verify_step(check, loop, &loop->target, check->align.target, "target");
    }
}

static void help_address(const Check *check, Diag *diag, const Tensor *tensor)
{
    const Verify *verify = check->verify;
    int64_t places[2], count = tensor_places(verify->machine, tensor, places);
    if (!count)
        return;
    Str name = tensor_text(verify->arena, tensor);
    Str low = report_address_text(verify, tensor, places[0]);
    Str high = report_address_text(verify, tensor, places[count - 1]);
    if (count == 1)
        diag_help(diag, "put {} at {}", name, low);
    else
        diag_help(diag, "put {} at {} or {}", name, low, high);
    report_edit_address(verify, diag, tensor, places[count - 1]);
}

// The tensor's own address was looked at when it was made, where it is one that is written or is
// beyond any memory.
static void verify_start(const Check *check, const View *view, int64_t align, const char *side)
{
    const Tensor *tensor = view->tensor;
    MaybeInt offset = view->offsets[LEVEL_ELEMENT];
    int64_t unit = unit_of(check, align), address = tensor->address.value;
    bool reported = address < 0 ||
                    (tensor->origin == ORIGIN_RESULT && address % align && tensor->tier == TIER_DM);
    bool at_word = !tensor->address.known || reported || address % align == 0;
    bool tile_at_word = !offset.known || offset.value % unit == 0;
    if (at_word && tile_at_word)
        return;
    Str name = tensor_text(check->verify->arena, tensor);
    Str into = str_format(check->verify->arena, " starts {} into {}, which is",
                          bytes_text(check, offset.value), name);
    if (!offset.known || !offset.value)
        into = str_format(check->verify->arena, ", {}, starts", name);
    Diag *diag =
        diag_add(check->verify->diags, DIAG_DMA_ADDRESS, check->op->span,
                 "the {} of {}{} at {}; {} it starts at a multiple of {} byte{}", side,
                 check->op->method, into, report_address_text(check->verify, tensor, address),
                 way_text(check), align, align == 1 ? "" : "s");
    if (!at_word)
        help_address(check, diag, tensor);
    if (!tile_at_word)
        diag_help(diag, "let the tile start at a multiple of {} elements", unit);
}

// ---- commands

static Str nest_text(const Check *check)
{
    StrBuf text = {.arena = check->verify->arena};
    dma_print(&text, check->nest);
    return buf_str(&text);
}

static void verify_entries(const Check *check)
{
    const Machine *machine = check->verify->machine;
    int64_t loops = 0;
    for (int64_t i = 0; i < check->nest->loops.count; i++) {
        const DmaLoop *loop = &check->nest->loops.items[i];
        if (!dma_steps_units(loop))
            loops += loop->size > machine->sequencer_iterations ? 2 : 1;
    }
    if (dma_has_room(machine, loops))
        return;
    Diag *diag = diag_add(check->verify->diags, DIAG_DMA_COMMANDS, check->op->span,
                          "{} takes several commands: it has {} loops and the packet, but a DMA "
                          "sequencer has only {} entries",
                          check->op->method, loops, machine->sequencer_entries);
    diag_note(diag, SPAN_NOWHERE, "the nest is {}", nest_text(check));
    diag_help(diag, "keep more neighbors together on both sides, so that loops merge");
}

// If the source ends inside the last piece that the target cuts, that piece takes its own command.
// Padding the source does not help: only elements are moved, so the last piece stays shorter.
static void verify_pieces(const Check *check)
{
    if (!check->nest->division.uneven)
        return;
    Diag *diag = diag_add(check->verify->diags, DIAG_DMA_COMMANDS, check->op->span,
                          "{} takes several commands: the target cuts an axis into pieces, but the "
                          "source ends inside the last one",
                          check->op->method);
    diag_note(diag, SPAN_NOWHERE, "the nest is {}", nest_text(check));
}

void dma_align_verify(const Verify *verify, const Op *op, const DmaNest *nest)
{
    const Tensor *source = op->source->tensor, *target = op->target->tensor;
    if (source->tier == TIER_HOST || target->tier == TIER_HOST)
        return; // the host lays out what it sends
    Check check = {verify, op, nest, source->type,
                   dma_alignment(verify->machine, source->tier, target->tier)};
    if (verify_packet(&check))
        verify_steps(&check);
    verify_start(&check, op->source, check.align.source, "source");
    verify_start(&check, op->target, check.align.target, "target");
    verify_entries(&check);
    verify_pieces(&check);
}
