#include "engine/lower.h"

bool switch_lower(const Lower *lower, const Stage *stage, HwSwitchRoute *out)
{
    (void)lower;
    (void)stage;
    (void)out;
    return false;
}

bool collect_lower(const Lower *lower, const Stage *stage, HwCollect *out)
{
    (void)lower;
    (void)stage;
    (void)out;
    return false;
}
