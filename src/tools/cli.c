#include "cli.h"
#include "terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

ExitStatus cli_usage(const char *command, const char *format, ...)
{
    const char *blank = *command ? " " : "";
    va_list args;
    va_start(args, format);
    fprintf(stderr, "contra%s%s: ", blank, command);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\nTry `contra%s%s --help`.\n", blank, command);
    va_end(args);
    return EXIT_USAGE;
}

// ---- options

bool cli_number(const char *command, const char *option, const char *text, int64_t least,
                int64_t *number)
{
    char *end;
    errno = 0;
    bool digits = text[0] >= '0' && text[0] <= '9';
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    long long value = strtoll(text, &end, hex ? 16 : 10);
    *number = value;
    if (digits && !*end && !errno && value >= least)
        return true;
    cli_usage(command, "%s takes a whole number of at least %" PRId64 ", not `%s`", option, least,
              text);
    return false;
}

bool cli_cost(const char *command, const char *value, ContraCost *cost)
{
    static const char *const words[] = {[CONTRA_COST_MANUAL] = "manual",
                                        [CONTRA_COST_STATIC] = "static",
                                        [CONTRA_COST_SILICON] = "silicon"};
    for (int i = 0; i <= CONTRA_COST_SILICON; i++)
        if (strcmp(value, words[i]) == 0) {
            *cost = (ContraCost)i;
            return true;
        }
    cli_usage(command, "--cost is manual, static or silicon, not `%s`", value);
    return false;
}

bool cli_word(const char *command, const char *option, const char *value, const char *first_word,
              const char *second_word, bool *second)
{
    *second = strcmp(value, second_word) == 0;
    if (*second || strcmp(value, first_word) == 0)
        return true;
    cli_usage(command, "%s is %s or %s, not `%s`", option, first_word, second_word, value);
    return false;
}

bool cli_check_option(const char *command, int option, const char *value,
                      ContraCheckOptions *options, bool *taken)
{
    bool second = false, ok = true;
    *taken = true;
    switch (option) {
    case OPTION_RELAX:
        options->relax = contra_text(value);
        break;
    case OPTION_CFG:
        options->cfg = contra_text(value);
        break;
    case OPTION_RULES:
        ok = cli_word(command, "--rules", value, "all", "reference", &second);
        options->rules = second ? CONTRA_RULES_REFERENCE : CONTRA_RULES_ALL;
        break;
    case OPTION_MEMORY:
        ok = cli_word(command, "--memory", value, "real", "detached", &second);
        options->memory = second ? CONTRA_MEMORY_DETACHED : CONTRA_MEMORY_REAL;
        break;
    default:
        *taken = false;
        break;
    }
    return ok;
}

bool cli_execute_option(const char *command, int option, const char *value, ExecuteOptions *options,
                        bool *taken)
{
    bool second = false, ok = true;
    *taken = true;
    switch (option) {
    case OPTION_BACKEND:
        ok = cli_word(command, "--backend", value, "device", "oracle", &second);
        options->run.backend = second ? CONTRA_BACKEND_ORACLE : CONTRA_BACKEND_DEVICE;
        options->asks_device = !second;
        break;
    case OPTION_CHECK_ORACLE:
        options->run.check_oracle = true;
        break;
    case OPTION_SANITIZE:
        ok = !value || cli_word(command, "--sanitize", value, "on", "off", &second);
        options->run.sanitize = options->asks_sanitize = !second;
        break;
    case OPTION_NO_SANITIZE:
        options->run.sanitize = options->asks_sanitize = false;
        break;
    case OPTION_NUMERICS:
        ok = cli_word(command, "--numerics", value, "tree", "sequential", &second);
        options->run.numerics = second ? CONTRA_NUMERICS_SEQUENTIAL : CONTRA_NUMERICS_TREE;
        break;
    case OPTION_THREADS:
        ok = cli_number(command, "--threads", value, 1, &options->run.threads);
        break;
    default:
        *taken = false;
        break;
    }
    return ok;
}

bool cli_execute_settle(const char *command, const ContraCheckOptions *check,
                        ExecuteOptions *options)
{
    ContraRunOptions *run = &options->run;
    const char *only = check->memory == CONTRA_MEMORY_DETACHED       ? "--memory=detached"
                       : run->numerics == CONTRA_NUMERICS_SEQUENTIAL ? "--numerics=sequential"
                       : run->backend == CONTRA_BACKEND_ORACLE       ? "--backend=oracle"
                                                                     : NULL;
    const char *against = options->asks_device     ? "--backend=device"
                          : run->check_oracle      ? "--check-oracle"
                          : options->asks_sanitize ? "--sanitize"
                                                   : NULL;
    if (only)
        run->backend = CONTRA_BACKEND_ORACLE;
    if (only && against)
        cli_usage(command, "%s leaves kernels to the oracle, and %s wants the device", only,
                  against);
    return !only || !against;
}

const char *cli_backend_name(const ContraRunOptions *options)
{
    return options->backend == CONTRA_BACKEND_ORACLE ? "oracle" : "device";
}

Contra *cli_open(const CommonOptions *common, ExitStatus *status)
{
    Contra *contra = contra_new();
    if (!contra) {
        fputs("contra: out of memory\n", stderr);
        *status = EXIT_REFUSED;
        return NULL;
    }
    contra_set_words(contra, CONTRA_WORDS_COMMANDS);
    if (!common->machine)
        return contra;
    ContraStatus machine = contra_use_machine(contra, contra_text(common->machine));
    if (machine == CONTRA_OK)
        return contra;
    *status = cli_refuse(contra, common, machine);
    contra_free(contra);
    return NULL;
}

Contra *cli_open_device(const CommonOptions *common, ExitStatus *status)
{
    ContraText name;
    Contra *contra = cli_open(common, status);
    if (!contra || contra_instruction_set(contra, &name) == CONTRA_OK)
        return contra;
    cli_refuse(contra, common, CONTRA_INVALID);
    *status = EXIT_USAGE;
    contra_free(contra);
    return NULL;
}

static bool wants_colour(const CommonOptions *common, int file)
{
    bool wants = common->colour != COLOUR_AUTO ? common->colour == COLOUR_ALWAYS
                                               : isatty(file) && !getenv("NO_COLOR");
    terminal_allow_colour(file, wants);
    return wants;
}

bool cli_wants_colour(const CommonOptions *common)
{
    return wants_colour(common, STDERR_FILENO);
}

bool cli_wants_colour_out(const CommonOptions *common)
{
    return wants_colour(common, STDOUT_FILENO);
}

int64_t cli_width(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void cli_show(Contra *contra, const CommonOptions *common)
{
    ContraText text =
        contra_diagnostics(contra, cli_wants_colour(common) ? CONTRA_COLOUR : CONTRA_PLAIN);
    fwrite(text.data, 1, (size_t)text.length, stderr);
}

ExitStatus cli_refuse(Contra *contra, const CommonOptions *common, ContraStatus why)
{
    if (why == CONTRA_NO_MEMORY) {
        fputs("contra: out of memory\n", stderr);
        return EXIT_REFUSED;
    }
    if (common->json) {
        printf("{\"diagnostics\": %s}\n", contra_diagnostics(contra, CONTRA_DIAGNOSTICS_JSON).data);
        return cli_finish(EXIT_REFUSED);
    }
    cli_show(contra, common);
    return EXIT_REFUSED;
}

void cli_say_other_errors(Contra *refused, const char *command, const char *ran)
{
    int64_t errors = 0;
    ContraDiagnostic diagnostic = contra_diagnostic_info();
    for (int64_t i = 0; contra_diagnostic_at(refused, i, &diagnostic) == CONTRA_OK; i++)
        errors += diagnostic.severity == CONTRA_ERROR;
    const char *them = errors == 1 ? "it" : "them";
    fprintf(stderr,
            "contra %s: the program has %" PRId64 " error%s; %s not depend on %s ran anyway "
            "(`contra check` lists %s)\n",
            command, errors, errors == 1 ? "" : "s", ran, them, them);
}

#if defined __has_feature
enum {
    MEMORY_LIMITED = !__has_feature(address_sanitizer)
}; // the sanitizer maps more than any limit would allow
#else
enum { MEMORY_LIMITED = 1 };
#endif

void cli_limit_memory(int64_t jobs)
{
    static const uint64_t least = UINT64_C(2) << 30;
    uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t part = all / (uint64_t)jobs;
    struct rlimit limit = {.rlim_cur = part > least ? part : least, .rlim_max = RLIM_INFINITY};
    if (MEMORY_LIMITED)
        setrlimit(RLIMIT_DATA, &limit);
}

ExitStatus cli_finish(ExitStatus status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    int why = terminal_error() ? terminal_error() : errno;
    fprintf(stderr, "contra: cannot write the output: %s\n", strerror(why));
    return EXIT_REFUSED;
}

json_t *cli_json(ContraText text)
{
    return json_stringn(text.data ? text.data : "", (size_t)text.length);
}

json_t *cli_json_diagnostics(Contra *contra)
{
    ContraText text = contra_diagnostics(contra, CONTRA_DIAGNOSTICS_JSON);
    json_t *list = json_loadb(text.data, (size_t)text.length, JSON_ALLOW_NUL, NULL);
    return list ? list : json_array();
}

ContraText *cli_texts(char **words, int count)
{
    ContraText *texts = calloc((size_t)count + 1, sizeof *texts);
    for (int i = 0; texts && i < count; i++)
        texts[i] = contra_text(words[i]);
    return texts;
}

bool bytes_add(Bytes *bytes, const void *data, size_t length)
{
    char *more = realloc(bytes->data, bytes->length + length + 1);
    if (!more)
        return false;
    if (length)
        memcpy(more + bytes->length, data, length);
    bytes->data = more;
    bytes->length += length;
    more[bytes->length] = 0;
    return true;
}

void cli_print(ContraText text)
{
    fwrite(text.data, 1, (size_t)text.length, stdout);
}

void cli_print_json(json_t *document)
{
    char *text = json_dumps(document, JSON_INDENT(2));
    puts(text ? text : "{}");
    free(text);
    json_decref(document);
}
