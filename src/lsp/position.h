// Positions of the protocol: lines, and characters as the client counts them.
#ifndef CONTRA_LSP_POSITION_H
#define CONTRA_LSP_POSITION_H

#include "base/array.h"
#include "base/diag.h"

typedef enum { ENCODING_UTF8, ENCODING_UTF16, ENCODING_COUNT } Encoding;

extern const char *const encoding_names[ENCODING_COUNT]; // as the protocol calls them

typedef struct {
    int64_t line, character; // both from 0
} TextPosition;

enum { MARK_BYTES = 128 };

// A text with the offsets at which its lines start. Lines end in \n, \r\n or \r.
typedef struct LinedText {
    Str text;
    struct {
        ARRAY(int64_t);
    } starts;
    struct {
        ARRAY(int64_t);
    } marks; // units of UTF-16 before every MARK_BYTES-th byte, since a line may be very long
} LinedText;

LinedText lined_text(Arena *arena, Str text);

// Beyond the end of a line or the text counts as the end; inside of a character as its start.
int64_t position_offset(const LinedText *text, Encoding encoding, TextPosition position);
TextPosition offset_position(const LinedText *text, Encoding encoding, int64_t offset);
int64_t offset_line(const LinedText *text, int64_t offset);

#endif
