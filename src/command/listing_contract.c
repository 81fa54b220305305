// Register files and the Contraction Engine.
#include "command/listing_text.h"

#include <inttypes.h>

// Which positions are data.
static void print_data(const Listing *listing, const char *what, const HwCheck *checks,
                       int64_t count)
{
    StrBuf text = {.arena = listing->out->arena};
    if (!count)
        return;
    checks_add(&text, what, checks, count);
    listing_line(listing, "", buf_str(&text));
}

// ---- register files

static void add_layout(StrBuf *text, const HwTrfLayout *layout)
{
    say(text, "%s", trf_address_names[layout->address]);
    say(text, "%" PRId64 " row%s of %" PRId64 " bank row%s", layout->rows, plural(layout->rows),
        layout->bank_rows_per_row, plural(layout->bank_rows_per_row));
    if (layout->first_row)
        say(text, "from row %" PRId64 " of each bank", layout->first_row);
}

// "4 : 1 row", "4 : 32 B", "2 : 1 row + 32 B"
static void add_row_loop(StrBuf *text, const HwRowLoop *loop)
{
    buf_printf(text, "%" PRId64 " : ", loop->size);
    if (loop->row_stride)
        buf_printf(text, "%" PRId64 " row%s%s", loop->row_stride, plural(loop->row_stride),
                   loop->byte_stride ? " + " : "");
    if (loop->byte_stride)
        buf_printf(text, "%" PRId64 " B", loop->byte_stride);
    else if (!loop->row_stride)
        buf_add_char(text, '0');
}

void listing_trf_store(const Listing *listing, const HwTrfStore *store)
{
    StrBuf text = {.arena = listing->out->arena};
    buf_add_char(&text, '[');
    for (int64_t i = 0; i < store->loops.count; i++) {
        buf_add(&text, i ? STR(", ") : STR(""));
        add_row_loop(&text, &store->loops.items[i]);
    }
    buf_printf(&text, "] : %" PRId64, store->flit_bytes);
    say(&text, "%" PRId64 " flit%s", store->flits, plural(store->flits));
    if (store->short_command)
        say(&text, "short command");
    listing_line(listing, "trf_store", buf_str(&text));
    text = (StrBuf){.arena = listing->out->arena};
    add_layout(&text, &store->layout);
    say(&text, "%" PRId64 " B of each row filled", store->row_bytes);
    listing_line(listing, "", buf_str(&text));
    text = (StrBuf){.arena = listing->out->arena};
    say(&text, "elements of %s", scalar_name(store->type));
    if (store->reg_type >= 0)
        buf_printf(&text, " (reg_type %" PRId64 ")", store->reg_type);
    say(&text, "%" PRId64 " in the row of a bank, %" PRId64 " slot%s of 5 bits each",
        store->elements_per_bank_row, store->slots_per_element, plural(store->slots_per_element));
    listing_line(listing, "", buf_str(&text));
}

void listing_vrf_store(const Listing *listing, const HwVrfStore *store)
{
    listing_line(listing, "vrf_store", nest_text(listing->out->arena, &store->nest));
    listing_linef(listing, "",
                  "elements of %s, %" PRId64 " packet%s of %" PRId64 ", %" PRId64
                  " B in each slice",
                  scalar_name(store->type), store->time, plural(store->time),
                  store->packet_elements, store->bytes);
    print_data(listing, "element", store->data.items, store->data.count);
}

// ---- contraction

void listing_adapt(const Listing *listing, const HwStreamAdapt *adapt)
{
    Arena *arena = listing->out->arena;
    StrBuf text = {.arena = arena};
    say(&text, "collect_flits %" PRId64 ": %" PRId64 " B", adapt->collect_flits, adapt->data_bytes);
    if (adapt->pad_bytes)
        buf_printf(&text, " and %" PRId64 " B of zeros", adapt->pad_bytes);
    say(&text, "the same in %" PRId64 " row%s", adapt->rows, plural(adapt->rows));
    say(&text, "%" PRId64 " flit%s -> %" PRId64 " packet%s", adapt->in_time, plural(adapt->in_time),
        adapt->out_time, plural(adapt->out_time));
    if (adapt->tile > 1)
        say(&text, "each %" PRId64 " times (tile)", adapt->tile);
    listing_line(listing, "adapt", buf_str(&text));
    if (adapt->loops.count)
        listing_linef(listing, "", "%.*s, strides in flits",
                      STR_ARG(loops_text(arena, adapt->loops.items, adapt->loops.count)));
}

// Manual: TRF Sequencer; Entry 0 is the innermost.
static void print_entries(const Listing *listing, const HwNest *nest)
{
    for (int64_t i = nest->loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        listing_linef(listing, "",
                      "Entry %" PRId64 ": { size: %" PRId64 ", stride: %" PRId64 " }%s%.*s",
                      nest->loops.count - 1 - i, loop->size, loop->stride,
                      loop->term.len ? "  " : "", STR_ARG(loop->term));
    }
}

void listing_trf_read(const Listing *listing, const HwTrfRead *read)
{
    StrBuf text = {.arena = listing->out->arena};
    add_layout(&text, &read->layout);
    say(&text, "@ %.*s", STR_ARG(address_text(text.arena, read->nest.base)));
    say(&text, "elements of %s", scalar_name(read->type));
    listing_line(listing, "trf_read", buf_str(&text));
    text = (StrBuf){.arena = listing->out->arena};
    say(&text, "reg_read_size %" PRId64 " B", read->nest.access_bytes);
    if (read->broadcast > 1)
        say(&text, "broadcast %" PRId64 " times", read->broadcast);
    say(&text, "%" PRId64 " bank column%s", read->bank_columns, plural(read->bank_columns));
    say(&text, "%" PRId64 " read%s", read->out_time, plural(read->out_time));
    if (read->nest.loops.count)
        say(&text, read->nest.element_bits == 8 ? "strides in bytes" : "strides in elements");
    listing_line(listing, "", buf_str(&text));
    print_entries(listing, &read->nest);
}

// ---- reducer

// "[I % 4 = 4 : 1, K / 32 = 2 reduced]"
static Str slot_loops_text(Arena *arena, const HwReduce *reduce)
{
    StrBuf text = {.arena = arena};
    buf_add_char(&text, '[');
    for (int64_t i = 0; i < reduce->loops.count; i++) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        buf_add(&text, i ? STR(", ") : STR(""));
        if (loop->term.len)
            buf_printf(&text, "%.*s = ", STR_ARG(term_text(arena, loop->term)));
        buf_printf(&text, "%" PRId64, loop->size);
        if (loop->reduced)
            buf_add(&text, STR(" reduced"));
        else
            buf_printf(&text, " : %" PRId64, loop->stride);
    }
    buf_add_char(&text, ']');
    return buf_str(&text);
}

static bool accumulates(const HwReduce *reduce)
{
    for (int64_t i = 0; i < reduce->loops.count; i++)
        if (reduce->loops.items[i].reduced && reduce->loops.items[i].size > 1)
            return true;
    return false;
}

void listing_reduce(const Listing *listing, const HwReduce *reduce)
{
    Arena *arena = listing->out->arena;
    StrBuf text = {.arena = arena};
    say(&text, "%s x %s -> %s", scalar_name(reduce->in_type), scalar_name(reduce->in_type),
        scalar_name(reduce->out_type));
    say(&text, "tree depth %" PRId64 ": %" PRId64 " products -> %" PRId64 " sum%s",
        reduce->tree_depth, reduce->packet_elements, reduce->tree_outputs,
        plural(reduce->tree_outputs));
    if (reduce->columns != reduce->tree_outputs)
        say(&text, "%" PRId64 " of them kept", reduce->columns);
    say(&text, "%s, %" PRId64 " row%s", accumulate_names[reduce->resize], reduce->rows,
        plural(reduce->rows));
    listing_line(listing, "reduce", buf_str(&text));
    text = (StrBuf){.arena = arena};
    say(&text, "%.*s: %" PRId64 " step%s, %s", STR_ARG(slot_loops_text(arena, reduce)),
        reduce->in_time, plural(reduce->in_time),
        accumulates(reduce) ? "the first of a place stored, others accumulated, the last output"
                            : "each stored and output");
    listing_line(listing, "", buf_str(&text));
    listing_linef(listing, "",
                  "%" PRId64 " of 1024 slots, %" PRId64 " place%s -> %" PRId64
                  " packet%s of %" PRId64,
                  reduce->slots, reduce->places, plural(reduce->places), reduce->out_time,
                  plural(reduce->out_time), reduce->out_elements);
    print_data(listing, "product", reduce->data.items, reduce->data.count);
}
