#include "engine/sequencer.h"

#include "base/checked.h"
#include "command/nest.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "mapping/divide.h"

bool sequencer_writes(SequenceEngine engine)
{
    return engine == SEQUENCE_WRITE || engine == SEQUENCE_COMMIT;
}

// A loop of one written element.
typedef struct {
    int64_t size;
    int64_t stride;
    int64_t inside; // positions of the element that one iteration holds
    int64_t room;   // iterations that stay inside what the buffer has at this place
    int64_t span;   // the same in elements, with those of no whole iteration; 0: room
    const Atom *list;
    Mapping mapping; // what it walks
    bool is_hollow;  // nothing but padding
} Loop;

typedef struct {
    ARRAY(Loop);
} Loops;

typedef struct {
    Arena *arena;
    const SequenceRequest *request;
    DiagList *diags;
    Divider *divider;
    Sequence *sequence;
    bool innermost; // the element at hand ends the packet
} Deriver;

// ---- from an element to its loops

static Str buffer_text(const Deriver *deriver)
{
    return expr_text(deriver->arena, deriver->request->buffer);
}

static Str match_text(const Deriver *deriver, const Match *match)
{
    return shape_term_text(deriver->arena, &match->term, match->resize);
}

static void report_missing(const Deriver *deriver, const Expr *element, const Match *match)
{
    Diag *diag =
        diag_add(deriver->diags, DIAG_SEQUENCE_INSUFFICIENT, element->span,
                 "insufficient input: the stream walks `{}`, which the buffer `{}` does not hold",
                 match_text(deriver, match), buffer_text(deriver));
    Mapping left = divider_residue(deriver->divider, PADDING_TOP);
    diag_note(diag, SPAN_NOWHERE, "what the buffer still holds here is `{}`",
              mapping_text(deriver->arena, &left));
    diag_help(diag, "give the buffer that part of the axis, or drop it from the stream");
}

static bool has_skew(const Match *match)
{
    return match->term.atom->kind == ATOM_SKEW;
}

static void report_incompatible(const Deriver *deriver, const Expr *element, const Match *match)
{
    Str text = match_text(deriver, match);
    if (has_skew(match)) {
        diag_add(deriver->diags, DIAG_SEQUENCE_SKEW, element->span,
                 "the skewed axis `{}` has no fixed stride in the buffer `{}`", text,
                 buffer_text(deriver));
        return;
    }
    Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_INCOMPATIBLE, element->span,
                          "incompatible shapes: no loop walks `{}` in the buffer `{}`", text,
                          buffer_text(deriver));
    diag_label(diag, "cut at another place than the buffer");
    diag_help(diag, "cut the axis in the stream where the buffer cuts it, or change the layout in "
                    "a step before");
}

// Stride 0 repeats a value; it cannot be written.
static bool check_broadcast(const Deriver *deriver, const Expr *element, const Match *match)
{
    if (!sequencer_writes(deriver->request->engine))
        return true;
    Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_WRITE_BROADCAST, element->span,
                          "the stream has `{}`, which the buffer `{}` lacks: every value of it "
                          "would be written to one place",
                          match_text(deriver, match), buffer_text(deriver));
    diag_help(diag, "reduce that axis before, or give it room in the buffer");
    return false;
}

static bool check_match(const Deriver *deriver, const Expr *element, const Match *match)
{
    switch (match->kind) {
    case MATCH_FOUND:
        return true;
    case MATCH_ABSENT:
        return check_broadcast(deriver, element, match);
    case MATCH_MISSING:
        report_missing(deriver, element, match);
        return false;
    case MATCH_INCOMPATIBLE:
        report_incompatible(deriver, element, match);
        return false;
    }
    return false;
}

// Neighbouring loops that walk evenly on are one loop.
static void merge_loops(Loops *loops)
{
    while (loops->count > 1) {
        Loop *inner = &loops->items[loops->count - 2], *outer = inner + 1;
        bool padded = inner->size > inner->room; // what a write must not take for data
        if (padded || inner->list || outer->list ||
            !stride_continues(outer->stride, inner->size, inner->stride))
            return;
        if (inner->room <= inner->size) {
            int64_t rest = inner->stride > 0 ? outer->span / inner->stride : 0;
            inner->room = max_i64(inner->size * outer->room, rest);
            inner->span = outer->span;
        }
        inner->size *= outer->size;
        loops->count--;
    }
}

static void push_loop(Deriver *deriver, Loops *loops, const Match *match, int64_t inside)
{
    bool found = match->kind == MATCH_FOUND;
    Loop *loop = array_push(deriver->arena, loops, Loop);
    *loop = (Loop){.size = match->resize,
                   .stride = found ? match->dividend_stride : 0,
                   .inside = inside,
                   .room = found ? match->room : match->resize,
                   .span = found ? match->span : 0,
                   .list = match->list,
                   .mapping = mapping_of_term(deriver->arena, match->term, match->resize)};
    // where only one side keeps the first ones, what follows is not padding in both
    if (found && match->extent != match->resize) {
        loop->room = min_i64(match->extent, match->resize);
        loop->span = 0;
    }
    merge_loops(loops);
}

// Padding makes the outermost loop of what it pads longer. Without one, it is a loop of its own:
// at the end of a packet over what follows in memory, elsewhere over the same place again.
static bool pad_loops(Deriver *deriver, Loops *loops, const Expr *element, int64_t size)
{
    if (!loops->count) {
        Loop *loop = array_push(deriver->arena, loops, Loop);
        *loop = (Loop){.size = size,
                       .inside = 1,
                       .room = 1,
                       .mapping = mapping_identity(),
                       .is_hollow = !deriver->innermost};
        if (deriver->innermost) {
            loop->stride = 1;
            loop->room = divider_inner_padding(deriver->divider);
        }
        return true;
    }
    Loop *outermost = &loops->items[loops->count - 1];
    if (size % outermost->inside == 0 && !outermost->list) {
        outermost->size = size / outermost->inside;
        return true;
    }
    Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_INCOMPATIBLE, element->span,
                          "incompatible shapes: `{}` pads to {} positions, which is no whole "
                          "number of its outermost steps of {}",
                          expr_text(deriver->arena, element), size, outermost->inside);
    diag_help(diag, "pad to a multiple of {}, or pad inside", outermost->inside);
    return false;
}

// The loops of one element, innermost first.
static bool element_loops(Deriver *deriver, const Expr *element, Loops *loops)
{
    Mapping mapping = mapping_of_expr(deriver->arena, element);
    mapping = divider_group(deriver->divider, &mapping);
    int64_t block = 1;
    bool ok = true;
    for (int64_t i = 0; i < mapping.count && ok; i++) {
        const Factor *factor = &mapping.factors[i];
        if (factor->is_padding) {
            ok = pad_loops(deriver, loops, element, factor->size);
            block = factor->size;
            continue;
        }
        Mapping term = mapping_of_term(deriver->arena, factor->term, factor->resize);
        const Factor *next = i + 1 < mapping.count ? factor + 1 : NULL;
        if (next && next->is_padding) // the room that pieces may need
            term = mapping_pad(deriver->arena, &term, next->size / block, PADDING_TOP);
        MatchList matches = {0};
        divider_take(deriver->divider, &term, block, &matches);
        for (int64_t k = 0; k < matches.count && ok; k++) {
            const Match *match = &matches.items[k];
            ok = check_match(deriver, element, match);
            if (ok)
                push_loop(deriver, loops, match, match->divisor_stride);
        }
        block *= factor->resize;
    }
    return ok;
}

// ---- from loops to entries

static const int64_t *scaled_offsets(Arena *arena, const Loop *loop)
{
    int64_t *offsets = arena_new(arena, int64_t, (size_t)loop->size);
    for (int64_t i = 0; i < loop->size; i++)
        offsets[i] = loop->list->offsets[i] * loop->stride;
    return offsets;
}

static void push_entry(Deriver *deriver, const Expr *element, const Loops *loops, int64_t index,
                       bool is_packet)
{
    const Loop *loop = &loops->items[index];
    bool alone = loops->count == 1;
    Str text =
        alone ? expr_text(deriver->arena, element) : mapping_text(deriver->arena, &loop->mapping);
    Mapping mapping = alone ? mapping_of_expr(deriver->arena, element) : loop->mapping;
    *array_push(deriver->arena, &deriver->sequence->written, SequenceEntry) =
        (SequenceEntry){.term = text,
                        .mapping = mapping,
                        .size = loop->size,
                        .stride = loop->list ? 0 : loop->stride,
                        .offsets = loop->list ? scaled_offsets(deriver->arena, loop) : NULL,
                        .is_packet = is_packet,
                        .is_hollow = loop->is_hollow};
}

// A write stays inside what the buffer has at its place. Only the end of a packet may be dropped.
static bool fit_write(Deriver *deriver, const Expr *element, Loop *loop, bool may_truncate)
{
    if (!sequencer_writes(deriver->request->engine) || loop->size <= loop->room)
        return true;
    if (loop->is_hollow) // its place is found when all that lies inside is known
        return true;
    if (may_truncate) {
        loop->size = loop->room;
        return true;
    }
    Diag *diag =
        diag_add(deriver->diags, DIAG_SEQUENCE_WRITE_OUTSIDE, element->span,
                 "`{}` writes {} steps where the buffer `{}` has room for {}",
                 expr_text(deriver->arena, element), loop->size, buffer_text(deriver), loop->room);
    diag_help(diag, "pad the buffer at this place, too");
    return false;
}

// Adds the entries of one element. `truncates`: nothing of the packet stands outside it, so its
// last iterations may be dropped when writing.
static bool add_element(Deriver *deriver, const Expr *element, bool is_packet, bool truncates)
{
    Loops loops = {0};
    SequenceStep *step = array_push(deriver->arena, &deriver->sequence->steps, SequenceStep);
    step->first_entry = deriver->sequence->written.count;
    if (!element_loops(deriver, element, &loops))
        return false;
    if (!loops.count) // a `1` is listed where there is room: Fetch Engine, Padding case 3
        *array_push(deriver->arena, &loops, Loop) =
            (Loop){.size = 1, .inside = 1, .room = 1, .mapping = mapping_identity()};
    for (int64_t i = loops.count - 1; i >= 0; i--) {
        bool outermost = i == loops.count - 1;
        if (!fit_write(deriver, element, &loops.items[i], truncates && outermost))
            return false;
        push_entry(deriver, element, &loops, i, is_packet);
    }
    step = &deriver->sequence->steps.items[deriver->sequence->steps.count - 1];
    Mapping left = divider_residue(deriver->divider, PADDING_TOP);
    step->term = expr_text(deriver->arena, element);
    step->entry_count = deriver->sequence->written.count - step->first_entry;
    step->buffer_after = mapping_text(deriver->arena, &left);
    return true;
}

// The elements of a stream. A packet leaves out any `1`, which takes no position.
static ExprList stream_elements(Deriver *deriver, const Expr *stream, bool is_packet)
{
    ExprList all = {0}, elements = {0};
    expr_elements(deriver->arena, stream, &all);
    for (int64_t i = 0; i < all.count; i++)
        if (!is_packet || mapping_of_expr(deriver->arena, all.items[i]).count)
            *array_push(deriver->arena, &elements, const Expr *) = all.items[i];
    return elements;
}

static bool add_stream(Deriver *deriver, const Expr *stream, bool is_packet)
{
    ExprList elements = stream_elements(deriver, stream, is_packet);
    bool ok = true, outermost = is_packet;
    if (elements.count == 1 && stream->kind == EXPR_IDENTITY)
        return true;
    for (int64_t i = 0; i < elements.count; i++) {
        deriver->innermost = is_packet && i == elements.count - 1;
        ok &= add_element(deriver, elements.items[i], is_packet, outermost);
        outermost &= elements.items[i]->size == 1;
    }
    return ok;
}

// A written stream may step over padding where the buffer has the same padding round what lies
// inside: each such step then writes to a place of its own that nobody reads.
// Positions of the buffer from 0 to where something else than padding begins, at or after `inside`;
// 0: there is no padding at that place.
static int64_t padded_block(Arena *arena, const Mapping *buffer, int64_t inside)
{
    Mapping normal = mapping_normalise(arena, buffer);
    int64_t size = 1, live = 1;
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i];
        bool is_hole = factor->is_padding && factor->padding == PADDING_BOTTOM;
        if ((!factor->is_padding || is_hole) && size >= inside)
            break;
        size = factor->is_padding ? factor->size : size * factor->resize;
        live = factor->is_padding && !is_hole ? live : size;
    }
    return live <= inside ? size : 0;
}

// A packet ends where its step of padding does: what it has beyond is padding, and dropped.
static void keep_within(Sequence *sequence, int64_t index, int64_t step)
{
    int64_t first = index + 1;
    while (first < sequence->written.count && !sequence->written.items[first].is_packet)
        first++;
    if (first == sequence->written.count)
        return;
    SequenceEntry *packet = &sequence->written.items[first];
    if (packet->stride > 0)
        packet->size = min_i64(packet->size, max_i64(1, step / packet->stride));
}

static bool place_hollow(Deriver *deriver, const Mapping *buffer, int64_t index)
{
    SequenceEntry *entry = &deriver->sequence->written.items[index];
    int64_t inside = 1, reach;
    for (int64_t i = index + 1; i < deriver->sequence->written.count; i++) {
        const SequenceEntry *inner = &deriver->sequence->written.items[i];
        bool ends = inner->is_packet && !inner[-1].is_packet && !entry->is_packet;
        int64_t live =
            ends ? min_i64(inner->size, mapping_strip(&inner->mapping).size) : inner->size;
        if (checked_mul(inner->stride, live, &reach))
            inside = max_i64(inside, reach);
    }
    int64_t block = padded_block(deriver->arena, buffer, inside);
    if (block && block % entry->size == 0 && block / entry->size >= inside) {
        entry->stride = block / entry->size;
        if (!entry->is_packet)
            keep_within(deriver->sequence, index, entry->stride);
        return true;
    }
    Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_WRITE_OUTSIDE, deriver->request->time->span,
                          "`{}` writes {} steps where the buffer `{}` has room for 1", entry->term,
                          entry->size, buffer_text(deriver));
    diag_help(diag, "pad the buffer at this place, too");
    return false;
}

static bool place_padding(Deriver *deriver, const Mapping *buffer)
{
    bool ok = true;
    if (!sequencer_writes(deriver->request->engine))
        return true;
    for (int64_t i = deriver->sequence->written.count - 1; i >= 0; i--) {
        const SequenceEntry *entry = &deriver->sequence->written.items[i];
        if (entry->is_hollow && entry->size > 1)
            ok &= place_hollow(deriver, buffer, i);
    }
    return ok;
}

// ---- limits

static bool is_contiguous(const SequenceEntry *outer, const SequenceEntry *inner)
{
    return !outer->offsets && !inner->offsets &&
           stride_continues(outer->stride, inner->size, inner->stride);
}

static Str merged_text(Arena *arena, SequenceEntry *outer, const SequenceEntry *inner)
{
    outer->mapping = mapping_pair(arena, &outer->mapping, &inner->mapping);
    return mapping_text(arena, &outer->mapping);
}

// Whether the loops need more entries than there are if none merge.
static bool is_crowded(const Deriver *deriver)
{
    const Machine *machine = deriver->request->machine;
    const SequenceEntries *entries = &deriver->sequence->entries;
    int64_t count = entries->count;
    for (int64_t i = 0; i < entries->count; i++)
        count += entries->items[i].size > machine->sequencer_iterations;
    return count > machine->sequencer_entries;
}

// `[E, 1]` is `E`: a loop of one iteration does not take an entry that another loop needs, and its
// neighbors can merge.
static void drop_single_steps(Deriver *deriver)
{
    SequenceEntries kept = {0};
    const SequenceEntries *entries = &deriver->sequence->entries;
    for (int64_t i = 0; i < entries->count; i++)
        if (entries->items[i].size > 1 || entries->items[i].is_packet || entries->items[i].offsets)
            *array_push(deriver->arena, &kept, SequenceEntry) = entries->items[i];
    deriver->sequence->entries = kept;
}

// Merges contiguous neighbors into one entry, up to the limit of iterations.
static void merge_entries(Deriver *deriver, int64_t iterations)
{
    SequenceEntries merged = {0};
    const SequenceEntries *written = &deriver->sequence->entries;
    for (int64_t i = 0; i < written->count; i++) {
        const SequenceEntry *next = &written->items[i];
        SequenceEntry *last = merged.count ? &merged.items[merged.count - 1] : NULL;
        int64_t size;
        if (last && is_contiguous(last, next) && checked_mul(last->size, next->size, &size) &&
            size <= iterations) {
            last->term = merged_text(deriver->arena, last, next);
            last->size = size;
            last->stride = next->stride;
            last->is_packet |= next->is_packet;
            deriver->sequence->merged = true;
        } else {
            *array_push(deriver->arena, &merged, SequenceEntry) = *next;
        }
    }
    deriver->sequence->entries = merged;
}

// The largest number of iterations that one of two loops can have for `size` together; 0: two are
// not enough, or do not come out even.
static int64_t inner_iterations(int64_t size, int64_t most)
{
    for (int64_t inner = most; inner > 0 && ceil_div(size, inner) <= most; inner--)
        if (size % inner == 0)
            return inner;
    return 0;
}

static SequenceEntry entry_part(Deriver *deriver, const SequenceEntry *entry, bool is_outer,
                                int64_t inner)
{
    SequenceEntry part = *entry;
    Mapping outer_mapping, inner_mapping;
    part.size = is_outer ? entry->size / inner : inner;
    part.stride = is_outer ? entry->stride * inner : entry->stride;
    if (entry->mapping.size % inner == 0) {
        mapping_split(deriver->arena, &entry->mapping, inner, &outer_mapping, &inner_mapping);
        part.mapping = is_outer ? outer_mapping : inner_mapping;
    }
    part.term = str_format(deriver->arena, "[{}] {} {}", entry->term, is_outer ? "/" : "%", inner);
    return part;
}

// A loop with more iterations than an entry counts becomes two, while there are entries left.
static void split_entries(Deriver *deriver)
{
    const Machine *machine = deriver->request->machine;
    const SequenceEntries *whole = &deriver->sequence->entries;
    SequenceEntries split = {0};
    int64_t room = machine->sequencer_entries - whole->count;
    for (int64_t i = 0; i < whole->count; i++) {
        const SequenceEntry *entry = &whole->items[i];
        bool splits = room > 0 && !entry->offsets && entry->size > machine->sequencer_iterations;
        int64_t inner = splits ? inner_iterations(entry->size, machine->sequencer_iterations) : 0;
        if (inner) {
            *array_push(deriver->arena, &split, SequenceEntry) =
                entry_part(deriver, entry, true, inner);
            *array_push(deriver->arena, &split, SequenceEntry) =
                entry_part(deriver, entry, false, inner);
            room--;
        } else {
            *array_push(deriver->arena, &split, SequenceEntry) = *entry;
        }
    }
    deriver->sequence->entries = split;
}

static bool check_limits(Deriver *deriver)
{
    const Machine *machine = deriver->request->machine;
    Sequence *sequence = deriver->sequence;
    bool ok = true;
    sequence->entries = sequence->written;
    if (is_crowded(deriver))
        drop_single_steps(deriver);
    if (sequence->entries.count > machine->sequencer_entries)
        merge_entries(deriver, machine->sequencer_iterations);
    split_entries(deriver);
    if (sequence->entries.count > machine->sequencer_entries) {
        Diag *diag = diag_add(
            deriver->diags, DIAG_SEQUENCE_ENTRIES, deriver->request->time->span,
            "too many entries: the nest has {} loops after merging, the sequencer {} entries",
            sequence->entries.count, machine->sequencer_entries);
        diag->of_command = true;
        StrBuf nest = {.arena = deriver->arena};
        sequencer_print(&nest, sequence, deriver->request->engine);
        diag_note(diag, SPAN_NOWHERE, "the nest is {}", buf_str(&nest));
        diag_help(diag, "let neighbours in Time follow the order of the buffer, so that they "
                        "merge, or move the data in two steps");
        ok = false;
    }
    for (int64_t i = 0; i < sequence->entries.count; i++) {
        const SequenceEntry *entry = &sequence->entries.items[i];
        if (entry->size <= machine->sequencer_iterations)
            continue;
        Span span =
            entry->is_packet ? deriver->request->packet->span : deriver->request->time->span;
        Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_ITERATIONS, span,
                              "`{}` iterates {} times; one entry iterates at most {}", entry->term,
                              entry->size, machine->sequencer_iterations);
        diag->of_command = true;
        diag_help(diag,
                  "give it a size that two entries walk together, each at most {} times, and leave "
                  "an entry free for that",
                  machine->sequencer_iterations);
        ok = false;
    }
    return ok;
}

// ---- sizes and cycles

// Elements that follow each other in memory, from the innermost entry outwards. An innermost
// broadcast counts as contiguous: one read fills the packet.
static int64_t contiguous_elements(const Sequence *sequence)
{
    const SequenceEntry *inner = NULL;
    int64_t elements = 1;
    for (int64_t i = sequence->entries.count - 1; i >= 0; i--) {
        const SequenceEntry *entry = &sequence->entries.items[i];
        if (entry->size == 1)
            continue;
        bool starts = !inner && !entry->offsets &&
                      (entry->stride == 1 || (entry->stride == 0 && entry->is_packet));
        if (inner ? !is_contiguous(entry, inner) : !starts)
            break;
        if (!checked_mul(elements, entry->size, &elements))
            return INT64_MAX;
        inner = entry;
    }
    return elements;
}

// Bytes of `elements`; for odd numbers of i4 a diagnostic.
static bool bytes_of(Deriver *deriver, Scalar type, int64_t elements, const char *what,
                     int64_t *bytes)
{
    if (scalar_bytes(type, elements, bytes))
        return true;
    Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_SUB_BYTE, deriver->request->packet->span,
                          "{} of {} elements of {} is no whole number of bytes", what, elements,
                          scalar_name(type));
    diag_help(diag, "pad to an even number of elements");
    return false;
}

static bool check_whole_bytes(Deriver *deriver)
{
    int64_t bytes;
    bool ok = bytes_of(deriver, deriver->request->type,
                       deriver->sequence->base_offset < 0 ? -deriver->sequence->base_offset
                                                          : deriver->sequence->base_offset,
                       "a start", &bytes);
    for (int64_t i = 0; i < deriver->sequence->entries.count; i++) {
        const SequenceEntry *entry = &deriver->sequence->entries.items[i];
        for (int64_t k = 0; entry->offsets && k < entry->size; k++)
            ok = ok &&
                 bytes_of(deriver, deriver->request->type, entry->offsets[k], "an offset", &bytes);
        bool steps = entry->size > 1 && entry->stride > 1;
        ok &=
            !steps || bytes_of(deriver, deriver->request->type, entry->stride, "a stride", &bytes);
    }
    return ok;
}

static bool fits_access(int64_t access, int64_t a, int64_t b)
{
    return access > 0 && a % access == 0 && b % access == 0;
}

static int64_t largest_access(const MachineList *sizes, int64_t a, int64_t b, int64_t most)
{
    int64_t best = 0;
    for (int64_t i = 0; i < sizes->count; i++)
        if (sizes->values[i] <= most && fits_access(sizes->values[i], a, b))
            best = max_i64(best, sizes->values[i]);
    return best;
}

// What one read may bring, so that its cast fits a flit. Manual: Fetch Engine, Type Casting.
static int64_t most_read(const SequenceRequest *request)
{
    int64_t in = scalar_traits[request->type].packet_bits;
    int64_t out = scalar_traits[request->cast].packet_bits;
    return request->type == request->cast ? INT64_MAX
                                          : request->machine->fetch_cast_bytes * in / out;
}

static int64_t fetch_size(const SequenceRequest *request, const Sequence *sequence)
{
    const Machine *machine = request->machine;
    if (request->context == CONTEXT_MAIN)
        return largest_access(&machine->fetch_sizes, sequence->packet_bytes,
                              sequence->contiguous_bytes, most_read(request));
    bool widest = request->type == SCALAR_I4 && request->cast == SCALAR_I32;
    int64_t only = widest ? machine->fetch_sub_i4_to_i32_bytes : machine->fetch_sub_bytes;
    return fits_access(only, sequence->packet_bytes, sequence->contiguous_bytes) ? only : 0;
}

static int64_t commit_size(const SequenceRequest *request, const Sequence *sequence)
{
    const Machine *machine = request->machine;
    int64_t in = sequence->commit_in_bytes, run = sequence->contiguous_bytes;
    if (request->context == CONTEXT_SUB)
        return fits_access(machine->commit_sub_bytes, in, run) ? machine->commit_sub_bytes : 0;
    int64_t size = largest_access(&machine->commit_sizes, in, run, INT64_MAX);
    bool bare = request->engine == SEQUENCE_WRITE; // of the sequencer's own sizes, too
    int64_t own = bare ? largest_access(&machine->fetch_sizes, in, run, INT64_MAX) : 0;
    return max_i64(size, own);
}

static bool report_access(Deriver *deriver)
{
    const Sequence *sequence = deriver->sequence;
    bool writes = sequencer_writes(deriver->request->engine);
    int64_t packet = writes ? sequence->commit_in_bytes : sequence->packet_bytes;
    Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_PACKET, deriver->request->packet->span,
                          "no {} size of the {} context divides both the packet of {} bytes and "
                          "its contiguous run of {} bytes",
                          writes ? "write" : "read",
                          deriver->request->context == CONTEXT_MAIN ? "main" : "sub", packet,
                          sequence->contiguous_bytes);
    diag_help(diag, "let the packet end with the innermost axis of the buffer, and pad that where "
                    "it is too short");
    return false;
}

// Of a packet, what its entries still write after truncation.
static int64_t written_elements(const Sequence *sequence)
{
    int64_t elements = 1;
    for (int64_t i = 0; i < sequence->written.count; i++)
        if (sequence->written.items[i].is_packet)
            elements *= sequence->written.items[i].size;
    return elements;
}

static bool check_fetch(Deriver *deriver)
{
    const SequenceRequest *request = deriver->request;
    const Machine *machine = request->machine;
    bool ok = true;
    if (!scalar_fetch_cast(request->type, request->cast, machine->fetch_casts_extended)) {
        Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_CAST, SPAN_NOWHERE,
                              "the Fetch Engine of {} does not cast {} to {}", machine->name,
                              scalar_name(request->type), scalar_name(request->cast));
        diag_help(diag, "the explanation of E0212 lists the casts there are");
        diag_help_typed(diag, "`contra explain E0212` lists the casts there are");
        ok = false;
    }
    int64_t bytes;
    if (request->is_index)
        return ok;
    if (!bytes_of(deriver, request->cast, deriver->sequence->packet_elements, "a packet", &bytes))
        return false;
    if (bytes % machine->fetch_align_bytes) {
        Str packet = expr_text(deriver->arena, request->packet);
        int64_t padded, length;
        Diag *diag =
            diag_add(deriver->diags, DIAG_SEQUENCE_FETCH_PACKET, request->packet->span,
                     "a fetched packet must have a multiple of {} bytes; `{}` of {} has {}",
                     machine->fetch_align_bytes, packet, scalar_name(request->cast), bytes);
        if (checked_round_up(bytes, machine->fetch_align_bytes, &padded) &&
            scalar_length(request->cast, padded, &length))
            diag_help(diag, "pad the packet: `[{}] # {}`", packet, length);
        ok = false;
    }
    return ok;
}

static void report_unaligned(Deriver *deriver, const SequenceEntry *entry, int64_t stride)
{
    int64_t word = deriver->request->machine->commit_word_bytes;
    Diag *diag =
        diag_add(deriver->diags, DIAG_SEQUENCE_COMMIT_STRIDE, deriver->request->buffer->span,
                 "`{}` advances {} bytes a step; a commit advances a multiple of {}", entry->term,
                 stride, word);
    diag_help(diag, "pad the buffer so that every row starts on {} bytes", word);
}

// The first step of an entry, in bytes, that is no whole number of words; 0: there is none.
static int64_t unaligned_step(const Deriver *deriver, const SequenceEntry *entry)
{
    int64_t bytes, word = deriver->request->machine->commit_word_bytes;
    for (int64_t i = 0; entry->offsets && i < entry->size; i++)
        if (scalar_bytes(deriver->request->type, entry->offsets[i], &bytes) && bytes % word)
            return bytes;
    bool steps = !entry->offsets && entry->size > 1;
    return steps && scalar_bytes(deriver->request->type, entry->stride, &bytes) && bytes % word
               ? bytes
               : 0;
}

// Strides between writes are whole words, and so is where they start. What lies inside one write is
// walked by the write itself.
static bool check_commit_strides(Deriver *deriver)
{
    const SequenceRequest *request = deriver->request;
    const Sequence *sequence = deriver->sequence;
    int64_t covered = 1, word = request->machine->commit_word_bytes, start;
    bool ok = true;
    for (int64_t i = sequence->entries.count - 1; i >= 0; i--) {
        const SequenceEntry *entry = &sequence->entries.items[i];
        int64_t bytes;
        bool inside =
            !scalar_bytes(request->type, covered, &bytes) || bytes < sequence->access_bytes;
        int64_t step = inside ? 0 : unaligned_step(deriver, entry);
        if (step)
            report_unaligned(deriver, entry, step);
        ok &= step == 0;
        if (!checked_mul(covered, entry->size, &covered))
            break;
    }
    if (!scalar_bytes(request->type, sequence->base_offset, &start) ||
        !checked_add(start, request->base_bytes, &start) || start % word == 0)
        return ok;
    Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_COMMIT_STRIDE, request->buffer->span,
                          "the commit starts at byte {}, which is no multiple of {}", start, word);
    diag_help(diag, "let the buffer, and what is taken of it, start on {} bytes", word);
    return false;
}

static bool check_commit(Deriver *deriver)
{
    const SequenceRequest *request = deriver->request;
    const Machine *machine = request->machine;
    const Sequence *sequence = deriver->sequence;
    if (sequence->packet_bytes != machine->commit_input_bytes) {
        Diag *diag =
            diag_add(deriver->diags, DIAG_SEQUENCE_COMMIT_PACKET, request->packet->span,
                     "the packet `{}` of {} has {} bytes; the Commit Engine takes flits of {}",
                     expr_text(deriver->arena, request->packet), scalar_name(request->type),
                     sequence->packet_bytes, machine->commit_input_bytes);
        diag_help(diag, sequence->packet_bytes < machine->commit_input_bytes
                            ? "pad the packet to a flit, as collect does"
                            : "move the outer part of the packet into Time");
        return false; // how much of it would be written does not matter then
    }
    if (!machine_list_has(&machine->commit_in_sizes, sequence->commit_in_bytes)) {
        Diag *diag = diag_add(deriver->diags, DIAG_SEQUENCE_COMMIT_IN, request->buffer->span,
                              "commit writes {} bytes per packet; the Commit Engine writes {}",
                              sequence->commit_in_bytes,
                              list_text(deriver->arena, &machine->commit_in_sizes));
        diag_help(diag, "pad the innermost axis of the buffer so that a packet fills one of these");
        return false;
    }
    return true;
}

static bool derive_sizes(Deriver *deriver)
{
    const SequenceRequest *request = deriver->request;
    Sequence *sequence = deriver->sequence;
    bool writes = sequencer_writes(request->engine), ok = true;
    int64_t run = contiguous_elements(sequence);
    ok &= bytes_of(deriver, request->type, sequence->packet_elements, "a packet",
                   &sequence->packet_bytes);
    ok = ok &&
         bytes_of(deriver, request->type, run, "a contiguous run", &sequence->contiguous_bytes);
    ok = ok && check_whole_bytes(deriver);
    if (ok && writes)
        ok = bytes_of(deriver, request->type, written_elements(sequence), "a written packet",
                      &sequence->commit_in_bytes);
    if (ok && request->engine == SEQUENCE_FETCH)
        ok = check_fetch(deriver);
    if (ok && request->engine == SEQUENCE_COMMIT)
        ok = check_commit(deriver);
    if (!ok)
        return false;
    sequence->access_bytes =
        writes ? commit_size(request, sequence) : fetch_size(request, sequence);
    if (!sequence->access_bytes)
        return report_access(deriver);
    int64_t moved = writes ? sequence->commit_in_bytes : sequence->packet_bytes;
    sequence->accesses_per_packet = ceil_div(moved, sequence->access_bytes);
    if (!checked_mul(sequence->time_steps, sequence->accesses_per_packet, &sequence->cycles)) {
        diag_add(deriver->diags, DIAG_SIZE_OVERFLOW, request->time->span,
                 "the number of cycles does not fit in 63 bits");
        return false;
    }
    return request->engine != SEQUENCE_COMMIT || check_commit_strides(deriver);
}

static int64_t packet_size(const Sequence *sequence)
{
    for (int64_t i = sequence->entries.count - 1; i >= 0; i--)
        if (sequence->entries.items[i].is_packet)
            return sequence->entries.items[i].size;
    return 1;
}

// The last element an entry reaches, from its first. Saturated.
static int64_t reach_of(const SequenceEntry *entry)
{
    int64_t reach = 0;
    for (int64_t i = 0; entry->offsets && i < entry->size; i++)
        reach = max_i64(reach, entry->offsets[i]);
    if (!entry->offsets && !checked_mul(entry->size - 1, entry->stride, &reach))
        return INT64_MAX;
    return reach;
}

// Whatever the shapes are, a write stays between the first and the last element of the buffer.
static bool check_bounds(Deriver *deriver)
{
    const Sequence *sequence = deriver->sequence;
    int64_t last = sequence->base_offset;
    if (!sequencer_writes(deriver->request->engine))
        return true;
    for (int64_t i = 0; i < sequence->entries.count; i++)
        if (!checked_add(last, reach_of(&sequence->entries.items[i]), &last))
            last = INT64_MAX;
    bool leads = divider_leads(deriver->divider); // its padding would overwrite what is before it
    if (!leads && sequence->base_offset >= 0 && last < deriver->request->buffer->size)
        return true;
    Diag *diag =
        diag_add(deriver->diags, DIAG_SEQUENCE_WRITE_OUTSIDE, deriver->request->packet->span,
                 "the stream writes elements {} to {} of the buffer `{}`, which has {}",
                 sequence->base_offset, last, buffer_text(deriver), deriver->request->buffer->size);
    diag_help(diag, "padding in the stream needs as much padding at the same place of the buffer");
    return false;
}

static bool repeats_an_offset(const SequenceEntry *entry)
{
    for (int64_t i = 0; entry->offsets && i < entry->size; i++)
        for (int64_t k = 0; k < i; k++)
            if (entry->offsets[i] == entry->offsets[k])
                return true;
    return false;
}

static bool check_shared(Deriver *deriver)
{
    bool shared = divider_shares(deriver->divider);
    for (int64_t i = 0; i < deriver->sequence->entries.count; i++)
        shared |= repeats_an_offset(&deriver->sequence->entries.items[i]);
    if (!sequencer_writes(deriver->request->engine) || !shared)
        return true;
    diag_add(deriver->diags, DIAG_SEQUENCE_WRITE_SHARED, deriver->request->buffer->span,
             "several elements of the stream share a position of the buffer `{}`; a write would "
             "keep only one",
             buffer_text(deriver));
    return false;
}

// What lies in memory is a type of memory, and only a fetch casts it.
static bool check_types(const SequenceRequest *request, DiagList *diags)
{
    if (!scalar_fetch_cast(request->type, request->type, true)) {
        diag_add(diags, DIAG_TYPE_UNKNOWN, SPAN_NOWHERE,
                 "{} exists in the stream only; no memory holds it", scalar_name(request->type));
        return false;
    }
    if (request->cast == request->type || request->engine == SEQUENCE_FETCH)
        return true;
    Diag *diag =
        diag_add(diags, DIAG_SEQUENCE_CAST, SPAN_NOWHERE, "only the Fetch Engine casts: {} to {}",
                 scalar_name(request->type), scalar_name(request->cast));
    diag_help(diag, "ask for a fetch, or leave the cast out");
    diag_help_typed(diag, "ask for a fetch (--engine fetch), or leave the cast out");
    return false;
}

bool sequencer_derive(Arena *arena, const SequenceRequest *request, DiagList *diags,
                      Sequence *sequence)
{
    if (!check_types(request, diags))
        return false;
    ExprList stream = {0};
    *array_push(arena, &stream, const Expr *) = request->time;
    *array_push(arena, &stream, const Expr *) = request->packet;
    const Expr *whole = expr_pair(diags, request->time->span, &stream);
    if (whole->kind == EXPR_POISON || !expr_check_overlap(diags, whole))
        return false;
    Mapping buffer = mapping_of_expr(arena, request->buffer);
    Deriver deriver = {.arena = arena, .request = request, .diags = diags, .sequence = sequence};
    *sequence =
        (Sequence){.time_steps = request->time->size, .packet_elements = request->packet->size};
    deriver.divider = divider_new(arena, &buffer);
    if (sequencer_writes(request->engine))
        divider_allow_truncation(deriver.divider);
    bool ok = add_stream(&deriver, request->time, false);
    ok &= add_stream(&deriver, request->packet, true);
    ok = ok && place_padding(&deriver, &buffer);
    bool within = ok && check_limits(&deriver); // several commands may do it: all else counts, too
    if (!ok || !check_shared(&deriver))
        return false;
    sequence->base_offset = divider_offset(deriver.divider);
    sequence->buffer_after = divider_residue(deriver.divider, PADDING_TOP);
    sequence->walks_all = !mapping_has_terms(&sequence->buffer_after);
    sequence->packet_size = packet_size(sequence);
    return check_bounds(&deriver) && derive_sizes(&deriver) && within;
}

void sequence_keep(const Verify *verify, const Stage *stage, const Sequence *sequence)
{
    Arena *arena = stage_arena(verify, stage);
    if (!arena)
        return;
    Sequence *kept = arena_copy(arena, sequence, sizeof *sequence);
    kept->written = (SequenceEntries){0};
    kept->steps = (SequenceSteps){0};
    kept->buffer_after = mapping_identity();
    kept->entries.items = arena_new(arena, SequenceEntry, (size_t)sequence->entries.count + 1);
    for (int64_t i = 0; i < sequence->entries.count; i++) {
        SequenceEntry *entry = &kept->entries.items[i];
        *entry = sequence->entries.items[i];
        entry->term = str_copy(arena, entry->term);
        entry->mapping = mapping_identity();
        if (entry->offsets)
            entry->offsets =
                arena_copy(arena, entry->offsets, (size_t)entry->size * sizeof *entry->offsets);
    }
    stage->facts->derived = kept;
}

static void print_offsets(StrBuf *out, const SequenceEntry *entry)
{
    buf_add(out, STR("["));
    for (int64_t i = 0; i < entry->size; i++)
        buf_format(out, "{}{}", i ? ", " : "", entry->offsets[i]);
    buf_add(out, STR("]"));
}

void sequencer_print(StrBuf *out, const Sequence *sequence, SequenceEngine engine)
{
    buf_add(out, STR("["));
    for (int64_t i = 0; i < sequence->entries.count; i++) {
        const SequenceEntry *entry = &sequence->entries.items[i];
        buf_format(out, "{}{}:", i ? ", " : "", entry->size);
        if (entry->offsets)
            print_offsets(out, entry);
        else
            buf_format(out, "{}", entry->stride);
    }
    buf_add(out, STR("]"));
    int64_t suffix = sequencer_writes(engine) ? sequence->access_bytes : sequence->packet_size;
    if (suffix)
        buf_format(out, ":{}", suffix);
    if (sequence->base_offset)
        buf_format(out, " @ {}", sequence->base_offset);
}
