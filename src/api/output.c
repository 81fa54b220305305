// The outputs of a kernel by their names.
#include "api/run.h"

static void report_output(Contra *contra, const Arguments *arguments, Str name)
{
    Diag *diag =
        name.len ? diag_add(&contra->diags, DIAG_OUTPUT_UNKNOWN, SPAN_NOWHERE,
                            "`%.*s` has no output `%.*s`", STR_ARG(arguments->kernel->name),
                            STR_ARG(name))
                 : diag_add(&contra->diags, DIAG_OUTPUT_UNKNOWN, SPAN_NOWHERE,
                            "which output of `%.*s` is meant?", STR_ARG(arguments->kernel->name));
    StrBuf names = {.arena = &contra->arena};
    for (int64_t i = 0; i < arguments->items.count; i++) {
        const Argument *argument = &arguments->items.items[i];
        if (argument->is_output)
            buf_printf(&names, "%s`%s`", names.len ? ", " : "", argument->param.name);
        if (argument->given_back)
            buf_printf(&names, " (`%s`)", argument->given_back);
    }
    if (names.len)
        diag_help(diag, "its outputs are %.*s", STR_ARG(buf_str(&names)));
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
    return argument->is_output && (key == BY_BEING_ONE || (own && str_equal(str_from(own), name)));
}

// The output from `start` on that fits; -1: there is none, or there are several that have no name
// of their own.
static int64_t find_output(const Arguments *arguments, int64_t start, OutputKey key, Str name)
{
    int64_t found = -1;
    for (int64_t i = start; i < arguments->items.count; i++) {
        if (!output_fits(&arguments->items.items[i], key, name))
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
