// Which way a tile is copied depends on who is contiguous:
//
//     columns on both sides                      rows are runs
//     columns of the source, rows of the dest    a transpose
//     columns of the dest; the source stays      a run of the same element again and again
//     otherwise                                  element by element, the longer side inside
//
// A transpose goes through a stage in the cache: strides are often powers of two, whose lines fall
// into each other's places, so each line of either side is touched once only, all of it.
#include "device/loops/copy.h"

#include <string.h>

enum {
    SHORT_BYTES = 256,
    STAGE_RUN = 256,                        // bytes of a row of the stage
    STAGED_BYTES = 16,                      // elements up to this size are staged
    STAGE_PITCH = STAGE_RUN + STAGED_BYTES, // from row to row: not a power of two
    LEAST_SIDE = 4,                         // elements: narrower tiles are not
};

// ---- runs

// Two copies of a fixed size that may overlap: any size from one to twice that.
#define COPY_ENDS(size)                                 \
    do {                                                \
        typedef struct {                                \
            uint8_t bytes[size];                        \
        } Part;                                         \
        Part head, tail;                                \
        memcpy(&head, source, (size));                  \
        memcpy(&tail, source + count - (size), (size)); \
        memcpy(dest, &head, (size));                    \
        memcpy(dest + count - (size), &tail, (size));   \
    } while (0)

static inline void copy_short(uint8_t *dest, const uint8_t *source, int64_t count)
{
    if (count > 128)
        COPY_ENDS(128);
    else if (count > 64)
        COPY_ENDS(64);
    else if (count > 32)
        COPY_ENDS(32);
    else if (count >= 16)
        COPY_ENDS(16);
    else if (count >= 8)
        COPY_ENDS(8);
    else if (count >= 4)
        COPY_ENDS(4);
    else if (count >= 2)
        COPY_ENDS(2);
    else
        *dest = *source;
}

static void copy_runs(const CopyTile *tile, int64_t count)
{
    uint8_t *dest = tile->dest;
    const uint8_t *source = tile->source;
    for (int64_t i = 0; i < tile->rows; i++) {
        if (count <= SHORT_BYTES)
            copy_short(dest, source, count);
        else if (dest != source)
            memcpy(dest, source, (size_t)count);
        dest += tile->dest_row;
        source += tile->source_row;
    }
}

// ---- elements

#define STRIDED(name, type)                                                                \
    static void name(uint8_t *dest, const uint8_t *source, int64_t count, int64_t to_next, \
                     int64_t from_next)                                                    \
    {                                                                                      \
        for (int64_t i = 0; i < count; i++) {                                              \
            type value;                                                                    \
            memcpy(&value, source + i * from_next, sizeof value);                          \
            memcpy(dest + i * to_next, &value, sizeof value);                              \
        }                                                                                  \
    }

STRIDED(strided_1, uint8_t)
STRIDED(strided_2, uint16_t)
STRIDED(strided_4, uint32_t)
STRIDED(strided_8, uint64_t)

static void strided_any(uint8_t *dest, const uint8_t *source, int64_t count, int64_t to_next,
                        int64_t from_next, int64_t bytes)
{
    for (int64_t i = 0; i < count; i++) {
        if (bytes <= SHORT_BYTES)
            copy_short(dest, source, bytes);
        else if (dest != source)
            memcpy(dest, source, (size_t)bytes);
        dest += to_next;
        source += from_next;
    }
}

static void copy_elements(const CopyTile *tile)
{
    for (int64_t i = 0; i < tile->rows; i++) {
        uint8_t *dest = tile->dest + i * tile->dest_row;
        const uint8_t *source = tile->source + i * tile->source_row;
        int64_t count = tile->cols, to = tile->dest_col, from = tile->source_col;
        switch (tile->bytes) {
        case 1:
            strided_1(dest, source, count, to, from);
            break;
        case 2:
            strided_2(dest, source, count, to, from);
            break;
        case 4:
            strided_4(dest, source, count, to, from);
            break;
        case 8:
            strided_8(dest, source, count, to, from);
            break;
        default:
            strided_any(dest, source, count, to, from, tile->bytes);
        }
    }
}

// An element that the source has once.
static void repeat_elements(const CopyTile *tile)
{
    uint8_t pattern[SHORT_BYTES];
    int64_t bytes = tile->bytes, all = tile->cols * bytes;
    int64_t most = SHORT_BYTES / bytes * bytes, held = all < most ? all : most;
    for (int64_t i = 0; i < tile->rows; i++) {
        uint8_t *dest = tile->dest + i * tile->dest_row;
        copy_short(pattern, tile->source + i * tile->source_row, bytes);
        for (int64_t k = bytes; k < held; k *= 2)
            copy_short(pattern + k, pattern, held - k < k ? held - k : k);
        for (int64_t k = 0; k < all; k += held)
            copy_short(dest + k, pattern, all - k < held ? all - k : held);
    }
}

// ---- transposes

// A square of `side` x `side` elements: each round deals the rows of both halves like cards; after
// as many rounds as the side has bits, rows are columns.
#define SQUARE(name, type, side, low, high)                             \
    static inline void name(uint8_t *dest, const uint8_t *source)       \
    {                                                                   \
        type rows[side], dealt[side];                                   \
        for (int i = 0; i < (side); i++)                                \
            memcpy(&rows[i], source + i * STAGE_PITCH, sizeof rows[i]); \
        for (int round = 1; round < (side); round *= 2) {               \
            for (int i = 0; i < (side) / 2; i++) {                      \
                dealt[2 * i] = low(rows[i], rows[i + (side) / 2]);      \
                dealt[2 * i + 1] = high(rows[i], rows[i + (side) / 2]); \
            }                                                           \
            memcpy(rows, dealt, sizeof rows);                           \
        }                                                               \
        for (int i = 0; i < (side); i++)                                \
            memcpy(dest + i * STAGE_PITCH, &rows[i], sizeof rows[i]);   \
    }

typedef uint8_t Bytes16 __attribute__((vector_size(16)));
typedef uint16_t Halves8 __attribute__((vector_size(16)));
typedef uint32_t Words4 __attribute__((vector_size(16)));
typedef uint64_t Longs2 __attribute__((vector_size(16)));

#define LOW_1(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_1(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_2(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_2(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_4(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_8(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH_8(a, b) __builtin_shufflevector(a, b, 1, 3)

SQUARE(square_1, Bytes16, 16, LOW_1, HIGH_1)
SQUARE(square_2, Halves8, 8, LOW_2, HIGH_2)
SQUARE(square_4, Words4, 4, LOW_4, HIGH_4)
SQUARE(square_8, Longs2, 2, LOW_8, HIGH_8)

// `side` columns of the stage become rows, by squares.
#define TURN(name, square, side)                                                         \
    static void name(uint8_t *turned, const uint8_t *stage, int64_t rows, int64_t bytes) \
    {                                                                                    \
        for (int64_t i = 0; i < rows; i += (side))                                       \
            square(turned + i * bytes, stage + i * STAGE_PITCH);                         \
    }

TURN(turn_1, square_1, 16)
TURN(turn_2, square_2, 8)
TURN(turn_4, square_4, 4)
TURN(turn_8, square_8, 2)

// One column, of elements of any size: more is copied than they have, and the next one lands on it.
static void turn_any(uint8_t *turned, const uint8_t *stage, int64_t rows, int64_t bytes)
{
    for (int64_t i = 0; i < rows; i++)
        memcpy(turned + i * bytes, stage + i * STAGE_PITCH, STAGED_BYTES);
}

typedef struct {
    int64_t side; // columns at a time
    void (*turn)(uint8_t *turned, const uint8_t *stage, int64_t rows, int64_t bytes);
} Turn;

static Turn turn_of(int64_t bytes)
{
    static const Turn turns[] = {
        [1] = {16, turn_1}, [2] = {8, turn_2}, [4] = {4, turn_4}, [8] = {2, turn_8}};
    bool has_own = bytes < (int64_t)(sizeof turns / sizeof *turns) && turns[bytes].turn;
    return has_own ? turns[bytes] : (Turn){1, turn_any};
}

// A part of which every row and every column has at most STAGE_RUN bytes. What squares take beyond
// its ends lands in the stage beyond the ends of what is copied on.
static void transpose_part(const CopyTile *tile, Turn turn)
{
    enum { MOST_SIDE = 16 };
    static const uint8_t nothing[STAGE_RUN];
    uint8_t stage[STAGE_RUN * STAGE_PITCH], turned[MOST_SIDE * STAGE_PITCH];
    int64_t bytes = tile->bytes, width = tile->cols * bytes, height = tile->rows * bytes;
    int64_t rows = (tile->rows + turn.side - 1) / turn.side * turn.side;
    for (int64_t i = 0; i < rows; i++)
        copy_short(stage + i * STAGE_PITCH,
                   i < tile->rows ? tile->source + i * tile->source_row : nothing, width);
    for (int64_t k = 0; k < tile->cols; k += turn.side) {
        turn.turn(turned, stage + k * bytes, rows, bytes);
        for (int64_t j = 0; j < turn.side && k + j < tile->cols; j++)
            copy_short(tile->dest + (k + j) * tile->dest_col, turned + j * STAGE_PITCH, height);
    }
}

static void transpose(const CopyTile *tile)
{
    const Turn turn = turn_of(tile->bytes);
    int64_t most = STAGE_RUN / tile->bytes;
    CopyTile part = *tile;
    for (int64_t k = 0; k < tile->cols; k += most)
        for (int64_t i = 0; i < tile->rows; i += most) {
            part.dest = tile->dest + k * tile->dest_col + i * tile->bytes;
            part.source = tile->source + i * tile->source_row + k * tile->bytes;
            part.cols = tile->cols - k < most ? tile->cols - k : most;
            part.rows = tile->rows - i < most ? tile->rows - i : most;
            transpose_part(&part, turn);
        }
}

static bool is_transpose(const CopyTile *tile)
{
    return tile->source_col == tile->bytes && tile->dest_row == tile->bytes &&
           tile->bytes <= STAGED_BYTES && tile->rows >= LEAST_SIDE && tile->cols >= LEAST_SIDE;
}

static CopyTile turn_tile(const CopyTile *tile)
{
    CopyTile turned = *tile;
    turned.rows = tile->cols, turned.cols = tile->rows;
    turned.dest_row = tile->dest_col, turned.dest_col = tile->dest_row;
    turned.source_row = tile->source_col, turned.source_col = tile->source_row;
    return turned;
}

static void copy_tile(const CopyTile *tile)
{
    int64_t bytes = tile->bytes;
    const CopyTile turned = turn_tile(tile);
    if (tile->source_col == bytes && tile->dest_col == bytes)
        copy_runs(tile, tile->cols * bytes);
    else if (is_transpose(tile))
        transpose(tile);
    else if (tile->source_col == 0 && tile->dest_col == bytes && bytes <= SHORT_BYTES / 2)
        repeat_elements(tile);
    else if (tile->source_row == 0 && tile->dest_row == bytes && bytes <= SHORT_BYTES / 2)
        repeat_elements(&turned);
    else
        copy_elements(tile->cols >= tile->rows ? tile : &turned);
}

const CopyLoops LOOPS(copy_loops) = {copy_tile};
