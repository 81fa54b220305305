// The hardware, in numbers. Every count, capacity, bandwidth and limit is a row of machine.def and
// a field of Machine; no number of the hardware stands anywhere else in the code. RNGD and RNGD-S
// are built in, a JSON file describes any other machine by what it changes.
//
// Fields named static_*, silicon_* and published_* are measurements, for calibrating a cost model
// that asks for them; no rule reads them.
#ifndef CONTRA_MACHINE_MACHINE_H
#define CONTRA_MACHINE_MACHINE_H

#include "base/diag.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_LIST_CAPACITY = 16 };

// A set of sizes, a table or the bits of an address; MachineKind says which.
typedef struct {
    int64_t count;
    int64_t values[MACHINE_LIST_CAPACITY];
} MachineList;

typedef struct Machine {
    const char *name;
#define FIELD(name, unit, rngd, min, max, kind, manual, doc) int64_t name;
#define LIST(name, unit, min, max, kind, manual, doc, ...)   MachineList name;
#include "machine/machine.def"
} Machine;

extern const Machine machine_rngd;
extern const Machine machine_rngd_s;

// The built-in machine `name` ("rngd", "rngd-s"), or NULL.
const Machine *machine_find(Str name);

// What a field may hold, besides its range.
typedef enum {
    MACHINE_COUNT,        // a number
    MACHINE_POWER_OF_TWO, // a number that hardware addresses by bits
    MACHINE_FLAG,         // 0 or 1
    MACHINE_SET,          // a list: distinct, ascending, not empty
    MACHINE_TABLE,        // a list: one value per row of something, as many as RNGD has
    MACHINE_BITS,         // a list: distinct bits of an address, the least significant first
} MachineKind;

typedef struct {
    const char *name;
    const char *unit;
    const char *manual; // chapter and section, or where it was measured
    const char *doc;    // what it means, in one line
    size_t offset;      // in Machine, of an int64_t or a MachineList
    MachineKind kind;
    int64_t min; // of the value, or of each value of a list
    int64_t max;
} MachineField;

enum {
#define FIELD(name, unit, rngd, min, max, kind, manual, doc) MACHINE_FIELD_##name,
#define LIST(name, unit, min, max, kind, manual, doc, ...)   MACHINE_FIELD_##name,
#include "machine/machine.def"
    MACHINE_FIELD_COUNT
};

extern const MachineField machine_fields[MACHINE_FIELD_COUNT]; // in the order of machine.def

bool machine_field_is_list(const MachineField *field);

// The value of a field; which of the two applies says machine_field_is_list.
int64_t machine_value(const Machine *machine, const MachineField *field);
const MachineList *machine_list(const Machine *machine, const MachineField *field);

// Is `value` in the list?
bool machine_list_has(const MachineList *list, int64_t value);

// The largest value of the list that divides `number` (at least 1), or 0.
int64_t machine_list_divisor(const MachineList *list, int64_t number);

// The row of a table for elements of 4, 8, 16 or 32 bits; 0 where the table has none.
int64_t machine_by_width(const MachineList *table, int64_t element_bits);

// The columns the Transpose Engine takes of elements of 4, 8, 16 or 32 bits; NULL for other widths.
const MachineList *machine_transpose_in_cols(const Machine *machine, int64_t element_bits);

// What the bits of one component say in `address`.
int64_t machine_address_part(const MachineList *bits, int64_t address);

// The HBM channel (within its stack) of an address: the channel bits, xored.
int64_t machine_hbm_channel(const Machine *machine, int64_t address);

// What the bits of an address choose in the memories of a chip: which requests can be served at
// once, and which wait for each other. Manual: Memory Performance, Address Space.
typedef struct {
    int64_t stack, channel; // of the stack
    int64_t slice, bank_group, bank, row;
    int64_t byte; // in the row
} HbmAddress;

HbmAddress machine_hbm_address(const Machine *machine, int64_t address);

// The channel among all of a chip.
int64_t machine_hbm_port(const Machine *machine, int64_t address);

// Who asks a bank of DM, the highest priority first. Manual: Memory Performance, Bank Starvation.
typedef enum {
    MACHINE_BANK_MAIN_FETCH,
    MACHINE_BANK_MAIN_COMMIT,
    MACHINE_BANK_SUB_FETCH,
    MACHINE_BANK_SUB_COMMIT,
    MACHINE_BANK_DMA,
    MACHINE_BANK_CLIENT_COUNT
} MachineBankClient;

// One DMA command and what it was seen to take. `pieces` of `piece_bytes` each, to or from as many
// slices, of HBM bytes that are `distinct` in all (less than the product where they are
// replicated).
typedef struct {
    const char *what;
    const char *source; // "static": the vendor's scheduler; "silicon": the chip
    bool is_store;
    int64_t piece_bytes; // 0: only the total was published
    int64_t pieces;
    int64_t distinct_bytes;
    int64_t cycles;
} MachineDmaSample;

enum { MACHINE_DMA_SAMPLE_COUNT = 11 };

extern const MachineDmaSample machine_dma_samples[MACHINE_DMA_SAMPLE_COUNT];

// Is every field in its range, and do the fields fit together? Reports each that does not.
bool machine_check(const Machine *machine, DiagList *diags);

// Reads a variant: a JSON object of fields, with the optional members "base" (a built-in machine,
// "rngd" by default) and "name". Reports every problem, with spans in `source`; *out is written on
// success only, its name lives in the arena.
bool machine_parse_json(Arena *arena, Str json_text, int32_t source, DiagList *diags, Machine *out);

// The same from a file, which becomes a source of `sources`.
bool machine_load(Arena *arena, SourceList *sources, Str path, DiagList *diags, Machine *out);

// Every field, a line each: name, value, unit, section of the manual.
void machine_print(StrBuf *out, const Machine *machine);

// Every field as a JSON object that machine_parse_json reads back to the same machine.
void machine_print_json(StrBuf *out, const Machine *machine);

#endif
