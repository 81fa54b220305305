// contra map: mappings to explore.
#include "cli.h"
#include "map_output.h"
#include "page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The options of `contra map`, whose help is a page of its own.

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

enum { MOST_DEFINITIONS = 64, MOST_LISTED = 1 << 24 };

typedef enum {
    ACTION_SHOW,
    ACTION_CELLS,
    ACTION_EQUAL,
    ACTION_SPLIT,
    ACTION_PREFIX,
    ACTION_DIVIDE,
    ACTION_TILE,
    ACTION_CANONICAL_AXES,
    ACTION_SEQUENCE,
} Action;

typedef struct {
    CommonOptions common;
    Action action;
    bool has_action;
    const char *expression;
    const char *axes[MOST_DEFINITIONS];
    int axes_count;
    const char *definitions[MOST_DEFINITIONS];
    int definition_count;
    const char *other; // of --equal, --prefix-of, --divide, --tile
    const char *svg;
    int64_t first, from, split, span, length, start, base;
    bool strict;
    uint64_t given; // a bit for each option of its own that was given
    const char *buffer, *time, *packet, *type, *cast;
    ContraEngine engine;
    ContraContext context;
} MapOptions;

static bool set_action(MapOptions *options, Action action, const char *other)
{
    if (options->has_action && options->action != action) {
        cli_usage("map",
                  "one question at a time: --cells, --equal, --split, --prefix-of, --divide, "
                  "--tile, --canonical-axes or --sequence");
        return false;
    }
    options->action = action;
    options->has_action = true;
    if (other)
        options->other = other;
    return true;
}

static bool add_text(const char **list, int *count, const char *value)
{
    if (*count == MOST_DEFINITIONS) {
        cli_usage("map", "at most %d of --axes and of --let", MOST_DEFINITIONS);
        return false;
    }
    list[(*count)++] = value;
    return true;
}

// The position of `value` among `count` names; -1, with a message, if it is none of them.
static int choose(const char *option, const char *value, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    fprintf(stderr, "contra map: %s is one of", option);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fprintf(stderr, "; `%s` is none of them\n", value);
    return -1;
}

static bool set_engine(MapOptions *options, const char *value)
{
    static const char *const names[] = {
        [CONTRA_READ] = "read",
        [CONTRA_WRITE] = "write",
        [CONTRA_FETCH] = "fetch",
        [CONTRA_COMMIT] = "commit",
    };
    int engine = choose("--engine", value, names, 4);
    options->engine = engine < 0 ? CONTRA_READ : (ContraEngine)engine;
    return engine >= 0;
}

static bool set_context(MapOptions *options, const char *value)
{
    static const char *const names[] = {[CONTRA_MAIN] = "main", [CONTRA_SUB] = "sub"};
    int context = choose("--context", value, names, 2);
    options->context = context < 0 ? CONTRA_MAIN : (ContraContext)context;
    return context >= 0;
}

static bool set_type(const char *option, const char **type, const char *value)
{
    *type = value;
    if (contra_is_type(contra_text(value)))
        return true;
    cli_usage(
        "map",
        "%s does not know the type `%s`; types are i4 i8 i16 i32 u8 f8 f8e4m3 f8e5m2 f16 bf16 "
        "f32",
        option, value);
    return false;
}

static bool take_number(MapOptions *options, int option, const char *value)
{
    switch (option) {
    case OPTION_FIRST:
        return cli_number("map", "--first", value, 1, &options->first);
    case OPTION_FROM:
        return cli_number("map", "--from", value, 0, &options->from);
    case OPTION_SPAN:
        return cli_number("map", "--span", value, 1, &options->span);
    case OPTION_LENGTH:
        return cli_number("map", "--len", value, 1, &options->length);
    case OPTION_START:
        return cli_number("map", "--start", value, 0, &options->start);
    case OPTION_BASE:
        return cli_number("map", "--base", value, 0, &options->base);
    default:
        return set_action(options, ACTION_SPLIT, NULL) &&
               cli_number("map", "--split", value, 0, &options->split);
    }
}

static bool take_option(void *own, int option, const char *value)
{
    MapOptions *options = own;
    options->given |= 1ull << (option - OPTION_FIRST_OWN);
    switch (option) {
    case OPTION_AXES:
        return add_text(options->axes, &options->axes_count, value);
    case OPTION_LET:
        return add_text(options->definitions, &options->definition_count, value);
    case OPTION_CELLS:
        return set_action(options, ACTION_CELLS, NULL);
    case OPTION_EQUAL:
        return set_action(options, ACTION_EQUAL, value);
    case OPTION_PREFIX_OF:
        return set_action(options, ACTION_PREFIX, value);
    case OPTION_DIVIDE:
        return set_action(options, ACTION_DIVIDE, value);
    case OPTION_TILE:
        return set_action(options, ACTION_TILE, value);
    case OPTION_CANONICAL_AXES:
        return set_action(options, ACTION_CANONICAL_AXES, NULL);
    case OPTION_SEQUENCE:
        return set_action(options, ACTION_SEQUENCE, NULL);
    case OPTION_STRICT:
        options->strict = true;
        return true;
    case OPTION_ENGINE:
        return set_engine(options, value);
    case OPTION_CONTEXT:
        return set_context(options, value);
    case OPTION_BUFFER:
        options->buffer = value;
        return true;
    case OPTION_TIME:
        options->time = value;
        return true;
    case OPTION_PACKET:
        options->packet = value;
        return true;
    case OPTION_TYPE:
        return set_type("--type", &options->type, value);
    case OPTION_CAST:
        return set_type("--cast", &options->cast, value);
    case OPTION_SVG:
        options->svg = value;
        return true;
    default:
        return take_number(options, option, value);
    }
}

// Options that mean something with certain questions only.
static const struct {
    int option;
    const char *name, *belongs_to;
    unsigned actions; // a bit for each Action
} own_options[] = {
    {OPTION_FROM, "--from", "--cells", 1u << ACTION_CELLS},
    {OPTION_FIRST, "--first", "--cells or a picture", 1u << ACTION_CELLS | 1u << ACTION_SHOW},
    {OPTION_STRICT, "--strict", "--divide", 1u << ACTION_DIVIDE},
    {OPTION_SPAN, "--span", "--divide", 1u << ACTION_DIVIDE},
    {OPTION_LENGTH, "--len", "--tile", 1u << ACTION_TILE},
    {OPTION_START, "--start", "--tile", 1u << ACTION_TILE},
    {OPTION_BUFFER, "--buffer", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_TIME, "--time", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_PACKET, "--packet", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_TYPE, "--type", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_CAST, "--cast", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_ENGINE, "--engine", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_CONTEXT, "--context", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_BASE, "--base", "--sequence", 1u << ACTION_SEQUENCE},
    {OPTION_SVG, "--svg", "a mapping", ~(1u << ACTION_SEQUENCE)},
};

static bool check_own_options(const MapOptions *options)
{
    for (size_t i = 0; i < sizeof own_options / sizeof own_options[0]; i++) {
        bool given = options->given & 1ull << (own_options[i].option - OPTION_FIRST_OWN);
        if (!given || own_options[i].actions & 1u << options->action)
            continue;
        cli_usage("map", "%s belongs to %s, which is not asked for here", own_options[i].name,
                  own_options[i].belongs_to);
        return false;
    }
    return true;
}

static bool check_options(const MapOptions *options)
{
    bool sequence = options->action == ACTION_SEQUENCE;
    if (!check_own_options(options))
        return false;
    if (sequence && options->expression) {
        cli_usage("map",
                  "--sequence takes its mappings from --buffer, --time and --packet, not from "
                  "`%s`",
                  options->expression);
        return false;
    }
    if (sequence && !options->buffer) {
        cli_usage("map", "--sequence needs --buffer, the mapping that is walked");
        return false;
    }
    if (!sequence && !options->expression) {
        cli_usage("map", "a mapping is needed, for example: contra map 'A, B # 64' "
                         "--axes A=8,B=61");
        return false;
    }
    return true;
}

static ContraStatus declare(Contra *contra, const MapOptions *options)
{
    ContraStatus status = CONTRA_OK;
    for (int i = 0; i < options->axes_count; i++) {
        ContraStatus axes = contra_declare_axes(contra, contra_text(options->axes[i]));
        status = axes == CONTRA_OK ? status : axes;
    }
    for (int i = 0; i < options->definition_count && status == CONTRA_OK; i++)
        status = contra_define(contra, contra_text(options->definitions[i]));
    return status;
}

static ContraStatus parse(Contra *contra, const char *name, const char *text,
                          ContraMapping **mapping)
{
    *mapping = NULL;
    return text ? contra_mapping_parse(contra, contra_text(name), contra_text(text), mapping)
                : CONTRA_OK;
}

static ExitStatus write_svg(Contra *contra, const MapOptions *options, const ContraMapping *mapping)
{
    ContraText picture;
    ContraStatus status =
        contra_mapping_picture(contra, mapping, CONTRA_PICTURE_SVG, options->first, &picture);
    if (status != CONTRA_OK)
        return cli_refuse(contra, &options->common, status);
    if (!page_write_file("map", options->svg, picture.data, (size_t)picture.length))
        return EXIT_REFUSED;
    if (!options->common.json)
        printf("drawn in %s\n", options->svg);
    return EXIT_DONE;
}

static ExitStatus run_sequence(Contra *contra, const MapOptions *options)
{
    ContraSequenceRequest request = contra_sequence_request();
    request.engine = options->engine;
    request.context = options->context;
    request.base_bytes = options->base;
    ContraSequence sequence = contra_sequence_info();
    ContraMapping *buffer, *time, *packet;
    ContraStatus statuses[] = {parse(contra, "buffer", options->buffer, &buffer),
                               parse(contra, "time", options->time, &time),
                               parse(contra, "packet", options->packet, &packet)};
    for (int i = 0; i < 3; i++)
        if (statuses[i] != CONTRA_OK)
            return cli_refuse(contra, &options->common, statuses[i]);
    request.buffer = buffer;
    request.time = time;
    request.packet = packet;
    if (options->type)
        request.type = contra_text(options->type);
    if (options->cast)
        request.cast = contra_text(options->cast);
    ContraStatus status = contra_sequence(contra, &request, &sequence);
    if (status != CONTRA_OK)
        return cli_refuse(contra, &options->common, status);
    output_sequence(&sequence, &request, options->common.json);
    return EXIT_DONE;
}

static ExitStatus run_cells(Contra *contra, const MapOptions *options, const ContraMapping *mapping)
{
    int64_t size = contra_mapping_size(mapping), from = options->from;
    if (from >= size) {
        fprintf(stderr, "contra map: position %" PRId64 " lies beyond the last, %" PRId64 "\n",
                from, size - 1);
        return EXIT_REFUSED;
    }
    int64_t count = options->first && options->first < size - from ? options->first : size - from;
    if (count > MOST_LISTED) {
        fprintf(stderr,
                "contra map: the mapping has %" PRId64 " positions, more than the %d that are "
                "listed at once;\nask for a part with --first N and --from K\n",
                count, MOST_LISTED);
        return EXIT_REFUSED;
    }
    ContraStatus status = output_cells(contra, mapping, from, count, options->common.json);
    return status == CONTRA_OK ? EXIT_DONE : cli_refuse(contra, &options->common, status);
}

// The questions about two mappings. `status` of the answer, *yes whether it is yes.
static ContraStatus ask_pair(Contra *contra, const MapOptions *options,
                             const ContraMapping *mapping, const ContraMapping *other, bool *yes)
{
    bool json = options->common.json;
    if (options->action == ACTION_EQUAL)
        return output_equal(contra, mapping, other, json, yes);
    if (options->action == ACTION_PREFIX)
        return output_prefix(contra, mapping, other, json, yes);
    if (options->action == ACTION_TILE) {
        *yes = true;
        return output_tile(contra, mapping, other, options->length, options->start, json);
    }
    ContraDivideKind kind = options->strict ? CONTRA_DIVIDE_STRICT
                            : options->span ? CONTRA_DIVIDE_SPAN
                                            : CONTRA_DIVIDE_RELAXED;
    return output_division(contra, mapping, other, kind, options->span, json, yes);
}

static ExitStatus run_pair(Contra *contra, const MapOptions *options, const ContraMapping *mapping)
{
    ContraMapping *other;
    bool yes = false;
    ContraStatus status = parse(contra, "second mapping", options->other, &other);
    if (status == CONTRA_OK)
        status = ask_pair(contra, options, mapping, other, &yes);
    if (status != CONTRA_OK)
        return cli_refuse(contra, &options->common, status);
    return yes ? EXIT_DONE : EXIT_REFUSED;
}

static ExitStatus run_action(Contra *contra, const MapOptions *options,
                             const ContraMapping *mapping)
{
    bool json = options->common.json;
    ContraStatus status = CONTRA_OK;
    switch (options->action) {
    case ACTION_SHOW:
        status = output_mapping(contra, mapping, options->first, json);
        break;
    case ACTION_CELLS:
        return run_cells(contra, options, mapping);
    case ACTION_SPLIT:
        status = output_split(contra, mapping, options->split, json);
        break;
    case ACTION_CANONICAL_AXES:
        status = output_canonical_axes(contra, mapping, json);
        break;
    case ACTION_EQUAL:
    case ACTION_PREFIX:
    case ACTION_DIVIDE:
    case ACTION_TILE:
        return run_pair(contra, options, mapping);
    case ACTION_SEQUENCE:
        break;
    }
    return status == CONTRA_OK ? EXIT_DONE : cli_refuse(contra, &options->common, status);
}

static ExitStatus run_with(Contra *contra, const MapOptions *options)
{
    ContraMapping *mapping;
    ContraStatus status = declare(contra, options);
    if (status == CONTRA_OK && options->action == ACTION_SEQUENCE)
        return run_sequence(contra, options);
    if (status == CONTRA_OK)
        status = parse(contra, "mapping", options->expression, &mapping);
    if (status != CONTRA_OK)
        return cli_refuse(contra, &options->common, status);
    ExitStatus exit = run_action(contra, options, mapping);
    ExitStatus drawn = options->svg ? write_svg(contra, options, mapping) : EXIT_DONE;
    return exit != EXIT_DONE ? exit : drawn;
}

static ExitStatus map_run(int argc, char **argv)
{
    MapOptions options = {.length = 1};
    ExitStatus status;
    if (!cli_options(&map_command, &options, argc, argv, &options.common, &status))
        return status;
    if (argc - optind > 1)
        return cli_usage("map",
                         "one mapping at a time, but `%s` follows `%s`: quote whatever contains "
                         "blanks, and leave none in --axes",
                         argv[optind + 1], argv[optind]);
    options.expression = optind < argc ? argv[optind] : NULL;
    if (!check_options(&options))
        return EXIT_USAGE;
    Contra *contra = cli_open(&options.common, &status);
    if (!contra)
        return status;
    status = cli_finish(run_with(contra, &options));
    contra_free(contra);
    return status;
}

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
    .take = take_option,
    .run = map_run};
