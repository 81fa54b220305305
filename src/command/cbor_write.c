// Records as CBOR. form.h says how.
#include "command/form.h"

#include "command/cbor.h"

#include <cbor.h>

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

void cbor_add_text(StrBuf *out, Str text)
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
