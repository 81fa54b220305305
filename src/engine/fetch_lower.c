#include "engine/lower.h"

bool fetch_lower(const Lower *lower, const Pass *pass, const Stage *fetch, HwFetch *out)
{
    (void)lower;
    (void)pass;
    (void)fetch;
    (void)out;
    return false;
}
