// Records in other forms, on random records of every kind.
#include "command/form.h"

#include "base/file.h"
#include "command/command.h"
#include "records.h"
#include "test.h"

#include <jansson.h>
#include <string.h>

enum { ROUNDS = 300, SMALL_ROUNDS = 40 };

static const Record *const records[] = {
#define RECORD(name, doc) &record_of_##name,
#define INT(owner, field, doc)
#define BOOL(owner, field, doc)
#define TEXT(owner, field, doc)
#define ENUM(owner, field, type, name_of, count, doc)
#define PART(owner, field, type, doc)
#define MAYBE(owner, field, type, doc)
#define LIST(owner, field, type, doc)
#define INTS(owner, field, doc)
#define BITS(owner, field, doc)
#define END(name)
#include "command/command.def"
};

enum { RECORD_COUNT = sizeof records / sizeof *records };

static void *random_record(Arena *arena, uint64_t *state, const Record *record)
{
    void *data = arena_alloc(arena, record->size, alignof(max_align_t), 1);
    record_random(arena, state, record, data);
    return data;
}

static Str encoded(Arena *arena, const Record *record, const void *data)
{
    StrBuf buf = {.arena = arena};
    record_encode(&buf, record, data);
    return buf_str(&buf);
}

TEST(what_is_written_is_read)
{
    uint64_t state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        Arena arena = {0};
        const Record *record = records[round % RECORD_COUNT];
        void *data = random_record(&arena, &state, record);
        void *again = arena_alloc(&arena, record->size, alignof(max_align_t), 1);
        Str bytes = encoded(&arena, record, data);
        Fault fault = {0};
        if (!record_decode(&arena, bytes, record, again, &fault))
            fail_msg("%s: %s", record->name, fault.text);
        assert_true(record_equal(record, data, again));
        assert_true(str_equal(bytes, encoded(&arena, record, again)));
        arena_release(&arena);
    }
}

TEST(what_is_cut_off_is_refused)
{
    uint64_t state = 2;
    for (int round = 0; round < SMALL_ROUNDS; round++) {
        Arena arena = {0};
        const Record *record = records[round % RECORD_COUNT];
        Str bytes = encoded(&arena, record, random_record(&arena, &state, record));
        for (int64_t length = 0; length < bytes.len; length++) {
            void *again = arena_alloc(&arena, record->size, alignof(max_align_t), 1);
            Fault fault = {0};
            assert_false(record_decode(&arena, str_slice(bytes, 0, length), record, again, &fault));
            assert_true(*fault.text);
        }
        arena_release(&arena);
    }
}

// Whatever the bytes are: refused, or the very bytes that are written for what they say.
TEST(changed_bytes_are_refused_or_mean_something)
{
    uint64_t state = 3;
    for (int round = 0; round < ROUNDS; round++) {
        Arena arena = {0};
        const Record *record = records[round % RECORD_COUNT];
        Str bytes = encoded(&arena, record, random_record(&arena, &state, record));
        char *changed = arena_copy(&arena, bytes.data, (size_t)bytes.len);
        for (int flips = 0; flips < 20; flips++) {
            uint64_t bits = record_random_bits(&state);
            changed[bits % (uint64_t)bytes.len] ^= (char)(1 << (bits >> 40) % 8);
            void *again = arena_alloc(&arena, record->size, alignof(max_align_t), 1);
            Fault fault = {0};
            if (record_decode(&arena, (Str){changed, bytes.len}, record, again, &fault))
                assert_true(str_equal((Str){changed, bytes.len}, encoded(&arena, record, again)));
        }
        arena_release(&arena);
    }
}

TEST(equality_sees_every_field)
{
    uint64_t state = 4;
    for (int round = 0; round < ROUNDS; round++) {
        Arena arena = {0};
        const Record *record = records[round % RECORD_COUNT];
        void *a = random_record(&arena, &state, record), *b = random_record(&arena, &state, record);
        bool same = str_equal(encoded(&arena, record, a), encoded(&arena, record, b));
        assert_int_equal(record_equal(record, a, b), same);
        arena_release(&arena);
    }
}

// ---- JSON

static void check_object(const Record *record, const json_t *object, const void *data)
{
    size_t found = 0;
    assert_true(json_is_object(object));
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        const json_t *value = json_object_get(object, field->name);
        bool absent = field->kind == FIELD_MAYBE && field_is_unset(field, data);
        assert_int_equal(!value, absent);
        found += !absent;
        if (field->kind == FIELD_INT)
            assert_int_equal(json_integer_value(value), *(const int64_t *)field_at(field, data));
        if (field->kind == FIELD_TEXT)
            assert_true(
                str_equal((Str){json_string_value(value), (int64_t)json_string_length(value)},
                          *(const Str *)field_at(field, data)));
        if (field->kind == FIELD_PART)
            check_object(field->record, value, field_at(field, data));
        if (field->kind == FIELD_MAYBE && !absent)
            check_object(field->record, value, *(const void *const *)field_at(field, data));
    }
    assert_int_equal(json_object_size(object), found);
}

TEST(json_has_every_field)
{
    uint64_t state = 5;
    for (int round = 0; round < ROUNDS; round++) {
        Arena arena = {0};
        const Record *record = records[round % RECORD_COUNT];
        void *data = random_record(&arena, &state, record);
        StrBuf out = {.arena = &arena};
        record_print_json(&out, record, data);
        json_error_t error;
        json_t *json = json_loadb(out.data, (size_t)out.len, 0, &error);
        if (!json)
            fail_msg("%s: %s", record->name, error.text);
        check_object(record, json, data);
        json_decref(json);
        arena_release(&arena);
    }
}

TEST(bits_read_as_one_number)
{
    Arena arena = {0};
    HwSnoopRow row = {0};
    *array_push(&arena, &row.sources, uint64_t) = 0xf;
    *array_push(&arena, &row.sources, uint64_t) = 0x10;
    StrBuf out = {.arena = &arena};
    record_print_json(&out, &record_of_SnoopRow, &row);
    assert_true(str_find(buf_str(&out), STR("\"0x0000000000000010000000000000000f\"")) >= 0);
    arena_release(&arena);
}

TEST(the_schema_in_docs_is_true)
{
    Arena arena = {0};
    StrBuf out = {.arena = &arena};
    Str file;
    record_print_schema(&out, &record_of_Object);
    assert_true(file_read(&arena, STR("docs/compile.schema.json"), &file));
    if (!str_equal(file, buf_str(&out)))
        fail_msg("docs/compile.schema.json is out of date: "
                 "contra compile --emit=schema > docs/compile.schema.json");
    arena_release(&arena);
}

// Names stand for the values of enums, so no two may share one.
TEST(values_have_names_of_their_own)
{
    for (int r = 0; r < RECORD_COUNT; r++)
        for (int64_t f = 0; f < records[r]->count; f++) {
            const Field *field = &records[r]->fields[f];
            for (int i = 0; field->kind == FIELD_ENUM && i < field->value_count; i++) {
                assert_non_null(field->name_of(i));
                for (int k = 0; k < i; k++)
                    if (strcmp(field->name_of(i), field->name_of(k)) == 0)
                        fail_msg("%s.%s: %d and %d are both `%s`", records[r]->name, field->name, k,
                                 i, field->name_of(i));
            }
        }
}

// ---- hostile bytes

TEST(hostile_bytes_are_refused)
{
    static const struct {
        const char *bytes, *fault;
        int length;
    } cases[] = {
        {"\xa0", "", 1},                                   // nothing is said
        {"\xa1\x64size\x05", "", 7},                       // size 5
        {"\xa1\x64size\x18\x05", "begins no item", 8},     // not the shortest head
        {"\xa1\x64size\x00", "says nothing", 7},           // unset, and said
        {"\xbf\x64size\x05\xff", "begins no item", 8},     // no definite length
        {"\xa1\x64size\xf9\x00\x00", "begins no item", 9}, // a float
        {"\xa1\x64size\x1b\xff\xff\xff\xff\xff\xff\xff\xff", "no number of 64 bits", 15},
        {"\xa1\x64sizf\x05", "has no field `sizf`", 7},         // unknown
        {"\xa2\x66stride\x05\x64size\x05", "out of order", 15}, // order
        {"\xa2\x64size\x05\x64size\x05", "out of order", 13},   // twice
        {"\xa1\x64term\x61\xff", "is not UTF-8", 8},            // text
        {"\xa1\x66packet\x01", "is not true or false", 9},      // another kind
        {"\xa1\x67offsets\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", "it ends inside", 18},
        {"\xa0\xa0", "1 bytes are too many", 2},
        {"\xbb\xff\xff\xff\xff\xff\xff\xff\xff", "it ends inside", 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena = {0};
        HwLoop loop = {0};
        Fault fault = {0};
        bool read = record_decode(&arena, (Str){cases[i].bytes, cases[i].length}, &record_of_Loop,
                                  &loop, &fault);
        assert_int_equal(read, !*cases[i].fault);
        if (!read && !strstr(fault.text, cases[i].fault))
            fail_msg("case %d: %s", (int)i, fault.text);
        arena_release(&arena);
    }
}

TEST(memory_is_bounded_by_the_bytes)
{
    enum { ITEMS = 200000 };
    Arena arena = {0};
    StrBuf buf = {.arena = &arena};
    buf_add(&buf, (Str){"\xa1\x65loops\x9a\x00\x03\x0d\x40", 12});
    buf_repeat(&buf, (Str){"\xa0", 1}, ITEMS);
    HwNest nest = {0};
    Fault fault = {0};
    assert_false(record_decode(&arena, buf_str(&buf), &record_of_Nest, &nest, &fault));
    assert_non_null(strstr(fault.text, "more memory"));
    arena_release(&arena);
}

TEST(strip_takes_out_the_source_map_only)
{
    HwOperation operation = {
        .method = STR("to_dm"), .file = STR("a.rs"), .line = 3, .text = STR("x")};
    HwObject object = {.kernel = STR("k"), .operations = {&operation, 1, 1}};
    record_strip(&record_of_Object, &object);
    assert_int_equal(operation.file.len + operation.text.len + operation.line, 0);
    assert_true(str_equal(operation.method, STR("to_dm")));
    assert_true(str_equal(object.kernel, STR("k")));
}
