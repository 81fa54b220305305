// Operations in time: each begins as soon as what it waits for is over, in program order on every
// resource. Manual: Scheduling; Memory Performance, Bank Starvation; Switch Engine, Custom
// Topology.
//
// Begin and end are the longest way through what is waited for and nothing else (no choice depends
// on a time), so that one more dependence never shortens a schedule and a faster part never
// lengthens it.
#ifndef CONTRA_SCHEDULE_SCHEDULE_H
#define CONTRA_SCHEDULE_SCHEDULE_H

#include "base/diag.h"
#include "cost/cost.h"

// ---- what operations occupy

typedef enum {
    LANE_TDMA,   // DMA between memories as a whole: one command at a time
    LANE_DMA,    // a DMA Engine of a cluster; the same one of all chips
    LANE_PCIE,   // the PCIe DMA Engine
    LANE_LINK,   // PCIe of a chip, out of it or into it
    LANE_MAIN,   // the main context
    LANE_SUB,    // the sub context
    LANE_VECTOR, // the Vector Engine, which both contexts share
    LANE_HBM,    // the channels of HBM of a chip
    LANE_KINDS
} LaneKind;

extern const char *const lane_kind_names[LANE_KINDS]; // as documents have them

typedef struct {
    LaneKind kind;
    int64_t cluster, engine; // of a DMA Engine; -1 of others
    Str name;                // "DMA 0.3", "main"
    int64_t busy;            // cycles that it is occupied, all told
} Lane;

// ---- why they wait

typedef enum {
    WAIT_RAW,    // reads what the other writes
    WAIT_WAR,    // writes what the other reads
    WAIT_WAW,    // writes what the other writes
    WAIT_LANE,   // a resource that the other has: it comes earlier in the program
    WAIT_BANK,   // DMA beside a pass that keeps a bank of DM to itself, or beside two that together
                 // do
    WAIT_SWITCH, // a custom topology is written while DMA and the other context stand still
    WAIT_SYNC,   // static, silicon: a stored tensor of HBM is read again
    WAIT_START,  // static, silicon: the start of the kernel
    WAIT_FIFO,   // static, silicon: DMA commands end in order
    WAIT_KINDS
} WaitKind;

extern const char *const wait_kind_names[WAIT_KINDS];

typedef struct {
    WaitKind kind;
    int64_t operation; // the culprit; -1: none
    int64_t other;     // of WAIT_BANK: what it must not run beside together with it; -1: nothing
    int64_t until;     // the cycle from which on it is over
    int64_t lane;      // that the culprit has until then; -1: none
    Tier tier;         // of hazards: the memory, and a piece of what both touch there
    int64_t chip, cluster, slice;
    int64_t from, to;
    int64_t low, high; // where that piece and the others like it lie
} Wait;

// ---- operations

typedef struct {
    int64_t lane;
    int64_t from, to;
} LaneUse;

typedef struct {
    const HwOperation *operation;
    const HwUse *use; // what it takes by itself, by the rules of the manual
    int64_t begin, end;
    const Cost **costs; // one a command; they follow each other
    int64_t cost_count;
    LaneUse *uses;
    int64_t use_count;
    Wait *waits; // all that it waits for, the last to be over first; the first one holds it up
    int64_t wait_count;
    int64_t slack; // cycles that it could end later without the kernel ending later
    bool is_critical;
} ScheduledOperation;

typedef struct {
    const HwTensor *tensor;
    int64_t writer; // the first operation that writes it; -1: it comes with the call
    int64_t from,
        to; // cycles: from the first write to the last use; to the end, if it is given back
    int64_t *readers; // operations, in their order
    int64_t reader_count;
} TensorLife;

typedef struct {
    int64_t lane, lanes; // so many from that one on idle together
    int64_t from, to;
    int64_t operation; // that ends it; -1: the end of the kernel
} Gap;

typedef struct {
    const HwObject *object;
    const Machine *machine;
    CostModel model;
    int64_t cycles;      // from the begin of the kernel to its end
    int64_t least, most; // what the error of the model leaves open
    Lane *lanes;
    int64_t lane_count;
    ScheduledOperation *operations; // in program order
    int64_t operation_count;
    const int64_t *placed; // numbers of operations in the order in which they got their places
    int64_t *order;        // numbers of operations by begin, then by program order
    int64_t *critical;
    int64_t critical_count; // the critical path, from the first to the last
    TensorLife *tensors;
    int64_t tensor_count;
    Gap *gaps; // of DMA, the longest first
    int64_t gap_count;
    int64_t macs, peak_macs; // done; of all slices in that time, of types in the same shares
    int64_t hbm_bytes;       // read and written; and what could have been in that time:
    int64_t hbm_peak_bytes;
    double intensity; // MACs a byte of HBM; where the roof's corner is:
    double ridge;     // MACs a byte of HBM from which on the MAC array is the bound
    int64_t looks;    // at touches, to find who waits for whom: the work that it took
} Schedule;

typedef struct {
    CostModel model;
    const int64_t *order; // numbers of operations in the order in which they begin on each lane;
                          // NULL: program order
    int64_t order_count;
} ScheduleOptions;

// What a kernel takes besides its operations, and what was measured of it.
typedef struct {
    int64_t cycles, least, most;
} FixedCycles;

typedef enum {
    FIXED_START, // until its first operation begins
    FIXED_SYNC,  // before a stored tensor of HBM is read again
    FIXED_END,   // behind its last operation
    FIXED_KINDS
} FixedKind;

FixedCycles schedule_fixed(const Machine *machine, CostModel model, FixedKind kind);

// In `arena`; `scratch` is emptied. NULL: a diagnostic says why (an order that a hazard forbids),
// or it was cancelled.
Schedule *schedule_new(Arena *arena, Arena *scratch, DiagList *diags, const Machine *machine,
                       const HwObject *object, const ScheduleOptions *options);

// The life of a tensor by its number. NULL: the object does not list it.
TensorLife *schedule_life(const Schedule *schedule, int64_t number);

#endif
