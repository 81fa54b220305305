// Files of named arrays in a running program. A file is a list of (name, view), a view the list of
// its dtype, its shape and its bytes: as a text, since as a list they take some thirty times as
// much.
#include "lang/host/run_internal.h"

#include "base/checked.h"
#include "base/safetensors.h"
#include "lang/std/std.h"

enum { VIEW_DTYPE, VIEW_SHAPE, VIEW_DATA, VIEW_PARTS };

static Value fail(const Call *call, Str words)
{
    Decl *result = type_strip(call_type(call))->decl;
    Value message = {.kind = VALUE_STRING, .text = words};
    return variant_value(call->trace, enum_variant(result, lang_name(call->trace->lang, "Err")),
                         &message, 1);
}

static Value succeed(const Call *call, Value value)
{
    Decl *result = type_strip(call_type(call))->decl;
    return variant_value(call->trace, enum_variant(result, lang_name(call->trace->lang, "Ok")),
                         &value, 1);
}

static Str bytes_of(Trace *trace, const ValueList *list)
{
    char *bytes = arena_new(trace->lang->arena, char, (size_t)list->count + 1);
    for (int64_t i = 0; i < list->count; i++)
        bytes[i] = (char)value_strip(list->items[i]).integer;
    return (Str){bytes, list->count};
}

static Value dtype_value(Trace *trace, ElementType type)
{
    Lang *lang = trace->lang;
    AstName names[] = {{lang_name(lang, "safetensors"), SPAN_NOWHERE},
                       {lang_name(lang, "Dtype"), SPAN_NOWHERE}};
    int64_t used;
    Decl *dtype =
        module_resolve(lang, lang->builtin, false, names, 2, SPACE_TYPE, (OwnNames){0}, &used);
    Decl *variant = dtype ? enum_variant(dtype, lang_name(lang, element_infos[type].tag)) : NULL;
    return variant ? (Value){.kind = VALUE_VARIANT, .variant = {variant, NULL}} : VALUE_NOTHING;
}

static Value view_value(Trace *trace, const NdArray *array)
{
    Value parts[VIEW_PARTS] = {dtype_value(trace, array->type), new_list(trace, array->rank)};
    for (int64_t i = 0; i < array->rank; i++)
        list_push(trace, parts[VIEW_SHAPE].list, value_int(array->shape[i]));
    Str data = {(const char *)array->data, array->count * element_infos[array->type].bytes};
    parts[VIEW_DATA] = value_text(data);
    return list_value(trace, parts, VIEW_PARTS);
}

static Value deserialize(const Call *call)
{
    Trace *trace = call->trace;
    Value bytes = call_arg(call, "bytes");
    NamedArrays arrays;
    Fault fault;
    if (bytes.kind != VALUE_LIST)
        return VALUE_NOTHING;
    if (!safetensors_parse(trace->lang->arena, bytes_of(trace, bytes.list), &arrays, &fault))
        return fail(call, str_copy(trace->lang->arena, str_from(fault.text)));
    Value file = new_list(trace, arrays.count);
    for (int64_t i = 0; i < arrays.count; i++) {
        Value pair[] = {{.kind = VALUE_STRING, .text = str_from(arrays.items[i].name)},
                        view_value(trace, &arrays.items[i].array)};
        list_push(trace, file.list, list_value(trace, pair, 2));
    }
    return succeed(call, file);
}

static Value tensor(const Call *call)
{
    Value file = value_strip(call->args[0]), name = call_arg(call, "name");
    if (file.kind != VALUE_LIST || name.kind != VALUE_STRING)
        return VALUE_NOTHING;
    for (int64_t i = 0; i < file.list->count; i++) {
        const Value *pair = file.list->items[i].list->items;
        if (str_equal(pair[0].text, name.text))
            return succeed(call, pair[1]);
    }
    return fail(call, str_format(call->trace->lang->arena, "TensorNotFound(\"{}\")", name.text));
}

static Value names(const Call *call)
{
    Value file = value_strip(call->args[0]), list = new_list(call->trace, 0);
    for (int64_t i = 0; file.kind == VALUE_LIST && i < file.list->count; i++)
        list_push(call->trace, list.list, file.list->items[i].list->items[0]);
    return list;
}

static Value count(const Call *call)
{
    Value file = value_strip(call->args[0]);
    return file.kind == VALUE_LIST ? value_int(file.list->count) : VALUE_NOTHING;
}

static ValueList *view_of(const Call *call)
{
    Value view = value_strip(call->args[0]);
    return view.kind == VALUE_LIST && view.list->count == VIEW_PARTS ? view.list : NULL;
}

static Value shape(const Call *call)
{
    ValueList *view = view_of(call);
    return view ? (Value){.kind = VALUE_REF, .place = &view->items[VIEW_SHAPE]} : VALUE_NOTHING;
}

static Value data(const Call *call)
{
    ValueList *view = view_of(call);
    return view ? bytes_value(call->trace, view->items[VIEW_DATA].text) : VALUE_NOTHING;
}

static Value dtype(const Call *call)
{
    ValueList *view = view_of(call);
    return view ? view->items[VIEW_DTYPE] : VALUE_NOTHING;
}

// ---- a tensor of one of them

// The sizes of the parts of a mapping as written, outermost first, are the shape.
static void add_sizes(Trace *trace, ValueList *sizes, const Expr *expr)
{
    if (expr->kind != EXPR_PAIR)
        list_push(trace, sizes, value_int(expr->size));
    for (int64_t i = 0; expr->kind == EXPR_PAIR && i < expr->count; i++)
        add_sizes(trace, sizes, expr->items[i]);
}

static bool same_sizes(const ValueList *a, const ValueList *b)
{
    bool same = a->count == b->count;
    for (int64_t i = 0; same && i < a->count; i++)
        same = value_strip(a->items[i]).integer == value_strip(b->items[i]).integer;
    return same;
}

static void print_sizes(StrBuf *out, const ValueList *sizes)
{
    buf_add_char(out, '[');
    for (int64_t i = 0; i < sizes->count; i++)
        buf_format(out, "{}{}", i ? ", " : "", value_strip(sizes->items[i]).integer);
    buf_add_char(out, ']');
}

// The name of the error, and what does not fit: the library has only the name.
static Value invalid(const Call *call, const ValueList *found, const ValueList *wanted,
                     Scalar scalar)
{
    StrBuf words = {.arena = call->trace->lang->arena};
    buf_format(&words, "TensorInvalidInfo: the array has shape ");
    print_sizes(&words, found);
    if (same_sizes(found, wanted)) {
        buf_format(&words, ", as the tensor, but not the bytes of {}", scalar_name(scalar));
    } else {
        buf_format(&words, ", the tensor ");
        print_sizes(&words, wanted);
    }
    return fail(call, buf_str(&words));
}

static Value from_safetensors(const Call *call)
{
    Trace *trace = call->trace;
    const ValueList *view = view_of(call);
    Type *result = type_strip(call_type(call)), *type = type_of(result->args[0]);
    Scalar scalar;
    const Dim *dim;
    int64_t size;
    if (!view || !host_shape(trace, type, &scalar, &dim))
        return VALUE_NOTHING;
    Str bytes = view->items[VIEW_DATA].text;
    const ValueList *dims = view->items[VIEW_SHAPE].list;
    Value wanted = new_list(trace, 0);
    add_sizes(trace, wanted.list, dim->expr);
    if (!same_sizes(dims, wanted.list) || !scalar_storage_bytes(scalar, dim->mapping.size, &size) ||
        size != bytes.len)
        return invalid(call, dims, wanted.list, scalar);
    Array *array = run_array(trace, scalar, &dim->mapping, call_span(call));
    int64_t live = mapping_live_positions(trace->lang->arena, &dim->mapping);
    if (!array || live < 0)
        return poison_value();
    uint32_t *values = arena_new(trace->lang->arena, uint32_t, (size_t)live + 1);
    scalar_unpack(scalar, (const uint8_t *)bytes.data, 0, live, values);
    if (!array_write(array, &dim->mapping, values, NULL, NULL))
        return poison_value();
    return succeed(call, host_tensor_value(call, type, array, dim));
}

static const BuiltinRow rows[] = {
    {"SafeTensors", "deserialize", deserialize},
    {"SafeTensors", "tensor", tensor},
    {"SafeTensors", "names", names},
    {"SafeTensors", "len", count},
    {"TensorView", "shape", shape},
    {"TensorView", "data", data},
    {"TensorView", "dtype", dtype},
    {"HostTensor", "from_safetensors", from_safetensors},
};

const BuiltinRows host_safetensors_rows = {rows, COUNT_OF(rows)};
