// The way into the pipeline: fetch, switch, collect.
#include "command/cycles.h"
#include "command/listing_text.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

// ---- fetch

static Str adapter_text(Arena *arena, const HwFetch *fetch)
{
    StrBuf text = {.arena = arena};
    if (fetch->table) {
        const HwTable *table = fetch->table;
        say(&text, "table of %" PRId64 " entries of %s:", table->entries.count,
            scalar_name(table->type));
        for (int64_t i = 0; i < table->entries.count && i < LISTING_MOST; i++)
            buf_printf(&text, "%s%.*s", i ? ", " : " ",
                       STR_ARG(value_text(arena, table->type, table->entries.items[i])));
        buf_add(&text, table->entries.count > LISTING_MOST ? STR(", ..") : STR(""));
    }
    if (fetch->cast != fetch->type)
        say(&text, "cast to %s, packets of %" PRId64 " B in the stream", scalar_name(fetch->cast),
            fetch->stream_packet_bytes);
    if (fetch->zero_points.count)
        say(&text, "zero point%s %.*s subtracted", plural(fetch->zero_points.count),
            STR_ARG(ints_text(arena, &fetch->zero_points)));
    return buf_str(&text);
}

static Str bases_text(Arena *arena, const IntList *bases)
{
    StrBuf text = {.arena = arena};
    for (int64_t i = 0; i < bases->count; i++)
        say(&text, "%.*s", STR_ARG(address_text(arena, bases->items[i])));
    return buf_str(&text);
}

static Str pad_text(Arena *arena, const HwFetch *fetch)
{
    StrBuf text = {.arena = arena};
    buf_printf(&text, "pad_value %.*s", STR_ARG(value_text(arena, fetch->cast, fetch->pad_value)));
    for (int64_t i = 0; i < fetch->pad_registers.count; i++)
        buf_printf(&text, "%s0x%" PRIx64, i ? ", " : "; in the register ",
                   (uint64_t)fetch->pad_registers.items[i]);
    return buf_str(&text);
}

// ---- masks. Manual: Fetch Engine, Masking Configuration.

void bitmaps_add(StrBuf *text, int64_t chips, const HwClusterBits *bitmaps, int64_t count)
{
    if (count)
        buf_printf(text, "; %.*s", STR_ARG(slices_text(text->arena, chips, bitmaps, count)));
}

void listing_more_masks(const Listing *listing, int64_t count)
{
    if (count > LISTING_MOST)
        listing_linef(listing, "", "and %" PRId64 " more masks; %s shows them",
                      count - LISTING_MOST, listing_verbose(listing));
}

static void add_last_dim(StrBuf *text, const HwNest *nest, const HwMask *mask)
{
    say(text, "last_dim %" PRId64, mask->last_dim);
    if (mask->last_dim >= 0 && mask->last_dim < nest->loops.count &&
        nest->loops.items[mask->last_dim].term.len)
        buf_printf(text, " (%.*s)", STR_ARG(nest->loops.items[mask->last_dim].term));
}

// Case 1: the loop around the packet; case 2: one further out; case 3: a count for each index.
static void add_registers(StrBuf *text, const HwNest *nest, const HwMask *mask)
{
    bool counts = mask->valid_count_dim >= 0;
    int which = counts ? 3 : mask->last_dim >= nest->loops.count - 2 ? 1 : 2;
    Str values = ints_text(text->arena, &mask->valid_counts);
    buf_printf(text, "mask, case %d: ", which);
    StrBuf clauses = {.arena = text->arena};
    add_last_dim(&clauses, nest, mask);
    if (mask->left_pad)
        say(&clauses, "left_pad %" PRId64, mask->left_pad);
    if (counts)
        say(&clauses, "last_dim_rightmost_valid_count_dim %" PRId64, mask->valid_count_dim);
    if (mask->valid_counts.count > 1)
        say(&clauses, "last_dim_rightmost_valid_count[0..%" PRId64 "] = [%.*s]",
            mask->valid_counts.count, STR_ARG(values));
    else if (mask->valid_counts.count)
        say(&clauses, "last_dim_rightmost_valid_count[0] = %.*s", STR_ARG(values));
    buf_add(text, buf_str(&clauses));
}

void listing_masks(const Listing *listing, const HwFetch *fetch, int64_t chips)
{
    for (int64_t i = 0; i < fetch->masks.count && i < LISTING_MOST; i++) {
        const HwMask *mask = &fetch->masks.items[i];
        StrBuf text = {.arena = listing->out->arena};
        add_registers(&text, &fetch->nest, mask);
        bitmaps_add(&text, chips, mask->bitmaps.items, mask->bitmaps.count);
        listing_line(listing, "", buf_str(&text));
    }
    listing_more_masks(listing, fetch->masks.count);
}

void listing_fetch(const Listing *listing, const HwPipeline *pass)
{
    Arena *arena = listing->out->arena;
    const HwFetch *fetch = &pass->fetch;
    listing_line(listing, "fetch", nest_text(arena, &fetch->nest));
    listing_linef(listing, "",
                  "elements of %s, fetch_size %" PRId64 " B, %" PRId64
                  " fetch%s per packet, %" PRId64 " cycle%s",
                  scalar_name(fetch->type), fetch->nest.access_bytes, fetch->fetches_per_packet,
                  fetch->fetches_per_packet == 1 ? "" : "es", fetch_cycles(fetch),
                  plural(fetch_cycles(fetch)));
    StrBuf text = {.arena = arena};
    say(&text, "%" PRId64 " packet%s of %" PRId64 " elements, %" PRId64 " B", fetch->time,
        plural(fetch->time), fetch->packet_elements, fetch->packet_bytes);
    if (fetch->contiguous_bytes)
        say(&text, "%" PRId64 " B contiguous", fetch->contiguous_bytes);
    if (fetch->bitmaps.count)
        buf_printf(
            &text, "; %.*s",
            STR_ARG(slices_text(arena, pass->chips, fetch->bitmaps.items, fetch->bitmaps.count)));
    listing_line(listing, "", buf_str(&text));
    if (fetch->bases.count > 1)
        listing_linef(listing, "", "interleaved: packets of %.*s take turns",
                      STR_ARG(bases_text(arena, &fetch->bases)));
    Str adapter = adapter_text(arena, fetch);
    if (adapter.len)
        listing_line(listing, "", adapter);
    listing_masks(listing, fetch, pass->chips);
    if (fetch->masks.count || fetch->pad_value)
        listing_line(listing, "", pad_text(arena, fetch));
}

// ---- switch. Manual: Switch Engine, Topologies.

static void add_topology(StrBuf *text, const HwSwitchRoute *route)
{
    static const bool has_time0[ROUTER_COUNT] = {
        [ROUTER_BROADCAST01] = true, [ROUTER_INTER_TRANSPOSE] = true};
    const char *mode =
        record_of_SwitchRoute.fields[0].name_of((int)route->mode); // the first field is `mode`
    buf_add(text, str_from(mode));
    if (route->mode == ROUTER_CUSTOM || route->mode == ROUTER_FORWARD)
        return;
    buf_printf(text, " { slice1: %" PRId64 ", slice0: %" PRId64, route->slice1, route->slice0);
    if (has_time0[route->mode])
        buf_printf(text, ", time0: %" PRId64, route->time0);
    buf_add(text, STR(" }"));
}

static bool row_has(const HwSnoopRow *row, int64_t source)
{
    return source >= 0 && source / 64 < row->sources.count &&
           row->sources.items[source / 64] >> (source % 64) & 1;
}

// Is `row` what `first` is, `shift` slices further on?
static bool row_shifted(const HwSnoopRow *first, const HwSnoopRow *row, int64_t shift)
{
    int64_t words = max_i64(first->sources.count, row->sources.count);
    for (int64_t source = 0; source < words * 64 + shift; source++)
        if (row_has(row, source) != row_has(first, source - shift))
            return false;
    return true;
}

// Rows that tell all others: those of the first ring, if the rings are alike.
static int64_t telling_rows(const HwSwitchRoute *route)
{
    int64_t count = route->snoop.count, ring = route->ring_size;
    if (ring < 1 || ring >= count || count % ring)
        return count;
    for (int64_t i = ring; i < count; i++)
        if (!row_shifted(&route->snoop.items[i - ring], &route->snoop.items[i], ring))
            return count;
    return ring;
}

typedef struct {
    const HwSnoopRow *rows;
    int64_t count;
    bool *told;
} Snoop;

// The slices whose bitmap is that of `first`; they are told then.
static BitList slices_like(Arena *arena, const Snoop *snoop, int64_t first)
{
    BitList like = {0};
    for (int64_t i = 0; i < snoop->count; i++) {
        if (i % 64 == 0)
            array_push(arena, &like, uint64_t);
        if (snoop->told[i] || !row_shifted(&snoop->rows[first], &snoop->rows[i], 0))
            continue;
        snoop->told[i] = true;
        like.items[i / 64] |= UINT64_C(1) << (i % 64);
    }
    return like;
}

// "snoop bitmap {0-3} <- {0-3}; {4-7} <- {none}"
static Str snoop_text(const Listing *listing, const HwSwitchRoute *route)
{
    Arena *arena = listing->out->arena;
    enum { MOST_ROWS = 16 };
    int64_t count = telling_rows(route), groups = 0;
    Snoop snoop = {route->snoop.items, count, arena_new(arena, bool, (size_t)count)};
    StrBuf text = {.arena = arena};
    buf_add(&text, STR("snoop bitmap "));
    for (int64_t i = 0; i < count; i++) {
        if (snoop.told[i])
            continue;
        if (groups == MOST_ROWS) {
            buf_printf(&text, "; .. (%s shows all)", listing_verbose(listing));
            break;
        }
        BitList like = slices_like(arena, &snoop, i);
        buf_printf(&text, "%s{%.*s} <- {%.*s}", groups++ ? "; " : "",
                   STR_ARG(bits_text(arena, &like)),
                   STR_ARG(bits_text(arena, &route->snoop.items[i].sources)));
    }
    if (count < route->snoop.count)
        buf_printf(&text, "; the other %" PRId64 " rings alike", route->snoop.count / count - 1);
    return buf_str(&text);
}

void listing_switch(const Listing *listing, const HwSwitchRoute *route)
{
    StrBuf text = {.arena = listing->out->arena};
    add_topology(&text, route);
    say(&text, "ring size %" PRId64, route->ring_size);
    if (route->snoop.count > route->ring_size && route->slice2 > 1)
        say(&text, "%" PRId64 " rings", route->slice2);
    say(&text, "%" PRId64 " -> %" PRId64 " packets of %" PRId64 " B", route->in_time,
        route->out_time, route->packet_bytes);
    say(&text, "%" PRId64 " cycle%s", switch_cycles(route), plural(switch_cycles(route)));
    listing_line(listing, "switch", buf_str(&text));
    if (route->snoop.count)
        listing_line(listing, "", snoop_text(listing, route));
    if (route->writes_registers)
        listing_linef(listing, "", "custom topology: %" PRId64 " registers (SFRs) of 32 bits first",
                      route->register_writes);
}

// ---- collect

void listing_collect(const Listing *listing, const HwCollect *collect)
{
    StrBuf text = {.arena = listing->out->arena};
    say(&text, "packets of %" PRId64 " B -> %" PRId64 " flit%s", collect->in_packet_bytes,
        collect->flits_per_packet, plural(collect->flits_per_packet));
    if (collect->pad_bytes)
        say(&text, "the last %" PRId64 " B padding", collect->pad_bytes);
    buf_printf(&text, "; %" PRId64 " flit%s in all", collect->flits, plural(collect->flits));
    listing_line(listing, "collect", buf_str(&text));
}
