// Kernels that are run, once or again and again.
#include "api/sized.h"

#include "run/launch.h"

ContraStatus contra_instruction_set(Contra *contra, ContraText *name)
{
    CONTRA_GIVES(name, (ContraText){0});
    CONTRA_ENTER(contra);
    if (!name || !choose_isa(contra))
        return CONTRA_INVALID;
    *name = contra_text(isa_name(contra->isa));
    return CONTRA_OK;
}

ContraStatus contra_run_kernel(Contra *contra, int64_t index, const ContraInput *inputs,
                               int64_t input_count, const ContraRunOptions *given,
                               const ContraOutput **outputs, int64_t *output_count)
{
    CONTRA_GIVES(outputs, NULL);
    CONTRA_GIVES(output_count, 0);
    CONTRA_ENTER(contra);
    ContraRunOptions options;
    CONTRA_NEEDS(contra, outputs && output_count, "`outputs` and `output_count`");
    CONTRA_NEEDS(contra, IS_LIST(inputs, input_count), "as many `inputs` as it says");
    request_begin(contra);
    if (!sized_take(contra, SIZED_ContraRunOptions, given, &options) ||
        !run_options_open(contra, &contra->request, &options))
        return CONTRA_INVALID;
    const Kernel *kernel = kernel_wanted(contra, index);
    if (!kernel)
        return CONTRA_INVALID;
    ContraStatus status =
        run_once(contra, kernel, inputs, input_count, &options, outputs, output_count);
    run_release(contra);
    return status;
}

// ---- outputs

static void report_output(Contra *contra, const Arguments *arguments, Str name)
{
    Diag *diag = name.len
                     ? request_report(contra, DIAG_OUTPUT_UNKNOWN, "`{}` has no output `{}`",
                                      arguments->kernel->name, name)
                     : request_report(contra, DIAG_OUTPUT_UNKNOWN, "which output of `{}` is meant?",
                                      arguments->kernel->name);
    StrBuf names = {.arena = &contra->arena};
    for (int64_t i = 0; i < arguments->count; i++) {
        const Argument *argument = &arguments->items[i];
        if (argument->is_output)
            buf_format(&names, "{}`{}`", names.len ? ", " : "", argument->param.name);
        if (argument->given_back)
            buf_format(&names, " (`{}`)", argument->given_back);
    }
    if (names.len)
        diag_help(diag, "its outputs are {}", buf_str(&names));
    else
        diag_help(diag, "it has no output: it gives back no tensor and takes none as `&mut`");
}

// Which of the names of an output is looked for.
typedef enum {
    BY_NAME,      // its own
    BY_TENSOR,    // that of the tensor which is given back
    BY_BEING_ONE, // any
} OutputKey;

static bool output_fits(const Argument *argument, OutputKey key, Str name)
{
    const char *own = key == BY_NAME ? argument->param.name : argument->given_back;
    return argument->is_output && (key == BY_BEING_ONE || (own && str_equal(name, str_from(own))));
}

// The output from `start` on that fits; -1: there is none, or there are several that have no name
// of their own.
static int64_t find_output(const Arguments *arguments, int64_t start, OutputKey key, Str name)
{
    int64_t found = -1;
    for (int64_t i = start; i < arguments->count; i++) {
        if (!output_fits(&arguments->items[i], key, name))
            continue;
        if (key == BY_NAME || found >= 0)
            return key == BY_NAME ? i : -1;
        found = i;
    }
    return found;
}

ContraStatus contra_output_find(Contra *contra, int64_t kernel, ContraText text, int64_t *param)
{
    CONTRA_GIVES(param, -1);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, param, "`param`");
    Arguments arguments;
    const Kernel *found = kernel_wanted(contra, kernel);
    Str name = str_of(text);
    if (!found || !kernel_arguments(contra, found, &arguments))
        return CONTRA_INVALID;
    *param = name.len ? find_output(&arguments, 0, BY_NAME, name)
                      : find_output(&arguments, arguments.result_start, BY_NAME, STR("result"));
    if (*param < 0)
        *param = find_output(&arguments, 0, name.len ? BY_TENSOR : BY_BEING_ONE, name);
    if (*param >= 0)
        return CONTRA_OK;
    report_output(contra, &arguments, name);
    return CONTRA_INVALID;
}

ContraText contra_output_index(Contra *contra, const ContraOutput *output, int64_t element)
{
    CONTRA_ENTER_FOR(contra, NO_TEXT, NO_TEXT);
    if (!output || element < 0 || element >= contra_array_count(&output->array))
        return NO_TEXT;
    return text_of(output_index(contra, output, element));
}

// ---- launches

ContraStatus contra_launch_open(Contra *contra, int64_t index, const ContraInput *inputs,
                                int64_t input_count, const ContraRunOptions *given,
                                ContraLaunch **launch)
{
    CONTRA_GIVES(launch, NULL);
    CONTRA_ENTER(contra);
    ContraRunOptions options;
    CONTRA_NEEDS(contra, launch, "`launch`");
    CONTRA_NEEDS(contra, IS_LIST(inputs, input_count), "as many `inputs` as it says");
    request_begin(contra);
    if (!sized_take(contra, SIZED_ContraRunOptions, given, &options))
        return CONTRA_INVALID;
    const Kernel *kernel = kernel_wanted(contra, index);
    *launch = kernel ? launch_open(contra, kernel, inputs, input_count, &options) : NULL;
    return *launch ? CONTRA_OK : status_of(contra, CONTRA_INVALID);
}

ContraStatus contra_launch_bind(ContraLaunch *launch, int64_t param, const ContraBuffer *buffer)
{
    ContraBuffer whole;
    if (!launch)
        return CONTRA_INVALID;
    CONTRA_ENTER(launch->run.contra);
    if (buffer && !sized_take(launch->run.contra, SIZED_ContraBuffer, buffer, &whole))
        return CONTRA_INVALID;
    return launch_bind(launch, param, buffer ? &whole : NULL) ? CONTRA_OK : CONTRA_INVALID;
}

bool contra_launch_is_direct(const ContraLaunch *launch, int64_t param)
{
    return launch && param >= 0 && param < launch->run.arguments.count &&
           launch->buffers[param].is_direct;
}

ContraStatus contra_launch_run(ContraLaunch *launch)
{
    if (!launch)
        return CONTRA_INVALID;
    CONTRA_ENTER(launch->run.contra);
    return launch_run(launch);
}

ContraStatus contra_launch_outputs(ContraLaunch *launch, const ContraOutput **outputs,
                                   int64_t *output_count)
{
    Contra *contra = launch ? launch->run.contra : NULL;
    CONTRA_GIVES(outputs, NULL);
    CONTRA_GIVES(output_count, 0);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, outputs && output_count, "`outputs` and `output_count`");
    *outputs = launch_outputs(launch, output_count);
    return CONTRA_OK;
}

int64_t contra_launch_copied_bytes(const ContraLaunch *launch)
{
    return launch ? launch->copied : 0;
}

int64_t contra_launch_tensor_bytes(const ContraLaunch *launch)
{
    return launch && launch->run.device ? device_written_bytes(launch->run.device) : 0;
}

void contra_launch_close(ContraLaunch *launch)
{
    if (launch)
        launch_close(launch);
}
