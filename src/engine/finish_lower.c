#include "engine/lower.h"

bool cast_lower(const Lower *lower, const Stage *stage, HwCast *out)
{
    (void)lower;
    (void)stage;
    (void)out;
    return false;
}

bool transpose_lower(const Lower *lower, const Stage *stage, HwTranspose *out)
{
    (void)lower;
    (void)stage;
    (void)out;
    return false;
}
