// Which positions of a shape are data and which padding, said without a mapping: as sums of digits
// of the position, each below a limit.
#ifndef CONTRA_ENGINE_DATA_H
#define CONTRA_ENGINE_DATA_H

#include "command/command.h"

// Adds to `list`, of HwDataSum, all conditions that tell positions apart of which the inner
// `inside` are different. What is padding in every one of them (a slice, a row) is left out: nobody
// looks there.
void data_sums(Arena *arena, const Mapping *shape, int64_t inside, void *list);

#endif
