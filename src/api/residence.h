// HBM between the launches of a host program: which tensors of the host lie where, whether the
// device or their array has the newer values, and which bytes of them others wrote over.
//
// Bytes are bytes: a tensor at an address that the program gave holds what was last written there,
// by whomever. Only what the compiler placed itself gets out of the way: it is saved first.
#ifndef CONTRA_API_RESIDENCE_H
#define CONTRA_API_RESIDENCE_H

#include "api/execute.h"
#include "engine/access.h"
#include "engine/intervals.h"
#include "lang/executor.h"

typedef struct {
    const Tensor *tensor; // of the host
    const HwArgument *place;
    bool is_here;   // its values are on the device; false: in its array alone
    bool is_newer;  // there than in its array
    bool is_given;  // somebody wrote it; false: it is a name for what lies there (from_addr)
    Intervals lost; // bytes that others wrote over: by which overwrite
} Resident;

// Who wrote over bytes of a tensor.
typedef struct {
    const Op *op;
    const Tensor *by;
    const Program *kernel; // whose operation it is; NULL: the host's
} Overwrite;

typedef struct {
    Contra *contra;
    Executor *executor; // knows the arrays
    Device *device;     // NULL: there is none yet
    Arena scratch;
    IntervalNodes nodes;
    Resident *items;
    int64_t count, capacity;
    struct {
        ARRAY(Overwrite);
    } overwrites;
} Residence;

void residence_free(Residence *residence);
Resident *residence_find(const Residence *residence, const Tensor *tensor); // NULL: none
Resident *residence_add(Residence *residence, const Tensor *tensor, const HwArgument *place);
void residence_forget(Residence *residence, const Tensor *tensor);

// Each false: no memory.
bool residence_save(Residence *residence, Resident *resident); // its array has its values
bool residence_save_all(Residence *residence);                 // .. all of them
bool residence_put_all(Residence *residence);                  // on a device that is new
bool residence_put(Residence *residence, Resident *resident);  // the device has its values
bool residence_get(Residence *residence, const Tensor *tensor, const HwArgument *place,
                   Array *array); // of any tensor
bool residence_send(Residence *residence, const Tensor *tensor, const HwArgument *place);

// Something comes to these bytes, of this tensor: what only arrays have so far is put there first,
// and what the compiler placed, or meets what it placed, is saved and gone.
bool residence_make_way(Residence *residence, const HwArgument *place, const Tensor *tensor);
// Whether another tensor than this one lies in these bytes.
bool residence_is_taken(const Residence *residence, const HwArgument *place, const Tensor *tensor);

// An operation wrote: others may have lost these bytes, and `tensor` of the host has them (NULL: it
// is none of the host's).
void residence_note_write(Residence *residence, const Op *op, const Access *access,
                          const Program *kernel, const Tensor *tensor);
// What an operation reads of a tensor of the host must not be lost. False: it is, which is said.
bool residence_check_read(const Residence *residence, const Op *op, const Access *access,
                          const Program *kernel, const Resident *resident);

#endif
