// The mappings that a stage would need, as far as they follow from the stream. Each is the plainest
// one that the rules of its engine take: the rest is for whoever writes.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"

#include "engine/engine.h"
#include "engine/shape.h"
#include "engine/vector/vector.h"
#include "lang/eval/trace_internal.h"

#include <string.h>

CallSource call_source(Completion *completion, const AstExpr *receiver, Type *type)
{
    CallSource source = {.completion = completion, .receiver = receiver};
    if (!type || !shape_of_type(type, &source.in))
        source.in = (Shape){.scalar = SCALAR_NONE};
    return source;
}

Arena *source_arena(const CallSource *source)
{
    return source->completion->arena;
}

const Machine *source_machine(const CallSource *source)
{
    return &source->completion->query->analysis->contra->machine;
}

bool mapping_of_dim(Arena *arena, const Type *dim, Mapping *mapping)
{
    if (!dim || dim->kind != TYPE_MAPPING || dim->expr->kind == EXPR_POISON)
        return false;
    *mapping = mapping_of_expr(arena, dim->expr);
    return true;
}

bool source_mapping(const CallSource *source, Level level, Mapping *mapping)
{
    return mapping_of_dim(source_arena(source), source->in.dims[level], mapping);
}

// ---- contractions

// Elements of the TRF tensor that is at hand; NULL: there is none.
static const Type *trf_element(const CallSource *source)
{
    Type *type = local_of_type(source->completion, "TrfTensor", source->in.scalar, NULL);
    Shape shape;
    return type && shape_of_type(type, &shape) ? shape.dims[LEVEL_ELEMENT] : NULL;
}

// The axes that a contraction adds up: those that its packets had before.
static AtomList summed_axes(const CallSource *source, const Mapping *left)
{
    Arena *arena = source_arena(source);
    const AstExpr *expr = source->receiver;
    AtomList summed = {0}, kept = shape_axes(arena, left);
    Shape shape = {0};
    while (expr && !type_is_named(type_in_body(source->completion, expr), "AlignedPair"))
        expr = before_in_chain(source->completion, expr);
    Mapping packet;
    if (!expr || !shape_of_type(type_in_body(source->completion, expr), &shape) ||
        !mapping_of_dim(arena, shape.dims[LEVEL_PACKET], &packet))
        return summed;
    AtomList axes = shape_axes(arena, &packet);
    for (int64_t i = 0; i < axes.count; i++)
        if (!shape_names(&kept, axes.items[i]->name))
            *array_push(arena, &summed, const Atom *) = axes.items[i];
    return summed;
}

// ---- all stages

// What is known of the stream before a call.
static Proposal proposal_for(const CallSource *source, StageKind kind)
{
    Proposal proposal = {.arena = source_arena(source),
                         .machine = source_machine(source),
                         .kind = kind,
                         .type = SCALAR_COUNT,
                         .config.kind = SWITCH_COUNT};
    if (source->in.scalar != SCALAR_NONE)
        proposal.type = (Scalar)source->in.scalar;
    for (Level level = 0; level < LEVEL_ELEMENT; level++) // Element is that of an argument
        if (source_mapping(source, level, &proposal.dims[level]))
            proposal.known |= 1U << level;
    return proposal;
}

static Proposal proposal_of(const CallSource *source, StageKind kind)
{
    Proposal proposal = proposal_for(source, kind);
    Mapping element;
    if (kind == STAGE_ALIGN && mapping_of_dim(proposal.arena, trf_element(source), &element))
        proposal.weights = arena_copy(proposal.arena, &element, sizeof element);
    if (kind == STAGE_ACCUMULATE && proposal_has_stream(&proposal))
        proposal.summed = summed_axes(source, &proposal.dims[LEVEL_PACKET]);
    return proposal;
}

bool stage_mapping(const CallSource *source, StageKind kind, const char *name, Level level,
                   Mapping *mapping)
{
    Proposal proposal = proposal_of(source, kind);
    bool of_stream = level == LEVEL_TIME || level == LEVEL_PACKET;
    if (of_stream && kind != STAGE_VECTOR_UNZIP && !proposal_has_stream(&proposal))
        return false;
    engine_suggest(&proposal);
    bool tiled = strcmp(name, "TileTime") == 0;
    *mapping = tiled ? proposal.tile_time : proposal.dims[level];
    return proposal.known & 1U << level && mapping->size > 0;
}

bool stage_is_possible(const CallSource *source, StageKind kind)
{
    Proposal proposal = proposal_of(source, kind);
    return engine_suggest(&proposal) && !proposal.refused;
}

bool switch_proposal(const CallSource *source, SwitchKind kind, Proposal *proposal)
{
    *proposal = proposal_for(source, STAGE_SWITCH);
    proposal->config.kind = kind;
    return engine_suggest(proposal);
}

int32_t cast_target(const CallSource *source)
{
    Proposal proposal = proposal_for(source, STAGE_CAST);
    engine_suggest(&proposal);
    return (int32_t)proposal.type;
}

Str axis_argument(const CallSource *source, StageKind kind, const char *name)
{
    const char *pair = kind == STAGE_BEGIN_INTERLEAVED ? axis_of_size(source->completion, 2) : NULL;
    Proposal proposal = proposal_for(source, kind);
    if (pair)
        return str_from(pair);
    const Atom *atom =
        kind == STAGE_VECTOR_UNZIP ? vector_group_axis(&proposal) : vector_packet_axis(&proposal);
    return str_from(atom ? atom->name : name);
}
