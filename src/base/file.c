#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool file_may_wait(Arena *arena, Str path)
{
    struct stat about;
    bool plain = path.len && !memchr(path.data, 0, (size_t)path.len);
    return plain && !stat(str_terminated(arena, path), &about) && !S_ISREG(about.st_mode) &&
           !S_ISDIR(about.st_mode);
}

bool file_map(Arena *arena, Str path, Str *bytes)
{
    struct stat about;
    const char *name = str_terminated(arena, path);
    if (stat(name, &about) || !S_ISREG(about.st_mode))
        return false; // a pipe must not even be opened: it would be at its end afterwards
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool plain = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    void *start =
        plain ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (start == MAP_FAILED)
        return false;
    *bytes = (Str){start, about.st_size};
    return true;
}

void file_unmap(Str bytes)
{
    munmap((void *)(uintptr_t)bytes.data, (size_t)bytes.len);
}

void file_rest(Str bytes)
{
    madvise((void *)(uintptr_t)bytes.data, (size_t)bytes.len, MADV_DONTNEED);
}

// ---- writing

static bool write_parts(int file, const Str *parts, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        for (int64_t done = 0; done < parts[i].len;) {
            ssize_t wrote = write(file, parts[i].data + done, (size_t)(parts[i].len - done));
            if (wrote < 0 && errno != EINTR)
                return false;
            done += wrote > 0 ? wrote : 0;
        }
    }
    return true;
}

// Writes and closes; the first of them to fail leaves its errno. False as well if the file is not
// open.
static bool fill(int file, const Str *parts, int64_t count)
{
    if (file < 0)
        return false;
    bool ok = write_parts(file, parts, count);
    int reason = errno;
    ok &= close(file) == 0;
    if (!ok)
        errno = reason;
    return ok;
}

// Whether a new file may be put at `path`. *about says what a link there leads to.
static bool is_replaceable(const char *path, bool is_there, struct stat *about)
{
    return !is_there ||
           (stat(path, about) == 0 && S_ISREG(about->st_mode) && access(path, W_OK) == 0);
}

bool file_write(Arena *arena, Str path, const Str *parts, int64_t count)
{
    enum { ANYONE = 0666, PERMISSIONS = 07777, ANEW = O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC };
    struct stat about;
    char resolved[PATH_MAX]; // a link stays one
    const char *named = str_terminated(arena, path), *target = named;
    bool is_there = lstat(named, &about) == 0, is_new = is_replaceable(named, is_there, &about);
    if (is_there && is_new && realpath(named, resolved))
        target = resolved;
    Str unfinished = str_format(arena, "{}.unfinished-{}", target, (long)getpid());
    const char *name = str_terminated(arena, unfinished);
    int file = is_new ? open(name, ANEW, ANYONE) : -1;
    if (file < 0)
        return fill(open(named, ANEW, ANYONE), parts, count);
    bool keeps_mode = !is_there || fchmod(file, about.st_mode & PERMISSIONS) == 0;
    if (fill(file, parts, count) && keeps_mode && rename(name, target) == 0)
        return true;
    int reason = errno;
    unlink(name);
    errno = reason;
    return false;
}
