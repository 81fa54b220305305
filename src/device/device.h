// The simulated chips: memories with their addresses, and an executor of commands. It knows records
// and bytes; what a byte means to the program it never learns. docs/numerics.md defines every
// result; this is the plain form, which any quicker one must equal bit for bit.
#ifndef CONTRA_DEVICE_DEVICE_H
#define CONTRA_DEVICE_DEVICE_H

#include "base/diag.h"
#include "command/command.h"
#include "machine/machine.h"

typedef struct Device Device;

// Asked now and then whether to go on, from the thread that executes. NULL: always.
typedef struct {
    bool (*is_cancelled)(void *own);
    void *own;
} DeviceWatch;

// Memories in which nobody wrote anything. NULL: no memory.
Device *device_new(const Machine *machine, int64_t chips);
void device_free(Device *device); // NULL: nothing
void device_watch(Device *device, DeviceWatch watch);

// A tensor that comes with the call, position by position (object.def, Argument): its bits, and 1
// where it has a value. False: no memory.
bool device_put(Device *device, const HwArgument *argument, const uint32_t *bits,
                const uint8_t *live);
void device_get(const Device *device, const HwArgument *argument, uint32_t *bits, uint8_t *live);

// Positions of an argument.
int64_t device_positions(const HwArgument *argument);

// Executes the commands of an operation, or of all of them in order; object_verify must have
// admitted them. False: they could not be finished (an index without a value, no memory), and a
// diagnostic says why; or they were cancelled.
bool device_execute(Device *device, const HwOperation *operation, DiagList *diags);
bool device_run(Device *device, const HwObject *object, DiagList *diags);

// False: there was no memory for a page, and something that was written is lost; it is said.
bool device_is_whole(const Device *device, DiagList *diags);

#endif
