// The simulated chips: memories with their addresses, and an executor of commands. It knows records
// and bytes; what a byte means to the program it never learns. docs/numerics.md defines every
// result; this is the plain form, which any quicker one must equal bit for bit.
#ifndef CONTRA_DEVICE_DEVICE_H
#define CONTRA_DEVICE_DEVICE_H

#include "base/diag.h"
#include "command/command.h"
#include "device/isa.h"
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
// As many chips, if it has fewer: in the memories of the new ones nobody wrote anything. False: no
// memory, and it has those that it had.
bool device_grow(Device *device, int64_t chips);
void device_watch(Device *device, DeviceWatch watch);
// How many threads work on it, at least 1, and with which instructions: both change no result. What
// this machine does not have is left as it was.
void device_use_threads(Device *device, int64_t threads);
void device_use_isa(Device *device, Isa isa);
// How many cells of a stream, at least 1, are a part of it, which is fetched and multiplied before
// the next: it changes no result. Plans that are there already stay as they are.
void device_use_part(Device *device, int64_t cells);

// A tensor that comes with the call, position by position (object.def, Argument): its bits, and 1
// where it has a value. False: no memory.
bool device_put(Device *device, const HwArgument *argument, const uint32_t *bits,
                const uint8_t *live);
void device_get(const Device *device, const HwArgument *argument, uint32_t *bits, uint8_t *live);

// The same where every position is data and the elements are laid out as in memory: little endian,
// position after position, `count` bytes in all. False: the argument does not lie so in memory (it
// is in TRF, or has half bytes), `count` is not its size, there is no memory, or it was cancelled.
bool device_put_bytes(Device *device, const HwArgument *argument, const void *bytes, int64_t count);
// False also if something has no value; all bytes are there nevertheless.
bool device_get_bytes(const Device *device, const HwArgument *argument, void *bytes, int64_t count);

// No position has a value any more.
void device_forget_argument(Device *device, const HwArgument *argument);

// ---- part by part (part.c)

// Positions from `first` on that are put or got at once, at most `most`; but where the tensor is
// not in HBM, all of them.
int64_t device_part(const HwArgument *argument, int64_t first, int64_t most);
bool device_put_part(Device *device, const HwArgument *argument, int64_t first, int64_t count,
                     const uint32_t *bits, const uint8_t *live);
void device_get_part(const Device *device, const HwArgument *argument, int64_t first, int64_t count,
                     uint32_t *bits, uint8_t *live);
// Gives memory back: of an argument in HBM, whose values are lost; of all DM and register files.
void device_release(Device *device, const HwArgument *argument);
void device_release_slices(Device *device);

// ---- memory of others (argument.c)

// How the commands of an object go about an argument.
typedef struct {
    bool is_apart;   // it can lie in memory of others: no descriptor goes over its ends
    bool is_written; // it is, by some command
} DeviceBinding;

// One a pointer among `arguments`; NULL has none.
void device_bindings(const Machine *machine, const HwObject *object,
                     const HwArgument *const *arguments, int64_t count, DeviceBinding *bindings);

// From now on the bytes of an argument in HBM are those at `bytes`, chip after chip, until others
// are bound to it or device_unbind(). Which of them have a value stays as it is. Only commands that
// write the argument change them. Requires: of all objects that are executed, it is apart. False:
// no memory.
bool device_bind(Device *device, const HwArgument *argument, const void *bytes);
// They are the device's again, and none has a value. Without any that are bound: nothing.
void device_unbind(Device *device, const HwArgument *argument);
// All of a bound argument comes with the call: every byte has a value. False: no memory.
bool device_give(Device *device, const HwArgument *argument);
// Whether every byte of an argument in HBM has one.
bool device_has_values(const Device *device, const HwArgument *argument);

// Positions of an argument.
int64_t device_positions(const HwArgument *argument);

// A launch begins: what former ones left in DM and the register files has no value any more.
void device_begin(Device *device);

// A compiled kernel and the plans for its commands, which are made once, for any number of launches
// on devices of the same machine and options. The object stays the caller's and must outlive it.
typedef struct DeviceProgram DeviceProgram;
DeviceProgram *device_program_new(const HwObject *object); // NULL: no memory
void device_program_free(DeviceProgram *program);          // NULL: nothing

// Executes the commands of operation `number`, or of all of them in order; object_verify must have
// admitted them. False: they could not be finished (an index without a value, no memory), and a
// diagnostic says why; or they were cancelled.
bool device_execute(Device *device, DeviceProgram *program, int64_t number, DiagList *diags);
// Executes operation `number`, and with it those behind it that slices may go through one by one,
// unless each is watched. How many; 0: they could not be finished.
int64_t device_execute_joined(Device *device, DeviceProgram *program, int64_t number,
                              DiagList *diags);
bool device_run(Device *device, DeviceProgram *program, DiagList *diags);

// Bytes of HBM, DM and the register files that have a value.
int64_t device_written_bytes(const Device *device);

// ---- the sanitizer

// What is wrong with what an operation reads or writes. docs/running.md says what each means.
typedef enum {
    FAULT_UNWRITTEN,   // it reads what nobody wrote
    FAULT_PADDING,     // .. what is padding
    FAULT_LEFT,        // .. what a former launch left behind
    FAULT_OVERWRITTEN, // .. what an operation wrote over
    FAULT_OUTSIDE,     // .. or writes what the memory does not have
    FAULT_MISALIGNED,  // a DMA at an address that is no multiple of what it must be
    FAULT_BANK,        // too many accesses to one bank in a row, while DMA runs
    FAULT_NO_NUMBER,   // it multiplies padding in TRF that is no number, or infinite
    FAULT_NO_ZERO,     // .. that nobody wrote: it may be
    FAULT_INDEX,       // an index names a row that the table does not have
    FAULT_KINDS
} FaultKind;

// Who wrote something, in any launch.
typedef struct {
    const void *launch; // its name (device_name_launch); NULL: not known
    int64_t operation;  // -1: it was an argument
    int64_t tensor;     // whose bytes it wrote; -1: not known
} DeviceWriter;

typedef struct {
    FaultKind kind;
    int64_t operation; // that reads; how many there are: whoever launched the kernel
    int64_t other;     // FAULT_OVERWRITTEN: that wrote over it; FAULT_BANK: the DMA; -1: none
    Tier tier;
    int64_t chip, cluster, slice; // -1: the memory has none
    int64_t row;                  // of TRF
    int64_t address;              // of the first byte, in its place; of TRF in its row
    bool writes;                  // FAULT_MISALIGNED: it is written there; FAULT_INDEX: rows are
    int64_t bytes;       // from there on; FAULT_MISALIGNED: what the address must be a multiple of;
                         // FAULT_BANK: accesses
    DeviceWriter former; // FAULT_LEFT: that left it; not of what was copied since (device_left)
    // FAULT_INDEX: the entry, what it counts a row, and how many rows there are
    int64_t entry, unit, rows;
} DeviceFault;

enum { DEVICE_MOST_FAULTS = 8 };

typedef struct {
    DeviceFault items[DEVICE_MOST_FAULTS]; // the first ones, by kind and place
    int64_t count;
    int64_t places[FAULT_KINDS]; // where there are some, all told, in bytes
} DeviceFaults;

// Watches what is read and written from now on; what is in the memories already counts as left
// behind. False: no memory.
bool device_sanitize(Device *device, bool on);
// Of a tensor that was put: which positions are data. The others are padding.
void device_pad(Device *device, const HwArgument *argument, const uint8_t *data);
// These bytes of a tensor in HBM, on one of its chips, are an argument of this launch, too, as far
// as they were put or written in a former one. False: no memory.
bool device_keep(Device *device, const HwArgument *argument, int64_t chip, int64_t from,
                 int64_t to);
// What the launch that begins is called by who asks for writers; it lives as long as the device.
// NULL: nobody asks, or it ended.
void device_name_launch(Device *device, const void *launch);
// Who left behind what an operation of this launch copied, the first of it. False: not known.
bool device_left(const Device *device, int64_t operation, DeviceWriter *writer);
// Of the operation that was executed last, and of results that were looked at since. NULL: none.
const DeviceFaults *device_faults(const Device *device);
// Told which bytes of HBM commands read and write, before they do; of one command in any order.
// NULL: nobody. Requires: it is watched.
typedef struct {
    void (*touch)(void *own, int64_t chip, int64_t from, int64_t to, bool writes);
    // Asked before: whether what an operation touches between two addresses is of any account.
    bool (*matters)(void *own, int64_t operation, int64_t chip, int64_t from, int64_t to,
                    bool writes);
    void *own;
} DeviceTraffic;
void device_tell(Device *device, DeviceTraffic traffic);
// Looks at a tensor that the kernel wrote or gives back, behind the last operation.
void device_check_result(Device *device, const DeviceProgram *program, const HwArgument *result);

#endif
