#include "device/scratch.h"

#include "base/checked.h"
#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

// Stands before what is handed out.
enum { ALIGNMENT = 64, KEPT_BYTES = 4 << 20 };

typedef struct {
    void *base; // that was allocated
    int64_t bytes;
} Front;

static Front *front_of(void *memory)
{
    return (Front *)(void *)((char *)memory - ALIGNMENT);
}

static void *new_block(int64_t bytes)
{
    bytes = ceil_div(bytes, ALIGNMENT) * ALIGNMENT;
    char *base = heap_new((size_t)bytes + 2 * ALIGNMENT);
    if (!base)
        return NULL;
    char *memory = base + 2 * ALIGNMENT - (uintptr_t)base % ALIGNMENT;
    *front_of(memory) = (Front){base, bytes};
    return memory;
}

static void remove_block(Scratch *scratch, int at)
{
    scratch->count--;
    memmove(&scratch->blocks[at], &scratch->blocks[at + 1],
            sizeof scratch->blocks[0] * (size_t)(scratch->count - at));
}

// The block given back last that is large enough, and not much too large: it is in the cache.
void *scratch_take(Scratch *scratch, int64_t bytes)
{
    for (int i = scratch->count - 1; i >= 0; i--) {
        int64_t has = scratch->blocks[i].bytes;
        if (has < bytes || has > 4 * bytes + KEPT_BYTES / SCRATCH_BLOCKS)
            continue;
        void *memory = scratch->blocks[i].memory;
        remove_block(scratch, i);
        return memory;
    }
    return new_block(bytes);
}

void *scratch_take_zeroed(Scratch *scratch, int64_t bytes)
{
    void *memory = scratch_take(scratch, bytes);
    if (memory)
        memset(memory, 0, (size_t)bytes);
    return memory;
}

static void free_block(void *memory)
{
    heap_free(front_of(memory)->base);
}

// Of too many the smallest goes.
static void drop_smallest(Scratch *scratch)
{
    int least = 0;
    for (int i = 1; i < scratch->count; i++)
        if (scratch->blocks[i].bytes < scratch->blocks[least].bytes)
            least = i;
    free_block(scratch->blocks[least].memory);
    remove_block(scratch, least);
}

void scratch_give(Scratch *scratch, void *memory)
{
    if (!memory)
        return;
    if (scratch->count == SCRATCH_BLOCKS)
        drop_smallest(scratch);
    scratch->blocks[scratch->count].memory = memory;
    scratch->blocks[scratch->count++].bytes = front_of(memory)->bytes;
}

void scratch_trim(Scratch *scratch)
{
    int64_t kept = 0;
    for (int i = 0; i < scratch->count; i++)
        kept += scratch->blocks[i].bytes;
    while (kept > KEPT_BYTES) { // those that were not needed for longest
        kept -= scratch->blocks[0].bytes;
        free_block(scratch->blocks[0].memory);
        remove_block(scratch, 0);
    }
}

void scratch_free(Scratch *scratch)
{
    for (int i = 0; i < scratch->count; i++)
        free_block(scratch->blocks[i].memory);
    *scratch = (Scratch){0};
}
