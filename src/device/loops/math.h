// Functions of f32, the same bits as math_f32 of scalar/scalar.h gives. `out` may be `in`.
#ifndef CONTRA_DEVICE_LOOPS_MATH_H
#define CONTRA_DEVICE_LOOPS_MATH_H

#include "device/loops/loops.h"

#include <stdint.h>

typedef void MathLoop(const uint32_t *in, int64_t count, uint32_t *out);

MathLoop LOOPS(math_exp), LOOPS(math_neg_exp), LOOPS(math_sigmoid), LOOPS(math_tanh),
    LOOPS(math_log), LOOPS(math_sin), LOOPS(math_cos), LOOPS(math_erf);

#endif
