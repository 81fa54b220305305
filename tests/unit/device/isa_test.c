// The names of the instruction sets, and which one is used.
#include "device/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_best_is_taken(void **state)
{
    (void)state;
    Isa best = isa_best();
    assert_true(isa_is_here(ISA_PLAIN) && isa_is_here(best));
    for (Isa isa = best + 1; isa < ISA_COUNT; isa++)
        assert_false(isa_is_here(isa));
}

static void sets_have_names(void **state)
{
    (void)state;
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        assert_int_equal(isa_find(isa_name(isa)), isa);
    assert_int_equal(isa_find("AVX2"), ISA_COUNT);
    assert_int_equal(isa_find(""), ISA_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_taken),
        cmocka_unit_test(sets_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
