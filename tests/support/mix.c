#include "mix.h"

#include "base/checked.h"
#include "command/touch.h"

#include <string.h>

enum { PROGRAM_OPS = 6, MOST_TRIES = 40 };

// ---- mixing

static HwOperation renumbered(Arena *arena, const HwOperation *from, int64_t first)
{
    HwOperation out = *from;
    out.reads = (IntList){0};
    for (int64_t i = 0; i < from->reads.count; i++)
        *array_push(arena, &out.reads, int64_t) = first + from->reads.items[i];
    out.writes = from->writes < 0 ? -1 : first + from->writes;
    return out;
}

static int64_t tensor_numbers(const HwObject *object)
{
    int64_t most = 0;
    for (int64_t i = 0; i < object->tensors.count; i++)
        most = max_i64(most, object->tensors.items[i].number + 1);
    return most;
}

static void append(Arena *arena, HwObject *to, const HwObject *from)
{
    int64_t first = tensor_numbers(to);
    for (int64_t i = 0; i < from->tensors.count; i++) {
        HwTensor *tensor = array_push(arena, &to->tensors, HwTensor);
        *tensor = from->tensors.items[i];
        tensor->number += first;
    }
    for (int64_t i = 0; i < from->operations.count; i++)
        *array_push(arena, &to->operations, HwOperation) =
            renumbered(arena, &from->operations.items[i], first);
    to->chips = max_i64(to->chips, from->chips);
}

// Some parts come again: what they read then is no longer what they wrote.
const HwObject *mix_object(Trials *trials, const Machine *machine, Choices *choices,
                           int64_t operations)
{
    arena_clear(&trials->scratch);
    Arena *arena = &trials->scratch;
    HwObject *mixed = arena_new(arena, HwObject, 1);
    const HwObject *last = NULL;
    for (int i = 0; i < MOST_TRIES && mixed->operations.count < operations; i++) {
        bool again = last && chance(choices, 30);
        const HwObject *part =
            again ? last : trial_object(trials, machine, choices, 1 + choose(choices, PROGRAM_OPS));
        if (part)
            append(arena, mixed, part);
        if (part && (!last || chance(choices, 50)))
            last = part;
    }
    return mixed->operations.count ? mixed : NULL;
}

// ---- meetings

static bool touches_conflict(const TouchList *a, const TouchList *b)
{
    MeetPiece piece;
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t k = 0; k < b->count; k++)
            if ((a->items[i].is_write || b->items[k].is_write) &&
                touches_meet(&a->items[i], &b->items[k], &piece))
                return true;
    return false;
}

Meetings mix_meetings(Arena *arena, const Machine *machine, const HwObject *object)
{
    int64_t count = object->operations.count;
    size_t pairs = (size_t)(count * count) + 1;
    Meetings out = {object, count, arena_new(arena, bool, pairs), arena_new(arena, bool, pairs)};
    TouchList *touches = arena_new(arena, TouchList, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        touches_of_operation(arena, machine, &object->operations.items[i], &touches[i]);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = i + 1; k < count; k++)
            out.meets[i * count + k] = touches_conflict(&touches[i], &touches[k]);
    mix_close(&out);
    return out;
}

void mix_close(Meetings *meetings)
{
    int64_t count = meetings->count;
    memcpy(meetings->follows, meetings->meets, (size_t)(count * count));
    for (int64_t via = 0; via < count; via++)
        for (int64_t i = 0; i < via; i++)
            for (int64_t k = via + 1; meetings->follows[i * count + via] && k < count; k++)
                meetings->follows[i * count + k] |= meetings->follows[via * count + k];
}

static bool is_ready(const Meetings *meetings, const bool *is_done, int64_t number)
{
    for (int64_t i = 0; i < meetings->count; i++)
        if (!is_done[i] && meetings->meets[i * meetings->count + number])
            return false;
    return !is_done[number];
}

// Half of them as late operations first as can be.
int64_t *mix_order(Arena *arena, const Meetings *meetings, Choices *choices)
{
    int64_t count = meetings->count;
    int64_t *order = arena_new(arena, int64_t, (size_t)count + 1);
    bool *is_done = arena_new(arena, bool, (size_t)count + 1);
    bool late = chance(choices, 50);
    for (int64_t place = 0; place < count; place++) {
        int64_t picked = -1, seen = 0;
        for (int64_t i = 0; i < count; i++)
            if (is_ready(meetings, is_done, i) && (late || choose(choices, ++seen) == 0))
                picked = i;
        order[place] = picked;
        is_done[picked] = true;
    }
    return order;
}

// ---- memories

static void add_place(Arena *arena, MixMemory *memory, const HwArgument *place)
{
    *array_push(arena, &memory->places, HwArgument) = *place;
    memory->positions += device_positions(place);
}

static void add_places(Arena *arena, const HwObject *object, MixMemory *memory)
{
    for (int64_t i = 0; i < object->tensors.count; i++) {
        const HwTensor *tensor = &object->tensors.items[i];
        HwArgument place = {.tier = tensor->tier,
                            .type = SCALAR_I8,
                            .address = tensor->address,
                            .element_bits = 8,
                            .tensor = tensor->tier == TIER_HOST ? tensor->number : -1,
                            .chips = tensor->chips,
                            .clusters = tensor->clusters,
                            .slices = tensor->slices,
                            .rows = 1,
                            .elements = tensor->bytes};
        if (tensor->tier == TIER_HBM || tensor->tier == TIER_DM || tensor->tier == TIER_HOST)
            add_place(arena, memory, &place);
    }
}

// Four bytes that mean something as small integers, or as floats.
static uint32_t draw_word(SmallRng *rng)
{
    enum { SMALL = 64 };
    uint32_t bits = small_rng_next_u32(rng), kind = small_rng_next_u32(rng) % 4;
    return kind == 0 ? bits : kind == 1 ? bits % SMALL : (bits & 0x83ff83ffU) | 0x3c003c00U;
}

MixMemory mix_memory(Arena *arena, const HwObject *object, uint64_t seed)
{
    MixMemory memory = {0};
    SmallRng rng = small_rng_seed_from_u64(seed);
    add_places(arena, object, &memory);
    memory.bits = arena_new(arena, uint32_t, (size_t)memory.positions + 1);
    memory.live = arena_new(arena, uint8_t, (size_t)memory.positions + 1);
    uint32_t word = 0;
    for (int64_t i = 0; i < memory.positions; i++) {
        word = i % 4 == 0 ? draw_word(&rng) : word >> 8;
        memory.bits[i] = scalar_wrap(SCALAR_I8, word & 0xff);
        memory.live[i] = 1;
    }
    return memory;
}

// ---- executing

static MixEnd execute(Device *device, DeviceProgram *program, const HwObject *object,
                      const int64_t *order, DiagList *diags)
{
    for (int64_t i = 0; i < object->operations.count; i++)
        if (!device_execute(device, program, order ? order[i] : i, diags))
            return MIX_ENDED;
    return MIX_DONE;
}

MixEnd mix_execute(Arena *arena, const Machine *machine, DeviceProgram *program,
                   const HwObject *object, const int64_t *order, const MixMemory *before,
                   MixMemory *after)
{
    DiagList diags = {.arena = arena};
    Device *device = device_new(machine, object->chips);
    MixEnd end = device ? MIX_DONE : MIX_NO_MEMORY;
    int64_t count = before->places.count;
    for (int64_t i = 0, at = 0; i < count && end == MIX_DONE; i++) {
        const HwArgument *place = &before->places.items[i];
        if (!device_put(device, place, before->bits + at, before->live + at))
            end = MIX_NO_MEMORY;
        at += device_positions(place);
    }
    end = end == MIX_DONE ? execute(device, program, object, order, &diags) : end;
    *after = *before;
    after->bits = arena_new(arena, uint32_t, (size_t)before->positions + 1);
    after->live = arena_new(arena, uint8_t, (size_t)before->positions + 1);
    for (int64_t i = 0, at = 0; i < count && end == MIX_DONE; i++) {
        const HwArgument *place = &before->places.items[i];
        device_get(device, place, after->bits + at, after->live + at);
        at += device_positions(place);
    }
    device_free(device);
    return end;
}

Str mix_difference(Arena *arena, const MixMemory *a, const MixMemory *b)
{
    StrBuf out = {.arena = arena};
    for (int64_t i = 0, at = 0; i < a->places.count; i++) {
        const HwArgument *place = &a->places.items[i];
        for (int64_t k = 0; k < device_positions(place); k++, at++)
            if (a->live[at] != b->live[at] || (a->live[at] && a->bits[at] != b->bits[at])) {
                buf_format(&out, "{} of tensor {}, position {}: {x} and {x}",
                           tiers[place->tier].name, i, k, a->bits[at], b->bits[at]);
                return buf_str(&out);
            }
    }
    return (Str){0};
}
