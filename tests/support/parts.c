#include "parts.h"

#include <inttypes.h>
#include <string.h>

int64_t parts_size(const Parts *parts)
{
    int64_t size = 1;
    for (int64_t i = 0; i < parts->count; i++)
        size *= parts->items[i].size;
    return size;
}

void parts_add(Parts *parts, Part part)
{
    if (part.size == 1 && !part.base)
        return; // a single position of padding is `1`
    if (parts->count < PARTS_MOST)
        parts->items[parts->count++] = part;
    else
        parts->is_full = true;
}

void parts_add_all(Parts *parts, const Parts *more)
{
    for (int64_t i = 0; i < more->count; i++)
        parts_add(parts, more->items[i]);
}

Parts parts_of(Part part)
{
    Parts parts = {0};
    parts_add(&parts, part);
    return parts;
}

Part part_padding(int64_t size)
{
    return (Part){.whole = size, .stride = 1, .size = size, .axis = -1};
}

bool part_is_whole(const Part *part)
{
    return part->axis >= 0 && part->stride == 1 && part->size == part->whole;
}

bool parts_split(const Parts *parts, int64_t size, Parts *outer, Parts *inner)
{
    Parts outside = {0}, inside = {0};
    int64_t at = parts->count;
    for (; at > 0 && size % parts->items[at - 1].size == 0; at--)
        size /= parts->items[at - 1].size;
    for (int64_t i = 0; i < at; i++)
        parts_add(&outside, parts->items[i]);
    if (size > 1) {
        if (at == 0 || parts->items[at - 1].size % size)
            return false;
        Part *cut = &outside.items[outside.count - 1], low = *cut;
        low.size = size;
        cut->stride *= size;
        cut->size /= size;
        parts_add(&inside, low);
    }
    for (int64_t i = at; i < parts->count; i++)
        parts_add(&inside, parts->items[i]);
    *outer = outside;
    *inner = inside;
    return true;
}

Part part_group(Arena *arena, const Parts *parts, int64_t size)
{
    Parts *inside = arena_copy(arena, parts, sizeof *parts);
    const char *text = parts_text(arena, parts);
    Str base = size > parts_size(parts) ? str_format(arena, "{} # {}", text, size) : str_from(text);
    return (Part){.base = str_terminated(arena, base),
                  .whole = size,
                  .stride = 1,
                  .size = size,
                  .axis = -1,
                  .inside = inside};
}

Parts parts_pad(Arena *arena, const Parts *parts, int64_t size)
{
    if (parts_size(parts) >= size)
        return *parts;
    if (!parts->count)
        return parts_of(part_padding(size));
    return parts_of(part_group(arena, parts, size));
}

Parts parts_without(const Parts *parts, int64_t at)
{
    Parts rest = {0};
    for (int64_t i = 0; i < parts->count; i++)
        if (i != at)
            parts_add(&rest, parts->items[i]);
    return rest;
}

Parts parts_bare(const Parts *parts)
{
    Parts bare = {0};
    for (int64_t i = 0; i < parts->count; i++) {
        const Part *part = &parts->items[i];
        if (!part->base)
            continue;
        if (part->inside && part->size == part->whole)
            parts_add_all(&bare, part->inside);
        else
            parts_add(&bare, *part);
    }
    return bare;
}

bool parts_name(const Parts *parts, int64_t axis)
{
    for (int64_t i = 0; i < parts->count; i++)
        if (parts->items[i].axis == axis ||
            (parts->items[i].inside && parts_name(parts->items[i].inside, axis)))
            return true;
    return false;
}

static bool joins_axes(const Part *part)
{
    int64_t axes = 0;
    for (int64_t i = 0; part->inside && i < part->inside->count; i++) {
        if (joins_axes(&part->inside->items[i]))
            return true;
        axes += part->inside->items[i].base != NULL;
    }
    return axes > 1;
}

bool parts_have_group(const Parts *parts)
{
    for (int64_t i = 0; i < parts->count; i++)
        if (joins_axes(&parts->items[i]))
            return true;
    return false;
}

bool parts_have_holes(const Parts *parts)
{
    for (int64_t i = 0; i < parts->count; i++) {
        const Parts *inside = parts->items[i].inside;
        for (int64_t k = 1; inside && joins_axes(&parts->items[i]) && k < inside->count; k++)
            if (!inside->items[k].base || strchr(inside->items[k].base, '#'))
                return true;
        if (inside && parts_have_holes(inside))
            return true;
    }
    return false;
}

static void print_part(StrBuf *out, const Part *part)
{
    if (!part->base) {
        buf_add(out, part->size > 1 ? str_format(out->arena, "1 # {}", part->size) : STR("1"));
        return;
    }
    buf_format(out, "{}", part->base);
    if (part->stride > 1)
        buf_format(out, " / {}", part->stride);
    if (part->stride * part->size < part->whole)
        buf_format(out, " % {}", part->size);
}

const char *part_text(Arena *arena, const Part *part)
{
    StrBuf out = {.arena = arena};
    print_part(&out, part);
    return str_terminated(arena, buf_str(&out));
}

const char *parts_text(Arena *arena, const Parts *parts)
{
    StrBuf out = {.arena = arena};
    buf_add_char(&out, '[');
    for (int64_t i = 0; i < parts->count; i++) {
        buf_add(&out, i ? STR(", ") : STR(""));
        print_part(&out, &parts->items[i]);
    }
    buf_add(&out, parts->count ? STR("]") : STR("1]"));
    return str_terminated(arena, buf_str(&out));
}
