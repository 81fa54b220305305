#include "device/internal.h"

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
    char *base = heap_new(bytes + 2 * ALIGNMENT);
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
            sizeof scratch->blocks[0] * (scratch->count - at));
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
        memset(memory, 0, bytes);
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

bool stream_new_live(Scratch *scratch, Stream *stream, Scalar type, int64_t time, int64_t lanes)
{
    int64_t bytes = (time * lanes + 1) * (int64_t)sizeof *stream->bits;
    *stream = (Stream){.type = type, .time = time, .lanes = lanes};
    stream->bits = scratch_take(scratch, bytes);
    return stream->bits != NULL;
}

bool stream_new(Scratch *scratch, Stream *stream, Scalar type, int64_t time, int64_t lanes)
{
    if (!stream_new_live(scratch, stream, type, time, lanes))
        return false;
    memset(stream->bits, 0, (time * lanes) * sizeof *stream->bits);
    stream->tags = scratch_take_zeroed(scratch, time * lanes + 1);
    if (stream->tags)
        return true;
    stream_free(scratch, stream);
    return false;
}

bool stream_need_tags(Scratch *scratch, Stream *stream)
{
    int64_t count = stream->time * stream->lanes;
    if (stream->tags)
        return true;
    stream->tags = scratch_take(scratch, count + 1);
    if (stream->tags)
        memset(stream->tags, TAG_LIVE, count);
    return stream->tags != NULL;
}

void stream_free(Scratch *scratch, Stream *stream)
{
    if (!stream->is_lent)
        scratch_give(scratch, stream->bits);
    scratch_give(scratch, stream->tags);
    *stream = (Stream){0};
}

void stream_drop_tags(Scratch *scratch, Stream *stream, uint8_t all)
{
    size_t count = stream->time * stream->lanes;
    if (!stream->tags || !count || *stream->tags != all ||
        memcmp(stream->tags, stream->tags + 1, count - 1))
        return;
    scratch_give(scratch, stream->tags);
    stream->tags = NULL;
}

void stream_copy(const Stream *from, Stream *to, uint8_t added)
{
    bool alike = from->lanes == to->lanes;
    int64_t packets = alike ? 1 : from->time, size = alike ? from->time : 1;
    int64_t had = from->lanes * size, lanes = to->lanes * size, kept = min_i64(had, lanes);
    for (int64_t t = 0; t < packets; t++) {
        uint32_t *bits = to->bits + t * lanes;
        memcpy(bits, from->bits + t * had, kept * sizeof *bits);
        memset(bits + kept, 0, (lanes - kept) * sizeof *bits);
    }
    for (int64_t t = 0; to->tags && t < packets; t++) {
        if (from->tags)
            memcpy(to->tags + t * lanes, from->tags + t * had, kept);
        else
            memset(to->tags + t * lanes, TAG_LIVE, kept);
        memset(to->tags + t * lanes + kept, added, lanes - kept);
    }
}

void stream_replace(Scratch *scratch, Stream *stream, const Stream *by)
{
    stream_free(scratch, stream);
    *stream = *by;
}
