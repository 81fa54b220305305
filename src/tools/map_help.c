#include "map_help.h"

static const CliOption rows[] = {
    {0, NULL, "Questions (without one: size, normal form and a picture)"},
    {OPTION_CELLS, "--cells", "what every position holds"},
    {OPTION_EQUAL, "--equal MAPPING", "do both have the same size and cells?"},
    {OPTION_PREFIX_OF, "--prefix-of MAPPING", "does it have the cells the other one starts with?"},
    {OPTION_SPLIT, "--split N", "its outer part (/ N) and inner part (% N)"},
    {OPTION_DIVIDE, "--divide MAPPING",
     "where the terms of the other one sit in it, and what is left of both"},
    {OPTION_TILE, "--tile MAPPING",
     "the view of --len positions of that dimension from --start on, and where in the buffer it "
     "begins"},
    {OPTION_CANONICAL_AXES, "--canonical-axes",
     "the axes of the array behind a tensor of this mapping"},
    {OPTION_SEQUENCE, "--sequence",
     "the loop nest that reads (or writes) --buffer in the order of --time and --packet"},
    {0, NULL, "Options"},
    {OPTION_AXES, "--axes A=8,B=512",
     "declares axes; \"B'=B-A\" declares an axis skewed by another"},
    {OPTION_LET, "--let NAME=MAPPING", "defines a name"},
    {OPTION_SVG, "--svg FILE", "also draws the mapping"},
    {OPTION_FIRST, "--first N", "positions to show, in a picture or of --cells"},
    {0, NULL, "Options of --cells, --divide and --tile"},
    {OPTION_FROM, "--from K", "of --cells: the first position to show"},
    {OPTION_STRICT, "--strict", "of --divide: tells holes from padding"},
    {OPTION_SPAN, "--span N", "of --divide: leaves N positions in place"},
    {OPTION_LENGTH, "--len N", "of --tile: how many positions (the default: 1)"},
    {OPTION_START, "--start K", "of --tile: from which on (the default: 0)"},
    {0, NULL, "Options of --sequence"},
    {OPTION_BUFFER, "--buffer MAPPING", "what lies in memory"},
    {OPTION_TIME, "--time MAPPING", "the steps of the stream (the default: 1)"},
    {OPTION_PACKET, "--packet MAPPING", "what each step carries (the default: 1)"},
    {OPTION_TYPE, "--type i4|i8|i16|i32|u8|f8|f8e4m3|f8e5m2|f16|bf16|f32",
     "of the elements in memory (the default: i8)"},
    {OPTION_CAST, "--cast TYPE", "the type a fetch turns it into"},
    {OPTION_ENGINE, "--engine read|write|fetch|commit", "whose rules hold (the default: read)"},
    {OPTION_CONTEXT, "--context main|sub", "which context (the default: main)"},
    {OPTION_BASE, "--base BYTES", "address of the buffer"},
    {0}};

const Command map_command = {
    .name = "map",
    .summary = "sizes, cells, pictures, equality and sequences of mappings",
    .title = "Explores a mapping: what each position of a buffer holds.",
    .usage = "contra map MAPPING --axes NAME=SIZE,... [QUESTION] [OPTIONS]\n"
             "contra map --sequence --buffer MAPPING [--time MAPPING] [--packet MAPPING] ...",
    .about =
        "Quote mappings with single quotes: the shell knows `#` and `$`, too. m![ ] around one "
        "is allowed.\n"
        "A mapping lists axes, outermost first: 'A, B' is row-major. After an axis or a bracket:\n"
        "  X / n     every n-th position of X: the index of its blocks of n\n"
        "  X % n     the first n positions of X: the place inside a block\n"
        "  X # n     X padded to n positions\n"
        "  X = n     the first n positions of X\n"
        "  [X, Y]    a mapping as one operand; `1` is the mapping of one position\n"
        "  { NAME }  a mapping defined with --let\n"
        "and, beyond the language, X @ k (from position k on), X @ [k0, k1] (those positions),\n"
        "# n + X + # m (padding on both sides), $(X:n, Y:m) (sliding windows).",
    .options = rows,
    .status = "0 done, equal, derivable; 1 refused, not equal, not found; 2 wrong usage.",
    .examples =
        "  Two layouts of one matrix, and a tiled one:\n"
        "    contra map 'H, W' --axes H=4,W=4\n"
        "    contra map 'W, H' --axes H=4,W=4\n"
        "    contra map 'H / 2, W / 2, H % 2, W % 2' --axes H=4,W=4 --svg tiles.svg\n"
        "  A row of 61 padded to 64, and what its last positions hold:\n"
        "    contra map 'C, D # 64' --axes C=13,D=61 --cells --from 60 --first 5\n"
        "  Splitting and joining is the identity, padding included:\n"
        "    contra map 'A # 64 / 8, A # 64 % 8' --axes A=63 --equal 'A # 64'\n"
        "  How a sequencer walks a transposed buffer:\n"
        "    contra map --sequence --axes A=8,B=8,C=8 --buffer 'A, B, C # 32' --time 'B, A' \\\n"
        "               --packet 'C # 16' --type i8\n"
        "  Why this one cannot be walked:\n"
        "    contra map --sequence --axes A=15 --buffer 'A % 5, A / 5' --packet 'A % 3, A / 3'\n"
        "  The windows of a convolution, several elements in one position:\n"
        "    contra map '$(N:1, F:2)' --axes N=5,F=3 --cells",
    .run = map_run};
