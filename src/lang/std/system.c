// What a program sees of the machine: memory sizes, time, threads, arguments, output and files. It
// can read files but not change them.
#include "lang/std/native.h"

#include "base/checked.h"
#include "base/file.h"
#include "base/utf8.h"
#include "lang/eval/drop.h"
#include "lang/eval/range.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

// ---- how much memory values take, and the end of a program that asks for too much

static int64_t align_up(int64_t size, int64_t align)
{
    return ceil_div(size, align) * align;
}

// Bytes that a value takes in Rust, as far as that is said. False: it is not.
static bool size_of_type(Trace *trace, Type *type, int64_t *size, int64_t *align)
{
    type = type_of(type);
    int64_t part, part_align;
    *size = 0;
    *align = 1;
    switch (type->kind) {
    case TYPE_REF: {
        Type *to = type_of(type->args[0]);
        *align = 8;
        *size = to->kind == TYPE_SLICE || type_is_prim(to, PRIM_str) ? 16 : 8;
        return true;
    }
    case TYPE_ARRAY:
        if (!size_of_type(trace, type->args[0], &part, align) ||
            type_of(type->args[1])->kind != TYPE_CONST)
            return false;
        *size = part * type_of(type->args[1])->value;
        return true;
    case TYPE_TUPLE:
        for (int32_t i = 0; i < type->arg_count; i++) {
            if (!size_of_type(trace, type->args[i], &part, &part_align))
                return false;
            *size += part; // in the best order, which has no gaps but at the end
            *align = max_i64(*align, part_align);
        }
        *size = align_up(*size, *align);
        return true;
    case TYPE_NAMED:
        break;
    default:
        return false;
    }
    if (type->decl->kind == DECL_PRIM) {
        *size = *align = (prims[type->decl->prim].bits + 7) / 8;
        return type->decl->prim != PRIM_str;
    }
    if (type->decl->is_builtin) {
        static const struct {
            const char *name;
            int64_t size;
        } known[] = {{"Vec", 24}, {"String", 24}, {"Box", 8}, {"Rc", 8}, {"Arc", 8}};
        *align = 8;
        for (size_t i = 0; i < COUNT_OF(known); i++)
            if (type_is_named(type, known[i].name)) {
                *size = known[i].size;
                return true;
            }
        return false;
    }
    if (type->decl->kind != DECL_STRUCT)
        return false;
    for (int64_t i = 0; i < type->decl->item->structure.fields.count; i++) {
        Type *field = value_item_type(trace, type, VALUE_NOTHING, i);
        if (!field || !size_of_type(trace, field, &part, &part_align))
            return false;
        *size += part;
        *align = max_i64(*align, part_align);
    }
    *size = align_up(*size, *align);
    return true;
}

bool room_to_look(const Trace *trace, Int128 count)
{
    enum { MOST_LOOKED_AT = 1 << 20 };
    return trace->run || count <= MOST_LOOKED_AT;
}

Int128 iter_expected(const Iter *iter)
{
    Int128 size = iter->is_open ? (Int128)UINT64_MAX : iter_size(iter);
    return size < 0 ? 0 : size;
}

bool room_for(Trace *trace, Int128 count, Type *item, Span span)
{
    static const Int128 address_space = (Int128)1 << 47; // of a machine of today
    int64_t size = 1, align;
    if (!trace->run || trace->flow != FLOW_ON)
        return trace->flow == FLOW_ON;
    if (item && !size_of_type(trace, item, &size, &align))
        size = 1;
    if (count > (Int128)UINT64_MAX)
        count = (Int128)UINT64_MAX;
    Int128 bytes = count * size, held = count * (item ? (Int128)sizeof(Value) : 1);
    if (bytes > INT64_MAX)
        trace_panic(trace, span, STR("capacity overflow"));
    else if (bytes > address_space)
        trace_panic_words(trace, span, "memory allocation of {} bytes failed", (int64_t)bytes);
    else if (held > address_space) // of a type without a size, or of a small one
        trace_panic_words(trace, span, "there is no memory for {} values",
                          (unsigned long long)count);
    return trace->flow == FLOW_ON;
}

NATIVE(system_first_arg)
{
    *result = call->args[0];
    return true;
}

NATIVE(system_stripped)
{
    *result = std_arg(call, 0);
    return true;
}

NATIVE(system_do_nothing)
{
    (void)call;
    return std_unit(result);
}

NATIVE(system_drop_argument)
{
    Value gone = call->args[0];
    if (call->trace->run)
        value_drop(call->trace, &gone);
    return std_unit(result);
}

NATIVE(system_ok_unit)
{
    *result = ok_value(call->trace, unit_value());
    return true;
}

NATIVE(system_flush)
{
    const Run *run = call->trace->run;
    if (run && run->print)
        run->print(run->own, STR(""), false);
    return native_system_ok_unit(call, result);
}

// ---- std::mem

NATIVE(system_swap)
{
    Value *a = std_place(call, 0), *b = std_place(call, 1);
    if (!a || !b)
        return false;
    Value first = *a;
    *a = *b;
    *b = first;
    return std_unit(result);
}

NATIVE(system_replace)
{
    Value *place = std_place(call, 0);
    if (!place)
        return false;
    *result = *place;
    *place = call->args[1];
    return true;
}

NATIVE(system_size_of)
{
    int64_t size, align;
    Type *type = std_generic(call, 0);
    Value value = call->count ? std_arg(call, 0) : VALUE_NOTHING;
    if (!type || !size_of_type(call->trace, type, &size, &align)) {
        bool slice = type && type->kind == TYPE_SLICE && value.kind == VALUE_LIST &&
                     size_of_type(call->trace, type->args[0], &size, &align);
        if (!slice)
            return false;
        size *= value.list->count;
    }
    *result = value_int(call->op ? align : size);
    return true;
}

// ---- time and the world outside

NATIVE(system_now)
{
    if (!call->trace->run)
        return false;
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    *result = value_real((double)time.tv_sec + (double)time.tv_nsec * 1e-9);
    return true;
}

NATIVE(system_elapsed)
{
    Value start = std_arg(call, 0), end;
    if (start.kind != VALUE_FLOAT || !native_system_now(call, &end))
        return false;
    *result = value_real(end.real - start.real);
    return true;
}

// Where a program prints, as a value: its type says all.
NATIVE(system_new_unit)
{
    *result = (Value){.kind = VALUE_VARIANT, .variant = {type_of(call->type)->decl, NULL}};
    return true;
}

// ---- tokio

NATIVE(system_joined)
{
    *result = ok_value(call->trace, call->args[0]);
    return true;
}

// The output of a thread is there as soon as it is asked for: it ran when it was started.
NATIVE(system_spawn_thread)
{
    Value closure = call->args[0];
    *result = std_apply(call, closure, NULL, 0);
    if (call->trace->run && follows_drops(call->trace)) // what it took ends with it
        value_drop(call->trace, &closure);
    return true;
}

// ---- arguments and files

NATIVE(system_args)
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
NATIVE(system_no_variable)
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

NATIVE(system_read_file)
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
NATIVE(system_refuse)
{
    const char *scope = call->use->decl->scope->name;
    Decl *decl = call->use->decl;
    const char *owner = decl->impl && decl->impl->self && decl->impl->self->kind == TYPE_NAMED
                            ? decl->impl->self->decl->name
                            : scope;
    return std_panic(call, result, "`{}::{}` is not available to programs that run in here", owner,
                     call->name);
}
