#include "walk_dma.h"

#include "base/checked.h"
#include "mapping/cell.h"
#include "mapping/divide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POSITIONS = 1 << 14, MOST_INDICES = 1 << 20, NOWHERE = -1 };

// ---- descriptors

typedef struct {
    const HwDescriptor *descriptor;
    WalkIndex *index;
    WalkPacket *packet;
    void *own;
} Walk;

static void walk_packet(const Walk *walk, int64_t source, int64_t dest, int64_t at)
{
    const HwDmaIndirect *indirect = walk->descriptor->indirect;
    if (indirect) {
        int64_t entry = walk->index(walk->own, indirect->index.chip, indirect->base + at);
        uint64_t row = (uint64_t)entry / (uint64_t)indirect->divisor;
        if (row >= (uint64_t)indirect->limit)
            return;
        *(indirect->is_source ? &source : &dest) += (int64_t)row * indirect->scale;
    }
    walk->packet(walk->own, walk->descriptor, source, dest);
}

static void walk_loop(const Walk *walk, int64_t depth, int64_t source, int64_t dest, int64_t at)
{
    if (depth == walk->descriptor->loops.count) {
        walk_packet(walk, source, dest, at);
        return;
    }
    const HwDmaLoopEntry *loop = &walk->descriptor->loops.items[depth];
    for (int64_t i = 0; i < loop->limit; i++)
        walk_loop(walk, depth + 1, source + i * loop->source_stride, dest + i * loop->dest_stride,
                  at + i * loop->index_stride);
}

void walk_descriptor(const HwDescriptor *descriptor, WalkIndex *index, WalkPacket *packet,
                     void *own)
{
    Walk walk = {descriptor, index, packet, own};
    walk_loop(&walk, 0, descriptor->source_base, descriptor->dest_base, 0);
}

// ---- places of elements, in half bytes

typedef struct {
    int64_t chip, cluster, at;
} Spot;

static bool same_spot(Spot a, Spot b)
{
    return a.chip == b.chip && a.cluster == b.cluster && a.at == b.at;
}

static Spot spot_of(const Machine *machine, const View *view, const Dim *const dims[LEVEL_COUNT],
                    int64_t position)
{
    const Tensor *tensor = view->tensor;
    int64_t at[LEVEL_COUNT] = {0};
    for (int level = LEVEL_COUNT - 1; level >= 0; level--) {
        if (!dims[level])
            continue;
        at[level] = position % dims[level]->mapping.size + view->offsets[level].value;
        position /= dims[level]->mapping.size;
    }
    int64_t base = tensor->address.known && tensor->tier != TIER_HOST ? tensor->address.value : 0;
    bool dm = tensor->tier == TIER_DM;
    return (Spot){at[LEVEL_CHIP], dm ? at[LEVEL_CLUSTER] : -1,
                  2 * base + 2 * at[LEVEL_SLICE] * machine->dm_virtual_slice_stride_bytes +
                      at[LEVEL_ELEMENT] * scalar_traits[tensor->type].packet_bits / 4};
}

// ---- coordinates

// Axes, and where each combination of their values lies.
typedef struct {
    Arena *arena;
    AtomList axes;
    Mapping normal;
    bool plain;      // of axes only
    int64_t *places; // by the values of the axes, row-major; of groups, by position
    int64_t count;
} Lookup;

static bool mapping_is_invertible(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++) {
        const Atom *atom = mapping->factors[i].term.atom;
        if (!mapping->factors[i].is_padding && atom->kind != ATOM_AXIS &&
            (atom->kind != ATOM_BLOCK || !mapping_is_invertible(atom->inner)))
            return false;
    }
    return true;
}

static bool lookup_new(Arena *arena, const Mapping *mapping, Lookup *lookup)
{
    *lookup = (Lookup){.arena = arena, .normal = mapping_normalise(arena, mapping), .count = 1};
    lookup->plain = true;
    for (int64_t i = 0; i < lookup->normal.count; i++)
        lookup->plain &= lookup->normal.factors[i].is_padding ||
                         lookup->normal.factors[i].term.atom->kind == ATOM_AXIS;
    mapping_axes(arena, mapping, &lookup->axes);
    for (int64_t i = 0; i < lookup->axes.count; i++)
        if (!checked_mul(lookup->count, lookup->axes.items[i]->size, &lookup->count))
            return false;
    if (lookup->count > MOST_INDICES || mapping->size > MOST_POSITIONS ||
        !mapping_is_invertible(&lookup->normal))
        return false;
    lookup->count = lookup->plain ? lookup->count : mapping->size;
    lookup->places = arena_new(arena, int64_t, (size_t)lookup->count);
    for (int64_t i = 0; i < lookup->count; i++)
        lookup->places[i] = NOWHERE;
    return true;
}

// The parts of a value that a mapping has; NOWHERE: it has none such.
static int64_t parts_of(const Lookup *lookup, const Atom *axis, int64_t value)
{
    int64_t parts = 0;
    for (int64_t i = 0; i < lookup->normal.count; i++) {
        const Factor *factor = &lookup->normal.factors[i];
        if (factor->is_padding || !atom_equal(factor->term.atom, axis))
            continue;
        int64_t digit = value / factor->term.stride % factor->term.modulo;
        if (digit >= factor->resize)
            return NOWHERE;
        parts += digit * factor->term.stride;
    }
    return parts;
}

// Where an index is in a mapping, whatever digits of it the mapping lacks: with C = 8, B = 1 and
// C = 5 are at 13 of `[B, C]`, and at 1 of `[B, C] % 12`. NOWHERE: a digit is too large.
static int64_t position_of(const Mapping *mapping, const Index *index)
{
    int64_t position = 0, place = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        const Atom *atom = factor->term.atom;
        if (factor->is_padding) {
            place = factor->size;
            continue;
        }
        int64_t value =
            atom->kind == ATOM_AXIS ? index_value(index, atom) : position_of(atom->inner, index);
        int64_t digit = value / factor->term.stride % factor->term.modulo;
        if (value == NOWHERE || digit >= factor->resize)
            return NOWHERE;
        position += digit * place;
        place *= factor->resize;
    }
    return position;
}

static int64_t *find_position(const Lookup *lookup, const Index *index)
{
    int64_t position = position_of(&lookup->normal, index);
    return position == NOWHERE ? NULL : &lookup->places[position];
}

static Index moved_index(Arena *arena, const Index *index, const Atom *axis, int64_t extra)
{
    Index moved = {0};
    for (int64_t i = 0; i < index->count; i++)
        if (!atom_equal(index->items[i].axis, axis))
            *array_push(arena, &moved, Coordinate) = index->items[i];
    *array_push(arena, &moved, Coordinate) = (Coordinate){axis, index_value(index, axis) + extra};
    return moved;
}

// `extra` is added to the value of `axis`.
static int64_t *find_with(const Lookup *lookup, const Index *index, const Atom *axis, int64_t extra)
{
    int64_t at = 0;
    if (!lookup->plain) {
        Index moved = axis ? moved_index(lookup->arena, index, axis, extra) : *index;
        return find_position(lookup, &moved);
    }
    for (int64_t i = 0; i < lookup->axes.count; i++) {
        const Atom *one = lookup->axes.items[i];
        int64_t value = index_value(index, one);
        if (axis && atom_equal(axis, one))
            value += extra;
        if (value >= one->size)
            return NULL;
        value = parts_of(lookup, one, value);
        if (value == NOWHERE)
            return NULL;
        at = at * one->size + value;
    }
    return &lookup->places[at];
}

static int64_t *find(const Lookup *lookup, const Index *index)
{
    return find_with(lookup, index, NULL, 0);
}

// Each live position under its own coordinates.
static bool lookup_fill(Lookup *lookup, const Mapping *mapping, bool ranks)
{
    int64_t rank = 0;
    for (int64_t i = 0; i < mapping->size; i++) {
        ArenaMark mark = arena_mark(lookup->arena);
        Cell cell = mapping_cell(lookup->arena, mapping, i);
        if (cell.count > 1)
            return false;
        if (cell.count)
            *find(lookup, &cell.items[0]) = ranks ? rank++ : i;
        arena_reset(lookup->arena, mark);
    }
    return true;
}

// ---- what should be

typedef struct {
    Spot spot;
    int64_t position;
} Located;

typedef struct {
    Arena *arena;
    const Machine *machine;
    const Op *op;
    const Dim *source[LEVEL_COUNT];
    Mapping from, to;
    int64_t nibbles;  // of an element
    Located *targets; // sorted
    Located *padding; // of the source, sorted
    int64_t padding_count;
    bool has_groups; // that are cut: they move with their padding
    bool *wanted;    // by position of the target: it has a source
    Spot *sources;   // where that is
    Spot *written;   // by half byte of the target: what came there
    int32_t *writes; // how often
    bool again;      // the same place may be written several times
    const char *problem;
} Judge;

static int by_spot(const void *a, const void *b)
{
    const Spot *x = &((const Located *)a)->spot, *y = &((const Located *)b)->spot;
    if (x->chip != y->chip)
        return x->chip < y->chip ? -1 : 1;
    if (x->cluster != y->cluster)
        return x->cluster < y->cluster ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static Spot source_spot(const Judge *judge, int64_t position)
{
    return spot_of(judge->machine, judge->op->source, judge->source, position);
}

static void want(Judge *judge, int64_t target, Spot source)
{
    judge->wanted[target] = true;
    judge->sources[target] = source;
}

static int64_t level_at(const Dim *const dims[LEVEL_COUNT], Level level, int64_t position,
                        int64_t *place)
{
    *place = 1;
    for (int inner = LEVEL_COUNT - 1; inner > (int)level; inner--)
        *place *= dims[inner] ? dims[inner]->mapping.size : 1;
    return position / *place % dims[level]->mapping.size;
}

static void shuffle_wants(Judge *judge)
{
    const Op *op = judge->op;
    Level level = op->kind == OP_CHIP_SHUFFLE ? LEVEL_CHIP : LEVEL_CLUSTER;
    for (int64_t i = 0; i < judge->to.size; i++) {
        ArenaMark mark = arena_mark(judge->arena);
        int64_t place, unit = level_at(op->target->dims, level, i, &place);
        int64_t from = i + (op->pattern[unit] - unit) * place;
        if (mapping_cell(judge->arena, &judge->to, i).count &&
            mapping_cell(judge->arena, &judge->from, from).count)
            want(judge, i, source_spot(judge, from));
        arena_reset(judge->arena, mark);
    }
}

// Slices take another position of the key in each unit.
static int64_t slice_shift(Judge *judge, int64_t target)
{
    const Op *op = judge->op;
    if (op->kind != OP_CHIP_SLICE && op->kind != OP_CLUSTER_SLICE)
        return 0;
    int64_t place;
    Level level = op->kind == OP_CHIP_SLICE ? LEVEL_CHIP : LEVEL_CLUSTER;
    int64_t unit = level_at(op->target->dims, level, target, &place);
    return mapping_tile_offset(judge->arena, &op->source->dims[LEVEL_ELEMENT]->mapping,
                               &op->key->mapping, op->pattern[unit]);
}

static bool has_group(Arena *arena, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    for (int64_t i = 0; i < normal.count; i++)
        if (!normal.factors[i].is_padding && normal.factors[i].term.atom->kind == ATOM_BLOCK)
            return true;
    return false;
}

static void find_padding(Judge *judge)
{
    judge->has_groups =
        has_group(judge->arena, &judge->from) || has_group(judge->arena, &judge->to);
    if (!judge->has_groups)
        return;
    judge->padding = arena_new(judge->arena, Located, (size_t)judge->from.size);
    for (int64_t i = 0; i < judge->from.size; i++) {
        ArenaMark mark = arena_mark(judge->arena);
        if (!mapping_cell(judge->arena, &judge->from, i).count)
            judge->padding[judge->padding_count++] = (Located){source_spot(judge, i), i};
        arena_reset(judge->arena, mark);
    }
    qsort(judge->padding, (size_t)judge->padding_count, sizeof(Located), by_spot);
}

static bool move_wants(Judge *judge)
{
    Lookup source;
    if (!lookup_new(judge->arena, &judge->from, &source) ||
        !lookup_fill(&source, &judge->from, false))
        return false;
    find_padding(judge);
    for (int64_t i = 0; i < judge->to.size; i++) {
        ArenaMark mark = arena_mark(judge->arena);
        Cell cell = mapping_cell(judge->arena, &judge->to, i);
        int64_t *place = cell.count ? find(&source, &cell.items[0]) : NULL;
        if (place && *place != NOWHERE) {
            Spot spot = source_spot(judge, *place);
            spot.at += slice_shift(judge, i) * judge->nibbles;
            want(judge, i, spot);
        }
        arena_reset(judge->arena, mark);
    }
    return true;
}

// ---- gather and scatter

// Entries of an index, as many in as out of range.
static int32_t entry_at(const Judge *judge, int64_t chip, int64_t address)
{
    uint64_t hash = (uint64_t)(address + 977 * chip) * 0x9E3779B97F4A7C15u;
    int64_t rows = max_i64(judge->op->kind == OP_GATHER ? judge->from.size : judge->to.size, 8);
    int64_t entry = (int64_t)(hash >> 33) % (rows + 2) - 1;
    return (int32_t)(entry % 13 == 5 ? entry : entry % 7);
}

static const Factor *term_of(const Mapping *mapping, bool innermost)
{
    const Factor *found = NULL;
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && (!found || !innermost))
            found = &mapping->factors[i];
    return found;
}

static int64_t index_address(const Op *op, int64_t position)
{
    const Tensor *tensor = op->index->tensor;
    return (tensor->address.known ? tensor->address.value : 0) +
           4 * (position + op->index->offsets[LEVEL_ELEMENT].value);
}

static bool gather_wants(Judge *judge)
{
    const Op *op = judge->op;
    Mapping element = mapping_normalise(judge->arena, &op->source->dims[LEVEL_ELEMENT]->mapping);
    const Factor *axis = term_of(&element, false);
    Mapping row = mapping_of_term(judge->arena, axis->term, axis->resize);
    row = mapping_divide(judge->arena, &judge->from, &row, DIVIDE_RELAXED, 1).dividend_residue;
    Lookup rows, entries;
    const Mapping *index = &op->index->dims[LEVEL_ELEMENT]->mapping;
    if (!lookup_new(judge->arena, &row, &rows) || !lookup_fill(&rows, &row, false) ||
        !lookup_new(judge->arena, index, &entries) || !lookup_fill(&entries, index, false))
        return false;
    Mapping inside = {element.factors, axis - element.factors, 0};
    int64_t stride = mapping_recount(&inside);
    for (int64_t i = 0; i < judge->to.size; i++) {
        ArenaMark mark = arena_mark(judge->arena);
        Cell cell = mapping_cell(judge->arena, &judge->to, i);
        int64_t *place = cell.count ? find(&rows, &cell.items[0]) : NULL;
        int64_t *entry = cell.count ? find(&entries, &cell.items[0]) : NULL;
        if (place && entry && *place != NOWHERE && *entry != NOWHERE) {
            Spot spot = source_spot(judge, *place);
            int64_t v = entry_at(judge, spot.chip, index_address(op, *entry));
            spot.at += v * stride * judge->nibbles;
            if (v >= 0 && v < axis->resize)
                want(judge, i, spot);
        }
        arena_reset(judge->arena, mark);
    }
    return true;
}

// The address of the entry of each rank, on any chip.
static int64_t *entry_addresses(Judge *judge)
{
    const Op *op = judge->op;
    const Mapping *index = &op->index->dims[LEVEL_ELEMENT]->mapping;
    int64_t *addresses = arena_new(judge->arena, int64_t, (size_t)index->size), rank = 0;
    for (int64_t i = 0; i < index->size; i++) {
        ArenaMark mark = arena_mark(judge->arena);
        if (mapping_cell(judge->arena, index, i).count)
            addresses[rank++] = index_address(op, i);
        arena_reset(judge->arena, mark);
    }
    return addresses;
}

// A number of each element of the data, and where it goes: in the order of the key.
typedef struct {
    int64_t key, source, target;
} Sent;

static int by_key(const void *a, const void *b)
{
    const Sent *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static bool scatter_wants(Judge *judge)
{
    const Op *op = judge->op;
    Arena *arena = judge->arena;
    Mapping payload =
        mapping_divide(arena, &judge->from, &op->key->mapping, DIVIDE_RELAXED, 1).dividend_residue;
    Mapping left = mapping_divide(arena, &judge->to, &payload, DIVIDE_RELAXED, 1).dividend_residue;
    const Factor *axis = term_of(&left, true);
    Lookup keys, targets, parts;
    if (!lookup_new(arena, &op->key->mapping, &keys) ||
        !lookup_fill(&keys, &op->key->mapping, true) || !lookup_new(arena, &judge->to, &targets) ||
        !lookup_fill(&targets, &judge->to, false) || !lookup_new(arena, &payload, &parts) ||
        !parts.plain)
        return false;
    int64_t row_bytes = 0, sent_count = 0;
    for (int64_t i = 0; i < payload.size; i++) {
        ArenaMark mark = arena_mark(arena);
        row_bytes += mapping_cell(arena, &payload, i).count;
        arena_reset(arena, mark);
    }
    row_bytes *= max_i64(1, scalar_traits[op->source->tensor->type].storage_bits / 8);
    int64_t *addresses = entry_addresses(judge);
    Sent *sent = arena_new(arena, Sent, (size_t)judge->from.size);
    for (int64_t i = 0; i < judge->from.size; i++) {
        ArenaMark mark = arena_mark(arena);
        Cell cell = mapping_cell(arena, &judge->from, i);
        int64_t *key = cell.count ? find(&keys, &cell.items[0]) : NULL;
        if (key && *key != NOWHERE) {
            int64_t v = entry_at(judge, source_spot(judge, i).chip, addresses[*key]);
            assert(row_bytes > 0);
            uint64_t row = (uint64_t)v / (uint64_t)(op->scaled ? row_bytes : 1);
            Index index = {0};
            for (int64_t k = 0; k < cell.items[0].count; k++) {
                Coordinate one = cell.items[0].items[k];
                one.value = max_i64(0, parts_of(&parts, one.axis, one.value));
                *array_push(arena, &index, Coordinate) = one;
            }
            int64_t *place =
                row < (uint64_t)axis->resize
                    ? find_with(&targets, &index, axis->term.atom, (int64_t)row * axis->term.stride)
                    : NULL;
            if (place && *place != NOWHERE)
                sent[sent_count++] = (Sent){*key, i, *place};
        }
        arena_reset(arena, mark);
    }
    qsort(sent, (size_t)sent_count, sizeof *sent, by_key);
    for (int64_t i = 0; i < sent_count; i++)
        want(judge, sent[i].target, source_spot(judge, sent[i].source));
    judge->again = true;
    return true;
}

// ---- what is

static int32_t judge_index(void *own, int64_t chip, int64_t address)
{
    return entry_at(own, chip, address);
}

// The element among `count` sorted ones that a half byte belongs to.
static const Located *find_element(const Judge *judge, const Located *sorted, int64_t count,
                                   Spot spot)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        Located sought = {spot, 0};
        if (by_spot(&sorted[middle], &sought) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const Located *found = low ? &sorted[low - 1] : NULL;
    return found && found->spot.chip == spot.chip && found->spot.cluster == spot.cluster &&
                   spot.at < found->spot.at + judge->nibbles
               ? found
               : NULL;
}

// A group that is cut moves by its positions, and some of them are padding of its members: loops
// over the halves of `[D, B # 3]` take the third position of B along. That is harmless where it is
// padding on one of the two sides.
static bool moves_padding(const Judge *judge, Spot source, int64_t target)
{
    if (!judge->has_groups)
        return false;
    ArenaMark mark = arena_mark(judge->arena);
    bool is_padding = !mapping_cell(judge->arena, &judge->to, target).count;
    arena_reset(judge->arena, mark);
    return is_padding || find_element(judge, judge->padding, judge->padding_count, source);
}

static void judge_nibble(Judge *judge, Spot source, Spot dest, bool padding)
{
    const Located *target = find_element(judge, judge->targets, judge->to.size, dest);
    if (!target) {
        judge->problem = "something is written outside of the target";
        return;
    }
    int64_t position = target->position, part = dest.at - target->spot.at;
    if (!judge->wanted[position]) {
        if (!padding && !moves_padding(judge, source, position))
            judge->problem = "something is written that has no source";
        return;
    }
    if (padding)
        judge->problem = "an element is taken for padding";
    judge->writes[position * judge->nibbles + part]++;
    judge->written[position * judge->nibbles + part] = source;
}

static void judge_packet(void *own, const HwDescriptor *descriptor, int64_t source, int64_t dest)
{
    Judge *judge = own;
    int64_t unit = descriptor->unit_bits / 4, count = descriptor->packet_bytes * unit;
    int64_t live = count - descriptor->padding_bits / 4;
    for (int64_t i = 0; i < count && !judge->problem; i++)
        judge_nibble(
            judge, (Spot){descriptor->source.chip, descriptor->source.cluster, source * unit + i},
            (Spot){descriptor->dest.chip, descriptor->dest.cluster, dest * unit + i}, i >= live);
}

static void judge_all(Judge *judge)
{
    for (int64_t i = 0; i < judge->to.size && !judge->problem; i++)
        for (int64_t part = 0; judge->wanted[i] && part < judge->nibbles; part++) {
            Spot wanted = judge->sources[i];
            wanted.at += part;
            int32_t writes = judge->writes[i * judge->nibbles + part];
            if (!writes)
                judge->problem = "an element of the target is not written";
            else if (writes > 1 && !judge->again)
                judge->problem = "an element of the target is written twice";
            else if (!same_spot(judge->written[i * judge->nibbles + part], wanted))
                judge->problem = "an element comes from the wrong place";
        }
}

// ---- limits

static const char *judge_limits(const Machine *machine, const HwDmaCommand *command)
{
    for (int64_t i = 0; i < command->descriptors.count; i++) {
        const HwDescriptor *one = &command->descriptors.items[i];
        int64_t iterations = 1, bytes = one->packet_bytes * one->unit_bits / 8;
        if (one->loops.count > machine->sequencer_entries)
            return "a descriptor has too many loops";
        for (int64_t k = 0; k < one->loops.count; k++) {
            int64_t limit = one->loops.items[k].limit;
            if (limit < 2 || limit > machine->sequencer_iterations)
                return "a loop is too long or too short";
            iterations *= limit;
        }
        if (one->packet_bytes < 1 || bytes > machine->dma_packet_bytes)
            return "a packet is too large";
        if (one->requests != iterations * ((one->packet_bytes * one->unit_bits + 2047) / 2048))
            return "requests are miscounted";
        if (one->engine >= machine->dma_engines_per_cluster ||
            one->cluster >= machine->clusters_per_chip)
            return "there is no such engine";
    }
    return NULL;
}

// Into DM whole words are written, at words.
static const char *judge_words(const Machine *machine, const HwDmaCommand *command)
{
    int64_t word = machine->dma_dm_write_align_bytes;
    for (int64_t i = 0; i < command->descriptors.count; i++) {
        const HwDescriptor *one = &command->descriptors.items[i];
        bool from_hbm = one->source.media == MEDIA_HBM;
        if (one->dest.media != MEDIA_DM)
            continue;
        if (one->packet_bytes % word || one->dest_base % word ||
            (from_hbm && one->source.tensor < 0 && one->source_base % word))
            return "a packet to DM is no whole words";
        for (int64_t k = 0; k < one->loops.count; k++)
            if (one->loops.items[k].dest_stride % word ||
                (from_hbm && one->loops.items[k].source_stride % word))
                return "a stride to DM is no whole words";
    }
    return NULL;
}

static bool find_wants(Judge *judge)
{
    switch (judge->op->kind) {
    case OP_CLUSTER_SHUFFLE:
    case OP_CHIP_SHUFFLE:
        shuffle_wants(judge);
        return true;
    case OP_GATHER:
        return gather_wants(judge);
    case OP_SCATTER:
        return scatter_wants(judge);
    default:
        return move_wants(judge);
    }
}

const char *walk_dma(Arena *arena, const Machine *machine, const Op *op,
                     const HwDmaCommand *command, bool *skipped)
{
    Judge judge = {.arena = arena, .machine = machine, .op = op};
    memcpy(judge.source, op->source->dims, sizeof judge.source);
    if (op->sliced)
        judge.source[LEVEL_ELEMENT] = op->sliced;
    judge.from = shape_of(arena, judge.source);
    judge.to = shape_of(arena, op->target->dims);
    judge.nibbles = scalar_traits[op->source->tensor->type].packet_bits / 4;
    const char *problem = judge_limits(machine, command);
    if (problem || (problem = judge_words(machine, command)))
        return problem;
    *skipped = judge.to.size > MOST_POSITIONS || judge.from.size > MOST_POSITIONS;
    if (*skipped)
        return NULL;
    size_t size = (size_t)judge.to.size;
    judge.targets = arena_new(arena, Located, size);
    judge.wanted = arena_new(arena, bool, size);
    judge.sources = arena_new(arena, Spot, size);
    judge.written = arena_new(arena, Spot, size * (size_t)judge.nibbles);
    judge.writes = arena_new(arena, int32_t, size * (size_t)judge.nibbles);
    for (int64_t i = 0; i < judge.to.size; i++)
        judge.targets[i] = (Located){spot_of(machine, op->target, op->target->dims, i), i};
    qsort(judge.targets, size, sizeof(Located), by_spot);
    if (!find_wants(&judge)) {
        *skipped = true;
        return NULL;
    }
    for (int64_t i = 0; i < command->descriptors.count && !judge.problem; i++)
        walk_descriptor(&command->descriptors.items[i], judge_index, judge_packet, &judge);
    judge_all(&judge);
    return judge.problem;
}
