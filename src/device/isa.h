// Which instructions the inner loops may use. Every file of loops/ is compiled once for each set;
// all give the same bits.
#ifndef CONTRA_DEVICE_ISA_H
#define CONTRA_DEVICE_ISA_H

#include <stdbool.h>

typedef enum { ISA_PLAIN, ISA_AVX2, ISA_AVX512, ISA_COUNT } Isa;

const char *isa_name(Isa isa);
// The set with this name; ISA_COUNT if there is none.
Isa isa_find(const char *name);
// Whether it was compiled in, and this machine has it.
bool isa_is_here(Isa isa);
Isa isa_best(void);

#endif
