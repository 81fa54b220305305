#include "engine/lower.h"

bool to_trf_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwTrfStore *out)
{
    (void)lower;
    (void)pass;
    (void)stage;
    (void)out;
    return false;
}

bool to_vrf_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwVrfStore *out)
{
    (void)lower;
    (void)pass;
    (void)stage;
    (void)out;
    return false;
}
