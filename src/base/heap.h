// Memory from the system, or from a caller that brings its own. A caller says which when it enters
// the library (heap_source). Everything allocated until it leaves comes from there, also in the
// threads that help it (workers.h). A block knows where it came from, so it can be freed at any
// time.
#ifndef CONTRA_BASE_HEAP_H
#define CONTRA_BASE_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// Outlives everything that is allocated with it.
typedef struct {
    void *(*allocate)(void *own, size_t bytes);
    void *(*resize)(void *own, void *block, size_t bytes);
    void (*release)(void *own, void *block);
    void *own;
    atomic_bool *refused; // becomes true when it gave nothing; NULL: nobody asks
} HeapSource;

// Of this thread; NULL: the system.
extern _Thread_local const HeapSource *heap_source;

// As malloc, calloc, realloc and free do.
void *heap_new(size_t bytes);
void *heap_zeroed(size_t count, size_t size);
void *heap_resize(void *memory, size_t bytes);
void heap_free(void *memory);

// Whether a caller's memory gave nothing since he entered. What the system does not give is too
// large for it, rather than that there is none left.
bool heap_was_refused(void);

// Bytes that know by themselves where they came from: NULL is the system.
void *heap_raw(const HeapSource *source, size_t bytes);
void heap_raw_free(const HeapSource *source, void *block);

#endif
