// Divisors of numbers of up to 63 bits.
#ifndef CONTRA_BASE_DIVISOR_H
#define CONTRA_BASE_DIVISOR_H

#include <stdint.h>

// The smallest divisor of `number` that is at least `least`. Requires 1 <= least <= number.
int64_t divisor_at_least(int64_t number, int64_t least);

#endif
