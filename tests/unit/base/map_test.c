// Addresses by address, against an array.
#include "base/map.h"

#include "test.h"

#include <stdbool.h>

enum { KEYS = 500, ROUNDS = 50000 };

static uint64_t random_state = 1;

static int64_t below(int64_t bound)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return (int64_t)((random_state >> 33) % (uint64_t)bound);
}

TEST(what_is_put_is_there_until_it_is_removed)
{
    static int64_t keys[KEYS];
    void *values[KEYS] = {0};
    Arena arena = {0};
    Map map = {.arena = &arena};
    int64_t count = 0;
    assert_null(map_get(&map, &keys[0]));
    map_remove(&map, &keys[0]);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t i = below(KEYS), k = below(KEYS);
        bool removes = below(2) == 0;
        if (removes)
            map_remove(&map, &keys[i]);
        else
            map_put(&map, &keys[i], &keys[k]);
        count += !removes - (values[i] != NULL);
        values[i] = removes ? NULL : &keys[k];
        assert_int_equal(map.count, count);
        assert_ptr_equal(map_get(&map, &keys[k]), values[k]);
        assert_ptr_equal(map_get(&map, &keys[i]), values[i]);
    }
    for (int64_t i = 0; i < KEYS; i++)
        assert_ptr_equal(map_get(&map, &keys[i]), values[i]);
    arena_release(&arena);
}
