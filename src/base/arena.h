// Memory with one owner and one end: nothing in an arena is freed alone, so nothing in it needs a
// destructor.
#ifndef CONTRA_BASE_ARENA_H
#define CONTRA_BASE_ARENA_H

#include <setjmp.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ArenaBlock ArenaBlock;

// {0} is an empty arena.
typedef struct {
    ArenaBlock *newest;
    uint8_t *next;   // first free byte of the newest block
    uint8_t *end;    // one past its last byte
    jmp_buf *on_oom; // the public entry point that turns exhaustion into CONTRA_NO_MEMORY
    int64_t fail_in; // tests: the n-th allocation from here fails; 0 is never
} Arena;

#define arena_new(arena, type, count) \
    ((type *)arena_alloc((arena), sizeof(type), alignof(type), (count)))

// Zeroed memory for `count` objects. Does not return on exhaustion, so callers need no check.
void *arena_alloc(Arena *arena, size_t size, size_t align, size_t count);

// The same for a caller that has something to free first: NULL on exhaustion.
void *arena_try_alloc(Arena *arena, size_t size, size_t align, size_t count);

// The same for what is written before it is read: anything is in it. Large memory comes as it is
// touched then.
#define arena_new_raw(arena, type, count) \
    ((type *)arena_alloc_raw((arena), sizeof(type), alignof(type), (count)))
void *arena_alloc_raw(Arena *arena, size_t size, size_t align, size_t count);

// What arena_alloc does on exhaustion. Does not return.
_Noreturn void arena_exhausted(const Arena *arena);

// A copy of `bytes` bytes of `data`, aligned for any type.
void *arena_copy(Arena *arena, const void *data, size_t bytes);

// Gives everything back. The arena is empty and usable afterwards.
void arena_release(Arena *arena);

// Gives back all but the newest block, and starts again in that: for work done over and over.
void arena_clear(Arena *arena);

// A place in an arena to come back to: everything allocated after it is given back by arena_reset.
typedef struct {
    ArenaBlock *newest;
    uint8_t *next;
} ArenaMark;

ArenaMark arena_mark(const Arena *arena);
void arena_reset(Arena *arena, ArenaMark mark);

#endif
