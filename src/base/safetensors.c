// {"name": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}, "__metadata__": {..}}
//
// Offsets count from the end of the header. Jansson judges the text. While its document is alive
// the arena is only tried: an exhausted one leaves by longjmp, which frees only what is in arenas.
#include "base/safetensors.h"

#include "base/checked.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, LARGEST_HEADER = 100 * 1000 * 1000, ALIGNMENT = 8, SHOWN_NAME = 60 };

// ---- one array

typedef struct {
    const char *name;
    json_t *json;
    Str data; // of all arrays
    Fault *fault;
} Entry;

static bool refuse(const Entry *entry, const char *what)
{
    return fault_say(entry->fault, "the array `{.*}` in it {}", SHOWN_NAME, entry->name, what);
}

static bool read_dtype(const Entry *entry, NdArray *array)
{
    const char *tag = json_string_value(json_object_get(entry->json, "dtype"));
    if (!tag)
        return refuse(entry, "has no dtype");
    for (ElementType type = 0; type < ELEMENT_COUNT; type++) {
        if (strcmp(element_infos[type].tag, tag) != 0)
            continue;
        array->type = type;
        return true;
    }
    return fault_say(entry->fault,
                     "the array `{.*}` in it has the dtype `{.20}`, which is not known", SHOWN_NAME,
                     entry->name, tag);
}

// A list of `count` numbers that are not negative.
static bool read_numbers(const json_t *list, int64_t count, int64_t *numbers)
{
    for (int64_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        if (!json_is_integer(item) || json_integer_value(item) < 0)
            return false;
        numbers[i] = json_integer_value(item);
    }
    return true;
}

static bool read_entry(const Entry *entry, NdArray *array, int64_t *shape)
{
    const json_t *dims = json_object_get(entry->json, "shape"),
                 *place = json_object_get(entry->json, "data_offsets");
    int64_t offsets[2], need;
    *array = (NdArray){.is_swapped = machine_is_big_endian()};
    if (!json_is_object(entry->json))
        return refuse(entry, "is not described by an object");
    if (!read_dtype(entry, array))
        return false;
    array->rank = (int64_t)json_array_size(dims);
    if (array->rank > NDARRAY_MOST_DIMS)
        return refuse(entry, "has more than 64 dimensions");
    if (!json_is_array(dims) || !read_numbers(dims, array->rank, shape))
        return refuse(entry, "has no shape of whole numbers");
    if (!json_is_array(place) || json_array_size(place) != 2 || !read_numbers(place, 2, offsets))
        return refuse(entry, "has no two data_offsets");
    if (!ndarray_extent(array->type, shape, array->rank, &array->count, &need))
        return refuse(entry, "has more elements than any memory");
    if (offsets[0] > offsets[1] || offsets[1] > entry->data.len)
        return refuse(entry, "lies outside of the file");
    if (offsets[1] - offsets[0] != need)
        return fault_say(entry->fault,
                         "the array `{.*}` in it has {} bytes of data, its shape needs {}",
                         SHOWN_NAME, entry->name, offsets[1] - offsets[0], need);
    array->data = (const uint8_t *)entry->data.data + offsets[0];
    return true;
}

// ---- all of them

static int by_place(const void *left, const void *right)
{
    const NamedArray *a = left, *b = right;
    if (a->array.data != b->array.data)
        return a->array.data < b->array.data ? -1 : 1;
    if (a->array.count != b->array.count)
        return a->array.count < b->array.count ? -1 : 1; // an empty one first
    return strcmp(a->name, b->name);
}

// Side by side, from the first byte to the last.
static bool check_places(const NamedArrays *arrays, Str data, Fault *fault)
{
    const uint8_t *next = (const uint8_t *)data.data, *end = next + data.len;
    for (int64_t i = 0; i < arrays->count; i++) {
        const NamedArray *item = &arrays->items[i];
        if (item->array.data < next)
            return fault_say(fault, "the arrays `{.*}` and `{.*}` in it share bytes", SHOWN_NAME,
                             arrays->items[i - 1].name, SHOWN_NAME, item->name);
        if (item->array.data > next)
            return fault_say(fault, "{} bytes before the array `{.*}` in it belong to none",
                             (item->array.data - next), SHOWN_NAME, item->name);
        next += item->array.count * element_infos[item->array.type].bytes;
    }
    return next == end || fault_say(fault, "{} bytes at its end belong to no array", (end - next));
}

typedef enum { READ_DONE, READ_REFUSED, READ_NO_MEMORY } ReadResult;

static ReadResult read_entries(Arena *arena, json_t *root, Str data, NamedArrays *arrays,
                               Fault *fault)
{
    const char *name;
    json_t *value;
    arrays->items =
        arena_try_alloc(arena, sizeof(NamedArray), alignof(NamedArray), json_object_size(root) + 1);
    if (!arrays->items)
        return READ_NO_MEMORY;
    json_object_foreach(root, name, value)
    {
        if (strcmp(name, "__metadata__") == 0)
            continue;
        int64_t shape[NDARRAY_MOST_DIMS];
        Entry entry = {name, value, data, fault};
        NamedArray *item = &arrays->items[arrays->count];
        if (!read_entry(&entry, &item->array, shape))
            return READ_REFUSED;
        size_t name_bytes = strlen(name) + 1, rank = (size_t)item->array.rank;
        char *name_room = arena_try_alloc(arena, 1, 1, name_bytes);
        int64_t *shape_room = arena_try_alloc(arena, sizeof(int64_t), alignof(int64_t), rank + 1);
        if (!name_room || !shape_room)
            return READ_NO_MEMORY;
        item->name = memcpy(name_room, name, name_bytes);
        item->array.shape = memcpy(shape_room, shape, rank * sizeof *shape);
        arrays->count++;
    }
    return READ_DONE;
}

bool safetensors_parse(Arena *arena, Str bytes, NamedArrays *arrays, Fault *fault)
{
    *arrays = (NamedArrays){0};
    if (bytes.len < LENGTH_BYTES)
        return fault_say(fault, "it ends inside the length of its header");
    uint64_t length = little_load((const uint8_t *)bytes.data, LENGTH_BYTES);
    if (length > LARGEST_HEADER || (int64_t)length > bytes.len - LENGTH_BYTES)
        return fault_say(fault,
                         "it says that its header is {} bytes long; it is no .safetensors file, or "
                         "not all of one",
                         length);
    Str data = str_slice(bytes, LENGTH_BYTES + (int64_t)length, bytes.len);
    json_error_t error;
    json_t *root =
        json_loadb(bytes.data + LENGTH_BYTES, (size_t)length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root)) {
        fault_say(fault, "its header is no JSON object: {.150}", root ? "a list" : error.text);
        json_decref(root);
        return false;
    }
    ReadResult result = read_entries(arena, root, data, arrays, fault);
    json_decref(root);
    if (result == READ_NO_MEMORY)
        arena_exhausted(arena);
    if (result == READ_REFUSED)
        return false;
    if (arrays->count)
        qsort(arrays->items, (size_t)arrays->count, sizeof(NamedArray), by_place);
    return check_places(arrays, data, fault);
}

// ---- writing

static json_t *describe(const NdArray *array, int64_t start, int64_t end)
{
    json_t *shape = json_array();
    for (int64_t i = 0; i < array->rank; i++)
        json_array_append_new(shape, json_integer(array->shape[i]));
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", element_infos[array->type].tag, "shape",
                     shape, "data_offsets", (json_int_t)start, (json_int_t)end);
}

static char *header_text(const NamedArrays *arrays)
{
    json_t *root = json_object();
    int64_t at = 0;
    bool ok = true;
    for (int64_t i = 0; i < arrays->count && ok; i++) {
        const NdArray *array = &arrays->items[i].array;
        int64_t end = at + array->count * element_infos[array->type].bytes;
        ok = !json_object_get(root, arrays->items[i].name) &&
             json_object_set_new(root, arrays->items[i].name, describe(array, at, end)) == 0;
        at = end;
    }
    char *text = ok ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

bool safetensors_header(StrBuf *out, const NamedArrays *arrays)
{
    char *text = header_text(arrays);
    if (!text)
        return false;
    size_t length = strlen(text);
    uint64_t padded = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *room = arena_try_alloc(out->arena, 1, 1, LENGTH_BYTES + padded);
    if (room) {
        for (int i = 0; i < LENGTH_BYTES; i++)
            room[i] = (char)(padded >> 8 * i);
        memset(room + LENGTH_BYTES, ' ', padded);
        memcpy(room + LENGTH_BYTES, text, length);
    }
    free(text);
    if (!room)
        arena_exhausted(out->arena);
    buf_add(out, (Str){room, (int64_t)(LENGTH_BYTES + padded)});
    return true;
}
