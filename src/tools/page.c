#include "page.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *page_of_schedule(ContraText schedule, size_t *length)
{
    Contra *contra = contra_new();
    ContraText page;
    char *copy = NULL;
    if (contra_schedule_page(contra, schedule, &page) == CONTRA_OK)
        copy = malloc((size_t)page.length + 1);
    if (copy) {
        memcpy(copy, page.data, (size_t)page.length + 1);
        *length = (size_t)page.length;
    }
    contra_free(contra);
    return copy;
}

char *page_read_file(const char *command, const char *path, size_t *length)
{
    enum { FIRST_BYTES = 1 << 16 };
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0, part = 1;
    *length = 0;
    while (file && part) {
        if (*length + 1 >= capacity) {
            capacity = capacity ? capacity * 2 : FIRST_BYTES;
            char *more = realloc(text, capacity);
            if (!more)
                break;
            text = more;
        }
        part = fread(text + *length, 1, capacity - *length - 1, file);
        *length += part;
    }
    bool ok = file && !part && !ferror(file);
    if (!ok)
        fprintf(stderr, "contra %s: cannot read `%s`: %s\n", command, path, strerror(errno));
    if (file)
        fclose(file);
    if (!ok) {
        free(text);
        return NULL;
    }
    text[*length] = 0;
    return text;
}

// Closes the file.
static bool fill(FILE *file, const char *bytes, size_t length)
{
    bool ok = file && fwrite(bytes, 1, length, file) == length;
    return file && fclose(file) == 0 && ok;
}

// Replaces an existing file only when the new one is complete, so a full disk does not destroy
// both. Links stay links, and the mode stays. A file that must not be written to is refused. If the
// folder takes no second file, or no name that long, the file itself is overwritten.
static bool write_whole(const char *path, const char *bytes, size_t length)
{
    char target[PATH_MAX], unfinished[PATH_MAX + 32];
    struct stat about;
    bool is_there = lstat(path, &about) == 0;
    bool is_file =
        !is_there || (stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, W_OK) == 0);
    const char *whole = is_there && realpath(path, target) ? target : path;
    snprintf(unfinished, sizeof unfinished, "%s.unfinished-%ld", whole, (long)getpid());
    FILE *file = is_file ? fopen(unfinished, "wb") : NULL;
    if (!file)
        return fill(fopen(path, "wb"), bytes, length);
    bool ok = fill(file, bytes, length) && (!is_there || chmod(unfinished, about.st_mode) == 0) &&
              rename(unfinished, whole) == 0;
    int why = errno;
    if (!ok)
        unlink(unfinished);
    errno = why;
    return ok;
}

bool page_write_file(const char *command, const char *path, const char *bytes, size_t length)
{
    bool to_output = strcmp(path, "-") == 0;
    bool ok =
        to_output ? fwrite(bytes, 1, length, stdout) == length : write_whole(path, bytes, length);
    if (!ok)
        fprintf(stderr, "contra %s: cannot write `%s`: %s\n", command, path, strerror(errno));
    return ok;
}

static bool has_suffix(const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, suffix) == 0;
}

bool page_is_object_file(const char *path)
{
    return has_suffix(path, ".tcpo");
}

// ---- what the page shows

// Why a document is no schedule for the page. NULL: it is one.
static const char *why_no_schedule(const json_t *root)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *version = json_object_get(root, "version");
    if (!format || strcmp(format, "contra-schedule") != 0)
        return "it does not say \"format\": \"contra-schedule\"";
    if (!json_is_integer(version) || json_integer_value(version) < 1)
        return "it lacks `version`";
    if (json_integer_value(version) > PAGE_NEWEST_VERSION)
        return "it is of a newer version: open it with the contra that wrote it";
    if (!json_is_number(json_object_get(root, "cycles")) ||
        !json_is_array(json_object_get(root, "operations")))
        return "it lacks `cycles` or `operations`";
    return NULL;
}

// What files that are often meant are instead, and what to do with them.
static const struct {
    const char *suffix, *advice;
} other_files[] = {
    {".rs", "a source: `contra schedule FILE --kernel K --json K.json` makes a schedule of it"},
    {".tcp", "a source: `contra schedule FILE --json K.json` makes a schedule of it"},
    {".html", "a page: the browser opens it as it is"},
};

bool page_takes_schedule(const char *command, const char *path, ContraText text)
{
    json_error_t error;
    for (size_t i = 0; i < sizeof other_files / sizeof *other_files; i++)
        if (has_suffix(path, other_files[i].suffix)) {
            fprintf(stderr, "contra %s: `%s` is %s\n", command, path, other_files[i].advice);
            return false;
        }
    json_t *root = json_loadb(text.data, (size_t)text.length, 0, &error);
    const char *why = root ? why_no_schedule(root) : error.text;
    if (why)
        fprintf(stderr, "contra %s: `%s` is no schedule: ", command, path);
    if (!root)
        fprintf(stderr, "line %d: %s\n", error.line, error.text);
    else if (why)
        fprintf(stderr, "%s\n", why);
    json_decref(root);
    return !why;
}
