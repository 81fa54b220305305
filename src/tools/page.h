// The schedule page (viewer/), as the build makes it.
#ifndef CONTRA_TOOLS_PAGE_H
#define CONTRA_TOOLS_PAGE_H

// HTML. A schedule as JSON comes in the place of PAGE_MARKER, which stands in it once, with each "</" in it
// written "<\/", so that no text of the schedule ends its element. Without it the page asks for a file.
extern const char page_template[];

#define PAGE_MARKER "/*CONTRA_SCHEDULE*/"

#endif
