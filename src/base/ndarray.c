#include "base/ndarray.h"

#include "base/checked.h"

#include <string.h>

const ElementInfo element_infos[ELEMENT_COUNT] = {
#define ELEMENT(type, name, bytes, letter, tag) [ELEMENT_##type] = {name, bytes, letter, tag},
#include "base/ndarray.def"
#undef ELEMENT
};

bool(fault_say)(Fault *fault, Message message)
{
    message_write(message, fault->text, sizeof fault->text);
    for (char *c = fault->text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return false;
}

bool ndarray_extent(ElementType type, const int64_t *shape, int64_t rank, int64_t *count,
                    int64_t *bytes)
{
    bool empty = false;
    *count = 1;
    for (int64_t i = 0; i < rank; i++) {
        if (shape[i] < 0)
            return false;
        empty |= shape[i] == 0; // whatever the other dimensions multiply to
    }
    for (int64_t i = 0; i < rank && !empty; i++)
        if (!checked_mul(*count, shape[i], count))
            return false;
    *count = empty ? 0 : *count;
    return checked_mul(*count, element_infos[type].bytes, bytes);
}

uint64_t little_load(const uint8_t *bytes, int32_t count)
{
    uint64_t value = 0;
    for (int32_t i = count - 1; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

bool machine_is_big_endian(void)
{
    uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static void copy_element(uint8_t *to, const uint8_t *from, int32_t bytes, bool swap)
{
    for (int32_t i = 0; i < bytes; i++)
        to[i] = from[swap ? bytes - 1 - i : i];
}

// Walks the target in order; `at` is the place of the same element in the source.
static void reorder(const NdArray *array, uint8_t *to)
{
    int32_t bytes = element_infos[array->type].bytes;
    int64_t index[NDARRAY_MOST_DIMS] = {0}, stride[NDARRAY_MOST_DIMS], step = 1, at = 0;
    for (int64_t k = 0; k < array->rank; k++) {
        int64_t dim = array->is_fortran ? k : array->rank - 1 - k;
        stride[dim] = step;
        step *= array->shape[dim];
    }
    for (int64_t i = 0; i < array->count; i++) {
        copy_element(to + i * bytes, array->data + at * bytes, bytes, array->is_swapped);
        for (int64_t dim = array->rank - 1; dim >= 0; dim--) {
            at += stride[dim];
            if (++index[dim] < array->shape[dim])
                break;
            at -= stride[dim] * array->shape[dim];
            index[dim] = 0;
        }
    }
}

void ndarray_settle(Arena *arena, NdArray *array)
{
    int32_t bytes = element_infos[array->type].bytes;
    bool swapped = array->is_swapped && bytes > 1, fortran = array->is_fortran && array->rank > 1;
    bool aligned = (uintptr_t)array->data % (uintptr_t)bytes == 0;
    if (array->count && (swapped || fortran || !aligned)) {
        uint8_t *data = arena_alloc(arena, (size_t)bytes, 8, (size_t)array->count);
        reorder(array, data);
        array->data = data;
    }
    array->is_swapped = array->is_fortran = false;
}

void shape_print(StrBuf *out, const int64_t *shape, int64_t rank)
{
    buf_add_char(out, '(');
    for (int64_t i = 0; i < rank; i++)
        buf_format(out, "{}{}", i ? ", " : "", shape[i]);
    buf_format(out, rank == 1 ? ",)" : ")");
}
