// What the files of this folder share.
#ifndef CONTRA_MACHINE_INTERNAL_H
#define CONTRA_MACHINE_INTERNAL_H

#include "machine/machine.h"

// Where a field got its value. {SPAN_NOWHERE} for one that the base machine gave.
typedef struct {
    Span span;
    bool refused; // reported already: the field holds its base's value, which proves nothing
} MachineOrigin;

// The rules of one field: range, power of two, shape of a list. Reports at `span`.
bool machine_check_value(const MachineField *field, int64_t value, Span span, DiagList *diags);
bool machine_check_list(const MachineField *field, const MachineList *list, Span span,
                        DiagList *diags);

// The rules between fields; those of a refused field are left out. Reports at the origins.
bool machine_check_relations(const Machine *machine,
                             const MachineOrigin origins[MACHINE_FIELD_COUNT], DiagList *diags);

#endif
