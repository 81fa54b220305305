// Memories at real addresses. A chip reserves all it could ever hold; pages come when they are
// written. Every byte knows whether anybody wrote a value to it since the launch began.
#ifndef CONTRA_DEVICE_MEMORY_H
#define CONTRA_DEVICE_MEMORY_H

#include "base/checked.h"
#include "scalar/bits.h"
#include "scalar/scalar.h"

#include <stdbool.h>
#include <stdint.h>

// Addresses without memory behind them: what is not touched costs nothing.
typedef struct {
    uint8_t *bytes; // zeros where nobody wrote. NULL: none
    int64_t size;
} Reservation;

bool reserve(Reservation *reservation, int64_t size); // false: no memory
void reservation_free(Reservation *reservation);

typedef struct {
    uint8_t *bytes;
    uint8_t *written; // marks: which bytes have a value
    int64_t size;     // bytes; addresses beyond have no value, and drop what is written
    uint64_t used;    // bit p: bytes with a value may lie in the 2^part_shift bytes of part p
    int32_t part_shift;
} Memory;

// Of bytes, and of bits that say which of them have a value.
Memory memory_of(uint8_t *bytes, uint8_t *written, int64_t size);
// A part of two reservations, of which the second holds the bits: `from` is a multiple of 8.
Memory memory_at_part(const Reservation *bytes, const Reservation *written, int64_t from,
                      int64_t size);
// Nothing in it has a value any more.
void memory_forget(Memory *memory);
void memory_forget_part(Memory *memory, int64_t from, int64_t to);
// Parts in which something was ever written.
void memory_each_used(const Memory *memory, void (*visit)(void *own, int64_t from, int64_t to),
                      void *own);

// ---- ranges inside the memory. Only one thread at a time may write to a memory by these.

// The range lies in it.
static inline bool memory_holds(const Memory *memory, int64_t from, int64_t to)
{
    return from >= 0 && from <= to && to <= memory->size;
}
bool memory_is_written(const Memory *memory, int64_t from, int64_t to);
// All of them have a value now. Bits of neighbours in the same eight bytes are written, too.
void memory_mark(Memory *memory, int64_t from, int64_t to);
// Who writes to `written` says where, best before it is done: some bytes of the range may have a
// value now.
void memory_use(Memory *memory, int64_t from, int64_t to);

int64_t memory_written_bytes(const Memory *memory); // that have a value
// How many bytes from `from` on, before `to`, have a value, or have none; *written: which.
int64_t memory_span(const Memory *memory, int64_t from, int64_t to, bool *written);

// ---- any addresses

// Bytes that nobody wrote are 0. `written`: 1 for every byte with a value.
void memory_read(const Memory *memory, int64_t address, int64_t count, uint8_t *bytes,
                 uint8_t *written);
void memory_write(Memory *memory, int64_t address, int64_t count, const uint8_t *bytes,
                  const uint8_t *written);

// The byte of a bit, which may lie before the memory.
static inline int64_t floor_byte(int64_t bit)
{
    return bit >= 0 ? bit / BYTE_BITS : -ceil_div(-bit, BYTE_BITS);
}

// ---- elements, from a bit on that is a whole number of them. `live`: 1 for one with a value.

enum { ELEMENT_BLOCK = 512 }; // the most at a time

void memory_load(const Memory *memory, Scalar type, int64_t bit, int64_t count, uint32_t *bits,
                 uint8_t *live);
// Elements of 4 bits leave the other half of their byte alone; a byte has a value if either half
// has.
void memory_store(Memory *memory, Scalar type, int64_t bit, int64_t count, const uint32_t *bits,
                  const uint8_t *live);

// Bits that say which bytes of a memory have a value: bit b % 8 of byte b / 8 is byte b.

// Whether other threads may write marks of neighbours, which lie in the same byte of marks.
typedef enum { MARKS_OWN, MARKS_SHARED } MarksUse;

// Ranges of equal length, from one to the next the same way.
typedef struct {
    int64_t from, bytes, count, stride;
} MarkRuns;

bool marks_are_set(const uint8_t *marks, int64_t from, int64_t to);
bool marks_runs_are_set(const uint8_t *marks, MarkRuns runs);
void marks_set_runs(uint8_t *marks, MarkRuns runs, MarksUse use);
void marks_clear_runs(uint8_t *marks, MarkRuns runs, MarksUse use);
void marks_set(uint8_t *marks, int64_t from, int64_t to, MarksUse use);
void marks_clear(uint8_t *marks, int64_t from, int64_t to, MarksUse use);
// Of `count` bytes from `from` on to those from `to` on. They may overlap.
void marks_copy(uint8_t *marks, int64_t to, const uint8_t *source, int64_t from, int64_t count,
                MarksUse use);

#endif
