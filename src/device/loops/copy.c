// Which way a tile is copied depends on who is contiguous:
//
//     columns on both sides                      rows are runs
//     columns of the source, rows of the dest    a transpose: square blocks in registers
//     otherwise                                  element by element, the longer side inside
#include "device/loops/copy.h"

#include <string.h>

enum { SHORT_BYTES = 256 };

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

// ---- transposes

// A square of `side` x `side` elements: each round deals the rows of both halves like cards; after
// as many rounds as the side has bits, rows are columns.
#define SQUARE(name, type, side, low, high)                                         \
    static inline void name(uint8_t *dest, int64_t dest_col, const uint8_t *source, \
                            int64_t source_row)                                     \
    {                                                                               \
        type rows[side], dealt[side];                                               \
        for (int i = 0; i < (side); i++)                                            \
            memcpy(&rows[i], source + i * source_row, sizeof rows[i]);              \
        for (int round = 1; round < (side); round *= 2) {                           \
            for (int i = 0; i < (side) / 2; i++) {                                  \
                dealt[2 * i] = low(rows[i], rows[i + (side) / 2]);                  \
                dealt[2 * i + 1] = high(rows[i], rows[i + (side) / 2]);             \
            }                                                                       \
            memcpy(rows, dealt, sizeof rows);                                       \
        }                                                                           \
        for (int i = 0; i < (side); i++)                                            \
            memcpy(dest + i * dest_col, &rows[i], sizeof rows[i]);                  \
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

// The whole squares of a tile; what is left at the ends is done element by element.
#define TRANSPOSE(name, square, side)                                                            \
    static void name(const CopyTile *tile)                                                       \
    {                                                                                            \
        int64_t rows = tile->rows / (side) * (side), cols = tile->cols / (side) * (side);        \
        for (int64_t k = 0; k < cols; k += (side))                                               \
            for (int64_t i = 0; i < rows; i += (side))                                           \
                square(tile->dest + k * tile->dest_col + i * tile->bytes, tile->dest_col,        \
                       tile->source + i * tile->source_row + k * tile->bytes, tile->source_row); \
        CopyTile right = *tile, below = *tile;                                                   \
        right.dest += cols * tile->dest_col;                                                     \
        right.source += cols * tile->bytes;                                                      \
        right.cols -= cols;                                                                      \
        right.rows = rows;                                                                       \
        below.dest += rows * tile->bytes;                                                        \
        below.source += rows * tile->source_row;                                                 \
        below.rows -= rows;                                                                      \
        copy_elements(&right);                                                                   \
        copy_elements(&below);                                                                   \
    }

TRANSPOSE(transpose_1, square_1, 16)
TRANSPOSE(transpose_2, square_2, 8)
TRANSPOSE(transpose_4, square_4, 4)
TRANSPOSE(transpose_8, square_8, 2)

static void copy_tile(const CopyTile *tile)
{
    int64_t bytes = tile->bytes;
    if (tile->source_col == bytes && tile->dest_col == bytes) {
        copy_runs(tile, tile->cols * bytes);
    } else if (tile->source_col == bytes && tile->dest_row == bytes && bytes == 1) {
        transpose_1(tile);
    } else if (tile->source_col == bytes && tile->dest_row == bytes && bytes == 2) {
        transpose_2(tile);
    } else if (tile->source_col == bytes && tile->dest_row == bytes && bytes == 4) {
        transpose_4(tile);
    } else if (tile->source_col == bytes && tile->dest_row == bytes && bytes == 8) {
        transpose_8(tile);
    } else if (tile->cols >= tile->rows) {
        copy_elements(tile);
    } else {
        CopyTile turned = *tile;
        turned.rows = tile->cols, turned.cols = tile->rows;
        turned.dest_row = tile->dest_col, turned.dest_col = tile->dest_row;
        turned.source_row = tile->source_col, turned.source_col = tile->source_row;
        copy_elements(&turned);
    }
}

const CopyLoops LOOPS(copy_loops) = {copy_tile};
