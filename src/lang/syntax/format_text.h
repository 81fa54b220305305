// The texts between the quotes of format!, println! and their like, read once for each.
#ifndef CONTRA_LANG_SYNTAX_FORMAT_TEXT_H
#define CONTRA_LANG_SYNTAX_FORMAT_TEXT_H

#include "base/array.h"
#include "base/str.h"

#include <stdbool.h>

typedef enum {
    FORMAT_DISPLAY,
    FORMAT_DEBUG,
    FORMAT_HEX,
    FORMAT_UPPER_HEX,
    FORMAT_OCTAL,
    FORMAT_BINARY,
    FORMAT_EXP,
    FORMAT_UPPER_EXP,
    FORMAT_POINTER,
} FormatKind;

typedef enum { ALIGN_NONE, ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT } FormatAlign;

// What stands behind the colon.
typedef struct {
    FormatKind kind;
    FormatKind debug_hex; // of whole numbers in Debug: FORMAT_HEX, FORMAT_UPPER_HEX; else 0
    FormatAlign align;
    uint32_t fill; // a character; 0: a blank
    bool plus;
    bool alternate; // #
    bool zero;
    bool has_width, has_precision;
    int64_t width, precision;
} FormatSpec;

enum { FORMAT_NO_ARG = -1 };

typedef struct {
    Str text;       // what stands before the value
    bool has_value; // the last part may be text only
    FormatSpec spec;
    int64_t arg;           // its number; from `given` on: a captured name
    int64_t width_arg;     // of `width$`; FORMAT_NO_ARG: none
    int64_t precision_arg; // of `.precision$` and `.*`; FORMAT_NO_ARG: none
} FormatPart;

// What is wrong with a format, and where in its text.
typedef struct {
    Str message;
    int64_t at;
    bool of_arguments; // there is none, or one too many
} FormatProblem;

// A name between braces.
typedef struct {
    const char *name; // interned
    int64_t at, end;  // in the text
} FormatName;

typedef struct FormatText {
    struct {
        ARRAY(FormatPart);
    } parts;
    struct {
        ARRAY(FormatName);
    } captured;    // names that are no argument: variables in scope, as often as they stand
    int64_t given; // arguments of the macro
    bool *used;    // which of them
    struct {
        ARRAY(FormatProblem);
    } problems;
} FormatText;

#endif
