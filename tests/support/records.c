#include "records.h"

#include <stddef.h>
#include <string.h>

uint64_t record_random_bits(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(record_random_bits(state) >> 33) % count;
}

static int64_t random_int(uint64_t *state)
{
    static const int64_t edges[] = {0,
                                    1,
                                    -1,
                                    23,
                                    24,
                                    -24,
                                    -25,
                                    255,
                                    256,
                                    65535,
                                    65536,
                                    UINT32_MAX,
                                    INT64_C(1) << 32,
                                    INT64_MAX,
                                    INT64_MIN};
    int64_t count = (int64_t)(sizeof edges / sizeof *edges);
    return below(state, 3) ? below(state, 5000) : edges[below(state, count)];
}

static Str random_text(Arena *arena, uint64_t *state)
{
    static const char *const pieces[] = {"A", " / 8", "ä", "\"", "\\", "\n", "€", "m![1]", "\x01"};
    StrBuf buf = {.arena = arena};
    for (int64_t count = below(state, 6); count > 0; count--)
        buf_add(&buf, str_from(pieces[below(state, 9)]));
    return buf_str(&buf);
}

static void random_list(Arena *arena, uint64_t *state, const Record *record, AnyArray *list)
{
    for (int64_t count = below(state, 3); count > 0; count--)
        record_random(arena, state, record,
                      array_push_bytes(arena, list, record->size, alignof(max_align_t)));
}

static void random_maybe(Arena *arena, uint64_t *state, const Record *record, void **part)
{
    *part = below(state, 2) ? arena_alloc(arena, record->size, alignof(max_align_t), 1) : NULL;
    if (*part)
        record_random(arena, state, record, *part);
}

static void random_field(Arena *arena, uint64_t *state, const Field *field, void *at)
{
    switch (field->kind) {
    case FIELD_INT:
        *(int64_t *)at = random_int(state);
        return;
    case FIELD_BOOL:
        *(bool *)at = below(state, 2);
        return;
    case FIELD_TEXT:
        *(Str *)at = random_text(arena, state);
        return;
    case FIELD_ENUM:
        *(int *)at = (int)below(state, field->value_count);
        return;
    case FIELD_PART:
        record_random(arena, state, field->record, at);
        return;
    case FIELD_MAYBE:
        random_maybe(arena, state, field->record, at);
        return;
    case FIELD_LIST:
        random_list(arena, state, field->record, at);
        return;
    case FIELD_INTS:
        for (int64_t count = below(state, 4); count > 0; count--)
            *array_push(arena, (IntList *)at, int64_t) = random_int(state);
        return;
    case FIELD_BITS:
        for (int64_t count = below(state, 5); count > 0; count--)
            *array_push(arena, (BitList *)at, uint64_t) = record_random_bits(state);
        return;
    }
}

void record_random(Arena *arena, uint64_t *state, const Record *record, void *data)
{
    for (int64_t i = 0; i < record->count; i++)
        random_field(arena, state, &record->fields[i], (char *)data + record->fields[i].offset);
}
