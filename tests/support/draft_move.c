// Moves between memories, shuffles, and moves that an index directs.
#include "draft.h"

#include "base/checked.h"

enum { MOST_PATTERN = 8 };

static void add_bases(Parts *to, const Parts *from)
{
    for (int64_t i = 0; i < from->count; i++)
        if (from->items[i].base)
            parts_add(to, from->items[i]);
}

// Everything of a DM tensor but for Chip, in some order; what is innermost mostly stays there.
static Parts flat_element(Draft *draft, const Parts *cluster, const Parts *slice,
                          const Parts *element)
{
    Parts flat = {0};
    add_bases(&flat, cluster);
    add_bases(&flat, slice);
    add_bases(&flat, element);
    if (chance(draft->choices, 55))
        flat = draft_unpadded(draft, &flat);
    if (chance(draft->choices, 70))
        draft_shuffle(draft, &flat, 0,
                      max_i64(0, flat.count - (chance(draft->choices, 85) ? 1 : 0)));
    return flat;
}

static DraftTensor new_tensor(Draft *draft, const DraftTensor *like, Tier tier)
{
    DraftTensor made = *like;
    made.label = draft->label_count++;
    made.tier = tier;
    return made;
}

static uint64_t place(Draft *draft, const DraftTensor *made)
{
    return (uint64_t)draft_address(draft, made->tier, made->type, &made->element);
}

// ---- to DM

static DraftTensor hbm_source(Draft *draft, DraftTensor *made)
{
    Scalar type = draft_type(draft);
    Part rest = draft->rest;
    Parts slice = draft->slice, element = draft_element(draft, type);
    if (chance(draft->choices, 20))
        slice = draft_slices(draft, &rest);
    Parts flat = flat_element(draft, &draft->cluster, &slice, &element);
    if (flat.count > 1 && chance(draft->choices, 20)) // the target repeats what the source lacks
        flat = parts_without(&flat, choose(draft->choices, flat.count - 1));
    DraftTensor source = draft_param(draft, TIER_HBM, type, NULL, &flat);
    *made = new_tensor(draft, &source, TIER_DM);
    made->slice = slice;
    made->element = element;
    return source;
}

static void hbm_to_dm(Draft *draft)
{
    DraftTensor made, source = hbm_source(draft, &made);
    draft_op(draft, "tdma to_dm %{} -> %{} = dm cluster {} slice {} element {} at 0x{x}\n",
             source.label, made.label, draft_print(draft, &made.cluster),
             draft_print(draft, &made.slice), draft_print(draft, &made.element),
             place(draft, &made));
    draft_keep(draft, &source);
    draft_keep(draft, &made);
}

// Slices and elements in another order, perhaps with a part exchanged between them.
static void relayout(Draft *draft, DraftTensor *made)
{
    Choices *choices = draft->choices;
    Parts *slice = &made->slice, *element = &made->element;
    if (chance(choices, 50))
        draft_shuffle(draft, slice, 0, slice->count);
    if (element->count > 1 && chance(choices, 60))
        draft_shuffle(draft, element, 0, element->count - 1);
    if (!slice->count || element->count < 2 || !chance(choices, 40))
        return;
    Parts outer, inner;
    int64_t at = choose(choices, element->count - 1), size = element->items[at].size;
    if (size > 1 && parts_split(slice, size, &outer, &inner) && inner.count == 1) {
        Part moved = element->items[at];
        element->items[at] = inner.items[0];
        parts_add(&outer, moved);
        *slice = outer;
    }
}

static void dm_to_dm(Draft *draft)
{
    DraftTensor *source = draft_pick(draft, TIER_DM);
    if (!source)
        return;
    DraftTensor made = new_tensor(draft, source, TIER_DM);
    relayout(draft, &made);
    draft_op(draft, "tdma to_dm %{} -> %{} = dm slice {} element {} at 0x{x}\n", source->label,
             made.label, draft_print(draft, &made.slice), draft_print(draft, &made.element),
             place(draft, &made));
    draft_keep(draft, &made);
}

// ---- to HBM

static void dm_to_hbm(Draft *draft)
{
    DraftTensor *source = draft_pick(draft, TIER_DM);
    if (!source)
        return;
    DraftView view = draft_view(draft, source, 0);
    DraftTensor made = new_tensor(draft, source, TIER_HBM);
    made.element = flat_element(draft, &source->cluster, &source->slice, &source->element);
    draft_op(draft, "tdma to_hbm {} -> %{} = hbm element {} at 0x{x}\n", view.text, made.label,
             draft_print(draft, &made.element), place(draft, &made));
    draft_keep(draft, &made);
}

static void hbm_to_hbm(Draft *draft)
{
    DraftTensor *source = draft_pick(draft, TIER_HBM);
    if (!source)
        return;
    DraftTensor made = new_tensor(draft, source, TIER_HBM);
    draft_shuffle(draft, &made.element, 0, made.element.count);
    draft_op(draft, "{} to_hbm %{} -> %{} = hbm element {} at 0x{x}\n",
             chance(draft->choices, 50) ? "tdma" : "pdma", source->label, made.label,
             draft_print(draft, &made.element), place(draft, &made));
    draft_keep(draft, &made);
}

// ---- host

static void host_to_hbm(Draft *draft)
{
    Scalar type = draft_type(draft);
    Parts element = draft_element(draft, type), host = {0}, made_of = {0};
    DraftTensor made = {
        .tier = TIER_HBM, .type = type, .chip = draft->chip, .cluster = draft->cluster};
    int64_t label = draft->label_count++;
    add_bases(&host, &draft->chip);
    made_of = flat_element(draft, &made.cluster, &draft->slice, &element);
    parts_add_all(&host, &made_of);
    draft_shuffle(draft, &host, 0, host.count);
    made.label = draft->label_count++;
    made.element = made_of;
    buf_format(&draft->params, "%{} = param host {} element {}\n", label, scalar_name(type),
               draft_print(draft, &host));
    draft_op(draft, "pdma to_hbm %{} -> %{} = hbm chip {} element {} at 0x{x}\n", label, made.label,
             draft_print(draft, &made.chip), draft_print(draft, &made.element),
             place(draft, &made));
    draft_keep(draft, &made);
}

static void hbm_to_host(Draft *draft)
{
    DraftTensor *source = draft_pick(draft, TIER_HBM);
    if (!source)
        return;
    Parts host = {0};
    add_bases(&host, &source->chip);
    add_bases(&host, &source->element);
    draft_shuffle(draft, &host, 0, host.count);
    draft_op(draft, "pdma to_host %{} -> %{} = host element {}\n", source->label,
             draft->label_count++, draft_print(draft, &host));
}

// ---- views

// A part of a tensor into a part of another one, which has something else besides.
static void into_view(Draft *draft)
{
    DraftTensor *source = draft_pick(draft, TIER_DM);
    if (!source)
        return;
    bool to_hbm = chance(draft->choices, 40), is_copy = !to_hbm && chance(draft->choices, 40);
    DraftView view = draft_view(draft, source, 50);
    DraftTensor into = *source;
    int64_t count = 2 + choose(draft->choices, 2), start = choose(draft->choices, count);
    Part axis = draft_part(draft, draft_axis(draft, count, count));
    Parts inside = view.element, whole = parts_of(axis), tile = parts_of(part_padding(count));
    if (!is_copy && !to_hbm) {
        into.element = inside;
        relayout(draft, &into);
        inside = into.element;
    }
    if (to_hbm)
        inside = flat_element(draft, &into.cluster, &into.slice, &inside);
    parts_add_all(&whole, &inside);
    parts_add_all(&tile, &inside);
    into.element = whole;
    into.tier = to_hbm ? TIER_HBM : TIER_DM;
    DraftTensor made = {0};
    if (to_hbm) {
        made = draft_param(draft, TIER_HBM, into.type, NULL, &whole);
    } else {
        made = draft_param(draft, TIER_DM, into.type, &into.slice, &whole);
    }
    draft_op(draft, "{} {} -> %{}.tile<[{}], 1, {}>({})\n",
             is_copy  ? "sub to_dm_view_pcopy"
             : to_hbm ? "tdma to_hbm_view"
                      : "tdma to_dm_view",
             view.text, made.label, axis.base, draft_print(draft, &tile), start);
    draft_keep(draft, &made);
}

static void parallel_copy(Draft *draft)
{
    DraftTensor *source = draft_pick(draft, TIER_DM);
    if (!source)
        return;
    DraftTensor into = *source;
    if (into.element.count > 1)
        draft_shuffle(draft, &into.element, 0, into.element.count - 1);
    int64_t from = source->label;
    DraftTensor made = draft_param(draft, TIER_DM, into.type, &into.slice, &into.element);
    draft_op(draft, "sub to_dm_pcopy %{} -> %{}\n", from, made.label);
    draft_keep(draft, &made);
}

void draft_move(Draft *draft)
{
    static void (*const moves[])(Draft *) = {hbm_to_dm,   hbm_to_dm,  hbm_to_dm,    hbm_to_dm,
                                             dm_to_hbm,   dm_to_hbm,  dm_to_dm,     dm_to_dm,
                                             into_view,   into_view,  into_view,    host_to_hbm,
                                             hbm_to_host, hbm_to_hbm, parallel_copy};
    moves[choose(draft->choices, COUNT_OF(moves))](draft);
}

// ---- shuffles and slices

static const char *pattern(Draft *draft, int64_t count, int64_t values)
{
    StrBuf out = {.arena = draft->arena};
    int64_t places[MOST_PATTERN];
    bool is_permutation = count == values && chance(draft->choices, 80);
    for (int64_t i = 0; i < count; i++) {
        int64_t k = choose(draft->choices, i + 1);
        places[i] = places[k];
        places[k] = i;
    }
    for (int64_t i = 0; i < count; i++)
        buf_format(&out, "{}{}", i ? ", " : "",
                   is_permutation ? places[i] : choose(draft->choices, values));
    return str_terminated(draft->arena, buf_str(&out));
}

static void shuffle_dm(Draft *draft, const char *method, int64_t count)
{
    DraftTensor *source = draft_pick(draft, TIER_DM);
    if (!source)
        return;
    DraftTensor made = new_tensor(draft, source, TIER_DM);
    draft_op(draft, "tdma {} %{} pattern ({}) -> %{} = dm element {} at 0x{x}\n", method,
             source->label, pattern(draft, count, count), made.label,
             draft_print(draft, &made.element), place(draft, &made));
    draft_keep(draft, &made);
}

static void shuffle_hbm(Draft *draft)
{
    DraftTensor *source = draft_pick(draft, TIER_HBM);
    if (!source)
        return;
    DraftTensor made = new_tensor(draft, source, TIER_HBM);
    draft_op(draft, "tdma hbm_chip_shuffle %{} pattern ({}) -> %{} = hbm element {} at 0x{x}\n",
             source->label, pattern(draft, draft->chips, draft->chips), made.label,
             draft_print(draft, &made.element), place(draft, &made));
    draft_keep(draft, &made);
}

// Each cluster or chip keeps one position of a new outermost axis.
static void slice_units(Draft *draft, const char *method, int64_t count)
{
    Scalar type = draft_type(draft);
    int64_t positions = 2 + choose(draft->choices, 3);
    Part axis = draft_part(draft, draft_axis(draft, positions, positions));
    Parts inside = draft_element(draft, type), whole = parts_of(axis);
    Parts sliced = parts_of(part_padding(positions));
    parts_add_all(&whole, &inside);
    parts_add_all(&sliced, &inside);
    DraftTensor source = draft_param(draft, TIER_DM, type, &draft->slice, &whole);
    DraftTensor made = new_tensor(draft, &source, TIER_DM);
    made.element = inside;
    draft_op(draft, "sub {} %{} key [{}] sliced {} pattern ({}) -> %{} = dm element {} at 0x{x}\n",
             method, source.label, axis.base, draft_print(draft, &sliced),
             pattern(draft, count, positions), made.label, draft_print(draft, &made.element),
             place(draft, &made));
    draft_keep(draft, &made);
}

void draft_shuffles(Draft *draft)
{
    bool chips = draft->chips > 1 && chance(draft->choices, 60);
    int64_t count = chips ? draft->chips : 2;
    switch (choose(draft->choices, 4)) {
    case 0:
        shuffle_dm(draft, chips ? "dm_chip_shuffle" : "dm_cluster_shuffle", count);
        break;
    case 1:
        if (draft->chips > 1)
            shuffle_hbm(draft);
        break;
    default:
        slice_units(draft, chips ? "parallel_copy_chip_slice" : "parallel_copy_cluster_slice",
                    count);
    }
}

// ---- indices

// Rows of a table come to where the target has the index, or go there: an axis of Slice is the key,
// perhaps with one of the element.
void draft_indirect(Draft *draft)
{
    Choices *choices = draft->choices;
    Scalar type = draft_type(draft);
    Part key = draft_part(draft, draft_axis(draft, draft->slices, 0));
    int64_t rows = 3 + choose(choices, 20);
    Part row = draft_part(draft, draft_axis(draft, rows, rows));
    Parts slice = parts_of(key), keys = slice, element = {0}, table = parts_of(row), payload;
    payload = parts_of(draft_part(draft, draft->inner));
    if (chance(choices, 40)) {
        int64_t more = 2 + choose(choices, 3);
        Part second = draft_part(draft, draft_axis(draft, more, more));
        parts_add(&element, second);
        parts_add(&keys, second);
    }
    if (parts_size(&payload) < 32 && chance(choices, 30))
        parts_add(&element, draft_part(draft, draft->pool[0]));
    for (int64_t i = keys.count - 1; i < element.count; i++)
        parts_add(&table, element.items[i]);
    parts_add_all(&element, &payload);
    parts_add_all(&table, &payload);
    Parts own = draft->cluster;
    draft->cluster = parts_of(part_padding(2));
    DraftTensor to = draft_param(draft, TIER_HBM, type, NULL, &table);
    DraftTensor index = draft_param(draft, TIER_HBM, SCALAR_I32, NULL, &keys);
    if (chance(choices, 50)) {
        DraftTensor made = new_tensor(draft, &to, TIER_DM);
        made.slice = slice;
        made.element = element;
        draft_op(draft,
                 "tdma dma_gather %{} index %{} -> %{} = dm cluster [1 # 2] slice {} element {} at "
                 "0x{x}\n",
                 to.label, index.label, made.label, draft_print(draft, &slice),
                 draft_print(draft, &element), place(draft, &made));
        draft_keep(draft, &made);
    } else {
        DraftTensor data = draft_param(draft, TIER_DM, type, &slice, &element);
        draft_op(draft, "tdma dma_scatter %{} index %{} key {}{} -> %{}\n", data.label, index.label,
                 draft_print(draft, &keys), chance(choices, 40) ? " scaled" : "", to.label);
        draft_keep(draft, &to);
    }
    draft->cluster = own;
}
