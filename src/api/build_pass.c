// Passes of a program that is built: the stages from begin to what stores the stream.
#include "api/build.h"
#include "api/sized.h"

ContraStatus contra_begin(ContraTensor *from, const char *context, ContraStream **stream)
{
    return build_begin(build_program_of(from), context,
                       (const Part[]){TEXT("  begin"), TENSOR(from), END_OF_LINE}, stream);
}

ContraStatus contra_begin_interleaved(ContraTensor *first, ContraTensor *second, const char *axis,
                                      const char *context, ContraStream **stream)
{
    const Part parts[] = {TEXT("  begin_interleaved"), NEEDED("the axis", axis), TENSOR(first),
                          TENSOR(second), END_OF_LINE};
    return build_begin(build_program_of(first), context, parts, stream);
}

// ---- streams from outside

ContraStatus contra_input(ContraProgram *program, const char *context,
                          const ContraStreamType *given, ContraStream **stream)
{
    if (stream)
        *stream = NULL;
    ContraStreamType type;
    PROGRAM_ENTER(program);
    if (!sized_take(program->contra, SIZED_ContraStreamType, given, &type)) {
        program->refused = true;
        return CONTRA_INVALID;
    }
    const Part parts[] = {TEXT("  input"),
                          NEEDED("the kind of the stream", type.kind),
                          NEEDED("the type of the stream", type.type),
                          DIM("chip", type.chip),
                          DIM("cluster", type.cluster),
                          DIM("slice", type.slice),
                          DIM("row", type.row),
                          DIM("time", type.time),
                          DIM("packet", type.packet),
                          TEXT(type.stage ? " stage" : NULL),
                          WORD(type.stage),
                          TEXT(type.entry ? " entry" : NULL),
                          WORD(type.entry),
                          TEXT(type.stash ? " stash" : NULL),
                          TEXT(type.way4 ? " way4" : NULL),
                          TEXT(type.inter_first ? " inter_first" : NULL),
                          TEXT(type.zipped ? " zipped" : NULL),
                          END_OF_LINE};
    return build_begin(program, context, parts, stream);
}

ContraStatus contra_leave_open(ContraStream *stream)
{
    return build_stage(stream, (const Part[]){TEXT("  open"), END_OF_LINE}, NULL);
}

// ---- stages

ContraStatus contra_fetch(ContraStream *stream, const char *type, const char *time,
                          const char *packet, const ContraFetchOptions *options)
{
    ContraFetchOptions whole;
    if (!stream)
        return CONTRA_INVALID;
    PROGRAM_ENTER(stream->program);
    if (!sized_take(stream->program->contra, SIZED_ContraFetchOptions, options, &whole))
        return build_refuse(stream);
    const Part parts[] = {TEXT("  fetch"),
                          NEEDED("the type", type),
                          DIM("time", time),
                          DIM("packet", packet),
                          {.kind = PART_FETCH, .data = &whole},
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_switch(ContraStream *stream, const char *topology, const int64_t *numbers,
                           int64_t count, const char *slice, const char *time)
{
    const Part parts[] = {
        TEXT("  switch"),
        {.kind = PART_SWITCH, .given = topology, .data = numbers, .number = count},
        DIM("slice", slice),
        DIM("time", time),
        END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_collect(ContraStream *stream, const char *time, const char *packet)
{
    const Part parts[] = {TEXT("  collect"), DIM("time", time), DIM("packet", packet), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_transpose(ContraStream *stream, const char *time, const char *packet)
{
    const Part parts[] = {TEXT("  transpose"), DIM("time", time), DIM("packet", packet),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_align(ContraStream *stream, ContraTensor *trf, const char *time,
                          const char *packet)
{
    const Part parts[] = {TEXT("  align"), TENSOR(trf), DIM("time", time), DIM("packet", packet),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_contract(ContraStream *stream, const char *packet)
{
    const Part parts[] = {TEXT("  contract"), DIM("packet", packet), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_accumulate(ContraStream *stream, const char *kind, const char *time,
                               const char *packet)
{
    const Part parts[] = {TEXT("  accumulate"), NEEDED("the kind of accumulation", kind),
                          DIM("time", time), DIM("packet", packet), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

ContraStatus contra_cast(ContraStream *stream, const char *type, const char *packet)
{
    const Part parts[] = {TEXT("  cast"), NEEDED("the type", type), DIM("packet", packet),
                          END_OF_LINE};
    return build_stage(stream, parts, NULL);
}

// ---- ends

static ContraStatus store(ContraStream *stream, const char *method, const char *name,
                          const ContraLayout *layout, ContraTensor **tensor)
{
    const Part parts[] = {TEXT(method), TEXT(" ->"), NEW(name), LAYOUT(layout), END_OF_LINE};
    return build_stage(stream, parts, tensor);
}

ContraStatus contra_commit(ContraStream *stream, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    return store(stream, "  commit", name, &layout, tensor);
}

ContraStatus contra_to_trf(ContraStream *stream, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    return store(stream, "  to_trf", name, &layout, tensor);
}

ContraStatus contra_to_vrf(ContraStream *stream, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    return store(stream, "  to_vrf", name, &layout, tensor);
}

ContraStatus contra_commit_view(ContraStream *stream, ContraTensor *to)
{
    const Part parts[] = {TEXT("  commit_view ->"), TENSOR(to), END_OF_LINE};
    return build_stage(stream, parts, NULL);
}
