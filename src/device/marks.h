// Bits that say which bytes of a memory have a value: bit b % 8 of byte b / 8 is byte b.
#ifndef CONTRA_DEVICE_MARKS_H
#define CONTRA_DEVICE_MARKS_H

#include <stdbool.h>
#include <stdint.h>

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
