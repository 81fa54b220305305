#include "page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPED "\\u003c" // stands in texts only, which may have it so

char *page_of_schedule(ContraText schedule, size_t *length)
{
    const char *marker = strstr(page_template, PAGE_MARKER);
    size_t head = (size_t)(marker - page_template), tail = strlen(marker) - strlen(PAGE_MARKER);
    size_t most = head + tail + (size_t)schedule.length + 1;
    for (int64_t i = 0; i < schedule.length; i++)
        most += schedule.data[i] == '<' ? sizeof ESCAPED : 0;
    char *page = malloc(most), *next = page;
    if (!page)
        return NULL;
    memcpy(next, page_template, head);
    next += head;
    for (int64_t i = 0; i < schedule.length; i++) {
        bool is_escaped = schedule.data[i] == '<';
        size_t count = is_escaped ? sizeof ESCAPED - 1 : 1;
        memcpy(next, is_escaped ? ESCAPED : &schedule.data[i], count);
        next += count;
    }
    memcpy(next, marker + strlen(PAGE_MARKER), tail + 1);
    *length = (size_t)(next - page) + tail;
    return page;
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

bool page_write_file(const char *command, const char *path, const char *bytes, size_t length)
{
    bool to_output = strcmp(path, "-") == 0;
    FILE *file = to_output ? stdout : fopen(path, "wb");
    bool ok = file && fwrite(bytes, 1, length, file) == length;
    if (file && !to_output)
        ok &= fclose(file) == 0;
    if (!ok)
        fprintf(stderr, "contra %s: cannot write `%s`: %s\n", command, path, strerror(errno));
    return ok;
}

bool page_is_object_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".tcpo") == 0;
}
