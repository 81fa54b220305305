// Growable arrays in an arena. An array is a struct with the three fields of ARRAY(type):
//
//     typedef struct { ARRAY(Factor); } FactorList;
//     *array_push(arena, &list, Factor) = factor;
//
// Growing leaves the old storage to the arena, so pointers into an array live only until the next
// push. {0} is an empty array.
#ifndef CONTRA_BASE_ARRAY_H
#define CONTRA_BASE_ARRAY_H

#include "base/arena.h"

#include <stdint.h>

#define ARRAY(type) \
    type *items;    \
    int64_t count;  \
    int64_t capacity

// A pointer to a new, zeroed last item.
#define array_push(arena, array, type) \
    ((type *)array_push_bytes((arena), (array), sizeof(type), alignof(type)))

// What every array struct starts with.
typedef struct {
    ARRAY(void);
} AnyArray;

void *array_push_bytes(Arena *arena, void *array, size_t size, size_t align);

// The same for an array on the heap, whose owner frees its items. The new item is not zeroed. NULL:
// out of memory; the array is unchanged.
#define heap_append(array, type) ((type *)heap_append_bytes((array), sizeof(type)))
void *heap_append_bytes(void *array, size_t size);

#endif
