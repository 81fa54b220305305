// Arithmetic on positions tells padding from data as cells do.
#include "engine/lower/live.h"

#include "mapping/cell.h"
#include "shrink.h"
#include "test.h"

#include <stdio.h>

static bool has_linear(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++) {
        const Atom *atom = mapping->factors[i].term.atom;
        if (!mapping->factors[i].is_padding &&
            (atom->kind == ATOM_LINEAR || (atom->inner && has_linear(atom->inner))))
            return true;
    }
    return false;
}

static bool is_live(const LiveChecks *checks, int64_t position, int64_t *values)
{
    for (int64_t i = 0; i < checks->count; i++) {
        const LiveCheck *check = &checks->items[i];
        values[i] = check->offset;
        for (int64_t k = 0; k < check->count; k++) {
            const LiveTerm *term = &check->items[k];
            int64_t number = term->of == OF_POSITION ? position : values[term->of];
            int64_t digit = number % term->modulo / term->place;
            values[i] += (term->list ? term->list->offsets[digit] : digit) * term->weight;
        }
        values[i] = check->modulo ? values[i] % check->modulo : values[i];
        if (values[i] < 0 || values[i] >= check->limit)
            return false;
    }
    return true;
}

static bool live_where_the_cell_is(const Sample *sample, StrBuf *why)
{
    Mapping mapping = mapping_of_expr(sample->scratch, sample->exprs[0]);
    LiveChecks checks = live_checks(sample->scratch, &mapping, NULL, 0);
    int64_t *values = arena_new(sample->scratch, int64_t, (size_t)checks.count + 1);
    for (int64_t i = 0; i < mapping.size; i++) {
        Cell cell = mapping_cell(sample->scratch, &mapping, i);
        bool live = is_live(&checks, i, values);
        if (live == (cell.count > 0) || (live && has_linear(&mapping)))
            continue;
        buf_format(why, "position {} is {}", i, live ? "no padding" : "padding");
        return false;
    }
    return true;
}

static void fill_any(Sample *sample, Rng *rng)
{
    int kinds = SAMPLE_DISJOINT | SAMPLE_RESIZE | SAMPLE_SHIFT;
    sample_axes(sample, rng, kinds);
    sample->exprs[sample->expr_count++] = sample_expr(sample, rng, kinds, 512);
}

static void fill_all(Sample *sample, Rng *rng)
{
    int kinds = SAMPLE_DISJOINT | SAMPLE_RESIZE | SAMPLE_SHIFT | SAMPLE_LINEAR | SAMPLE_SKEW;
    sample_axes(sample, rng, kinds);
    sample->exprs[sample->expr_count++] = sample_expr(sample, rng, kinds, 256);
}

TEST(cells_and_checks_agree)
{
    law_check(&(Law){"live", live_where_the_cell_is, fill_any, NULL, 3000});
    law_check(&(Law){"live with everything", live_where_the_cell_is, fill_all, NULL, 3000});
}
