// Long work: a line on the terminal that says how far it is, and an end by Ctrl-C.
#ifndef CONTRA_TOOLS_WATCH_H
#define CONTRA_TOOLS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

// From now on Ctrl-C (or SIGTERM) asks for an end; a second one ends at once.
void watch_start(void);
bool watch_interrupted(void);

// Callbacks of ContraRunOptions, which need no `own`. The line is on standard error, if that is a
// terminal, once the work has taken two seconds, and is rewritten.
bool watch_is_cancelled(void *own);
void watch_progress(void *own, int64_t done, int64_t all);

// Takes the line away.
void watch_clear(void);

// Seconds on a clock that never goes back.
double watch_seconds(void);

#endif
