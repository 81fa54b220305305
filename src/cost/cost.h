// What commands cost: cycles of each part of a command by itself, what bounds it, and where the
// figure is from. What runs beside it, and when, is for src/schedule.
//
// Three models, docs/cost.md: the rules of the manual; the static model of the vendor's scheduler;
// silicon, as far as others measured it. They are never mixed.
#ifndef CONTRA_COST_COST_H
#define CONTRA_COST_COST_H

#include "command/command.h"
#include "machine/machine.h"

typedef enum { COST_MANUAL, COST_STATIC, COST_SILICON, COST_MODELS } CostModel;

// Words for --cost, and how far off the model is, as people read it.
extern const char *const cost_model_names[COST_MODELS];
extern const char *const cost_model_errors[COST_MODELS];

// What takes time. Those up to COST_COMMIT are stages of a pass, in the order of the stream.
#define COST_PARTS(PART)                                          \
    PART(FETCH, "fetch", "Fetch Engine")                          \
    PART(SWITCH, "switch", "Switch Engine")                       \
    PART(COLLECT, "collect", "Collect Engine")                    \
    PART(TRF_STORE, "to_trf", "writes to TRF")                    \
    PART(VRF_STORE, "to_vrf", "writes to VRF")                    \
    PART(CONTRACT, "contract", "Contraction Engine")              \
    PART(VECTOR, "vector", "Vector Engine")                       \
    PART(INTER_SLICE, "inter-slice", "Inter-Slice Block")         \
    PART(CAST, "cast", "Cast Engine")                             \
    PART(TRANSPOSE, "transpose", "Transpose Engine")              \
    PART(COMMIT, "commit", "Commit Engine")                       \
    PART(REGISTERS, "registers", "writes of a custom topology")   \
    PART(STARTUP, "start-up", "start-up of DMA commands")         \
    PART(DMA, "DMA", "requests of a DMA Engine")                  \
    PART(HBM_READ, "HBM read", "channels of HBM, reads")          \
    PART(HBM_WRITE, "HBM write", "channels of HBM, writes")       \
    PART(DM_READ, "DM read", "networks of DM, reads")             \
    PART(DM_WRITE, "DM write", "networks of DM, writes")          \
    PART(SPM, "SPM", "scratchpad")                                \
    PART(PCIE, "PCIe", "between chips, and from and to the host") \
    PART(COPY, "copy", "copies of the sub context")               \
    PART(WHOLE, "pass", "a pass as a whole")

#define PART(name, word, doc) COST_##name,
typedef enum { COST_PARTS(PART) COST_PART_COUNT } CostPart;
#undef PART

extern const char *const cost_part_names[COST_PART_COUNT];
extern const char *const cost_part_docs[COST_PART_COUNT];

// Where a figure is from.
typedef enum {
    COST_FROM_RULE,     // a formula of the manual
    COST_FROM_REQUESTS, // request by request, on the address bits of the memory
    COST_FROM_SAMPLE,   // the same of a part of them, and the rest in proportion
    COST_FROM_MEASURED, // fitted to what others measured
    COST_ORIGINS
} CostOrigin;

extern const char *const cost_origin_names[COST_ORIGINS];

// What makes a part slower than its bytes, as bits: its note has the numbers.
typedef enum {
    SLOW_CHANNELS = 1 << 0, // not all channels of HBM are at work
    SLOW_ROWS = 1 << 1,     // rows of its banks are switched
    SLOW_CROSSING = 1 << 2, // reads go across its units
    SLOW_PARTIAL = 1 << 3,  // units are written in part
} CostSlow;

typedef struct {
    CostPart part;
    CostOrigin origin;
    uint32_t slow;    // bits of CostSlow
    int64_t busy;     // cycles that it is at work, at its own pace
    int64_t latency;  // cycles from its first input to its first output
    const char *rule; // section of the manual, or "measured"
    Str note;         // what makes it slow, with its numbers; empty: nothing does
} CostLine;

// A DMA Engine that takes part: it is free again `cycles` after the command began.
typedef struct {
    int64_t chip, cluster, engine; // cluster -1: the PCIe engine of the chip
    int64_t cycles;
} CostEngine;

// What a chip has for all commands.
typedef enum { SHARED_HBM, SHARED_PCIE_OUT, SHARED_PCIE_IN, SHARED_KINDS } CostShared;

typedef struct {
    int64_t chip;
    int64_t cycles[SHARED_KINDS]; // that it is at work for the command, up to its end
} CostChip;

enum { COST_MOST_LINES = 16 };

typedef struct {
    int64_t cycles;      // from its begin to its end
    int64_t least, most; // what the error of the model leaves open
    CostPart bound;      // the part that takes longest
    CostLine lines[COST_MOST_LINES];
    int32_t line_count;
    int64_t setup;                  // of these, at the begin: a custom topology is written
    int64_t vector_from, vector_to; // of a pass: when it has the Vector Engine; equal: never
    CostEngine *engines;            // of DMA; in the arena
    int64_t engine_count;
    CostChip *chips; // of DMA: those that are at work for it; in the arena
    int64_t chip_count;
    int64_t bytes; // that leave the memory it reads
    int64_t macs;  // multiplications of data, all rows and slices
    // accesses in a row to one bank of DM, at most: of its reads and writes (bank.h)
    int64_t bank_streak;
} Cost;

// Costs of one kernel. Commands that are alike are costed once: it remembers them.
typedef struct CostBook CostBook;

// In `arena`, with all costs; `scratch` is emptied with every command, unless it is the same one.
// `machine` must outlive it.
CostBook *cost_book_new(Arena *arena, Arena *scratch, const Machine *machine, CostModel model);

const Cost *cost_of_command(CostBook *book, const HwCommand *command);

// Commands that were not alike, of all that it was asked about.
int64_t cost_book_distinct(const CostBook *book);

// How an operation uses the hardware: which part takes longest, how much of the arithmetic and of
// the memories is busy, and what the manual says would be quicker. Of one operation by itself: what
// runs beside it, and when, is for the schedule.

// A report for each operation of the object, by the rules of the manual: `book` is of COST_MANUAL.
const HwUse *use_of_object(Arena *arena, const Machine *machine, CostBook *book,
                           const HwObject *object);

#endif
