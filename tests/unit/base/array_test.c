// Growable arrays: new items are zeroed, old ones keep their values.
#include "base/array.h"

#include "test.h"

typedef struct {
    ARRAY(int64_t);
} Numbers;

typedef struct {
    char name[5];
    max_align_t wide;
} Odd;

typedef struct {
    ARRAY(Odd);
    int after; // fields of the owner are left alone
} Odds;

TEST(items_keep_their_values)
{
    Arena arena = {0};
    Numbers numbers = {0};
    for (int64_t i = 0; i < 10000; i++) {
        int64_t *item = array_push(&arena, &numbers, int64_t);
        assert_int_equal(*item, 0);
        assert_ptr_equal(item, &numbers.items[i]);
        *item = i * i;
        assert_true(numbers.count == i + 1 && numbers.capacity >= numbers.count);
    }
    for (int64_t i = 0; i < 10000; i++)
        assert_int_equal(numbers.items[i], i * i);
    arena_release(&arena);
}

TEST(items_are_zeroed_after_reuse_of_the_arena)
{
    Arena arena = {0};
    for (int round = 0; round < 3; round++) {
        ArenaMark mark = arena_mark(&arena);
        Numbers numbers = {0};
        for (int64_t i = 0; i < 100; i++) {
            int64_t *item = array_push(&arena, &numbers, int64_t);
            assert_int_equal(*item, 0);
            *item = -1;
        }
        arena_reset(&arena, mark);
    }
    arena_release(&arena);
}

TEST(wide_items_are_aligned)
{
    Arena arena = {0};
    Odds odds = {.after = 42};
    for (int i = 0; i < 100; i++) {
        arena_alloc(&arena, 1, 1, 1); // something odd in between
        Odd *odd = array_push(&arena, &odds, Odd);
        assert_int_equal((uintptr_t)odd % alignof(Odd), 0);
        odd->name[0] = (char)i;
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(odds.items[i].name[0], i);
    assert_int_equal(odds.after, 42);
    arena_release(&arena);
}

// The array is as it was when a push fails.
TEST(a_failed_push_changes_nothing)
{
    Arena arena = {0};
    jmp_buf on_oom;
    static Numbers numbers;
    arena.on_oom = &on_oom;
    while (numbers.count < 4 || numbers.count < numbers.capacity)
        *array_push(&arena, &numbers, int64_t) = 7;
    Numbers before = numbers;
    arena.fail_in = 1;
    if (!setjmp(on_oom)) {
        array_push(&arena, &numbers, int64_t);
        fail();
    }
    assert_memory_equal(&before, &numbers, sizeof numbers);
    assert_int_equal(numbers.items[3], 7);
    arena_release(&arena);
}
