// CBOR item by item: what records and object files are written with and read from. Only what is
// written here is read: definite lengths, the shortest heads, no floats.
#ifndef CONTRA_COMMAND_CBOR_H
#define CONTRA_COMMAND_CBOR_H

#include "base/ndarray.h" // Fault
#include "base/str.h"

enum { BITS_WORD_BYTES = 8 };

void cbor_add_int(StrBuf *out, int64_t value);
void cbor_add_bytes(StrBuf *out, Str bytes);

typedef enum {
    ITEM_NONE, // something that is never written
    ITEM_UINT,
    ITEM_NEGATIVE, // -1 - number
    ITEM_BYTES,
    ITEM_TEXT,
    ITEM_ARRAY,
    ITEM_MAP,
    ITEM_TAG,
    ITEM_BOOL,
} ItemKind;

typedef struct {
    ItemKind kind;
    uint64_t number;     // its value, or how many follow
    const uint8_t *data; // bytes, text
} Item;

typedef struct {
    Str bytes;
    int64_t at;  // bytes that were read
    bool is_cut; // they ended inside an item
    Fault *fault;
} ItemReader;

// The next item, of one kind. `what` it is for stands in the fault.
bool item_expect(ItemReader *reader, ItemKind kind, const char *what, Item *item);

#endif
