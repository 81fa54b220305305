// Records from CBOR. Whatever the bytes are, this ends with a record or a fault: records are not
// recursive, so their nesting bounds the depth; a list is grown by the items that are there, never
// by the number it announces; and all memory comes out of a sum that the size of the file sets.
#include "command/cbor.h"
#include "command/form.h"

#include <cbor.h>
#include <string.h>

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
    size_t left = (size_t)(reader->bytes.len - reader->at);
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

bool item_expect(ItemReader *reader, ItemKind kind, const char *what, Item *item)
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
        !ask_room(decoder, (size_t)item.number))
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
        !ask_room(decoder, (size_t)item.number))
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
    size_t length = encode((size_t)size, head, sizeof head);
    buf_add(out, (Str){(const char *)head, (int64_t)length});
}

void cbor_add_int(StrBuf *out, int64_t value)
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

void cbor_add_bytes(StrBuf *out, Str bytes)
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
        record_encode(out, record, (const char *)list->items + (size_t)i * record->size);
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
