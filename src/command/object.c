// An object file is one CBOR item: the tag of CBOR data with a list of four, the word "tcpo", the
// number of the format, a CRC-32, and the object as bytes that are CBOR again.
//
//     d9 d9 f7  84  64 't' 'c' 'p' 'o'  FORMAT  44 CRC CRC CRC CRC  5x LENGTH.. CONTENT..
//
// The CRC is of the number of the format and the content, and stands with its lowest byte first.
#include "command/object.h"

#include "base/ndarray.h" // Fault
#include "base/str.h"
#include "command/form.h"

#include <assert.h>
#include <cbor.h>
#include <zlib.h>

enum { BITS_WORD_BYTES = 8 };

typedef enum {
    ITEM_NONE, // something that is never written
    ITEM_UINT,
    ITEM_NEGATIVE, // -1 - number
    ITEM_BYTES,
    ITEM_TEXT,
    ITEM_ARRAY,
    ITEM_MAP,
    ITEM_TAG,
    ITEM_BOOL,
} ItemKind;

typedef struct {
    ItemKind kind;
    uint64_t number;     // its value, or how many follow
    const uint8_t *data; // bytes, text
} Item;

typedef struct {
    Str bytes;
    int64_t at;  // bytes that were read
    bool is_cut; // they ended inside an item
    Fault *fault;
} ItemReader;

// Records from CBOR. Whatever the bytes are, this ends with a record or a fault: records are not
// recursive, so their nesting bounds the depth; a list is grown by the items that are there, never
// by the number it announces; and all memory comes out of a sum that the size of the file sets.

// ---- items

static void take(void *context, ItemKind kind, uint64_t number, const uint8_t *data)
{
    *(Item *)context = (Item){kind, number, data};
}

#define TAKES_NUMBER(name, type, kind)              \
    static void name(void *context, type value)     \
    {                                               \
        take(context, kind, (uint64_t)value, NULL); \
    }
#define TAKES_TEXT(name, kind)                                        \
    static void name(void *context, cbor_data data, size_t length)    \
    {                                                                 \
        take(context, kind, (uint64_t)length, (const uint8_t *)data); \
    }

TAKES_NUMBER(take_uint8, uint8_t, ITEM_UINT)
TAKES_NUMBER(take_uint16, uint16_t, ITEM_UINT)
TAKES_NUMBER(take_uint32, uint32_t, ITEM_UINT)
TAKES_NUMBER(take_uint64, uint64_t, ITEM_UINT)
TAKES_NUMBER(take_negative8, uint8_t, ITEM_NEGATIVE)
TAKES_NUMBER(take_negative16, uint16_t, ITEM_NEGATIVE)
TAKES_NUMBER(take_negative32, uint32_t, ITEM_NEGATIVE)
TAKES_NUMBER(take_negative64, uint64_t, ITEM_NEGATIVE)
TAKES_NUMBER(take_array, size_t, ITEM_ARRAY)
TAKES_NUMBER(take_map, size_t, ITEM_MAP)
TAKES_NUMBER(take_tag, uint64_t, ITEM_TAG)
TAKES_NUMBER(take_bool, bool, ITEM_BOOL)
TAKES_TEXT(take_bytes, ITEM_BYTES)
TAKES_TEXT(take_text, ITEM_TEXT)

static struct cbor_callbacks item_callbacks(void)
{
    struct cbor_callbacks callbacks = cbor_empty_callbacks; // leaves the item as it is: none
    callbacks.uint8 = take_uint8;
    callbacks.uint16 = take_uint16;
    callbacks.uint32 = take_uint32;
    callbacks.uint64 = take_uint64;
    callbacks.negint8 = take_negative8;
    callbacks.negint16 = take_negative16;
    callbacks.negint32 = take_negative32;
    callbacks.negint64 = take_negative64;
    callbacks.array_start = take_array;
    callbacks.map_start = take_map;
    callbacks.tag = take_tag;
    callbacks.boolean = take_bool;
    callbacks.byte_string = take_bytes;
    callbacks.string = take_text;
    return callbacks;
}

// Bytes of the shortest head of a number.
static uint64_t head_bytes(const Item *item)
{
    enum { IN_HEAD = 24 };
    if (item->kind == ITEM_BOOL || item->number < IN_HEAD)
        return 1;
    return item->number <= UINT8_MAX    ? 2
           : item->number <= UINT16_MAX ? 3
           : item->number <= UINT32_MAX ? 5
                                        : 9;
}

// The next item. False: there is none, or it is none that is ever written; the fault says so.
static bool item_next(ItemReader *reader, Item *item)
{
    struct cbor_callbacks callbacks = item_callbacks();
    size_t left = reader->bytes.len - reader->at;
    *item = (Item){0};
    struct cbor_decoder_result result = {.status = CBOR_DECODER_NEDATA};
    if (left)
        result =
            cbor_stream_decode((cbor_data)reader->bytes.data + reader->at, left, &callbacks, item);
    reader->is_cut = result.status == CBOR_DECODER_NEDATA;
    if (reader->is_cut)
        return fault_say(reader->fault, "it ends inside an item, at byte {}", reader->at);
    bool has_data = item->kind == ITEM_BYTES || item->kind == ITEM_TEXT;
    uint64_t length = head_bytes(item) + (has_data ? item->number : 0);
    if (result.status != CBOR_DECODER_FINISHED || !item->kind || result.read != length)
        return fault_say(reader->fault, "byte {} begins no item that is ever written", reader->at);
    reader->at += (int64_t)result.read;
    return true;
}

// The next item, of one kind. `what` it is for stands in the fault.
static bool item_expect(ItemReader *reader, ItemKind kind, const char *what, Item *item)
{
    int64_t start = reader->at;
    if (!item_next(reader, item))
        return false;
    return item->kind == kind || fault_say(reader->fault, "byte {} is not {}", start, what);
}

// ---- values

typedef struct {
    Arena *arena;
    ItemReader items;
    int64_t room; // bytes of memory that may still be asked for
} Decoder;

static bool decode_record(Decoder *decoder, const Record *record, void *data);

// False: the bytes announce more than they can mean.
static bool ask_room(Decoder *decoder, size_t bytes)
{
    decoder->room -= (int64_t)bytes;
    return decoder->room >= 0 ||
           fault_say(decoder->items.fault, "it would take more memory than its size explains");
}

static bool decode_int(Decoder *decoder, const char *name, int64_t *value)
{
    Item item;
    if (!item_next(&decoder->items, &item))
        return false;
    *value = item.kind == ITEM_NEGATIVE ? -1 - (int64_t)(item.number & INT64_MAX)
                                        : (int64_t)(item.number & INT64_MAX);
    return ((item.kind == ITEM_UINT || item.kind == ITEM_NEGATIVE) && item.number <= INT64_MAX) ||
           fault_say(decoder->items.fault, "`{}` is no number of 64 bits", name);
}

static bool decode_text(Decoder *decoder, const char *name, Str *text)
{
    Item item;
    if (!item_expect(&decoder->items, ITEM_TEXT, "a text", &item) ||
        !ask_room(decoder, item.number))
        return false;
    Str bytes = {(const char *)item.data, (int64_t)item.number};
    if (!text_is_utf8(bytes))
        return fault_say(decoder->items.fault, "the text of `{}` is not UTF-8", name);
    *text = str_copy(decoder->arena, bytes);
    return true;
}

static bool decode_enum(Decoder *decoder, const Field *field, int *value)
{
    Item item;
    if (!item_expect(&decoder->items, ITEM_TEXT, "the name of a value", &item))
        return false;
    Str name = {(const char *)item.data, (int64_t)item.number};
    for (*value = 0; *value < field->value_count; *value += 1)
        if (str_equal(name, str_from(field_value_name(field, *value))))
            return true;
    return fault_say(decoder->items.fault, "`{}` is no value of `{}`",
                     ((Str){name.data, (name.len < 40 ? name.len : 40)}), field->name);
}

static bool decode_bool(Decoder *decoder, bool *value)
{
    Item item;
    bool ok = item_expect(&decoder->items, ITEM_BOOL, "true or false", &item);
    *value = ok && item.number;
    return ok;
}

static bool decode_maybe(Decoder *decoder, const Record *record, const void **part)
{
    if (!ask_room(decoder, record->size))
        return false;
    void *made = arena_alloc(decoder->arena, record->size, alignof(max_align_t), 1);
    *part = made;
    return decode_record(decoder, record, made);
}

static bool decode_list(Decoder *decoder, const Record *record, AnyArray *list)
{
    Item item;
    if (!item_expect(&decoder->items, ITEM_ARRAY, "a list", &item))
        return false;
    for (uint64_t i = 0; i < item.number; i++) {
        if (!ask_room(decoder, record->size))
            return false;
        void *made = array_push_bytes(decoder->arena, list, record->size, alignof(max_align_t));
        if (!decode_record(decoder, record, made))
            return false;
    }
    return true;
}

static bool decode_ints(Decoder *decoder, const char *name, IntList *list)
{
    Item item;
    if (!item_expect(&decoder->items, ITEM_ARRAY, "a list of numbers", &item))
        return false;
    for (uint64_t i = 0; i < item.number; i++) {
        int64_t value;
        if (!ask_room(decoder, sizeof value) || !decode_int(decoder, name, &value))
            return false;
        *array_push(decoder->arena, list, int64_t) = value;
    }
    return true;
}

static bool decode_bits(Decoder *decoder, const char *name, BitList *list)
{
    Item item;
    if (!item_expect(&decoder->items, ITEM_BYTES, "a string of bits", &item) ||
        !ask_room(decoder, item.number))
        return false;
    if (item.number % BITS_WORD_BYTES)
        return fault_say(decoder->items.fault, "the bits of `{}` are no whole words", name);
    for (uint64_t i = 0; i < item.number; i += BITS_WORD_BYTES) {
        uint64_t word = 0;
        for (int k = BITS_WORD_BYTES - 1; k >= 0; k--)
            word = word << 8 | item.data[i + (uint64_t)k];
        *array_push(decoder->arena, list, uint64_t) = word;
    }
    return true;
}

static bool decode_field(Decoder *decoder, const Field *field, void *at)
{
    switch (field->kind) {
    case FIELD_INT:
        return decode_int(decoder, field->name, at);
    case FIELD_BOOL:
        return decode_bool(decoder, at);
    case FIELD_TEXT:
        return decode_text(decoder, field->name, at);
    case FIELD_ENUM:
        return decode_enum(decoder, field, at);
    case FIELD_PART:
        return decode_record(decoder, field->record, at);
    case FIELD_MAYBE:
        return decode_maybe(decoder, field->record, at);
    case FIELD_LIST:
        return decode_list(decoder, field->record, at);
    case FIELD_INTS:
        return decode_ints(decoder, field->name, at);
    case FIELD_BITS:
        return decode_bits(decoder, field->name, at);
    }
    return false;
}

// The number of the field that a key names. Keys stand in the order of the table, from `next` on.
static bool decode_key(Decoder *decoder, const Record *record, int64_t next, int64_t *index)
{
    Item item;
    if (!item_expect(&decoder->items, ITEM_TEXT, "the name of a field", &item))
        return false;
    Str name = {(const char *)item.data, (int64_t)item.number};
    for (int64_t i = 0; i < record->count; i++) {
        if (!str_equal(name, str_from(record->fields[i].name)) ||
            field_is_report(&record->fields[i]))
            continue;
        *index = i;
        return i >= next || fault_say(decoder->items.fault, "`{}` of {} is out of order",
                                      record->fields[i].name, record->name);
    }
    return fault_say(decoder->items.fault, "{} has no field `{}`", record->name,
                     ((Str){name.data, (name.len < 40 ? name.len : 40)}));
}

// Fields start .. end - 1 may be left out, and are unset. An enum may not: it would be taken for
// its first value.
static bool may_lack(Decoder *decoder, const Record *record, const void *data, int64_t start,
                     int64_t end)
{
    for (int64_t i = start; i < end; i++)
        if (!field_is_unset(&record->fields[i], data))
            return fault_say(decoder->items.fault, "{} lacks `{}`", record->name,
                             record->fields[i].name);
    return true;
}

static bool decode_record(Decoder *decoder, const Record *record, void *data)
{
    Item item;
    int64_t next = 0, index = 0;
    if (!item_expect(&decoder->items, ITEM_MAP, record->doc, &item))
        return false;
    for (uint64_t i = 0; i < item.number; i++, next = index + 1) {
        if (!decode_key(decoder, record, next, &index) ||
            !may_lack(decoder, record, data, next, index))
            return false;
        const Field *field = &record->fields[index];
        if (!decode_field(decoder, field, (char *)data + field->offset))
            return false;
        if (field_is_unset(field, data))
            return fault_say(decoder->items.fault, "`{}` of {} says nothing", field->name,
                             record->name);
    }
    return may_lack(decoder, record, data, next, record->count);
}

bool record_decode(Arena *arena, Str bytes, const Record *record, void *data, Fault *fault)
{
    // A field takes more bytes than a value's worth of memory, but an empty record in a list is
    // one byte.
    enum { LEAST_ROOM = 1 << 20, ROOM_A_BYTE = 32 };
    Decoder decoder = {.arena = arena,
                       .items = {.bytes = bytes, .fault = fault},
                       .room = LEAST_ROOM + bytes.len * ROOM_A_BYTE};
    if (!decode_record(&decoder, record, data))
        return false;
    return decoder.items.at == bytes.len ||
           fault_say(fault, "{} bytes are too many", (bytes.len - decoder.items.at));
}

// Records as CBOR. form.h says how.

enum { LONGEST_HEAD = 9 };

typedef size_t HeadEncoder(size_t, unsigned char *, size_t);

static void add_head(StrBuf *out, HeadEncoder *encode, int64_t size)
{
    unsigned char head[LONGEST_HEAD];
    size_t length = encode(size, head, sizeof head);
    buf_add(out, (Str){(const char *)head, (int64_t)length});
}

static void cbor_add_int(StrBuf *out, int64_t value)
{
    unsigned char head[LONGEST_HEAD];
    size_t length = value < 0 ? cbor_encode_negint((uint64_t)(-1 - value), head, sizeof head)
                              : cbor_encode_uint((uint64_t)value, head, sizeof head);
    buf_add(out, (Str){(const char *)head, (int64_t)length});
}

static void cbor_add_text(StrBuf *out, Str text)
{
    add_head(out, cbor_encode_string_start, text.len);
    buf_add(out, text);
}

static void cbor_add_bytes(StrBuf *out, Str bytes)
{
    add_head(out, cbor_encode_bytestring_start, bytes.len);
    buf_add(out, bytes);
}

static void add_bool(StrBuf *out, bool value)
{
    unsigned char head[LONGEST_HEAD];
    size_t length = cbor_encode_bool(value, head, sizeof head);
    buf_add(out, (Str){(const char *)head, (int64_t)length});
}

static void add_ints(StrBuf *out, const IntList *list)
{
    add_head(out, cbor_encode_array_start, list->count);
    for (int64_t i = 0; i < list->count; i++)
        cbor_add_int(out, list->items[i]);
}

static void add_bits(StrBuf *out, const BitList *list)
{
    add_head(out, cbor_encode_bytestring_start, list->count * BITS_WORD_BYTES);
    for (int64_t i = 0; i < list->count; i++)
        for (int k = 0; k < BITS_WORD_BYTES; k++)
            buf_add_char(out, (char)(list->items[i] >> (8 * k) & 0xff));
}

static void add_list(StrBuf *out, const Record *record, const AnyArray *list)
{
    add_head(out, cbor_encode_array_start, list->count);
    for (int64_t i = 0; i < list->count; i++)
        record_encode(out, record, (const char *)list->items + i * record->size);
}

static void add_field(StrBuf *out, const Field *field, const void *at)
{
    switch (field->kind) {
    case FIELD_INT:
        cbor_add_int(out, *(const int64_t *)at);
        return;
    case FIELD_BOOL:
        add_bool(out, *(const bool *)at);
        return;
    case FIELD_TEXT:
        cbor_add_text(out, *(const Str *)at);
        return;
    case FIELD_ENUM:
        cbor_add_text(out, str_from(field_value_name(field, *(const int *)at)));
        return;
    case FIELD_PART:
        record_encode(out, field->record, at);
        return;
    case FIELD_MAYBE:
        record_encode(out, field->record, *(const void *const *)at);
        return;
    case FIELD_LIST:
        add_list(out, field->record, at);
        return;
    case FIELD_INTS:
        add_ints(out, at);
        return;
    case FIELD_BITS:
        add_bits(out, at);
        return;
    }
}

static bool is_written(const Field *field, const void *data)
{
    return !field_is_report(field) && !field_is_unset(field, data);
}

void record_encode(StrBuf *out, const Record *record, const void *data)
{
    int64_t set = 0;
    for (int64_t i = 0; i < record->count; i++)
        set += is_written(&record->fields[i], data);
    add_head(out, cbor_encode_map_start, set);
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        if (!is_written(field, data))
            continue;
        cbor_add_text(out, str_from(field->name));
        add_field(out, field, field_at(field, data));
    }
}

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
