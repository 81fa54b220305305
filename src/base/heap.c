#include "base/heap.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Thread_local const HeapSource *heap_source;

// Stands before each block.
typedef struct {
    alignas(max_align_t) const HeapSource *source;
} Header;

static void *begin(Header *header, const HeapSource *source)
{
    if (!header)
        return NULL;
    header->source = source;
    return header + 1;
}

// What a caller's memory gave, on the way to whoever asked for it.
static void *noted(const HeapSource *source, void *block)
{
    if (!block && source->refused)
        atomic_store_explicit(source->refused, true, memory_order_relaxed);
    return block;
}

bool heap_was_refused(void)
{
    return heap_source && heap_source->refused &&
           atomic_load_explicit(heap_source->refused, memory_order_relaxed);
}

void *heap_raw(const HeapSource *source, size_t bytes)
{
    return source ? noted(source, source->allocate(source->own, bytes)) : malloc(bytes);
}

void heap_raw_free(const HeapSource *source, void *block)
{
    if (!source)
        free(block);
    else if (block)
        source->release(source->own, block);
}

void *heap_new(size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(Header))
        return NULL;
    return begin(heap_raw(heap_source, sizeof(Header) + bytes), heap_source);
}

void *heap_zeroed(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - sizeof(Header)) / size)
        return NULL;
    if (!heap_source) // pages that nobody touched are zero already
        return begin(calloc(1, sizeof(Header) + count * size), NULL);
    void *memory = heap_new(count * size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

void *heap_resize(void *memory, size_t bytes)
{
    if (!memory)
        return heap_new(bytes);
    if (bytes > SIZE_MAX - sizeof(Header))
        return NULL;
    Header *header = (Header *)memory - 1;
    const HeapSource *source = header->source;
    bytes += sizeof(Header);
    return begin(source ? noted(source, source->resize(source->own, header, bytes))
                        : realloc(header, bytes),
                 source);
}

void heap_free(void *memory)
{
    if (!memory)
        return;
    Header *header = (Header *)memory - 1;
    heap_raw_free(header->source, header);
}
