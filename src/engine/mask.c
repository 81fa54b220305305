// What is padding depends on the slice and on the place in its stream. A check on both becomes a
// check on the place alone for each slice, and slices whose checks come out alike share a mask.
//
// The sub context masks nothing. The main context masks what a later stage would add up, and, where
// its registers can, all padding inside packets.
#include "engine/mask.h"

#include "base/checked.h"
#include "engine/live.h"
#include "engine/shape.h"
#include "engine/units.h"

#include <string.h>

// A check, cut in two where the slice ends.
typedef struct {
    LiveCheck inside, outside; // terms on the place in the stream of a slice, and on the unit
    bool is_needed;            // to mask
    bool is_summed;            // a later stage adds it up
    bool is_number;            // others take digits of it
} SplitCheck;

// What is left of a check in one unit.
typedef struct {
    int64_t offset, limit;
    bool is_kept;
} UnitCheck;

typedef struct {
    UnitCheck *checks;
    bool *units; // that have these
} Group;

typedef struct {
    const Lower *lower;
    const Pass *pass;
    const Stage *stage;       // whose stream it is
    const Sequence *sequence; // of a fetch
    Arena *scratch;
    int64_t span; // elements of a slice's stream
    Units units;
    SplitCheck *checks;
    int64_t count;
    struct {
        ARRAY(Group);
    } groups;
    bool *live; // one a unit
} Masking;

// ---- what is to be masked

static bool reduces(const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++) {
        StageKind kind = pass->stages.items[i]->kind;
        if (kind == STAGE_ACCUMULATE || kind == STAGE_VECTOR_INTRA_REDUCE ||
            kind == STAGE_VECTOR_INTER_REDUCE)
            return true;
    }
    return false;
}

// Everything that the check is about is still there at the end: its padding is padding there, too.
static bool survives(const Masking *masking, const LiveCheck *check)
{
    const Stage *last = masking->pass->stages.items[masking->pass->stages.count - 1];
    Mapping end = shape_of(masking->scratch, last->dims);
    return mapping_has_terms(&check->subject) &&
           mapping_divide(masking->scratch, &end, &check->subject, DIVIDE_RELAXED, 1).exact;
}

// Padding begins and ends where packets do: below 96 of 128 positions is below 6 of 8 packets
// of 16.
static bool is_of_packets(const LiveCheck *check, int64_t packet)
{
    const LiveTerm *term = &check->items[0];
    if (check->count != 1 || term->of != OF_POSITION || term->list || term->weight != 1 ||
        packet % term->place || term->modulo % packet)
        return false;
    int64_t step = packet / term->place;
    return check->limit % step == 0 && check->offset % step == 0 && check->modulo % step == 0;
}

// Some of it is padding inside a packet. Manual: Fetch Engine, Masking.
static bool meets_packet(const Masking *masking, const LiveCheck *check)
{
    int64_t packet = masking->sequence->packet_elements;
    for (int64_t i = 0; i < check->count; i++)
        if (check->items[i].of == OF_POSITION && check->items[i].place < packet)
            return !is_of_packets(check, packet);
    return false;
}

static void find_needed(Masking *masking, const LiveChecks *checks)
{
    bool sums = reduces(masking->pass);
    for (int64_t i = masking->count - 1; i >= 0; i--) {
        const LiveCheck *check = &checks->items[i];
        SplitCheck *split = &masking->checks[i];
        split->is_summed = sums && !survives(masking, check);
        split->is_needed = split->is_summed || meets_packet(masking, check);
        bool used = split->is_needed || split->is_number;
        for (int64_t k = 0; used && k < check->count; k++)
            if (check->items[k].of != OF_POSITION)
                masking->checks[check->items[k].of].is_number = true;
    }
}

// ---- one check for each slice

static void split_term(Masking *masking, const LiveTerm *term, SplitCheck *split)
{
    int64_t span = masking->span;
    if (term->of != OF_POSITION || term->modulo <= span) {
        *array_push(masking->scratch, &split->inside, LiveTerm) = *term;
    } else if (term->place >= span) {
        *array_push(masking->scratch, &split->outside, LiveTerm) = (LiveTerm){
            OF_POSITION, term->place / span, term->modulo / span, term->most, term->weight, NULL};
    } else { // a padded block of whole slices
        int64_t low = span / term->place;
        *array_push(masking->scratch, &split->inside, LiveTerm) =
            (LiveTerm){OF_POSITION, term->place, span, low - 1, term->weight, NULL};
        *array_push(masking->scratch, &split->outside, LiveTerm) = (LiveTerm){
            OF_POSITION, 1, term->modulo / span, term->most / low, term->weight * low, NULL};
    }
}

static void split_checks(Masking *masking, const LiveChecks *checks)
{
    masking->count = checks->count;
    masking->checks = arena_new(masking->scratch, SplitCheck, (size_t)checks->count + 1);
    for (int64_t i = 0; i < checks->count; i++) {
        const LiveCheck *check = &checks->items[i];
        SplitCheck *split = &masking->checks[i];
        split->inside =
            (LiveCheck){.offset = check->offset, .modulo = check->modulo, .limit = check->limit};
        for (int64_t k = 0; k < check->count; k++)
            split_term(masking, &check->items[k], split);
    }
}

static int64_t step_of(const LiveCheck *check)
{
    int64_t step = 0;
    for (int64_t i = 0; i < check->count; i++)
        step = gcd_i64(max_i64(step, check->items[i].weight),
                       step ? min_i64(step, check->items[i].weight) : 0);
    return max_i64(step, 1);
}

// The check as it is in unit `unit`. False: all of its elements are padding.
static bool unit_check(const SplitCheck *split, int64_t unit, UnitCheck *check)
{
    int64_t offset = split->inside.offset, last;
    for (int64_t i = 0; i < split->outside.count; i++) {
        const LiveTerm *term = &split->outside.items[i];
        offset += unit % term->modulo / term->place * term->weight;
    }
    *check = (UnitCheck){offset, split->inside.limit, split->is_needed || split->is_number};
    if (split->inside.modulo) { // a number, and never padding
        check->offset = offset % split->inside.modulo;
        check->is_kept = split->is_number;
        return true;
    }
    bool fits = checked_add(offset, live_reach(&split->inside), &last);
    if (offset >= check->limit || (fits && last < 0))
        return false;
    if (split->is_number) {
        check->limit = split->is_needed ? check->limit : INT64_MAX; // digits wrap
        return true;
    }
    check->is_kept &= offset < 0 || !fits || last >= check->limit;
    if (!check->is_kept) {
        *check = (UnitCheck){0};
    } else if (offset >= 0) { // slices that differ by less than a step are alike
        int64_t step = step_of(&split->inside);
        *check = (UnitCheck){0, ceil_div(check->limit - offset, step) * step, true};
    }
    return true;
}

static bool same_checks(const UnitCheck *a, const UnitCheck *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (a[i].offset != b[i].offset || a[i].limit != b[i].limit || a[i].is_kept != b[i].is_kept)
            return false;
    return true;
}

static Group *group_of(Masking *masking, const UnitCheck *checks)
{
    for (int64_t i = masking->groups.count - 1; i >= 0; i--)
        if (same_checks(masking->groups.items[i].checks, checks, masking->count))
            return &masking->groups.items[i];
    Group *group = array_push(masking->scratch, &masking->groups, Group);
    group->checks = arena_new(masking->scratch, UnitCheck, (size_t)masking->count + 1);
    for (int64_t i = 0; i < masking->count; i++)
        group->checks[i] = checks[i];
    group->units = arena_new(masking->scratch, bool, (size_t)units_count(&masking->units));
    return group;
}

static void group_units(Masking *masking)
{
    int64_t units = units_count(&masking->units);
    UnitCheck *checks = arena_new(masking->scratch, UnitCheck, (size_t)masking->count + 1);
    masking->live = arena_new(masking->scratch, bool, (size_t)units);
    for (int64_t unit = 0; unit < units; unit++) {
        masking->live[unit] = true;
        for (int64_t i = 0; i < masking->count && masking->live[unit]; i++)
            masking->live[unit] = unit_check(&masking->checks[i], unit, &checks[i]);
        if (masking->live[unit])
            group_of(masking, checks)->units[unit] = true;
    }
}

// ---- the registers

typedef struct {
    int64_t count, innermost;
    int64_t *places;  // elements of the stream inside one step of each loop
    int64_t *weights; // of its index, in the value of the check
} LoopWeights;

// False: a loop runs from packets of one tensor into the next of the same.
static bool place_loops(const Masking *masking, LoopWeights *loops)
{
    const SequenceEntries *entries = &masking->sequence->entries;
    bool interleaved = masking->stage->before->kind == STAGE_BEGIN_INTERLEAVED;
    int64_t place = 1, packet = masking->sequence->packet_elements;
    *loops = (LoopWeights){.count = entries->count, .innermost = entries->count - 1};
    loops->places = arena_new(masking->scratch, int64_t, (size_t)entries->count + 1);
    loops->weights = arena_new(masking->scratch, int64_t, (size_t)entries->count + 1);
    for (int64_t i = entries->count - 1; i >= 0; i--) {
        const SequenceEntry *entry = &entries->items[i];
        if (interleaved && entry->is_packet && place * entry->size > packet)
            return false;
        if (interleaved && !entry->is_packet && place == packet) {
            place *= masking->lower->machine->fetch_interleaved_tensors;
            interleaved = false; // once, where the packet ends
        }
        loops->places[i] = place;
        place *= entry->size;
    }
    while (loops->innermost > 0 && entries->items[loops->innermost].size == 1)
        loops->innermost--;
    return entries->count > 0;
}

enum { MANY = -2 };

// The loop besides the innermost that the check depends on; -1: none.
static int64_t outer_loop(const LoopWeights *loops)
{
    int64_t outer = -1;
    for (int64_t i = 0; i < loops->count; i++) {
        if (i == loops->innermost || !loops->weights[i])
            continue;
        if (outer >= 0)
            return MANY;
        outer = i;
    }
    return outer;
}

// Whole loops make up the digit. False: they do not.
static bool weigh_term(const Masking *masking, const HwCheckTerm *term, int64_t step,
                       LoopWeights *loops)
{
    int64_t covered = step, first = term->place * step, end = term->modulo;
    if (term->of != OF_POSITION)
        return false;
    for (int64_t i = 0; i < loops->count; i++) {
        int64_t place = loops->places[i], size = masking->sequence->entries.items[i].size;
        if (size == 1 || place < first || place >= end)
            continue;
        if (place % first || place * size > end)
            return false;
        loops->weights[i] += place / term->place * term->weight;
        covered *= size;
    }
    return covered * term->place == end;
}

// The check in the indices of the loops, counted in steps of `step`. False: it cannot be said so.
static bool weigh_loops(const Masking *masking, const HwCheck *check, int64_t step,
                        LoopWeights *loops)
{
    bool ok = true;
    for (int64_t i = 0; i < loops->count; i++)
        loops->weights[i] = 0;
    for (int64_t i = 0; i < check->terms.count; i++)
        ok = ok && weigh_term(masking, &check->terms.items[i], step, loops);
    return ok && outer_loop(loops) != MANY;
}

// Below 24 of 32 positions is below 3 of 4 eights: what ends with a loop need not look inside it.
static bool weigh_check(const Masking *masking, const HwCheck *check, LoopWeights *loops)
{
    bool plain = check->terms.count == 1 && !check->offset && check->terms.items[0].weight == 1;
    if (weigh_loops(masking, check, 1, loops))
        return true;
    for (int64_t i = loops->count - 1; plain && i >= 0; i--) {
        const HwCheckTerm *term = &check->terms.items[0];
        int64_t step = loops->places[i] / term->place;
        bool whole =
            step > 1 && term->modulo % (step * term->place) == 0 && check->limit % step == 0;
        if (whole && weigh_loops(masking, check, step, loops))
            return true;
    }
    return false;
}

// Iterations of the innermost loop whose value is below `bound`, at iteration `at` of another one.
static int64_t count_below(const LoopWeights *loops, int64_t size, int64_t base, int64_t bound)
{
    int64_t weight = loops->weights[loops->innermost];
    if (weight == 0)
        return base < bound ? size : 0;
    return base >= bound ? 0 : min_i64(size, ceil_div(bound - base, weight));
}

// A loop of one iteration, which is always at its first and last.
static int64_t loop_of_one(const Masking *masking, int64_t otherwise)
{
    for (int64_t i = 0; i < masking->sequence->entries.count; i++)
        if (masking->sequence->entries.items[i].size == 1)
            return i;
    return otherwise;
}

// The three cases of the manual. Leaves last_dim at -1 where none fits.
static void fill_registers(const Masking *masking, HwMask *mask)
{
    LoopWeights loops;
    const HwCheck *check = &mask->checks.items[0];
    mask->last_dim = mask->valid_count_dim = -1;
    if (mask->checks.count != 1 || check->modulo || !place_loops(masking, &loops) ||
        !weigh_check(masking, check, &loops))
        return;
    int64_t outer = outer_loop(&loops), most = masking->lower->machine->fetch_mask_counts;
    const SequenceEntry *entries = masking->sequence->entries.items;
    int64_t inner_size = entries[loops.innermost].size, steps = outer < 0 ? 1 : entries[outer].size;
    int64_t weight = outer < 0 ? 0 : loops.weights[outer];
    // values rise with the index: its second and its last but one tell
    int64_t before = check->offset + (steps - 2) * weight;
    bool left_once = steps == 1 || count_below(&loops, inner_size, check->offset + weight, 0) == 0;
    bool one_count =
        steps == 1 || count_below(&loops, inner_size, before, check->limit) == inner_size;
    int64_t left = count_below(&loops, inner_size, check->offset, 0);
    if (!left_once || (!one_count && (steps > most || left)))
        return;
    mask->left_pad = left;
    mask->last_dim = outer >= 0 && one_count ? outer : loop_of_one(masking, loops.innermost);
    mask->valid_count_dim = one_count ? -1 : outer;
    for (int64_t i = one_count ? steps - 1 : 0; i < steps; i++)
        *array_push(masking->lower->arena, &mask->valid_counts, int64_t) =
            count_below(&loops, inner_size, check->offset + i * weight, check->limit);
}

// ---- masks

static void push_check(const Masking *masking, const SplitCheck *split, const UnitCheck *own,
                       const int64_t *numbers, HwMask *mask)
{
    LiveCheck check = split->inside;
    check.offset = own->offset;
    check.limit = own->limit;
    live_lower_check(masking->lower->arena, &check, numbers, &mask->checks);
}

static void push_mask(const Masking *masking, const Group *group, void *list)
{
    int64_t *numbers = arena_new(masking->scratch, int64_t, (size_t)masking->count + 1);
    HwMask mask = {.last_dim = -1, .valid_count_dim = -1};
    bool must = !masking->sequence;
    for (int64_t i = 0; i < masking->count; i++) {
        numbers[i] = mask.checks.count;
        must |= group->checks[i].is_kept && masking->checks[i].is_summed;
        if (group->checks[i].is_kept)
            push_check(masking, &masking->checks[i], &group->checks[i], numbers, &mask);
    }
    if (!mask.checks.count)
        return;
    size_t bytes = (size_t)units_count(&masking->units) * sizeof *group->units;
    if (memcmp(group->units, masking->live, bytes) != 0)
        units_bitmaps(masking->lower->arena, &masking->units, group->units, &mask.bitmaps);
    if (masking->sequence)
        fill_registers(masking, &mask);
    if (mask.last_dim < 0 && !must)
        return;
    *array_push(masking->lower->arena, list, HwMask) = mask;
}

// Whether a view has anything left of what a tile of it is along.
static bool has_left(const Lower *lower, const View *view, const Tile *tile)
{
    Mapping shape = shape_of(lower->scratch, view->dims);
    AtomList left = shape_axes(lower->scratch, &shape);
    AtomList along = shape_axes(lower->scratch, &tile->index->mapping);
    for (int64_t i = 0; i < along.count; i++)
        if (shape_names(&left, along.items[i]->name))
            return true;
    return false;
}

// Where a tile starts counts for what is beyond the end of an axis. One position of a whole axis
// leaves nothing of it: where the stream has that axis, it is another one, of a broadcast.
LiveChecks mask_checks(const Lower *lower, const Stage *stream, const View *view)
{
    int64_t tiles = view ? view->tiles.count : 0, count = 0;
    LiveShift *shifts = arena_new(lower->scratch, LiveShift, (size_t)tiles + 1);
    for (int64_t i = 0; i < tiles; i++) {
        const Tile *tile = &view->tiles.items[i];
        if (has_left(lower, view, tile))
            shifts[count++] = (LiveShift){tile->index->mapping, tile->start.value};
    }
    Mapping shape = shape_of(lower->scratch, stream->dims);
    return live_checks(lower->scratch, &shape, shifts, count);
}

static Masking masking_of(const Lower *lower, const Pass *pass, const Stage *stage,
                          const View *view)
{
    return (Masking){.lower = lower,
                     .pass = pass,
                     .stage = stage,
                     .scratch = lower->scratch,
                     .span = stage->dims[LEVEL_TIME]->mapping.size *
                             stage->dims[LEVEL_PACKET]->mapping.size,
                     .units = units_of(stage->dims, view)};
}

void mask_lower(const Lower *lower, const Pass *pass, const Stage *fetch, const Sequence *sequence,
                HwFetch *out)
{
    const View *view = fetch->before->sources[0];
    Masking masking = masking_of(lower, pass, fetch, view);
    LiveChecks checks = mask_checks(lower, fetch, view);
    live_lower_certain(lower, &checks, &out->data);
    masking.sequence = sequence;
    split_checks(&masking, &checks);
    if (pass->context == CONTEXT_MAIN)
        find_needed(&masking, &checks);
    group_units(&masking);
    units_bitmaps(lower->arena, &masking.units, masking.live, &out->bitmaps);
    for (int64_t i = 0; i < masking.groups.count; i++)
        push_mask(&masking, &masking.groups.items[i], &out->masks);
}

void mask_commit(const Lower *lower, const Pass *pass, const Stage *stage, HwCommit *out)
{
    Masking masking = masking_of(lower, pass, stage->before, stage->target);
    LiveChecks checks = mask_checks(lower, stage->before, stage->target);
    split_checks(&masking, &checks);
    for (int64_t i = 0; i < masking.count; i++) {
        masking.checks[i].is_needed = true;
        for (int64_t k = 0; k < checks.items[i].count; k++)
            if (checks.items[i].items[k].of != OF_POSITION)
                masking.checks[checks.items[i].items[k].of].is_number = true;
    }
    group_units(&masking);
    for (int64_t i = 0; i < masking.groups.count; i++)
        push_mask(&masking, &masking.groups.items[i], &out->masks);
}
