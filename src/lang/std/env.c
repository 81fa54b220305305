// What a program sees of the world round it: its arguments, and files that it reads. It changes
// nothing there.
#include "lang/std/native.h"

#include "base/file.h"
#include "base/utf8.h"

#include <errno.h>
#include <string.h>

NATIVE(env_args)
{
    Trace *trace = call->trace;
    if (!trace->run)
        return false;
    int64_t count = trace->run->argument_count;
    Value *values = arena_new(trace->lang->arena, Value, (size_t)count + 1);
    values[0] = value_text(STR("main"));
    for (int64_t i = 0; i < count; i++)
        values[i + 1] = value_text(trace->run->arguments[i]);
    *result = value_iter(iter_over_list(trace, list_value(trace, values, count + 1).list, false));
    return true;
}

// A program sees nothing of the environment: it does the same everywhere.
NATIVE(env_no_variable)
{
    *result = err_value(call->trace,
                        error_value(call->trace, "environment variable not found", "NotPresent"));
    return true;
}

// ---- files

static Value io_error(Trace *trace, const char *words, int number)
{
    Arena *arena = trace->lang->arena;
    Str shown = number ? str_format(arena, "{} (os error {})", words, number) : str_from(words);
    Str debug = str_format(arena, "Os {{ code: {}, message: \"{}\" }", number, words);
    return err_value(trace, error_value(trace, str_terminated(arena, shown),
                                        number ? str_terminated(arena, debug) : words));
}

NATIVE(env_read_file)
{
    Trace *trace = call->trace;
    Str path, bytes;
    if (!trace->run || !std_text(call, 0, &path))
        return false;
    if (file_may_wait(trace->lang->arena, path)) {
        *result = io_error(trace, "not an ordinary file, which others could keep waiting", 0);
    } else if (!file_read(trace->lang->arena, path, &bytes)) {
        int number = errno;
        *result = io_error(trace, strerror(number), number);
    } else if (call->op == READ_TEXT && utf8_fault(bytes) < bytes.len) {
        *result = io_error(trace, "stream did not contain valid UTF-8", 0);
    } else {
        *result = ok_value(trace, call->op == READ_TEXT ? value_text(bytes)
                                                        : *bytes_value(trace, bytes).place);
    }
    return true;
}

// What would change something, or end more than the program.
NATIVE(env_refuse)
{
    const char *scope = call->use->decl->scope->name;
    const Decl *decl = call->use->decl;
    const char *owner = decl->impl && decl->impl->self && decl->impl->self->kind == TYPE_NAMED
                            ? decl->impl->self->decl->name
                            : scope;
    return std_panic(call, result, "`{}::{}` is not available to programs that run in here", owner,
                     call->name);
}
