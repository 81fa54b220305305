#include "device/memory.h"

#include "base/checked.h"

#include <string.h>
#include <sys/mman.h>

enum { BYTE_BITS = 8, WIDEST_ELEMENT = 4 };

bool reserve(Reservation *reservation, int64_t size)
{
    enum { HUGE_FROM = 1 << 30, FLAGS = MAP_ANONYMOUS | MAP_NORESERVE };
    void *bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | (int)FLAGS, -1, 0);
    if (bytes == MAP_FAILED) // a limit of data counts addresses, but none of what could be shared
        bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED | (int)FLAGS, -1, 0);
    if (bytes == MAP_FAILED)
        return false;
    if (size >= HUGE_FROM) // tensors there are large: fewer, larger pages
        madvise(bytes, (size_t)size, MADV_HUGEPAGE);
    *reservation = (Reservation){bytes, size};
    return true;
}

void reservation_free(Reservation *reservation)
{
    if (reservation->bytes)
        munmap(reservation->bytes, (size_t)reservation->size);
    *reservation = (Reservation){0};
}

Memory memory_at_part(const Reservation *bytes, const Reservation *written, int64_t from,
                      int64_t size)
{
    return (Memory){bytes->bytes + from, written->bytes + from / BYTE_BITS, size, size, 0};
}

// ---- who has a value

// The first and last byte of bits, and which bits of these are in the range.
typedef struct {
    int64_t first, last;
    uint8_t head, tail;
} BitRange;

static BitRange bits_of_range(int64_t from, int64_t to)
{
    BitRange range = {from / BYTE_BITS, (to - 1) / BYTE_BITS, 0, 0};
    range.head = (uint8_t)(UINT32_C(0xff) << from % BYTE_BITS);
    range.tail = (uint8_t)(UINT32_C(0xff) >> (BYTE_BITS - 1 - (to - 1) % BYTE_BITS));
    if (range.first == range.last)
        range.head = range.tail = range.head & range.tail;
    return range;
}

void memory_forget_part(Memory *memory, int64_t from, int64_t to)
{
    from = max_i64(from, memory->low);
    to = min_i64(to, memory->high);
    if (from >= to)
        return;
    BitRange range = bits_of_range(from, to);
    memory->written[range.first] &= (uint8_t)~range.head;
    memory->written[range.last] &= (uint8_t)~range.tail;
    if (range.last > range.first + 1)
        memset(memory->written + range.first + 1, 0, (size_t)(range.last - range.first - 1));
}

void memory_forget(Memory *memory)
{
    memory_forget_part(memory, memory->low, memory->high);
    memory->low = memory->size;
    memory->high = 0;
}

bool memory_holds(const Memory *memory, int64_t from, int64_t to)
{
    return from >= 0 && from <= to && to <= memory->size;
}

bool memory_is_written(const Memory *memory, int64_t from, int64_t to)
{
    if (from >= to)
        return true;
    BitRange range = bits_of_range(from, to);
    const uint8_t *bits = memory->written;
    if ((bits[range.first] & range.head) != range.head ||
        (bits[range.last] & range.tail) != range.tail)
        return false;
    int64_t count = range.last - range.first - 1;
    const uint8_t *inner = bits + range.first + 1;
    // all alike, and the first of them whole
    return count <= 0 || (*inner == UINT8_MAX && !memcmp(inner, inner + 1, (size_t)count - 1));
}

static void widen(Memory *memory, int64_t from, int64_t to)
{
    memory->low = min_i64(memory->low, from);
    memory->high = max_i64(memory->high, to);
}

void memory_mark(Memory *memory, int64_t from, int64_t to)
{
    if (from >= to)
        return;
    BitRange range = bits_of_range(from, to);
    memory->written[range.first] |= range.head;
    memory->written[range.last] |= range.tail;
    if (range.last > range.first + 1)
        memset(memory->written + range.first + 1, UINT8_MAX,
               (size_t)(range.last - range.first - 1));
    widen(memory, from, to);
}

// ---- any addresses

// The part of a run from `address` on that lies in the memory, or that does not.
static int64_t part_of(const Memory *memory, int64_t address, int64_t count, bool *inside)
{
    *inside = address >= 0 && address < memory->size;
    if (*inside)
        return min_i64(count, memory->size - address);
    return address < 0 ? min_i64(count, -address) : count;
}

void memory_read(const Memory *memory, int64_t address, int64_t count, uint8_t *bytes,
                 uint8_t *written)
{
    bool inside;
    for (int64_t done = 0, part; done < count; done += part) {
        int64_t at = address + done;
        part = part_of(memory, at, count - done, &inside);
        if (!inside) {
            memset(bytes + done, 0, (size_t)part);
            memset(written + done, 0, (size_t)part);
            continue;
        }
        memcpy(bytes + done, memory->bytes + at, (size_t)part);
        for (int64_t i = 0; i < part; i++)
            written[done + i] = memory->written[(at + i) / BYTE_BITS] >> (at + i) % BYTE_BITS & 1;
    }
}

void memory_write(Memory *memory, int64_t address, int64_t count, const uint8_t *bytes,
                  const uint8_t *written)
{
    bool inside;
    for (int64_t done = 0, part; done < count; done += part) {
        int64_t at = address + done;
        part = part_of(memory, at, count - done, &inside);
        if (!inside)
            continue;
        memcpy(memory->bytes + at, bytes + done, (size_t)part);
        for (int64_t i = 0; i < part; i++) {
            uint8_t *mark = &memory->written[(at + i) / BYTE_BITS];
            uint32_t bit = UINT32_C(1) << (at + i) % BYTE_BITS;
            *mark = (uint8_t)(written[done + i] ? *mark | bit : *mark & ~bit);
        }
        widen(memory, at, at + part);
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
