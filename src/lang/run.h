// A host program that runs, not only looked at: where what it prints goes, and how it ended.
#ifndef CONTRA_LANG_RUN_H
#define CONTRA_LANG_RUN_H

#include "base/diag.h"

typedef struct Run {
    void (*print)(void *own, Str text, bool is_error);
    void *own;
    bool panicked;
    Str message; // of the panic
    Span where;
} Run;

#endif
