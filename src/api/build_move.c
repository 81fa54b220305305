// Moves of a program that is built: by DMA, between clusters and chips, by an index.
#include "api/build.h"

#define CONTEXT(context, method, from)                                             \
    {                                                                              \
        .kind = PART_CONTEXT, .given = (context), .text = (method), .data = (from) \
    }

// context method source clauses -> name = layout: the clauses are parts before an END_OF_LINE
static ContraStatus make(const ContraTensor *from, const char *context, const char *method,
                         const Part *clauses, const char *name, const ContraLayout *layout,
                         ContraTensor **tensor)
{
    enum { MOST_CLAUSES = 4 };
    Part parts[MOST_CLAUSES + 7] = {CONTEXT(context, method, from), TEXT(method), TENSOR(from)};
    Part *next = parts + 3;
    for (; clauses && clauses->kind != PART_END; clauses++)
        *next++ = *clauses;
    *next++ = (Part)TEXT(" ->");
    *next++ = (Part)NEW(name);
    *next++ = (Part)LAYOUT(layout);
    return build_line(build_program_of(from), NULL, parts, tensor);
}

static ContraStatus write_to(const ContraTensor *from, const char *context, const char *method,
                             const ContraTensor *to)
{
    const Part parts[] = {CONTEXT(context, method, from),
                          TEXT(method),
                          TENSOR(from),
                          TEXT(" ->"),
                          TENSOR(to),
                          END_OF_LINE};
    return build_line(build_program_of(from), NULL, parts, NULL);
}

ContraStatus contra_to_host(ContraTensor *from, const char *context, const char *name,
                            ContraLayout layout, ContraTensor **tensor)
{
    return make(from, context, " to_host", NULL, name, &layout, tensor);
}

ContraStatus contra_to_hbm(ContraTensor *from, const char *context, const char *name,
                           ContraLayout layout, ContraTensor **tensor)
{
    return make(from, context, " to_hbm", NULL, name, &layout, tensor);
}

ContraStatus contra_to_dm(ContraTensor *from, const char *context, const char *name,
                          ContraLayout layout, ContraTensor **tensor)
{
    return make(from, context, " to_dm", NULL, name, &layout, tensor);
}

ContraStatus contra_to_hbm_view(ContraTensor *from, const char *context, ContraTensor *to)
{
    return write_to(from, context, " to_hbm_view", to);
}

ContraStatus contra_to_dm_view(ContraTensor *from, const char *context, ContraTensor *to)
{
    return write_to(from, context, " to_dm_view", to);
}

ContraStatus contra_to_dm_pcopy(ContraTensor *from, const char *context, ContraTensor *to)
{
    return write_to(from, context, " to_dm_pcopy", to);
}

ContraStatus contra_to_dm_view_pcopy(ContraTensor *from, const char *context, ContraTensor *to)
{
    return write_to(from, context, " to_dm_view_pcopy", to);
}

// ---- between clusters and chips

ContraStatus contra_dm_cluster_shuffle(ContraTensor *from, const char *context,
                                       ContraPattern pattern, const char *name, ContraLayout layout,
                                       ContraTensor **tensor)
{
    const Part clauses[] = {PATTERN(&pattern), END_OF_LINE};
    return make(from, context, " dm_cluster_shuffle", clauses, name, &layout, tensor);
}

ContraStatus contra_dm_chip_shuffle(ContraTensor *from, const char *context, ContraPattern pattern,
                                    const char *name, ContraLayout layout, ContraTensor **tensor)
{
    const Part clauses[] = {PATTERN(&pattern), END_OF_LINE};
    return make(from, context, " dm_chip_shuffle", clauses, name, &layout, tensor);
}

ContraStatus contra_hbm_cluster_shuffle(ContraTensor *from, const char *context,
                                        ContraPattern pattern, const char *name,
                                        ContraLayout layout, ContraTensor **tensor)
{
    const Part clauses[] = {PATTERN(&pattern), END_OF_LINE};
    return make(from, context, " hbm_cluster_shuffle", clauses, name, &layout, tensor);
}

ContraStatus contra_hbm_chip_shuffle(ContraTensor *from, const char *context, ContraPattern pattern,
                                     const char *name, ContraLayout layout, ContraTensor **tensor)
{
    const Part clauses[] = {PATTERN(&pattern), END_OF_LINE};
    return make(from, context, " hbm_chip_shuffle", clauses, name, &layout, tensor);
}

ContraStatus contra_parallel_copy_cluster_slice(ContraTensor *from, const char *context,
                                                const char *key, const char *sliced,
                                                ContraPattern pattern, const char *name,
                                                ContraLayout layout, ContraTensor **tensor)
{
    const Part clauses[] = {DIM("key", key), DIM("sliced", sliced), PATTERN(&pattern), END_OF_LINE};
    return make(from, context, " parallel_copy_cluster_slice", clauses, name, &layout, tensor);
}

ContraStatus contra_parallel_copy_chip_slice(ContraTensor *from, const char *context,
                                             const char *key, const char *sliced,
                                             ContraPattern pattern, const char *name,
                                             ContraLayout layout, ContraTensor **tensor)
{
    const Part clauses[] = {DIM("key", key), DIM("sliced", sliced), PATTERN(&pattern), END_OF_LINE};
    return make(from, context, " parallel_copy_chip_slice", clauses, name, &layout, tensor);
}

// ---- by an index

ContraStatus contra_dma_scatter(ContraTensor *from, const char *context, ContraTensor *index,
                                const char *key, bool scaled, ContraTensor *to)
{
    const Part parts[] = {CONTEXT(context, " dma_scatter", from),
                          TEXT(" dma_scatter"),
                          TENSOR(from),
                          TEXT(" index"),
                          TENSOR(index),
                          DIM("key", key),
                          TEXT(scaled ? " scaled ->" : " ->"),
                          TENSOR(to),
                          END_OF_LINE};
    return build_line(build_program_of(from), NULL, parts, NULL);
}

ContraStatus contra_dma_gather(ContraTensor *from, const char *context, ContraTensor *index,
                               const char *name, ContraLayout layout, ContraTensor **tensor)
{
    const Part clauses[] = {TEXT(" index"), TENSOR(index), END_OF_LINE};
    return make(from, context, " dma_gather", clauses, name, &layout, tensor);
}
