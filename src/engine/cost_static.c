// What others measured: the static model of the vendor's scheduler, and the chip. docs/cost.md.
#include "base/checked.h"
#include "engine/cost_internal.h"

const char *const cost_model_errors[COST_MODELS] = {
    [COST_MANUAL] = "the rules of the manual",
    [COST_STATIC] = "static",
    [COST_SILICON] = "silicon",
};

void cost_measured_pass(const Coster *coster, const HwPipeline *pass, Cost *cost)
{
    (void)coster, (void)pass, (void)cost;
}

void cost_measured_dma(const Coster *coster, const DmaStreams *streams, Cost *cost)
{
    (void)coster, (void)streams, (void)cost;
}
