// DMA commands made by hand.
#ifndef CONTRA_TEST_DMA_SUPPORT_H
#define CONTRA_TEST_DMA_SUPPORT_H

#include "device/internal.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LOOPS = 8, MOST_DESCRIPTORS = 4 };

typedef struct {
    HwDescriptor descriptors[MOST_DESCRIPTORS];
    HwDmaLoopEntry loops[MOST_DESCRIPTORS][MOST_LOOPS];
    HwDmaIndirect indirect[MOST_DESCRIPTORS];
    HwDmaCommand command;
    bool is_crowded; // as no compiler has it: descriptors in the places of others, and of indices
} Case;

// False: it could not be finished, and a diagnostic says why.
static inline bool execute(Device *device, const Case *from)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    HwOperation operation = {0};
    DmaPlan *plan = dma_plan_new(device, &from->command);
    assert_non_null(plan);
    bool ok = dma_execute(device, &from->command, plan, &operation, &diags);
    assert_int_equal(diags.count, !ok);
    dma_plan_free(plan);
    arena_release(&arena);
    return ok;
}

#endif
