// Tensors of the host in a running program: HostTensor is a tensor of the program with an array
// behind it, Tensor an array under a mapping. What of an array lies where is the business of
// oracle/array.h.
#include "lang/host/run_internal.h"

#include "base/checked.h"
#include "base/heap.h"
#include "lang/std/std.h"

#include <assert.h>
#include <string.h>

// ---- from and to values

Value host_tensor_value(const Call *call, Type *type, Array *array, const Dim *dim)
{
    Trace *trace = call->trace;
    if (!array)
        return poison_value();
    if (!type_is_named(type, "HostTensor"))
        return host_array_value(trace, array, &dim->mapping);
    Value tensor = new_tensor(trace, type, ORIGIN_PARAM, VALUE_NOTHING, NULL, call_span(call));
    return tensor.kind == VALUE_TENSOR ? run_bind(trace, tensor.tensor, array, call_span(call))
                                       : tensor;
}

Value host_array_value(Trace *trace, Array *array, const Mapping *mapping)
{
    assert(mapping);
    HostArray *host = arena_new(trace->lang->arena, HostArray, 1);
    *host = (HostArray){.array = array, .mapping = *mapping};
    return (Value){.kind = VALUE_ARRAY, .array = host};
}

bool host_array_peek(Trace *trace, Value value, HostArray *host)
{
    value = value_strip(value);
    if (value.kind == VALUE_ARRAY) {
        host_take_back(value.array);
        *host = *value.array;
        return true;
    }
    if (value.kind != VALUE_TENSOR || value.tensor->tier != TIER_HOST)
        return false;
    *host = (HostArray){.array = run_tensor_array(trace, value.tensor),
                        .mapping = value.tensor->dims[LEVEL_ELEMENT]->mapping};
    return host->array != NULL;
}

bool host_array_of(Trace *trace, Value value, HostArray *host)
{
    value = value_strip(value);
    if (value.kind == VALUE_TENSOR)
        run_keep_tensor(trace, value.tensor);
    return host_array_peek(trace, value, host);
}

// A RawTensor has the axes of the mapping that it is made by, or those of what it comes from.
static bool raw_result_array(const Call *call, Type *type, HostArray *host)
{
    Arena *arena = call->trace->lang->arena;
    const Dim *made_by = call_dim(call, "Mapping");
    Scalar scalar;
    if (!scalar_of_type(type->args[0], &scalar) ||
        (!made_by && !host_array_of(call->trace, call->args[0], host)))
        return false;
    Mapping mapping = made_by ? made_by->mapping : host_raw_mapping(arena, host->array);
    Array *array = run_array(call->trace, scalar, &mapping, call_span(call));
    if (array)
        *host = (HostArray){.array = array, .mapping = host_raw_mapping(arena, array)};
    return array != NULL;
}

// The array that the result of the call is to be, still without values.
bool host_result_array(const Call *call, HostArray *host, const Dim **dim)
{
    Scalar scalar;
    *dim = NULL;
    if (type_is_named(type_strip(call_type(call)), "RawTensor"))
        return raw_result_array(call, type_strip(call_type(call)), host);
    if (!host_shape(call->trace, call_type(call), &scalar, dim))
        return false;
    *host = (HostArray){
        .array = run_array(call->trace, scalar, &(*dim)->mapping, call_span(call)),
        .mapping = (*dim)->mapping,
    };
    return host->array != NULL;
}

// Values in the order of positions, for the time of a call.
typedef struct {
    uint32_t *bits;
    uint8_t *live;
    int64_t count;
} Buffer;

static Buffer buffer_new(const Call *call, const Mapping *mapping)
{
    int64_t count = mapping_live_positions(call->trace->lang->arena, mapping);
    Buffer buffer = {.count = count};
    if (count >= 0) {
        buffer.bits = heap_new(sizeof *buffer.bits * (size_t)count + 1);
        buffer.live = heap_new((size_t)count + 1);
    }
    if (!buffer.bits || !buffer.live)
        trace_panic(call->trace, call_span(call), STR("there is no memory for the values"));
    return buffer;
}

static void buffer_free(Buffer *buffer)
{
    heap_free(buffer->bits);
    heap_free(buffer->live);
}

// ---- from_buf, to_buf

static bool read_values(const Call *call, const ValueList *list, Scalar type, const Buffer *buffer)
{
    if (list->count < buffer->count) {
        trace_panic_words(call->trace, call_span(call),
                          "from_buf got {} values for a tensor of {} elements", list->count,
                          buffer->count);
        return false;
    }
    for (int64_t i = 0; i < buffer->count; i++)
        if (!opt_bits(list->items[i], type, &buffer->bits[i], &buffer->live[i]))
            return false;
    return true;
}

static Value from_buf(const Call *call)
{
    HostArray host;
    const Dim *dim;
    Value data = call_arg(call, "data");
    if (data.kind != VALUE_LIST || !host_result_array(call, &host, &dim))
        return poison_value();
    Buffer buffer = buffer_new(call, &host.mapping);
    bool fits = call->trace->flow == FLOW_ON &&
                read_values(call, data.list, host.array->type, &buffer) &&
                array_write(host.array, &host.mapping, buffer.bits, buffer.live, NULL);
    buffer_free(&buffer);
    return fits ? host_tensor_value(call, call_type(call), host.array, dim) : poison_value();
}

static Value to_buf(const Call *call)
{
    HostArray host;
    if (!host_array_peek(call->trace, call->args[0], &host))
        return VALUE_NOTHING;
    Buffer buffer = buffer_new(call, &host.mapping);
    Value list = new_list(call->trace, buffer.count);
    if (call->trace->flow == FLOW_ON &&
        array_read(host.array, &host.mapping, buffer.bits, buffer.live, NULL))
        for (int64_t i = 0; i < buffer.count; i++)
            list_push(call->trace, list.list,
                      opt_value(call->trace, host.array->type, buffer.bits[i], buffer.live[i]));
    buffer_free(&buffer);
    return list;
}

// ---- whole tensors

static Value zero(const Call *call)
{
    HostArray host;
    const Dim *dim;
    if (!host_result_array(call, &host, &dim))
        return poison_value();
    memset(host.array->live, 1, (size_t)host.array->count);
    return host_tensor_value(call, call_type(call), host.array, dim);
}

static Value uninit(const Call *call)
{
    HostArray host;
    const Dim *dim;
    bool made = host_result_array(call, &host, &dim);
    return made ? host_tensor_value(call, call_type(call), host.array, dim) : poison_value();
}

static Value random_elements(const Call *call)
{
    HostArray host;
    const Dim *dim;
    Value rng = call_arg(call, "rng");
    if (rng.kind != VALUE_RNG || !host_result_array(call, &host, &dim))
        return poison_value();
    const OracleOptions *run = &call->trace->run->oracle;
    bool is_drawn = array_draw(host.array, rng.rng, &(Canceller){run->is_cancelled, run->own});
    if (!is_drawn && trace_interrupted_now(call->trace, call_span(call)))
        return poison_value();
    if (!is_drawn)
        return trace_panic_words(call->trace, call_span(call),
                                 "there are no random numbers of type {}",
                                 scalar_name(host.array->type));
    return host_tensor_value(call, call_type(call), host.array, dim);
}

// The same array under another name: HostTensor to Tensor and back, another mapping.
static Value rename_array(const Call *call, Value from)
{
    HostArray host;
    Scalar scalar;
    const Dim *dim;
    if (!host_array_of(call->trace, from, &host) ||
        !host_shape(call->trace, call_type(call), &scalar, &dim))
        return VALUE_NOTHING;
    Value renamed = host_tensor_value(call, call_type(call), host.array, dim);
    if (renamed.kind == VALUE_TENSOR)
        run_keep_tensor(call->trace, renamed.tensor);
    return renamed;
}

static Value into_inner(const Call *call)
{
    return rename_array(call, call->args[0]);
}

static Value from_tensor(const Call *call)
{
    return rename_array(call, call->args[0]);
}

// A Tensor becomes a HostTensor; what else `into` does is not our business.
static Value convert_tensor(const Call *call)
{
    bool host = type_is_named(type_strip(call_type(call)), "HostTensor");
    return host ? rename_array(call, call->args[0]) : VALUE_NOTHING;
}

static Value clone(const Call *call)
{
    HostArray host;
    Scalar scalar;
    const Dim *dim;
    Value self = value_strip(call->args[0]);
    if (self.kind == VALUE_TENSOR && self.tensor->tier != TIER_HOST) // a copy of the handle
        return copy_value(call->trace, self);
    if (!host_array_peek(call->trace, self, &host) ||
        !host_shape(call->trace, call_type(call), &scalar, &dim))
        return value_clone(call->trace, call->args[0], type_strip(call_type(call)));
    Array *copy = run_keep(call->trace, array_clone(host.array));
    Value made = host_tensor_value(call, call_type(call), copy, dim);
    if (made.kind == VALUE_ARRAY) {
        made.array->offsets = host.offsets;
        made.array->offset_count = host.offset_count;
        made.array->whole = host.whole;
    }
    return made;
}

// Bytes of all chips together; an i4 counts as one.
static Value hbm_size(const Call *call)
{
    Tensor tensor = {0};
    int64_t size;
    if (!call->use->self || !tensor_shape(call->trace, call->use->self, &tensor) ||
        !shape_size(tensor.dims, &size))
        return VALUE_NOTHING;
    return value_int(size * ((scalar_traits[tensor.type].storage_bits + 7) / 8));
}

// Bytes of so many elements, or elements of so many bytes: whole ones.
static Value convert_length(const Call *call, bool to_bytes)
{
    Scalar scalar;
    MaybeInt count = maybe_int(call_arg(call, to_bytes ? "length" : "bytes"));
    if (!call->use->self || !scalar_of_type(call->use->self, &scalar) || !count.known)
        return VALUE_NOTHING;
    int64_t bits = scalar_traits[scalar].bits, from = to_bytes ? bits : 8, to = to_bytes ? 8 : bits;
    int64_t total;
    if (!checked_mul(count.value, from, &total) || total % to)
        return trace_panic_words(
            call->trace, call_span(call), "{} {} of {} are no whole number of {}", count.value,
            to_bytes ? "elements" : "bytes", scalar_name(scalar), to_bytes ? "bytes" : "elements");
    return value_int(total / to);
}

static Value bytes_of_length(const Call *call)
{
    return convert_length(call, true);
}

static Value length_of_bytes(const Call *call)
{
    return convert_length(call, false);
}

static Value trf_capacity(const Call *call)
{
    const Machine *machine = call->trace->run->builder.machine;
    Decl *part = value_variant(value_strip(call->args[0]));
    if (!part)
        return VALUE_NOTHING;
    bool full = strcmp(part->name, "Full") == 0;
    return value_int(full ? machine->trf_bytes_per_slice : machine->trf_half_bytes);
}

static const BuiltinRow rows[] = {
    {"HostTensor", "from_buf", from_buf},
    {"Tensor", "from_buf", from_buf},
    {"HostTensor", "to_buf", to_buf},
    {"Tensor", "to_buf", to_buf},
    {"HostTensor", "zero", zero},
    {"Tensor", "zero", zero},
    {"HostTensor", "uninit", uninit},
    {"Tensor", "uninit", uninit},
    {"HostTensor", "rand", random_elements},
    {"Tensor", "rand", random_elements},
    {"HostTensor", "into_inner", into_inner},
    {"HostTensor", "from", from_tensor},
    {"HbmTensor", "size", hbm_size},
    {"Scalar", "size_in_bytes_from_length", bytes_of_length},
    {"Scalar", "length_from_bytes", length_of_bytes},
    {"TrfAddress", "capacity", trf_capacity},
    {"Any", "clone", clone},
    {"Any", "into", convert_tensor},
};

const BuiltinRows host_tensor_rows = {rows, COUNT_OF(rows)};
