// An object file is one CBOR item: the tag of CBOR data with a list of four, the word "tcpo", the
// number of the format, a CRC-32, and the object as bytes that are CBOR again.
//
//     d9 d9 f7  84  64 't' 'c' 'p' 'o'  FORMAT  44 CRC CRC CRC CRC  5x LENGTH.. CONTENT..
//
// The CRC is of the number of the format and the content, and stands with its lowest byte first.
#include "command/object.h"

#include "command/cbor.h"
#include "command/form.h"

#include <assert.h>
#include <zlib.h>

static const char magic[] = {'\xd9', '\xd9', '\xf7', '\x84', '\x64', 't', 'c', 'p', 'o'};

enum { MAGIC_BYTES = sizeof magic, CHECKSUM_BYTES = 4 };

static uint32_t crc_add(uint32_t crc, Str bytes)
{
    return (uint32_t)crc32(crc, (const Bytef *)bytes.data, (uInt)bytes.len);
}

static uint32_t checksum_of(Str content)
{
    char format = OBJECT_FORMAT;
    return crc_add(crc_add((uint32_t)crc32(0, NULL, 0), (Str){&format, 1}), content);
}

// ---- writing

void object_write(StrBuf *out, const HwObject *object)
{
    StrBuf content = {.arena = out->arena};
    record_encode(&content, &record_of_Object, object);
    uint32_t checksum = checksum_of(buf_str(&content));
    char crc[CHECKSUM_BYTES];
    for (int i = 0; i < CHECKSUM_BYTES; i++)
        crc[i] = (char)(checksum >> (8 * i) & 0xff);
    buf_add(out, (Str){magic, MAGIC_BYTES});
    cbor_add_int(out, OBJECT_FORMAT);
    cbor_add_bytes(out, (Str){crc, CHECKSUM_BYTES});
    cbor_add_bytes(out, buf_str(&content));
}

HwObject object_copy(Arena *arena, const HwObject *object)
{
    StrBuf content = {.arena = arena};
    HwObject copy = {0};
    Fault fault;
    record_encode(&content, &record_of_Object, object);
    bool ok = record_decode(arena, buf_str(&content), &record_of_Object, &copy, &fault);
    assert(ok); // what was encoded has a meaning
    (void)ok;
    return copy;
}

// ---- reading

typedef struct {
    Str name;
    DiagList *diags;
    ItemReader items;
    Fault fault;
    ObjectFacts *facts;
} ObjectReader;

static bool refuse_cut(ObjectReader *reader)
{
    Diag *diag =
        diag_add(reader->diags, DIAG_OBJECT_TRUNCATED, SPAN_NOWHERE,
                 "`{}` is cut off: it ends after {} bytes", reader->name, reader->items.bytes.len);
    diag_help(diag, "copy it again, or compile the kernel again");
    return false;
}

static bool refuse_damaged(ObjectReader *reader, const char *why)
{
    Diag *diag = diag_add(reader->diags, DIAG_OBJECT_CORRUPT, SPAN_NOWHERE, "`{}` is damaged: {}",
                          reader->name, why);
    diag_help(diag, "copy it again, or compile the kernel again");
    return false;
}

bool object_is(Str bytes)
{
    return str_starts_with(bytes, (Str){magic, MAGIC_BYTES});
}

static bool read_magic(ObjectReader *reader)
{
    Str bytes = reader->items.bytes, wanted = {magic, MAGIC_BYTES};
    if (object_is(bytes)) {
        reader->items.at = MAGIC_BYTES;
        return true;
    }
    if (bytes.len && str_starts_with(wanted, bytes))
        return refuse_cut(reader);
    Diag *diag = diag_add(reader->diags, DIAG_OBJECT_FOREIGN, SPAN_NOWHERE,
                          bytes.len ? "`{}` is no object file" : "`{}` is empty", reader->name);
    diag_help(diag, "one is written of a kernel that was compiled");
    diag_help_typed(diag, "`contra compile FILE -o K.tcpo` makes one");
    return false;
}

static bool read_item(ObjectReader *reader, ItemKind kind, Item *item)
{
    if (item_expect(&reader->items, kind, "what belongs there", item))
        return true;
    return reader->items.is_cut ? refuse_cut(reader) : refuse_damaged(reader, reader->fault.text);
}

static bool read_format(ObjectReader *reader)
{
    Item item;
    if (!read_item(reader, ITEM_UINT, &item))
        return false;
    reader->facts->format = (int64_t)(item.number & INT64_MAX);
    if (item.number == OBJECT_FORMAT)
        return true;
    Diag *diag = diag_add(reader->diags, DIAG_OBJECT_NEWER, SPAN_NOWHERE,
                          "`{}` has format {}; this contra reads format {}", reader->name,
                          (unsigned long long)item.number, OBJECT_FORMAT);
    diag_help(diag, item.number > OBJECT_FORMAT
                        ? "use a newer contra, or compile the kernel again with this one"
                        : "compile the kernel again with this contra");
    return false;
}

static bool read_checksum(ObjectReader *reader)
{
    Item item;
    if (!read_item(reader, ITEM_BYTES, &item))
        return false;
    if (item.number != CHECKSUM_BYTES)
        return refuse_damaged(reader, "its checksum has another length");
    for (int i = CHECKSUM_BYTES - 1; i >= 0; i--)
        reader->facts->checksum = reader->facts->checksum << 8 | item.data[i];
    return true;
}

static bool read_content(ObjectReader *reader, Str *content)
{
    Item item;
    if (!read_item(reader, ITEM_BYTES, &item))
        return false;
    *content = (Str){(const char *)item.data, (int64_t)item.number};
    if (reader->items.at != reader->items.bytes.len)
        return refuse_damaged(reader, "something follows its end");
    return checksum_of(*content) == reader->facts->checksum ||
           refuse_damaged(reader, "its content does not have its checksum");
}

bool object_read(Arena *arena, Str name, Str bytes, DiagList *diags, HwObject *object,
                 ObjectFacts *facts)
{
    *object = (HwObject){0};
    *facts = (ObjectFacts){.bytes = bytes.len};
    ObjectReader reader = {.name = name, .diags = diags, .items = {.bytes = bytes}, .facts = facts};
    reader.items.fault = &reader.fault;
    Str content;
    if (!read_magic(&reader) || !read_format(&reader) || !read_checksum(&reader) ||
        !read_content(&reader, &content))
        return false;
    if (record_decode(arena, content, &record_of_Object, object, &reader.fault))
        return true;
    diag_add(diags, DIAG_OBJECT_MALFORMED, SPAN_NOWHERE, "`{}` has no meaning: {}", name,
             reader.fault.text);
    return false;
}

// ---- machines

int64_t object_machine_hash(Arena *arena, const Machine *machine)
{
    ArenaMark mark = arena_mark(arena);
    Machine nameless = *machine;
    nameless.name = "";
    StrBuf numbers = {.arena = arena};
    machine_print_json(&numbers, &nameless);
    int64_t hash = crc_add((uint32_t)crc32(0, NULL, 0), buf_str(&numbers));
    arena_reset(arena, mark);
    return hash;
}

bool object_fits_machine(Arena *arena, Str name, const HwObject *object, const Machine *machine,
                         DiagList *diags)
{
    if (object->machine_hash == object_machine_hash(arena, machine))
        return true;
    bool same_name = str_equal(object->machine, str_from(machine->name));
    Diag *diag = diag_add(diags, DIAG_OBJECT_MACHINE, SPAN_NOWHERE,
                          "`{}` was made for the machine `{}`, not for `{}`", name, object->machine,
                          machine->name);
    if (same_name)
        diag_note(diag, SPAN_NOWHERE, "they have the same name, but not the same numbers");
    diag_help(diag, "use the machine `{}`, or compile the kernel for `{}`", object->machine,
              machine->name);
    diag_help_typed(
        diag, "name its machine with `--machine {}`, or compile the kernel with `--machine {}`",
        object->machine, machine->name);
    return false;
}
