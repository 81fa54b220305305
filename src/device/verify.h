// Records from a file before they are executed: what is refused here would crash, hang, or be left
// out quietly. What is admitted, the device executes fully.
#ifndef CONTRA_DEVICE_VERIFY_H
#define CONTRA_DEVICE_VERIFY_H

#include "base/diag.h"
#include "command/command.h"
#include "machine/machine.h"

typedef struct {
    int64_t steps;    // elements that all commands together work on
    int64_t elements; // of the streams of a cluster at a time, and of an argument
} VerifyLimits;

extern const VerifyLimits verify_limits;   // of files that people run
extern const VerifyLimits verify_any_work; // of what is not executed, or was compiled here

// Chips that the device of an object has.
int64_t object_chips(const HwObject *object);

// False: a diagnostic names the first field that is wrong, and where the source map has it. `name`:
// of the file; empty: it is in none.
bool object_verify(Str name, const HwObject *object, const Machine *machine,
                   const VerifyLimits *limits, DiagList *diags);
// The same without its place; *operation: in which one, -1: in none.
bool object_verify_each(Str name, const HwObject *object, const Machine *machine,
                        const VerifyLimits *limits, DiagList *diags, int64_t *operation);

#endif
