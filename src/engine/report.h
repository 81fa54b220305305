// What the rules of the engines have in common when they report: the user's own mappings as text,
// and problems found on the way that belong to a call.
#ifndef CONTRA_ENGINE_REPORT_H
#define CONTRA_ENGINE_REPORT_H

#include "mapping/divide.h"
#include "program/build.h"

// A dimension as it is written.
Str report_dim(const Verify *verify, const Dim *dim);
// The same, padded to `size` positions.
Str report_padded(const Verify *verify, const Dim *dim, int64_t size);

// A mapping that was computed, in its shortest form.
Str report_mapping(const Verify *verify, const Mapping *mapping);

// What was looked for in a division.
Str report_match(const Verify *verify, const Match *match);

// "1, 2, 4 or 8"
Str report_list(const Verify *verify, const MachineList *list);

// Says at the stage before what its stream looks like.
void report_stream(const Verify *verify, Diag *diag, const Stage *before);

// Adds to a diagnostic about two mappings that should be the same where they part, or that this
// could not be decided.
void report_difference(const Verify *verify, Diag *diag, const Mapping *wanted,
                       const Mapping *found);

// Reports at `span` what a list of its own holds. The sequencer and the checks of mappings point at
// expressions; seen from a call these stand in a type alias, far away.
void report_again(const Verify *verify, const DiagList *found, Span span);

// Bytes of `dim` in elements of `type`. False, with a diagnostic at the stage: no whole number.
bool report_bytes(const Verify *verify, const Stage *stage, Scalar type, const Dim *dim,
                  int64_t *bytes);

#endif
