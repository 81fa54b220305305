// Pages of schedules for a browser: files in a folder for temporary ones, for as long as the server
// runs.
#ifndef CONTRA_LSP_PAGES_H
#define CONTRA_LSP_PAGES_H

#include <stdbool.h>
#include <stddef.h>

// Pages that servers left which were ended before they could remove them go away.
void pages_open(void);
// Keeps a page, also from a process of a job. False: it cannot.
bool pages_keep(const char *page, size_t length, char *path, size_t room);
// Removes those of this server.
void pages_close(void);

#endif
