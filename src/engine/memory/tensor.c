#include "engine/memory/memory.h"

#include "base/checked.h"
#include "engine/report.h"
#include "mapping/cell.h"

// ---- messages

Str tensor_text(Arena *arena, const Tensor *tensor)
{
    if (tensor->name)
        return str_format(arena, "`{}`", tensor->name);
    const char *type = tiers[tensor->tier].type_name;
    return str_format(arena, "{} {}", str_article(str_from(type)), type);
}

Str dim_text(Arena *arena, const Dim *dim)
{
    return dim->expr ? expr_text(arena, dim->expr) : mapping_text(arena, &dim->mapping);
}

Str dim_padded_text(Arena *arena, const Dim *dim, int64_t size)
{
    Mapping bare = mapping_strip(&dim->mapping);
    const Expr *expr = dim->expr;
    if (!expr)
        return str_format(arena, "[{}] # {}", mapping_text(arena, &bare), size);
    if (expr->kind == EXPR_PADDING)
        expr = expr->inner;
    bool group = expr->kind == EXPR_PAIR || expr->kind == EXPR_AROUND;
    return str_format(arena, group ? "[{}] # {}" : "{} # {}", expr_text(arena, expr), size);
}

Span dim_span(const Dim *dim, Span otherwise)
{
    return dim->span.source >= 0 ? dim->span : otherwise;
}

// ---- axes given twice

// The two terms, one of each mapping, that give the same part of an axis.
static bool find_shared(Arena *arena, const Mapping *a, const Mapping *b, Mapping *first,
                        Mapping *second)
{
    for (int64_t i = 0; i < a->count; i++) {
        for (int64_t k = 0; k < b->count; k++) {
            if (a->factors[i].is_padding || b->factors[k].is_padding)
                continue;
            *first = mapping_of_term(arena, a->factors[i].term, a->factors[i].resize);
            *second = mapping_of_term(arena, b->factors[k].term, b->factors[k].resize);
            Mapping both = mapping_from_factors(arena, (Factor[]){a->factors[i], b->factors[k]}, 2);
            if (mapping_has_overlap(arena, &both))
                return true;
        }
    }
    return false;
}

static bool report_shared(const Verify *verify, const Dim *const dims[LEVEL_COUNT], Level outer,
                          Level inner, Span span)
{
    Arena *arena = verify->arena;
    Mapping first, second;
    if (!find_shared(arena, &dims[outer]->mapping, &dims[inner]->mapping, &first, &second))
        return false;
    AtomList axes = {0};
    mapping_axes(arena, &first, &axes);
    Diag *diag =
        diag_add(verify->diags, DIAG_DUPLICATE_AXIS, dim_span(dims[inner], span),
                 "{} `{}` and {} `{}` both give a part of `{}`", level_names[outer],
                 dim_text(arena, dims[outer]), level_names[inner], dim_text(arena, dims[inner]),
                 axes.count ? axes.items[0]->name : "an axis");
    diag_note(diag, dim_span(dims[outer], SPAN_NOWHERE), "{} has `{}`, {} has `{}`",
              level_names[outer], mapping_text(arena, &first), level_names[inner],
              mapping_text(arena, &second));
    diag_help(diag, "let one of them end where the other begins, or take the axis out of {}",
              level_names[inner]);
    return true;
}

// In a source, the mapping as written shows which of its parts repeat the axis.
static void report_inside(const Verify *verify, const Dim *dim, Level level, Span span)
{
    bool written = !report_is_text(verify) && dim->expr && dim->expr->span.source >= 0;
    if (!written || expr_check_overlap(verify->diags, dim->expr)) {
        diag_add(verify->diags, DIAG_DUPLICATE_AXIS, dim_span(dim, span),
                 "{} `{}` repeats part of an axis", level_names[level],
                 dim_text(verify->arena, dim));
        return;
    }
    Diag *diag = verify->diags->items[verify->diags->count - 1];
    if (!span_same(span, dim->span))
        diag_note(diag, span, "used here");
}

bool repeated_axis_verify(const Verify *verify, const Dim *const dims[LEVEL_COUNT], Span span)
{
    bool ok = true;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level] && mapping_has_overlap(verify->arena, &dims[level]->mapping)) {
            report_inside(verify, dims[level], level, span);
            ok = false;
        }
    return ok;
}

bool shared_axis_verify(const Verify *verify, const Dim *const dims[LEVEL_COUNT], Span span)
{
    bool ok = true;
    Mapping shape = shape_of(verify->arena, dims);
    if (!mapping_has_overlap(verify->arena, &shape))
        return true;
    for (Level outer = 0; outer < LEVEL_COUNT; outer++)
        for (Level inner = outer + 1; inner < LEVEL_COUNT; inner++)
            if (dims[outer] && dims[inner])
                ok &= !report_shared(verify, dims, outer, inner, span);
    return ok;
}

// ---- sizes of dimensions

// A dimension that counts units of the hardware.
typedef struct {
    Level level;
    DiagCode code;
    int64_t units;
    const char *owner, *unit; // "a cluster" has 256 "slices"
} LevelRule;

static void report_too_many(const Verify *verify, const LevelRule *rule, const Dim *dim, Span span)
{
    Diag *diag = diag_add(verify->diags, DIAG_LEVEL_LIMIT, dim_span(dim, span),
                          "{} `{}` has {} positions; {} has {} {}", level_names[rule->level],
                          dim_text(verify->arena, dim), dim->mapping.size, rule->owner, rule->units,
                          rule->unit);
    diag_help(diag, "move what is beyond {} into Element, or work on it in tiles", rule->units);
    if (dim->expr)
        diag->cause = dim->expr->span; // a definition is too large wherever it is used
}

// The rule holds wherever the mapping is used: it is padded where it is written, under its name.
static void report_padding(const Verify *verify, Diag *diag, const Dim *dim, int64_t size)
{
    Dim written = *dim;
    if (!report_is_text(verify) && dim->expr && dim->expr->span.source >= 0)
        written.span = dim->expr->span;
    report_rewrite(verify, diag, &written, dim_padded_text(verify->arena, dim, size), "pad it:");
}

static void report_too_few(const Verify *verify, const LevelRule *rule, const Dim *dim, Span span)
{
    Diag *diag = diag_add(verify->diags, rule->code, dim_span(dim, span),
                          "{} `{}` has {} position{}; {} has {} {}", level_names[rule->level],
                          dim_text(verify->arena, dim), dim->mapping.size,
                          dim->mapping.size == 1 ? "" : "s", rule->owner, rule->units, rule->unit);
    report_padding(verify, diag, dim, rule->units);
    diag_help(diag, "with `cluster-size,slice-size` relaxed, illustrative sizes are accepted, from "
                    "1 up to what the hardware has");
    diag_help_typed(diag, "--relax=cluster-size,slice-size accepts illustrative sizes, from 1 up "
                          "to what the hardware has");
}

static void verify_level(const Verify *verify, const LevelRule *rule, const Dim *dim, Span span)
{
    if (!dim || dim->mapping.size == rule->units)
        return;
    if (dim->mapping.size > rule->units)
        report_too_many(verify, rule, dim, span);
    else
        report_too_few(verify, rule, dim, span);
}

// Nobody has more chips than MOST_CHIPS: another dimension stands there by mistake.
static void report_chips(const Verify *verify, const Dim *dim, int64_t chips, Span span)
{
    enum { MOST_CHIPS = 64 };
    int64_t size = dim->mapping.size;
    Diag *diag = diag_add(verify->diags, DIAG_CHIP_COUNT, dim_span(dim, span),
                          "Chip `{}` has {} position{}; the kernel runs on {} chip{}",
                          dim_text(verify->arena, dim), size, size == 1 ? "" : "s", chips,
                          chips == 1 ? "" : "s");
    if (size < chips)
        report_padding(verify, diag, dim, chips);
    else if (size <= MOST_CHIPS)
        diag_help(diag,
                  report_is_calls(verify)
                      ? "contra_program_new with {} chips gives the program as many"
                  : report_is_text(verify) ? "`chip={}` gives the program as many"
                                           : "`#[device(chip = {})]` gives the kernel as many",
                  size);
}

static void verify_chips(const Verify *verify, const Dim *dim, Span span)
{
    MaybeInt chips = verify->program ? verify->program->chips : (MaybeInt){0};
    LevelRule most = {LEVEL_CHIP, DIAG_LEVEL_LIMIT, verify->machine->chips, "the machine", "chips"};
    if (!dim)
        return;
    if (most.units && dim->mapping.size > most.units)
        report_too_many(verify, &most, dim, span);
    else if (chips.known && dim->mapping.size != chips.value)
        report_chips(verify, dim, chips.value, span);
}

void sizes_verify(const Verify *verify, const Dim *const dims[LEVEL_COUNT], Span span)
{
    const LevelRule cluster = {LEVEL_CLUSTER, DIAG_CLUSTER_SIZE, verify->machine->clusters_per_chip,
                               "a chip", "clusters"};
    const LevelRule slice = {LEVEL_SLICE, DIAG_SLICE_SIZE, verify->machine->slices_per_cluster,
                             "a cluster", "slices"};
    if (verify->rules != RULES_REFERENCE)
        verify_chips(verify, dims[LEVEL_CHIP], span);
    verify_level(verify, &cluster, dims[LEVEL_CLUSTER], span);
    verify_level(verify, &slice, dims[LEVEL_SLICE], span);
}

// What to_trf and to_vrf make is asked about there, in the order of the reference library.
static bool is_asked_elsewhere(const Tensor *tensor)
{
    return tensor->origin == ORIGIN_RESULT &&
           (tensor->tier == TIER_TRF || tensor->tier == TIER_VRF);
}

// ---- types

static bool type_fits(const Tensor *tensor)
{
    if (tensor->tier == TIER_VRF)
        return tensor->type == SCALAR_I32 || tensor->type == SCALAR_F32;
    return tensor->tier == TIER_TRF || (tensor->type != SCALAR_I5 && tensor->type != SCALAR_I9);
}

static void verify_type(const Verify *verify, const Tensor *tensor)
{
    if (type_fits(tensor) || is_asked_elsewhere(tensor))
        return;
    Diag *diag = diag_add(verify->diags, DIAG_TENSOR_TYPE, tensor->span,
                          "{} has elements of {}, which {} does not hold",
                          tensor_text(verify->arena, tensor), scalar_name(tensor->type),
                          tiers[tensor->tier].name);
    if (tensor->tier == TIER_VRF)
        diag_help(diag, "operands of the Vector Engine are i32 or f32: convert before to_vrf");
    else
        diag_help(diag, "keep it in {}, and let fetch widen it",
                  scalar_name(tensor->type == SCALAR_I5 ? SCALAR_I4 : SCALAR_I8));
}

// ---- places

int64_t tensor_capacity(const Machine *machine, const Tensor *tensor)
{
    switch (tensor->tier) {
    case TIER_HBM:
        return machine->hbm_bytes_per_chip;
    case TIER_DM:
        return machine->dm_bytes_per_slice;
    case TIER_VRF:
        return machine->vrf_bytes_per_slice;
    case TIER_TRF:
        return tensor->trf == TRF_FULL ? machine->trf_bytes_per_slice : machine->trf_half_bytes;
    case TIER_HOST:
    case TIER_COUNT:
        break;
    }
    return INT64_MAX;
}

static int64_t element_bytes(Scalar type)
{
    return max_i64(1, scalar_traits[type].packet_bits / 8);
}

int64_t tensor_write_align(const Machine *machine, const Tensor *tensor)
{
    int64_t element = element_bytes(tensor->type);
    return tensor->tier == TIER_DM ? max_i64(element, machine->dm_row_bytes) : element;
}

int64_t tensor_place_align(const Machine *machine, const Tensor *tensor)
{
    int64_t align = tensor_write_align(machine, tensor);
    bool is_moved = tensor->tier == TIER_HBM || tensor->tier == TIER_DM;
    return is_moved ? max_i64(align, machine->dma_hbm_to_dm_align_bytes) : align;
}

int64_t tensor_places(const Machine *machine, const Tensor *tensor, int64_t places[2])
{
    int64_t align = tensor_place_align(machine, tensor), room = tensor_capacity(machine, tensor);
    int64_t below = tensor->address.value / align * align, bytes, count = 0;
    if (tensor->address.value < 0 || !tensor_bytes(tensor, &bytes) || bytes > room)
        return 0;
    if (below <= room - bytes)
        places[count++] = below;
    if (below < tensor->address.value && align <= room - bytes - below)
        places[count++] = below + align;
    return count;
}

static const char *place_name(const Tensor *tensor)
{
    return tensor->tier == TIER_HBM ? "chip" : tensor->tier == TIER_TRF ? "row" : "slice";
}

static void help_capacity(Diag *diag, const Tensor *tensor)
{
    if (tensor->tier == TIER_TRF)
        diag_help(diag, "load it in parts, one pass each");
    else
        diag_help(diag, "spread Element over more {}s, or work on it in tiles", place_name(tensor));
}

// So many elements that their bits cannot be counted in 63 bits: the message counts elements.
static void report_endless(const Verify *verify, const Tensor *tensor)
{
    Diag *diag = diag_add(
        verify->diags, tensor->tier == TIER_TRF ? DIAG_TENSOR_TRF : DIAG_TENSOR_CAPACITY,
        tensor->span, "{} has {} elements of {} in each {}; {} has {} bytes",
        tensor_text(verify->arena, tensor), tensor_element_count(tensor), scalar_name(tensor->type),
        place_name(tensor), tiers[tensor->tier].name, tensor_capacity(verify->machine, tensor));
    help_capacity(diag, tensor);
}

static void report_half_byte(const Verify *verify, const Tensor *tensor)
{
    const Dim *element = tensor->dims[LEVEL_ELEMENT];
    int64_t count = element->mapping.size, even;
    Diag *diag =
        diag_add(verify->diags, DIAG_TENSOR_HALF_BYTE, dim_span(element, tensor->span),
                 "{} has {} elements of {} in each place, which end in the middle of a byte",
                 tensor_text(verify->arena, tensor), count, scalar_name(tensor->type));
    if (checked_round_up(count, 2, &even))
        report_rewrite(verify, diag, element, dim_padded_text(verify->arena, element, even),
                       "pad Element:");
}

static bool verify_bytes(const Verify *verify, const Tensor *tensor, int64_t *bytes)
{
    if (tensor_bytes(tensor, bytes))
        return true;
    if (scalar_traits[tensor->type].packet_bits % 8 == 0 || tensor_element_count(tensor) % 2 == 0)
        report_endless(verify, tensor);
    else
        report_half_byte(verify, tensor);
    return false;
}

// An address has 64 bits: what is below 0 is a difference that went wrong, or it was meant.
static void report_negative(const Verify *verify, const Tensor *tensor)
{
    int64_t address = tensor->address.value;
    Span span = report_at(tensor->address_span, tensor->span);
    Str name = tensor_text(verify->arena, tensor);
    if (report_is_text(verify))
        diag_add(verify->diags, DIAG_ADDRESS_NEGATIVE, span,
                 "the address of {} is {}; addresses start at 0", name, address);
    else if (tensor->address_fixed)
        diag_add(verify->diags, DIAG_ADDRESS_NEGATIVE, span,
                 "the address of {} is {}, which is beyond any memory", name,
                 report_address_text(verify, tensor, address));
    else
        diag_add(verify->diags, DIAG_ADDRESS_NEGATIVE, span,
                 "the address of {} is {} ({} as u64); addresses start at 0", name, address,
                 (uint64_t)address);
}

static void verify_alignment(const Verify *verify, const Tensor *tensor)
{
    int64_t address = tensor->address.value;
    bool written = tensor->origin == ORIGIN_RESULT;
    int64_t align =
        written ? tensor_write_align(verify->machine, tensor) : element_bytes(tensor->type);
    if (address % align == 0)
        return;
    Diag *diag = diag_add(
        verify->diags, DIAG_ADDRESS_UNALIGNED, report_at(tensor->address_span, tensor->span),
        "{} of {} starts at {}, which is not a multiple of {}", tensor_text(verify->arena, tensor),
        scalar_name(tensor->type), report_address_text(verify, tensor, address), align);
    int64_t places[2], count = tensor_places(verify->machine, tensor, places);
    for (int64_t i = 0; i < count; i++)
        report_address(verify, diag, tensor, places[i], i ? "or put it at" : "put it at");
}

static void report_capacity(const Verify *verify, const Tensor *tensor, int64_t bytes)
{
    int64_t room = tensor_capacity(verify->machine, tensor);
    int64_t align = tensor_place_align(verify->machine, tensor);
    int64_t address = tensor->address.known ? tensor->address.value : 0, end;
    bool fits_63_bits = checked_add(address, bytes, &end);
    Diag *diag =
        diag_add(verify->diags, DIAG_TENSOR_CAPACITY,
                 bytes > room ? tensor->span : report_at(tensor->address_span, tensor->span),
                 "{} takes {} bytes of each {}, from {}; {} has {}",
                 tensor_text(verify->arena, tensor), bytes, place_name(tensor),
                 report_address_text(verify, tensor, address), tiers[tensor->tier].name, room);
    if (fits_63_bits)
        diag_note(diag, SPAN_NOWHERE, "bytes {} reach {} byte{} past the end",
                  report_range(verify, tensor, address, end), end - room,
                  end - room == 1 ? "" : "s");
    if (bytes > room)
        help_capacity(diag, tensor);
    else
        report_address(verify, diag, tensor, (room - bytes) / align * align,
                       "it fits at addresses up to");
}

static bool is_beyond(const Verify *verify, const Tensor *tensor, int64_t bytes)
{
    int64_t address = tensor->address.known ? tensor->address.value : 0;
    int64_t room = tensor_capacity(verify->machine, tensor);
    return bytes > room || address > room - bytes;
}

// The rows, and what they hold together. Manual: TRF Sequencer; 8 KiB a row with all rows in use.
static void verify_trf(const Verify *verify, const Tensor *tensor, int64_t bytes)
{
    const Machine *machine = verify->machine;
    const Dim *row = tensor->dims[LEVEL_ROW];
    int64_t rows = row->mapping.size, room = tensor_capacity(machine, tensor);
    if (!machine_list_has(&machine->mac_row_counts, rows)) {
        Diag *diag = diag_add(verify->diags, DIAG_TENSOR_ROWS, dim_span(row, tensor->span),
                              "Row `{}` has {} positions; the TRF has {} rows in use",
                              dim_text(verify->arena, row), rows,
                              list_text(verify->arena, &machine->mac_row_counts));
        report_rows(verify, diag, row);
    }
    if (bytes <= room)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_TENSOR_TRF, tensor->span,
                          "{} takes {} bytes of TRF; {} has {}: {} too many",
                          tensor_text(verify->arena, tensor), bytes, trf_address_names[tensor->trf],
                          room, bytes - room);
    diag_note(diag, SPAN_NOWHERE, "{} rows of {} bytes; {} bytes a row would fit", rows,
              bytes / rows, room / rows);
    if (tensor->trf != TRF_FULL && bytes <= machine->trf_bytes_per_slice)
        report_trf_address(verify, diag, tensor, TRF_FULL, "has room for it");
    else
        help_capacity(diag, tensor);
}

static void verify_place(const Verify *verify, const Tensor *tensor)
{
    MaybeInt address = tensor->tier == TIER_TRF ? (MaybeInt){0} : tensor->address;
    int64_t bytes;
    if (tensor->tier == TIER_HOST || tensor->origin == ORIGIN_RESHAPE)
        return;
    if (address.known && address.value < 0) {
        report_negative(verify, tensor);
        return;
    }
    if (is_asked_elsewhere(tensor) || !verify_bytes(verify, tensor, &bytes))
        return;
    if (tensor->tier == TIER_TRF)
        verify_trf(verify, tensor, bytes);
    else if (is_beyond(verify, tensor, bytes))
        report_capacity(verify, tensor, bytes);
    else if (address.known)
        verify_alignment(verify, tensor);
}

void tensor_verify(const Verify *verify, const Tensor *tensor)
{
    if (verify->rules == RULES_REFERENCE)
        return;
    if (tensor->origin != ORIGIN_PARAM || report_is_text(verify))
        repeated_axis_verify(verify, tensor->dims, tensor->span);
    shared_axis_verify(verify, tensor->dims, tensor->span);
    sizes_verify(verify, tensor->dims, tensor->span);
    verify_type(verify, tensor);
    verify_place(verify, tensor);
}
