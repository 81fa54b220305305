// Memory that is needed again and again while a pass runs: each thread keeps what it gave back.
#ifndef CONTRA_DEVICE_SCRATCH_H
#define CONTRA_DEVICE_SCRATCH_H

#include <stdint.h>

enum { SCRATCH_BLOCKS = 16 };

typedef struct {
    struct {
        void *memory;
        int64_t bytes;
    } blocks[SCRATCH_BLOCKS]; // that nobody has, the last one given back last
    int count;
} Scratch;

// Aligned for the widest vectors; what is in it is anything. NULL: no memory.
void *scratch_take(Scratch *scratch, int64_t bytes);
void *scratch_take_zeroed(Scratch *scratch, int64_t bytes);
void scratch_give(Scratch *scratch, void *memory); // of any scratch; NULL: nothing
// Keeps little.
void scratch_trim(Scratch *scratch);
void scratch_free(Scratch *scratch);

#endif
