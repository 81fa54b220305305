// Two schedules, compared by their documents.
#ifndef CONTRA_SCHEDULE_COMPARE_H
#define CONTRA_SCHEDULE_COMPARE_H

#include "base/diag.h"

typedef struct {
    Str name, text;
} ScheduleSource;

typedef enum { COMPARE_TEXT, COMPARE_JSON } CompareForm;

// Documents, or pages with one in them. False: one of them is no schedule; a diagnostic says why.
bool schedule_compare(StrBuf *out, DiagList *diags, const ScheduleSource sources[2],
                      CompareForm form);

#endif
