// .safetensors files: what is described is found; offsets that overlap, leave the file or do not
// fit the shape, repeated names and broken headers are refused in words.
#include "base/safetensors.h"

#include "base/checked.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static Str file_of(Arena *arena, const char *header, int64_t data_bytes)
{
    StrBuf buf = {.arena = arena};
    size_t length = strlen(header);
    for (int i = 0; i < 8; i++)
        buf_add_char(&buf, (char)(length >> 8 * i));
    buf_add(&buf, str_from(header));
    for (int64_t i = 0; i < data_bytes; i++)
        buf_add_char(&buf, (char)i);
    return buf_str(&buf);
}

TEST(arrays_are_found)
{
    Arena arena = {0};
    NamedArrays arrays;
    Fault fault;
    Str file = file_of(&arena,
                       "{\"__metadata__\":{\"format\":\"pt\"},"
                       "\"late\":{\"dtype\":\"I16\",\"shape\":[2],\"data_offsets\":[12,16]},"
                       "\"a b\":{\"dtype\":\"BF16\",\"shape\":[2,3],\"data_offsets\":[0,12]},"
                       "\"none\":{\"dtype\":\"F64\",\"shape\":[0,7],\"data_offsets\":[16,16]},"
                       "\"one\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[16,17]}}   ",
                       17);
    assert_true(safetensors_parse(&arena, file, &arrays, &fault));
    assert_int_equal(arrays.count, 4);
    assert_string_equal(arrays.items[0].name, "a b");
    assert_int_equal(arrays.items[0].array.type, ELEMENT_BF16);
    assert_int_equal(arrays.items[0].array.rank, 2);
    assert_int_equal(arrays.items[0].array.shape[1], 3);
    assert_string_equal(arrays.items[1].name, "late");
    assert_int_equal(arrays.items[1].array.data[0], 12);
    assert_int_equal(arrays.items[2].array.count, 0);
    assert_string_equal(arrays.items[3].name, "one");
    assert_int_equal(arrays.items[3].array.count, 1);
    assert_int_equal(arrays.items[3].array.data[0], 16);
    arena_release(&arena);
}

#define ARRAY_TEXT(name, dtype, shape, from, to)                                                   \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" from "," to "]" \
    "}"

TEST(whatever_is_wrong_is_said)
{
    static const struct {
        const char *header, *words;
    } cases[] = {
        {"{" ARRAY_TEXT("x", "U8", "[4]", "0", "4") "," ARRAY_TEXT("y", "U8", "[4]", "4", "8") "}",
         ""},
        {"{" ARRAY_TEXT("x", "U8", "[5]", "0", "5") "," ARRAY_TEXT("y", "U8", "[4]", "4", "8") "}",
         "`x` and `y` in it share bytes"},
        {"{" ARRAY_TEXT("x", "U8", "[4]", "0", "4") "," ARRAY_TEXT("y", "U8", "[3]", "5", "8") "}",
         "1 bytes before the array `y`"},
        {"{" ARRAY_TEXT("x", "U8", "[4]", "0", "4") "}", "4 bytes at its end"},
        {"{" ARRAY_TEXT("x", "U8", "[8]", "0", "8") "," ARRAY_TEXT("x", "U8", "[8]", "0", "8") "}",
         "duplicate"},
        {"{" ARRAY_TEXT("x", "U8", "[9]", "0", "9") "}", "outside of the file"},
        {"{" ARRAY_TEXT("x", "U8", "[4]", "8", "4") "}", "outside of the file"},
        {"{" ARRAY_TEXT("x", "U8", "[7]", "0", "8") "}", "its shape needs 7"},
        {"{" ARRAY_TEXT("x", "U8", "[-8]", "0", "8") "}", "no shape"},
        {"{" ARRAY_TEXT("x", "U8", "[8.0]", "0", "8") "}", "no shape"},
        {"{" ARRAY_TEXT("x", "U8", "8", "0", "8") "}", "no shape"},
        {"{" ARRAY_TEXT("x", "U8", "[4294967296,4294967296]", "0", "8") "}", "any memory"},
        {"{" ARRAY_TEXT("x", "F64", "[9223372036854775807]", "0", "8") "}", "any memory"},
        {"{" ARRAY_TEXT("x", "U8", "[9223372036854775808]", "0", "8") "}", "JSON"},
        {"{" ARRAY_TEXT("x", "Q3", "[8]", "0", "8") "}", "`Q3`"},
        {"{" ARRAY_TEXT("x", "U8", "[8]", "-8", "8") "}", "data_offsets"},
        {"{" ARRAY_TEXT("x", "U8", "[8]", "0", "8,9") "}", "data_offsets"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[8]}}", "data_offsets"},
        {"{\"x\":{\"shape\":[8],\"data_offsets\":[0,8]}}", "no dtype"},
        {"{\"x\":3}", "not described"},
        {"[]", "no JSON object"},
        {"{", "no JSON object"},
        {"", "no JSON object"},
        {"{\"\\ud800\":1}", "no JSON object"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        NamedArrays arrays;
        Fault fault = {0};
        bool ok = safetensors_parse(&arena, file_of(&arena, cases[i].header, 8), &arrays, &fault);
        assert_int_equal(ok, !*cases[i].words);
        if (!ok && !strstr(fault.text, cases[i].words))
            fail_msg("`%s`: expected `%s`, said `%s`", cases[i].header, cases[i].words, fault.text);
        arena_release(&arena);
    }
}

TEST(every_beginning_is_refused)
{
    Arena arena = {0};
    Str file = file_of(&arena, "{" ARRAY_TEXT("x", "U8", "[8]", "0", "8") "}", 8);
    for (int64_t length = 0; length <= file.len; length++) {
        NamedArrays arrays;
        Fault fault = {0};
        char *copy = malloc((size_t)length + 1);
        memcpy(copy, file.data, (size_t)length);
        assert_int_equal(safetensors_parse(&arena, (Str){copy, length}, &arrays, &fault),
                         length == file.len);
        free(copy);
    }
    Str huge = {"\xff\xff\xff\xff\xff\xff\xff\xff{}", 10};
    NamedArrays arrays;
    Fault fault;
    assert_false(safetensors_parse(&arena, huge, &arrays, &fault));
    arena_release(&arena);
}

TEST(what_is_written_is_read)
{
    Arena arena = {0};
    static const uint8_t data[6 * 8] = {1, 2, 3};
    static const int64_t shape[] = {2, 3};
    NamedArray items[ELEMENT_COUNT];
    NamedArrays arrays = {items, ELEMENT_COUNT}, again;
    StrBuf buf = {.arena = &arena};
    Fault fault;
    for (ElementType type = 0; type < ELEMENT_COUNT; type++)
        items[type] =
            (NamedArray){element_infos[type].name, {type, type % 3, shape, 0, data, false, false}};
    for (ElementType type = 0; type < ELEMENT_COUNT; type++) {
        int64_t bytes;
        assert_true(
            ndarray_extent(type, shape, items[type].array.rank, &items[type].array.count, &bytes));
    }
    assert_true(safetensors_header(&buf, &arrays));
    assert_int_equal(buf.len % 8, 0);
    for (ElementType type = 0; type < ELEMENT_COUNT; type++)
        buf_add(&buf,
                (Str){(const char *)data, items[type].array.count * element_infos[type].bytes});
    assert_true(safetensors_parse(&arena, buf_str(&buf), &again, &fault));
    assert_int_equal(again.count, ELEMENT_COUNT);
    for (ElementType type = 0; type < ELEMENT_COUNT; type++) {
        assert_string_equal(again.items[type].name, items[type].name);
        assert_int_equal(again.items[type].array.type, type);
        assert_int_equal(again.items[type].array.count, items[type].array.count);
        ndarray_settle(&arena, &again.items[type].array);
        assert_memory_equal(again.items[type].array.data, data, (size_t)element_infos[type].bytes);
    }
    items[1].name = items[0].name;
    assert_false(safetensors_header(&buf, &arrays));
    arena_release(&arena);
}

// False: the n-th allocation was one too many.
static bool works_with(int64_t n)
{
    Arena arena = {.fail_in = n}, files = {0};
    jmp_buf on_oom;
    arena.on_oom = &on_oom;
    Str file = file_of(&files, "{" ARRAY_TEXT("x", "U8", "[8]", "0", "8") "}", 8);
    bool exhausted = setjmp(on_oom);
    if (!exhausted) {
        NamedArrays arrays;
        Fault fault;
        StrBuf buf = {.arena = &arena};
        assert_true(safetensors_parse(&arena, file, &arrays, &fault));
        assert_true(safetensors_header(&buf, &arrays));
    }
    arena_release(&arena);
    arena_release(&files);
    return !exhausted;
}

// Nothing of Jansson's is lost when the arena is exhausted; the sanitizer build looks.
TEST(memory_runs_out)
{
    int64_t n = 1;
    while (!works_with(n))
        n++;
    assert_true(n > 3);
}
