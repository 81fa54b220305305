// The sanitizer: a layer beside the executor. Before a command is executed it walks what the
// command reads and writes, on shadows of the memories, and notes what is wrong. It
// changes no result, and knows nothing of how commands are executed.
#ifndef CONTRA_DEVICE_SANITIZE_H
#define CONTRA_DEVICE_SANITIZE_H

#include "command/nest.h"
#include "device/data.h"
#include "device/internal.h"
#include "device/memory.h"

#include <pthread.h>

// What is known of each byte of a memory besides its value: a shadow of 16 bits.
//
//     0, 1, 2      nobody wrote it; it is padding; a copy of what a former launch left behind
//     3            a former launch wrote it, by a number that was given again since
//     from 16 on   the number of who wrote it: an argument of the host, or an operation
//
// Writers are numbered as they come. A launch begins with a number of its own, so that what was
// written before is told by a comparison, and nothing has to be wiped. Bytes that lie together
// mostly have one writer: a block of them has a shadow of its own, and only where its bytes differ
// do theirs count.

enum {
    SHADOW_NONE,
    SHADOW_PADDING,
    SHADOW_LEFT,
    SHADOW_OLD,
    SHADOW_MIXED, // of a block: look at its bytes
    SHADOW_FIRST = 16,
    SHADOW_LAST = UINT16_MAX, // this one and all that come after it
    SHADOW_BLOCK = 64,
};

typedef struct {
    Reservation bytes, blocks;
} ShadowSpace;

// Of `count` memories of `size` bytes each. False: no memory.
bool shadow_new(ShadowSpace *space, int64_t count, int64_t size);
void shadow_free(ShadowSpace *space);

typedef struct {
    uint16_t *bytes, *blocks; // NULL: there is no such memory
} Shadow;

// Bytes from one memory of a space to the next: whole blocks.
int64_t shadow_stride(int64_t size);
Shadow shadow_of(const ShadowSpace *space, int64_t number, int64_t size);

// How many bytes from `at` on, before `end`, have the same; *value: what. At least 1.
int64_t shadow_alike(const Shadow *shadow, int64_t at, int64_t end, uint16_t *value);
void shadow_fill(const Shadow *shadow, int64_t at, int64_t end, uint16_t value);
// Whoever wrote bytes [at, end), in this launch or a former one, has this number now.
void shadow_renew(const Shadow *shadow, int64_t at, int64_t end, uint16_t value);
// All blocks of a Shadow that have some of these bytes: who wrote them has no number any more.
void shadow_age(void *shadow, int64_t from, int64_t to);

// ----

// ---- for the device

void sanitizer_free(Sanitizer *sanitizer); // NULL: nothing
void sanitize_begin(Device *device);
// Shadows for all chips of the device, whose chips may lie elsewhere now. False: no memory.
bool sanitize_grow(Device *device);
// Of which chip 0 is chip `first_chip` of the device. `live` NULL: all.
bool sanitize_put(Device *device, const HwArgument *argument, int64_t first_chip,
                  const uint8_t *live);
// An operation begins, and its commands come. False: no memory.
void sanitize_operation(Device *device, const HwObject *object, int64_t number);
bool sanitize_command(Device *device, const HwCommand *command, CheckPlan **plan);
void sanitize_executed(Device *device, const HwCommand *command, CheckPlan *plan);
void check_plan_free(CheckPlan *plan); // NULL: nothing
void sanitize_result(Device *device, int64_t operations, const HwArgument *result);

// ---- inside

typedef struct {
    DeviceWriter who;
    uint16_t left; // of whom it copied what a former launch left; 0: of nobody
} Writer;

typedef struct {
    ShadowSpace hbm, dm, vrf, trf;
} ChipShadow;

struct Sanitizer {
    ChipShadow *chips;
    const Chip *of; // whose shadows they are
    int64_t chip_count;
    ShadowSpace *hosts; // one a host tensor of the device
    int64_t host_count;
    Writer *writers;  // by number
    const void *name; // of this launch
    uint16_t launch;  // the first number of this launch
    uint16_t writer;  // the last that was given
    int64_t *written; // by tensor: the launch in which it was last written, from 1 on
    int64_t written_count;
    int64_t launches;
    // the operation at hand
    const HwObject *object;
    const HwOperation *operation;
    int64_t number;
    bool is_known; // all that it reads was written in this launch
    DeviceTraffic traffic;
    DeviceFaults faults;
    pthread_mutex_t adding; // held while faults are added
};

// A memory of one place, with its shadow.
typedef struct {
    Shadow shadow;
    Tier tier;
    int64_t chip, cluster, slice;
    const HwTrfLayout *layout; // of TRF
} ShadowPlace;

ShadowPlace shadow_of_slice(const Device *device, Tier tier, int64_t chip, int64_t cluster,
                            int64_t slice);
Shadow shadow_of_chip(const Device *device, int64_t chip); // HBM
Shadow shadow_of_host(Device *device, int64_t tensor);     // without bytes: no memory

// What is wrong with reading a byte with this shadow; *other: which operation wrote over it, -1:
// none. False: nothing.
bool shadow_is_wrong(const Sanitizer *sanitizer, uint16_t value, FaultKind *kind, int64_t *other);

// A fault of the current operation, in one place.
DeviceFault fault_in(const Sanitizer *sanitizer, FaultKind kind, const ShadowPlace *place);
// Any thread may; which are kept does not depend on the order.
void fault_add(Sanitizer *sanitizer, const DeviceFault *fault);

// Looks at shadows from `at` on. A copy may take what nobody wrote along.
void check_reads(const Device *device, const ShadowPlace *place, int64_t at, int64_t count,
                 bool is_copy);

// Half byte `slot` of a row of TRF, and back; -1: the row has no such.
int64_t trf_place_of(const Machine *machine, const HwTrfLayout *layout, int64_t row, int64_t slot);

// ---- runs

typedef struct {
    int64_t low, high; // bytes, or slots of TRF
    uint8_t mark;      // as it was painted
} Run;

typedef struct {
    Run *items;
    int64_t count;
    int64_t outside, outside_count; // the first that the memory does not have, and how many
} RunList;

// A map of a memory in which runs are painted, in any order and several times over.
typedef struct {
    uint8_t *map;
    int64_t size;
    int64_t low, high; // all that is painted lies in between
    int64_t outside, outside_count;
} Painter;

bool painter_new(Painter *painter, int64_t size); // false: no memory
void painter_free(Painter *painter);
void painter_paint(Painter *painter, int64_t from, int64_t to, uint8_t mark);
// The runs of equal marks; the map is empty behind it. False: no memory.
bool painter_take(Painter *painter, RunList *runs);

// ---- passes and DMA

CheckPlan *pass_check_new(const Device *device, const HwPipeline *pass); // NULL: no memory
void pass_check(Device *device, const HwPipeline *pass, CheckPlan *check);
// Behind its execution: nobody wrote what a filter left out, and only the memories know what that
// is.
void pass_check_filtered(Device *device, const HwPipeline *pass, CheckPlan *check);

bool dma_check(Device *device, const HwDmaCommand *command);
// Checks accesses in a row to one bank of DM against a DMA that may run meanwhile.
void bank_check(Device *device, const HwPipeline *pass, int64_t streak, int64_t address);

// ---- the bytes of a slice that a pass touches

// One set for each memory and kind of access: runs worked out from the records of the pass.
typedef enum {
    SET_FETCH,
    SET_VRF_READ,
    SET_TRF_READ,
    SET_TRF_PADDING, // that is multiplied by zeros and added to data; runs of half bytes of rows,
                     // one row after the other
    SET_COMMIT,
    SET_VRF_STORE,
    SET_TRF_STORE,
    SETS
} SetKind;

// How much of what a unit touches is data; and whether two units touch the same, for certain.
bool set_alike(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit,
               int64_t other);
// The runs of a unit; `all`: of one without padding. False: no memory.
bool set_runs(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit, bool all,
              RunList *runs);
int64_t trf_row_slots(const HwTrfLayout *layout); // half bytes of a row

#endif
