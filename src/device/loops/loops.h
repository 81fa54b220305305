// How the inner loops are named. A file of this folder is compiled as it stands (plain), and again
// for each instruction set with LOOPS_ISA defined; what it offers is one table, LOOPS(.._loops),
// which isa numbers choose:
//
//     const MoveLoops LOOPS(move_loops) = {..};                       in move.c
//     LOOPS_TABLE(MoveLoops, move_loops);                             in move.h: declares
//     LOOPS_CHOICE(MoveLoops, move_loops)                             in who uses it: the choice
//
// Nothing here may depend on the order of sums or the rounding of the set it is compiled for.
#ifndef CONTRA_DEVICE_LOOPS_H
#define CONTRA_DEVICE_LOOPS_H

#include "device/isa.h"

#ifndef LOOPS_ISA
#define LOOPS_ISA plain
#endif
#define LOOPS_PASTE(name, isa) name##_##isa
#define LOOPS_NAME(name, isa)  LOOPS_PASTE(name, isa)
#define LOOPS(name)            LOOPS_NAME(name, LOOPS_ISA)

#if CONTRA_HAVE_AVX
#define LOOPS_TABLE(type, name) extern const type name##_plain, name##_avx2, name##_avx512
#define LOOPS_CHOICE(type, name) \
    ((const type *const[ISA_COUNT]){&name##_plain, &name##_avx2, &name##_avx512})
#else
#define LOOPS_TABLE(type, name)  extern const type name##_plain
#define LOOPS_CHOICE(type, name) ((const type *const[ISA_COUNT]){&name##_plain})
#endif

#endif
