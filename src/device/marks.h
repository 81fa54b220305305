// Bits that say which bytes of a memory have a value: bit b % 8 of byte b / 8 is byte b.
#ifndef CONTRA_DEVICE_MARKS_H
#define CONTRA_DEVICE_MARKS_H

#include <stdbool.h>
#include <stdint.h>

// Whether other threads may write marks of neighbours, which lie in the same byte of marks.
typedef enum { MARKS_OWN, MARKS_SHARED } MarksUse;

bool marks_are_set(const uint8_t *marks, int64_t from, int64_t to);
void marks_set(uint8_t *marks, int64_t from, int64_t to, MarksUse use);
void marks_clear(uint8_t *marks, int64_t from, int64_t to, MarksUse use);
// Of `count` bytes from `from` on to those from `to` on. They do not overlap, or are the same.
void marks_copy(uint8_t *marks, int64_t to, const uint8_t *source, int64_t from, int64_t count,
                MarksUse use);

#endif
