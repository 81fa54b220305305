#include "device/memory.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_PAGES = 128, BYTE_BITS = 8, WIDEST_ELEMENT = 4 };

typedef struct {
    uint8_t bytes[PAGE_BYTES];
    uint8_t written[PAGE_BYTES / BYTE_BITS];
} Page;

struct MemoryChunk {
    Page *pages[CHUNK_PAGES];
};

static int64_t chunk_count(const Memory *memory)
{
    return ceil_div(memory->size, (int64_t)PAGE_BYTES * CHUNK_PAGES);
}

void memory_free(Memory *memory)
{
    for (int64_t i = 0; memory->chunks && i < chunk_count(memory); i++) {
        for (int64_t k = 0; memory->chunks[i] && k < CHUNK_PAGES; k++)
            free(memory->chunks[i]->pages[k]);
        free(memory->chunks[i]);
    }
    free(memory->chunks);
    memory->chunks = NULL;
}

static const Page *find_page(const Memory *memory, int64_t number)
{
    const MemoryChunk *chunk = memory->chunks ? memory->chunks[number / CHUNK_PAGES] : NULL;
    return chunk ? chunk->pages[number % CHUNK_PAGES] : NULL;
}

// NULL: no memory.
static Page *make_page(Memory *memory, int64_t number)
{
    if (!memory->chunks)
        memory->chunks = calloc((size_t)chunk_count(memory), sizeof *memory->chunks);
    MemoryChunk **chunk = memory->chunks ? &memory->chunks[number / CHUNK_PAGES] : NULL;
    if (chunk && !*chunk)
        *chunk = calloc(1, sizeof **chunk);
    Page **page = chunk && *chunk ? &(*chunk)->pages[number % CHUNK_PAGES] : NULL;
    if (page && !*page)
        *page = calloc(1, sizeof **page);
    memory->failed |= !page || !*page;
    return page ? *page : NULL;
}

static void read_page(const Page *page, int64_t from, int64_t count, uint8_t *bytes,
                      uint8_t *written)
{
    memcpy(bytes, page->bytes + from, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        written[i] = page->written[(from + i) / BYTE_BITS] >> (from + i) % BYTE_BITS & 1;
}

static void write_page(Page *page, int64_t from, int64_t count, const uint8_t *bytes,
                       const uint8_t *written)
{
    memcpy(page->bytes + from, bytes, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        uint8_t *mark = &page->written[(from + i) / BYTE_BITS];
        uint32_t bit = UINT32_C(1) << (from + i) % BYTE_BITS;
        *mark = (uint8_t)(written[i] ? *mark | bit : *mark & ~bit);
    }
}

// The part of a run from `address` on that lies in one page; 0 before and behind the memory.
static int64_t page_part(const Memory *memory, int64_t address, int64_t count)
{
    if (address < 0 || address >= memory->size)
        return 0;
    return min_i64(min_i64(count, PAGE_BYTES - address % PAGE_BYTES), memory->size - address);
}

void memory_read(const Memory *memory, int64_t address, int64_t count, uint8_t *bytes,
                 uint8_t *written)
{
    for (int64_t done = 0; done < count;) {
        int64_t at = address + done, part = page_part(memory, at, count - done);
        const Page *page = part ? find_page(memory, at / PAGE_BYTES) : NULL;
        part = max_i64(part, 1);
        if (page) {
            read_page(page, at % PAGE_BYTES, part, bytes + done, written + done);
        } else {
            memset(bytes + done, 0, (size_t)part);
            memset(written + done, 0, (size_t)part);
        }
        done += part;
    }
}

void memory_write(Memory *memory, int64_t address, int64_t count, const uint8_t *bytes,
                  const uint8_t *written)
{
    for (int64_t done = 0; done < count;) {
        int64_t at = address + done, part = page_part(memory, at, count - done);
        Page *page = part ? make_page(memory, at / PAGE_BYTES) : NULL;
        part = max_i64(part, 1);
        if (page)
            write_page(page, at % PAGE_BYTES, part, bytes + done, written + done);
        done += part;
    }
}

// ---- elements

static int64_t floor_byte(int64_t bit)
{
    return bit >= 0 ? bit / BYTE_BITS : -ceil_div(-bit, BYTE_BITS);
}

void memory_load(const Memory *memory, Scalar type, int64_t bit, int64_t count, uint32_t *bits,
                 uint8_t *live)
{
    uint8_t bytes[ELEMENT_BLOCK * WIDEST_ELEMENT], written[ELEMENT_BLOCK * WIDEST_ELEMENT];
    int64_t width = scalar_traits[type].storage_bits, first = floor_byte(bit);
    int64_t skip = bit - first * BYTE_BITS;
    memory_read(memory, first, ceil_div(skip + count * width, BYTE_BITS), bytes, written);
    scalar_unpack(type, bytes, skip / width, count, bits);
    for (int64_t i = 0; i < count; i++) {
        int64_t from = (skip + i * width) / BYTE_BITS,
                to = (skip + (i + 1) * width - 1) / BYTE_BITS;
        live[i] = written[from] & written[to];
        for (int64_t k = from + 1; k < to; k++)
            live[i] &= written[k];
    }
}

void memory_store(Memory *memory, Scalar type, int64_t bit, int64_t count, const uint32_t *bits,
                  const uint8_t *live)
{
    uint8_t bytes[ELEMENT_BLOCK * WIDEST_ELEMENT], written[ELEMENT_BLOCK * WIDEST_ELEMENT] = {0};
    int64_t width = scalar_traits[type].storage_bits, first = floor_byte(bit);
    int64_t skip = bit - first * BYTE_BITS, end = skip + count * width;
    int64_t length = ceil_div(end, BYTE_BITS);
    if (skip)
        memory_read(memory, first, 1, bytes, written);
    if (end % BYTE_BITS && (length > 1 || !skip))
        memory_read(memory, first + length - 1, 1, bytes + length - 1, written + length - 1);
    scalar_pack(type, bits, count, bytes, skip / width);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = (skip + i * width) / BYTE_BITS; k * BYTE_BITS < skip + (i + 1) * width;
             k++)
            written[k] |= live[i];
    memory_write(memory, first, length, bytes, written);
}
