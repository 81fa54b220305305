// All fields of any record, by its table:
//
//     fetch       [A = 32 : 96, B / 32 = 3 : 32, B % 32 = 32 : 1] : 32 @ 0x0; element_bits 8, ..
//
// A sequencer is its loops `term = size : stride`, outermost first, the bytes of an access and the
// address of the first; other loops name what stands between their colons. Parts that are small
// follow in braces, others below. Nothing is left out but parts that are absent.
#include "command/listing_text.h"

#include "base/checked.h"
#include "command/form.h"

#include <inttypes.h>
#include <string.h>

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

static bool is_value(const Field *field)
{
    return field->kind <= FIELD_ENUM;
}

static bool is_flat(const Record *record)
{
    for (int64_t i = 0; i < record->count; i++)
        if (!is_value(&record->fields[i]) && record->fields[i].kind != FIELD_INTS &&
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
    return (const char *)list->items + (size_t)index * record->size;
}

// ---- values

static void add_number(StrBuf *out, const Field *field, int64_t value)
{
    if (!is_address(field))
        buf_printf(out, "%" PRId64 "%s", value, is_bytes(field) ? " B" : "");
    else if (value < 0)
        buf_printf(out, "-0x%" PRIx64, -(uint64_t)value);
    else
        buf_printf(out, "0x%" PRIx64, (uint64_t)value);
}

static void add_ints(StrBuf *out, const IntList *list)
{
    buf_add_char(out, '{');
    for (int64_t i = 0; i < list->count; i++)
        buf_printf(out, "%s%" PRId64, i ? ", " : "", list->items[i]);
    buf_add_char(out, '}');
}

static bool bit_at(const BitList *list, int64_t bit)
{
    return bit < list->count * 64 && list->items[bit / 64] >> (bit % 64) & 1;
}

// {0-15, 32}: the bits that are set.
static void add_bits(StrBuf *out, const BitList *list)
{
    int64_t count = list->count * 64;
    bool first = true;
    buf_add_char(out, '{');
    for (int64_t bit = 0; bit < count; bit++) {
        int64_t start = bit;
        if (!bit_at(list, bit))
            continue;
        while (bit_at(list, bit + 1))
            bit++;
        buf_printf(out, "%s%" PRId64, first ? "" : ", ", start);
        if (bit > start)
            buf_printf(out, "-%" PRId64, bit);
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
        buf_printf(out, "`%.*s`", STR_ARG(*(const Str *)at));
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
        buf_printf(out, "%.*s = ", STR_ARG(*(const Str *)field_at(term, data)));
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        const void *at = field_at(field, data);
        if (field->kind == FIELD_INT)
            buf_printf(out, "%s%" PRId64, numbers++ ? " : " : "", *(const int64_t *)at);
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
            buf_printf(out, "%s%s", numbers++ ? " : " : "", record->fields[i].name);
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
        buf_printf(out, " : %" PRId64, *(const int64_t *)field_at(size, data));
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
            buf_printf(out, "%s %" PRId64 " B", name, *(const int64_t *)field_at(field, data));
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
    buf_printf(out, "%s {%.*s}", field->name, STR_ARG(inline_text(listing, field->record, part)));
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
                buf_printf(&text, "%s ", field->name);
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
        Str label = str_format(listing->out->arena, "%s %lld", field->name, (long long)i);
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
