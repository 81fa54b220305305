// What the other forms ask about fields.
#include "command/form.h"

#include <jansson.h>
#include <string.h>

const void *field_at(const Field *field, const void *data)
{
    return (const char *)data + field->offset;
}

const char *field_value_name(const Field *field, int64_t value)
{
    const char *name = value >= 0 && value < field->value_count ? field->name_of((int)value) : NULL;
    return name ? name : "?";
}

const Field *record_field(const Record *record, const char *name)
{
    for (int64_t i = 0; i < record->count; i++)
        if (strcmp(record->fields[i].name, name) == 0)
            return &record->fields[i];
    return NULL;
}

static bool record_is_unset(const Record *record, const void *data)
{
    for (int64_t i = 0; i < record->count; i++)
        if (!field_is_unset(&record->fields[i], data))
            return false;
    return true;
}

bool field_is_unset(const Field *field, const void *data)
{
    const void *at = field_at(field, data);
    switch (field->kind) {
    case FIELD_INT:
        return *(const int64_t *)at == 0;
    case FIELD_BOOL:
        return !*(const bool *)at;
    case FIELD_TEXT:
        return ((const Str *)at)->len == 0;
    case FIELD_ENUM:
        return false;
    case FIELD_PART:
        return record_is_unset(field->record, at);
    case FIELD_MAYBE:
        return !*(const void *const *)at;
    case FIELD_LIST:
    case FIELD_INTS:
    case FIELD_BITS:
        return ((const AnyArray *)at)->count == 0;
    }
    return true;
}

static bool words_equal(const AnyArray *a, const AnyArray *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->items, b->items, (size_t)a->count * sizeof(int64_t)) == 0);
}

static bool lists_equal(const Record *record, const AnyArray *a, const AnyArray *b)
{
    bool equal = a->count == b->count;
    for (int64_t i = 0; i < a->count && equal; i++)
        equal = record_equal(record, (const char *)a->items + (size_t)i * record->size,
                             (const char *)b->items + (size_t)i * record->size);
    return equal;
}

static bool maybe_equal(const Record *record, const void *a, const void *b)
{
    return a && b ? record_equal(record, a, b) : a == b;
}

static bool field_equal(const Field *field, const void *a, const void *b)
{
    switch (field->kind) {
    case FIELD_INT:
        return *(const int64_t *)a == *(const int64_t *)b;
    case FIELD_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case FIELD_TEXT:
        return str_equal(*(const Str *)a, *(const Str *)b);
    case FIELD_ENUM:
        return *(const int *)a == *(const int *)b;
    case FIELD_PART:
        return record_equal(field->record, a, b);
    case FIELD_MAYBE:
        return maybe_equal(field->record, *(const void *const *)a, *(const void *const *)b);
    case FIELD_LIST:
        return lists_equal(field->record, a, b);
    case FIELD_INTS:
    case FIELD_BITS:
        return words_equal(a, b);
    }
    return false;
}

bool field_is_report(const Field *field)
{
    return str_starts_with(str_from(field->doc), STR("report"));
}

bool record_equal(const Record *record, const void *a, const void *b)
{
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        if (!field_is_report(field) && !field_equal(field, field_at(field, a), field_at(field, b)))
            return false;
    }
    return true;
}

bool text_is_utf8(Str text)
{
    json_t *json = json_stringn(text.data ? text.data : "", (size_t)text.len);
    json_decref(json);
    return json;
}

// ---- source map

static size_t field_bytes(const Field *field)
{
    return field->kind == FIELD_TEXT   ? sizeof(Str)
           : field->kind == FIELD_INT  ? sizeof(int64_t)
           : field->kind == FIELD_LIST ? sizeof(AnyArray)
                                       : 0;
}

static void strip_list(const Record *record, const AnyArray *list)
{
    for (int64_t i = 0; i < list->count; i++)
        record_strip(record, (char *)list->items + (size_t)i * record->size);
}

void record_strip(const Record *record, void *data)
{
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        void *at = (char *)data + field->offset;
        if (str_starts_with(str_from(field->doc), STR("source map")))
            memset(at, 0, field_bytes(field));
        else if (field->kind == FIELD_PART)
            record_strip(field->record, at);
        else if (field->kind == FIELD_MAYBE && *(void **)at)
            record_strip(field->record, *(void **)at);
        else if (field->kind == FIELD_LIST)
            strip_list(field->record, at);
    }
}
