// The mappings that a stage would need, as far as they follow from the stream. Each is the plainest
// one that the rules of its engine take: the rest is for whoever writes.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"

#include "base/checked.h"
#include "engine/shape.h"
#include "lang/eval/trace_internal.h"

#include <string.h>

CallSource call_source(Completion *completion, const AstExpr *receiver, Type *type)
{
    CallSource source = {.completion = completion, .receiver = receiver};
    if (!type || !shape_of_type(type, &source.in))
        source.in = (Shape){.scalar = SCALAR_NONE};
    return source;
}

Arena *source_arena(const CallSource *source)
{
    return source->completion->arena;
}

const Machine *source_machine(const CallSource *source)
{
    return &source->completion->query->analysis->contra->machine;
}

bool mapping_of_dim(Arena *arena, const Type *dim, Mapping *mapping)
{
    if (!dim || dim->kind != TYPE_MAPPING || dim->expr->kind == EXPR_POISON)
        return false;
    *mapping = mapping_of_expr(arena, dim->expr);
    return true;
}

bool source_mapping(const CallSource *source, Level level, Mapping *mapping)
{
    return mapping_of_dim(source_arena(source), source->in.dims[level], mapping);
}

// Time and Packet of the stream.
static bool stream_of(const CallSource *source, Mapping *time, Mapping *packet)
{
    return source_mapping(source, LEVEL_TIME, time) && source_mapping(source, LEVEL_PACKET, packet);
}

static int64_t bits_of(int32_t scalar)
{
    return scalar_traits[scalar].packet_bits;
}

static int64_t lanes_of(int32_t scalar, int64_t bytes)
{
    return scalar == SCALAR_NONE ? 0 : bytes * 8 / bits_of(scalar);
}

// ---- packets cut, joined and padded

// Packets of `lanes` positions: padded to that, or cut.
static bool cut_packet(Arena *arena, int64_t lanes, Mapping *time, Mapping *packet)
{
    Mapping whole = *packet, outer;
    if (lanes < 1)
        return false;
    if (whole.size % lanes)
        whole = mapping_pad(arena, &whole, (whole.size + lanes - 1) / lanes * lanes, PADDING_TOP);
    mapping_split(arena, &whole, lanes, &outer, packet);
    *time = mapping_pair(arena, time, &outer);
    return true;
}

// Several packets make one.
static bool join_packets(Arena *arena, int64_t count, Mapping *time, Mapping *packet)
{
    Mapping whole = *time, inner;
    if (count < 1 || whole.size % count)
        return false;
    mapping_split(arena, &whole, count, time, &inner);
    *packet = mapping_pair(arena, &inner, packet);
    return true;
}

static bool derive_collect(const CallSource *source, Mapping *time, Mapping *packet)
{
    return cut_packet(source_arena(source),
                      lanes_of(source->in.scalar, source_machine(source)->flit_bytes), time,
                      packet);
}

// What is padded is read piece by piece, without the padding.
static bool derive_fetch(const CallSource *source, Mapping *time, Mapping *packet)
{
    Arena *arena = source_arena(source);
    PlacedTerms terms = shape_terms(arena, packet);
    if (!terms.count || !shape_is_padded(arena, packet))
        return true;
    for (int64_t i = terms.count - 1; i >= 0; i--) {
        Mapping term = mapping_of_term(arena, terms.items[i].term, terms.items[i].resize);
        Mapping outer = *time;
        *packet = term;
        if (i)
            *time = mapping_pair(arena, &outer, &term);
    }
    return true;
}

static bool derive_split(const CallSource *source, Mapping *time, Mapping *packet)
{
    return cut_packet(source_arena(source), source_machine(source)->vector_way4_lanes, time,
                      packet);
}

// What is dropped must be padding.
static bool derive_trim(const CallSource *source, Mapping *time, Mapping *packet)
{
    (void)time;
    Arena *arena = source_arena(source);
    Mapping whole = *packet;
    return shape_pad(arena, &whole, source_machine(source)->vector_way4_lanes, packet);
}

static bool derive_concat(const CallSource *source, Mapping *time, Mapping *packet)
{
    const Machine *machine = source_machine(source);
    return join_packets(source_arena(source),
                        machine->vector_way8_lanes / machine->vector_way4_lanes, time, packet);
}

static bool pad_packet(const CallSource *source, int64_t lanes, Mapping *packet)
{
    if (packet->size > lanes)
        return false;
    *packet = mapping_pad(source_arena(source), packet, lanes, PADDING_TOP);
    return true;
}

static bool derive_pad(const CallSource *source, Mapping *time, Mapping *packet)
{
    (void)time;
    return pad_packet(source, source_machine(source)->vector_way8_lanes, packet);
}

// The flit stays as long as it was.
static bool derive_cast(const CallSource *source, Mapping *time, Mapping *packet)
{
    (void)time;
    return pad_packet(source,
                      lanes_of(cast_target(source->in.scalar), source_machine(source)->flit_bytes),
                      packet);
}

int32_t cast_target(int32_t scalar)
{
    return scalar == SCALAR_F32 ? (int32_t)SCALAR_BF16 : (int32_t)SCALAR_I8;
}

// ---- contractions

// Elements of the TRF tensor that is at hand; NULL: there is none.
static const Type *trf_element(const CallSource *source)
{
    Type *type = local_of_type(source->completion, "TrfTensor", source->in.scalar, NULL);
    Shape shape;
    return type && shape_of_type(type, &shape) ? shape.dims[LEVEL_ELEMENT] : NULL;
}

static bool ends_with(Arena *arena, const Mapping *whole, const Mapping *inner)
{
    if (whole->size % inner->size)
        return false;
    Mapping end = shape_inner(arena, whole, inner->size);
    return shape_equal(arena, &end, inner);
}

// The terms of a mapping that are of none of the axes, with their padding. `other`: of one of them.
static Mapping terms_without(Arena *arena, const Mapping *mapping, const AtomList *axes, bool other)
{
    PlacedTerms terms = shape_terms(arena, mapping);
    Mapping kept = mapping_identity();
    for (int64_t i = 0; i < terms.count; i++) {
        const PlacedTerm *each = &terms.items[i];
        const Atom *atom = each->term.atom;
        if ((atom->kind == ATOM_AXIS && shape_names(axes, atom->name)) != other)
            continue;
        Mapping term = mapping_of_term(arena, each->term, each->resize);
        term = mapping_pad(arena, &term, each->extent, PADDING_TOP);
        kept = mapping_pair(arena, &term, &kept);
    }
    return kept;
}

static AtomList axes_of_both(Arena *arena, const Mapping *a, const Mapping *b)
{
    Mapping both = mapping_pair(arena, a, b);
    return shape_axes(arena, &both);
}

// Two flits a packet if these are what the TRF has side by side, else one and padding. What only
// the TRF has, the stream is repeated over.
static bool derive_align(const CallSource *source, Mapping *time, Mapping *packet)
{
    Arena *arena = source_arena(source);
    const Machine *machine = source_machine(source);
    Mapping element, flit = *packet, steps = *time;
    AtomList axes = axes_of_both(arena, time, packet);
    bool known = mapping_of_dim(arena, trf_element(source), &element);
    int64_t lanes = lanes_of(source->in.scalar, machine->mac_bytes);
    if (lanes < packet->size)
        return false;
    bool joined = join_packets(arena, lanes / packet->size, time, packet);
    if (!joined ||
        (known && !ends_with(arena, &element, packet) && ends_with(arena, &element, &flit))) {
        *time = steps;
        *packet = mapping_pad(arena, &flit, lanes, PADDING_TOP);
    }
    if (known) {
        Mapping tiling = terms_without(arena, &element, &axes, false);
        *time = mapping_pair(arena, time, &tiling);
    }
    return true;
}

static bool derive_contract(const CallSource *source, Mapping *time, Mapping *packet)
{
    (void)source;
    (void)time;
    *packet = mapping_identity();
    return true;
}

// The axes that a contraction adds up: those that its packets had before.
static AtomList summed_axes(const CallSource *source, const Mapping *left)
{
    Arena *arena = source_arena(source);
    const AstExpr *expr = source->receiver;
    AtomList summed = {0}, kept = shape_axes(arena, left);
    Shape shape = {0};
    while (expr && !type_is_named(type_in_body(source->completion, expr), "AlignedPair"))
        expr = before_in_chain(source->completion, expr);
    Mapping packet;
    if (!expr || !shape_of_type(type_in_body(source->completion, expr), &shape) ||
        !mapping_of_dim(arena, shape.dims[LEVEL_PACKET], &packet))
        return summed;
    AtomList axes = shape_axes(arena, &packet);
    for (int64_t i = 0; i < axes.count; i++)
        if (!shape_names(&kept, axes.items[i]->name))
            *array_push(arena, &summed, const Atom *) = axes.items[i];
    return summed;
}

// Interleaved: what is left of the packet ends Time, and the rows are the packet.
static bool derive_accumulate(const CallSource *source, Mapping *time, Mapping *packet)
{
    Arena *arena = source_arena(source);
    Mapping row, left = shape_strip(arena, packet);
    AtomList summed = summed_axes(source, packet);
    if (!source_mapping(source, LEVEL_ROW, &row))
        return false;
    Mapping kept = terms_without(arena, time, &summed, false);
    *time = mapping_pair(arena, &kept, &left);
    return shape_pad(arena, &row, source_machine(source)->flit_lanes, packet);
}

// ---- transposes

// Cuts Time into [outer, rows, packets]: as many rows as the engine takes.
static bool cut_rows(const CallSource *source, const Mapping *time, int64_t packets, Mapping *outer,
                     Mapping *rows, Mapping *inner)
{
    Arena *arena = source_arena(source);
    int64_t most = machine_by_width(&source_machine(source)->transpose_in_rows_max,
                                    bits_of(source->in.scalar));
    Mapping above;
    if (time->size % packets || !mapping_cut(arena, time, packets, &above, inner))
        return false;
    for (int64_t count = most < above.size ? most : above.size; count >= 1; count--)
        if (above.size % count == 0 && mapping_cut(arena, &above, count, outer, rows))
            return true;
    return false;
}

static bool derive_transpose(const CallSource *source, Mapping *time, Mapping *packet)
{
    Arena *arena = source_arena(source);
    const Machine *machine = source_machine(source);
    if (source->in.scalar == SCALAR_NONE)
        return false;
    int64_t bits = bits_of(source->in.scalar);
    int64_t used = machine_by_width(&machine->transpose_elements_per_packet, bits);
    const MachineList *columns = machine_transpose_in_cols(machine, bits);
    Mapping outer, rows, packets, elements = shape_strip(arena, packet);
    for (int64_t i = 0; columns && elements.size <= used && i < columns->count; i++) {
        if (columns->values[i] % used ||
            !cut_rows(source, time, columns->values[i] / used, &outer, &rows, &packets))
            continue;
        Mapping inner = mapping_pair(arena, &packets, &elements);
        *time = mapping_pair(arena, &outer, &inner);
        return shape_pad(arena, &rows, lanes_of(source->in.scalar, machine->flit_bytes), packet);
    }
    return false;
}

// ---- the Vector Engine

// An axis of two that stands in Time as a whole, the innermost: it tells two groups apart.
static const Atom *group_axis(const CallSource *source)
{
    Mapping time;
    if (!source_mapping(source, LEVEL_TIME, &time))
        return NULL;
    PlacedTerms terms = shape_terms(source_arena(source), &time);
    for (int64_t i = 0; i < terms.count; i++) {
        const Atom *atom = terms.items[i].term.atom;
        if (atom->kind == ATOM_AXIS && atom->size == 2 && terms.items[i].resize == 2)
            return atom;
    }
    return NULL;
}

static bool derive_unzip(const CallSource *source, bool tiled, Mapping *time)
{
    Arena *arena = source_arena(source);
    const Atom *atom = group_axis(source);
    Mapping whole;
    if (!atom || !source_mapping(source, LEVEL_TIME, &whole))
        return false;
    Mapping index = mapping_of_atom(arena, atom);
    AtomList axes = shape_axes(arena, &index);
    if (tiled)
        return mapping_tile(arena, &whole, &index, 1, time);
    *time = terms_without(arena, &whole, &axes, false);
    return true;
}

// The axis that is innermost in a packet; NULL: there is none.
static const Atom *packet_axis(const CallSource *source)
{
    Mapping packet;
    if (!source_mapping(source, LEVEL_PACKET, &packet))
        return NULL;
    PlacedTerms terms = shape_terms(source_arena(source), &packet);
    const Atom *atom = terms.count ? terms.items[0].term.atom : NULL;
    return atom && atom->kind == ATOM_AXIS ? atom : NULL;
}

static bool derive_reduce(const CallSource *source, Mapping *time, Mapping *packet)
{
    Arena *arena = source_arena(source);
    const Atom *atom = packet_axis(source);
    if (!atom)
        return false;
    Mapping index = mapping_of_atom(arena, atom);
    AtomList axes = shape_axes(arena, &index);
    int64_t lanes = packet->size;
    *time = terms_without(arena, time, &axes, false);
    *packet = terms_without(arena, packet, &axes, false);
    return pad_packet(source, lanes, packet);
}

Str axis_argument(const CallSource *source, StageKind kind, const char *name)
{
    const char *pair = kind == STAGE_BEGIN_INTERLEAVED ? axis_of_size(source->completion, 2) : NULL;
    if (pair)
        return str_from(pair);
    const Atom *atom = kind == STAGE_VECTOR_UNZIP ? group_axis(source) : packet_axis(source);
    return str_from(atom ? atom->name : name);
}

// ---- memories

// The padding of a packet is left out, as far as whole writes allow.
static bool derive_elements(const CallSource *source, bool commits, Mapping *element)
{
    Arena *arena = source_arena(source);
    const MachineList *sizes = &source_machine(source)->commit_in_sizes;
    Mapping time, packet;
    if (!stream_of(source, &time, &packet))
        return false;
    Mapping whole = packet;
    packet = shape_strip(arena, &packet);
    bool found = !commits;
    for (int64_t i = 0; !found && i < sizes->count; i++)
        found = shape_pad(arena, &whole, lanes_of(source->in.scalar, sizes->values[i]), &packet);
    *element = mapping_pair(arena, &time, &packet);
    return found;
}

// As many rows as the array takes of what is outermost in Time.
static bool derive_trf(const CallSource *source, bool of_row, Mapping *mapping)
{
    Arena *arena = source_arena(source);
    const MachineList *counts = &source_machine(source)->mac_row_counts;
    Mapping time, packet, row, inner;
    if (!stream_of(source, &time, &packet))
        return false;
    PlacedTerms terms = shape_terms(arena, &time);
    int64_t outermost = terms.count ? terms.items[terms.count - 1].extent : 1, rows = 1;
    for (int64_t i = 0; i < counts->count; i++)
        if (outermost % counts->values[i] == 0 && counts->values[i] > rows)
            rows = counts->values[i];
    mapping_split(arena, &time, time.size / rows, &row, &inner);
    *mapping = of_row ? row : mapping_pair(arena, &inner, &packet);
    return true;
}

// ---- all stages

typedef bool Derive(const CallSource *source, Mapping *time, Mapping *packet);

static Derive *const derivations[STAGE_COUNT] = {
    [STAGE_FETCH] = derive_fetch,           [STAGE_COLLECT] = derive_collect,
    [STAGE_ALIGN] = derive_align,           [STAGE_CONTRACT] = derive_contract,
    [STAGE_ACCUMULATE] = derive_accumulate, [STAGE_CAST] = derive_cast,
    [STAGE_TRANSPOSE] = derive_transpose,   [STAGE_VECTOR_SPLIT] = derive_split,
    [STAGE_VECTOR_TRIM] = derive_trim,      [STAGE_VECTOR_CONCAT] = derive_concat,
    [STAGE_VECTOR_PAD] = derive_pad,        [STAGE_VECTOR_INTRA_REDUCE] = derive_reduce,
};

static bool derive_stream(const CallSource *source, StageKind kind, bool of_time, Mapping *mapping)
{
    Mapping time, packet;
    if (!stream_of(source, &time, &packet) ||
        (derivations[kind] && !derivations[kind](source, &time, &packet)))
        return false;
    *mapping = of_time ? time : packet;
    return true;
}

bool stage_mapping(const CallSource *source, StageKind kind, const char *name, Level level,
                   Mapping *mapping)
{
    if (kind == STAGE_VECTOR_UNZIP)
        return derive_unzip(source, strcmp(name, "TileTime") == 0, mapping);
    if (kind == STAGE_TO_TRF)
        return derive_trf(source, level == LEVEL_ROW, mapping);
    bool commits = kind == STAGE_COMMIT || kind == STAGE_COMMIT_VIEW;
    if (level == LEVEL_ELEMENT) // of other stages it is that of an argument
        return (commits || kind == STAGE_TO_VRF) && derive_elements(source, commits, mapping);
    if (level == LEVEL_TIME || level == LEVEL_PACKET)
        return derive_stream(source, kind, level == LEVEL_TIME, mapping);
    return source_mapping(source, level, mapping);
}

// Where the vector engine and its registers are, there is i32 and f32.
static bool is_wide(int32_t scalar)
{
    return scalar == SCALAR_I32 || scalar == SCALAR_F32 || scalar == SCALAR_NONE;
}

bool stage_is_possible(const CallSource *source, StageKind kind)
{
    Mapping time, packet;
    int64_t bytes;
    switch ((int)kind) {
    case STAGE_VECTOR_INIT:
    case STAGE_TO_VRF:
    case STAGE_CAST:
        if (!is_wide(source->in.scalar))
            return false;
        break;
    case STAGE_COMMIT:
    case STAGE_COMMIT_VIEW:
        return !source_mapping(source, LEVEL_PACKET, &packet) ||
               !shape_bytes(&source->in, packet.size, &bytes) ||
               bytes == source_machine(source)->commit_input_bytes;
    case STAGE_VECTOR_UNZIP:
        return !source_mapping(source, LEVEL_TIME, &time) || group_axis(source);
    }
    return !derivations[kind] || !stream_of(source, &time, &packet) ||
           derivations[kind](source, &time, &packet);
}
