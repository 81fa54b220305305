// Kernels of a program, lowered and placed in time when somebody first asks.
#ifndef CONTRA_LSP_PROGRAM_KERNELS_H
#define CONTRA_LSP_PROGRAM_KERNELS_H

#include "lsp/answer/answers.h"

#include "run/object.h"
#include "schedule/schedule.h"

// The value of a number that a kernel takes.
typedef struct {
    Str name, value;
} KernelNumber;

typedef struct {
    ARRAY(KernelNumber);
} KernelNumbers;

typedef struct {
    ARRAY(KernelNumbers);
} Launches;

// The numbers that the program launches a kernel with, as far as they are known: a
// few, each once. Of a kernel that takes none it is one launch without; none of one that nobody
// launches.
const Launches *launches_of(Analysis *analysis, Decl *kernel);

// A line of the model's reckoning: CostLine, with texts of its own.
typedef struct {
    CostPart part;
    int64_t busy, latency;
    Str note, rule;
} DetailLine;

// What a hover says of an operation beside its cycles.
typedef struct {
    ARRAY(DetailLine);
    Str listing; // what the hardware is told
} CostDetail;

// What is shown of an operation.
typedef struct {
    Str method, file;
    bool is_pass;             // others are one call
    int64_t line, write_line; // the second as in object.def
    Str caller_file;          // where the function around it is called,
    int64_t caller_line;      // 0: nowhere
    int64_t cycles;
    CostPart bound;
    int64_t address, bytes; // that a pass writes in DM; 0 bytes: nothing there
    CostDetail *detail;     // NULL: an operation of the same place before it has one
} OperationCost;

typedef struct {
    ARRAY(OperationCost);
    int64_t cycles; // of all; -1: the kernel is refused, or nobody knows its numbers
} KernelCosts;

typedef struct KernelTime {
    struct KernelTime *next; // of the same kernel, with other numbers
    KernelNumbers numbers;
    Decl *decl;
    int64_t index;              // as contra.h counts kernels; -1: it has none
    KernelCosts *costs;         // NULL: nobody asked, or they are being worked out
    bool is_asked;              // for its costs
    const ContraObject *object; // NULL: the kernel is refused, or nobody knows its numbers
    const Schedule *schedule;
} KernelTime;

// Of those numbers. Never NULL.
KernelTime *kernel_time(Analysis *analysis, Decl *kernel, const KernelNumbers *numbers);
// Lowers it and places it in time, as far as it can be. It takes long: see kernel_costs. Requires:
// the analysis has a way out of memory that ends.
void kernel_lower(Analysis *analysis, KernelTime *time);
// Its costs, as far as they are known; else the query waits for them (costs.c).
const KernelCosts *kernel_costs(Query *query, KernelTime *time);

typedef struct {
    ARRAY(KernelTime *);
} KernelTimes;

// Those that execute a function, of the first launch of each: itself, or (a few of) those that call
// it.
const KernelTimes *times_of_function(Query *query, Decl *function);

// The line where it writes, as far as that is known.
int64_t operation_write_line(const OperationCost *operation);
// Whether it begins, or writes, at the line of a name in the program.
bool operation_begins_at(const Query *query, const OperationCost *operation, Span name);
bool operation_writes_at(const Query *query, const OperationCost *operation, Span name);
// Whether it begins in one of the lines.
bool operation_begins_in(const Query *query, const OperationCost *operation, Span lines);
// Whether the function that ends it is called at the line of a name.
bool operation_is_called_at(const Query *query, const OperationCost *operation, Span name);

#endif
