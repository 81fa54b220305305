// Records: plain structs that know their fields. What the chip is told is written down once, in
// the .def files here; the structs, the object file, the JSON, its schema and the listing are all
// made of them, so that nothing can be in one and missing in another.
//
// A .def file is a list of
//
//     RECORD(Name, "what it is")
//         INT(Name, field, "what it is, with its unit")
//         ..
//     END(Name)
//
// with these fields: INT (int64_t), BOOL (bool), TEXT (Str), ENUM (an enum, with what names its
// values, and how many it has), PART (a record inside), MAYBE (a pointer to a record; NULL:
// absent), LIST (an array of records), INTS (an array of int64_t) and BITS (an array of uint64_t,
// bit 0 first). The struct of a record is HwName.
#ifndef CONTRA_COMMAND_RECORD_H
#define CONTRA_COMMAND_RECORD_H

#include "base/array.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    FIELD_INT,
    FIELD_BOOL,
    FIELD_TEXT,
    FIELD_ENUM,
    FIELD_PART,
    FIELD_MAYBE,
    FIELD_LIST,
    FIELD_INTS,
    FIELD_BITS,
} FieldKind;

typedef struct Record Record;

typedef struct {
    const char *name;
    FieldKind kind;
    size_t offset;
    const Record *record;              // part, maybe, list: of what
    const char *(*name_of)(int value); // enum: what its values are called
    int value_count;                   // enum
    const char *doc;
} Field;

struct Record {
    const char *name;
    size_t size;
    const Field *fields;
    int64_t count;
    const char *doc;
};

typedef struct {
    ARRAY(int64_t);
} IntList;

typedef struct {
    ARRAY(uint64_t);
} BitList;

static inline bool bit_is_set(const BitList *bits, int64_t bit)
{
    enum { WORD = 64 };
    return bit >= 0 && bit < bits->count * WORD && bits->items[bit / WORD] >> bit % WORD & 1;
}

#endif
