// Kernels of a program, lowered and placed in time when somebody first asks.
#ifndef CONTRA_LSP_KERNELS_H
#define CONTRA_LSP_KERNELS_H

#include "answers.h"

#include "api/object.h"
#include "schedule/schedule.h"

// The value of a number that a kernel takes.
typedef struct {
    Str name, value;
} KernelNumber;

typedef struct {
    ARRAY(KernelNumber);
} KernelNumbers;

bool numbers_equal(const KernelNumbers *a, const KernelNumbers *b);

typedef struct {
    ARRAY(KernelNumbers);
} Launches;

// The numbers that the program launches a kernel with, as far as they are known (launches.c): a
// few, each once. Of a kernel that takes none it is one launch without; none of one that nobody
// launches.
const Launches *launches_of(Analysis *analysis, const Decl *kernel);

typedef struct KernelTime {
    struct KernelTime *next; // of the same kernel, with other numbers
    KernelNumbers numbers;
    const Decl *decl;
    int64_t index;              // as contra.h counts kernels; -1: it has none
    const ContraObject *object; // NULL: the kernel is refused, or nobody knows its numbers
    const Schedule *schedule;
} KernelTime;

// Of its first launch. Never NULL. Requires: the analysis has a way out of memory that ends.
const KernelTime *kernel_time(Analysis *analysis, const Decl *kernel);
const KernelTime *kernel_time_with(Analysis *analysis, const Decl *kernel,
                                   const KernelNumbers *numbers);

typedef struct {
    ARRAY(const KernelTime *);
} KernelTimes;

// Those that execute a function: itself, or (a few of) those that call it.
const KernelTimes *times_of_function(Query *query, const Decl *function);

// Whether an operation of a schedule is a pass; others are one call.
bool operation_is_pass(const HwOperation *operation);
// Whether it begins, or writes, at the line of a name in the program.
bool operation_begins_at(const Query *query, const HwOperation *operation, Span name);
bool operation_writes_at(const Query *query, const HwOperation *operation, Span name);
// Whether it begins in one of the lines.
bool operation_begins_in(const Query *query, const HwOperation *operation, Span lines);
// Whether the function that ends it is called at the line of a name.
bool operation_is_called_at(const Query *query, const HwOperation *operation, Span name);

#endif
