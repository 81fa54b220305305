// Passes that fetch packets again and again, as they are and condensed: every step of the
// contraction gets the same elements of memory.
#include "command/nest.h"
#include "device/internal.h"

#include "sample.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 20000, LANES = 4, MOST_LOOPS = 8 };

typedef struct {
    HwPipeline pass;
    HwCollect collect;
    HwStreamAdapt adapt;
    HwReduce reduce;
    int64_t base;
    HwLoop fetched[MOST_LOOPS], adapted[MOST_LOOPS];
} Case;

static void add(HwLoop *loops, int64_t *count, HwLoop loop)
{
    loops[(*count)++] = loop;
}

// Rows, of which some are fetched several times; steps that walk all flits in order, cut into loops
// at random, now and then with one that is repeated.
static void make_case(Rng *rng, Case *c)
{
    int64_t fetched = 0, adapted = 0, all = 1, packet = 1 + rng_below(rng, 3);
    memset(c, 0, sizeof *c);
    for (int64_t i = 0, stride = packet * LANES; i < 4; i++) {
        int64_t size = 1 + rng_below(rng, 4);
        bool again = rng_below(rng, 3) == 0;
        c->fetched[i] = (HwLoop){.size = size, .stride = again ? 0 : stride};
        stride *= again ? 1 : size;
        all *= size;
    }
    for (int64_t i = 0; i < 2; i++) { // the first is the innermost: outermost first
        HwLoop swap = c->fetched[i];
        c->fetched[i] = c->fetched[3 - i];
        c->fetched[3 - i] = swap;
    }
    fetched = 4;
    add(c->fetched, &fetched, (HwLoop){.size = packet * LANES, .stride = 1, .packet = true});
    int64_t flits = all * packet, stride = flits;
    while (stride > 1 && adapted < MOST_LOOPS - 2) {
        int64_t size = 1 + rng_below(rng, 6);
        size = stride % size ? stride : size;
        stride /= size;
        add(c->adapted, &adapted, (HwLoop){.size = size, .stride = stride});
        if (rng_below(rng, 4) == 0)
            add(c->adapted, &adapted, (HwLoop){.size = 2, .stride = 0});
    }
    for (int64_t i = adapted - rng_below(rng, 3); i >= 0 && i < adapted; i++)
        c->adapted[i].packet = true;
    c->base = 64;
    c->collect = (HwCollect){.flits_per_packet = packet, .flits = flits};
    c->adapt = (HwStreamAdapt){.collect_flits = 1, .in_time = flits};
    c->adapt.loops.items = c->adapted;
    c->adapt.loops.count = adapted;
    c->pass.collect = &c->collect;
    c->pass.adapt = &c->adapt;
    c->pass.reduce = &c->reduce;
    c->pass.fetch = (HwFetch){.time = all, .packet_elements = packet * LANES};
    c->pass.fetch.bases.items = &c->base;
    c->pass.fetch.bases.count = 1;
    c->pass.fetch.nest = (HwNest){.element_bits = 8, .base = c->base};
    c->pass.fetch.nest.loops.items = c->fetched;
    c->pass.fetch.nest.loops.count = fetched;
}

// Where the first element of a flit lies.
static int64_t flit_place(const HwPipeline *pass, int64_t flit)
{
    int64_t at = flit * LANES, place = 0;
    for (int64_t i = pass->fetch.nest.loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &pass->fetch.nest.loops.items[i];
        place += at % loop->size * loop->stride;
        at /= loop->size;
    }
    return place;
}

static int64_t flit_of(const HwPipeline *pass, int64_t step, int64_t number)
{
    const HwLoopList *loops = &pass->adapt->loops;
    return loops_offset(loops, LOOPS_BETWEEN, step) + loops_offset(loops, LOOPS_PACKET, number);
}

static int64_t iterations(const HwStreamAdapt *adapt, bool packet)
{
    int64_t count = 1;
    for (int64_t i = 0; i < adapt->loops.count; i++)
        count *= adapt->loops.items[i].packet == packet ? adapt->loops.items[i].size : 1;
    return count;
}

TEST(steps_get_the_same)
{
    Rng rng = {test_seed()};
    int64_t count = (int64_t)(CASES * test_scale()) + 1, condensed_count = 0;
    for (int64_t i = 0; i < count; i++) {
        Case c;
        make_case(&rng, &c);
        Condensed *condensed = condense(&c.pass);
        if (!condensed)
            continue;
        const HwPipeline *less = condensed_pass(condensed);
        int64_t steps = iterations(&c.adapt, false), numbers = iterations(&c.adapt, true);
        assert_true(less->fetch.time < c.pass.fetch.time);
        assert_int_equal(less->adapt->in_time, less->fetch.time * less->collect->flits_per_packet);
        for (int64_t k = 0; k < steps * numbers; k++) {
            int64_t step = k / numbers, number = k % numbers;
            assert_int_equal(flit_place(less, flit_of(less, step, number)),
                             flit_place(&c.pass, flit_of(&c.pass, step, number)));
        }
        condensed_count++;
        condensed_free(condensed);
    }
    assert_true(condensed_count > count / 20);
}
