#include "engine/lower.h"

bool vector_lower(const Lower *lower, const Pass *pass, const Stage *first, const Stage *last,
                  HwVector *out)
{
    (void)lower;
    (void)pass;
    (void)first;
    (void)last;
    (void)out;
    return false;
}
