#include "device/condense.h"

#include "base/checked.h"
#include "base/heap.h"
#include "device/nest.h"

struct Condensed {
    HwPipeline pass;
    HwCollect collect;
    HwStreamAdapt adapt;
    HwLoop fetched[NEST_MOST_LOOPS], adapted[NEST_MOST_LOOPS];
    int64_t adapted_count;
    int64_t between; // flits that loops which became repeats lead to, at most
};

// A loop that fetches the same again: in flits, one round of what is inside it, and its rounds.
typedef struct {
    int64_t loop;
    int64_t inside, rounds;
} Repeat;

static bool find_repeat(const HwPipeline *pass, Repeat *repeat)
{
    const HwFetch *fetch = &pass->fetch;
    int64_t elements = 1, all = 1;
    for (int64_t i = 0; i < fetch->nest.loops.count; i++)
        if (!checked_mul(all, fetch->nest.loops.items[i].size, &all))
            return false;
    if (all != fetch->time * fetch->packet_elements)
        return false; // the outermost ends early
    for (int64_t i = fetch->nest.loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &fetch->nest.loops.items[i];
        if (!loop->stride && !loop->offsets.count && !loop->packet && loop->size > 1 &&
            elements % fetch->packet_elements == 0) {
            *repeat = (Repeat){
                i, elements / fetch->packet_elements * pass->collect->flits_per_packet, loop->size};
            return true;
        }
        elements *= loop->size;
    }
    return false;
}

// Adds an iteration of the Stream Adapter outside those that are there; they come from the inside.
static bool add_loop(Condensed *out, const HwLoop *from, int64_t size, int64_t stride)
{
    if (size == 1)
        return true;
    if (out->adapted_count == NEST_MOST_LOOPS)
        return false;
    HwLoop *loop = &out->adapted[out->adapted_count++];
    *loop = *from;
    loop->size = size;
    loop->stride = stride;
    return true;
}

// Cuts a loop where it leaves what is inside the repeat, and where it leaves the repeat. False: it
// does not come out even.
static bool adapt_loop(Condensed *out, const HwLoop *loop, const Repeat *repeat)
{
    int64_t size = loop->size, stride = loop->stride, whole = repeat->inside * repeat->rounds;
    int64_t part = 1;
    if (loop->offsets.count || stride < 0)
        return false;
    if (!stride)
        return add_loop(out, loop, size, stride);
    if (stride < repeat->inside) {
        part = repeat->inside / stride;
        if (repeat->inside % stride || (size > part && size % part))
            return false;
        part = size < part ? size : part;
        if (!add_loop(out, loop, part, stride))
            return false;
        stride *= part;
        size /= part;
    }
    if (size > 1 && stride < whole) {
        part = whole / stride;
        if (stride % repeat->inside || whole % stride || (size > part && size % part))
            return false;
        part = size < part ? size : part;
        if (!add_loop(out, loop, part, 0))
            return false;
        out->between += (part - 1) * stride;
        stride *= part;
        size /= part;
    }
    return size == 1 || (stride % whole == 0 && add_loop(out, loop, size, stride / repeat->rounds));
}

static void turn_round(HwLoop *loops, int64_t count)
{
    for (int64_t i = 0; i < count / 2; i++) {
        HwLoop loop = loops[i];
        loops[i] = loops[count - 1 - i];
        loops[count - 1 - i] = loop;
    }
}

// Whether steps inside the repeat never lead out of it.
static bool stays_inside(const HwStreamAdapt *adapt, const Repeat *repeat)
{
    int64_t reach = 0;
    for (int64_t i = 0; i < adapt->loops.count; i++) {
        const HwLoop *loop = &adapt->loops.items[i];
        if (loop->stride < repeat->inside)
            reach += (loop->size - 1) * loop->stride;
    }
    return reach < repeat->inside;
}

static bool adapt_all(Condensed *out, const HwStreamAdapt *adapt, const Repeat *repeat)
{
    out->adapted_count = 0;
    out->between = 0;
    for (int64_t i = adapt->loops.count - 1; i >= 0; i--)
        if (!adapt_loop(out, &adapt->loops.items[i], repeat))
            return false;
    turn_round(out->adapted, out->adapted_count);
    out->adapt = *adapt;
    out->adapt.in_time /= repeat->rounds;
    out->adapt.loops.items = out->adapted;
    out->adapt.loops.count = out->adapted_count;
    return stays_inside(&out->adapt, repeat) && out->between < repeat->inside * repeat->rounds;
}

static void fetch_once(Condensed *out, const HwPipeline *pass, const Repeat *repeat)
{
    HwFetch *fetch = &out->pass.fetch;
    int64_t count = 0;
    for (int64_t i = 0; i < pass->fetch.nest.loops.count; i++)
        if (i != repeat->loop)
            out->fetched[count++] = pass->fetch.nest.loops.items[i];
    fetch->nest.loops.items = out->fetched;
    fetch->nest.loops.count = count;
    fetch->time /= repeat->rounds;
    out->collect = *pass->collect;
    out->collect.flits /= repeat->rounds;
    out->pass.collect = &out->collect;
    out->pass.adapt = &out->adapt;
}

Condensed *condense(const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    Repeat repeat;
    if (!pass->reduce || !pass->adapt || !pass->collect || pass->route || fetch->bases.count != 1 ||
        fetch->masks.count || fetch->nest.loops.count > NEST_MOST_LOOPS ||
        !find_repeat(pass, &repeat) ||
        pass->adapt->in_time != fetch->time * pass->collect->flits_per_packet)
        return NULL;
    Condensed *out = heap_new(sizeof *out);
    if (!out)
        return NULL;
    out->pass = *pass;
    if (!adapt_all(out, pass->adapt, &repeat)) {
        heap_free(out);
        return NULL;
    }
    fetch_once(out, pass, &repeat);
    return out;
}

const HwPipeline *condensed_pass(const Condensed *condensed)
{
    return &condensed->pass;
}

void condensed_free(Condensed *condensed)
{
    heap_free(condensed);
}
