// What `contra map` prints: each answer as text for people and as one JSON document for programs.
#ifndef CONTRA_TOOLS_MAP_OUTPUT_H
#define CONTRA_TOOLS_MAP_OUTPUT_H

#include "contra.h"

ContraStatus output_mapping(Contra *contra, const ContraMapping *mapping, int64_t first, bool json);
ContraStatus output_cells(Contra *contra, const ContraMapping *mapping, int64_t from, int64_t count,
                          bool json);
ContraStatus output_equal(Contra *contra, const ContraMapping *mapping, const ContraMapping *other,
                          bool json, bool *equal);
ContraStatus output_prefix(Contra *contra, const ContraMapping *mapping, const ContraMapping *other,
                           bool json, bool *prefix);
ContraStatus output_split(Contra *contra, const ContraMapping *mapping, int64_t at, bool json);
ContraStatus output_tile(Contra *contra, const ContraMapping *mapping, const ContraMapping *index,
                         int64_t length, int64_t start, bool json);
ContraStatus output_division(Contra *contra, const ContraMapping *dividend,
                             const ContraMapping *divisor, ContraDivideKind kind, int64_t span,
                             bool json, bool *exact);
ContraStatus output_canonical_axes(Contra *contra, const ContraMapping *mapping, bool json);
void output_sequence(const ContraSequence *sequence, const ContraSequenceRequest *request,
                     bool json);

#endif
