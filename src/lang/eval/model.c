// The stand-in types of the chapter on sequencers: a program declares
//
//     struct BufTensor<D: Scalar, Buf: M>(..);
//     struct StreamTensor<D: Scalar, Time: M, Packet: M>(..);
//     impl BufTensor<D, Buf> { fn read<Time: M, Packet: M>(..); fn write<Time: M, Packet: M>(..); }
//
// itself, and a call of `read` or `write` is a walk of a bare sequencer. They are known by these
// names and parameters.
#include "lang/eval/trace_internal.h"

#include <string.h>

static bool is_buffer(const Decl *decl)
{
    Type *self = decl->impl ? decl->impl->self : NULL;
    return self && self->kind == TYPE_NAMED && !self->decl->is_builtin &&
           strcmp(self->decl->name, "BufTensor") == 0 && self->arg_count == 2;
}

static bool takes_stream(const Signature *signature)
{
    int32_t own = signature->own_start;
    return signature->generic_count == own + 2 && signature->kinds[own] == GENERIC_MAPPING &&
           signature->kinds[own + 1] == GENERIC_MAPPING;
}

bool trace_model(Trace *trace, const Decl *decl, Type **generics, Span span)
{
    bool reads = strcmp(decl->name, "read") == 0, writes = strcmp(decl->name, "write") == 0;
    if ((!reads && !writes) || !is_buffer(decl))
        return false;
    const Signature *signature = signature_of(trace->lang, decl);
    if (!takes_stream(signature))
        return false;
    Type *buffer = type_instantiate(trace->lang, signature->self, generics);
    Walk walk = {.buffer = dim_of_type(trace, buffer->args[1]),
                 .time = dim_of_type(trace, generics[signature->own_start]),
                 .packet = dim_of_type(trace, generics[signature->own_start + 1]),
                 .writes = writes,
                 .span = span};
    if (walk.buffer && walk.time && walk.packet && scalar_of_type(buffer->args[0], &walk.type))
        builder_walk(trace->builder, &walk);
    return true;
}
