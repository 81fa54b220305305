#include "device/isa.h"

#include <string.h>

#if CONTRA_HAVE_AVX
#include <cpuid.h>
#endif

const char *isa_name(Isa isa)
{
    static const char *const names[] = {"plain", "avx2", "avx512"};
    return names[isa];
}

Isa isa_find(const char *name)
{
    Isa isa = 0;
    while (isa < ISA_COUNT && strcmp(isa_name(isa), name) != 0)
        isa++;
    return isa;
}

bool isa_is_here(Isa isa)
{
    if (isa == ISA_PLAIN)
        return true;
#if CONTRA_HAVE_AVX
    __builtin_cpu_init();
    unsigned a, b, c, d; // clang has no name for F16C
    bool f16c = __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && f16c;
    if (isa == ISA_AVX2)
        return avx2;
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

Isa isa_best(void)
{
    Isa isa = ISA_COUNT - 1;
    while (!isa_is_here(isa))
        isa--;
    return isa;
}
