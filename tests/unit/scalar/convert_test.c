// Conversions against the definition in reference.h: small types with every pattern, f32 at every
// rounding boundary of every type and over all its exponents.
#include "reference.h"

static void check_from_f32(const FloatType *type, uint32_t f32)
{
    uint32_t got;
    assert_true(scalar_convert(SCALAR_F32, type->type, f32, &got));
    assert_bits(got, reference_from_f32(type, f32), type->type, f32);
}

static void check_both_signs(const FloatType *type, uint32_t f32)
{
    check_from_f32(type, f32);
    check_from_f32(type, f32 ^ 0x80000000);
}

static void check_around(const FloatType *type, uint32_t f32)
{
    check_both_signs(type, f32);
    check_both_signs(type, f32 + 1);
    if (f32 > 0)
        check_both_signs(type, f32 - 1);
}

// At each value of the type, and half way to the next, with one ulp of f32 to both sides.
TEST(f32_rounds_at_every_boundary)
{
    for (size_t i = 0; i < LENGTH_OF(float_types); i++) {
        const FloatType *type = &float_types[i];
        for (uint32_t index = 0; index < type->count; index++) {
            double low = finite_value(type, index), high = finite_value(type, index + 1);
            float middle = (float)((low + high) / 2);
            assert_true((double)middle == (low + high) / 2);
            check_around(type, float_to_bits((float)low));
            check_around(type, float_to_bits(middle));
        }
    }
}

TEST(f32_rounds_over_all_exponents)
{
    for (size_t i = 0; i < LENGTH_OF(float_types); i++) {
        for (uint32_t exponent = 0; exponent < 256; exponent++) {
            uint32_t base = exponent << 23;
            check_both_signs(&float_types[i], base);
            for (uint32_t a = 0; a < 23; a++) {
                for (uint32_t b = 0; b <= a;
                     b++) { // one or two bits set, cleared, and runs of ones
                    uint32_t bits = UINT32_C(1) << a | UINT32_C(1) << b;
                    uint32_t run = (UINT32_C(2) << a) - (UINT32_C(1) << b);
                    check_both_signs(&float_types[i], base | bits);
                    check_both_signs(&float_types[i], base | (bits ^ 0x7fffff));
                    check_both_signs(&float_types[i], base | run);
                }
            }
        }
    }
}

// A step coprime to 2^32 visits patterns all over the range.
TEST(f32_rounds_all_over)
{
    uint32_t f32 = 12345;
    for (int32_t round = 0; round < 400000; round++, f32 += 2654435769u) {
        for (size_t i = 0; i < LENGTH_OF(float_types); i++)
            check_from_f32(&float_types[i], f32);
    }
}

// The rules of the specials in numbers, one by one.
TEST(f32_specials)
{
    static const struct {
        Scalar to;
        uint32_t f32, want;
    } cases[] = {
        {SCALAR_BF16, 0x7f800000, 0x7f80}, {SCALAR_BF16, 0xff800000, 0xff80},
        {SCALAR_BF16, 0x7f800001, 0x7fc0}, {SCALAR_BF16, 0xffa10000, 0xffe1},
        {SCALAR_BF16, 0x7f7f7fff, 0x7f7f}, {SCALAR_BF16, 0x7f7f8000, 0x7f80},
        {SCALAR_BF16, 0x00000001, 0x0000}, {SCALAR_BF16, 0x80000001, 0x8000},
        {SCALAR_F16, 0x7f800000, 0x7c00},  {SCALAR_F16, 0x477fefff, 0x7bff},
        {SCALAR_F16, 0x477ff000, 0x7c00},  {SCALAR_F16, 0xffffffff, 0xffff},
        {SCALAR_F16, 0x7f802000, 0x7e01},  {SCALAR_F16, 0x33000000, 0x0000},
        {SCALAR_F16, 0x33000001, 0x0001},  {SCALAR_F8E4M3, 0x7fc00000, 0x7f},
        {SCALAR_F8E4M3, 0xffc00000, 0x7f}, {SCALAR_F8E4M3, 0x7f800000, 0x7e},
        {SCALAR_F8E4M3, 0xff800000, 0xfe}, {SCALAR_F8E4M3, 0x43e00000, 0x7e},
        {SCALAR_F8E4M3, 0x43e80000, 0x7e}, {SCALAR_F8E4M3, 0xc47a0000, 0xfe},
        {SCALAR_F8E4M3, 0x3f800000, 0x38}, {SCALAR_F8E4M3, 0x80000001, 0x80},
        {SCALAR_F8E4M3, 0x3a800000, 0x00}, {SCALAR_F8E4M3, 0x3a800001, 0x01},
        {SCALAR_F8E5M2, 0x7f800000, 0x7c}, {SCALAR_F8E5M2, 0xff800000, 0xfc},
        {SCALAR_F8E5M2, 0x7f800001, 0x7e}, {SCALAR_F8E5M2, 0xffa00000, 0xff},
        {SCALAR_F8E5M2, 0x476fffff, 0x7b}, {SCALAR_F8E5M2, 0x47700000, 0x7c},
        {SCALAR_F8, 0x3f000000, 128},      {SCALAR_F8, 0xbf000000, 0},
        {SCALAR_F8, 0x3f7fffff, 255},      {SCALAR_F8, 0x7f7fffff, 255},
        {SCALAR_F8, 0x7f800000, 255},      {SCALAR_F8, 0xff800000, 0},
        {SCALAR_F8, 0x7fc00000, 0},        {SCALAR_F8, 0x3b7fffff, 0},
        {SCALAR_F8, 0x3b800000, 1},
    };
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        uint32_t got;
        assert_true(scalar_convert(SCALAR_F32, cases[i].to, cases[i].f32, &got));
        assert_bits(got, cases[i].want, cases[i].to, cases[i].f32);
    }
}

TEST(every_float_widens_exactly_and_comes_back)
{
    for (size_t i = 0; i < LENGTH_OF(float_types); i++) {
        const FloatType *type = &float_types[i];
        for (uint32_t bits = 0; bits < UINT32_C(2) << type->sign_bit; bits++) {
            uint32_t f32, back;
            assert_true(scalar_convert(type->type, SCALAR_F32, bits, &f32));
            assert_bits(f32, reference_to_f32(type, bits), type->type, bits);
            assert_true(scalar_convert(SCALAR_F32, type->type, f32, &back));
            if (!is_nan_f32(f32))
                assert_bits(back, bits, type->type, bits);
        }
    }
}

TEST(f8_is_a_normalised_byte)
{
    uint32_t got;
    for (uint32_t byte = 0; byte < 256; byte++) {
        assert_true(scalar_convert(SCALAR_F8, SCALAR_F32, byte, &got));
        assert_bits(got, reference_f8_to_f32(byte), SCALAR_F8, byte);
        for (int32_t step = -2; step <= 2; step++) { // around byte / 256, where truncation steps
            uint32_t f32 = float_to_bits((float)(byte + 1) / 256) + (uint32_t)step;
            assert_true(scalar_convert(SCALAR_F32, SCALAR_F8, f32, &got));
            assert_bits(got, reference_f32_to_f8(f32), SCALAR_F8, f32);
        }
    }
    for (uint32_t high = 0; high <= 0xffff; high++) {
        uint32_t f32 = high << 16 | 1;
        assert_true(scalar_convert(SCALAR_F32, SCALAR_F8, f32, &got));
        assert_bits(got, reference_f32_to_f8(f32), SCALAR_F8, f32);
    }
}

static const Scalar small_non_integers[] = {SCALAR_F8, SCALAR_F8E4M3, SCALAR_F8E5M2, SCALAR_F16,
                                            SCALAR_BF16};

static uint32_t pattern_count(Scalar type)
{
    return type == SCALAR_F16 || type == SCALAR_BF16 ? 0x10000 : 0x100;
}

// Between two types a value is rounded once: f32 in the middle loses nothing.
TEST(every_small_pattern_through_every_conversion)
{
    for (size_t i = 0; i < LENGTH_OF(small_non_integers); i++) {
        for (size_t j = 0; j < LENGTH_OF(small_non_integers); j++) {
            Scalar from = small_non_integers[i], to = small_non_integers[j];
            for (uint32_t bits = 0; bits < pattern_count(from); bits++) {
                uint32_t got;
                uint32_t want =
                    from == to ? bits : reference_narrow(to, reference_widen(from, bits));
                assert_true(scalar_convert(from, to, bits, &got));
                assert_bits(got, want, to, bits);
            }
        }
    }
}

// Manual: Fetch Engine, Type Casting, RNGD-S.
TEST(eight_bit_floats_are_exact_in_bf16)
{
    static const Scalar from[] = {SCALAR_F8E4M3, SCALAR_F8E5M2};
    for (size_t i = 0; i < LENGTH_OF(from); i++) {
        for (uint32_t bits = 0; bits < 0x100; bits++) {
            uint32_t f32, bf16;
            assert_true(scalar_convert(from[i], SCALAR_F32, bits, &f32));
            assert_true(scalar_convert(from[i], SCALAR_BF16, bits, &bf16));
            if (!is_nan_f32(f32))
                assert_bits(bf16 << 16, f32, from[i], bits);
        }
    }
}

static void check_integer(const IntegerType *from, const IntegerType *to, int64_t value)
{
    uint32_t got;
    assert_true(scalar_convert(from->type, to->type, (uint32_t)value, &got));
    uint32_t want = (uint32_t)wrap_to_range(to, value);
    assert_bits(got, want, to->type, value);
}

TEST(integers_keep_their_low_bits)
{
    for (size_t i = 0; i < LENGTH_OF(integer_types); i++) {
        for (size_t j = 0; j < LENGTH_OF(integer_types); j++) {
            const IntegerType *from = &integer_types[i], *to = &integer_types[j];
            for (int64_t value = -40000; value <= 70000; value++) {
                if (value >= from->lowest && value <= from->highest)
                    check_integer(from, to, value);
            }
        }
    }
    const IntegerType *i32 = find_integer_type(SCALAR_I32);
    for (size_t j = 0; j < LENGTH_OF(integer_types); j++) {
        for (int64_t value = INT32_MIN; value <= INT32_MAX; value += 65521)
            check_integer(i32, &integer_types[j], value);
        check_integer(i32, &integer_types[j], INT32_MAX);
    }
}

// Narrowing an i32 wraps; it does not saturate.
TEST(narrowing_does_not_saturate)
{
    static const struct {
        Scalar to;
        int32_t value, want;
    } cases[] = {
        {SCALAR_I4, 7, 7},       {SCALAR_I4, 8, -8},          {SCALAR_I4, -9, 7},
        {SCALAR_I4, 16, 0},      {SCALAR_I8, 127, 127},       {SCALAR_I8, 128, -128},
        {SCALAR_I8, 300, 44},    {SCALAR_I8, -129, 127},      {SCALAR_I16, 32768, -32768},
        {SCALAR_I16, 65535, -1}, {SCALAR_I16, -32769, 32767}, {SCALAR_I9, 256, -256},
        {SCALAR_I9, -257, 255},
    };
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        uint32_t got;
        assert_true(scalar_convert(SCALAR_I32, cases[i].to, (uint32_t)cases[i].value, &got));
        assert_bits(got, (uint32_t)cases[i].want, cases[i].to, cases[i].value);
    }
}

TEST(same_type_changes_nothing)
{
    static const uint32_t patterns[] = {0, 1, 0x80000000, 0x7f800001, 0xff800001, 0xffffffff};
    for (int32_t type = 0; type < SCALAR_COUNT; type++) {
        for (size_t i = 0; i < LENGTH_OF(patterns); i++) {
            uint32_t bits = scalar_wrap((Scalar)type, patterns[i]), got;
            assert_true(scalar_convert((Scalar)type, (Scalar)type, bits, &got));
            assert_bits(got, bits, (Scalar)type, bits);
        }
    }
}

TEST(integers_and_floats_do_not_convert)
{
    for (int32_t from = 0; from < SCALAR_COUNT; from++) {
        for (int32_t to = 0; to < SCALAR_COUNT; to++) {
            bool want = (find_integer_type((Scalar)from) != NULL) ==
                        (find_integer_type((Scalar)to) != NULL);
            uint32_t got, values[] = {1, 2};
            assert_int_equal(scalar_convert((Scalar)from, (Scalar)to, 0, &got), want);
            assert_int_equal(scalar_convert_all((Scalar)from, (Scalar)to, values, 2), want);
            if (!want)
                assert_true(values[0] == 1 && values[1] == 2);
        }
    }
}

TEST(many_convert_like_one)
{
    uint32_t values[] = {0x3f800000, 0xc0490fdb, 0x7f800000, 0x00000001, 0x7fc00000};
    static const uint32_t want[] = {0x3f80, 0xc049, 0x7f80, 0x0000, 0x7fc0};
    assert_true(scalar_convert_all(SCALAR_F32, SCALAR_BF16, values, 5));
    assert_memory_equal(values, want, sizeof(want));
}
