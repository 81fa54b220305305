// Kernels of a program, lowered and placed in time when somebody first asks.
#ifndef CONTRA_LSP_KERNELS_H
#define CONTRA_LSP_KERNELS_H

#include "features.h"

#include "api/object.h"
#include "schedule/schedule.h"

typedef struct {
    const Decl *decl;
    int64_t index;              // as contra.h counts kernels; -1: it has none
    const ContraObject *object; // NULL: the kernel is refused, or takes numbers
    const Schedule *schedule;
} KernelTime;

// Never NULL. Requires: the analysis has a way out of memory that ends.
const KernelTime *kernel_time(Analysis *analysis, const Decl *kernel);

#endif
