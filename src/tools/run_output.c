#include "run_output.h"

#include "watch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

ExitStatus run_interrupted(void)
{
    watch_clear();
    fputs("contra: interrupted\n", stderr);
    return EXIT_INTERRUPTED;
}

// ---- kernels

static void print_shape(const ContraParam *param)
{
    putchar('(');
    for (int64_t i = 0; i < param->axis_count; i++)
        printf("%s%" PRId64, i ? ", " : "", param->axes[i].size);
    fputs(param->axis_count == 1 ? ",)" : ")", stdout);
}

static void print_axes(const ContraParam *param)
{
    for (int64_t i = 0; i < param->axis_count; i++)
        printf("%s%.*s", i ? ", " : "", TEXT_ARG(param->axes[i].text));
}

static const char *direction(const ContraParam *param)
{
    if (!param->is_input)
        return "out";
    return param->is_output ? "in/out" : "in";
}

void run_print_kernel(const ContraKernel *kernel)
{
    bool is_generic = kernel->generics.length > 0;
    printf("%.*s%s%.*s%s  (%.*s)\n", TEXT_ARG(kernel->name), is_generic ? "<" : "",
           TEXT_ARG(kernel->generics), is_generic ? ">" : "", TEXT_ARG(kernel->file));
    for (int64_t i = 0; i < kernel->param_count; i++) {
        const ContraParam *param = &kernel->params[i];
        printf("  %-6s  %.*s: %.*s", direction(param), TEXT_ARG(param->name),
               TEXT_ARG(param->type));
        if (param->is_tensor) {
            putchar(' ');
            print_shape(param);
            printf("  %.*s", TEXT_ARG(param->mapping));
        }
        putchar('\n');
    }
    for (int64_t i = 0; i < kernel->constant_count; i++)
        printf("  fixed   %.*s = %.*s\n", TEXT_ARG(kernel->constants[i].name),
               TEXT_ARG(kernel->constants[i].value));
}

static json_t *param_json(const ContraParam *param)
{
    json_t *json = json_pack("{s:o, s:o, s:b, s:b, s:b}", "name", cli_json(param->name), "type",
                             cli_json(param->type), "tensor", param->is_tensor, "input",
                             param->is_input, "output", param->is_output);
    if (!param->is_tensor)
        return json;
    json_t *axes = json_array(), *shape = json_array();
    for (int64_t i = 0; i < param->axis_count; i++) {
        json_array_append_new(axes, cli_json(param->axes[i].text));
        json_array_append_new(shape, json_integer(param->axes[i].size));
    }
    json_object_set_new(json, "mapping", cli_json(param->mapping));
    json_object_set_new(json, "axes", axes);
    json_object_set_new(json, "shape", shape);
    return json;
}

json_t *run_kernel_json(const ContraKernel *kernel)
{
    json_t *params = json_array();
    for (int64_t i = 0; i < kernel->param_count; i++)
        json_array_append_new(params, param_json(&kernel->params[i]));
    json_t *json = json_pack("{s:o, s:o, s:o}", "name", cli_json(kernel->name), "file",
                             cli_json(kernel->file), "parameters", params);
    json_t *constants = json_object();
    for (int64_t i = 0; i < kernel->constant_count; i++) {
        const ContraConstant *constant = &kernel->constants[i];
        json_object_setn_new(constants, constant->name.data, (size_t)constant->name.length,
                             cli_json(constant->value));
    }
    if (kernel->generics.length)
        json_object_set_new(json, "generics", cli_json(kernel->generics));
    if (kernel->constant_count)
        json_object_set(json, "fixed", constants);
    json_decref(constants);
    return json;
}

// ---- outputs

typedef struct {
    int64_t count;            // numbers: written, and no NaN
    int64_t nans, infinite;   // written
    double least, most, mean; // the mean: of finite numbers
} Summary;

static bool is_written(const ContraOutput *output, int64_t index)
{
    return !output->initialised || output->initialised[index];
}

static Summary summarise(const ContraOutput *output)
{
    Summary summary = {.least = HUGE_VAL, .most = -HUGE_VAL};
    int64_t count = contra_array_count(&output->array);
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        double value = contra_array_value(&output->array, i);
        if (!is_written(output, i))
            continue;
        if (isnan(value)) {
            summary.nans++;
            continue;
        }
        summary.count++;
        summary.least = fmin(summary.least, value);
        summary.most = fmax(summary.most, value);
        if (isinf(value))
            summary.infinite++;
        else
            sum += value;
    }
    summary.mean = sum / (double)(summary.count - summary.infinite); // NaN: there is none
    return summary;
}

// Integers in full, floats as exactly as f32 has them.
static void print_number(const ContraOutput *output, double value)
{
    printf(output->array.type < CONTRA_F16 ? "%.0f" : "%.9g", value);
}

static void print_elements(const ContraOutput *output)
{
    enum { HEAD = 8, TAIL = 3 };
    int64_t count = contra_array_count(&output->array);
    bool all = count <= HEAD + TAIL + 1;
    for (int64_t i = 0; i < count; i++) {
        if (!all && i == HEAD) {
            fputs(" ..", stdout);
            i = count - TAIL;
        }
        putchar(' ');
        if (is_written(output, i))
            print_number(output, contra_array_value(&output->array, i));
        else
            putchar('?');
    }
    putchar('\n');
}

void run_print_output(const ContraOutput *output)
{
    const ContraParam *param = &output->param;
    Summary summary = summarise(output);
    printf("%.*s: %.*s ", TEXT_ARG(param->name), TEXT_ARG(param->type));
    print_shape(param);
    if (param->axis_count)
        fputs("  ", stdout);
    print_axes(param);
    printf("\n  values  ");
    print_elements(output);
    if (summary.count) {
        printf("  range    ");
        print_number(output, summary.least);
        printf(" to ");
        print_number(output, summary.most);
        if (summary.infinite < summary.count)
            printf(", mean%s %.9g", summary.infinite ? " of finite ones" : "", summary.mean);
        putchar('\n');
    }
    if (summary.infinite)
        printf("  infinite %" PRId64 "\n", summary.infinite);
    if (summary.nans)
        printf("  NaN      %" PRId64 "\n", summary.nans);
    if (output->uninitialised)
        printf("  unwritten %" PRId64 " elements, shown as ?\n", output->uninitialised);
}

// JSON has no NaN and no infinity.
static json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *run_output_json(const ContraOutput *output)
{
    Summary summary = summarise(output);
    json_t *json = param_json(&output->param);
    json_object_set_new(json, "dtype", json_string(contra_element_name(output->array.type)));
    json_object_set_new(json, "uninitialised", json_integer(output->uninitialised));
    json_object_set_new(json, "nan", json_integer(summary.nans));
    json_object_set_new(json, "infinite", json_integer(summary.infinite));
    json_object_set_new(json, "min", summary.count ? json_number(summary.least) : json_null());
    json_object_set_new(json, "max", summary.count ? json_number(summary.most) : json_null());
    json_object_set_new(json, "mean", summary.count ? json_number(summary.mean) : json_null());
    return json;
}

// Patterns of floats are compared as what they stand for.
static bool is_float(const ContraOutput *output)
{
    char first = output->param.type.data[0];
    return first == 'f' || first == 'b'; // bf16
}

// Integers in full.
static json_t *json_element(const ContraOutput *output, double value)
{
    bool integer = !is_float(output) && isfinite(value);
    return integer ? json_integer((json_int_t)value) : json_number(value);
}

static json_t *difference_json(Contra *contra, const ContraOutput *output,
                               const ContraDifference *difference)
{
    ContraText index = contra_output_index(contra, output, difference->element);
    return json_pack("{s:o, s:o, s:o, s:o}", "index", cli_json(index), "found",
                     json_element(output, difference->found), "expected",
                     json_element(output, difference->expected), "difference",
                     json_element(output, difference->difference));
}

// The one that is furthest off: what cannot be compared is further than anything that can.
static const ContraDifference *worst_of(const ContraComparison *comparison)
{
    if (comparison->unwritten)
        return &comparison->first_unwritten;
    return comparison->apart ? &comparison->first_apart : &comparison->largest;
}

json_t *run_comparison_json(Contra *contra, const ContraOutput *output,
                            const ContraComparison *comparison)
{
    json_t *json = json_pack(
        "{s:o, s:b, s:I, s:I, s:I, s:I, s:I}", "name", cli_json(output->param.name), "within",
        comparison->within, "compared", (json_int_t)comparison->compared, "beyond",
        (json_int_t)comparison->beyond, "differing", (json_int_t)comparison->differing, "unwritten",
        (json_int_t)comparison->unwritten, "apart", (json_int_t)comparison->apart);
    const ContraDifference *worst = worst_of(comparison), *ratio = &comparison->largest_relative;
    if (worst->element >= 0)
        json_object_set_new(json, "worst", difference_json(contra, output, worst));
    if (ratio->element < 0)
        return json;
    json_t *relative = difference_json(contra, output, ratio);
    json_object_set_new(relative, "relative", json_real(ratio->difference / fabs(ratio->expected)));
    json_object_set_new(json, "worst_relative", relative);
    return json;
}

void run_print_comparison(Contra *contra, const ContraOutput *output,
                          const ContraComparison *comparison, double tolerance)
{
    const ContraDifference *largest = &comparison->largest, *ratio = &comparison->largest_relative;
    printf("%.*s: ", TEXT_ARG(output->param.name));
    if (!comparison->differing) {
        printf("all %" PRId64 " elements are equal\n", comparison->compared);
        return;
    }
    ContraText index = contra_output_index(contra, output, largest->element);
    printf("all %" PRId64 " elements are within %g; %" PRId64 " differ, by up to ",
           comparison->compared, tolerance, comparison->differing);
    printf(is_float(output) ? "%.9g" : "%.0f", largest->difference);
    printf(" (at %.*s)", TEXT_ARG(index));
    if (ratio->element >= 0) {
        index = contra_output_index(contra, output, ratio->element);
        printf(", relatively by up to %.3g (at %.*s)", ratio->difference / fabs(ratio->expected),
               TEXT_ARG(index));
    }
    putchar('\n');
}

// ---- files

static void print_array_shape(FILE *out, const ContraArray *array)
{
    fputc('(', out);
    for (int64_t i = 0; i < array->rank; i++)
        fprintf(out, "%s%" PRId64, i ? ", " : "", array->shape[i]);
    fputs(array->rank == 1 ? ",)" : ")", out);
}

void run_print_written(ContraText path, const ContraText *names, const ContraArray *arrays,
                       int64_t count)
{
    fflush(stdout);
    for (int64_t i = 0; i < count; i++) {
        fprintf(stderr, "wrote %.*s: %.*s, %s ", TEXT_ARG(path), TEXT_ARG(names[i]),
                contra_element_name(arrays[i].type));
        print_array_shape(stderr, &arrays[i]);
        fputc('\n', stderr);
    }
}

json_t *run_written_json(ContraText path, const ContraText *names, const ContraArray *arrays,
                         int64_t count)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++) {
        json_t *shape = json_array();
        for (int64_t k = 0; k < arrays[i].rank; k++)
            json_array_append_new(shape, json_integer(arrays[i].shape[k]));
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:o}", "name", cli_json(names[i]), "dtype",
                                        contra_element_name(arrays[i].type), "shape", shape));
    }
    return json_pack("{s:o, s:o}", "file", cli_json(path), "arrays", list);
}

// ---- numbers

bool run_take_number(const char *command, const char *value, ContraInput inputs[RUN_MOST_NUMBERS],
                     int *count)
{
    size_t length = strcspn(value, "=");
    if (*count == RUN_MOST_NUMBERS) {
        cli_usage(command, "--in is given more than %d times", RUN_MOST_NUMBERS);
        return false;
    }
    if (!length || !value[length] || !value[length + 1]) {
        cli_usage(command, "--in takes NAME=VALUE, not `%s`", value);
        return false;
    }
    inputs[(*count)++] = (ContraInput){.name = {value, (int64_t)length},
                                       .is_number = true,
                                       .number = contra_text(value + length + 1)};
    return true;
}

// ---- which kernel

ExitStatus run_ask_kernel(Contra *contra, const char *command)
{
    enum { SHOWN = 20 };
    int64_t count = contra_kernel_count(contra);
    cli_usage(command, "which kernel? --kernel names it, --list shows what they take");
    for (int64_t i = 0; i < count && i < SHOWN; i++) {
        ContraKernel kernel = contra_kernel_info();
        if (contra_kernel(contra, i, &kernel) != CONTRA_NO_MEMORY)
            fprintf(stderr, "  %.*s\n", TEXT_ARG(kernel.name));
    }
    if (count > SHOWN)
        fprintf(stderr, "  and %lld more\n", (long long)(count - SHOWN));
    return EXIT_USAGE;
}
