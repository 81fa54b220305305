// contra schedule: how long a kernel takes, what runs beside what, and what would be quicker.
#include "options.h"
#include "page.h"
#include "run_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_KERNEL = OPTION_FIRST_OWN,
    OPTION_IN,
    OPTION_COST,
    OPTION_JSON,
    OPTION_TRACE,
    OPTION_HTML,
    OPTION_SVG,
    OPTION_ORDER,
    OPTION_COMPARE,
    OPTION_LIST
};

typedef struct {
    ContraCheckOptions check;
    ContraScheduleOptions schedule;
    const char *kernel, *json, *trace, *html, *svg, *order;
    ContraInput inputs[RUN_MOST_NUMBERS];
    int input_count;
    bool compare, list;
    int other; // an option that two schedules have no use for; 0: none
} Options;

static const CliOption rows[] = {
    {OPTION_LIST, "--list", "lists the kernels with their parameters"},
    {OPTION_KERNEL, "--kernel NAME",
     "the kernel; not needed where there is one only; of a generic one an instance, as in a "
     "launch: "
     "'gemm::<2>'"},
    {OPTION_IN, "--in NAME=VALUE", "the value of a number that the kernel takes"},
    COST_OPTIONS(OPTION_COST),
    {OPTION_JSON, "--json FILE",
     "writes the schedule as JSON (docs/schedule.md); `-`: to standard output. --format=json does "
     "that, too"},
    {OPTION_TRACE, "--trace FILE",
     "writes trace events for Perfetto or chrome://tracing, where a microsecond is a cycle"},
    {OPTION_HTML, "--html FILE", "writes a page to look at in a browser; it needs no network"},
    {OPTION_SVG, "--svg FILE", "draws the timeline"},
    {OPTION_ORDER, "--order FILE",
     "pins the order of operations: their numbers, one a line; refused where an operation needs "
     "what another one does first"},
    {OPTION_COMPARE, "--compare",
     "two schedules (JSON, pages): what got faster, slower, and why; as a document with "
     "--format=json. No other option goes with it"},
    CHECK_OPTIONS,
    {0}};

// ---- options

static bool take_option(void *own, int option, const char *value)
{
    Options *options = own;
    if (option != OPTION_COMPARE)
        options->other = option;
    bool taken, ok = cli_check_option("schedule", option, value, &options->check, &taken);
    if (taken)
        return ok;
    switch (option) {
    case OPTION_KERNEL:
        options->kernel = value;
        return true;
    case OPTION_IN:
        return run_take_number("schedule", value, options->inputs, &options->input_count);
    case OPTION_COST:
        return cli_cost("schedule", value, &options->schedule.cost);
    case OPTION_JSON:
        options->json = value;
        return true;
    case OPTION_TRACE:
        options->trace = value;
        return true;
    case OPTION_HTML:
        options->html = value;
        return true;
    case OPTION_SVG:
        options->svg = value;
        return true;
    case OPTION_ORDER:
        options->order = value;
        return true;
    case OPTION_COMPARE:
        return options->compare = true;
    case OPTION_LIST:
        return options->list = true;
    }
    return true;
}

// ---- orders

// *exit is the status where there is none.
static bool read_order(Contra *contra, const CommonOptions *common, const char *path,
                       ContraScheduleOptions *how, ExitStatus *exit)
{
    size_t length;
    char *text = page_read_file("schedule", path, &length);
    *exit = EXIT_REFUSED;
    if (!text)
        return false;
    ContraStatus status =
        contra_schedule_order(contra, contra_text(path), (ContraText){text, (int64_t)length}, how);
    free(text);
    if (status)
        *exit = cli_refuse(contra, common, status);
    return status == CONTRA_OK;
}

// ---- what comes out

static ContraStatus text_of_form(Contra *contra, const CommonOptions *common,
                                 const ContraSchedule *schedule, ContraScheduleForm form,
                                 ContraText *text)
{
    ContraScheduleTextOptions options = contra_schedule_text_options();
    options.form = form;
    options.colour = cli_wants_colour_out(common);
    options.width = cli_width();
    return contra_schedule_text(contra, schedule, &options, text);
}

static bool write_page(const char *path, ContraText schedule)
{
    size_t length;
    char *page = page_of_schedule(schedule, &length);
    bool ok = page && page_write_file("schedule", path, page, length);
    if (!page)
        fputs("contra schedule: there is not enough memory for the page\n", stderr);
    free(page);
    return ok;
}

static bool write_text(const char *path, ContraText text)
{
    return page_write_file("schedule", path, text.data, (size_t)text.length);
}

// *written: the files are there.
static ContraStatus write_forms(Contra *contra, const CommonOptions *common, const Options *options,
                                const ContraSchedule *schedule, bool *written)
{
    const struct {
        const char *path;
        ContraScheduleForm form;
        bool (*write)(const char *path, ContraText text);
    } files[] = {{options->json, CONTRA_SCHEDULE_JSON, write_text},
                 {options->trace, CONTRA_SCHEDULE_TRACE, write_text},
                 {options->svg, CONTRA_SCHEDULE_SVG, write_text},
                 {options->html, CONTRA_SCHEDULE_JSON, write_page}};
    ContraStatus status = CONTRA_OK;
    *written = true;
    for (size_t i = 0; i < sizeof files / sizeof *files && status == CONTRA_OK && *written; i++) {
        ContraText text;
        if (!files[i].path)
            continue;
        status = text_of_form(contra, common, schedule, files[i].form, &text);
        *written = status == CONTRA_OK && files[i].write(files[i].path, text);
    }
    return status;
}

static bool is_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

// Documents that were asked for on standard output: nobody could tell them apart.
static int count_outputs(const CommonOptions *common, const Options *options)
{
    return (common->json || is_output(options->json)) + is_output(options->trace) +
           is_output(options->html) + is_output(options->svg);
}

static ExitStatus show(Contra *contra, const CommonOptions *common, const Options *options,
                       const ContraSchedule *schedule)
{
    bool to_output = is_output(options->json) || is_output(options->trace) ||
                     is_output(options->html) || is_output(options->svg);
    bool written;
    ContraText text;
    ContraStatus status = write_forms(contra, common, options, schedule, &written);
    if (status == CONTRA_OK && written && !to_output) {
        status = text_of_form(contra, common, schedule,
                              common->json ? CONTRA_SCHEDULE_JSON : CONTRA_SCHEDULE_SUMMARY, &text);
        if (status == CONTRA_OK)
            cli_print(text);
    }
    if (status != CONTRA_OK)
        return cli_refuse(contra, common, status);
    fflush(stdout);
    cli_show(contra, common); // warnings
    return cli_finish(written ? EXIT_DONE : EXIT_REFUSED);
}

static ExitStatus schedule_object(Contra *contra, const CommonOptions *common,
                                  const Options *options, const ContraObject *object)
{
    ContraScheduleOptions how = options->schedule;
    ContraSchedule *schedule;
    ExitStatus exit;
    if (options->order && !read_order(contra, common, options->order, &how, &exit))
        return exit;
    ContraStatus status = contra_schedule(contra, object, &how, &schedule);
    return status ? cli_refuse(contra, common, status) : show(contra, common, options, schedule);
}

// ---- which kernel

static ExitStatus schedule_file(Contra *contra, const CommonOptions *common, const Options *options,
                                const char *path)
{
    ContraObject *object;
    if (options->kernel || options->list || options->input_count)
        return cli_usage("schedule", "an object file is one kernel, with its numbers: --kernel, "
                                     "--list and --in are for sources");
    ContraStatus status = contra_object_read(contra, contra_text(path), &object);
    return status ? cli_refuse(contra, common, status)
                  : schedule_object(contra, common, options, object);
}

static ExitStatus schedule_source(Contra *contra, const CommonOptions *common,
                                  const Options *options, const char *path)
{
    ContraText text = contra_text(path);
    ContraObject *object;
    int64_t kernel = 0;
    ContraStatus status = contra_load(contra, &text, 1, &options->check);
    if (status == CONTRA_OK && options->list)
        return run_list_kernels(contra, common, options->kernel);
    if (status == CONTRA_OK && !options->kernel && contra_kernel_count(contra) > 1)
        return run_ask_kernel(contra, "schedule");
    if (status == CONTRA_OK && (options->kernel || contra_kernel_count(contra) == 0))
        status = contra_kernel_find(contra, contra_text(options->kernel ? options->kernel : ""),
                                    &kernel);
    if (status == CONTRA_OK)
        status = contra_compile(contra, kernel, options->inputs, options->input_count, &object);
    return status ? cli_refuse(contra, common, status)
                  : schedule_object(contra, common, options, object);
}

// ---- two schedules

static ExitStatus compare(const CommonOptions *common, char **paths)
{
    ExitStatus status = EXIT_REFUSED;
    size_t lengths[2];
    char *texts[2] = {page_read_file("schedule", paths[0], &lengths[0]),
                      page_read_file("schedule", paths[1], &lengths[1])};
    Contra *contra = texts[0] && texts[1] ? cli_open(common, &status) : NULL;
    if (contra) {
        ContraText names[2] = {contra_text(paths[0]), contra_text(paths[1])};
        ContraText documents[2] = {{texts[0], (int64_t)lengths[0]},
                                   {texts[1], (int64_t)lengths[1]}};
        ContraText text;
        ContraCompareOptions how = contra_compare_options();
        how.json = common->json;
        ContraStatus done = contra_schedule_compare(contra, names, documents, &how, &text);
        if (done == CONTRA_OK)
            cli_print(text);
        status = done ? cli_refuse(contra, common, done) : cli_finish(EXIT_DONE);
        contra_free(contra);
    }
    free(texts[0]);
    free(texts[1]);
    return status;
}

// What is already in the two schedules cannot be asked for again.
static bool compares_only(const CommonOptions *common, const Options *options, ExitStatus *status)
{
    int other = common->machine ? OPTION_MACHINE : options->other;
    OptionList list;
    options_of(&schedule_command, &list);
    for (int i = 0; options->compare && other && i < list.count; i++)
        if (list.items[i].option == other)
            *status = cli_usage("schedule",
                                "--%s is no option of --compare, which takes two schedules that "
                                "are made already and --format",
                                list.items[i].spelling.name);
    return !options->compare || !other;
}

static ExitStatus schedule_path(const CommonOptions *common, const Options *options,
                                const char *path)
{
    ExitStatus status;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    status = (page_is_object_file(path) ? schedule_file : schedule_source)(contra, common, options,
                                                                           path);
    contra_free(contra);
    return status;
}

static ExitStatus run_schedule(int argc, char **argv)
{
    Options options = {.check = contra_check_options(), .schedule = contra_schedule_options()};
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&schedule_command, &options, argc, argv, &common, &status))
        return status;
    if (!compares_only(&common, &options, &status))
        return status;
    if (count_outputs(&common, &options) > 1)
        return cli_usage("schedule", "one document at a time goes to standard output: of --json, "
                                     "--trace, --html and --svg one may be `-`");
    int wanted = options.compare ? 2 : 1;
    if (optind + wanted != argc)
        return cli_usage("schedule", options.compare  ? "--compare takes two schedules"
                                     : optind == argc ? "which file?"
                                                      : "one file at a time");
    return options.compare ? compare(&common, argv + optind)
                           : schedule_path(&common, &options, argv[optind]);
}

const Command schedule_command = {
    .name = "schedule",
    .summary = "how long a kernel takes, and what runs beside what",
    .title = "Costs the operations of a kernel and places them in time.",
    .usage = "contra schedule [OPTIONS] FILE|CRATE|K.tcpo [--kernel NAME]\n"
             "contra schedule --compare A.json B.json",
    .about =
        "Prints how long the kernel takes, a timeline of what it occupies, its longest operations\n"
        "with what bounds them, the critical path with what each operation waited for, when DMA\n"
        "idles, and advice.",
    .endings = ".rs .tcp .tcpo .json .html",
    .options = rows,
    .examples = "  contra schedule gemm.rs --kernel gemm\n"
                "  contra schedule gemm.rs --kernel gemm --html gemm.html\n"
                "  contra schedule gemm.rs --kernel gemm --json before.json\n"
                "  contra schedule --compare before.json after.json",
    .take = take_option,
    .run = run_schedule};
