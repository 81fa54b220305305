// What the parts of the executor share.
#ifndef CONTRA_DEVICE_INTERNAL_H
#define CONTRA_DEVICE_INTERNAL_H

#include "command/command.h"
#include "device/chunks.h"
#include "device/device.h"
#include "device/isa.h"
#include "device/memory.h"
#include "device/trf.h"

#include <stdint.h>

// Packets that are fetched again and again only to be multiplied with other weights: the pass as it
// is when each is fetched once, and the Stream Adapter repeats it.

typedef struct Condensed Condensed;

// NULL: there is nothing to gain, or no memory for it. The records of `pass` must outlive it.
Condensed *condense(const HwPipeline *pass);
const HwPipeline *condensed_pass(const Condensed *condensed);
void condensed_free(Condensed *condensed); // NULL: nothing

// ----

// Memory that is needed again and again while a pass runs: each thread keeps what it gave back.

enum { SCRATCH_BLOCKS = 16 };

typedef struct {
    struct {
        void *memory;
        int64_t bytes;
    } blocks[SCRATCH_BLOCKS]; // that nobody has, the last one given back last
    int count;
} Scratch;

// Aligned for the widest vectors; what is in it is anything. NULL: no memory.
void *scratch_take(Scratch *scratch, int64_t bytes);
void *scratch_take_zeroed(Scratch *scratch, int64_t bytes);
void scratch_give(Scratch *scratch, void *memory); // of any scratch; NULL: nothing
// Keeps little.
void scratch_trim(Scratch *scratch);
void scratch_free(Scratch *scratch);

// ----

typedef struct Sanitizer Sanitizer; // sanitize.h
typedef struct CheckPlan CheckPlan;

// ---- the machine

typedef struct {
    Memory dm, vrf;
    Trf trf;
} Slice;

// Bytes from the memory of a slice to that of the next: a little more than it holds, so that the
// same address of many slices is not in the same place of a cache.
static inline int64_t slice_pitch(int64_t bytes)
{
    enum { APART = 4096 + 64 };
    return bytes + APART;
}

// A memory, or one memory of each slice, with the bits that say what has a value.
typedef struct {
    Reservation bytes, written;
} Space;

// A part of HBM whose bytes are somebody else's (argument.c).
typedef struct {
    int64_t from;  // where it begins, a multiple of 8
    Memory memory; // the marks are those of HBM
} BoundMemory;

typedef struct {
    Space hbm_space, dm_space, vrf_space;
    Reservation trf_space;
    Memory hbm;
    struct {
        ARRAY(BoundMemory);
    } bound;       // parts that the caller owns, in no order; they do not overlap
    Slice *slices; // of all clusters, one cluster after the other
} Chip;

// Memory of the host for a tensor that comes with the call.
typedef struct {
    int64_t tensor;
    Space space;
    Memory memory;
} HostBuffer;

struct Device {
    const Machine *machine;
    int64_t chip_count;
    Chip *chips;
    struct {
        ARRAY(HostBuffer);
    } hosts;
    bool failed; // no memory for a tensor of the host
    Isa isa;
    int64_t threads;
    int64_t part;     // cells of a stream that are multiplied before those behind them
    Scratch *scratch; // one a thread that may ever work on it
    int64_t scratch_count;
    DeviceWatch watch;
    Sanitizer *sanitizer; // NULL: nobody watches
};

// The scratch of the thread that asks.
Scratch *device_scratch(const Device *device);

// NULL: there is none.
static inline Slice *device_slice(const Device *device, int64_t chip, int64_t cluster,
                                  int64_t slice)
{
    const Machine *machine = device->machine;
    if (chip < 0 || chip >= device->chip_count || cluster < 0 ||
        cluster >= machine->clusters_per_chip || slice < 0 || slice >= machine->slices_per_cluster)
        return NULL;
    return &device->chips[chip].slices[cluster * machine->slices_per_cluster + slice];
}
// The memory that has the bytes of HBM from an address on, and the address at which it begins: a
// part that is bound, or HBM itself.
typedef struct {
    Memory *memory;
    int64_t from;
} HbmPart;

static inline HbmPart chip_hbm(Chip *chip, int64_t address)
{
    for (int64_t i = 0; i < chip->bound.count; i++) {
        BoundMemory *bound = &chip->bound.items[i];
        if (address >= bound->from && address < bound->from + bound->memory.size)
            return (HbmPart){&bound->memory, bound->from};
    }
    return (HbmPart){&chip->hbm, 0};
}
// Of the tensor; made if there is none yet. NULL: no memory.
Memory *device_host(Device *device, int64_t tensor);

enum { WATCHED_WORK = 1 << 19 }; // between two questions: a few milliseconds, whichever it is

// Work that may be cancelled, on any number of threads: the one that executes asks, each time it
// did some of it, and the others see what it heard.
typedef struct {
    const Device *device;
    const Scratch *caller; // of the thread that executes
    int64_t since;         // what it did since it asked
    bool stop;
} Watched;

// Asks at once.
Watched watched_new(const Device *device);
// Before so much more work, in elements, products or bytes. False: it is to end.
bool watched_goes_on(Watched *watched, int64_t work);

// ---- arguments

// ---- streams

// What is known of an element of a stream.
enum {
    TAG_LIVE = 1,    // it has a value
    TAG_PADDING = 2, // the Valid Count Generator leaves it out
    TAG_ID = 4,      // it has an execution id, in the bits from TAG_ID_SHIFT on
    TAG_ID_SHIFT = 4,
    TAG_GROUP = 0x80, // bit 3 of the id
};

// The packets of one slice.
typedef struct {
    Scalar type;
    int64_t time, lanes;
    uint32_t *bits; // canonical values (scalar.h), packet after packet
    uint8_t *tags;  // NULL: every element is TAG_LIVE, and nothing else
    bool is_lent;   // the bits are those of DM: nobody writes to them
} Stream;

// All without a value, the bits 0. False: no memory.
bool stream_new(Scratch *scratch, Stream *stream, Scalar type, int64_t time, int64_t lanes);
// All with a value, which is still to be written: there are no tags.
bool stream_new_live(Scratch *scratch, Stream *stream, Scalar type, int64_t time, int64_t lanes);
// Gives it tags, if it has none. False: no memory.
bool stream_need_tags(Scratch *scratch, Stream *stream);
void stream_free(Scratch *scratch, Stream *stream);
// Drops tags that are all `all`.
void stream_drop_tags(Scratch *scratch, Stream *stream, uint8_t all);
// Copies a stream to one with as many packets but perhaps another number of lanes. Surplus lanes
// are cut off; new lanes are 0 and have the tag `added`. Requires: `to` has tags if `from` has.
void stream_copy(const Stream *from, Stream *to, uint8_t added);
// Takes the place of `*stream`.
void stream_replace(Scratch *scratch, Stream *stream, const Stream *by);

// ---- a pass

// One slice on the way through a pass.
typedef struct {
    Stream groups[2]; // the stream; of a pair both
    bool is_pair;
    Stream stash;
    bool has_stash;
    uint8_t ids[2]; // of a group without tags: what tags would have besides TAG_LIVE
} SliceRun;

// What is worked out of the records once, for all slices and launches. Each belongs to its engine;
// NULL: the engine executes its records as they stand.
typedef struct FetchPlan FetchPlan;
typedef struct ContractPlan ContractPlan;
typedef struct VectorPlan VectorPlan;
typedef struct CommitPlan CommitPlan;
typedef struct DmaPlan DmaPlan;

typedef struct {
    Condensed *condensed; // what is executed; NULL: the pass as it is
    int64_t *units;       // slices that store anything, as run_unit counts them
    int64_t unit_count;
    FetchPlan *fetch;
    ContractPlan *contract;
    VectorPlan *vector;
    CommitPlan *commit;
} PassPlan;

// Each false: no memory. What the pass does not have, or what has no plan, stays NULL.
bool fetch_plan_new(const Device *device, const HwPipeline *pass, FetchPlan **plan);
bool contract_plan_new(const Device *device, const HwPipeline *pass, ContractPlan **plan);
bool vector_plan_new(const Device *device, const HwPipeline *pass, VectorPlan **plan);
void fetch_plan_free(FetchPlan *plan); // NULL: nothing; the others, too
void contract_plan_free(ContractPlan *plan);
void vector_plan_free(VectorPlan *plan);

// The bytes of DM that are read, or written.
ByteRange fetch_reach(const FetchPlan *plan);

PassPlan *pass_plan_new(const Device *device, const HwPipeline *pass); // NULL: no memory
void pass_plan_free(PassPlan *plan);                                   // NULL: nothing

// One cluster that executes a pass.
typedef struct {
    const Device *device;
    const HwPipeline *pass;
    const PassPlan *plan;
    int64_t chip, cluster;             // as the pass counts them
    int64_t first_chip, first_cluster; // of the hardware, of the first
    int64_t first_slice;
    SliceRun *slices; // by slice. NULL: there is only one on the way
    SliceRun *alone;  // which is this
    Watched *watched; // of all of the pass, and of those that join
    int64_t work;     // of a slice, roughly
} ClusterRun;

// NULL: the hardware has no such slice.
static inline Slice *run_slice(const ClusterRun *run, int64_t slice)
{
    return device_slice(run->device, run->first_chip + run->chip, run->first_cluster + run->cluster,
                        run->first_slice + slice);
}
static inline SliceRun *run_state(const ClusterRun *run, int64_t slice)
{
    return run->slices ? &run->slices[slice] : run->alone;
}
// Whether anything stays of what a slice does.
bool run_stores(const ClusterRun *run, int64_t slice);
// The position of a slice among all of the pass.
int64_t run_unit(const ClusterRun *run, int64_t slice);

// A pass that is to be executed.
typedef struct {
    const HwPipeline *pass;
    const PassPlan *plan;
} PassStep;

enum { PASS_MOST_JOINED = 16 };

// Whether every slice may go through `next` as soon as it went through the passes before, which do
// so themselves: what it works on is near then.
bool pass_joins(const PassStep *steps, int64_t count, const PassStep *next);

// Each false: no memory, or it was cancelled.
// One pass, or several that join.
bool passes_execute(Device *device, const PassStep *steps, int64_t count);
// For so many slices of a pass: one, where there is less to do than others take to begin.
int64_t pass_threads(const Device *device, const HwPipeline *pass, int64_t slices);
bool fetch_run(const ClusterRun *run, int64_t slice, Stream *out);
// A stream that is there already, one element behind the other: DM lends it. False: it is not.
bool fetch_lent(const ClusterRun *run, int64_t slice, Stream *out);
// Packets that can be fetched in any order: false, or a stream that has no bits yet.
bool fetch_in_parts(const ClusterRun *run, int64_t slice, Stream *out);
// Of such: elements [from, to) of the stream, which are whole packets.
void fetch_part(const ClusterRun *run, int64_t slice, int64_t from, int64_t to, uint32_t *bits);
// Where the bytes of such a part are, up to *end, if there is not much between them. NULL: nowhere.
const uint8_t *fetch_part_bytes(const ClusterRun *run, int64_t slice, int64_t from, int64_t to,
                                const uint8_t **end);
bool contraction_takes_parts(const ContractPlan *plan);
// A stream without bits is fetched part by part.
bool contraction_run(const ClusterRun *run, int64_t slice, Stream *stream);
bool commit_run(const ClusterRun *run, int64_t slice, const Stream *stream);
// Whether a slice writes anything to DM.
void trf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream);
void vrf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream);
// All that a slice does in a pass which loads TRF with bytes as they lie in DM. False: it takes a
// stream, nothing was done.
bool fetch_to_trf(const ClusterRun *run, int64_t slice);

// Steps [from, to) of the Vector Engine; none of them is between slices.
bool vector_run(const ClusterRun *run, int64_t slice, int64_t from, int64_t to);
// A step between slices, of all slices.
bool slice_reduce_run(const ClusterRun *run, const HwVectorStep *step);

// ---- DMA

// False: an index has no value (its number is said), or no memory.
bool dma_execute(Device *device, const HwDmaCommand *command, const DmaPlan *plan,
                 const HwOperation *operation, DiagList *diags);
DmaPlan *dma_plan_new(const Device *device, const HwDmaCommand *command); // NULL: no memory
void dma_plan_free(DmaPlan *plan);                                        // NULL: nothing
void immediate_execute(Device *device, const HwImmediateWrite *write);

// What fills TRF: a stream, or bytes that come straight from DM.

// A load whose bytes reach TRF as they lie in DM, worked out once: what goes where is the same in
// every slice.
typedef struct TrfCopy TrfCopy;

// Requires: all that the pass does to the elements of `chunks`, whole bytes each, is to store them,
// `lanes` a flit. *out stays NULL where they cannot be copied. False: no memory.
bool trf_copy_new(const Device *device, const HwPipeline *pass, const Chunks *chunks, int64_t lanes,
                  TrfCopy **out);
void trf_copy_free(TrfCopy *copy); // NULL: nothing
// Requires: all that is read lies in DM and has a value.
void trf_copy_run(const TrfCopy *copy, Trf *trf, const Memory *dm);

#endif
