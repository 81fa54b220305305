#include "device/scratch.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

// Stands before what is handed out.
enum { ALIGNMENT = 64, KEPT_BYTES = 4 << 20 };

static int64_t *size_of(void *memory)
{
    return (int64_t *)(void *)((char *)memory - ALIGNMENT);
}

static void *new_block(int64_t bytes)
{
    bytes = ceil_div(bytes + ALIGNMENT, ALIGNMENT) * ALIGNMENT;
    char *block = aligned_alloc(ALIGNMENT, (size_t)bytes);
    if (!block)
        return NULL;
    *(int64_t *)(void *)block = bytes - ALIGNMENT;
    return block + ALIGNMENT;
}

// The smallest block that is large enough, and not much too large.
void *scratch_take(Scratch *scratch, int64_t bytes)
{
    int best = -1;
    for (int i = 0; i < SCRATCH_BLOCKS; i++) {
        int64_t has = scratch->blocks[i].memory ? scratch->blocks[i].bytes : -1;
        if (has >= bytes && has <= 4 * bytes + KEPT_BYTES / SCRATCH_BLOCKS &&
            (best < 0 || has < scratch->blocks[best].bytes))
            best = i;
    }
    if (best < 0)
        return new_block(bytes);
    void *memory = scratch->blocks[best].memory;
    scratch->blocks[best].memory = NULL;
    return memory;
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
    free((char *)memory - ALIGNMENT);
}

void scratch_give(Scratch *scratch, void *memory)
{
    if (!memory)
        return;
    int slot = 0; // a free one, or that of the smallest block
    for (int i = 0; i < SCRATCH_BLOCKS; i++) {
        if (!scratch->blocks[i].memory) {
            slot = i;
            break;
        }
        if (scratch->blocks[i].bytes < scratch->blocks[slot].bytes)
            slot = i;
    }
    if (scratch->blocks[slot].memory)
        free_block(scratch->blocks[slot].memory);
    scratch->blocks[slot].memory = memory;
    scratch->blocks[slot].bytes = *size_of(memory);
}

void scratch_trim(Scratch *scratch)
{
    int64_t kept = 0;
    for (int i = 0; i < SCRATCH_BLOCKS; i++) {
        if (!scratch->blocks[i].memory)
            continue;
        kept += scratch->blocks[i].bytes;
        if (kept <= KEPT_BYTES)
            continue;
        kept -= scratch->blocks[i].bytes;
        free_block(scratch->blocks[i].memory);
        scratch->blocks[i].memory = NULL;
    }
}

void scratch_free(Scratch *scratch)
{
    for (int i = 0; i < SCRATCH_BLOCKS; i++)
        if (scratch->blocks[i].memory)
            free_block(scratch->blocks[i].memory);
    *scratch = (Scratch){0};
}
