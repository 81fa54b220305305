// What is padding depends on the slice and on the place in its stream. A check on both becomes a
// check on the place alone for each slice, and slices whose checks come out alike share a mask.
//
// The sub context cannot mask. The main context masks what its registers can express: the padding
// of one axis, in one of the manual's three cases. If there is more padding, the padding that a
// reduction takes in comes first, then padding that goes to TRF or is inside packets.
#include "engine/lower/mask.h"

#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/lower/record.h"
#include "engine/shape.h"
#include "engine/stream/stream.h"

#include <string.h>

// How important it is to mask a check: if the registers cannot express all of them, they leave out
// the less important ones.
typedef enum { WANT_NOT, WANT_STEPS, WANT_PACKETS, WANT_SUMS } Want;

// A check, cut in two where the slice ends.
typedef struct {
    LiveCheck inside, outside; // terms on the place in the stream of a slice, and on the unit
    Want want;
    bool is_number; // other checks take digits of its sum
} SplitCheck;

// What is left of a check in one unit.
typedef struct {
    int64_t offset, limit;
    bool is_kept;
} UnitCheck;

typedef struct {
    UnitCheck *checks;
    bool *units; // that have these; NULL: nobody asks
} Group;

typedef struct {
    Arena *arena; // for the masks
    Arena *scratch;
    const Machine *machine;
    const Stage *stage;       // whose stream it is
    const Sequence *sequence; // of a fetch
    int64_t span;             // elements of a slice's stream
    Units units;
    LiveChecks whole;
    SplitCheck *checks; // one for each check of `whole`
    struct {
        ARRAY(Group);
    } groups;
    bool *live; // one a unit; NULL: nobody asks
} Masking;

// ---- what is to be masked

bool mask_survives(Arena *arena, const LiveCheck *check, const Stage *stage)
{
    Mapping shape = shape_of(arena, stage->dims), deciding = live_deciding(arena, check);
    return mapping_has_terms(&deciding) &&
           mapping_divide(arena, &shape, &deciding, DIVIDE_RELAXED, 1).exact;
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

static void find_wants(Masking *masking, const MaskUse *use)
{
    for (int64_t i = 0; i < masking->whole.count; i++) {
        const LiveCheck *check = &masking->whole.items[i];
        Want *want = &masking->checks[i].want;
        if (use->kept && !mask_survives(masking->scratch, check, use->kept))
            *want = use->pads_sums ? WANT_SUMS : WANT_NOT;
        else if (meets_packet(masking, check))
            *want = WANT_PACKETS;
        else if (use->is_load)
            *want = WANT_STEPS;
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

static void split_checks(Masking *masking)
{
    int64_t count = masking->whole.count;
    masking->checks = arena_new(masking->scratch, SplitCheck, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        const LiveCheck *check = &masking->whole.items[i];
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
    bool is_wanted = split->want != WANT_NOT;
    *check = (UnitCheck){offset, split->inside.limit, is_wanted || split->is_number};
    if (split->inside.modulo) { // a number, and never padding
        check->offset = offset % split->inside.modulo;
        check->is_kept = split->is_number;
        return true;
    }
    bool fits = checked_add(offset, live_reach(&split->inside), &last);
    if (offset >= check->limit || (fits && last < 0))
        return false;
    if (split->is_number) {
        check->limit = is_wanted ? check->limit : INT64_MAX; // digits wrap
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
        if (same_checks(masking->groups.items[i].checks, checks, masking->whole.count))
            return &masking->groups.items[i];
    Group *group = array_push(masking->scratch, &masking->groups, Group);
    group->checks = arena_new(masking->scratch, UnitCheck, (size_t)masking->whole.count + 1);
    for (int64_t i = 0; i < masking->whole.count; i++)
        group->checks[i] = checks[i];
    if (masking->live)
        group->units = arena_new(masking->scratch, bool, (size_t)units_count(&masking->units));
    return group;
}

// The group of a unit; NULL: it has no data.
static Group *group_of_unit(Masking *masking, int64_t unit, UnitCheck *checks)
{
    for (int64_t i = 0; i < masking->whole.count; i++)
        if (!unit_check(&masking->checks[i], unit, &checks[i]))
            return NULL;
    return group_of(masking, checks);
}

static UnitCheck *checks_of_unit(const Masking *masking)
{
    return arena_new(masking->scratch, UnitCheck, (size_t)masking->whole.count + 1);
}

static void group_units(Masking *masking)
{
    int64_t units = units_count(&masking->units);
    UnitCheck *checks = checks_of_unit(masking);
    masking->live = arena_new(masking->scratch, bool, (size_t)units);
    for (int64_t unit = 0; unit < units; unit++) {
        Group *group = group_of_unit(masking, unit, checks);
        masking->live[unit] = group != NULL;
        if (group)
            group->units[unit] = true;
    }
}

// Units after which all checks begin again: as many as there are, at most.
static int64_t period_of_units(const Masking *masking)
{
    int64_t period = 1, units = units_count(&masking->units);
    for (int64_t i = 0; i < masking->whole.count; i++)
        for (int64_t k = 0; k < masking->checks[i].outside.count; k++) {
            int64_t modulo = masking->checks[i].outside.items[k].modulo;
            if (!checked_mul(period / gcd_i64(period, modulo), modulo, &period) || period > units)
                return units;
        }
    return period;
}

// The groups alone, without who is in them.
static void find_groups(Masking *masking)
{
    UnitCheck *checks = checks_of_unit(masking);
    int64_t period = period_of_units(masking);
    for (int64_t unit = 0; unit < period; unit++)
        group_of_unit(masking, unit, checks);
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
            place *= masking->machine->fetch_interleaved_tensors;
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
static bool weigh_term(const Masking *masking, const LiveTerm *term, int64_t step,
                       LoopWeights *loops)
{
    int64_t covered = step, first = term->place * step, end = term->modulo;
    if (term->of != OF_POSITION || term->list)
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
static bool weigh_loops(const Masking *masking, const LiveCheck *check, int64_t step,
                        LoopWeights *loops)
{
    bool ok = true;
    for (int64_t i = 0; i < loops->count; i++)
        loops->weights[i] = 0;
    for (int64_t i = 0; i < check->count; i++)
        ok = ok && weigh_term(masking, &check->items[i], step, loops);
    return ok && outer_loop(loops) != MANY;
}

// Below 24 of 32 positions is below 3 of 4 eights: what ends with a loop need not look inside it.
static bool weigh_check(const Masking *masking, const LiveCheck *check, LoopWeights *loops)
{
    bool plain = check->count == 1 && !check->offset && check->items[0].weight == 1;
    if (weigh_loops(masking, check, 1, loops))
        return true;
    for (int64_t i = loops->count - 1; plain && i >= 0; i--) {
        const LiveTerm *term = &check->items[0];
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

// What is full needs no count of its own, so that they stop short of the largest packet.
// Manual: Fetch Engine, Masking Configuration (erratum E070).
int64_t mask_most_count(const Machine *machine, Scalar type)
{
    enum { NARROW = 4, WIDE = 32 };
    int64_t bits = scalar_traits[type].packet_bits;
    if (bits == NARROW)
        return machine->fetch_mask_count_4_bit;
    return (machine->fetch_mask_count_32_bit + 1) * WIDE / bits - 1;
}

static bool fits_registers(const Masking *masking, const HwMask *mask)
{
    int64_t most = mask_most_count(masking->machine, masking->stage->before->type);
    for (int64_t i = 0; i < mask->valid_counts.count; i++)
        if (mask->valid_counts.items[i] > most)
            return false;
    return masking->sequence->packet_bytes <= masking->machine->fetch_mask_bytes;
}

// The three cases of the manual.
static MaskProblem fill_registers(const Masking *masking, const LiveCheck *check, HwMask *mask)
{
    LoopWeights loops;
    if (check->modulo || !place_loops(masking, &loops) || !weigh_check(masking, check, &loops))
        return MASK_SPREAD;
    int64_t outer = outer_loop(&loops), most = masking->machine->fetch_mask_counts;
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
        return MASK_STEPS;
    mask->left_pad = left;
    mask->last_dim = outer >= 0 && one_count ? outer : loop_of_one(masking, loops.innermost);
    mask->valid_count_dim = one_count ? -1 : outer;
    for (int64_t i = one_count ? steps - 1 : 0; i < steps; i++)
        *array_push(masking->arena, &mask->valid_counts, int64_t) =
            count_below(&loops, inner_size, check->offset + i * weight, check->limit);
    return fits_registers(masking, mask) ? MASK_FOUND : MASK_WIDE;
}

// ---- masks

// The check with the offset and the limit that it has in the units of a group.
static LiveCheck group_check(const Masking *masking, const Group *group, int64_t index)
{
    LiveCheck check = masking->checks[index].inside;
    check.offset = group->checks[index].offset;
    check.limit = group->checks[index].limit;
    return check;
}

// The first check of a group, at or after `from`, that is wanted at least as much as `least`. If
// there is none, the number of checks.
static int64_t next_wanted(const Masking *masking, const Group *group, int64_t from, Want least)
{
    while (from < masking->whole.count &&
           (!group->checks[from].is_kept || masking->checks[from].want < least))
        from++;
    return from;
}

// A mask for the checks of a group that are wanted at least as much as `least`.
static MaskProblem mask_group(const Masking *masking, const Group *group, Want least, HwMask *mask)
{
    int64_t first = next_wanted(masking, group, 0, least);
    if (next_wanted(masking, group, first + 1, least) < masking->whole.count)
        return MASK_SEVERAL;
    LiveCheck check = group_check(masking, group, first);
    *mask = (HwMask){.last_dim = -1, .valid_count_dim = -1};
    return fill_registers(masking, &check, mask);
}

static bool has_wanted(const Masking *masking, const Group *group, Want least)
{
    return next_wanted(masking, group, 0, least) < masking->whole.count;
}

static void push_bitmaps(const Masking *masking, const Group *group, void *list)
{
    size_t bytes = (size_t)units_count(&masking->units) * sizeof *group->units;
    if (memcmp(group->units, masking->live, bytes) != 0)
        units_bitmaps(masking->arena, &masking->units, group->units, list);
}

// The lowest level of which the registers can mask every check of a group, with that mask.
// WANT_SUMS + 1: they cannot mask any.
static Want mask_level(const Masking *masking, const Group *group, HwMask *mask,
                       MaskProblem *problem)
{
    Want least = WANT_STEPS;
    *problem = MASK_FOUND;
    for (; least <= WANT_SUMS && has_wanted(masking, group, least); least++) {
        *problem = mask_group(masking, group, least, mask);
        if (*problem == MASK_FOUND)
            return least;
    }
    return WANT_SUMS + 1;
}

static void push_mask(const Masking *masking, const Group *group, HwFetch *out)
{
    HwMask mask;
    MaskProblem problem;
    if (mask_level(masking, group, &mask, &problem) > WANT_SUMS)
        return;
    push_bitmaps(masking, group, &mask.bitmaps);
    *array_push(masking->arena, &out->masks, HwMask) = mask;
}

// Whether a view has anything left of what a tile of it is along.
static bool has_left(Arena *arena, const View *view, const Tile *tile)
{
    Mapping shape = shape_of(arena, view->dims);
    return shape_shares_axis(arena, &shape, &tile->index->mapping);
}

// Where a tile starts counts for what is beyond the end of an axis. One position of a whole axis
// leaves nothing of it: where the stream has that axis, it is another one, of a broadcast.
LiveChecks mask_checks(Arena *arena, const Stage *stream, const View *view)
{
    int64_t tiles = view ? view->tiles.count : 0, count = 0;
    LiveShift *shifts = arena_new(arena, LiveShift, (size_t)tiles + 1);
    for (int64_t i = 0; i < tiles; i++) {
        const Tile *tile = &view->tiles.items[i];
        if (has_left(arena, view, tile))
            shifts[count++] = (LiveShift){tile->index->mapping, tile->start.value};
    }
    Mapping shape = shape_of(arena, stream->dims);
    return live_checks(arena, &shape, shifts, count);
}

static Masking masking_of(Arena *arena, const Stage *stage, const View *view)
{
    Masking masking = {.arena = arena,
                       .scratch = arena,
                       .stage = stage,
                       .span = stage->dims[LEVEL_TIME]->mapping.size *
                               stage->dims[LEVEL_PACKET]->mapping.size,
                       .units = units_of(stage->dims, view),
                       .whole = mask_checks(arena, stage, view)};
    split_checks(&masking);
    return masking;
}

static MaskUse use_of(const Pass *pass, bool pads_sums)
{
    bool reduces = pass_stage(pass, STAGE_ACCUMULATE) ||
                   pass_stage(pass, STAGE_VECTOR_INTRA_REDUCE) ||
                   pass_stage(pass, STAGE_VECTOR_INTER_REDUCE);
    return (MaskUse){.kept = reduces ? pass->stages.items[pass->stages.count - 1] : NULL,
                     .is_load = pass_stage(pass, STAGE_TO_TRF),
                     .pads_sums = pads_sums};
}

void mask_lower(const Lower *lower, const Pass *pass, const Stage *fetch, const MaskedFetch *from,
                HwFetch *out)
{
    Masking masking = masking_of(lower->scratch, fetch, fetch->before->sources[0]);
    MaskUse use = use_of(pass, from->pads_sums);
    masking.arena = lower->arena;
    masking.machine = lower->machine;
    masking.sequence = from->sequence;
    live_lower_certain(lower, &masking.whole, &out->data);
    if (pass->context == CONTEXT_MAIN)
        find_wants(&masking, &use);
    group_units(&masking);
    units_bitmaps(lower->arena, &masking.units, masking.live, &out->bitmaps);
    for (int64_t i = 0; i < masking.groups.count; i++)
        push_mask(&masking, &masking.groups.items[i], out);
}

static void push_commit_mask(const Lower *lower, const Masking *masking, const Group *group,
                             HwCommit *out)
{
    int64_t *numbers = arena_new(masking->scratch, int64_t, (size_t)masking->whole.count + 1);
    HwCommitMask mask = {0};
    for (int64_t i = 0; i < masking->whole.count; i++) {
        LiveCheck check = group_check(masking, group, i);
        numbers[i] = mask.checks.count;
        if (group->checks[i].is_kept)
            live_lower_check(lower->arena, &check, numbers, &mask.checks);
    }
    if (!mask.checks.count)
        return;
    push_bitmaps(masking, group, &mask.bitmaps);
    *array_push(lower->arena, &out->masks, HwCommitMask) = mask;
}

void mask_commit(const Lower *lower, const Stage *stage, bool is_tile, HwCommit *out)
{
    Masking masking = masking_of(lower->scratch, stage->before, stage->target);
    masking.arena = lower->arena;
    for (int64_t i = 0; i < masking.whole.count; i++) {
        const LiveCheck *check = &masking.whole.items[i];
        masking.checks[i].want = WANT_SUMS;
        for (int64_t k = 0; k < check->count; k++)
            if (check->items[k].of != OF_POSITION)
                masking.checks[check->items[k].of].is_number = true;
    }
    group_units(&masking);
    units_bitmaps(lower->arena, &masking.units, masking.live, &out->bitmaps);
    for (int64_t i = 0; is_tile && i < masking.groups.count; i++)
        push_commit_mask(lower, &masking, &masking.groups.items[i], out);
}

// ---- what stays unmasked

// Adds the checks of a group that are wanted at least as much as `least`, but less than `level`.
static void add_unmasked(const Masking *masking, const Group *group, Want least, Want level,
                         MaskFindings *findings)
{
    for (int64_t i = next_wanted(masking, group, 0, least); i < masking->whole.count;
         i = next_wanted(masking, group, i + 1, least)) {
        bool is_known = masking->checks[i].want >= level;
        for (int64_t k = 0; k < findings->count && !is_known; k++)
            is_known = findings->items[k] == &masking->whole.items[i];
        if (!is_known)
            *array_push(masking->arena, findings, const LiveCheck *) = &masking->whole.items[i];
    }
}

// Several commands. Those that reduce are asked one by one; of those that load TRF nobody asks, so
// that all of the padding counts as left there.
static MaskFindings find_split(const Masking *masking, const MaskUse *use)
{
    MaskFindings findings = {.problem = MASK_SPREAD};
    for (int64_t i = 0; use->is_load && i < masking->whole.count; i++)
        *array_push(masking->arena, &findings, const LiveCheck *) = &masking->whole.items[i];
    return findings;
}

MaskFindings mask_find(Arena *arena, const Machine *machine, const Pass *pass, const Stage *fetch,
                       const MaskUse *use)
{
    DiagList nobody = {.arena = arena};
    MaskFindings findings = {0};
    Masking masking = masking_of(arena, fetch, fetch->before->sources[0]);
    Want least = use->is_load ? WANT_STEPS : WANT_SUMS;
    HwMask mask;
    if (!masking.whole.count)
        return findings;
    const Sequence *sequence = fetch_sequence(arena, machine, pass, fetch, &nobody);
    if (!sequence)
        return find_split(&masking, use);
    masking.machine = machine;
    masking.sequence = sequence;
    find_wants(&masking, use);
    find_groups(&masking);
    for (int64_t i = 0; i < masking.groups.count; i++) {
        const Group *group = &masking.groups.items[i];
        MaskProblem problem = MASK_SUB;
        Want level = pass->context == CONTEXT_SUB ? WANT_SUMS + 1
                                                  : mask_level(&masking, group, &mask, &problem);
        int64_t before = findings.count;
        add_unmasked(&masking, group, least, level, &findings);
        findings.problem = before < findings.count ? problem : findings.problem;
    }
    return findings;
}
