// "\x93NUMPY", two bytes of version, the length of the header (2 bytes in version 1, 4 later), the
// header, the data. The header is a Python dictionary:
//
//     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
// filled up with blanks so that the data start at a multiple of 64.
#include "base/npy.h"

#include "base/checked.h"

#include <string.h>

static const char magic[] = "\x93NUMPY";

enum { MAGIC_BYTES = 6, DATA_ALIGNMENT = 64, LARGEST_HEADER = 1 << 20 };

bool npy_is(Str bytes)
{
    return bytes.len >= MAGIC_BYTES && memcmp(bytes.data, magic, MAGIC_BYTES) == 0;
}

// ---- the header as Python wrote it

typedef struct {
    Str text;
    int64_t at;
    Fault *fault;
} Header;

static char peek(Header *header)
{
    while (header->at < header->text.len && strchr(" \t\r\n", header->text.data[header->at]) &&
           header->text.data[header->at])
        header->at++;
    return header->at < header->text.len ? header->text.data[header->at] : 0;
}

static bool accept(Header *header, char c)
{
    bool there = peek(header) == c && c;
    header->at += there;
    return there;
}

static bool expect(Header *header, char c)
{
    return accept(header, c) ||
           fault_say(header->fault, "its header has no `{c}` at byte {}", c, header->at);
}

// string = "'" [^']* "'" | '"' [^"]* '"'
static bool read_string(Header *header, Str *text)
{
    char quote = peek(header);
    if (quote != '\'' && quote != '"')
        return fault_say(header->fault, "its header has no string at byte {}", header->at);
    int64_t start = ++header->at;
    while (header->at < header->text.len && header->text.data[header->at] != quote)
        header->at++;
    if (header->at == header->text.len)
        return fault_say(header->fault, "a string in its header does not end");
    *text = str_slice(header->text, start, header->at++);
    return true;
}

static bool read_number(Header *header, int64_t *number)
{
    peek(header);
    int64_t start = header->at;
    while (header->at < header->text.len && header->text.data[header->at] >= '0' &&
           header->text.data[header->at] <= '9')
        header->at++;
    Str digits = str_slice(header->text, start, header->at);
    accept(header, 'L'); // of Python 2
    return str_to_i64(digits, number) ||
           fault_say(header->fault, "a dimension in its header is no number of 63 bits");
}

static bool read_flag(Header *header, bool *flag)
{
    static const Str words[] = {{"False", 5}, {"True", 4}};
    peek(header);
    Str rest = str_slice(header->text, header->at, header->text.len);
    for (int i = 0; i < 2; i++) {
        if (!str_starts_with(rest, words[i]))
            continue;
        header->at += words[i].len;
        *flag = i == 1;
        return true;
    }
    return fault_say(header->fault, "fortran_order in its header is neither True nor False");
}

// shape = "(" [number ("," number)* [","]] ")"
static bool read_shape(Header *header, int64_t shape[NDARRAY_MOST_DIMS], int64_t *rank)
{
    *rank = 0;
    if (!expect(header, '('))
        return false;
    while (!accept(header, ')')) {
        if (*rank == NDARRAY_MOST_DIMS)
            return fault_say(header->fault, "it has more than {} dimensions", NDARRAY_MOST_DIMS);
        if (!read_number(header, &shape[(*rank)++]))
            return false;
        if (!accept(header, ',') && peek(header) != ')')
            return expect(header, ')');
    }
    return true;
}

// "<f4": byte order, kind, bytes
static bool read_type(Header *header, NdArray *array)
{
    Str text;
    if (peek(header) == '[')
        return fault_say(header->fault,
                         "its elements have several fields; only plain numbers can be read");
    if (!read_string(header, &text))
        return false;
    if (text.len >= 2 && text.data[1] == 'O')
        return fault_say(header->fault,
                         "its elements are Python objects; only plain numbers can be read");
    bool plain = text.len == 3 && text.data[0] && strchr("<>|=", text.data[0]) && text.data[1];
    for (ElementType type = 0; type < ELEMENT_COUNT && plain; type++) {
        if (element_infos[type].letter != text.data[1] ||
            element_infos[type].bytes != text.data[2] - '0')
            continue;
        array->type = type;
        array->is_swapped = text.data[0] == (machine_is_big_endian() ? '<' : '>');
        return true;
    }
    return fault_say(header->fault,
                     "its elements are of type `{}`; only bool, integers and floats of 1, 2, 4 and "
                     "8 bytes can be read",
                     ((Str){text.data, min_i64(text.len, 20)}));
}

enum { KEY_DESCR = 1, KEY_ORDER = 2, KEY_SHAPE = 4, ALL_KEYS = 7 };

static bool read_entry(Header *header, NdArray *array, int64_t *shape, int *seen)
{
    static const Str names[] = {{"descr", 5}, {"fortran_order", 13}, {"shape", 5}};
    Str name = {0};
    if (!read_string(header, &name) || !expect(header, ':'))
        return false;
    int key = 0;
    for (int i = 0; i < 3; i++)
        if (str_equal(name, names[i]))
            key = 1 << i;
    if (!key)
        return fault_say(header->fault, "its header has an unknown entry `{}`",
                         ((Str){name.data, min_i64(name.len, 40)}));
    *seen |= key;
    if (key == KEY_DESCR)
        return read_type(header, array);
    return key == KEY_ORDER ? read_flag(header, &array->is_fortran)
                            : read_shape(header, shape, &array->rank);
}

static bool read_header(Header *header, NdArray *array, int64_t *shape)
{
    int seen = 0;
    if (!expect(header, '{'))
        return false;
    while (!accept(header, '}')) {
        if (!read_entry(header, array, shape, &seen))
            return false;
        if (!accept(header, ',') && peek(header) != '}')
            return expect(header, '}');
    }
    if (peek(header))
        return fault_say(header->fault, "its header goes on behind its end");
    return seen == ALL_KEYS ||
           fault_say(header->fault, "its header lacks descr, fortran_order or shape");
}

// ---- the file

// Where the header lies.
static bool find_header(Str bytes, Str *header, Fault *fault)
{
    if (!npy_is(bytes))
        return fault_say(fault, "it does not start as a .npy file does");
    if (bytes.len < MAGIC_BYTES + 2)
        return fault_say(fault, "it ends inside its header");
    int version = (uint8_t)bytes.data[MAGIC_BYTES];
    if (version < 1 || version > 3)
        return fault_say(fault, "it is of version {}; versions 1 to 3 can be read", version);
    int32_t length_bytes = version == 1 ? 2 : 4;
    int64_t start = MAGIC_BYTES + 2 + length_bytes;
    if (bytes.len < start)
        return fault_say(fault, "it ends inside its header");
    int64_t length =
        (int64_t)little_load((const uint8_t *)bytes.data + MAGIC_BYTES + 2, length_bytes);
    if (length > LARGEST_HEADER)
        return fault_say(fault, "its header is {} bytes long, more than a mebibyte", length);
    if (length > bytes.len - start)
        return fault_say(fault, "it ends inside its header");
    *header = str_slice(bytes, start, start + length);
    return true;
}

bool npy_parse(Arena *arena, Str bytes, NdArray *array, Fault *fault)
{
    int64_t shape[NDARRAY_MOST_DIMS], need;
    Header header = {.fault = fault};
    *array = (NdArray){0};
    if (!find_header(bytes, &header.text, fault) || !read_header(&header, array, shape))
        return false;
    if (!ndarray_extent(array->type, shape, array->rank, &array->count, &need))
        return fault_say(fault, "its shape has more elements than any memory");
    const char *data = header.text.data + header.text.len;
    int64_t have = bytes.data + bytes.len - data;
    if (have != need)
        return fault_say(fault, "its shape needs {} bytes of data, it has {}", need, have);
    array->shape = arena_copy(arena, shape, (size_t)array->rank * sizeof *shape);
    array->data = (const uint8_t *)data;
    return true;
}

void npy_header(StrBuf *out, const NdArray *array)
{
    const ElementInfo *info = &element_infos[array->type];
    char order = info->bytes == 1 ? '|' : machine_is_big_endian() ? '>' : '<';
    StrBuf text = {.arena = out->arena};
    buf_format(&text, "{{'descr': '{c}{c}{}', 'fortran_order': False, 'shape': ", order,
               info->letter ? info->letter : 'u', info->bytes);
    shape_print(&text, array->shape, array->rank);
    buf_format(&text, ", }");
    int64_t before = MAGIC_BYTES + 4, length = text.len + 1; // with its newline
    length += (DATA_ALIGNMENT - (before + length) % DATA_ALIGNMENT) % DATA_ALIGNMENT;
    buf_add(out, (Str){magic, MAGIC_BYTES});
    buf_add(out, (Str){"\x01\x00", 2});
    buf_add_char(out, (char)(length & 0xff));
    buf_add_char(out, (char)(length >> 8));
    buf_add(out, buf_str(&text));
    buf_repeat(out, STR(" "), length - text.len - 1);
    buf_add_char(out, '\n');
}
