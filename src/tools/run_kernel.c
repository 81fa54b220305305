#include "run_kernel.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

// ---- options

// A name is what a parameter may be called; `./a=b.npy` has none.
static Pair pair_of(const char *text)
{
    size_t length = strcspn(text, "=/");
    if (text[length] != '=' || length == 0)
        return (Pair){.rest = contra_text(text)};
    return (Pair){.name = {text, (int64_t)length}, .rest = contra_text(text + length + 1)};
}

static bool add_pair(const RunOptions *options, Pairs *pairs, const char *option, const char *text,
                     bool needs_name)
{
    Pair pair = pair_of(text);
    if (pairs->count == MOST_PAIRS) {
        cli_usage(options->command, "%s is given more than %d times", option, MOST_PAIRS);
        return false;
    }
    if (pair.rest.length == 0 || (needs_name && pair.name.length == 0)) {
        cli_usage(options->command, "%s takes %s, not `%s`", option,
                  needs_name ? "NAME=FILE or NAME=VALUE" : "FILE or NAME=FILE", text);
        return false;
    }
    pairs->items[pairs->count++] = pair;
    return true;
}

static bool take_tolerance(RunOptions *options, const char *value)
{
    char *end;
    options->tolerance = strtod(value, &end);
    options->has_tolerance = true;
    bool ok = *value && !*end && options->tolerance >= 0;
    if (!ok)
        cli_usage(options->command, "--tolerance takes a number of at least 0, not `%s`", value);
    return ok;
}

static bool take_seed(RunOptions *options, const char *value)
{
    int64_t seed;
    if (!cli_number(options->command, "--random", value, 0, &seed))
        return false;
    options->execute.run.random = true;
    options->execute.run.seed = (uint64_t)seed;
    return true;
}

void run_options_init(RunOptions *options)
{
    options->check = contra_check_options();
    options->execute.run = contra_run_options();
}

bool run_take_option(void *own, int option, const char *value)
{
    RunOptions *options = own;
    bool taken, ok = cli_check_option(options->command, option, value, &options->check, &taken);
    if (!taken)
        ok = cli_execute_option(options->command, option, value, &options->execute, &taken);
    if (taken)
        return ok;
    switch (option) {
    case OPTION_KERNEL:
        options->kernel = value;
        return true;
    case OPTION_IN:
        return add_pair(options, &options->in, "--in", value, true);
    case OPTION_OUT:
        return add_pair(options, &options->out, "--out", value, false);
    case OPTION_COMPARE:
        return add_pair(options, &options->compare, "--compare", value, false);
    case OPTION_PRINT:
        return options->print = true;
    case OPTION_LIST:
        return options->list = true;
    case OPTION_QUIET:
        return options->quiet = true;
    case OPTION_TOLERANCE:
        return take_tolerance(options, value);
    case OPTION_RANDOM:
        return take_seed(options, value);
    case OPTION_BF16:
        options->has_bf16 = true;
        return cli_word(options->command, "--bf16", value, "bits", "f32",
                        &options->execute.run.narrow_as_f32);
    }
    return true;
}

bool run_wants_kernel(const RunOptions *options)
{
    return options->kernel || options->in.count || options->out.count || options->compare.count ||
           options->execute.run.random || options->print;
}

// An option of runs beside --list; NULL: there is none.
static const char *beside_list(const RunOptions *options)
{
    return options->in.count             ? "--in"
           : options->out.count          ? "--out"
           : options->compare.count      ? "--compare"
           : options->execute.run.random ? "--random"
           : options->print              ? "--print"
                                         : NULL;
}

bool run_options_settle(const RunOptions *options)
{
    const char *other = options->list ? beside_list(options) : NULL;
    bool is_main =
        !options->list && strcmp(options->command, "run") == 0 && !run_wants_kernel(options);
    if (other)
        cli_usage(options->command, "--list runs nothing: %s has no use beside it", other);
    else if (options->has_tolerance && !options->compare.count)
        cli_usage(options->command, "--tolerance is for --compare FILE, which is not there");
    else if (options->has_bf16 && is_main)
        cli_usage(options->command, "--bf16 is for the outputs of a kernel (--kernel NAME), and it "
                                    "is `main` that runs");
    else
        return true;
    return false;
}

// ---- a kernel

typedef struct {
    Contra *contra;
    const CommonOptions *common;
    RunOptions *options;
    int64_t index;
    ContraKernel kernel;
    const ContraOutput *outputs;
    int64_t output_count;
    json_t *comparisons, *written;
    bool differs;
} Run;

static bool ends_with(ContraText text, const char *ending)
{
    int64_t length = (int64_t)strlen(ending);
    return text.length >= length &&
           memcmp(text.data + text.length - length, ending, (size_t)length) == 0;
}

static bool same_text(ContraText a, ContraText b)
{
    return a.length == b.length && (!a.length || memcmp(a.data, b.data, (size_t)a.length) == 0);
}

// Which parameter each --out and --compare means. A .safetensors file without a name holds all.
static ContraStatus find_outputs(Run *run, Pairs *pairs, bool may_hold_all)
{
    ContraStatus result = CONTRA_OK;
    for (int i = 0; i < pairs->count; i++) {
        Pair *pair = &pairs->items[i];
        bool all = may_hold_all && !pair->name.length && ends_with(pair->rest, ".safetensors");
        pair->param = -1;
        ContraStatus status =
            all ? CONTRA_OK : contra_output_find(run->contra, run->index, pair->name, &pair->param);
        result = status ? status : result;
    }
    return result;
}

// A tensor takes a file. What has no such name is refused by the library.
static void name_inputs(const Run *run, ContraInput *inputs)
{
    const Pairs *in = &run->options->in;
    for (int i = 0; i < in->count; i++) {
        const Pair *pair = &in->items[i];
        bool tensor = false;
        for (int64_t k = 0; k < run->kernel.param_count; k++)
            tensor |= run->kernel.params[k].is_tensor && run->kernel.params[k].is_input &&
                      same_text(run->kernel.params[k].name, pair->name);
        inputs[i] =
            tensor ? (ContraInput){.name = pair->name, .file = pair->rest}
                   : (ContraInput){.name = pair->name, .is_number = true, .number = pair->rest};
    }
}

static const ContraOutput *output_of(const Run *run, int64_t param)
{
    for (int64_t i = 0; i < run->output_count; i++)
        if (same_text(run->outputs[i].param.name, run->kernel.params[param].name))
            return &run->outputs[i];
    return NULL;
}

// Everything that goes into the file of --out number `first` is written at once.
static ContraStatus write_file(Run *run, int first)
{
    enum { MOST = 2 * MOST_PAIRS };
    ContraText names[MOST], path = run->options->out.items[first].rest;
    ContraArray arrays[MOST];
    int64_t count = 0;
    for (int i = first; i < run->options->out.count; i++) {
        const Pair *pair = &run->options->out.items[i];
        if (!same_text(pair->rest, path))
            continue;
        for (int64_t k = 0; k < run->output_count && count < MOST; k++) {
            const ContraOutput *output = &run->outputs[k];
            if (pair->param >= 0 && output != output_of(run, pair->param))
                continue;
            names[count] = output->param.name;
            arrays[count++] = output->array;
        }
    }
    ContraStatus status = contra_array_write(run->contra, path, names, arrays, count);
    if (status != CONTRA_OK)
        return status;
    json_array_append_new(run->written, run_written_json(path, names, arrays, count));
    if (!run->common->json && !run->options->quiet)
        run_print_written(path, names, arrays, count);
    return CONTRA_OK;
}

static ContraStatus write_outputs(Run *run)
{
    const Pairs *out = &run->options->out;
    for (int i = 0; i < out->count; i++) {
        bool written = false;
        for (int k = 0; k < i && !written; k++)
            written = same_text(out->items[k].rest, out->items[i].rest);
        ContraStatus status = written ? CONTRA_OK : write_file(run, i);
        if (status != CONTRA_OK)
            return status;
    }
    return CONTRA_OK;
}

static ContraStatus compare_outputs(Run *run)
{
    const Pairs *compare = &run->options->compare;
    for (int i = 0; i < compare->count; i++) {
        const Pair *pair = &compare->items[i];
        const ContraOutput *output = output_of(run, pair->param);
        ContraArray expected;
        ContraComparison comparison = contra_comparison();
        ContraStatus status = contra_array_read(run->contra, pair->rest, pair->name, &expected);
        if (status != CONTRA_OK || !output)
            return status;
        status =
            contra_compare(run->contra, output, &expected, run->options->tolerance, &comparison);
        if (status == CONTRA_NO_MEMORY)
            return status;
        if (!comparison.compared)
            return CONTRA_INVALID;
        run->differs |= !comparison.within;
        json_array_append_new(run->comparisons,
                              run_comparison_json(run->contra, output, &comparison));
        if (!run->common->json && comparison.within)
            run_print_comparison(run->contra, output, &comparison, run->options->tolerance);
    }
    return CONTRA_OK;
}

static ExitStatus show(Run *run)
{
    const RunOptions *options = run->options;
    if (run->common->json) {
        json_t *outputs = json_array();
        for (int64_t i = 0; i < run->output_count; i++)
            json_array_append_new(outputs, run_output_json(&run->outputs[i]));
        cli_print_json(json_pack(
            "{s:o, s:s, s:o, s:O, s:O, s:o}", "kernel", run_kernel_json(&run->kernel), "backend",
            cli_backend_name(&options->execute.run), "outputs", outputs, "written", run->written,
            "comparisons", run->comparisons, "diagnostics", cli_json_diagnostics(run->contra)));
    } else {
        bool quiet = !options->print && (options->out.count || options->compare.count);
        for (int64_t i = 0; i < run->output_count && !quiet; i++)
            run_print_output(&run->outputs[i]);
        fflush(stdout);
        cli_show(run->contra, run->common);
    }
    return cli_finish(run->differs ? EXIT_REFUSED : EXIT_DONE);
}

static ContraStatus execute(Run *run)
{
    RunOptions *options = run->options;
    ContraInput inputs[MOST_PAIRS];
    ContraStatus status = find_outputs(run, &options->out, true);
    ContraStatus compared = find_outputs(run, &options->compare, false);
    status = status ? status : compared;
    if (status != CONTRA_OK)
        return status;
    name_inputs(run, inputs);
    options->execute.run.is_cancelled = watch_is_cancelled;
    options->execute.run.progress = watch_progress;
    status = contra_run_kernel(run->contra, run->index, inputs, options->in.count,
                               &options->execute.run, &run->outputs, &run->output_count);
    watch_clear();
    status = status ? status : watch_interrupted() ? CONTRA_CANCELLED : CONTRA_OK;
    status = status ? status : write_outputs(run);
    return status ? status : compare_outputs(run);
}

static ExitStatus run_it(Run *run)
{
    run->kernel = contra_kernel_info();
    ContraStatus status = contra_kernel(run->contra, run->index, &run->kernel);
    run->comparisons = json_array();
    run->written = json_array();
    status = status ? status : execute(run);
    ExitStatus result = status == CONTRA_CANCELLED ? run_interrupted()
                        : status != CONTRA_OK      ? cli_refuse(run->contra, run->common, status)
                                                   : show(run);
    json_decref(run->comparisons);
    json_decref(run->written);
    return result;
}

ExitStatus run_kernel(Contra *contra, const CommonOptions *common, RunOptions *options,
                      int64_t index)
{
    Run run = {.contra = contra, .common = common, .options = options, .index = index};
    return run_it(&run);
}
