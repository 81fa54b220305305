#include "base/arena.h"

#include "base/array.h"
#include "base/heap.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Blocks double up to a limit, so that a small request costs little and a large one few blocks.
enum {
    FIRST_BLOCK_BYTES = 16 * 1024,
    LARGEST_BLOCK_BYTES = 4 * 1024 * 1024,
    HUGE_PAGE_BYTES = 2 * 1024 * 1024,
};

struct ArenaBlock {
    ArenaBlock *older;
    size_t bytes; // of the payload
    const HeapSource *source;
    alignas(max_align_t) uint8_t payload[];
};

// Exhaustion is the caller's to report: it jumps to the public entry point. Without one there is
// nobody to tell (tests of the library's inside), and the process ends.
void arena_exhausted(const Arena *arena)
{
    if (arena->on_oom)
        longjmp(*arena->on_oom, 1);
    fputs("contra: out of memory\n", stderr);
    abort();
}

// A block of whole huge pages is brought in by few page faults, where the system offers that.
static ArenaBlock *new_block(size_t bytes)
{
    if (heap_source || bytes < LARGEST_BLOCK_BYTES)
        return heap_raw(heap_source, bytes);
    size_t whole = (bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    void *block = aligned_alloc(HUGE_PAGE_BYTES, whole);
    if (block)
        madvise(block, whole, MADV_HUGEPAGE); // only advice: failing changes nothing
    return block;
}

static bool arena_grow(Arena *arena, size_t bytes)
{
    size_t payload = arena->newest ? arena->newest->bytes * 2 : FIRST_BLOCK_BYTES;
    if (payload > LARGEST_BLOCK_BYTES - sizeof(ArenaBlock))
        payload = LARGEST_BLOCK_BYTES - sizeof(ArenaBlock);
    if (payload < bytes)
        payload = bytes;
    ArenaBlock *block = bytes > SIZE_MAX / 2 ? NULL : new_block(sizeof(ArenaBlock) + payload);
    if (!block)
        return false;
    block->older = arena->newest;
    block->bytes = payload;
    block->source = heap_source;
    arena->newest = block;
    arena->next = block->payload;
    arena->end = block->payload + payload;
    return true;
}

// NULL: exhausted.
static void *take(Arena *arena, size_t bytes, size_t align)
{
    if (arena->fail_in && --arena->fail_in == 0)
        return NULL;
    size_t room = arena->newest ? (size_t)(arena->end - arena->next) : 0;
    size_t pad = -(uintptr_t)arena->next & (align - 1);
    if (!arena->newest || room < pad || room - pad < bytes) {
        if (!arena_grow(arena, bytes))
            return NULL;
        pad = 0; // a block starts aligned for every type
    }
    void *result = arena->next + pad;
    arena->next += pad + bytes;
    return result;
}

static size_t bytes_of(size_t size, size_t count)
{
    return count > SIZE_MAX / size ? SIZE_MAX : size * count; // arena_grow refuses SIZE_MAX
}

void *arena_try_alloc(Arena *arena, size_t size, size_t align, size_t count)
{
    size_t bytes = bytes_of(size, count);
    void *result = take(arena, bytes, align);
    return result ? memset(result, 0, bytes) : NULL;
}

void *arena_alloc_raw(Arena *arena, size_t size, size_t align, size_t count)
{
    void *result = take(arena, bytes_of(size, count), align);
    if (!result)
        arena_exhausted(arena);
    return result;
}

void *arena_alloc(Arena *arena, size_t size, size_t align, size_t count)
{
    void *result = arena_try_alloc(arena, size, align, count);
    if (!result)
        arena_exhausted(arena);
    return result;
}

void *arena_copy(Arena *arena, const void *data, size_t bytes)
{
    void *copy = arena_alloc(arena, 1, alignof(max_align_t), bytes);
    if (bytes)
        memcpy(copy, data, bytes);
    return copy;
}

void arena_release(Arena *arena)
{
    arena_reset(arena, (ArenaMark){0});
}

void arena_clear(Arena *arena)
{
    ArenaBlock *kept = arena->newest;
    if (!kept)
        return;
    for (ArenaBlock *older = kept->older; older;) {
        ArenaBlock *next = older->older;
        heap_raw_free(older->source, older);
        older = next;
    }
    kept->older = NULL;
    arena->next = kept->payload;
}

ArenaMark arena_mark(const Arena *arena)
{
    return (ArenaMark){.newest = arena->newest, .next = arena->next};
}

void arena_reset(Arena *arena, ArenaMark mark)
{
    while (arena->newest != mark.newest) {
        ArenaBlock *older = arena->newest->older;
        heap_raw_free(arena->newest->source, arena->newest);
        arena->newest = older;
    }
    arena->next = mark.next;
    arena->end = arena->newest ? arena->newest->payload + arena->newest->bytes : NULL;
}

// ---- arrays (array.h)

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

void *heap_append_bytes(void *array, size_t size)
{
    AnyArray any;
    memcpy(&any, array, sizeof any);
    if (any.count == any.capacity) {
        any.capacity = any.capacity * 2 + FIRST_CAPACITY;
        any.items = heap_resize(any.items, size * (size_t)any.capacity);
        if (!any.items)
            return NULL;
    }
    void *last = (uint8_t *)any.items + size * (size_t)any.count++;
    memcpy(array, &any, sizeof any);
    return last;
}
