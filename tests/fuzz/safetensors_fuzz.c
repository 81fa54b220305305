// .safetensors files from arbitrary bytes: refused in words, or arrays that lie side by side in the
// file, and are written and read again.
#include "base/safetensors.h"
#include "law.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t bytes_of(const NdArray *array)
{
    return array->count * element_infos[array->type].bytes;
}

static void check_arrays(Arena *arena, NamedArrays *arrays)
{
    StrBuf buf = {.arena = arena};
    NamedArrays again;
    Fault fault;
    for (int64_t i = 0; i < arrays->count; i++)
        ndarray_settle(arena, &arrays->items[i].array);
    law(safetensors_header(&buf, arrays), "what is read has a header");
    for (int64_t i = 0; i < arrays->count; i++) {
        const NdArray *array = &arrays->items[i].array;
        buf_add(&buf, (Str){(const char *)array->data, bytes_of(array)});
    }
    law(safetensors_parse(arena, buf_str(&buf), &again, &fault), "what is written is read");
    law(again.count == arrays->count, "as the same arrays");
    for (int64_t i = 0; i < arrays->count; i++) {
        const NdArray *a = &arrays->items[i].array, *b = &again.items[i].array;
        law(strcmp(arrays->items[i].name, again.items[i].name) == 0, "with the same names");
        law(bytes_of(a) == bytes_of(b) && memcmp(a->data, b->data, (size_t)bytes_of(a)) == 0,
            "with the same bytes");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena = {0};
    NamedArrays arrays;
    Fault fault = {0};
    if (safetensors_parse(&arena, (Str){(const char *)data, (int64_t)size}, &arrays, &fault))
        check_arrays(&arena, &arrays);
    else
        law(*fault.text, "what is refused has a reason");
    arena_release(&arena);
    return 0;
}
