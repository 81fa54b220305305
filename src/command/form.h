// Records in other forms: JSON, its schema, and CBOR. All of it reads the tables of record.h, so
// that a field that is added to a .def file is in every one of them.
#ifndef CONTRA_COMMAND_FORM_H
#define CONTRA_COMMAND_FORM_H

#include "base/ndarray.h" // Fault
#include "command/record.h"

#include <jansson.h>

// ---- fields

// Where a field lies in a record.
const void *field_at(const Field *field, const void *data);

// The name of the value of an enum field; "?" where the value has none.
const char *field_value_name(const Field *field, int64_t value);

// Nothing was said: 0, false, empty, absent. Enums are never left unsaid.
bool field_is_unset(const Field *field, const void *data);

// The field called `name`; NULL: there is none.
const Field *record_field(const Record *record, const char *name);

// Do both say the same, reports aside?
bool record_equal(const Record *record, const void *a, const void *b);

// Texts of files are UTF-8.
bool text_is_utf8(Str text);

// Whether a field belongs to a report on commands: its description begins with "report". Listings
// and JSON have it where it is set; files never do.
bool field_is_report(const Field *field);

// Takes out the source map: every field whose description begins with "source map".
void record_strip(const Record *record, void *data);

// ---- JSON (json.c)

// A record is an object with all its fields in order; only what is absent is left out. Bits are a
// text in hexadecimal, the highest word first.
void record_print_json(StrBuf *out, const Record *record, const void *data);

// Adds the text of a document, printed with these flags of Jansson, and frees the document. NULL:
// Jansson was out of memory when it made the document.
void json_print(StrBuf *out, json_t *document, size_t flags);

// The JSON schema of what record_print_json prints.
void record_print_schema(StrBuf *out, const Record *root);

// ---- CBOR (object.c)
//
// A record is a map from the names of its fields to their values, in the order of the table,
// without those that are unset. Enums are the names of their values, bits the bytes of their words,
// the lowest first. Every number takes the fewest bytes. So two records that are equal have the
// same bytes, and only these bytes are read: what is read and written again does not change.

void record_encode(StrBuf *out, const Record *record, const void *data);

// Reads a record that fills `bytes`, into memory of the arena. False: the fault says what is wrong.
bool record_decode(Arena *arena, Str bytes, const Record *record, void *data, Fault *fault);

#endif
