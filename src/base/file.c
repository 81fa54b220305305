#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 1 << 30, PIPE_BYTES = 64 * 1024 };

static bool read_all(Arena *arena, FILE *file, Str *text)
{
    struct stat about;
    if (fstat(fileno(file), &about) || S_ISDIR(about.st_mode) || about.st_size > LARGEST)
        return false;
    // a pipe says its size by ending
    size_t room = about.st_size > 0 ? (size_t)about.st_size + 1 : PIPE_BYTES, count = 0;
    for (char *data = NULL;; room *= 2) {
        char *more = room > LARGEST ? NULL : arena_try_alloc(arena, 1, 1, room);
        if (!more)
            return false;
        if (count)
            memcpy(more, data, count);
        data = more;
        count += fread(data + count, 1, room - count, file);
        *text = (Str){data, (int64_t)count};
        if (count < room || ferror(file))
            return !ferror(file);
    }
}

bool file_read(Arena *arena, Str path, Str *text)
{
    FILE *file = fopen(str_terminated(arena, path), "rb");
    if (!file)
        return false;
    bool ok = read_all(arena, file, text);
    fclose(file);
    return ok;
}
