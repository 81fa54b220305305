// Elements in byte buffers.
#include "reference.h"

TEST(bytes_lie_where_they_should)
{
    static const struct {
        Scalar type;
        uint32_t values[4];
        int32_t byte_count;
        uint8_t bytes[16];
    } cases[] = {
        {SCALAR_I4, {1, 2, -3, -8}, 2, {0x21, 0x8d}},
        {SCALAR_I5, {1, 15, -1, -16}, 4, {0x01, 0x0f, 0xff, 0xf0}},
        {SCALAR_I8, {1, 127, -1, -128}, 4, {0x01, 0x7f, 0xff, 0x80}},
        {SCALAR_I9, {1, 255, -1, -256}, 8, {0x01, 0, 0xff, 0, 0xff, 0xff, 0x00, 0xff}},
        {SCALAR_I16, {1, 0x1234, -1, -32768}, 8, {0x01, 0, 0x34, 0x12, 0xff, 0xff, 0x00, 0x80}},
        {SCALAR_U8, {0, 1, 128, 255}, 4, {0x00, 0x01, 0x80, 0xff}},
        {SCALAR_F8, {0, 1, 128, 255}, 4, {0x00, 0x01, 0x80, 0xff}},
        {SCALAR_F8E4M3, {0x38, 0x7e, 0x80, 0xff}, 4, {0x38, 0x7e, 0x80, 0xff}},
        {SCALAR_F8E5M2, {0x3c, 0x7b, 0x80, 0xfc}, 4, {0x3c, 0x7b, 0x80, 0xfc}},
        {SCALAR_F16, {0x3c00, 0x8001, 0, 0x7c00}, 8, {0, 0x3c, 0x01, 0x80, 0, 0, 0x00, 0x7c}},
        {SCALAR_BF16, {0x3f80, 0x8001, 0, 0xff80}, 8, {0x80, 0x3f, 0x01, 0x80, 0, 0, 0x80, 0xff}},
        {SCALAR_I32,
         {1, 0x12345678, -1, 0x80000000},
         16,
         {1, 0, 0, 0, 0x78, 0x56, 0x34, 0x12, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80}},
        {SCALAR_F32,
         {0x3f800000, 0x12345678, 0, 0xff800001},
         16,
         {0, 0, 0x80, 0x3f, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, 1, 0, 0x80, 0xff}},
    };
    assert_int_equal(LENGTH_OF(cases), SCALAR_COUNT);
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        uint8_t buffer[16] = {0};
        uint32_t values[4];
        int64_t bytes;
        scalar_pack(cases[i].type, cases[i].values, 4, buffer, 0);
        assert_memory_equal(buffer, cases[i].bytes, 16);
        scalar_unpack(cases[i].type, buffer, 0, 4, values);
        assert_memory_equal(values, cases[i].values, sizeof(values));
        assert_true(scalar_storage_bytes(cases[i].type, 4, &bytes));
        assert_int_equal(bytes, cases[i].byte_count);
    }
}

TEST(a_nibble_leaves_its_neighbour_alone)
{
    for (uint32_t before = 0; before < 256; before++) {
        for (int32_t value = -8; value < 8; value++) {
            uint8_t buffer[3] = {0xa5, (uint8_t)before, 0x5a};
            scalar_store(SCALAR_I4, buffer, 2, (uint32_t)value);
            assert_int_equal(buffer[1], (before & 0xf0) | ((uint32_t)value & 0xf));
            assert_int_equal((int32_t)scalar_load(SCALAR_I4, buffer, 2), value);
            buffer[1] = (uint8_t)before;
            scalar_store(SCALAR_I4, buffer, 3, (uint32_t)value);
            assert_int_equal(buffer[1], (before & 0x0f) | ((uint32_t)value & 0xf) << 4);
            assert_int_equal((int32_t)scalar_load(SCALAR_I4, buffer, 3), value);
            assert_true(buffer[0] == 0xa5 && buffer[2] == 0x5a);
        }
    }
}

// A range that starts and ends in the middle of a byte touches nothing else.
TEST(a_range_of_nibbles_stays_in_its_range)
{
    uint8_t buffer[4] = {0xff, 0xff, 0xff, 0xff};
    static const uint8_t want[4] = {0x1f, 0x32, 0xf4, 0xff};
    static const uint32_t values[4] = {1, 2, 3, 4};
    uint32_t got[4];
    scalar_pack(SCALAR_I4, values, 4, buffer, 1);
    assert_memory_equal(buffer, want, 4);
    scalar_unpack(SCALAR_I4, buffer, 1, 4, got);
    assert_memory_equal(got, values, sizeof(values));
}

// Every pattern of up to 16 bits comes back; wider ones at a set of patterns.
TEST(stored_values_come_back)
{
    for (int32_t type = 0; type < SCALAR_COUNT; type++) {
        for (uint32_t pattern = 0; pattern < 0x10000; pattern++) {
            uint8_t buffer[12] = {0};
            uint32_t value = scalar_wrap((Scalar)type, pattern * 0x10001u);
            scalar_store((Scalar)type, buffer, 1, value);
            assert_bits(scalar_load((Scalar)type, buffer, 1), value, (Scalar)type, pattern);
            assert_bits(scalar_load((Scalar)type, buffer, 0), 0, (Scalar)type, pattern);
            assert_bits(scalar_load((Scalar)type, buffer, 2), 0, (Scalar)type, pattern);
        }
    }
}

TEST(wrapping_makes_canonical_values)
{
    for (size_t i = 0; i < LENGTH_OF(integer_types); i++) {
        for (int64_t value = -70000; value <= 70000; value++) {
            uint32_t got = scalar_wrap(integer_types[i].type, (uint32_t)value);
            uint32_t want = (uint32_t)wrap_to_range(&integer_types[i], value);
            assert_bits(got, want, integer_types[i].type, value);
        }
    }
    assert_int_equal(scalar_wrap(SCALAR_F8, 0x1234), 0x34);
    assert_int_equal(scalar_wrap(SCALAR_F8E4M3, 0xffffff80), 0x80);
    assert_int_equal(scalar_wrap(SCALAR_BF16, 0xffff8000), 0x8000);
    assert_int_equal(scalar_wrap(SCALAR_F32, 0xffc00001), 0xffc00001);
}

TEST(storage_has_a_size)
{
    int64_t bytes;
    assert_true(scalar_storage_bytes(SCALAR_I4, 3, &bytes) && bytes == 2);
    assert_true(scalar_storage_bytes(SCALAR_I5, 3, &bytes) && bytes == 3);
    assert_true(scalar_storage_bytes(SCALAR_I9, 3, &bytes) && bytes == 6);
    assert_false(scalar_storage_bytes(SCALAR_I8, -1, &bytes));
    assert_false(scalar_storage_bytes(SCALAR_I32, INT64_MAX, &bytes));
}
