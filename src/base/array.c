#include "base/array.h"

#include <string.h>

enum { FIRST_CAPACITY = 4 };

void *array_push_bytes(Arena *arena, void *array, size_t size, size_t align)
{
    AnyArray any; // the typed arrays differ from it in the pointer's type only
    memcpy(&any, array, sizeof any);
    if (any.count == any.capacity) {
        int64_t capacity = any.capacity ? any.capacity * 2 : FIRST_CAPACITY;
        void *items = arena_alloc(arena, size, align, (size_t)capacity);
        if (any.count)
            memcpy(items, any.items, size * (size_t)any.count);
        any.items = items;
        any.capacity = capacity;
    }
    void *last = (uint8_t *)any.items + size * (size_t)any.count;
    any.count++;
    memcpy(array, &any, sizeof any);
    return last;
}
