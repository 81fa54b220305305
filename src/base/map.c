#include "base/map.h"

enum { FIRST_CAPACITY = 16 };

static uint64_t hash_address(const void *key)
{
    uint64_t bits = (uint64_t)(uintptr_t)key;
    return (bits >> 4 ^ bits >> 20) * 0x9e3779b97f4a7c15u;
}

static MapSlot *find_slot(MapSlot *slots, int64_t capacity, const void *key)
{
    uint64_t mask = (uint64_t)capacity - 1;
    for (uint64_t i = hash_address(key) >> 16 & mask;; i = (i + 1) & mask)
        if (!slots[i].key || slots[i].key == key)
            return &slots[i];
}

void *map_get(const Map *map, const void *key)
{
    return map->capacity ? find_slot(map->slots, map->capacity, key)->value : NULL;
}

static void grow(Map *map)
{
    int64_t capacity = map->capacity ? map->capacity * 2 : FIRST_CAPACITY;
    MapSlot *slots = arena_new(map->arena, MapSlot, (size_t)capacity);
    for (int64_t i = 0; i < map->capacity; i++)
        if (map->slots[i].key)
            *find_slot(slots, capacity, map->slots[i].key) = map->slots[i];
    map->slots = slots;
    map->capacity = capacity;
}

void map_put(Map *map, const void *key, void *value)
{
    if (map->count * 2 >= map->capacity)
        grow(map);
    MapSlot *slot = find_slot(map->slots, map->capacity, key);
    map->count += !slot->key;
    *slot = (MapSlot){key, value};
}

// Those behind it that were not at their first choice come nearer to it: a search ends at the first
// free slot.
void map_remove(Map *map, const void *key)
{
    MapSlot *slot = map->capacity ? find_slot(map->slots, map->capacity, key) : NULL;
    if (!slot || !slot->key)
        return;
    uint64_t mask = (uint64_t)map->capacity - 1;
    *slot = (MapSlot){0};
    map->count--;
    for (uint64_t i = (uint64_t)(slot - map->slots + 1) & mask; map->slots[i].key;
         i = (i + 1) & mask) {
        MapSlot moved = map->slots[i];
        map->slots[i] = (MapSlot){0};
        *find_slot(map->slots, map->capacity, moved.key) = moved;
    }
}
