// Arrays: what they are, from files and to files.
#include "api/state.h"

#include "base/checked.h"
#include "base/file.h"
#include "base/npy.h"
#include "base/safetensors.h"
#include "run/array.h"
#include "run/element.h"

#include <errno.h>
#include <string.h>

_Static_assert((int)CONTRA_F8E5M2 + 1 == (int)ELEMENT_COUNT, "the element types are the same");

const char *contra_element_name(ContraElement type)
{
    return (int)type >= 0 && (int)type < ELEMENT_COUNT ? element_infos[type].name : NULL;
}

int64_t contra_array_count(const ContraArray *array)
{
    int64_t count, bytes;
    bool ok = array && contra_element_name(array->type) && array->rank >= 0 &&
              (array->shape || !array->rank) &&
              ndarray_extent((ElementType)array->type, array->shape, array->rank, &count, &bytes);
    return ok ? count : -1;
}

double contra_array_value(const ContraArray *array, int64_t index)
{
    return array && array->data ? element_value((ElementType)array->type, array->data, index) : 0;
}

ContraStatus contra_array_read(Contra *contra, ContraText path, ContraText wanted,
                               ContraArray *array)
{
    CONTRA_GIVES(array, (ContraArray){0});
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, array, "`array`");
    bool ok = array_file_read(contra, str_of(path), str_of(wanted), (Str){0}, array);
    return ok ? CONTRA_OK : CONTRA_INVALID;
}

// ---- writing

static bool refuse(Contra *contra, Str path, const char *why)
{
    request_report(contra, DIAG_ARRAY_FILE, "cannot write `{}`: {}", path, why);
    return false;
}

static bool make_header(Contra *contra, Str path, const NamedArrays *arrays, StrBuf *header)
{
    if (str_ends_with(path, STR(".safetensors")))
        return safetensors_header(header, arrays) ||
               refuse(contra, path, "two arrays have the same name, or one is no UTF-8");
    if (!str_ends_with(path, STR(".npy")) && !str_starts_with(path, STR("/dev/")))
        return refuse(contra, path, "arrays are written to .npy and .safetensors files");
    if (arrays->count != 1)
        return refuse(contra, path, "a .npy file holds one array; use .safetensors for more");
    npy_header(header, &arrays->items[0].array);
    return true;
}

ContraStatus contra_array_write(Contra *contra, ContraText path, const ContraText *names,
                                const ContraArray *arrays, int64_t count)
{
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, IS_LIST(arrays, count), "as many `arrays` as it says");
    Arena *arena = &contra->arena;
    StrBuf header = {.arena = arena};
    NamedArrays named = {arena_new(arena, NamedArray, (size_t)count + 1), count};
    Str *parts = arena_new(arena, Str, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t elements_in = contra_array_count(&arrays[i]);
        if (elements_in < 0 || arrays[i].rank > NDARRAY_MOST_DIMS)
            return refuse(contra, str_of(path), "an array has no shape"), CONTRA_INVALID;
        ElementType type = (ElementType)arrays[i].type;
        const char *name = names ? str_terminated(arena, str_of(names[i])) : "";
        named.items[i] = (NamedArray){name,
                                      {.type = type,
                                       .rank = arrays[i].rank,
                                       .shape = arrays[i].shape,
                                       .count = elements_in,
                                       .data = arrays[i].data}};
        parts[i + 1] = (Str){arrays[i].data, elements_in * element_infos[type].bytes};
    }
    if (!make_header(contra, str_of(path), &named, &header))
        return CONTRA_INVALID;
    parts[0] = buf_str(&header);
    if (file_write(arena, str_of(path), parts, count + 1))
        return CONTRA_OK;
    return request_refuse(contra, DIAG_FILE_UNREADABLE, "cannot write `{}`: {}", str_of(path),
                          strerror(errno));
}
