// Arrays as files hold them: an element type, a shape, and bytes that somebody else owns.
#ifndef CONTRA_BASE_NDARRAY_H
#define CONTRA_BASE_NDARRAY_H

#include "base/str.h"

typedef enum {
#define ELEMENT(type, name, bytes, letter, tag) ELEMENT_##type,
#include "base/ndarray.def"
#undef ELEMENT
    ELEMENT_COUNT
} ElementType;

typedef struct {
    const char *name;
    int32_t bytes;
    char letter;
    const char *tag;
} ElementInfo;

extern const ElementInfo element_infos[ELEMENT_COUNT];

enum { NDARRAY_MOST_DIMS = 64 }; // as NumPy

typedef struct {
    ElementType type;
    int64_t rank;
    const int64_t *shape;
    int64_t count;       // elements
    const uint8_t *data; // `count` elements without gaps
    bool is_fortran;     // the first dimension is the fastest
    bool is_swapped;     // bytes of an element lie in the order of other machines
} NdArray;

// What is wrong with a file, in words: "it ends inside its header". Of a fixed size, so that it
// can be said when there is no memory, and while something must still be freed.
typedef struct {
    char text[240];
} Fault;

// Writes the words; bytes that cannot be shown become `?`. Always false, so that a reader ends with
// it.
bool(fault_say)(Fault *fault, Message message);
#define fault_say(fault, ...) fault_say(fault, MESSAGE(__VA_ARGS__))

// The number of elements and bytes of a shape. False: a dimension is negative, or they do not fit
// in 63 bits.
bool ndarray_extent(ElementType type, const int64_t *shape, int64_t rank, int64_t *count,
                    int64_t *bytes);

// In the order of C and of this machine, and aligned; copied only where it is not so already.
void ndarray_settle(Arena *arena, NdArray *array);

// "(3, 4)", "(3,)", "()": as Python writes a shape.
void shape_print(StrBuf *out, const int64_t *shape, int64_t rank);

// The bytes of a number in the order of files, which is little endian.
uint64_t little_load(const uint8_t *bytes, int32_t count);
bool machine_is_big_endian(void);

#endif
