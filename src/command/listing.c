#include "command/listing_text.h"

#include "base/checked.h"
#include "base/lines.h"
#include "command/form.h"

#include <string.h>

// DMA commands. Manual: DMA Engine, DMA Command Syntax.

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

enum { FACT_WIDTH = 9, HANGING = 4, SHORT_LINE = 40 };

// ---- the kernel

static void print_fact(const Listing *listing, const char *label, Str text)
{
    buf_format(listing->out, "{-*}", FACT_WIDTH, label);
    listing_wrap(listing, FACT_WIDTH, FACT_WIDTH + 2, INK_NONE, text);
}

static void print_head(const Listing *listing, const HwObject *object, const ObjectFacts *facts)
{
    Arena *arena = listing->out->arena;
    buf_format(listing->out, "{-*}", FACT_WIDTH, "kernel");
    listing_ink(listing, INK_HEADING, object->kernel);
    buf_add_char(listing->out, '\n');
    print_fact(listing, "machine",
               str_format(arena, "{}, {} chip{}, numbers 0x{08x}", object->machine, object->chips,
                          object->chips == 1 ? "" : "s", (unsigned long long)object->machine_hash));
    print_fact(listing, "compiler", str_format(arena, "contra {}", object->version));
    if (facts)
        print_fact(listing, "file",
                   str_format(arena, "{} bytes, format {}, checksum 0x{08x} is right", facts->bytes,
                              facts->format, facts->checksum));
}

// ---- arguments

static Str shape_text(Arena *arena, const HwArgument *argument)
{
    StrBuf buf = {.arena = arena};
    const HwArrayForm *form = argument->forms.count ? &argument->forms.items[0] : NULL;
    buf_add_char(&buf, '(');
    for (int64_t i = 0; form && i < form->axes.count; i++)
        buf_format(&buf, "{}{}", i ? ", " : "", form->axes.items[i].size);
    buf_add(&buf, form && form->axes.count == 1 ? STR(",)") : STR(")"));
    return buf_str(&buf);
}

static Str place_text(Arena *arena, const HwArgument *argument)
{
    StrBuf buf = {.arena = arena};
    buf_add(&buf, str_from(tiers[argument->tier].name));
    if (argument->address >= 0)
        buf_format(&buf, " @ 0x{x}{}", (uint64_t)argument->address,
                   argument->is_placed ? " (chosen)" : "");
    buf_format(&buf, ", {} B", argument->bytes);
    if (argument->slices > 1)
        buf_format(&buf, " in each of {} slices", argument->slices);
    else if (argument->chips > 1)
        buf_format(&buf, " in each of {} chips", argument->chips);
    return buf_str(&buf);
}

// ---- records

// All fields of any record, by its table:
//
//     fetch       [A = 32 : 96, B / 32 = 3 : 32, B % 32 = 32 : 1] : 32 @ 0x0; element_bits 8, ..
//
// A sequencer is its loops `term = size : stride`, outermost first, the bytes of an access and the
// address of the first; other loops name what stands between their colons. Parts that are small
// follow in braces, others below. Nothing is left out but parts that are absent.

enum { LABEL_WIDTH = 12, STEP = 2 };

// ---- what fields are

static bool has_word(const char *text, const char *word)
{
    return strstr(text, word);
}

static bool is_address(const Field *field)
{
    size_t length = strlen(field->name);
    return field->kind == FIELD_INT &&
           (strcmp(field->name, "address") == 0 ||
            (length >= 4 && strcmp(field->name + length - 4, "base") == 0));
}

static bool is_bytes(const Field *field)
{
    return field->kind == FIELD_INT &&
           (has_word(field->name, "bytes") || strncmp(field->doc, "bytes", 5) == 0 ||
            strncmp(field->doc, "leading bytes", 13) == 0);
}

static bool is_flat(const Record *record)
{
    for (int64_t i = 0; i < record->count; i++)
        if (record->fields[i].kind > FIELD_ENUM && record->fields[i].kind != FIELD_INTS &&
            record->fields[i].kind != FIELD_BITS)
            return false;
    return true;
}

// A loop begins with its iterations.
static bool is_loop(const Record *record)
{
    static const char *const sizes[] = {"size", "limit"};
    const Field *first = &record->fields[0];
    bool sized = false;
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        sized |= first->kind == FIELD_INT && strcmp(first->name, sizes[i]) == 0;
    return sized && is_flat(record);
}

static bool is_nest(const Record *record)
{
    return strcmp(record->name, "Nest") == 0;
}

// Shown in the line of its owner, behind the label.
static bool is_leading(const Field *field)
{
    return (field->kind == FIELD_PART && is_nest(field->record)) ||
           (field->kind == FIELD_LIST && is_loop(field->record));
}

static const void *item_at(const Record *record, const AnyArray *list, int64_t index)
{
    return (const char *)list->items + index * record->size;
}

// ---- values

static void add_number(StrBuf *out, const Field *field, int64_t value)
{
    if (!is_address(field))
        buf_format(out, "{}{}", value, is_bytes(field) ? " B" : "");
    else if (value < 0)
        buf_format(out, "-0x{x}", -(uint64_t)value);
    else
        buf_format(out, "0x{x}", (uint64_t)value);
}

static void add_ints(StrBuf *out, const IntList *list)
{
    buf_add_char(out, '{');
    for (int64_t i = 0; i < list->count; i++)
        buf_format(out, "{}{}", i ? ", " : "", list->items[i]);
    buf_add_char(out, '}');
}

// {0-15, 32}: the bits that are set.
static void add_bits(StrBuf *out, const BitList *list)
{
    int64_t count = list->count * 64;
    bool first = true;
    buf_add_char(out, '{');
    for (int64_t bit = 0; bit < count; bit++) {
        int64_t start = bit;
        if (!bit_is_set(list, bit))
            continue;
        while (bit_is_set(list, bit + 1))
            bit++;
        buf_format(out, "{}{}", first ? "" : ", ", start);
        if (bit > start)
            buf_format(out, "-{}", bit);
        first = false;
    }
    buf_add_char(out, '}');
}

static void add_value(StrBuf *out, const Field *field, const void *at)
{
    switch (field->kind) {
    case FIELD_INT:
        add_number(out, field, *(const int64_t *)at);
        return;
    case FIELD_BOOL:
        buf_add(out, *(const bool *)at ? STR("yes") : STR("no"));
        return;
    case FIELD_TEXT:
        buf_format(out, "`{}`", *(const Str *)at);
        return;
    case FIELD_ENUM:
        buf_add(out, str_from(field_value_name(field, *(const int *)at)));
        return;
    case FIELD_INTS:
        add_ints(out, at);
        return;
    case FIELD_BITS:
        add_bits(out, at);
        return;
    case FIELD_PART:
    case FIELD_MAYBE:
    case FIELD_LIST:
        return;
    }
}

static void add_named(StrBuf *out, const Field *field, const void *at)
{
    buf_add(out, str_from(field->name));
    if (field->kind == FIELD_BOOL && *(const bool *)at)
        return;
    buf_add_char(out, ' ');
    add_value(out, field, at);
}

// ---- loops

// "A / 8 = 4 : 32"
static void add_loop(StrBuf *out, const Record *record, const void *data)
{
    const Field *term = record_field(record, "term");
    int64_t numbers = 0;
    if (term && !field_is_unset(term, data))
        buf_format(out, "{} = ", *(const Str *)field_at(term, data));
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        const void *at = field_at(field, data);
        if (field->kind == FIELD_INT)
            buf_format(out, "{}{}", numbers++ ? " : " : "", *(const int64_t *)at);
        else if (field != term && !field_is_unset(field, data)) {
            buf_add_char(out, ' ');
            add_named(out, field, at);
        }
    }
}

// What the numbers of a loop are, where they are more than size and stride.
static void add_legend(StrBuf *out, const Record *record)
{
    int64_t numbers = 0;
    for (int64_t i = 0; i < record->count; i++)
        numbers += record->fields[i].kind == FIELD_INT;
    if (numbers <= 2 && record_field(record, "stride"))
        return;
    numbers = 0;
    buf_add(out, STR(" ("));
    for (int64_t i = 0; i < record->count; i++)
        if (record->fields[i].kind == FIELD_INT)
            buf_format(out, "{}{}", numbers++ ? " : " : "", record->fields[i].name);
    buf_add_char(out, ')');
}

static void add_loops(StrBuf *out, const Record *record, const AnyArray *list, bool legend)
{
    buf_add_char(out, '[');
    for (int64_t i = 0; i < list->count; i++) {
        buf_add(out, i ? STR(", ") : STR(""));
        add_loop(out, record, item_at(record, list, i));
    }
    buf_add_char(out, ']');
    if (legend && list->count)
        add_legend(out, record);
}

// "[A = 4 : 32] : 32 @ 0x0"; `name` is what the manual calls the bytes of an access there.
static void add_nest(StrBuf *out, const Record *record, const void *data, const char *name)
{
    const char *separator = "; ";
    const Field *size = record_field(record, "access_bytes"), *base = record_field(record, "base");
    for (int64_t i = 0; i < record->count; i++)
        if (is_leading(&record->fields[i]))
            add_loops(out, record->fields[i].record, field_at(&record->fields[i], data), false);
    if (size)
        buf_format(out, " : {}", *(const int64_t *)field_at(size, data));
    if (base) {
        buf_add(out, STR(" @ "));
        add_number(out, base, *(const int64_t *)field_at(base, data));
    }
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        if (is_leading(field) || field == base)
            continue;
        buf_add(out, str_from(separator));
        if (field == size && name)
            buf_format(out, "{} {} B", name, *(const int64_t *)field_at(field, data));
        else
            add_named(out, field, field_at(field, data));
        separator = ", ";
    }
}

static const char *access_name(const Record *owner)
{
    static const struct {
        const char *record, *name;
    } names[] = {{"Fetch", "fetch_size"}, {"Commit", "commit_size"}, {"TrfRead", "reg_read_size"}};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(owner->name, names[i].record) == 0)
            return names[i].name;
    return NULL;
}

// ---- lines

static void print_line(const Listing *listing, int64_t indent, const char *label, Str text)
{
    int64_t length = (int64_t)strlen(label);
    buf_repeat(listing->out, STR(" "), indent);
    listing_ink(listing, INK_LABEL, str_from(label));
    if (text.len)
        buf_repeat(listing->out, STR(" "), max_i64(LABEL_WIDTH - length, 1));
    buf_add(listing->out, text);
    buf_add_char(listing->out, '\n');
}

// All that a record says in one line, separated by commas.
static Str inline_text(const Listing *listing, const Record *record, const void *data);

static void add_part(const Listing *listing, StrBuf *out, const Field *field, const void *part)
{
    buf_format(out, "{} {{{}}", field->name, inline_text(listing, field->record, part));
}

static Str inline_text(const Listing *listing, const Record *record, const void *data)
{
    StrBuf text = {.arena = listing->out->arena};
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        const void *at = field_at(field, data);
        if (is_leading(field) && !field_is_unset(field, data)) {
            buf_add(&text, text.len ? STR(", ") : STR(""));
            if (field->kind == FIELD_LIST)
                buf_format(&text, "{} ", field->name);
            if (field->kind == FIELD_LIST)
                add_loops(&text, field->record, at, true);
            else
                add_nest(&text, field->record, at, access_name(record));
        } else if (field->kind == FIELD_PART && is_flat(field->record)) {
            buf_add(&text, text.len ? STR(", ") : STR(""));
            add_part(listing, &text, field, at);
        } else if (field->kind != FIELD_PART && field->kind != FIELD_MAYBE &&
                   field->kind != FIELD_LIST) {
            buf_add(&text, text.len ? STR(", ") : STR(""));
            add_named(&text, field, at);
        }
    }
    return buf_str(&text);
}

// ---- what stands below

static void print_list(const Listing *listing, int64_t indent, const Field *field,
                       const AnyArray *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        Str label = str_format(listing->out->arena, "{} {}", field->name, i);
        const char *name =
            list->count > 1 ? str_terminated(listing->out->arena, label) : field->name;
        listing_record(listing, indent, name, field->record, item_at(field->record, list, i));
    }
}

static void print_below(const Listing *listing, int64_t indent, const Field *field, const void *at)
{
    if (is_leading(field))
        return;
    if (field->kind == FIELD_PART && !is_flat(field->record))
        listing_record(listing, indent, field->name, field->record, at);
    else if (field->kind == FIELD_MAYBE && *(const void *const *)at)
        listing_record(listing, indent, field->name, field->record, *(const void *const *)at);
    else if (field->kind == FIELD_LIST)
        print_list(listing, indent, field, at);
}

void listing_record(const Listing *listing, int64_t indent, const char *label, const Record *record,
                    const void *data)
{
    StrBuf text = {.arena = listing->out->arena};
    if (is_nest(record))
        add_nest(&text, record, data, NULL);
    else
        buf_add(&text, inline_text(listing, record, data));
    print_line(listing, indent, label, buf_str(&text));
    for (int64_t i = 0; i < record->count && !is_nest(record); i++)
        print_below(listing, indent + STEP, &record->fields[i], field_at(&record->fields[i], data));
}

static void print_argument(const Listing *listing, const HwArgument *argument)
{
    Arena *arena = listing->out->arena;
    const char *way = !argument->is_output ? "in" : argument->is_input ? "in/out" : "out";
    StrBuf buf = {.arena = arena};
    buf_format(&buf, "{}: {} {}  {}  {}", argument->name, scalar_name(argument->type),
               shape_text(arena, argument), argument->mapping, place_text(arena, argument));
    print_fact(listing, way, buf_str(&buf));
    if (listing->verbose)
        listing_record(listing, LISTING_INDENT, "argument", &record_of_Argument, argument);
}

static void print_arguments(const Listing *listing, const HwObject *object)
{
    for (int64_t i = 0; i < object->constants.count; i++) {
        const HwConstant *constant = &object->constants.items[i];
        print_fact(listing, "number",
                   str_format(listing->out->arena, "{} = {}", constant->name, constant->value));
    }
    for (int64_t i = 0; i < object->arguments.count; i++)
        print_argument(listing, &object->arguments.items[i]);
    for (int64_t i = 0; i < object->results.count; i++)
        print_argument(listing, &object->results.items[i]);
}

// ---- the report

// "12.5 %"
static Str percent_text(Arena *arena, int64_t permille)
{
    return str_format(arena, "{}.{} %", permille / 10, permille % 10);
}

void listing_use(const Listing *listing, const HwUse *use)
{
    Arena *arena = listing->out->arena;
    const struct {
        const char *name;
        int64_t permille;
    } shares[] = {{"MAC", use->mac_permille},
                  {"lanes", use->lane_permille},
                  {"slices", use->slice_permille},
                  {"bandwidth", use->bandwidth_permille}};
    StrBuf text = {.arena = arena}, used = {.arena = arena};
    buf_format(&text, "bound by {}: {} cycle{}", use->bound_by, use->cycles, plural(use->cycles));
    for (size_t i = 0; i < COUNT_OF(shares); i++)
        if (shares[i].permille > 0)
            say(&used, "{} {}", shares[i].name, percent_text(arena, shares[i].permille));
    buf_format(&text, "{}{}", used.len ? "; " : "", buf_str(&used));
    if (use->bound_by.len)
        listing_line(listing, "use", buf_str(&text));
    for (int64_t i = 0; i < use->hints.count; i++) {
        buf_repeat(listing->out, STR(" "), LISTING_INDENT);
        listing_ink(listing, INK_HINT, STR("hint: "));
        listing_wrap(listing, LISTING_INDENT + 6, LISTING_INDENT + 6, INK_NONE,
                     use->hints.items[i].text);
    }
}

// ---- operations

// "2 clusters of 256 slices"
static void print_extent(const Listing *listing, const HwPipeline *pass)
{
    StrBuf text = {.arena = listing->out->arena};
    buf_format(&text, "{} context, ", context_names[pass->context]);
    if (pass->chips != 1)
        buf_format(&text, "{} chips of ", pass->chips);
    buf_format(&text, "{} cluster{} of {} slices", pass->clusters, plural(pass->clusters),
               pass->slices);
    listing_line(listing, "pass", buf_str(&text));
}

// The engines in the order of the pipeline; those that are absent are passed by.
void listing_pass(const Listing *listing, const HwPipeline *pass)
{
    print_extent(listing, pass);
    listing_fetch(listing, pass);
    if (pass->route)
        listing_switch(listing, pass->route);
    if (pass->collect)
        listing_collect(listing, pass->collect);
    if (pass->trf_store)
        listing_trf_store(listing, pass->trf_store);
    if (pass->vrf_store)
        listing_vrf_store(listing, pass->vrf_store);
    if (pass->adapt)
        listing_adapt(listing, pass->adapt);
    if (pass->trf_read)
        listing_trf_read(listing, pass->trf_read);
    if (pass->reduce)
        listing_reduce(listing, pass->reduce);
    if (pass->vector)
        listing_vector(listing, pass->vector);
    if (pass->cast)
        listing_cast(listing, pass->cast);
    if (pass->transpose)
        listing_transpose(listing, pass->transpose);
    if (pass->commit)
        listing_commit(listing, pass);
}

static void print_command(const Listing *listing, const HwCommand *command)
{
    if (listing->verbose)
        listing_record(listing, LISTING_INDENT, "command", &record_of_Command, command);
    else if (command->pass)
        listing_pass(listing, command->pass);
    else if (command->dma)
        listing_dma(listing, command->dma);
    else if (command->immediate)
        listing_immediate(listing, command->immediate);
}

// The line of the source, behind the heading if that leaves room for it, otherwise below.
static void print_source(const Listing *listing, int64_t column, Str text)
{
    enum { GAP = 2, INDENT = LISTING_INDENT + HANGING };
    int64_t room = (listing->width ? listing->width : LISTING_WIDTH) - column - GAP;
    bool below = width_of(text) > room && room < SHORT_LINE;
    buf_add(listing->out, below ? STR("\n") : STR(""));
    buf_repeat(listing->out, STR(" "), below ? INDENT : GAP);
    listing_wrap(listing, below ? INDENT : column + GAP, INDENT, INK_SOURCE, text);
}

// "#3  main commit  gemm.rs:36  .begin(a.view())"
static void print_heading(const Listing *listing, int64_t number, const HwOperation *operation)
{
    StrBuf *out = listing->out;
    Str heading = str_format(out->arena, "#{}  {} {}", number, context_names[operation->context],
                             operation->method);
    buf_add_char(out, '\n');
    listing_ink(listing, INK_HEADING, heading);
    if (!operation->file.len) {
        buf_add_char(out, '\n');
        return;
    }
    Str place = str_format(out->arena, "  {}:{}", operation->file, operation->line);
    buf_add(out, place);
    print_source(listing, width_of(heading) + width_of(place), operation->text);
}

static void print_operation(const Listing *listing, int64_t number, const HwOperation *operation)
{
    print_heading(listing, number, operation);
    if (!operation->commands.count)
        listing_line(listing, "no commands", STR(""));
    for (int64_t i = 0; i < operation->commands.count; i++)
        print_command(listing, &operation->commands.items[i]);
    if (operation->use && listing->verbose)
        listing_record(listing, LISTING_INDENT, "use", &record_of_Use, operation->use);
    else if (operation->use)
        listing_use(listing, operation->use);
}

void listing_print(const Listing *listing, const HwObject *object, const ObjectFacts *facts)
{
    print_head(listing, object, facts);
    print_arguments(listing, object);
    for (int64_t i = 0; i < object->operations.count; i++)
        print_operation(listing, i, &object->operations.items[i]);
}
