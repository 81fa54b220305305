#include "device/marks.h"

#include <string.h>

enum { BYTE_BITS = 8, ALL = 0xff };

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
        memset(marks + range.first + 1, bits, (size_t)(range.last - range.first - 1));
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
    return count <= 0 || (*inner == ALL && !memcmp(inner, inner + 1, (size_t)count - 1));
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
        memmove(marks + to.first + 1, source + 1, (size_t)last - 1);
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
