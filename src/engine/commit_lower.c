#include "engine/lower.h"

bool commit_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwCommit *out)
{
    (void)lower;
    (void)pass;
    (void)stage;
    (void)out;
    return false;
}
