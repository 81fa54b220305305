#include "device/memory.h"

#include "base/checked.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { ALL = 0xff };

// The first and last byte of marks, and which bits of these are in the range.
typedef struct {
    int64_t first, last;
    uint8_t head, tail;
} MarkRange;

static inline MarkRange range_of(int64_t from, int64_t to)
{
    MarkRange range = {from / BYTE_BITS, (to - 1) / BYTE_BITS, 0, 0};
    range.head = (uint8_t)(UINT32_C(0xff) << from % BYTE_BITS);
    range.tail = (uint8_t)(UINT32_C(0xff) >> (BYTE_BITS - 1 - (to - 1) % BYTE_BITS));
    if (range.first == range.last)
        range.head = range.tail = range.head & range.tail;
    return range;
}

// A byte that others may be writing at: their bits are not looked at.
static uint8_t load(const uint8_t *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

// Gives the bits of `mask` the values that they have in `bits`.
static inline void put(uint8_t *at, uint8_t mask, uint8_t bits, MarksUse use)
{
    if (mask == ALL) {
        *at = bits;
    } else if (use == MARKS_OWN) {
        *at = (uint8_t)((*at & ~mask) | (bits & mask));
    } else {
        uint8_t set = bits & mask, clear = (uint8_t)(~bits & mask);
        if (set)
            __atomic_fetch_or(at, set, __ATOMIC_RELAXED);
        if (clear)
            __atomic_fetch_and(at, (uint8_t)~clear, __ATOMIC_RELAXED);
    }
}

static inline void fill(uint8_t *marks, int64_t from, int64_t to, uint8_t bits, MarksUse use)
{
    if (from >= to)
        return;
    MarkRange range = range_of(from, to);
    put(&marks[range.first], range.head, bits, use);
    if (range.last == range.first)
        return;
    put(&marks[range.last], range.tail, bits, use);
    if (range.last > range.first + 1)
        memset(marks + range.first + 1, bits, range.last - range.first - 1);
}

void marks_set(uint8_t *marks, int64_t from, int64_t to, MarksUse use)
{
    fill(marks, from, to, ALL, use);
}

void marks_clear(uint8_t *marks, int64_t from, int64_t to, MarksUse use)
{
    fill(marks, from, to, 0, use);
}

bool marks_are_set(const uint8_t *marks, int64_t from, int64_t to)
{
    if (from >= to)
        return true;
    MarkRange range = range_of(from, to);
    if ((load(&marks[range.first]) & range.head) != range.head ||
        (load(&marks[range.last]) & range.tail) != range.tail)
        return false;
    int64_t count = range.last - range.first - 1;
    const uint8_t *inner = marks + range.first + 1;
    // all alike, and the first of them whole
    return count <= 0 || (*inner == ALL && !memcmp(inner, inner + 1, count - 1));
}

bool marks_runs_are_set(const uint8_t *marks, MarkRuns runs)
{
    for (int64_t i = 0; i < runs.count; i++, runs.from += runs.stride)
        if (!marks_are_set(marks, runs.from, runs.from + runs.bytes))
            return false;
    return true;
}

void marks_set_runs(uint8_t *marks, MarkRuns runs, MarksUse use)
{
    for (int64_t i = 0; i < runs.count; i++, runs.from += runs.stride)
        fill(marks, runs.from, runs.from + runs.bytes, ALL, use);
}

void marks_clear_runs(uint8_t *marks, MarkRuns runs, MarksUse use)
{
    for (int64_t i = 0; i < runs.count; i++, runs.from += runs.stride)
        fill(marks, runs.from, runs.from + runs.bytes, 0, use);
}

// Bits [from, from + count), count at most 8.
static uint8_t take(const uint8_t *marks, int64_t from, int64_t count)
{
    int64_t shift = from % BYTE_BITS;
    uint32_t bits = load(&marks[from / BYTE_BITS]);
    if (shift + count > BYTE_BITS)
        bits |= (uint32_t)load(&marks[from / BYTE_BITS + 1]) << BYTE_BITS;
    return (uint8_t)(bits >> shift);
}

// Both sides lie alike in their bytes.
static void copy_alike(uint8_t *marks, MarkRange to, const uint8_t *source, MarksUse use)
{
    int64_t last = to.last - to.first;
    uint8_t head = load(&source[0]), tail = load(&source[last]);
    if (last > 1)
        memmove(marks + to.first + 1, source + 1, last - 1);
    put(&marks[to.first], to.head, head, use);
    if (last)
        put(&marks[to.last], to.tail, tail, use);
}

void marks_copy(uint8_t *marks, int64_t to, const uint8_t *source, int64_t from, int64_t count,
                MarksUse use)
{
    if (count <= 0)
        return;
    MarkRange range = range_of(to, to + count);
    if (to % BYTE_BITS == from % BYTE_BITS) {
        copy_alike(marks, range, source + from / BYTE_BITS, use);
        return;
    }
    bool is_backward = marks == source && to > from;
    for (int64_t i = range.first; i <= range.last; i++) {
        int64_t byte = is_backward ? range.first + range.last - i : i;
        int64_t start = byte == range.first ? to : byte * BYTE_BITS, shift = start % BYTE_BITS;
        int64_t part = byte == range.last ? to + count - start : BYTE_BITS - shift;
        uint8_t mask = (uint8_t)(ALL >> (BYTE_BITS - part) << shift);
        uint8_t bits = (uint8_t)(take(source, from + start - to, part) << shift);
        put(&marks[byte], mask, bits, use);
    }
}

enum { WIDEST_ELEMENT = 4, PARTS = 64 };

// A limit of data counts addresses, whether there is memory behind them or not; but none of what
// could be shared.
static bool data_is_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool reserve(Reservation *reservation, int64_t size)
{
    int flags = MAP_ANONYMOUS | MAP_NORESERVE | (data_is_limited() ? MAP_SHARED : MAP_PRIVATE);
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (bytes == MAP_FAILED)
        return false;
    *reservation = (Reservation){bytes, size};
    return true;
}

void reservation_free(Reservation *reservation)
{
    if (reservation->bytes)
        munmap(reservation->bytes, reservation->size);
    *reservation = (Reservation){0};
}

Memory memory_of(uint8_t *bytes, uint8_t *written, int64_t size)
{
    Memory memory = {bytes, written, size, 0, 0};
    while ((size - 1) >> memory.part_shift >= PARTS)
        memory.part_shift++;
    return memory;
}

Memory memory_at_part(const Reservation *bytes, const Reservation *written, int64_t from,
                      int64_t size)
{
    return memory_of(bytes->bytes + from, written->bytes + from / BYTE_BITS, size);
}

// ---- who has a value

// A large tensor: fewer, larger pages.
static void use_huge_pages(const Memory *memory, int64_t from, int64_t to)
{
    enum { PAGE = 2 << 20 };
    uintptr_t first = ((uintptr_t)memory->bytes + (uintptr_t)from + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = ((uintptr_t)memory->bytes + (uintptr_t)to) / PAGE * PAGE;
    if (first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void memory_use(Memory *memory, int64_t from, int64_t to)
{
    enum { LARGE = 8 << 20 };
    if (from >= to)
        return;
    if (to - from >= LARGE)
        use_huge_pages(memory, from, to);
    int64_t first = from >> memory->part_shift, last = (to - 1) >> memory->part_shift;
    memory->used |= UINT64_MAX << first & UINT64_MAX >> (PARTS - 1 - last);
}

void memory_forget_part(Memory *memory, int64_t from, int64_t to)
{
    for (int64_t at = from, end; at < to; at = end) {
        int64_t part = at >> memory->part_shift;
        end = min_i64(to, (part + 1) << memory->part_shift);
        if (memory->used >> part & 1)
            marks_clear(memory->written, at, end, MARKS_OWN);
    }
}

void memory_each_used(const Memory *memory, void (*visit)(void *own, int64_t from, int64_t to),
                      void *own)
{
    for (uint64_t used = memory->used; used; used &= used - 1) {
        int64_t from = (int64_t)__builtin_ctzll(used) << memory->part_shift;
        visit(own, from, min_i64(memory->size, from + (INT64_C(1) << memory->part_shift)));
    }
}

static void forget_range(void *written, int64_t from, int64_t to)
{
    marks_clear(written, from, to, MARKS_OWN);
}

void memory_forget(Memory *memory)
{
    memory_each_used(memory, forget_range, memory->written);
    memory->used = 0;
}

bool memory_is_written(const Memory *memory, int64_t from, int64_t to)
{
    return marks_are_set(memory->written, from, to);
}

void memory_mark(Memory *memory, int64_t from, int64_t to)
{
    marks_set(memory->written, from, to, MARKS_OWN);
    memory_use(memory, from, to);
}

// The bits of up to 64 bytes from `from` on, `from` first.
static uint64_t written_word(const Memory *memory, int64_t from, int64_t *count)
{
    enum { WORD = 8 };
    const uint8_t *bits = memory->written + from / BYTE_BITS;
    int64_t bytes = min_i64(WORD, ceil_div(memory->size, BYTE_BITS) - from / BYTE_BITS);
    uint8_t copy[WORD] = {0};
    uint64_t word = 0;
    if (bytes == WORD)
        memcpy(copy, bits, WORD);
    else
        memcpy(copy, bits, bytes);
    for (int i = 0; i < WORD; i++) // one load, where bytes are in that order
        word |= (uint64_t)copy[i] << BYTE_BITS * i;
    *count = bytes * BYTE_BITS - from % BYTE_BITS;
    return word >> from % BYTE_BITS;
}

int64_t memory_span(const Memory *memory, int64_t from, int64_t to, bool *written)
{
    int64_t at = from, count;
    *written = memory->written[from / BYTE_BITS] >> from % BYTE_BITS & 1;
    while (at < to) {
        uint64_t word = written_word(memory, at, &count);
        uint64_t other = *written ? ~word : word;
        int64_t same = other ? __builtin_ctzll(other) : count;
        at += min_i64(same, count);
        if (same < count)
            break;
    }
    return min_i64(at, to) - from;
}

int64_t memory_written_bytes(const Memory *memory)
{
    int64_t count = 0, part = INT64_C(1) << memory->part_shift;
    for (int64_t from = 0; from < memory->size; from += part) {
        if (!(memory->used >> (from >> memory->part_shift) & 1))
            continue;
        int64_t to = min_i64(from + part, memory->size);
        for (int64_t i = from / BYTE_BITS; i < to / BYTE_BITS; i++)
            count += __builtin_popcount(memory->written[i]);
    }
    return count;
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
            memset(bytes + done, 0, part);
            memset(written + done, 0, part);
            continue;
        }
        memcpy(bytes + done, memory->bytes + at, part);
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
        memcpy(memory->bytes + at, bytes + done, part);
        for (int64_t i = 0; i < part; i++) {
            uint8_t *mark = &memory->written[(at + i) / BYTE_BITS];
            uint32_t bit = UINT32_C(1) << (at + i) % BYTE_BITS;
            *mark = (uint8_t)(written[done + i] ? *mark | bit : *mark & ~bit);
        }
        memory_use(memory, at, at + part);
    }
}

// ---- elements

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
