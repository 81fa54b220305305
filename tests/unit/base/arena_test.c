// Arenas: what they hand out is aligned, zeroed and apart, and exhaustion comes back by the jump.
#include "base/arena.h"

#include "base/checked.h"
#include "test.h"

#include <stdbool.h>
#include <string.h>

enum { LARGE = 1 << 20 };

// Requests beyond all memory are part of the test: the sanitizer is not to stop at them.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

TEST(memory_is_aligned_and_zeroed)
{
    static const size_t aligns[] = {1, 2, 4, 8, alignof(max_align_t)};
    Arena arena = {0};
    for (size_t round = 0; round < 2000; round++) {
        size_t align = aligns[round % COUNT_OF(aligns)], bytes = 1 + round * 7 % 97;
        uint8_t *memory = arena_alloc(&arena, 1, align, bytes);
        assert_int_equal((uintptr_t)memory % align, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xA5, bytes); // what comes next is zero all the same
    }
    arena_release(&arena);
    assert_null(arena.newest);
}

TEST(pieces_do_not_overlap)
{
    Arena arena = {0};
    enum { PIECES = 400 };
    uint8_t *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = arena_alloc(&arena, 3, 1, i + 1);
        memset(pieces[i], (int)(i % 251), 3 * (i + 1));
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < 3 * (i + 1); k++)
            assert_int_equal(pieces[i][k], i % 251);
    arena_release(&arena);
}

TEST(nothing_may_be_asked_for)
{
    Arena arena = {0};
    assert_non_null(arena_alloc(&arena, 8, 8, 0));
    assert_non_null(arena_copy(&arena, NULL, 0));
    arena_release(&arena);
}

TEST(large_pieces_have_room)
{
    Arena arena = {0};
    for (size_t i = 0; i < 12; i++) {
        uint8_t *memory = arena_new(&arena, uint8_t, LARGE + i);
        memory[0] = memory[LARGE + i - 1] = 1;
        *arena_new(&arena, double, 1) = 1.0;
    }
    arena_release(&arena);
    arena_release(&arena);          // of an empty arena, too
    *arena_new(&arena, int, 1) = 1; // and usable afterwards
    arena_release(&arena);
}

TEST(copies_are_apart_and_aligned)
{
    Arena arena = {0};
    char text[] = "a text";
    arena_alloc(&arena, 1, 1, 1);
    char *copy = arena_copy(&arena, text, sizeof text);
    assert_int_equal((uintptr_t)copy % alignof(max_align_t), 0);
    text[0] = 'X';
    assert_string_equal(copy, "a text");
    arena_release(&arena);
}

TEST(a_mark_gives_back_what_came_after_it)
{
    Arena arena = {0};
    ArenaMark empty = arena_mark(&arena);
    int *first = arena_new(&arena, int, 10);
    first[9] = 7;
    ArenaMark mark = arena_mark(&arena);
    int *second = arena_new(&arena, int, 1);
    *second = 5;
    arena_new(&arena, uint8_t, 3 * LARGE); // several blocks after the mark
    arena_new(&arena, uint8_t, 9 * LARGE);
    arena_reset(&arena, mark);
    assert_int_equal(first[9], 7);
    int *again = arena_new(&arena, int, 1);
    assert_ptr_equal(again, second);
    assert_int_equal(*again, 0);
    arena_reset(&arena, arena_mark(&arena)); // nothing happens
    assert_ptr_equal(arena_new(&arena, int, 1), again + 1);
    arena_reset(&arena, empty);
    assert_null(arena.newest);
    arena_release(&arena);
}

TEST(a_cleared_arena_starts_again)
{
    Arena arena = {0};
    arena_clear(&arena);
    assert_null(arena.newest);
    for (size_t round = 0; round < 50; round++) {
        for (size_t i = 0; i < 30; i++) {
            uint8_t *memory = arena_new(&arena, uint8_t, 1000 * i);
            for (size_t k = 0; k < 1000 * i; k += 500)
                assert_int_equal(memory[k], 0);
            memset(memory, 0xA5, 1000 * i);
        }
        arena_clear(&arena);
    }
    const ArenaBlock *kept = arena.newest;
    arena_new(&arena, int, 1);
    assert_ptr_equal(arena.newest, kept); // of the block that is left
    arena_release(&arena);
}

// ---- exhaustion

// Which allocation of 10 fails when the n-th is made to; 0 if none.
static int failing_allocation(int64_t n)
{
    Arena arena = {.fail_in = n};
    jmp_buf on_oom;
    volatile int done = 0;
    arena.on_oom = &on_oom;
    if (setjmp(on_oom)) {
        arena_release(&arena);
        return done + 1;
    }
    for (int i = 0; i < 10; i++) {
        arena_new(&arena, int, 100000);
        done++;
    }
    arena_release(&arena);
    return 0;
}

TEST(the_chosen_allocation_fails)
{
    for (int n = 1; n <= 10; n++)
        assert_int_equal(failing_allocation(n), n);
    assert_int_equal(failing_allocation(0), 0);
    assert_int_equal(failing_allocation(11), 0);
}

static bool fails(size_t size, size_t count)
{
    Arena arena = {0};
    jmp_buf on_oom;
    arena.on_oom = &on_oom;
    bool failed = setjmp(on_oom) != 0;
    if (!failed)
        arena_alloc(&arena, size, 1, count);
    arena_release(&arena);
    return failed;
}

TEST(impossible_requests_fail)
{
    assert_true(fails(1, SIZE_MAX));
    assert_true(fails(SIZE_MAX, 1));
    assert_true(fails(1, SIZE_MAX / 2 + 1));
    assert_true(fails(1, SIZE_MAX / 2));
    assert_true(fails(8, SIZE_MAX / 8 + 1)); // the product wraps round
    assert_true(fails(SIZE_MAX / 2, SIZE_MAX / 2));
    assert_true(fails(1, (size_t)PTRDIFF_MAX - 8));
    assert_false(fails(1, 1));
}

// After a failure what was there before is still there.
TEST(an_arena_outlives_exhaustion)
{
    Arena arena = {0};
    jmp_buf on_oom;
    arena.on_oom = &on_oom;
    char *volatile kept = arena_copy(&arena, "kept", 5);
    if (!setjmp(on_oom)) {
        arena_alloc(&arena, 1, 1, SIZE_MAX);
        fail();
    }
    assert_string_equal(kept, "kept");
    assert_non_null(arena_new(&arena, int, 4));
    arena_release(&arena);
}
