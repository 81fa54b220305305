// What the ALUs of the Vector Engine compute. docs/numerics.md, Operations.
#ifndef CONTRA_DEVICE_LANES_H
#define CONTRA_DEVICE_LANES_H

#include "command/command.h"

// out[i] = op(a[i], b[i], c[i]); arguments that the operation does not have are not looked at.
// `out` may be one of them.
void lanes_apply(VectorOp op, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                 int64_t count, uint32_t *out);

// Fixed point with `width` bits before the point, and back, in place.
void lanes_fxp_to_fp(uint32_t *bits, int64_t count, int64_t width);
void lanes_fp_to_fxp(uint32_t *bits, int64_t count, int64_t width);

// One comparison of the branch unit.
bool lane_compare(const HwCompare *compare, uint32_t bits);

#endif
