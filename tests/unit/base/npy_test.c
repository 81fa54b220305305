// .npy files: every type, order and version is read; whatever is no such file is refused in words;
// what is written is read back, byte for byte as NumPy writes it.
#include "base/npy.h"

#include "base/checked.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file of the given version, header text and data.
static Str file_of(Arena *arena, int version, const char *header, Str data)
{
    StrBuf buf = {.arena = arena};
    size_t length = strlen(header);
    buf_add(&buf, (Str){"\x93NUMPY", 6});
    buf_add_char(&buf, (char)version);
    buf_add_char(&buf, 0);
    for (int i = 0; i < (version == 1 ? 2 : 4); i++)
        buf_add_char(&buf, (char)(length >> 8 * i));
    buf_add(&buf, str_from(header));
    buf_add(&buf, data);
    return buf_str(&buf);
}

TEST(types_and_orders_are_read)
{
    static const struct {
        const char *descr;
        ElementType type;
        const char *first; // its bytes, in the order of the file
        uint64_t value;
    } cases[] = {
        {"|b1", ELEMENT_BOOL, "\x01", 1},
        {"|i1", ELEMENT_I8, "\xfe", 0xfe},
        {"<i2", ELEMENT_I16, "\x02\x01", 0x102},
        {">i2", ELEMENT_I16, "\x01\x02", 0x102},
        {"<i4", ELEMENT_I32, "\x04\x03\x02\x01", 0x1020304},
        {">i4", ELEMENT_I32, "\x01\x02\x03\x04", 0x1020304},
        {"<i8", ELEMENT_I64, "\x08\x07\x06\x05\x04\x03\x02\x01", 0x102030405060708},
        {">i8", ELEMENT_I64, "\x01\x02\x03\x04\x05\x06\x07\x08", 0x102030405060708},
        {"|u1", ELEMENT_U8, "\xff", 0xff},
        {">u1", ELEMENT_U8, "\xff", 0xff},
        {"<u2", ELEMENT_U16, "\x02\x01", 0x102},
        {">u4", ELEMENT_U32, "\x01\x02\x03\x04", 0x1020304},
        {"<u8", ELEMENT_U64, "\x08\x07\x06\x05\x04\x03\x02\x01", 0x102030405060708},
        {"<f2", ELEMENT_F16, "\x00\x3c", 0x3c00},
        {">f4", ELEMENT_F32, "\x3f\x80\x00\x00", 0x3f800000},
        {"<f8", ELEMENT_F64, "\x00\x00\x00\x00\x00\x00\xf0\x3f", 0x3ff0000000000000},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        NdArray array;
        Fault fault;
        int32_t bytes = element_infos[cases[i].type].bytes;
        Str header = str_format(
            &arena, "{{'descr': '{}', 'fortran_order': False, 'shape': (1,), }\n", cases[i].descr);
        Str file = file_of(&arena, 1 + (int)i % 3, str_terminated(&arena, header),
                           (Str){cases[i].first, bytes});
        assert_true(npy_parse(&arena, file, &array, &fault));
        ndarray_settle(&arena, &array);
        assert_int_equal(array.type, cases[i].type);
        assert_int_equal(array.count, 1);
        uint64_t value = 0; // in the order of this machine
        switch (bytes) {
        case 1:
            value = array.data[0];
            break;
        case 2:
            value = *(const uint16_t *)(const void *)array.data;
            break;
        case 4:
            value = *(const uint32_t *)(const void *)array.data;
            break;
        case 8:
            value = *(const uint64_t *)(const void *)array.data;
            break;
        }
        assert_true(value == cases[i].value);
        arena_release(&arena);
    }
}

TEST(the_order_of_fortran_is_turned)
{
    Arena arena = {0};
    NdArray array;
    Fault fault;
    uint8_t data[12];
    for (int i = 0; i < 12; i++)
        data[i] = (uint8_t)i;
    Str file = file_of(&arena, 1, "{'shape': (2, 3, 2), 'fortran_order': True, 'descr': '|u1'}",
                       (Str){(const char *)data, 12});
    assert_true(npy_parse(&arena, file, &array, &fault));
    assert_true(array.is_fortran);
    ndarray_settle(&arena, &array);
    assert_false(array.is_fortran);
    // element [i, j, k] lies at i + 2 * (j + 3 * k)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++)
                assert_int_equal(array.data[(i * 3 + j) * 2 + k], i + 2 * (j + 3 * k));
    arena_release(&arena);
}

TEST(shapes_are_read_as_python_writes_them)
{
    static const struct {
        const char *shape;
        int64_t rank, count;
    } cases[] = {{"()", 0, 1},
                 {"(3,)", 1, 3},
                 {"(3)", 1, 3},
                 {"( 1 ,2, 3 )", 3, 6},
                 {"(2L, 3L)", 2, 6},
                 {"(0,)", 1, 0},
                 {"(0, 9223372036854775807, 2)", 3, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        NdArray array;
        Fault fault;
        Str header = str_format(
            &arena, "{{\"descr\": \"|i1\", 'fortran_order': False, 'shape': {}}", cases[i].shape);
        Str file =
            file_of(&arena, 2, str_terminated(&arena, header), (Str){"abcdef", cases[i].count});
        assert_true(npy_parse(&arena, file, &array, &fault));
        assert_int_equal(array.rank, cases[i].rank);
        assert_int_equal(array.count, cases[i].count);
        arena_release(&arena);
    }
}

TEST(whatever_is_wrong_is_said)
{
    static const struct {
        const char *header, *words;
    } cases[] = {
        {"", "no `{`"},
        {"{", "no string"},
        {"{'descr': '<f4'", "no `}`"},
        {"{'descr': '<f4}", "does not end"},
        {"{'descr' '<f4'}", "no `:`"},
        {"{'descr': '<f4'} x", "behind its end"},
        {"{'descr': '<f4', 'fortran_order': False}", "lacks"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", "neither True nor False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 3}", "no `(`"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, }", "no number"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}", "no `)`"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", "no number"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}", "no number"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}", "any memory"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "any memory"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}", "it has 4"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "needs 8 bytes"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()} ", ""},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "needs 1 bytes"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "several fields"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': ()}", "Python objects"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': ()}", "`<c8`"},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': ()}", "`<f3`"},
        {"{'descr': '<U1', 'fortran_order': False, 'shape': ()}", "`<U1`"},
        {"{'descr': '?f4', 'fortran_order': False, 'shape': ()}", "`?f4`"},
        {"{'descr': '\x01\xff', 'fortran_order': False, 'shape': ()}", "`?"},
        {"{'colour': 1}", "unknown entry `colour`"},
        {"{'descr': '|i1', 'fortran_order': False, 'shape': "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
         "more than 64"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        NdArray array;
        Fault fault = {0};
        Str file = file_of(&arena, 1, cases[i].header, (Str){"abcd", 4});
        bool ok = npy_parse(&arena, file, &array, &fault);
        assert_int_equal(ok, !*cases[i].words);
        if (!ok && !strstr(fault.text, cases[i].words))
            fail_msg("`%s`: expected `%s`, said `%s`", cases[i].header, cases[i].words, fault.text);
        arena_release(&arena);
    }
}

TEST(every_beginning_is_refused)
{
    Arena arena = {0};
    Str file = file_of(&arena, 2, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2)}\n",
                       (Str){"abcdefgh", 8});
    for (int64_t length = 0; length <= file.len; length++) {
        NdArray array;
        Fault fault = {0};
        char *copy = malloc((size_t)length + 1); // so that a sanitizer sees what is beyond it
        memcpy(copy, file.data, (size_t)length);
        bool ok = npy_parse(&arena, (Str){copy, length}, &array, &fault);
        assert_int_equal(ok, length == file.len);
        assert_int_equal(!*fault.text, ok);
        free(copy);
    }
    Str wrong = file_of(&arena, 4, "{}", (Str){0});
    NdArray array;
    Fault fault;
    assert_false(npy_parse(&arena, wrong, &array, &fault));
    assert_non_null(strstr(fault.text, "version 4"));
    arena_release(&arena);
}

TEST(what_is_written_is_read)
{
    static const int64_t shape[] = {2, 3};
    static const uint8_t data[6 * 8] = {1, 2, 3, 4, 5, 6};
    for (ElementType type = 0; type < ELEMENT_COUNT; type++) {
        for (int64_t rank = 0; rank <= 2; rank++) {
            Arena arena = {0};
            StrBuf buf = {.arena = &arena};
            NdArray array = {type, rank, shape, 0, data, false, false}, again;
            Fault fault;
            int64_t bytes;
            assert_true(ndarray_extent(type, shape, rank, &array.count, &bytes));
            npy_header(&buf, &array);
            assert_int_equal(buf.len % 64, 0);
            buf_add(&buf, (Str){(const char *)data, bytes});
            assert_true(npy_parse(&arena, buf_str(&buf), &again, &fault));
            assert_int_equal(again.count, array.count);
            assert_int_equal(again.rank, rank);
            assert_int_equal(element_infos[again.type].bytes, element_infos[type].bytes);
            assert_true(again.type == type || !element_infos[type].letter);
            assert_memory_equal(again.data, data, (size_t)bytes);
            arena_release(&arena);
        }
    }
}
