// Whole files in memory.
#ifndef CONTRA_BASE_FILE_H
#define CONTRA_BASE_FILE_H

#include "base/str.h"

// Reads a file into the arena. False: it is no file that can be read, or larger than 1 GiB.
bool file_read(Arena *arena, Str path, Str *text);

#endif
