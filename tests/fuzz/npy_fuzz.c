// .npy files from arbitrary bytes: refused in words, or an array that is written and read again.
#include "base/npy.h"
#include "law.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_array(Arena *arena, NdArray *array)
{
    StrBuf buf = {.arena = arena};
    NdArray again;
    Fault fault;
    int64_t count, bytes;
    law(ndarray_extent(array->type, array->shape, array->rank, &count, &bytes) &&
            count == array->count,
        "the count is that of the shape");
    ndarray_settle(arena, array);
    npy_header(&buf, array);
    buf_add(&buf, (Str){(const char *)array->data, bytes});
    law(npy_parse(arena, buf_str(&buf), &again, &fault), "what is written is read");
    law(again.type == array->type && again.rank == array->rank && again.count == count,
        "as the same array");
    law(!bytes || memcmp(again.data, array->data, (size_t)bytes) == 0, "with the same bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena = {0};
    NdArray array;
    Fault fault = {0};
    if (npy_parse(&arena, (Str){(const char *)data, (int64_t)size}, &array, &fault))
        check_array(&arena, &array);
    else
        law(*fault.text, "what is refused has a reason");
    arena_release(&arena);
    return 0;
}
