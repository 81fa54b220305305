// Arrays in files.
#include "api/array.h"

#include "api/element.h"
#include "api/state.h"
#include "base/checked.h"
#include "base/file.h"
#include "base/npy.h"
#include "base/safetensors.h"

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

Str element_unfit(Arena *arena, ContraElement type)
{
    return str_format(arena,
                      "has %d as its element type, which is none: they are CONTRA_BOOL (%d) to "
                      "CONTRA_F8E5M2 (%d)",
                      (int)type, CONTRA_BOOL, CONTRA_F8E5M2);
}

static const char *unfit(Contra *contra, const ContraArray *array)
{
    if (!contra_element_name(array->type))
        return str_terminated(&contra->arena, element_unfit(&contra->arena, array->type));
    if (array->rank < 0)
        return "has a negative rank";
    return array->rank && !array->shape ? "has no shape, and a rank" : NULL;
}

static bool refuse_array(Contra *contra, const char *what, const char *why)
{
    diag_add(&contra->diags, DIAG_ARGUMENT_UNFIT, SPAN_NOWHERE, "%s %s", what, why);
    return false;
}

bool array_is_described(Contra *contra, const ContraArray *array, const char *what)
{
    const char *why = unfit(contra, array);
    return !why || refuse_array(contra, what, why);
}

bool array_is_whole(Contra *contra, const ContraArray *array, const char *what)
{
    if (!array_is_described(contra, array, what))
        return false;
    return array->data || !contra_array_count(array) || refuse_array(contra, what, "has no data");
}

// ---- reading

static void report(Contra *contra, Str path, Str purpose, const Fault *fault)
{
    diag_add(&contra->diags, DIAG_ARRAY_FILE, SPAN_NOWHERE, "cannot read `%.*s`%.*s: %s",
             STR_ARG(path), STR_ARG(purpose), fault->text);
}

// An archive of arrays, as `np.savez` writes it, is one of ZIP.
static bool is_archive(Str bytes)
{
    return str_starts_with(bytes, STR("PK\x03\x04"));
}

static void report_archive(Contra *contra, Str path, Str purpose)
{
    Diag *diag = diag_add(&contra->diags, DIAG_ARRAY_FILE, SPAN_NOWHERE,
                          "cannot read `%.*s`%.*s: it is an archive, as .npz files are",
                          STR_ARG(path), STR_ARG(purpose));
    diag_help(diag, "take an array out of it: `np.save(\"x.npy\", np.load(\"%.*s\")[\"NAME\"])`",
              STR_ARG(path));
}

// The bytes of a file; of what is no ordinary one, such as a pipe, a copy.
static bool open_file(Contra *contra, Str path, Str purpose, Str *bytes)
{
    Str *mapped = array_push(&contra->arena, &contra->mapped, Str);
    if (file_map(&contra->arena, path, mapped)) {
        *bytes = *mapped;
        return true;
    }
    contra->mapped.count--;
    errno = 0;
    if (file_read(&contra->arena, path, bytes))
        return true;
    diag_add(&contra->diags, DIAG_FILE_UNREADABLE, SPAN_NOWHERE, "cannot read `%.*s`%.*s: %s",
             STR_ARG(path), STR_ARG(purpose), errno ? strerror(errno) : "it is no file");
    return false;
}

static void report_names(Contra *contra, Str path, Str wanted, const NamedArrays *arrays)
{
    enum { SHOWN = 20 };
    Diag *diag = wanted.len ? diag_add(&contra->diags, DIAG_ARRAY_FILE, SPAN_NOWHERE,
                                       "`%.*s` has no array `%.*s`", STR_ARG(path), STR_ARG(wanted))
                            : diag_add(&contra->diags, DIAG_ARRAY_FILE, SPAN_NOWHERE,
                                       "`%.*s` has %d arrays; which one is meant?", STR_ARG(path),
                                       (int)arrays->count);
    StrBuf names = {.arena = &contra->arena};
    for (int64_t i = 0; i < arrays->count && i < SHOWN; i++)
        buf_printf(&names, "%s`%s`", i ? ", " : "", arrays->items[i].name);
    if (arrays->count)
        diag_help(diag, "write `%.*s:NAME`; the arrays are %.*s%s", STR_ARG(path),
                  STR_ARG(buf_str(&names)), arrays->count > SHOWN ? ", .." : "");
}

// `wanted` must be there if it is `demanded`; otherwise the only array will do.
static const NdArray *choose(Contra *contra, Str path, Str wanted, bool demanded,
                             const NamedArrays *arrays)
{
    for (int64_t i = 0; i < arrays->count; i++)
        if (str_equal(str_from(arrays->items[i].name), wanted))
            return &arrays->items[i].array;
    if (!demanded && arrays->count == 1)
        return &arrays->items[0].array;
    report_names(contra, path, demanded ? wanted : (Str){0}, arrays);
    return NULL;
}

// Splits "F.safetensors:NAME".
static bool split_name(Str *path, Str *name)
{
    static const Str mark = {".safetensors:", 13};
    for (int64_t i = 0; i + mark.len <= path->len; i++) {
        if (!str_equal(str_slice(*path, i, i + mark.len), mark))
            continue;
        *name = str_slice(*path, i + mark.len, path->len);
        *path = str_slice(*path, 0, i + mark.len - 1);
        return true;
    }
    return false;
}

bool is_array_path(Str path)
{
    Str name;
    return split_name(&path, &name) || str_ends_with(path, STR(".npy")) ||
           str_ends_with(path, STR(".safetensors"));
}

static bool read_any(Contra *contra, Str path, Str wanted, Str purpose, NdArray *array)
{
    Str bytes;
    Fault fault;
    NamedArrays arrays;
    bool demanded = split_name(&path, &wanted);
    if (!open_file(contra, path, purpose, &bytes))
        return false;
    if (!demanded && !str_ends_with(path, STR(".safetensors"))) {
        if (npy_parse(&contra->arena, bytes, array, &fault))
            return true;
        if (is_archive(bytes))
            report_archive(contra, path, purpose);
        else
            report(contra, path, purpose, &fault);
        return false;
    }
    if (!safetensors_parse(&contra->arena, bytes, &arrays, &fault)) {
        report(contra, path, purpose, &fault);
        return false;
    }
    const NdArray *found = choose(contra, path, wanted, demanded, &arrays);
    if (found)
        *array = *found;
    return found;
}

bool array_file_read(Contra *contra, Str path, Str wanted, Str purpose, ContraArray *array)
{
    NdArray found;
    *array = (ContraArray){0};
    if (!read_any(contra, path, wanted, purpose, &found))
        return false;
    ndarray_settle(&contra->arena, &found);
    *array = (ContraArray){(ContraElement)found.type, found.rank, found.shape, found.data};
    return true;
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
    diag_add(&contra->diags, DIAG_ARRAY_FILE, SPAN_NOWHERE, "cannot write `%.*s`: %s",
             STR_ARG(path), why);
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
    NamedArrays named = {arena_new(arena, NamedArray, (size_t)max_i64(1, count)), count};
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
    diag_add(&contra->diags, DIAG_FILE_UNREADABLE, SPAN_NOWHERE, "cannot write `%.*s`: %s",
             STR_ARG(str_of(path)), strerror(errno));
    return CONTRA_INVALID;
}
