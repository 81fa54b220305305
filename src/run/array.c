// Arrays in files.
#include "run/array.h"

#include "base/file.h"
#include "base/npy.h"
#include "base/safetensors.h"
#include "run/state.h"

#include <errno.h>
#include <string.h>

Str element_unfit(Arena *arena, ContraElement type)
{
    return str_format(arena,
                      "has {} as its element type, which is none: they are CONTRA_BOOL ({}) to "
                      "CONTRA_F8E5M2 ({})",
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
    request_report(contra, DIAG_ARGUMENT_UNFIT, "{} {}", what, why);
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
    request_report(contra, DIAG_ARRAY_FILE, "cannot read `{}`{}: {}", path, purpose, fault->text);
}

static void report_archive(Contra *contra, Str path, Str purpose)
{
    Diag *diag =
        request_report(contra, DIAG_ARRAY_FILE,
                       "cannot read `{}`{}: it is an archive, as .npz files are", path, purpose);
    diag_help(diag, "take an array out of it: `np.save(\"x.npy\", np.load(\"{}\")[\"NAME\"])`",
              path);
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
    request_report(contra, DIAG_FILE_UNREADABLE, "cannot read `{}`{}: {}", path, purpose,
                   errno ? strerror(errno) : "it is no file");
    return false;
}

static void report_names(Contra *contra, Str path, Str wanted, const NamedArrays *arrays)
{
    enum { SHOWN = 20 };
    Diag *diag =
        wanted.len
            ? request_report(contra, DIAG_ARRAY_FILE, "`{}` has no array `{}`", path, wanted)
            : request_report(contra, DIAG_ARRAY_FILE, "`{}` has {} arrays; which one is meant?",
                             path, (int)arrays->count);
    StrBuf names = {.arena = &contra->arena};
    for (int64_t i = 0; i < arrays->count && i < SHOWN; i++)
        buf_format(&names, "{}`{}`", i ? ", " : "", arrays->items[i].name);
    if (arrays->count)
        diag_help(diag, "write `{}:NAME`; the arrays are {}{}", path, buf_str(&names),
                  arrays->count > SHOWN ? ", .." : "");
}

// `wanted` must be there if it is `demanded`; otherwise the only array will do.
static const NdArray *choose(Contra *contra, Str path, Str wanted, bool demanded,
                             const NamedArrays *arrays)
{
    for (int64_t i = 0; i < arrays->count; i++)
        if (str_equal(wanted, str_from(arrays->items[i].name)))
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
        if (str_starts_with(bytes, STR("PK\x03\x04"))) // as `np.savez` writes it
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
