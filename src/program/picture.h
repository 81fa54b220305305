// A program as a drawing: its tensors and streams, with the axes of each dimension.
#ifndef CONTRA_PROGRAM_PICTURE_H
#define CONTRA_PROGRAM_PICTURE_H

#include "base/str.h"
#include "program/program.h"

// A page of its own: each operation of the source once, however often a loop repeats it, by
// function; what it reads and writes; of a pass the streams of the stages, as far as they map anew,
// and once for passes that look alike. A box for each element of a mapping, coloured by its axis.
void program_print_svg(StrBuf *out, const Program *program, const SourceList *sources);

#endif
