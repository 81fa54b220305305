#include "command/listing_text.h"

#include "base/checked.h"
#include "base/lines.h"
#include "scalar/bits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 16, MOST_RUNS = 4, NARROWEST = 20, HANGING = 2 };

// ---- lines

const char *listing_verbose(const Listing *listing)
{
    return listing->is_typed ? "--verbose" : "the verbose listing";
}

void listing_ink(const Listing *listing, Ink ink, Str text)
{
    static const char *const inks[INK_COUNT] = {[INK_LABEL] = "\033[32m",
                                                [INK_HEADING] = "\033[1m",
                                                [INK_SOURCE] = "\033[36m",
                                                [INK_HINT] = "\033[33m"};
    bool coloured = listing->colour && ink && text.len;
    if (coloured)
        buf_add(listing->out, str_from(inks[ink]));
    buf_add(listing->out, text);
    if (coloured)
        buf_add(listing->out, STR("\033[0m"));
}

// Bytes that `room` characters take.
static int64_t bytes_of(Str text, int64_t room)
{
    int64_t end = 0;
    while (end < text.len && (room > 0 || is_continuation(text.data[end])))
        room -= !is_continuation(text.data[end++]);
    return end;
}

// How good a place the blank at `i` is to break a line, `depth` brackets deep.
static int rank_of(Str text, int64_t i, int64_t depth)
{
    return (depth == 0) * 3 + (text.data[i - 1] == ';') * 2 + (text.data[i - 1] == ',');
}

// Where the line breaks, at a blank, which goes: outside of brackets and behind a semicolon or
// comma, if that leaves the line half full; if there is no blank that fits, at the first one that
// does not.
static int64_t break_of(Str text, int64_t room)
{
    int64_t end = bytes_of(text, room), depth = 0, last = -1;
    struct {
        int64_t at;
        int rank;
    } best = {-1, -1};
    for (int64_t i = 0; i < text.len && (i <= end || last < 0); i++) {
        depth += text.data[i] == '[' || text.data[i] == '(' || text.data[i] == '{';
        depth -= text.data[i] == ']' || text.data[i] == ')' || text.data[i] == '}';
        depth = max_i64(depth, 0); // it was opened on a line before
        if (text.data[i] != ' ' || i == 0)
            continue;
        last = i;
        int rank = rank_of(text, i, depth);
        if (i * 2 > end && rank >= best.rank) {
            best.at = i;
            best.rank = rank;
        }
    }
    return best.at > 0 ? best.at : last > 0 ? last : text.len;
}

void listing_wrap(const Listing *listing, int64_t column, int64_t hanging, Ink ink, Str text)
{
    int64_t width = listing->width ? listing->width : LISTING_WIDTH;
    while (width_of(text) > max_i64(width - column, NARROWEST)) {
        int64_t end = break_of(text, max_i64(width - column, NARROWEST));
        if (end == text.len)
            break;
        listing_ink(listing, ink, str_slice(text, 0, end));
        buf_add_char(listing->out, '\n');
        buf_repeat(listing->out, STR(" "), hanging);
        text = str_slice(text, end + 1, text.len);
        column = hanging;
    }
    listing_ink(listing, ink, text);
    buf_add_char(listing->out, '\n');
}

void listing_line(const Listing *listing, const char *label, Str text)
{
    listing_hang(listing, label, HANGING, text);
}

void listing_hang(const Listing *listing, const char *label, int64_t hanging, Str text)
{
    int64_t column = LISTING_INDENT + LISTING_LABEL, leading = 0;
    while (leading < text.len && text.data[leading] == ' ')
        leading++;
    buf_repeat(listing->out, STR(" "), LISTING_INDENT);
    listing_ink(listing, INK_LABEL, str_from(label));
    buf_repeat(listing->out, STR(" "), max_i64(LISTING_LABEL - (int64_t)strlen(label), 1));
    buf_repeat(listing->out, STR(" "), leading);
    listing_wrap(listing, column + leading, column + leading + hanging, INK_NONE,
                 str_slice(text, leading, text.len));
}

void(listing_linef)(const Listing *listing, const char *label, Message message)
{
    listing_line(listing, label, (str_format)(listing->out->arena, message));
}

// ---- texts

void(say)(StrBuf *text, Message message)
{
    buf_add(text, text->len ? STR(", ") : STR(""));
    (buf_format)(text, message);
}

const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

Str address_text(Arena *arena, int64_t address)
{
    uint64_t distance = address < 0 ? -(uint64_t)address : (uint64_t)address;
    return str_format(arena, "{}0x{x}", address < 0 ? "-" : "", distance);
}

Str term_text(Arena *arena, Str term)
{
    return str_find(term, STR(",")) < 0 ? term : str_format(arena, "({})", term);
}

Str ints_text(Arena *arena, const IntList *list)
{
    StrBuf text = {.arena = arena};
    for (int64_t i = 0; i < list->count && i < MOST_NUMBERS; i++)
        say(&text, "{}", list->items[i]);
    if (list->count > MOST_NUMBERS)
        say(&text, ".. {} in all", list->count);
    return buf_str(&text);
}

static void add_loop(StrBuf *text, const HwLoop *loop)
{
    buf_add(text, text->len > 1 ? STR(", ") : STR(""));
    if (loop->term.len)
        buf_format(text, "{} = ", term_text(text->arena, loop->term));
    if (loop->offsets.count)
        buf_format(text, "{} : {{{}}", loop->size, ints_text(text->arena, &loop->offsets));
    else
        buf_format(text, "{} : {}", loop->size, loop->stride);
}

Str loops_text(Arena *arena, const HwLoop *loops, int64_t count)
{
    StrBuf text = {.arena = arena};
    buf_add_char(&text, '[');
    for (int64_t i = 0; i < count; i++)
        add_loop(&text, &loops[i]);
    buf_add_char(&text, ']');
    return buf_str(&text);
}

Str nest_text(Arena *arena, const HwNest *nest)
{
    return str_format(arena, "{} : {} @ {}",
                      loops_text(arena, nest->loops.items, nest->loops.count), nest->access_bytes,
                      address_text(arena, nest->base));
}

// ---- bits

typedef struct {
    int64_t first, last;
} Run;

typedef struct {
    ARRAY(Run);
} RunList;

static RunList runs_of(Arena *arena, const BitList *bits)
{
    RunList runs = {0};
    for (int64_t bit = 0; bit < bits->count * 64; bit++) {
        int64_t first = bit;
        while (bit_is_set(bits, bit))
            bit++;
        if (bit > first)
            *array_push(arena, &runs, Run) = (Run){first, bit - 1};
    }
    return runs;
}

static bool is_regular(const RunList *runs)
{
    const Run *run = runs->items;
    for (int64_t i = 1; i < runs->count; i++)
        if (run[i].last - run[i].first != run[0].last - run[0].first ||
            run[i].first - run[i - 1].first != run[1].first - run[0].first)
            return false;
    return true;
}

static void add_run(StrBuf *text, Run run)
{
    say(text, "{}", run.first);
    if (run.last > run.first)
        buf_format(text, "-{}", run.last);
}

Str bits_text(Arena *arena, const BitList *bits)
{
    StrBuf text = {.arena = arena};
    RunList runs = runs_of(arena, bits);
    bool cut = runs.count > MOST_RUNS && is_regular(&runs);
    for (int64_t i = 0; i < runs.count; i++) {
        if (!cut || i < 2 || i == runs.count - 1)
            add_run(&text, runs.items[i]);
        else if (i == 2)
            say(&text, "..");
    }
    return runs.count ? buf_str(&text) : STR("none");
}

// ---- slices

static bool same_bits(const BitList *a, const BitList *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

// "cluster 0", "chip 1, cluster 0"; nothing: every one.
static void add_cluster(StrBuf *text, int64_t chips, const HwClusterBits *bits, bool first)
{
    if (bits->chip < 0 && bits->cluster < 0)
        return;
    buf_add(text, first ? STR(" of ") : STR(" and "));
    if (bits->chip >= 0 && (chips != 1 || bits->chip || bits->cluster < 0))
        buf_format(text, "chip {}{}", bits->chip, bits->cluster < 0 ? "" : " ");
    if (bits->cluster >= 0)
        buf_format(text, "cluster {}", bits->cluster);
}

Str slices_text(Arena *arena, int64_t chips, const HwClusterBits *bitmaps, int64_t count)
{
    StrBuf text = {.arena = arena};
    for (int64_t i = 0; i < count; i++) {
        bool first = i == 0 || !same_bits(&bitmaps[i].slices, &bitmaps[i - 1].slices);
        if (first)
            buf_format(&text, "{}slices {}", i ? "; " : "", bits_text(arena, &bitmaps[i].slices));
        add_cluster(&text, chips, &bitmaps[i], first);
    }
    return buf_str(&text);
}

// ---- values

// With as few digits as say which float it is.
static Str float_text(Arena *arena, float value)
{
    enum { FEW = 6, MOST = 9 };
    Str text = {0};
    for (int digits = FEW; digits <= MOST; digits++) {
        text = str_format(arena, "{.*g}", digits, (double)value);
        if (strtof(str_terminated(arena, text), NULL) == value)
            break;
    }
    return text;
}

Str value_text(Arena *arena, Scalar type, int64_t bits)
{
    uint32_t value = scalar_wrap(type, (uint32_t)bits);
    if (scalar_is_integer(type))
        return str_format(arena, "{}", (int32_t)value);
    return float_text(arena, float_of_bits(scalar_to_f32(type, value)));
}

// ---- padding

static void add_term(StrBuf *text, const HwCheckTerm *term)
{
    uint64_t weight = term->weight < 0 ? -(uint64_t)term->weight : (uint64_t)term->weight;
    if (term->of < 0)
        buf_add_char(text, 'p');
    else
        buf_format(text, "c{}", term->of);
    buf_format(text, " % {}", term->modulo);
    if (term->place != 1)
        buf_format(text, " / {}", term->place);
    if (term->table.count)
        buf_format(text, " of {{{}}", ints_text(text->arena, &term->table));
    if (weight != 1)
        buf_format(text, " x {}", weight);
}

// "3 + p % 8 / 2 x 4"
static void add_sum(StrBuf *text, const HwCheck *check)
{
    bool first = !check->offset && check->terms.count;
    buf_add(text, check->modulo ? STR("(") : STR(""));
    if (!first)
        buf_format(text, "{}", check->offset);
    for (int64_t i = 0; i < check->terms.count; i++) {
        bool negative = check->terms.items[i].weight < 0;
        buf_add(text, first && !negative ? STR("") : negative ? STR(" - ") : STR(" + "));
        add_term(text, &check->terms.items[i]);
        first = false;
    }
    if (check->modulo)
        buf_format(text, ") % {}", check->modulo);
}

void checks_add(StrBuf *text, const char *what, const HwCheck *checks, int64_t count)
{
    buf_format(text, "{} p is data where ", what);
    for (int64_t i = 0; i < count; i++) {
        buf_add(text, i ? STR(", ") : STR(""));
        if (count > 1)
            buf_format(text, "c{} = ", i);
        add_sum(text, &checks[i]);
        buf_format(text, " in 0..{}", checks[i].limit);
    }
}
