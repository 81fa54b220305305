// Which variants of the inner loops the other tests compare here. One that this machine cannot run
// is said to be skipped: nobody should take it for tested.
#include "device/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void need(Isa isa, const char *name)
{
    if (isa_is_here(isa))
        return;
    print_message("skipped: this CPU has no %s\n", name);
    skip();
}

static void avx2_is_compared(void **state)
{
    (void)state;
    need(ISA_AVX2, "AVX2");
}

static void avx512_is_compared(void **state)
{
    (void)state;
    need(ISA_AVX512, "AVX-512");
}

static void the_best_is_taken(void **state)
{
    (void)state;
    Isa best = isa_best();
    assert_true(isa_is_here(ISA_PLAIN) && isa_is_here(best));
    for (Isa isa = best + 1; isa < ISA_COUNT; isa++)
        assert_false(isa_is_here(isa));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_taken),
        cmocka_unit_test(avx2_is_compared),
        cmocka_unit_test(avx512_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
