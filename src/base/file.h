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

// Whether there is something that is neither an ordinary file nor a folder: of a pipe nobody knows
// when it ends, and of a device whether.
bool file_may_wait(Arena *arena, Str path);

// The bytes of a file without reading them: pages come when they are looked at. They live
// until file_unmap. False: it is no ordinary file, or cannot be opened.
bool file_map(Arena *arena, Str path, Str *bytes);
void file_unmap(Str bytes);
// Gives the memory of a map back until it is looked at again.
void file_rest(Str bytes);

// Writes the parts, one after the other, to a new file that then takes the place of the one at
// `path`, so that this is whole at any time. Links stay links, and the mode stays. A file that must
// not be written to is refused. What is not a file, such as a pipe, is written to directly, and so
// is a file whose folder takes no second file, or no name that long. False: errno says why.
bool file_write(Arena *arena, Str path, const Str *parts, int64_t count);

#endif
