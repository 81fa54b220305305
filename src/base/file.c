#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PIPE_BYTES = 64 * 1024 };

static bool refuse(int why)
{
    errno = why;
    return false;
}

static bool read_all(Arena *arena, FILE *file, int64_t most, Str *text)
{
    struct stat about;
    if (fstat(fileno(file), &about))
        return false;
    if (S_ISDIR(about.st_mode))
        return refuse(EISDIR);
    if (about.st_size > most)
        return refuse(EFBIG);
    // a pipe says its size by ending
    size_t room = about.st_size > 0 ? (size_t)about.st_size + 1 : PIPE_BYTES, count = 0;
    for (char *data = NULL;; room *= 2) {
        if (count > (size_t)most)
            return refuse(EFBIG);
        char *more = room / 2 > FILE_LARGEST ? NULL : arena_try_alloc(arena, 1, 1, room);
        if (!more)
            return refuse(ENOMEM);
        if (count)
            memcpy(more, data, count);
        data = more;
        count += fread(data + count, 1, room - count, file);
        *text = (Str){data, (int64_t)count};
        if (ferror(file))
            return false;
        if (count < room)
            return count > (size_t)most ? refuse(EFBIG) : true;
    }
}

bool file_read_most(Arena *arena, Str path, int64_t most, Str *text)
{
    if (!path.len || memchr(path.data, 0, (size_t)path.len))
        return refuse(ENOENT);
    FILE *file = fopen(str_terminated(arena, path), "rb");
    if (!file)
        return false;
    bool ok = read_all(arena, file, most, text);
    int why = errno;
    fclose(file);
    return ok || refuse(why);
}
