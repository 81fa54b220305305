#include "engine/lower.h"

bool reduce_lower(const Lower *lower, const Stage *contract, const Stage *accumulate, HwReduce *out)
{
    (void)lower;
    (void)contract;
    (void)accumulate;
    (void)out;
    return false;
}
