// HBM between the launches of a host program: which tensors of the host lie where, and whose bytes
// are whose.
//
// Bytes are bytes: HBM holds what was last written there, by whomever, and every tensor is a name
// for what lies at its address. The device has them from the moment they are written on; arrays are
// copies, of the time when somebody last asked for them.
#ifndef CONTRA_RUN_RESIDENCE_H
#define CONTRA_RUN_RESIDENCE_H

#include "base/map.h"
#include "engine/memory/intervals.h"
#include "lang/host/executor.h"
#include "run/run.h"

// Who reads or writes: an operation.
typedef struct {
    const Op *op;
    const LaunchSite *launch; // of the kernel whose operation it is; NULL: it is the host's
} Actor;

typedef struct {
    int64_t number;       // among all residents; from 1 on
    const Tensor *tensor; // of the host; or of a kernel, until its result becomes the host's
    Oracle *oracle;       // whose tensor it is; NULL: the host's
    const Program *of;    // the kernel that gave it back; NULL: none did
    HwArgument place;
    Actor writer;    // who wrote to it last, as far as the sanitizer saw
    bool is_outside; // the memory has no such bytes: its array alone has them
    int64_t seen;    // its array has what was written up to this write
    Intervals lost;  // its bytes that others wrote over: by which overwrite
} Resident;

// Bytes low .. high - 1. Those of a chip lie behind all of the chip before it.
typedef struct {
    int64_t low, high;
} Stretch;

typedef struct {
    ARRAY(Stretch);
} StretchList;

// It wrote over bytes of others.
typedef struct Overwrite {
    struct Overwrite *next; // of the same operation in another launch
    Actor actor;
    int64_t number;
} Overwrite;

typedef struct {
    Contra *contra;
    Executor *executor; // knows the arrays
    Device *device;     // NULL: there is none yet
    Arena scratch;
    Map by_tensor; // -> Resident
    struct {
        ARRAY(Resident *);
    } residents, spare; // by number; those that nobody needs
    IntervalNodes nodes;
    Intervals written; // addresses, of any chip: by which write, in the order of time
    int64_t writes;
    bool is_watched;  // by the sanitizer: only then it is known whose bytes are whose
    Intervals owners; // stretches: the number of who wrote them last; 0: one that is gone
    struct {
        ARRAY(const Overwrite *);
    } overwrites; // by number
    Map by_op;    // -> the first Overwrite
} Residence;

void residence_init(Residence *residence, Contra *contra, Executor *executor);
void residence_free(Residence *residence);

Resident *residence_find(const Residence *residence, const Tensor *tensor); // NULL: none
Resident *residence_add(Residence *residence, const Tensor *tensor, const HwArgument *place);
// The one there is, or else one that lies at the place.
Resident *residence_have(Residence *residence, const Tensor *tensor, const HwArgument *place);
// A tensor of a kernel is one of the host from now on.
void residence_rename(Residence *residence, Resident *resident, const Tensor *tensor);
// Nobody needs the tensor; its bytes stay.
void residence_forget(Residence *residence, const Tensor *tensor);

// ---- values. Each false: no memory.

// The array of a tensor has what lies in its bytes.
bool residence_fetch(Residence *residence, Resident *resident);
// All of a tensor of any memory, from its array and to it.
bool residence_send(Residence *residence, const Tensor *tensor, const HwArgument *place);
bool residence_get(Residence *residence, const Tensor *tensor, const HwArgument *place,
                   Array *array);
// The bytes of a tensor become those of its array: all of them, or positions that are marked.
bool residence_put(Residence *residence, Resident *resident, const uint8_t *positions);
// Somebody wrote to some of these addresses.
void residence_note(Residence *residence, int64_t low, int64_t high);

// A mark for each position of the tensor of a view: 1, it is an element of the view. NULL: no
// memory.
uint8_t *view_positions(Arena *arena, const View *view);
// The bytes of positions that are marked; NULL: all of them.
StretchList place_stretches(Arena *arena, const Machine *machine, const HwArgument *place,
                            const uint8_t *positions);

// ---- owners of bytes

// In ascending order, and none twice.
void stretches_sort(StretchList *list);
void stretches_add(Arena *arena, StretchList *list, Stretch stretch);

// Whether all bytes between two addresses, of all chips one behind the other, are a tensor's.
bool owners_have(const Residence *residence, const Resident *resident, int64_t low, int64_t high);

// These bytes, in ascending order and none twice, are a tensor's now; `by` NULL: they are one's
// that only the kernel knows.
void owners_note_write(Residence *residence, const Actor *actor, Resident *by,
                       const StretchList *bytes);
// What is read of a tensor, which the reader calls `name`, must not be lost. False: it is, which is
// said.
bool owners_check_read(Residence *residence, const Actor *actor, const Tensor *name,
                       const Resident *resident, const StretchList *bytes);
// The bytes of a tensor that is gone.
void owners_leave(Residence *residence, const Resident *resident);
// What of a place is, or was, a tensor's of the host counts as written for the launch at hand.
// False: no memory.
bool owners_keep(Residence *residence, const HwArgument *place);

#endif
