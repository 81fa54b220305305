// The options of `contra map`, whose help is a page of its own.
#ifndef CONTRA_TOOLS_MAP_HELP_H
#define CONTRA_TOOLS_MAP_HELP_H

#include "cli.h"

enum {
    OPTION_AXES = OPTION_FIRST_OWN,
    OPTION_LET,
    OPTION_CELLS,
    OPTION_FIRST,
    OPTION_FROM,
    OPTION_EQUAL,
    OPTION_SPLIT,
    OPTION_PREFIX_OF,
    OPTION_DIVIDE,
    OPTION_STRICT,
    OPTION_SPAN,
    OPTION_TILE,
    OPTION_LENGTH,
    OPTION_START,
    OPTION_CANONICAL_AXES,
    OPTION_SEQUENCE,
    OPTION_BUFFER,
    OPTION_TIME,
    OPTION_PACKET,
    OPTION_TYPE,
    OPTION_CAST,
    OPTION_ENGINE,
    OPTION_CONTEXT,
    OPTION_BASE,
    OPTION_SVG,
};

ExitStatus map_run(int argc, char **argv);

#endif
