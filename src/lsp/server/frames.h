// Messages as the protocol frames them: "Content-Length: 12\r\n\r\n" and that many bytes.
#ifndef CONTRA_LSP_SERVER_FRAMES_H
#define CONTRA_LSP_SERVER_FRAMES_H

#include "base/str.h"

// Bytes that were read, or that are to be written. {0} is empty.
typedef struct {
    char *bytes;
    size_t start, end, capacity;
    bool is_over; // end of file
    bool is_bad;  // it is not a message of the protocol, or there is no memory for it
} Frames;

typedef struct {
    Str header; // with the empty line at its end
    Str body;
} Frame;

// Waits for bytes and reads them.
void frames_read(Frames *frames, int file);
// The next message; valid until more is read. False: it is not complete yet.
bool frames_next(Frames *frames, Frame *frame);

#endif
