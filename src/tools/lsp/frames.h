// Messages as the protocol frames them: "Content-Length: 12\r\n\r\n" and so many bytes.
#ifndef CONTRA_LSP_FRAMES_H
#define CONTRA_LSP_FRAMES_H

#include "base/str.h"

// Bytes that came, or that are to go. {0} is empty.
typedef struct {
    char *bytes;
    size_t start, end, capacity;
    bool is_over; // nothing more comes
    bool is_bad;  // what came is not the protocol, or there is no memory for it
} Frames;

typedef struct {
    Str header; // with the empty line at its end
    Str body;
} Frame;

// Waits for bytes and takes them.
void frames_read(Frames *frames, int file);
// The next message; lives until more is read. False: it is not all there yet.
bool frames_next(Frames *frames, Frame *frame);
// The value of a field of the header, named with its colon; empty: it is not there.
Str frame_field(const Frame *frame, const char *name);

// Puts bytes in line to be written; frames_write writes as many as there is room for.
void frames_add(Frames *frames, Str bytes);
bool frames_write(Frames *frames, int file);

#endif
