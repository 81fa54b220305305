// The schedule page (viewer/), as the build makes it.
#ifndef CONTRA_SCHEDULE_PAGE_H
#define CONTRA_SCHEDULE_PAGE_H

#include "base/str.h"

// HTML, with SCHEDULE_PAGE_MARKER in it once, where a schedule comes.
Str schedule_page_template(void);

#define SCHEDULE_PAGE_MARKER "/*CONTRA_SCHEDULE*/"

// The page with a schedule in it, given as JSON; empty: the page alone, which asks for a file.
void schedule_print_page(StrBuf *out, Str document);

#endif
