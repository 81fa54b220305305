// The records as data, and the names of their enums.
#include "command/form.h"

#include "command/command.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// The records as data, and the names of their enums.

static const char *const router_modes[ROUTER_COUNT] = {
    [ROUTER_FORWARD] = "Forwarding",
    [ROUTER_BROADCAST01] = "Broadcast01",
    [ROUTER_BROADCAST1] = "Broadcast1",
    [ROUTER_TRANSPOSE] = "Transpose",
    [ROUTER_INTER_TRANSPOSE] = "InterTranspose",
    [ROUTER_TRANSPOSED_BROADCAST1] = "TransposedBroadcast1",
    [ROUTER_CUSTOM] = "Custom",
};

static const char *const media[MEDIA_COUNT] = {
    [MEDIA_HOST] = "Host",
    [MEDIA_HBM] = "HBM",
    [MEDIA_DM] = "DM",
    [MEDIA_SPM] = "SPM",
};

static const char *const operands[OPERAND_COUNT] = {
    [OPERAND_SKIP] = "none",
    [OPERAND_CONSTANT] = "constant",
    [OPERAND_VRF] = "VRF",
    [OPERAND_STASH] = "stash",
};

static const char *const conditions[CONDITION_COUNT] = {
    [CONDITION_ALWAYS] = "always",
    [CONDITION_GROUP_0] = "group 0",
    [CONDITION_GROUP_1] = "group 1",
};

#define NAMED(function, expression)        \
    static const char *function(int value) \
    {                                      \
        return expression;                 \
    }

NAMED(name_of_scalar, scalar_traits[value].name)
NAMED(name_of_router_mode, router_modes[value])
NAMED(name_of_media, media[value])
NAMED(name_of_operand, operands[value])
NAMED(name_of_condition, conditions[value])
NAMED(name_of_trf_address, trf_address_names[value])
NAMED(name_of_accumulate, accumulate_names[value])
NAMED(name_of_compare, compare_names[value])
NAMED(name_of_branch, branch_names[value])
NAMED(name_of_vector_stage, vector_stages[value].name)
NAMED(name_of_stage, stages[value].method)
NAMED(name_of_alu, vector_alu_names[value])
NAMED(name_of_arg_mode, value ? arg_modes[value].name : "Default")
NAMED(name_of_context, context_names[value])
NAMED(name_of_level, level_names[value])
NAMED(name_of_tier, tiers[value].name)

#define ROW(owner, field, kind, ...) {#field, kind, offsetof(Hw##owner, field), __VA_ARGS__},
#define RECORD(name, text)                    \
    static const char doc_of_##name[] = text; \
    static const Field fields_of_##name[] = {
#define INT(owner, field, doc)  ROW(owner, field, FIELD_INT, NULL, NULL, 0, doc)
#define BOOL(owner, field, doc) ROW(owner, field, FIELD_BOOL, NULL, NULL, 0, doc)
#define TEXT(owner, field, doc) ROW(owner, field, FIELD_TEXT, NULL, NULL, 0, doc)
#define ENUM(owner, field, type, name_of, count, doc) \
    ROW(owner, field, FIELD_ENUM, NULL, name_of, count, doc)
#define PART(owner, field, type, doc) ROW(owner, field, FIELD_PART, &record_of_##type, NULL, 0, doc)
#define MAYBE(owner, field, type, doc) \
    ROW(owner, field, FIELD_MAYBE, &record_of_##type, NULL, 0, doc)
#define LIST(owner, field, type, doc) ROW(owner, field, FIELD_LIST, &record_of_##type, NULL, 0, doc)
#define INTS(owner, field, doc)       ROW(owner, field, FIELD_INTS, NULL, NULL, 0, doc)
#define BITS(owner, field, doc)       ROW(owner, field, FIELD_BITS, NULL, NULL, 0, doc)
#define END(name)                                                                        \
    }                                                                                    \
    ;                                                                                    \
    const Record record_of_##name = {#name, sizeof(Hw##name), fields_of_##name,          \
                                     sizeof fields_of_##name / sizeof *fields_of_##name, \
                                     doc_of_##name};
#include "command/command.def"

// What the other forms ask about fields.

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
           (!a->count || memcmp(a->items, b->items, a->count * sizeof(int64_t)) == 0);
}

static bool lists_equal(const Record *record, const AnyArray *a, const AnyArray *b)
{
    bool equal = a->count == b->count;
    for (int64_t i = 0; i < a->count && equal; i++)
        equal = record_equal(record, (const char *)a->items + i * record->size,
                             (const char *)b->items + i * record->size);
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
    json_t *json = json_stringn(text.data ? text.data : "", text.len);
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
        record_strip(record, (char *)list->items + i * record->size);
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

// Records as JSON, and the schema of that.

// ---- values

static json_t *json_record(const Record *record, const void *data);

static json_t *json_list(const Record *record, const AnyArray *list)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < list->count; i++)
        json_array_append_new(array,
                              json_record(record, (const char *)list->items + i * record->size));
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
    size_t size = PREFIX + list->count * DIGITS + 1;
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
        return json_stringn(text->data ? text->data : "", text->len);
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

// The copy must not jump away while the text is Jansson's.
void json_print(StrBuf *out, json_t *document, size_t flags)
{
    char *text = document ? json_dumps(document, flags | JSON_ENCODE_ANY) : NULL;
    json_decref(document);
    size_t length = text ? strlen(text) : 0;
    char *copy = text ? arena_try_alloc(out->arena, 1, 1, length + 1) : NULL;
    if (copy)
        memcpy(copy, text, length);
    free(text);
    if (!copy)
        arena_exhausted(out->arena);
    buf_add(out, (Str){copy, (int64_t)length});
}

void record_print_json(StrBuf *out, const Record *record, const void *data)
{
    json_print(out, json_record(record, data), JSON_INDENT(1));
    buf_add_char(out, '\n');
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
    json_print(out, document, JSON_INDENT(1));
    buf_add_char(out, '\n');
}
