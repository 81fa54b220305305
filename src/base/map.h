// A hash map from addresses to addresses, in an arena. Keys are compared by address: names are
// interned, nodes and declarations are objects. {.arena = a} is empty.
#ifndef CONTRA_BASE_MAP_H
#define CONTRA_BASE_MAP_H

#include "base/arena.h"

#include <stdint.h>

typedef struct {
    const void *key; // NULL: free
    void *value;
} MapSlot;

typedef struct {
    Arena *arena;
    MapSlot *slots;
    int64_t count;
    int64_t capacity;
} Map;

// NULL: not there.
void *map_get(const Map *map, const void *key);

// Adds or replaces. Requires: key is not NULL.
void map_put(Map *map, const void *key, void *value);

// Nothing happens if it is not there.
void map_remove(Map *map, const void *key);

#endif
