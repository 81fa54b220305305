#include "draft.h"

#include "base/checked.h"

#include <stdio.h>
#include <string.h>

enum { ALIGN = 64, CLUSTERS = 2 };

static const int64_t sizes[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 17, 31};
static const int64_t inner_sizes[] = {8, 8, 16, 16, 32, 32, 64, 24, 5, 13, 30, 63, 100, 3, 1};

// ---- axes and layouts

int64_t draft_axis(Draft *draft, int64_t size, int64_t whole)
{
    int64_t number = draft->axis_count;
    if (number == DRAFT_AXES)
        return number - 1;
    DraftAxis *axis = &draft->axes[draft->axis_count++];
    axis->size = size;
    axis->whole = max_i64(size, whole);
    snprintf(axis->name, sizeof axis->name, number < 26 ? "%c" : "%c%d", 'A' + (int)(number % 26),
             (int)(number / 26));
    Str base = whole > size ? str_format(draft->arena, "{} # {}", axis->name, whole)
                            : str_from(axis->name);
    axis->base = str_terminated(draft->arena, base);
    return number;
}

Part draft_part(const Draft *draft, int64_t axis)
{
    const DraftAxis *from = &draft->axes[axis];
    return (Part){from->base, from->whole, 1, from->whole, axis, NULL};
}

const char *draft_print(Draft *draft, const Parts *parts)
{
    return parts_text(draft->arena, parts);
}

void draft_shuffle(Draft *draft, Parts *parts, int64_t from, int64_t count)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t k = choose(draft->choices, i + 1);
        Part kept = parts->items[from + i];
        parts->items[from + i] = parts->items[from + k];
        parts->items[from + k] = kept;
    }
}

static int64_t power(Draft *draft, int64_t from, int64_t to)
{
    return (int64_t)1 << (from + choose(draft->choices, to - from + 1));
}

// All slices by some axes, or by a part of one.
Parts draft_slices(Draft *draft, Part *rest)
{
    Choices *choices = draft->choices;
    Parts slice = {0};
    int64_t all = draft->slices, some = power(draft, 1, draft->slice_bits - 1), axis, more;
    *rest = (Part){0};
    switch (choose(choices, 8)) {
    case 0:
    case 1:
        parts_add(&slice, draft_part(draft, draft_axis(draft, all, all)));
        break;
    case 2:
        axis = draft_axis(draft, 1 + choose(choices, all), all);
        parts_add(&slice, draft_part(draft, axis));
        break;
    case 3:
        parts_add(&slice, draft_part(draft, draft_axis(draft, some, some)));
        axis = draft_axis(draft, all / some, all / some);
        parts_add(&slice, draft_part(draft, axis));
        break;
    case 4:
        parts_add(&slice, part_padding(some));
        axis = draft_axis(draft, all / some, all / some);
        parts_add(&slice, draft_part(draft, axis));
        break;
    case 5:
        parts_add(&slice, draft_part(draft, draft_axis(draft, 2, 2)));
        parts_add(&slice, draft_part(draft, draft_axis(draft, 3, 4)));
        parts_add(&slice, draft_part(draft, draft_axis(draft, all / 8, all / 8)));
        break;
    default:
        more = 2 + choose(choices, 3);
        axis =
            draft_axis(draft, all * more - choose(choices, 2) * choose(choices, all), all * more);
        *rest = draft_part(draft, axis);
        Part high = *rest;
        bool inner = chance(choices, 70);
        high.stride = inner ? more : 1;
        high.size = all;
        rest->stride = inner ? 1 : all;
        rest->size = more;
        parts_add(&slice, high);
    }
    if (slice.count > 1 && chance(choices, 30))
        draft_shuffle(draft, &slice, 0, slice.count);
    return slice;
}

static void choose_places(Draft *draft)
{
    static const int64_t counts[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                     1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 8};
    Choices *choices = draft->choices;
    draft->chips = counts[choose(choices, COUNT_OF(counts))];
    if (draft->chips > 1)
        parts_add(&draft->chip, chance(choices, 15)
                                    ? part_padding(draft->chips)
                                    : draft_part(draft, draft_axis(draft, draft->chips, 0)));
    parts_add(&draft->cluster, chance(choices, 50)
                                   ? part_padding(CLUSTERS)
                                   : draft_part(draft, draft_axis(draft, CLUSTERS, 0)));
    draft->slice = draft_slices(draft, &draft->rest);
}

static void choose_pool(Draft *draft)
{
    Choices *choices = draft->choices;
    int64_t inner = inner_sizes[choose(choices, COUNT_OF(inner_sizes))];
    draft->inner = draft_axis(draft, inner, ceil_div(inner, 8) * 8);
    draft->pool_count = 1 + choose(choices, COUNT_OF(draft->pool));
    int64_t padded =
        draft->is_neutral || chance(choices, 30) ? 75 : 20; // often none, or several at once
    for (int64_t i = 0; i < draft->pool_count; i++) {
        int64_t size = sizes[choose(choices, COUNT_OF(sizes))];
        int64_t whole = chance(choices, padded) ? size + 1 + choose(choices, 4) : size;
        draft->pool[i] = draft_axis(draft, size, whole);
    }
}

Scalar draft_type(Draft *draft)
{
    static const Scalar types[] = {SCALAR_I32,  SCALAR_F32, SCALAR_I8,     SCALAR_BF16,
                                   SCALAR_I4,   SCALAR_I16, SCALAR_F8E4M3, SCALAR_F8E5M2,
                                   SCALAR_F16,  SCALAR_U8,  SCALAR_F8,     SCALAR_I32,
                                   SCALAR_BF16, SCALAR_F32, SCALAR_I8,     SCALAR_F32};
    return types[choose(draft->choices, COUNT_OF(types))];
}

int64_t draft_flit(Scalar type)
{
    return 256 / scalar_traits[type].packet_bits;
}

// A part cut in two where it can be.
static void add_cut(Draft *draft, Parts *parts, Part part, int64_t percent)
{
    Parts whole = parts_of(part), outer, inner;
    int64_t size = 2 + choose(draft->choices, max_i64(1, part.size - 1));
    while (part.size % size && size > 2)
        size--;
    if (chance(draft->choices, percent) && part.size % size == 0 && size < part.size &&
        parts_split(&whole, size, &outer, &inner)) {
        parts_add_all(parts, &outer);
        parts_add_all(parts, &inner);
    } else {
        parts_add(parts, part);
    }
}

// Some axes as one group, padded to a size with divisors of its own, so that cutting it carries
// from one axis to the next: `[A, B] # 16 / 4` of A = 3 and B = 5.
static Part group_of(Draft *draft, const Parts *axes)
{
    static const int64_t units[] = {1, 2, 4, 4, 6, 8, 8, 16};
    int64_t unit = units[choose(draft->choices, COUNT_OF(units))], size = parts_size(axes);
    return part_group(draft->arena, axes, ceil_div(size, unit) * unit);
}

// Joins the first parts into one, or the last; then the group is innermost.
static void group_some(Draft *draft, Parts *element)
{
    bool last = chance(draft->choices, 40);
    int64_t count = min_i64(2 + choose(draft->choices, 2), element->count);
    int64_t from = last ? element->count - count : 0;
    Parts members = {0}, made = {0};
    for (int64_t i = 0; i < count; i++)
        parts_add(&members, element->items[from + i]);
    for (int64_t i = 0; i < element->count; i++) {
        if (i == from)
            add_cut(draft, &made, group_of(draft, &members), 75);
        if (i < from || i >= from + count)
            parts_add(&made, element->items[i]);
    }
    *element = made;
}

// The innermost axis and some of the others, in some order; the innermost mostly stays there.
Parts draft_element(Draft *draft, Scalar type)
{
    Choices *choices = draft->choices;
    Parts element = {0};
    bool is_grouped = chance(choices, 35);
    int64_t most = draft->is_large ? 4096 : chance(choices, 25) ? 384 : 160, left;
    left = most * 8 / scalar_traits[type].packet_bits / draft->axes[draft->inner].whole;
    for (int64_t i = 0; i < draft->pool_count; i++) {
        Part part = draft_part(draft, draft->pool[i]);
        if (part.size > left || chance(choices, 30))
            continue;
        left /= part.size;
        if (is_grouped)
            parts_add(&element, part);
        else
            add_cut(draft, &element, part, 20);
    }
    if (draft->rest.size && draft->rest.size <= left && chance(choices, 70))
        parts_add(&element, draft->rest);
    int64_t outer = element.count;
    add_cut(draft, &element, draft_part(draft, draft->inner), is_grouped ? 0 : 20);
    bool all = chance(choices, 15);
    draft_shuffle(draft, &element, 0, all ? element.count : max_i64(outer, element.count - 1));
    if (is_grouped && element.count > 1)
        group_some(draft, &element);
    return element;
}

// ---- tensors

static int64_t bytes_of(Scalar type, const Parts *element)
{
    return ceil_div(parts_size(element) * scalar_traits[type].packet_bits, 8);
}

int64_t draft_address(Draft *draft, Tier tier, Scalar type, const Parts *element)
{
    int64_t *next = tier == TIER_HBM  ? &draft->hbm_next
                    : tier == TIER_DM ? &draft->dm_next
                                      : &draft->vrf_next;
    int64_t at = *next;
    *next = ceil_div(at + bytes_of(type, element), ALIGN) * ALIGN;
    return at;
}

void draft_keep(Draft *draft, const DraftTensor *tensor)
{
    if (draft->tensor_count < DRAFT_TENSORS)
        draft->tensors[draft->tensor_count++] = *tensor;
}

DraftTensor draft_param(Draft *draft, Tier tier, Scalar type, const Parts *slice,
                        const Parts *element)
{
    DraftTensor tensor = {.label = draft->label_count++,
                          .tier = tier,
                          .type = type,
                          .chip = draft->chip,
                          .cluster = draft->cluster,
                          .element = *element};
    int64_t address = draft_address(draft, tier, type, element);
    buf_format(&draft->params, "%{} = param {} {} chip {}", tensor.label,
               tier == TIER_HBM ? "hbm" : "dm", scalar_name(type),
               draft_print(draft, &draft->chip));
    if (tier == TIER_DM) {
        tensor.slice = *slice;
        buf_format(&draft->params, " cluster {} slice {}", draft_print(draft, &draft->cluster),
                   draft_print(draft, slice));
    }
    buf_format(&draft->params, " element {} at 0x{x}\n", draft_print(draft, element),
               (uint64_t)address);
    return tensor;
}

// The later, the likelier.
DraftTensor *draft_pick(Draft *draft, Tier tier)
{
    DraftTensor *found = NULL;
    for (int64_t i = 0; i < draft->tensor_count; i++)
        if (draft->tensors[i].tier == tier && (!found || chance(draft->choices, 50)))
            found = &draft->tensors[i];
    return found;
}

static Parts unpadded(Draft *draft, const Part *part)
{
    if (part->inside)
        return *part->inside;
    const DraftAxis *axis = &draft->axes[part->axis];
    return parts_of((Part){axis->name, axis->size, 1, axis->size, part->axis, NULL});
}

// If the sizes of the parts of a base multiply to its size, they are all of it, because a draft
// takes no part twice.
Parts draft_unpadded(Draft *draft, const Parts *parts)
{
    Parts made = {0};
    for (int64_t i = 0; i < parts->count; i++) {
        const Part *part = &parts->items[i];
        bool can_go = part->base && (part->axis >= 0 || part->inside);
        int64_t size = 1, first = i;
        for (int64_t k = parts->count - 1; can_go && k >= 0; k--)
            if (parts->items[k].base && !strcmp(parts->items[k].base, part->base)) {
                size *= parts->items[k].size;
                first = k;
            }
        Parts bare = can_go && size == part->whole ? unpadded(draft, part) : parts_of(*part);
        if (first == i || size != part->whole)
            parts_add_all(&made, &bare);
    }
    return made;
}

// How many positions a tile may take: mostly only those before the padding, and for a group always,
// because the positions after it may be other positions of its axes.
static int64_t taken_size(Draft *draft, const Part *part)
{
    if (part->inside && part->size == part->whole)
        return parts_size(part->inside);
    if (part_is_whole(part) && chance(draft->choices, 85))
        return draft->axes[part->axis].size;
    return part->size;
}

// Takes some positions of a part, which may be an axis, a group, or cut out of these: `X = 3 # 8`
// in the view, `X = 3` in the stream. A single position is padding in the view, and nothing in the
// stream.
DraftView draft_view(Draft *draft, const DraftTensor *tensor, int64_t percent)
{
    DraftView view = {.element = tensor->element};
    Str label = str_format(draft->arena, "%{}", tensor->label);
    view.text = str_terminated(draft->arena, label);
    if (!tensor->element.count || !chance(draft->choices, percent))
        return view;
    int64_t at = choose(draft->choices, tensor->element.count);
    const Part *part = &tensor->element.items[at];
    if (!part->base)
        return view;
    const char *text = part_text(draft->arena, part);
    int64_t size = taken_size(draft, part);
    int64_t length = chance(draft->choices, 40) ? 1 : 1 + choose(draft->choices, size);
    int64_t start = choose(draft->choices, size - length + 1);
    Parts inside = tensor->element;
    Str base = str_format(draft->arena, "{} = {}", text, length);
    Part taken = {str_terminated(draft->arena, base), length, 1, length, part->axis, NULL};
    base = str_format(draft->arena, "{} = {} # {}", text, length, part->size);
    inside.items[at] = length == 1 ? part_padding(part->size) : taken;
    if (length > 1) {
        inside.items[at].base = str_terminated(draft->arena, base);
        inside.items[at].size = inside.items[at].whole = part->size;
    }
    Str tile = str_format(draft->arena, "{}.tile<[{}], {}, {}>({})", view.text, text, length,
                          draft_print(draft, &inside), start);
    view.text = str_terminated(draft->arena, tile);
    view.element.items[at] = taken;
    if (length == 1)
        view.element = parts_without(&view.element, at);
    return view;
}

// ---- the whole

void(draft_op)(Draft *draft, Message message)
{
    if (draft->op_count < DRAFT_OPS)
        draft->ops[draft->op_count++] = (str_format)(draft->arena, message);
}

void draft_program(Draft *draft, Arena *arena, Choices *choices, int64_t slices, int64_t ops)
{
    *draft =
        (Draft){.arena = arena, .choices = choices, .params = {.arena = arena}, .slices = slices};
    while ((int64_t)1 << draft->slice_bits < slices)
        draft->slice_bits++;
    draft->is_large = chance(choices, 2);
    draft->is_neutral = chance(choices, 8);
    choose_places(draft);
    choose_pool(draft);
    for (int64_t i = 0; i < 8 * ops && draft->op_count < ops; i++) {
        int64_t kind = choose(choices, 20);
        if (kind < 13 || draft->is_neutral)
            draft_pass(draft);
        else if (kind < 18)
            draft_move(draft);
        else if (kind < 19)
            draft_shuffles(draft);
        else
            draft_indirect(draft);
    }
}

Str draft_text(const Draft *draft, Arena *arena, int64_t ops)
{
    StrBuf out = {.arena = arena};
    buf_format(&out, "program p chip={}\n", draft->chips);
    for (int64_t i = 0; i < draft->axis_count; i++)
        buf_format(&out, "axis {} = {}\n", draft->axes[i].name, draft->axes[i].size);
    buf_add(&out, buf_str(&draft->params));
    for (int64_t i = 0; i < ops; i++)
        buf_add(&out, draft->ops[i]);
    buf_add(&out, STR("end\n"));
    return buf_str(&out);
}
