// The names of the instruction sets, and which one is used.
#include "device/isa.h"

#include "test.h"

TEST(the_best_is_taken)
{
    Isa best = isa_best();
    assert_true(isa_is_here(ISA_PLAIN) && isa_is_here(best));
    for (Isa isa = best + 1; isa < ISA_COUNT; isa++)
        assert_false(isa_is_here(isa));
}

TEST(sets_have_names)
{
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        assert_int_equal(isa_find(isa_name(isa)), isa);
    assert_int_equal(isa_find("AVX2"), ISA_COUNT);
    assert_int_equal(isa_find(""), ISA_COUNT);
}
