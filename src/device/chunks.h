// A nest, worked out once: the elements it leads to in chunks, which all look alike, and rows of
// chunks that are evenly spaced. A chunk is a packet, or, where a loop of the nest ends inside of
// packets, as large a part of one as is always the same.
#ifndef CONTRA_DEVICE_CHUNKS_H
#define CONTRA_DEVICE_CHUNKS_H

#include "command/nest.h"
#include "device/memory.h"

// Chunks `first` to `first + count - 1`: the first one begins at `bit`, the others each `step` bits
// further.
typedef struct {
    int64_t first, count, bit, step;
} ChunkRow;

typedef struct {
    int64_t element_bits;
    int64_t count;      // chunks
    int64_t elements;   // of a chunk
    int64_t per_packet; // chunks of a packet
    int64_t run;        // elements that lie one behind the other: a chunk is `runs` of them
    int64_t runs;
    int64_t *run_bits; // where each begins, from the first on
    int64_t run_step;  // bits from one run to the next; 0: they are not evenly spaced
    int64_t low, high; // the bits of a chunk, from its beginning on, lie in [low, high)
    struct {
        ARRAY(ChunkRow);
    } rows;
    int64_t *bits;      // by chunk: where it begins. NULL: not asked for
    int64_t least, end; // all bits it leads to lie in [least, end)
} Chunks;

typedef enum {
    CHUNKS_STREAM,     // the elements of the nest are cut into packets
    CHUNKS_BY_PACKETS, // loops between packets and loops inside of them: both may end early
} ChunksKind;

// The first `packets` packets of `elements` elements each. False: no memory.
bool chunks_new(Chunks *chunks, const HwNest *nest, ChunksKind kind, int64_t packets,
                int64_t elements);
// Makes chunks->bits. False: no memory.
bool chunks_list(Chunks *chunks);

typedef enum {
    PLACES_TWICE, // some of them, perhaps: what is written there first is overwritten
    PLACES_APART, // each once
    PLACES_DENSE, // and all between the first and the last
} ChunkPlaces;

// Where it leads; without memory, PLACES_TWICE.
ChunkPlaces chunks_places(const Chunks *chunks);
void chunks_free(Chunks *chunks);

// The bytes that hold all bits of a row, or of a part of one.
typedef struct {
    int64_t from, to;
} ByteRange;

ByteRange chunks_reach(const Chunks *chunks, const ChunkRow *row);
ByteRange chunks_reach_all(const Chunks *chunks);

#endif
