#include "engine/strides.h"

#include "base/checked.h"
#include "base/divisor.h"
#include "command/nest.h"
#include "engine/shape.h"

// Innermost first in the level.
static void sort_by_place(MatchList *matches)
{
    for (int64_t i = 1; i < matches->count; i++)
        for (int64_t k = i; k > 0; k--) {
            Match *inner = &matches->items[k - 1], *outer = &matches->items[k];
            if (inner->divisor_stride <= outer->divisor_stride)
                break;
            Match swapped = *inner;
            *inner = *outer;
            *outer = swapped;
        }
}

static const int64_t *scaled_offsets(Arena *arena, const Match *match)
{
    int64_t *offsets = arena_new(arena, int64_t, (size_t)match->resize);
    for (int64_t i = 0; i < match->resize; i++)
        offsets[i] = match->list->offsets[i] * match->dividend_stride;
    return offsets;
}

// Two loops that go on evenly are one.
static bool joins(const StrideLoop *inner, const StrideLoop *outer)
{
    return !inner->offsets && !outer->offsets &&
           stride_continues(outer->stride, inner->size, inner->stride);
}

static void push_loop(Arena *arena, StrideLoops *loops, StrideLoop loop)
{
    StrideLoop *last = loops->count ? &loops->items[loops->count - 1] : NULL;
    if (loop.size == 1)
        return;
    if (!last || !joins(last, &loop)) {
        *array_push(arena, loops, StrideLoop) = loop;
        return;
    }
    last->size *= loop.size;
    last->term = str_format(arena, "{}, {}", loop.term, last->term);
}

// Everything so far makes up `end` positions of the level: what is missing is padding, walked along
// by the outermost loop, or over and over where there is none. Of the whole level the last round
// may be begun and not finished.
static bool pad_to(Arena *arena, StrideLoops *loops, int64_t end, bool outermost)
{
    StrideLoop *last = loops->count ? &loops->items[loops->count - 1] : NULL;
    if (!last) {
        push_loop(arena, loops, (StrideLoop){.place = 1, .size = end, .term = STR("padding")});
        return true;
    }
    if (last->place * last->size == end)
        return true;
    if ((end % last->place && !outermost) || last->offsets)
        return false;
    last->size = ceil_div(end, last->place);
    return true;
}

// The loops of one level, from the pieces that it was found in, innermost first.
static bool level_loops(Arena *arena, MatchList *pieces, int64_t size, StrideLoops *loops)
{
    sort_by_place(pieces);
    for (int64_t i = 0; i < pieces->count; i++) {
        const Match *piece = &pieces->items[i];
        bool found = piece->kind == MATCH_FOUND;
        if (piece->kind == MATCH_INCOMPATIBLE ||
            !pad_to(arena, loops, piece->divisor_stride, false))
            return false;
        push_loop(
            arena, loops,
            (StrideLoop){.place = piece->divisor_stride,
                         .size = piece->resize,
                         .stride = found && !piece->list ? piece->dividend_stride : 0,
                         .offsets = found && piece->list ? scaled_offsets(arena, piece) : NULL,
                         .term = shape_term_text(arena, &piece->term, piece->resize)});
    }
    return pad_to(arena, loops, size, true);
}

// Whatever the layout is made of, if it is that of [time, packet] it is walked position by
// position: `[A, B] / 12, [A, B] % 12 # 16` is, though no nest of loops says which A and B that is.
static bool walk_in_order(Arena *arena, const Mapping *layout, const Mapping *time,
                          const Mapping *packet, Strides *strides)
{
    Mapping stream = mapping_pair(arena, time, packet);
    if (!shape_equal(arena, layout, &stream))
        return false;
    Str term = mapping_text(arena, layout);
    *strides = (Strides){.time_is_nest = true, .packet_is_nest = true};
    *array_push(arena, &strides->matches, Match) = (Match){
        .kind = MATCH_FOUND, .resize = packet->size, .divisor_stride = 1, .dividend_stride = 1};
    push_loop(arena, &strides->packet,
              (StrideLoop){.place = 1, .size = packet->size, .stride = 1, .term = term});
    push_loop(arena, &strides->time,
              (StrideLoop){.place = 1, .size = time->size, .stride = packet->size, .term = term});
    return true;
}

bool strides_derive(Arena *arena, const Mapping *layout, const Mapping *time, const Mapping *packet,
                    Strides *strides)
{
    MatchList steps = {0};
    Divider *divider = divider_new(arena, layout);
    *strides = (Strides){0};
    divider_allow_truncation(divider);
    divider_take(divider, packet, 1, &strides->matches);
    divider_take(divider, time, 1, &steps);
    strides->offset = divider_offset(divider);
    strides->packet_is_nest = level_loops(arena, &strides->matches, packet->size, &strides->packet);
    strides->time_is_nest = level_loops(arena, &steps, time->size, &strides->time);
    return (strides->packet_is_nest && strides->time_is_nest) ||
           walk_in_order(arena, layout, time, packet, strides);
}

// The largest divisor of `number` that is at most `most`.
static int64_t divisor_at_most(int64_t number, int64_t most)
{
    return number <= most ? number : number / divisor_at_least(number, ceil_div(number, most));
}

bool strides_split(Arena *arena, StrideLoops *loops, int64_t most)
{
    StrideLoops whole = *loops;
    bool ok = true;
    *loops = (StrideLoops){0};
    for (int64_t i = 0; i < whole.count; i++) {
        StrideLoop loop = whole.items[i];
        bool outermost = i == whole.count - 1; // may end early
        while (loop.size > most && !loop.offsets) {
            StrideLoop inner = loop;
            inner.size = divisor_at_most(loop.size, most);
            if (inner.size == 1 && outermost)
                inner.size = ceil_div(loop.size, ceil_div(loop.size, most));
            if (inner.size == 1)
                break;
            *array_push(arena, loops, StrideLoop) = inner;
            loop.place *= inner.size;
            loop.stride *= inner.size;
            loop.size = ceil_div(loop.size, inner.size);
        }
        ok &= loop.size <= most;
        *array_push(arena, loops, StrideLoop) = loop;
    }
    return ok;
}

StrideLoops strides_copy_loops(Arena *arena, const StrideLoops *loops)
{
    StrideLoops copy = {0};
    for (int64_t i = 0; i < loops->count; i++) {
        StrideLoop *loop = array_push(arena, &copy, StrideLoop);
        *loop = loops->items[i];
        loop->term = str_copy(arena, loop->term);
        if (loop->offsets)
            loop->offsets =
                arena_copy(arena, loop->offsets, (size_t)loop->size * sizeof *loop->offsets);
    }
    return copy;
}

Strides strides_copy(Arena *arena, const Strides *strides)
{
    Strides copy = *strides;
    copy.time = strides_copy_loops(arena, &strides->time);
    copy.packet = strides_copy_loops(arena, &strides->packet);
    copy.matches = (MatchList){0};
    return copy;
}

void strides_lower_level(Arena *arena, const StrideLoops *loops, Ratio unit, bool packet,
                         void *list)
{
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        const StrideLoop *loop = &loops->items[i];
        HwLoop *out = array_push(arena, list, HwLoop);
        *out = (HwLoop){.size = loop->size,
                        .stride = loop->stride * unit.times / unit.over,
                        .packet = packet,
                        .term = str_copy(arena, loop->term)};
        for (int64_t k = 0; loop->offsets && k < loop->size; k++)
            *array_push(arena, &out->offsets, int64_t) = loop->offsets[k] * unit.times / unit.over;
    }
}

void strides_lower(Arena *arena, const Strides *strides, Ratio unit, void *list)
{
    strides_lower_level(arena, &strides->time, unit, false, list);
    strides_lower_level(arena, &strides->packet, unit, true, list);
}

bool strides_nest(const Lower *lower, const Mapping *buffer, const Mapping *time,
                  const Mapping *packet, Scalar type, int64_t base, HwNest *out)
{
    Strides strides;
    int64_t bits = scalar_traits[type].packet_bits;
    if (!strides_derive(lower->scratch, buffer, time, packet, &strides))
        return false;
    *out = (HwNest){
        .element_bits = bits, .base = base + strides.offset * bits / 8, .access_bytes = bits / 8};
    strides_lower(lower->arena, &strides, (Ratio){1, 1}, &out->loops);
    return true;
}
