// The sanitizer: a layer beside the executor. Before a command is executed it walks what the
// command reads and writes, on shadows of the memories (shadow.h), and notes what is wrong. It
// changes no result, and knows nothing of how commands are executed.
#ifndef CONTRA_DEVICE_SANITIZE_H
#define CONTRA_DEVICE_SANITIZE_H

#include "device/internal.h"
#include "device/shadow.h"
#include "device/walk.h"

#include <pthread.h>

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

// Any thread may; which are kept does not depend on the order.
void fault_add(Sanitizer *sanitizer, const DeviceFault *fault);

// Looks at shadows from `at` on. A copy may take what nobody wrote along.
void check_reads(const Device *device, const ShadowPlace *place, int64_t at, int64_t count,
                 bool is_copy);

// Half byte `slot` of a row of TRF, and back; -1: the row has no such.
int64_t trf_place_of(const Machine *machine, const HwTrfLayout *layout, int64_t row, int64_t slot);
void trf_row_of(const Machine *machine, const HwTrfLayout *layout, int64_t place, int64_t *row,
                int64_t *byte);

// ---- passes and DMA

typedef struct PassCheck PassCheck;

struct CheckPlan {
    PassCheck *pass;
};

PassCheck *pass_check_new(const Device *device, const HwPipeline *pass); // NULL: no memory
void pass_check_free(PassCheck *check);
void pass_check(Device *device, const HwPipeline *pass, PassCheck *check);
// Behind its execution: nobody wrote what a filter left out, and only the memories know what that
// is.
void pass_check_filtered(Device *device, const HwPipeline *pass, PassCheck *check);

bool dma_check(Device *device, const HwDmaCommand *command);

#endif
