// Records as JSON, and the schema of that.
#include "command/form.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// ---- values

static json_t *json_record(const Record *record, const void *data);

static json_t *json_list(const Record *record, const AnyArray *list)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < list->count; i++)
        json_array_append_new(
            array, json_record(record, (const char *)list->items + (size_t)i * record->size));
    return array;
}

static json_t *json_ints(const IntList *list)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < list->count; i++)
        json_array_append_new(array, json_integer(list->items[i]));
    return array;
}

// "0x00ff": 16 digits a word, the highest word first, so that it reads as one number.
static json_t *json_bits(const BitList *list)
{
    enum { PREFIX = 2, DIGITS = 16 };
    size_t size = PREFIX + (size_t)list->count * DIGITS + 1;
    char *text = malloc(size), *next = text + PREFIX;
    if (!text)
        return NULL;
    memcpy(text, "0x", PREFIX + 1);
    for (int64_t i = list->count - 1; i >= 0; i--, next += DIGITS)
        snprintf(next, DIGITS + 1, "%016llx", (unsigned long long)list->items[i]);
    json_t *result = json_string(text);
    free(text);
    return result;
}

static json_t *json_field(const Field *field, const void *at)
{
    switch (field->kind) {
    case FIELD_INT:
        return json_integer(*(const int64_t *)at);
    case FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    case FIELD_TEXT: {
        const Str *text = at;
        return json_stringn(text->data ? text->data : "", (size_t)text->len);
    }
    case FIELD_ENUM:
        return json_string(field_value_name(field, *(const int *)at));
    case FIELD_PART:
        return json_record(field->record, at);
    case FIELD_MAYBE:
        return json_record(field->record, *(const void *const *)at);
    case FIELD_LIST:
        return json_list(field->record, at);
    case FIELD_INTS:
        return json_ints(at);
    case FIELD_BITS:
        return json_bits(at);
    }
    return NULL;
}

static json_t *json_record(const Record *record, const void *data)
{
    json_t *object = json_object();
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        if (field->kind == FIELD_MAYBE && field_is_unset(field, data))
            continue;
        json_object_set_new(object, field->name, json_field(field, field_at(field, data)));
    }
    return object;
}

// ---- text

// Frees the document. The copy must not jump away while the text is Jansson's.
static void print_document(StrBuf *out, json_t *document)
{
    char *text = document ? json_dumps(document, JSON_INDENT(1)) : NULL;
    json_decref(document);
    size_t length = text ? strlen(text) : 0;
    char *copy = text ? arena_try_alloc(out->arena, 1, 1, length + 1) : NULL;
    if (copy)
        memcpy(copy, text, length);
    free(text);
    if (!copy)
        arena_exhausted(out->arena);
    buf_add(out, (Str){copy, (int64_t)length});
    buf_add_char(out, '\n');
}

void record_print_json(StrBuf *out, const Record *record, const void *data)
{
    print_document(out, json_record(record, data));
}

// ---- schema

static json_t *reference(const Record *record)
{
    assert(record); // a field that refers to a record has one
    return json_pack("{s:s++}", "$ref", "#/$defs/", record->name, "");
}

static json_t *enum_names(const Field *field)
{
    json_t *names = json_array();
    for (int i = 0; i < field->value_count; i++)
        json_array_append_new(names, json_string(field_value_name(field, i)));
    return json_pack("{s:o}", "enum", names);
}

static json_t *field_schema(const Field *field)
{
    switch (field->kind) {
    case FIELD_INT:
        return json_pack("{s:s}", "type", "integer");
    case FIELD_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case FIELD_TEXT:
        return json_pack("{s:s}", "type", "string");
    case FIELD_ENUM:
        return enum_names(field);
    case FIELD_PART:
    case FIELD_MAYBE:
        return reference(field->record);
    case FIELD_LIST:
        return json_pack("{s:s, s:o}", "type", "array", "items", reference(field->record));
    case FIELD_INTS:
        return json_pack("{s:s, s:{s:s}}", "type", "array", "items", "type", "integer");
    case FIELD_BITS:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^0x([0-9a-f]{16})*$");
    }
    return NULL;
}

// Adds what a record is made of before the record itself.
static void add_schema(json_t *schemas, const Record *record)
{
    if (json_object_get(schemas, record->name))
        return;
    json_t *properties = json_object(), *required = json_array();
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        if (field->record)
            add_schema(schemas, field->record);
        json_t *schema = field_schema(field);
        if (*field->doc)
            json_object_set_new(schema, "description", json_string(field->doc));
        json_object_set_new(properties, field->name, schema);
        if (field->kind != FIELD_MAYBE)
            json_array_append_new(required, json_string(field->name));
    }
    json_object_set_new(schemas, record->name,
                        json_pack("{s:s, s:s, s:b, s:o, s:o}", "description", record->doc, "type",
                                  "object", "additionalProperties", 0, "required", required,
                                  "properties", properties));
}

void record_print_schema(StrBuf *out, const Record *root)
{
    json_t *schemas = json_object();
    add_schema(schemas, root);
    json_t *document = json_pack("{s:s, s:s, s:s, s:s++, s:o}", "$schema",
                                 "https://json-schema.org/draft/2020-12/schema", "title",
                                 "contra compile --emit=json", "description", root->doc, "$ref",
                                 "#/$defs/", root->name, "", "$defs", schemas);
    print_document(out, document);
}
