#include "engine/lower.h"

bool align_lower(const Lower *lower, const Stage *stage, HwStreamAdapt *adapt, HwTrfRead *read)
{
    (void)lower;
    (void)stage;
    (void)adapt;
    (void)read;
    return false;
}
