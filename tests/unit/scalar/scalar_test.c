// Names, sizes and what the engines offer; the last two spelt out in full here, as the manual has
// them.
#include "reference.h"

static const char *const names[] = {"i4", "i5",     "i8",     "i9",  "i16",  "i32", "u8",
                                    "f8", "f8e4m3", "f8e5m2", "f16", "bf16", "f32"};

TEST(names_parse_and_print)
{
    assert_int_equal(LENGTH_OF(names), SCALAR_COUNT);
    for (size_t i = 0; i < LENGTH_OF(names); i++) {
        Scalar type = SCALAR_COUNT;
        assert_true(scalar_parse(str_from(names[i]), &type));
        assert_int_equal(type, i);
        assert_string_equal(scalar_name(type), names[i]);
    }
}

TEST(other_names_do_not_parse)
{
    static const char *const others[] = {"",    "i",   "I8",  "i88", "u16", "f64",
                                         " i8", "i8 ", "f8e", "f81", "bool"};
    for (size_t i = 0; i < LENGTH_OF(others); i++) {
        Scalar type;
        assert_false(scalar_parse(str_from(others[i]), &type));
    }
}

TEST(traits_agree_with_the_definition)
{
    for (size_t i = 0; i < LENGTH_OF(integer_types); i++) {
        const ScalarTraits *traits = &scalar_traits[integer_types[i].type];
        assert_true(scalar_is_integer(integer_types[i].type));
        assert_int_equal(integer_types[i].highest, traits->maximum);
        assert_true(integer_types[i].highest - integer_types[i].lowest ==
                    (INT64_C(1) << traits->bits) - 1);
        assert_int_equal(integer_types[i].lowest < 0, traits->kind == SCALAR_KIND_SIGNED);
    }
    for (size_t i = 0; i < LENGTH_OF(float_types); i++) {
        const ScalarTraits *traits = &scalar_traits[float_types[i].type];
        assert_false(scalar_is_integer(float_types[i].type));
        assert_int_equal(float_types[i].count - 1, traits->maximum);
        assert_int_equal(1 + traits->exponent_bits + traits->mantissa_bits, traits->bits);
        assert_int_equal(float_types[i].has_infinity, traits->specials == SCALAR_SPECIALS_IEEE);
    }
    assert_false(scalar_is_integer(SCALAR_F8));
    assert_false(scalar_is_integer(SCALAR_F32));
}

TEST(sizes_are_whole_bytes)
{
    enum { REFUSED = -1 };
    static const struct {
        Scalar type;
        int64_t length, bytes;
    } cases[] = {
        {SCALAR_I4, 0, 0},
        {SCALAR_I4, 2, 1},
        {SCALAR_I4, 3, REFUSED},
        {SCALAR_I4, 64, 32},
        {SCALAR_I5, 64, 32},
        {SCALAR_I5, 1, REFUSED},
        {SCALAR_I8, 32, 32},
        {SCALAR_I9, 32, 32},
        {SCALAR_U8, 3, 3},
        {SCALAR_F8, 3, 3},
        {SCALAR_F8E4M3, 7, 7},
        {SCALAR_F8E5M2, 7, 7},
        {SCALAR_I16, 16, 32},
        {SCALAR_F16, 16, 32},
        {SCALAR_BF16, 16, 32},
        {SCALAR_I32, 8, 32},
        {SCALAR_F32, 8, 32},
        {SCALAR_I8, -1, REFUSED},
        {SCALAR_I32, INT64_MAX / 4, REFUSED}, // in bits it leaves 64 bits
        {SCALAR_F32, INT64_MAX, REFUSED},
    };
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        int64_t bytes = 0, length = 0;
        bool ok = scalar_bytes(cases[i].type, cases[i].length, &bytes);
        assert_int_equal(ok ? bytes : REFUSED, cases[i].bytes);
        if (!ok)
            continue;
        assert_true(scalar_length(cases[i].type, bytes, &length));
        assert_int_equal(length, cases[i].length);
    }
}

TEST(lengths_are_whole_elements)
{
    int64_t length;
    assert_true(scalar_length(SCALAR_I4, 3, &length) && length == 6);
    assert_true(scalar_length(SCALAR_I9, 3, &length) && length == 3);
    assert_false(scalar_length(SCALAR_BF16, 3, &length));
    assert_false(scalar_length(SCALAR_F32, 6, &length));
    assert_false(scalar_length(SCALAR_I8, -8, &length));
    assert_false(scalar_length(SCALAR_I8, INT64_MAX / 2, &length));
}

// Whether `name` is one of the words of `list`.
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = list; *word; word += strcspn(word, " "), word += strspn(word, " ")) {
        if (strcspn(word, " ") == length && memcmp(word, name, length) == 0)
            return true;
    }
    return false;
}

// Each row lists what a type may become; `rngd_s` what RNGD-S adds.
// Manual: Fetch Engine, Type Casting.
TEST(fetch_engine_offers_its_casts)
{
    static const struct {
        const char *rngd, *rngd_s;
    } offers[SCALAR_COUNT] = {
        [SCALAR_I4] = {"i4 i5 i32", "i9"},
        [SCALAR_I5] = {"", ""},
        [SCALAR_I8] = {"i8 i9 i32", ""},
        [SCALAR_I9] = {"", ""},
        [SCALAR_I16] = {"i16 i32", "i9"},
        [SCALAR_I32] = {"i32", ""},
        [SCALAR_U8] = {"u8", ""},
        [SCALAR_F8] = {"f8", ""},
        [SCALAR_F8E4M3] = {"f8e4m3 f32", "bf16"},
        [SCALAR_F8E5M2] = {"f8e5m2 f32", "bf16"},
        [SCALAR_F16] = {"f16 f32", ""},
        [SCALAR_BF16] = {"bf16 f32", ""},
        [SCALAR_F32] = {"f32 bf16", ""},
    };
    for (int32_t from = 0; from < SCALAR_COUNT; from++) {
        for (int32_t to = 0; to < SCALAR_COUNT; to++) {
            bool rngd = lists(offers[from].rngd, names[to]);
            bool rngd_s = rngd || lists(offers[from].rngd_s, names[to]);
            assert_int_equal(scalar_fetch_cast((Scalar)from, (Scalar)to, false), rngd);
            assert_int_equal(scalar_fetch_cast((Scalar)from, (Scalar)to, true), rngd_s);
        }
    }
}

// Manual: Cast Engine, Precision Lowering.
TEST(cast_engine_offers_its_casts)
{
    for (int32_t from = 0; from < SCALAR_COUNT; from++) {
        const char *offers = from == SCALAR_I32   ? "i32 i4 i8 i16"
                             : from == SCALAR_F32 ? "f32 f8e5m2 f8e4m3 f16 bf16"
                                                  : "";
        for (int32_t to = 0; to < SCALAR_COUNT; to++)
            assert_int_equal(scalar_cast_engine((Scalar)from, (Scalar)to),
                             lists(offers, names[to]));
    }
}

// Manual: Contraction Engine, Constraints.
TEST(contraction_widens)
{
    for (int32_t i = 0; i < SCALAR_COUNT; i++) {
        Scalar want = lists("i4 i5 i8 i9", names[i])          ? SCALAR_I32
                      : lists("f8e4m3 f8e5m2 bf16", names[i]) ? SCALAR_F32
                                                              : SCALAR_COUNT;
        Scalar got = SCALAR_COUNT;
        assert_int_equal(scalar_contraction_result((Scalar)i, &got), want != SCALAR_COUNT);
        assert_int_equal(got, want);
    }
}

// What an engine offers, scalar_convert can do.
TEST(every_offer_converts)
{
    for (int32_t from = 0; from < SCALAR_COUNT; from++) {
        for (int32_t to = 0; to < SCALAR_COUNT; to++) {
            Scalar widened = SCALAR_COUNT;
            scalar_contraction_result((Scalar)from, &widened);
            bool offered = scalar_fetch_cast((Scalar)from, (Scalar)to, true) ||
                           scalar_cast_engine((Scalar)from, (Scalar)to) || (int32_t)widened == to;
            uint32_t bits;
            if (offered)
                assert_true(scalar_convert((Scalar)from, (Scalar)to, 0, &bits));
        }
    }
}
