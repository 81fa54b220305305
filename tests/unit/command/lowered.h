// What the engine of a stage is told, one record at a time.
#ifndef CONTRA_TEST_LOWERED_H
#define CONTRA_TEST_LOWERED_H

#include "engine/engine.h"

static inline bool stage_lower(const Lower *lower, const Pass *pass, const Stage *stage,
                               HwPipeline *out)
{
    *out = (HwPipeline){.context = CONTEXT_MAIN};
    return engine_of(stage->kind)->lower(lower, pass, stage, out);
}

static inline bool fetch_lower(const Lower *lower, const Pass *pass, const Stage *stage,
                               HwFetch *out)
{
    HwPipeline all;
    bool ok = stage_lower(lower, pass, stage, &all);
    *out = all.fetch;
    return ok;
}

#define LOWERED(name, Record, field)                                                  \
    static inline bool name(const Lower *lower, const Pass *pass, const Stage *stage, \
                            Hw##Record *out)                                          \
    {                                                                                 \
        HwPipeline all;                                                               \
        bool ok = stage_lower(lower, pass, stage, &all);                              \
        *out = all.field ? *all.field : (Hw##Record){0};                              \
        return ok;                                                                    \
    }

LOWERED(switch_lower, SwitchRoute, route)
LOWERED(collect_lower, Collect, collect)
LOWERED(to_trf_lower, TrfStore, trf_store)
LOWERED(to_vrf_lower, VrfStore, vrf_store)
LOWERED(reduce_lower, Reduce, reduce)
LOWERED(vector_lower, Vector, vector)
LOWERED(cast_lower, Cast, cast)
LOWERED(transpose_lower, Transpose, transpose)
LOWERED(commit_lower, Commit, commit)

static inline bool align_lower(const Lower *lower, const Stage *stage, HwStreamAdapt *adapt,
                               HwTrfRead *read)
{
    HwPipeline all;
    bool ok = stage_lower(lower, NULL, stage, &all);
    *adapt = *all.adapt;
    *read = *all.trf_read;
    return ok;
}

#endif
