// Whole files in memory.
#ifndef CONTRA_BASE_FILE_H
#define CONTRA_BASE_FILE_H

#include "base/str.h"

enum { FILE_LARGEST = 1 << 30 };

// Reads a file into the arena. False: it is no file that can be read, or larger than `most` bytes,
// which are at most FILE_LARGEST; errno says which.
bool file_read_most(Arena *arena, Str path, int64_t most, Str *text);

// Any file.
static inline bool file_read(Arena *arena, Str path, Str *text)
{
    return file_read_most(arena, path, FILE_LARGEST, text);
}

#endif
