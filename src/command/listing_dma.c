// DMA commands. Manual: DMA Engine, DMA Command Syntax.
#include "command/listing_text.h"

#include "base/checked.h"
#include "command/form.h"

#include <string.h>

// ---- a descriptor

// "HBM(0) @ 0x800", "DM(0, 1, 2) @ 0x10001000", "Host: tensor 3 + 0x0"
static void add_place(StrBuf *text, const HwPlace *place, int64_t address)
{
    buf_add(text, str_from(field_value_name(&record_of_Place.fields[0], (int)place->media)));
    if (place->cluster >= 0 && place->dmn >= 0)
        buf_format(text, "({}, {}, {})", place->chip, place->cluster, place->dmn);
    else if (place->cluster >= 0)
        buf_format(text, "({}, {})", place->chip, place->cluster);
    else if (place->media != MEDIA_HOST)
        buf_format(text, "({})", place->chip);
    if (place->tensor >= 0)
        buf_format(text, " tensor {} +", place->tensor);
    else
        buf_add(text, STR(" @"));
    buf_format(text, " {}", address_text(text->arena, address));
}

// Who executes it: "engine (0, 1, 2)" is number 2 of cluster 1 of chip 0.
static void add_engine(StrBuf *text, const HwDescriptor *descriptor)
{
    if (descriptor->cluster < 0)
        buf_format(text, "PCIe ({})", descriptor->chip);
    else if (descriptor->engine < 0)
        buf_format(text, "stos ({}, {})", descriptor->chip, descriptor->cluster);
    else
        buf_format(text, "engine ({}, {}, {})", descriptor->chip, descriptor->cluster,
                   descriptor->engine);
}

static void print_descriptor(const Listing *listing, const HwDescriptor *descriptor)
{
    StrBuf text = {.arena = listing->out->arena};
    add_engine(&text, descriptor);
    buf_add(&text, STR(": "));
    add_place(&text, &descriptor->source, descriptor->source_base);
    buf_add(&text, STR(" -> "));
    add_place(&text, &descriptor->dest, descriptor->dest_base);
    if (descriptor->indirect) {
        say(&text, "index ");
        add_place(&text, &descriptor->indirect->index, descriptor->indirect->base);
    }
    listing_line(listing, "", buf_str(&text));
}

// ---- what several have in common

// What a descriptor is without the places it begins at, and who executes it.
static HwDescriptor walk_of(const HwDescriptor *descriptor, HwDmaIndirect *indirect)
{
    HwDescriptor walk = *descriptor;
    walk.chip = walk.cluster = walk.engine = walk.source_base = walk.dest_base = 0;
    walk.source = walk.dest = (HwPlace){0};
    if (!walk.indirect)
        return walk;
    *indirect = *walk.indirect;
    indirect->index = (HwPlace){0};
    indirect->base = 0;
    walk.indirect = indirect;
    return walk;
}

static bool walk_alike(const HwDescriptor *a, const HwDescriptor *b)
{
    HwDmaIndirect of_a, of_b;
    HwDescriptor first = walk_of(a, &of_a), second = walk_of(b, &of_b);
    return record_equal(&record_of_Descriptor, &first, &second);
}

static bool same_engine(const HwDescriptor *a, const HwDescriptor *b)
{
    return a->chip == b->chip && a->cluster == b->cluster && a->engine == b->engine;
}

// "[A = 4 : 64 : 4096] : 64"; of an index alone "[A = 4 : 4]".
static Str walk_text(Arena *arena, const HwDescriptor *descriptor, bool index)
{
    StrBuf text = {.arena = arena};
    buf_add_char(&text, '[');
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        buf_add(&text, i ? STR(", ") : STR(""));
        if (loop->term.len)
            buf_format(&text, "{} = ", term_text(arena, loop->term));
        buf_format(&text, "{}", loop->limit);
        if (index)
            buf_format(&text, " : {}", loop->index_stride);
        else
            buf_format(&text, " : {} : {}", loop->source_stride, loop->dest_stride);
    }
    buf_add_char(&text, ']');
    if (!index)
        buf_format(&text, " : {} (limit : source_stride : dest_stride)", descriptor->packet_bytes);
    return buf_str(&text);
}

static void print_indirect(const Listing *listing, const HwDescriptor *descriptor)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    const char *side = indirect->is_source ? "source" : "destination";
    StrBuf text = {.arena = listing->out->arena};
    listing_linef(listing, "", "index {}, entries of i32, strides in bytes",
                  walk_text(text.arena, descriptor, true));
    say(&text, "{}: row = entry", indirect->is_source ? "gather" : "scatter");
    if (indirect->divisor != 1)
        buf_format(&text, " / {}", indirect->divisor);
    say(&text, "row x {} B is added to the {}", indirect->scale, side);
    say(&text, "rows from {} on are left out", indirect->limit);
    listing_line(listing, "", buf_str(&text));
}

static Str packets_text(Arena *arena, const HwDescriptor *descriptor)
{
    StrBuf text = {.arena = arena};
    say(&text, "packets of {} {}", descriptor->packet_bytes,
        descriptor->unit_bits == 4 ? "half bytes" : "B");
    say(&text, "{} request{} of at most 256 B", descriptor->requests, plural(descriptor->requests));
    if (descriptor->padding_bits)
        say(&text, "the last {} bits of a packet padding", descriptor->padding_bits);
    if (descriptor->inter_chip)
        say(&text, "between chips");
    return buf_str(&text);
}

// Descriptors in a row that walk alike.
typedef struct {
    const HwDescriptor *items;
    int64_t count;
} Alike;

static bool one_an_engine(const Alike *alike)
{
    enum { MOST_ENGINES = 256 }; // more are not compared
    for (int64_t i = 1; i < alike->count; i++)
        for (int64_t k = 0; k < i; k++)
            if (i == MOST_ENGINES || same_engine(&alike->items[k], &alike->items[i]))
                return false;
    return true;
}

static void print_alike(const Listing *listing, const Alike *alike, bool walk)
{
    const HwDescriptor *first = alike->items;
    Arena *arena = listing->out->arena;
    Str packets = packets_text(arena, first);
    const char *each = alike->count == 1 ? "" : one_an_engine(alike) ? ", one an engine" : "";
    listing_linef(listing, "", "{} descriptor{}{}; {}{}", alike->count, plural(alike->count), each,
                  alike->count > 1 ? "each in " : "in ", packets);
    if (walk)
        listing_line(listing, "", walk_text(arena, first, false));
    if (first->indirect)
        print_indirect(listing, first);
    int64_t shown = alike->count > LISTING_MOST ? LISTING_MOST / 2 : alike->count;
    for (int64_t i = 0; i < shown; i++)
        print_descriptor(listing, &alike->items[i]);
    if (shown == alike->count)
        return;
    listing_linef(listing, "", ".. {} more, {} shows them; the last:", alike->count - shown - 1,
                  listing_verbose(listing));
    print_descriptor(listing, &alike->items[alike->count - 1]);
}

static void print_descriptors(const Listing *listing, const HwDmaCommand *dma)
{
    const HwDescriptor *items = dma->descriptors.items;
    int64_t groups = 0, count = dma->descriptors.count, next;
    for (int64_t i = 0; i < count; i = next) {
        for (next = i + 1; next < count && walk_alike(&items[i], &items[next]);)
            next++;
        if (groups++ == LISTING_MOST) {
            listing_linef(listing, "", ".. {} more descriptors, {} shows them", count - i,
                          listing_verbose(listing));
            return;
        }
        bool said = i == 0 && dma->read.len;
        print_alike(listing, &(Alike){&items[i], next - i}, !said);
    }
}

void listing_dma(const Listing *listing, const HwDmaCommand *dma)
{
    listing_linef(listing, "dma", "{} B in elements of {} bits, {} syntax", dma->bytes,
                  dma->element_bits, dma->homogeneous ? "homogeneous" : "heterogeneous");
    if (dma->read.len)
        listing_linef(listing, "", "read  {}", dma->read);
    if (dma->write.len)
        listing_linef(listing, "", "write {}", dma->write);
    print_descriptors(listing, dma);
}
