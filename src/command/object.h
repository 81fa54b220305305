// Object files (.tcpo): a compiled kernel as bytes, and back. docs/compiling.md has the layout.
#ifndef CONTRA_COMMAND_OBJECT_H
#define CONTRA_COMMAND_OBJECT_H

#include "base/diag.h"
#include "command/command.h"
#include "machine/machine.h"

enum { OBJECT_FORMAT = 2 }; // what is written and read

void object_write(StrBuf *out, const HwObject *object);

// Records of its own.
HwObject object_copy(Arena *arena, const HwObject *object);

// Whether these are the first bytes of an object file, good or not.
bool object_is(Str bytes);

// What the file says of itself, besides the object.
typedef struct {
    int64_t format;
    uint32_t checksum;
    int64_t bytes; // of the file
} ObjectFacts;

// Reads a file that diagnostics call `name`. False: one of them says why it is refused.
bool object_read(Arena *arena, Str name, Str bytes, DiagList *diags, HwObject *object,
                 ObjectFacts *facts);

// A number that two machines share exactly when they have the same numbers, their names aside (but
// for collisions of a CRC-32).
int64_t object_machine_hash(Arena *arena, const Machine *machine);

// Was it made for this machine, or for one with the same numbers? False: a diagnostic says no.
bool object_fits_machine(Arena *arena, Str name, const HwObject *object, const Machine *machine,
                         DiagList *diags);

#endif
