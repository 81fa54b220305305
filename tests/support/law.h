// What holds of every input: a fuzz target stops where it does not.
#ifndef CONTRA_TESTS_LAW_H
#define CONTRA_TESTS_LAW_H

#include "base/str.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// `text` is what it does not hold of.
static inline void law_of(bool holds, const char *name, Str text)
{
    if (holds)
        return;
    fprintf(stderr, "broken law: %s%s%.*s\n", name, text.len ? ":\n" : "", STR_ARG(text));
    abort();
}

static inline void law(bool holds, const char *name)
{
    law_of(holds, name, (Str){0});
}

#endif
