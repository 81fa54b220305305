// Memories at real addresses. Pages come when they are written; every byte knows whether anybody
// ever wrote a value to it.
#ifndef CONTRA_DEVICE_MEMORY_H
#define CONTRA_DEVICE_MEMORY_H

#include "scalar/scalar.h"

enum { PAGE_BYTES = 4096 };

typedef struct MemoryChunk MemoryChunk;

typedef struct {
    int64_t size;         // bytes; addresses beyond have no value, and drop what is written
    MemoryChunk **chunks; // NULL: nothing was written yet
    bool failed;          // there was no memory for a page: what was written there is lost
} Memory;

void memory_free(Memory *memory);

// Bytes that nobody wrote are 0. `written`: 1 for every byte with a value.
void memory_read(const Memory *memory, int64_t address, int64_t count, uint8_t *bytes,
                 uint8_t *written);
void memory_write(Memory *memory, int64_t address, int64_t count, const uint8_t *bytes,
                  const uint8_t *written);

// ---- elements, from a bit on that is a whole number of them. `live`: 1 for one with a value.

enum { ELEMENT_BLOCK = 512 }; // the most at a time

void memory_load(const Memory *memory, Scalar type, int64_t bit, int64_t count, uint32_t *bits,
                 uint8_t *live);
// Elements of 4 bits leave the other half of their byte alone; a byte has a value if either half
// has.
void memory_store(Memory *memory, Scalar type, int64_t bit, int64_t count, const uint32_t *bits,
                  const uint8_t *live);

#endif
