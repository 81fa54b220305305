// What we print may quote file names, sources, object files, schedules and arguments that others
// wrote. An escape sequence in them could rewrite the screen, and a character that changes the
// direction of text could make a line read as something else. From terminal_open() on, standard
// output and standard error show such characters as `\u001b`, whoever prints them; in JSON that is
// the same text. Bytes that are not UTF-8 are shown as `\xff`.
#ifndef CONTRA_TOOLS_TERMINAL_H
#define CONTRA_TOOLS_TERMINAL_H

#include <stdbool.h>

void terminal_open(void);

// Whether the colors that diagnostics, listings and schedules use may pass to this file.
void terminal_allow_colour(int file, bool allowed);

// Why standard output could not be written (errno); 0: no failure so far.
int terminal_error(void);

// From here on standard output passes unchanged, for the output of a host program or a test.
void terminal_begin_raw(void);
void terminal_end_raw(void);

#endif
