// Two documents of schedules, line by line. Shared by the files of the comparison.
#ifndef CONTRA_SCHEDULE_COMPARE_ROWS_H
#define CONTRA_SCHEDULE_COMPARE_ROWS_H

#include "base/array.h"
#include "schedule/compare.h"

#include <jansson.h>

enum { SIDES = 2 };

// ---- documents

typedef struct {
    json_t *root;
    json_t *texts, *kinds, *operations;
} Document;

// False: it is no schedule; a diagnostic says why. The root is to be released in any case.
bool document_read(const ScheduleSource *source, DiagList *diags, Document *document);

// What an operation has itself, or its kind has.
const json_t *document_field(const Document *document, const json_t *operation, const char *key);

// Whether it is a number of cycles that a schedule may have.
bool document_is_cycles(const json_t *value);

int64_t document_number(const json_t *object, const char *key);   // 0: there is none
const char *document_text(const json_t *object, const char *key); // "": there is none

// ---- rows

// What cycles of the kernel go to.
typedef enum {
    PHASE_LINE,  // operations of a line
    PHASE_START, // the start of the kernel
    PHASE_SYNC,  // operations of a line wait for what was stored in HBM
    PHASE_WAIT,  // or for something else that no operation of the path does
    PHASE_END,   // behind the last operation
    PHASE_KINDS
} Phase;

extern const char *const phase_names[PHASE_KINDS]; // "line"

typedef struct {
    int64_t count, cycles; // operations; their cycles
    int64_t critical;      // cycles of the kernel that go to it
    const char *bound;     // of the longest of them
    int64_t longest;
} Tally;

typedef struct {
    Phase phase;
    const char *method, *source; // "": of none
    Tally sides[SIDES];
} Row;

typedef struct {
    ARRAY(Row);
} RowList;

// ---- lanes

typedef struct {
    Str name;
    int64_t busy[SIDES]; // cycles
} LanePair;

typedef struct {
    ARRAY(LanePair);
} LanePairs;

// ---- what makes cycles incomparable

typedef struct {
    const char *key, *words; // of the document; "cost models"
    bool differs;
    Str values[SIDES]; // "not stated" where the document does not
} Ground;

enum { GROUNDS = 4 };

// ---- printing

typedef struct {
    const ScheduleSource *sources;
    const Document *documents;
    RowList rows;
    LanePairs lanes;
    Ground grounds[GROUNDS];
} Comparison;

#endif
