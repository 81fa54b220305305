#include "engine/lower.h"

bool dma_lower(const Lower *lower, const Op *op, HwCommands *commands)
{
    (void)lower;
    (void)op;
    (void)commands;
    return false;
}
