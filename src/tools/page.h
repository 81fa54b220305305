// The schedule page, and the files that go with it.
#ifndef CONTRA_TOOLS_PAGE_H
#define CONTRA_TOOLS_PAGE_H

#include "contra.h"

#include <stddef.h>

// The page with a schedule in it, to be freed. NULL: no memory. An empty one: the page alone.
char *page_of_schedule(ContraText schedule, size_t *length);

// A file, terminated and to be freed. NULL, with a message of `command`: it cannot be read.
char *page_read_file(const char *command, const char *path, size_t *length);

// False, with a message: it cannot be written. `-` is standard output.
bool page_write_file(const char *command, const char *path, const char *bytes, size_t length);

// By its name.
bool page_is_object_file(const char *path);

// The newest version of schedules that the page reads (viewer/src/document.js).
enum { PAGE_NEWEST_VERSION = 2 };

// False, with a message of `command`: the file is nothing that the page could show. The page looks
// at all of it; here it is enough to know a schedule from other files, from one that is cut off and
// from one of another version.
bool page_takes_schedule(const char *command, const char *path, ContraText text);

#endif
